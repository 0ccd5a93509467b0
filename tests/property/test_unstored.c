/* Paths on bases that store little or nothing: those of bases that store all. */
#include "support/problem.h"
#include "support/one_output.h"
#include "support/control.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "basis/basis.h"

enum { SEEDS = 24, POINTS = 6, ROWS = 47 };

static const char *const given_names[MAX_GIVEN] = {"K0", "K1"};

typedef struct setting {
    plain_problem problem;
    rls2_dictionary *dictionary;
    int weighted;
    double weights[ROWS];
    double lambdas[POINTS];
    rls2_basis_options basis;
    rls2_path_options path;
} setting;

/* Random kernels, and families on the same columns. */
static setting setting_create(uint64_t seed)
{
    rls2__random random;
    char spec[SPEC_ROOM];
    rls2_error err;
    setting it = {0};
    rls2__random_seed(&random, seed);
    it.problem = problem_create(&random, ROWS, 3);
    problem_add_random(&it.problem, &random, 10);
    for (int e = 0; e < 4; e++) problem_add(&it.problem, RBF, pow(4.0, e), 0.0, -1);
    for (int e = 0; e < 4; e++) problem_add(&it.problem, RBF, pow(5.0, e), 0.0, 1);
    problem_add(&it.problem, LAPLACE, 0.7, 0.0, -1);
    rls2_columns columns = {
        .count = 3, .given_count = it.problem.given_count, .given_names = given_names};
    problem_spec(&it.problem, spec);
    assert_ok(rls2_dictionary_create(spec, &columns, &it.dictionary, &err), &err);
    for (int i = 0; i < ROWS; i++) it.weights[i] = 0.2 + 3.0 * rls2__random_uniform(&random);
    rls2_basis_options_init(&it.basis, sizeof it.basis);
    it.basis.skip_degenerate = 1;
    it.weighted = seed % 2 == 1;
    rls2_path_options_init(&it.path, sizeof it.path);
    it.path.solver = seed % 3 == 2 ? RLS2_SOLVER_ALTERNATE : RLS2_SOLVER_NEWTON;
    it.path.gap_tol = 1e-9;
    it.path.degrees_of_freedom = seed % 5 == 0 ? RLS2_DF_EACH : RLS2_DF_NONE;
    assert_ok(rls2_lambda_grid(1e-3, 10.0, POINTS, it.lambdas, &err), &err);
    return it;
}

static void setting_free(setting *it)
{
    rls2_dictionary_free(it->dictionary);
    problem_free(&it->problem);
}

typedef struct fitted {
    rls2_basis *basis;
    rls2_path *path;
} fitted;

static fitted fit_with(const setting *it, int64_t stored, int64_t remembered, int threads)
{
    fitted f = {0};
    rls2_error err;
    rls2_rows rows = problem_rows(&it->problem);
    rls2_basis_options basis = it->basis;
    rls2_path_options path = it->path;
    if (it->weighted) basis.row_weights = it->weights;
    basis.memory = stored;
    path.memory = remembered;
    assert_ok(rls2_basis_create(it->dictionary, &rows, &basis, ON_THREADS(threads), &f.basis, &err),
              &err);
    assert_ok(fit_one(f.basis, it->problem.y, POINTS, it->lambdas, &path, &f.path, &err), &err);
    return f;
}

static void fitted_end(fitted *f)
{
    rls2_path_free(f->path);
    rls2_basis_free(f->basis);
}

static void assert_close(uint64_t seed, int64_t point, const char *what, double a, double b,
                         double size)
{
    if (fabs(a - b) <= 1e-10 * size) return;
    fail_msg("seed %d, point %d, %s: %.15g and %.15g", (int)seed, (int)point, what, a, b);
}

static double largest_of(int64_t n, const double *x)
{
    double largest = 0.0;
    for (int64_t i = 0; i < n; i++) largest = fmax(largest, fabs(x[i]));
    return largest;
}

