/* Applies an encoder to the rows of a view: x, numbers in blocks (the table lies by rows, x by
 * columns), then the responses and the weights. */
#include "table/encode.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/invariant.h"
#include "base/status.h"
#include "table/classes.h"
#include "table/dataset.h"
#include "table/table.h"
#include "table/view.h"

/* ---- inputs ---- */

/* The first of the known texts say what kind of text was expected. */
static rls2_status fail_unseen(const rls2__view *view, int64_t row, const char *name,
                               const char *text, const char *const *known, int64_t count,
                               rls2_error *err)
{
    return rls2__fail(err, RLS2_ERR_VALUE,
                      "%s: column '%s': '%s' was not among the training values (%s)",
                      rls2__table_place(view->table, view->source[row]).text, rls2__show(name).text,
                      rls2__show(text).text, rls2__show_list(known, count, "").text);
}

static rls2_status fail_unseen_value(const rls2__view *view, int64_t row, int64_t k,
                                     rls2_error *err)
{
    char buffer[RLS2__NUMBER_TEXT];
    const rls2__input *input = &view->encoder->inputs[k];
    const char *known[RLS2__LISTED];
    int64_t count = rls2__lookup_count(input->values);
    for (int64_t v = 0; v < count && v < RLS2__LISTED; v++)
        known[v] = rls2__lookup_text(input->values, v);
    return fail_unseen(view, row, input->name, rls2__view_text(view, row, k, buffer), known, count,
                       err);
}

/* The numbers of an input in the rows [begin, end) of the view, where the table reads them as the
 * training rows were written or where it does not. */
static void fill_cells(const rls2__view *view, int64_t k, int64_t begin, int64_t end, double *x)
{
    const rls2_table *table = view->table;
    int64_t column = view->column_of[k];
    if (!rls2__style_same(&view->encoder->inputs[k].style, &table->styles[column])) {
        for (int64_t i = begin; i < end; i++) x[i] = rls2__view_number(view, i, k);
        return;
    }
    const double *value = table->value + column;
    for (int64_t i = begin; i < end; i++) x[i] = value[view->source[i] * table->columns];
}

/* Numbers and dates of the inputs [from, to) in the rows [begin, end) of the view. */
static void fill_block(const rls2__view *view, rls2_dataset *dataset, int64_t from, int64_t to,
                       int64_t begin, int64_t end)
{
    for (int64_t k = from; k < to; k++) {
        const rls2__input *input = &view->encoder->inputs[k];
        if (input->values || view->column_of[k] < 0) continue;
        double *x = dataset->x + input->first * dataset->rows;
        fill_cells(view, k, begin, end, x);
        for (int64_t i = begin; i < end; i++) {
            if (isnan(x[i]))
                dataset->imputed++;
            else if (input->parts)
                rls2__input_write_date(input, x[i], x + i, dataset->rows);
        }
    }
}

/* The table lies by rows and x by columns: in blocks that fit the cache, neither is walked in
 * strides that miss it with every step. */
static void fill_numbers(const rls2__view *view, rls2_dataset *dataset)
{
    enum { ROWS = 64, INPUTS = 32 };
    int64_t count = view->encoder->count, n = dataset->rows;
    for (int64_t i = 0; i < n; i += ROWS)
        for (int64_t k = 0; k < count; k += INPUTS)
            fill_block(view, dataset, k, k + INPUTS < count ? k + INPUTS : count, i,
                       i + ROWS < n ? i + ROWS : n);
}

/* The columns of a text input in a row of the view. An unknown category is 'other', or none. */
static rls2_status fill_text(const rls2__view *view, rls2_dataset *dataset, int64_t row, int64_t k,
                             rls2_error *err)
{
    char buffer[RLS2__NUMBER_TEXT];
    const rls2__input *input = &view->encoder->inputs[k];
    double *x = dataset->x + input->first * dataset->rows + row;
    rls2__invariant(input->first + input->width <= dataset->columns);
    if (rls2__view_is_missing(view, row, k)) {
        dataset->imputed++;
        if (input->width > 0) *x = (double)NAN;
        return RLS2_OK;
    }
    int64_t value = rls2__lookup_find(input->values, rls2__view_text(view, row, k, buffer));
    if (value < 0 && view->rules.missing == RLS2_MISSING_ERROR)
        return fail_unseen_value(view, row, k, err);
    dataset->unseen += value < 0;
    int64_t v = rls2__input_indicator(input, value);
    rls2__invariant(v < input->own);
    if (v >= 0) x[v * dataset->rows] = 1.0;
    return RLS2_OK;
}

