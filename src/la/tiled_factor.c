/* Factorisations and triangular solutions by panels.
 *
 * All of them look to the right: a narrow panel of columns (or block of rows) is finished, and what
 * it changes in the rest is one product, cut into tiles. The rest is touched once for each panel,
 * as inside dpotrf, which takes about as long on one thread; only the corner of each panel is left
 * to one thread, a share of panel/n of the work. */
#include "la/tiles.h"

#include <cblas.h>
#include <lapacke.h>

#include "base/invariant.h"
#include "la/tile_grid.h"

/* Measured with n of 1,000 to 8,000: panels as wide as BLAS takes sums in one go; tiles that leave
 * a few dozen tasks, but are large enough that copying their sides does not count. */
enum { NARROW = 128, WIDE = 192, WIDE_FROM = 4096 };

static int64_t panel_width(int64_t n)
{
    return n < WIDE_FROM ? NARROW : WIDE;
}

static int64_t tile_side(int64_t n)
{
    int64_t side = n / 6 / 128 * 128;
    return side < 256 ? 256 : side > 768 ? 768 : side;
}

/* What a task needs to know: the matrix, the panel in hand, and how the rest is cut. */
typedef struct panel_work {
    int64_t n;
    double *A; /* n x n, lower triangle */
    int64_t lda;
    int64_t first, width;       /* of the panel */
    int64_t next;               /* first + width */
    int64_t side;               /* of tiles */
    double *B;                  /* right sides, n x count */
    int64_t ldb, count, across; /* of which a task takes `across` */
} panel_work;

static double *entry(const panel_work *w, int64_t i, int64_t j)
{
    return w->A + j * w->lda + i;
}

static void take_panel(panel_work *w, int64_t first, int64_t width)
{
    w->first = first;
    w->width = rls2__piece(w->n, width, first);
    w->next = first + w->width;
}

/* What so many products that are added are worth, as values: they come out of cache, except
 * with one right side. */
static double worth(int64_t rows, int64_t columns, int64_t deep)
{
    double products = (double)rows * (double)columns * (double)deep;
    return columns == 1 ? products : products / 8.0;
}

/* ---- A = LL' ---- */

/* Rows of the panel below its corner L: X L' = A. */
static void solve_panel_rows(void *user, int64_t task, int thread)
{
    const panel_work *w = user;
    (void)thread;
    int64_t i = w->next + task * w->side, rows = rls2__piece(w->n, w->side, i);
    cblas_dtrsm(CblasColMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, (int)rows,
                (int)w->width, 1.0, entry(w, w->first, w->first), (int)w->lda,
                entry(w, i, w->first), (int)w->lda);
}

/* One tile of A -= PP', P being the panel. */
static void subtract_panel(void *user, int64_t task, int thread)
{
    const panel_work *w = user;
    int64_t i, j;
    (void)thread;
    rls2__lower_tile(w->n - w->next, w->side, task, &i, &j);
    i += w->next;
    j += w->next;
    int rows = (int)rls2__piece(w->n, w->side, i), columns = (int)rls2__piece(w->n, w->side, j);
    if (i == j)
        cblas_dsyrk(CblasColMajor, CblasLower, CblasNoTrans, rows, (int)w->width, -1.0,
                    entry(w, i, w->first), (int)w->lda, 1.0, entry(w, i, i), (int)w->lda);
    else
        cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, rows, columns, (int)w->width, -1.0,
                    entry(w, i, w->first), (int)w->lda, entry(w, j, w->first), (int)w->lda, 1.0,
                    entry(w, i, j), (int)w->lda);
}

rls2_status rls2__tiled_cholesky(rls2__effort *effort, int64_t n, double *A, int64_t lda,
                                 int64_t *failed)
{
    *failed = 0;
    if (n < RLS2__TILED_FROM) {
        *failed = rls2__la_cholesky(n, A, lda);
        return rls2__effort_status(effort);
    }
    panel_work w = {.n = n, .A = A, .lda = lda, .side = tile_side(n)};
    rls2_status status = RLS2_OK;
    for (int64_t k = 0; k < n && status == RLS2_OK; k = w.next) {
        take_panel(&w, k, panel_width(n));
        int64_t minor = rls2__la_cholesky(w.width, entry(&w, k, k), lda);
        if (minor != 0) {
            *failed = k + minor;
            return RLS2_OK;
        }
        int64_t rest = n - w.next;
        status = rls2__effort_each_worth(effort, worth(rest, w.width, w.width / 2),
                                         rls2__pieces(rest, w.side), solve_panel_rows, &w);
        if (status == RLS2_OK)
            status = rls2__effort_each_worth(effort, worth(rest, rest / 2, w.width),
                                             rls2__lower_tiles(rest, w.side), subtract_panel, &w);
    }
    return status;
}

/* ---- L^-1 B and L^-T B ---- */

enum { SIDES_TOGETHER = 256 }; /* right sides that one task takes */

