/* A split is a world of its own: its training rows become a table, a data set with its own
 * preprocessing, weights, scalings and paths, one for each output; its validation rows are made
 * like them and predicted by every point of the paths.
 *
 * It may be fitted a few lambdas at a time. While it is open its kernels stay, and paths go on to
 * the bit as if they had been fitted at once; one that is opened again begins its paths anew. That
 * happens too where kernels that were taken in 32 bits are too coarse for a smaller lambda. */
#include "select/cv_split.h"

#include <string.h>

#include "base/invariant.h"
#include "base/memory.h"
#include "base/status.h"
#include "basis/basis.h"
#include "select/baselines.h"
#include "select/splits.h"
#include "select/taken.h"
#include "select/tally_linear.h"
#include "solver/path.h"
#include "solver/path_predict.h"
#include "table/dataset.h"
#include "table/view.h"

/* Rows of the data as a table. */
static rls2_status take_rows(const rls2__cv_job *job, int64_t count, const int64_t *rows,
                             rls2_table **taken, rls2_error *err)
{
    int64_t *source = rls2__alloc(count, sizeof *source);
    if (!source) return rls2__fail_memory(err, "the rows of a split");
    for (int64_t i = 0; i < count; i++) source[i] = job->whole->source[rows[i]];
    rls2_status status = rls2_table_take(job->table, count, source, taken, err);
    rls2__free(source);
    return status;
}

/* ---- the rows left out ---- */

/* The validation rows of a split, made like its training rows, and room for what is said about
 * them at the lambdas from `first` to `end`. */
typedef struct left_out {
    rls2__cv_job *job;
    int64_t split;
    int64_t outputs;
    int64_t n;
    const int64_t *numbers; /* among the rows that were split */
    rls2_table *table;
    rls2_dataset *data;
    rls2__given given; /* between them and the training rows */
    rls2_rows rows;
    int64_t first, end;
    double *f;             /* n x outputs x lambdas: what the points say */
    double *one;           /* n x lambdas: the same for one output */
    int64_t m;             /* kernels */
    unsigned char *seen;   /* m: is the kernel among those counted? */
    int64_t told;          /* outputs of a baseline whose predictions are in f */
    double *weights;       /* n: as in the fit; NULL where each row is one */
    rls2__tally **tallies; /* outputs; the job's */
    rls2_control control;  /* of the predictions, */
    rls2__effort effort;   /* which are one */
} left_out;

struct rls2__cv_open {
    rls2__fit fit;
    int64_t first; /* lambda of the first point of its paths */
    left_out rows;
};

static void left_out_free(left_out *it)
{
    rls2__free(it->seen);
    rls2__free(it->weights);
    rls2__free(it->one);
    rls2__free(it->f);
    rls2__given_release(&it->given);
    rls2_dataset_free(it->data);
    rls2_table_free(it->table);
}

void rls2__cv_close(rls2__cv_open *open)
{
    if (!open) return;
    left_out_free(&open->rows);
    rls2__fit_release(&open->fit);
    rls2__free(open);
}

/* Room for the lambdas from `first` to `end` - 1. */
static rls2_status left_out_look_at(left_out *it, int64_t first, int64_t end, rls2_error *err)
{
    it->first = first;
    it->end = end;
    it->control = rls2__cv_control(it->job, 1);
    rls2__effort_begin(&it->control, "splits", 0, &it->effort);
    int64_t values = rls2__mul(it->n, it->end - it->first);
    rls2__free(it->f);
    rls2__free(it->one);
    it->f = rls2__alloc(rls2__mul(values, it->outputs), sizeof(double));
    it->one = rls2__alloc(values, sizeof(double));
    return it->f && it->one ? RLS2_OK : rls2__fail_memory(err, "the predictions");
}

/* Weights as in the fit, those of classes included: what a kernel explains is meant by these, or
 * what makes a rare class count would pass for an error. A class that the training rows do not have
 * counts as its rows do. */
