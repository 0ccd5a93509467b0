/* Compact models: blocks of made rows, and how they are made and checked. */
#include "model/compact.h"

#include <math.h>
#include <string.h>

#include "base/invariant.h"
#include "base/memory.h"
#include "base/status.h"
#include "basis/rows_check.h"
#include "model/knots.h"

/* ---- blocks ---- */

void rls2__compact_free(rls2__compact *compact)
{
    if (!compact) return;
    rls2__free(compact->blocks);
    rls2__free(compact->columns);
    rls2__free(compact->block_of);
    rls2__free(compact->mass);
    rls2__free(compact);
}

rls2__compact *rls2__compact_start(int64_t kernels, int64_t blocks, int64_t columns)
{
    rls2__compact *compact = rls2__alloc_zero(1, sizeof *compact);
    if (!compact) return NULL;
    compact->count = blocks;
    compact->blocks = rls2__alloc_zero(blocks, sizeof *compact->blocks);
    compact->columns = rls2__alloc_zero(columns, sizeof *compact->columns);
    compact->block_of = rls2__alloc(kernels, sizeof *compact->block_of);
    if (compact->blocks && compact->columns && compact->block_of) {
        for (int64_t k = 0; k < kernels; k++) compact->block_of[k] = -1;
        return compact;
    }
    rls2__compact_free(compact);
    return NULL;
}

rls2_status rls2__compact_lay_out(rls2__compact *compact, int with_mass)
{
    compact->values = 0;
    for (int64_t b = 0; b < compact->count; b++) {
        compact->blocks[b].offset = compact->values;
        compact->values = rls2__add(compact->values, compact->blocks[b].about.count);
    }
    if (!with_mass) return RLS2_OK;
    compact->mass = rls2__alloc_zero(compact->values, sizeof(double));
    if (!compact->mass) return RLS2_ERR_MEMORY;
    for (int64_t b = 0; b < compact->count; b++)
        compact->blocks[b].about.mass = compact->mass + compact->blocks[b].offset;
    return RLS2_OK;
}

static const char *block_fault(const rls2_model_block *block, int64_t columns, int64_t n)
{
    if (block->count < 1 || block->first < 0 || block->count > n || block->first > n - block->count)
        return "a block has points that are not among the rows";
    if (block->column_count < 1) return "a block has no column";
    for (int64_t t = 0; t < block->column_count; t++) {
        int64_t least = t > 0 ? block->columns[t - 1] + 1 : 0;
        if (block->columns[t] < least || block->columns[t] >= columns)
            return "a block has a column that is none of the data, or not in order";
    }
    int64_t missing = block->count - block->knots; /* points */
    if (block->knots == 0) return NULL;
    if (block->knots < 0 || missing < 0 || missing > 1)
        return "a block has knots that are not its points";
    if (block->exact) return "a block that is exact has knots";
    return block->column_count > 2 || (missing && block->column_count < 2)
               ? "a block with knots is not of a number and its missing cells"
               : NULL;
}

const char *rls2__compact_fault(const rls2__compact *compact, const rls2_dictionary *dictionary,
                                int64_t n)
{
    if (compact->rows < 1) return "the model was learned from no rows";
    if (compact->count < 1) return "the model has no block of points";
    for (int64_t b = 0; b < compact->count; b++) {
        const char *fault = block_fault(&compact->blocks[b].about, dictionary->columns, n);
        if (fault) return fault;
    }
    for (int64_t k = 0; k < dictionary->m; k++)
        if (compact->block_of[k] < -1 || compact->block_of[k] >= compact->count)
            return "a kernel has a block that is not there";
    return NULL;
}

const char *rls2__compact_mass_fault(const rls2__compact *compact)
{
    for (int64_t i = 0; compact->mass && i < compact->values; i++)
        if (!(isfinite(compact->mass[i]) && compact->mass[i] >= 0.0))
            return "the mass of a point is negative or not finite";
    return NULL;
}

/* Both ascend. */
static int has_columns(const rls2_model_block *block, const rls2__kernel *kernel)
{
    int64_t at = 0;
    for (int64_t t = 0; t < kernel->column_count; t++) {
        while (at < block->column_count && block->columns[at] < kernel->columns[t]) at++;
        if (at == block->column_count || block->columns[at] != kernel->columns[t]) return 0;
    }
    return 1;
}

