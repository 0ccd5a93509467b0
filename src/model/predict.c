/* What a model says about rows: its expansions, in blocks of rows. */
#include "model/predict.h"

#include <math.h>
#include <omp.h>
#include <string.h>

#include "base/crew.h"
#include "base/invariant.h"
#include "base/memory.h"
#include "basis/basis_build.h"
#include "model/blocks.h"

enum { WORTH_A_THREAD = 1 << 20 }; /* kernel values for each thread, at least */

/* ---- room ---- */

/* What a thread needs for its block. */
typedef struct room {
    double *x;
    double *column;
    double *sums; /* one column for each output that selects the kernel at hand */
} room;

typedef struct rooms {
    int64_t rows; /* of a block */
    int64_t sums; /* columns of them */
    int64_t each; /* values of a thread's room */
    int threads;
    double *values;
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

static rls2_status make_rooms(const rls2_model *model, const rls2_rows *rows, int threads,
                              rooms *made)
{
    made->sums = model->outputs ? model->most_takers : 1;
    made->rows = rls2__block_height(rows->n, model->used_count + made->sums - 1);
    made->each = rls2__mul(made->rows, rls2__add(model->used_count, made->sums + 1));
    made->threads = useful_threads(model, rows, rls2__block_count(rows->n, made->rows), threads);
    made->values = rls2__alloc(rls2__mul(made->each, made->threads), sizeof(double));
    return made->values ? RLS2_OK : RLS2_ERR_MEMORY;
}

static room own_room(const rooms *all)
{
    rls2__invariant(omp_get_thread_num() < all->threads);
    double *values = all->values + all->each * omp_get_thread_num();
    return (room){values + (all->sums + 1) * all->rows, values, values + all->rows};
}

/* ---- expansions ---- */

/* sum[count] = sum_j c_j K_k(x_j, x) */
static void expand(const rls2_model *model, int64_t k, const rls2__block *b, double *column,
                   double *sum)
{
    if (model->kernels[k].kind == RLS2__KERNEL_LINEAR) {
        rls2__kernel_expand_linear(&model->kernels[k], &b->own, 0, b->count, &model->rows, model->c,
                                   sum);
        return;
    }
    memset(sum, 0, (size_t)b->count * sizeof *sum);
    for (int64_t j = 0; j < model->n; j++) {
        rls2__block_column(model, k, b, j, column);
        rls2__add_scaled(b->count, model->c[j], column, sum);
    }
}

rls2_status rls2__model_parts(const rls2_model *model, const rls2_rows *rows, int threads,
                              double (*factor)(double, double), double *out)
{
    rooms all;
    rls2_status status = make_rooms(model, rows, threads, &all);
    if (status != RLS2_OK) return status;
    int64_t blocks = rls2__block_count(rows->n, all.rows);
#pragma omp parallel for num_threads(rls2__crew_room(all.threads)) schedule(dynamic)
    for (int64_t which = 0; which < blocks; which++) {
        room own = own_room(&all);
        rls2__block b = rls2__block_take(model, rows, which, all.rows, own.x);
        for (int64_t k = 0; k < model->size; k++) {
            double a = factor(model->d[k], model->s[k]), *part = out + k * rows->n + b.first;
            expand(model, k, &b, own.column, own.sums);
            for (int64_t i = 0; i < b.count; i++) part[i] = own.sums[i] * a;
        }
    }
    rls2__free(all.values);
    return RLS2_OK;
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

static void sum_block(const rls2_model *model, const rls2__block *b, const room *own, double *f)
{
    memset(f, 0, (size_t)b->count * sizeof *f);
    for (int64_t k = 0; k < model->size; k++) {
        expand(model, k, b, own->column, own->sums);
        add_part(model, k, b->count, own->sums, f);
    }
    for (int64_t i = 0; i < b->count; i++) f[i] += model->intercept;
}

/* sums[t] = sum_j c_j K_k(x_j, x), c of the t-th of `count` takers: the kernel is evaluated once,
 * and for each of them summed in the order in which it would be for that one alone. */
static void expand_shared(const rls2_model *head, int64_t k, const rls2__block *b,
                          const rls2__taker *takers, int64_t count, const room *own)
{
    const rls2__kernel *kernel = &head->kernels[k];
    if (kernel->kind == RLS2__KERNEL_LINEAR) {
        for (int64_t t = 0; t < count; t++)
            rls2__kernel_expand_linear(kernel, &b->own, 0, b->count, &head->rows,
                                       head->outputs[takers[t].output]->c,
                                       own->sums + t * b->count);
        return;
    }
    memset(own->sums, 0, (size_t)(b->count * count) * sizeof *own->sums);
    for (int64_t j = 0; j < head->n; j++) {
        rls2__block_column(head, k, b, j, own->column);
        for (int64_t t = 0; t < count; t++)
            rls2__add_scaled(b->count, head->outputs[takers[t].output]->c[j], own->column,
                             own->sums + t * b->count);
    }
}

/* The k-th kernel that any output selects, for all that do. f as below. */
static void add_shared_kernel(const rls2_model *head, int64_t k, const rls2__block *b,
                              const room *own, int64_t ldf, double *f)
{
    const rls2__taker *takers = head->takers + head->first_taker[k];
    int64_t count = head->first_taker[k + 1] - head->first_taker[k];
    rls2__invariant(count >= 1 && count <= head->most_takers);
    expand_shared(head, k, b, takers, count, own);
    for (int64_t t = 0; t < count; t++)
        add_part(head->outputs[takers[t].output], takers[t].place, b->count,
                 own->sums + t * b->count, f + takers[t].output * ldf);
}

/* f[ldf x outputs], of which the first rows are those of the block. */
static void sum_block_outputs(const rls2_model *head, const rls2__block *b, const room *own,
                              int64_t ldf, double *f)
{
    for (int64_t o = 0; o < head->output_count; o++)
        memset(f + o * ldf, 0, (size_t)b->count * sizeof *f);
    for (int64_t k = 0; k < head->size; k++) add_shared_kernel(head, k, b, own, ldf, f);
    for (int64_t o = 0; o < head->output_count; o++)
        for (int64_t i = 0; i < b->count; i++) f[o * ldf + i] += head->outputs[o]->intercept;
}

rls2_status rls2__model_sums(const rls2_model *model, const rls2_rows *rows, int threads, double *f)
{
    rooms all;
    rls2_status status = make_rooms(model, rows, threads, &all);
    if (status != RLS2_OK) return status;
    int64_t blocks = rls2__block_count(rows->n, all.rows);
#pragma omp parallel for num_threads(rls2__crew_room(all.threads)) schedule(dynamic)
    for (int64_t which = 0; which < blocks; which++) {
        room own = own_room(&all);
        rls2__block b = rls2__block_take(model, rows, which, all.rows, own.x);
        if (model->outputs)
            sum_block_outputs(model, &b, &own, rows->n, f + b.first);
        else
            sum_block(model, &b, &own, f + b.first);
    }
    rls2__free(all.values);
    return RLS2_OK;
}
