/* The curve of cross-validation from counts: each part is left out once, and its squared errors are
 * sums over its own counts. Other measures look at its rows. [MATH.md, L4] */
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "base/crew.h"
#include "base/first_failure.h"
#include "base/invariant.h"
#include "base/memory.h"
#include "base/status.h"
#include "la/la.h"
#include "la/threads.h"
#include "select/cv_summary.h"
#include "select/tall.h"

enum {
    MOST_PREDICTIONS = 1 << 24, /* that are kept, */
    MOST_FEATURES = 1 << 24,    /* likewise */
    ROWS_UNTIL_ASKED = 1 << 14  /* whether to stop, where features are evaluated */
};

int rls2__measure_is_of_squares(rls2_measure measure)
{
    return measure == RLS2_MEASURE_RMSE || measure == RLS2_MEASURE_MSE ||
           measure == RLS2_MEASURE_R2;
}

/* The rows of a split that are left out, where they are looked at one by one. */
typedef struct rows_left {
    int64_t n;
    int64_t *numbers;                /* n */
    double *predicted, *y, *weights; /* n x outputs, n x outputs, n or NULL */
    uint16_t *at;                    /* n x axes: where they lie */
    uint8_t *share;
    double *features; /* features x n; NULL: there are none, or too many */
} rows_left;

/* A split whose fit is there. */
typedef struct split {
    rls2__tall_curve *curve;
    int64_t part;
    rls2__tall_fit fit;
    rls2__moments left;  /* of the rows left out, about the intercepts of the fit */
    double *f;           /* points x outputs: what it says there */
    double *parts;       /* points x room: what each kernel does, ... */
    int64_t room;        /* ... of so many */
    double *image;       /* points */
    double *errors;      /* outputs */
    unsigned char *seen; /* kernels */
    int64_t scored;      /* lambdas of this fit */
    rows_left rows;
} split;

struct rls2__tall_curve {
    rls2__tall_curve_job job;
    rls2_cv *cv;
    int64_t room;          /* lambdas there is room for */
    int64_t *scored;       /* splits: lambdas each has come to */
    int64_t *unconverged;  /* splits: points that the solver did not finish */
    split **open;          /* splits: NULL where it is closed */
    rls2__tally **tallies; /* splits x outputs */
};

/* Splits side by side, each on a thread or more. */
typedef struct splits_run {
    rls2__tall_curve *curve;
    const rls2__tall_step *step;
    int threads; /* of each split */
    pthread_t caller;
    rls2__first_failure first;
    atomic_int stop;
    atomic_llong done;
} splits_run;

/* What the paths of splits are told by: from the caller's thread the callback is called, and who
 * said stop is not asked again. Where splits go one by one their paths are told, too. */
static int tell_splits(void *user, const rls2_progress *progress)
{
    splits_run *run = user;
    const rls2_control *control = run->curve->job.control;
    if (control->progress && pthread_equal(pthread_self(), run->caller) &&
        !atomic_load(&run->stop)) {
        rls2_progress at = {
            .stage = "splits", .done = atomic_load(&run->done), .total = run->curve->job.splits};
        double share = progress && progress->total > 0
                           ? (double)progress->done / (double)progress->total
                           : 0.0;
        at.share = ((double)at.done + share) / (double)at.total;
        if (control->progress(control->user, &at)) atomic_store(&run->stop, 1);
    }
    return atomic_load(&run->stop);
}

/* Where rows are looked at one by one a lambda may take a second: it is asked within. */
static rls2_status ask(splits_run *run)
{
    return tell_splits(run, NULL) ? RLS2_ERR_CANCELLED : RLS2_OK;
}

/* ---- rows ---- */

static void rows_release(rows_left *rows)
{
    rls2__free(rows->numbers);
    rls2__free(rows->predicted);
    rls2__free(rows->y);
    rls2__free(rows->weights);
    rls2__free(rows->at);
    rls2__free(rows->share);
    rls2__free(rows->features);
}

