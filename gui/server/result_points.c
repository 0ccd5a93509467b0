/* The numbers of every point of the path: certificate, scores, criteria. They are computed once,
 * when the path is there. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gui/server/result.h"
#include "gui/server/table_columns.h"

/* ---- measures ---- */

/* Every measure that goes with the task. */
static json_t *measures_of(int classification, int64_t outputs, int64_t n, const double *f,
                           const double *y, const double *w)
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

/* What every point of the paths says about rows. Of a run that was stopped one path may be longer
 * than another. */
typedef struct said {
    const rls2_dataset *data; /* NULL: there are no such rows */
    double *f;                /* n for each point, those of output k from k * stride on */
    int64_t stride;
    double *at; /* room for one point, n x outputs */
} said;

/* Points of the longest path. */
static int64_t most_points(const outcome *o)
{
    int64_t most = 0;
    for (int64_t k = 0; k < rls2_fit_outputs(o->fit); k++) {
        int64_t count = rls2_path_count(rls2_fit_path(o->fit, k));
        if (count > most) most = count;
    }
    return most;
}

static void said_free(said *all)
{
    free(all->f);
    free(all->at);
}

static int predict_all(const outcome *o, const rls2_dataset *data, said *all, fault *f)
{
    rls2_error err;
    int64_t outputs = rls2_fit_outputs(o->fit), n = rls2_dataset_rows(data);
    *all = (said){.data = data, .stride = n * most_points(o)};
    if (!data) return 0;
    all->f = calloc((size_t)(all->stride * outputs) + 1, sizeof *all->f);
    all->at = calloc((size_t)(n * outputs) + 1, sizeof *all->at);
    if (!all->f || !all->at) return fault_memory(f);
    rls2_rows rows = {.n = n, .p = rls2_dataset_columns(data), .x = rls2_dataset_x(data)};
    for (int64_t k = 0; k < outputs; k++)
        if (rls2_path_predict(rls2_fit_path(o->fit, k), &rows, all->f + k * all->stride, &err) !=
            RLS2_OK)
            return fault_of(f, NULL, &err);
    return 0;
}

static void add_scores(const problem *p, const outcome *o, int64_t i, const said *all,
                       const char *name, json_t *point)
{
    int64_t outputs = rls2_fit_outputs(o->fit), n = rls2_dataset_rows(all->data);
    if (!all->data) return;
    for (int64_t k = 0; k < outputs; k++)
        memcpy(all->at + k * n, all->f + k * all->stride + i * n, (size_t)n * sizeof *all->at);
    json_object_set_new(point, name,
                        measures_of(problem_is_classification(p), outputs, n, all->at,
                                    rls2_dataset_y(all->data), rls2_dataset_weights(all->data)));
}

/* ---- criteria ---- */

static const rls2_criteria UNKNOWN = {.gcv = NAN, .cp = NAN, .aic = NAN, .bic = NAN, .loo = NAN};

static void add_criteria_of(rls2_criteria *total, const rls2_criteria *one)
{
    total->gcv += one->gcv;
    total->cp += one->cp;
    total->aic += one->aic;
    total->bic += one->bic;
    total->loo += one->loo;
}

/* The sum over the outputs, as `rls2 train --select` takes it. Where a run was stopped they may
 * take too long. */
static int make_criteria(outcome *o, const watcher *w, fault *f)
{
    rls2_error err;
    int code = 0;
    int64_t count = rls2_fit_count(o->fit);
    rls2_criteria *one = calloc((size_t)most_points(o) + 1, sizeof *one);
    o->criteria = calloc((size_t)count + 1, sizeof *o->criteria);
    if (!one || !o->criteria) code = fault_memory(f);
    for (int64_t out = 0; !code && out < rls2_fit_outputs(o->fit); out++) {
        rls2_status status =
            rls2_path_criteria_watched(rls2_fit_path(o->fit, out), w->progress, w->user, one, &err);
        if (status != RLS2_OK && status != RLS2_ERR_CANCELLED) code = fault_of(f, NULL, &err);
        for (int64_t i = 0; i < count && status == RLS2_ERR_CANCELLED; i++) one[i] = UNKNOWN;
        for (int64_t i = 0; !code && i < count; i++) add_criteria_of(&o->criteria[i], &one[i]);
        if (!code) w->next(w->user);
    }
    free(one);
    return code;
}

/* ---- points ---- */

static const char *outcome_name(rls2_outcome how)
{
    static const char *const NAMES[] = {"converged", "stalled", "max_iter"};
    return NAMES[how];
}

static json_t *make_point(const rls2_path_point *at, const rls2_criteria *c)
{
    return json_pack("{s:f, s:o, s:o, s:o, s:I, s:I, s:o, s:I, s:s, s:o, s:o, s:o, s:o, s:o}",
                     "lambda", at->lambda, "objective", json_finite(at->objective), "gap",
                     json_finite(at->gap), "residual", json_finite(at->residual), "iterations",
                     (json_int_t)at->iterations, "factorizations", (json_int_t)at->factorizations,
                     "df", json_finite(at->df), "selected", (json_int_t)at->selected, "outcome",
                     outcome_name(at->outcome), "gcv", json_finite(c->gcv), "cp",
                     json_finite(c->cp), "aic", json_finite(c->aic), "bic", json_finite(c->bic),
                     "loo", json_finite(c->loo));
}

static int add_point(const outcome *o, int64_t i, const watcher *w, fault *f)
{
    rls2_error err;
    rls2_model *model = NULL;
    if (rls2_fit_model(o->fit, i, &model, &err) != RLS2_OK) return fault_of(f, NULL, &err);
    json_t *point = make_point(rls2_model_point(model), &o->criteria[i]);
    rls2_model_free(model);
    if (!point) return fault_memory(f);
    if (i < w->live_count) json_object_set_new(point, "seconds", json_finite(w->live[i].seconds));
    json_array_append_new(o->points, point);
    return 0;
}

static int make_points(const problem *p, outcome *o, const watcher *w, fault *f)
{
    said train = {0}, test = {0};
    int64_t count = rls2_fit_count(o->fit);
    o->points = json_array();
    int code = o->points ? predict_all(o, rls2_fit_data(o->fit), &train, f) : fault_memory(f);
    if (!code) code = predict_all(o, rls2_fit_test(o->fit), &test, f);
    for (int64_t i = 0; !code && i < count; i++) {
        code = add_point(o, i, w, f);
        if (code) break;
        add_scores(p, o, i, &train, "train", json_array_get(o->points, (size_t)i));
        add_scores(p, o, i, &test, "test", json_array_get(o->points, (size_t)i));
    }
    said_free(&train);
    said_free(&test);
    return code;
}

int result_points(const problem *p, outcome *o, const watcher *w, fault *f)
{
    int code = make_criteria(o, w, f);
    return code ? code : make_points(p, o, w, f);
}
