/* A table as an encoder sees it:
 *
 *   columns   found by name, whatever their order; others are not looked at;
 *   rows      those that have a target and a weight above 0 where these are looked at, and,
 *             unless they are imputed, no empty cell in an input. */
#include "table/view.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/invariant.h"
#include "base/status.h"
#include "table/encoder.h"
#include "table/table.h"
#include "table/words.h"

/* ---- columns ---- */

int64_t rls2__number_of_x(const char *name)
{
    if (name[0] != 'x' || name[1] < '1' || name[1] > '9') return -1;
    size_t digits = strspn(name + 1, "0123456789");
    return digits <= 18 && name[1 + digits] == '\0' ? strtoll(name + 1, NULL, 10) : -1;
}

/* A file that writes no zeros may have fewer columns than the training data. */
int64_t rls2__last_of_x(const rls2_table *table)
{
    if (!table->sparse) return INT64_MAX;
    int64_t last = 0;
    for (int64_t j = 0; j < table->columns; j++) last += rls2__number_of_x(table->names[j]) > 0;
    return last;
}

/* Targets are of use together only. */
static void bind_targets(rls2__view *view, const rls2__lookup *columns)
{
    const rls2__encoder *encoder = view->encoder;
    view->has_targets = encoder->target_count > 0 && !view->rules.skip_target;
    for (int64_t o = 0; o < encoder->target_count; o++) {
        view->targets[o] = rls2__lookup_find(columns, encoder->targets[o]);
        view->has_targets &= view->targets[o] >= 0;
    }
    for (int64_t o = 0; o < encoder->target_count && view->has_targets; o++)
        view->input_of[view->targets[o]] = RLS2__TARGET;
}

static void bind_weight(rls2__view *view, const rls2__lookup *columns)
{
    const char *weight = view->encoder->weight;
    if (weight && !view->rules.skip_target) view->weight = rls2__lookup_find(columns, weight);
    if (view->weight >= 0) view->input_of[view->weight] = RLS2__WEIGHT;
}

static rls2_status bind_columns(rls2__view *view, const rls2__lookup *columns, rls2_error *err)
{
    const rls2__encoder *encoder = view->encoder;
    int64_t last = rls2__last_of_x(view->table);
    for (int64_t j = 0; j < view->table->columns; j++) view->input_of[j] = RLS2__UNUSED;
    for (int64_t k = 0; k < encoder->count; k++) {
        const char *name = encoder->inputs[k].name;
        view->column_of[k] = -1;
        if (view->rules.needed && !view->rules.needed[k]) continue;
        int64_t column = rls2__lookup_find(columns, name);
        if (column < 0 && rls2__number_of_x(name) <= last)
            return rls2__fail_no_column(view->table, NULL, name, err);
        rls2__invariant(column < view->table->columns);
        view->column_of[k] = column;
        if (column >= 0) view->input_of[column] = k;
    }
    bind_targets(view, columns);
    bind_weight(view, columns);
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
    view->targets = rls2__alloc(view->encoder->target_count, sizeof *view->targets);
    int fits = columns && view->input_of && view->column_of && view->targets;
    for (int64_t j = 0; j < table->columns && fits; j++)
        fits = rls2__lookup_add(columns, table->names[j]) >= 0;
    status =
        fits ? bind_columns(view, columns, err) : rls2__fail_memory(err, "the columns of a table");
    rls2__lookup_free(columns);
    return status;
}

/* How the cells of a column of the table are read: as the training rows were written. */
static const rls2__style *style_of(const rls2__view *view, int64_t column)
{
    int64_t k = view->input_of[column];
    if (k >= 0) return &view->encoder->inputs[k].style;
    for (int64_t o = 0; k == RLS2__TARGET && o < view->encoder->target_count; o++)
        if (view->targets[o] == column) return &view->encoder->target_styles[o];
    return &view->table->styles[column];
}

static rls2_status fail_not_number(const rls2__view *view, int64_t row, int64_t column,
                                   rls2_error *err)
{
    const rls2_table *table = view->table;
    char buffer[RLS2__NUMBER_TEXT];
    const char *cell = rls2__table_text(table, row, column, buffer);
    const char *wanted = style_of(view, column)->kind == RLS2__STYLE_DATE ? "date"
                         : rls2__is_infinite_word(cell)                   ? "finite number"
                                                                          : "number";
    return rls2__fail(
        err, RLS2_ERR_VALUE, "%s: column '%s': '%s' is not a %s%s",
        rls2__table_place(table, row).text, rls2__show(table->names[column]).text,
        rls2__show(cell).text, wanted,
        rls2__missing_word(cell) >= 0 ? "; leave the cell empty where a value is missing" : "");
}

