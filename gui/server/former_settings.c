/* Runs of earlier versions. Up to 0.6 test rows and splits were objects with a kind, lambdas an
 * object of numbers, groups an object of texts; up to 0.7 some defaults were others. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gui/server/run_plan.h"
#include "gui/server/table_columns.h"

static int is(const json_t *text, const char *word)
{
    return json_is_string(text) && strcmp(json_string_value(text), word) == 0;
}

static void copy(const json_t *from, const char *name, json_t *to, const char *name_now)
{
    json_t *value = json_object_get(from, name);
    if (value && !is(value, "")) json_object_set(to, name_now, value); /* "" was nothing */
}

/* "COLUMN=VALUE" of an object that has both. */
static json_t *rule_of(const json_t *object)
{
    const char *column = json_string_value(json_object_get(object, "column")),
               *value = json_string_value(json_object_get(object, "value"));
    return json_sprintf("%s=%s", column ? column : "", value ? value : "");
}

static void translate_test(const json_t *test, json_t *asked, json_t *settings)
{
    const json_t *kind = json_object_get(test, "kind");
    if (is(kind, "none")) json_object_set_new(settings, "test_rows", json_string("none"));
    if (is(kind, "column")) json_object_set_new(settings, "test_rows", rule_of(test));
    if (is(kind, "share")) {
        json_object_set_new(settings, "test_share", json_real(0.3)); /* the former default */
        copy(test, "share", settings, "test_share");
    }
    if (is(kind, "data")) copy(test, "data", asked, "test_data");
}

static void translate_splits(const json_t *splits, json_t *asked, json_t *settings)
{
    const json_t *kind = json_object_get(splits, "kind");
    if (is(kind, "none") && !json_object_get(settings, "select"))
        json_object_set_new(settings, "select", json_string("none"));
    if (!kind || is(kind, "folds")) {
        copy(splits, "folds", settings, "folds");
        copy(splits, "repeats", settings, "repeats");
    }
    if (is(kind, "random")) {
        json_object_set_new(settings, "splits", json_integer(20)); /* the former default */
        copy(splits, "count", settings, "splits");
        copy(splits, "share", settings, "share");
    }
    if (is(kind, "column")) copy(splits, "column", settings, "fold_column");
    if (is(kind, "validation") && json_is_string(json_object_get(splits, "data")))
        copy(splits, "data", asked, "validation_data");
    else if (is(kind, "validation"))
        json_object_set_new(settings, "validation_rows", rule_of(splits));
}

/* "a,b,c" */
static json_t *listed(const json_t *values)
{
    char *text = NULL, number[32];
    size_t length;
    FILE *out = open_memstream(&text, &length);
    if (!out) return NULL;
    for (size_t i = 0; i < json_array_size(values); i++)
        fprintf(out, "%s%s", i > 0 ? "," : "",
                columns_number(json_number_value(json_array_get(values, i)), number));
    fclose(out);
    json_t *made = text ? json_string(text) : NULL;
    free(text);
    return made;
}

static void translate_lambdas(const json_t *lambdas, json_t *settings)
{
    char lo[32], hi[32];
    const json_t *values = json_object_get(lambdas, "values");
    if (!json_is_object(lambdas)) return;
    json_t *text =
        json_is_array(values)
            ? listed(values)
            : json_sprintf("%s:%s:%.0f",
                           columns_number(json_number_value(json_object_get(lambdas, "lo")), lo),
                           columns_number(json_number_value(json_object_get(lambdas, "hi")), hi),
                           json_number_value(json_object_get(lambdas, "count")));
    json_object_set_new(settings, "lambdas", text);
}

static void translate_groups(const json_t *groups, json_t *settings)
{
    const char *name;
    json_t *columns, *list = json_array();
    json_object_foreach((json_t *)(uintptr_t)groups, name, columns)
    {
        const char *text = json_string_value(columns);
        if (text) json_array_append_new(list, json_sprintf("%s=%s", name, text));
    }
    json_object_set_new(settings, "group", list);
}

/* Those that have kept their meaning. */
static json_t *translate_others(const json_t *former)
{
    static const char *const KEPT[] = {
        "target",   "drop",     "categorical",  "task",     "class_weights",
        "features", "missing",  "reference",    "examples", "shuffle",
        "kernels",  "scaling",  "transductive", "center",   "transductive_features",
        "solver",   "max_iter", "gap_tol",      "delta",    "intercept",
        "measure",  "rule",     "seed"};
    json_t *settings = json_pack("{s:b}", "baselines", 1); /* the former default */
    for (size_t i = 0; settings && i < sizeof KEPT / sizeof *KEPT; i++)
        copy(former, KEPT[i], settings, KEPT[i]);
    copy(former, "baselines", settings, "baselines");
    copy(former, "weights", settings, "row_weights");
    if (!is(json_object_get(former, "select"), "cv")) copy(former, "select", settings, "select");
    return settings;
}

json_t *former_settings(const json_t *former)
{
    json_t *settings = translate_others(former), *asked = json_object();
    copy(former, "data", asked, "data");
    translate_test(json_object_get(former, "test"), asked, settings);
    translate_splits(json_object_get(former, "splits"), asked, settings);
    translate_lambdas(json_object_get(former, "lambdas"), settings);
    translate_groups(json_object_get(former, "groups"), settings);
    if (settings && json_object_set(asked, "settings", settings) == 0) {
        json_decref(settings);
        return asked;
    }
    json_decref(settings);
    json_decref(asked);
    return NULL;
}

static void set_default(json_t *settings, const char *name, const char *value)
{
    const json_t *now = json_object_get(settings, name);
    if (!now || json_is_null(now)) json_object_set_new(settings, name, json_string(value));
}

/* The intercept of classes depended on the kernels, and is left to the library. */
void former_defaults(json_t *asked, const json_t *summary)
{
    json_t *settings = json_object_get(asked, "settings");
    if (!json_is_object(settings)) return;
    set_default(settings, "columns", "all");
    set_default(settings, "missing", "drop");
    set_default(settings, "rare", "1"); /* none is */
    if (!json_is_true(json_object_get(settings, "standardize")))
        set_default(settings, "features", "none");
    if (!json_is_string(json_object_get(settings, "lambdas")))
        set_default(settings, "lambda_count", "30");
    if (is(json_object_get(summary, "task"), "regression"))
        set_default(settings, "intercept", "mean");
}