static rls2_status reserve_rows(const split *s, int weighted, rows_left *rows)
{
    int64_t outputs = s->fit.outputs, axes = s->curve->job.from->counts->axes->count;
    rows->numbers = rls2__alloc(rows->n, sizeof *rows->numbers);
    rows->predicted = rls2__alloc(rls2__mul(rows->n, outputs), sizeof(double));
    rows->y = rls2__alloc(rls2__mul(rows->n, outputs), sizeof(double));
    rows->weights = weighted ? rls2__alloc(rows->n, sizeof(double)) : NULL;
    rows->at = rls2__alloc(rls2__mul(rows->n, axes), sizeof *rows->at);
    rows->share = rls2__alloc(rls2__mul(rows->n, axes), sizeof *rows->share);
    return rows->numbers && rows->predicted && rows->y && (rows->weights || !weighted) &&
                   rows->at && rows->share
               ? RLS2_OK
               : RLS2_ERR_MEMORY;
}

static rls2_status find_features(const split *s, splits_run *run, rows_left *rows)
{
    const rls2__features *features = s->fit.moments.features;
    const rls2_dataset *data = s->curve->job.rows->data;
    if (!features || rows->n > MOST_FEATURES / features->total) return RLS2_OK;
    rows->features = rls2__alloc(rls2__mul(rows->n, features->total), sizeof(double));
    rls2_status status = rows->features ? RLS2_OK : RLS2_ERR_MEMORY;
    for (int64_t t = 0; t < rows->n && status == RLS2_OK; t += ROWS_UNTIL_ASKED) {
        int64_t count = rows->n - t < ROWS_UNTIL_ASKED ? rows->n - t : ROWS_UNTIL_ASKED;
        status = rls2__features_values(features, data->x, data->rows, count, rows->numbers + t,
                                       rows->features + t * features->total);
        if (status == RLS2_OK) status = ask(run);
    }
    return status;
}

static rls2_status find_rows(split *s, splits_run *run)
{
    const rls2__tall_rows *from = s->curve->job.rows;
    const rls2_dataset *data = from->data;
    const rls2__axes *axes = s->curve->job.from->counts->axes;
    rows_left *rows = &s->rows;
    for (int64_t i = 0; i < data->rows; i++) rows->n += from->part[i] == s->part;
    rls2_status status = reserve_rows(s, data->weights != NULL, rows);
    if (status != RLS2_OK) return status;
    for (int64_t i = 0, t = 0; i < data->rows; i++)
        if (from->part[i] == s->part) rows->numbers[t++] = i;
    for (int64_t t = 0; t < rows->n; t++) {
        for (int64_t o = 0; o < s->fit.outputs; o++)
            rows->y[o * rows->n + t] = data->y[o * data->rows + rows->numbers[t]];
        if (rows->weights) rows->weights[t] = data->weights[rows->numbers[t]];
    }
    for (int64_t a = 0; a < axes->count && status == RLS2_OK; a++) {
        rls2__axis_place(&axes->all[a], data->x, data->rows, rows->n, rows->numbers,
                         rows->at + a * rows->n, rows->share + a * rows->n);
        status = ask(run);
    }
    return status == RLS2_OK ? find_features(s, run, rows) : status;
}

/* What features say of rows [first, first + count). */
static rls2_status add_features(const split *s, int64_t first, int64_t count, const double *f,
                                double *out)
{
    const rls2__features *features = s->fit.moments.features;
    const rls2_dataset *data = s->curve->job.rows->data;
    const rows_left *rows = &s->rows;
    if (!rows->features)
        return rls2__features_expand(features, data->x, data->rows, count, rows->numbers + first, f,
                                     out + first);
    for (int64_t t = first; t < first + count; t++)
        out[t] += rls2__la_dot(features->total, rows->features + t * features->total, f);
    return RLS2_OK;
}

