/* The paper's Experiment 1: the Lasso inside it, what few rows teach, and the page it leaves. */
#include "support/problem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/binary_strings.h"
#include "support/command.h"

static string_data *draw(uint64_t seed)
{
    string_data *data = malloc(sizeof *data);
    assert_non_null(data);
    string_data_draw(data, seed);
    return data;
}

static void data_draw__any_seed__sums_the_first_three_bits(void **state)
{
    (void)state;
    string_data *data = draw(7);
    int seen[STRING_BITS] = {0};
    double ones = 0.0, squares = 0.0;
    for (int j = 0; j < STRING_BITS; j++) seen[data->bit[j]]++;
    for (int j = 0; j < STRING_BITS; j++) assert_int_equal(seen[j], 1);
    for (int i = 0; i < STRING_ROWS; i++) {
        double sum = 0.0;
        for (int j = 0; j < STRING_BITS; j++) {
            double x = data->x[j * STRING_ROWS + i];
            assert_true(x == 0.0 || x == 1.0);
            ones += x;
            if (strcmp(data->names[j], "b1") == 0 || strcmp(data->names[j], "b2") == 0 ||
                strcmp(data->names[j], "b3") == 0)
                sum += x;
        }
        squares += pow(data->y[i] - sum, 2.0);
    }
    assert_true(fabs(ones / (STRING_BITS * STRING_ROWS) - 0.5) < 0.02);
    assert_true(fabs(sqrt(squares / STRING_ROWS) / STRING_NOISE - 1.0) < 0.2);
    free(data);
}

/* Columns that are orthogonal: a_j is x_j'y / |x_j|^2 with t w_j / |x_j|^2 taken off. */
static void lasso_descend__orthogonal_columns__is_soft_thresholding(void **state)
{
    (void)state;
    static const double x[] = {1, 1, 1, 1, 2, -2, 2, -2, 1, 1, -1, -1}, y[] = {3.0, -1.0, 0.5, 2.0};
    static const double w[] = {1.0, 0.5, 2.0};
    double a[3] = {9.0, 9.0, 9.0}, residual[4], t = 0.8;
    assert_true(lasso_descend(4, 3, x, 4, y, w, t, 1e-14, a, residual) <= 1e-14);
    for (int j = 0; j < 3; j++) {
        double size = 0.0, inner = 0.0;
        for (int i = 0; i < 4; i++) {
            size += x[4 * j + i] * x[4 * j + i];
            inner += x[4 * j + i] * y[i];
        }
        double expected = copysign(fmax(fabs(inner) - t * w[j], 0.0), inner) / size;
        assert_true(fabs(a[j] - expected) <= 1e-12);
    }
}

/* RLS2 without scaling is the Lasso, and with trace scaling the one weighted by the norms of the
 * columns. */
static void unit_compute__twenty_rows__agrees_with_coordinate_descent(void **state)
{
    (void)state;
    rls2_error err = {0};
    for (uint64_t seed = 1; seed <= 2; seed++) {
        string_data *data = draw(seed);
        string_unit unit = {0};
        string_check check = {0};
        assert_ok(string_unit_compute(data, 20, NULL, &unit, &err), &err);
        assert_ok(string_check_compute(data, 20, &check, &err), &err);
        assert_true(check.has_equal_columns == 0.0);
        assert_true(check.fit_difference <= 1e-7);
        assert_true(check.coefficient_difference <= 1e-6);
        /* the smallest error over two grids that have no value in common */
        assert_true(fabs(check.lasso / unit.rmse[STRING_LASSO] - 1.0) <= 0.03);
        assert_true(fabs(check.weighted / unit.rmse[STRING_RLS2] - 1.0) <= 0.03);
        assert_true(unit.worst_gap <= 1e-6);
        free(data);
    }
}

static void unit_compute__twenty_rows__finds_the_ideal_kernel(void **state)
{
    (void)state;
    rls2_error err = {0};
    string_data *data = draw(1);
    string_unit unit = {0};
    assert_ok(string_unit_compute(data, 20, NULL, &unit, &err), &err);
    for (int bit = 0; bit < STRING_TRUE; bit++) assert_true(fabs(unit.d[bit] - 1.0 / 3.0) < 0.1);
    assert_true(unit.d[0] + unit.d[1] + unit.d[2] > 0.95);
    assert_true(unit.noticeable == 0.0);
    assert_true(unit.rmse[STRING_RLS2] < 3.0 * STRING_NOISE);
    assert_true(unit.rmse[STRING_IDEAL] < 1.5 * STRING_NOISE);
    assert_true(unit.rmse[STRING_RIDGE] > 0.5);
    free(data);
}

/* Three unknowns and enough rows: the ideal kernel's best is least squares, or a little better. */
static void unit_compute__ideal_kernel__is_least_squares_on_three_bits(void **state)
{
    (void)state;
    enum { SIZE = 40 };
    rls2_error err = {0};
    string_data *data = draw(3);
    string_unit unit = {0};
    long double A[9] = {0}, b[3] = {0}, squares = 0.0L;
    const double *x[3] = {NULL, NULL, NULL};
    for (int j = 0; j < STRING_BITS; j++)
        if (data->bit[j] < 3) x[data->bit[j]] = data->x + j * STRING_ROWS;
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j < 3; j++) {
            b[j] += (long double)x[j][i] * data->y[i];
            for (int k = 0; k < 3; k++) A[3 * k + j] += (long double)x[j][i] * x[k][i];
        }
    plain_solve(3, A, b);
    for (int i = STRING_TRAIN; i < STRING_ROWS; i++) {
        long double apart = (long double)data->y[i];
        for (int j = 0; j < 3; j++) apart -= b[j] * x[j][i];
        squares += apart * apart;
    }
    assert_ok(string_unit_compute(data, SIZE, NULL, &unit, &err), &err);
    double expected = (double)sqrtl(squares / STRING_TEST);
    assert_true(unit.rmse[STRING_IDEAL] <= expected * (1.0 + 1e-6));
    assert_true(unit.rmse[STRING_IDEAL] >= 0.98 * expected);
    free(data);
}

