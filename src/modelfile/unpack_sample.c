/* The rows of the sample of statistics, as cells and as numbers. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "modelfile/stats_parts.h"
#include "table/dataset.h"
#include "table/preprocess.h"
#include "table/table.h"

/* ---- the head ---- */

static rls2_status fail_head(const rls2__describer *r, const char *what)
{
    return rls2__container_fail(r->container, RLS2_ERR_VALUE, "the columns: %s", what);
}

static char read_sign(rls2__describer *r, const json_t *from, const char *key)
{
    const char *text = rls2__field_text_or_null(r, from, key);
    return text ? *text : '\0';
}

/* A place among the columns, or -1. */
static int64_t read_place(rls2__describer *r, const json_t *from, const char *key, int64_t columns)
{
    const json_t *value = json_object_get(from, key);
    int64_t place = json_is_integer(value) ? json_integer_value(value) : INT64_MAX;
    if (place < -1 || place >= columns) {
        if (r->status == RLS2_OK) r->status = fail_head(r, key);
        return -1;
    }
    return place;
}

static rls2_status read_conventions(rls2__describer *r, const json_t *from, rls2_table *head)
{
    int64_t count = head->columns;
    head->format = (rls2_format)rls2__field_word(r, from, "format", rls2__word_format);
    head->delimiter = read_sign(r, from, "delimiter");
    head->decimal = read_sign(r, from, "decimal");
    head->first_target = read_place(r, from, "first_target", count);
    head->target_count = rls2__field_count(r, from, "target_count");
    head->row_names = read_place(r, from, "row_names", count);
    const char *marker = rls2__field_text_or_null(r, from, "marker");
    head->precomputed = rls2__field_flag(r, from, "precomputed");
    head->sparse = rls2__field_flag(r, from, "sparse");
    head->weak_words = rls2__field_flag(r, from, "weak_words");
    if (r->status != RLS2_OK) return r->status;
    if (head->target_count > count ||
        (head->target_count > 0 && head->first_target > count - head->target_count) ||
        (head->target_count > 0 && head->first_target < 0))
        return fail_head(r, "targets that are not there");
    if (marker && !(head->marker = rls2__arena_copy(head->arena, marker)))
        return rls2__fail_memory(r->container->err, "the columns of a file");
    return RLS2_OK;
}

rls2_status rls2__unpack_head(rls2__describer *r, const json_t *from, rls2_table **head)
{
    int64_t count = 0;
    const char **names = rls2__field_texts(r, from, "columns", &count);
    const char *name = r->container->name;
    if (r->container->kind == &rls2__stats_kind && r->container->version < 2)
        name = rls2__field_text(r, from, "name");
    if (r->status != RLS2_OK) return r->status;
    if (count < 1) return fail_head(r, "there are none");
    *head = rls2__table_create(name);
    if (!*head) return rls2__fail_memory(r->container->err, "the columns of a file");
    rls2_status status = rls2__table_set_columns(*head, count, r->container->err);
    if (status != RLS2_OK) return status;
    for (int64_t j = 0; j < count; j++) {
        (*head)->names[j] = rls2__arena_copy((*head)->arena, names[j]);
        if (!(*head)->names[j])
            return rls2__fail_memory(r->container->err, "the columns of a file");
    }
    return read_conventions(r, from, *head);
}

/* ---- the cells ---- */

typedef struct cells {
    rls2__describer *r;
    int64_t *arrays;
    int64_t rows, count; /* columns */
    rls2_table *head;
    double *numbers; /* by columns; NULL: none */
    char *texts;     /* all of them; NULL: none */
    int64_t bytes;
    const char **text; /* rows x columns, by columns; NULL where the cell is a number */
    rls2_column *columns;
} cells;

static rls2_status fail_cells(const cells *c, const char *what)
{
    return rls2__container_fail(c->r->container, RLS2_ERR_VALUE, "the cells of the sample: %s",
                                what);
}

static rls2_status read_head(cells *c, const json_t *from)
{
    rls2__describer *r = c->r;
    c->rows = rls2__field_count(r, from, "rows");
    if (r->status != RLS2_OK) return r->status;
    if (c->rows < 1) return fail_cells(c, "there are none");
    rls2_status status = rls2__unpack_head(r, from, &c->head);
    if (status != RLS2_OK) return status;
    c->count = c->head->columns;
    c->columns = rls2__arena_alloc(r->arena, rls2__mul(c->count, sizeof *c->columns));
    if (!c->columns) return rls2__fail_memory(r->container->err, "the sample of statistics");
    for (int64_t j = 0; j < c->count; j++) c->columns[j].name = c->head->names[j];
    return RLS2_OK;
}

static int has_array(const cells *c, const char *name)
{
    return json_object_get(c->r->container->header, name) != NULL;
}

