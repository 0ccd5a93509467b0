/* One basis kernel, evaluated by columns.
 *
 * Kernels are evaluated a column at a time over many rows, never entry by entry:
 * the inner loops run over contiguous rows and vectorise, exp included. */
#ifndef RLS2_KERNEL_KERNEL_H
#define RLS2_KERNEL_KERNEL_H

#include <stdint.h>

#include "kernel/sums.h"
#include "rls2/basis.h"

typedef enum rls2__kernel_kind {
    RLS2__KERNEL_LINEAR,
    RLS2__KERNEL_POLY,
    RLS2__KERNEL_RBF,
    RLS2__KERNEL_LAPLACE,
    RLS2__KERNEL_MATERN,
    RLS2__KERNEL_SPLINE,
    RLS2__KERNEL_DELTA,
    RLS2__KERNEL_GIVEN
} rls2__kernel_kind;

/* Parameters by kind:
 *   POLY    degree, offset, scale
 *   RBF     gamma                LAPLACE gamma
 *   MATERN  nu, length
 *   SPLINE  lo, hi: range of the column over the training rows, set by rls2__kernel_fit
 *
 * Of a kernel with a width for each column, RBF or MATERN on two columns or more, the squared
 * distance is the sum of widths[t] (x - z)^2 over its columns: gamma multiplies it, and length
 * divides the root of twice it, so that both kernels fall off alike. */
typedef struct rls2__kernel {
    rls2__kernel_kind kind;
    double param[3];
    int64_t column_count;
    const int64_t *columns; /* borrowed from the owner's arena */
    int learns;             /* has it a width for each column? */
    const double *widths;   /* column_count, borrowed likewise; NULL: it has none, or none yet */
    int64_t given;          /* index of the given matrix, else -1 */
    const char *name;       /* borrowed likewise */
} rls2__kernel;

/* Parameters that depend on the training rows (spline's range). */
void rls2__kernel_fit(rls2__kernel *kernel, const rls2_rows *train);

/* out[i] = K(a_i, b_j) for all rows i of a: one column of K(a, b). For given
 * kernels, column j of a's given matrix. */
void rls2__kernel_column(const rls2__kernel *kernel, const rls2_rows *a, const rls2_rows *b,
                         int64_t j, double *out);

/* The same for rows i >= first only: out[i - first]. */
void rls2__kernel_column_from(const rls2__kernel *kernel, const rls2_rows *a, int64_t first,
                              const rls2_rows *b, int64_t j, double *out);

/* The same for the n rows from `first` on: out[n]. A row's value does not depend on which part it
 * is in. */
void rls2__kernel_column_part(const rls2__kernel *kernel, const rls2_rows *a, int64_t first,
                              int64_t n, const rls2_rows *b, int64_t j, double *out);

/* The same multiplied by s. */
void rls2__kernel_column_scaled(const rls2__kernel *kernel, const rls2_rows *a, int64_t first,
                                int64_t n, const rls2_rows *b, int64_t j, double s, double *out);

/* sum[i] = sum_j c_j K(a_i, b_j) for the n rows of a from `first` on, of a linear kernel: the rows
 * of b are summed up first, so that it costs n + b->n for each column, not their product. */
void rls2__kernel_expand_linear(const rls2__kernel *kernel, const rls2_rows *a, int64_t first,
                                int64_t n, const rls2_rows *b, const double *c, double *sum);

/* The sums over columns that the kernel (neither spline nor given) is a function of, for `width`
 * rows of b from j on: out[w n + i]. A sum does not depend on which block it is in. */
void rls2__kernel_sums(const rls2__kernel *kernel, const rls2_rows *a, int64_t first, int64_t n,
                       const rls2_rows *b, int64_t j, int64_t width, double *out);

/* That in two halves, for kernels that differ in parameters alone: the sum over the columns (inner
 * products, squared or absolute distances), which kernels that are `alike` share, and the values in
 * its place. Both are of one dictionary: with widths, on the same columns, they have the same. */
int rls2__kernel_alike(const rls2__kernel *one, const rls2__kernel *other);
void rls2__kernel_reduce_part(const rls2__kernel *kernel, const rls2_rows *a, int64_t first,
                              int64_t n, const rls2_rows *b, int64_t j, double *out);
void rls2__kernel_map_part(const rls2__kernel *kernel, int64_t n, double *out);

/* out[i] = K(a_i, a_i). Given kernels: a->given_diagonal where set, else the
 * diagonal of the (square) given matrix. */
void rls2__kernel_diagonal(const rls2__kernel *kernel, const rls2_rows *a, double *out);
/* The same for the n rows from `first` on. */
void rls2__kernel_diagonal_part(const rls2__kernel *kernel, const rls2_rows *a, int64_t first,
                                int64_t n, double *out);

/* What is allowed for the rounding of one value, as a share of it or of what its two rows have with
 * themselves: two units in the last place, the root of the number of columns for a sum over them,
 * and both for each factor of a power; none for given matrices.  [MATH.md, G4] */
double rls2__kernel_rounding(const rls2__kernel *kernel);

/* An upper bound of the rank of K(a, a) known from the kind alone (a polynomial of
 * one column has rank <= degree + 1); INT64_MAX where there is none. */
int64_t rls2__kernel_rank_bound(const rls2__kernel *kernel);

#endif
