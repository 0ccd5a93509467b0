/* The curve of cross-validation from counts: each part is left out once, and its squared errors are
 * sums over its own counts. Other measures look at its rows. [MATH.md, L4] */
#include <math.h>
#include <string.h>

#include "base/crew.h"
#include "base/invariant.h"
#include "base/memory.h"
#include "base/status.h"
#include "la/la.h"
#include "la/threads.h"
#include "select/cv_summary.h"
#include "select/tall.h"

int rls2__measure_is_of_squares(rls2_measure measure)
{
    return measure == RLS2_MEASURE_RMSE || measure == RLS2_MEASURE_MSE ||
           measure == RLS2_MEASURE_R2;
}

/* One split while it is scored. */
typedef struct split {
    const rls2__tall_curve_job *job;
    rls2_cv *cv;
    int64_t part;
    rls2__tall_fit fit;
    rls2__moments left;    /* of the rows left out, about the intercepts of the fit */
    double *f;             /* points x outputs: what it says there */
    double *parts;         /* points x most selected */
    double *image;         /* points x 2 */
    unsigned char *seen;   /* kernels */
    rls2__tally **tallies; /* outputs */
    /* its rows, where measures need them */
    int64_t n;
    double *predicted, *y, *weights; /* n x outputs, n x outputs, n */
    int64_t *numbers;                /* n */
    uint16_t *at;                    /* n x axes: where they lie */
    uint8_t *share;
} split;

static void split_release(split *s)
{
    for (int64_t o = 0; s->tallies && o < s->fit.outputs; o++) rls2__tally_free(s->tallies[o]);
    rls2__free(s->tallies);
    rls2__tall_fit_release(&s->fit);
    rls2__moments_release(&s->left);
    rls2__free(s->f);
    rls2__free(s->parts);
    rls2__free(s->image);
    rls2__free(s->seen);
    rls2__free(s->predicted);
    rls2__free(s->y);
    rls2__free(s->weights);
    rls2__free(s->numbers);
    rls2__free(s->at);
    rls2__free(s->share);
}

/* ---- rows ---- */

static rls2_status find_rows(split *s)
{
    const rls2__tall_rows *rows = s->job->rows;
    const rls2_dataset *data = rows->data;
    const rls2__axes *axes = s->job->from->counts->axes;
    int64_t outputs = s->fit.outputs;
    for (int64_t i = 0; i < data->rows; i++) s->n += rows->part[i] == s->part;
    s->numbers = rls2__alloc(s->n, sizeof *s->numbers);
    s->predicted = rls2__alloc(rls2__mul(s->n, outputs), sizeof(double));
    s->y = rls2__alloc(rls2__mul(s->n, outputs), sizeof(double));
    s->weights = data->weights ? rls2__alloc(s->n, sizeof(double)) : NULL;
    s->at = rls2__alloc(rls2__mul(s->n, axes->count), sizeof *s->at);
    s->share = rls2__alloc(rls2__mul(s->n, axes->count), sizeof *s->share);
    if (!s->numbers || !s->predicted || !s->y || (data->weights && !s->weights) || !s->at ||
        !s->share)
        return RLS2_ERR_MEMORY;
    for (int64_t i = 0, t = 0; i < data->rows; i++)
        if (rows->part[i] == s->part) s->numbers[t++] = i;
    for (int64_t t = 0; t < s->n; t++) {
        for (int64_t o = 0; o < outputs; o++)
            s->y[o * s->n + t] = data->y[o * data->rows + s->numbers[t]];
        if (s->weights) s->weights[t] = data->weights[s->numbers[t]];
    }
    for (int64_t a = 0; a < axes->count; a++)
        rls2__axis_place(&axes->all[a], data->x, data->rows, s->n, s->numbers, s->at + a * s->n,
                         s->share + a * s->n);
    return RLS2_OK;
}

static void predict_rows(split *s, int64_t o, const double *f)
{
    const rls2__axes *axes = s->job->from->counts->axes;
    double *out = s->predicted + o * s->n;
    for (int64_t t = 0; t < s->n; t++) out[t] = s->fit.moments.mean[o];
    for (int64_t a = 0; a < axes->count; a++) {
        const double *at_points = f + axes->first[a];
        const uint16_t *at = s->at + a * s->n;
        const uint8_t *share = s->share + a * s->n;
        for (int64_t t = 0; t < s->n; t++) {
            out[t] += at_points[at[t]];
            if (share[t])
                out[t] += (at_points[at[t] + 1] - at_points[at[t]]) * share[t] / RLS2__SHARES;
        }
    }
}