static rls2_status read_cell_numbers(cells *c)
{
    rls2__array_view view;
    if (!has_array(c, "cells.numbers")) return RLS2_OK;
    rls2_status status = rls2__stats_array(c->r->container, "cells.numbers", "F64", c->count,
                                           c->rows, c->arrays, &view);
    if (status != RLS2_OK) return status;
    int64_t size = c->count * c->rows;
    c->numbers = rls2__alloc(size, sizeof *c->numbers);
    if (!c->numbers) return rls2__fail_memory(c->r->container->err, "the sample of statistics");
    rls2__read_doubles(view.data, size, c->numbers);
    for (int64_t i = 0; i < size; i++)
        if (isinf(c->numbers[i])) return fail_cells(c, "a number is infinite");
    return RLS2_OK;
}

/* The bytes of all texts, with one more zero at the end. */
static rls2_status read_bytes(cells *c)
{
    rls2__array_view view;
    if (!has_array(c, "cells.texts")) return RLS2_OK;
    rls2_status status = rls2__container_array(c->r->container, "cells.texts", "I64", 1, &view);
    if (status != RLS2_OK) return status;
    ++*c->arrays;
    c->bytes = 8 * view.columns;
    c->texts = rls2__alloc(c->bytes + 1, 1);
    if (!c->texts) return rls2__fail_memory(c->r->container->err, "the sample of statistics");
    memcpy(c->texts, view.data, (size_t)c->bytes);
    c->texts[c->bytes] = '\0';
    return RLS2_OK;
}

/* One for each cell, by rows, and then less than a word of zeros. A cell has a number or a text. */
static rls2_status find_texts(const cells *c)
{
    int64_t at = 0;
    for (int64_t i = 0; i < c->rows; i++)
        for (int64_t j = 0; j < c->count; j++) {
            int64_t cell = j * c->rows + i;
            int is_number = c->numbers && !isnan(c->numbers[cell]);
            if (at >= c->bytes) return fail_cells(c, "there are fewer texts than cells");
            const char *text = c->texts + at;
            int64_t length = (int64_t)strlen(text);
            if (is_number && length > 0) return fail_cells(c, "a number has a text too");
            c->text[cell] = is_number ? NULL : text;
            at += length + 1;
        }
    for (int64_t end = c->bytes; at < end; at++)
        if (c->texts[at] || end - at >= 8) return fail_cells(c, "there are more texts than cells");
    return at == c->bytes ? RLS2_OK : fail_cells(c, "the last text does not end");
}

static rls2_status lay_out_columns(cells *c)
{
    int64_t size = rls2__mul(c->rows, c->count);
    if (c->texts && (size < 0 || size > c->bytes))
        return fail_cells(c, "there are fewer texts than cells"); /* each has a byte */
    if (c->texts) {
        c->text = rls2__alloc(size, sizeof *c->text);
        if (!c->text) return rls2__fail_memory(c->r->container->err, "the sample of statistics");
        rls2_status status = find_texts(c);
        if (status != RLS2_OK) return status;
    }
    if (!c->texts && !c->numbers) return fail_cells(c, "all are missing");
    for (int64_t j = 0; j < c->count; j++) {
        if (c->numbers) c->columns[j].numbers = c->numbers + j * c->rows;
        c->columns[j].stride = 1;
        if (c->text) c->columns[j].texts = c->text + j * c->rows;
    }
    return RLS2_OK;
}

/* Columns that are of texts in all rows. */
static rls2_status read_text_columns(const cells *c, const json_t *from, rls2_table *table)
{
    const json_t *list = json_object_get(from, "text");
    if (json_is_null(list)) return RLS2_OK;
    if ((int64_t)json_array_size(list) != c->count)
        return fail_cells(c, "'text' does not tell which columns are");
    table->all_text = rls2__arena_alloc(table->arena, c->count);
    if (!table->all_text)
        return rls2__fail_memory(c->r->container->err, "the sample of statistics");
    for (int64_t j = 0; j < c->count; j++) {
        const json_t *flag = json_array_get(list, (size_t)j);
        if (!json_is_boolean(flag)) return fail_cells(c, "'text' does not tell which columns are");
        table->all_text[j] = json_is_true(flag);
    }
    return RLS2_OK;
}

/* The table's own sentence, behind the name of the file. */
static rls2_status make_table(const cells *c, rls2_table **table)
{
    rls2_error why;
    rls2_status status = rls2__table_create_like(c->head, c->rows, c->columns, table, &why);
    if (status == RLS2_OK) return status;
    if (status == RLS2_ERR_MEMORY)
        return rls2__fail_memory(c->r->container->err, "the sample of statistics");
    return rls2__container_fail(c->r->container, RLS2_ERR_VALUE, "the sample: %s", why.message);
}

