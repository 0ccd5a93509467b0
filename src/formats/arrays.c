/* The table of the arrays X, y and T: columns x1 .. xp, then y or y1 .. yq, then T. */
#include "formats/arrays.h"

#include <inttypes.h>
#include <math.h>

#include "base/invariant.h"
#include "base/status.h"

/* An array, seen as one with a row for each row of X. */
typedef struct view {
    const double *values;
    int64_t columns;
    int64_t row_step;
    int64_t column_step;
} view;

static view view_of(const rls2__array *array)
{
    view v = {.values = array->values, .columns = array->columns};
    v.row_step = array->by_columns ? 1 : array->columns;
    v.column_step = array->by_columns ? array->rows : 1;
    return v;
}

/* A row vector with an entry for each row stands for a column. */
static rls2_status align(const rls2_table *table, const rls2__array *array, const char *name,
                         int64_t rows, view *v, rls2_error *err)
{
    if (!array || !array->values) return RLS2_OK;
    if (array->rows == rows) {
        *v = view_of(array);
        return RLS2_OK;
    }
    if (array->rows == 1 && array->columns == rows) {
        *v = (view){.values = array->values, .columns = 1, .row_step = 1};
        return RLS2_OK;
    }
    return rls2__fail(err, RLS2_ERR_VALUE,
                      "%s: X has %" PRId64 " rows but %s has %" PRId64 " (it is %" PRId64
                      " x %" PRId64 ")",
                      table->name, rows, name, array->rows, array->rows, array->columns);
}

static rls2_status align_marker(const rls2_table *table, const rls2__array *t, int64_t rows,
                                view *v, rls2_error *err)
{
    rls2_status status = align(table, t, "T", rows, v, err);
    if (status != RLS2_OK || v->columns <= 1) return status;
    return rls2__fail(err, RLS2_ERR_VALUE,
                      "%s: T is %" PRId64 " x %" PRId64 "; it must be a vector", table->name,
                      t->rows, t->columns);
}

/* Copies the array to the columns from `first` on. */
static rls2_status copy_columns(rls2_table *table, int64_t first, const view *v, rls2_error *err)
{
    rls2__invariant(first >= 0 && first + v->columns <= table->columns);
    for (int64_t i = 0; i < table->rows; i++) {
        double *row = table->value + i * table->columns + first;
        const double *from = v->values + i * v->row_step;
        for (int64_t j = 0; j < v->columns; j++) {
            row[j] = from[j * v->column_step];
            if (isinf(row[j]))
                return rls2__fail(err, RLS2_ERR_VALUE, "%s: row %" PRId64 ", column '%s': infinite",
                                  table->name, rls2_table_line(table, i), table->names[first + j]);
        }
    }
    return RLS2_OK;
}

/* Any number but zero marks a row; NaN stays missing. */
static void set_marks(rls2_table *table, int64_t column)
{
    for (int64_t i = 0; i < table->rows; i++) {
        double *mark = table->value + i * table->columns + column;
        if (!isnan(*mark)) *mark = *mark != 0.0;
    }
}

static rls2_status add_columns(rls2_table *table, int64_t first, const view *v, const char *prefix,
                               int plain, rls2_error *err)
{
    if (v->columns == 0) return RLS2_OK;
    rls2_status status = rls2__table_name_columns(table, first, v->columns, prefix, plain, err);
    if (status != RLS2_OK) return status;
    return copy_columns(table, first, v, err);
}

/* Rows of a piece have the numbers of the whole. */
static rls2_status number_rows(rls2_table *table, int64_t before, rls2_error *err)
{
    table->row_line = rls2__alloc(table->rows, sizeof *table->row_line);
    if (!table->row_line) return rls2__fail_memory(err, "the rows of a piece");
    for (int64_t i = 0; i < table->rows; i++) table->row_line[i] = before + i + 1;
    return RLS2_OK;
}

rls2_status rls2__table_from_arrays(rls2_table *table, const rls2__array *x, const rls2__array *y,
                                    const rls2__array *t, rls2_error *err)
{
    view views[3] = {view_of(x)};
    if (x->rows == 0 || x->columns == 0)
        return rls2__fail(err, RLS2_ERR_VALUE, "%s: X is empty (%" PRId64 " x %" PRId64 ")",
                          table->name, x->rows, x->columns);
    rls2_status status = align(table, y, "y", x->rows, &views[1], err);
    if (status == RLS2_OK) status = align_marker(table, t, x->rows, &views[2], err);
    if (status != RLS2_OK) return status;

    int64_t p = views[0].columns, q = views[1].columns, marks = views[2].columns;
    int64_t columns = rls2__add(rls2__add(p, q), marks);
    status = rls2__limit_cells(&table->limits, table->name, x->rows, columns, err);
    if (status == RLS2_OK) status = rls2__table_reserve(table, x->rows, columns, err);
    if (status == RLS2_OK && x->first_row > 0) status = number_rows(table, x->first_row, err);
    if (status == RLS2_OK) status = add_columns(table, 0, &views[0], "x", 0, err);
    if (status == RLS2_OK) status = add_columns(table, p, &views[1], "y", q == 1, err);
    if (status == RLS2_OK) status = add_columns(table, p + q, &views[2], "T", 1, err);
    if (status != RLS2_OK) return status;
    table->first_target = p;
    table->target_count = q;
    if (marks == 1) {
        set_marks(table, p + q);
        table->marker = table->names[p + q];
    }
    rls2__table_count_kinds(table);
    return RLS2_OK;
}

