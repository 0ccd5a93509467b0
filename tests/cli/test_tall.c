/* Tall fits as users meet them: beside exact ones on tables where nothing is approximated, and what
 * is said where something is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/command.h"

static const char KERNELS[] = "'poly(1..3)@each; rbf(1e-2:1e2:5)@each'";

/* Numbers between 0 and 1 that are the same everywhere. */
static double next_number(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 33) / 2147483648.0;
}

/* A line each of a table: two numbers of few values, a text, and what they say. `w` rows count so
 * often; `levels`: 0, a continuous column. */
static void write_table(const char *name, int rows, int levels, int reversed)
{
    FILE *file = fopen(in_folder(name), "w");
    assert_non_null(file);
    fputs("a,b,kind,y,class,w\n", file);
    for (int i = 0; i < rows; i++) {
        uint64_t state = (uint64_t)(reversed ? rows - 1 - i : i) * 2654435761u + 12345u;
        for (int t = 0; t < 4; t++) next_number(&state);
        double u = next_number(&state), v = next_number(&state), z = next_number(&state);
        double a = levels > 0 ? floor(u * levels) / levels : u, b = floor(v * 7);
        int kind = (int)(z * 3);
        double y = sin(6 * a) + 0.2 * b + 0.5 * kind + next_number(&state) - 0.5;
        fprintf(file, "%.6g,%.6g,%s,%.9g,%s,%d\n", a, b,
                kind == 0   ? "red"
                : kind == 1 ? "green"
                            : "blue",
                y, y > 1.2 ? "high" : "low", 1 + i % 3);
    }
    fclose(file);
}

static int setup(void **state)
{
    folder_make(state);
    write_table("few.csv", 600, 20, 0);
    write_table("back.csv", 600, 20, 1);
    write_table("many.csv", 1500, 0, 0);
    return 0;
}

static void train__few_values__is_what_the_rows_give(void **state)
{
    (void)state;
    json_t *one[2];
    for (int tall = 0; tall < 2; tall++)
        one[tall] = rls2_json("train $T/few.csv -t y --drop class --drop w -k %s --lambda 0.01 "
                              "--%s -o $T/few.%s --json -q",
                              KERNELS, tall ? "tall" : "exact", tall ? "tall" : "exact");
    double exact = number_at(one[0], "path.0.objective"),
           counted = number_at(one[1], "path.0.objective");
    assert_true(fabs(exact - counted) <= 2e-6 * exact); /* both within their gaps */
    assert_true(number_at(one[1], "represented.bound") == 0.0);
    assert_string_equal(text_at(one[1], "method"), "tall");
    json_decref(one[0]);
    json_decref(one[1]);
    char *text = rls2_out("show $T/few.tall");
    assert_non_null(strstr(text, "trained on    600 rows"));
    assert_non_null(
        strstr(text, "represented   exactly: by 30 knots of 3 inputs, all the values there are\n"));
    assert_null(strstr(text, "binned"));
    free(text);
    text = rls2_out("verify $T/few.tall $T/few.csv");
    assert_non_null(strstr(text, "the certificate holds for the rows themselves"));
    free(text);
}

static void verify__rows_that_are_binned__claims_no_more_than_is_known(void **state)
{
    (void)state;
    char *text = rls2_out("train $T/many.csv -t y --drop class --drop w -k %s --lambda 0.01 --tall "
                          "-o $T/many.tall -q",
                          KERNELS);
    assert_non_null(strstr(text, "certified for the binned rows"));
    assert_non_null(strstr(text, "knots of 3 inputs (all values of 2 of them); that changes the"));
    free(text);
    json_t *found = rls2_json("verify $T/many.tall $T/many.csv --json");
    double objective = number_at(found, "outputs.0.objective"),
           bound = number_at(found, "outputs.0.lower_bound");
    json_t *exact = rls2_json("train $T/many.csv -t y --drop class --drop w -k %s --lambda 0.01 "
                              "--exact --json -q",
                              KERNELS);
    double least = number_at(exact, "path.0.objective");
    assert_true(bound <= least && least <= objective * (1.0 + 1e-4)); /* but for scalings */
    json_decref(found);
    json_decref(exact);
    printed it = rls2_run("verify $T/many.tall $T/few.csv");
    assert_int_equal(it.code, 1);
    assert_non_null(strstr(it.err, "these are not its training data"));
    printed_free(&it);
    it = rls2_run("verify $T/few.tall $T/back.csv");
    assert_int_equal(it.code, 1);
    assert_non_null(strstr(it.out, "not the rows the model was learned from"));
    printed_free(&it);
}

