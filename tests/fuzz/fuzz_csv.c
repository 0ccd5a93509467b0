/* Any bytes as a CSV file. It is either refused with a message that names the file, or
 * makes a table whose accessors agree with each other; a table makes data sets in
 * several ways, or is refused again; data sets make themselves again. Numbers are those strtod
 * reads. Read in small pieces the bytes say the same as read whole, with a header and without. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common.h"
#include "rls2/table.h"
#include "support/pieces.h"
#include "support/standardize.h"

static const char NAME[] = "f.csv";
static char nowhere; /* out-parameters hold its address before a call */

static void check_failure(rls2_status status, const rls2_error *err)
{
    require(err->status == status && err->position == -1);
    require(memchr(err->message, '\0', sizeof err->message) != NULL);
    require(strncmp(err->message, NAME, strlen(NAME)) == 0 && err->message[strlen(NAME)] == ':');
    for (const char *c = err->message; *c; c++) require((unsigned char)*c >= ' ' && *c != 127);
}

/* ---- tables ---- */

/* 1 if every cell of the column is a number for strtod too, as those without separators, signs and
 * dates are. */
static int is_plain(const rls2_table *table, int64_t column)
{
    for (int64_t i = 0; i < rls2_table_rows(table); i++) {
        char *end;
        strtod(rls2_table_cell(table, i, column), &end);
        if (end[strspn(end, " \t")] != '\0') return 0;
    }
    return rls2_table_kind(table, column) == RLS2_COLUMN_NUMBERS;
}

/* The number in the cell, by strtod where the column is plain. */
static double number_in(const rls2_table *table, int64_t row, int64_t column)
{
    return is_plain(table, column) ? strtod(rls2_table_cell(table, row, column), NULL)
                                   : rls2_table_value(table, row, column);
}

static void check_column(const rls2_table *table, int64_t column)
{
    const char *name = rls2_table_column_name(table, column);
    int numeric = rls2_table_is_numeric(table, column), plain = is_plain(table, column);
    require(name && *name);
    require(rls2_table_find(table, name) == column); /* so names are unique */
    for (int64_t i = 0; i < rls2_table_rows(table); i++) {
        const char *cell = rls2_table_cell(table, i, column);
        require(cell != NULL);
        if (numeric && *cell) require(isfinite(rls2_table_value(table, i, column)));
        if (plain && *cell) require(rls2_table_value(table, i, column) == strtod(cell, NULL));
        if (!*cell) require(isnan(rls2_table_value(table, i, column)));
    }
}

static void check_table(const rls2_table *table)
{
    int64_t rows = rls2_table_rows(table), columns = rls2_table_columns(table);
    require(rows >= 1 && columns >= 1);
    for (int64_t j = 0; j < columns; j++) check_column(table, j);
    require(rls2_table_column_name(table, columns) == NULL &&
            rls2_table_column_name(table, -1) == NULL);
    require(*rls2_table_cell(table, rows, 0) == '\0' &&
            *rls2_table_cell(table, 0, columns) == '\0');
}

/* ---- data sets ---- */

static void check_rows(const rls2_table *table, const rls2_dataset *dataset)
{
    int64_t n = rls2_dataset_rows(dataset), before = -1;
    require(n >= 1 && n + rls2_dataset_dropped(dataset) == rls2_table_rows(table));
    for (int64_t i = 0; i < n; i++) {
        int64_t source = rls2_dataset_source_row(dataset, i);
        require(source > before && source < rls2_table_rows(table));
        before = source;
    }
    require(rls2_dataset_source_row(dataset, n) == -1);
}

/* "day.month" of a column of dates. */
static int is_date_part(const rls2_table *table, const char *name)
{
    const char *dot = strrchr(name, '.');
    char column[256];
    snprintf(column, sizeof column, "%.*s", dot ? (int)(dot - name) : 0, name);
    return dot && rls2_table_kind(table, rls2_table_find(table, column)) == RLS2_COLUMN_DATES;
}

/* What the cell of a column says, where the input is that column itself. */
static void check_input(const rls2_table *table, const rls2_dataset *dataset, int64_t input)
{
    int64_t n = rls2_dataset_rows(dataset);
    const double *x = rls2_dataset_x(dataset) + input * n;
    const char *name = rls2_dataset_names(dataset)[input];
    int64_t column = rls2_table_find(table, name);
    int is_part = column < 0 && is_date_part(table, name);
    require(name && *name && (column >= 0 || strchr(name, '=') || is_part));
    for (int64_t i = 0; i < n; i++) {
        require(isfinite(x[i]));
        if (is_part) continue;
        if (strchr(name, '=') && (x[i] == 0.0 || x[i] == 1.0))
            continue; /* may be named like the target */
        require(column >= 0);
        if (rls2_table_is_numeric(table, column))
            require(x[i] == number_in(table, rls2_dataset_source_row(dataset, i), column));
    }
}