rls2_status rls2__unpack_table(rls2__describer *r, int64_t *arrays, rls2_table **table)
{
    cells c = {.r = r, .arrays = arrays};
    const json_t *from = rls2__field_object(r, r->container->description, "table");
    if (r->status != RLS2_OK) return r->status;
    rls2_status status = read_head(&c, from);
    if (status == RLS2_OK) status = read_cell_numbers(&c);
    if (status == RLS2_OK) status = read_bytes(&c);
    if (status == RLS2_OK) status = lay_out_columns(&c);
    if (status == RLS2_OK) status = make_table(&c, table);
    if (status == RLS2_OK) status = read_text_columns(&c, from, *table);
    rls2_table_free(c.head);
    rls2__free(c.numbers);
    rls2__free(c.texts);
    rls2__free(c.text);
    return status;
}

/* ---- the rows ---- */

typedef struct rows {
    rls2__describer *r;
    int64_t *arrays;
    rls2_dataset *data;
} rows;

static rls2_status fail_rows(const rows *s, const char *what, int64_t i)
{
    return rls2__container_fail(s->r->container, RLS2_ERR_VALUE,
                                "the sample: row %" PRId64 " has %s", i + 1, what);
}

/* NULL, with the failure told, if something is wrong. */
static void *read_array(const rows *s, const char *name, const char *type, int64_t high,
                        int64_t wide)
{
    rls2__describer *r = s->r;
    rls2__array_view view;
    if (r->status != RLS2_OK) return NULL;
    r->status = rls2__stats_array(r->container, name, type, high, wide, s->arrays, &view);
    if (r->status != RLS2_OK) return NULL;
    int64_t count = view.rows * view.columns;
    double *values = rls2__alloc(count, sizeof *values);
    if (!values) r->status = rls2__fail_memory(r->container->err, "the sample of statistics");
    if (values && *type == 'F') {
        rls2__read_doubles(view.data, count, values);
        r->status = rls2__container_check_finite(r->container, name, count, values);
    } else if (values) {
        rls2__read_integers(view.data, count, (int64_t *)(void *)values);
    }
    return values;
}

static rls2_status check_rows(const rows *s, const rls2_table *table)
{
    const rls2_dataset *data = s->data;
    for (int64_t i = 0; i < data->rows; i++) {
        int64_t row = data->source[i];
        if (row < 0 || row >= table->rows) return fail_rows(s, "no place in the table", i);
        if (data->weights && !(data->weights[i] > 0.0)) return fail_rows(s, "no weight", i);
        if (data->classes &&
            (data->classes[i] < 0 || data->classes[i] >= data->encoder->label_count))
            return fail_rows(s, "an unknown class", i);
    }
    return RLS2_OK;
}

static void read_counts(const rows *s)
{
    const json_t *from = rls2__field_object(s->r, s->r->container->description, "sample");
    s->data->dropped = rls2__field_count(s->r, from, "dropped");
    s->data->imputed = rls2__field_count(s->r, from, "imputed");
    s->data->unseen = rls2__field_count(s->r, from, "unseen");
}

static rls2_status fill_rows(const rows *s, const rls2_table *table)
{
    rls2_dataset *data = s->data;
    rls2__array_view view;
    rls2_status status = rls2__container_array(s->r->container, "sample.rows", "I64", 1, &view);
    if (status != RLS2_OK) return status;
    int64_t n = data->rows = view.columns;
    if (n < 1) return fail_rows(s, "no end", 0);
    data->source = read_array(s, "sample.rows", "I64", -1, n);
    data->x = read_array(s, "sample.x", "F64", data->columns, n);
    data->y = read_array(s, "sample.y", "F64", rls2_dataset_outputs(data), n);
    if (data->encoder->weight) data->weights = read_array(s, "sample.weights", "F64", -1, n);
    if (data->encoder->has_classes) data->classes = read_array(s, "sample.classes", "I64", -1, n);
    if (s->r->status == RLS2_OK) read_counts(s);
    return s->r->status == RLS2_OK ? check_rows(s, table) : s->r->status;
}

rls2_status rls2__unpack_sample(rls2__describer *r, const rls2_table *table, rls2__encoder *encoder,
                                rls2__preparation *preparation, int64_t *arrays,
                                rls2_dataset **sample)
{
    rows s = {.r = r, .arrays = arrays, .data = rls2__alloc_zero(1, sizeof *s.data)};
    if (!s.data) return rls2__fail_memory(r->container->err, "the sample of statistics");
    s.data->columns = encoder->columns;
    s.data->encoder = rls2__encoder_share(encoder);
    s.data->preparation = *preparation;
    *preparation = (rls2__preparation){0};
    rls2_status status = fill_rows(&s, table);
    if (status == RLS2_OK)
        *sample = s.data;
    else
        rls2_dataset_free(s.data);
    return status;
}
