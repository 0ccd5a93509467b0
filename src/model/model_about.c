/* Public functions of rls2/model.h that tell what a model was made from. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "model/model.h"
#include "table/classes.h"
#include "table/table.h"
#include "table/view.h"

/* ---- path and dictionary ---- */

const rls2_path_point *rls2_model_point(const rls2_model *model)
{
    return model ? &model->point : NULL;
}

const rls2_dictionary *rls2_model_dictionary(const rls2_model *model)
{
    return model ? model->dictionary : NULL;
}

const char *rls2_model_spec(const rls2_model *model)
{
    return model ? model->dictionary->spec : NULL;
}

int64_t rls2_model_kernel_index(const rls2_model *model, int64_t k)
{
    return model && k >= 0 && k < model->size ? model->index[k] : -1;
}

int64_t rls2_model_kernel_columns(const rls2_model *model, int64_t k, const int64_t **columns)
{
    return rls2_dictionary_kernel_columns(rls2_model_dictionary(model),
                                          rls2_model_kernel_index(model, k), columns);
}

const rls2_model_scaling *rls2_model_scaling_rule(const rls2_model *model)
{
    return model ? &model->scaling : NULL;
}

const double *rls2_model_scales(const rls2_model *model)
{
    return model ? model->scales : NULL;
}

rls2_solver rls2_model_solver(const rls2_model *model)
{
    return model ? model->solver : RLS2_SOLVER_NEWTON;
}

const char *const *rls2_model_column_names(const rls2_model *model)
{
    return model ? (const char *const *)model->dictionary->column_names : NULL;
}

const double *rls2_model_training_column(const rls2_model *model, int64_t column)
{
    for (int64_t t = 0; model && t < model->used_count; t++)
        if (model->used[t] == column) return model->x + t * model->n;
    return NULL;
}

const double *rls2_model_training_given(const rls2_model *model, int64_t g)
{
    return model && g >= 0 && g < model->dictionary->given_count ? model->given[g] : NULL;
}

int64_t rls2_model_given_count(const rls2_model *model)
{
    return model ? model->dictionary->given_count : 0;
}

const char *rls2_model_given_name(const rls2_model *model, int64_t g)
{
    return g >= 0 && g < rls2_model_given_count(model) ? model->dictionary->given_names[g] : NULL;
}

/* ---- data ---- */

static rls2_status check_columns(const rls2_model *model, const rls2_dataset *training,
                                 rls2_error *err)
{
    if (training->columns != model->p)
        return rls2__fail(err, RLS2_ERR_ARGUMENT,
                          "the data set has %lld columns and the model %lld",
                          (long long)training->columns, (long long)model->p);
    for (int64_t j = 0; j < model->p; j++)
        if (strcmp(training->encoder->names[j], model->dictionary->column_names[j]) != 0)
            return rls2__fail(err, RLS2_ERR_ARGUMENT,
                              "column %lld is '%s' in the data set and '%s' in the model",
                              (long long)j + 1, rls2__show(training->encoder->names[j]).text,
                              rls2__show(model->dictionary->column_names[j]).text);
    return RLS2_OK;
}

static rls2_status check_outputs(const rls2_model *model, const rls2_dataset *training,
                                 rls2_error *err)
{
    int64_t responses = rls2__encoder_outputs(training->encoder);
    if (model->head)
        return rls2__fail(err, RLS2_ERR_ARGUMENT,
                          "output %lld of a model is attached with the model",
                          (long long)model->number + 1);
    if (training->encoder->copies > 1 && !rls2__model_has_quantiles(model))
        return rls2__fail(err, RLS2_ERR_ARGUMENT,
                          "the data set repeats its response, and the outputs of the model are no "
                          "quantiles");
    if (responses == model->output_count) return RLS2_OK;
    return rls2__fail(err, RLS2_ERR_ARGUMENT,
                      "the data set has %lld responses and the model %lld outputs",
                      (long long)responses, (long long)model->output_count);
}