/* By value where all labels are numbers, else by text. */
static void check_labels(const rls2_dataset *dataset, int numbers)
{
    for (int64_t k = 1; k < rls2_dataset_class_count(dataset); k++) {
        const char *before = rls2_dataset_class_label(dataset, k - 1);
        const char *label = rls2_dataset_class_label(dataset, k);
        require(before && label && strcmp(before, label) != 0);
        if (numbers) require(strtod(before, NULL) < strtod(label, NULL));
    }
}

/* Rows of one class hold one label, and every class has rows. */
static void check_members(const rls2_table *table, const rls2_dataset *dataset, int64_t column)
{
    int64_t n = rls2_dataset_rows(dataset), count = rls2_dataset_class_count(dataset);
    int64_t *members = calloc((size_t)count, sizeof *members);
    require(members != NULL);
    for (int64_t i = 0; i < n; i++) {
        int64_t class = rls2_dataset_classes(dataset)[i];
        require(class >= 0 && class < count);
        require(rls2_table_holds(table, rls2_dataset_source_row(dataset, i), column,
                                 rls2_dataset_class_label(dataset, class)));
        members[class]++;
    }
    for (int64_t k = 0; k < count; k++) require(members[k] > 0);
    free(members);
}

static void check_signs(const rls2_dataset *dataset)
{
    int64_t n = rls2_dataset_rows(dataset), outputs = rls2_dataset_outputs(dataset);
    for (int64_t o = 0; o < outputs; o++)
        for (int64_t i = 0; i < n; i++) {
            int64_t positive = outputs == 1 ? 1 : o;
            double sign = rls2_dataset_classes(dataset)[i] == positive ? 1.0 : -1.0;
            require(rls2_dataset_y(dataset)[o * n + i] == sign);
        }
}

static void check_classes(const rls2_table *table, const rls2_dataset *dataset, const char *target)
{
    int64_t column = rls2_table_find(table, target), count = rls2_dataset_class_count(dataset);
    require(count >= 2 && (count == 2 || count <= rls2_dataset_rows(dataset) / 2));
    require(rls2_dataset_outputs(dataset) == (count == 2 ? 1 : count));
    require(rls2_dataset_class_label(dataset, count) == NULL);
    check_labels(dataset, is_plain(table, column));
    check_members(table, dataset, column);
    check_signs(dataset);
}

static void check_response(const rls2_table *table, const rls2_dataset *dataset, const char *target)
{
    int64_t column = rls2_table_find(table, target);
    require(rls2_dataset_class_label(dataset, 0) == NULL && rls2_dataset_classes(dataset) == NULL);
    require(rls2_dataset_outputs(dataset) == 1 && rls2_dataset_class_count(dataset) == 0);
    for (int64_t i = 0; i < rls2_dataset_rows(dataset); i++) {
        double y = rls2_dataset_y(dataset)[i];
        require(isfinite(y) && y == number_in(table, rls2_dataset_source_row(dataset, i), column));
    }
}

static void check_weights(const rls2_table *table, const rls2_dataset *dataset, const char *weight)
{
    const double *w = rls2_dataset_row_weights(dataset);
    require((w != NULL) == (weight != NULL));
    for (int64_t i = 0; i < rls2_dataset_rows(dataset) && w; i++) {
        int64_t row = rls2_dataset_source_row(dataset, i);
        require(w[i] > 0.0 && w[i] == rls2_table_value(table, row, rls2_table_find(table, weight)));
    }
}

/* No value is further from the mean than (n - 1) / sqrt(n) standard deviations. */
static void check_standardized(const rls2_dataset *dataset)
{
    if (rls2_dataset_row_weights(dataset)) return; /* few rows may weigh next to nothing */
    int64_t n = rls2_dataset_rows(dataset);
    for (int64_t j = 0; j < rls2_dataset_columns(dataset); j++) {
        const double *x = rls2_dataset_x(dataset) + j * n;
        double sum = 0.0;
        for (int64_t i = 0; i < n; i++) {
            require(fabs(x[i]) <= sqrt((double)n)); /* NaN is not */
            sum += x[i];
        }
        require(fabs(sum) <= 1e-9 * (double)n);
    }
}

/* The same table again gives the same bits. */
static void check_like(const rls2_table *table, const rls2_dataset *training)
{
    rls2_dataset *same = NULL;
    size_t n = (size_t)rls2_dataset_rows(training), p = (size_t)rls2_dataset_columns(training);
    require(rls2_dataset_create_like(table, training, &same, NULL) == RLS2_OK);
    require((size_t)rls2_dataset_rows(same) == n && (size_t)rls2_dataset_columns(same) == p);
    require(rls2_dataset_dropped(same) == rls2_dataset_dropped(training));
    require(memcmp(rls2_dataset_x(same), rls2_dataset_x(training), n * p * sizeof(double)) == 0);
    size_t outputs = (size_t)rls2_dataset_outputs(training);
    require(memcmp(rls2_dataset_y(same), rls2_dataset_y(training), n * outputs * sizeof(double)) ==
            0);
    require(rls2_dataset_fingerprint(same) == rls2_dataset_fingerprint(training));
    rls2_dataset_free(same);
}