/* Two files are the same, byte by byte. */
static void assert_same(const char *a, const char *b)
{
    printed it = shell("cmp $T/%s $T/%s", a, b);
    assert_int_equal(it.code, 0);
    printed_free(&it);
}

static void train__threads_and_order_of_rows__change_no_bit(void **state)
{
    (void)state;
    static const char *const FILES[] = {"few.csv", "few.csv", "back.csv"};
    for (int i = 0; i < 3; i++) {
        free(rls2_out(
            "train $T/%s -t y --drop class --drop w --drop kind -k %s --lambda 0.01 --tall "
            "--no-standardize --threads %d -o $T/same%d.tall -q",
            FILES[i], KERNELS, i == 1 ? 2 : 1, i));
        free(rls2_out("predict $T/same%d.tall $T/many.csv -o $T/same%d.csv -q", i, i));
    }
    assert_same("same0.tall", "same1.tall");
    /* the fingerprint in the model tells the order, and means are summed in it */
    assert_same("same0.csv", "same2.csv");
}

static void train__weights_of_rows__are_rows_that_are_repeated(void **state)
{
    (void)state;
    printed it = shell("awk -F, 'NR == 1 { print } NR > 1 { for (i = 0; i < $6; i++) print }' "
                       "$T/few.csv > $T/repeated.csv");
    assert_int_equal(it.code, 0);
    printed_free(&it);
    json_t *a = rls2_json("train $T/few.csv -t y --drop class --weights w -k %s --lambda 0.01 "
                          "--no-standardize --tall --json -q",
                          KERNELS),
           *b = rls2_json("train $T/repeated.csv -t y --drop class --drop w -k %s --lambda 0.01 "
                          "--no-standardize --tall --json -q",
                          KERNELS);
    double u = number_at(a, "path.0.objective"), v = number_at(b, "path.0.objective");
    assert_true(fabs(u - v) <= 2e-6 * v);
    json_decref(a);
    json_decref(b);
}

static void tall__what_it_does_not_have__is_said_in_a_sentence(void **state)
{
    (void)state;
    static const char *const LINES[][2] = {
        {"--splits 5", "splits that share rows"},
        {"--baselines", "baselines"},
        {"--scaling fisher", "scalings by classes"},
        {"--select loo", "leaving single rows out"},
    };
    for (size_t i = 0; i < sizeof LINES / sizeof LINES[0]; i++) {
        printed it = rls2_run("train $T/few.csv -t class --drop y --tall %s", LINES[i][0]);
        assert_int_equal(it.code, 2);
        assert_non_null(strstr(it.err, LINES[i][1]));
        printed_free(&it);
    }
    printed it = rls2_run("predict $T/few.tall $T/few.csv --std");
    assert_int_equal(it.code, 2);
    assert_non_null(strstr(it.err, "which variances need"));
    printed_free(&it);
}

static void train__classes_on_counts__says_that_rows_are_counted(void **state)
{
    (void)state;
    printed it = rls2_run("train $T/few.csv -t class --drop y --drop w --tall --lambda 0.1 "
                          "--class-weights balanced -o $T/class.tall");
    assert_int_equal(it.code, 0);
    assert_non_null(strstr(it.err, "600 rows, which are binned first"));
    assert_non_null(strstr(it.err, "--exact computes with the rows"));
    printed_free(&it);
    free(rls2_out("show $T/class.tall"));
    free(rls2_out("predict $T/class.tall $T/many.csv --contributions --threshold 0.1 -q"));
}

/* The weights of classes that verify finds are those that balance them. */
static void verify__weights_of_classes__are_found_and_hold(void **state)
{
    (void)state;
    static const char *const OPTIONS[] = {"--drop w --class-weights balanced --intercept none",
                                          "--drop w --class-weights balanced --intercept mean",
                                          "--weights w --class-weights high=3,low=0.5"};
    for (int i = 0; i < 3; i++) {
        free(rls2_out("train $T/few.csv -t class --drop y -k %s --tall --lambda 0.1 %s "
                      "-o $T/class.tall -q",
                      KERNELS, OPTIONS[i]));
        json_t *told = rls2_json("verify $T/class.tall $T/few.csv --json");
        assert_true(json_is_true(json_object_get(told, "holds")));
        double high = number_at(told, "class_weights.0"), low = number_at(told, "class_weights.1");
        printed it = shell("awk -F, 'NR > 1 && $5 == \"high\"' $T/few.csv | wc -l");
        double count = strtod(it.out, NULL), ratio = (600 - count) / count;
        assert_true(fabs(high / low - (i < 2 ? ratio : 6.0)) < 1e-4 * high / low ||
                    fabs(low / high - (i < 2 ? ratio : 6.0)) < 1e-4 * low / high);
        printed_free(&it);
        json_decref(told);
    }
}