static rls2_status weigh_as_fitted(left_out *it, const rls2__fit *fit, rls2_error *err)
{
    const double *training = rls2_dataset_row_weights(fit->data),
                 *own = rls2_dataset_row_weights(it->data);
    const int64_t *classes = rls2_dataset_classes(fit->data);
    if (!fit->weights) return RLS2_OK;
    int64_t count = classes ? rls2_dataset_class_count(fit->data) : 0;
    double *factor = rls2__alloc(count, sizeof *factor);
    it->weights = rls2__alloc(it->n, sizeof *it->weights);
    int filled = factor && it->weights;
    if (filled) {
        for (int64_t k = 0; k < count; k++) factor[k] = 1.0;
        for (int64_t t = 0; classes && t < rls2_dataset_rows(fit->data); t++)
            factor[classes[t]] = fit->weights[t] / (training ? training[t] : 1.0);
        for (int64_t t = 0; t < it->n; t++)
            it->weights[t] =
                (own ? own[t] : 1.0) * (classes ? factor[rls2_dataset_classes(it->data)[t]] : 1.0);
    }
    rls2__free(factor);
    return filled ? RLS2_OK : rls2__fail_memory(err, "the weights of left-out rows");
}

static rls2_status make_left_out(left_out *it, const rls2__fit *fit, rls2_error *err)
{
    const rls2__cv_job *job = it->job;
    rls2__view_rules rules = rls2__view_rules_of(fit->data->encoder);
    /* what is to be left out was, before rows were split */
    if (rules.missing == RLS2_MISSING_DROP) rules.missing = RLS2_MISSING_ERROR;
    if (job->ingredients.prepared)
        return rls2__take_left_out(&job->ingredients, fit, it->n, it->numbers, &it->data, err);
    rls2_status status = take_rows(job, it->n, it->numbers, &it->table, err);
    if (status == RLS2_OK)
        status = rls2__dataset_like(it->table, fit->data->encoder, &fit->data->preparation, rules,
                                    &it->data, err);
    return status;
}

/* Free even where it fails. */
static rls2_status left_out_create(rls2__cv_job *job, int64_t s, const rls2__fit *fit, left_out *it,
                                   rls2_error *err)
{
    const int64_t *training;
    int64_t train_n = rls2_splits_training(job->splits, s, &training);
    *it = (left_out){
        .job = job, .split = s, .outputs = fit->outputs, .m = rls2_basis_count(fit->basis)};
    it->n = rls2_splits_validation(job->splits, s, &it->numbers);
    it->tallies = job->waiting + s * it->outputs;
    it->seen = rls2__alloc(it->m, 1);
    rls2_status status = it->seen ? RLS2_OK : rls2__fail_memory(err, "the predictions");
    if (status == RLS2_OK) status = make_left_out(it, fit, err);
    if (status == RLS2_OK)
        status = rls2__given_take(&job->ingredients, it->n, it->numbers, train_n, training,
                                  &it->given, err);
    it->rows = (rls2_rows){.n = it->n, .p = fit->rows.p, .x = rls2_dataset_x(it->data)};
    rls2__given_lend(&it->given, &it->rows);
    return status == RLS2_OK ? weigh_as_fitted(it, fit, err) : status;
}

/* ---- scores ---- */

/* What the points of a path say about output o, from `one` to its place in f. */
static void keep_output(left_out *it, int64_t o)
{
    size_t column = (size_t)it->n * sizeof(double);
    for (int64_t i = 0; i < it->end - it->first; i++)
        memcpy(it->f + (i * it->outputs + o) * it->n, it->one + i * it->n, column);
}