static void try_dataset(const rls2_table *table, const rls2_dataset_options *options)
{
    rls2_error err = {.message = ""};
    rls2_dataset *untouched = (rls2_dataset *)(void *)&nowhere, *dataset = untouched;
    rls2_status status = rls2_dataset_create(table, options, &dataset, &err);
    if (status) {
        require(dataset == untouched);
        check_failure(status, &err);
        return;
    }
    check_rows(table, dataset);
    for (int64_t j = 0; j < rls2_dataset_columns(dataset); j++) check_input(table, dataset, j);
    if (rls2_dataset_is_classification(dataset))
        check_classes(table, dataset, options->target);
    else
        check_response(table, dataset, options->target);
    check_weights(table, dataset, options->row_weights);
    check_like(table, dataset);
    if (standardize(dataset) == RLS2_OK) {
        check_standardized(dataset);
        check_like(table, dataset);
    }
    rls2_dataset_free(dataset);
}

static void try_datasets(const rls2_table *table)
{
    int64_t last = rls2_table_columns(table) - 1;
    const char *first_name = rls2_table_column_name(table, 0),
               *last_name = rls2_table_column_name(table, last);
    const char *const list[] = {last_name};
    rls2_dataset_options options;
    rls2_dataset_options_init(&options, sizeof options);
    options.target = first_name;
    try_dataset(table, &options);
    options.categorical = list;
    options.categorical_count = 1;
    options.reference = 1;
    options.missing = RLS2_MISSING_ERROR;
    try_dataset(table, &options);
    rls2_dataset_options_init(&options, sizeof options);
    options.target = first_name;
    options.drop = list;
    options.drop_count = 1;
    options.classify = 1;
    try_dataset(table, &options);
    options.target = last_name;
    options.drop_count = 0;
    try_dataset(table, &options);
    options.row_weights = first_name;
    try_dataset(table, &options);
    options.classify = 0;
    options.reference = 1;
    try_dataset(table, &options);
    options.row_weights = NULL;
    try_dataset(table, &options);
}

/* ---- stacked ---- */

/* Below itself a table stands twice. */
static void check_stacked(const rls2_table *table)
{
    rls2_table *twice = NULL;
    int64_t rows = rls2_table_rows(table);
    require(rls2_table_stack(table, table, &twice, NULL) == RLS2_OK);
    require(rls2_table_rows(twice) == 2 * rows);
    check_table(twice);
    for (int64_t j = 0; j < rls2_table_columns(table); j++)
        for (int64_t i = 0; i < 2 * rows; i++) {
            require(strcmp(rls2_table_cell(twice, i, j), rls2_table_cell(table, i % rows, j)) == 0);
            require(rls2_table_line(twice, i) == rls2_table_line(table, i % rows));
        }
    rls2_table_free(twice);
}

/* ---- pieces ---- */

/* In one of several ways; fuzz_stream.c has more. */
static void check_pieces(const char *text, int64_t length)
{
    static const int64_t rows[] = {1, 3}, rooms[] = {1, 16};
    static const char *const missing[] = {"NA"};
    uint32_t choice = chosen((const uint8_t *)text, (size_t)length);
    rls2_read_options options;
    rls2_read_options_init(&options, sizeof options);
    options.format = RLS2_FORMAT_CSV;
    options.na = missing;
    options.header = (int)(choice & 1) - (int)(choice >> 3 & 1);
    options.delimiter = choice & 2 ? ',' : '\0';
    options.na_count = (int64_t)(choice >> 1 & 1) - (int64_t)(choice >> 4 & 1);
    int k = choice >> 2 & 1;
    require(pieces_differ(NAME, text, length, &options, rows[k], rooms[1 - k]) == NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char empty[] = "";
    rls2_error err = {.message = ""};
    rls2_table *untouched = (rls2_table *)(void *)&nowhere, *table = untouched;
    const char *text = data ? (const char *)data : empty;
    if (size < 2 || memcmp(text, "\x1F\x8B", 2) != 0) check_pieces(text, (int64_t)size);
    rls2_read_options options;
    rls2_read_options_init(&options, sizeof options);
    options.format = RLS2_FORMAT_CSV;
    rls2_status status = rls2_table_parse(NAME, text, (int64_t)size, &options, &table, &err);
    if (status) {
        require(table == untouched);
        check_failure(status, &err);
        return 0;
    }
    check_table(table);
    try_datasets(table);
    check_stacked(table);
    rls2_table_free(table);
    return 0;
}
