/* A kernel on all pairs of rows. */
#ifndef RLS2_KERNEL_TRIANGLE_H
#define RLS2_KERNEL_TRIANGLE_H

#include "kernel/kernel.h"

/* The lower triangle by columns, n(n+1)/2 values, of s K(rows, rows), row and column i multiplied
 * by roots[i] (NULL: 1). */
void rls2__kernel_triangle(const rls2__kernel *kernel, const rls2_rows *rows, double s,
                           const double *roots, double *packed);
/* Columns `from` to `end` - 1 of it, to where they lie in `packed`: the same bits. */
void rls2__kernel_triangle_part(const rls2__kernel *kernel, const rls2_rows *rows, double s,
                                const double *roots, int64_t from, int64_t end, double *packed);

#endif
