/* Sums over columns of data, for many pairs of rows at once: what every kernel function starts
 * from. */
#ifndef RLS2_KERNEL_SUMS_H
#define RLS2_KERNEL_SUMS_H

#include <stdint.h>

typedef enum rls2__term {
    RLS2__TERM_PRODUCT,  /* sum of x z */
    RLS2__TERM_SQUARE,   /* sum of (x - z)^2 */
    RLS2__TERM_WEIGHTED, /* sum of w (x - z)^2 */
    RLS2__TERM_ABSOLUTE, /* sum of |x - z| */
    RLS2__TERM_EQUAL     /* 1 where x = z in all columns, else 0 */
} rls2__term;

/* n rows of a against `width` rows of b: column c of a lies at a + c lda. */
typedef struct rls2__pairs {
    int64_t count;          /* columns that are summed over, */
    const int64_t *columns; /* in this order, */
    const double *weights;  /* each with its w; NULL where the term has none */
    int64_t n;
    const double *a;
    int64_t lda;
    int64_t width;
    const double *b;
    int64_t ldb;
} rls2__pairs;

/* out[w n + i] = the sum for rows i of a and w of b. It depends on these two rows alone, and not on
 * the instruction set. */
void rls2__sum_terms(rls2__term term, const rls2__pairs *pairs, double *out);

#endif
