/* The reduction of a symmetric matrix to a band, and what follows from it.
 *
 * Step by step, WIDTH columns at a time, the rows below the band are taken to a triangle by a QR
 * decomposition with Q_i = I - VTV' (V: the reflectors, T: a triangle), and the rest of the matrix,
 * A_2, becomes
 *
 *   Q_i'A_2 Q_i = A_2 - VW' - WV',   W = Y - V(T'V'Y)/2,   Y = A_2 VT.
 *
 * Y and the difference, 4 WIDTH flops for each entry of A_2, are all of the work but a share of
 * about WIDTH/n. Both are cut into tasks by blocks of rows and columns, each of which has its own
 * part of Y or A_2 to write. */
#include "la/band.h"

#include <math.h>
#include <string.h>

#include <cblas.h>
#include <lapacke.h>

#include "base/invariant.h"
#include "base/memory.h"

/* Wide enough for products out of cache, narrow enough that the factor of a band is cheap. Tasks
 * have BLOCK rows or columns of A, or the lambdas of COLUMNS systems. */
enum { WIDTH = 64, BLOCK = 256, COLUMNS = 8 };

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static void lay_out(rls2__layout *layout, void *owner)
{
    rls2__band *band = owner;
    int64_t room = rls2__mul(band->n, WIDTH);
    band->T = rls2__layout_take(layout, room, sizeof(double));
    band->V = rls2__layout_take(layout, room, sizeof(double));
    band->W = rls2__layout_take(layout, room, sizeof(double));
    band->X = rls2__layout_take(layout, room, sizeof(double));
}

/* The part of a matrix that is left when the columns before `first` are done. */
typedef struct rest {
    const rls2__band *band;
    int64_t first; /* its first row */
    int64_t m;     /* its order */
    int64_t k;     /* reflectors */
    double *A;     /* it, with the stride n */
} rest;

/* C = A B + b C, of r x s and s x k */
static void multiply(const double *A, int64_t lda, CBLAS_TRANSPOSE trans, int64_t r, int64_t s,
                     int64_t k, const double *B, int64_t ldb, double b, double *C, int64_t ldc)
{
    cblas_dgemm(CblasColMajor, trans, CblasNoTrans, (int)r, (int)k, (int)s, 1.0, A, (int)lda, B,
                (int)ldb, b, C, (int)ldc);
}

/* A block of rows of W = A_2 X: what is left of the diagonal block, it, and what is below it. */
static void multiply_rows(void *user, int64_t task, int thread)
{
    const rest *at = user;
    int64_t n = at->band->n, m = at->m, from = task * BLOCK, r = least(BLOCK, m - from),
            end = from + r;
    const double *X = at->band->X, *diagonal = at->A + from * n + from;
    double *W = at->band->W + from;
    (void)thread;
    cblas_dsymm(CblasColMajor, CblasLeft, CblasLower, (int)r, (int)at->k, 1.0, diagonal, (int)n,
                X + from, (int)m, 0.0, W, (int)m);
    if (from > 0) multiply(at->A + from, n, CblasNoTrans, r, from, at->k, X, m, 1.0, W, m);
    if (end < m) multiply(diagonal + r, n, CblasTrans, r, m - end, at->k, X + end, m, 1.0, W, m);
}

/* A block of columns of A_2 - VW' - WV', from its diagonal down. */
static void update_columns(void *user, int64_t task, int thread)
{
    const rest *at = user;
    int64_t n = at->band->n, m = at->m, from = task * BLOCK, r = least(BLOCK, m - from),
            end = from + r;
    const double *V = at->band->V, *W = at->band->W;
    double *diagonal = at->A + from * n + from;
    int k = (int)at->k;
    (void)thread;
    cblas_dsyr2k(CblasColMajor, CblasLower, CblasNoTrans, (int)r, k, -1.0, V + from, (int)m,
                 W + from, (int)m, 1.0, diagonal, (int)n);
    if (end == m) return;
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, (int)(m - end), (int)r, k, -1.0, V + end,
                (int)m, W + from, (int)m, 1.0, diagonal + r, (int)n);
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, (int)(m - end), (int)r, k, -1.0, W + end,
                (int)m, V + from, (int)m, 1.0, diagonal + r, (int)n);
}

/* V (m x k, its stride m) out of the panel left of A_2, with the zeros and ones that are not stored
 * there. */
static void unpack_reflectors(const rls2__band *band, int64_t first, int64_t m, int64_t k,
                              double *V)
{
    const double *panel = band->A + (first - WIDTH) * band->n + first;
    for (int64_t j = 0; j < k; j++) {
        memset(V + j * m, 0, (size_t)j * sizeof *V);
        V[j * m + j] = 1.0;
        memcpy(V + j * m + j + 1, panel + j * band->n + j + 1, (size_t)(m - j - 1) * sizeof *V);
    }
}

/* The QR decomposition of the panel left of A_2. */
static void reflect_panel(const rest *at)
{
    const rls2__band *band = at->band;
    double *panel = band->A + (at->first - WIDTH) * band->n + at->first, tau[WIDTH];
    double *T = band->T + (at->first - WIDTH) * WIDTH;
    LAPACKE_dgeqrf_work(LAPACK_COL_MAJOR, (int)at->m, WIDTH, panel, (int)band->n, tau, band->W,
                        WIDTH * WIDTH);
    unpack_reflectors(band, at->first, at->m, at->k, band->V);
    LAPACKE_dlarft_work(LAPACK_COL_MAJOR, 'F', 'C', (int)at->m, (int)at->k, band->V, (int)at->m,
                        tau, T, WIDTH);
}

