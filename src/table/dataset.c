/* From a table to the matrix the learner sees, in four steps that each read the table
 * once:
 *
 *   1. roles    what each column is: target, dropped, numeric or text input;
 *   2. rows     which rows have no empty cell in a column that is used;
 *   3. inputs   the distinct values of the text inputs, hence the names and number of
 *               the columns of x;
 *   4. values   x by rows (a row of the table is contiguous), then y. */
#include "table/dataset.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/status.h"
#include "base/suggest.h"
#include "table/lookup.h"
#include "table/number.h"
#include "table/table.h"

typedef enum role { ROLE_NUMBER, ROLE_TEXT, ROLE_TARGET, ROLE_DROPPED } role;

/* The work of one rls2_dataset_create. Arrays are over the columns of the table. */
typedef struct encoder {
    const rls2_table *table;
    const rls2_dataset_options *options;
    rls2_dataset *dataset; /* being made */
    rls2__number_reader *number;
    int64_t target;
    role *roles;
    int64_t *first;        /* column of x where the input starts */
    int64_t *width;        /* how many columns of x it has */
    rls2__lookup **values; /* distinct values of a text input, else NULL */
} encoder;

rls2_dataset_options rls2_dataset_options_default(void)
{
    return (rls2_dataset_options){.drop_missing = 1, .classify = -1};
}

/* ---- accessors ---- */

void rls2_dataset_free(rls2_dataset *dataset)
{
    if (!dataset) return;
    rls2__free(dataset->x);
    rls2__free(dataset->y);
    rls2__free(dataset->source);
    rls2__arena_free(dataset->arena);
    rls2__free(dataset);
}

int64_t rls2_dataset_rows(const rls2_dataset *dataset)
{
    return dataset ? dataset->rows : -1;
}

int64_t rls2_dataset_columns(const rls2_dataset *dataset)
{
    return dataset ? dataset->columns : -1;
}

const char *const *rls2_dataset_names(const rls2_dataset *dataset)
{
    return dataset ? dataset->names : NULL;
}

const double *rls2_dataset_x(const rls2_dataset *dataset)
{
    return dataset ? dataset->x : NULL;
}

const double *rls2_dataset_y(const rls2_dataset *dataset)
{
    return dataset ? dataset->y : NULL;
}

int64_t rls2_dataset_source_row(const rls2_dataset *dataset, int64_t row)
{
    return dataset && row >= 0 && row < dataset->rows ? dataset->source[row] : -1;
}

int64_t rls2_dataset_dropped(const rls2_dataset *dataset)
{
    return dataset ? dataset->dropped : -1;
}

int rls2_dataset_is_classification(const rls2_dataset *dataset)
{
    return dataset && dataset->label[0];
}

const char *rls2_dataset_label(const rls2_dataset *dataset, int sign)
{
    if (!dataset || sign == 0) return NULL;
    return dataset->label[sign > 0];
}

/* ---- roles ---- */

/* `option` is the name of the option that asks for the column. */
static rls2_status find_column(const rls2_table *table, const char *option, const char *name, int64_t *column,
                               rls2_error *err)
{
    *column = rls2_table_find(table, name);
    if (*column >= 0) return RLS2_OK;
    rls2__suggestion near = rls2__suggestion_start(name, (int64_t)strlen(name));
    for (int64_t j = 0; j < table->columns; j++) rls2__suggestion_try(&near, table->names[j]);
    return rls2__fail(err, RLS2_ERR_NAME, "%s: %s: no column '%s'%s", table->name, option,
                      rls2__show(name).text, rls2__suggestion_text(&near).text);
}

/* Gives the listed columns a role, in place of the one they had. */
static rls2_status assign_list(encoder *e, const char *option, const char *const *names, int64_t count,
                               role given, rls2_error *err)
{
    for (int64_t i = 0; i < count; i++) {
        int64_t column;
        rls2_status status = find_column(e->table, option, names[i], &column, err);
        if (status != RLS2_OK) return status;
        if (column == e->target)
            return rls2__fail(err, RLS2_ERR_ARGUMENT, "%s: %s: column '%s' is the target", e->table->name,
                              option, rls2__show(names[i]).text);
        e->roles[column] = given;
    }
    return RLS2_OK;
}

