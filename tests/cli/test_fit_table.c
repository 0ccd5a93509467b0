/* rls2_fit_table against the command: the same file and choices give the same model, byte by byte.
 */
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

static rls2_table *read_table(const char *path)
{
    rls2_error err;
    rls2_table *table = NULL;
    if (rls2_table_read(path, NULL, &table, &err) != RLS2_OK) fail_msg("%s", err.message);
    return table;
}

static rls2_recipe recipe_at(const char *target, double *lambda)
{
    rls2_recipe recipe = rls2_recipe_default();
    recipe.data.target = target;
    recipe.path.intercept = RLS2_INTERCEPT_AUTO;
    recipe.path.degrees_of_freedom = 1;
    recipe.lambda_count = 1;
    recipe.lambdas = lambda;
    return recipe;
}

static rls2_fit *must_fit(const rls2_table *table, const rls2_recipe *recipe,
                          const rls2_fit_options *options)
{
    rls2_error err;
    rls2_fit *fit = NULL;
    if (rls2_fit_table(table, recipe, options, &fit, &err) != RLS2_OK) fail_msg("%s", err.message);
    return fit;
}

/* The model of lambda i against the file the command wrote. */
static void assert_same_point(const rls2_fit *fit, int64_t i, const char *path)
{
    rls2_error err;
    rls2_model *model = NULL;
    void *bytes = NULL;
    int64_t length = 0;
    long there = 0;
    char *file = read_text(path, &there);
    assert_int_equal(rls2_fit_model(fit, i, &model, &err), RLS2_OK);
    assert_int_equal(rls2_model_pack(model, &bytes, &length, &err), RLS2_OK);
    assert_int_equal(length, there);
    assert_memory_equal(bytes, file, (size_t)length);
    rls2_bytes_free(bytes);
    rls2_model_free(model);
    free(file);
}

static void assert_same_model(const rls2_fit *fit, const char *path)
{
    assert_int_equal(rls2_fit_count(fit), 1);
    assert_same_point(fit, 0, path);
}

static void check_case(const char *file, const rls2_recipe *recipe, const char *command)
{
    rls2_table *table = read_table(file);
    rls2_fit *fit = must_fit(table, recipe, NULL);
    rls2_table_free(table); /* the fit stands alone */
    free(rls2_out("train %s %s --quiet -o $T/it.model", file, command));
    assert_same_model(fit, in_folder("it.model"));
    rls2_fit_free(fit);
}

static void fit_table__numbers__the_commands_model(void **state)
{
    (void)state;
    double lambda = 0.1;
    rls2_recipe recipe = recipe_at("lpsa", &lambda);
    const char *drop[] = {"train"};
    recipe.data.drop = drop;
    recipe.data.drop_count = 1;
    recipe.preprocessing.features = RLS2_NORMALIZE_STANDARDIZE;
    check_case("data/prostate.csv", &recipe, "-t lpsa --drop train --standardize --lambda 0.1");
}

static void fit_table__three_classes_each_scaled_by_its_own_rule__the_commands_model(void **state)
{
    (void)state;
    double lambda = 0.01;
    rls2_recipe recipe = recipe_at("origin", &lambda);
    const char *drop[] = {"car_name"};
    recipe.data.drop = drop;
    recipe.data.drop_count = 1;
    recipe.data.classify = 1;
    recipe.kernels = "linear";
    recipe.basis.scaling = RLS2_SCALING_FISHER_SQRT;
    recipe.class_weights = "balanced";
    check_case("data/auto-mpg.csv", &recipe,
               "-t origin --task classification --drop car_name -k linear --scaling fisher-sqrt "
               "--class-weights balanced --lambda 0.01");
}

static void fit_table__two_classes__intercept_as_the_command_has_it(void **state)
{
    (void)state;
    double lambda = 0.1;
    rls2_recipe recipe = recipe_at("diabetes", &lambda);
    recipe.data.classify = 1;
    recipe.kernels = "linear";
    check_case("data/pima.csv", &recipe,
               "-t diabetes --task classification -k linear --lambda 0.1");
    recipe.class_weights = "balanced";
    check_case("data/pima.csv", &recipe,
               "-t diabetes --task classification -k linear --class-weights balanced --lambda 0.1");
    recipe.class_weights = NULL;
    recipe.kernels = "rbf(0.1)";
    check_case("data/pima.csv", &recipe,
               "-t diabetes --task classification -k 'rbf(0.1)' --lambda 0.1");
}