rls2_status rls2_model_attach(rls2_model *model, const rls2_dataset *training, rls2_error *err)
{
    if (!model) return rls2__fail_null(err, "model");
    if (!training) return rls2__fail_null(err, "training");
    if (training->encoder->target_count == 0)
        return rls2__fail(err, RLS2_ERR_ARGUMENT, "the training data have no response");
    rls2_status status = check_columns(model, training, err);
    if (status == RLS2_OK) status = check_outputs(model, training, err);
    if (status != RLS2_OK) return status;
    rls2__origin origin;
    status = rls2__origin_create(training->encoder, &training->preparation,
                                 rls2_dataset_fingerprint(training), &origin);
    if (status != RLS2_OK) {
        rls2__origin_release(&origin);
        return rls2__fail_memory(err, "the training data of the model");
    }
    rls2__origin_release(&model->origin);
    model->origin = origin;
    return RLS2_OK;
}

void rls2__model_forget_rows(rls2_model *model)
{
    model->origin.fingerprint = 0;
}

static void mark_inputs(const rls2_model *model, const int64_t *input_of, unsigned char *needed)
{
    for (int64_t t = 0; t < model->used_count; t++) needed[input_of[model->used[t]]] = 1;
}

/* 1 for each input that a selected kernel looks at, or one of a member of a stack. NULL when out of
 * memory. */
static unsigned char *needed_inputs(const rls2_model *model)
{
    const rls2__origin *origin = rls2__model_origin(model);
    unsigned char *needed = rls2__alloc_zero(origin->encoder->count, 1);
    if (!needed) return NULL;
    mark_inputs(model, origin->input_of, needed);
    for (int64_t m = 0; m < rls2_model_member_count(model); m++)
        mark_inputs(rls2_model_member(model, m), origin->input_of, needed);
    return needed;
}

rls2_status rls2_model_encode(const rls2_model *model, const rls2_table *table,
                              rls2_missing missing, rls2_response response, rls2_dataset **dataset,
                              rls2_error *err)
{
    if (!model) return rls2__fail_null(err, "model");
    if (!table) return rls2__fail_null(err, "table");
    if (!dataset) return rls2__fail_null(err, "dataset");
    if (missing < RLS2_MISSING_AS_TRAINED || missing > RLS2_MISSING_IMPUTE)
        return rls2__fail(err, RLS2_ERR_ARGUMENT, "missing is %d, not -1, 0, 1 or 2", (int)missing);
    if (response != RLS2_RESPONSE_IGNORED && response != RLS2_RESPONSE_READ)
        return rls2__fail(err, RLS2_ERR_ARGUMENT, "response is %d, not 0 or 1", (int)response);
    const rls2__origin *origin = rls2__model_origin(model);
    if (!origin->encoder)
        return rls2__fail(
            err, RLS2_ERR_ARGUMENT,
            "the model knows nothing of tables: it was not attached to its training data");
    rls2__view_rules rules = rls2__view_rules_of(origin->encoder);
    if (missing != RLS2_MISSING_AS_TRAINED &&
        (missing != RLS2_MISSING_IMPUTE || origin->preparation.has_fills))
        rules.missing = missing;
    rules.skip_target = response == RLS2_RESPONSE_IGNORED;
    rules.may_be_empty = 1;
    unsigned char *needed = NULL;
    if (rules.skip_target && origin->preparation.how.examples == RLS2_NORMALIZE_NONE) {
        needed = needed_inputs(model);
        if (!needed) return rls2__fail_memory(err, "the inputs of the model");
    }
    rules.needed = needed;
    rls2_status status =
        rls2__dataset_like(table, origin->encoder, &origin->preparation, rules, dataset, err);
    rls2__free(needed);
    return status;
}

static const rls2__encoder *encoder_of(const rls2_model *model)
{
    return model ? rls2__model_origin(model)->encoder : NULL;
}