const char *rls2__compact_kernel_fault(const rls2_model *model)
{
    const rls2__compact *compact = model->compact;
    for (int64_t k = 0; k < model->size; k++) {
        const rls2__kernel *kernel = &model->dictionary->kernels[model->index[k]];
        int64_t block = compact->block_of[model->index[k]];
        if (kernel->kind == RLS2__KERNEL_GIVEN) return "a given matrix is selected";
        if (block < 0) return "a kernel that is selected has no block";
        if (!has_columns(&compact->blocks[block].about, kernel))
            return "a kernel looks at a column that its block has not";
    }
    return NULL;
}

const char *rls2__compact_knots_fault(const rls2_model *model)
{
    rls2__ruler ruler;
    for (int64_t b = 0; model->compact && b < model->compact->count; b++) {
        if (!rls2__ruler_make(model, b, &ruler)) continue;
        for (int64_t g = 1; g < ruler.knots; g++)
            if (!(ruler.at[g] > ruler.at[g - 1])) return "knots do not ascend";
        if (ruler.flag < 0) continue;
        const double *flags =
            model->x + ruler.flag * model->n + model->compact->blocks[b].about.first;
        for (int64_t g = 0; g < ruler.knots; g++)
            if (!(flags[g] < ruler.above)) return "a knot is that of missing cells";
        if (!(flags[ruler.knots] > ruler.above)) return "the point of missing cells is none";
    }
    return NULL;
}

static int observes(const rls2_model_block *block, int64_t column)
{
    int has = 0;
    double mass = block->mass ? 0.0 : 1.0;
    for (int64_t t = 0; t < block->column_count; t++) has |= block->columns[t] == column;
    for (int64_t g = 0; block->mass && g < block->count && !(mass > 0.0); g++)
        mass = block->mass[g];
    return has && mass > 0.0;
}

int64_t rls2__compact_observer(const rls2__compact *compact, int64_t column)
{
    int64_t best = -1;
    for (int64_t b = 0; b < compact->count; b++) {
        const rls2_model_block *block = &compact->blocks[b].about;
        if (!observes(block, column)) continue;
        if (best < 0 || block->column_count < compact->blocks[best].about.column_count) best = b;
    }
    return best;
}

/* ---- padding ---- */

/* Marks the rows in which a block has this column; returns one of them, -1: there is none. */
static int64_t mark_rows(const rls2__compact *compact, int64_t column, unsigned char *has)
{
    int64_t one = -1;
    for (int64_t b = 0; b < compact->count; b++) {
        const rls2_model_block *block = &compact->blocks[b].about;
        for (int64_t t = 0; t < block->column_count; t++) {
            if (block->columns[t] != column) continue;
            memset(has + block->first, 1, (size_t)block->count);
            if (one < 0) one = block->first;
        }
    }
    return one;
}

rls2_status rls2__compact_pad(rls2_model *model)
{
    unsigned char *has = rls2__alloc(model->n, 1);
    if (!has) return RLS2_ERR_MEMORY;
    for (int64_t j = 0; j < model->used_count; j++) {
        double *x = model->x + j * model->n;
        memset(has, 0, (size_t)model->n);
        int64_t one = mark_rows(model->compact, model->used[j], has);
        for (int64_t i = 0; i < model->n; i++)
            if (!has[i]) x[i] = one < 0 ? 0.0 : x[one];
    }
    rls2__free(has);
    return RLS2_OK;
}

/* ---- what is said ---- */

int64_t rls2__model_values(const rls2_model *model)
{
    return model->compact ? model->compact->values : model->n;
}

rls2__expansion rls2__model_expansion(const rls2_model *model, int64_t k, const rls2_model *output)
{
    rls2__expansion all = {model->rows, output->c};
    if (!model->compact) return all;
    int64_t number = model->compact->block_of[model->index[k]];
    rls2__invariant(number >= 0 && number < model->compact->count);
    const rls2__block_of_points *block = &model->compact->blocks[number];
    all.rows.n = block->about.count;
    all.rows.x = model->x + block->about.first;
    if (all.c) all.c += block->offset;
    return all;
}

rls2_status rls2__compact_refuse(const rls2_model *model, const char *what, rls2_error *err)
{
    if (!model->compact) return RLS2_OK;
    return rls2__fail(err, RLS2_ERR_ARGUMENT,
                      "the model is compact: it does not keep the %lld rows it was learned from, "
                      "without which it has no %s",
                      (long long)model->compact->rows, what);
}

/* ---- making ---- */

static rls2_status fail_parts(rls2_error *err, const char *fault)
{
    return rls2__fail(err, RLS2_ERR_ARGUMENT, "a compact model: %s", fault);
}

