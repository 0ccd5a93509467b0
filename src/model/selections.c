/* Public functions of rls2/stability.h: what the trials of a model selected. */
#include "rls2/stability.h"

#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "dictionary/dictionary_inputs.h"
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

rls2_status rls2_model_kernel_selections(const rls2_model *model, rls2_trials which,
                                         int64_t *counts, rls2_error *err)
{
    rls2_status status = check(model, which, counts, err);
    if (status != RLS2_OK) return status;
    memset(counts, 0, (size_t)model->dictionary->m * sizeof *counts);
    for (int64_t o = 0; o < model->output_count; o++) {
        const rls2__picks *picks = picks_of(model, which, o);
        for (int64_t k = 0; k < picks->count; k++)
            counts[picks->kernels[k]] =
                rls2_model_selections_of(model, which, 1, &picks->kernels[k]);
    }
    return RLS2_OK;
}

const rls2_stability *rls2_model_stability(const rls2_model *model)
{
    if (!model) return NULL;
    const rls2_model *whole = model->head ? model->head : model;
    return whole->stability.pairs > 0 ? &whole->stability : NULL;
}

/* ---- inputs ---- */

/* bits[inputs x words] of the trials of one output are added. */
static void mark_inputs(const rls2_model *model, const rls2__picks *picks, const int64_t *input_of,
                        uint64_t *bits)
{
    int64_t words = rls2__words_of(picks->trials), found[RLS2__FEW_INPUTS];
    for (int64_t k = 0; k < picks->count; k++) {
        int few = rls2__kernel_inputs(model->dictionary, picks->kernels[k], input_of,
                                      rls2_model_input_count(model), found);
        for (int i = 0; i < few; i++)
            for (int64_t w = 0; w < words; w++)
                bits[found[i] * words + w] |= picks->bits[k * words + w];
    }
}

/* The input of each column; one that was never attached has its columns. NULL when out of memory.
 */
static int64_t *find_inputs(const rls2_model *model)
{
    int64_t *input_of = rls2__alloc(model->p, sizeof *input_of);
    for (int64_t j = 0; input_of && j < model->p; j++)
        input_of[j] = rls2_model_input_of(model, j);
    return input_of;
}

rls2_status rls2_model_input_selections(const rls2_model *model, rls2_trials which, int64_t *counts,
                                        rls2_error *err)
{
    rls2_status status = check(model, which, counts, err);
    if (status != RLS2_OK) return status;
    int64_t inputs = rls2_model_input_count(model);
    int64_t words = rls2__words_of(rls2_model_trials(model, which));
    int64_t *input_of = find_inputs(model);
    uint64_t *bits = rls2__alloc_zero(rls2__mul(inputs, words), sizeof *bits);
    if (input_of && bits) {
        for (int64_t o = 0; o < model->output_count; o++)
            mark_inputs(model, picks_of(model, which, o), input_of, bits);
        for (int64_t j = 0; j < inputs; j++)
            counts[j] = rls2__bits_count(words, bits + j * words);
    } else {
        status = rls2__fail_memory(err, "the selections of the inputs");
    }
    rls2__free(bits);
    rls2__free(input_of);
    return status;
}
