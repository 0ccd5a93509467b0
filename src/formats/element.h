/* Numbers as they lie in binary files. */
#ifndef RLS2_FORMATS_ELEMENT_H
#define RLS2_FORMATS_ELEMENT_H

#include <stdint.h>

typedef enum rls2__element_kind {
    RLS2__ELEMENT_FLOAT,   /* of 4 or 8 bytes */
    RLS2__ELEMENT_SIGNED,  /* of 1, 2, 4 or 8 bytes, two's complement */
    RLS2__ELEMENT_UNSIGNED /* likewise; also booleans */
} rls2__element_kind;

typedef struct rls2__element {
    rls2__element_kind kind;
    int size; /* bytes */
    int big_endian;
} rls2__element;

/* An unsigned number of `size` bytes, at most 8, at any alignment. */
uint64_t rls2__bytes_unsigned(const void *bytes, int size, int big_endian);

/* 1 where this machine stores the most significant byte first. */
int rls2__machine_is_big_endian(void);

/* `count` of them as doubles. Returns `count`, or the position of the first whole number beyond
 * 2^53, which a double cannot hold exactly; what stands there is written to *beyond, as text. */
enum { RLS2__WHOLE_TEXT = 24 };
int64_t rls2__elements_convert(rls2__element element, const void *bytes, int64_t count,
                               double *values, char beyond[RLS2__WHOLE_TEXT]);

#endif
