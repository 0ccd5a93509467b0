/* A plan in C against the command: the settings of the plan, retold as options, give the same
 * model, byte by byte. */
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

enum { MOST_SETTINGS = 16 };

typedef struct asked {
    const char *file;
    const char *settings[2 * MOST_SETTINGS + 1]; /* names and values, until NULL */
} asked;

typedef struct carried {
    rls2_table *table;
    rls2_plan *plan;
    rls2_fit *fit;
    char *options; /* as the command has them */
} carried;

static void check(rls2_status status, const rls2_error *err)
{
    if (status != RLS2_OK) fail_msg("%s", err->message);
}

static carried carry_out(const asked *it, rls2_goal goal)
{
    carried c = {0};
    rls2_error err;
    check(rls2_table_read(it->file, NULL, &c.table, &err), &err);
    check(rls2_plan_create(goal, RLS2_VOICE_PLAIN, &c.plan, &err), &err);
    for (int i = 0; it->settings[i]; i += 2)
        check(rls2_plan_set(c.plan, it->settings[i], it->settings[i + 1], &err), &err);
    check(rls2_plan_retell(c.plan, RLS2_VOICE_COMMAND, 0, NULL, &c.options, &err), &err);
    check(rls2_plan_complete(c.plan, c.table, &err), &err);
    check(rls2_plan_fit(c.plan, NULL, &c.fit, &err), &err);
    return c;
}

static void release(carried *c)
{
    rls2_fit_free(c->fit);
    rls2_plan_free(c->plan);
    rls2_table_free(c->table);
    rls2_text_free(c->options);
}

static void assert_same_as_file(const rls2_model *model, const char *path)
{
    rls2_error err;
    void *bytes = NULL;
    int64_t length = 0;
    long there = 0;
    char *file = read_text(path, &there);
    check(rls2_model_pack(model, &bytes, &length, &err), &err);
    assert_int_equal(length, there);
    assert_memory_equal(bytes, file, (size_t)length);
    rls2_bytes_free(bytes);
    free(file);
}

static void assert_same_point(const rls2_fit *fit, int64_t i, const char *path)
{
    rls2_error err;
    rls2_model *model = NULL;
    check(rls2_fit_model(fit, i, &model, &err), &err);
    assert_same_as_file(model, path);
    rls2_model_free(model);
}

/* ---- models ---- */

static const asked MODELS[] = {
    {"data/prostate.csv",
     {"target", "lpsa", "drop", "train", "standardize", "true", "lambda", "0.1"}},
    {"data/auto-mpg.csv",
     {"target", "origin", "task", "classification", "drop", "car_name", "kernels", "linear",
      "scaling", "fisher-sqrt", "class-weights", "balanced", "lambda", "0.01"}},
    {"data/pima.csv",
     {"target", "diabetes", "task", "classification", "kernels", "linear", "lambda", "0.1"}},
    {"data/pima.csv",
     {"target", "diabetes", "kernels", "linear", "class-weights", "balanced", "lambda", "0.1"}},
    {"data/pima.csv", {"target", "diabetes", "kernels", "rbf(0.1)", "lambda", "0.1"}},
    {"data/cpu.csv",
     {"target", "PRP", "drop", "model", "drop", "ERP", "folds", "3", "repeats", "2", "seed", "9",
      "features", "unit", "rule", "1se"}},
    {"data/heart.csv",
     {"target", "class", "test-share", "0.3", "splits", "3", "share", "0.6", "measure", "auc",
      "shuffle", "true", "baselines", "false"}},
    {"data/servo.csv",
     {"target", "rise_time", "target", "pgain", "select", "bic", "lambda-count", "12",
      "lambda-ratio", "1e-4", "reference", "true"}},
    {"data/prostate.csv",
     {"target", "lpsa", "validation-rows", "train=F", "standardize", "true", "group", "g=lcavol,l*",
      "kernels", "rbf(0.1|1)@group:g; linear"}},
};

static void model__settings_retold__the_commands_model(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof MODELS / sizeof MODELS[0]; i++) {
        carried c = carry_out(&MODELS[i], RLS2_GOAL_MODEL);
        free(rls2_out("train %s %s --quiet -o $T/it.model", MODELS[i].file, c.options));
        assert_same_as_file(rls2_fit_chosen_model(c.fit), in_folder("it.model"));
        release(&c);
    }
}

/* ---- test rows ---- */

static void model__test_rows__measured_over_them_where_asked(void **state)
{
    (void)state;
    static const char *const HOW[] = {"lambda", "transductive-features", "transductive"};
    for (int how = 0; how < 3; how++) {
        rls2_error err;
        double f[128];
        asked it = {"data/prostate.csv",
                    {"target", "lpsa", "test-rows", "train=F", "standardize", "true", "lambda",
                     "0.1", HOW[how], how == 0 ? "0.1" : "true"}};
        carried c = carry_out(&it, RLS2_GOAL_MODEL);
        free(rls2_out("train %s %s --quiet -o $T/it.model", it.file, c.options));
        assert_same_as_file(rls2_fit_chosen_model(c.fit), in_folder("it.model"));
        json_t *said = rls2_json("path %s %s --json", it.file, c.options);
        int64_t n = rls2_dataset_rows(rls2_fit_test(c.fit));
        assert_int_equal(n, 30);
        check(rls2_fit_predict(c.fit, 0, RLS2_PART_TEST, f, &err), &err);
        double score = rls2_measure_value(RLS2_MEASURE_RMSE, 1, n, f,
                                          rls2_dataset_y(rls2_fit_test(c.fit)), NULL);
        assert_true(fabs(score - number_at(said, "path.0.test.rmse")) <= 1e-12 * score);
        json_decref(said);
        release(&c);
    }
}

