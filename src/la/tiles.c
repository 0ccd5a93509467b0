/* Products cut into tasks. */
#include "la/tiles.h"

#include <math.h>
#include <string.h>

#include <cblas.h>

#include "base/invariant.h"
#include "base/memory.h"
#include "la/packed.h"
#include "la/rounded.h"
#include "la/tile_grid.h"

/* Values of a matrix that a task should read at least: a few tenths of a millisecond. */
enum { TASK_VALUES = 1 << 18 };

/* ---- triangles ---- */

int64_t rls2__triangle_cut(int64_t n, int64_t parts, int64_t part)
{
    if (part >= parts) return n;
    double left = 1.0 - (double)part / (double)parts; /* share of the values still to come */
    int64_t column = (int64_t)((double)n * (1.0 - sqrt(left)));
    return column - column % 2;
}

int64_t rls2__triangle_parts(int64_t n)
{
    if (n < RLS2__TILED_FROM) return 1;
    int64_t parts = n * n / 2 / TASK_VALUES;
    return parts < RLS2__MOST_PARTS ? parts : RLS2__MOST_PARTS;
}

typedef struct triangle_work {
    int64_t n, parts;
    const double *A;
    int64_t lda;      /* 0: packed */
    const int32_t *Z; /* or this one, packed, of integers */
    const double *x;
    double *sums; /* of each range, one after another: what it adds to y from its first row on */
} triangle_work;

/* Where the sums of a range lie. */
static double *sums_of(const triangle_work *w, int64_t part)
{
    double *at = w->sums;
    for (int64_t p = 0; p < part; p++) at += w->n - rls2__triangle_cut(w->n, w->parts, p);
    return at;
}

static void multiply_range(void *user, int64_t part, int thread)
{
    const triangle_work *w = user;
    int64_t first = rls2__triangle_cut(w->n, w->parts, part),
            end = rls2__triangle_cut(w->n, w->parts, part + 1);
    (void)thread;
    if (w->Z)
        rls2__la_rounded_range(w->n, first, end, w->Z, w->x, sums_of(w, part));
    else
        rls2__la_symmetric_range(w->n, first, end, w->A, w->lda, w->x, sums_of(w, part));
}

static void add_sums(const triangle_work *w, double a, double *y)
{
    for (int64_t i = 0; i < w->n; i++) y[i] = w->sums[i];
    for (int64_t p = 1; p < w->parts; p++) {
        const double *sum = sums_of(w, p);
        int64_t first = rls2__triangle_cut(w->n, w->parts, p);
        for (int64_t i = first; i < w->n; i++) y[i] += sum[i - first];
    }
    for (int64_t i = 0; i < w->n; i++) y[i] *= a;
}

static rls2_status multiply_triangle(rls2__effort *effort, triangle_work *w, double a, double *y)
{
    w->parts = rls2__triangle_parts(w->n);
    int64_t room = sums_of(w, w->parts) - w->sums;
    w->sums = rls2__alloc(room, sizeof(double));
    if (!w->sums) return RLS2_ERR_MEMORY;
    rls2_status status = rls2__effort_each_worth(effort, 0.5 * (double)w->n * (double)w->n,
                                                 w->parts, multiply_range, w);
    if (status == RLS2_OK) add_sums(w, a, y);
    rls2__free(w->sums);
    return status;
}

rls2_status rls2__tiled_symv(rls2__effort *effort, int64_t n, double a, const double *A,
                             int64_t lda, const double *x, double *y)
{
    if (n < RLS2__TILED_FROM) {
        rls2__la_symv(n, a, A, lda, x, y);
        return rls2__effort_status(effort);
    }
    triangle_work w = {.n = n, .A = A, .lda = lda, .x = x};
    return multiply_triangle(effort, &w, a, y);
}

rls2_status rls2__tiled_spmv(rls2__effort *effort, int64_t n, double a, const double *A,
                             const double *x, double *y)
{
    if (n < RLS2__TILED_FROM) {
        rls2__la_spmv(n, a, A, x, y);
        return rls2__effort_status(effort);
    }
    triangle_work w = {.n = n, .A = A, .x = x};
    return multiply_triangle(effort, &w, a, y);
}

rls2_status rls2__tiled_rounded(rls2__effort *effort, int64_t n, double a, const int32_t *Z,
                                const double *x, double *y)
{
    triangle_work w = {.n = n, .Z = Z, .x = x};
    return multiply_triangle(effort, &w, a, y);
}

/* ---- other products with a vector ---- */

typedef struct vector_work {
    int64_t n, m;
    const double *A;
    int64_t lda;
    const double *x;
    double *y;
    double a, b;
    int64_t piece; /* columns or rows of a task */
} vector_work;

