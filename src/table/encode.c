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

/* The text of an input in a row of the view: that of a zero where the table does not have the
 * column. */
static const char *text_of(const rls2__view *view, int64_t row, int64_t column,
                           char buffer[RLS2__NUMBER_TEXT])
{
    return column < 0 ? "0" : rls2__table_text(view->table, view->source[row], column, buffer);
}

/* The first of the known texts say what kind of text was expected. */
static rls2_status fail_unseen(const rls2__view *view, int64_t row, int64_t column,
                               const char *name, const char *const *known, int64_t count,
                               rls2_error *err)
{
    char buffer[RLS2__NUMBER_TEXT];
    return rls2__fail(err, RLS2_ERR_VALUE,
                      "%s: column '%s': '%s' was not among the training values (%s)",
                      rls2__table_place(view->table, view->source[row]).text, rls2__show(name).text,
                      rls2__show(text_of(view, row, column, buffer)).text,
                      rls2__show_list(known, count, "").text);
}

static rls2_status fail_unseen_value(const rls2__view *view, int64_t row, int64_t k,
                                     rls2_error *err)
{
    const rls2__input *input = &view->encoder->inputs[k];
    const char *known[RLS2__LISTED];
    int64_t count = rls2__lookup_count(input->values);
    for (int64_t v = 0; v < count && v < RLS2__LISTED; v++)
        known[v] = rls2__lookup_text(input->values, v);
    return fail_unseen(view, row, view->column_of[k], input->name, known, count, err);
}

/* Numbers of the inputs [from, to) in the rows [begin, end) of the view. */
static void fill_block(const rls2__view *view, rls2_dataset *dataset, int64_t from, int64_t to,
                       int64_t begin, int64_t end)
{
    const rls2_table *table = view->table;
    for (int64_t k = from; k < to; k++) {
        const rls2__input *input = &view->encoder->inputs[k];
        if (input->values || view->column_of[k] < 0) continue;
        double *x = dataset->x + input->first * dataset->rows;
        const double *value = table->value + view->column_of[k];
        for (int64_t i = begin; i < end; i++) {
            x[i] = value[view->source[i] * table->columns];
            dataset->imputed += isnan(x[i]) != 0;
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

static rls2_status fill_indicators(const rls2__view *view, rls2_dataset *dataset, int64_t row,
                                   rls2_error *err)
{
    char buffer[RLS2__NUMBER_TEXT];
    for (int64_t k = 0; k < view->encoder->count; k++) {
        const rls2__input *input = &view->encoder->inputs[k];
        if (!input->values || (view->rules.needed && !view->rules.needed[k])) continue;
        double *x = dataset->x + input->first * dataset->rows + row;
        if (rls2__view_is_missing(view, row, k)) {
            dataset->imputed++;
            if (input->width > 0) *x = (double)NAN;
            continue;
        }
        int64_t v =
            rls2__lookup_find(input->values, text_of(view, row, view->column_of[k], buffer));
        if (v < 0) return fail_unseen_value(view, row, k, err);
        rls2__invariant(v <= input->own && input->first + input->width <= dataset->columns);
        if (v < input->own) x[v * dataset->rows] = 1.0; /* v == own: the reference value */
    }
    return RLS2_OK;
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
        rls2_status status = fill_indicators(view, dataset, i, err);
        if (status != RLS2_OK) return status;
    }
    return RLS2_OK;
}

/* ---- responses ---- */

static rls2_status find_classes(const rls2__view *view, rls2_dataset *dataset, rls2_error *err)
{
    const rls2__encoder *encoder = view->encoder;
    dataset->classes = rls2__alloc(dataset->rows, sizeof *dataset->classes);
    if (!dataset->classes) return rls2__fail_memory(err, "the classes");
    for (int64_t i = 0; i < dataset->rows; i++) {
        dataset->classes[i] = rls2__class_of(view, i);
        if (dataset->classes[i] < 0)
            return fail_unseen(view, i, view->targets[0], encoder->targets[0], encoder->labels,
                               encoder->label_count, err);
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
    for (int64_t o = 0; o < outputs; o++)
        for (int64_t i = 0; i < n; i++)
            dataset->y[o * n + i] =
                rls2__table_number(view->table, view->source[i], view->targets[o]);
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
