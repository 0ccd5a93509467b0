/* Describes a model, whether a run made it or a file was opened. */
#include "gui/server/model_description.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gui/server/model_inputs.h"
#include "gui/server/table_columns.h"
#include "rls2/select.h"

/* ---- parts ---- */

json_t *model_labels(const rls2_model *model)
{
    json_t *list = json_array();
    for (int64_t k = 0; k < rls2_model_class_count(model); k++)
        json_array_append_new(list, json_words(rls2_model_class_label(model, k)));
    return list;
}

static json_t *kernel_columns(const rls2_model *model, int64_t k)
{
    const int64_t *columns;
    const char *const *names = rls2_model_column_names(model);
    int64_t count = rls2_model_kernel_columns(model, k, &columns);
    json_t *list = json_array();
    for (int64_t j = 0; j < count; j++) json_array_append_new(list, json_words(names[columns[j]]));
    return list;
}

json_t *model_kernels(const rls2_model *model)
{
    int64_t size = rls2_model_kernel_count(model);
    json_t *list = json_array();
    double *shares = calloc((size_t)size + 1, sizeof *shares);
    int shared = shares && rls2_model_shares(model, NULL, shares, NULL, NULL) == RLS2_OK;
    for (int64_t k = 0; k < size; k++)
        json_array_append_new(list,
                              json_pack("{s:I, s:o, s:o, s:o, s:o, s:o, s:o}", "index",
                                        (json_int_t)rls2_model_kernel_index(model, k), "name",
                                        json_words(rls2_model_kernel_name(model, k)), "columns",
                                        kernel_columns(model, k), "inputs",
                                        kernel_inputs(model, rls2_model_kernel_index(model, k)),
                                        "weight", json_finite(rls2_model_kernel_weight(model, k)),
                                        "scale", json_finite(rls2_model_scale(model, k)), "share",
                                        shared ? json_finite(shares[k]) : json_null()));
    free(shares);
    return list;
}

json_t *model_certificate(const rls2_model *model)
{
    const rls2_path_point *at = rls2_model_point(model);
    const rls2_represented *how = rls2_model_represented(model);
    int binned = rls2_model_is_compact(model) && how && how->bound != 0.0;
    return json_pack("{s:o, s:o, s:o, s:o, s:I, s:I, s:b}", "gap", json_finite(at->gap), "primal",
                     json_finite(at->objective), "dual",
                     json_finite(at->objective - at->gap * at->objective), "df",
                     json_finite(at->df), "selected", (json_int_t)at->selected, "iterations",
                     (json_int_t)at->iterations, "binned", binned);
}

json_t *model_losses(const rls2_model *model)
{
    char text[40];
    json_t *list = json_array();
    for (int64_t o = 0; o < rls2_model_outputs(model); o++) {
        rls2_loss loss = rls2_model_loss(rls2_model_output(model, o));
        json_array_append_new(list, json_string(rls2_loss_text(loss, text, sizeof text)));
    }
    return list;
}

/* Weights of the sparse part (without a name) and of the members, for each output. */
static json_t *stack_weights(const rls2_model *one)
{
    json_t *list = json_array();
    for (int64_t m = -1; m < rls2_model_member_count(one); m++)
        json_array_append_new(
            list, json_pack("{s:o, s:o}", "name",
                            m < 0 ? json_null() : json_words(rls2_model_member_name(one, m)),
                            "weight", json_finite(rls2_model_member_weight(one, m))));
    return list;
}

json_t *model_stack(const rls2_model *model)
{
    json_t *outputs = json_array();
    for (int64_t o = 0; o < rls2_model_outputs(model); o++)
        json_array_append_new(outputs, stack_weights(rls2_model_output(model, o)));
    const rls2_left_out *about = rls2_model_left_out(model); /* an edited file may have none */
    return json_pack("{s:o, s:o}", "score", json_finite(about ? about->score : (double)NAN),
                     "outputs", outputs);
}

json_t *model_relevance(const rls2_model *model)
{
    int64_t count = rls2_model_relevance(model, NULL);
    json_t *list = count > 0 ? json_array() : NULL;
    double *shares = calloc((size_t)count + 1, sizeof *shares);
    if (list && shares) rls2_model_relevance(model, shares);
    for (int64_t at = 0; list && shares && at < count; at++) {
        int64_t most = 0;
        for (int64_t k = 1; k < count; k++)
            if (shares[k] > shares[most]) most = k;
        json_array_append_new(list, json_pack("{s:o, s:o}", "input",
                                              json_words(rls2_model_input_name(model, most)),
                                              "share", json_finite(shares[most])));
        shares[most] = -1.0;
    }
    free(shares);
    return list;
}

/* ---- what it predicts ---- */

int model_has_targets(const rls2_model *model)
{
    return rls2_model_outputs(model) > 1 && !rls2_model_target(model);
}

static json_t *output_names(const rls2_model *model)
{
    json_t *list = json_array();
    for (int64_t o = 0; o < rls2_model_outputs(model); o++)
        json_array_append_new(list, json_words(rls2_model_output_name(model, o)));
    return list;
}

static json_t *targets(const rls2_model *model)
{
    if (model_has_targets(model)) return output_names(model);
    return json_pack("[o]", json_words(rls2_model_target(model)));
}