/* ---- arrays from bytes ---- */

static rls2_status fail_beyond(const char *place, const rls2__array *array, int64_t position,
                               const char *number, rls2_error *err)
{
    int64_t row = array->by_columns ? position % array->rows : position / array->columns;
    int64_t column = array->by_columns ? position / array->rows : position % array->columns;
    return rls2__fail(err, RLS2_ERR_VALUE,
                      "%s: row %" PRId64 ", column %" PRId64
                      ": %s is beyond 2^53 and would be rounded",
                      place, array->first_row + row + 1, column + 1, number);
}

static rls2_status fail_room(const char *place, int64_t rows, int64_t columns, rls2_error *err)
{
    return rls2__fail(err, RLS2_ERR_MEMORY,
                      "%s: out of memory for the array: %" PRId64 " rows of %" PRId64
                      " columns would take %.3g GB",
                      place, rows, columns,
                      (double)rows * (double)columns * (double)sizeof(double) / 1e9);
}

rls2_status rls2__array_convert(const char *place, rls2__element element, const void *bytes,
                                int64_t rows, int64_t columns, int by_columns, rls2__array *array,
                                rls2_error *err)
{
    char beyond[RLS2__WHOLE_TEXT] = "";
    int64_t count = rls2__mul(rows, columns);
    rls2__array made = *array;
    made.rows = rows;
    made.columns = columns;
    made.by_columns = by_columns;
    rls2_status status = rls2__limit_cells(&array->limits, place, rows, columns, err);
    if (status != RLS2_OK) return status;
    made.values = rls2__alloc(count, sizeof *made.values);
    if (!made.values) return fail_room(place, rows, columns, err);
    int64_t done = rls2__elements_convert(element, bytes, count, made.values, beyond);
    rls2__invariant(done >= 0 && done <= count);
    if (done < count) {
        rls2__free(made.values);
        return fail_beyond(place, &made, done, beyond, err);
    }
    *array = made;
    return RLS2_OK;
}

static int64_t index_at(const rls2__sparse *s, const void *indices, int64_t k)
{
    uint64_t index = rls2__bytes_unsigned((const char *)indices + s->index_size * k, s->index_size,
                                          s->big_endian);
    return index > INT64_MAX ? INT64_MAX : (int64_t)index;
}

/* 1 if every index is in its range, so that expanding stays within the arrays. */
static int is_sound(const rls2__sparse *s, int64_t rows, int64_t columns)
{
    if (s->start_count != columns + 1 || index_at(s, s->start, 0) != 0) return 0;
    for (int64_t j = 0; j < columns; j++)
        if (index_at(s, s->start, j) > index_at(s, s->start, j + 1)) return 0;
    int64_t entries = index_at(s, s->start, columns);
    if (entries > s->row_count || entries > s->value_count) return 0;
    for (int64_t k = 0; k < entries; k++)
        if (index_at(s, s->row, k) >= rows) return 0;
    return 1;
}

rls2_status rls2__array_expand(const char *place, const rls2__sparse *sparse, int64_t rows,
                               int64_t columns, rls2__array *array, rls2_error *err)
{
    rls2__array made = {.rows = rows, .columns = columns, .by_columns = 1, .limits = array->limits};
    rls2_status status = rls2__limit_cells(&array->limits, place, rows, columns, err);
    if (status != RLS2_OK) return status;
    if (!is_sound(sparse, rows, columns))
        return rls2__fail(err, RLS2_ERR_SYNTAX, "%s: the indices of the sparse matrix are damaged",
                          place);
    if (rls2__is_too_sparse(rows, columns, 16 * sparse->value_count))
        return fail_room(place, rows, columns, err);
    made.values = rls2__alloc_zero(rls2__mul(rows, columns), sizeof *made.values);
    if (!made.values) return fail_room(place, rows, columns, err);
    for (int64_t j = 0; j < columns; j++)
        for (int64_t k = index_at(sparse, sparse->start, j);
             k < index_at(sparse, sparse->start, j + 1); k++)
            made.values[j * rows + index_at(sparse, sparse->row, k)] = sparse->values[k];
    *array = made;
    return RLS2_OK;
}
