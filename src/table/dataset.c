/* The numeric data set: its life and what can be asked of it. The work is done by the
 * encoder, see encoder.h. */
#include "table/dataset.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/invariant.h"
#include "base/option_struct.h"
#include "base/status.h"
#include "table/census.h"
#include "table/classes.h"
#include "table/encode.h"
#include "table/fills.h"
#include "table/preprocess.h"
#include "table/table.h"
#include "table/view.h"

/* ---- accessors ---- */

void rls2_dataset_free(rls2_dataset *dataset)
{
    if (!dataset) return;
    rls2__free(dataset->x);
    rls2__free(dataset->y);
    rls2__free(dataset->classes);
    rls2__free(dataset->weights);
    rls2__free(dataset->source);
    rls2__preparation_release(&dataset->preparation);
    rls2__encoder_release(dataset->encoder);
    rls2__free(dataset);
}

int64_t rls2_dataset_rows(const rls2_dataset *dataset)
{
    return dataset ? dataset->rows : 0;
}

int64_t rls2_dataset_columns(const rls2_dataset *dataset)
{
    return dataset ? dataset->columns : 0;
}

const char *const *rls2_dataset_names(const rls2_dataset *dataset)
{
    return dataset ? dataset->encoder->names : NULL;
}

int64_t rls2_dataset_input_count(const rls2_dataset *dataset)
{
    return dataset ? dataset->encoder->count : 0;
}

static const rls2__input *input_of(const rls2_dataset *dataset, int64_t input)
{
    int exists = input >= 0 && input < rls2_dataset_input_count(dataset);
    return exists ? &dataset->encoder->inputs[input] : NULL;
}

const char *rls2_dataset_input_name(const rls2_dataset *dataset, int64_t input)
{
    const rls2__input *found = input_of(dataset, input);
    return found ? found->name : NULL;
}

rls2_column_kind rls2_dataset_input_kind(const rls2_dataset *dataset, int64_t input)
{
    const rls2__input *found = input_of(dataset, input);
    return found ? rls2__input_kind(found) : RLS2_COLUMN_NUMBERS;
}

int64_t rls2_dataset_input_columns(const rls2_dataset *dataset, int64_t input, int64_t *first)
{
    const rls2__input *found = input_of(dataset, input);
    if (first) *first = found ? found->first : 0;
    return found ? found->width : 0;
}

const double *rls2_dataset_x(const rls2_dataset *dataset)
{
    return dataset ? dataset->x : NULL;
}

const double *rls2_dataset_y(const rls2_dataset *dataset)
{
    return dataset ? dataset->y : NULL;
}

int64_t rls2_dataset_outputs(const rls2_dataset *dataset)
{
    return dataset ? rls2__encoder_outputs(dataset->encoder) : 0;
}

const char *rls2_dataset_output_name(const rls2_dataset *dataset, int64_t o)
{
    if (!dataset || o < 0 || o >= rls2_dataset_outputs(dataset)) return NULL;
    const rls2__encoder *encoder = dataset->encoder;
    return rls2__encoder_output_name(encoder, o);
}

const double *rls2_dataset_row_weights(const rls2_dataset *dataset)
{
    return dataset ? dataset->weights : NULL;
}

int64_t rls2_dataset_source_row(const rls2_dataset *dataset, int64_t row)
{
    return dataset && row >= 0 && row < dataset->rows ? dataset->source[row] : -1;
}

int64_t rls2_dataset_dropped(const rls2_dataset *dataset)
{
    return dataset ? dataset->dropped : 0;
}

int64_t rls2_dataset_imputed(const rls2_dataset *dataset)
{
    return dataset ? dataset->imputed : 0;
}

int64_t rls2_dataset_unseen(const rls2_dataset *dataset)
{
    return dataset ? dataset->unseen : 0;
}

int rls2_dataset_is_classification(const rls2_dataset *dataset)
{
    return dataset && dataset->encoder->has_classes;
}

int64_t rls2_dataset_class_count(const rls2_dataset *dataset)
{
    return dataset ? dataset->encoder->label_count : 0;
}

const char *rls2_dataset_class_label(const rls2_dataset *dataset, int64_t k)
{
    return dataset && k >= 0 && k < rls2_dataset_class_count(dataset) ? dataset->encoder->labels[k]
                                                                      : NULL;
}

const int64_t *rls2_dataset_classes(const rls2_dataset *dataset)
{
    return dataset ? dataset->classes : NULL;
}

static int has_features(const rls2_dataset *dataset)
{
    return dataset && dataset->preparation.how.features != RLS2_NORMALIZE_NONE;
}

const double *rls2_dataset_means(const rls2_dataset *dataset)
{
    return has_features(dataset) ? dataset->preparation.means : NULL;
}

const double *rls2_dataset_deviations(const rls2_dataset *dataset)
{
    return has_features(dataset) ? dataset->preparation.deviations : NULL;
}