/* Rows of Prostate by their mark, as two tables. */
static void split_marked(rls2_table **train, rls2_table **test)
{
    rls2_error err;
    rls2_table *all = read_table("data/prostate.csv");
    int64_t rows[2][128], count[2] = {0, 0}, column = rls2_table_find(all, "train");
    for (int64_t i = 0; i < rls2_table_rows(all); i++) {
        int part = rls2_table_holds(all, i, column, "F");
        rows[part][count[part]++] = i;
    }
    assert_int_equal(rls2_table_take(all, count[0], rows[0], train, &err), RLS2_OK);
    assert_int_equal(rls2_table_take(all, count[1], rows[1], test, &err), RLS2_OK);
    rls2_table_free(all);
}

static void fit_table__test_rows__measured_over_them_where_asked(void **state)
{
    (void)state;
    double lambda = 0.1;
    const char *drop[] = {"train"};
    const char *flags[] = {"", "--transductive-features", "--transductive"};
    rls2_table *train, *test;
    rls2_recipe recipe = recipe_at("lpsa", &lambda);
    recipe.data.drop = drop;
    recipe.data.drop_count = 1;
    recipe.preprocessing.features = RLS2_NORMALIZE_STANDARDIZE;
    split_marked(&train, &test);
    for (int how = 0; how < 3; how++) {
        rls2_error err;
        rls2_fit_options options = rls2_fit_options_default();
        options.test = test;
        options.transductive = how == 2;
        options.transductive_features = how >= 1;
        rls2_fit *fit = must_fit(train, &recipe, &options);
        free(rls2_out(
            "train data/prostate.csv -t lpsa --test-rows train=F --standardize %s --lambda 0.1 "
            "--quiet -o $T/it.model",
            flags[how]));
        assert_same_model(fit, in_folder("it.model"));
        json_t *said =
            rls2_json("path data/prostate.csv -t lpsa --test-rows train=F --standardize %s "
                      "--lambda 0.1 --json",
                      flags[how]);
        int64_t n = rls2_dataset_rows(rls2_fit_test(fit));
        double f[128];
        assert_int_equal(n, 30);
        assert_int_equal(rls2_fit_predict(fit, 0, 1, f, &err), RLS2_OK);
        double score = rls2_measure_value(RLS2_MEASURE_RMSE, 1, n, f,
                                          rls2_dataset_y(rls2_fit_test(fit)), NULL);
        assert_true(fabs(score - number_at(said, "path.0.test.rmse")) <= 1e-12 * score);
        json_decref(said);
        rls2_fit_free(fit);
    }
    rls2_table_free(train);
    rls2_table_free(test);
}

/* ---- a model is a point of the path ---- */

typedef struct path_case {
    const char *options; /* of the command, beside the table */
    const char *grid;    /* LO:HI:N; NULL: the default */
    rls2_solver solver;
} path_case;

/* Prostate without its marks, five folds; the alternate solver ends elsewhere where it starts
 * elsewhere. */
static const path_case PATHS[] = {
    {"-k linear", NULL, RLS2_SOLVER_NEWTON},
    {"-k 'rbf(0.1|1)@each' --solver alternate", NULL, RLS2_SOLVER_ALTERNATE},
    {"-k 'rbf(0.1|1)@each; linear@all' --rule 1se", "1e-4:10:12", RLS2_SOLVER_NEWTON},
    {"-k 'rbf(0.1|1)@each' --select gcv --solver alternate", "1e-3:10:9", RLS2_SOLVER_ALTERNATE},
};

