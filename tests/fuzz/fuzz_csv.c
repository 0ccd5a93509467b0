/* Any bytes as a CSV file. It is either refused with a message that names the file, or
 * makes a table whose accessors agree with each other; a table makes data sets in
 * several ways, or is refused again; data sets make themselves again. Numbers are those strtod reads.
 * Read in small pieces the bytes say the same as read whole, with a header and without. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "rls2/table.h"
#include "support/pieces.h"

static const char NAME[] = "f.csv";
static char nowhere; /* out-parameters hold its address before a call */

static void require(int condition)
{
    if (!condition) abort();
}

static void check_failure(rls2_status status, const rls2_error *err)
{
    require(err->status == status && err->position == -1);
    require(memchr(err->message, '\0', sizeof err->message) != NULL);
    require(strncmp(err->message, NAME, strlen(NAME)) == 0 && err->message[strlen(NAME)] == ':');
    for (const char *c = err->message; *c; c++) require((unsigned char)*c >= ' ' && *c != 127);
}

/* ---- tables ---- */

static void check_column(const rls2_table *table, int64_t column)
{
    const char *name = rls2_table_column_name(table, column);
    int numeric = rls2_table_is_numeric(table, column);
    require(name && *name);
    require(rls2_table_find(table, name) == column); /* so names are unique */
    for (int64_t i = 0; i < rls2_table_rows(table); i++) {
        const char *cell = rls2_table_cell(table, i, column);
        require(cell != NULL);
        if (numeric && *cell) require(isfinite(strtod(cell, NULL)));
        if (numeric && *cell) require(rls2_table_value(table, i, column) == strtod(cell, NULL));
        if (!*cell) require(isnan(rls2_table_value(table, i, column)));
    }
}

static void check_table(const rls2_table *table)
{
    int64_t rows = rls2_table_rows(table), columns = rls2_table_columns(table);
    require(rows >= 1 && columns >= 1);
    for (int64_t j = 0; j < columns; j++) check_column(table, j);
    require(rls2_table_column_name(table, columns) == NULL && rls2_table_column_name(table, -1) == NULL);
    require(*rls2_table_cell(table, rows, 0) == '\0' && *rls2_table_cell(table, 0, columns) == '\0');
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

/* What the cell of a column says, where the input is that column itself. */
static void check_input(const rls2_table *table, const rls2_dataset *dataset, int64_t input)
{
    int64_t n = rls2_dataset_rows(dataset);
    const double *x = rls2_dataset_x(dataset) + input * n;
    const char *name = rls2_dataset_names(dataset)[input];
    int64_t column = rls2_table_find(table, name);
    require(name && *name && (column >= 0 || strchr(name, '=')));
    for (int64_t i = 0; i < n; i++) {
        require(isfinite(x[i]));
        if (strchr(name, '=') && (x[i] == 0.0 || x[i] == 1.0)) continue; /* may be named like the target */
        require(column >= 0);
        if (rls2_table_is_numeric(table, column))
            require(x[i] ==
                    strtod(rls2_table_cell(table, rls2_dataset_source_row(dataset, i), column), NULL));
    }
}

static void check_classes(const rls2_dataset *dataset)
{
    int64_t sign[2] = {0};
    const char *minus = rls2_dataset_class_label(dataset, 0), *plus = rls2_dataset_class_label(dataset, 1);
    require(minus && plus && strcmp(minus, plus) != 0);
    for (int64_t i = 0; i < rls2_dataset_rows(dataset); i++) {
        double y = rls2_dataset_y(dataset)[i];
        require(y == -1.0 || y == 1.0);
        sign[y > 0.0]++;
    }
    require(sign[0] > 0 && sign[1] > 0);
}

static void check_response(const rls2_table *table, const rls2_dataset *dataset, const char *target)
{
    int64_t column = rls2_table_find(table, target);
    require(rls2_dataset_class_label(dataset, 0) == NULL && rls2_dataset_class_label(dataset, 1) == NULL);
    for (int64_t i = 0; i < rls2_dataset_rows(dataset); i++) {
        const char *cell = rls2_table_cell(table, rls2_dataset_source_row(dataset, i), column);
        require(isfinite(rls2_dataset_y(dataset)[i]) && rls2_dataset_y(dataset)[i] == strtod(cell, NULL));
    }
}

/* No value is further from the mean than (n - 1) / sqrt(n) standard deviations. */
static void check_standardized(const rls2_dataset *dataset)
{
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
    require(memcmp(rls2_dataset_y(same), rls2_dataset_y(training), n * sizeof(double)) == 0);
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
        check_classes(dataset);
    else
        check_response(table, dataset, options->target);
    check_like(table, dataset);
    rls2_dataset_standardize(dataset);
    check_standardized(dataset);
    check_like(table, dataset);
    rls2_dataset_free(dataset);
}

static void try_datasets(const rls2_table *table)
{
    int64_t last = rls2_table_columns(table) - 1;
    const char *first_name = rls2_table_column_name(table, 0),
               *last_name = rls2_table_column_name(table, last);
    const char *const list[] = {last_name};
    rls2_dataset_options options = rls2_dataset_options_default();
    options.target = first_name;
    try_dataset(table, &options);
    options.categorical = list;
    options.categorical_count = 1;
    options.reference = 1;
    options.drop_missing = 0;
    try_dataset(table, &options);
    options = rls2_dataset_options_default();
    options.target = first_name;
    options.drop = list;
    options.drop_count = 1;
    options.classify = 1;
    try_dataset(table, &options);
    options.target = last_name;
    options.drop_count = 0;
    try_dataset(table, &options);
    options.classify = 0;
    options.reference = 1;
    try_dataset(table, &options);
}

/* ---- pieces ---- */

static void check_pieces(const char *text, int64_t length)
{
    static const int64_t rows[] = {1, 3}, rooms[] = {1, 16};
    static const char *const missing[] = {"NA"};
    rls2_read_options options = rls2_read_options_default();
    options.format = RLS2_FORMAT_CSV;
    options.missing = missing;
    for (options.header = 0; options.header <= 1; options.header++) {
        for (int k = 0; k < 2; k++) {
            options.delimiter = k ? ',' : '\0';
            options.missing_count = k;
            require(pieces_differ(NAME, text, length, &options, rows[k], rooms[1 - k]) == NULL);
            require(pieces_differ(NAME, text, length, &options, rows[1 - k], rooms[k]) == NULL);
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char empty[] = "";
    rls2_error err = {.message = ""};
    rls2_table *untouched = (rls2_table *)(void *)&nowhere, *table = untouched;
    const char *text = data ? (const char *)data : empty;
    if (size < 2 || memcmp(text, "\x1F\x8B", 2) != 0) check_pieces(text, (int64_t)size);
    rls2_status status = rls2_table_parse_csv(NAME, text, (int64_t)size, &table, &err);
    if (status) {
        require(table == untouched);
        check_failure(status, &err);
        return 0;
    }
    check_table(table);
    try_datasets(table);
    rls2_table_free(table);
    return 0;
}