/* Of output o in the training rows, by the weights of the fit. */
static double training_mean(const rls2__fit *fit, int64_t o)
{
    const double *w = fit->weights;
    int64_t n = rls2_dataset_rows(fit->data);
    if (fit->means) return fit->means[o];
    const double *y = rls2_dataset_y(fit->data) + o * n;
    double sum = 0.0, total = 0.0;
    for (int64_t t = 0; t < n; t++) {
        sum += (w ? w[t] : 1.0) * y[t];
        total += w ? w[t] : 1.0;
    }
    return sum / total;
}

/* The path of an output from the lambda on that is looked at first; borrows its points. */
static rls2_path part_of(const rls2__cv_open *open, int64_t o)
{
    rls2_path part = *open->fit.paths[o];
    int64_t passed = open->rows.first - open->first;
    rls2__invariant(part.count == open->rows.end - open->first);
    part.entries += passed;
    part.count -= passed;
    return part;
}

/* What points of the path of output o say, and what the kernels have explained. */
static rls2_status predict_part(rls2__cv_open *open, int64_t o, const rls2_path *part,
                                rls2__tally **tally, rls2_error *err)
{
    left_out *it = &open->rows;
    const rls2__split_triangles *moments = it->job->moments;
    const double *y = rls2_dataset_y(it->data) + o * it->n;
    const rls2__tally_rows about = {.n = it->n,
                                    .y = part->loss.kind == RLS2_LOSS_SQUARE ? y : NULL,
                                    .weights = it->weights,
                                    .mean = training_mean(&open->fit, o)};
    if (!moments)
        return rls2__tally_predict(&it->effort, part, &it->rows, &about, it->one, tally, err);
    const rls2__tally_sums sums = {.moments = &moments->left_out[it->split],
                                   .centers = open->fit.centers,
                                   .output = o,
                                   .offset = moments->offsets[o],
                                   .mean = about.mean};
    return rls2__tally_linear(&it->effort, part, &it->rows, &sums, it->one, tally, err);
}

/* Output o by its path, and what the kernels have explained of it. */
static rls2_status predict_output(rls2__cv_open *open, int64_t o, rls2_error *err)
{
    left_out *it = &open->rows;
    const rls2_path part = part_of(open, o);
    rls2__tally *tally = NULL;
    rls2_status status = predict_part(open, o, &part, &tally, err);
    if (status != RLS2_OK) return status;
    keep_output(it, o);
    return rls2__tally_join(&it->tallies[o], tally) == RLS2_OK
               ? RLS2_OK
               : rls2__fail_memory(err, "the shares of the kernels");
}

/* The scores of all outputs together, at the split's places; `part` as a pool counts. */
static void score(const left_out *it, int part, double *scores)
{
    const rls2_cv *cv = it->job->cv;
    for (int64_t i = it->first; i < it->end; i++)
        scores[i * cv->splits + it->split] =
            rls2_measure_value_of(cv->measure, cv->losses, it->outputs, it->n,
                                  it->f + (i - it->first) * it->outputs * it->n,
                                  rls2_dataset_y(it->data), rls2_dataset_row_weights(it->data));
    if (it->job->pool.start)
        rls2__pooled_keep(&it->job->pool, part, it->split, it->first, it->end - it->first, it->f);
}

/* How many of the kernels of point i had not been seen. */
static int64_t count_unseen(left_out *it, const rls2_path *path, int64_t i)
{
    const int64_t *ks;
    int64_t count = rls2_path_kernel_weights(path, i, &ks, NULL), found = 0;
    for (int64_t t = 0; t < count; t++) {
        found += !it->seen[ks[t]];
        it->seen[ks[t]] = 1;
    }
    return found;
}

static void forget_seen(left_out *it, const rls2_path *path, int64_t i)
{
    const int64_t *ks;
    int64_t count = rls2_path_kernel_weights(path, i, &ks, NULL);
    for (int64_t t = 0; t < count; t++) it->seen[ks[t]] = 0;
}