static rls2_status predict_rows(split *s, splits_run *run, int64_t o, const double *f)
{
    const rls2__axes *axes = s->curve->job.from->counts->axes;
    const rows_left *rows = &s->rows;
    double *out = rows->predicted + o * rows->n;
    for (int64_t t = 0; t < rows->n; t++) out[t] = rls2__tall_intercept(&s->fit, o);
    for (int64_t a = 0; a < axes->count; a++)
        rls2__axis_add(rows->n, rows->at + a * rows->n, rows->share + a * rows->n,
                       f + axes->first[a], out);
    rls2_status status = ask(run);
    if (!s->fit.moments.features) return status;
    f += rls2__axes_points(axes);
    for (int64_t t = 0; t < rows->n && status == RLS2_OK; t += ROWS_UNTIL_ASKED) {
        int64_t count = rows->n - t < ROWS_UNTIL_ASKED ? rows->n - t : ROWS_UNTIL_ASKED;
        status = add_features(s, t, count, f, out);
        if (status == RLS2_OK) status = ask(run);
    }
    return status;
}

/* Are its rows looked at one by one? */
static int needs_rows(const rls2__tall_curve *curve)
{
    return curve->job.rows &&
           (curve->cv->predictions || !rls2__measure_is_of_squares(curve->cv->measure));
}

static void keep_predictions(const split *s, int64_t i)
{
    const rls2_cv *cv = s->curve->cv;
    double *all = cv->predictions + i * cv->outputs * cv->rows;
    for (int64_t t = 0; t < s->rows.n; t++) cv->owner[s->rows.numbers[t]] = s->part;
    for (int64_t o = 0; o < cv->outputs; o++)
        for (int64_t t = 0; t < s->rows.n; t++)
            all[o * cv->rows + s->rows.numbers[t]] = s->rows.predicted[o * s->rows.n + t];
}

/* ---- sums ---- */

/* Of output o, the sum of y - m over the rows left out: every row lies on the first axis, too. */
static double sum_of_responses(const split *s, int64_t o)
{
    const double *b = s->left.b + o * s->left.points;
    double sum = 0.0;
    for (int64_t g = 0; g < s->curve->job.from->counts->axes->all[0].count; g++) sum += b[g];
    return sum;
}

/* Of squared errors; leaves N f in s->image. */
static double sum_of_errors(split *s, int64_t o, const double *f)
{
    int64_t D = s->left.points;
    const double *b = s->left.b + o * D;
    rls2__la_symv(D, 1.0, s->left.N, D, f, s->image);
    return fmax(s->left.square[o] - 2.0 * rls2__la_dot(D, f, b) + rls2__la_dot(D, f, s->image),
                0.0);
}

/* sum w f_k (2 r - g) and sum w f_k of each kernel's part, 2 r - g = 2 (y - m) - (f - m). */
static void tally_kernels(const split *s, int64_t o, int64_t i, const double *f)
{
    int64_t D = s->left.points, count = s->fit.paths[o]->entries[i].count;
    rls2__tally *tally = s->curve->tallies[s->part * s->fit.outputs + o];
    const double *b = s->left.b + o * D;
    for (int64_t t = 0; t < count; t++) {
        const double *part = s->parts + t * D;
        tally->product[tally->first[i] + t] =
            2.0 * rls2__la_dot(D, part, b) - rls2__la_dot(D, part, s->image);
        tally->part[tally->first[i] + t] = rls2__la_dot(D, part, s->left.mass);
    }
    tally->rest[i] = 2.0 * sum_of_responses(s, o) - rls2__la_dot(D, f, s->left.mass);
}

static double measure_of_output(const split *s, int64_t o)
{
    double mean = s->errors[o] / s->left.weight;
    switch (s->curve->cv->measure) {
    case RLS2_MEASURE_MSE: return mean;
    case RLS2_MEASURE_RMSE: return sqrt(mean);
    default: break;
    }
    double sum = sum_of_responses(s, o), spread = s->left.square[o] - sum * sum / s->left.weight;
    return spread > 0.0 ? 1.0 - s->errors[o] / spread : (double)NAN; /* R2 */
}

/* The mean over the outputs for which it is defined. */
static double measure_squares(const split *s)
{
    double sum = 0.0;
    int64_t used = 0;
    for (int64_t o = 0; o < s->fit.outputs; o++) {
        double value = measure_of_output(s, o);
        if (isnan(value)) continue;
        sum += value;
        used++;
    }
    return used > 0 ? sum / (double)used : (double)NAN;
}

/* ---- scores ---- */

