/* Applies an encoder to a table:
 *
 *   columns   found by name, whatever their order; others are not looked at;
 *   rows      those with no empty cell in a column that is used;
 *   values    x by rows (a row of the table is contiguous), then y. */
#include "table/encoder.h"

#include <inttypes.h>
#include <string.h>

#include "base/status.h"
#include "table/dataset.h"
#include "table/table.h"

/* ---- columns ---- */

static rls2_status bind_columns(rls2__view *view, const rls2__lookup *columns, rls2_error *err)
{
    const rls2__encoder *encoder = view->encoder;
    for (int64_t j = 0; j < view->table->columns; j++) view->input_of[j] = RLS2__UNUSED;
    for (int64_t k = 0; k < encoder->count; k++) {
        int64_t column = rls2__lookup_find(columns, encoder->inputs[k].name);
        if (column < 0) return rls2__fail_no_column(view->table, NULL, encoder->inputs[k].name, err);
        view->input_of[column] = k;
    }
    view->target = rls2__lookup_find(columns, encoder->target);
    if (view->target >= 0) view->input_of[view->target] = RLS2__TARGET;
    return RLS2_OK;
}

/* The names of a table differ from each other, so that their numbers are those of the
 * columns. */
static rls2_status find_columns(rls2__view *view, rls2_error *err)
{
    const rls2_table *table = view->table;
    rls2_status status = RLS2_OK;
    rls2__lookup *columns = rls2__lookup_create();
    view->input_of = rls2__alloc(table->columns, sizeof *view->input_of);
    int fits = columns && view->input_of;
    for (int64_t j = 0; j < table->columns && fits; j++)
        fits = rls2__lookup_add(columns, table->names[j]) >= 0;
    status = fits ? bind_columns(view, columns, err) : rls2__fail_memory(err, "the columns of a table");
    rls2__lookup_free(columns);
    return status;
}

/* What other programs write for a missing value. */
static int stands_for_missing(const char *cell)
{
    static const char *const words[] = {"NA",   "N/A",  "na",   "n/a", "NaN", "nan",
                                        "NULL", "null", "None", "?",   "-",   "."};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcmp(cell, words[i]) == 0) return 1;
    return 0;
}

/* Names the first cell of the column that is not a number. There is one. */
static rls2_status fail_not_number(const rls2__view *view, int64_t column, rls2_error *err)
{
    const rls2_table *table = view->table;
    int64_t row = 0;
    double value;
    while (*rls2__table_cell(table, row, column) == '\0' ||
           rls2__number_parse(view->number, rls2__table_cell(table, row, column), &value))
        row++;
    const char *cell = rls2__table_cell(table, row, column);
    return rls2__fail(err, RLS2_ERR_VALUE, "%s:%" PRId64 ": column '%s': '%s' is not a number%s", table->name,
                      table->row_line[row], rls2__show(table->names[column]).text, rls2__show(cell).text,
                      stands_for_missing(cell) ? "; leave the cell empty where a value is missing" : "");
}

static rls2_status check_numbers(const rls2__view *view, rls2_error *err)
{
    const rls2__encoder *encoder = view->encoder;
    for (int64_t j = 0; j < view->table->columns; j++) {
        int64_t k = view->input_of[j];
        if (k >= 0 && !encoder->inputs[k].values && view->table->texts[j] > 0)
            return fail_not_number(view, j, err);
    }
    if (view->target >= 0 && !encoder->has_classes && view->table->texts[view->target] > 0)
        return fail_not_number(view, view->target, err);
    return RLS2_OK;
}

/* ---- rows ---- */

/* First column in use whose cell is empty, -1 if there is none. */
static int64_t missing_column(const rls2__view *view, int64_t row)
{
    for (int64_t j = 0; j < view->table->columns; j++)
        if (view->input_of[j] != RLS2__UNUSED && *rls2__table_cell(view->table, row, j) == '\0') return j;
    return -1;
}

static rls2_status fail_no_rows(const rls2__view *view, rls2_error *err)
{
    const rls2_table *table = view->table;
    return rls2__fail(
        err, RLS2_ERR_VALUE, "%s: every row has an empty cell, the first in column '%s' on line %" PRId64,
        table->name, rls2__show(table->names[missing_column(view, 0)]).text, table->row_line[0]);
}

static rls2_status keep_rows(rls2__view *view, rls2_error *err)
{
    const rls2_table *table = view->table;
    view->source = rls2__alloc(table->rows, sizeof *view->source);
    if (!view->source) return rls2__fail_memory(err, "the rows of a data set");
    for (int64_t i = 0; i < table->rows; i++) {
        int64_t column = missing_column(view, i);
        if (column < 0)
            view->source[view->rows++] = i;
        else if (!view->encoder->drop_missing)
            return rls2__fail(err, RLS2_ERR_VALUE, "%s:%" PRId64 ": column '%s': the cell is empty",
                              table->name, table->row_line[i], rls2__show(table->names[column]).text);
    }
    return view->rows > 0 ? RLS2_OK : fail_no_rows(view, err);
}