static int is_mixed(const rls2_table *table, int64_t column)
{
    return table->texts[column] > 0 && table->numbers[column] >= table->texts[column];
}

/* Names the first cell of the column that is not a number. There is one. */
static rls2_status fail_not_number(const encoder *e, int64_t column, rls2_error *err)
{
    const rls2_table *table = e->table;
    int64_t row = 0;
    double value;
    while (*rls2__table_cell(table, row, column) == '\0' ||
           rls2__number_parse(e->number, rls2__table_cell(table, row, column), &value))
        row++;
    return rls2__fail(err, RLS2_ERR_VALUE, "%s:%" PRId64 ": column '%s': '%s' is not a number", table->name,
                      table->row_line[row], rls2__show(table->names[column]).text,
                      rls2__show(rls2__table_cell(table, row, column)).text);
}

static int is_classification(const encoder *e)
{
    if (e->options->classify >= 0) return e->options->classify;
    return e->table->texts[e->target] > 0;
}

static rls2_status check_target(const encoder *e, rls2_error *err)
{
    if (e->options->classify < 0 && is_mixed(e->table, e->target)) return fail_not_number(e, e->target, err);
    if (!is_classification(e) && e->table->texts[e->target] > 0) return fail_not_number(e, e->target, err);
    return RLS2_OK;
}

static rls2_status set_roles(encoder *e, rls2_error *err)
{
    const rls2_table *table = e->table;
    const rls2_dataset_options *options = e->options;
    rls2_status status = find_column(table, "target", options->target, &e->target, err);
    if (status != RLS2_OK) return status;

    for (int64_t j = 0; j < table->columns; j++) e->roles[j] = ROLE_NUMBER;
    e->roles[e->target] = ROLE_TARGET;
    status = assign_list(e, "categorical", options->categorical, options->categorical_count, ROLE_TEXT, err);
    if (status != RLS2_OK) return status;
    status = assign_list(e, "drop", options->drop, options->drop_count, ROLE_DROPPED, err);
    if (status != RLS2_OK) return status;

    for (int64_t j = 0; j < table->columns; j++) {
        if (e->roles[j] != ROLE_NUMBER || table->texts[j] == 0) continue;
        if (is_mixed(table, j)) return fail_not_number(e, j, err);
        e->roles[j] = ROLE_TEXT;
    }
    return check_target(e, err);
}

/* ---- rows ---- */

/* First column in use whose cell is empty, -1 if there is none. */
static int64_t missing_column(const encoder *e, int64_t row)
{
    for (int64_t j = 0; j < e->table->columns; j++)
        if (e->roles[j] != ROLE_DROPPED && *rls2__table_cell(e->table, row, j) == '\0') return j;
    return -1;
}

static rls2_status fail_no_rows(const encoder *e, rls2_error *err)
{
    const rls2_table *table = e->table;
    return rls2__fail(err, RLS2_ERR_VALUE,
                      "%s: every row has an empty cell, the first in column '%s' on line %" PRId64,
                      table->name, rls2__show(table->names[missing_column(e, 0)]).text, table->row_line[0]);
}

static rls2_status keep_rows(encoder *e, rls2_error *err)
{
    const rls2_table *table = e->table;
    rls2_dataset *dataset = e->dataset;
    dataset->source = rls2__alloc(table->rows, sizeof *dataset->source);
    if (!dataset->source) return rls2__fail_memory(err, "the rows of a data set");
    for (int64_t i = 0; i < table->rows; i++) {
        int64_t column = missing_column(e, i);
        if (column < 0)
            dataset->source[dataset->rows++] = i;
        else if (!e->options->drop_missing)
            return rls2__fail(err, RLS2_ERR_VALUE, "%s:%" PRId64 ": column '%s': the cell is empty",
                              table->name, table->row_line[i], rls2__show(table->names[column]).text);
    }
    dataset->dropped = table->rows - dataset->rows;
    return dataset->rows > 0 ? RLS2_OK : fail_no_rows(e, err);
}

/* ---- inputs ---- */

static rls2_status collect_values(encoder *e, int64_t column, rls2_error *err)
{
    rls2__lookup *values = e->values[column] = rls2__lookup_create();
    if (!values) return rls2__fail_memory(err, "the values of a text column");
    for (int64_t i = 0; i < e->dataset->rows; i++)
        if (rls2__lookup_add(values, rls2__table_cell(e->table, e->dataset->source[i], column)) < 0)
            return rls2__fail_memory(err, "the values of a text column");
    e->width[column] = rls2__lookup_count(values);
    return RLS2_OK;
}

