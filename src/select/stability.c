/* Halves run in parallel, each a world of its own as splits are (cv_split.c): rows, preprocessing,
 * scalings, largest lambda. A path goes down lambda by lambda until more inputs than allowed have
 * been selected; what was selected at any lambda before counts. So the limit holds in every half,
 * and is not an average that has to be estimated. */
#include "select/stability.h"

#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "base/crew.h"
#include "base/first_failure.h"
#include "base/invariant.h"
#include "base/memory.h"
#include "base/status.h"
#include "dictionary/dictionary_inputs.h"
#include "la/threads.h"
#include "model/model.h"
#include "select/splits.h"
#include "select/stability_bound.h"
#include "solver/path.h"
#include "table/dataset.h"

/* Values of lambda of a half, if it comes so far: ten for each power of ten of the default grid. */
enum { GRID = 60 };

typedef struct half {
    int64_t **kernels; /* outputs: numbers, ascending */
    int64_t *counts;   /* outputs */
    int64_t inputs;    /* selected */
} half;

typedef struct job {
    const rls2_table *table;
    rls2__ingredients ingredients;
    rls2__recipe recipe;
    const rls2__stable_options *options;
    const rls2_splits *halves;
    const int64_t *input_of; /* of each column */
    int64_t inputs;          /* in all */
    int64_t limit;
    half *found; /* of each half */
    int threads; /* of each half */
    pthread_t caller;
    atomic_int stop;
    atomic_llong done;
    rls2__first_failure first;
} job;

/* ---- watching ---- */

static int watch_half(void *user, const rls2_progress *unused)
{
    (void)unused;
    job *j = user;
    const rls2__stable_options *options = j->options;
    if (options->progress && pthread_equal(pthread_self(), j->caller) && !atomic_load(&j->stop)) {
        rls2_progress at = {
            .stage = "halves", .done = atomic_load(&j->done), .total = j->halves->count};
        if (options->progress(options->progress_user, &at)) atomic_store(&j->stop, 1);
    }
    return atomic_load(&j->stop);
}

static void watch_all(void *user)
{
    watch_half(user, NULL);
}

static rls2_control control_of(job *j, int threads)
{
    return (rls2_control){
        .size = sizeof(rls2_control), .threads = threads, .progress = watch_half, .user = j};
}

/* ---- one half ---- */

/* What the path of a half has selected so far. */
typedef struct walk {
    job *j;
    rls2__fit fit;
    double lambdas[GRID];
    unsigned char *kernels; /* outputs x m */
    unsigned char *inputs;  /* those selected, */
    int64_t count;          /* so many, */
    int64_t *fresh;         /* and those that a point adds */
} walk;

static rls2_status take_rows(const job *j, int64_t count, const int64_t *rows, rls2_table **taken,
                             rls2_error *err)
{
    int64_t *source = rls2__alloc(count, sizeof *source);
    if (!source) return rls2__fail_memory(err, "the rows of a half");
    for (int64_t i = 0; i < count; i++) source[i] = j->ingredients.whole->source[rows[i]];
    rls2_status status = rls2_table_take(j->table, count, source, taken, err);
    rls2__free(source);
    return status;
}

static rls2_status make_kernels(job *j, int64_t h, rls2__fit *fit, rls2_error *err)
{
    const int64_t *rows;
    int64_t n = rls2_splits_training(j->halves, h, &rows);
    const rls2_control control = control_of(j, j->threads);
    rls2_table *table = NULL;
    if (j->ingredients.prepared)
        return rls2__fit_bases_taken(&j->ingredients, n, rows, 0.0, &control, fit, err);
    rls2_status status = take_rows(j, n, rows, &table, err);
    if (status == RLS2_OK)
        status = rls2__fit_bases(&j->ingredients, table, rows, &control, fit, err);
    rls2_table_free(table);
    return status;
}

