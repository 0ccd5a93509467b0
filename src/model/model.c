/* Makes a model step by step, unites its outputs, and destroys it. */
#include "model/model.h"

#include <math.h>
#include <stdlib.h>

#include "base/invariant.h"
#include "base/memory.h"
#include "model/compact.h"
#include "model/model_stack.h"
#include "solver/outputs.h"
#include "table/preprocess.h"

/* What an output borrows from its head. */
static void release_shared(rls2_model *model)
{
    for (int64_t g = 0; model->given && g < model->dictionary->given_count; g++)
        rls2__free(model->given[g]);
    rls2__free(model->given);
    rls2__free(model->weights);
    rls2__free(model->used);
    rls2__free(model->x);
    rls2__compact_free(model->compact);
    rls2__origin_release(&model->origin);
    rls2_dictionary_free(model->dictionary);
    rls2__arena_free(model->arena);
}

void rls2__model_destroy(rls2_model *model)
{
    if (!model) return;
    for (int64_t o = 0; model->outputs && o < model->output_count; o++)
        rls2__model_destroy(model->outputs[o]);
    rls2__stack_free(model->stack);
    rls2__free(model->outputs);
    rls2__free(model->first_taker);
    rls2__free(model->takers);
    rls2__free(model->index);
    rls2__free(model->kernels);
    rls2__free(model->d);
    rls2__free(model->s);
    rls2__free(model->c);
    rls2__free(model->scales);
    rls2__free(model->factor);
    rls2__free(model->share_kernels);
    rls2__free(model->shares);
    rls2__free(model->trained_shares);
    for (int t = 0; t < RLS2_TRIALS_COUNT; t++) rls2__picks_release(&model->picks[t]);
    if (!model->head) release_shared(model);
    rls2__free(model);
}

/* Room for as many kernels as the model has. */
static int reserve_kernels(rls2_model *model)
{
    model->index = rls2__alloc_zero(model->size, sizeof *model->index);
    model->kernels = rls2__alloc_zero(model->size, sizeof *model->kernels);
    model->d = rls2__alloc_zero(model->size, sizeof(double));
    model->s = rls2__alloc_zero(model->size, sizeof(double));
    return model->index && model->kernels && model->d && model->s;
}

/* Room for what one output alone has. */
static int reserve_answer(rls2_model *model)
{
    model->c = rls2__alloc_zero(rls2__model_values(model), sizeof(double));
    model->scales = rls2__alloc_zero(model->dictionary->m, sizeof(double));
    return model->c && model->scales;
}

static int reserve_shared(rls2_model *model)
{
    model->arena = rls2__arena_create();
    model->given = rls2__alloc_zero(model->dictionary->given_count, sizeof *model->given);
    return model->arena && model->given;
}

static rls2_model *start_plain(const rls2_dictionary *dictionary, int64_t n, int64_t size,
                               rls2__compact *compact)
{
    rls2_model *model = rls2__alloc_zero(1, sizeof *model);
    if (!model) return NULL;
    model->compact = compact;
    model->represented =
        (rls2_represented){(double)NAN, (double)NAN, (double)NAN, (double)NAN, (double)NAN};
    model->n = n;
    model->p = dictionary->columns;
    model->size = size;
    model->output_count = 1;
    return model;
}

/* The same, or nothing is left. */
static rls2_model *start_owner(const rls2_dictionary *dictionary, int64_t n, int64_t size,
                               rls2__compact *compact)
{
    rls2_model *model = start_plain(dictionary, n, size, compact);
    if (!model) rls2__compact_free(compact);
    return model;
}

rls2_model *rls2__model_start(const rls2_dictionary *dictionary, int64_t n, int64_t size,
                              rls2__compact *compact)
{
    rls2_model *model = start_owner(dictionary, n, size, compact);
    if (!model) return NULL;
    model->dictionary = rls2__dictionary_share(dictionary);
    if (reserve_shared(model) && reserve_kernels(model) && reserve_answer(model)) return model;
    rls2__model_destroy(model);
    return NULL;
}

/* ---- several outputs ---- */

