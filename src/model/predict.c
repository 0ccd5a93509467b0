/* What a model says about rows: its expansions, in blocks of rows. */
#include "model/predict.h"

#include <math.h>
#include <string.h>

#include "base/crew.h"
#include "base/effort.h"
#include "base/invariant.h"
#include "base/memory.h"
#include "basis/basis_build.h"
#include "kernel/distinct.h"
#include "kernel/powers.h"
#include "model/blocks.h"
#include "model/compact.h"

enum { WORTH_A_THREAD = 1 << 20 }; /* kernel values for each thread, at least */
enum { ASK_AFTER = 64 };           /* training rows, whether to go on */

/* ---- room ---- */

/* What a thread needs for its block. */
typedef struct room {
    double *x;
    double *column;
    double *sums;             /* one column for each output that selects the kernel at hand */
    rls2__distinct *distinct; /* of compact models; else NULL */
} room;

typedef struct rooms {
    int64_t rows; /* of a block */
    int64_t sums; /* columns of them */
    int64_t each; /* values of a thread's room */
    int threads;
    double *values;
    rls2__distinct *distinct; /* of each thread */
} rooms;

/* No more threads than there is work for. */
static int useful_threads(const rls2_model *model, const rls2_rows *rows, int64_t blocks,
                          int wanted)
{
    double work = (double)rows->n * (double)model->n * (double)model->size;
    double most = fmin((double)blocks, work / WORTH_A_THREAD);
    int threads = rls2__thread_count(wanted);
    return most < 1.0 ? 1 : most < (double)threads ? (int)most : threads;
}

/* One prediction: who predicts what, and how it is watched. */
typedef struct work {
    const rls2_model *model;
    const rls2_rows *rows;
    rls2__effort effort;
    rooms rooms;
    int64_t blocks;
    double (*factor)(double, double); /* of the parts */
    double *out;
} work;

static void free_rooms(rooms *made)
{
    for (int t = 0; made->distinct && t < made->threads; t++)
        rls2__distinct_free(&made->distinct[t]);
    rls2__free(made->distinct);
    rls2__free(made->values);
}

/* Rows of a compact model are many, and of few values in many columns. */
static rls2_status make_distinct(rooms *made)
{
    made->distinct = rls2__alloc_zero(made->threads, sizeof *made->distinct);
    if (!made->distinct) return RLS2_ERR_MEMORY;
    for (int t = 0; t < made->threads; t++)
        if (rls2__distinct_create(made->rows, &made->distinct[t]) != RLS2_OK)
            return RLS2_ERR_MEMORY;
    return RLS2_OK;
}

static rls2_status make_rooms(work *w, const rls2_control *control)
{
    const rls2_model *model = w->model;
    rooms *made = &w->rooms;
    rls2_control own = *control;
    made->sums = model->outputs ? model->most_takers : 1;
    made->rows = rls2__block_height(w->rows->n, model->used_count + made->sums - 1);
    made->each = rls2__mul(made->rows, rls2__add(model->used_count, made->sums + 1));
    w->blocks = rls2__block_count(w->rows->n, made->rows);
    own.threads = useful_threads(model, w->rows, w->blocks, control->threads);
    rls2__effort_begin(&own, "rows", w->rows->n, &w->effort);
    w->effort.control = control; /* which lives as long */
    made->threads = w->effort.threads;
    made->values = rls2__alloc(rls2__mul(made->each, made->threads), sizeof(double));
    rls2_status status = made->values ? RLS2_OK : RLS2_ERR_MEMORY;
    if (status == RLS2_OK && model->compact) status = make_distinct(made);
    if (status != RLS2_OK) free_rooms(made);
    return status;
}

static room own_room(const rooms *all, int thread)
{
    rls2__invariant(thread < all->threads);
    double *values = all->values + all->each * thread;
    return (room){values + (all->sums + 1) * all->rows, values, values + all->rows,
                  all->distinct ? &all->distinct[thread] : NULL};
}

/* Block by block; what a block that was stopped in the middle has is not to be used. */
static rls2_status do_blocks(work *w, rls2__task_fn block)
{
    rls2_status status = rls2__effort_each(&w->effort, w->blocks, block, w);
    if (status == RLS2_OK) status = rls2__effort_status(&w->effort);
    free_rooms(&w->rooms);
    return status;
}

/* ---- expansions ---- */

