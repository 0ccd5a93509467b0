/* Explanations of the whole prediction, against means of predictions of rows that were put together
 * one by one: partial dependence, curves of single rows, Friedman's H, of every kind of kernel, of
 * given matrices, of row weights and of stacks. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/model.h"
#include "model/model_stack.h"
#include "support/control.h"
#include "support/one_output.h"
#include "support/problem.h"

enum { ROWS = 36, MOST_COLUMNS = 80 };

typedef struct made {
    int64_t p;
    double *x;
    double y[ROWS], weights[ROWS], given[ROWS * ROWS];
    const double *given_list[1];
    rls2_rows rows;
    rls2_model *model;
} made;

/* Two inputs act together, one alone, the last ones hardly at all. */
static void fill(made *it, int64_t p)
{
    rls2__random random;
    rls2__random_seed(&random, 77);
    it->p = p;
    it->x = numbers(ROWS * p);
    for (int64_t i = 0; i < ROWS * p; i++) it->x[i] = rls2__random_normal(&random);
    for (int64_t i = 0; i < ROWS; i++) it->x[(p - 1) * ROWS + i] = (double)(i % 3);
    for (int64_t i = 0; i < ROWS; i++) {
        it->y[i] = it->x[i] * it->x[ROWS + i] + sin(2.0 * it->x[2 * ROWS + i]) +
                   0.3 * it->x[(p - 1) * ROWS + i];
        it->weights[i] = 1.0 + (double)(i % 4);
        for (int64_t j = 0; j < ROWS; j++)
            it->given[i * ROWS + j] = exp(-pow((double)(i % 7 - j % 7), 2.0));
    }
    it->given_list[0] = it->given;
    it->rows =
        (rls2_rows){.n = ROWS, .p = p, .x = it->x, .given_count = 1, .given = it->given_list};
}

static rls2_model *learn(const made *it, const char *spec, int weighted)
{
    rls2_error err;
    static char names[MOST_COLUMNS][8];
    const char *list[MOST_COLUMNS], *given[] = {"g"};
    double lambda = 1e-3;
    rls2_dictionary *asked = NULL, *dictionary = NULL;
    rls2_basis *basis = NULL;
    rls2_path *path = NULL;
    rls2_model *model = NULL;
    for (int64_t j = 0; j < it->p; j++) {
        snprintf(names[j], sizeof names[j], "x%d", (int)j);
        list[j] = names[j];
    }
    rls2_columns columns = {.count = it->p, .names = list, .given_count = 1, .given_names = given};
    rls2_basis_options options;
    rls2_basis_options_init(&options, sizeof options);
    if (weighted) options.row_weights = it->weights;
    assert_ok(rls2_dictionary_create(spec, &columns, &asked, &err), &err);
    assert_ok(rls2_dictionary_learn(asked, &it->rows, 1, it->y, options.row_weights, NULL,
                                    &dictionary, &err),
              &err);
    rls2_dictionary_free(asked);
    assert_ok(rls2_basis_create(dictionary, &it->rows, &options, NULL, &basis, &err), &err);
    assert_ok(fit_one(basis, it->y, 1, &lambda, NULL, &path, &err), &err);
    assert_ok(model_of_one(path, 0, &model, &err), &err);
    rls2_path_free(path);
    rls2_basis_free(basis);
    rls2_dictionary_free(dictionary);
    return model;
}

static made make(int64_t p, const char *spec, int weighted)
{
    made it = {0};
    fill(&it, p);
    it.model = learn(&it, spec, weighted);
    it.rows.given = NULL; /* of the copy */
    return it;
}

static void made_free(made *it)
{
    rls2_model_free(it->model);
    free(it->x);
}

/* f of the row l, but with the inputs a and b (-1: none) of row i. */
static double predict(const made *it, int64_t i, int64_t l, int64_t a, int64_t b, int others)
{
    rls2_error err;
    double *x = numbers(it->p), f, g[ROWS];
    const double *list[] = {g};
    for (int64_t j = 0; j < it->p; j++)
        x[j] = it->x[j * ROWS + ((j == a || j == b) == !others ? i : l)];
    for (int64_t j = 0; j < ROWS; j++) g[j] = it->given[j * ROWS + (others ? i : l)];
    rls2_rows one = {.n = 1, .p = it->p, .x = x, .given_count = 1, .given = list};
    assert_ok(rls2_model_predict(it->model, &one, NULL, &f, &err), &err);
    free(x);
    return f;
}

static double weight(const made *it, int64_t i)
{
    const double *w = rls2_model_row_weights(it->model);
    double sum = 0.0;
    for (int64_t k = 0; k < ROWS; k++) sum += w ? w[k] : 1.0;
    return (w ? w[i] : 1.0) / sum;
}

