/* Bases made of others: equal to those made anew of the same rows, labels and weights. */
#include "support/problem.h"
#include "support/one_output.h"
#include "support/control.h"
#include "support/unit_support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "basis/basis.h"

enum { SEEDS = 40, LAMBDAS = 5 };

static const char *const given_names[MAX_GIVEN] = {"K0", "K1"};

typedef struct setting {
    plain_problem problem;
    rls2_dictionary *dictionary;
    double *labels, *weights;
    rls2_basis_options options;
    double lambdas[LAMBDAS];
} setting;

static int has_spline(const plain_problem *problem)
{
    for (int64_t k = 0; k < problem->m; k++)
        if (problem->kernels[k].kind == SPLINE) return 1;
    return 0;
}

static setting setting_create(uint64_t seed, int64_t n, int weighted)
{
    rls2__random random;
    char spec[SPEC_ROOM];
    rls2_error err;
    setting it = {0};
    rls2__random_seed(&random, seed);
    it.problem = problem_create(&random, n, 3);
    for (int64_t i = 0; i < n; i++)
        it.problem.x[2 * n + i] = (double)(i % 3); /* constant in some classes */
    problem_add_linear(&it.problem);
    problem_add(&it.problem, LINEAR, 0.0, 0.0, -1);
    problem_add_random(&it.problem, &random, 12);
    rls2_columns columns = {
        .count = 3, .given_count = it.problem.given_count, .given_names = given_names};
    problem_spec(&it.problem, spec);
    assert_ok(rls2_dictionary_create(spec, &columns, &it.dictionary, &err), &err);
    it.labels = numbers(n);
    it.weights = numbers(n);
    for (int64_t i = 0; i < n; i++) {
        it.labels[i] = it.problem.x[i] > 0.3 ? 1.0 : -1.0;
        it.weights[i] = 0.2 + 3.0 * rls2__random_uniform(&random);
    }
    rls2_basis_options_init(&it.options, sizeof it.options);
    it.options.skip_degenerate = 1;
    it.options.labels = it.labels;
    if (weighted) it.options.row_weights = it.weights;
    return it;
}

static void setting_free(setting *it)
{
    rls2_dictionary_free(it->dictionary);
    free(it->labels);
    free(it->weights);
    problem_free(&it->problem);
}

static rls2_basis *basis_of(const setting *it, const rls2_rows *rows)
{
    rls2_basis *basis = NULL;
    rls2_error err;
    assert_ok(rls2_basis_create(it->dictionary, rows, &it->options, NULL, &basis, &err), &err);
    return basis;
}

static double largest_of(int64_t n, const double *x)
{
    double largest = 1e-300;
    for (int64_t i = 0; i < n; i++) largest = fmax(largest, fabs(x[i]));
    return largest;
}

/* What the operators do to vectors, and the paths of y: the function on the rows, and the
 * objective. */
