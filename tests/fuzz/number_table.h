/* What the fuzz targets of tables of numbers share. */
#ifndef RLS2_TESTS_FUZZ_NUMBER_TABLE_H
#define RLS2_TESTS_FUZZ_NUMBER_TABLE_H

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "common.h"
#include "rls2/table.h"

static char nowhere; /* out-parameters hold its address before a call */
#define UNTOUCHED ((rls2_table *)(void *)&nowhere)

/* The message names the file, unless memory was out. */
static inline void check_failure(rls2_status status, const rls2_error *err, const char *name)
{
    require(err->status == status && err->position == -1);
    require(memchr(err->message, '\0', sizeof err->message) != NULL);
    if (status == RLS2_ERR_MEMORY)
        require(strstr(err->message, "out of memory for ") != NULL);
    else
        require(strncmp(err->message, name, strlen(name)) == 0 &&
                err->message[strlen(name)] == ':');
    for (const char *c = err->message; *c; c++) require((unsigned char)*c >= ' ' && *c != 127);
}

static inline void check_column(const rls2_table *table, int64_t column)
{
    int64_t missing = 0;
    const char *name = rls2_table_column_name(table, column);
    require(name && *name && rls2_table_is_numeric(table, column));
    for (int64_t i = 0; i < rls2_table_rows(table); i++) {
        double value = rls2_table_value(table, i, column);
        require(!isinf(value));
        missing += isnan(value);
    }
    require(rls2_table_missing(table, column) == missing);
}

/* Finding a column by name takes time in proportion to their number. */
static inline void check_table(const rls2_table *table)
{
    int64_t rows = rls2_table_rows(table), columns = rls2_table_columns(table);
    const char *target = rls2_table_target(table), *marker = rls2_table_marker(table);
    require(rows >= 1 && columns >= 1);
    for (int64_t j = 0; j < columns; j++) check_column(table, j);
    require(!target || rls2_table_find(table, target) >= columns - 2);
    require(!marker || rls2_table_find(table, marker) == columns - 1);
    require(rls2_table_line(table, rows - 1) >= rows && rls2_table_line(table, rows) == -1);
}

/* The bytes are either refused with a message or make a table that agrees with itself. */
static inline void try_bytes(rls2_format format, const char *name, const uint8_t *data, size_t size)
{
    rls2_error err = {.message = ""};
    rls2_table *table = UNTOUCHED;
    rls2_read_options options;
    rls2_read_options_init(&options, sizeof options);
    options.format = format;
    rls2_status status = rls2_table_parse(name, data ? (const void *)data : "", (int64_t)size,
                                          &options, &table, &err);
    if (status != RLS2_OK) {
        require(table == UNTOUCHED);
        check_failure(status, &err, name);
        return;
    }
    check_table(table);
    rls2_table_free(table);
}

#endif
