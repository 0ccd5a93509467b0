/* f_i(x) = b + sum_k d_k,i s_k sum_j c_j,i K_k(x_j, x) for all points i of a path.
 *
 * Consecutive points share most of their kernels, so the loop is over kernels and training rows,
 * and each column of K_k is evaluated once for all points that select k; of a linear kernel the
 * rows x_j are summed up instead. For one point the sums run in the order of model/predict.c. Where
 * all points have the same weights, the learned kernel is one for all of them and is summed first.
 * Who wants the parts as well gets them a block of rows at a time: all of them at once may be far
 * more than the kernels themselves. */
#include "solver/path_predict.h"

#include <string.h>

#include "base/invariant.h"
#include "base/memory.h"
#include "la/la.h"

enum {
    PART_VALUES = 1 << 21, /* of a block, */
    FEWEST_ROWS = 64       /* unless it would have fewer rows than this */
};

typedef struct room {
    double *column;  /* rows: K_k(x, x_j) */
    double *sums;    /* rows x count: sum_j c_j K_k(x, x_j) of the points that select k */
    int64_t *active; /* count: those points */
    int64_t *next;   /* count: where in its list of kernels each point stands */
    int64_t *before; /* count: kernels of the points before it */
    double *parts;   /* rows x kernels of all points; none where nobody wants them */
    int64_t rows, count, part_count;
    void *block; /* all of these arrays */
} room;

/* Rows first .. first + n - 1 of what is predicted. */
typedef struct stretch {
    const rls2_rows *rows;
    int64_t first, n;
} stretch;

static void lay_out(rls2__layout *layout, void *owner)
{
    room *r = owner;
    r->column = rls2__layout_take(layout, r->rows, sizeof(double));
    r->sums = rls2__layout_take(layout, rls2__mul(r->rows, r->count), sizeof(double));
    r->active = rls2__layout_take(layout, r->count, sizeof(int64_t));
    r->next = rls2__layout_take(layout, r->count, sizeof(int64_t));
    r->before = rls2__layout_take(layout, r->count, sizeof(int64_t));
    r->parts = rls2__layout_take(layout, rls2__mul(r->rows, r->part_count), sizeof(double));
}

static int64_t count_parts(const rls2_path *path)
{
    int64_t sum = 0;
    for (int64_t i = 0; i < path->count; i++) sum += path->entries[i].count;
    return sum;
}

static int64_t block_height(int64_t rows, int64_t parts)
{
    int64_t height = parts > 0 ? PART_VALUES / parts : rows;
    if (height < FEWEST_ROWS) height = FEWEST_ROWS;
    return height < rows ? height : rows;
}

static int room_reserve(room *r, const rls2_path *path, int64_t rows, int with_parts)
{
    *r = (room){.count = path->count, .part_count = with_parts ? count_parts(path) : 0};
    r->rows = block_height(rows, r->part_count);
    r->block = rls2__layout_alloc(lay_out, r);
    for (int64_t i = 0; r->block && i < path->count; i++)
        r->before[i] = i == 0 ? 0 : r->before[i - 1] + path->entries[i - 1].count;
    return r->block != NULL;
}

/* The next kernel that any point selects, in ascending order; -1 at the end. */
static int64_t next_kernel(const rls2_path *path, const room *r)
{
    int64_t least = -1;
    for (int64_t i = 0; i < path->count; i++) {
        const rls2__path_entry *entry = &path->entries[i];
        if (r->next[i] == entry->count) continue;
        int64_t k = entry->ks[r->next[i]];
        if (least < 0 || k < least) least = k;
    }
    return least;
}

static int64_t find_active(const rls2_path *path, int64_t k, room *r)
{
    int64_t found = 0;
    for (int64_t i = 0; i < path->count; i++) {
        const rls2__path_entry *entry = &path->entries[i];
        if (r->next[i] < entry->count && entry->ks[r->next[i]] == k) r->active[found++] = i;
    }
    return found;
}

