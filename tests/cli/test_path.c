/* rls2 path: the keys of its JSON, the paper's Prostate column, and what the fit must not depend
 * on. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rls2/rls2.h"
#include "support/command.h"

#define PROSTATE "path data/prostate.csv -t lpsa --test-rows train=F --standardize -q --json "
#define HEART "path data/heart.csv -t class --standardize -q --json --lambdas 1e-3:10:4 "

/* ---- what two results have in common ---- */

/* Everything but the time it took. */
static void assert_same_path(json_t *a, json_t *b)
{
    json_object_del(a, "seconds");
    json_object_del(b, "seconds");
    char *one = json_dumps(a, JSON_COMPACT), *other = json_dumps(b, JSON_COMPACT);
    assert_string_equal(one, other);
    free(one);
    free(other);
}

static void forget_test(json_t *root)
{
    json_t *path = at(root, "path");
    for (size_t i = 0; i < json_array_size(path); i++)
        assert_int_equal(json_object_del(json_array_get(path, i), "test"), 0);
}

/* lambda descends, weights are on the simplex, the gap is proved. */
static void assert_sound(const json_t *root, double gap)
{
    json_t *path = at(root, "path");
    double before = INFINITY;
    for (size_t i = 0; i < json_array_size(path); i++) {
        json_t *point = json_array_get(path, i), *selected = at(point, "selected");
        double sum = 0.0, lambda = number_at(point, "lambda");
        assert_true(lambda < before);
        before = lambda;
        for (size_t k = 0; k < json_array_size(selected); k++) {
            assert_keys(json_array_get(selected, k), "kernel weight");
            assert_true(number_at(json_array_get(selected, k), "weight") > 0.0);
            sum += number_at(json_array_get(selected, k), "weight");
        }
        assert_true(fabs(sum - 1.0) <= 1e-12);
        assert_true(number_at(point, "gap") <= gap);
        assert_true(number_at(point, "objective") > 0.0);
        assert_true(number_at(point, "iterations") >= 1.0);
        assert_true(number_at(point, "df") > 0.0 && number_at(point, "df") < number_at(root, "n"));
    }
}

/* ---- keys ---- */

static void path__json_of_a_linear_regression__has_the_documented_keys(void **state)
{
    (void)state;
    json_t *root = rls2_json(PROSTATE "-k linear");
    assert_keys(root, "n m task loss intercept_rule solver seconds factorizations path");
    assert_int_equal((int)number_at(root, "n"), 67);
    assert_int_equal((int)number_at(root, "m"), 8);
    assert_string_equal(text_at(root, "task"), "regression");
    assert_string_equal(text_at(root, "solver"), "newton");
    assert_in_range((int)number_at(root, "factorizations"), 0,
                    5); /* one factor is kept along a linear path */
    assert_int_equal(json_array_size(at(root, "path")), 33);
    for (size_t i = 0; i < 33; i++) {
        json_t *point = json_array_get(at(root, "path"), i);
        assert_keys(
            point, "lambda objective gap iterations df intercept selected coefficients train test");
        assert_keys(at(point, "train"), "rmse");
        assert_keys(at(point, "test"), "rmse");
        assert_keys(at(point, "coefficients"), "lcavol lweight age lbph svi lcp gleason pgg45");
    }
    assert_sound(root, 1e-6);
    json_decref(root);
}

static void path__json_of_a_classification__has_accuracies_and_no_coefficients(void **state)
{
    (void)state;
    json_t *root = rls2_json(HEART);
    assert_keys(root, "n m task loss intercept_rule solver seconds factorizations path");
    assert_string_equal(text_at(root, "task"), "classification");
    assert_int_equal((int)number_at(root, "m"), 13 * 11 + 5);
    assert_true(number_at(root, "factorizations") >= 4.0); /* at least one for each lambda */
    assert_int_equal(json_array_size(at(root, "path")), 4);
    for (size_t i = 0; i < 4; i++) {
        json_t *point = json_array_get(at(root, "path"), i);
        assert_keys(point, "lambda objective gap iterations df intercept selected train");
        assert_keys(at(point, "train"), "accuracy");
        assert_true(number_at(point, "train.accuracy") > 0.5 &&
                    number_at(point, "train.accuracy") <= 1.0);
        assert_true(number_at(point, "intercept") == 0.0);
    }
    assert_sound(root, 1e-6);
    json_decref(root);
}