static int is_stopped(work *w, int64_t j)
{
    return j % ASK_AFTER == 0 && rls2__effort_stopped(&w->effort);
}

/* What a kernel is evaluated on: the rows of a block, or one of each group of equal ones, and the
 * points. */
typedef struct sight {
    rls2__kernel kernel;
    rls2_rows rows, points;
} sight;

/* Groups number their columns from 0, and so must the points. */
static int is_run(const rls2__kernel *kernel)
{
    for (int64_t t = 1; t < kernel->column_count; t++)
        if (kernel->columns[t] != kernel->columns[0] + t) return 0;
    return kernel->column_count > 0;
}

static sight see(const rls2__kernel *kernel, const rls2__block *b, const rls2_rows *points,
                 rls2__distinct *distinct)
{
    sight all = {*kernel, b->own, *points};
    if (!distinct || !is_run(kernel) || !rls2__distinct_find(kernel, &b->own, NULL, distinct))
        return all;
    sight one = {distinct->kernel, distinct->rows, *points};
    one.points.x += kernel->columns[0] * points->ldx;
    return one;
}

/* sum[count] from the sums of groups at its beginning: no group has a larger number than any of its
 * rows. */
static void spread(const sight *at, const rls2__block *b, const rls2__distinct *distinct,
                   double *sum)
{
    if (at->rows.n == b->count) return;
    for (int64_t i = b->count - 1; i >= 0; i--) sum[i] = sum[distinct->group[i]];
}

/* column[rows.n] = K(rows, point j) */
static void kernel_column(const rls2_model *model, int64_t k, const rls2__block *b, const sight *at,
                          int64_t j, double *column)
{
    if (at->kernel.kind == RLS2__KERNEL_GIVEN)
        rls2__block_column(model, k, b, j, column);
    else
        rls2__kernel_column(&at->kernel, &at->rows, &at->points, j, column);
}

/* sum[count] = sum_j c_j K_k(x_j, x); 0 where the kernel has no short way to that. */
static int expand_at_once(const rls2__kernel *kernel, const rls2__block *b,
                          const rls2__expansion *at, double *sum)
{
    if (kernel->kind == RLS2__KERNEL_LINEAR)
        rls2__kernel_expand_linear(kernel, &b->own, 0, b->count, &at->rows, at->c, sum);
    else if (rls2__powers_pay(kernel, at->rows.n))
        rls2__powers_expand(kernel, &b->own, 0, b->count, &at->rows, at->c, sum);
    else
        return 0;
    return 1;
}

/* sum[count] = sum_j c_j K_k(x_j, x) */
static void expand(work *w, int64_t k, const rls2__block *b, const room *own)
{
    double *sum = own->sums;
    const rls2_model *model = w->model;
    rls2__expansion at = rls2__model_expansion(model, k, model);
    if (expand_at_once(&model->kernels[k], b, &at, sum)) return;
    sight seen = see(&model->kernels[k], b, &at.rows, own->distinct);
    memset(sum, 0, (size_t)b->count * sizeof *sum);
    for (int64_t j = 0; j < at.rows.n && !is_stopped(w, j); j++) {
        kernel_column(model, k, b, &seen, j, own->column);
        rls2__add_scaled(seen.rows.n, at.c[j], own->column, sum);
    }
    spread(&seen, b, own->distinct, sum);
}

static void part_block(void *user, int64_t which, int thread)
{
    work *w = user;
    int64_t n = w->rows->n;
    const rls2_model *model = w->model;
    room own = own_room(&w->rooms, thread);
    rls2__block b = rls2__block_take(model, w->rows, which, w->rooms.rows, own.x);
    for (int64_t k = 0; k < model->size; k++) {
        double a = w->factor(model->d[k], model->s[k]), *part = w->out + k * n + b.first;
        expand(w, k, &b, &own);
        for (int64_t i = 0; i < b.count; i++) part[i] = own.sums[i] * a;
    }
}

rls2_status rls2__model_parts(const rls2_model *model, const rls2_rows *rows,
                              const rls2_control *control, double (*factor)(double, double),
                              double *out)
{
    work w = {.model = model, .rows = rows, .factor = factor, .out = out};
    rls2_status status = make_rooms(&w, control);
    return status == RLS2_OK ? do_blocks(&w, part_block) : status;
}