static rls2_status fill_texts(const rls2__view *view, rls2_dataset *dataset, int64_t row,
                              rls2_error *err)
{
    rls2_status status = RLS2_OK;
    for (int64_t k = 0; k < view->encoder->count && status == RLS2_OK; k++)
        if (view->encoder->inputs[k].values && !(view->rules.needed && !view->rules.needed[k]))
            status = fill_text(view, dataset, row, k, err);
    return status;
}

static int has_indicators(const rls2__encoder *encoder)
{
    for (int64_t k = 0; k < encoder->count; k++)
        if (encoder->inputs[k].values) return 1;
    return 0;
}

static rls2_status fill_x(const rls2__view *view, rls2_dataset *dataset, rls2_error *err)
{
    dataset->x = rls2__alloc_zero(rls2__mul(dataset->rows, dataset->columns), sizeof *dataset->x);
    if (!dataset->x)
        return rls2__fail(err, RLS2_ERR_MEMORY,
                          "out of memory for %" PRId64 " rows of %" PRId64 " inputs", dataset->rows,
                          dataset->columns);
    fill_numbers(view, dataset);
    int64_t rows = has_indicators(view->encoder) ? dataset->rows : 0;
    for (int64_t i = 0; i < rows; i++) {
        rls2_status status = fill_texts(view, dataset, i, err);
        if (status != RLS2_OK) return status;
    }
    return RLS2_OK;
}

/* ---- responses ---- */

static rls2_status find_classes(const rls2__view *view, rls2_dataset *dataset, rls2_error *err)
{
    char buffer[RLS2__NUMBER_TEXT];
    const rls2__encoder *encoder = view->encoder;
    dataset->classes = rls2__alloc(dataset->rows, sizeof *dataset->classes);
    if (!dataset->classes) return rls2__fail_memory(err, "the classes");
    for (int64_t i = 0; i < dataset->rows; i++) {
        dataset->classes[i] = rls2__class_of(view, i);
        if (dataset->classes[i] < 0)
            return fail_unseen(
                view, i, encoder->targets[0],
                rls2__table_text(view->table, view->source[i], view->targets[0], buffer),
                encoder->labels, encoder->label_count, err);
    }
    rls2__invariant(rls2__is_within(dataset->rows, dataset->classes, encoder->label_count));
    return RLS2_OK;
}

/* One response tells two classes apart; of more, each has its own. */
static void fill_signs(rls2_dataset *dataset, int64_t outputs)
{
    int64_t n = dataset->rows;
    for (int64_t o = 0; o < outputs; o++) {
        int64_t positive = outputs == 1 ? 1 : o;
        for (int64_t i = 0; i < n; i++)
            dataset->y[o * n + i] = dataset->classes[i] == positive ? 1.0 : -1.0;
    }
}

static rls2_status fill_y(const rls2__view *view, rls2_dataset *dataset, rls2_error *err)
{
    int64_t n = dataset->rows, outputs = rls2__encoder_outputs(view->encoder);
    if (view->encoder->has_classes) {
        rls2_status status = find_classes(view, dataset, err);
        if (status != RLS2_OK) return status;
    }
    dataset->y = rls2__alloc(rls2__mul(n, outputs), sizeof *dataset->y);
    if (!dataset->y) return rls2__fail_memory(err, outputs > 1 ? "the responses" : "the response");
    if (view->encoder->has_classes) {
        fill_signs(dataset, outputs);
        return RLS2_OK;
    }
    for (int64_t o = 0; o < outputs; o++) {
        int64_t t = o / view->encoder->copies;
        for (int64_t i = 0; i < n; i++)
            dataset->y[o * n + i] = rls2__table_number_as(
                view->table, view->source[i], view->targets[t], &view->encoder->target_styles[t]);
    }
    return RLS2_OK;
}

static rls2_status fill_weights(const rls2__view *view, rls2_dataset *dataset, rls2_error *err)
{
    dataset->weights = rls2__alloc(dataset->rows, sizeof *dataset->weights);
    if (!dataset->weights) return rls2__fail_memory(err, "the weights");
    for (int64_t i = 0; i < dataset->rows; i++)
        dataset->weights[i] = rls2__table_number(view->table, view->source[i], view->weight);
    rls2__invariant(rls2__is_positive(dataset->rows, dataset->weights));
    return RLS2_OK;
}

rls2_status rls2__encode(const rls2__view *view, rls2_dataset *dataset, rls2_error *err)
{
    rls2_status status = fill_x(view, dataset, err);
    if (status == RLS2_OK && view->has_targets) status = fill_y(view, dataset, err);
    if (status == RLS2_OK && view->weight >= 0) status = fill_weights(view, dataset, err);
    rls2__invariant(status != RLS2_OK || dataset->imputed > 0 ||
                    rls2__is_finite(dataset->rows * dataset->columns, dataset->x));
    return status;
}