/* Kernels that any output selects at point i. */
static int64_t count_selected(left_out *it, rls2_path *const *paths, int64_t i)
{
    int64_t count = 0;
    for (int64_t o = 0; o < it->outputs; o++) count += count_unseen(it, paths[o], i);
    for (int64_t o = 0; o < it->outputs; o++) forget_seen(it, paths[o], i);
    rls2__invariant(count >= 1 && count <= it->m);
    return count;
}

/* From f to their places among those of all rows, of the path or of a member. */
static void keep_predictions(const left_out *it, double *predictions)
{
    const rls2_cv *cv = it->job->cv;
    double *all = predictions + it->first * it->outputs * cv->rows;
    rls2__invariant(it->outputs == cv->outputs);
    rls2__invariant(rls2__is_ascending(it->n, it->numbers, cv->rows));
    for (int64_t i = 0; i < (it->end - it->first) * it->outputs; i++)
        for (int64_t t = 0; t < it->n; t++)
            if (cv->owner[it->numbers[t]] == it->split)
                all[i * cv->rows + it->numbers[t]] = it->f[i * it->n + t];
}

/* At the lambdas looked at. */
static rls2_status validate(rls2__cv_open *open, rls2_error *err)
{
    left_out *it = &open->rows;
    rls2_path *const *paths = open->fit.paths;
    rls2_cv *cv = it->job->cv;
    rls2_status status = RLS2_OK;
    for (int64_t o = 0; o < it->outputs && status == RLS2_OK; o++)
        status = predict_output(open, o, err);
    if (status != RLS2_OK) return status;
    score(it, 0, cv->scores);
    keep_predictions(it, cv->predictions);
    memset(it->seen, 0, (size_t)it->m);
    for (int64_t i = it->first; i < it->end; i++) {
        int64_t at = i - open->first;
        cv->nzero[i * cv->splits + it->split] = (double)count_selected(it, paths, at);
        for (int64_t o = 0; o < it->outputs; o++)
            if (rls2_path_at(paths[o], at)->outcome != RLS2_OUTCOME_CONVERGED)
                atomic_fetch_add(&it->job->unconverged, 1);
    }
    return RLS2_OK;
}

/* ---- baselines ---- */

/* A baseline whose predictions overflow is not defined, which does not concern the others. Its
 * weights are the same at all points. */
static rls2_status take_baseline(void *user, rls2_baseline which, int64_t o, const rls2_path *path,
                                 rls2_error *err)
{
    left_out *it = user;
    const rls2_cv *cv = it->job->cv;
    const rls2__cv_baseline *baseline = &cv->baselines[which];
    if (o == 0) {
        it->told = 0;
        memset(it->seen, 0, (size_t)it->m);
    }
    rls2_status status = rls2__path_predict_parts(&it->effort, path, &it->rows, NULL, it->one, err);
    if (status != RLS2_OK) return status == RLS2_ERR_VALUE ? RLS2_OK : status;
    keep_output(it, o);
    int64_t found = count_unseen(it, path, 0);
    for (int64_t i = it->first; i < it->end; i++)
        baseline->nzero[i * cv->splits + it->split] += (double)found;
    rls2__invariant(it->told < it->outputs);
    if (++it->told < it->outputs) return RLS2_OK;
    score(it, 1 + (int)which, baseline->scores);
    for (int t = 0; cv->members && t < RLS2__AVERAGES; t++)
        if (which == rls2__member_rule(cv->members->kernels[t]))
            keep_predictions(it, cv->members->predictions[t]);
    return RLS2_OK;
}

/* Every lambda says the same. The square loss has R2 for that. */
static rls2_status take_constant(rls2__cv_open *open, rls2_error *err)
{
    left_out *it = &open->rows;
    const rls2_cv *cv = it->job->cv;
    if (cv->losses[0].kind == RLS2_LOSS_SQUARE) return RLS2_OK;
    double *constants = rls2__alloc(it->outputs, sizeof *constants);
    if (!constants) return rls2__fail_memory(err, "the baselines");
    rls2_status status = rls2__best_constants(it->job->recipe, &open->fit, constants, err);
    int64_t columns = (it->end - it->first) * it->outputs;
    for (int64_t i = 0; i < columns && status == RLS2_OK; i++)
        for (int64_t t = 0; t < it->n; t++) it->f[i * it->n + t] = constants[i % it->outputs];
    if (status == RLS2_OK)
        score(it, 1 + RLS2_BASELINE_CONSTANT, cv->baselines[RLS2_BASELINE_CONSTANT].scores);
    rls2__free(constants);
    return status;
}