static void multiply_columns(void *user, int64_t task, int thread)
{
    const vector_work *w = user;
    int64_t j = task * w->piece;
    (void)thread;
    rls2__la_gemv_t(w->n, rls2__piece(w->m, w->piece, j), w->A + j * w->lda, w->lda, w->x,
                    w->y + j);
}

static void multiply_rows(void *user, int64_t task, int thread)
{
    const vector_work *w = user;
    int64_t i = task * w->piece;
    (void)thread;
    rls2__la_gemv_n(rls2__piece(w->n, w->piece, i), w->m, w->a, w->A + i, w->lda, w->x, w->b,
                    w->y + i);
}

/* How many rows or columns of `length` values a task takes: a multiple of 64, as BLAS takes several
 * of them at a time. All, where one task is enough. */
static int64_t vector_piece(int64_t length, int64_t count)
{
    if (length == 0 || count <= 2 * TASK_VALUES / length) return count > 0 ? count : 1;
    return (TASK_VALUES / length / 64 + 1) * 64;
}

rls2_status rls2__tiled_gemv_t(rls2__effort *effort, int64_t n, int64_t m, const double *A,
                               int64_t lda, const double *x, double *y)
{
    vector_work w = {
        .n = n, .m = m, .A = A, .lda = lda, .x = x, .y = y, .piece = vector_piece(n, m)};
    return rls2__effort_each_worth(effort, (double)n * (double)m, rls2__pieces(m, w.piece),
                                   multiply_columns, &w);
}

rls2_status rls2__tiled_gemv_n(rls2__effort *effort, int64_t n, int64_t m, double a,
                               const double *A, int64_t lda, const double *x, double b, double *y)
{
    vector_work w = {.n = n,
                     .m = m,
                     .A = A,
                     .lda = lda,
                     .x = x,
                     .y = y,
                     .a = a,
                     .b = b,
                     .piece = vector_piece(m, n)};
    return rls2__effort_each_worth(effort, (double)n * (double)m, rls2__pieces(n, w.piece),
                                   multiply_rows, &w);
}

/* ---- products of matrices ---- */

/* Tiles of a product with `deep` terms in every entry: a few dozen of them, none of more than a
 * tenth of a second, and no smaller than BLAS does well. */
static int64_t product_side(int64_t order, int64_t deep)
{
    enum { LEAST_SIDE = 128, MOST_SIDE = 768 };
    const double MOST_TERMS = 1e9;
    int64_t side = order / 6 / 64 * 64;
    side = side < LEAST_SIDE ? LEAST_SIDE : side > MOST_SIDE ? MOST_SIDE : side;
    while (side > LEAST_SIDE && (double)(side * side) * (double)deep > MOST_TERMS) side /= 2;
    return side;
}

static double worth(int64_t rows, int64_t columns, int64_t deep)
{
    return (double)rows * (double)columns * (double)deep / 8.0;
}

typedef struct product_work {
    int64_t n, k, l;
    const double *A, *B;
    int64_t lda, ldb;
    double *C;
    int64_t ldc;
    double a, b;
    int64_t side;
} product_work;

/* The tile from row i and column j on of a AA' + b C, in C. */
static void outer_tile(const product_work *w, int64_t i, int64_t j, double *C, int64_t ldc)
{
    int64_t rows = rls2__piece(w->n, w->side, i), columns = rls2__piece(w->n, w->side, j);
    if (i == j)
        rls2__la_syrk(rows, w->k, w->a, w->A + i, w->lda, w->b, C, ldc);
    else
        cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, (int)rows, (int)columns, (int)w->k,
                    w->a, w->A + i, (int)w->lda, w->A + j, (int)w->lda, w->b, C, (int)ldc);
}

static void multiply_outer(void *user, int64_t task, int thread)
{
    const product_work *w = user;
    int64_t i, j;
    (void)thread;
    rls2__lower_tile(w->n, w->side, task, &i, &j);
    outer_tile(w, i, j, w->C + j * w->ldc + i, w->ldc);
}

rls2_status rls2__tiled_syrk(rls2__effort *effort, int64_t n, int64_t k, double a, const double *A,
                             int64_t lda, double b, double *C, int64_t ldc)
{
    if (n < RLS2__TILED_FROM) {
        rls2__la_syrk(n, k, a, A, lda, b, C, ldc);
        return rls2__effort_status(effort);
    }
    product_work w = {.n = n,
                      .k = k,
                      .A = A,
                      .lda = lda,
                      .C = C,
                      .ldc = ldc,
                      .a = a,
                      .b = b,
                      .side = product_side(n, k)};
    return rls2__effort_each_worth(effort, worth(n, n / 2, k), rls2__lower_tiles(n, w.side),
                                   multiply_outer, &w);
}

