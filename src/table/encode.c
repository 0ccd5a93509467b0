/* Applies an encoder to a table:
 *
 *   columns   found by name, whatever their order; others are not looked at;
 *   rows      those with no empty cell in a column that is used;
 *   values    x, numbers in blocks (the table lies by rows, x by columns), then y. */
#include "table/encoder.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "table/dataset.h"
#include "table/table.h"

/* ---- columns ---- */

/* J of a name xJ, or -1. */
static int64_t number_of_x(const char *name)
{
    if (name[0] != 'x' || name[1] < '1' || name[1] > '9') return -1;
    size_t digits = strspn(name + 1, "0123456789");
    return digits <= 18 && name[1 + digits] == '\0' ? strtoll(name + 1, NULL, 10) : -1;
}

/* A file that writes no zeros may have fewer columns than the training data: those beyond its last,
 * whose number this is, are zero. Other tables say INT64_MAX: nothing is beyond. */
static int64_t last_of_x(const rls2_table *table)
{
    if (!table->sparse) return INT64_MAX;
    int64_t last = 0;
    for (int64_t j = 0; j < table->columns; j++) last += number_of_x(table->names[j]) > 0;
    return last;
}

static rls2_status bind_columns(rls2__view *view, const rls2__lookup *columns, rls2_error *err)
{
    const rls2__encoder *encoder = view->encoder;
    int64_t last = last_of_x(view->table);
    for (int64_t j = 0; j < view->table->columns; j++) view->input_of[j] = RLS2__UNUSED;
    for (int64_t k = 0; k < encoder->count; k++) {
        const char *name = encoder->inputs[k].name;
        view->column_of[k] = -1;
        if (view->rules.needed && !view->rules.needed[k]) continue;
        int64_t column = rls2__lookup_find(columns, name);
        if (column < 0 && number_of_x(name) <= last)
            return rls2__fail_no_column(view->table, NULL, name, err);
        view->column_of[k] = column;
        if (column >= 0) view->input_of[column] = k;
    }
    if (encoder->target && !view->rules.skip_target)
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
    view->column_of = rls2__alloc(view->encoder->count, sizeof *view->column_of);
    int fits = columns && view->input_of && view->column_of;
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
    char buffer[RLS2__NUMBER_TEXT];
    int64_t row = 0;
    while (!isnan(rls2__table_number(table, row, column)) || rls2__table_is_missing(table, row, column))
        row++;
    const char *cell = rls2__table_text(table, row, column, buffer);
    return rls2__fail(err, RLS2_ERR_VALUE, "%s: column '%s': '%s' is not a number%s",
                      rls2__table_place(table, row).text, rls2__show(table->names[column]).text,
                      rls2__show(cell).text,
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
        if (view->input_of[j] != RLS2__UNUSED && rls2__table_is_missing(view->table, row, j)) return j;
    return -1;
}

static rls2_status fail_no_rows(const rls2__view *view, rls2_error *err)
{
    const rls2_table *table = view->table;
    return rls2__fail(err, RLS2_ERR_VALUE,
                      "%s: every row has an empty cell, the first in column '%s' %s %" PRId64, table->name,
                      rls2__show(table->names[missing_column(view, 0)]).text,
                      rls2__table_has_lines(table) ? "on line" : "in row", rls2_table_line(table, 0));
}

/* 1 if a used column has an empty cell in any row. */
static int has_missing(const rls2__view *view)
{
    for (int64_t j = 0; j < view->table->columns; j++)
        if (view->input_of[j] != RLS2__UNUSED && rls2_table_missing(view->table, j) > 0) return 1;
    return 0;
}

static rls2_status keep_rows(rls2__view *view, rls2_error *err)
{
    const rls2_table *table = view->table;
    view->source = rls2__alloc(table->rows, sizeof *view->source);
    if (!view->source) return rls2__fail_memory(err, "the rows of a data set");
    int looks = has_missing(view);
    for (int64_t i = 0; i < table->rows; i++) {
        int64_t column = looks ? missing_column(view, i) : -1;
        if (column < 0)
            view->source[view->rows++] = i;
        else if (!view->rules.drop_missing)
            return rls2__fail(err, RLS2_ERR_VALUE, "%s: column '%s': the cell is empty",
                              rls2__table_place(table, i).text, rls2__show(table->names[column]).text);
    }
    return view->rows > 0 || view->rules.may_be_empty ? RLS2_OK : fail_no_rows(view, err);
}

rls2__view_rules rls2__view_rules_of(const rls2__encoder *encoder)
{
    return (rls2__view_rules){.drop_missing = encoder->drop_missing};
}

rls2_status rls2__view_open(const rls2_table *table, const rls2__encoder *encoder, rls2__view_rules rules,
                            rls2__view *view, rls2_error *err)
{
    *view = (rls2__view){.table = table, .encoder = encoder, .rules = rules, .target = -1};
    rls2_status status = find_columns(view, err);
    if (status == RLS2_OK) status = check_numbers(view, err);
    if (status == RLS2_OK) status = keep_rows(view, err);
    return status;
}

void rls2__view_close(rls2__view *view)
{
    rls2__free(view->input_of);
    rls2__free(view->column_of);
    rls2__free(view->source);
}

/* ---- values ---- */

/* The text of an input in a row of the view: that of a zero where the table does not have the column. */
static const char *text_of(const rls2__view *view, int64_t row, int64_t column,
                           char buffer[RLS2__NUMBER_TEXT])
{
    return column < 0 ? "0" : rls2__table_text(view->table, view->source[row], column, buffer);
}

/* The first of the known texts say what kind of text was expected. */
static rls2_status fail_unseen(const rls2__view *view, int64_t row, int64_t column, const char *name,
                               const char *const *known, int64_t count, rls2_error *err)
{
    char buffer[RLS2__NUMBER_TEXT];
    return rls2__fail(err, RLS2_ERR_VALUE, "%s: column '%s': '%s' was not among the training values (%s)",
                      rls2__table_place(view->table, view->source[row]).text, rls2__show(name).text,
                      rls2__show(text_of(view, row, column, buffer)).text,
                      rls2__show_list(known, count, "").text);
}

static rls2_status fail_unseen_value(const rls2__view *view, int64_t row, int64_t k, rls2_error *err)
{
    const rls2__input *input = &view->encoder->inputs[k];
    const char *known[RLS2__LISTED];
    int64_t count = rls2__lookup_count(input->values);
    for (int64_t v = 0; v < count && v < RLS2__LISTED; v++) known[v] = rls2__lookup_text(input->values, v);
    return fail_unseen(view, row, view->column_of[k], input->name, known, count, err);
}

/* Numbers of the inputs [from, to) in the rows [begin, end) of the view. */
static void fill_block(const rls2__view *view, rls2_dataset *dataset, int64_t from, int64_t to, int64_t begin,
                       int64_t end)
{
    const rls2_table *table = view->table;
    for (int64_t k = from; k < to; k++) {
        const rls2__input *input = &view->encoder->inputs[k];
        if (input->values || view->column_of[k] < 0) continue;
        double *x = dataset->x + input->first * dataset->rows;
        const double *value = table->value + view->column_of[k];
        for (int64_t i = begin; i < end; i++) x[i] = value[view->source[i] * table->columns];
    }
}

/* The table lies by rows and x by columns: in blocks that fit the cache, neither is walked in strides
 * that miss it with every step. */
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
        int64_t v = rls2__lookup_find(input->values, text_of(view, row, view->column_of[k], buffer));
        if (v < 0) return fail_unseen_value(view, row, k, err);
        if (v < input->width) x[v * dataset->rows] = 1.0; /* v == width: the reference value */
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
        return rls2__fail(err, RLS2_ERR_MEMORY, "out of memory for %" PRId64 " rows of %" PRId64 " inputs",
                          dataset->rows, dataset->columns);
    fill_numbers(view, dataset);
    int64_t rows = has_indicators(view->encoder) ? dataset->rows : 0;
    for (int64_t i = 0; i < rows; i++) {
        rls2_status status = fill_indicators(view, dataset, i, err);
        if (status != RLS2_OK) return status;
    }
    return RLS2_OK;
}

