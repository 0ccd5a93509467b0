/* The rows of two tables below each other.
 *
 * Numbers are copied, and so are texts, into one pool, since the cells of a table refer to one.
 * Where only one of the tables has texts, the numbers of the other are written out. Each row
 * remembers its file. */
#include <stdio.h>
#include <string.h>

#include "base/invariant.h"
#include "base/lookup.h"
#include "base/status.h"
#include "table/encoder.h"
#include "table/table.h"
#include "table/view.h"

/* One of the two, as rows of the stacked table. */
typedef struct part {
    const rls2_table *table;
    const rls2_table *first_table; /* whose columns the stacked table has */
    int64_t *columns; /* of the stacked table: that of this one, -1 where it is zero in all rows */
    int64_t first;    /* row of the stacked table where the part begins */
    int64_t file;     /* number of its first file there */
} part;

/* ---- columns ---- */

static rls2_status find_columns(part *p, const rls2_table *stacked, rls2_error *err)
{
    rls2_status status = RLS2_OK;
    int64_t last = rls2__last_of_x(p->table);
    rls2__lookup *names = rls2__lookup_create();
    p->columns = rls2__alloc(stacked->columns, sizeof *p->columns);
    int fits = names && p->columns;
    for (int64_t j = 0; j < p->table->columns && fits; j++)
        fits = rls2__lookup_add(names, p->table->names[j]) >= 0;
    if (!fits) status = rls2__fail_memory(err, "the columns of a table");
    for (int64_t j = 0; j < stacked->columns && status == RLS2_OK; j++) {
        const char *name = stacked->names[j];
        p->columns[j] = rls2__lookup_find(names, name);
        if (p->columns[j] < 0 && rls2__number_of_x(name) <= last)
            status = rls2__fail_no_column(p->table, NULL, name, err);
    }
    rls2__lookup_free(names);
    return status;
}

/* ---- files ---- */

static int64_t files_of(const rls2_table *table)
{
    return table->row_file ? table->file_count : 1;
}

static void copy_files(rls2_table *stacked, const part *p)
{
    rls2__file *to = stacked->files + p->file;
    if (p->table->row_file) {
        memcpy(to, p->table->files, (size_t)p->table->file_count * sizeof *to);
    } else {
        memcpy(to->name, p->table->name, sizeof to->name);
        to->has_lines = rls2__table_has_lines(p->table, 0);
    }
    for (int64_t i = 0; i < p->table->rows; i++)
        stacked->row_file[p->first + i] =
            (int32_t)(p->file + (p->table->row_file ? p->table->row_file[i] : 0));
    rls2__invariant(p->file + files_of(p->table) <= stacked->file_count);
}

/* ---- cells ---- */

static void copy_numbers(rls2_table *stacked, const part *p)
{
    for (int64_t i = 0; i < p->table->rows; i++) {
        double *value = stacked->value + (p->first + i) * stacked->columns;
        stacked->row_line[p->first + i] = rls2_table_line(p->table, i);
        for (int64_t j = 0; j < stacked->columns; j++)
            value[j] = p->columns[j] < 0
                           ? 0.0
                           : rls2__table_number_as(p->table, i, p->columns[j], &stacked->styles[j]);
    }
}

/* "" where the cell is missing in a column like that of the first table. */
static const char *text_of(const part *p, int64_t row, int64_t j, char buffer[RLS2__NUMBER_TEXT])
{
    int64_t column = p->columns[j];
    if (column < 0) return "0";
    if (rls2__table_is_missing_as(p->table, row, column, rls2__table_is_text(p->first_table, j)))
        return "";
    return rls2__table_text(p->table, row, column, buffer);
}

/* Bytes that the texts of a row take, with their NULs; -1 where offsets of cells would not reach
 * them. */
static int64_t bytes_of_row(const rls2_table *stacked, const part *p, int64_t row)
{
    char buffer[RLS2__NUMBER_TEXT];
    int64_t bytes = 0;
    for (int64_t j = 0; j < stacked->columns; j++)
        bytes += (int64_t)strlen(text_of(p, row, j, buffer)) + 1;
    return bytes <= UINT32_MAX ? bytes : -1;
}

static int64_t bytes_of_texts(const rls2_table *stacked, const part *p)
{
    int64_t bytes = 0;
    for (int64_t i = 0; i < p->table->rows; i++)
        bytes = rls2__add(bytes, bytes_of_row(stacked, p, i));
    return bytes;
}