static void assert_same_path(uint64_t seed, const fitted *a, const fitted *b)
{
    int64_t m = b->basis->m;
    for (int64_t i = 0; i < POINTS; i++) {
        const rls2_path_point *p = rls2_path_at(a->path, i), *q = rls2_path_at(b->path, i);
        const double *c = rls2_path_c(a->path, i), *e = rls2_path_c(b->path, i);
        double *d = dense_weights(a->path, i, m), *g = dense_weights(b->path, i, m);
        rls2_certificate proof;
        rls2_error err;
        assert_int_equal(p->outcome, q->outcome);
        assert_int_equal(p->iterations, q->iterations);
        assert_int_equal(p->factorizations, q->factorizations);
        assert_close(seed, i, "objective", p->objective, q->objective, q->objective);
        assert_close(seed, i, "gap", p->gap, q->gap, 1.0);
        if (!isnan(q->df)) assert_close(seed, i, "df", p->df, q->df, 1.0 + q->df);
        for (int64_t j = 0; j < ROWS; j++)
            assert_close(seed, i, "c", c[j], e[j], largest_of(ROWS, e));
        for (int64_t k = 0; k < m; k++) assert_close(seed, i, "d", d[k], g[k], 1.0);
        assert_ok(rls2_path_certify(a->path, i, &proof, sizeof proof, &err), &err);
        assert_true(proof.relative_gap <= p->gap + 1e-13);
        free(d), free(g);
    }
}

static void path_fit__whatever_is_stored__is_the_same(void **state)
{
    (void)state;
    const int64_t triangle = ROWS * (ROWS + 1) / 2 * (int64_t)sizeof(double);
    const int64_t stored[] = {1, triangle, 9 * triangle}, remembered[] = {0, 2 * triangle, 1 << 30};
    int64_t recomputed = 0, selected = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        setting it = setting_create(seed);
        for (int t = 0; t < 3; t++) {
            fitted all = fit_with(&it, 0, remembered[(seed + (uint64_t)t) % 3], 1);
            fitted few = fit_with(&it, stored[t], remembered[(seed + (uint64_t)t) % 3], 1);
            assert_int_equal(all.basis->recomputed, 0);
            assert_true(rls2_basis_bytes(few.basis) <= stored[t]);
            assert_same_path(seed, &few, &all);
            recomputed += few.basis->recomputed;
            const int64_t *ks;
            int64_t count = rls2_path_kernel_weights(few.path, POINTS - 1, &ks, NULL);
            for (int64_t i = 0; i < count; i++)
                selected += strcmp(rls2_basis_shape(few.basis, ks[i]), "recomputed") == 0;
            fitted_end(&all);
            fitted_end(&few);
        }
        setting_free(&it);
    }
    assert_true(recomputed > 10 * SEEDS && selected > 3 * SEEDS);
}

static void path_fit__any_number_of_threads__the_same_bits(void **state)
{
    (void)state;
    const int64_t triangle = ROWS * (ROWS + 1) / 2 * (int64_t)sizeof(double);
    for (uint64_t seed = 0; seed < 8; seed++) {
        setting it = setting_create(seed);
        fitted one = fit_with(&it, (int64_t)seed * triangle + 1, triangle, 1);
        fitted two = fit_with(&it, (int64_t)seed * triangle + 1, triangle, 2);
        for (int64_t k = 0; k < one.basis->m; k++) {
            assert_string_equal(rls2_basis_shape(one.basis, k), rls2_basis_shape(two.basis, k));
            assert_memory_equal(&one.basis->ops[k].norm, &two.basis->ops[k].norm, sizeof(double));
        }
        for (int64_t i = 0; i < POINTS; i++)
            assert_memory_equal(rls2_path_c(one.path, i), rls2_path_c(two.path, i),
                                ROWS * sizeof(double));
        fitted_end(&one);
        fitted_end(&two);
        setting_free(&it);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(path_fit__whatever_is_stored__is_the_same),
        cmocka_unit_test(path_fit__any_number_of_threads__the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
