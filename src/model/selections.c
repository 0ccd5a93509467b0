/* Public functions of rls2/stability.h: what the trials of a model selected. */
#include "rls2/stability.h"

#include "base/memory.h"
#include "base/status.h"
#include "model/model.h"

static const rls2__picks *picks_of(const rls2_model *model, rls2_trials which, int64_t o)
{
    return &rls2_model_output(model, o)->picks[which];
}

static int is_known(const rls2_model *model, rls2_trials which)
{
    return model && which >= 0 && which < RLS2_TRIALS_COUNT;
}

/* All outputs have the same trials. */
int64_t rls2_model_trials(const rls2_model *model, rls2_trials which)
{
    return is_known(model, which) ? picks_of(model, which, 0)->trials : 0;
}

/* Was any of the kernels selected in trial t, by any output? */
static int has_any(const rls2_model *model, rls2_trials which, int64_t t, int64_t count,
                   const int64_t *kernels)
{
    for (int64_t o = 0; o < model->output_count; o++)
        for (int64_t i = 0; i < count; i++) {
            const uint64_t *bits = rls2__picks_of(picks_of(model, which, o), kernels[i]);
            if (bits && rls2__bit_of(bits, t)) return 1;
        }
    return 0;
}

int64_t rls2_model_selections_of(const rls2_model *model, rls2_trials which, int64_t count,
                                 const int64_t *kernels)
{
    int64_t found = 0, trials = rls2_model_trials(model, which);
    if (!kernels) return 0;
    for (int64_t t = 0; t < trials; t++) found += has_any(model, which, t, count, kernels);
    return found;
}

static rls2_status check(const rls2_model *model, rls2_trials which, const int64_t *counts,
                         rls2_error *err)
{
    if (!model) return rls2__fail_null(err, "model");
    if (!counts) return rls2__fail_null(err, "counts");
    if (!is_known(model, which))
        return rls2__fail(err, RLS2_ERR_ARGUMENT, "which is %d, not splits or halves", (int)which);
    return RLS2_OK;
}

/* Of all outputs; NULL when out of memory. */
static const rls2__picks **list_picks(const rls2_model *model, rls2_trials which)
{
    const rls2__picks **list = rls2__alloc(model->output_count, sizeof *list);
    for (int64_t o = 0; list && o < model->output_count; o++)
        list[o] = &rls2_model_output(model, o)->picks[which];
    return list;
}

rls2_status rls2_model_kernel_selections(const rls2_model *model, rls2_trials which,
                                         int64_t *counts, rls2_error *err)
{
    rls2_status status = check(model, which, counts, err);
    if (status != RLS2_OK) return status;
    const rls2__picks **list = list_picks(model, which);
    if (!list) return rls2__fail_memory(err, "the selections of the kernels");
    rls2__picks_count_kernels(model->output_count, list, model->dictionary->m, counts);
    rls2__free(list);
    return RLS2_OK;
}

/* The input of each column; one that was never attached has its columns. NULL when out of memory.
 */
static int64_t *find_inputs(const rls2_model *model)
{
    int64_t *input_of = rls2__alloc(model->p, sizeof *input_of);
    for (int64_t j = 0; input_of && j < model->p; j++) input_of[j] = rls2_model_input_of(model, j);
    return input_of;
}

rls2_status rls2_model_input_selections(const rls2_model *model, rls2_trials which, int64_t *counts,
                                        rls2_error *err)
{
    rls2_status status = check(model, which, counts, err);
    if (status != RLS2_OK) return status;
    const rls2__picks **list = list_picks(model, which);
    int64_t *input_of = find_inputs(model);
    status = list && input_of
                 ? rls2__picks_count_inputs(model->output_count, list, model->dictionary, input_of,
                                            rls2_model_input_count(model), counts)
                 : RLS2_ERR_MEMORY;
    rls2__free(input_of);
    rls2__free(list);
    return status == RLS2_OK ? status : rls2__fail_memory(err, "the selections of the inputs");
}

const rls2_stability *rls2_model_stability(const rls2_model *model)
{
    if (!model) return NULL;
    const rls2_model *whole = model->head ? model->head : model;
    return whole->stability.pairs > 0 ? &whole->stability : NULL;
}
