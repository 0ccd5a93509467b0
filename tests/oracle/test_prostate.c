/* The paper's Prostate column (Table TAB10), to every printed digit. */
#include "experiments/prostate_rivals.h"
#include "support/problem.h"
#include "support/one_output.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double LAMBDA = 0.08859;
enum { INPUTS = 8, TRAINING = 67, TEST = 30 };

static const char *const names[INPUTS] = {"lcavol", "lweight", "age",     "lbph",
                                          "svi",    "lcp",     "gleason", "pgg45"};
static const char *const printed[INPUTS] = {"0.544", "0.207", "0.000", "0.104",
                                            "0.170", "0.000", "0.000", "0.064"};

typedef struct prostate {
    double x[TRAINING * INPUTS], y[TRAINING];
    double x_test[TEST * INPUTS], y_test[TEST];
    rls2_dictionary *dictionary;
    rls2_basis *basis;
    rls2_path *path;
    rls2_model *model;
} prostate;

/* Inputs standardised here and not by the library, over all rows, divisor n - 1. */
static void standardise(int64_t n, double *x)
{
    double mean = 0.0, squares = 0.0;
    for (int64_t i = 0; i < n; i++) mean += x[i] / (double)n;
    for (int64_t i = 0; i < n; i++) squares += (x[i] - mean) * (x[i] - mean);
    for (int64_t i = 0; i < n; i++) x[i] = (x[i] - mean) / sqrt(squares / (double)(n - 1));
}

static void read_data(prostate *s)
{
    enum { ROWS = TRAINING + TEST };
    rls2_error err;
    rls2_table *table = NULL;
    assert_ok(rls2_table_read_csv("data/prostate.csv", &table, &err), &err);
    assert_int_equal(rls2_table_rows(table), ROWS);
    for (int64_t j = 0; j < INPUTS + 1; j++) {
        int64_t column = rls2_table_find(table, j < INPUTS ? names[j] : "lpsa"),
                flag = rls2_table_find(table, "train");
        int64_t trained = 0, tested = 0;
        double values[ROWS];
        for (int64_t i = 0; i < ROWS; i++)
            values[i] = strtod(rls2_table_cell(table, i, column), NULL);
        if (j < INPUTS) standardise(ROWS, values);
        for (int64_t i = 0; i < ROWS; i++) {
            int train = strcmp(rls2_table_cell(table, i, flag), "T") == 0;
            assert_true(train ? trained < TRAINING : tested < TEST);
            if (j == INPUTS)
                *(train ? &s->y[trained++] : &s->y_test[tested++]) = values[i];
            else if (train)
                s->x[j * TRAINING + trained++] = values[i];
            else
                s->x_test[j * TEST + tested++] = values[i];
        }
    }
    rls2_table_free(table);
}

static int setup(void **state)
{
    rls2_error err;
    prostate *s = calloc(1, sizeof *s);
    assert_non_null(s);
    read_data(s);
    rls2_columns columns = {.count = INPUTS, .names = names};
    rls2_rows rows = {.n = TRAINING, .p = INPUTS, .x = s->x};
    assert_ok(rls2_dictionary_create("linear", &columns, &s->dictionary, &err), &err);
    assert_ok(rls2_basis_create(s->dictionary, &rows, NULL, NULL, &s->basis, &err), &err);
    assert_ok(fit_one(s->basis, s->y, 1, &LAMBDA, NULL, &s->path, &err), &err);
    assert_ok(model_of_one(s->path, 0, &s->model, &err), &err);
    *state = s;
    return 0;
}

static int teardown(void **state)
{
    prostate *s = *state;
    rls2_model_free(s->model);
    rls2_path_free(s->path);
    rls2_basis_free(s->basis);
    rls2_dictionary_free(s->dictionary);
    free(s);
    return 0;
}