const char *rls2_model_target(const rls2_model *model)
{
    const rls2__encoder *encoder = encoder_of(model);
    if (!encoder) return NULL;
    if (encoder->target_count == 1) return encoder->targets[0];
    return model->head ? encoder->targets[model->number] : NULL;
}

double rls2_model_target_value(const rls2_model *model, int64_t t, const rls2_table *table,
                               int64_t row, int64_t column)
{
    const rls2__encoder *encoder = encoder_of(model);
    if (!encoder || !table || encoder->has_classes || t < 0 || t >= encoder->target_count)
        return (double)NAN;
    if (row < 0 || row >= table->rows || column < 0 || column >= table->columns) return (double)NAN;
    return rls2__table_number_as(table, row, column, &encoder->target_styles[t]);
}

const char *rls2_model_output_name(const rls2_model *model, int64_t o)
{
    const rls2__encoder *encoder = encoder_of(model);
    if (!encoder || o < 0 || o >= model->output_count) return NULL;
    int64_t number = model->head ? model->number : o;
    return rls2__encoder_output_name(encoder, number);
}

int rls2_model_is_classification(const rls2_model *model)
{
    return encoder_of(model) && encoder_of(model)->has_classes;
}

int64_t rls2_model_class_count(const rls2_model *model)
{
    return rls2_model_is_classification(model) ? encoder_of(model)->label_count : 0;
}

const char *rls2_model_class_label(const rls2_model *model, int64_t k)
{
    return k >= 0 && k < rls2_model_class_count(model) ? encoder_of(model)->labels[k] : NULL;
}

const char *rls2_model_row_weights_column(const rls2_model *model)
{
    return encoder_of(model) ? encoder_of(model)->weight : NULL;
}

uint64_t rls2_model_fingerprint(const rls2_model *model)
{
    return encoder_of(model) ? rls2__model_origin(model)->fingerprint : 0;
}

rls2_missing rls2_model_missing(const rls2_model *model)
{
    return encoder_of(model) ? encoder_of(model)->missing : RLS2_MISSING_ERROR;
}

rls2_normalize rls2_model_example_rule(const rls2_model *model)
{
    return encoder_of(model) ? rls2__model_origin(model)->preparation.how.examples
                             : RLS2_NORMALIZE_NONE;
}

rls2_normalize rls2_model_feature_rule(const rls2_model *model)
{
    return encoder_of(model) ? rls2__model_origin(model)->preparation.how.features
                             : RLS2_NORMALIZE_NONE;
}

int64_t rls2_model_input_count(const rls2_model *model)
{
    if (!model) return 0;
    return encoder_of(model) ? encoder_of(model)->count : model->p;
}

const char *rls2_model_input_name(const rls2_model *model, int64_t input)
{
    if (input < 0 || input >= rls2_model_input_count(model)) return NULL;
    return encoder_of(model) ? encoder_of(model)->inputs[input].name
                             : model->dictionary->column_names[input];
}

rls2_column_kind rls2_model_input_kind(const rls2_model *model, int64_t input)
{
    if (input < 0 || input >= rls2_model_input_count(model) || !encoder_of(model))
        return RLS2_COLUMN_NUMBERS;
    return rls2__input_kind(&encoder_of(model)->inputs[input]);
}

int64_t rls2_model_input_columns(const rls2_model *model, int64_t input, int64_t *first)
{
    int exists = input >= 0 && input < rls2_model_input_count(model);
    const rls2__input *found =
        exists && encoder_of(model) ? &encoder_of(model)->inputs[input] : NULL;
    if (first) *first = found ? found->first : exists ? input : 0;
    return found ? found->width : exists;
}

int64_t rls2_model_input_of(const rls2_model *model, int64_t column)
{
    if (!model || column < 0 || column >= model->p) return -1;
    return encoder_of(model) ? rls2__model_origin(model)->input_of[column] : column;
}