/* Sets where each input lies in x. */
static rls2_status lay_out_inputs(encoder *e, rls2_error *err)
{
    int reference = e->options->reference;
    for (int64_t j = 0; j < e->table->columns; j++) {
        e->first[j] = e->dataset->columns;
        if (e->roles[j] == ROLE_NUMBER) e->width[j] = 1;
        if (e->roles[j] == ROLE_TEXT) {
            rls2_status status = collect_values(e, j, err);
            if (status != RLS2_OK) return status;
            if (reference) e->width[j]--;
            reference = 0;
        }
        e->dataset->columns += e->width[j];
    }
    return RLS2_OK;
}

/* "column=value" */
static const char *indicator_name(rls2__arena *arena, const char *column, const char *value)
{
    int64_t size = (int64_t)(strlen(column) + strlen(value) + 2);
    char *name = rls2__arena_alloc(arena, size);
    if (name) snprintf(name, (size_t)size, "%s=%s", column, value);
    return name;
}

static const char *copy_text(rls2__arena *arena, const char *text)
{
    return rls2__arena_text(arena, text, (int64_t)strlen(text));
}

static rls2_status name_inputs(encoder *e, rls2_error *err)
{
    rls2_dataset *dataset = e->dataset;
    rls2__arena *arena = dataset->arena;
    dataset->names = rls2__arena_alloc(arena, rls2__mul(dataset->columns, sizeof *dataset->names));
    if (!dataset->names) return rls2__fail_memory(err, "the names of the inputs");
    for (int64_t j = 0; j < e->table->columns; j++) {
        const char *column = e->table->names[j];
        for (int64_t k = 0; k < e->width[j]; k++) {
            const char *name = e->values[j]
                                   ? indicator_name(arena, column, rls2__lookup_text(e->values[j], k))
                                   : copy_text(arena, column);
            if (!name) return rls2__fail_memory(err, "the names of the inputs");
            dataset->names[e->first[j] + k] = name;
        }
    }
    return RLS2_OK;
}

/* A column named "a=b" beside a text column "a" with a value "b" would make a name
 * stand for two inputs. */
static rls2_status check_input_names(const encoder *e, rls2_error *err)
{
    const rls2_dataset *dataset = e->dataset;
    rls2_status status = RLS2_OK;
    rls2__lookup *seen = rls2__lookup_create();
    if (!seen) status = rls2__fail_memory(err, "the names of the inputs");
    for (int64_t k = 0; k < dataset->columns && status == RLS2_OK; k++) {
        int64_t same = rls2__lookup_add(seen, dataset->names[k]);
        if (same < 0)
            status = rls2__fail_memory(err, "the names of the inputs");
        else if (same < k)
            status = rls2__fail(err, RLS2_ERR_VALUE, "%s: two inputs would have the name '%s'",
                                e->table->name, rls2__show(dataset->names[k]).text);
    }
    rls2__lookup_free(seen);
    return status;
}

/* ---- values ---- */

static void fill_row(encoder *e, int64_t row)
{
    rls2_dataset *dataset = e->dataset;
    for (int64_t j = 0; j < e->table->columns; j++) {
        if (e->width[j] == 0) continue;
        const char *cell = rls2__table_cell(e->table, dataset->source[row], j);
        double *x = dataset->x + e->first[j] * dataset->rows + row;
        if (e->roles[j] == ROLE_NUMBER) {
            rls2__number_parse(e->number, cell, x);
            continue;
        }
        int64_t k = rls2__lookup_find(e->values[j], cell);
        if (k < e->width[j]) x[k * dataset->rows] = 1.0; /* k == width: the reference value */
    }
}

static rls2_status fill_x(encoder *e, rls2_error *err)
{
    rls2_dataset *dataset = e->dataset;
    dataset->x = rls2__alloc_zero(rls2__mul(dataset->rows, dataset->columns), sizeof *dataset->x);
    if (!dataset->x)
        return rls2__fail(err, RLS2_ERR_MEMORY, "out of memory for %" PRId64 " rows of %" PRId64 " inputs",
                          dataset->rows, dataset->columns);
    for (int64_t i = 0; i < dataset->rows; i++) fill_row(e, i);
    return RLS2_OK;
}

