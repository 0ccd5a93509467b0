#include "gui/server/result.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gui/server/columns.h"

void outcome_free(outcome *o)
{
    rls2_cv_free(o->cv);
    rls2_fit_free(o->fit);
    o->cv = NULL;
    o->fit = NULL;
}

void outcome_tick(outcome *o, const rls2_progress *at, double time)
{
    if (o->fit || at->lambda == 0.0 || at->total > MOST_TIMED) return;
    if (o->timed == 0 && o->path_started == 0.0) o->path_started = time;
    while (o->timed < at->done) o->finished[o->timed++] = time;
}

/* ---- measures ---- */

json_t *result_measures(int classification, int64_t outputs, int64_t n, const double *f, const double *y,
                        const double *w)
{
    json_t *all = json_object();
    for (int m = RLS2_MEASURE_RMSE; m <= RLS2_MEASURE_ERRORS; m++) {
        rls2_measure measure = (rls2_measure)m;
        if (rls2_measure_is_for_classes(measure) == classification)
            json_object_set_new(all, rls2_measure_name(measure),
                                json_finite(rls2_measure_value(measure, outputs, n, f, y, w)));
    }
    return all;
}

/* What every point of the path says about rows: n x count for each output, one output after another. */
typedef struct said {
    const rls2_dataset *data; /* NULL: there are no such rows */
    double *f;
    double *at; /* room for one point, n x outputs */
} said;

static void said_free(said *all)
{
    free(all->f);
    free(all->at);
}

static int predict_all(const outcome *o, const rls2_dataset *data, said *all, fault *f)
{
    rls2_error err;
    int64_t outputs = rls2_fit_outputs(o->fit), count = rls2_fit_count(o->fit), n = rls2_dataset_rows(data);
    *all = (said){.data = data};
    if (!data) return 0;
    all->f = calloc((size_t)(n * count * outputs) + 1, sizeof *all->f);
    all->at = calloc((size_t)(n * outputs) + 1, sizeof *all->at);
    if (!all->f || !all->at) return fault_memory(f);
    rls2_rows rows = {.n = n, .p = rls2_dataset_columns(data), .x = rls2_dataset_x(data)};
    for (int64_t k = 0; k < outputs; k++)
        if (rls2_path_predict(rls2_fit_path(o->fit, k), &rows, all->f + k * n * count, &err) != RLS2_OK)
            return fault_of(f, NULL, &err);
    return 0;
}

static void add_scores(const problem *p, const outcome *o, int64_t i, const said *all, const char *name,
                       json_t *point)
{
    int64_t outputs = rls2_fit_outputs(o->fit), count = rls2_fit_count(o->fit),
            n = rls2_dataset_rows(all->data);
    if (!all->data) return;
    for (int64_t k = 0; k < outputs; k++)
        memcpy(all->at + k * n, all->f + (k * count + i) * n, (size_t)n * sizeof *all->at);
    json_object_set_new(point, name,
                        result_measures(problem_is_classification(p), outputs, n, all->at,
                                        rls2_dataset_y(all->data), rls2_dataset_weights(all->data)));
}

/* ---- criteria ---- */

static void add_criteria_of(rls2_criteria *total, const rls2_criteria *one)
{
    total->gcv += one->gcv;
    total->cp += one->cp;
    total->aic += one->aic;
    total->bic += one->bic;
    total->loo += one->loo;
}

/* The sum over the outputs, as `rls2 train --select` takes it. */
static int make_criteria(const outcome *o, rls2_criteria *total, fault *f)
{
    rls2_error err;
    int code = 0;
    int64_t count = rls2_fit_count(o->fit);
    rls2_criteria *one = calloc((size_t)count + 1, sizeof *one);
    if (!one) return fault_memory(f);
    for (int64_t out = 0; !code && out < rls2_fit_outputs(o->fit); out++) {
        if (rls2_path_criteria(rls2_fit_path(o->fit, out), one, &err) != RLS2_OK)
            code = fault_of(f, NULL, &err);
        for (int64_t i = 0; !code && i < count; i++) add_criteria_of(&total[i], &one[i]);
    }
    free(one);
    return code;
}

static double criterion(const char *name, const rls2_criteria *c)
{
    if (strcmp(name, "gcv") == 0) return c->gcv;
    if (strcmp(name, "cp") == 0) return c->cp;
    if (strcmp(name, "aic") == 0) return c->aic;
    if (strcmp(name, "bic") == 0) return c->bic;
    return c->loo;
}

/* The largest lambda at the least value; -1 where it is not defined for any. */
static int64_t least(const char *name, const rls2_criteria *all, int64_t count)
{
    int64_t best = -1;
    for (int64_t i = 0; i < count; i++) {
        double value = criterion(name, &all[i]);
        if (isfinite(value) && (best < 0 || value < criterion(name, &all[best]))) best = i;
    }
    return best;
}