static void assert_printed(double value, const char *expected)
{
    char text[64];
    snprintf(text, sizeof text, "%.3f", value);
    assert_string_equal(text, expected);
}

static void model_coefficients__prostate__are_those_of_the_paper(void **state)
{
    prostate *s = *state;
    rls2_error err;
    double a[INPUTS];
    assert_ok(rls2_model_coefficients(s->model, a, &err), &err);
    for (int j = 0; j < INPUTS; j++) {
        assert_printed(a[j], printed[j]);
        if (strcmp(printed[j], "0.000") == 0) assert_true(a[j] == 0.0);
    }
}

static void path_weights__prostate__selects_five_of_eight(void **state)
{
    prostate *s = *state;
    static const int64_t expected[] = {0, 1, 3, 4, 7};
    const int64_t *kernels;
    assert_int_equal(rls2_path_kernel_weights(s->path, 0, &kernels, NULL), 5);
    assert_memory_equal(kernels, expected, sizeof expected);
}

static void model_intercept__prostate__is_the_mean_of_the_training_outputs(void **state)
{
    prostate *s = *state;
    double mean = 0.0;
    for (int i = 0; i < TRAINING; i++) mean += s->y[i] / TRAINING;
    assert_true(fabs(rls2_model_intercept(s->model) - mean) < 1e-14);
    assert_printed(rls2_model_intercept(s->model), "2.452");
}

static void model_predict__prostate_test_rows__has_the_error_of_the_paper(void **state)
{
    prostate *s = *state;
    rls2_error err;
    rls2_rows rows = {.n = TEST, .p = INPUTS, .x = s->x_test};
    double f[TEST], mean = 0.0, squares = 0.0;
    assert_ok(rls2_model_predict(s->model, &rows, NULL, f, &err), &err);
    for (int i = 0; i < TEST; i++) {
        f[i] = (f[i] - s->y_test[i]) * (f[i] - s->y_test[i]);
        mean += f[i] / TEST;
    }
    for (int i = 0; i < TEST; i++) squares += (f[i] - mean) * (f[i] - mean);
    assert_printed(mean, "0.454");
    assert_printed(sqrt(squares / (TEST - 1)) / sqrt(TEST), "0.152");
}

static void path_certify__prostate__proves_the_answer_to_1e_6(void **state)
{
    prostate *s = *state;
    rls2_error err;
    rls2_certificate certificate;
    assert_ok(rls2_path_certify(s->path, 0, &certificate, sizeof certificate, &err), &err);
    assert_int_equal(rls2_path_at(s->path, 0)->outcome, RLS2_OUTCOME_CONVERGED);
    assert_true(certificate.relative_gap >= -1e-14);
    assert_true(certificate.relative_gap <= 1e-6);
    assert_true(certificate.dual <= certificate.primal);
}

/* The textbook's columns, which the paper prints beside its own: what is printed is the oracle. */
static void prostate_rival__every_other_method__prints_as_the_paper_does(void **state)
{
    (void)state;
    rls2_error err;
    prostate_data data;
    assert_ok(prostate_load("data", &data, &err), &err);
    for (int method = 1; method < PROSTATE_METHODS; method++) {
        prostate_column column;
        char text[16];
        prostate_rival(&data, (prostate_method)method, &column);
        for (int line = 0; line < PROSTATE_LINES; line++) {
            prostate_print(&column, line, text);
            assert_string_equal(text, prostate_printed[line][method]);
        }
        assert_int_equal(prostate_agreeing(&column, (prostate_method)method), PROSTATE_LINES);
        /* and the counting can tell them apart */
        column.test_error += 0.002;
        assert_int_equal(prostate_agreeing(&column, (prostate_method)method), PROSTATE_LINES - 1);
    }
    prostate_free(&data);
}