static void assert_same_basis(const rls2_basis *a, const rls2_basis *b, const double *y,
                              uint64_t seed)
{
    int64_t n = a->n;
    rls2_error err;
    double *u = numbers(n), *v = numbers(n), *work = numbers(n), lambdas[LAMBDAS];
    assert_int_equal(a->n, b->n);
    for (int64_t k = 0; k < a->m; k++) {
        if (!(fabs(a->s[k] - b->s[k]) <= 1e-9 * b->s[k]))
            fail_msg("seed %d, kernel %s: scaling %.15g, made anew %.15g", (int)seed,
                     a->kernels[k].name, a->s[k], b->s[k]);
        rls2__basis_apply(unit_alone(), a, k, y, u, work);
        rls2__basis_apply(unit_alone(), b, k, y, v, work);
        double size = largest_of(n, v);
        for (int64_t i = 0; i < n; i++)
            if (!(fabs(u[i] - v[i]) <= 1e-9 * size))
                fail_msg("seed %d, kernel %s (%s): %g of %g", (int)seed, a->kernels[k].name,
                         a->ops[k].shape->name, u[i], v[i]);
        if (fabs(a->ops[k].trace - b->ops[k].trace) > 1e-9 * b->ops[k].trace)
            fail_msg("seed %d, kernel %s: trace %g, %g", (int)seed, a->kernels[k].name,
                     a->ops[k].trace, b->ops[k].trace);
        assert_true(a->ops[k].norm >=
                    rls2__basis_frobenius(b, k, work) / (sqrt((double)n) * (1.0 + 1e-9)));
    }
    rls2_path *p = NULL, *q = NULL;
    rls2_path_options options;
    rls2_path_options_init(&options, sizeof options);
    options.gap_tol = 1e-11;
    assert_ok(grid_of_one(b, y, RLS2_INTERCEPT_MEAN, 1e-4, LAMBDAS, lambdas, &err), &err);
    assert_ok(fit_one(a, y, LAMBDAS, lambdas, &options, &p, &err), &err);
    assert_ok(fit_one(b, y, LAMBDAS, lambdas, &options, &q, &err), &err);
    for (int64_t i = 0; i < LAMBDAS; i++) {
        const rls2_path_point *s = rls2_path_at(p, i), *t = rls2_path_at(q, i);
        rls2_certificate proof;
        if (!(fabs(s->objective - t->objective) <= 1e-9 * t->objective + 1e-300))
            fail_msg("seed %d: objective %.15g, %.15g", (int)seed, s->objective, t->objective);
        assert_ok(rls2_path_certify(p, i, &proof, sizeof proof, &err), &err);
        assert_true(fabs(proof.primal - s->objective) <= 1e-9 * s->objective + 1e-300);
        if (!(proof.relative_gap <= s->gap + 1e-13))
            fail_msg("seed %d: certified gap %g, told %g", (int)seed, proof.relative_gap, s->gap);
    }
    rls2_path_free(p);
    rls2_path_free(q);
    free(u);
    free(v);
    free(work);
}

/* ---- other labels ---- */

/* Half and half, a class of one row, and none of a class. */
static void other_labels(int kind, int64_t n, const plain_problem *problem, double *labels)
{
    for (int64_t i = 0; i < n; i++) {
        if (kind == 0) labels[i] = problem->y[i] > 0.0 ? 1.0 : -1.0;
        if (kind == 1) labels[i] = i == 4 ? 1.0 : -1.0;
        if (kind == 2) labels[i] = 1.0;
        if (kind == 3) labels[i] = problem->x[2 * n + i] > 0.5 ? 3.0 : -2.0;
    }
}

/* No limit, room for nothing, for some factors, and for some triangles beside them: the results are
 * the same. */
static int64_t little_memory(uint64_t seed, int64_t n)
{
    int64_t triangle = n * (n + 1) / 2 * (int64_t)sizeof(double);
    const int64_t limits[] = {0, 1, triangle, 7 * triangle};
    return limits[seed % 4];
}

static void rescale__any_labels__is_the_basis_made_with_them(void **state)
{
    (void)state;
    int64_t skipped = 0, recomputed = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        setting it = setting_create(seed, 31, seed % 2);
        rls2_rows rows = problem_rows(&it.problem);
        rls2_error err;
        double *labels = numbers(31);
        it.options.scaling = seed % 3 ? RLS2_SCALING_FISHER : RLS2_SCALING_FISHER_SQRT;
        /* the third column is constant within these classes, and is skipped at first */
        for (int i = 0; i < 31; i++) it.problem.x[2 * 31 + i] = it.labels[i];
        it.options.memory = little_memory(seed, 31);
        rls2_basis *first = basis_of(&it, &rows);
        recomputed += first->recomputed;
        it.options.memory = 0;
        for (int64_t k = 0; k < first->m; k++) skipped += first->s[k] == 0.0;
        for (int kind = 0; kind < 4; kind++) {
            rls2_basis *rescaled = NULL, *again = NULL;
            other_labels(kind, 31, &it.problem, labels);
            assert_ok(rls2_basis_rescale(first, labels, NULL, &rescaled, &err), &err);
            it.options.labels = labels;
            rls2_basis *anew = basis_of(&it, &rows);
            assert_same_basis(rescaled, anew, it.problem.y, seed);
            assert_true(rls2_basis_bytes(rescaled) <= rls2_basis_bytes(anew));
            if (first->memory)
                assert_true(rls2_basis_bytes(rescaled) <= first->memory - rls2_basis_bytes(first));
            assert_ok(rls2_basis_rescale(rescaled, it.labels, NULL, &again, &err), &err);
            assert_same_basis(again, first, it.problem.y, seed);
            rls2_basis_free(again);
            rls2_basis_free(rescaled);
            rls2_basis_free(anew);
        }
        rls2_basis_free(first);
        free(labels);
        setting_free(&it);
    }
    assert_true(skipped > SEEDS && recomputed > SEEDS);
}