static const char *target_cell(const encoder *e, int64_t row)
{
    return rls2__table_cell(e->table, e->dataset->source[row], e->target);
}

/* What tells classes apart: the text, and in a column of numbers the value, so that
 * "1" and "1.0" are one class. `buffer` takes the value written exactly. */
static const char *class_key(const encoder *e, const char *cell, char *buffer, size_t size)
{
    double value;
    if (e->table->texts[e->target] > 0 || !rls2__number_parse(e->number, cell, &value)) return cell;
    snprintf(buffer, size, "%a", value + 0.0); /* -0 + 0 = 0 */
    return buffer;
}

/* Numbers the classes in order of first appearance; class_of and labels have an entry
 * per row, of labels the first *count are set. */
static rls2_status number_classes(const encoder *e, int64_t *class_of, const char **labels, int64_t *count,
                                  rls2_error *err)
{
    rls2_status status = RLS2_OK;
    rls2__arena *arena = rls2__arena_create();
    rls2__lookup *classes = rls2__lookup_create();
    if (!arena || !classes) status = rls2__fail_memory(err, "the classes");
    for (int64_t i = 0; i < e->dataset->rows && status == RLS2_OK; i++) {
        char buffer[40];
        const char *label = target_cell(e, i);
        const char *key = class_key(e, label, buffer, sizeof buffer);
        class_of[i] = rls2__lookup_find(classes, key);
        if (class_of[i] >= 0) continue;
        key = copy_text(arena, key);
        class_of[i] = key ? rls2__lookup_add(classes, key) : -1;
        if (class_of[i] < 0)
            status = rls2__fail_memory(err, "the classes");
        else
            labels[class_of[i]] = label;
    }
    if (status == RLS2_OK) *count = rls2__lookup_count(classes);
    rls2__lookup_free(classes);
    rls2__arena_free(arena);
    return status;
}

static rls2_status fail_classes(const encoder *e, const char *const *labels, int64_t count, rls2_error *err)
{
    enum { LISTED = 3 };
    char list[LISTED * (sizeof(rls2__shown) + 4) + 6] = "";
    size_t used = 0;
    for (int64_t k = 0; k < count && k < LISTED; k++)
        used += (size_t)snprintf(list + used, sizeof list - used, "%s'%s'", k > 0 ? ", " : "",
                                 rls2__show(labels[k]).text);
    if (count > LISTED) snprintf(list + used, sizeof list - used, ", ...");
    return rls2__fail(err, RLS2_ERR_VALUE, "%s: column '%s': 2 classes are needed, not %" PRId64 ": %s",
                      e->table->name, rls2__show(e->table->names[e->target]).text, count, list);
}

static int label_order(const encoder *e, const char *a, const char *b)
{
    double u, v;
    if (rls2__number_parse(e->number, a, &u) && rls2__number_parse(e->number, b, &v) && u != v)
        return u < v ? -1 : 1;
    return strcmp(a, b);
}

static rls2_status fill_classes(encoder *e, rls2_error *err)
{
    rls2_dataset *dataset = e->dataset;
    rls2_status status = RLS2_OK;
    int64_t count = 0;
    int64_t *class_of = rls2__alloc(dataset->rows, sizeof *class_of);
    const char **labels = rls2__alloc(dataset->rows, sizeof *labels);
    if (!class_of || !labels) {
        status = rls2__fail_memory(err, "the classes");
        goto cleanup;
    }
    status = number_classes(e, class_of, labels, &count, err);
    if (status != RLS2_OK) goto cleanup;
    if (count != 2) {
        status = fail_classes(e, labels, count, err);
        goto cleanup;
    }
    int64_t negative = label_order(e, labels[0], labels[1]) < 0 ? 0 : 1;
    for (int64_t i = 0; i < dataset->rows; i++) dataset->y[i] = class_of[i] == negative ? -1.0 : 1.0;
    dataset->label[0] = copy_text(dataset->arena, labels[negative]);
    dataset->label[1] = copy_text(dataset->arena, labels[1 - negative]);
    if (!dataset->label[0] || !dataset->label[1]) status = rls2__fail_memory(err, "the classes");

cleanup:
    rls2__free(class_of);
    rls2__free(labels);
    return status;
}

