/* The files of data/ against the originals, where those are at hand: in the folder
 * RLS2_ORIGINALS, or in ../shared/data. */
#include "support/problem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char *originals(void)
{
    const char *folder = getenv("RLS2_ORIGINALS");
    struct stat info;
    if (!folder || !*folder) folder = "../shared/data";
    return stat(folder, &info) == 0 && S_ISDIR(info.st_mode) ? folder : NULL;
}

static rls2_table *table_of(const char *folder, const char *name)
{
    char path[4096];
    rls2_error err;
    rls2_table *table = NULL;
    snprintf(path, sizeof path, "%s/%s.csv", folder, name);
    assert_ok(rls2_table_read_csv(path, &table, &err), &err);
    return table;
}

/* Differences that data/README.md tells of. */
static int is_documented(const char *name, const char *column, int64_t row)
{
    static const int64_t renamed[] = {217, 280, 338, 348, 382};
    if (strcmp(name, "auto-mpg") != 0 || strcmp(column, "car_name") != 0) return 0;
    for (size_t i = 0; i < sizeof renamed / sizeof renamed[0]; i++)
        if (row + 1 == renamed[i]) return 1;
    return 0;
}

/* Equal as numbers where both are numbers, else as text. */
static int same_cell(const char *a, const char *b)
{
    char *end_a, *end_b;
    double u = strtod(a, &end_a), v = strtod(b, &end_b);
    if (*a && *b && !*end_a && !*end_b) return u == v;
    return strcmp(a, b) == 0;
}

static void compare_column(const char *name, const rls2_table *ours, const rls2_table *theirs,
                           int64_t column)
{
    const char *title = rls2_table_column_name(ours, column);
    int64_t other = rls2_table_find(theirs, title);
    if (other < 0) fail_msg("%s: the original has no column '%s'", name, title);
    assert_int_equal(rls2_table_is_numeric(ours, column), rls2_table_is_numeric(theirs, other));
    for (int64_t row = 0; row < rls2_table_rows(ours); row++) {
        const char *a = rls2_table_cell(ours, row, column),
                   *b = rls2_table_cell(theirs, row, other);
        int documented = is_documented(name, title, row);
        if (same_cell(a, b) == documented)
            fail_msg("%s, row %d, column '%s': '%s', the original has '%s'%s", name, (int)row + 1,
                     title, a, b, documented ? ", though the README says they differ" : "");
    }
}

static void table_read_csv__data_folder__equals_the_originals(void **state)
{
    (void)state;
    int count;
    const paper_set *sets = paper_sets(&count);
    const char *folder = originals();
    if (!folder) {
        print_message("neither $RLS2_ORIGINALS nor ../shared/data is there: the data files are not "
                      "compared\n");
        skip();
    }
    assert_int_equal(count, 11);
    for (int i = 0; i < count; i++) {
        int wpbc = strcmp(sets[i].name, "wpbc") == 0;
        rls2_table *ours = table_of("data", sets[i].name), *theirs = table_of(folder, sets[i].name);
        assert_int_equal(rls2_table_rows(ours), rls2_table_rows(theirs));
        assert_int_equal(rls2_table_columns(ours), rls2_table_columns(theirs) - wpbc);
        assert_int_equal(rls2_table_find(ours, "id") >= 0, 0);
        assert_int_equal(rls2_table_find(theirs, "id") >= 0, wpbc);
        for (int64_t j = 0; j < rls2_table_columns(ours); j++)
            compare_column(sets[i].name, ours, theirs, j);
        rls2_table_free(ours);
        rls2_table_free(theirs);
    }
}

static void table_read_csv__data_folder__has_the_sizes_of_its_readme(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int64_t rows, columns;
    } sizes[] = {{"auto-mpg", 398, 9},    {"cpu", 209, 10},     {"servo", 167, 5},
                 {"housing", 506, 14},    {"prostate", 97, 10}, {"heart", 270, 14},
                 {"liver", 345, 7},       {"pima", 768, 9},     {"wpbc", 198, 34},
                 {"ionosphere", 351, 35}, {"sonar", 208, 61}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        rls2_table *table = table_of("data", sizes[i].name);
        assert_int_equal(rls2_table_rows(table), sizes[i].rows);
        assert_int_equal(rls2_table_columns(table), sizes[i].columns);
        rls2_table_free(table);
    }
}

/* Row 32's lweight is the corrected value. */
static void table_read_csv__prostate__holds_the_corrected_weight(void **state)
{
    (void)state;
    rls2_table *table = table_of("data", "prostate");
    const char *cell = rls2_table_cell(table, 31, rls2_table_find(table, "lweight"));
    assert_true(strtod(cell, NULL) == 3.804438);
    rls2_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table_read_csv__data_folder__equals_the_originals),
        cmocka_unit_test(table_read_csv__data_folder__has_the_sizes_of_its_readme),
        cmocka_unit_test(table_read_csv__prostate__holds_the_corrected_weight),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