/* ---- the paper's numbers ---- */

/* prostate.csv with its inputs standardised over all 97 rows (divisor n - 1), as in the paper. */
static void write_standardized_prostate(const char *name)
{
    enum { INPUTS = 8, LPSA = 8, MARK = 9 };
    rls2_table *table = NULL;
    assert_int_equal(rls2_table_read_csv("data/prostate.csv", &table, NULL), RLS2_OK);
    int64_t n = rls2_table_rows(table);
    FILE *file = fopen(in_folder(name), "w");
    assert_non_null(file);
    double mean[INPUTS] = {0}, deviation[INPUTS] = {0};
    for (int64_t j = 0; j < INPUTS; j++) {
        for (int64_t i = 0; i < n; i++) mean[j] += rls2_table_value(table, i, j) / (double)n;
        for (int64_t i = 0; i < n; i++) {
            double off = rls2_table_value(table, i, j) - mean[j];
            deviation[j] += off * off / (double)(n - 1);
        }
        fprintf(file, "%s,", rls2_table_column_name(table, j));
    }
    fprintf(file, "lpsa,train\n");
    for (int64_t i = 0; i < n; i++) {
        for (int64_t j = 0; j < INPUTS; j++)
            fprintf(file, "%.17g,", (rls2_table_value(table, i, j) - mean[j]) / sqrt(deviation[j]));
        fprintf(file, "%s,%s\n", rls2_table_cell(table, i, LPSA), rls2_table_cell(table, i, MARK));
    }
    fclose(file);
    rls2_table_free(table);
}

static void assert_prints(double value, const char *expected)
{
    char text[32];
    snprintf(text, sizeof text, "%.3f", value);
    assert_string_equal(text, expected);
}

static void path__prostate_standardized_beforehand__gives_the_papers_column(void **state)
{
    (void)state;
    static const char *const EXPECTED[][2] = {
        {"lcavol", "0.544"}, {"lweight", "0.207"}, {"age", "0.000"},     {"lbph", "0.104"},
        {"svi", "0.170"},    {"lcp", "0.000"},     {"gleason", "0.000"}, {"pgg45", "0.064"}};
    write_standardized_prostate("prostate.csv");
    json_t *root = rls2_json(
        "path $T/prostate.csv -t lpsa --test-rows train=F --no-standardize --intercept mean "
        "-k linear --lambda 0.08859 -q --json");
    json_t *point = at(root, "path.0");
    for (size_t j = 0; j < 8; j++)
        assert_prints(number_at(at(point, "coefficients"), EXPECTED[j][0]), EXPECTED[j][1]);
    assert_prints(number_at(point, "intercept"), "2.452");
    assert_prints(pow(number_at(point, "test.rmse"), 2.0), "0.454");
    assert_int_equal(json_array_size(at(point, "selected")), 5);
    json_decref(root);
}

/* ---- lambdas ---- */

static void path__list_in_any_order__is_sorted_and_equals_single_fits(void **state)
{
    (void)state;
    json_t *root = rls2_json(PROSTATE "-k linear --lambdas 0.01,1e1,.3");
    static const double EXPECTED[] = {10.0, 0.3, 0.01};
    assert_int_equal(json_array_size(at(root, "path")), 3);
    assert_sound(root, 1e-6);
    for (size_t i = 0; i < 3; i++) {
        json_t *point = json_array_get(at(root, "path"), i);
        json_t *single = rls2_json(PROSTATE "-k linear --lambda %.17g", EXPECTED[i]);
        assert_true(number_at(point, "lambda") == EXPECTED[i]);
        double objective = number_at(point, "objective");
        assert_true(fabs(number_at(single, "path.0.objective") - objective) <= 1e-6 * objective);
        json_decref(single);
    }
    json_decref(root);
}

static void path__range__is_log_spaced_with_both_ends(void **state)
{
    (void)state;
    json_t *root = rls2_json(PROSTATE "-k linear --lambdas 1e-3:10:5");
    assert_int_equal(json_array_size(at(root, "path")), 5);
    for (size_t i = 0; i < 5; i++) {
        double expected = pow(10.0, 1.0 - (double)i);
        double lambda = number_at(json_array_get(at(root, "path"), i), "lambda");
        assert_true(fabs(lambda - expected) <= 1e-12 * expected);
    }
    json_decref(root);
}