rls2_model *rls2__model_start_outputs(const rls2_dictionary *dictionary, int64_t n, int64_t outputs,
                                      rls2__compact *compact)
{
    rls2_model *head = start_owner(dictionary, n, 0, compact);
    if (!head) return NULL;
    head->dictionary = rls2__dictionary_share(dictionary);
    head->outputs = rls2__alloc_zero(outputs, sizeof(rls2_model *));
    head->output_count = 0;
    head->intercept = (double)NAN;
    if (head->outputs && reserve_shared(head)) return head;
    rls2__model_destroy(head);
    return NULL;
}

rls2_model *rls2__model_add_output(rls2_model *head, int64_t size)
{
    rls2_model *output = start_plain(head->dictionary, head->n, size, head->compact);
    if (!output) return NULL;
    output->head = head;
    output->dictionary = head->dictionary;
    output->number = head->output_count;
    if (!reserve_kernels(output) || !reserve_answer(output)) {
        rls2__model_destroy(output);
        return NULL;
    }
    rls2__invariant(head->outputs && !head->head && head->n == output->n);
    head->outputs[head->output_count++] = output;
    return output;
}

/* How many outputs select each kernel of the dictionary; and how many do in all. */
static int64_t count_takers(const rls2_model *head, int64_t *takers)
{
    int64_t total = 0;
    for (int64_t o = 0; o < head->output_count; o++) {
        const rls2_model *output = head->outputs[o];
        for (int64_t k = 0; k < output->size; k++) takers[output->index[k]]++;
        total += output->size;
    }
    return total;
}

/* Kernels that are selected, ascending; and where the list of their takers begins, here and, by
 * their number in the dictionary, in `takers`. */
static void list_kernels(rls2_model *head, int64_t *takers)
{
    int64_t place = 0, first = 0;
    for (int64_t k = 0; k < head->dictionary->m; k++) {
        int64_t count = takers[k];
        if (count == 0) continue;
        if (count > head->most_takers) head->most_takers = count;
        head->index[place] = k;
        head->first_taker[place++] = first;
        takers[k] = first;
        first += count;
    }
    head->first_taker[place] = first;
    rls2__invariant(place == head->size && rls2__is_ascending(place, head->index, INT64_MAX));
}

static void list_takers(rls2_model *head, int64_t *next)
{
    for (int64_t o = 0; o < head->output_count; o++)
        for (int64_t k = 0; k < head->outputs[o]->size; k++)
            head->takers[next[head->outputs[o]->index[k]]++] = (rls2__taker){o, k};
}

/* The mean over the outputs, of which those that do not select a kernel give it none. */
static void mean_weights(rls2_model *head)
{
    for (int64_t k = 0; k < head->size; k++) {
        double sum = 0.0;
        for (int64_t t = head->first_taker[k]; t < head->first_taker[k + 1]; t++)
            sum += head->outputs[head->takers[t].output]->d[head->takers[t].place];
        head->d[k] = sum / (double)head->output_count;
        rls2__invariant(head->d[k] >= 0.0 && head->first_taker[k] < head->first_taker[k + 1]);
        head->s[k] = (double)NAN;
    }
}

rls2_status rls2__model_unite(rls2_model *head)
{
    int64_t m = head->dictionary->m;
    int64_t *takers = rls2__alloc_zero(m, sizeof *takers);
    if (!takers) return RLS2_ERR_MEMORY;
    int64_t total = count_takers(head, takers);
    for (int64_t k = 0; k < m; k++) head->size += takers[k] > 0;
    head->first_taker = rls2__alloc(rls2__add(head->size, 1), sizeof *head->first_taker);
    head->takers = rls2__alloc(total, sizeof *head->takers);
    int fits = reserve_kernels(head) && head->first_taker && head->takers;
    if (fits) {
        list_kernels(head, takers);
        list_takers(head, takers);
        mean_weights(head);
    }
    rls2__free(takers);
    return fits ? RLS2_OK : RLS2_ERR_MEMORY;
}

/* What finish does for outputs: they get the rows of the head, and its fitted kernels. */
static void lend_to_outputs(rls2_model *head)
{
    for (int64_t o = 0; o < head->output_count; o++) {
        rls2_model *output = head->outputs[o];
        output->used_count = head->used_count;
        output->used = head->used;
        output->x = head->x;
        output->given = head->given;
        output->weights = head->weights;
        output->rows = head->rows;
        for (int64_t k = 0; k < output->size; k++) output->s[k] = output->scales[output->index[k]];
    }
    for (int64_t k = 0; k < head->size; k++)
        for (int64_t t = head->first_taker[k]; t < head->first_taker[k + 1]; t++)
            head->outputs[head->takers[t].output]->kernels[head->takers[t].place] =
                head->kernels[k];
}