static rls2_status make_room(walk *w, rls2_error *err)
{
    int64_t m = w->j->ingredients.dictionary->m;
    w->kernels = rls2__alloc_zero(rls2__mul(m, w->fit.outputs), 1);
    w->inputs = rls2__alloc_zero(w->j->inputs, 1);
    w->fresh = rls2__alloc_zero(w->j->inputs, sizeof *w->fresh);
    return w->kernels && w->inputs && w->fresh ? RLS2_OK : rls2__fail_memory(err, "a half");
}

static rls2_status extend(walk *w, int64_t i, rls2_error *err)
{
    const rls2_control control = control_of(w->j, w->j->threads);
    const rls2_path_options options = rls2__fit_path_options(&w->j->recipe, &w->fit);
    const rls2__paths_job further = {.count = 1,
                                     .lambdas = w->lambdas + i,
                                     .options = &options,
                                     .losses = w->j->recipe.losses,
                                     .control = &control,
                                     .keeps_open = 1};
    rls2_status status = rls2__fit_extend(&further, &w->fit, err);
    if (status == RLS2_OK && atomic_load(&w->j->stop))
        status = rls2__fail(err, RLS2_ERR_CANCELLED, "stability selection was stopped");
    return status;
}

/* The inputs of a kernel that are not yet selected are marked and listed; returns how many there
 * are in the list then. */
static int64_t add_inputs(walk *w, int64_t k, int64_t fresh)
{
    int64_t found[RLS2__FEW_INPUTS];
    int few =
        rls2__kernel_inputs(w->j->ingredients.dictionary, k, w->j->input_of, w->j->inputs, found);
    for (int t = 0; t < few; t++) {
        if (w->inputs[found[t]]) continue;
        w->inputs[found[t]] = 1;
        w->fresh[fresh++] = found[t];
    }
    return fresh;
}

/* Takes point i of all outputs over; 0 where that would be more inputs than allowed. */
static int take_point(walk *w, int64_t i)
{
    int64_t fresh = 0, m = w->j->ingredients.dictionary->m;
    for (int64_t o = 0; o < w->fit.outputs; o++) {
        const rls2__path_entry *entry = &w->fit.paths[o]->entries[i];
        for (int64_t t = 0; t < entry->count; t++) fresh = add_inputs(w, entry->ks[t], fresh);
    }
    if (w->count + fresh > w->j->limit) return 0;
    w->count += fresh;
    for (int64_t o = 0; o < w->fit.outputs; o++) {
        const rls2__path_entry *entry = &w->fit.paths[o]->entries[i];
        for (int64_t t = 0; t < entry->count; t++) w->kernels[o * m + entry->ks[t]] = 1;
    }
    return 1;
}

static rls2_status keep_half(const walk *w, half *kept, rls2_error *err)
{
    int64_t m = w->j->ingredients.dictionary->m;
    kept->inputs = w->count;
    for (int64_t o = 0; o < w->fit.outputs; o++) {
        int64_t count = 0, place = 0;
        for (int64_t k = 0; k < m; k++) count += w->kernels[o * m + k];
        kept->kernels[o] = rls2__alloc(count, sizeof **kept->kernels);
        if (!kept->kernels[o]) return rls2__fail_memory(err, "a half");
        for (int64_t k = 0; k < m; k++)
            if (w->kernels[o * m + k]) kept->kernels[o][place++] = k;
        kept->counts[o] = count;
    }
    return RLS2_OK;
}

static rls2_status run_half(job *j, int64_t h, rls2_error *err)
{
    walk w = {.j = j};
    rls2_status status = make_kernels(j, h, &w.fit, err);
    if (status == RLS2_OK) status = make_room(&w, err);
    if (status == RLS2_OK) status = rls2__fit_lambdas(&j->recipe, &w.fit, w.lambdas, err);
    int goes_on = 1;
    for (int64_t i = 0; i < GRID && goes_on && status == RLS2_OK; i++) {
        status = extend(&w, i, err);
        goes_on = status == RLS2_OK && take_point(&w, i);
    }
    if (status == RLS2_OK) status = keep_half(&w, &j->found[h], err);
    rls2__free(w.fresh);
    rls2__free(w.inputs);
    rls2__free(w.kernels);
    rls2__fit_release(&w.fit);
    return status;
}

