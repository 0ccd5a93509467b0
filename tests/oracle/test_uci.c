/* The benchmark as `reproduce uci` computes it: like the paper, like itself with other threads, and
 * after a stop. */
#include "support/problem.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/uci.h"
#include "support/command.h"
#include "support/one_output.h"

enum { SERVO = 2, SONAR = 9 };

static reproduction ask(int64_t splits, int threads)
{
    static const char *const folders[] = {"data"};
    return (reproduction){.output = folder(),
                          .folders = folders,
                          .folder_count = 1,
                          .splits = splits,
                          .threads = threads,
                          .seed = 1};
}

/* Some sets with a journal of that name. */
static uci_results run_sets(const reproduction *r, const char *name, int count, const int *sets)
{
    rls2_error err = {0};
    uci_results results;
    journal *j = NULL;
    assert_ok(uci_prepare(r, &results, &err), &err);
    assert_ok(journal_open(folder(), name, "test", &j, &err), &err);
    for (int i = 0; i < count; i++) assert_ok(uci_run_set(r, &results, sets[i], j, &err), &err);
    journal_close(j);
    return results;
}

/* All but the seconds. */
static void assert_same_splits(const uci_results *a, const uci_results *b, int set)
{
    for (int q = 0; q < UCI_RATIOS; q++) {
        assert_int_equal(a->sets[set].curves[q].best, b->sets[set].curves[q].best);
        for (int64_t s = 0; s < a->count; s++)
            assert_memory_equal(&a->sets[set].curves[q].splits[s],
                                &b->sets[set].curves[q].splits[s],
                                offsetof(uci_split, basis_seconds));
    }
}

static void uci__two_small_sets__score_as_in_the_paper(void **state)
{
    (void)state;
    static const int sets[] = {SERVO, SONAR};
    reproduction r = ask(6, 2);
    uci_results results = run_sets(&r, "paper", 2, sets);
    for (int i = 0; i < 2; i++) {
        const uci_set *set = &results.sets[sets[i]];
        assert_int_equal(set->rows, set->paper->examples);
        assert_int_equal(set->kernels, set->paper->kernels);
        for (int q = 0; q < UCI_RATIOS; q++) {
            double apart = uci_distance(&results, set, q);
            if (!(fabs(apart) <= 1.0))
                fail_msg("%s %d: %+.2f of the paper's deviations", set->paper->name, uci_ratios[q],
                         apart);
            for (int64_t s = 0; s < results.count; s++) {
                assert_true(set->curves[q].splits[s].worst_gap <= 1e-6);
                assert_true(set->curves[q].splits[s].unconverged == 0.0);
            }
        }
    }
    uci_release(&results);
}

static void uci__other_numbers_of_threads__give_the_same_bits(void **state)
{
    (void)state;
    static const int sets[] = {SERVO};
    reproduction one = ask(3, 1), three = ask(3, 3);
    uci_results a = run_sets(&one, "one", 1, sets), b = run_sets(&three, "three", 1, sets);
    assert_same_splits(&a, &b, SERVO);
    uci_release(&a);
    uci_release(&b);
}

/* The first splits of many are those of few. */
static void uci__more_splits_later__begin_with_the_same(void **state)
{
    (void)state;
    static const int sets[] = {SERVO};
    reproduction few = ask(2, 1), many = ask(4, 1);
    uci_results a = run_sets(&few, "few", 1, sets), b = run_sets(&many, "many", 1, sets);
    for (int q = 0; q < UCI_RATIOS; q++)
        for (int64_t s = 0; s < a.count; s++)
            assert_memory_equal(a.sets[SERVO].curves[q].splits[s].score,
                                b.sets[SERVO].curves[q].splits[s].score,
                                sizeof(double) * UCI_LAMBDAS);
    uci_release(&a);
    uci_release(&b);
}

static int stop_at_three(void *user, const rls2_progress *progress)
{
    int64_t before = *(const int64_t *)user;
    return progress->done >= before + 3;
}