static int64_t side_groups(const panel_work *w)
{
    return rls2__pieces(w->count, w->across);
}

/* Task: a piece of the rows and a group of the right sides. */
static void piece_of_sides(const panel_work *w, int64_t task, int64_t *piece, int64_t *side,
                           int *sides)
{
    *piece = task / side_groups(w);
    *side = task % side_groups(w) * w->across;
    *sides = (int)rls2__piece(w->count, w->across, *side);
}

static void solve_corner_by(const panel_work *w, int64_t task, CBLAS_TRANSPOSE transposed)
{
    int64_t piece, side;
    int sides;
    piece_of_sides(w, task, &piece, &side, &sides);
    double *B = w->B + side * w->ldb + w->first;
    if (w->count == 1) /* dtrsm would copy the triangle */
        cblas_dtrsv(CblasColMajor, CblasLower, transposed, CblasNonUnit, (int)w->width,
                    entry(w, w->first, w->first), (int)w->lda, B, 1);
    else
        cblas_dtrsm(CblasColMajor, CblasLeft, CblasLower, transposed, CblasNonUnit, (int)w->width,
                    sides, 1.0, entry(w, w->first, w->first), (int)w->lda, B, (int)w->ldb);
}

static void solve_corner(void *user, int64_t task, int thread)
{
    (void)thread;
    solve_corner_by(user, task, CblasNoTrans);
}

static void solve_corner_t(void *user, int64_t task, int thread)
{
    (void)thread;
    solve_corner_by(user, task, CblasTrans);
}

/* Rows of B below the block -= their rows of the panel, times the block. */
static void subtract_below(void *user, int64_t task, int thread)
{
    const panel_work *w = user;
    int64_t piece, side;
    int sides;
    (void)thread;
    piece_of_sides(w, task, &piece, &side, &sides);
    int64_t i = w->next + piece * w->side;
    int rows = (int)rls2__piece(w->n, w->side, i);
    double *B = w->B + side * w->ldb;
    if (w->count == 1)
        cblas_dgemv(CblasColMajor, CblasNoTrans, rows, (int)w->width, -1.0, entry(w, i, w->first),
                    (int)w->lda, B + w->first, 1, 1.0, B + i, 1);
    else
        cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, rows, sides, (int)w->width, -1.0,
                    entry(w, i, w->first), (int)w->lda, B + w->first, (int)w->ldb, 1.0, B + i,
                    (int)w->ldb);
}

/* Rows of B above the block -= their columns of its rows of L, times the block. */
static void subtract_above(void *user, int64_t task, int thread)
{
    const panel_work *w = user;
    int64_t piece, side;
    int sides;
    (void)thread;
    piece_of_sides(w, task, &piece, &side, &sides);
    int64_t j = piece * w->side;
    int columns = (int)rls2__piece(w->first, w->side, j);
    double *B = w->B + side * w->ldb;
    if (w->count == 1)
        cblas_dgemv(CblasColMajor, CblasTrans, (int)w->width, columns, -1.0, entry(w, w->first, j),
                    (int)w->lda, B + w->first, 1, 1.0, B + j, 1);
    else
        cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, columns, sides, (int)w->width, -1.0,
                    entry(w, w->first, j), (int)w->lda, B + w->first, (int)w->ldb, 1.0, B + j,
                    (int)w->ldb);
}

static panel_work solving(int64_t n, int64_t count, const double *L, int64_t ldl, double *B,
                          int64_t ldb)
{
    return (panel_work){.n = n,
                        .A = (double *)L, /* only read */
                        .lda = ldl,
                        .side = tile_side(n),
                        .B = B,
                        .ldb = ldb,
                        .count = count,
                        .across = SIDES_TOGETHER};
}

rls2_status rls2__tiled_lower_solve(rls2__effort *effort, int64_t n, int64_t count, const double *L,
                                    int64_t ldl, double *B, int64_t ldb)
{
    if (n < RLS2__TILED_FROM) {
        rls2__la_lower_solve(n, count, L, ldl, B, ldb);
        return rls2__effort_status(effort);
    }
    panel_work w = solving(n, count, L, ldl, B, ldb);
    rls2_status status = RLS2_OK;
    for (int64_t k = 0; k < n && status == RLS2_OK; k = w.next) {
        take_panel(&w, k, panel_width(n));
        status = rls2__effort_each_worth(effort, worth(w.width, count, w.width / 2),
                                         side_groups(&w), solve_corner, &w);
        int64_t tasks = rls2__pieces(n - w.next, w.side) * side_groups(&w);
        if (status == RLS2_OK)
            status = rls2__effort_each_worth(effort, worth(n - w.next, count, w.width), tasks,
                                             subtract_below, &w);
    }
    return status;
}

