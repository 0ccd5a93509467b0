/* Upper bounds of the spectral norms of operators. */
#include "basis/norms.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/clones.h"
#include "base/invariant.h"
#include "basis/operator.h"
#include "la/la.h"
#include "la/packed.h"

/* The norm of a positive semi-definite matrix is no less than any of its diagonal entries. Of one
 * that is indefinite likewise; what overflows, or is lost when it is squared, is left out. */
RLS2__CHECK int is_above_diagonal(int64_t n, const double *first, int64_t step, int64_t change,
                                  double norm)
{
    for (int64_t i = 0; i < n; first += step, step += change, i++)
        if (isfinite(norm) && isfinite(*first) && fabs(*first) > norm && *first * *first >= DBL_MIN)
            return 0;
    return norm >= 0.0 || isnan(norm);
}

/* |W|_2 <= |W^2|_F^(1/2) = (sum of the fourth powers of the eigenvalues)^(1/4), W = G'G:
 * close to the largest eigenvalue unless many are as large. */
double rls2__factor_norm(int64_t n, int64_t rank, const double *G, double *room)
{
    if (rank == 0) return 0.0;
    double *W = room, *W2 = room + rank * rank;
    rls2__la_gemm_tn(n, rank, rank, G, n, G, n, W, rank);
    rls2__la_gemm_tn(rank, rank, rank, W, rank, W, rank, W2, rank);
    double norm = sqrt(rls2__la_norm(rank * rank, W2)) * (1.0 + 1e-12);
    rls2__invariant(is_above_diagonal(rank, W, rank + 1, 0, norm));
    return norm;
}

/* For a matrix without negative entries, max_i (Rx)_i / x_i bounds the spectral radius
 * for every positive x (Collatz and Wielandt); a few power steps make it tight. */
static double nonnegative_norm(int64_t n, const double *packed, double *x, double *y)
{
    double bound = INFINITY;
    for (int64_t i = 0; i < n; i++) x[i] = 1.0;
    for (int step = 0; step < 4; step++) {
        rls2__la_spmv(n, 1.0, packed, x, y);
        double ratio = 0.0, top = 0.0;
        for (int64_t i = 0; i < n; i++) {
            double quotient = y[i] / x[i];
            ratio = quotient > ratio ? quotient : ratio;
            top = y[i] > top ? y[i] : top;
        }
        bound = fmin(bound, ratio);
        if (!(top > 0.0)) return bound;
        /* keep every entry positive, whatever underflows */
        for (int64_t i = 0; i < n; i++) {
            double share = y[i] / top;
            x[i] = share > 1e-12 ? share : 1e-12;
        }
    }
    return bound * (1.0 + 1e-12);
}

/* In parts, added in a fixed order at the end, that the compiler can vectorise; sets *negative
 * where a value is. */
RLS2__CLONES
static double sum_of_squares(int64_t n, const double *x, int *negative)
{
    enum { PARTS = 16 };
    double part[PARTS] = {0.0}, lowest[PARTS] = {0.0}, total = 0.0;
    int64_t i = 0;
    for (; i + PARTS <= n; i += PARTS)
        for (int p = 0; p < PARTS; p++) {
            part[p] += x[i + p] * x[i + p];
            lowest[p] = x[i + p] < lowest[p] ? x[i + p] : lowest[p];
        }
    for (; i < n; i++) {
        total += x[i] * x[i];
        *negative |= x[i] < 0.0;
    }
    for (int p = 0; p < PARTS; p++) {
        total += part[p];
        *negative |= lowest[p] < 0.0;
    }
    return total;
}

double rls2__dense_norm(int64_t n, const double *packed, rls2__build_room *room)
{
    double squares = 0.0;
    int negative = 0;
    const double *a = packed;
    for (int64_t j = 0; j < n; j++) {
        squares += 2.0 * sum_of_squares(n - j, a, &negative) - a[0] * a[0];
        a += n - j;
    }
    double frobenius = sqrt(squares) * (1.0 + 1e-12);
    rls2__invariant(is_above_diagonal(n, packed, n, -1, frobenius));
    if (negative) return frobenius;
    double norm = fmin(frobenius, nonnegative_norm(n, packed, room->column, room->pivots));
    rls2__invariant(is_above_diagonal(n, packed, n, -1, norm));
    return norm;
}

/* Of a full symmetric matrix, from its lower triangle: the lesser of the Frobenius norm
 * and the largest absolute row sum. */
double rls2__full_norm(int64_t n, const double *K, double *sums)
{
    double squares = 0.0, largest = 0.0;
    memset(sums, 0, (size_t)n * sizeof *sums);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = j; i < n; i++) {
            double size = fabs(K[j * n + i]);
            squares += (i == j ? 1.0 : 2.0) * size * size;
            sums[i] += size;
            if (i != j) sums[j] += size;
        }
    for (int64_t i = 0; i < n; i++) largest = fmax(largest, sums[i]);
    double norm = fmin(sqrt(squares), largest) * (1.0 + 1e-12);
    rls2__invariant(is_above_diagonal(n, K, n + 1, 0, norm));
    return norm;
}