/* 1 if the column must hold numbers alone. */
static int is_of_numbers(const rls2__view *view, int64_t column)
{
    int64_t k = view->input_of[column];
    switch (k) {
    case RLS2__UNUSED: return 0;
    case RLS2__TARGET: return !view->encoder->has_classes;
    case RLS2__WEIGHT: return 1;
    default: return !view->encoder->inputs[k].values;
    }
}

/* 1 if the column is an input of categories that were learned before. */
static int has_known_categories(const rls2__view *view, int64_t column)
{
    int64_t k = view->input_of[column];
    return k >= 0 && view->encoder->inputs[k].values && view->encoder->names;
}

/* A word such as "-" is a category only if the training rows have it. Where most of their cells
 * were numbers they do not, as it was emptied when the table was read; of a piece of a file nobody
 * knows what most cells are. */
static int is_unknown_word(const rls2__view *view, int64_t row, int64_t column)
{
    const rls2_table *table = view->table;
    if (!table->weak_words || !has_known_categories(view, column)) return 0;
    const char *text = rls2__table_written(table, row, column);
    return text && rls2__missing_word(text) >= 0 &&
           rls2__lookup_find(view->encoder->inputs[view->input_of[column]].values, text) < 0;
}

static int is_missing(const rls2__view *view, int64_t row, int64_t column)
{
    return rls2__table_is_missing_as(view->table, row, column, !is_of_numbers(view, column)) ||
           is_unknown_word(view, row, column);
}

/* A column that the table reads as the encoder does, and that has no texts, need not be looked at.
 */
static rls2_status check_column(const rls2__view *view, int64_t column, rls2_error *err)
{
    const rls2_table *table = view->table;
    const rls2__style *style = style_of(view, column);
    if (table->texts[column] == 0 && rls2__style_same(style, &table->styles[column]))
        return RLS2_OK;
    for (int64_t i = 0; i < table->rows; i++)
        if (isnan(rls2__table_number_as(table, i, column, style)) && !is_missing(view, i, column))
            return fail_not_number(view, i, column, err);
    return RLS2_OK;
}

/* Inputs first. */
static rls2_status check_numbers(const rls2__view *view, rls2_error *err)
{
    rls2_status status = RLS2_OK;
    for (int inputs = 1; inputs >= 0; inputs--)
        for (int64_t j = 0; j < view->table->columns && status == RLS2_OK; j++)
            if ((view->input_of[j] >= 0) == inputs && is_of_numbers(view, j))
                status = check_column(view, j, err);
    return status;
}

/* All rows, whether they will be used or not: a negative weight is a slip wherever it stands. */
static rls2_status check_weights(const rls2__view *view, rls2_error *err)
{
    const rls2_table *table = view->table;
    double sum = 0.0;
    for (int64_t i = 0; i < table->rows && view->weight >= 0; i++) {
        char buffer[RLS2__NUMBER_TEXT];
        double weight = rls2__table_number(table, i, view->weight);
        if (weight < 0.0)
            return rls2__fail(err, RLS2_ERR_VALUE, "%s: column '%s': the weight '%s' is negative",
                              rls2__table_place(table, i).text,
                              rls2__show(view->encoder->weight).text,
                              rls2__show(rls2__table_text(table, i, view->weight, buffer)).text);
        if (weight > 0.0) sum += weight;
        if (!isfinite(sum))
            return rls2__fail(
                err, RLS2_ERR_VALUE, "%s: column '%s': the sum of the weights overflows",
                rls2__table_place(table, i).text, rls2__show(view->encoder->weight).text);
    }
    return RLS2_OK;
}

/* ---- rows ---- */

int rls2__view_is_missing(const rls2__view *view, int64_t row, int64_t input)
{
    int64_t column = view->column_of[input];
    return column >= 0 && is_missing(view, view->source[row], column);
}

/* Where the table does not have the column it is zero in all rows. */
double rls2__view_number(const rls2__view *view, int64_t row, int64_t input)
{
    int64_t column = view->column_of[input];
    if (column < 0) return 0.0;
    return rls2__table_number_as(view->table, view->source[row], column,
                                 &view->encoder->inputs[input].style);
}