void rls2__model_sum_up(rls2_model *head)
{
    const rls2_model *first = head->outputs[0];
    rls2_path_point *sum = &head->point;
    *sum = first->point;
    /* the point of outputs that share weights is one already */
    for (int64_t o = 1; o < head->output_count && !first->has_shared_d; o++)
        rls2__point_add(sum, &head->outputs[o]->point);
    sum->selected = head->size;
    head->solver = first->solver;
    head->loss = first->loss;
    head->is_free = first->is_free;
    head->has_shared_d = first->has_shared_d;
    head->scaling = first->scaling;
    head->represented.bound = 0.0;
    for (int64_t o = 0; o < head->output_count; o++) {
        double bound = head->outputs[o]->represented.bound; /* the largest, or NaN */
        if (!(bound <= head->represented.bound)) head->represented.bound = bound;
        if (isnan(bound)) break;
    }
}

/* ---- columns in use ---- */

static const rls2__kernel *original(const rls2_model *model, int64_t k)
{
    return &model->dictionary->kernels[model->index[k]];
}

/* Columns that tell where a row lies among points between which the kernel is interpolated. */
static void mark_knots(const rls2_model *model, int64_t k, int64_t *place)
{
    int64_t number = model->compact ? model->compact->block_of[model->index[k]] : -1;
    if (number < 0 || original(model, k)->kind == RLS2__KERNEL_LINEAR) return;
    const rls2_model_block *block = &model->compact->blocks[number].about;
    if (block->knots > 0) place[block->columns[0]] = 1;
    if (block->knots > 0 && block->count > block->knots) place[block->columns[1]] = 1;
}

/* Writes `used`, and into `place` of each used column its position there. */
static rls2_status find_used(rls2_model *model, int64_t *place)
{
    int64_t count = 0;
    for (int64_t k = 0; k < model->size; k++) {
        for (int64_t t = 0; t < original(model, k)->column_count; t++)
            place[original(model, k)->columns[t]] = 1;
        mark_knots(model, k, place);
    }
    for (int64_t j = 0; j < model->p; j++) count += place[j];
    model->used = rls2__alloc(count, sizeof *model->used);
    if (!model->used) return RLS2_ERR_MEMORY;
    for (int64_t j = 0; j < model->p; j++) {
        if (!place[j]) continue;
        place[j] = model->used_count;
        model->used[model->used_count++] = j;
    }
    rls2__invariant(model->used_count == count);
    rls2__invariant(rls2__is_ascending(count, model->used, model->p));
    return RLS2_OK;
}

static int is_contiguous(const rls2__kernel *kernel)
{
    int64_t count = kernel->column_count;
    return count > 0 && kernel->columns[count - 1] - kernel->columns[0] == count - 1;
}

/* Kernels of one set of columns next to each other. */
static int by_columns(const void *a, const void *b)
{
    const rls2__kernel *const *x = a, *const *y = b;
    uintptr_t u = (uintptr_t)(*x)->columns, v = (uintptr_t)(*y)->columns;
    if (u != v) return u < v ? -1 : 1;
    return ((*x)->column_count > (*y)->column_count) - ((*x)->column_count < (*y)->column_count);
}

/* The kernels share lists of columns in the dictionary and do so here: memory is that of the lists,
 * not of the kernels. `order` is room for all kernels. */
static rls2_status place_columns(rls2_model *model, const int64_t *place, rls2__kernel **order)
{
    int64_t *identity =
        rls2__arena_alloc(model->arena, rls2__mul(model->used_count, sizeof(int64_t)));
    if (!identity) return RLS2_ERR_MEMORY;
    for (int64_t j = 0; j < model->used_count; j++) identity[j] = j;
    for (int64_t k = 0; k < model->size; k++) order[k] = &model->kernels[k];
    qsort(order, (size_t)model->size, sizeof *order, by_columns);
    const int64_t *from = NULL, *to = NULL;
    int64_t length = 0;
    for (int64_t k = 0; k < model->size; k++) {
        rls2__kernel *kernel = order[k];
        int64_t count = kernel->column_count;
        if (count == 0 || (kernel->columns == from && count == length)) {
            kernel->columns = count == 0 ? identity : to;
            continue;
        }
        from = kernel->columns;
        length = count;
        if (is_contiguous(kernel)) {
            to = identity + place[from[0]];
        } else {
            int64_t *list = rls2__arena_alloc(model->arena, rls2__mul(count, sizeof(int64_t)));
            if (!list) return RLS2_ERR_MEMORY;
            for (int64_t t = 0; t < count; t++) list[t] = place[from[t]];
            to = list;
        }
        kernel->columns = to;
        rls2__invariant(rls2__is_ascending(count, to, model->used_count));
    }
    return RLS2_OK;
}