/* A variance of zero is no reason to doubt the weights of the rows. */
static void verify__responses_that_are_equal__are_those_of_the_file(void **state)
{
    (void)state;
    FILE *file = fopen(in_folder("equal.csv"), "w");
    assert_non_null(file);
    fputs("a,y\n", file);
    for (int i = 0; i < 900; i++) fprintf(file, "%d,0.1\n", i % 9);
    fclose(file);
    free(rls2_out("train $T/equal.csv -t y --task regression --lambda 0.01 --tall "
                  "-o $T/equal.model -q"));
    json_t *told = rls2_json("verify $T/equal.model $T/equal.csv --json");
    assert_true(json_is_true(json_object_get(told, "same_weights")));
    json_decref(told);
}

/* Weights are counted in units of 2^-20 of the largest: where some are no such numbers the counted
 * problem is not quite that of the rows. */
static void train__weights_that_are_rounded__claims_no_exactness(void **state)
{
    (void)state;
    FILE *file = fopen(in_folder("heavy.csv"), "w");
    assert_non_null(file);
    fputs("a,y,w\n", file);
    for (int i = 0; i < 900; i++)
        fprintf(file, "%d,%.3f,%.9g\n", i % 9, sin(i % 9) + i % 7, pow(10.0, (i % 40) / 4.0 - 7));
    fclose(file);
    json_t *made = rls2_json("train $T/heavy.csv -t y --row-weights w -k %s --lambda 0.01 --tall "
                             "-o $T/heavy.model --json -q",
                             KERNELS);
    assert_true(json_is_null(json_object_get(json_object_get(made, "represented"), "bound")));
    json_t *told = rls2_json("verify $T/heavy.model $T/heavy.csv --json");
    assert_true(json_is_true(json_object_get(told, "same_weights")));
    json_decref(made);
    json_decref(told);
}

/* y = scale x + offset, of few values of x. */
static void verify_line(double offset, double scale, double noise)
{
    FILE *file = fopen(in_folder("line.csv"), "w");
    assert_non_null(file);
    fputs("x,y\n", file);
    for (int i = 0; i < 1200; i++)
        fprintf(file, "%d,%.17g\n", i * 7 % 100, offset + scale * (i * 7 % 100 + noise * (i % 3)));
    fclose(file);
    free(rls2_out("train $T/line.csv -t y --task regression -k linear --lambda 1e-5 --tall "
                  "-o $T/line.model -q"));
    json_t *told = rls2_json("verify $T/line.model $T/line.csv --json");
    assert_true(json_is_true(json_object_get(told, "holds")));
    assert_true(number_at(told, "outputs.0.gap") <= 1e-6);
    assert_true(number_at(told, "difference") <= 1e-7);
    assert_string_equal(text_at(told, "outputs.0.limited_by"), "linear@x");
    json_decref(told);
}

/* The intercept is rounded by more than the residuals are; squares of responses underflow. */
static void verify__responses_far_from_one__has_no_rounding_in_its_sums(void **state)
{
    (void)state;
    verify_line(1e9, 1e-6, 0.0);
    verify_line(0.0, 1e-200, 0.2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(train__few_values__is_what_the_rows_give),
        cmocka_unit_test(verify__rows_that_are_binned__claims_no_more_than_is_known),
        cmocka_unit_test(train__threads_and_order_of_rows__change_no_bit),
        cmocka_unit_test(train__weights_of_rows__are_rows_that_are_repeated),
        cmocka_unit_test(tall__what_it_does_not_have__is_said_in_a_sentence),
        cmocka_unit_test(train__classes_on_counts__says_that_rows_are_counted),
        cmocka_unit_test(verify__weights_of_classes__are_found_and_hold),
        cmocka_unit_test(verify__responses_that_are_equal__are_those_of_the_file),
        cmocka_unit_test(train__weights_that_are_rounded__claims_no_exactness),
        cmocka_unit_test(verify__responses_far_from_one__has_no_rounding_in_its_sums),
    };
    return cmocka_run_group_tests(tests, setup, folder_remove);
}