static void rescale__the_same_labels__shares_everything(void **state)
{
    (void)state;
    setting it = setting_create(3, 31, 1);
    rls2_rows rows = problem_rows(&it.problem);
    rls2_error err;
    it.options.scaling = RLS2_SCALING_FISHER;
    rls2_basis *first = basis_of(&it, &rows), *rescaled = NULL;
    assert_ok(rls2_basis_rescale(first, it.labels, NULL, &rescaled, &err), &err);
    for (int64_t k = 0; k < first->m; k++) {
        if (first->s[k] == 0.0) continue;
        assert_ptr_equal(rescaled->ops[k].factor, first->ops[k].factor);
        assert_ptr_equal(rescaled->ops[k].packed, first->ops[k].packed);
        assert_ptr_equal(rescaled->ops[k].full, first->ops[k].full);
        assert_null(rescaled->ops[k].owned);
    }
    assert_int_equal(rls2_basis_bytes(rescaled), 0);
    rls2_basis_free(rescaled);
    rls2_basis_free(first);
    setting_free(&it);
}

/* A degenerate kernel is refused as it is when a basis is made, where it is not to be skipped. */
static void rescale__labels_that_leave_no_variance__are_refused_by_name(void **state)
{
    (void)state;
    setting it = setting_create(4, 31, 0);
    rls2_rows rows = problem_rows(&it.problem);
    rls2_error err;
    double labels[31];
    it.options.scaling = RLS2_SCALING_FISHER;
    it.options.skip_degenerate = 0;
    for (int i = 0; i < 31; i++) it.problem.x[2 * 31 + i] = i % 2;
    for (int i = 0; i < 31; i++) labels[i] = i % 2 ? 1.0 : -1.0;
    rls2_basis *first = basis_of(&it, &rows), *rescaled = NULL;
    assert_int_equal(rls2_basis_rescale(first, labels, NULL, &rescaled, &err), RLS2_ERR_VALUE);
    assert_non_null(strstr(
        err.message, "kernel 'linear@x3' cannot be scaled: its within-class variance is zero"));
    assert_null(rescaled);
    rls2_basis_free(first);
    setting_free(&it);
}

/* ---- some rows ---- */

typedef struct part {
    int64_t count;
    int64_t rows[64];
    plain_problem problem;
    double labels[64], weights[64];
} part;

static part draw_part(const setting *it, int64_t count, rls2__random *random)
{
    const plain_problem *whole = &it->problem;
    int64_t n = whole->n, order[64];
    part p = {.count = count, .problem = *whole};
    for (int64_t i = 0; i < n; i++) order[i] = i;
    for (int64_t i = 0; i < count; i++) {
        int64_t other = i + rls2__random_below(random, n - i), swap = order[i];
        order[i] = order[other];
        order[other] = swap;
        p.rows[i] = order[i];
        p.labels[i] = it->labels[order[i]];
        p.weights[i] = 0.5 + 2.0 * rls2__random_uniform(random);
    }
    p.problem.n = count;
    p.problem.x = numbers(count * whole->p);
    p.problem.y = numbers(count);
    for (int64_t i = 0; i < count; i++) {
        p.problem.y[i] = whole->y[p.rows[i]];
        for (int64_t j = 0; j < whole->p; j++)
            p.problem.x[j * count + i] = whole->x[j * n + p.rows[i]];
    }
    for (int64_t g = 0; g < whole->given_count; g++) {
        p.problem.given[g] = numbers(count * count);
        for (int64_t j = 0; j < count; j++)
            for (int64_t i = 0; i < count; i++)
                p.problem.given[g][j * count + i] = whole->given[g][p.rows[j] * n + p.rows[i]];
    }
    return p;
}

