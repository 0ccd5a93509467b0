/* Tumours told apart by genes, against what is known of the data: $RLS2_ORIGINALS, or
 * ../shared/data, has them. */
#include "experiments/cancer_protocol.h"
#include "support/problem.h"
#include "support/cv_run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static int run_protocol(const char *file, cancer_result *result)
{
    const char *folder = getenv("RLS2_ORIGINALS");
    char path[4096];
    rls2_error err;
    cancer_set set;
    snprintf(path, sizeof path, "%s/%s", folder && *folder ? folder : "../shared/data", file);
    FILE *there = fopen(path, "rb");
    if (!there) {
        print_message("%s is not there\n", path);
        return 0;
    }
    fclose(there);
    assert_ok(cancer_set_read(path, &set, &err), &err);
    assert_ok(cancer_protocol(&set, 1, 0, NULL, NULL, result, &err), &err);
    cancer_set_free(&set);
    return 1;
}

static void assert_certified(const cancer_result *result)
{
    assert_true(result->certificate <= 1e-6);
    assert_true(result->unconverged == 0.0);
    for (int i = 0; i < CANCER_LAMBDAS; i++) assert_true(result->points[i].gap <= 1e-6);
}

/* The interesting part of the path lies inside: no gene to speak of at its top, no training error
 * at its end. */
static void assert_covered(const cancer_result *result)
{
    assert_true(result->points[0].genes <= 2.0 * result->classes);
    assert_true(result->points[0].training > 0.0);
    assert_true(result->points[CANCER_LAMBDAS - 1].training == 0.0);
    assert_true(result->choice > 0 && result->choice < CANCER_LAMBDAS - 1);
}

static void cancer_protocol__khan__makes_no_error_on_twenty_patients(void **state)
{
    (void)state;
    cancer_result result;
    if (!run_protocol("khan.csv.gz", &result)) skip();
    const cancer_point *at = &result.points[(int)result.choice];
    int64_t best;
    assert_true(result.rows == 63 && result.test_rows == 20 && result.genes == 2308 &&
                result.classes == 4);
    assert_true(at->test == 0.0 && at->validation == 0.0);
    assert_true(at->genes >= 10 && at->genes <= 220);
    assert_true(cancer_mean_errors(&result, &best) == 0.0 && best > 1);
    assert_certified(&result);
    assert_covered(&result);
}

static void cancer_protocol__golub__makes_two_errors_at_most_on_34_patients(void **state)
{
    (void)state;
    cancer_result result;
    if (!run_protocol("golub.csv.gz", &result)) skip();
    const cancer_point *at = &result.points[(int)result.choice];
    assert_true(result.rows == 38 && result.test_rows == 34 && result.genes == 7129 &&
                result.classes == 2);
    assert_true(at->test <= 2.0);
    assert_true(at->genes >= 5 && at->genes <= 38);
    assert_certified(&result);
    assert_covered(&result);
}

/* ---- made data: which genes matter is known ---- */

static const int patients[] = {16, 16, 16, 16, 16}, others[] = {10, 10, 10, 10, 10};
static cancer_plan plan(double effect)
{
    return (cancer_plan){.genes = 300,
                         .classes = 5,
                         .train = patients,
                         .test = others,
                         .markers = 6,
                         .effect = effect,
                         .block = 5,
                         .correlation = 0.5};
}

static void cancer_protocol__made_data__errs_little_with_markers_and_much_without(void **state)
{
    (void)state;
    rls2_error err;
    cancer_set set;
    cancer_result result;
    cancer_plan strong = plan(2.0), none = plan(0.0);
    assert_ok(cancer_set_generate(&strong, 1, &set, &err), &err);
    assert_ok(cancer_protocol(&set, 1, 0, NULL, NULL, &result, &err), &err);
    assert_true(result.points[(int)result.choice].test <= 5.0);
    assert_certified(&result);
    cancer_set_free(&set);
    assert_ok(cancer_set_generate(&none, 1, &set, &err), &err);
    assert_ok(cancer_protocol(&set, 1, 0, NULL, NULL, &result, &err), &err);
    /* chance: 40 of 50 */
    assert_true(result.points[(int)result.choice].test >= 30.0);
    cancer_set_free(&set);
}

/* The choice is that of the library's own rule, and the counts are those of its curve. */
static void cancer_protocol__validation_errors__are_those_of_a_run_by_hand(void **state)
{
    (void)state;
    rls2_error err;
    cancer_set set;
    cancer_result result;
    cancer_plan moderate = plan(1.2);
    enum { ROWS = 80 };
    double lambdas[CANCER_LAMBDAS];
    rls2_cv *cv = NULL;
    rls2_splits *folds = NULL;
    assert_ok(cancer_set_generate(&moderate, 3, &set, &err), &err);
    set.fold = malloc(ROWS * sizeof *set.fold);
    assert_non_null(set.fold);
    for (int i = 0; i < ROWS; i++) set.fold[i] = i % CANCER_FOLDS;
    assert_ok(cancer_protocol(&set, 1, 0, NULL, NULL, &result, &err), &err);
    for (int i = 0; i < CANCER_LAMBDAS; i++) lambdas[i] = result.points[i].lambda;
    rls2__recipe recipe = rls2__recipe_default();
    recipe.data.target = "x301";
    recipe.data.classify = 1;
    recipe.preprocessing.examples = RLS2_NORMALIZE_STANDARDIZE;
    recipe.kernels = "linear@each";
    recipe.basis.scaling = RLS2_SCALING_FISHER_SQRT;
    recipe.path.intercept = RLS2_INTERCEPT_NONE;
    recipe.lambda_count = CANCER_LAMBDAS;
    recipe.lambdas = lambdas;
    rls2__cv_options options = (rls2__cv_options){.measure = RLS2_MEASURE_AUTO};
    options.measure = RLS2_MEASURE_ERRORS;
    assert_ok(rls2_splits_given(ROWS, set.fold, &folds, &err), &err);
    assert_ok(cv_run(set.train, &recipe, folds, &options, &cv, &err), &err);
    for (int i = 0; i < CANCER_LAMBDAS; i++)
        assert_true(fabs(rls2_cv_at(cv, i)->cvm * CANCER_FOLDS - result.points[i].validation) <
                    1e-9);
    assert_int_equal((int64_t)result.choice, rls2_cv_min(cv));
    rls2_cv_free(cv);
    rls2_splits_free(folds);
    cancer_set_free(&set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cancer_protocol__khan__makes_no_error_on_twenty_patients),
        cmocka_unit_test(cancer_protocol__golub__makes_two_errors_at_most_on_34_patients),
        cmocka_unit_test(cancer_protocol__made_data__errs_little_with_markers_and_much_without),
        cmocka_unit_test(cancer_protocol__validation_errors__are_those_of_a_run_by_hand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
