/* A table from columns in memory.
 *
 * It reads as a file of the same cells would. Numbers stay numbers: their texts are written when
 * somebody asks for one, which only columns taken as text and labels of classes do. Texts are
 * looked at as the reader of CSV looks at them. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/invariant.h"
#include "base/lookup.h"
#include "base/number.h"
#include "base/status.h"
#include "table/table.h"
#include "table/understand.h"

/* ---- names ---- */

static rls2_status check_name(const rls2_table *table, int64_t j, const char *name, rls2_error *err)
{
    if (!name || *name == '\0')
        return rls2__fail(err, RLS2_ERR_ARGUMENT, "%s: column %" PRId64 " has no name", table->name,
                          j + 1);
    if (!rls2__is_utf8(name))
        return rls2__fail(err, RLS2_ERR_ARGUMENT,
                          "%s: column %" PRId64 ": the name '%s' is not UTF-8", table->name, j + 1,
                          rls2__show(name).text);
    return RLS2_OK;
}

static rls2_status add_name(rls2_table *table, int64_t j, const char *name, rls2__lookup *seen,
                            rls2_error *err)
{
    rls2_status status = check_name(table, j, name, err);
    if (status != RLS2_OK) return status;
    table->names[j] = rls2__arena_copy(table->arena, name);
    int64_t same = table->names[j] ? rls2__lookup_add(seen, table->names[j]) : -1;
    if (same < 0) return rls2__fail_memory(err, "the column names");
    if (same == j) return RLS2_OK;
    return rls2__fail(err, RLS2_ERR_ARGUMENT,
                      "%s: columns %" PRId64 " and %" PRId64 " have the same name '%s'",
                      table->name, same + 1, j + 1, rls2__show(name).text);
}

static rls2_status set_names(rls2_table *table, const rls2_column *columns, rls2_error *err)
{
    rls2_status status = RLS2_OK;
    rls2__lookup *seen = rls2__lookup_create();
    if (!seen) return rls2__fail_memory(err, "the column names");
    for (int64_t j = 0; j < table->columns && status == RLS2_OK; j++)
        status = add_name(table, j, columns[j].name, seen, err);
    rls2__lookup_free(seen);
    return status;
}

/* ---- cells ---- */

static const char *text_at(const rls2_column *column, int64_t row)
{
    return column->texts ? column->texts[row] : NULL;
}

static rls2_status check_cells(const rls2_table *table, int64_t j, const rls2_column *column,
                               rls2_error *err)
{
    if (!column->numbers && !column->texts)
        return rls2__fail(err, RLS2_ERR_ARGUMENT, "%s: column '%s' has neither numbers nor texts",
                          table->name, rls2__show(table->names[j]).text);
    for (int64_t i = 0; i < table->rows && column->numbers; i++)
        if (isinf(column->numbers[i * column->stride]) && !text_at(column, i))
            return rls2__fail(err, RLS2_ERR_VALUE, "%s: row %" PRId64 ", column '%s': infinite",
                              table->name, i + 1, rls2__show(table->names[j]).text);
    return RLS2_OK;
}

static void copy_numbers(rls2_table *table, int64_t j, const rls2_column *column)
{
    for (int64_t i = 0; i < table->rows; i++)
        table->value[i * table->columns + j] =
            column->numbers ? column->numbers[i * column->stride] : (double)NAN;
}

/* ---- texts ---- */

static int64_t bytes_of_row(const rls2_column *columns, int64_t count, int64_t row)
{
    int64_t bytes = 0;
    for (int64_t j = 0; j < count; j++)
        if (text_at(&columns[j], row))
            bytes = rls2__add(bytes, (int64_t)strlen(text_at(&columns[j], row)) + 1);
    return bytes;
}

/* Bytes of all texts with their NULs, 0 where there are none. Offsets within a row have 32 bits. */
static rls2_status count_bytes(const rls2_table *table, const rls2_column *columns, int64_t *bytes,
                               rls2_error *err)
{
    int64_t total = 0;
    for (int64_t i = 0; i < table->rows; i++) {
        int64_t row = bytes_of_row(columns, table->columns, i);
        if (row >= RLS2__NO_TEXT)
            return rls2__fail(err, RLS2_ERR_VALUE,
                              "%s: row %" PRId64 ": its texts have 4 GB or more", table->name,
                              i + 1);
        total = rls2__add(total, row);
    }
    *bytes = total;
    return RLS2_OK;
}