rls2_status rls2__view_open(const rls2_table *table, const rls2__encoder *encoder, rls2__view *view,
                            rls2_error *err)
{
    *view = (rls2__view){.table = table, .encoder = encoder, .target = -1};
    rls2_status status = rls2__number_reader_create(&view->number, err);
    if (status == RLS2_OK) status = find_columns(view, err);
    if (status == RLS2_OK) status = check_numbers(view, err);
    if (status == RLS2_OK) status = keep_rows(view, err);
    return status;
}

void rls2__view_close(rls2__view *view)
{
    rls2__number_reader_free(view->number);
    rls2__free(view->input_of);
    rls2__free(view->source);
}

/* ---- values ---- */

/* The first of the known texts say what kind of text was expected. */
static rls2_status fail_unseen(const rls2__view *view, int64_t row, int64_t column, const char *const *known,
                               int64_t count, rls2_error *err)
{
    const rls2_table *table = view->table;
    int64_t source = view->source[row];
    return rls2__fail(
        err, RLS2_ERR_VALUE, "%s:%" PRId64 ": column '%s': '%s' was not among the training values (%s)",
        table->name, table->row_line[source], rls2__show(table->names[column]).text,
        rls2__show(rls2__table_cell(table, source, column)).text, rls2__show_list(known, count, "").text);
}

static rls2_status fail_unseen_value(const rls2__view *view, int64_t row, int64_t column, rls2_error *err)
{
    const rls2__lookup *values = view->encoder->inputs[view->input_of[column]].values;
    const char *known[RLS2__LISTED];
    int64_t count = rls2__lookup_count(values);
    for (int64_t v = 0; v < count && v < RLS2__LISTED; v++) known[v] = rls2__lookup_text(values, v);
    return fail_unseen(view, row, column, known, count, err);
}

static rls2_status fill_row(const rls2__view *view, rls2_dataset *dataset, int64_t row, rls2_error *err)
{
    for (int64_t j = 0; j < view->table->columns; j++) {
        if (view->input_of[j] < 0) continue;
        const rls2__input *input = &view->encoder->inputs[view->input_of[j]];
        const char *cell = rls2__table_cell(view->table, view->source[row], j);
        double *x = dataset->x + input->first * dataset->rows + row;
        if (!input->values) {
            rls2__number_parse(view->number, cell, x);
            continue;
        }
        int64_t v = rls2__lookup_find(input->values, cell);
        if (v < 0) return fail_unseen_value(view, row, j, err);
        if (v < input->width) x[v * dataset->rows] = 1.0; /* v == width: the reference value */
    }
    return RLS2_OK;
}

static rls2_status fill_x(const rls2__view *view, rls2_dataset *dataset, rls2_error *err)
{
    dataset->x = rls2__alloc_zero(rls2__mul(dataset->rows, dataset->columns), sizeof *dataset->x);
    if (!dataset->x)
        return rls2__fail(err, RLS2_ERR_MEMORY, "out of memory for %" PRId64 " rows of %" PRId64 " inputs",
                          dataset->rows, dataset->columns);
    for (int64_t i = 0; i < dataset->rows; i++) {
        rls2_status status = fill_row(view, dataset, i, err);
        if (status != RLS2_OK) return status;
    }
    return RLS2_OK;
}

static int is_label(const rls2__view *view, const char *cell, int s)
{
    const rls2__encoder *encoder = view->encoder;
    double value;
    if (!encoder->labels_are_numbers) return strcmp(cell, encoder->label[s]) == 0;
    return rls2__number_parse(view->number, cell, &value) && value == encoder->label_value[s];
}

static rls2_status fill_y(const rls2__view *view, rls2_dataset *dataset, rls2_error *err)
{
    const rls2__encoder *encoder = view->encoder;
    dataset->y = rls2__alloc(dataset->rows, sizeof *dataset->y);
    if (!dataset->y) return rls2__fail_memory(err, "the response");
    for (int64_t i = 0; i < dataset->rows; i++) {
        const char *cell = rls2__table_cell(view->table, view->source[i], view->target);
        if (!encoder->has_classes)
            rls2__number_parse(view->number, cell, &dataset->y[i]);
        else if (is_label(view, cell, 0))
            dataset->y[i] = -1.0;
        else if (is_label(view, cell, 1))
            dataset->y[i] = 1.0;
        else
            return fail_unseen(view, i, view->target, encoder->label, 2, err);
    }
    return RLS2_OK;
}

rls2_status rls2__encode(const rls2__view *view, rls2_dataset *dataset, rls2_error *err)
{
    rls2_status status = fill_x(view, dataset, err);
    if (status == RLS2_OK && view->target >= 0) status = fill_y(view, dataset, err);
    return status;
}