/* f += part, which is kept where parts are wanted. */
static void add_part(const rls2_path *path, const stretch *at, int64_t k, int64_t i,
                     const double *sum, room *r, double *f)
{
    int64_t place = r->next[i]++;
    double factor = path->entries[i].d[place] * path->basis->s[k];
    f += i * at->rows->n + at->first;
    for (int64_t t = 0; t < at->n; t++) f[t] += factor * sum[t];
    if (r->part_count == 0) return;
    double *part = r->parts + (r->before[i] + place) * at->n;
    for (int64_t t = 0; t < at->n; t++) part[t] = factor * sum[t];
}

/* sums[a] = sum_j c_j K_k(x, x_j), c of the a-th active point. */
static void expand(const rls2_path *path, const stretch *at, int64_t k, int64_t active, room *r)
{
    const rls2_basis *basis = path->basis;
    const rls2__kernel *kernel = &basis->kernels[k];
    int64_t n = at->n;
    if (kernel->kind == RLS2__KERNEL_LINEAR) {
        for (int64_t a = 0; a < active; a++)
            rls2__kernel_expand_linear(kernel, at->rows, at->first, n, &basis->rows,
                                       path->entries[r->active[a]].c, r->sums + a * n);
        return;
    }
    memset(r->sums, 0, (size_t)(n * active) * sizeof *r->sums);
    for (int64_t j = 0; j < basis->n; j++) {
        rls2__kernel_column_part(kernel, at->rows, at->first, n, &basis->rows, j, r->column);
        for (int64_t a = 0; a < active; a++)
            rls2__la_axpy(n, path->entries[r->active[a]].c[j], r->column, r->sums + a * n);
    }
}

static void add_kernel(const rls2_path *path, const stretch *at, int64_t k, room *r, double *f)
{
    int64_t n = at->n, active = find_active(path, k, r);
    rls2__invariant(active >= 1 && active <= path->count);
    expand(path, at, k, active, r);
    for (int64_t a = 0; a < active; a++) add_part(path, at, k, r->active[a], r->sums + a * n, r, f);
}

static void add_kernels(const rls2_path *path, const stretch *at, room *r, double *f)
{
    for (int64_t i = 0; i < path->count; i++) r->next[i] = 0;
    for (int64_t k = next_kernel(path, r); k >= 0; k = next_kernel(path, r))
        add_kernel(path, at, k, r, f);
    for (int64_t i = 0; i < path->count; i++)
        for (int64_t t = 0; t < at->n; t++) f[i * at->rows->n + at->first + t] += path->intercept;
}

/* All points at once, a column of sum_k d_k s_k K_k at a time. */
static void add_fixed(const rls2_path *path, const rls2_rows *rows, room *r, double *f)
{
    const rls2_basis *basis = path->basis;
    const rls2__path_entry *first = &path->entries[0];
    int64_t n = rows->n;
    for (int64_t j = 0; j < basis->n; j++) {
        memset(r->sums, 0, (size_t)n * sizeof *r->sums);
        for (int64_t t = 0; t < first->count; t++) {
            int64_t k = first->ks[t];
            rls2__kernel_column(&basis->kernels[k], rows, &basis->rows, j, r->column);
            rls2__la_axpy(n, first->d[t] * basis->s[k], r->column, r->sums);
        }
        for (int64_t i = 0; i < path->count; i++)
            rls2__la_axpy(n, path->entries[i].c[j], r->sums, f + i * n);
    }
    for (int64_t i = 0; i < n * path->count; i++) f[i] += path->intercept;
}

rls2_status rls2__path_predict(const rls2_path *path, const rls2_rows *rows,
                               const rls2__part_taker *taker, double *f)
{
    room r;
    int fixed = path->fixed && path->count > 0;
    rls2__invariant(!(fixed && taker));
    if (!room_reserve(&r, path, rows->n, taker != NULL)) return RLS2_ERR_MEMORY;
    memset(f, 0, (size_t)(rows->n * path->count) * sizeof *f);
    if (fixed) add_fixed(path, rows, &r, f);
    for (int64_t first = 0; !fixed && first < rows->n; first += r.rows) {
        int64_t left = rows->n - first;
        stretch at = {rows, first, left < r.rows ? left : r.rows};
        add_kernels(path, &at, &r, f);
        if (taker) taker->take(taker->user, at.first, at.n, r.parts);
    }
    rls2__free(r.block);
    return RLS2_OK;
}