/* ---- the other solver ---- */

static void path__alternate__comes_near_newton_from_above(void **state)
{
    (void)state;
    json_t *newton = rls2_json(PROSTATE "-k linear --lambdas 0.1,1");
    json_t *alternate = rls2_json(
        PROSTATE "-k linear --lambdas 0.1,1 --solver alternate --delta 1e-6 --max-iter 100000");
    assert_string_equal(text_at(alternate, "solver"), "alternate");
    assert_sound(alternate, 1e-2);
    for (int i = 0; i < 2; i++) {
        const char *key = i == 0 ? "path.0.objective" : "path.1.objective";
        double best = number_at(newton, key), reached = number_at(alternate, key);
        assert_true(reached >= best * (1.0 - 1e-6));
        assert_true(reached <= best * (1.0 + 1e-3));
    }
    json_decref(newton);
    json_decref(alternate);
}

/* ---- test rows ---- */

static void path__test_file_and_test_rows__are_the_same(void **state)
{
    (void)state;
    static const char *const WAYS[] = {"", "--transductive"};
    printed cut = shell("sed -n '1p;/,T$/p' data/prostate.csv >$T/train.csv; "
                        "sed -n '1p;/,F$/p' data/prostate.csv >$T/test.csv");
    assert_int_equal(cut.code, 0);
    printed_free(&cut);
    for (int i = 0; i < 2; i++) {
        json_t *rows = rls2_json(PROSTATE "-k 'linear;rbf(0.1|1)' --lambdas 0.1,1 %s", WAYS[i]);
        json_t *file =
            rls2_json("path $T/train.csv --test $T/test.csv -t lpsa --drop train --standardize "
                      "-k 'linear;rbf(0.1|1)' --lambdas 0.1,1 -q --json %s",
                      WAYS[i]);
        assert_same_path(rows, file);
        json_decref(rows);
        json_decref(file);
    }
}

/* The test rows' inputs are made ten times larger. */
static void write_changed_test_rows(void)
{
    printed made =
        shell("awk -F, -v OFS=, '$10 == \"F\" { for (j = 1; j <= 8; j++) $j = 10 * $j + 3 } 1' "
              "data/prostate.csv >$T/changed.csv && ! cmp -s data/prostate.csv $T/changed.csv");
    assert_int_equal(made.code, 0);
    printed_free(&made);
}

static void path__changed_test_rows__matter_only_if_transductive(void **state)
{
    (void)state;
    static const char OPTIONS[] =
        "-t lpsa --test-rows train=F --standardize -q --json --lambdas 0.01,1 "
        "-k 'linear; rbf(0.01:10:3)@all,each; spline'";
    write_changed_test_rows();
    for (int transductive = 0; transductive < 2; transductive++) {
        const char *more = transductive ? "--transductive" : "";
        json_t *one = rls2_json("path data/prostate.csv %s %s", OPTIONS, more);
        json_t *other = rls2_json("path $T/changed.csv %s %s", OPTIONS, more);
        assert_true(number_at(one, "path.0.test.rmse") != number_at(other, "path.0.test.rmse"));
        forget_test(one);
        forget_test(other);
        if (transductive)
            assert_true(number_at(one, "path.0.objective") != number_at(other, "path.0.objective"));
        else
            assert_same_path(one, other);
        json_decref(one);
        json_decref(other);
    }
}

/* Default lambdas come from the training rows, too. */
static void path__default_lambdas__do_not_depend_on_the_test_rows(void **state)
{
    (void)state;
    write_changed_test_rows();
    json_t *one = rls2_json(PROSTATE "-k linear");
    json_t *other = rls2_json(
        "path $T/changed.csv -t lpsa --test-rows train=F --standardize -q --json -k linear");
    forget_test(one);
    forget_test(other);
    assert_same_path(one, other);
    json_decref(one);
    json_decref(other);
}

/* ---- threads, files ---- */

static void path__any_number_of_threads__gives_the_same_bits(void **state)
{
    (void)state;
    json_t *one = rls2_json(HEART "--threads 1"), *two = rls2_json(HEART "--threads 2");
    assert_same_path(one, two);
    json_decref(one);
    json_decref(two);
}