/* rule: 0 to 3 as the enumeration, 4 the centred trace, 5 the transductive one */
static void set_rule(int rule, const rls2_rows *extra, rls2_basis_options *options)
{
    options->scaling = rule < 4 ? (rls2_scaling)rule : RLS2_SCALING_TRACE;
    options->center = rule == 4;
    options->transductive = rule == 5 ? extra : NULL;
}

static void take__some_rows__is_the_basis_made_of_them(void **state)
{
    (void)state;
    int shapes[3] = {0};
    int64_t recomputed[2] = {0}; /* of the wholes, and of the parts */
    rls2__random random;
    rls2_error err;
    rls2__random_seed(&random, 11);
    for (uint64_t seed = 0; seed < 2 * SEEDS; seed++) {
        setting it = setting_create(seed, 43, seed % 2);
        if (has_spline(&it.problem)) {
            setting_free(&it);
            continue;
        }
        rls2_rows rows = problem_rows(&it.problem);
        double extra_x[9];
        for (int i = 0; i < 9; i++) extra_x[i] = rls2__random_normal(&random);
        rls2_rows extra = {.n = 3, .p = 3, .x = extra_x};
        int rule = (int)rls2__random_below(&random, it.problem.given_count ? 5 : 6);
        set_rule((int)(seed % 4), NULL, &it.options);
        it.options.memory = little_memory(seed / 4, 43);
        rls2_basis *whole = basis_of(&it, &rows), *taken = NULL;
        recomputed[0] += whole->recomputed;
        part p = draw_part(&it, seed % 5 ? 33 : 7, &random);
        set_rule(rule, &extra, &it.options);
        it.options.labels = p.labels;
        it.options.row_weights = seed % 3 ? NULL : p.weights;
        it.options.memory = little_memory(seed / 16, p.count);
        assert_ok(rls2_basis_take(whole, p.count, p.rows, &it.options, ON_THREADS(seed % 4 ? 1 : 2),
                                  &taken, &err),
                  &err);
        rls2_basis_free(whole); /* it stands alone */
        recomputed[1] += taken->recomputed;
        it.options.memory = 0;
        rls2_rows part_rows = problem_rows(&p.problem);
        rls2_basis *anew = basis_of(&it, &part_rows);
        assert_same_basis(taken, anew, p.problem.y, seed);
        for (int64_t k = 0; k < taken->m; k++) {
            shapes[0] += strcmp(rls2_basis_shape(taken, k), "dense") == 0;
            shapes[1] += strcmp(rls2_basis_shape(taken, k), "factor") == 0;
            shapes[2] += strcmp(rls2_basis_shape(taken, k), "given") == 0;
        }
        rls2_basis_free(taken);
        rls2_basis_free(anew);
        problem_free(&p.problem);
        setting_free(&it);
    }
    assert_true(shapes[0] > 20 && shapes[1] > 20 && shapes[2] > 2);
    assert_true(recomputed[0] > 20 && recomputed[1] > 20);
}

/* Constant in each class of the whole, but not of the labels of the part. */
static void take__kernel_skipped_in_the_whole__is_evaluated(void **state)
{
    (void)state;
    setting it = setting_create(1, 31, 0);
    rls2_rows rows = problem_rows(&it.problem);
    rls2_error err;
    int64_t numbers_taken[20];
    double labels[20];
    it.options.scaling = RLS2_SCALING_FISHER;
    for (int i = 0; i < 31; i++) it.problem.x[2 * 31 + i] = it.labels[i];
    rls2_basis *whole = basis_of(&it, &rows), *taken = NULL;
    assert_true(whole->s[2] == 0.0);
    for (int i = 0; i < 20; i++) numbers_taken[i] = i, labels[i] = i % 2 ? 1.0 : -1.0;
    it.options.labels = labels;
    assert_ok(rls2_basis_take(whole, 20, numbers_taken, &it.options, NULL, &taken, &err), &err);
    assert_true(taken->s[2] > 0.0 && taken->ops[2].rank == 1);
    rls2_basis_free(taken);
    rls2_basis_free(whole);
    setting_free(&it);
}