static rls2_fit *fit_whole(const path_case *it, double *lambdas)
{
    rls2_error err;
    const char *drop[] = {"train"};
    char kernels[64];
    rls2_recipe recipe = recipe_at("lpsa", lambdas);
    double lo, hi;
    int count = 30;
    recipe.data.drop = drop;
    recipe.data.drop_count = 1;
    recipe.preprocessing.features = RLS2_NORMALIZE_STANDARDIZE;
    recipe.path.solver = it->solver;
    if (it->grid) assert_int_equal(sscanf(it->grid, "%lf:%lf:%d", &lo, &hi, &count), 3);
    if (it->grid) assert_int_equal(rls2_lambda_grid(lo, hi, count, lambdas, &err), RLS2_OK);
    if (!it->grid) recipe.lambdas = NULL;
    recipe.lambda_count = count;
    snprintf(kernels, sizeof kernels, "%s", it->options + 3);
    char *end = strstr(kernels, " --");
    if (end) *end = '\0';
    if (kernels[0] == '\'') {
        kernels[strlen(kernels) - 1] = '\0';
        memmove(kernels, kernels + 1, strlen(kernels));
    }
    recipe.kernels = kernels;
    rls2_table *table = read_table("data/prostate.csv");
    rls2_fit *fit = must_fit(table, &recipe, NULL);
    rls2_table_free(table);
    return fit;
}

#define PROSTATE                                                                                   \
    "train data/prostate.csv -t lpsa --drop train --standardize --folds 5 --no-baselines --quiet "

static double lambda_of(const rls2_fit *fit, int64_t i)
{
    return rls2_path_at(rls2_fit_path(fit, 0), i)->lambda;
}

/* What was chosen is the point of the path over the whole grid. */
static void check_chosen(const path_case *it, const rls2_fit *fit)
{
    char grid[80] = "";
    int64_t chosen = 0;
    if (it->grid) snprintf(grid, sizeof grid, "--lambdas %s", it->grid);
    json_t *said = rls2_json(PROSTATE "%s %s --json -o $T/it.model", it->options, grid);
    assert_int_equal(json_array_size(at(said, "path")), 1);
    while (lambda_of(fit, chosen) != number_at(said, "path.0.lambda")) chosen++;
    assert_in_range(chosen, 1, rls2_fit_count(fit) - 2);
    assert_same_point(fit, chosen, in_folder("it.model"));
    json_decref(said);
}

/* Any other point is said by its lambda and the ends of the grid. */
static void check_said(const path_case *it, const rls2_fit *fit)
{
    int64_t count = rls2_fit_count(fit), other = count / 2;
    free(rls2_out(PROSTATE "%s --lambdas %.17g:%.17g:%d --lambda %.17g -o $T/it.model", it->options,
                  lambda_of(fit, count - 1), lambda_of(fit, 0), (int)count, lambda_of(fit, other)));
    assert_same_point(fit, other, in_folder("it.model"));
    free(rls2_out(PROSTATE "%s --lambdas %.17g:%.17g:%d --lambda %.6g -o $T/it.model", it->options,
                  lambda_of(fit, count - 1), lambda_of(fit, 0), (int)count, lambda_of(fit, other)));
    assert_same_point(fit, other, in_folder("it.model"));
}

static void train__lambda_chosen_or_said__model_is_the_point_of_the_path(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof PATHS / sizeof PATHS[0]; i++) {
        double lambdas[32];
        rls2_fit *fit = fit_whole(&PATHS[i], lambdas);
        check_chosen(&PATHS[i], fit);
        check_said(&PATHS[i], fit);
        rls2_fit_free(fit);
    }
}

static void train__lambda_between_those_of_the_grid__path_goes_through_the_larger_ones(void **state)
{
    (void)state;
    char *between = rls2_out(
        PROSTATE "-k 'rbf(0.1|1)@each' --solver alternate --lambdas 0.01,1,10,0.2 --lambda 0.5 "
                 "-o $T/between.model");
    char *listed =
        rls2_out(PROSTATE "-k 'rbf(0.1|1)@each' --solver alternate --lambdas 0.5,10,1 --lambda 0.5 "
                          "-o $T/listed.model");
    printed same = shell("cmp $T/between.model $T/listed.model");
    assert_int_equal(same.code, 0);
    printed_free(&same);
    char *alone =
        rls2_out(PROSTATE "-k 'rbf(0.1|1)@each' --solver alternate --lambda 0.5 -o $T/alone.model");
    printed other = shell("cmp $T/alone.model $T/listed.model");
    assert_int_equal(other.code, 1);
    printed_free(&other);
    free(between);
    free(listed);
    free(alone);
}