static rls2_status fill_y(encoder *e, rls2_error *err)
{
    rls2_dataset *dataset = e->dataset;
    dataset->y = rls2__alloc(dataset->rows, sizeof *dataset->y);
    if (!dataset->y) return rls2__fail_memory(err, "the response");
    if (is_classification(e)) return fill_classes(e, err);
    for (int64_t i = 0; i < dataset->rows; i++)
        rls2__number_parse(e->number, target_cell(e, i), &dataset->y[i]);
    return RLS2_OK;
}

/* ---- the whole ---- */

static rls2_status check_list(const char *option, const char *const *names, int64_t count, rls2_error *err)
{
    if (count < 0) return rls2__fail(err, RLS2_ERR_ARGUMENT, "%s_count is %" PRId64, option, count);
    if (count > 0 && !names) return rls2__fail(err, RLS2_ERR_ARGUMENT, "%s is NULL", option);
    for (int64_t i = 0; i < count; i++)
        if (!names[i]) return rls2__fail(err, RLS2_ERR_ARGUMENT, "%s[%" PRId64 "] is NULL", option, i);
    return RLS2_OK;
}

static rls2_status check_options(const rls2_dataset_options *options, rls2_error *err)
{
    if (!options) return rls2__fail(err, RLS2_ERR_ARGUMENT, "options is NULL");
    if (!options->target) return rls2__fail(err, RLS2_ERR_ARGUMENT, "target is NULL");
    if (options->classify < -1 || options->classify > 1)
        return rls2__fail(err, RLS2_ERR_ARGUMENT, "classify is %d, not -1, 0 or 1", options->classify);
    rls2_status status = check_list("drop", options->drop, options->drop_count, err);
    if (status != RLS2_OK) return status;
    return check_list("categorical", options->categorical, options->categorical_count, err);
}

static rls2_status encoder_reserve(encoder *e, rls2_error *err)
{
    int64_t columns = e->table->columns;
    e->dataset = rls2__alloc_zero(1, sizeof *e->dataset);
    e->roles = rls2__alloc_zero(columns, sizeof *e->roles);
    e->first = rls2__alloc_zero(columns, sizeof *e->first);
    e->width = rls2__alloc_zero(columns, sizeof *e->width);
    e->values = rls2__alloc_zero(columns, sizeof *e->values);
    if (e->dataset) e->dataset->arena = rls2__arena_create();
    if (!e->dataset || !e->dataset->arena || !e->roles || !e->first || !e->width || !e->values)
        return rls2__fail_memory(err, "a data set");
    return rls2__number_reader_create(&e->number, err);
}

static void encoder_release(encoder *e)
{
    for (int64_t j = 0; e->values && j < e->table->columns; j++) rls2__lookup_free(e->values[j]);
    rls2__free(e->values);
    rls2__free(e->width);
    rls2__free(e->first);
    rls2__free(e->roles);
    rls2__number_reader_free(e->number);
    rls2_dataset_free(e->dataset);
}

static rls2_status encode(encoder *e, rls2_error *err)
{
    rls2_status status = encoder_reserve(e, err);
    if (status == RLS2_OK) status = set_roles(e, err);
    if (status == RLS2_OK) status = keep_rows(e, err);
    if (status == RLS2_OK) status = lay_out_inputs(e, err);
    if (status == RLS2_OK) status = name_inputs(e, err);
    if (status == RLS2_OK) status = check_input_names(e, err);
    if (status == RLS2_OK) status = fill_x(e, err);
    if (status == RLS2_OK) status = fill_y(e, err);
    return status;
}

rls2_status rls2_dataset_create(const rls2_table *table, const rls2_dataset_options *options,
                                rls2_dataset **dataset, rls2_error *err)
{
    if (!table) return rls2__fail(err, RLS2_ERR_ARGUMENT, "table is NULL");
    if (!dataset) return rls2__fail(err, RLS2_ERR_ARGUMENT, "dataset is NULL");
    rls2_status status = check_options(options, err);
    if (status != RLS2_OK) return status;

    encoder e = {.table = table, .options = options};
    status = encode(&e, err);
    if (status != RLS2_OK) goto cleanup;
    *dataset = e.dataset;
    e.dataset = NULL;

cleanup:
    encoder_release(&e);
    return status;
}