/* ---- options ---- */

void rls2_dataset_options_init(rls2_dataset_options *options, size_t size)
{
    static const rls2_dataset_options defaults = {
        .size = sizeof defaults, .missing = RLS2_MISSING_DROP, .classify = -1};
    rls2__options_init(options, size, &defaults, sizeof defaults);
}

/* `counter` is the option that says how many there are. */
static rls2_status check_list(const char *option, const char *counter, const char *const *names,
                              int64_t count, rls2_error *err)
{
    if (count < 0) return rls2__fail(err, RLS2_ERR_ARGUMENT, "%s is %" PRId64, counter, count);
    if (count > 0 && !names) return rls2__fail(err, RLS2_ERR_ARGUMENT, "%s is NULL", option);
    for (int64_t i = 0; i < count; i++)
        if (!names[i])
            return rls2__fail(err, RLS2_ERR_ARGUMENT, "%s[%" PRId64 "] is NULL", option, i);
    return RLS2_OK;
}

static rls2_status check_targets(const rls2_dataset_options *options, rls2_error *err)
{
    if (options->target && options->target_count > 0)
        return rls2__fail(err, RLS2_ERR_ARGUMENT, "target and targets are both given");
    if (options->target_count > 1 && options->classify == 1)
        return rls2__fail(err, RLS2_ERR_ARGUMENT,
                          "classify is 1, but %" PRId64 " targets are no classes",
                          options->target_count);
    if (options->copies < 0 || (options->copies > 1 && options->target_count > 1))
        return rls2__fail(err, RLS2_ERR_ARGUMENT,
                          "copies is %" PRId64 ": it is a count, of the response of one target",
                          options->copies);
    if (options->copies < 2) return RLS2_OK;
    return check_list("copy_names", "copies", options->copy_names, options->copies, err);
}

static rls2_status check_options(const rls2_dataset_options *options, rls2_error *err)
{
    if (options->classify < -1 || options->classify > 1)
        return rls2__fail(err, RLS2_ERR_ARGUMENT, "classify is %d, not -1, 0 or 1",
                          options->classify);
    if (options->missing < RLS2_MISSING_ERROR || options->missing > RLS2_MISSING_IMPUTE)
        return rls2__fail(err, RLS2_ERR_ARGUMENT, "missing is %d, not 0, 1 or 2",
                          (int)options->missing);
    if (options->rare < -1)
        return rls2__fail(err, RLS2_ERR_ARGUMENT, "rare is %" PRId64 ", not -1 or a count",
                          options->rare);
    rls2_status status =
        check_list("targets", "target_count", options->targets, options->target_count, err);
    if (status == RLS2_OK) status = check_targets(options, err);
    if (status == RLS2_OK)
        status = check_list("drop", "drop_count", options->drop, options->drop_count, err);
    if (status != RLS2_OK) return status;
    return check_list("categorical", "categorical_count", options->categorical,
                      options->categorical_count, err);
}

static rls2_status take_options(const rls2_dataset_options *options, rls2_dataset_options *own,
                                rls2_error *err)
{
    rls2_dataset_options_init(own, sizeof *own);
    rls2_status status =
        rls2__options_read("options", "dataset_options", options, sizeof *own, own, err);
    return status == RLS2_OK ? check_options(own, err) : status;
}

/* ---- making ---- */

/* Standardising cannot fail, so what it will remember has its room from the start. */
static rls2_dataset *dataset_reserve(int64_t columns)
{
    rls2_dataset *dataset = rls2__alloc_zero(1, sizeof *dataset);
    if (!dataset) return NULL;
    dataset->columns = columns;
    if (rls2__preparation_reserve(&dataset->preparation, columns) == RLS2_OK) return dataset;
    rls2_dataset_free(dataset);
    return NULL;
}

/* The rows of the view, which loses its list of them to the data set. */
static rls2_status make(rls2__view *view, rls2__encoder *encoder, rls2_dataset **dataset,
                        rls2_error *err)
{
    rls2_dataset *made = dataset_reserve(encoder->columns);
    if (!made) return rls2__fail_memory(err, "a data set");
    made->encoder = rls2__encoder_share(encoder);
    made->rows = view->rows;
    made->dropped = view->table->rows - view->rows;
    rls2__invariant(made->rows >= 0 && made->dropped >= 0);
    rls2_status status = rls2__encode(view, made, err);
    if (status != RLS2_OK) {
        rls2_dataset_free(made);
        return status;
    }
    made->source = view->source;
    view->source = NULL;
    *dataset = made;
    return RLS2_OK;
}

