/* Expansions of one kernel on a block of rows. */
#include "model/expand.h"

#include <string.h>

#include "base/invariant.h"
#include "kernel/powers.h"
#include "model/compact.h"

enum { ASK_AFTER = 64 }; /* training rows, whether to go on */

int64_t rls2__taker_count(const rls2_model *model, int64_t k)
{
    int64_t count = model->outputs ? model->first_taker[k + 1] - model->first_taker[k] : 1;
    rls2__invariant(count >= 1 && (!model->outputs || count <= model->most_takers));
    return count;
}

/* Of the t-th output that selects the kernel. */
static rls2__expansion expansion_of(const rls2_model *model, int64_t k, int64_t t)
{
    if (!model->outputs) return rls2__model_expansion(model, k, model);
    const rls2__taker *taker = &model->takers[model->first_taker[k] + t];
    return rls2__model_expansion(model, k, model->outputs[taker->output]);
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

void rls2__expand(rls2__effort *effort, const rls2_model *model, int64_t k, const rls2__block *b,
                  const rls2__expand_room *own)
{
    const rls2__kernel *kernel = &model->kernels[k];
    rls2__expansion at = expansion_of(model, k, 0);
    int64_t done = 0, count = rls2__taker_count(model, k);
    for (; done < count; done++) {
        at = expansion_of(model, k, done);
        if (!expand_at_once(kernel, b, &at, own->sums + done * b->count)) break;
    }
    if (done == count) return;
    sight seen = see(kernel, b, &at.rows, own->distinct);
    memset(own->sums, 0, (size_t)(b->count * count) * sizeof *own->sums);
    for (int64_t j = 0; j < at.rows.n; j++) {
        if (j % ASK_AFTER == 0 && rls2__effort_stopped(effort)) break;
        kernel_column(model, k, b, &seen, j, own->column);
        for (int64_t t = 0; t < count; t++)
            rls2__add_scaled(seen.rows.n, expansion_of(model, k, t).c[j], own->column,
                             own->sums + t * b->count);
    }
    for (int64_t t = 0; t < count; t++) spread(&seen, b, own->distinct, own->sums + t * b->count);
}
