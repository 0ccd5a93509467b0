/* The types of Arrow's columns that a table can hold. */
#ifndef RLS2_FORMATS_ARROW_TYPE_H
#define RLS2_FORMATS_ARROW_TYPE_H

#include <stdint.h>

typedef enum rls2__arrow_kind {
    RLS2__ARROW_NONE, /* every cell is missing */
    RLS2__ARROW_BOOLEAN,
    RLS2__ARROW_SIGNED,
    RLS2__ARROW_UNSIGNED,
    RLS2__ARROW_FLOAT,
    RLS2__ARROW_DECIMAL,
    RLS2__ARROW_TEXT,      /* offsets of `width` bytes */
    RLS2__ARROW_TEXT_VIEW, /* 16 bytes a cell, which hold short texts */
    RLS2__ARROW_DAYS,      /* since 1970-01-01 */
    RLS2__ARROW_INSTANT,   /* ticks since then */
    RLS2__ARROW_CLOCK      /* ticks since midnight */
} rls2__arrow_kind;

typedef struct rls2__arrow_type {
    rls2__arrow_kind kind;
    int width;     /* bytes of a cell, or of an offset */
    int scale;     /* of decimals: digits behind the point, negative ones before it */
    int64_t ticks; /* of a second */
    int buffers;   /* that an array of it has; the last kind may have more */
} rls2__arrow_type;

/* 0 for a format that is none of these. */
int rls2__arrow_type_of(const char *format, rls2__arrow_type *type);
/* Is a cell of it a number? Else it is a text. */
int rls2__arrow_is_number(const rls2__arrow_type *type);

/* The number in a cell, which is not missing; values: buffer 1 of the array. */
double rls2__arrow_number(const rls2__arrow_type *type, const void *values, int64_t at);
/* The days or ticks in a cell as ISO 8601, of a column of times. */
enum { RLS2__ARROW_TIME_TEXT = 64 };
void rls2__arrow_time(const rls2__arrow_type *type, const void *values, int64_t at,
                      char text[RLS2__ARROW_TIME_TEXT]);

#endif