rls2_status rls2_dataset_create(const rls2_table *table, const rls2_dataset_options *options,
                                rls2_dataset **dataset, rls2_error *err)
{
    if (!table) return rls2__fail_null(err, "table");
    if (!dataset) return rls2__fail_null(err, "dataset");
    if (!options) return rls2__fail_null(err, "options");
    rls2_dataset_options own;
    rls2_status status = take_options(options, &own, err);
    if (status != RLS2_OK) return status;

    rls2__encoder *encoder = NULL;
    rls2__view view = {0};
    rls2_dataset *made = NULL;
    status = rls2__encoder_create(table, &own, &encoder, err);
    if (status == RLS2_OK)
        status = rls2__view_open(table, encoder, rls2__view_rules_of(encoder), &view, err);
    if (status == RLS2_OK) status = rls2__encoder_learn(encoder, &view, err);
    if (status == RLS2_OK) status = make(&view, encoder, &made, err);
    if (status == RLS2_OK) status = rls2__dataset_learn_fills(made, err);
    if (status == RLS2_OK)
        *dataset = made;
    else
        rls2_dataset_free(made);
    rls2__view_close(&view);
    rls2__encoder_release(encoder);
    return status;
}

rls2_status rls2__dataset_counted(const rls2_table *table, const rls2_dataset_options *options,
                                  rls2__census_fn find, void *user, rls2_dataset **dataset,
                                  rls2_error *err)
{
    rls2_dataset_options own;
    rls2__encoder *encoder = NULL;
    rls2__view view = {0};
    rls2__census census = {0};
    rls2_status status = take_options(options, &own, err);
    if (status == RLS2_OK) status = rls2__encoder_create(table, &own, &encoder, err);
    if (status == RLS2_OK) status = find(user, encoder, &census, err);
    if (status == RLS2_OK)
        status = rls2__view_open(table, encoder, rls2__view_rules_of(encoder), &view, err);
    if (status == RLS2_OK) status = rls2__encoder_take(encoder, &view, &census, err);
    if (status == RLS2_OK) status = make(&view, encoder, dataset, err);
    rls2__view_close(&view);
    rls2__encoder_release(encoder);
    return status;
}

/* Every cell is finite, but divided by a very small deviation it may overflow. */
static rls2_status check_finite(const rls2_table *table, const rls2__view *view,
                                const rls2_dataset *dataset, rls2_error *err)
{
    char buffer[RLS2__NUMBER_TEXT];
    for (int64_t k = 0; k < view->encoder->count; k++) {
        const rls2__input *input = &view->encoder->inputs[k];
        const double *x = dataset->x + input->first * dataset->rows;
        for (int64_t i = 0; i < dataset->rows * input->width; i++) {
            if (isfinite(x[i])) continue;
            int64_t row = dataset->source[i % dataset->rows], column = view->column_of[k];
            const char *cell = column < 0 ? "0" : rls2__table_text(table, row, column, buffer);
            return rls2__fail(err, RLS2_ERR_VALUE,
                              "%s: column '%s': '%s' is too far from the training values",
                              rls2__table_place(table, row).text, rls2__show(input->name).text,
                              rls2__show(cell).text);
        }
    }
    return RLS2_OK;
}

/* What was not looked at is zero, also after preprocessing. */
static void clear_unneeded(const rls2__view *view, rls2_dataset *dataset)
{
    for (int64_t k = 0; view->rules.needed && k < view->encoder->count; k++) {
        const rls2__input *input = &view->encoder->inputs[k];
        size_t values = (size_t)(input->width * dataset->rows);
        if (!view->rules.needed[k] && values > 0)
            memset(dataset->x + input->first * dataset->rows, 0, values * sizeof(double));
    }
}

rls2_status rls2__dataset_like(const rls2_table *table, rls2__encoder *encoder,
                               const rls2__preparation *preparation, rls2__view_rules rules,
                               rls2_dataset **dataset, rls2_error *err)
{
    rls2_dataset *made = NULL;
    rls2__view view;
    rls2_status status = rls2__view_open(table, encoder, rules, &view, err);
    if (status == RLS2_OK) status = make(&view, encoder, &made, err);
    if (status != RLS2_OK) goto cleanup;
    if (preparation && rls2__prepare_like(made, preparation) != RLS2_OK) {
        status = rls2__fail_memory(err, "a data set");
        goto cleanup;
    }
    clear_unneeded(&view, made);
    if (preparation) status = check_finite(table, &view, made, err);
    if (status != RLS2_OK) goto cleanup;
    *dataset = made;
    made = NULL;

cleanup:
    rls2__view_close(&view);
    rls2_dataset_free(made);
    return status;
}

rls2_status rls2_dataset_create_like(const rls2_table *table, const rls2_dataset *training,
                                     rls2_dataset **dataset, rls2_error *err)
{
    if (!table) return rls2__fail_null(err, "table");
    if (!training) return rls2__fail_null(err, "training");
    if (!dataset) return rls2__fail_null(err, "dataset");
    return rls2__dataset_like(table, training->encoder, &training->preparation,
                              rls2__view_rules_of(training->encoder), dataset, err);
}