/* "quantile(0.05,0.5,0.95)" of several levels. */
static json_t *loss_text(const rls2_model *model)
{
    char text[400];
    size_t used;
    rls2_loss first = rls2_model_loss(model);
    rls2_loss_text(first, text, sizeof text);
    used = strlen(text);
    if (first.kind != RLS2_LOSS_QUANTILE || rls2_model_outputs(model) < 2 ||
        model_has_targets(model))
        return json_string(text);
    for (int64_t o = 1; o < rls2_model_outputs(model) && used + 32 < sizeof text; o++)
        used += (size_t)snprintf(text + used - 1, sizeof text - used + 1, ",%g)",
                                 rls2_model_loss(rls2_model_output(model, o)).parameter) -
                1;
    return json_string(text);
}

/* ---- how it fared, and how it was made ---- */

static json_t *left_out(const rls2_model *model)
{
    const rls2_left_out *at = rls2_model_left_out(model);
    rls2_measure measure;
    if (!at) return json_null();
    int known = rls2_measure_find(at->measure, &measure, NULL) == RLS2_OK;
    return json_pack("{s:o, s:b, s:o, s:o, s:I}", "measure", json_words(at->measure), "rises",
                     known && rls2_measure_rises(measure), "score", json_finite(at->score), "error",
                     json_finite(at->error), "splits", (json_int_t)at->splits);
}

/* Of one output, or of quantiles. */
static json_t *interval(const rls2_model *model)
{
    const rls2_interval *at = rls2_model_interval(model);
    if (!at) return json_null();
    return json_pack("{s:f, s:o, s:I, s:I}", "level", at->level, "correction",
                     json_finite(at->correction), "rows", (json_int_t)at->rows, "within",
                     (json_int_t)at->within);
}

static const char *rule_name(rls2_normalize rule)
{
    static const char *const NAMES[] = {"as they are", "centred", "standardised", "of unit length"};
    return rule >= 0 && (size_t)rule < sizeof NAMES / sizeof *NAMES ? NAMES[rule] : "";
}

static const char *missing_name(rls2_missing rule)
{
    static const char *const NAMES[] = {"refused", "left out", "filled in"};
    return rule >= 0 && (size_t)rule < sizeof NAMES / sizeof *NAMES ? NAMES[rule] : "";
}

static json_t *fingerprint(const rls2_model *model)
{
    uint64_t value = rls2_model_fingerprint(model);
    return value ? json_sprintf("%016" PRIx64, value) : json_null();
}

static json_t *outputs(const rls2_model *model)
{
    json_t *list = json_array();
    for (int64_t o = 0; o < rls2_model_outputs(model); o++) {
        const rls2_model *one = rls2_model_output(model, o);
        json_array_append_new(list, json_pack("{s:o, s:o, s:o}", "name",
                                              json_words(rls2_model_output_name(model, o)), "base",
                                              json_finite(rls2_model_base(one)), "kernels",
                                              model_kernels(one)));
    }
    return list;
}

/* ---- all of it ---- */

json_t *model_brief(const rls2_model *model)
{
    int classes = rls2_model_is_classification(model);
    return json_pack("{s:s, s:o, s:o, s:I, s:o, s:o}", "task",
                     classes ? "classification" : "regression", "targets", targets(model), "loss",
                     loss_text(model), "n", (json_int_t)rls2_model_rows(model), "lambda",
                     json_finite(rls2_model_lambda(model)), "left_out", left_out(model));
}

static void add_more(const rls2_model *model, json_t *about)
{
    json_t *relevance = model_relevance(model);
    if (relevance) json_object_set_new(about, "relevance", relevance);
    if (rls2_model_member_count(model) > 0) json_object_set_new(about, "stack", model_stack(model));
    if (rls2_model_row_weights_column(model))
        json_object_set_new(about, "row_weights", json_words(rls2_model_row_weights_column(model)));
}

json_t *model_about(const rls2_model *model)
{
    rls2_measure measure = rls2_measure_default_for(
        rls2_model_loss(model), rls2_model_is_classification(model), rls2_model_outputs(model));
    json_t *about = model_brief(model);
    json_t *more = json_pack(
        "{s:o, s:o, s:o, s:b, s:b, s:b, s:o, s:I, s:o, s:I, s:o, s:s, s:s, s:s, s:o, s:o, s:s}",
        "outputs", output_names(model), "classes", model_labels(model), "losses",
        model_losses(model), "probabilities", rls2_loss_has_probabilities(rls2_model_loss(model)),
        "intercept_free", rls2_model_intercept_is_free(model), "compact",
        rls2_model_is_compact(model), "inputs", model_inputs(model), "input_count",
        (json_int_t)rls2_model_input_count(model), "certificate", model_certificate(model), "m",
        (json_int_t)rls2_dictionary_count(rls2_model_dictionary(model)), "dictionary",
        json_words(rls2_model_spec(model)), "missing", missing_name(rls2_model_missing(model)),
        "examples", rule_name(rls2_model_example_rule(model)), "features",
        rule_name(rls2_model_feature_rule(model)), "fingerprint", fingerprint(model), "interval",
        interval(model), "measure", rls2_measure_name(measure));
    if (about && more) {
        json_object_set_new(about, "learned", outputs(model));
        json_object_update(about, more);
        add_more(model, about);
    }
    json_decref(more);
    if (more) return about;
    json_decref(about);
    return NULL;
}