rls2_status rls2__model_bind(rls2_model *model)
{
    rls2_status status = RLS2_ERR_MEMORY;
    int64_t *place = rls2__alloc_zero(model->p, sizeof *place);
    rls2__kernel **order = rls2__alloc(model->size, sizeof(rls2__kernel *));
    if (!place || !order) goto cleanup;
    status = find_used(model, place);
    if (status != RLS2_OK) goto cleanup;
    for (int64_t k = 0; k < model->size; k++) {
        model->kernels[k] = *original(model, k);
        if (model->scales) model->s[k] = model->scales[model->index[k]];
    }
    status = place_columns(model, place, order);
cleanup:
    rls2__free(place);
    rls2__free(order);
    return status;
}

rls2_status rls2__model_reserve_x(rls2_model *model)
{
    model->x = rls2__alloc(rls2__mul(model->n, model->used_count), sizeof(double));
    return model->x ? RLS2_OK : RLS2_ERR_MEMORY;
}

rls2_status rls2__model_reserve_weights(rls2_model *model)
{
    model->weights = rls2__alloc(model->n, sizeof(double));
    return model->weights ? RLS2_OK : RLS2_ERR_MEMORY;
}

rls2_status rls2__model_reserve_trained_shares(rls2_model *model)
{
    model->trained_shares = rls2__alloc(model->size, sizeof(double));
    return model->trained_shares ? RLS2_OK : RLS2_ERR_MEMORY;
}

/* To the rows of the model, or of its block. */
static void fit_kernel(rls2_model *model, int64_t k)
{
    rls2__expansion at = rls2__model_expansion(model, k, model);
    rls2__kernel_fit(&model->kernels[k], &at.rows);
}

void rls2__model_finish(rls2_model *model)
{
    model->rows = (rls2_rows){.n = model->n,
                              .p = model->used_count,
                              .x = model->x,
                              .ldx = model->n,
                              .given_count = model->dictionary->given_count,
                              .given = (const double *const *)model->given};
    rls2__invariant(rls2__is_ascending(model->size, model->index, model->dictionary->m));
    rls2__invariant(rls2__is_nonnegative(model->size, model->d));
    rls2__invariant(!model->weights || rls2__is_positive(model->n, model->weights));
    for (int64_t k = 0; k < model->size; k++) fit_kernel(model, k);
    if (model->outputs) lend_to_outputs(model);
}

/* ---- origin ---- */

rls2_status rls2__origin_create(rls2__encoder *encoder, const rls2__preparation *preparation,
                                uint64_t fingerprint, rls2__origin *origin)
{
    *origin = (rls2__origin){.fingerprint = fingerprint};
    origin->input_of = rls2__alloc(encoder->columns, sizeof *origin->input_of);
    if (!origin->input_of) return RLS2_ERR_MEMORY;
    if (rls2__preparation_reserve(&origin->preparation, encoder->columns) != RLS2_OK)
        return RLS2_ERR_MEMORY;
    rls2__preparation_copy(preparation, &origin->preparation);
    for (int64_t k = 0; k < encoder->count; k++)
        for (int64_t v = 0; v < encoder->inputs[k].width; v++)
            origin->input_of[encoder->inputs[k].first + v] = k;
    rls2__invariant(rls2__is_within(encoder->columns, origin->input_of, encoder->count));
    origin->encoder = rls2__encoder_share(encoder);
    return RLS2_OK;
}

void rls2__origin_release(rls2__origin *origin)
{
    rls2__encoder_release(origin->encoder);
    rls2__preparation_release(&origin->preparation);
    rls2__free(origin->input_of);
}

const rls2__origin *rls2__model_origin(const rls2_model *model)
{
    return model->head ? &model->head->origin : &model->origin;
}