static void centre(const made *it, double *f)
{
    double mean = 0.0;
    for (int64_t i = 0; i < ROWS; i++) mean += weight(it, i) * f[i];
    for (int64_t i = 0; i < ROWS; i++) f[i] -= mean;
}

static double product(const made *it, const double *f, const double *g)
{
    double sum = 0.0;
    for (int64_t i = 0; i < ROWS; i++) sum += weight(it, i) * f[i] * g[i];
    return sum;
}

/* F_ab, or F of all others, at each row, centred. */
static void dependence(const made *it, int64_t a, int64_t b, int others, double *f)
{
    for (int64_t i = 0; i < ROWS; i++) {
        f[i] = 0.0;
        for (int64_t l = 0; l < ROWS; l++) f[i] += weight(it, l) * predict(it, i, l, a, b, others);
    }
    centre(it, f);
}

static void assert_near(double a, double b, const char *what, int64_t j)
{
    if (!(fabs(a - b) <= 1e-10 * (1.0 + fabs(b))))
        fail_msg("%s of %d: %.15g, by definition %.15g", what, (int)j, a, b);
}

static rls2_explanation *explain(const made *it, int threads)
{
    rls2_error err;
    rls2_explanation *told = NULL;
    assert_ok(rls2_model_explain(it->model, ON_THREADS(threads), &told, &err), &err);
    return told;
}

static void assert_inputs(const made *it, const rls2_explanation *told, const double *f)
{
    double alone[ROWS], rest[ROWS], variance = product(it, f, f);
    for (int64_t k = 0; k < rls2_explanation_input_count(told); k++) {
        const rls2_explained_input *at = rls2_explanation_input(told, k);
        if (it->p > 10 && at->input > 3) continue;
        dependence(it, at->input, -1, 0, alone);
        dependence(it, at->input, -1, 1, rest);
        assert_near(at->share, product(it, alone, f) / variance, "share", at->input);
        assert_near(at->alone, product(it, alone, alone) / variance, "alone", at->input);
        for (int64_t i = 0; i < ROWS; i++) rest[i] = f[i] - alone[i] - rest[i];
        assert_near(at->interaction, product(it, rest, rest) / variance, "H", at->input);
    }
}

static void assert_pairs(const made *it, const rls2_explanation *told, const double *f)
{
    double a[ROWS], b[ROWS], both[ROWS], variance = product(it, f, f), last = HUGE_VAL;
    for (int64_t k = 0; k < rls2_explanation_pair_count(told) && k < 6; k++) {
        const rls2_explained_pair *at = rls2_explanation_pair(told, k);
        dependence(it, at->first, -1, 0, a);
        dependence(it, at->second, -1, 0, b);
        dependence(it, at->first, at->second, 0, both);
        double joint = product(it, both, both);
        for (int64_t i = 0; i < ROWS; i++) both[i] -= a[i] + b[i];
        assert_near(at->share, product(it, both, both) / variance, "pair", at->first);
        assert_near(at->h2, product(it, both, both) / joint, "H of the pair", at->first);
        assert_true(at->share <= last && at->first < at->second);
        last = at->share;
    }
}

static void assert_explained(const made *it)
{
    double f[ROWS];
    const int64_t *rows;
    rls2_explanation *told = explain(it, 2);
    assert_int_equal(rls2_explanation_rows(told, &rows), ROWS);
    for (int64_t i = 0; i < ROWS; i++) assert_int_equal(rows[i], i);
    for (int64_t i = 0; i < ROWS; i++) f[i] = predict(it, i, i, -1, -1, 0);
    centre(it, f);
    assert_near(rls2_explanation_variance(told), product(it, f, f), "variance", 0);
    assert_inputs(it, told, f);
    assert_pairs(it, told, f);
    rls2_explanation_free(told);
}

/* Gaussians, polynomials and distances that are no products, indicators, a given matrix, and what
 * looks at one input. */
static const char KERNELS[] =
    "rbf(0.2)@all; laplace(0.3)@x0+x1+x2; poly(3)@all; poly(2)@x0+x1; poly(1)@all; poly(6)@x1+x2; "
    "matern(3/2,2)@all; matern(1/2,3)@x0+x3; delta@x3+x4; linear@all; linear@each; "
    "rbf(1)@each; spline@x2; given(g); rbf(learn)@all; matern(5/2,learn*2)@x0+x1+x4";

static void model_explain__every_kernel__is_as_by_predictions(void **state)
{
    (void)state;
    made it = make(5, KERNELS, 0);
    assert_explained(&it);
    made_free(&it);
}