/* f += d_k s_k sum, k being the kernel number `place` of the output. A part that overflows stays to
 * be noticed, whatever is added to it. */
static void add_part(const rls2_model *output, int64_t place, int64_t count, const double *sum,
                     double *f)
{
    rls2__invariant(place >= 0 && place < output->size);
    double a = output->d[place] * output->s[place];
    for (int64_t i = 0; i < count; i++) f[i] = place == 0 ? sum[i] * a : f[i] + sum[i] * a;
}

static void sum_block(work *w, const rls2__block *b, const room *own, double *f)
{
    const rls2_model *model = w->model;
    memset(f, 0, (size_t)b->count * sizeof *f);
    for (int64_t k = 0; k < model->size; k++) {
        expand(w, k, b, own);
        add_part(model, k, b->count, own->sums, f);
    }
    for (int64_t i = 0; i < b->count; i++) f[i] += model->intercept;
}

/* sums[t] = sum_j c_j K_k(x_j, x), c of the t-th of `count` takers: the kernel is evaluated once,
 * and for each of them summed in the order in which it would be for that one alone. */
static void expand_shared(work *w, int64_t k, const rls2__block *b, const rls2__taker *takers,
                          int64_t count, const room *own)
{
    const rls2_model *head = w->model;
    rls2__expansion at = rls2__model_expansion(head, k, head->outputs[takers[0].output]);
    int64_t done = 0;
    for (; done < count; done++) {
        at.c = rls2__model_expansion(head, k, head->outputs[takers[done].output]).c;
        if (!expand_at_once(&head->kernels[k], b, &at, own->sums + done * b->count)) break;
    }
    if (done == count) return;
    sight seen = see(&head->kernels[k], b, &at.rows, own->distinct);
    memset(own->sums, 0, (size_t)(b->count * count) * sizeof *own->sums);
    for (int64_t j = 0; j < at.rows.n && !is_stopped(w, j); j++) {
        kernel_column(head, k, b, &seen, j, own->column);
        for (int64_t t = 0; t < count; t++)
            rls2__add_scaled(seen.rows.n,
                             rls2__model_expansion(head, k, head->outputs[takers[t].output]).c[j],
                             own->column, own->sums + t * b->count);
    }
    for (int64_t t = 0; t < count; t++) spread(&seen, b, own->distinct, own->sums + t * b->count);
}

/* The k-th kernel that any output selects, for all that do. f as below. */
static void add_shared_kernel(work *w, int64_t k, const rls2__block *b, const room *own, double *f)
{
    const rls2_model *head = w->model;
    const rls2__taker *takers = head->takers + head->first_taker[k];
    int64_t count = head->first_taker[k + 1] - head->first_taker[k];
    rls2__invariant(count >= 1 && count <= head->most_takers);
    expand_shared(w, k, b, takers, count, own);
    for (int64_t t = 0; t < count; t++)
        add_part(head->outputs[takers[t].output], takers[t].place, b->count,
                 own->sums + t * b->count, f + takers[t].output * w->rows->n);
}

/* f[rows x outputs], from the first row of the block on. */
static void sum_block_outputs(work *w, const rls2__block *b, const room *own, double *f)
{
    const rls2_model *head = w->model;
    int64_t ldf = w->rows->n;
    for (int64_t o = 0; o < head->output_count; o++)
        memset(f + o * ldf, 0, (size_t)b->count * sizeof *f);
    for (int64_t k = 0; k < head->size; k++) add_shared_kernel(w, k, b, own, f);
    for (int64_t o = 0; o < head->output_count; o++)
        for (int64_t i = 0; i < b->count; i++) f[o * ldf + i] += head->outputs[o]->intercept;
}

static void whole_block(void *user, int64_t which, int thread)
{
    work *w = user;
    room own = own_room(&w->rooms, thread);
    rls2__block b = rls2__block_take(w->model, w->rows, which, w->rooms.rows, own.x);
    if (w->model->outputs)
        sum_block_outputs(w, &b, &own, w->out + b.first);
    else
        sum_block(w, &b, &own, w->out + b.first);
}

rls2_status rls2__model_sums(const rls2_model *model, const rls2_rows *rows,
                             const rls2_control *control, double *f)
{
    work w = {.model = model, .rows = rows, .out = f};
    rls2_status status = make_rooms(&w, control);
    return status == RLS2_OK ? do_blocks(&w, whole_block) : status;
}