/* The blocks as they are given, with lists of columns and masses that stay the caller's. */
static rls2__compact *view_blocks(const rls2__compact_parts *parts)
{
    rls2__compact *all = rls2__compact_start(0, parts->blocks, 0);
    for (int64_t b = 0, from = 0; all && b < parts->blocks; b++) {
        all->blocks[b].about = parts->block[b];
        all->blocks[b].about.mass = parts->mass ? parts->mass + from : NULL;
        from += parts->block[b].count;
    }
    return all;
}

/* Marks the block of a kernel, and those that tell how rows are spread in its columns. */
static void mark_kernel(const rls2__compact *all, int64_t block, const rls2__kernel *kernel,
                        unsigned char *wanted)
{
    wanted[block] = 1;
    for (int64_t t = 0; t < kernel->column_count; t++) {
        int64_t observer = rls2__compact_observer(all, kernel->columns[t]);
        if (observer >= 0) wanted[observer] = 1;
    }
}

/* 1 for each block that is to be kept; returns how many, -1 for a selected kernel or its block that
 * is not there. */
static int64_t mark_blocks(const rls2__compact_parts *parts, const rls2__compact *all,
                           unsigned char *wanted)
{
    int64_t count = 0;
    for (int64_t o = 0; o < parts->outputs; o++)
        for (int64_t k = 0; k < parts->output[o].count; k++) {
            int64_t index = parts->output[o].ks[k];
            if (index < 0 || index >= parts->dictionary->m) return -1;
            int64_t block = parts->block_of[index];
            if (block < 0 || block >= parts->blocks) return -1;
            mark_kernel(all, block, &parts->dictionary->kernels[index], wanted);
        }
    for (int64_t b = 0; b < parts->blocks; b++) count += wanted[b];
    return count;
}

/* The blocks that are wanted; `place` gets the new number of each block, -1 of others. */
static rls2__compact *take_blocks(const rls2__compact_parts *parts, int64_t count,
                                  const unsigned char *wanted, int64_t *place)
{
    int64_t columns = 0, at = 0, next = 0;
    for (int64_t b = 0; b < parts->blocks; b++)
        if (wanted[b]) columns = rls2__add(columns, parts->block[b].column_count);
    rls2__compact *made = rls2__compact_start(parts->dictionary->m, count, columns);
    if (!made) return NULL;
    made->rows = parts->rows;
    for (int64_t b = 0; b < parts->blocks; b++) {
        place[b] = wanted[b] ? next : -1;
        if (!wanted[b]) continue;
        rls2_model_block *block = &made->blocks[next++].about;
        *block = parts->block[b];
        for (int64_t t = 0; t < block->column_count; t++)
            made->columns[at + t] = parts->block[b].columns[t];
        block->columns = made->columns + at;
        block->exact = parts->block[b].exact != 0;
        block->mass = NULL;
        at += block->column_count;
    }
    for (int64_t k = 0; k < parts->dictionary->m; k++)
        made->block_of[k] = parts->block_of[k] < 0 ? -1 : place[parts->block_of[k]];
    return made;
}

/* Of values for each block in turn those of the blocks that are kept. */
static void take_values(const rls2__compact_parts *parts, const rls2__compact *made,
                        const int64_t *place, const double *all, double *kept)
{
    int64_t from = 0;
    for (int64_t b = 0; b < parts->blocks; b++) {
        int64_t count = parts->block[b].count;
        if (place[b] >= 0)
            memcpy(kept + made->blocks[place[b]].offset, all + from, (size_t)count * sizeof *kept);
        from += count;
    }
}

/* Rows up to the last that a block has. */
static int64_t rows_of(const rls2__compact *made)
{
    int64_t n = 0;
    for (int64_t b = 0; b < made->count; b++) {
        int64_t end = made->blocks[b].about.first + made->blocks[b].about.count;
        if (end > n) n = end;
    }
    return n;
}

static rls2_status take_output(const rls2__compact_parts *parts, const rls2__compact_output *from,
                               const int64_t *place, rls2_model *model)
{
    size_t bytes = (size_t)from->count * sizeof(double);
    memcpy(model->index, from->ks, (size_t)from->count * sizeof *model->index);
    memcpy(model->d, from->d, bytes);
    memcpy(model->scales, from->scales, (size_t)parts->dictionary->m * sizeof(double));
    take_values(parts, model->compact, place, from->c, model->c);
    model->point = from->point;
    model->intercept = from->intercept;
    model->represented = from->represented;
    model->scaling = parts->scaling;
    model->solver = parts->solver;
    if (!from->shares) return RLS2_OK;
    rls2_status status = rls2__model_reserve_trained_shares(model);
    if (status == RLS2_OK) memcpy(model->trained_shares, from->shares, bytes);
    return status;
}