static rls2_status reserve_texts(rls2_table *table, int64_t bytes, rls2_error *err)
{
    rls2__pool *pool = rls2__alloc_zero(1, sizeof *pool);
    if (!pool) return rls2__fail_memory(err, "the texts of a table");
    atomic_init(&pool->owners, 1);
    table->pool = pool;
    pool->text = rls2__alloc(bytes, 1);
    table->row_start = rls2__alloc(table->rows, sizeof *table->row_start);
    table->cell = rls2__alloc(rls2__mul(table->rows, table->columns), sizeof *table->cell);
    if (pool->text && table->row_start && table->cell) return RLS2_OK;
    return rls2__fail_memory(err, "the texts of a table");
}

/* The text goes to the pool at `used`; returns where the next one goes. */
static int64_t store_text(rls2_table *table, int64_t row, int64_t j, const char *text,
                          const rls2__number_reader *reader, int64_t used)
{
    int64_t at = row * table->columns + j;
    size_t size = strlen(text) + 1;
    memcpy(table->pool->text + used, text, size);
    table->cell[at] = (uint32_t)(used - table->row_start[row]);
    if (!rls2__number_parse(reader, text, &table->value[at])) table->value[at] = (double)NAN;
    return used + (int64_t)size;
}

/* Returns how many bytes they take. */
static int64_t store_texts(rls2_table *table, const rls2_column *columns,
                           const rls2__number_reader *reader)
{
    int64_t used = 0;
    for (int64_t i = 0; i < table->rows; i++) {
        table->row_start[i] = used;
        for (int64_t j = 0; j < table->columns; j++) {
            const char *text = text_at(&columns[j], i);
            table->cell[i * table->columns + j] = RLS2__NO_TEXT;
            if (text) used = store_text(table, i, j, text, reader, used);
        }
    }
    return used;
}

static rls2_status add_texts(rls2_table *table, const rls2_column *columns, rls2_error *err)
{
    int64_t bytes = 0;
    rls2__number_reader *reader = NULL;
    rls2_status status = count_bytes(table, columns, &bytes, err);
    if (status != RLS2_OK || bytes == 0) return status;
    status = reserve_texts(table, bytes, err);
    if (status == RLS2_OK) status = rls2__number_reader_create(&reader, err);
    int64_t used = status == RLS2_OK ? store_texts(table, columns, reader) : bytes;
    rls2__invariant(used == bytes);
    rls2__number_reader_free(reader);
    return status;
}

/* ---- the table ---- */

static rls2_status fill(rls2_table *table, int64_t rows, int64_t count, const rls2_column *columns,
                        rls2_error *err)
{
    rls2_status status = rls2__table_reserve(table, rows, count, err);
    if (status == RLS2_OK) status = set_names(table, columns, err);
    for (int64_t j = 0; j < count && status == RLS2_OK; j++) {
        status = check_cells(table, j, &columns[j], err);
        if (status == RLS2_OK) copy_numbers(table, j, &columns[j]);
    }
    if (status == RLS2_OK) status = add_texts(table, columns, err);
    if (status == RLS2_OK) rls2__table_count_kinds(table);
    return status;
}

rls2_status rls2__table_create_like(const rls2_table *like, int64_t rows,
                                    const rls2_column *columns, rls2_table **table, rls2_error *err)
{
    rls2_table *made = rls2__table_create(like->name);
    if (!made) return rls2__fail_memory(err, "a table");
    rls2_status status = fill(made, rows, like->columns, columns, err);
    if (status == RLS2_OK) status = rls2__table_copy_conventions(made, like, err);
    if (status == RLS2_OK) status = rls2__table_understand(made, err);
    if (status == RLS2_OK)
        *table = made;
    else
        rls2_table_free(made);
    return status;
}

rls2_status rls2_table_create(const char *name, int64_t rows, int64_t count,
                              const rls2_column *columns, rls2_table **table, rls2_error *err)
{
    if (!name) return rls2__fail_null(err, "name");
    if (rows < 1) return rls2__fail(err, RLS2_ERR_ARGUMENT, "%s: there are no rows", name);
    if (count < 1) return rls2__fail(err, RLS2_ERR_ARGUMENT, "%s: there are no columns", name);
    if (!columns) return rls2__fail_null(err, "columns");
    if (!table) return rls2__fail_null(err, "table");
    rls2_table *made = rls2__table_create(name);
    if (!made) return rls2__fail_memory(err, "a table");
    rls2_status status = fill(made, rows, count, columns, err);
    made->weak_words = 1;
    if (status == RLS2_OK) status = rls2__table_understand(made, err);
    if (status != RLS2_OK) {
        rls2_table_free(made);
        return status;
    }
    *table = made;
    return RLS2_OK;
}
