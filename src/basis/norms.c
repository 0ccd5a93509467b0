/* Upper bounds of the spectral norms of operators. */
#include "basis/norms.h"

#include <float.h>
#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "base/clones.h"
#include "base/invariant.h"
#include "basis/operator.h"
#include "basis/parts.h"
#include "la/tiles.h"

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

/* Of many rows half of W is made, and copied to the other half. */
static rls2_status gram_of(rls2__effort *effort, int64_t n, int64_t rank, const double *G,
                           double *W)
{
    if (!rls2__are_many_rows(n))
        return rls2__tiled_gemm_tn(effort, n, rank, rank, G, n, G, n, W, rank);
    rls2_status status = rls2__tiled_gram(effort, n, rank, G, n, W, rank);
    for (int64_t j = 0; j < rank && status == RLS2_OK; j++)
        for (int64_t i = j + 1; i < rank; i++) W[i * rank + j] = W[j * rank + i];
    return status;
}

/* |W|_2 <= |W^2|_F^(1/2) = (sum of the fourth powers of the eigenvalues)^(1/4), W = G'G:
 * close to the largest eigenvalue unless many are as large. */
rls2_status rls2__factor_norm(rls2__effort *effort, int64_t n, int64_t rank, const double *G,
                              double *room, double *norm)
{
    double *W = room, *W2 = room + rank * rank;
    *norm = 0.0;
    if (rank == 0) return RLS2_OK;
    rls2_status status = gram_of(effort, n, rank, G, W);
    if (status == RLS2_OK)
        status = rls2__tiled_gemm_tn(effort, rank, rank, rank, W, rank, W, rank, W2, rank);
    if (status != RLS2_OK) return status;
    *norm = sqrt(rls2__la_norm(rank * rank, W2)) * (1.0 + 1e-12);
    rls2__invariant(is_above_diagonal(rank, W, rank + 1, 0, *norm));
    return RLS2_OK;
}

/* For a matrix without negative entries, max_i (Rx)_i / x_i bounds the spectral radius
 * for every positive x (Collatz and Wielandt); a few power steps make it tight. */
static rls2_status nonnegative_norm(rls2__effort *effort, int64_t n, const double *packed,
                                    double *x, double *y, double *norm)
{
    double bound = INFINITY;
    for (int64_t i = 0; i < n; i++) x[i] = 1.0;
    for (int step = 0; step < 4; step++) {
        rls2_status status = rls2__tiled_spmv(effort, n, 1.0, packed, x, y);
        if (status != RLS2_OK) return status;
        double ratio = 0.0, top = 0.0;
        for (int64_t i = 0; i < n; i++) {
            double quotient = y[i] / x[i];
            ratio = quotient > ratio ? quotient : ratio;
            top = y[i] > top ? y[i] : top;
        }
        *norm = bound = fmin(bound, ratio);
        if (!(top > 0.0)) return RLS2_OK;
        /* keep every entry positive, whatever underflows */
        for (int64_t i = 0; i < n; i++) {
            double share = y[i] / top;
            x[i] = share > 1e-12 ? share : 1e-12;
        }
    }
    *norm = bound * (1.0 + 1e-12);
    return RLS2_OK;
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

typedef struct columns {
    int64_t n;
    const double *packed;
    double *squares; /* n: of each column, from its diagonal down */
    atomic_int negative;
} columns;

static void square_columns(void *user, int64_t part, int thread)
{
    columns *it = user;
    int negative = 0;
    int64_t n = it->n, end = rls2__part_start(n, part + 1);
    (void)thread;
    for (int64_t j = rls2__part_start(n, part); j < end; j++)
        it->squares[j] = sum_of_squares(n - j, it->packed + j * n - j * (j - 1) / 2, &negative);
    if (negative) atomic_store(&it->negative, 1);
}

rls2_status rls2__dense_norm(rls2__effort *effort, int64_t n, const double *packed,
                             rls2__build_room *room, double *norm)
{
    columns it = {.n = n, .packed = packed, .squares = room->column};
    rls2_status status = rls2__effort_each(effort, rls2__part_count(n), square_columns, &it);
    if (status != RLS2_OK) return status;
    double squares = 0.0;
    const double *a = packed;
    for (int64_t j = 0; j < n; a += n - j, j++) squares += 2.0 * it.squares[j] - a[0] * a[0];
    *norm = sqrt(squares) * (1.0 + 1e-12);
    rls2__invariant(is_above_diagonal(n, packed, n, -1, *norm));
    if (atomic_load(&it.negative)) return RLS2_OK;
    double tighter = *norm;
    status = nonnegative_norm(effort, n, packed, room->column, room->pivots, &tighter);
    *norm = fmin(*norm, tighter);
    rls2__invariant(status != RLS2_OK || is_above_diagonal(n, packed, n, -1, *norm));
    return status;
}

/* Of a full symmetric matrix, from its lower triangle: the lesser of the Frobenius norm
 * and the largest absolute row sum. */
rls2_status rls2__full_norm(rls2__effort *effort, int64_t n, const double *K, double *sums,
                            double *norm)
{
    double squares = 0.0, largest = 0.0;
    memset(sums, 0, (size_t)n * sizeof *sums);
    for (int64_t j = 0; j < n && !rls2__effort_stopped(effort); j++)
        for (int64_t i = j; i < n; i++) {
            double size = fabs(K[j * n + i]);
            squares += (i == j ? 1.0 : 2.0) * size * size;
            sums[i] += size;
            if (i != j) sums[j] += size;
        }
    rls2_status status = rls2__effort_status(effort);
    if (status != RLS2_OK) return status;
    for (int64_t i = 0; i < n; i++) largest = fmax(largest, sums[i]);
    *norm = fmin(sqrt(squares), largest) * (1.0 + 1e-12);
    rls2__invariant(is_above_diagonal(n, K, n + 1, 0, *norm));
    return RLS2_OK;
}
