/* The experiment of gene expressions: the same numbers for any number of threads, and when taken up
 * again. */
#include "experiments/cancer_protocol.h"
#include "experiments/cancers.h"
#include "support/problem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const int patients[] = {9, 8, 12, 8, 10}, others[] = {3, 4, 5, 3, 4};
static const cancer_plan small = {.genes = 300,
                                  .classes = 5,
                                  .train = patients,
                                  .test = others,
                                  .markers = 6,
                                  .effect = 1.5,
                                  .block = 5,
                                  .correlation = 0.5};
enum { MADE = 3, SECONDS = 7 }; /* the eighth number of a result is the only one that may differ */

static void cancer_protocol__any_number_of_threads__gives_the_same_bits(void **state)
{
    (void)state;
    rls2_error err;
    cancer_set set;
    cancer_result one, many;
    assert_ok(cancer_set_generate(&small, 5, &set, &err), &err);
    assert_ok(cancer_protocol(&set, 2, 1, NULL, NULL, &one, &err), &err);
    for (int threads = 2; threads <= 4; threads++) {
        assert_ok(cancer_protocol(&set, 2, threads, NULL, NULL, &many, &err), &err);
        assert_true(((double *)&one)[SECONDS] == one.seconds);
        many.seconds = one.seconds;
        assert_memory_equal(&one, &many, sizeof one);
    }
    cancer_set_free(&set);
}

static void cancer_set_generate__other_seed__makes_other_data(void **state)
{
    (void)state;
    rls2_error err;
    cancer_set a, b, c;
    int64_t same = 0, rows = 47;
    assert_ok(cancer_set_generate(&small, 1, &a, &err), &err);
    assert_ok(cancer_set_generate(&small, 1, &b, &err), &err);
    assert_ok(cancer_set_generate(&small, 2, &c, &err), &err);
    assert_int_equal(rls2_table_rows(a.train), rows);
    assert_int_equal(rls2_table_rows(a.test), 19);
    assert_int_equal(rls2_table_columns(a.train), 301);
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < 301; j++) {
            assert_true(rls2_table_value(a.train, i, j) == rls2_table_value(b.train, i, j));
            if (j < 300) same += rls2_table_value(a.train, i, j) == rls2_table_value(c.train, i, j);
        }
    assert_int_equal(same, 0);
    cancer_set_free(&a);
    cancer_set_free(&b);
    cancer_set_free(&c);
}

/* ---- stopped and taken up again ---- */

static int at_once(void *user, const rls2_progress *progress)
{
    (*(int *)user)++;
    assert_true(progress->done == 0);
    return 1;
}

static void cancer_protocol__stopped_before_the_folds__leaves_nothing(void **state)
{
    (void)state;
    rls2_error err;
    cancer_set set;
    cancer_result result, before;
    int calls = 0;
    memset(&result, 7, sizeof result);
    before = result;
    assert_ok(cancer_set_generate(&small, 5, &set, &err), &err);
    assert_int_equal(cancer_protocol(&set, 2, 1, at_once, &calls, &result, &err),
                     RLS2_ERR_CANCELLED);
    assert_int_equal(calls, 1);
    assert_memory_equal(&result, &before, sizeof result);
    cancer_set_free(&set);
}

static void make_folder(char *folder)
{
    strcpy(folder, "/tmp/rls2-cancers-XXXXXX");
    assert_non_null(mkdtemp(folder));
}

static void remove_folder(const char *folder)
{
    char command[256];
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
}

/* The numbers of the made sets from the journal, their times left out. Returns how many lines there
 * are. */
static int journal_numbers(const char *folder, cancer_result *results)
{
    char path[256], *line = NULL, *end;
    size_t room = 0;
    int lines = 0;
    snprintf(path, sizeof path, "%s/cancers/journal.txt", folder);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_true(getline(&line, &room, file) > 0); /* the heading */
    while (getline(&line, &room, file) > 0) {
        assert_true(lines < MADE);
        assert_memory_equal(line, "made-seed-", 10);
        double *values = (double *)&results[lines++];
        end = strchr(line, ' ');
        assert_non_null(end);
        for (int i = 0; i < CANCER_VALUES; i++) values[i] = strtod(end, &end);
        values[SECONDS] = 0.0;
    }
    free(line);
    fclose(file);
    return lines;
}

static int stop_at(void *user, const rls2_progress *progress)
{
    return progress->done >= *(const int64_t *)user;
}

