/* What a model says about rows: its expansions, and what it looks up, in blocks of rows. */
#include "model/predict.h"

#include <math.h>
#include <string.h>

#include "base/crew.h"
#include "base/effort.h"
#include "base/invariant.h"
#include "base/memory.h"
#include "basis/basis_build.h"
#include "model/blocks.h"
#include "model/knots.h"

enum { WORTH_A_THREAD = 1 << 20 }; /* kernel values for each thread, at least */

/* ---- room ---- */

/* What a thread needs for its block. */
typedef struct room {
    double *x, *aside;
    double *places;           /* of the rows on each ruler */
    rls2__expand_room expand; /* with `distinct` for compact models only */
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
    rls2__knots lookup;
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

static rls2_status make_rooms(work *w)
{
    rooms *made = &w->rooms;
    made->threads = w->effort.threads;
    made->values = rls2__alloc(rls2__mul(made->each, made->threads), sizeof(double));
    rls2_status status = made->values ? RLS2_OK : RLS2_ERR_MEMORY;
    return status == RLS2_OK && w->model->compact ? make_distinct(made) : status;
}

/* Columns in use twice where rows may have to be put aside. */
static void size_rooms(work *w)
{
    const rls2_model *model = w->model;
    rooms *made = &w->rooms;
    int64_t x = w->lookup.count > 0 ? 2 * model->used_count : model->used_count;
    made->sums = model->outputs ? model->most_takers : 1;
    made->rows = rls2__block_height(w->rows->n, x + w->lookup.count + made->sums - 1);
    made->each = rls2__mul(made->rows, rls2__add(x + w->lookup.count, made->sums + 1));
    w->blocks = rls2__block_count(w->rows->n, made->rows);
}

static room own_room(const work *w, int thread)
{
    const rooms *all = &w->rooms;
    rls2__invariant(thread < all->threads);
    double *column = all->values + all->each * thread, *sums = column + all->rows;
    double *places = sums + all->sums * all->rows, *x = places + w->lookup.count * all->rows;
    return (room){.x = x,
                  .aside = w->lookup.count > 0 ? x + all->rows * w->model->used_count : NULL,
                  .places = places,
                  .expand = {column, sums, all->distinct ? &all->distinct[thread] : NULL}};
}

/* Block by block; what a block that was stopped in the middle has is not to be used. */
static rls2_status do_blocks(work *w, const rls2_control *control, rls2__task_fn block)
{
    rls2_control own = *control;
    rls2_status status = rls2__knots_create(w->model, NULL, &w->lookup);
    if (status == RLS2_OK) {
        size_rooms(w);
        own.threads = useful_threads(w->model, w->rows, w->blocks, control->threads);
        rls2__effort_begin(&own, "rows", w->rows->n, &w->effort);
        w->effort.control = control; /* which lives as long */
        status = make_rooms(w);
    }
    if (status == RLS2_OK)
        status = rls2__knots_fill(&w->effort, &w->lookup, w->rows, w->rows == &w->model->rows);
    if (status == RLS2_OK) status = rls2__effort_each(&w->effort, w->blocks, block, w);
    if (status == RLS2_OK) status = rls2__effort_status(&w->effort);
    free_rooms(&w->rooms);
    rls2__knots_release(&w->lookup);
    return status;
}

/* ---- kernels ---- */

static rls2__block take(const work *w, int64_t which, const room *own)
{
    rls2__block b = rls2__block_take(w->model, w->rows, which, w->rooms.rows, own->x);
    rls2__knots_place(&w->lookup, &b, w->rooms.rows, own->places);
    return b;
}

/* sums[t] of the t-th output that selects the kernel: its part but for d_k s_k. */
static void evaluate(work *w, int64_t k, const rls2__block *b, const room *own)
{
    int64_t ruler = w->lookup.count > 0 ? w->lookup.ruler_of[k] : -1;
    if (ruler < 0)
        rls2__expand(&w->effort, w->model, k, b, &own->expand);
    else
        rls2__look_up(&w->effort, &w->lookup, k, b, own->places + ruler * w->rooms.rows,
                      &own->expand, own->aside);
}

static void part_block(void *user, int64_t which, int thread)
{
    work *w = user;
    int64_t n = w->rows->n;
    const rls2_model *model = w->model;
    room own = own_room(w, thread);
    rls2__block b = take(w, which, &own);
    for (int64_t k = 0; k < model->size; k++) {
        double a = w->factor(model->d[k], model->s[k]), *part = w->out + k * n + b.first;
        evaluate(w, k, &b, &own);
        for (int64_t i = 0; i < b.count; i++) part[i] = own.expand.sums[i] * a;
    }
}

rls2_status rls2__model_parts(const rls2_model *model, const rls2_rows *rows,
                              const rls2_control *control, double (*factor)(double, double),
                              double *out)
{
    work w = {.model = model, .rows = rows, .factor = factor, .out = out};
    return do_blocks(&w, control, part_block);
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
        evaluate(w, k, b, own);
        add_part(model, k, b->count, own->expand.sums, f);
    }
    for (int64_t i = 0; i < b->count; i++) f[i] += model->intercept;
}

/* The k-th kernel that any output selects, for all that do. f as below. */
static void add_shared_kernel(work *w, int64_t k, const rls2__block *b, const room *own, double *f)
{
    const rls2_model *head = w->model;
    const rls2__taker *takers = head->takers + head->first_taker[k];
    int64_t count = rls2__taker_count(head, k);
    evaluate(w, k, b, own);
    for (int64_t t = 0; t < count; t++)
        add_part(head->outputs[takers[t].output], takers[t].place, b->count,
                 own->expand.sums + t * b->count, f + takers[t].output * w->rows->n);
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
    room own = own_room(w, thread);
    rls2__block b = take(w, which, &own);
    if (w->model->outputs)
        sum_block_outputs(w, &b, &own, w->out + b.first);
    else
        sum_block(w, &b, &own, w->out + b.first);
}

rls2_status rls2__model_sums(const rls2_model *model, const rls2_rows *rows,
                             const rls2_control *control, double *f)
{
    work w = {.model = model, .rows = rows, .out = f};
    return do_blocks(&w, control, whole_block);
}