static void uci__stopped_and_taken_up_again__gives_the_same(void **state)
{
    (void)state;
    static const int sets[] = {SERVO};
    rls2_error err = {0};
    reproduction r = ask(3, 1);
    uci_results whole = run_sets(&r, "whole", 1, sets), part;
    int64_t before = SERVO * UCI_RATIOS * 3;
    journal *j = NULL;
    r.progress = stop_at_three;
    r.progress_user = &before;
    assert_ok(uci_prepare(&r, &part, &err), &err);
    assert_ok(journal_open(folder(), "part", "test", &j, &err), &err);
    assert_int_equal(uci_run_set(&r, &part, SERVO, j, &err), RLS2_ERR_CANCELLED);
    journal_close(j);
    assert_ok(journal_open(folder(), "part", "test", &j, &err), &err);
    assert_true(journal_size(j) >= 3 && journal_size(j) < 6);
    journal_close(j);
    uci_release(&part);
    r.progress = NULL;
    part = run_sets(&r, "part", 1, sets);
    assert_same_splits(&whole, &part, SERVO);
    uci_release(&whole);
    uci_release(&part);
}

/* The scaling over all rows is the transductive one of each split, by the way without a larger
 * basis. */
static void uci__a_split__is_the_path_of_its_rows_with_transductive_scaling(void **state)
{
    (void)state;
    static const int sets[] = {SERVO};
    rls2_error err = {0};
    reproduction r = ask(1, 1);
    uci_results results = run_sets(&r, "direct", 1, sets);
    rls2_dataset *data;
    rls2_dictionary *dictionary;
    rls2_splits *splits;
    rls2_basis *basis;
    rls2_path *path;
    const int64_t *rows[2];
    assert_ok(paper_set_load(paper_set_find("servo"), "data", &data, &err), &err);
    int64_t n = rls2_dataset_rows(data), p = rls2_dataset_columns(data);
    const rls2_columns columns = {.count = p, .names = rls2_dataset_names(data)};
    assert_ok(rls2_dictionary_create("paper", &columns, &dictionary, &err), &err);
    assert_ok(rls2_splits_random(n, NULL, 100, 0.7, 1, &splits, &err), &err);
    const int64_t counts[2] = {rls2_splits_training(splits, 0, &rows[0]),
                               rls2_splits_validation(splits, 0, &rows[1])};
    double *x[2], *y[2];
    for (int side = 0; side < 2; side++) {
        x[side] = numbers(counts[side] * p);
        y[side] = numbers(counts[side]);
        for (int64_t i = 0; i < counts[side]; i++) {
            y[side][i] = rls2_dataset_y(data)[rows[side][i]];
            for (int64_t k = 0; k < p; k++)
                x[side][k * counts[side] + i] = rls2_dataset_x(data)[k * n + rows[side][i]];
        }
    }
    const rls2_rows train = {.n = counts[0], .p = p, .x = x[0]},
                    test = {.n = counts[1], .p = p, .x = x[1]};
    rls2_basis_options options;
    rls2_basis_options_init(&options, sizeof options);
    options.transductive = &test;
    assert_ok(rls2_basis_create(dictionary, &train, &options, NULL, &basis, &err), &err);
    assert_ok(fit_one(basis, y[0], UCI_LAMBDAS, results.lambdas, NULL, &path, &err), &err);
    double *f = numbers(counts[1] * UCI_LAMBDAS);
    assert_ok(rls2_path_predict(path, &test, f, &err), &err);
    for (int64_t i = 0; i < UCI_LAMBDAS; i++) {
        double squares = 0.0;
        for (int64_t t = 0; t < counts[1]; t++) squares += pow(f[i * counts[1] + t] - y[1][t], 2.0);
        double rmse = sqrt(squares / (double)counts[1]);
        double ours = results.sets[SERVO].curves[1].splits[0].score[i];
        if (!(fabs(ours - rmse) <= 2e-3 * rmse))
            fail_msg("lambda %g: %g, not %g", results.lambdas[i], ours, rmse);
    }
    free(f);
    for (int side = 0; side < 2; side++) {
        free(x[side]);
        free(y[side]);
    }
    rls2_path_free(path);
    rls2_basis_free(basis);
    rls2_splits_free(splits);
    rls2_dictionary_free(dictionary);
    rls2_dataset_free(data);
    uci_release(&results);
}