static int is_label(const rls2__view *view, int64_t row, int s)
{
    const rls2__encoder *encoder = view->encoder;
    char buffer[RLS2__NUMBER_TEXT];
    if (!encoder->labels_are_numbers)
        return strcmp(text_of(view, row, view->target, buffer), encoder->label[s]) == 0;
    return rls2__table_number(view->table, view->source[row], view->target) == encoder->label_value[s];
}

static rls2_status fill_y(const rls2__view *view, rls2_dataset *dataset, rls2_error *err)
{
    const rls2__encoder *encoder = view->encoder;
    dataset->y = rls2__alloc(dataset->rows, sizeof *dataset->y);
    if (!dataset->y) return rls2__fail_memory(err, "the response");
    for (int64_t i = 0; i < dataset->rows; i++) {
        if (!encoder->has_classes)
            dataset->y[i] = rls2__table_number(view->table, view->source[i], view->target);
        else if (is_label(view, i, 0))
            dataset->y[i] = -1.0;
        else if (is_label(view, i, 1))
            dataset->y[i] = 1.0;
        else
            return fail_unseen(view, i, view->target, encoder->target, encoder->label, 2, err);
    }
    return RLS2_OK;
}

rls2_status rls2__encode(const rls2__view *view, rls2_dataset *dataset, rls2_error *err)
{
    rls2_status status = fill_x(view, dataset, err);
    if (status == RLS2_OK && view->target >= 0) status = fill_y(view, dataset, err);
    return status;
}