/* With and without kernels that splits share, weights, several classes. */
static const char *const PROBLEMS[] = {
    "data/liver.csv -t selector -k 'rbf(1e-4:1e-2:3)@all,each'",
    "data/liver.csv -t selector --standardize -k 'rbf(0.1:1:2)@all,each'",
    "data/liver.csv -t selector -k linear --class-weights balanced",
    "data/cpu.csv -t ERP --drop PRP --drop vendor --drop model --weights CHMIN -k 'poly(2); "
    "rbf(1e-6)@each'",
    "data/auto-mpg.csv -t origin --task classification --drop car_name -k 'rbf(1e-4)@all,each' "
    "--scaling "
    "fisher",
    "data/housing.csv -t MEDV -k 'spline; linear'",
};

static void cv__default_grid__is_that_of_the_path_to_the_bit(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof PROBLEMS / sizeof PROBLEMS[0]; i++) {
        json_t *path = rls2_json("path %s --json -q", PROBLEMS[i]);
        json_t *cv = rls2_json("cv %s --folds 2 --no-baselines --json -q", PROBLEMS[i]);
        assert_int_equal(json_array_size(at(cv, "lambda")), 30);
        for (size_t l = 0; l < 30; l++) {
            double a = json_number_value(json_array_get(at(cv, "lambda"), l));
            double b = number_at(json_array_get(at(path, "path"), l), "lambda");
            if (a != b) fail_msg("%s: lambda %d is %.17g and %.17g", PROBLEMS[i], (int)l, a, b);
        }
        json_decref(path);
        json_decref(cv);
    }
}

static void path__lambda_and_lambdas__ends_there(void **state)
{
    (void)state;
    json_t *said =
        rls2_json("path data/prostate.csv -t lpsa --drop train -k linear --lambdas 0.01:1:5 "
                  "--lambda 0.1 --json -q");
    assert_int_equal(json_array_size(at(said, "path")), 3);
    assert_true(fabs(number_at(said, "path.2.lambda") - 0.1) < 1e-12);
    json_decref(said);
}

/* Equal to the sixth digit is one of them, others are values of their own; of equal ones the first
 * is taken. */
static void path__lambda_beside_one_of_lambdas__is_another(void **state)
{
    (void)state;
    json_t *near =
        rls2_json("path data/prostate.csv -t lpsa --drop train -k linear --lambdas 1,0.1,0.1,0.01 "
                  "--lambda 0.1000004 --json -q");
    json_t *beside =
        rls2_json("path data/prostate.csv -t lpsa --drop train -k linear --lambdas 1,0.1,0.01 "
                  "--lambda 0.100001 --json -q");
    assert_int_equal(json_array_size(at(near, "path")), 2);
    assert_true(number_at(near, "path.1.lambda") == 0.1);
    assert_int_equal(json_array_size(at(beside, "path")), 2);
    assert_true(number_at(beside, "path.1.lambda") == 0.100001);
    json_decref(near);
    json_decref(beside);
}

/* The model's predictions are those of the path but for the order of sums. */
static void take_score(json_t *point, const char *rows, double expected)
{
    json_t *scores = json_object_get(point, rows);
    assert_true(fabs(json_number_value(json_object_iter_value(json_object_iter(scores))) -
                     expected) < 1e-12);
    json_object_del(point, rows);
}

/* What train says of its point is what path says of it: numbers, kernels and coefficients of each
 * output, scores. */
static void train__point_of_a_path__is_told_as_the_path_tells_it(void **state)
{
    (void)state;
    static const char *const targets[] = {"lpsa", "lpsa -t lweight"};
    for (size_t k = 0; k < sizeof targets / sizeof targets[0]; k++) {
        char line[300];
        static const char form[] = "%s data/prostate.csv -t %s --test-rows train=F --standardize "
                                   "-k linear --lambdas 1,0.1,0.01 "
                                   "--lambda 0.1 --json -q";
        snprintf(line, sizeof line, form, "train", targets[k]);
        json_t *train = rls2_json(line);
        snprintf(line, sizeof line, form, "path", targets[k]);
        json_t *path = rls2_json(line);
        assert_int_equal(json_array_size(at(train, "path")), 1);
        json_t *ours = json_array_get(at(train, "path"), 0),
               *theirs = json_array_get(at(path, "path"), 1);
        static const char *const rows[] = {"train", "test"};
        for (size_t r = 0; r < 2; r++) {
            json_t *scores = json_object_get(theirs, rows[r]);
            take_score(ours, rows[r],
                       json_number_value(json_object_iter_value(json_object_iter(scores))));
            json_object_del(theirs, rows[r]);
        }
        assert_true(json_equal(ours, theirs));
        json_decref(train);
        json_decref(path);
    }
}

