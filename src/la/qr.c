/* Householder reflections of blocks of rows against triangles, by LAPACK's dtpqrt. They are applied
 * to one vector at a time, where products of matrices, as in dtpmqrt, would be slower. */
#include "la/qr.h"

#include <string.h>

#include <lapacke.h>

#include "base/invariant.h"
#include "base/memory.h"
#include "la/la.h"

/* A block should lie in the cache of a processor (values), its reflections be applied by matrix
 * products (columns at a time), and its step take a tenth of a second (operations). A strand has
 * several times as many rows as columns, so that merging costs little beside it. */
enum { BLOCK_VALUES = 1 << 16, LEAST_HEIGHT = 32, MOST_HEIGHT = 4096, PANEL = 32 };
enum { MOST_STRANDS = 16, ROWS_PER_COLUMN = 4 };
static const double STEP_OPERATIONS = 4e9;

struct rls2__qr {
    int64_t n, k;
    int64_t height;  /* of a block, but of the last */
    int64_t blocks;  /* in all */
    int64_t strands; /* each some blocks in turn */
    int64_t panel;   /* columns whose reflections are applied together */
    double *V;       /* n x k, block after block: their reflections */
    double *T;       /* panel x k for each block: how these are joined */
    double *S;       /* k x k for each strand: triangles, of which all but the first become the
                        reflections that merge them with it */
    double *merge_T; /* panel x k for each strand */
    void *block;     /* all of these arrays */
};

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static void cut(rls2__qr *qr)
{
    int64_t n = qr->n, k = larger(qr->k, 1);
    double most = STEP_OPERATIONS / (2.0 * (double)k * (double)k);
    int64_t height = smaller(larger(BLOCK_VALUES / k, LEAST_HEIGHT * 8), MOST_HEIGHT);
    if ((double)height > most) height = larger((int64_t)most, LEAST_HEIGHT);
    qr->height = smaller(height, larger(n, 1));
    qr->blocks = (n + qr->height - 1) / qr->height;
    qr->strands = larger(smaller(smaller(MOST_STRANDS, qr->blocks), n / (ROWS_PER_COLUMN * k)), 1);
    qr->panel = smaller(PANEL, k);
}

static void lay_out(rls2__layout *layout, void *owner)
{
    rls2__qr *qr = owner;
    int64_t k = qr->k, joint = rls2__mul(qr->panel, k);
    qr->V = rls2__layout_take(layout, rls2__mul(qr->n, k), sizeof(double));
    qr->T = rls2__layout_take(layout, rls2__mul(qr->blocks, joint), sizeof(double));
    qr->S = rls2__layout_take(layout, rls2__mul(qr->strands, rls2__mul(k, k)), sizeof(double));
    qr->merge_T = rls2__layout_take(layout, rls2__mul(qr->strands, joint), sizeof(double));
}

void rls2__qr_free(rls2__qr *qr)
{
    if (!qr) return;
    rls2__free(qr->block);
    rls2__free(qr);
}

/* ---- blocks and strands ---- */

static int64_t first_block(const rls2__qr *qr, int64_t strand)
{
    return strand * qr->blocks / qr->strands;
}

static int64_t height_of(const rls2__qr *qr, int64_t b)
{
    return smaller(qr->height, qr->n - b * qr->height);
}

static double *block_at(const rls2__qr *qr, int64_t b)
{
    return qr->V + b * qr->height * qr->k;
}

static double *joint_at(const rls2__qr *qr, int64_t b)
{
    return qr->T + b * qr->panel * qr->k;
}

/* ---- making ---- */

typedef struct making {
    rls2__qr *qr;
    const double *const *columns;
    double *work;  /* panel x k for each strand */
    int64_t round; /* the block of each strand whose turn it is */
} making;

static void annihilate(void *user, int64_t strand, int thread)
{
    making *it = user;
    rls2__qr *qr = it->qr;
    int64_t k = qr->k, b = first_block(qr, strand) + it->round;
    (void)thread;
    if (b >= first_block(qr, strand + 1)) return;
    int64_t height = height_of(qr, b);
    double *B = block_at(qr, b), *S = qr->S + strand * k * k;
    for (int64_t j = 0; j < k; j++)
        memcpy(B + j * height, it->columns[j] + b * qr->height, (size_t)height * sizeof *B);
    LAPACKE_dtpqrt_work(LAPACK_COL_MAJOR, (int)height, (int)k, 0, (int)qr->panel, S, (int)k, B,
                        (int)height, joint_at(qr, b), (int)qr->panel,
                        it->work + strand * qr->panel * k);
}

