/* What the tests of tables and of data sets share. */
#ifndef RLS2_TESTS_TABLE_FIXTURE_H
#define RLS2_TESTS_TABLE_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "rls2/table.h"

/* The table of a text that has no faults. */
static inline rls2_table *parsed(const char *text)
{
    rls2_table *table = NULL;
    rls2_error err = {0};
    rls2_status status = rls2_table_parse_csv("t.csv", text, (int64_t)strlen(text), &table, &err);
    if (status != RLS2_OK) print_error("%s\n", err.message);
    assert_int_equal(status, RLS2_OK);
    assert_non_null(table);
    return table;
}

static inline void assert_cell(const rls2_table *table, int64_t row, int64_t column,
                               const char *text)
{
    assert_string_equal(rls2_table_cell(table, row, column), text);
}

/* The usual options, for this target. */
static inline rls2_dataset_options options_for(const char *target)
{
    rls2_dataset_options options;
    rls2_dataset_options_init(&options, sizeof options);
    options.target = target;
    return options;
}

/* The data set of a text; the table is gone when it is used. */
static inline rls2_dataset *made(const char *text, const rls2_dataset_options *options)
{
    rls2_table *table = parsed(text);
    rls2_dataset *dataset = NULL;
    rls2_error err = {0};
    rls2_status status = rls2_dataset_create(table, options, &dataset, &err);
    rls2_table_free(table);
    if (status != RLS2_OK) print_error("%s\n", err.message);
    assert_int_equal(status, RLS2_OK);
    return dataset;
}

static inline void assert_column(const rls2_dataset *dataset, int64_t column, const char *name,
                                 const double *values)
{
    assert_string_equal(rls2_dataset_names(dataset)[column], name);
    int64_t n = rls2_dataset_rows(dataset);
    for (int64_t i = 0; i < n; i++)
        assert_true(rls2_dataset_x(dataset)[column * n + i] == values[i]);
}

static inline void assert_y(const rls2_dataset *dataset, const double *values)
{
    for (int64_t i = 0; i < rls2_dataset_rows(dataset); i++)
        assert_true(rls2_dataset_y(dataset)[i] == values[i]);
}

#endif