/* At all lambdas since it was opened: what they share is computed once. */
static rls2_status fit_baselines(rls2__cv_open *open, rls2_error *err)
{
    left_out *it = &open->rows;
    rls2__cv_job *job = it->job;
    const rls2_control control = rls2__cv_control(job, job->threads);
    int64_t end = job->scored[it->split];
    if (!job->options.baselines || open->first == end) return RLS2_OK;
    rls2_status status = left_out_look_at(it, open->first, end, err);
    if (status == RLS2_OK) status = take_constant(open, err);
    if (status != RLS2_OK) return status;
    return rls2__fit_baselines(job->recipe, &open->fit, it->end - it->first,
                               job->cv->lambdas + it->first, &control, take_baseline, it, err);
}

/* ---- what may be stacked ---- */

static rls2_status take_member(void *user, int64_t o, const rls2_path *path, rls2_error *err)
{
    left_out *it = user;
    rls2_status status = rls2__path_predict_parts(&it->effort, path, &it->rows, NULL, it->one, err);
    if (status == RLS2_OK) keep_output(it, o);
    return status;
}

/* A member that overflows somewhere has no predictions there, and is not chosen. */
static rls2_status fit_member(rls2__cv_open *open, int64_t t, rls2_error *err)
{
    left_out *it = &open->rows;
    rls2__cv_job *job = it->job;
    const rls2__members *members = job->cv->members;
    const rls2_control control = rls2__cv_control(job, job->threads);
    rls2_status status =
        rls2__fit_member(job->recipe, &open->fit, members->kernels[t], it->end - it->first,
                         job->cv->lambdas + it->first, &control, take_member, it, err);
    if (status == RLS2_OK) keep_predictions(it, members->predictions[t]);
    return status == RLS2_ERR_NUMERIC || status == RLS2_ERR_VALUE ? RLS2_OK : status;
}

/* At all lambdas since it was opened, as baselines are. */
static rls2_status fit_members(rls2__cv_open *open, rls2_error *err)
{
    left_out *it = &open->rows;
    const rls2__members *members = it->job->cv->members;
    int64_t end = it->job->scored[it->split];
    if (!members || open->first == end) return RLS2_OK;
    rls2_status status = left_out_look_at(it, open->first, end, err);
    int64_t first = it->job->options.baselines ? RLS2__AVERAGES : 0; /* which are baselines */
    for (int64_t t = first; t < members->count && status == RLS2_OK; t++)
        status = fit_member(open, t, err);
    return status;
}

/* ---- the split ---- */

/* By how much kernels may be off: c'R c by that times |c|^2, where lambda |c|^2 <= y'c, so that
 * the gap includes twice this share of its tolerance for it, at the least lambda. */
static double coarse_enough(const rls2__cv_job *job)
{
    static const double COARSE_SHARE = 0.05;
    double least = job->cv->count > 0 ? job->cv->lambdas[job->cv->count - 1] : 0.0;
    return COARSE_SHARE * job->recipe->path.gap_tol * least;
}

/* Virtual rows in the place of those it learns from, and their kernels. */
static rls2_status make_virtual(const rls2__cv_job *job, int64_t s, const rls2_control *control,
                                rls2__fit *fit, rls2_error *err)
{
    rls2_status status = rls2__take_virtual(&job->ingredients, job->moments, s, fit, err);
    return status == RLS2_OK ? rls2__fit_bases_virtual(&job->ingredients, control, fit, err)
                             : status;
}