static void prostate_fit__the_table__agrees_in_all_eleven_lines(void **state)
{
    (void)state;
    rls2_error err;
    prostate_data data;
    prostate_column column;
    rls2_certificate certificate;
    assert_ok(prostate_load("data", &data, &err), &err);
    assert_ok(prostate_fit(&data, &column, &certificate, &err), &err);
    assert_int_equal(prostate_agreeing(&column, PROSTATE_RLS2), PROSTATE_LINES);
    assert_true(certificate.relative_gap <= 1e-9);
    prostate_free(&data);
}

static void prostate_printed_column__rls2__is_the_table_as_numbers(void **state)
{
    (void)state;
    prostate_column column = prostate_printed_column(PROSTATE_RLS2);
    assert_true(column.intercept == 2.452 && column.test_error == 0.454 &&
                column.std_error == 0.152);
    for (int j = 0; j < INPUTS; j++)
        assert_true(column.coefficients[j] == strtod(printed[j], NULL));
}

/* All lines of the table at that lambda, from rows standardised here. */
static int agreeing_at(const prostate *s, const prostate_data *data, double lambda)
{
    rls2_error err;
    rls2_path *path = NULL;
    rls2_model *model = NULL;
    prostate_column column;
    assert_ok(fit_one(s->basis, s->y, 1, &lambda, NULL, &path, &err), &err);
    assert_ok(model_of_one(path, 0, &model, &err), &err);
    assert_ok(rls2_model_coefficients(model, column.coefficients, &err), &err);
    column.intercept = rls2_model_intercept(model);
    prostate_test_errors(data, &column);
    rls2_model_free(model);
    rls2_path_free(path);
    return prostate_agreeing(&column, PROSTATE_RLS2) == PROSTATE_LINES;
}

/* The text beside the table says which lambdas give its digits. */
static void prostate_lambda__the_digits__hold_between_0_0878_and_0_0886(void **state)
{
    prostate *s = *state;
    rls2_error err;
    prostate_data data;
    assert_ok(prostate_load("data", &data, &err), &err);
    assert_false(agreeing_at(s, &data, 0.0877));
    assert_true(agreeing_at(s, &data, 0.0878));
    assert_true(agreeing_at(s, &data, 0.08859));
    assert_true(agreeing_at(s, &data, 0.0886));
    assert_false(agreeing_at(s, &data, 0.0887));
    prostate_free(&data);
}

/* ... and which grids on [1e-4, 1e4] have a value among them: the formula, not the library's grid.
 * Between 0.0877 and 0.0878, and between 0.0886 and 0.0887, no grid has one, so that the border
 * need not be known better. */
static void prostate_lambda__grids_up_to_38_values__is_on_that_of_20_alone(void **state)
{
    (void)state;
    for (int count = 2; count <= 38; count++)
        for (int i = 0; i < count; i++) {
            double lambda = pow(10.0, 4.0 - 8.0 * i / (count - 1));
            if (lambda < 0.0877 || lambda > 0.0887) continue;
            assert_int_equal(count, 20);
            assert_int_equal(i, 12);
            assert_true(fabs(lambda - prostate_lambda) < 1e-15);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(model_coefficients__prostate__are_those_of_the_paper),
        cmocka_unit_test(path_weights__prostate__selects_five_of_eight),
        cmocka_unit_test(model_intercept__prostate__is_the_mean_of_the_training_outputs),
        cmocka_unit_test(model_predict__prostate_test_rows__has_the_error_of_the_paper),
        cmocka_unit_test(path_certify__prostate__proves_the_answer_to_1e_6),
        cmocka_unit_test(prostate_rival__every_other_method__prints_as_the_paper_does),
        cmocka_unit_test(prostate_fit__the_table__agrees_in_all_eleven_lines),
        cmocka_unit_test(prostate_printed_column__rls2__is_the_table_as_numbers),
        cmocka_unit_test(prostate_lambda__the_digits__hold_between_0_0878_and_0_0886),
        cmocka_unit_test(prostate_lambda__grids_up_to_38_values__is_on_that_of_20_alone),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