static int64_t count_kernels(const split *s, int64_t i)
{
    int64_t count = 0;
    memset(s->seen, 0, (size_t)s->fit.basis->m);
    for (int64_t o = 0; o < s->fit.outputs; o++) {
        const rls2__path_entry *entry = &s->fit.paths[o]->entries[i];
        for (int64_t t = 0; t < entry->count; t++) {
            count += !s->seen[entry->ks[t]];
            s->seen[entry->ks[t]] = 1;
        }
    }
    return count;
}

static rls2_status score_point(split *s, splits_run *run, int64_t i, int fresh)
{
    rls2_cv *cv = s->curve->cv;
    const rows_left *rows = &s->rows;
    for (int64_t o = 0; o < s->fit.outputs; o++) {
        double *f = s->f + o * s->left.points;
        rls2_status status = rls2__tall_values(&s->fit, o, i, f, s->parts);
        if (status != RLS2_OK) return status;
        s->errors[o] = sum_of_errors(s, o, f);
        tally_kernels(s, o, i, f);
        if (needs_rows(s->curve)) status = predict_rows(s, run, o, f);
        if (status != RLS2_OK) return status;
        if (fresh && s->fit.paths[o]->entries[i].point.outcome != RLS2_OUTCOME_CONVERGED)
            s->curve->unconverged[s->part]++;
    }
    if (cv->predictions) keep_predictions(s, i);
    cv->scores[i * cv->splits + s->part] =
        rls2__measure_is_of_squares(cv->measure)
            ? measure_squares(s)
            : rls2_measure_value(cv->measure, s->fit.outputs, rows->n, rows->predicted, rows->y,
                                 rows->weights);
    cv->nzero[i * cv->splits + s->part] = (double)count_kernels(s, i);
    return RLS2_OK;
}

/* What there is of the lambdas before. */
static void keep_sums(const rls2__tally *old, int64_t count, rls2__tally *tally)
{
    size_t kernels = (size_t)old->first[count] * sizeof(double);
    rls2__invariant(count <= tally->count && old->first[count] == tally->first[count]);
    memcpy(tally->product, old->product, kernels);
    memcpy(tally->part, old->part, kernels);
    memcpy(tally->rest, old->rest, (size_t)count * sizeof(double));
}

/* Sums for all lambdas of the paths, zero still where this fit has not been scored. */
static rls2_status lengthen_tallies(const split *s)
{
    for (int64_t o = 0; o < s->fit.outputs; o++) {
        rls2__tally **tally = &s->curve->tallies[s->part * s->fit.outputs + o];
        rls2__tally *made = rls2__tally_of_path(s->fit.paths[o]);
        if (!made) return RLS2_ERR_MEMORY;
        if (s->scored > 0) keep_sums(*tally, s->scored, made);
        rls2__tally_free(*tally);
        *tally = made;
        made->weight = s->left.weight;
        made->response = sum_of_responses(s, o);
        made->square = s->left.square[o];
    }
    return RLS2_OK;
}

/* Room for the parts of the kernels of any point. */
static rls2_status reserve_parts(split *s)
{
    int64_t most = 1;
    for (int64_t o = 0; o < s->fit.outputs; o++)
        for (int64_t i = 0; i < s->fit.paths[o]->count; i++)
            if (s->fit.paths[o]->entries[i].count > most) most = s->fit.paths[o]->entries[i].count;
    if (most <= s->room) return RLS2_OK;
    rls2__free(s->parts);
    s->parts = rls2__alloc(rls2__mul(s->left.points, most), sizeof(double));
    s->room = s->parts ? most : 0;
    return s->parts ? RLS2_OK : RLS2_ERR_MEMORY;
}

static rls2_status score_split(split *s, splits_run *run)
{
    int64_t before = s->curve->scored[s->part];
    rls2_status status = reserve_parts(s);
    if (status == RLS2_OK) status = lengthen_tallies(s);
    for (int64_t i = s->scored; i < s->curve->cv->count && status == RLS2_OK; i++)
        status = score_point(s, run, i, i >= before);
    if (status == RLS2_OK) s->scored = s->curve->scored[s->part] = s->curve->cv->count;
    return status;
}

/* ---- one split ---- */

