/* Puts the result of a run together: curve, choices, baselines, notes and a summary. */
#include "gui/server/result.h"

#include "gui/server/stable_inputs.h"

#include <stdlib.h>
#include <string.h>

#include "gui/server/profile.h"
#include "gui/server/table_columns.h"

void outcome_free(outcome *o)
{
    rls2_fit_free(o->fit);
    json_decref(o->points);
    *o = (outcome){0};
}

/* ---- the choice ---- */

/* What lambda is chosen by: as it was asked for, or, where rows were to be left out and are not
 * yet, or choose a lambda that is not there, what the path itself tells. NULL: by nothing. */
typedef struct choice {
    const char *by;
    int64_t point; /* -1: none */
} choice;

/* Where the splits come first, a path that was stopped may end above what they choose. */
static int is_reached(const outcome *o, int64_t i)
{
    return i < rls2_fit_count(o->fit);
}

/* The library chooses at the end alone: of a path that was stopped it does not. */
static choice choose(const run_plan *p, const outcome *o)
{
    const char *select = rls2_plan_get(p->plan, "select", 0);
    const rls2_cv *cv = rls2_fit_cv(o->fit);
    int64_t point = run_plan_is(p, "rule", "1se") ? rls2_cv_1se(cv) : rls2_cv_min(cv);
    if (strcmp(select, "none") == 0) return (choice){.point = -1};
    if (strcmp(select, "cv") != 0)
        return (choice){.by = select, .point = rls2_fit_least(o->fit, select)};
    if (cv && is_reached(o, point)) return (choice){.by = "cv", .point = point};
    choice alone = {0};
    alone.point = rls2_fit_path_choice(o->fit, &alone.by);
    return alone;
}

/* ---- all of it ---- */

static json_t *number_or_null(int64_t i)
{
    return i >= 0 ? json_integer(i) : json_null();
}

/* Of each interval of a row: how many left-out rows it holds, and how wide it is. */
static json_t *intervals_at(const rls2_cv *cv, int64_t i)
{
    json_t *list = json_array();
    for (int64_t t = 0; t < rls2_cv_interval_count(cv); t++) {
        const rls2_coverage *found = rls2_cv_coverage(cv, i, t);
        json_array_append_new(
            list, json_pack("{s:o, s:o, s:o, s:o}", "coverage", json_finite(found->coverage),
                            "coverage_se", json_finite(found->coverage_se), "width",
                            json_finite(found->width), "width_se", json_finite(found->width_se)));
    }
    return list;
}

static void add_curve(const outcome *o)
{
    const rls2_cv *cv = rls2_fit_cv(o->fit);
    for (int64_t i = 0; cv && i < (int64_t)json_array_size(o->points); i++) {
        json_t *point = json_array_get(o->points, (size_t)i);
        const rls2_cv_point *at = rls2_cv_at(cv, i);
        json_object_set_new(point, "cvm", json_finite(at->cvm));
        json_object_set_new(point, "cvsd", json_finite(at->cvsd));
        json_object_set_new(point, "nzero", json_finite(at->nzero));
        if (rls2_cv_interval_count(cv) > 0)
            json_object_set_new(point, "intervals", intervals_at(cv, i));
    }
}

static json_t *output_names(const rls2_dataset *data)
{
    json_t *list = json_array();
    for (int64_t o = 0; o < rls2_dataset_outputs(data); o++)
        json_array_append_new(list, json_words(rls2_dataset_output_name(data, o)));
    return list;
}

static void add_baselines(const outcome *o, json_t *result)
{
    static const char *const KEYS[RLS2_BASELINE_COUNT] = {"uniform", "alignment", "single", "ridge",
                                                          "constant"};
    const rls2_cv *cv = rls2_fit_cv(o->fit);
    json_t *all = json_object();
    for (int b = 0; cv && b < RLS2_BASELINE_COUNT; b++) {
        const rls2_cv_point *at = rls2_cv_baseline(cv, (rls2_baseline)b);
        if (at)
            json_object_set_new(all, KEYS[b],
                                json_pack("{s:s, s:o, s:o, s:o}", "name",
                                          rls2_baseline_name((rls2_baseline)b), "cvm",
                                          json_finite(at->cvm), "cvsd", json_finite(at->cvsd),
                                          "lambda", json_finite(at->lambda)));
    }
    if (json_object_size(all) > 0)
        json_object_set_new(result, "baselines", all);
    else
        json_decref(all);
}

/* By splits_state. */
static const char *const SPLITS_NOTES[] = {"not cross-validated yet", "cross-validated",
                                           "stopped before the end of the cross-validation",
                                           "the cross-validation failed"};

/* What happened, and what lambda is chosen by all the same. */
static void note(json_t *notes, const char *what, const char *by)
{
    json_array_append_new(
        notes, by ? json_sprintf("%s: lambda is chosen by %s, from the path alone", what, by)
                  : json_sprintf("%s: no lambda is chosen", what));
}