const char *rls2__view_text(const rls2__view *view, int64_t row, int64_t input,
                            char buffer[RLS2__NUMBER_TEXT])
{
    int64_t column = view->column_of[input];
    return column < 0 ? "0" : rls2__table_text(view->table, view->source[row], column, buffer);
}

/* 1 if rows with an empty cell in that column of the table are not used. */
static int must_be_there(const rls2__view *view, int64_t column)
{
    int64_t k = view->input_of[column];
    return k != RLS2__UNUSED && (k < 0 || view->rules.missing != RLS2_MISSING_IMPUTE);
}

/* First column whose cell is empty and must not be, -1 if there is none. */
static int64_t missing_column(const rls2__view *view, int64_t row)
{
    for (int64_t j = 0; j < view->table->columns; j++)
        if (must_be_there(view, j) && is_missing(view, row, j)) return j;
    return -1;
}

/* A row that stands for none is as if it were not there: its empty cells are none. */
static int weighs_nothing(const rls2__view *view, int64_t row)
{
    return view->weight >= 0 && rls2__table_number(view->table, row, view->weight) == 0.0;
}

/* There is a row in the table, and it was left out. */
static rls2_status fail_no_rows(const rls2__view *view, rls2_error *err)
{
    const rls2_table *table = view->table;
    int64_t nothing = 0;
    for (int64_t i = 0; i < table->rows; i++) nothing += weighs_nothing(view, i);
    if (nothing > 0)
        return rls2__fail(err, RLS2_ERR_VALUE,
                          "%s: no rows are left: %s the weight 0 in column '%s'", table->name,
                          nothing == table->rows ? "each has" : "each has an empty cell or",
                          rls2__show(view->encoder->weight).text);
    return rls2__fail(err, RLS2_ERR_VALUE,
                      "%s: every row has an empty cell, the first in column '%s' %s %" PRId64,
                      table->name, rls2__show(table->names[missing_column(view, 0)]).text,
                      rls2__table_has_lines(table, 0) ? "on line" : "in row",
                      rls2_table_line(table, 0));
}

/* 1 if a column may have words that stand for missing values. */
static int may_have_words(const rls2__view *view, int64_t column)
{
    return view->table->texts[column] > 0 &&
           (is_of_numbers(view, column) || has_known_categories(view, column));
}

/* 1 if a column that must be there may have an empty cell in some row. */
static int has_missing(const rls2__view *view)
{
    for (int64_t j = 0; j < view->table->columns; j++)
        if (must_be_there(view, j) &&
            (rls2_table_missing(view->table, j) > 0 || may_have_words(view, j)))
            return 1;
    return 0;
}

static rls2_status keep_rows(rls2__view *view, rls2_error *err)
{
    const rls2_table *table = view->table;
    view->source = rls2__alloc(table->rows, sizeof *view->source);
    if (!view->source) return rls2__fail_memory(err, "the rows of a data set");
    int looks = has_missing(view);
    for (int64_t i = 0; i < table->rows; i++) {
        if (weighs_nothing(view, i)) continue;
        int64_t column = looks ? missing_column(view, i) : -1;
        if (column < 0)
            view->source[view->rows++] = i;
        else if (view->rules.missing == RLS2_MISSING_ERROR)
            return rls2__fail(err, RLS2_ERR_VALUE, "%s: column '%s': the cell is empty",
                              rls2__table_place(table, i).text,
                              rls2__show(table->names[column]).text);
    }
    rls2__invariant(rls2__is_ascending(view->rows, view->source, table->rows));
    return view->rows > 0 || view->rules.may_be_empty ? RLS2_OK : fail_no_rows(view, err);
}

rls2__view_rules rls2__view_rules_of(const rls2__encoder *encoder)
{
    return (rls2__view_rules){.missing = encoder->missing};
}

rls2_status rls2__view_open(const rls2_table *table, const rls2__encoder *encoder,
                            rls2__view_rules rules, rls2__view *view, rls2_error *err)
{
    *view = (rls2__view){.table = table, .encoder = encoder, .rules = rules, .weight = -1};
    rls2_status status = find_columns(view, err);
    if (status == RLS2_OK) status = check_numbers(view, err);
    if (status == RLS2_OK) status = check_weights(view, err);
    if (status == RLS2_OK) status = keep_rows(view, err);
    return status;
}

void rls2__view_close(rls2__view *view)
{
    rls2__free(view->input_of);
    rls2__free(view->column_of);
    rls2__free(view->targets);
    rls2__free(view->source);
}
