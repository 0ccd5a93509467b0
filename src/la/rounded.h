/* Symmetric matrices in 32 bits: packed lower triangles of integers, each times one unit. Half the
 * memory, and half the time where reading it is most of the work; sums are in double. */
#ifndef RLS2_LA_ROUNDED_H
#define RLS2_LA_ROUNDED_H

#include <stdint.h>

/* The largest integer that is used. */
#define RLS2__LARGEST_ROUNDED 2147483000.0

/* The integer next to x, |x| at most RLS2__LARGEST_ROUNDED. */
static inline int32_t rls2__la_rounded(double x)
{
    return (int32_t)(x + (x < 0.0 ? -0.5 : 0.5));
}

/* The diagonal entry of column j. */
static inline const int32_t *rls2__rounded_diagonal(int64_t n, const int32_t *Z, int64_t j)
{
    return Z + j * n - j * (j - 1) / 2;
}

/* What columns first .. end - 1 add to Zx: rows first .. n - 1, to y[0] and on. first is even, and
 * end is or is n. */
void rls2__la_rounded_range(int64_t n, int64_t first, int64_t end, const int32_t *Z,
                            const double *x, double *y);
/* And what they and the rows that mirror them add to x'Zx. */
double rls2__la_rounded_quadratic(int64_t n, int64_t first, int64_t end, const int32_t *Z,
                                  const double *x);
/* y += a z */
void rls2__la_rounded_axpy(int64_t n, double a, const int32_t *z, double *y);
/* y += sum_t a[t] z[t], z[t] being columns z[t] + at: four streams at once keep memory busy. */
void rls2__la_rounded_add_four(int64_t n, const double *a, const int32_t *const *z, int64_t at,
                               double *y);

#endif
