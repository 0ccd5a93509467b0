/* The Prostate experiment: the same tables for any number of threads, when taken up again, from a
 * damaged journal, and from a journal of other data. */
#include "experiments/experiment.h"
#include "experiments/prostate_study.h"
#include "support/problem.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const data_folder[] = {"data"};

static void make_folder(char *folder)
{
    strcpy(folder, "/tmp/rls2-prostate-XXXXXX");
    assert_non_null(mkdtemp(folder));
}

static void remove_folder(const char *folder)
{
    char command[256];
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
}

static char *read_text(const char *folder, const char *name)
{
    char path[256];
    char *text = calloc(1, 1 << 20);
    assert_non_null(text);
    snprintf(path, sizeof path, "%s/prostate/%s", folder, name);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_true(fread(text, 1, (1 << 20) - 1, file) > 0);
    fclose(file);
    return text;
}

static reproduction asked(const char *folder, int threads)
{
    return (reproduction){.output = folder,
                          .folders = data_folder,
                          .folder_count = 1,
                          .splits = 3,
                          .threads = threads,
                          .seed = 4};
}

/* The tables as JSON, which the caller frees. */
static char *run(const reproduction *r)
{
    rls2_error err;
    sheet *results = NULL;
    assert_ok(experiment_prostate(r, &results, &err), &err);
    assert_ok(sheet_write(results, r->output, &err), &err);
    sheet_free(results);
    return read_text(r->output, "tables.json");
}

static int stop_at(void *user, const rls2_progress *progress)
{
    return progress->done >= *(const int64_t *)user;
}

static void experiment_prostate__threads_and_a_stop__change_nothing(void **state)
{
    (void)state;
    char whole[64], pieces[64];
    rls2_error err;
    sheet *results = NULL;
    int64_t limit = 2;
    make_folder(whole);
    make_folder(pieces);
    reproduction r = asked(whole, 1);
    char *expected = run(&r);
    assert_non_null(strstr(expected, "\"tab10_agree\": 11"));
    assert_non_null(strstr(expected, "\"tab10_agree_all\": 77"));
    assert_non_null(strstr(expected, "\"divisions\": 3"));

    r = asked(pieces, 2);
    r.progress = stop_at;
    r.progress_user = &limit;
    assert_int_equal(experiment_prostate(&r, &results, &err), RLS2_ERR_CANCELLED);
    char *journal = read_text(pieces, "journal.txt");
    assert_non_null(strstr(journal, "\nseed-4001/"));
    assert_null(strstr(journal, "\nseed-4002/"));
    r.progress = NULL;
    char *found = run(&r);
    assert_string_equal(found, expected);
    free(journal);
    free(found);
    free(expected);
    remove_folder(whole);
    remove_folder(pieces);
}

/* The last two numbers of a unit are indices: what cannot be one is computed again. */
static void experiment_prostate__journal_with_a_wrong_index__is_not_believed(void **state)
{
    (void)state;
    char folder[64], path[256];
    make_folder(folder);
    reproduction r = asked(folder, 1);
    char *expected = run(&r), *journal = read_text(folder, "journal.txt");
    char *line = strstr(journal, "\nseed-4000/") + 1, *end = strchr(line, '\n');
    int fields = 0;
    while (fields < 2) fields += *--end == ' '; /* at the blank before the choice */
    snprintf(path, sizeof path, "%s/prostate/journal.txt", folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "%.*s 9999%s", (int)(end - journal), journal, strchr(end + 1, ' '));
    fclose(file);
    char *found = run(&r);
    assert_string_equal(found, expected);
    free(found);
    free(journal);
    free(expected);
    remove_folder(folder);
}

/* data/prostate.csv with 1 added to lpsa in the first training row. */
static void write_changed_data(const char *folder)
{
    char command[512];
    snprintf(command, sizeof command,
             "awk -F, -v OFS=, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == \"lpsa\") at = i } "
             "NR == 2 { $at += 1 } 1' data/prostate.csv > %s/prostate.csv",
             folder);
    assert_int_equal(system(command), 0);
}

/* A folder with the curves of other data gives what an empty one gives. */
static void experiment_prostate__changed_outputs__are_not_taken_from_the_journal(void **state)
{
    (void)state;
    char used[64], fresh[64], data[64];
    const char *const changed[] = {data};
    make_folder(used);
    make_folder(fresh);
    make_folder(data);
    write_changed_data(data);
    reproduction r = asked(used, 1);
    char *before = run(&r);
    r.folders = changed;
    char *found = run(&r);
    r.output = fresh;
    char *expected = run(&r);
    assert_string_not_equal(expected, before);
    assert_string_equal(found, expected);
    /* and those of the data as they were are still there */
    r = asked(used, 1);
    char *again = run(&r);
    assert_string_equal(again, before);
    free(again);
    free(expected);
    free(found);
    free(before);
    remove_folder(used);
    remove_folder(fresh);
    remove_folder(data);
}

/* The number of divisions that choose the table's lambda is the number of seeds whose line in the
 * journal says so. */
static void experiment_prostate__choices__are_counted_at_the_lambda_of_the_table(void **state)
{
    (void)state;
    char folder[64], expected[64];
    double lambdas[PROSTATE_LAMBDAS];
    int64_t count = 0;
    rls2_error err;
    assert_ok(rls2_lambda_grid(1e-4, 1e4, PROSTATE_LAMBDAS, lambdas, &err), &err);
    assert_true(fabs(lambdas[PROSTATE_TABLE_LAMBDA] / prostate_lambda - 1.0) < 1e-14);
    make_folder(folder);
    reproduction r = asked(folder, 1);
    r.splits = 8;
    char *found = run(&r), *journal = read_text(folder, "journal.txt");
    for (char *line = strstr(journal, "\nseed-"); line; line = strstr(line + 1, "\nseed-")) {
        char *end = strchr(line + 1, '\n');
        int fields = 0;
        while (fields < 2) fields += *--end == ' '; /* the choice, then how many numbers */
        count += strtod(end, NULL) == PROSTATE_TABLE_LAMBDA;
    }
    assert_in_range(count, 1, 7); /* some do and some do not */
    snprintf(expected, sizeof expected, "\"chooses_paper_lambda\": %d,", (int)count);
    assert_non_null(strstr(found, expected));
    free(journal);
    free(found);
    remove_folder(folder);
}

static void experiment_prostate__no_data__says_what_is_missing(void **state)
{
    (void)state;
    rls2_error err;
    sheet *results = NULL;
    reproduction r = asked("/tmp", 1);
    r.folder_count = 0;
    assert_int_equal(experiment_prostate(&r, &results, &err), RLS2_ERR_NAME);
    assert_non_null(strstr(err.message, "prostate.csv"));
    assert_null(results);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(experiment_prostate__threads_and_a_stop__change_nothing),
        cmocka_unit_test(experiment_prostate__journal_with_a_wrong_index__is_not_believed),
        cmocka_unit_test(experiment_prostate__changed_outputs__are_not_taken_from_the_journal),
        cmocka_unit_test(experiment_prostate__choices__are_counted_at_the_lambda_of_the_table),
        cmocka_unit_test(experiment_prostate__no_data__says_what_is_missing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