static rls2_model *start(const rls2__compact_parts *parts, rls2__compact *made)
{
    int64_t n = rows_of(made);
    if (parts->outputs == 1)
        return rls2__model_start(parts->dictionary, n, parts->output[0].count, made);
    return rls2__model_start_outputs(parts->dictionary, n, parts->outputs, made);
}

static rls2_status take_outputs(const rls2__compact_parts *parts, const int64_t *place,
                                rls2_model *model, rls2_error *err)
{
    for (int64_t o = 0; o < parts->outputs; o++) {
        rls2_model *one =
            model->outputs ? rls2__model_add_output(model, parts->output[o].count) : model;
        if (!one || take_output(parts, &parts->output[o], place, one) != RLS2_OK)
            return rls2__fail_memory(err, "the model");
        const char *fault = rls2__compact_kernel_fault(one);
        if (fault) return fail_parts(err, fault);
        rls2_status status =
            rls2__vector_check(rls2__model_values(one), one->c, "c of a compact model", err);
        if (status != RLS2_OK) return status;
    }
    return RLS2_OK;
}

static rls2_status take_rows(const rls2__compact_parts *parts, rls2_model *model)
{
    rls2_status status = model->outputs ? rls2__model_unite(model) : RLS2_OK;
    if (status == RLS2_OK) status = rls2__model_bind(model);
    if (status == RLS2_OK) status = rls2__model_reserve_x(model);
    if (status != RLS2_OK) return status;
    for (int64_t j = 0; j < model->used_count; j++)
        memcpy(model->x + j * model->n, parts->x + model->used[j] * parts->points,
               (size_t)model->n * sizeof(double));
    return rls2__compact_pad(model);
}

static rls2_status fill(const rls2__compact_parts *parts, const int64_t *place, rls2_model *model,
                        rls2_error *err)
{
    if (parts->mass) take_values(parts, model->compact, place, parts->mass, model->compact->mass);
    const char *fault = rls2__compact_mass_fault(model->compact);
    if (fault) return fail_parts(err, fault);
    rls2_status status = take_outputs(parts, place, model, err);
    if (status != RLS2_OK) return status;
    status = take_rows(parts, model);
    if (status != RLS2_OK) return rls2__fail_memory(err, "the model");
    if (model->outputs) rls2__model_sum_up(model);
    fault = rls2__compact_knots_fault(model);
    if (fault) return fail_parts(err, fault);
    return rls2__vector_check(model->n * model->used_count, model->x, "points of a compact model",
                              err);
}

/* The model from its blocks, which it takes. */
static rls2_status build(const rls2__compact_parts *parts, rls2__compact *made,
                         const int64_t *place, rls2_model **model, rls2_error *err)
{
    const char *fault = rls2__compact_fault(made, parts->dictionary, parts->points);
    if (fault) {
        rls2__compact_free(made);
        return fail_parts(err, fault);
    }
    if (rls2__compact_lay_out(made, parts->mass != NULL) != RLS2_OK) {
        rls2__compact_free(made);
        return rls2__fail_memory(err, "the model");
    }
    rls2_model *one = start(parts, made);
    if (!one) return rls2__fail_memory(err, "the model");
    rls2_status status = fill(parts, place, one, err);
    if (status != RLS2_OK) {
        rls2__model_destroy(one);
        return status;
    }
    rls2__model_finish(one);
    *model = one;
    return RLS2_OK;
}

rls2_status rls2__compact_create(const rls2__compact_parts *parts, rls2_model **model,
                                 rls2_error *err)
{
    rls2_status status;
    unsigned char *wanted = rls2__alloc_zero(parts->blocks, 1);
    int64_t *place = rls2__alloc(parts->blocks, sizeof *place);
    rls2__compact *all = view_blocks(parts), *made = NULL;
    rls2__invariant(parts->outputs >= 1 && parts->output[0].count >= 1);
    int64_t count = wanted && all ? mark_blocks(parts, all, wanted) : 0;
    if (wanted && all && place && count >= 0) made = take_blocks(parts, count, wanted, place);
    if (count < 0)
        status = fail_parts(err, "a kernel that is selected has no block");
    else
        status = made ? build(parts, made, place, model, err) : rls2__fail_memory(err, "the model");
    rls2__compact_free(all);
    rls2__free(wanted);
    rls2__free(place);
    return status;
}