static void model_explain__row_weights__count(void **state)
{
    (void)state;
    made it = make(5, KERNELS, 1);
    assert_explained(&it);
    made_free(&it);
}

/* Sums over all but one of many columns are differences. */
static void model_explain__many_columns__is_as_by_predictions(void **state)
{
    (void)state;
    made it =
        make(MOST_COLUMNS, "rbf(0.002)@all; poly(2)@all; matern(5/2,30)@all; laplace(0.01)@all", 0);
    assert_explained(&it);
    made_free(&it);
}

/* What the average of other kernels says is added. */
static void put_on(made *it, const char *spec)
{
    rls2__stack *stack = rls2__stack_create(1, 1);
    assert_non_null(stack);
    it->rows.given = it->given_list;
    it->given_list[0] = it->given;
    stack->members[0] = learn(it, spec, 0);
    stack->weights[0] = 0.4;
    stack->weights[1] = 0.7;
    stack->constants[0] = 2.5;
    it->model->stack = stack;
}

static void model_explain__stack__is_of_the_whole(void **state)
{
    (void)state;
    made it = make(5, "linear@x2; rbf(1)@x0+x1", 0);
    put_on(&it, "rbf(0.1)@all; matern(3/2,2)@x3+x4; given(g)");
    assert_explained(&it);
    made_free(&it);
}

/* ---- curves ---- */

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static int64_t row_with(const made *it, int64_t input, double value)
{
    for (int64_t i = 0; i < ROWS; i++)
        if (it->x[input * ROWS + i] == value) return i;
    fail_msg("no row has %g", value);
    return -1;
}

/* Of each row the predictions as it takes the values, less their mean; then mean and quantiles over
 * the rows. */
static void assert_curve(const made *it, int64_t input)
{
    rls2_error err;
    rls2_effect *effect = NULL;
    assert_ok(rls2_model_effect_watched(it->model, input, ON_THREADS(2), &effect, &err), &err);
    int64_t count = rls2_effect_count(effect);
    double *curves = numbers(ROWS * count), total = 0.0, column[ROWS];
    assert_true(count > 2);
    for (int64_t k = 0; k < count; k++) total += rls2_effect_at(effect, k)->rows;
    for (int64_t l = 0; l < ROWS; l++) {
        double mean = 0.0;
        for (int64_t k = 0; k < count; k++) {
            const rls2_effect_point *at = rls2_effect_at(effect, k);
            curves[k * ROWS + l] = predict(it, row_with(it, input, at->value), l, input, -1, 0);
            mean += at->rows * curves[k * ROWS + l] / total;
        }
        for (int64_t k = 0; k < count; k++) curves[k * ROWS + l] -= mean;
    }
    for (int64_t k = 0; k < count; k++) {
        const rls2_effect_point *at = rls2_effect_at(effect, k);
        double mean = 0.0;
        for (int64_t l = 0; l < ROWS; l++) mean += curves[k * ROWS + l] / ROWS;
        memcpy(column, curves + k * ROWS, sizeof column);
        qsort(column, ROWS, sizeof *column, ascending);
        assert_near(at->effect, mean, "effect", input);
        assert_near(at->lower, column[3], "lower end", input);  /* 4 of 36 are the first tenth */
        assert_near(at->upper, column[32], "upper end", input); /* 33 of 36: 9 tenths */
    }
    free(curves);
    rls2_effect_free(effect);
}

static void model_effect__whole_stack__has_the_curves_of_its_rows(void **state)
{
    (void)state;
    made it = make(5, "linear@x2; rbf(1)@x0+x1; poly(3)@x0+x1+x2", 0);
    put_on(&it, "rbf(0.1)@all; matern(3/2,2)@x3+x4");
    for (int64_t j = 0; j < 5; j++) assert_curve(&it, j);
    made_free(&it);
}