/* The range is that of the whole: R of the part is a part of R. */
static void take__splines__keep_their_range(void **state)
{
    (void)state;
    rls2_error err;
    rls2__random random;
    const double lambda = 0.05;
    int64_t rows_taken[12];
    rls2__random_seed(&random, 2);
    plain_problem problem = problem_create(&random, 40, 1);
    problem_add(&problem, SPLINE, 0.0, 0.0, 0);
    rls2_basis_options options;
    rls2_basis_options_init(&options, sizeof options);
    options.scaling = RLS2_SCALING_NONE;
    fitted_path whole = fit(&problem, &options, 1, &lambda, NULL);
    assert_int_equal(rls2__basis_depends_on_rows(whole.dictionary), 1);
    for (int i = 0; i < 12; i++) rows_taken[i] = 3 * i;
    rls2_basis *taken = NULL;
    rls2_path *path = NULL;
    assert_ok(rls2_basis_take(whole.basis, 12, rows_taken, &options, NULL, &taken, &err), &err);
    const double s = 1.0;
    long double *R = plain_matrices(&problem, &s);
    for (int j = 0; j < 12; j++) {
        double unit[12] = {0}, column[12], work[12];
        unit[j] = 1.0;
        rls2__basis_apply(unit_alone(), taken, 0, unit, column, work);
        for (int i = 0; i < 12; i++)
            assert_true(fabs(column[i] - (double)R[rows_taken[j] * 40 + rows_taken[i]]) < 1e-12);
    }
    double y[12];
    for (int i = 0; i < 12; i++) y[i] = problem.y[rows_taken[i]];
    assert_ok(fit_one(taken, y, 1, &lambda, NULL, &path, &err), &err);
    rls2_certificate proof;
    assert_ok(rls2_path_certify(path, 0, &proof, sizeof proof, &err), &err);
    assert_true(fabs(proof.primal - rls2_path_at(path, 0)->objective) < 1e-12);
    assert_true(proof.relative_gap < 1e-10);
    rls2_model *model = NULL; /* it would fit the range to the rows taken */
    assert_int_equal(model_of_one(path, 0, &model, &err), RLS2_ERR_ARGUMENT);
    assert_non_null(strstr(err.message, "range of a larger basis"));
    assert_null(model);
    rls2_path_free(path);
    rls2_basis_free(taken);
    free(R);
    fitted_free(&whole);
    problem_free(&problem);
}

static int stop_at_once(void *user, const rls2_progress *progress)
{
    (void)progress;
    ++*(int *)user;
    return 1;
}

static void take__progress_and_limit_of_memory__are_heeded(void **state)
{
    (void)state;
    setting it = setting_create(5, 43, 0);
    rls2_rows rows = problem_rows(&it.problem);
    rls2_error err;
    int64_t rows_taken[30];
    int calls = 0;
    for (int i = 0; i < 30; i++) rows_taken[i] = i;
    rls2_basis *whole = basis_of(&it, &rows), *taken = NULL;
    assert_int_equal(rls2_basis_take(whole, 30, rows_taken, &it.options,
                                     WATCHED_BY(stop_at_once, &calls, 0), &taken, &err),
                     RLS2_ERR_CANCELLED);
    assert_true(calls == 1);
    it.options.memory = 8;
    assert_ok(rls2_basis_take(whole, 30, rows_taken, &it.options, NULL, &taken, &err), &err);
    assert_int_equal(rls2_basis_bytes(taken), 0);
    assert_true(taken->recomputed > 5);
    rls2_basis_free(taken);
    rls2_basis_free(whole);
    setting_free(&it);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rescale__any_labels__is_the_basis_made_with_them),
        cmocka_unit_test(rescale__the_same_labels__shares_everything),
        cmocka_unit_test(rescale__labels_that_leave_no_variance__are_refused_by_name),
        cmocka_unit_test(take__some_rows__is_the_basis_made_of_them),
        cmocka_unit_test(take__kernel_skipped_in_the_whole__is_evaluated),
        cmocka_unit_test(take__splines__keep_their_range),
        cmocka_unit_test(take__progress_and_limit_of_memory__are_heeded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