/* ---- points ---- */

static const char *outcome_name(rls2_outcome how)
{
    static const char *const NAMES[] = {"converged", "stalled", "max_iter"};
    return NAMES[how];
}

static json_t *make_point(const rls2_path_point *at, const rls2_criteria *c)
{
    return json_pack("{s:f, s:o, s:o, s:o, s:I, s:I, s:o, s:I, s:s, s:o, s:o, s:o, s:o, s:o}", "lambda",
                     at->lambda, "objective", json_finite(at->objective), "gap", json_finite(at->gap),
                     "residual", json_finite(at->residual), "iterations", (json_int_t)at->iterations,
                     "factorizations", (json_int_t)at->factorizations, "df", json_finite(at->df), "selected",
                     (json_int_t)at->selected, "outcome", outcome_name(at->outcome), "gcv",
                     json_finite(c->gcv), "cp", json_finite(c->cp), "aic", json_finite(c->aic), "bic",
                     json_finite(c->bic), "loo", json_finite(c->loo));
}

static void add_time(const problem *p, const outcome *o, int64_t i, json_t *point)
{
    if (problem_outputs(p) > 1 || i >= o->timed) return;
    double before = i > 0 ? o->finished[i - 1] : o->path_started;
    json_object_set_new(point, "seconds", json_finite(o->finished[i] - before));
}

static void add_curve(const outcome *o, int64_t i, json_t *point)
{
    const rls2_cv_point *at = o->cv ? rls2_cv_at(o->cv, i) : NULL;
    if (!at) return;
    json_object_set_new(point, "cvm", json_finite(at->cvm));
    json_object_set_new(point, "cvsd", json_finite(at->cvsd));
    json_object_set_new(point, "nzero", json_finite(at->nzero));
}

static int add_point(const problem *p, const outcome *o, int64_t i, const rls2_criteria *c, json_t *points,
                     fault *f)
{
    rls2_error err;
    rls2_model *model = NULL;
    if (rls2_fit_model(o->fit, i, &model, &err) != RLS2_OK) return fault_of(f, NULL, &err);
    json_t *point = make_point(rls2_model_point(model), c);
    rls2_model_free(model);
    if (!point) return fault_memory(f);
    add_time(p, o, i, point);
    add_curve(o, i, point);
    json_array_append_new(points, point);
    return 0;
}

static int make_points(const problem *p, const outcome *o, const rls2_criteria *criteria, json_t *points,
                       fault *f)
{
    said train = {0}, test = {0};
    int64_t count = rls2_fit_count(o->fit);
    int code = predict_all(o, rls2_fit_data(o->fit), &train, f);
    if (!code) code = predict_all(o, rls2_fit_test(o->fit), &test, f);
    for (int64_t i = 0; !code && i < count; i++) {
        code = add_point(p, o, i, &criteria[i], points, f);
        if (code) break;
        add_scores(p, o, i, &train, "train", json_array_get(points, (size_t)i));
        add_scores(p, o, i, &test, "test", json_array_get(points, (size_t)i));
    }
    said_free(&train);
    said_free(&test);
    return code;
}

/* ---- all of it ---- */

static json_t *number_or_null(int64_t i)
{
    return i >= 0 ? json_integer(i) : json_null();
}

static int64_t choose(const problem *p, const outcome *o, const rls2_criteria *criteria)
{
    if (strcmp(p->asked.select, "cv") != 0) return least(p->asked.select, criteria, rls2_fit_count(o->fit));
    if (!o->cv) return -1;
    return strcmp(p->asked.rule, "1se") == 0 ? rls2_cv_1se(o->cv) : rls2_cv_min(o->cv);
}

static json_t *output_names(const problem *p)
{
    json_t *list = json_array();
    for (int64_t o = 0; o < problem_outputs(p); o++)
        json_array_append_new(list, json_words(rls2_dataset_output_name(p->data, o)));
    return list;
}

static json_t *class_labels(const problem *p)
{
    json_t *list = json_array();
    for (int64_t k = 0; k < rls2_dataset_class_count(p->data); k++)
        json_array_append_new(list, json_words(rls2_dataset_class_label(p->data, k)));
    return list;
}