static void unit_compute__a_single_row__has_an_answer(void **state)
{
    (void)state;
    rls2_error err = {0};
    for (uint64_t seed = 1; seed <= 12; seed++) { /* among them strings that begin with 000 */
        string_data *data = draw(seed);
        string_unit unit = {0};
        assert_ok(string_unit_compute(data, 1, NULL, &unit, &err), &err);
        for (int which = 0; which < STRING_METHODS; which++)
            assert_true(unit.rmse[which] > 0.0 && unit.rmse[which] < 2.5);
        free(data);
    }
}

/* The words follow the numbers: two seeds in which all but these are alike. */
static void show__numbers_made_up__says_what_they_are(void **state)
{
    (void)state;
    enum { SEEDS = 2 };
    string_unit *fits = calloc(SEEDS * STRING_TRAIN, sizeof *fits);
    string_check *checks = calloc(SEEDS * STRING_CHECK_SIZES, sizeof *checks);
    assert_true(fits && checks);
    for (int i = 0; i < SEEDS * STRING_TRAIN; i++)
        for (int which = 0; which < STRING_METHODS; which++)
            fits[i].rmse[which] = fits[i].coarse[which] = fits[i].wrong[which] =
                fits[i].ones[which] = 1.0;
    for (int i = 0; i < SEEDS * STRING_CHECK_SIZES; i++) checks[i].weighted = checks[i].lasso = 1.0;
    checks[1].weighted = 1.5;                   /* 8 rows, one of two seeds: 25 % */
    checks[STRING_CHECK_SIZES + 3].lasso = 0.8; /* 12 rows: 10 % */
    fits[STRING_TRAIN + 17 - 1].twins = 1.0;    /* 17 rows */
    fits[5 - 1].ones[STRING_RLS2] = 0.5;        /* one of the sizes shown */
    fits[12 - 1].coarse[STRING_LASSO] = 2.0;    /* two of them */
    fits[30 - 1].coarse[STRING_LASSO] = 2.0;
    const string_results results = {
        .seeds = SEEDS, .checked = SEEDS, .units = fits, .checks = checks};
    sheet *s = sheet_create("made-up", "t");
    rls2_error err = {0};
    string_show(&results, s);
    assert_ok(sheet_write(s, folder(), &err), &err);
    sheet_free(s);
    char *text = read_text(in_folder("made-up/tables.json"), NULL);
    static const char *const parts[] = {"from RLS2's by at most 25.0 % (with 8 rows)",
                                        "from the Lasso's by at most 10.0 % (with 12 rows)",
                                        "lower with RLS2 at 1 of the 8 sizes",
                                        "loses more than RLS2 at 2 of the 8 sizes",
                                        "with up to 17 rows some seed",
                                        "\"last_twins\": 17"};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (!strstr(text, parts[i])) fail_msg("'%s' is not in: %s", parts[i], text);
    free(text);
    free(fits);
    free(checks);
}

/* One seed: written, and again from the journal. */
static void binary_strings__one_seed__is_written_and_comes_again_from_the_journal(void **state)
{
    (void)state;
    if (UNDER_SANITIZERS) {
        print_message("the whole experiment takes too long under the sanitizers\n");
        skip();
    }
    reproduction r = {.output = folder(), .splits = 1, .threads = 2, .seed = 1};
    char *text[2];
    for (int i = 0; i < 2; i++) {
        rls2_error err = {0};
        sheet *s = NULL;
        assert_ok(experiment_binary_strings(&r, &s, &err), &err);
        assert_ok(sheet_write(s, folder(), &err), &err);
        sheet_free(s);
        text[i] = read_text(in_folder("binary-strings/tables.json"), NULL);
        assert_non_null(text[i]);
        r.threads = 1;
    }
    assert_string_equal(text[0], text[1]);
    assert_non_null(strstr(text[0], "from the 10th to the 90th percentile of the 1 seed."));
    static const char *const figures[] = {"binary-strings/fig-curves.svg",
                                          "binary-strings/fig-curves-small.svg",
                                          "binary-strings/fig-weights.svg"};
    for (int i = 0; i < 3; i++) {
        char *figure = read_text(in_folder(figures[i]), NULL);
        assert_non_null(figure);
        free(figure);
    }
    free(text[0]);
    free(text[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(data_draw__any_seed__sums_the_first_three_bits),
        cmocka_unit_test(lasso_descend__orthogonal_columns__is_soft_thresholding),
        cmocka_unit_test(unit_compute__twenty_rows__agrees_with_coordinate_descent),
        cmocka_unit_test(unit_compute__twenty_rows__finds_the_ideal_kernel),
        cmocka_unit_test(unit_compute__ideal_kernel__is_least_squares_on_three_bits),
        cmocka_unit_test(unit_compute__a_single_row__has_an_answer),
        cmocka_unit_test(show__numbers_made_up__says_what_they_are),
        cmocka_unit_test(binary_strings__one_seed__is_written_and_comes_again_from_the_journal),
    };
    return cmocka_run_group_tests_name("oracle.binary_strings", tests, folder_make, folder_remove);
}