static void path__output_file__holds_what_would_be_printed(void **state)
{
    (void)state;
    json_t *shown = rls2_json(PROSTATE "-k linear --lambdas 0.1,1");
    char *out = rls2_out(PROSTATE "-k linear --lambdas 0.1,1 -o $T/path.json");
    assert_string_equal(out, "");
    json_t *kept = json_load_file(in_folder("path.json"), 0, NULL);
    assert_non_null(kept);
    assert_same_path(shown, kept);
    json_decref(shown);
    json_decref(kept);
    free(out);
}

static void path__table__has_a_line_for_each_lambda_and_marks_the_best(void **state)
{
    (void)state;
    char *out =
        rls2_out("path data/prostate.csv -t lpsa --test-rows train=F --standardize -k linear -q "
                 "--lambdas 1e-3:10:5");
    json_t *root = rls2_json(PROSTATE "-k linear --lambdas 1e-3:10:5");
    int lines = 0, marks = 0, best = 0;
    for (size_t i = 1; i < 5; i++)
        if (number_at(json_array_get(at(root, "path"), i), "test.rmse") <
            number_at(json_array_get(at(root, "path"), (size_t)best), "test.rmse"))
            best = (int)i;
    char *rest = NULL, *header = strtok_r(out, "\n", &rest);
    assert_non_null(strstr(header, "train rmse"));
    assert_non_null(strstr(header, "test rmse"));
    for (char *line = strtok_r(NULL, "\n", &rest); line && line[0] != '*';
         line = strtok_r(NULL, "\n", &rest)) {
        double lambda, df, objective, gap, train, test;
        long kernels, iterations;
        json_t *point = json_array_get(at(root, "path"), (size_t)lines);
        assert_int_equal(sscanf(line, "%lf %lf %ld %lf %lf %ld %lf %lf", &lambda, &df, &kernels,
                                &objective, &gap, &iterations, &train, &test),
                         8);
        assert_true(fabs(lambda / number_at(point, "lambda") - 1.0) < 1e-3);
        assert_true(fabs(objective / number_at(point, "objective") - 1.0) < 1e-5);
        assert_true(fabs(test / number_at(point, "test.rmse") - 1.0) < 1e-3);
        assert_int_equal(kernels, json_array_size(at(point, "selected")));
        if (strchr(line, '*')) {
            marks++;
            assert_int_equal(lines, best);
        }
        assert_true(strlen(line) <= 100);
        lines++;
    }
    assert_int_equal(lines, 5);
    assert_int_equal(marks, 1);
    json_decref(root);
    free(out);
}

static void path__without_df__has_a_dash_and_null(void **state)
{
    (void)state;
    double lambda;
    long kernels;
    char df[8];
    char *out = rls2_out("path data/prostate.csv -t lpsa -k linear -q --lambda 1 --df none");
    assert_int_equal(sscanf(strchr(out, '\n'), "%lf %7s %ld", &lambda, df, &kernels), 3);
    assert_string_equal(df, "-");
    json_t *root = rls2_json(PROSTATE "-k linear --lambdas 1e-3:10:5 --df none");
    assert_true(json_is_null(at(root, "path.4.df")));
    json_decref(root);
    free(out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(path__json_of_a_linear_regression__has_the_documented_keys),
        cmocka_unit_test(path__json_of_a_classification__has_accuracies_and_no_coefficients),
        cmocka_unit_test(path__prostate_standardized_beforehand__gives_the_papers_column),
        cmocka_unit_test(path__list_in_any_order__is_sorted_and_equals_single_fits),
        cmocka_unit_test(path__range__is_log_spaced_with_both_ends),
        cmocka_unit_test(path__alternate__comes_near_newton_from_above),
        cmocka_unit_test(path__test_file_and_test_rows__are_the_same),
        cmocka_unit_test(path__changed_test_rows__matter_only_if_transductive),
        cmocka_unit_test(path__default_lambdas__do_not_depend_on_the_test_rows),
        cmocka_unit_test(path__any_number_of_threads__gives_the_same_bits),
        cmocka_unit_test(path__output_file__holds_what_would_be_printed),
        cmocka_unit_test(path__table__has_a_line_for_each_lambda_and_marks_the_best),
        cmocka_unit_test(path__without_df__has_a_dash_and_null),
    };
    return cmocka_run_group_tests_name("cli.path", tests, folder_make, folder_remove);
}