typedef struct packing {
    product_work product;
    double *tiles; /* one for each thread */
} packing;

/* A tile of AA' into room of the thread's, and from there to its columns of the packed triangle. */
static void multiply_packed(void *user, int64_t task, int thread)
{
    const packing *it = user;
    const product_work *w = &it->product;
    int64_t side = w->side, i, j;
    double *tile = it->tiles + thread * side * side;
    rls2__lower_tile(w->n, side, task, &i, &j);
    outer_tile(w, i, j, tile, side);
    int64_t rows = rls2__piece(w->n, side, i), columns = rls2__piece(w->n, side, j);
    for (int64_t t = 0; t < columns; t++) {
        int64_t above = i == j ? t : 0, at = j + t; /* rows before the diagonal; the column */
        memcpy(w->C + at * w->n - at * (at - 1) / 2 + (i + above - at), tile + t * side + above,
               (size_t)(rows - above) * sizeof *tile);
    }
}

rls2_status rls2__tiled_syrk_packed(rls2__effort *effort, int64_t n, int64_t k, const double *A,
                                    int64_t lda, double *C)
{
    int64_t side = n < RLS2__TILED_FROM ? n : product_side(n, k),
            tasks = rls2__lower_tiles(n, side);
    packing it = {.product = {.n = n, .k = k, .A = A, .lda = lda, .C = C, .a = 1.0, .side = side}};
    int64_t rooms = tasks < effort->threads ? tasks : effort->threads;
    it.tiles = rls2__alloc(rls2__mul(rooms, side * side), sizeof(double));
    if (!it.tiles) return RLS2_ERR_MEMORY;
    rls2_status status =
        rls2__effort_each_worth(effort, worth(n, n / 2, k), tasks, multiply_packed, &it);
    rls2__free(it.tiles);
    return status;
}

/* A tile of C = A'A. */
static void multiply_gram(void *user, int64_t task, int thread)
{
    const product_work *w = user;
    int64_t i, j;
    (void)thread;
    rls2__lower_tile(w->k, w->side, task, &i, &j);
    int64_t rows = rls2__piece(w->k, w->side, i), columns = rls2__piece(w->k, w->side, j);
    double *C = w->C + j * w->ldc + i;
    if (i == j)
        rls2__la_gram(w->n, rows, w->A + i * w->lda, w->lda, C, w->ldc);
    else
        rls2__la_gemm_tn(w->n, rows, columns, w->A + i * w->lda, w->lda, w->A + j * w->lda, w->lda,
                         C, w->ldc);
}

rls2_status rls2__tiled_gram(rls2__effort *effort, int64_t n, int64_t k, const double *A,
                             int64_t lda, double *C, int64_t ldc)
{
    if (n < RLS2__TILED_FROM) {
        rls2__la_gram(n, k, A, lda, C, ldc);
        return rls2__effort_status(effort);
    }
    product_work w = {
        .n = n, .k = k, .A = A, .lda = lda, .C = C, .ldc = ldc, .side = product_side(k, n)};
    return rls2__effort_each_worth(effort, worth(k, k / 2, n), rls2__lower_tiles(k, w.side),
                                   multiply_gram, &w);
}

/* A tile of C = A'B. */
static void multiply_transposed(void *user, int64_t task, int thread)
{
    const product_work *w = user;
    int64_t down = rls2__pieces(w->k, w->side), i = task % down * w->side,
            j = task / down * w->side;
    (void)thread;
    rls2__la_gemm_tn(w->n, rls2__piece(w->k, w->side, i), rls2__piece(w->l, w->side, j),
                     w->A + i * w->lda, w->lda, w->B + j * w->ldb, w->ldb, w->C + j * w->ldc + i,
                     w->ldc);
}

rls2_status rls2__tiled_gemm_tn(rls2__effort *effort, int64_t n, int64_t k, int64_t l,
                                const double *A, int64_t lda, const double *B, int64_t ldb,
                                double *C, int64_t ldc)
{
    if (n < RLS2__TILED_FROM) {
        rls2__la_gemm_tn(n, k, l, A, lda, B, ldb, C, ldc);
        return rls2__effort_status(effort);
    }
    product_work w = {.n = n,
                      .k = k,
                      .l = l,
                      .A = A,
                      .lda = lda,
                      .B = B,
                      .ldb = ldb,
                      .C = C,
                      .ldc = ldc,
                      .side = product_side(k < l ? k : l, n)};
    int64_t tasks = rls2__pieces(k, w.side) * rls2__pieces(l, w.side);
    return rls2__effort_each_worth(effort, worth(k, l, n), tasks, multiply_transposed, &w);
}