static void split_close(split *s)
{
    if (!s) return;
    rls2__tall_fit_release(&s->fit);
    rls2__moments_release(&s->left);
    rows_release(&s->rows);
    rls2__free(s->f);
    rls2__free(s->parts);
    rls2__free(s->image);
    rls2__free(s->errors);
    rls2__free(s->seen);
    rls2__free(s);
}

static rls2_status reserve_split(split *s, splits_run *run)
{
    const rls2__which_parts own = {.part = s->part, .means = s->fit.moments.mean};
    rls2_status status = rls2__moments_create(s->curve->job.from->counts, own, &s->left);
    if (status != RLS2_OK) return status;
    s->f = rls2__alloc(rls2__mul(s->left.points, s->fit.outputs), sizeof(double));
    s->image = rls2__alloc(s->left.points, sizeof(double));
    s->errors = rls2__alloc(s->fit.outputs, sizeof(double));
    s->seen = rls2__alloc(s->fit.basis->m, 1);
    if (!s->f || !s->image || !s->errors || !s->seen) return RLS2_ERR_MEMORY;
    s->curve->cv->weights[s->part] =
        s->curve->cv->measure == RLS2_MEASURE_ERRORS ? 1.0 : s->left.weight;
    return needs_rows(s->curve) ? find_rows(s, run) : RLS2_OK;
}

static rls2_status split_open(splits_run *run, rls2__effort *effort, int64_t part, rls2_error *err)
{
    rls2__tall_curve *curve = run->curve;
    split *s = curve->open[part] = rls2__alloc_zero(1, sizeof *s);
    if (!s) return rls2__fail_memory(err, "cross-validation");
    s->curve = curve;
    s->part = part;
    rls2_status status = rls2__tall_fit_create(effort, curve->job.from, part, &s->fit, err);
    if (status != RLS2_OK) return status;
    return rls2__explain(reserve_split(s, run), "cross-validation", err);
}

static rls2_control control_of(splits_run *run)
{
    return (rls2_control){.size = sizeof(rls2_control),
                          .threads = run->threads,
                          .progress = tell_splits,
                          .user = run};
}

static rls2_status go_on(split *s, splits_run *run, rls2_error *err)
{
    const rls2__tall_step *step = run->step;
    const rls2_control control = control_of(run);
    int64_t there = s->fit.paths ? rls2_path_count(s->fit.paths[0]) : 0;
    const rls2__paths_job further = {.count = step->count - there,
                                     .lambdas = step->lambdas + there,
                                     .options = s->curve->job.path,
                                     .control = &control,
                                     .like = (const rls2_path *const *)step->like->paths,
                                     .keeps_open = step->keeps_open};
    rls2_status status = RLS2_OK;
    if (further.count > 0) status = rls2__tall_fit_extend(&further, &s->fit, err);
    for (int64_t o = 0; o < s->fit.outputs && status == RLS2_OK; o++)
        if (s->fit.paths[o]->count < step->count)
            status = rls2__fail(err, RLS2_ERR_CANCELLED, "cross-validation was stopped");
    if (status != RLS2_OK) return status;
    return rls2__explain(score_split(s, run), "cross-validation", err);
}

static rls2_status open_and_go_on(splits_run *run, int64_t part, rls2_error *err)
{
    rls2__tall_curve *curve = run->curve;
    const rls2_control control = control_of(run);
    rls2__effort effort;
    rls2_status status = RLS2_OK;
    if (curve->scored[part] < run->step->count) {
        rls2__effort_begin(&control, "splits", 0, &effort);
        if (!curve->open[part]) status = split_open(run, &effort, part, err);
        if (status == RLS2_OK) status = go_on(curve->open[part], run, err);
    }
    if (status == RLS2_OK && run->step->keeps_open) return status;
    split_close(curve->open[part]);
    curve->open[part] = NULL;
    return status;
}

static void run_split(void *user, int64_t part)
{
    splits_run *run = user;
    rls2_error own = {0};
    if (atomic_load(&run->stop)) return;
    own.status = open_and_go_on(run, part, &own);
    if (own.status == RLS2_OK) {
        atomic_fetch_add(&run->done, 1);
        return;
    }
    atomic_store(&run->stop, 1);
    rls2__first_failure_keep(&run->first, part, &own);
}

