/* f_i(x) = b + sum_k d_k,i s_k sum_j c_j,i K_k(x_j, x) for all points i of a path.
 *
 * Consecutive points share most of their kernels, so the loop is over kernels and training rows,
 * and each column of K_k is evaluated once for all points that select k; of a linear kernel the
 * rows x_j are summed up instead. For one point, or few training rows, the sums run in the order of
 * model/predict.c; for many of both they are products of matrices. Where
 * all points have the same weights, the learned kernel is one for all of them and is summed first.
 * Who wants the parts as well gets them a block of rows at a time: all of them at once may be far
 * more than the kernels themselves. */
#include "solver/path_predict.h"

#include <string.h>

#include "base/effort.h"
#include "base/invariant.h"
#include "base/many_rows.h"
#include "base/memory.h"
#include "kernel/powers.h"
#include "la/la.h"
#include "solver/path_linear.h"

enum {
    PART_VALUES = 1 << 21, /* of a block, */
    FEWEST_ROWS = 64,      /* unless it would have fewer rows than this */
    MOST_ROWS = 1024,      /* of a task */
    ASK_AFTER = 64,        /* training rows, whether to go on */
    /* training rows and points from which columns of K_k are taken together, and how many */
    MANY_TRAINING = RLS2__MANY_ROWS,
    MANY_POINTS = 4,
    TOGETHER = 32
};

typedef struct room {
    double *column;  /* rows: K_k(x, x_j); TOGETHER of them */
    double *c;       /* TOGETHER x count: c_j of the points that select k */
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
    rls2__effort *effort;
    const rls2__path_linear *linear; /* NULL: sums are made when they are needed */
} stretch;

/* All of it: stretches are tasks, and each thread has a room. */
typedef struct work {
    rls2__effort *effort;
    const rls2_path *path;
    const rls2_rows *rows;
    const rls2__part_taker *taker;
    int64_t height; /* of a stretch */
    room *rooms;
    int room_count;
    rls2__path_linear linear; /* where there are many training rows */
    double *f;
} work;

