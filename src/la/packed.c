/* Products with packed symmetric matrices.
 *
 * BLAS walks through the triangle by a short call for each column and each of its two uses; up to a
 * few hundred rows the calls cost as much as the arithmetic. There two columns are taken at a time
 * and each value is used twice when it has been read; hardware that fetches ahead follows one
 * stream in a page, not two, and so is told. Larger triangles come from memory, one column after
 * another, as fast as it gives them. */
#include "la/packed.h"

#include <string.h>

#include <cblas.h>

#include "base/clones.h"
#include "base/invariant.h"

/* AHEAD: how far in front of its use, in values, the triangle is fetched; 256 to 2,048 are much the
 * same. */
enum { LANES = 8, AHEAD = 512 };
enum { FEW_ROWS = 320 }; /* up to which the triangle, 400 kB, stays in a cache of its own */
typedef double lanes __attribute__((vector_size(LANES * sizeof(double))));
typedef double loose_lanes
    __attribute__((vector_size(LANES * sizeof(double)), aligned(sizeof(double))));

/* Into every clone of the function below; a function of its own would be compiled for the least of
 * them. */
#define INTO_CLONES static inline __attribute__((always_inline))

INTO_CLONES double add_lanes(const lanes *x)
{
    const lanes p = *x;
    return ((p[0] + p[1]) + (p[2] + p[3])) + ((p[4] + p[5]) + (p[6] + p[7]));
}

/* Rows below the two by two corner of columns a and b: v += xa a + xb b, and the inner products of
 * a and b with x. fetch: what is to be read soon, or NULL. */
INTO_CLONES void two_columns(int64_t n, const double *a, const double *b, const double *fetch,
                             double xa, double xb, const double *x, double *v, double *ax,
                             double *bx)
{
    lanes sum_a = {0.0}, sum_b = {0.0};
    double rest_a = 0.0, rest_b = 0.0;
    int64_t i = 0;
    for (; i + LANES <= n; i += LANES) {
        const lanes in_a = *(const loose_lanes *)(a + i), in_b = *(const loose_lanes *)(b + i),
                    in_x = *(const loose_lanes *)(x + i);
        if (fetch) {
            __builtin_prefetch(fetch + 2 * i);
            __builtin_prefetch(fetch + 2 * i + LANES);
        }
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
static void multiply_small(int64_t n, double scale, const double *A, const double *x, double *y)
{
    int64_t j = 0;
    memset(y, 0, (size_t)n * sizeof *y);
    for (; j + 1 < n; j += 2) {
        int64_t length = n - j; /* of column j; the next is one shorter */
        double first, second;
        two_columns(length - 2, A + 2, A + length + 1, A + AHEAD, x[j], x[j + 1], x + j + 2,
                    y + j + 2, &first, &second);
        y[j] += (A[0] * x[j] + A[1] * x[j + 1]) + first;
        y[j + 1] += (A[1] * x[j] + A[length] * x[j + 1]) + second;
        A += 2 * length - 1;
    }
    if (j < n) y[j] += A[0] * x[j];
    for (int64_t i = 0; i < n; i++) y[i] *= scale;
}

void rls2__la_spmv(int64_t n, double scale, const double *A, const double *x, double *y)
{
    rls2__invariant(rls2__la_fits(n));
    if (n <= FEW_ROWS)
        multiply_small(n, scale, A, x, y);
    else
        cblas_dspmv(CblasColMajor, CblasLower, (int)n, scale, A, x, 1, 0.0, y, 1);
}

/* Long columns: two streams that the processor follows by itself. */
RLS2__CLONES
void rls2__la_symmetric_range(int64_t n, int64_t first, int64_t end, const double *A, int64_t lda,
                              const double *x, double *y)
{
    int64_t j = first;
    rls2__invariant(first % 2 == 0 && (end % 2 == 0 || end == n));
    memset(y, 0, (size_t)(n - first) * sizeof *y);
    for (; j + 1 < end; j += 2) {
        const double *a = rls2__la_diagonal(n, A, lda, j), *b = rls2__la_diagonal(n, A, lda, j + 1);
        double *v = y + (j - first), one, two;
        two_columns(n - j - 2, a + 2, b + 1, NULL, x[j], x[j + 1], x + j + 2, v + 2, &one, &two);
        v[0] += (a[0] * x[j] + a[1] * x[j + 1]) + one;
        v[1] += (a[1] * x[j] + b[0] * x[j + 1]) + two;
    }
    if (j < end) y[j - first] += *rls2__la_diagonal(n, A, lda, j) * x[j];
}