static void watch_splits(void *user)
{
    tell_splits(user, NULL);
}

static rls2_status end_of(splits_run *run, rls2_error *err)
{
    const rls2__first_failure *first = &run->first;
    if (first->task < 0 && !atomic_load(&run->stop)) return RLS2_OK;
    if (first->task < 0 || first->err.status == RLS2_ERR_CANCELLED)
        return rls2__fail(err, RLS2_ERR_CANCELLED, "cross-validation was stopped");
    return rls2__fail(err, first->err.status, "%s", first->err.message);
}

/* ---- the curve ---- */

void rls2__tall_curve_free(rls2__tall_curve *curve)
{
    if (!curve) return;
    for (int64_t s = 0; curve->open && s < curve->job.splits; s++) split_close(curve->open[s]);
    if (curve->tallies)
        for (int64_t t = 0; t < curve->job.splits * curve->job.from->counts->outputs; t++)
            rls2__tally_free(curve->tallies[t]);
    rls2__cv_destroy(curve->cv);
    rls2__free(curve->open);
    rls2__free(curve->unconverged);
    rls2__free(curve->tallies);
    rls2__free(curve->scored);
    rls2__free(curve);
}

static rls2_status reserve(rls2__tall_curve *curve)
{
    const rls2__counts *counts = curve->job.from->counts;
    int64_t splits = curve->job.splits;
    rls2_cv *cv = curve->cv = rls2__alloc_zero(1, sizeof *cv);
    curve->open = rls2__alloc_zero(splits, sizeof *curve->open);
    curve->scored = rls2__alloc_zero(splits, sizeof *curve->scored);
    curve->unconverged = rls2__alloc_zero(splits, sizeof *curve->unconverged);
    curve->tallies = rls2__alloc_zero(rls2__mul(splits, counts->outputs), sizeof *curve->tallies);
    if (!cv || !curve->open || !curve->scored || !curve->unconverged || !curve->tallies)
        return RLS2_ERR_MEMORY;
    cv->splits = cv->repeat = splits;
    cv->outputs = counts->outputs;
    cv->measure = curve->job.measure;
    for (int64_t p = 0; p < counts->parts; p++) cv->rows += counts->totals[p].rows;
    cv->weights = rls2__alloc_zero(splits, sizeof(double));
    cv->shares = rls2__alloc_zero(cv->outputs, sizeof *cv->shares);
    return cv->weights && cv->shares ? RLS2_OK : RLS2_ERR_MEMORY;
}

rls2_status rls2__tall_curve_begin(const rls2__tall_curve_job *job, rls2__tall_curve **curve,
                                   rls2_error *err)
{
    rls2__tall_curve *made = rls2__alloc_zero(1, sizeof *made);
    if (!made) return rls2__fail_memory(err, "cross-validation");
    made->job = *job;
    if (reserve(made) == RLS2_OK) {
        *curve = made;
        return RLS2_OK;
    }
    rls2__tall_curve_free(made);
    return rls2__fail_memory(err, "cross-validation");
}

/* A longer array, the rest of it NaN; NULL when out of memory. */
static double *lengthened(double *old, int64_t count, int64_t longer)
{
    double *made = rls2__alloc(longer, sizeof *made);
    for (int64_t i = 0; made && i < longer; i++) made[i] = i < count ? old[i] : (double)NAN;
    if (made) rls2__free(old);
    return made;
}

static int lengthen(double **array, int64_t count, int64_t longer)
{
    double *made = lengthened(*array, count, longer);
    if (made) *array = made;
    return made != NULL;
}

/* Rows that no split has left out yet; NULL when out of memory. */
static int64_t *nobody(int64_t rows)
{
    int64_t *owner = rls2__alloc(rows, sizeof *owner);
    for (int64_t i = 0; owner && i < rows; i++) owner[i] = -1;
    return owner;
}