/* W = Y - V(T'V'Y)/2, Y being there. */
static void finish_product(const rest *at)
{
    int m = (int)at->m, k = (int)at->k;
    const rls2__band *band = at->band;
    const double *T = band->T + (at->first - WIDTH) * WIDTH;
    double S[WIDTH * WIDTH];
    cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, k, k, m, 1.0, band->V, m, band->W, m, 0.0,
                S, WIDTH);
    cblas_dtrmm(CblasColMajor, CblasLeft, CblasUpper, CblasTrans, CblasNonUnit, k, k, 0.5, T, WIDTH,
                S, WIDTH);
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, m, k, k, -1.0, band->V, m, S, WIDTH, 1.0,
                band->W, m);
}

static rls2_status reduce_step(rls2__effort *effort, rest *at)
{
    const rls2__band *band = at->band;
    int64_t blocks = (at->m + BLOCK - 1) / BLOCK;
    const double *T = band->T + (at->first - WIDTH) * WIDTH;
    reflect_panel(at);
    memcpy(band->X, band->V, (size_t)(at->m * at->k) * sizeof(double));
    cblas_dtrmm(CblasColMajor, CblasRight, CblasUpper, CblasNoTrans, CblasNonUnit, (int)at->m,
                (int)at->k, 1.0, T, WIDTH, band->X, (int)at->m);
    rls2_status status = rls2__effort_each(effort, blocks, multiply_rows, at);
    if (status != RLS2_OK) return status;
    finish_product(at);
    return rls2__effort_each(effort, blocks, update_columns, at);
}

rls2_status rls2__band_reduce(rls2__effort *effort, int64_t n, double *A, rls2__band *band)
{
    *band = (rls2__band){.n = n, .A = A};
    band->block = rls2__layout_alloc(lay_out, band);
    rls2_status status = band->block ? RLS2_OK : RLS2_ERR_MEMORY;
    for (int64_t first = WIDTH; first < n && status == RLS2_OK; first += WIDTH) {
        rest at = {band, first, n - first, least(WIDTH, n - first), A + first * n + first};
        status = reduce_step(effort, &at);
    }
    return status;
}

void rls2__band_free(rls2__band *band)
{
    rls2__free(band->block);
    memset(band, 0, sizeof *band);
}

/* ---- solving ---- */

typedef struct systems {
    rls2__effort *effort;
    const rls2__band *band;
    int64_t count;
    const double *lambdas;
    double *C;
    unsigned char *solved;
    double *rooms; /* of each thread, `room` doubles */
    int64_t room;
} systems;

/* Multiplies `count` columns by Q_i or its transpose. work: count x WIDTH. */
static void reflect(const rls2__band *band, int64_t first, char trans, int64_t count, double *C,
                    double *work)
{
    int64_t n = band->n, m = n - first, k = least(WIDTH, m);
    LAPACKE_dlarfb_work(LAPACK_COL_MAJOR, 'L', trans, 'F', 'C', (int)m, (int)count, (int)k,
                        band->A + (first - WIDTH) * n + first, (int)n,
                        band->T + (first - WIDTH) * WIDTH, WIDTH, C + first, (int)n, work,
                        (int)count);
}

/* x = (B + lambda I)^-1 x; 0 where that is not positive definite. L: (WIDTH + 1) x n */
static int solve_band(const rls2__band *band, double lambda, double *L, double *x)
{
    int64_t n = band->n;
    for (int64_t j = 0; j < n; j++) {
        int64_t below = least(WIDTH + 1, n - j);
        memcpy(L + j * (WIDTH + 1), band->A + j * n + j, (size_t)below * sizeof *L);
        L[j * (WIDTH + 1)] += lambda;
    }
    if (LAPACKE_dpbtrf_work(LAPACK_COL_MAJOR, 'L', (int)n, WIDTH, L, WIDTH + 1) != 0) return 0;
    LAPACKE_dpbtrs_work(LAPACK_COL_MAJOR, 'L', (int)n, WIDTH, 1, L, WIDTH + 1, x, (int)n);
    return isfinite(x[0]) != 0; /* a NaN anywhere is one here */
}

/* The systems of one task: x becomes Q (B + lambda I)^-1 Q'x. */
static void solve_some(void *user, int64_t task, int thread)
{
    const systems *all = user;
    const rls2__band *band = all->band;
    int64_t n = band->n, from = task * COLUMNS, count = least(COLUMNS, all->count - from);
    double *work = all->rooms + thread * all->room, *L = work + COLUMNS * WIDTH;
    double *C = all->C + from * n;
    for (int64_t i = WIDTH; i < n && !rls2__effort_stopped(all->effort); i += WIDTH)
        reflect(band, i, 'T', count, C, work);
    for (int64_t i = 0; i < count && !rls2__effort_stopped(all->effort); i++)
        all->solved[from + i] =
            (unsigned char)solve_band(band, all->lambdas[from + i], L, C + i * n);
    for (int64_t i = (n - 1) / WIDTH * WIDTH; i > 0 && !rls2__effort_stopped(all->effort);
         i -= WIDTH)
        reflect(band, i, 'N', count, C, work);
}

rls2_status rls2__band_solve(rls2__effort *effort, const rls2__band *band, int64_t count,
                             const double *lambdas, double *C, unsigned char *solved)
{
    int64_t room = rls2__add(rls2__mul(band->n, WIDTH + 1), COLUMNS * WIDTH);
    double *rooms = rls2__alloc(rls2__mul(room, effort->threads), sizeof(double));
    systems all = {effort, band, count, lambdas, C, solved, rooms, room};
    if (!rooms) return RLS2_ERR_MEMORY;
    rls2_status status =
        rls2__effort_each(effort, (count + COLUMNS - 1) / COLUMNS, solve_some, &all);
    if (status == RLS2_OK) status = rls2__effort_status(effort); /* within the last task */
    rls2__free(rooms);
    return status;
}