/* The same seed later, after another one: from the journal, not computed again. */
static void uci__another_seed_in_between__loses_nothing(void **state)
{
    (void)state;
    static const int sets[] = {SERVO};
    rls2_error err = {0};
    reproduction r = ask(2, 1);
    journal *j = NULL;
    int64_t sizes[3];
    uci_results first = run_sets(&r, "seeds", 1, sets);
    for (int i = 0; i < 3; i++) {
        r.seed = i == 1 ? 2 : 1;
        uci_results again = run_sets(&r, "seeds", 1, sets);
        if (i == 1)
            assert_true(again.sets[SERVO].curves[0].splits[0].score[20] !=
                        first.sets[SERVO].curves[0].splits[0].score[20]);
        else
            assert_memory_equal(again.sets[SERVO].curves[0].splits,
                                first.sets[SERVO].curves[0].splits,
                                2 * UCI_RATIOS * sizeof(uci_split)); /* the seconds too */
        uci_release(&again);
        assert_ok(journal_open(folder(), "seeds", "test", &j, &err), &err);
        sizes[i] = journal_size(j);
        journal_close(j);
    }
    assert_true(sizes[0] == 4 && sizes[1] == 8 && sizes[2] == 8);
    uci_release(&first);
}

/* Scores of 1 and 3 and so on, worked out by hand. */
static void uci__standard_errors__are_those_of_two_means(void **state)
{
    (void)state;
    uci_split splits[2] = {{.score = {1.0}}, {.score = {3.0}}};
    static uci_paper paper;
    paper.ratio[0].score = (uci_mean){5.0, 20.0};
    uci_results results = {.count = 2};
    uci_set *set = &results.sets[0];
    set->paper = &paper;
    set->curves[0].splits = splits;
    /* ours: mean 2, variance 2, over 2 splits: 1; the paper's: 400 over 100 splits: 4 */
    double errors = uci_standard_errors(&results, set, 0);
    assert_true(fabs(errors - -3.0 / sqrt(5.0)) < 1e-14);
    results.count = 1;
    assert_true(isnan(uci_standard_errors(&results, set, 0)));
}

static void uci__data_that_are_not_there__are_named(void **state)
{
    (void)state;
    static const char *const nowhere[] = {"/nonexistent"};
    reproduction r = ask(1, 1);
    rls2_error err = {0};
    sheet *s = NULL;
    r.folders = nowhere;
    assert_int_equal(experiment_uci(&r, &s, &err), RLS2_ERR_NAME);
    assert_non_null(strstr(err.message, "auto-mpg.csv"));
    assert_null(s);
}

/* All ten sets, one split each: the tables are made, and again from the journal with the same
 * digits. */
static void uci__all_sets__are_written_and_come_again_from_the_journal(void **state)
{
    (void)state;
    if (UNDER_SANITIZERS) {
        print_message("the whole experiment takes too long under the sanitizers\n");
        skip();
    }
    reproduction r = ask(1, 2);
    char *text[2];
    for (int i = 0; i < 2; i++) {
        rls2_error err = {0};
        sheet *s = NULL;
        assert_ok(experiment_uci(&r, &s, &err), &err);
        assert_ok(sheet_write(s, folder(), &err), &err);
        sheet_free(s);
        text[i] = read_text(in_folder("uci/tables.json"), NULL);
        assert_non_null(text[i]);
    }
    assert_string_equal(text[0], text[1]); /* the seconds too: nothing was computed anew */
    assert_non_null(strstr(text[0], "\"tab1_same\""));
    assert_non_null(strstr(text[0], "\"tab3_pairs\""));
    assert_non_null(strstr(text[0], "\"tab3_beyond_3se\""));
    assert_non_null(strstr(text[0], "lambda chosen on the test rows, as in the paper"));
    char *figure = read_text(in_folder("uci/fig05.svg"), NULL);
    assert_non_null(figure);
    assert_non_null(strstr(figure, "Sonar"));
    free(figure);
    free(text[0]);
    free(text[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(uci__two_small_sets__score_as_in_the_paper),
        cmocka_unit_test(uci__other_numbers_of_threads__give_the_same_bits),
        cmocka_unit_test(uci__more_splits_later__begin_with_the_same),
        cmocka_unit_test(uci__stopped_and_taken_up_again__gives_the_same),
        cmocka_unit_test(uci__a_split__is_the_path_of_its_rows_with_transductive_scaling),
        cmocka_unit_test(uci__another_seed_in_between__loses_nothing),
        cmocka_unit_test(uci__standard_errors__are_those_of_two_means),
        cmocka_unit_test(uci__data_that_are_not_there__are_named),
        cmocka_unit_test(uci__all_sets__are_written_and_come_again_from_the_journal),
    };
    return cmocka_run_group_tests_name("oracle.uci", tests, folder_make, folder_remove);
}