static rls2_status grow(rls2__tall_curve *curve, int64_t count, const double *lambdas)
{
    rls2_cv *cv = curve->cv;
    int64_t old = cv->count, each = rls2__mul(cv->rows, cv->outputs);
    int64_t values = rls2__mul(each, count);
    if (count <= old) return RLS2_OK;
    rls2_cv_point *points = rls2__alloc_zero(count, sizeof *points);
    if (!points) return RLS2_ERR_MEMORY;
    rls2__free(cv->points);
    cv->points = points;
    if (!lengthen(&cv->lambdas, old, count) ||
        !lengthen(&cv->scores, old * cv->splits, rls2__mul(count, cv->splits)) ||
        !lengthen(&cv->nzero, old * cv->splits, rls2__mul(count, cv->splits)))
        return RLS2_ERR_MEMORY;
    int keeps = curve->job.rows && values >= 0 && values <= MOST_PREDICTIONS;
    if (keeps && (old == 0 || cv->predictions)) {
        if (!lengthen(&cv->predictions, old * each, values)) return RLS2_ERR_MEMORY;
        if (!cv->owner && !(cv->owner = nobody(cv->rows))) return RLS2_ERR_MEMORY;
    } else {
        rls2__free(cv->predictions);
        cv->predictions = NULL;
    }
    memcpy(cv->lambdas, lambdas, (size_t)count * sizeof(double));
    cv->count = count;
    return RLS2_OK;
}

/* As many at a time as there are threads; where these are more, each split has several. Splits take
 * turns on a thread of their own rather than share the steps of each: these are short, and threads
 * that wait for one another are idle, or worse, spin. */
static rls2_status run_splits(splits_run *run, int threads, rls2_error *err)
{
    int64_t splits = run->step->splits;
    const rls2__crew_job crew = {splits, run_split, watch_splits, run};
    int side_by_side = splits < threads ? (int)splits : threads;
    if (splits < 1) return RLS2_OK;
    run->threads = threads / side_by_side;
    rls2__first_failure_init(&run->first);
    rls2__crew_run(side_by_side, &crew);
    rls2__first_failure_destroy(&run->first);
    tell_splits(run, NULL); /* the last word */
    return end_of(run, err);
}

rls2_status rls2__tall_curve_advance(rls2__tall_curve *curve, const rls2__tall_step *step,
                                     rls2_error *err)
{
    splits_run run = {.curve = curve, .step = step, .caller = pthread_self()};
    if (grow(curve, step->count, step->lambdas) != RLS2_OK)
        return rls2__fail_memory(err, "cross-validation");
    int threads = rls2__thread_count(curve->job.control->threads);
    rls2_status status = rls2__la_enter_team(&threads, err);
    if (status != RLS2_OK) return status;
    status = run_splits(&run, threads, err);
    rls2__la_leave();
    curve->cv->unconverged = 0;
    for (int64_t s = 0; s < curve->job.splits; s++) curve->cv->unconverged += curve->unconverged[s];
    return status;
}

int rls2__tall_curve_has_turned(const rls2__tall_curve *curve, int64_t splits, int64_t margin)
{
    return rls2__curve_has_turned(curve->cv, splits, margin);
}

const rls2_cv *rls2__tall_curve_look(rls2__tall_curve *curve)
{
    rls2__cv_summarize(curve->cv);
    return curve->cv;
}

rls2_status rls2__tall_curve_finish(rls2__tall_curve *curve, rls2_cv **out, rls2_error *err)
{
    rls2_cv *cv = curve->cv;
    rls2_status status = RLS2_OK;
    for (int64_t s = 0; s < cv->splits; s++)
        for (int64_t o = 0; o < cv->outputs && status == RLS2_OK; o++) {
            rls2__invariant(curve->scored[s] == cv->count);
            status = rls2__tally_add(&cv->shares[o], curve->tallies[s * cv->outputs + o]);
            curve->tallies[s * cv->outputs + o] = NULL;
        }
    if (status != RLS2_OK) return rls2__fail_memory(err, "cross-validation");
    for (int64_t o = 0; o < cv->outputs; o++) rls2__tally_finish(cv->shares[o]);
    rls2__cv_summarize(cv);
    *out = cv;
    curve->cv = NULL;
    return RLS2_OK;
}