static void work_on(void *user, int64_t h)
{
    job *j = user;
    rls2_error own = {0};
    if (atomic_load(&j->stop)) return;
    own.status = run_half(j, h, &own);
    if (own.status == RLS2_OK) {
        atomic_fetch_add(&j->done, 1);
        return;
    }
    atomic_store(&j->stop, 1);
    rls2__first_failure_keep(&j->first, h, &own);
}

/* ---- all of them ---- */

static rls2_status end_of(const job *j, rls2_error *err)
{
    if (j->first.task < 0 && !atomic_load(&j->stop)) return RLS2_OK;
    if (j->first.task < 0 || j->first.err.status == RLS2_ERR_CANCELLED)
        return rls2__fail(err, RLS2_ERR_CANCELLED, "stability selection was stopped");
    return rls2__fail(err, j->first.err.status, "half %" PRId64 " of %" PRId64 ": %s",
                      j->first.task + 1, j->halves->count, j->first.err.message);
}

static rls2_status run_halves(job *j, rls2_error *err)
{
    rls2__crew_job crew = {j->halves->count, work_on, watch_all, j};
    int threads = rls2__la_room(rls2__thread_count(j->options->threads));
    if (threads < 1) threads = 1; /* which says what is missing when it enters */
    int64_t most = j->halves->count < threads ? j->halves->count : threads;
    j->threads = threads / (int)most;
    j->caller = pthread_self();
    rls2__first_failure_init(&j->first);
    rls2__crew_run((int)most, &crew);
    rls2__first_failure_destroy(&j->first);
    if (j->first.task < 0) watch_half(j, NULL); /* the last word */
    return end_of(j, err);
}

/* ---- what they found ---- */

void rls2__stable_free(rls2__stable *stable)
{
    if (!stable) return;
    for (int64_t o = 0; stable->picks && o < stable->outputs; o++)
        rls2__picks_release(&stable->picks[o]);
    rls2__free(stable->picks);
    rls2__free(stable);
}

/* Of one output; place[m] is room. */
static rls2_status gather(const job *j, int64_t o, int64_t *place, rls2__picks *picks)
{
    int64_t m = j->ingredients.dictionary->m, count = 0, halves = j->halves->count;
    for (int64_t k = 0; k < m; k++) place[k] = -1;
    for (int64_t h = 0; h < halves; h++)
        for (int64_t t = 0; t < j->found[h].counts[o]; t++) place[j->found[h].kernels[o][t]] = 0;
    for (int64_t k = 0; k < m; k++)
        if (place[k] == 0) place[k] = count++;
    if (rls2__picks_reserve(picks, halves, count) != RLS2_OK) return RLS2_ERR_MEMORY;
    for (int64_t k = 0; k < m; k++)
        if (place[k] >= 0) picks->kernels[place[k]] = k;
    for (int64_t h = 0; h < halves; h++)
        for (int64_t t = 0; t < j->found[h].counts[o]; t++)
            rls2__bit_set(picks->bits + place[j->found[h].kernels[o][t]] * rls2__words_of(halves),
                          h);
    return RLS2_OK;
}

static rls2_stability describe(const job *j, int64_t inputs)
{
    const rls2__stable_options *options = j->options;
    double sum = 0.0;
    for (int64_t h = 0; h < j->halves->count; h++) sum += (double)j->found[h].inputs;
    return (rls2_stability){.pairs = options->pairs,
                            .rows = j->halves->n / 2,
                            .inputs = inputs,
                            .limit = j->limit,
                            .mean = sum / (double)j->halves->count,
                            .threshold = RLS2__STABLE_SHARE,
                            .least = rls2__stable_from(RLS2__STABLE_SHARE, j->halves->count),
                            .errors = rls2__stability_worst(j->limit, inputs, RLS2__STABLE_SHARE),
                            .likely_errors = rls2__stability_likely(options->pairs, j->limit,
                                                                    inputs, RLS2__STABLE_SHARE)};
}