static void lay_out(rls2__layout *layout, void *owner)
{
    room *r = owner;
    r->column = rls2__layout_take(layout, rls2__mul(r->rows, TOGETHER), sizeof(double));
    r->c = rls2__layout_take(layout, rls2__mul(r->count, TOGETHER), sizeof(double));
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

/* Of these the training rows are summed up first. */
static int is_summed_up(const rls2_basis *basis, int64_t k)
{
    const rls2__kernel *kernel = &basis->kernels[k];
    return kernel->kind == RLS2__KERNEL_LINEAR || rls2__powers_pay(kernel, basis->n);
}

/* How many of the kernels that points select are such, of how many. */
static int64_t count_linear(const rls2_path *path, int64_t *all)
{
    int64_t linear = 0;
    *all = 0;
    for (int64_t i = 0; i < path->count; i++)
        for (int64_t t = 0; t < path->entries[i].count; t++, (*all)++)
            linear += is_summed_up(path->basis, path->entries[i].ks[t]);
    return linear;
}

/* Linear kernels alone take no time to speak of: a single one will do. */
static int64_t task_height(const rls2_path *path, int64_t rows)
{
    int64_t all, linear = count_linear(path, &all);
    return linear == all || MOST_ROWS > rows ? rows : MOST_ROWS;
}

static int64_t block_height(const rls2_path *path, int64_t rows, int64_t parts)
{
    int64_t height = parts > 0 ? PART_VALUES / parts : task_height(path, rows);
    if (height < FEWEST_ROWS) height = FEWEST_ROWS;
    return height < rows ? height : rows;
}

static int room_reserve(room *r, const rls2_path *path, int64_t rows, int64_t parts)
{
    *r = (room){.count = path->count, .part_count = parts, .rows = rows};
    r->block = rls2__layout_alloc(lay_out, r);
    for (int64_t i = 0; r->block && i < path->count; i++)
        r->before[i] = i == 0 ? 0 : r->before[i - 1] + path->entries[i - 1].count;
    return r->block != NULL;
}

static void free_rooms(work *w)
{
    for (int t = 0; w->rooms && t < w->room_count; t++) rls2__free(w->rooms[t].block);
    rls2__free(w->rooms);
}

/* Parts are taken in the order of the rows, by one thread. */
static rls2_status make_rooms(work *w)
{
    int64_t rows = w->rows->n, parts = w->taker ? count_parts(w->path) : 0;
    w->height = block_height(w->path, rows, parts);
    w->room_count = w->taker || w->height == rows ? 1 : w->effort->threads;
    w->rooms = rls2__alloc_zero(w->room_count, sizeof *w->rooms);
    if (!w->rooms) return RLS2_ERR_MEMORY;
    for (int t = 0; t < w->room_count; t++)
        if (!room_reserve(&w->rooms[t], w->path, w->height, parts)) return RLS2_ERR_MEMORY;
    return RLS2_OK;
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

static int is_stopped(const stretch *at, int64_t j)
{
    return j % ASK_AFTER == 0 && rls2__effort_stopped(at->effort);
}

static void expand_linear(const rls2_path *path, const stretch *at, const rls2__kernel *kernel,
                          int64_t i, double *sum)
{
    if (at->linear)
        rls2__path_linear_expand(at->linear, kernel, i, at->rows, at->first, at->n, sum);
    else
        rls2__kernel_expand_linear(kernel, at->rows, at->first, at->n, &path->basis->rows,
                                   path->entries[i].c, sum);
}

/* `width` columns of K_k, from that of training row j on, for all active points together. */
static void add_columns(const rls2_path *path, const stretch *at, const rls2__kernel *kernel,
                        int64_t j, int64_t width, int64_t active, room *r)
{
    int64_t n = at->n;
    for (int64_t b = 0; b < width; b++)
        rls2__kernel_column_part(kernel, at->rows, at->first, n, &path->basis->rows, j + b,
                                 r->column + b * n);
    for (int64_t a = 0; a < active; a++)
        memcpy(r->c + a * width, path->entries[r->active[a]].c + j, (size_t)width * sizeof *r->c);
    rls2__la_gemm_nn(n, width, active, 1.0, r->column, n, r->c, width, 1.0, r->sums, n);
}

static void expand_column(const rls2_path *path, const stretch *at, const rls2__kernel *kernel,
                          int64_t j, int64_t active, room *r)
{
    int64_t n = at->n;
    rls2__kernel_column_part(kernel, at->rows, at->first, n, &path->basis->rows, j, r->column);
    for (int64_t a = 0; a < active; a++)
        rls2__la_axpy(n, path->entries[r->active[a]].c[j], r->column, r->sums + a * n);
}

/* sums[a] = sum_j c_j K_k(x, x_j), c of the a-th active point. */
static void expand(const rls2_path *path, const stretch *at, int64_t k, int64_t active, room *r)
{
    const rls2__kernel *kernel = &path->basis->kernels[k];
    int64_t n = at->n, rows = path->basis->n;
    if (kernel->kind == RLS2__KERNEL_LINEAR) {
        for (int64_t a = 0; a < active; a++)
            expand_linear(path, at, kernel, r->active[a], r->sums + a * n);
        return;
    }
    if (rls2__powers_pay(kernel, rows)) {
        for (int64_t a = 0; a < active && !is_stopped(at, 0); a++)
            rls2__powers_expand(kernel, at->rows, at->first, n, &path->basis->rows,
                                path->entries[r->active[a]].c, r->sums + a * n);
        return;
    }
    memset(r->sums, 0, (size_t)(n * active) * sizeof *r->sums);
    int64_t step = rows >= MANY_TRAINING && active >= MANY_POINTS ? TOGETHER : 1;
    for (int64_t j = 0; j < rows && !is_stopped(at, j); j += step) {
        if (step == 1)
            expand_column(path, at, kernel, j, active, r);
        else
            add_columns(path, at, kernel, j, rows - j < step ? rows - j : step, active, r);
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
    for (int64_t k = next_kernel(path, r); k >= 0 && !is_stopped(at, 0); k = next_kernel(path, r))
        add_kernel(path, at, k, r, f);
    for (int64_t i = 0; i < path->count; i++)
        for (int64_t t = 0; t < at->n; t++)
            f[i * at->rows->n + at->first + t] += rls2__path_intercept_at(path, i);
}

/* All points at once, a column of sum_k d_k s_k K_k at a time. */
static void add_fixed(const rls2_path *path, const stretch *at, room *r, double *f)
{
    const rls2_basis *basis = path->basis;
    const rls2__path_entry *first = &path->entries[0];
    int64_t n = at->n, ldf = at->rows->n;
    f += at->first;
    for (int64_t j = 0; j < basis->n && !is_stopped(at, j); j++) {
        memset(r->sums, 0, (size_t)n * sizeof *r->sums);
        for (int64_t t = 0; t < first->count; t++) {
            int64_t k = first->ks[t];
            rls2__kernel_column_part(&basis->kernels[k], at->rows, at->first, n, &basis->rows, j,
                                     r->column);
            rls2__la_axpy(n, first->d[t] * basis->s[k], r->column, r->sums);
        }
        for (int64_t i = 0; i < path->count; i++)
            rls2__la_axpy(n, path->entries[i].c[j], r->sums, f + i * ldf);
    }
    for (int64_t i = 0; i < path->count; i++)
        for (int64_t t = 0; t < n; t++) f[i * ldf + t] += rls2__path_intercept_at(path, i);
}

/* A task of rls2__effort_each. */
static void predict_stretch(void *user, int64_t task, int thread)
{
    const work *w = user;
    int64_t first = task * w->height, left = w->rows->n - first;
    stretch at = {w->rows, first, left < w->height ? left : w->height, w->effort,
                  w->linear.place ? &w->linear : NULL};
    room *r = &w->rooms[thread];
    if (w->path->fixed)
        add_fixed(w->path, &at, r, w->f);
    else
        add_kernels(w->path, &at, r, w->f);
    if (w->taker) w->taker->take(w->taker->user, at.first, at.n, r->parts);
}

static rls2_status predict_stretches(work *w)
{
    int threads = w->effort->threads;
    int64_t tasks = (w->rows->n + w->height - 1) / w->height;
    if (w->room_count < threads) w->effort->threads = w->room_count;
    rls2_status status = rls2__effort_each(w->effort, tasks, predict_stretch, w);
    w->effort->threads = threads;
    /* a stretch that was stopped in the middle is not to be used */
    return status == RLS2_OK ? rls2__effort_status(w->effort) : status;
}

rls2_status rls2__path_predict(rls2__effort *effort, const rls2_path *path, const rls2_rows *rows,
                               const rls2__part_taker *taker, double *f)
{
    work w = {.effort = effort, .path = path, .rows = rows, .taker = taker, .f = f};
    rls2__invariant(!(path->fixed && taker));
    memset(f, 0, (size_t)(rows->n * path->count) * sizeof *f);
    if (rows->n == 0 || path->count == 0) return RLS2_OK;
    rls2_status status = RLS2_OK;
    if (path->basis->n >= MANY_TRAINING && !path->fixed)
        status = rls2__path_linear_create(effort, path, &w.linear);
    if (status == RLS2_OK) status = make_rooms(&w);
    if (status == RLS2_OK) status = predict_stretches(&w);
    free_rooms(&w);
    rls2__path_linear_free(&w.linear);
    return status;
}