/* The rows it learns from, and their kernels. */
static rls2_status make_training(rls2__cv_job *job, int64_t s, rls2__fit *fit, rls2_error *err)
{
    const int64_t *rows;
    int64_t n = rls2_splits_training(job->splits, s, &rows);
    const rls2_control control = rls2__cv_control(job, job->threads);
    rls2_table *table = NULL;
    if (job->moments) return make_virtual(job, s, &control, fit, err);
    if (job->ingredients.prepared)
        return rls2__fit_bases_taken(&job->ingredients, n, rows, coarse_enough(job), &control, fit,
                                     err);
    rls2_status status = take_rows(job, n, rows, &table, err);
    if (status == RLS2_OK)
        status = rls2__fit_bases(&job->ingredients, table, rows, &control, fit, err);
    rls2_table_free(table);
    return status;
}

/* In its place even where it fails. */
static rls2_status open_split(rls2__cv_job *job, int64_t s, rls2_error *err)
{
    rls2__cv_open *open = job->open[s] = rls2__alloc_zero(1, sizeof *open);
    if (!open) return rls2__fail_memory(err, "the rows of a split");
    open->first = job->scored[s];
    rls2_status status = make_training(job, s, &open->fit, err);
    return status == RLS2_OK ? left_out_create(job, s, &open->fit, &open->rows, err) : status;
}

/* Further points of its paths. */
static rls2_status go_on(rls2__cv_job *job, int64_t s, rls2_error *err)
{
    rls2__cv_open *open = job->open[s];
    const rls2_control control = rls2__cv_control(job, job->threads);
    const rls2_path_options options = rls2__fit_path_options(job->recipe, &open->fit);
    const rls2__paths_job further = {.count = job->cv->count - job->scored[s],
                                     .lambdas = job->cv->lambdas + job->scored[s],
                                     .options = &options,
                                     .losses = job->recipe->losses,
                                     .control = &control,
                                     .like = job->like,
                                     .keeps_open = job->keeps_open};
    rls2_status status = rls2__fit_extend(&further, &open->fit, err);
    for (int64_t o = 0; o < open->fit.outputs && status == RLS2_OK; o++)
        rls2__fit_set_intercept(job->recipe, &open->fit, o, open->fit.paths[o]);
    if (status == RLS2_OK &&
        atomic_load(&job->stop)) /* maybe at the last lambda, with the paths complete */
        status = rls2__fail(err, RLS2_ERR_CANCELLED, "cross-validation was stopped");
    if (status == RLS2_OK)
        status = left_out_look_at(&open->rows, job->scored[s], job->cv->count, err);
    if (status == RLS2_OK) status = validate(open, err);
    if (status == RLS2_OK) job->scored[s] = job->cv->count;
    return status;
}

/* With what is still to be said of the lambdas since it was opened. */
static rls2_status close_split(rls2__cv_job *job, int64_t s, rls2_status status, rls2_error *err)
{
    if (status == RLS2_OK) status = fit_baselines(job->open[s], err);
    if (status == RLS2_OK) status = fit_members(job->open[s], err);
    rls2__cv_close(job->open[s]);
    job->open[s] = NULL;
    return status;
}

rls2_status rls2__cv_split(rls2__cv_job *job, int64_t s, rls2_error *err)
{
    rls2_status status = RLS2_OK;
    if (!job->open[s] && job->scored[s] == job->cv->count) return RLS2_OK;
    if (job->open[s] && job->open[s]->fit.basis->coarse > coarse_enough(job))
        status = close_split(job, s, status, err);
    if (status == RLS2_OK && !job->open[s]) status = open_split(job, s, err);
    if (status == RLS2_OK && job->scored[s] < job->cv->count) status = go_on(job, s, err);
    if (status == RLS2_OK && job->keeps_open) return RLS2_OK;
    return job->open[s] ? close_split(job, s, status, err) : status;
}