static rls2_status sum_up(const job *j, int64_t inputs, rls2__stable **stable, rls2_error *err)
{
    int64_t outputs = rls2_dataset_outputs(j->ingredients.whole);
    rls2__stable *made = rls2__alloc_zero(1, sizeof *made);
    int64_t *place = rls2__alloc(j->ingredients.dictionary->m, sizeof *place);
    rls2_status status = RLS2_OK;
    if (made) {
        made->outputs = outputs;
        made->picks = rls2__alloc_zero(outputs, sizeof *made->picks);
    }
    if (!made || !made->picks || !place) status = RLS2_ERR_MEMORY;
    for (int64_t o = 0; o < outputs && status == RLS2_OK; o++)
        status = gather(j, o, place, &made->picks[o]);
    rls2__free(place);
    if (status != RLS2_OK) {
        rls2__stable_free(made);
        return rls2__fail_memory(err, "stability selection");
    }
    made->about = describe(j, inputs);
    *stable = made;
    return RLS2_OK;
}

/* ---- inputs ---- */

/* The input of each column of the data; NULL when out of memory. */
static int64_t *inputs_of_columns(const rls2_dataset *data)
{
    const rls2__encoder *encoder = data->encoder;
    int64_t *input_of = rls2__alloc_zero(encoder->columns, sizeof *input_of);
    for (int64_t k = 0; input_of && k < encoder->count; k++)
        for (int64_t v = 0; v < encoder->inputs[k].width; v++)
            input_of[encoder->inputs[k].first + v] = k;
    return input_of;
}

int64_t rls2__stable_inputs(const rls2_dictionary *dictionary, const rls2_dataset *data)
{
    int64_t found[RLS2__FEW_INPUTS], count = 0, inputs = data->encoder->count;
    int64_t *input_of = inputs_of_columns(data);
    unsigned char *seen = rls2__alloc_zero(inputs, 1);
    if (!input_of || !seen) count = -1;
    for (int64_t k = 0; k < dictionary->m && count >= 0; k++) {
        int few = rls2__kernel_inputs(dictionary, k, input_of, inputs, found);
        for (int t = 0; t < few; t++) {
            count += !seen[found[t]];
            seen[found[t]] = 1;
        }
    }
    rls2__free(seen);
    rls2__free(input_of);
    return count;
}

/* ---- from outside ---- */

static rls2_status reserve_found(job *j, rls2_error *err)
{
    int64_t outputs = rls2_dataset_outputs(j->ingredients.whole);
    j->found = rls2__alloc_zero(j->halves->count, sizeof *j->found);
    for (int64_t h = 0; j->found && h < j->halves->count; h++) {
        j->found[h].kernels = rls2__alloc_zero(outputs, sizeof *j->found[h].kernels);
        j->found[h].counts = rls2__alloc_zero(outputs, sizeof *j->found[h].counts);
        if (!j->found[h].kernels || !j->found[h].counts)
            return rls2__fail_memory(err, "stability selection");
    }
    return j->found ? RLS2_OK : rls2__fail_memory(err, "stability selection");
}

static void release_found(job *j)
{
    int64_t outputs = rls2_dataset_outputs(j->ingredients.whole);
    for (int64_t h = 0; j->found && h < j->halves->count; h++) {
        for (int64_t o = 0; j->found[h].kernels && o < outputs; o++)
            rls2__free(j->found[h].kernels[o]);
        rls2__free(j->found[h].kernels);
        rls2__free(j->found[h].counts);
    }
    rls2__free(j->found);
}

/* As of cross-validation, and a grid of its own in every half. */
static void settle_recipe(job *j, const rls2__ingredients *from, const rls2__recipe *recipe)
{
    rls2__ingredients_copy(from, recipe, &j->ingredients);
    j->ingredients.resolved.path.degrees_of_freedom = RLS2_DF_NONE;
    j->ingredients.prepared = j->options->prepared;
    j->recipe = *j->ingredients.recipe;
    j->recipe.lambdas = NULL;
    j->recipe.lambda_count = GRID;
}