/* ---- sums ---- */

/* image = N f, of the rows left out. */
static void multiply(const split *s, const double *f, double *image)
{
    int64_t D = s->left.points;
    rls2__la_symv(D, 1.0, s->left.N, D, f, image);
}

/* Of output o at point i: sum of squared errors; and what each kernel adds. */
static double squared_error(split *s, int64_t o, const double *f)
{
    int64_t D = s->left.points;
    const double *b = s->left.b + o * D;
    multiply(s, f, s->image);
    return fmax(s->left.square[o] - 2.0 * rls2__la_dot(D, f, b) + rls2__la_dot(D, f, s->image),
                0.0);
}

/* sum w f_k (2 r - g) and sum w f_k of a kernel's part; 2 r - g = 2 (y - m) - (f - m). */
static void tally_kernels(split *s, int64_t o, int64_t i, const double *f)
{
    int64_t D = s->left.points;
    const rls2__path_entry *entry = &s->fit.paths[o]->entries[i];
    rls2__tally *tally = s->tallies[o];
    const double *b = s->left.b + o * D;
    /* s->image is N f still */
    for (int64_t t = 0; t < entry->count; t++) {
        const double *part = s->parts + t * D;
        double product = 2.0 * rls2__la_dot(D, part, b) - rls2__la_dot(D, part, s->image);
        tally->product[tally->first[i] + t] = product;
        tally->part[tally->first[i] + t] = rls2__la_dot(D, part, s->left.mass);
        /* each axis has all the mass: a kernel lies on its own alone */
    }
    tally->rest[i] = 0.0;
    const rls2__axes *axes = s->job->from->counts->axes;
    double responses = 0.0, fitted = 0.0;
    for (int64_t g = 0; g < axes->all[0].count; g++) responses += b[g];
    fitted = rls2__la_dot(D, f, s->left.mass);
    tally->rest[i] = 2.0 * responses - fitted;
}

static double measure_squares(const split *s, const double *errors)
{
    const rls2_cv *cv = s->cv;
    double sum = 0.0;
    int64_t used = 0;
    for (int64_t o = 0; o < s->fit.outputs; o++) {
        double mean = errors[o] / s->left.weight, value = mean;
        if (cv->measure == RLS2_MEASURE_RMSE) value = sqrt(mean);
        if (cv->measure == RLS2_MEASURE_R2) {
            const rls2__axes *axes = s->job->from->counts->axes;
            double about = 0.0;
            for (int64_t g = 0; g < axes->all[0].count; g++)
                about += s->left.b[o * s->left.points + g];
            double spread = s->left.square[o] - about * about / s->left.weight;
            if (!(spread > 0.0)) continue;
            value = 1.0 - errors[o] / spread;
        }
        sum += value;
        used++;
    }
    return used > 0 ? sum / (double)used : (double)NAN;
}

/* ---- one split ---- */

static int64_t count_kernels(split *s, int64_t i)
{
    int64_t count = 0;
    for (int64_t o = 0; o < s->fit.outputs; o++) {
        const rls2__path_entry *entry = &s->fit.paths[o]->entries[i];
        for (int64_t t = 0; t < entry->count; t++) {
            count += !s->seen[entry->ks[t]];
            s->seen[entry->ks[t]] = 1;
        }
    }
    memset(s->seen, 0, (size_t)s->fit.basis->m);
    return count;
}

/* Are its rows looked at one by one? */
static int needs_rows(const split *s)
{
    return s->job->rows && (s->cv->predictions || !rls2__measure_is_of_squares(s->cv->measure));
}

static void keep_predictions(const split *s, int64_t i)
{
    double *all = s->cv->predictions + i * s->cv->outputs * s->cv->rows;
    for (int64_t o = 0; o < s->cv->outputs; o++)
        for (int64_t t = 0; t < s->n; t++)
            all[o * s->cv->rows + s->numbers[t]] = s->predicted[o * s->n + t];
}

