/* The kernel of the cubic smoothing spline on the range lo .. hi. Every value is multiplied by s at
 * the end. */
#ifndef RLS2_KERNEL_SPLINE_H
#define RLS2_KERNEL_SPLINE_H

#include <stdint.h>

/* out[i] = s times the kernel of x[i] and z. */
void rls2__spline_column(double lo, double hi, int64_t n, const double *x, double z, double s,
                         double *out);
/* out[i] = the kernel of x[i] and itself. */
void rls2__spline_diagonal(double lo, double hi, int64_t n, const double *x, double *out);
/* Columns `from` to `end` - 1 of the lower triangle, by columns, of all pairs of x, to where they
 * lie in `packed`. */
void rls2__spline_triangle(double lo, double hi, int64_t n, const double *x, double s, int64_t from,
                           int64_t end, double *packed);

#endif