static void add_baselines(const outcome *o, json_t *result)
{
    static const char *const KEYS[RLS2_BASELINE_COUNT] = {"uniform", "alignment", "single", "ridge"};
    json_t *all = json_object();
    for (int b = 0; o->cv && b < RLS2_BASELINE_COUNT; b++) {
        const rls2_cv_point *at = rls2_cv_baseline(o->cv, (rls2_baseline)b);
        if (at)
            json_object_set_new(all, KEYS[b],
                                json_pack("{s:s, s:o, s:o, s:o}", "name",
                                          rls2_baseline_name((rls2_baseline)b), "cvm", json_finite(at->cvm),
                                          "cvsd", json_finite(at->cvsd), "lambda", json_real(at->lambda)));
    }
    if (json_object_size(all) > 0)
        json_object_set_new(result, "baselines", all);
    else
        json_decref(all);
}

static json_t *make_notes(const problem *p, const outcome *o, int64_t chosen)
{
    json_t *notes = problem_notes(p);
    int64_t count = rls2_fit_count(o->fit);
    if (o->cv && rls2_cv_unconverged(o->cv) > 0)
        json_array_append_new(
            notes, json_sprintf("%lld points of the splits' paths did not reach the precision asked for",
                                (long long)rls2_cv_unconverged(o->cv)));
    if (o->cv && rls2_cv_splits(o->cv) == 1 && strcmp(p->asked.rule, "1se") == 0)
        json_array_append_new(
            notes, json_string("there is no standard error of one split: the best lambda is taken"));
    if (o->cv && rls2_cv_min(o->cv) < 0)
        json_array_append_new(notes, json_sprintf("the measure %s is not defined on any of the splits",
                                                  rls2_measure_name(p->measure)));
    if (chosen >= 0 && count > 1 && (chosen == 0 || chosen == count - 1))
        json_array_append_new(
            notes, json_sprintf("the best lambda is the %s of the grid: look further with other lambdas",
                                chosen == 0 ? "largest" : "smallest"));
    return notes;
}

static json_t *make_summary(const problem *p, const outcome *o, int64_t chosen, const json_t *points)
{
    const char *measure = rls2_measure_name(p->measure), *on = "train";
    const json_t *point = chosen >= 0 ? json_array_get(points, (size_t)chosen) : NULL;
    json_t *score = json_object_get(json_object_get(point, "train"), measure);
    if (json_object_get(point, "test")) {
        score = json_object_get(json_object_get(point, "test"), measure);
        on = "test";
    }
    if (json_object_get(point, "cvm")) {
        score = json_object_get(point, "cvm");
        on = "left out";
    }
    return json_pack("{s:s, s:I, s:I, s:O?, s:O?, s:s, s:s, s:o}", "task",
                     problem_is_classification(p) ? "classification" : "regression", "n",
                     (json_int_t)rls2_dataset_rows(p->data), "m",
                     (json_int_t)rls2_dictionary_size(p->dictionary), "lambda",
                     json_object_get(point, "lambda"), "score", score, "measure", measure, "scored_on", on,
                     "chosen", number_or_null(rls2_fit_count(o->fit) ? chosen : -1));
}

static json_t *make_result(const problem *p, const outcome *o, json_t *points, int64_t chosen)
{
    int64_t min = o->cv ? rls2_cv_min(o->cv) : -1, one_se = o->cv ? rls2_cv_1se(o->cv) : -1;
    json_t *result = json_pack(
        "{s:I, s:I, s:I, s:s, s:o, s:o, s:s, s:b, s:O, s:{s:o, s:o, s:o}, s:o}", "n",
        (json_int_t)rls2_dataset_rows(p->data), "test_n",
        (json_int_t)(rls2_fit_test(o->fit) ? rls2_dataset_rows(rls2_fit_test(o->fit)) : 0), "m",
        (json_int_t)rls2_dictionary_size(p->dictionary), "task",
        problem_is_classification(p) ? "classification" : "regression", "outputs", output_names(p), "classes",
        class_labels(p), "measure", rls2_measure_name(p->measure), "rises", rls2_measure_rises(p->measure),
        "points", points, "best", "min", number_or_null(min), "one_se", number_or_null(one_se), "chosen",
        number_or_null(chosen), "notes", make_notes(p, o, chosen));
    if (result) add_baselines(o, result);
    return result;
}

int result_make(const problem *p, const outcome *o, json_t **result, json_t **profile, json_t **summary,
                fault *f)
{
    int64_t count = rls2_fit_count(o->fit);
    rls2_criteria *criteria = calloc((size_t)count + 1, sizeof *criteria);
    json_t *points = json_array();
    int code = criteria && points ? make_criteria(o, criteria, f) : fault_memory(f);
    if (!code) code = make_points(p, o, criteria, points, f);
    if (!code) {
        int64_t chosen = choose(p, o, criteria);
        *result = make_result(p, o, points, chosen);
        *profile = result_profile(o, points);
        *summary = make_summary(p, o, chosen, points);
        if (!*result || !*profile || !*summary) code = fault_memory(f);
    }
    free(criteria);
    json_decref(points);
    return code;
}