static rls2_status score_point(split *s, int64_t i, double *errors)
{
    rls2_cv *cv = s->cv;
    int by_rows = needs_rows(s);
    for (int64_t o = 0; o < s->fit.outputs; o++) {
        double *f = s->f + o * s->left.points;
        rls2_status status = rls2__tall_values(&s->fit, o, i, f, s->parts);
        if (status != RLS2_OK) return status;
        errors[o] = squared_error(s, o, f);
        tally_kernels(s, o, i, f);
        if (by_rows) predict_rows(s, o, f);
        if (s->fit.paths[o]->entries[i].point.outcome != RLS2_OUTCOME_CONVERGED) cv->unconverged++;
    }
    if (cv->predictions) keep_predictions(s, i);
    cv->scores[i * cv->splits + s->part] =
        rls2__measure_is_of_squares(cv->measure)
            ? measure_squares(s, errors)
            : rls2_measure_value(cv->measure, s->fit.outputs, s->n, s->predicted, s->y, s->weights);
    cv->nzero[i * cv->splits + s->part] = (double)count_kernels(s, i);
    return RLS2_OK;
}

static rls2_status reserve_split(split *s)
{
    int64_t D = s->left.points, outputs = s->fit.outputs, most = 0;
    for (int64_t o = 0; o < outputs; o++)
        for (int64_t i = 0; i < s->fit.paths[o]->count; i++)
            if (s->fit.paths[o]->entries[i].count > most) most = s->fit.paths[o]->entries[i].count;
    s->f = rls2__alloc(rls2__mul(D, outputs), sizeof(double));
    s->parts = rls2__alloc(rls2__mul(D, most), sizeof(double));
    s->image = rls2__alloc(D, sizeof(double));
    s->seen = rls2__alloc_zero(s->fit.basis->m, 1);
    s->tallies = rls2__alloc_zero(outputs, sizeof *s->tallies);
    if (!s->f || !s->parts || !s->image || !s->seen || !s->tallies) return RLS2_ERR_MEMORY;
    for (int64_t o = 0; o < outputs; o++) {
        s->tallies[o] = rls2__tally_of_path(s->fit.paths[o]);
        if (!s->tallies[o]) return RLS2_ERR_MEMORY;
        double about = 0.0;
        for (int64_t g = 0; g < s->job->from->counts->axes->all[0].count; g++)
            about += s->left.b[o * D + g];
        s->tallies[o]->weight = s->left.weight;
        s->tallies[o]->response = about;
        s->tallies[o]->square = s->left.square[o];
    }
    return RLS2_OK;
}

static rls2_status score_split(split *s, rls2_error *err)
{
    const rls2__which_parts own = {.part = s->part, .all_but = 0, .means = s->fit.moments.mean};
    double *errors = rls2__alloc(s->fit.outputs, sizeof *errors);
    rls2_status status = errors ? RLS2_OK : RLS2_ERR_MEMORY;
    if (status == RLS2_OK) status = rls2__moments_create(s->job->from->counts, own, &s->left);
    if (status == RLS2_OK) status = reserve_split(s);
    if (status == RLS2_OK && needs_rows(s)) status = find_rows(s);
    for (int64_t i = 0; i < s->cv->count && status == RLS2_OK; i++)
        status = score_point(s, i, errors);
    s->cv->weights[s->part] = s->cv->measure == RLS2_MEASURE_ERRORS ? 1.0 : s->left.weight;
    rls2__free(errors);
    for (int64_t o = 0; o < s->fit.outputs && status == RLS2_OK; o++) {
        status = rls2__tally_add(&s->cv->shares[o], s->tallies[o]);
        s->tallies[o] = NULL;
    }
    return status == RLS2_OK ? status : rls2__fail_memory(err, "cross-validation");
}

/* Their paths are told as splits. */
typedef struct told {
    const rls2_control *control;
    rls2_progress at;
} told;

static int tell_split(void *user, const rls2_progress *progress)
{
    const told *t = user;
    rls2_progress at = t->at;
    at.share = ((double)at.done +
                (progress->total > 0 ? (double)progress->done / (double)progress->total : 0.0)) /
               (double)at.total;
    return t->control->progress(t->control->user, &at);
}

