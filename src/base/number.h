/* Numbers in text, read exactly and independently of the locale. */
#ifndef RLS2_BASE_NUMBER_H
#define RLS2_BASE_NUMBER_H

#include "rls2/status.h"

/* Owns a "C" locale for the numbers that need strtod. */
typedef struct rls2__number_reader rls2__number_reader;

rls2_status rls2__number_reader_create(rls2__number_reader **reader, rls2_error *err);
void rls2__number_reader_free(rls2__number_reader *reader);

/* 1 if the whole text is a finite decimal number, blanks around it allowed, and
 * then *value is the double nearest to it; 0 otherwise, *value untouched.
 *
 *   number := blank* [+-] (digit+ ['.' digit*] | '.' digit+) [eE [+-] digit+] blank*
 *
 * So "inf", "nan", hexadecimal and numbers beyond the range of double are not
 * numbers; those too small to be represented are zero. */
int rls2__number_parse(const rls2__number_reader *reader, const char *text, double *value);

/* The same now and then, without a reader kept for it; 0 too where a number that needs strtod finds
 * no "C" locale. */
int rls2__number_read(const char *text, double *value);

/* How many characters at the start of `text`, which may go on, are a number that needs no strtod,
 * and the number itself; 0 where they are none. The longest number is taken. For the common case: a
 * number of many digits gives 0 too. */
int64_t rls2__number_scan(const char *text, double *value);

#endif