/* ---- a model is a point of the path ---- */

/* Five folds; the alternate solver ends elsewhere where it starts elsewhere. */
static const asked PATHS[] = {
    {"data/prostate.csv", {"kernels", "linear"}},
    {"data/prostate.csv", {"kernels", "rbf(0.1|1)@each", "solver", "alternate"}},
    {"data/prostate.csv",
     {"kernels", "rbf(0.1|1)@each; linear@all", "rule", "1se", "lambdas", "1e-4:10:12"}},
    {"data/prostate.csv",
     {"kernels", "rbf(0.1|1)@each", "select", "gcv", "solver", "alternate", "lambdas",
      "1e-3:10:9"}},
};

static asked with_common(const asked *it)
{
    static const char *const COMMON[] = {"target", "lpsa",      "drop",  "train", "standardize",
                                         "true",   "baselines", "false", "folds", "5"};
    asked whole = *it;
    int used = 0;
    while (whole.settings[used]) used++;
    for (size_t i = 0; i < sizeof COMMON / sizeof COMMON[0]; i++)
        whole.settings[used++] = COMMON[i];
    return whole;
}

static double lambda_of(const rls2_fit *fit, int64_t i)
{
    return rls2_fit_at(fit, i)->lambda;
}

/* What the command chooses is the point of the path over the whole grid that the plan chooses. */
static void check_chosen(const asked *it, const carried *c)
{
    json_t *said = rls2_json("train %s %s --json --quiet -o $T/it.model", it->file, c->options);
    int64_t chosen = rls2_fit_chosen(c->fit);
    assert_int_equal(json_array_size(at(said, "path")), 1);
    assert_true(lambda_of(c->fit, chosen) == number_at(said, "path.0.lambda"));
    assert_in_range(chosen, 1, rls2_fit_count(c->fit) - 2);
    assert_same_point(c->fit, chosen, in_folder("it.model"));
    json_decref(said);
}

/* Any other point is said by its lambda, also in six digits, and the ends of the grid. */
static void check_said(const asked *it, const carried *c)
{
    static const char *const DIGITS[] = {"%.17g", "%.6g"};
    static const char *const BUT[] = {"lambdas", "select", "rule"};
    int64_t count = rls2_fit_count(c->fit), other = count / 2;
    char *options = NULL;
    check(rls2_plan_retell(c->plan, RLS2_VOICE_COMMAND, 3, BUT, &options, NULL), NULL);
    for (int i = 0; i < 2; i++) {
        char lambda[40];
        snprintf(lambda, sizeof lambda, DIGITS[i], lambda_of(c->fit, other));
        free(rls2_out("train %s %s --lambdas %.17g:%.17g:%d --lambda %s --quiet -o $T/it.model",
                      it->file, options, lambda_of(c->fit, count - 1), lambda_of(c->fit, 0),
                      (int)count, lambda));
        assert_same_point(c->fit, other, in_folder("it.model"));
    }
    rls2_text_free(options);
}

static void model__of_a_path__is_the_point_that_was_scored(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof PATHS / sizeof PATHS[0]; i++) {
        asked it = with_common(&PATHS[i]);
        carried c = carry_out(&it, RLS2_GOAL_ALL);
        check_chosen(&it, &c);
        check_said(&it, &c);
        release(&c);
    }
}

#define PROSTATE                                                                                   \
    "train data/prostate.csv -t lpsa --drop train --standardize --folds 5 --no-baselines --quiet "

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
        size_t count = json_array_size(at(path, "path")), more = json_array_size(at(cv, "lambda"));
        assert_true(count > 30 && more >= count); /* where the smallest is best it goes on */
        for (size_t l = 0; l < count; l++) {
            double a = json_number_value(json_array_get(at(cv, "lambda"), l));
            double b = number_at(json_array_get(at(path, "path"), l), "lambda");
            if (more == count ? a != b : fabs(a / b - 1.0) > 1e-12)
                fail_msg("%s: lambda %d is %.17g and %.17g", PROBLEMS[i], (int)l, a, b);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(model__settings_retold__the_commands_model),
        cmocka_unit_test(model__test_rows__measured_over_them_where_asked),
        cmocka_unit_test(model__of_a_path__is_the_point_that_was_scored),
        cmocka_unit_test(
            train__lambda_between_those_of_the_grid__path_goes_through_the_larger_ones),
        cmocka_unit_test(cv__default_grid__is_that_of_the_path_to_the_bit),
        cmocka_unit_test(path__lambda_and_lambdas__ends_there),
        cmocka_unit_test(path__lambda_beside_one_of_lambdas__is_another),
        cmocka_unit_test(train__point_of_a_path__is_told_as_the_path_tells_it),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
