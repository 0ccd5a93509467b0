/* Puts the result of a run together: curve, choices, baselines, notes and a summary. */
#include "gui/server/result.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gui/server/profile.h"
#include "gui/server/table_columns.h"

void outcome_free(outcome *o)
{
    rls2_cv_free(o->cv);
    rls2_fit_free(o->fit);
    json_decref(o->points);
    free(o->criteria);
    *o = (outcome){0};
}

/* ---- the choice ---- */

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

/* ---- all of it ---- */

static json_t *number_or_null(int64_t i)
{
    return i >= 0 ? json_integer(i) : json_null();
}

/* The lambda that rows left out choose; -1 where the measure is not defined on any of the splits.
 */
static int64_t choice_of_splits(const problem *p, const outcome *o)
{
    return strcmp(p->asked.rule, "1se") == 0 ? rls2_cv_1se(o->cv) : rls2_cv_min(o->cv);
}

/* Where the splits come first, a path that was stopped may end above what they choose. */
static int is_reached(const outcome *o, int64_t i)
{
    return i < rls2_fit_count(o->fit);
}

/* What lambda is chosen by: as it was asked for, or, where rows were to be left out and are not
 * yet, or choose a lambda that is not there, what the path itself tells. NULL: by nothing. */
static const char *rule_of(const problem *p, const outcome *o)
{
    if (strcmp(p->asked.select, "cv") != 0) return p->asked.select;
    if (o->cv && is_reached(o, choice_of_splits(p, o))) return "cv";
    return strcmp(p->asked.splits.kind, "none") != 0 ? "gcv" : NULL;
}

static int64_t choose(const problem *p, const outcome *o, const char *rule)
{
    if (!rule) return -1;
    if (strcmp(rule, "cv") != 0) return least(rule, o->criteria, rls2_fit_count(o->fit));
    return choice_of_splits(p, o);
}

static void add_curve(const outcome *o)
{
    for (int64_t i = 0; o->cv && i < (int64_t)json_array_size(o->points); i++) {
        json_t *point = json_array_get(o->points, (size_t)i);
        const rls2_cv_point *at = rls2_cv_at(o->cv, i);
        json_object_set_new(point, "cvm", json_finite(at->cvm));
        json_object_set_new(point, "cvsd", json_finite(at->cvsd));
        json_object_set_new(point, "nzero", json_finite(at->nzero));
    }
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
    static const char *const KEYS[RLS2_BASELINE_COUNT] = {"uniform", "alignment", "single",
                                                          "ridge"};
    json_t *all = json_object();
    for (int b = 0; o->cv && b < RLS2_BASELINE_COUNT; b++) {
        const rls2_cv_point *at = rls2_cv_baseline(o->cv, (rls2_baseline)b);
        if (at)
            json_object_set_new(all, KEYS[b],
                                json_pack("{s:s, s:o, s:o, s:o}", "name",
                                          rls2_baseline_name((rls2_baseline)b), "cvm",
                                          json_finite(at->cvm), "cvsd", json_finite(at->cvsd),
                                          "lambda", json_real(at->lambda)));
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

static json_t *make_notes(const problem *p, const outcome *o, int64_t chosen)
{
    json_t *notes = problem_notes(p);
    int64_t count = rls2_fit_count(o->fit);
    if (count < rls2_fit_asked(o->fit))
        json_array_append_new(notes,
                              json_sprintf("stopped after %lld of %lld values of lambda",
                                           (long long)count, (long long)rls2_fit_asked(o->fit)));
    if (o->splits != SPLITS_DONE && strcmp(p->asked.splits.kind, "none") != 0)
        json_array_append_new(notes,
                              json_sprintf("%s%s", SPLITS_NOTES[o->splits],
                                           strcmp(p->asked.select, "cv") == 0
                                               ? ": lambda is chosen by gcv, from the path alone"
                                               : ""));
    if (o->cv && strcmp(p->asked.select, "cv") == 0 && !is_reached(o, choice_of_splits(p, o)))
        json_array_append_new(
            notes, json_string("the path was stopped above the lambda that the rows left out "
                               "choose: lambda is chosen by gcv, from the path alone"));
    if (o->cv && rls2_cv_unconverged(o->cv) > 0)
        json_array_append_new(
            notes,
            json_sprintf("%lld points of the splits' paths did not reach the precision asked for",
                         (long long)rls2_cv_unconverged(o->cv)));
    if (o->cv && rls2_cv_splits(o->cv) == 1 && strcmp(p->asked.rule, "1se") == 0)
        json_array_append_new(
            notes,
            json_string("there is no standard error of one split: the best lambda is taken"));
    if (o->cv && rls2_cv_min(o->cv) < 0)
        json_array_append_new(notes,
                              json_sprintf("the measure %s is not defined on any of the splits",
                                           rls2_measure_name(p->measure)));
    if (chosen >= 0 && count > 1 &&
        (chosen == 0 || (chosen == count - 1 && count == rls2_fit_asked(o->fit))))
        json_array_append_new(
            notes,
            json_sprintf("the best lambda is the %s of the grid: look further with other lambdas",
                         chosen == 0 ? "largest" : "smallest"));
    return notes;
}

static json_t *make_summary(const problem *p, const outcome *o, int64_t chosen)
{
    const char *measure = rls2_measure_name(p->measure), *on = "train";
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
    return json_pack("{s:s, s:I, s:I, s:O?, s:O?, s:s, s:s, s:o}", "task",
                     problem_is_classification(p) ? "classification" : "regression", "n",
                     (json_int_t)rls2_dataset_rows(p->data), "m",
                     (json_int_t)rls2_dictionary_size(p->dictionary), "lambda",
                     json_object_get(point, "lambda"), "score", score, "measure", measure,
                     "scored_on", on, "chosen",
                     number_or_null(rls2_fit_count(o->fit) ? chosen : -1));
}

static json_t *make_result(const problem *p, const outcome *o, const char *rule, int64_t chosen)
{
    int64_t min = o->cv ? rls2_cv_min(o->cv) : -1, one_se = o->cv ? rls2_cv_1se(o->cv) : -1;
    json_t *result = json_pack(
        "{s:I, s:I, s:I, s:s, s:o, s:o, s:s, s:b, s:O, s:I, s:{s:o, s:o, s:o, s:s?}, s:o}", "n",
        (json_int_t)rls2_dataset_rows(p->data), "test_n",
        (json_int_t)(rls2_fit_test(o->fit) ? rls2_dataset_rows(rls2_fit_test(o->fit)) : 0), "m",
        (json_int_t)rls2_dictionary_size(p->dictionary), "task",
        problem_is_classification(p) ? "classification" : "regression", "outputs", output_names(p),
        "classes", class_labels(p), "measure", rls2_measure_name(p->measure), "rises",
        rls2_measure_rises(p->measure), "points", o->points, "asked",
        (json_int_t)rls2_fit_asked(o->fit), "best", "min",
        number_or_null(is_reached(o, min) ? min : -1), "one_se",
        number_or_null(is_reached(o, one_se) ? one_se : -1), "chosen", number_or_null(chosen), "by",
        rule, "notes", make_notes(p, o, chosen));
    if (result) add_baselines(o, result);
    return result;
}

int result_make(const problem *p, const outcome *o, json_t **result, json_t **profile,
                json_t **summary, fault *f)
{
    const char *rule = rule_of(p, o);
    int64_t chosen = choose(p, o, rule);
    add_curve(o);
    *result = make_result(p, o, rule, chosen);
    *profile = result_profile(o, o->points);
    *summary = make_summary(p, o, chosen);
    return *result && *profile && *summary ? 0 : fault_memory(f);
}