static int stop_at_once(void *user, const rls2_progress *progress)
{
    int *asked = user;
    *asked += strcmp(progress->stage, "kernels") != 0;
    return *asked > 2;
}

static void fit_table__stopped__what_is_finished_stays(void **state)
{
    (void)state;
    int asked = 0;
    rls2_error err;
    rls2_model *model = NULL;
    rls2_recipe recipe = rls2_recipe_default();
    rls2_fit_options options = rls2_fit_options_default();
    recipe.data.target = "MEDV";
    recipe.path.intercept = RLS2_INTERCEPT_AUTO;
    options.progress = stop_at_once;
    options.progress_user = &asked;
    rls2_table *table = read_table("data/housing.csv");
    rls2_fit *fit = must_fit(table, &recipe, &options);
    assert_int_equal(rls2_fit_asked(fit), 30);
    assert_in_range(rls2_fit_count(fit), 0, 29);
    assert_int_equal(rls2_fit_model(fit, rls2_fit_count(fit), &model, &err), RLS2_ERR_ARGUMENT);
    rls2_fit_free(fit);
    rls2_table_free(table);
}

static void fit_table__wrong_arguments__refused(void **state)
{
    (void)state;
    rls2_error err;
    rls2_fit *fit = NULL;
    double lambda = 1.0, f[1];
    rls2_recipe recipe = recipe_at("lpsa", &lambda);
    rls2_fit_options options = rls2_fit_options_default();
    rls2_table *table = read_table("data/prostate.csv");
    assert_int_equal(rls2_fit_table(NULL, &recipe, NULL, &fit, &err), RLS2_ERR_ARGUMENT);
    assert_int_equal(rls2_fit_table(table, NULL, NULL, &fit, &err), RLS2_ERR_ARGUMENT);
    assert_int_equal(rls2_fit_table(table, &recipe, NULL, NULL, &err), RLS2_ERR_ARGUMENT);
    options.transductive = 1;
    assert_int_equal(rls2_fit_table(table, &recipe, &options, &fit, &err), RLS2_ERR_ARGUMENT);
    assert_non_null(strstr(err.message, "test rows"));
    recipe.data.target = "lpsaa";
    assert_int_equal(rls2_fit_table(table, &recipe, NULL, &fit, &err), RLS2_ERR_NAME);
    assert_null(fit);
    assert_int_equal(rls2_fit_predict(NULL, 0, 0, f, &err), RLS2_ERR_ARGUMENT);
    assert_null(rls2_fit_path(NULL, 0));
    assert_int_equal(rls2_fit_count(NULL), 0);
    rls2_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fit_table__numbers__the_commands_model),
        cmocka_unit_test(fit_table__three_classes_each_scaled_by_its_own_rule__the_commands_model),
        cmocka_unit_test(fit_table__two_classes__intercept_as_the_command_has_it),
        cmocka_unit_test(fit_table__test_rows__measured_over_them_where_asked),
        cmocka_unit_test(train__lambda_chosen_or_said__model_is_the_point_of_the_path),
        cmocka_unit_test(
            train__lambda_between_those_of_the_grid__path_goes_through_the_larger_ones),
        cmocka_unit_test(cv__default_grid__is_that_of_the_path_to_the_bit),
        cmocka_unit_test(path__lambda_and_lambdas__ends_there),
        cmocka_unit_test(path__lambda_beside_one_of_lambdas__is_another),
        cmocka_unit_test(train__point_of_a_path__is_told_as_the_path_tells_it),
        cmocka_unit_test(fit_table__stopped__what_is_finished_stays),
        cmocka_unit_test(fit_table__wrong_arguments__refused),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