static void cancers_study__stopped_and_taken_up_again__has_the_same_numbers(void **state)
{
    (void)state;
    char whole[64], pieces[64];
    rls2_error err;
    sheet *results = NULL;
    static cancer_result expected[MADE], found[MADE];
    make_folder(whole);
    make_folder(pieces);
    reproduction r = {.output = whole, .splits = MADE, .threads = 2, .seed = 11};
    assert_ok(cancers_study(&r, &small, &results, &err), &err);
    assert_ok(sheet_write(results, whole, &err), &err);
    sheet_free(results);
    assert_int_equal(journal_numbers(whole, expected), MADE);

    /* three sets that are absent come first, eight steps each; so this is after the first made one
     */
    int64_t limit = 4 * CANCER_FOLDS + 1;
    r.output = pieces;
    r.threads = 1;
    r.progress = stop_at;
    r.progress_user = &limit;
    results = NULL;
    assert_int_equal(cancers_study(&r, &small, &results, &err), RLS2_ERR_CANCELLED);
    assert_null(results);
    assert_int_equal(journal_numbers(pieces, found), 1);
    r.progress = NULL;
    assert_ok(cancers_study(&r, &small, &results, &err), &err);
    sheet_free(results);
    assert_int_equal(journal_numbers(pieces, found), MADE);
    assert_memory_equal(found, expected, sizeof expected);
    remove_folder(whole);
    remove_folder(pieces);
}

/* ---- results kept are those of the files that are there ---- */

static void write_file(const char *folder, const char *name, const char *text)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

/* The results of the made set once more, as if they were those of 14 Cancers. */
static void add_to_journal(const reproduction *r)
{
    char path[256], *line = NULL;
    size_t room = 0;
    rls2_error err;
    cancer14_origin origin;
    assert_ok(cancer14_origin_of(r, &origin, &err), &err);
    snprintf(path, sizeof path, "%s/cancers/journal.txt", r->output);
    FILE *file = fopen(path, "r+");
    assert_non_null(file);
    assert_true(getline(&line, &room, file) > 0); /* the heading */
    assert_true(getline(&line, &room, file) > 0);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    fprintf(file, "14cancer-%.32s-seed-11%s", origin.checksum, strchr(line, ' '));
    assert_int_equal(fclose(file), 0);
    free(line);
}

static char *printed(const reproduction *r)
{
    rls2_error err;
    sheet *results = NULL;
    char *text = NULL;
    size_t length = 0;
    assert_ok(cancers_study(r, &small, &results, &err), &err);
    FILE *file = open_memstream(&text, &length);
    assert_non_null(file);
    sheet_print(results, file);
    assert_int_equal(fclose(file), 0);
    sheet_free(results);
    return text;
}

static void assert_says(const char *text, const char *part, int expected)
{
    if ((strstr(text, part) != NULL) != expected)
        fail_msg("'%s' is %s in: %s", part, expected ? "not" : "", text);
}

/* Files that are no data will do: they are only read where the journal has no results of them. */
static void cancers_study__a_file_of_14_cancers_changed__is_computed_anew(void **state)
{
    (void)state;
    static const char *const files[] = {"14cancer.xtest", "14cancer.xtrain", "14cancer.ytrain",
                                        "14cancer.ytest", CANCER14_FOLDS};
    char folder[64];
    rls2_error err;
    sheet *results = NULL;
    make_folder(folder);
    const char *const folders[] = {folder};
    reproduction r = {.output = folder, .splits = 1, .threads = 1, .seed = 11};
    r.folders = folders;
    r.folder_count = 1;
    char *text = printed(&r);
    assert_says(text, "14 Cancers: no data", 1);
    assert_says(text, "Khan: no data", 1);
    assert_says(text, "Golub: no data", 1);
    free(text);
    for (int i = 0; i < 5; i++) write_file(folder, files[i], "one");
    add_to_journal(&r);
    text = printed(&r);
    assert_says(text, "14 Cancers: no data", 0);
    assert_says(text, "(ours, from other files)", 1);
    free(text);
    for (int i = 0; i < 5; i++) {
        write_file(folder, files[i], "two");
        assert_int_equal(cancers_study(&r, &small, &results, &err),
                         RLS2_ERR_VALUE); /* so it was read */
        assert_null(results);
        write_file(folder, files[i], "one");
        free(printed(&r));
    }
    remove_folder(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cancer_protocol__any_number_of_threads__gives_the_same_bits),
        cmocka_unit_test(cancer_set_generate__other_seed__makes_other_data),
        cmocka_unit_test(cancer_protocol__stopped_before_the_folds__leaves_nothing),
        cmocka_unit_test(cancers_study__stopped_and_taken_up_again__has_the_same_numbers),
        cmocka_unit_test(cancers_study__a_file_of_14_cancers_changed__is_computed_anew),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