rls2_status rls2__tiled_lower_solve_t(rls2__effort *effort, int64_t n, int64_t count,
                                      const double *L, int64_t ldl, double *B, int64_t ldb)
{
    if (n < RLS2__TILED_FROM) {
        for (int64_t j = 0; j < count; j++) rls2__la_lower_solve_t(n, L, ldl, B + j * ldb);
        return rls2__effort_status(effort);
    }
    panel_work w = solving(n, count, L, ldl, B, ldb);
    int64_t width = panel_width(n);
    rls2_status status = RLS2_OK;
    for (int64_t k = rls2__pieces(n, width) - 1; k >= 0 && status == RLS2_OK; k--) {
        take_panel(&w, k * width, width);
        status = rls2__effort_each_worth(effort, worth(w.width, count, w.width / 2),
                                         side_groups(&w), solve_corner_t, &w);
        int64_t tasks = rls2__pieces(w.first, w.side) * side_groups(&w);
        if (status == RLS2_OK)
            status = rls2__effort_each_worth(effort, worth(w.first, count, w.width), tasks,
                                             subtract_above, &w);
    }
    return status;
}

rls2_status rls2__tiled_cholesky_solve(rls2__effort *effort, int64_t n, int64_t count,
                                       const double *L, int64_t ldl, double *B, int64_t ldb)
{
    if (n < RLS2__TILED_FROM) {
        rls2__la_cholesky_solve(n, count, L, ldl, B, ldb);
        return rls2__effort_status(effort);
    }
    rls2_status status = rls2__tiled_lower_solve(effort, n, count, L, ldl, B, ldb);
    return status == RLS2_OK ? rls2__tiled_lower_solve_t(effort, n, count, L, ldl, B, ldb) : status;
}

/* ---- L^-1 ---- */

/* With the blocks before and after the panel: row and column 1 of
 *
 *     X00               X00 = L00^-1 already, X10 = -L10 X00, X20 = -L20 X00;
 *     X10 L11           then  L21 := -L21 L11^-1,  X20 += L21 X10,
 *     X20 L21 L22             X10 := L11^-1 X10,   L11 := L11^-1. */

/* Rows of L21 := -L21 L11^-1. */
static void divide_panel_rows(void *user, int64_t task, int thread)
{
    const panel_work *w = user;
    (void)thread;
    int64_t i = w->next + task * w->side, rows = rls2__piece(w->n, w->side, i);
    cblas_dtrsm(CblasColMajor, CblasRight, CblasLower, CblasNoTrans, CblasNonUnit, (int)rows,
                (int)w->width, -1.0, entry(w, w->first, w->first), (int)w->lda,
                entry(w, i, w->first), (int)w->lda);
}

/* A tile of X20 += L21 X10. */
static void add_product(void *user, int64_t task, int thread)
{
    const panel_work *w = user;
    (void)thread;
    int64_t across = rls2__pieces(w->first, w->side), j = task % across * w->side,
            i = w->next + task / across * w->side;
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, (int)rls2__piece(w->n, w->side, i),
                (int)rls2__piece(w->first, w->side, j), (int)w->width, 1.0, entry(w, i, w->first),
                (int)w->lda, entry(w, w->first, j), (int)w->lda, 1.0, entry(w, i, j), (int)w->lda);
}

/* Columns of X10 := L11^-1 X10. */
static void divide_panel_columns(void *user, int64_t task, int thread)
{
    const panel_work *w = user;
    (void)thread;
    int64_t j = task * w->side, columns = rls2__piece(w->first, w->side, j);
    cblas_dtrsm(CblasColMajor, CblasLeft, CblasLower, CblasNoTrans, CblasNonUnit, (int)w->width,
                (int)columns, 1.0, entry(w, w->first, w->first), (int)w->lda, entry(w, w->first, j),
                (int)w->lda);
}

rls2_status rls2__tiled_lower_inverse(rls2__effort *effort, int64_t n, double *L, int64_t ldl)
{
    if (n < RLS2__TILED_FROM) {
        rls2__la_lower_inverse(n, L, ldl);
        return rls2__effort_status(effort);
    }
    panel_work w = {.n = n, .A = L, .lda = ldl, .side = tile_side(n)};
    rls2_status status = RLS2_OK;
    for (int64_t k = 0; k < n && status == RLS2_OK; k = w.next) {
        take_panel(&w, k, NARROW); /* two divisions for each product: they are slower */
        int64_t below = rls2__pieces(n - w.next, w.side), before = rls2__pieces(k, w.side);
        status = rls2__effort_each_worth(effort, worth(n - w.next, w.width, w.width / 2), below,
                                         divide_panel_rows, &w);
        if (status == RLS2_OK)
            status = rls2__effort_each_worth(effort, worth(n - w.next, k, w.width), below * before,
                                             add_product, &w);
        if (status == RLS2_OK)
            status = rls2__effort_each_worth(effort, worth(w.width, k, w.width / 2), before,
                                             divide_panel_columns, &w);
        if (status == RLS2_OK) rls2__la_lower_inverse(w.width, entry(&w, k, k), ldl);
    }
    return status;
}