static void merge(making *it, int64_t strand)
{
    rls2__qr *qr = it->qr;
    int64_t k = qr->k;
    LAPACKE_dtpqrt_work(LAPACK_COL_MAJOR, (int)k, (int)k, (int)k, (int)qr->panel, qr->S, (int)k,
                        qr->S + strand * k * k, (int)k, qr->merge_T + strand * qr->panel * k,
                        (int)qr->panel, it->work);
}

static rls2_status factorize(rls2__effort *effort, making *it)
{
    rls2__qr *qr = it->qr;
    int64_t rounds = (qr->blocks + qr->strands - 1) / qr->strands;
    rls2_status status = RLS2_OK;
    memset(qr->S, 0, (size_t)(qr->strands * qr->k * qr->k) * sizeof *qr->S);
    for (it->round = 0; it->round < rounds && status == RLS2_OK; it->round++)
        status = rls2__effort_each(effort, qr->strands, annihilate, it);
    for (int64_t s = 1; s < qr->strands && status == RLS2_OK; s++) {
        merge(it, s);
        status = rls2__effort_status(effort);
    }
    return status;
}

rls2_status rls2__qr_create(rls2__effort *effort, int64_t n, int64_t k,
                            const double *const *columns, rls2__qr **out)
{
    rls2__invariant(n >= 1 && k >= 0 && rls2__la_fits(n) && rls2__la_fits(k));
    rls2_status status = RLS2_ERR_MEMORY;
    rls2__qr *qr = rls2__alloc_zero(1, sizeof *qr);
    double *work = NULL;
    if (!qr) return status;
    qr->n = n;
    qr->k = k;
    cut(qr);
    qr->block = rls2__layout_alloc(lay_out, qr);
    work = rls2__alloc(rls2__mul(qr->strands, rls2__mul(qr->panel, k)), sizeof(double));
    if (!qr->block || !work) goto cleanup;
    making it = {.qr = qr, .columns = columns, .work = work};
    status = k > 0 ? factorize(effort, &it) : RLS2_OK;
    if (status == RLS2_OK) {
        *out = qr;
        qr = NULL;
    }
cleanup:
    rls2__free(work);
    rls2__qr_free(qr);
    return status;
}

const double *rls2__qr_triangle(const rls2__qr *qr)
{
    return qr->S;
}

/* ---- use ---- */

int64_t rls2__qr_length(const rls2__qr *qr)
{
    return qr->n + qr->strands * qr->k;
}

typedef struct application {
    const rls2__qr *qr;
    int transposed;
    double *x;    /* the lifted vector: heads of the strands, then rows */
    double *work; /* panel for each strand */
} application;

/* w = T w, or T'w, for the upper triangle T of order p. */
static void join(int64_t p, const double *T, int64_t ldt, int transposed, double *w)
{
    for (int64_t step = 0; step < p; step++) {
        int64_t i = transposed ? p - 1 - step : step;
        double sum = 0.0;
        for (int64_t j = transposed ? 0 : i; j < (transposed ? i + 1 : p); j++)
            sum += (transposed ? T[i * ldt + j] : T[j * ldt + i]) * w[j];
        w[i] = sum;
    }
}

static int is_zero(int64_t n, const double *x)
{
    for (int64_t i = 0; i < n; i++)
        if (x[i] != 0.0) return 0;
    return 1;
}

/* One panel of a block: with V the reflections of p columns, H = I - [I; V] T [I; V]'. Where the
 * rows are zero, as they are when few coordinates become many rows, half of it is saved. */
