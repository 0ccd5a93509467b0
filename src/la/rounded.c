/* Products with triangles of integers. Two columns are taken at a time, and each value is used
 * twice when it has been read, as in packed.c. */
#include "la/rounded.h"

#include <string.h>

#include "base/clones.h"
#include "base/invariant.h"

enum { LANES = 8 };
typedef double lanes __attribute__((vector_size(LANES * sizeof(double))));
typedef double loose_lanes
    __attribute__((vector_size(LANES * sizeof(double)), aligned(sizeof(double))));
typedef int32_t loose_integers
    __attribute__((vector_size(LANES * sizeof(int32_t)), aligned(sizeof(int32_t))));

/* Into every clone of the functions below; a function of its own would be compiled for the least of
 * them. Vectors as arguments would be passed as no two of them agree: by pointers, then. */
#define INTO_CLONES static inline __attribute__((always_inline))
#define CONVERTED(z) __builtin_convertvector(*(const loose_integers *)(z), lanes)

INTO_CLONES double add_lanes(const lanes *x)
{
    const lanes p = *x;
    return ((p[0] + p[1]) + (p[2] + p[3])) + ((p[4] + p[5]) + (p[6] + p[7]));
}

/* Rows below the two by two corner of columns a and b: v += xa a + xb b, and the inner products of
 * a and b with x. */
INTO_CLONES void two_columns(int64_t n, const int32_t *a, const int32_t *b, double xa, double xb,
                             const double *x, double *v, double *ax, double *bx)
{
    lanes sum_a = {0.0}, sum_b = {0.0};
    double rest_a = 0.0, rest_b = 0.0;
    int64_t i = 0;
    for (; i + LANES <= n; i += LANES) {
        const lanes in_a = CONVERTED(a + i), in_b = CONVERTED(b + i),
                    in_x = *(const loose_lanes *)(x + i);
        sum_a += in_a * in_x;
        sum_b += in_b * in_x;
        *(loose_lanes *)(v + i) += xa * in_a + xb * in_b;
    }
    for (; i < n; i++) {
        rest_a += a[i] * x[i];
        rest_b += b[i] * x[i];
        v[i] += xa * a[i] + xb * b[i];
    }
    *ax = add_lanes(&sum_a) + rest_a;
    *bx = add_lanes(&sum_b) + rest_b;
}

RLS2__CLONES
void rls2__la_rounded_range(int64_t n, int64_t first, int64_t end, const int32_t *Z,
                            const double *x, double *y)
{
    int64_t j = first;
    rls2__invariant(first % 2 == 0 && (end % 2 == 0 || end == n));
    memset(y, 0, (size_t)(n - first) * sizeof *y);
    for (; j + 1 < end; j += 2) {
        const int32_t *a = rls2__rounded_diagonal(n, Z, j), *b = a + (n - j);
        double *v = y + (j - first), one, two;
        two_columns(n - j - 2, a + 2, b + 1, x[j], x[j + 1], x + j + 2, v + 2, &one, &two);
        v[0] += (a[0] * x[j] + a[1] * x[j + 1]) + one;
        v[1] += (a[1] * x[j] + b[0] * x[j + 1]) + two;
    }
    if (j < end) y[j - first] += *rls2__rounded_diagonal(n, Z, j) * x[j];
}

/* xa a'x + xb b'x */
INTO_CLONES double two_products(int64_t n, const int32_t *a, const int32_t *b, double xa, double xb,
                                const double *x)
{
    lanes sum_a = {0.0}, sum_b = {0.0}, more_a = {0.0}, more_b = {0.0};
    double rest_a = 0.0, rest_b = 0.0;
    int64_t i = 0;
    for (; i + 2 * LANES <= n; i += 2 * LANES) {
        const lanes in_x = *(const loose_lanes *)(x + i),
                    next = *(const loose_lanes *)(x + i + LANES);
        sum_a += CONVERTED(a + i) * in_x;
        sum_b += CONVERTED(b + i) * in_x;
        more_a += CONVERTED(a + i + LANES) * next;
        more_b += CONVERTED(b + i + LANES) * next;
    }
    for (; i < n; i++) {
        rest_a += a[i] * x[i];
        rest_b += b[i] * x[i];
    }
    sum_a += more_a;
    sum_b += more_b;
    return xa * (add_lanes(&sum_a) + rest_a) + xb * (add_lanes(&sum_b) + rest_b);
}

RLS2__CLONES
double rls2__la_rounded_quadratic(int64_t n, int64_t first, int64_t end, const int32_t *Z,
                                  const double *x)
{
    double diagonal = 0.0, below = 0.0;
    int64_t j = first;
    for (; j + 1 < end; j += 2) {
        const int32_t *a = rls2__rounded_diagonal(n, Z, j), *b = a + (n - j);
        diagonal += a[0] * x[j] * x[j] + b[0] * x[j + 1] * x[j + 1];
        below += a[1] * x[j] * x[j + 1] +
                 two_products(n - j - 2, a + 2, b + 1, x[j], x[j + 1], x + j + 2);
    }
    for (; j < end; j++) {
        const int32_t *a = rls2__rounded_diagonal(n, Z, j);
        diagonal += a[0] * x[j] * x[j];
        for (int64_t i = 1; i < n - j; i++) below += x[j] * a[i] * x[j + i];
    }
    return diagonal + 2.0 * below;
}

RLS2__CLONES
void rls2__la_rounded_axpy(int64_t n, double a, const int32_t *z, double *restrict y)
{
    for (int64_t i = 0; i < n; i++) y[i] += a * z[i];
}

RLS2__CLONES
void rls2__la_rounded_add_four(int64_t n, const double *w, const int32_t *const *z, int64_t at,
                               double *restrict y)
{
    const int32_t *a = z[0] + at, *b = z[1] + at, *c = z[2] + at, *d = z[3] + at;
    double wa = w[0], wb = w[1], wc = w[2], wd = w[3];
    for (int64_t i = 0; i < n; i++) y[i] += (wa * a[i] + wb * b[i]) + (wc * c[i] + wd * d[i]);
}