/* Against the mean of predictions at two values. */
static void joint_effect__kernels_of_more_inputs__is_the_mean_of_predictions(void **state)
{
    (void)state;
    rls2_error err;
    rls2_effect *of[2];
    made it = make(5, "rbf(0.3)@x0+x1+x2; linear@x2; rbf(1)@x0+x1; matern(1/2,2)@x1+x4", 0);
    for (int k = 0; k < 2; k++) assert_ok(rls2_model_effect(it.model, k, &of[k], &err), &err);
    int64_t count[2] = {rls2_effect_count(of[0]), rls2_effect_count(of[1])};
    double *grid = numbers(count[0] * count[1]), base = 0.0;
    assert_ok(rls2_model_joint_effect(it.model, 0, 1, grid, &err), &err);
    for (int64_t q = 0; q < count[1]; q += 4)
        for (int64_t p = 0; p < count[0]; p += 4) {
            double mean = 0.0, *x = numbers(5 * ROWS), f[ROWS];
            memcpy(x, it.x, 5 * ROWS * sizeof *x);
            for (int64_t l = 0; l < ROWS; l++) {
                x[l] = rls2_effect_at(of[0], p)->value;
                x[ROWS + l] = rls2_effect_at(of[1], q)->value;
            }
            rls2_rows rows = {.n = ROWS, .p = 5, .x = x};
            assert_ok(rls2_model_predict(it.model, &rows, NULL, f, &err), &err);
            for (int64_t l = 0; l < ROWS; l++) mean += f[l] / ROWS;
            if (p + q == 0) base = mean - grid[0];
            assert_near(grid[q * count[0] + p], mean - base, "grid", p);
            free(x);
        }
    free(grid);
    for (int k = 0; k < 2; k++) rls2_effect_free(of[k]);
    made_free(&it);
}

/* ---- what must hold ---- */

static void model_explain__kernels_of_one_input__sum_to_one_and_do_nothing_together(void **state)
{
    (void)state;
    double sum = 0.0;
    made it = make(5, "rbf(1)@each; poly(2)@each; linear@all; poly(1)@all", 0);
    rls2_explanation *told = explain(&it, 1);
    for (int64_t k = 0; k < rls2_explanation_input_count(told); k++) {
        sum += rls2_explanation_input(told, k)->share;
        assert_true(rls2_explanation_input(told, k)->interaction == 0.0);
    }
    int64_t compared = -1;
    assert_true(fabs(sum - 1.0) < 1e-10);
    assert_int_equal(rls2_explanation_pair_count(told), 0);
    assert_int_equal(rls2_explanation_interacting(told, &compared), 0);
    assert_int_equal(compared, 0);
    rls2_explanation_free(told);
    for (int64_t j = 0; j < 5; j++) { /* then the curve is that of every row */
        rls2_error err;
        rls2_effect *effect = NULL;
        assert_ok(rls2_model_effect(it.model, j, &effect, &err), &err);
        for (int64_t i = 0; i < rls2_effect_count(effect); i++) {
            const rls2_effect_point *at = rls2_effect_at(effect, i);
            assert_true(at->lower == at->effect && at->upper == at->effect);
        }
        rls2_effect_free(effect);
    }
    made_free(&it);
}

static void model_explain__product_of_two__is_found(void **state)
{
    (void)state;
    made it = make(5, "rbf(0.1)@all; linear@each", 0);
    rls2_explanation *told = explain(&it, 1);
    const rls2_explained_pair *first = rls2_explanation_pair(told, 0);
    assert_int_equal(first->first, 0);
    assert_int_equal(first->second, 1);
    assert_true(first->share > 0.2);
    assert_true(rls2_explanation_pair(told, 1)->share < 0.2 * first->share);
    assert_int_equal(rls2_explanation_pair_count(told), 10);
    assert_null(rls2_explanation_pair(told, 10));
    assert_null(rls2_explanation_input(told, 5));
    rls2_explanation_free(told);
    made_free(&it);
}

/* Ten of many inputs are compared, and it is said of how many. */
static void model_explain__many_inputs__compares_ten(void **state)
{
    (void)state;
    int64_t compared = 0;
    made it = make(20, "rbf(0.02)@all", 0);
    rls2_explanation *told = explain(&it, 1);
    assert_int_equal(rls2_explanation_interacting(told, &compared), 20);
    assert_int_equal(compared, 10);
    assert_int_equal(rls2_explanation_pair_count(told), 45);
    double chosen[20] = {0.0}, least = HUGE_VAL;
    for (int64_t k = 0; k < 45; k++) {
        chosen[rls2_explanation_pair(told, k)->first] = 1.0;
        chosen[rls2_explanation_pair(told, k)->second] = 1.0;
    }
    for (int64_t k = 0; k < 20; k++) {
        const rls2_explained_input *at = rls2_explanation_input(told, k);
        if (chosen[at->input] > 0.0) least = fmin(least, at->interaction);
    }
    for (int64_t k = 0; k < 20; k++) {
        const rls2_explained_input *at = rls2_explanation_input(told, k);
        assert_true(chosen[at->input] > 0.0 || at->interaction <= least);
    }
    rls2_explanation_free(told);
    made_free(&it);
}

