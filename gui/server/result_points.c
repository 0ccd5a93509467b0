/* The numbers of every point of the path: certificate, scores, criteria. They are computed once,
 * when the path is there. */
#include <math.h>
#include <stdlib.h>

#include "gui/server/table_columns.h"
#include "gui/server/result.h"
#include "gui/server/scores.h"

/* ---- measures ---- */

/* The loss of each output, which says on what scale its predictions are. */
static rls2_loss *losses_of(const rls2_fit *fit)
{
    rls2_loss *losses = calloc((size_t)rls2_fit_outputs(fit) + 1, sizeof *losses);
    for (int64_t o = 0; losses && o < rls2_fit_outputs(fit); o++)
        losses[o] = rls2_path_loss(rls2_fit_path(fit, o));
    return losses;
}

/* Every measure that goes with task and loss, at point i; f has rows x outputs numbers for each
 * point. Nothing where there are no such rows. */
static void add_scores(const rls2_dataset *data, const rls2_loss *losses, const double *f,
                       int64_t i, const char *name, json_t *point)
{
    if (!data) return;
    int64_t n = rls2_dataset_rows(data), outputs = rls2_dataset_outputs(data);
    scored_rows rows = {.classes = rls2_dataset_is_classification(data),
                        .outputs = outputs,
                        .n = n,
                        .losses = losses,
                        .f = f + i * n * outputs,
                        .y = rls2_dataset_y(data),
                        .weights = rls2_dataset_row_weights(data)};
    json_object_set_new(point, name, json_scores(&rows));
}

/* What all points say about the rows of a part; NULL where there are none. Where a run was stopped
 * that may take too long: it is not known then. */
static int predict_part(const outcome *o, const watcher *w, rls2_part part,
                        const rls2_dataset *data, double **said, fault *f)
{
    rls2_error err;
    if (!data) return 0;
    int64_t each = rls2_dataset_rows(data) * rls2_fit_outputs(o->fit);
    int64_t all = each * rls2_fit_count(o->fit);
    *said = calloc((size_t)all + 1, sizeof **said);
    if (!*said) return fault_memory(f);
    rls2_status status = rls2_fit_predict_path_watched(o->fit, part, w->control, *said, &err);
    if (status != RLS2_OK && status != RLS2_ERR_CANCELLED) return fault_of(f, NULL, &err);
    for (int64_t i = 0; i < all && status == RLS2_ERR_CANCELLED; i++) (*said)[i] = (double)NAN;
    return 0;
}

/* ---- criteria ---- */

/* They cost what degrees of freedom do: a path that goes without these goes without them. Where a
 * run was stopped they may take too long: they are not known then either. */
static int make_criteria(const outcome *o, const watcher *w, fault *f)
{
    rls2_error err;
    const rls2_path_point *first = rls2_fit_at(o->fit, 0);
    if (first && isnan(first->df)) return 0;
    rls2_status status = rls2_fit_criteria(o->fit, w->control, &err);
    return status == RLS2_OK || status == RLS2_ERR_CANCELLED ? 0 : fault_of(f, NULL, &err);
}

/* ---- points ---- */

static const char *outcome_name(rls2_outcome how)
{
    static const char *const NAMES[] = {"converged", "stalled", "max_iter"};
    return NAMES[how];
}

static void add_criteria(const rls2_criteria *c, json_t *point)
{
    static const char *const NAMES[] = {"gcv", "cp", "aic", "bic", "loo"};
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++)
        json_object_set_new(point, NAMES[i],
                            c ? json_finite(rls2_criterion(c, NAMES[i])) : json_null());
}

static json_t *make_point(const rls2_path_point *at)
{
    return json_pack("{s:f, s:o, s:o, s:o, s:I, s:I, s:o, s:I, s:s}", "lambda", at->lambda,
                     "objective", json_finite(at->objective), "gap", json_finite(at->gap),
                     "residual", json_finite(at->residual), "iterations",
                     (json_int_t)at->iterations, "factorizations", (json_int_t)at->factorizations,
                     "df", json_finite(at->df), "selected", (json_int_t)at->selected, "outcome",
                     outcome_name(at->outcome));
}

static int add_point(const outcome *o, int64_t i, const watcher *w, fault *f)
{
    json_t *point = make_point(rls2_fit_at(o->fit, i));
    if (!point) return fault_memory(f);
    add_criteria(rls2_fit_criteria_at(o->fit, i), point);
    if (i < w->live_count) json_object_set_new(point, "seconds", json_finite(w->live[i].seconds));
    json_array_append_new(o->points, point);
    return 0;
}

static int make_points(outcome *o, const watcher *w, fault *f)
{
    const rls2_dataset *data = rls2_fit_data(o->fit), *test_data = rls2_fit_test(o->fit);
    double *train = NULL, *test = NULL;
    rls2_loss *losses = losses_of(o->fit);
    json_decref(o->points); /* of a shorter grid */
    o->points = json_array();
    int code = o->points && losses ? predict_part(o, w, RLS2_PART_TRAINING, data, &train, f)
                                   : fault_memory(f);
    if (!code) code = predict_part(o, w, RLS2_PART_TEST, test_data, &test, f);
    for (int64_t i = 0; !code && i < rls2_fit_count(o->fit); i++) {
        code = add_point(o, i, w, f);
        if (code) break;
        add_scores(data, losses, train, i, "train", json_array_get(o->points, (size_t)i));
        add_scores(test_data, losses, test, i, "test", json_array_get(o->points, (size_t)i));
    }
    free(losses);
    free(train);
    free(test);
    return code;
}

int result_points(outcome *o, const watcher *w, fault *f)
{
    int code = make_criteria(o, w, f);
    return code ? code : make_points(o, w, f);
}
