#include "gui/server/rows.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gui/server/table_columns.h"

static int is(const char *text, const char *other)
{
    return text && strcmp(text, other) == 0;
}

static const rls2_table *file_of(const problem *p)
{
    return p->file->value;
}

/* ---- drawing ---- */

/* SplitMix64: the next of a sequence that the seed determines. */
static uint64_t next_random(uint64_t *at)
{
    uint64_t z = *at += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static void shuffle(uint64_t seed, int64_t count, int64_t *rows)
{
    for (int64_t i = count - 1; i > 0; i--) {
        int64_t j = (int64_t)(next_random(&seed) % (uint64_t)(i + 1)), kept = rows[i];
        rows[i] = rows[j];
        rows[j] = kept;
    }
}

/* Numbers for the values of a column, in the order they occur. */
static void number_values(const rls2_table *table, int64_t column, const int64_t *rows,
                          int64_t count, int64_t *first, double *numbers)
{
    int64_t distinct = 0;
    for (int64_t i = 0; i < count; i++) {
        char text[32];
        const char *cell = columns_cell(table, rows[i], column, text);
        int64_t k = 0;
        while (k < distinct && !rls2_table_holds(table, first[k], column, cell)) k++;
        if (k == distinct) first[distinct++] = rows[i];
        numbers[i] = (double)k;
    }
}

/* Classes that both sides should have their share of; NULL for numbers, or where there is no
 * memory. */
static double *make_strata(const problem *p)
{
    enum { MOST_CLASSES = 100 };
    const rls2_table *table = file_of(p);
    const char *name =
        p->asked.target.count == 1 ? p->asked.target.items[0] : rls2_table_target(table);
    int64_t column = name ? rls2_table_find(table, name) : -1;
    if (column < 0 || p->asked.target.count > 1 || strcmp(p->asked.task, "regression") == 0)
        return NULL;
    int64_t distinct = rls2_table_distinct(table, column, MOST_CLASSES + 1);
    int classes = strcmp(p->asked.task, "classification") == 0 ||
                  !rls2_table_is_numeric(table, column) || distinct == 2;
    if (!classes || distinct > MOST_CLASSES) return NULL;
    double *strata = calloc((size_t)p->kept_count + 1, sizeof *strata);
    int64_t *first = calloc((size_t)p->kept_count + 1, sizeof *first);
    if (strata && first) number_values(table, column, p->kept, p->kept_count, first, strata);
    if (!first) {
        free(strata);
        strata = NULL;
    }
    free(first);
    return strata;
}

static void move_drawn(problem *p, const rls2_splits *drawn)
{
    const int64_t *training, *validation;
    int64_t stay = rls2_splits_training(drawn, 0, &training),
            go = rls2_splits_validation(drawn, 0, &validation);
    for (int64_t i = 0; i < go; i++) p->marked[i] = p->kept[validation[i]];
    for (int64_t i = 0; i < stay; i++)
        p->kept[i] = p->kept[training[i]]; /* ascending: nothing is overwritten early */
    p->marked_count = go;
    p->kept_count = stay;
}

static int draw_test(problem *p, fault *f)
{
    rls2_error err;
    rls2_splits *drawn = NULL;
    double *strata = make_strata(p);
    rls2_status status = rls2_splits_random(p->kept_count, strata, 1, 1.0 - p->asked.test.share,
                                            (uint64_t)p->asked.seed, &drawn, &err);
    if (status == RLS2_OK) move_drawn(p, drawn);
    rls2_splits_free(drawn);
    free(strata);
    p->redrawn = 1;
    return status == RLS2_OK ? 0 : fault_of(f, "test.share", &err);
}

/* ---- rules ---- */

static int no_column(fault *f, const char *field, const char *name)
{
    return fault_say(f, HTTP_BAD, field, "there is no column '%.100s'", name);
}

/* Moves those of the kept rows that hold the value to `out`; some must be, and some must stay. */
static int move_rows(problem *p, const char *field, const char *column, const char *value,
                     int64_t *out, int64_t *out_count, fault *f)
{
    const rls2_table *table = file_of(p);
    int64_t before = p->kept_count, stay = 0, number = rls2_table_find(table, column);
    for (int64_t i = 0; i < before; i++) {
        if (rls2_table_holds(table, p->kept[i], number, value))
            out[(*out_count)++] = p->kept[i];
        else
            p->kept[stay++] = p->kept[i];
    }
    p->kept_count = stay;
    if (*out_count > 0 && stay > 0) return 0;
    return fault_say(
        f, HTTP_BAD, field, "%s of the %" PRId64 " rows %s '%.100s' in column '%.100s'",
        *out_count == 0 ? "none" : "all", before, *out_count == 0 ? "has" : "have", value, column);
}

static int split_by(problem *p, const char *column_field, const char *value_field,
                    const char *column, const char *value, int64_t *out, int64_t *out_count,
                    fault *f)
{
    if (rls2_table_find(file_of(p), column) < 0) return no_column(f, column_field, column);
    for (int64_t t = 0; t < p->asked.target.count; t++)
        if (strcmp(p->asked.target.items[t], column) == 0)
            return fault_say(f, HTTP_BAD, column_field, "column '%s' is the target", column);
    return move_rows(p, value_field, column, value, out, out_count, f);
}

static int split_test(problem *p, fault *f)
{
    const char *kind = p->asked.test.kind, *marker = rls2_table_marker(file_of(p));
    if (!kind && marker) kind = "marker";
    if (is(kind, "marker") && !marker)
        return fault_say(f, HTTP_BAD, "test.kind",
                         "the file has no column that marks test rows by convention");
    if (is(kind, "none") && marker) p->redrawn = 1; /* the command heeds the marker always */
    if (is(kind, "marker"))
        return move_rows(p, "test", marker, "1", p->marked, &p->marked_count, f);
    if (is(kind, "share")) return draw_test(p, f);
    if (!is(kind, "column")) return 0;
    return split_by(p, "test.column", "test.value", p->asked.test.column, p->asked.test.value,
                    p->marked, &p->marked_count, f);
}

static int split_validation(problem *p, fault *f)
{
    if (is(p->asked.splits.kind, "column") &&
        rls2_table_find(file_of(p), p->asked.splits.column) < 0)
        return no_column(f, "splits.column", p->asked.splits.column);
    if (!is(p->asked.splits.kind, "validation") || p->asked.splits.data) return 0;
    return split_by(p, "splits.column", "splits.value", p->asked.splits.column,
                    p->asked.splits.value, p->validating, &p->validating_count, f);
}

/* ---- tables ---- */

static int take(const problem *p, int64_t count, const int64_t *rows, rls2_table **taken, fault *f)
{
    rls2_error err;
    return rls2_table_take(file_of(p), count, rows, taken, &err) == RLS2_OK
               ? 0
               : fault_of(f, "data", &err);
}

static int make_train(problem *p, fault *f)
{
    if (!p->asked.shuffle && p->marked_count == 0 && p->validating_count == 0) {
        p->train = p->file->value;
        return 0;
    }
    p->own_train = 1;
    return take(p, p->kept_count, p->kept, &p->train, f);
}

static int make_test(problem *p, fault *f)
{
    if (is(p->asked.test.kind, "data")) {
        int code = state_table(p->state, "test.data", p->asked.test.data, &p->test_file, f);
        p->test = code ? NULL : p->test_file->value;
        return code;
    }
    if (p->marked_count == 0) return 0;
    p->own_test = 1;
    return take(p, p->marked_count, p->marked, &p->test, f);
}

static int make_choosing(problem *p, fault *f)
{
    rls2_error err;
    rls2_table *below = NULL, *taken = NULL;
    int code = 0;
    if (!is(p->asked.splits.kind, "validation")) return 0;
    if (p->asked.splits.data) {
        code = state_table(p->state, "splits.data", p->asked.splits.data, &p->validation_file, f);
        below = code ? NULL : p->validation_file->value;
    } else {
        code = take(p, p->validating_count, p->validating, &taken, f);
        below = taken;
    }
    if (!code && rls2_table_stack(p->train, below, &p->choosing, &err) != RLS2_OK)
        code = fault_of(f, "splits", &err);
    rls2_table_free(taken);
    return code;
}

static int keep_all(problem *p, fault *f)
{
    size_t rows = (size_t)rls2_table_rows(file_of(p));
    p->kept = calloc(rows + 1, sizeof *p->kept);
    p->marked = calloc(rows + 1, sizeof *p->marked);
    p->validating = calloc(rows + 1, sizeof *p->validating);
    if (!p->kept || !p->marked || !p->validating) return fault_memory(f);
    for (size_t i = 0; i < rows; i++) p->kept[i] = (int64_t)i;
    p->kept_count = (int64_t)rows;
    if (!p->asked.shuffle) return 0;
    shuffle((uint64_t)p->asked.seed, p->kept_count, p->kept);
    p->redrawn = 1;
    return 0;
}

int rows_divide(problem *p, fault *f)
{
    int code = keep_all(p, f);
    if (!code) code = split_test(p, f);
    if (!code) code = split_validation(p, f);
    if (!code) code = make_train(p, f);
    if (!code) code = make_test(p, f);
    if (!code) code = make_choosing(p, f);
    return code;
}

/* ---- splits for choosing lambda ---- */

static int fold_column(const problem *p, rls2_splits **splits, fault *f)
{
    enum { MOST_FOLDS = 2000 };
    rls2_error err;
    int code = 0;
    int64_t n = rls2_dataset_rows(p->data),
            column = rls2_table_find(p->train, p->asked.splits.column), folds = 0;
    if (rls2_table_distinct(p->train, column, MOST_FOLDS + 1) > MOST_FOLDS)
        return fault_say(f, HTTP_BAD, "splits.column",
                         "column '%s' has more than %d different values: too many folds",
                         p->asked.splits.column, MOST_FOLDS);
    int64_t *fold = calloc((size_t)n + 1, sizeof *fold),
            *first = calloc((size_t)n + 1, sizeof *first);
    if (!fold || !first) code = fault_memory(f);
    for (int64_t i = 0; !code && i < n; i++) {
        int64_t row = rls2_dataset_source_row(p->data, i), k = 0;
        char text[32];
        const char *cell = columns_cell(p->train, row, column, text);
        fold[i] = -1; /* an empty cell: always learned from */
        if (!*cell) continue;
        while (k < folds && !rls2_table_holds(p->train, first[k], column, cell)) k++;
        if (k == folds) first[folds++] = row;
        fold[i] = k;
    }
    if (!code && rls2_splits_given(n, fold, splits, &err) != RLS2_OK)
        code = fault_of(f, "splits.column", &err);
    free(fold);
    free(first);
    return code;
}

/* One split: the validation rows, which stand below the others, are predicted from those. */
static int validation_split(const problem *p, rls2_splits **splits, fault *f)
{
    rls2_error err;
    int64_t n = rls2_dataset_rows(p->choosing_data), above = rls2_table_rows(p->train);
    int64_t *fold = calloc((size_t)n + 1, sizeof *fold);
    if (!fold) return fault_memory(f);
    for (int64_t i = 0; i < n; i++)
        fold[i] = rls2_dataset_source_row(p->choosing_data, i) < above ? -1 : 0;
    int code =
        rls2_splits_given(n, fold, splits, &err) == RLS2_OK ? 0 : fault_of(f, "splits", &err);
    free(fold);
    return code;
}

/* Each split lists all rows. Where memory is promised before it is there, asking for too much ends
 * the process. */
static int check_memory(int64_t rows, double splits, fault *f)
{
    double bytes = (double)rows * splits * sizeof(int64_t);
    double half = 0.5 * (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGE_SIZE);
    if (bytes <= half) return 0;
    return fault_say(f, HTTP_BAD, "splits",
                     "%.0f splits of %" PRId64 " rows need %.1f GB of memory", splits, rows,
                     bytes / 1e9);
}

static int draw_splits(const problem *p, const double *strata, rls2_splits **splits, fault *f)
{
    rls2_error err;
    rls2_status status;
    const asked *a = &p->asked;
    int64_t n = rls2_dataset_rows(p->data), folds = a->splits.folds < n ? a->splits.folds : n;
    if (is(a->splits.kind, "random"))
        status = rls2_splits_random(n, strata, a->splits.count, a->splits.share, (uint64_t)a->seed,
                                    splits, &err);
    else
        status =
            rls2_splits_folds(n, strata, folds, a->splits.repeats, (uint64_t)a->seed, splits, &err);
    return status == RLS2_OK ? 0 : fault_of(f, "splits", &err);
}

int problem_splits(const problem *p, rls2_splits **splits, fault *f)
{
    const int64_t *classes = rls2_dataset_classes(p->data);
    int64_t n = rls2_dataset_rows(p->data);
    double *strata = NULL;
    *splits = NULL;
    if (is(p->asked.splits.kind, "none")) return 0;
    if (p->choosing) return validation_split(p, splits, f);
    if (n < 2) return fault_say(f, HTTP_BAD, "splits", "cross-validation needs more than one row");
    if (is(p->asked.splits.kind, "column")) return fold_column(p, splits, f);
    if (classes) {
        strata = calloc((size_t)n + 1, sizeof *strata);
        if (!strata) return fault_memory(f);
        for (int64_t i = 0; i < n; i++) strata[i] = (double)classes[i];
    }
    int code = draw_splits(p, strata, splits, f);
    free(strata);
    return code;
}

/* How many lists of rows they are. */
static double count_splits(const problem *p)
{
    const asked *a = &p->asked;
    int64_t n = rls2_dataset_rows(p->data), folds = a->splits.folds < n ? a->splits.folds : n;
    if (is(a->splits.kind, "random")) return (double)a->splits.count;
    return is(a->splits.kind, "folds") ? (double)folds * (double)a->splits.repeats : 1.0;
}

/* Whether they can be made does not depend on how many they are, but for the memory. */
int problem_check_splits(const problem *p, fault *f)
{
    problem few = *p;
    rls2_splits *splits = NULL;
    int code = check_memory(rls2_dataset_rows(p->data), count_splits(p), f);
    few.asked.splits.folds = 2;
    few.asked.splits.repeats = few.asked.splits.count = 1;
    if (!code) code = problem_splits(&few, &splits, f);
    rls2_splits_free(splits);
    return code;
}