static void reflect_panel(const application *it, int64_t height, int64_t ldv, const double *V,
                          int64_t p, const double *T, double *head, double *rows, double *w)
{
    if (is_zero(height, rows))
        memset(w, 0, (size_t)p * sizeof *w);
    else
        rls2__la_gemv_t(height, p, V, ldv, rows, w);
    rls2__la_axpy(p, 1.0, head, w);
    join(p, T, it->qr->panel, it->transposed, w);
    rls2__la_axpy(p, -1.0, w, head);
    rls2__la_gemv_n(height, p, -1.0, V, ldv, w, 1.0, rows);
}

/* A block of so many rows, or, `trapeze`, a triangle, of whose columns only so many rows count. */
static void reflect(const application *it, int64_t height, int trapeze, const double *V,
                    const double *T, double *head, double *rows, double *w)
{
    const rls2__qr *qr = it->qr;
    int64_t panels = (qr->k + qr->panel - 1) / qr->panel;
    for (int64_t i = 0; i < panels; i++) {
        int64_t j = (it->transposed ? i : panels - 1 - i) * qr->panel;
        int64_t p = smaller(qr->panel, qr->k - j);
        reflect_panel(it, trapeze ? j + p : height, height, V + j * height, p, T + j * qr->panel,
                      head + j, rows, w);
    }
}

/* All blocks of a strand, in the order they were annihilated in, or back. */
static void pass_strand(void *user, int64_t strand, int thread)
{
    const application *it = user;
    const rls2__qr *qr = it->qr;
    int64_t first = first_block(qr, strand), count = first_block(qr, strand + 1) - first;
    double *head = it->x + strand * qr->k, *rows = it->x + qr->strands * qr->k;
    (void)thread;
    for (int64_t i = 0; i < count; i++) {
        int64_t b = first + (it->transposed ? i : count - 1 - i);
        reflect(it, height_of(qr, b), 0, block_at(qr, b), joint_at(qr, b), head,
                rows + b * qr->height, it->work + strand * qr->panel);
    }
}

static void pass_merges(const application *it)
{
    const rls2__qr *qr = it->qr;
    int64_t k = qr->k, merges = qr->strands - 1;
    for (int64_t i = 0; i < merges; i++) {
        int64_t s = it->transposed ? 1 + i : merges - i;
        reflect(it, k, 1, qr->S + s * k * k, qr->merge_T + s * qr->panel * k, it->x, it->x + s * k,
                it->work);
    }
}

static rls2_status apply(rls2__effort *effort, const rls2__qr *qr, int transposed, double *x)
{
    application it = {.qr = qr, .transposed = transposed, .x = x};
    if (qr->k == 0) return RLS2_OK;
    it.work = rls2__alloc(qr->strands * qr->panel, sizeof(double));
    if (!it.work) return RLS2_ERR_MEMORY;
    if (!transposed) pass_merges(&it);
    rls2_status status = rls2__effort_each(effort, qr->strands, pass_strand, &it);
    if (transposed && status == RLS2_OK) pass_merges(&it);
    rls2__free(it.work);
    return status;
}

rls2_status rls2__qr_apply_t(rls2__effort *effort, const rls2__qr *qr, double *x)
{
    return apply(effort, qr, 1, x);
}

rls2_status rls2__qr_apply(rls2__effort *effort, const rls2__qr *qr, double *x)
{
    return apply(effort, qr, 0, x);
}

/* ---- triangles alone ---- */

static int panel_of(int64_t k)
{
    return (int)smaller(PANEL, k);
}

int64_t rls2__triangle_work(int64_t k)
{
    return rls2__mul(2 * PANEL, k);
}

/* The last `trapeze` rows of B are those of a triangle. */
static void reflect_below(int64_t k, double *T, int64_t height, int64_t trapeze, double *B,
                          double *work)
{
    rls2__invariant(k >= 1 && rls2__la_fits(k) && rls2__la_fits(height));
    LAPACKE_dtpqrt_work(LAPACK_COL_MAJOR, (int)height, (int)k, (int)trapeze, panel_of(k), T, (int)k,
                        B, (int)height, work, panel_of(k), work + PANEL * k);
}

void rls2__triangle_add(int64_t k, double *T, int64_t height, double *B, double *work)
{
    reflect_below(k, T, height, 0, B, work);
}

void rls2__triangle_merge(int64_t k, double *T, double *other, double *work)
{
    reflect_below(k, T, k, k, other, work);
}