static rls2_status find(job *j, rls2__stable **stable, rls2_error *err)
{
    const rls2_control control = control_of(j, j->options->threads);
    int64_t inputs = rls2__stable_inputs(j->ingredients.dictionary, j->ingredients.whole);
    if (inputs < 0) return rls2__fail_memory(err, "stability selection");
    rls2__invariant(inputs > 0);
    j->limit = rls2__stability_limit(inputs, RLS2__STABLE_SHARE, j->options->errors);
    j->caller = pthread_self();
    rls2_status status = reserve_found(j, err);
    if (status == RLS2_OK && !j->ingredients.prepared)
        status = rls2__ingredients_share(&j->ingredients, j->table, &control, err);
    if (status == RLS2_OK) status = run_halves(j, err);
    if (status == RLS2_OK) status = sum_up(j, inputs, stable, err);
    release_found(j);
    return status;
}

rls2_status rls2__stable_find(const rls2_table *table, const rls2__ingredients *from,
                              const rls2__recipe *recipe, const rls2__stable_options *options,
                              rls2__stable **stable, rls2_error *err)
{
    rls2_splits *halves = NULL;
    int64_t *input_of = NULL;
    job *j = rls2__alloc_zero(1, sizeof *j);
    if (!j) return rls2__fail_memory(err, "stability selection");
    j->table = table;
    j->options = options;
    settle_recipe(j, from, recipe);
    rls2_status status = rls2__splits_halves(rls2_dataset_rows(from->whole), options->strata,
                                             options->pairs, options->seed, &halves, err);
    j->halves = halves;
    j->input_of = input_of = inputs_of_columns(from->whole);
    j->inputs = from->whole->encoder->count;
    if (status == RLS2_OK && !input_of) status = rls2__fail_memory(err, "stability selection");
    if (status == RLS2_OK) status = find(j, stable, err);
    rls2__free(input_of);
    rls2__splits_destroy(halves);
    rls2__ingredients_release(&j->ingredients);
    rls2__free(j);
    return status;
}

rls2_status rls2__stable_tell_model(const rls2__stable *stable, rls2_model *model)
{
    rls2__invariant(stable->outputs == model->output_count);
    model->stability = stable->about;
    for (int64_t o = 0; o < stable->outputs; o++) {
        rls2_model *output = model->outputs ? model->outputs[o] : model;
        const rls2__picks *from = &stable->picks[o];
        rls2__picks *to = &output->picks[RLS2_TRIALS_HALVES];
        if (rls2__picks_copy(from, to) != RLS2_OK) return RLS2_ERR_MEMORY;
    }
    return RLS2_OK;
}

static const rls2__picks **list_picks(const rls2__stable *stable)
{
    const rls2__picks **list = rls2__alloc(stable->outputs, sizeof *list);
    for (int64_t o = 0; list && o < stable->outputs; o++) list[o] = &stable->picks[o];
    return list;
}

rls2_status rls2__stable_kernel_counts(const rls2__stable *stable,
                                       const rls2_dictionary *dictionary, int64_t *counts)
{
    const rls2__picks **list = list_picks(stable);
    if (!list) return RLS2_ERR_MEMORY;
    rls2__picks_count_kernels(stable->outputs, list, dictionary->m, counts);
    rls2__free(list);
    return RLS2_OK;
}

rls2_status rls2__stable_input_counts(const rls2__stable *stable, const rls2_dictionary *dictionary,
                                      const rls2_dataset *data, int64_t *counts)
{
    const rls2__picks **list = list_picks(stable);
    int64_t *input_of = inputs_of_columns(data);
    rls2_status status = list && input_of
                             ? rls2__picks_count_inputs(stable->outputs, list, dictionary, input_of,
                                                        data->encoder->count, counts)
                             : RLS2_ERR_MEMORY;
    rls2__free(input_of);
    rls2__free(list);
    return status;
}