/* Those of the plan, and what became of a run that was not done to its end. */
static json_t *make_notes(const run_plan *p, const outcome *o, const choice *chosen)
{
    json_t *notes = run_plan_notes(p);
    int64_t count = rls2_fit_count(o->fit), asked = rls2_fit_asked(o->fit);
    if (count < asked)
        json_array_append_new(notes, json_sprintf("stopped after %lld of %lld values of lambda",
                                                  (long long)count, (long long)asked));
    if (o->splits != SPLITS_DONE && run_plan_leaves_rows_out(p))
        note(notes, SPLITS_NOTES[o->splits], chosen->by);
    else if (rls2_fit_cv(o->fit) && run_plan_leaves_rows_out(p) &&
             (!chosen->by || strcmp(chosen->by, "cv") != 0))
        note(notes, "the path was stopped before the lambda that cross-validation chooses",
             chosen->by);
    return notes;
}

static json_t *make_summary(const run_plan *p, const outcome *o, int64_t chosen)
{
    const char *measure = rls2_measure_name(rls2_plan_measure(p->plan)), *on = "train";
    const json_t *point = chosen >= 0 ? json_array_get(o->points, (size_t)chosen) : NULL;
    json_t *score = json_object_get(json_object_get(point, "train"), measure);
    if (json_object_get(point, "test")) {
        score = json_object_get(json_object_get(point, "test"), measure);
        on = "test";
    }
    if (json_object_get(point, "cvm")) {
        score = json_object_get(point, "cvm");
        on = "left out";
    }
    return json_pack("{s:s, s:o, s:I, s:I, s:O?, s:O?, s:s, s:s, s:o}", "task", run_plan_task(p),
                     "loss", run_plan_loss(p), "n",
                     (json_int_t)rls2_dataset_rows(rls2_fit_data(o->fit)), "m",
                     (json_int_t)rls2_dictionary_count(rls2_fit_dictionary(o->fit)), "lambda",
                     json_object_get(point, "lambda"), "score", score, "measure", measure,
                     "scored_on", on, "chosen", number_or_null(chosen));
}

static json_t *make_best(const outcome *o, const choice *chosen)
{
    const rls2_cv *cv = rls2_fit_cv(o->fit);
    int64_t min = cv ? rls2_cv_min(cv) : -1, one_se = cv ? rls2_cv_1se(cv) : -1;
    return json_pack("{s:o, s:o, s:o, s:s?}", "min", number_or_null(is_reached(o, min) ? min : -1),
                     "one_se", number_or_null(is_reached(o, one_se) ? one_se : -1), "chosen",
                     number_or_null(chosen->point), "by", chosen->by);
}

/* What predictions mean: the loss of each output, and whether these are classes whose probabilities
 * are known. */
static void add_loss(const run_plan *p, const outcome *o, json_t *result)
{
    static const char *const RULES[] = {[RLS2_INTERCEPT_NONE] = "none",
                                        [RLS2_INTERCEPT_MEAN] = "mean",
                                        [RLS2_INTERCEPT_FREE] = "free"};
    char text[40];
    rls2_intercept rule = rls2_plan_intercept(p->plan);
    json_t *losses = json_array();
    for (int64_t i = 0; i < rls2_fit_outputs(o->fit); i++)
        json_array_append_new(losses,
                              json_string(rls2_loss_text(rls2_path_loss(rls2_fit_path(o->fit, i)),
                                                         text, sizeof text)));
    json_object_set_new(result, "losses", losses);
    json_object_set_new(result, "loss", run_plan_loss(p));
    json_object_set_new(
        result, "probabilities",
        json_boolean(rls2_loss_has_probabilities(rls2_path_loss(rls2_fit_path(o->fit, 0)))));
    if (rule >= 0 && (size_t)rule < sizeof RULES / sizeof *RULES && RULES[rule])
        json_object_set_new(result, "intercept_rule", json_string(RULES[rule]));
}

static json_t *make_result(const run_plan *p, const outcome *o, const choice *chosen)
{
    const rls2_dataset *data = rls2_fit_data(o->fit), *test = rls2_fit_test(o->fit);
    rls2_measure measure = rls2_plan_measure(p->plan);
    json_t *result =
        json_pack("{s:I, s:I, s:I, s:s, s:o, s:o, s:s, s:b, s:O, s:I, s:o, s:o}", "n",
                  (json_int_t)rls2_dataset_rows(data), "test_n",
                  (json_int_t)(test ? rls2_dataset_rows(test) : 0), "m",
                  (json_int_t)rls2_dictionary_count(rls2_fit_dictionary(o->fit)), "task",
                  run_plan_task(p), "outputs", output_names(data), "classes", run_plan_classes(p),
                  "measure", rls2_measure_name(measure), "rises", rls2_measure_rises(measure),
                  "points", o->points, "asked", (json_int_t)rls2_fit_asked(o->fit), "best",
                  make_best(o, chosen), "notes", make_notes(p, o, chosen));
    if (result) add_loss(p, o, result);
    if (result) add_baselines(o, result);
    if (result && rls2_cv_interval_count(rls2_fit_cv(o->fit)) > 0)
        json_object_set_new(result, "interval_level",
                            json_real(rls2_cv_coverage(rls2_fit_cv(o->fit), 0, 0)->level));
    if (result && rls2_fit_stability(o->fit))
        json_object_set_new(result, "stability", stability_of(o->fit));
    return result;
}

int result_make(const run_plan *p, const outcome *o, json_t **result, json_t **profile,
                json_t **summary, fault *f)
{
    choice chosen = choose(p, o);
    add_curve(o);
    *result = make_result(p, o, &chosen);
    *profile = result_profile(o, o->points);
    *summary = make_summary(p, o, chosen.point);
    return *result && *profile && *summary ? 0 : fault_memory(f);
}