/* Writes the texts of the part from `used` on, and returns where they end. */
static int64_t copy_texts(rls2_table *stacked, const part *p, int64_t used)
{
    char buffer[RLS2__NUMBER_TEXT];
    for (int64_t i = 0; i < p->table->rows; i++) {
        int64_t row = p->first + i;
        stacked->row_start[row] = used;
        for (int64_t j = 0; j < stacked->columns; j++) {
            const char *text = text_of(p, i, j, buffer);
            size_t size = strlen(text) + 1;
            memcpy(stacked->pool->text + used, text, size);
            stacked->cell[row * stacked->columns + j] = (uint32_t)(used - stacked->row_start[row]);
            used += (int64_t)size;
        }
    }
    return used;
}

static rls2_status reserve_texts(rls2_table *stacked, int64_t bytes, rls2_error *err)
{
    rls2__pool *pool = rls2__alloc_zero(1, sizeof *pool);
    if (!pool) return rls2__fail_memory(err, "the texts of a table");
    atomic_init(&pool->owners, 1);
    stacked->pool = pool;
    pool->text = rls2__alloc(bytes, 1);
    stacked->row_start = rls2__alloc(stacked->rows, sizeof *stacked->row_start);
    stacked->cell = rls2__alloc(rls2__mul(stacked->rows, stacked->columns), sizeof *stacked->cell);
    if (pool->text && stacked->row_start && stacked->cell) return RLS2_OK;
    return rls2__fail_memory(err, "the texts of a table");
}

static rls2_status stack_texts(rls2_table *stacked, const part parts[2], rls2_error *err)
{
    if (!parts[0].table->pool && !parts[1].table->pool) return RLS2_OK;
    int64_t bytes =
        rls2__add(bytes_of_texts(stacked, &parts[0]), bytes_of_texts(stacked, &parts[1]));
    rls2_status status = reserve_texts(stacked, bytes, err);
    if (status != RLS2_OK) return status;
    int64_t used = copy_texts(stacked, &parts[1], copy_texts(stacked, &parts[0], 0));
    rls2__invariant(used == bytes);
    return RLS2_OK;
}

/* ---- both ---- */

static rls2_status reserve(rls2_table *stacked, const part parts[2], rls2_error *err)
{
    int64_t rows = rls2__add(parts[0].table->rows, parts[1].table->rows);
    int64_t files = files_of(parts[0].table) + files_of(parts[1].table);
    stacked->value = rls2__alloc(rls2__mul(rows, stacked->columns), sizeof *stacked->value);
    stacked->row_line = rls2__alloc(rows, sizeof *stacked->row_line);
    stacked->row_file = rls2__alloc(rows, sizeof *stacked->row_file);
    stacked->files = rls2__arena_alloc(stacked->arena, rls2__mul(files, sizeof *stacked->files));
    stacked->rows = rows;
    stacked->file_count = files;
    if (stacked->value && stacked->row_line && stacked->row_file && stacked->files) return RLS2_OK;
    return rls2__fail_memory(err, "the rows of a table");
}

static rls2_status fill(rls2_table *stacked, part parts[2], rls2_error *err)
{
    rls2_status status = rls2__table_copy_columns(stacked, parts[0].table, err);
    for (int k = 0; k < 2 && status == RLS2_OK; k++) status = find_columns(&parts[k], stacked, err);
    if (status == RLS2_OK) status = reserve(stacked, parts, err);
    if (status == RLS2_OK) status = stack_texts(stacked, parts, err);
    if (status != RLS2_OK) return status;
    for (int k = 0; k < 2; k++) {
        copy_files(stacked, &parts[k]);
        copy_numbers(stacked, &parts[k]);
    }
    stacked->precomputed &= parts[1].table->precomputed;
    stacked->sparse &= parts[1].table->sparse;
    rls2__table_count_kinds(stacked);
    return RLS2_OK;
}

rls2_status rls2_table_stack(const rls2_table *first, const rls2_table *second,
                             rls2_table **stacked, rls2_error *err)
{
    if (!first) return rls2__fail_null(err, "first");
    if (!second) return rls2__fail_null(err, "second");
    if (!stacked) return rls2__fail_null(err, "stacked");

    char both[sizeof first->name + sizeof second->name + 8];
    snprintf(both, sizeof both, "%s and %s", first->name, second->name);
    part parts[2] = {
        {.table = first, .first_table = first},
        {.table = second, .first_table = first, .first = first->rows, .file = files_of(first)}};
    rls2_table *made = rls2__table_create(both);
    rls2_status status = made ? fill(made, parts, err) : rls2__fail_memory(err, "a table");
    for (int k = 0; k < 2; k++) rls2__free(parts[k].columns);
    if (status != RLS2_OK) {
        rls2_table_free(made);
        return status;
    }
    *stacked = made;
    return RLS2_OK;
}