static void model_explain__threads__change_no_bit(void **state)
{
    (void)state;
    made it = make(5, KERNELS, 1);
    rls2_explanation *one = explain(&it, 1), *two = explain(&it, 4);
    for (int64_t k = 0; k < rls2_explanation_input_count(one); k++)
        assert_memory_equal(rls2_explanation_input(one, k), rls2_explanation_input(two, k),
                            sizeof(rls2_explained_input));
    for (int64_t k = 0; k < rls2_explanation_pair_count(one); k++)
        assert_memory_equal(rls2_explanation_pair(one, k), rls2_explanation_pair(two, k),
                            sizeof(rls2_explained_pair));
    rls2_explanation_free(one);
    rls2_explanation_free(two);
    made_free(&it);
}

/* ---- what cannot be ---- */

static int stop(void *user, const rls2_progress *progress)
{
    (void)user;
    (void)progress;
    return 1;
}

static void model_explain__what_cannot_be__is_refused(void **state)
{
    (void)state;
    rls2_error err;
    rls2_explanation *told = NULL;
    rls2_effect *effect = NULL;
    made it = make(5, "matern(3/2,2)@all; rbf(0.2)@all", 0);
    assert_int_equal(rls2_model_explain(NULL, NULL, &told, &err), RLS2_ERR_ARGUMENT);
    assert_int_equal(rls2_model_explain(it.model, NULL, NULL, &err), RLS2_ERR_ARGUMENT);
    assert_int_equal(rls2_model_explain(it.model, ON_THREADS(-1), &told, &err), RLS2_ERR_ARGUMENT);
    assert_int_equal(rls2_model_explain(it.model, WATCHED_BY(stop, NULL, 1), &told, &err),
                     RLS2_ERR_CANCELLED);
    assert_int_equal(
        rls2_model_effect_watched(it.model, 0, WATCHED_BY(stop, NULL, 1), &effect, &err),
        RLS2_ERR_CANCELLED);
    assert_null(told);
    assert_null(effect);
    assert_int_equal(rls2_explanation_rows(NULL, NULL), 0);
    assert_int_equal(rls2_explanation_interacting(NULL, NULL), 0);
    assert_null(rls2_explanation_pair(NULL, 0));
    assert_true(isnan(rls2_explanation_variance(NULL)));
    rls2_explanation_free(NULL);
    made_free(&it);
}

/* A file may say what it likes. */
static void model_explain__numbers_beyond_all_bounds__is_an_error(void **state)
{
    (void)state;
    rls2_error err;
    rls2_explanation *told = NULL;
    rls2_effect *effect = NULL;
    made it = make(5, "rbf(0.2)@all; poly(3)@all", 0);
    for (int64_t i = 0; i < ROWS; i++) it.model->c[i] = i % 2 ? 1e308 : -1e308;
    it.model->d[0] = 1e300;
    assert_int_equal(rls2_model_explain(it.model, NULL, &told, &err), RLS2_ERR_VALUE);
    assert_ok(rls2_model_effect(it.model, 0, &effect, &err), &err);
    assert_true(isnan(rls2_effect_at(effect, 0)->lower));
    rls2_effect_free(effect);
    made_free(&it);
}

static void model_explain__constant__has_no_shares(void **state)
{
    (void)state;
    made it = make(5, "rbf(0.2)@all", 0);
    memset(it.model->c, 0, ROWS * sizeof *it.model->c);
    rls2_explanation *told = explain(&it, 1);
    assert_true(rls2_explanation_variance(told) == 0.0);
    for (int64_t k = 0; k < rls2_explanation_input_count(told); k++)
        assert_true(rls2_explanation_input(told, k)->alone == 0.0);
    assert_int_equal(rls2_explanation_pair_count(told), 0);
    rls2_explanation_free(told);
    made_free(&it);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(model_explain__every_kernel__is_as_by_predictions),
        cmocka_unit_test(model_explain__row_weights__count),
        cmocka_unit_test(model_explain__many_columns__is_as_by_predictions),
        cmocka_unit_test(model_explain__stack__is_of_the_whole),
        cmocka_unit_test(model_effect__whole_stack__has_the_curves_of_its_rows),
        cmocka_unit_test(joint_effect__kernels_of_more_inputs__is_the_mean_of_predictions),
        cmocka_unit_test(model_explain__kernels_of_one_input__sum_to_one_and_do_nothing_together),
        cmocka_unit_test(model_explain__product_of_two__is_found),
        cmocka_unit_test(model_explain__many_inputs__compares_ten),
        cmocka_unit_test(model_explain__threads__change_no_bit),
        cmocka_unit_test(model_explain__what_cannot_be__is_refused),
        cmocka_unit_test(model_explain__numbers_beyond_all_bounds__is_an_error),
        cmocka_unit_test(model_explain__constant__has_no_shares),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
