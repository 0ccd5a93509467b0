/* Any bytes as lists: of rows (splits of all makes), of columns (groups), of labels and numbers
 * (class weights). */
#include <math.h>
#include <stdio.h>

#include "common.h"
#include "rls2/rls2.h"

enum { MOST_ROWS = 16, MOST_SPLITS = 6, MOST_LISTED = 64 };

/* ---- splits ---- */

static int64_t mark(const rls2_splits *splits, int64_t i, int validation, unsigned char *seen)
{
    const int64_t *rows;
    int64_t n = rls2_splits_rows(splits), before = -1;
    int64_t count = validation ? rls2_splits_validation(splits, i, &rows)
                               : rls2_splits_training(splits, i, &rows);
    for (int64_t k = 0; k < count; k++) {
        require(rows[k] > before && rows[k] < n);
        before = rows[k];
        require(seen[rows[k]]++ == 0);
    }
    return count;
}

static void check_splits(rls2_status status, rls2_splits *splits, const rls2_error *err)
{
    require((status == RLS2_OK) == (splits != NULL));
    if (status != RLS2_OK) require(said_something(err, status));
    for (int64_t i = 0; i < rls2_splits_count(splits); i++) {
        unsigned char seen[MOST_ROWS + 1] = {0};
        require(mark(splits, i, 0, seen) > 0 && mark(splits, i, 1, seen) > 0);
    }
    rls2_splits_free(splits);
}

/* Bytes as rows, 0xff as the end of a list; training and validation in turn. */
static void try_listed(const uint8_t *data, size_t size, int64_t n)
{
    int64_t rows[2 * MOST_SPLITS][MOST_LISTED], counts[2][MOST_SPLITS] = {{0}}, list = 0;
    const int64_t *lists[2][MOST_SPLITS];
    rls2_error err = {.message = ""};
    rls2_splits *splits = NULL;
    for (int k = 0; k < 2 * MOST_SPLITS; k++) lists[k % 2][k / 2] = rows[k];
    for (size_t i = 0; i < size && list < 2 * MOST_SPLITS; i++) {
        int64_t *count = &counts[list % 2][list / 2];
        if (data[i] == 0xff)
            list++;
        else if (*count < MOST_LISTED)
            rows[list][(*count)++] = (int8_t)data[i];
    }
    rls2_status status = rls2_splits_listed(n, (list + 1) / 2, counts[0], lists[0], counts[1],
                                            lists[1], &splits, &err);
    check_splits(status, splits, &err);
}

static void try_drawn(const uint8_t *data, size_t size, int64_t n)
{
    double strata[MOST_ROWS];
    int64_t fold[MOST_ROWS];
    rls2_error err = {.message = ""};
    rls2_splits *splits = NULL;
    for (int64_t i = 0; i < n; i++) {
        fold[i] = (int8_t)data[(size_t)i % size] % 4;
        strata[i] = (double)fold[i];
    }
    rls2_status status = rls2_splits_given(n, fold, &splits, &err);
    check_splits(status, splits, &err);
    splits = NULL;
    status = rls2_splits_folds(n, data[0] & 1 ? strata : NULL, data[0] >> 1 & 7,
                               1 + (data[0] >> 4 & 3), size, &splits, &err);
    check_splits(status, splits, &err);
    splits = NULL;
    status = rls2_splits_random(n, data[0] & 1 ? strata : NULL, data[0] >> 1 & 7,
                                (double)data[size - 1] / 250.0, size, &splits, &err);
    check_splits(status, splits, &err);
}

/* ---- texts ---- */

static const char LABELS[] = "a,y\n1,u\n2,v\n3,u\n4,\"v,w=2\"\n5,v\n6,\"v,w=2\"\n";
static const char NUMBERS[] = "a,y\n1,1\n2,2.0\n3,1\n4,2\n";

static rls2_dataset *classes_of(const char *text)
{
    rls2_table *table = NULL;
    rls2_dataset *data = NULL;
    rls2_dataset_options options;
    rls2_dataset_options_init(&options, sizeof options);
    options.target = "y";
    options.classify = 1;
    require(rls2_table_parse("t.csv", text, (int64_t)strlen(text), NULL, &table, NULL) == RLS2_OK);
    require(rls2_dataset_create(table, &options, &data, NULL) == RLS2_OK);
    rls2_table_free(table);
    return data;
}

static void try_weights(const rls2_dataset *data, const char *classes)
{
    double w[8];
    rls2_error err = {.message = ""};
    rls2_status status = rls2_dataset_fit_weights(data, classes, w, &err);
    for (int64_t i = 0; i < rls2_dataset_rows(data) && status == RLS2_OK; i++)
        require(w[i] > 0.0 && isfinite(w[i]));
    if (status != RLS2_OK) require(said_something(&err, status));
}

static void try_names(const char *text)
{
    static const char *const names[] = {"a", "gene_1", "gene_*", "x,y", ""};
    rls2_measure measure;
    rls2_error err = {.message = ""};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) (void)rls2_group_has(text, names[i]);
    rls2_status status = rls2_measure_find(text, &measure, &err);
    require(status == RLS2_OK ? strcmp(rls2_measure_name(measure), text) == 0
                              : said_something(&err, status));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static rls2_dataset *labels, *numbers;
    if (!labels) labels = classes_of(LABELS);
    if (!numbers) numbers = classes_of(NUMBERS);
    if (size == 0) return 0;
    char *text = text_of(data, size);
    int64_t n = 1 + data[0] % MOST_ROWS;
    try_listed(data, size, n);
    try_drawn(data, size, n);
    try_weights(labels, text);
    try_weights(numbers, text);
    try_names(text);
    free(text);
    return 0;
}