static rls2_status run_split(const rls2__tall_curve_job *job, rls2__effort *effort, int64_t part,
                             rls2_cv *cv, rls2_error *err)
{
    split s = {.job = job, .cv = cv, .part = part};
    told t = {job->control, {.stage = "splits", .done = part, .total = cv->splits}};
    rls2_control control = *job->control;
    if (control.progress) {
        control.progress = tell_split;
        control.user = &t;
    }
    const rls2__paths_job paths = {.count = job->count,
                                   .lambdas = job->lambdas,
                                   .options = job->path,
                                   .control = &control,
                                   .like = (const rls2_path *const *)job->whole->paths};
    rls2_status status = rls2__tall_fit_create(effort, job->from, part, &s.fit, err);
    if (status == RLS2_OK) status = rls2__tall_fit_extend(&paths, &s.fit, err);
    for (int64_t o = 0; o < s.fit.outputs && status == RLS2_OK; o++)
        if (s.fit.paths[o]->count < job->count)
            status = rls2__fail(err, RLS2_ERR_CANCELLED, "cross-validation was stopped");
    if (status == RLS2_OK) status = score_split(&s, err);
    split_release(&s);
    return status;
}

/* ---- the curve ---- */

enum { MOST_PREDICTIONS = 1 << 24 };

static int reserve_predictions(const rls2__tall_curve_job *job, rls2_cv *cv)
{
    int64_t values = rls2__mul(rls2__mul(cv->rows, cv->outputs), cv->count);
    if (!job->rows || values < 0 || values > MOST_PREDICTIONS) return 1;
    cv->predictions = rls2__alloc(values, sizeof(double));
    for (int64_t i = 0; cv->predictions && i < values; i++) cv->predictions[i] = (double)NAN;
    return cv->predictions != NULL;
}

static rls2_cv *reserve(const rls2__tall_curve_job *job)
{
    const rls2__counts *counts = job->from->counts;
    int64_t count = job->count, splits = job->splits;
    rls2_cv *cv = rls2__alloc_zero(1, sizeof *cv);
    if (!cv) return NULL;
    cv->splits = cv->repeat = splits;
    cv->outputs = counts->outputs;
    cv->count = count;
    cv->measure = job->measure;
    for (int64_t p = 0; p < counts->parts; p++) cv->rows += counts->totals[p].rows;
    cv->weights = rls2__alloc_zero(splits, sizeof(double));
    cv->shares = rls2__alloc_zero(cv->outputs, sizeof *cv->shares);
    cv->lambdas = rls2__alloc(count, sizeof(double));
    cv->scores = rls2__alloc_zero(rls2__mul(count, splits), sizeof(double));
    cv->nzero = rls2__alloc_zero(rls2__mul(count, splits), sizeof(double));
    cv->points = rls2__alloc_zero(count, sizeof *cv->points);
    if (!cv->weights || !cv->shares || !cv->lambdas || !cv->scores || !cv->nzero || !cv->points) {
        rls2__cv_destroy(cv);
        return NULL;
    }
    memcpy(cv->lambdas, job->lambdas, (size_t)count * sizeof(double));
    if (!reserve_predictions(job, cv)) {
        rls2__cv_destroy(cv);
        return NULL;
    }
    return cv;
}

rls2_status rls2__tall_curve(const rls2__tall_curve_job *job, rls2_cv **out, rls2_error *err)
{
    rls2_cv *cv = reserve(job);
    rls2__effort effort;
    if (!cv) return rls2__fail_memory(err, "cross-validation");
    rls2_control control = *job->control;
    control.threads = rls2__thread_count(control.threads);
    rls2_status status = rls2__la_enter_team(&control.threads, err);
    if (status != RLS2_OK) goto cleanup;
    rls2__effort_begin(&control, "splits", cv->splits, &effort);
    for (int64_t p = 0; p < cv->splits && status == RLS2_OK; p++) {
        const rls2_progress at = {.stage = "splits", .done = p, .total = cv->splits};
        if (rls2__effort_tell(&effort, &at))
            status = rls2__fail(err, RLS2_ERR_CANCELLED, "cross-validation was stopped");
        if (status == RLS2_OK) status = run_split(job, &effort, p, cv, err);
    }
    rls2__la_leave();
    for (int64_t o = 0; o < cv->outputs && status == RLS2_OK; o++)
        rls2__tally_finish(cv->shares[o]);
    if (status == RLS2_OK) rls2__cv_summarize(cv);
cleanup:
    if (status == RLS2_OK)
        *out = cv;
    else
        rls2__cv_destroy(cv);
    return status;
}
