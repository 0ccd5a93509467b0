/* How the cells of a column are written: plain numbers or texts, numbers with separators and signs
 * ("1,232", "12 %", "$5"), or dates. A table finds the style of each column when it is read whole;
 * an encoder remembers it, so that new rows are read as the training rows were. */
#ifndef RLS2_TABLE_STYLE_H
#define RLS2_TABLE_STYLE_H

#include "table/date.h"

typedef enum rls2__style_kind {
    RLS2__STYLE_PLAIN = 0,     /* numbers as base/number.h reads them, or texts */
    RLS2__STYLE_DECORATED = 1, /* numbers with other decimal signs, separators, percent, currency */
    RLS2__STYLE_DATE = 2       /* days since 1970-01-01, with the time as a fraction */
} rls2__style_kind;

/* All zero: plain. */
typedef struct rls2__style {
    rls2__style_kind kind;
    char decimal;           /* of DECORATED: '.' or ',' */
    char thousands;         /* of DECORATED: ',' '.' ' ' '\'' or 0 */
    rls2__date_order order; /* of DATE */
    int has_time;           /* of DATE: some cell had a time of day */
} rls2__style;

/* 1 and the number of the text if the style reads it, 0 if not, *value untouched.
 *
 * DECORATED reads plain numbers too, those with a point only where that is the decimal sign. The
 * sign of a currency stands before the number or after it, a minus sign before either; "12 %" is
 * 12, "(5)" is -5. Thousands are separated everywhere or nowhere in a number. */
int rls2__style_read(const rls2__style *style, const char *text, double *value);

/* 1 if both read alike; whether cells had a time of day does not count. */
int rls2__style_same(const rls2__style *a, const rls2__style *b);

/* The style as a word for model files, "plain", "1,234.5", "date-ymd", "datetime-dmy", ..., and
 * back; 0 where the word is none. */
enum { RLS2__STYLE_WORD = 32 };
void rls2__style_word(const rls2__style *style, char word[RLS2__STYLE_WORD]);
int rls2__style_of_word(const char *word, rls2__style *style);

#endif
