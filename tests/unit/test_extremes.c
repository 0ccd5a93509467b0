/* Units, sizes and near-degeneracy: answers do not depend on the unit of y, nothing that cannot be
 * computed with gets in, nearly constant kernels are scaled to all digits, and a gap that is not
 * known is never zero. */
#include "support/unit_support.h"
#include "support/one_output.h"

#include <math.h>

#include "rls2/model.h"
#include "rls2/path.h"

enum { N = 40, P = 3 };

static const double LAMBDAS[] = {1.0, 1e-2, 1e-4};
enum { POINTS = sizeof LAMBDAS / sizeof *LAMBDAS };

typedef struct fitted {
    unit_fixture f;
    rls2_path *path;
} fitted;

static fitted fit(const char *spec, const double *x, const double *y,
                  const rls2_basis_options *basis_options, const rls2_path_options *options)
{
    const rls2_rows rows = {.n = N, .p = P, .x = x};
    fitted it = {.f = unit_fixture_create(spec, &rows, basis_options)};
    rls2_error err = {.message = ""};
    if (fit_one(it.f.basis, y, POINTS, LAMBDAS, options, &it.path, &err) != RLS2_OK)
        fail_msg("%s", err.message);
    return it;
}

static void fitted_free(fitted *it)
{
    rls2_path_free(it->path);
    unit_fixture_free(&it->f);
}

/* y times a power of two: c times it, to the bit, and the same gaps. */
static void assert_scales(const char *spec, rls2_solver solver, int exponent)
{
    double *x = unit_normal(1, N * P), *y = unit_normal(2, N), *scaled = unit_room(N);
    rls2_path_options options;
    rls2_path_options_init(&options, sizeof options);
    options.solver = solver;
    for (int i = 0; i < N; i++) scaled[i] = ldexp(y[i], exponent);
    fitted plain = fit(spec, x, y, NULL, &options), other = fit(spec, x, scaled, NULL, &options);
    for (int64_t i = 0; i < POINTS; i++) {
        const rls2_path_point *a = rls2_path_at(plain.path, i), *b = rls2_path_at(other.path, i);
        assert_true(a->gap > 0.0);
        assert_true(a->gap == b->gap);
        assert_int_equal(a->iterations, b->iterations);
        for (int64_t j = 0; j < N; j++)
            assert_true(ldexp(rls2_path_c(plain.path, i)[j], exponent) ==
                        rls2_path_c(other.path, i)[j]);
        rls2_certificate certificate;
        assert_int_equal(rls2_path_certify(other.path, i, &certificate, sizeof certificate, NULL),
                         RLS2_OK);
        assert_at_most(certificate.relative_gap, b->gap * (1 + 1e-6) + 1e-12);
    }
    fitted_free(&plain), fitted_free(&other);
    free(x), free(y), free(scaled);
}

static void path__unit_of_y__changes_nothing_but_the_unit(void **state)
{
    (void)state;
    static const int EXPONENTS[] = {-900, -565, -40, 3, 480};
    for (size_t e = 0; e < sizeof EXPONENTS / sizeof *EXPONENTS; e++) {
        assert_scales("linear@each", RLS2_SOLVER_NEWTON, EXPONENTS[e]);
        assert_scales("rbf(1)@each; poly(2)@all", RLS2_SOLVER_NEWTON, EXPONENTS[e]);
        assert_scales("rbf(1)@each; linear@all", RLS2_SOLVER_ALTERNATE, EXPONENTS[e]);
    }
}

/* c beyond the range of a double: nothing is claimed, and the answer is the one whose gap is 1. */
static void path__c_out_of_range__claims_nothing(void **state)
{
    (void)state;
    static const double lambda = 1e100;
    double *x = unit_normal(1, N * P), y[N];
    const rls2_rows rows = {.n = N, .p = P, .x = x};
    for (int i = 0; i < N; i++) y[i] = ldexp(1.0 + i % 3, -900);
    unit_fixture f = unit_fixture_create("rbf(1)@each", &rows, NULL);
    rls2_path *path = NULL;
    assert_int_equal(fit_one(f.basis, y, 1, &lambda, NULL, &path, NULL), RLS2_OK);
    assert_true(rls2_path_at(path, 0)->gap == 1.0);
    assert_int_equal(rls2_path_at(path, 0)->outcome, RLS2_OUTCOME_STALLED);
    assert_true(rls2_path_c(path, 0)[0] == 0.0);
    rls2_path_free(path);
    unit_fixture_free(&f);
    free(x);
}

static void path__vast_lambda__is_y_over_lambda(void **state)
{
    (void)state;
    static const double lambda = 1e200;
    double *x = unit_normal(1, N * P), *y = unit_normal(2, N);
    const rls2_rows rows = {.n = N, .p = P, .x = x};
    unit_fixture f = unit_fixture_create("rbf(1)@each; linear@all", &rows, NULL);
    rls2_path_options options;
    rls2_path_options_init(&options, sizeof options);
    options.intercept = RLS2_INTERCEPT_NONE;
    options.degrees_of_freedom = RLS2_DF_EACH;
    rls2_path *path = NULL;
    assert_int_equal(fit_one(f.basis, y, 1, &lambda, &options, &path, NULL), RLS2_OK);
    const rls2_path_point *point = rls2_path_at(path, 0);
    assert_int_equal(point->outcome, RLS2_OUTCOME_CONVERGED);
    assert_true(point->gap > 0.0 && point->gap < 1e-30);
    assert_near(point->objective, 0.5 * unit_inner(N, y, y), 1e-12);
    assert_near(point->df * lambda, 1.0, 1e-12); /* the trace of the kernel selected */
    for (int i = 0; i < N; i++)
        assert_near(rls2_path_c(path, 0)[i] * lambda, y[i], 1e-14 * fabs(y[i]));
    rls2_path_free(path);
    unit_fixture_free(&f);
    free(x), free(y);
}

static void path__one_iteration__has_weights_and_a_gap(void **state)
{
    (void)state;
    double *x = unit_normal(3, N * P), *y = unit_normal(4, N);
    rls2_path_options options;
    rls2_path_options_init(&options, sizeof options);
    options.max_iter = 1;
    rls2_basis_options unscaled;
    rls2_basis_options_init(&unscaled, sizeof unscaled);
    unscaled.scaling = RLS2_SCALING_NONE;
    for (int i = 0; i < N * P; i++) x[i] *= 1e30; /* lambda drowns in rounding: no gap is small */
    fitted it = fit("linear@each", x, y, &unscaled, &options);
    for (int64_t i = 0; i < POINTS; i++) {
        const double *d;
        double sum = 0.0;
        int64_t count = rls2_path_kernel_weights(it.path, i, NULL, &d);
        for (int64_t k = 0; k < count; k++) sum += d[k];
        assert_near(sum, 1.0, 1e-12);
        assert_true(rls2_path_at(it.path, i)->gap > 0.0);
        assert_true(rls2_path_at(it.path, i)->objective > 0.0);
    }
    fitted_free(&it);
    free(x), free(y);
}

/* A column of zeros is a kernel that cannot be scaled: it has no weight, also where nothing fits y.
 */
static void path__kernel_that_cannot_be_scaled__is_never_selected(void **state)
{
    (void)state;
    double *x = unit_normal(5, N * P), y[N];
    for (int i = 0; i < N; i++) x[N + i] = 0.0, y[i] = ldexp((i % 2 ? 1.0 : -1.0), -1000);
    rls2_basis_options skip;
    rls2_basis_options_init(&skip, sizeof skip);
    skip.skip_degenerate = 1;
    static const rls2_solver SOLVERS[] = {RLS2_SOLVER_NEWTON, RLS2_SOLVER_ALTERNATE};
    for (int t = 0; t < 2; t++) {
        rls2_path_options options;
        rls2_path_options_init(&options, sizeof options);
        options.solver = SOLVERS[t];
        fitted it = fit("linear@each", x, y, &skip, &options);
        for (int64_t i = 0; i < POINTS; i++) {
            const int64_t *ks;
            int64_t count = rls2_path_kernel_weights(it.path, i, &ks, NULL);
            assert_true(count > 0);
            for (int64_t k = 0; k < count; k++) assert_int_not_equal(ks[k], 1);
        }
        fitted_free(&it);
    }
    free(x);
}

static void certify__kernel_left_out_that_overflows__is_none_of_the_problem(void **state)
{
    (void)state;
    double *x = unit_normal(6, N * P), *y = unit_normal(7, N);
    for (int i = 0; i < N; i++) x[2 * N + i] *= 1e300;
    rls2_basis_options skip;
    rls2_basis_options_init(&skip, sizeof skip);
    skip.skip_degenerate = 1;
    fitted it = fit("linear@each; poly(3)@x3", x, y, &skip, NULL);
    rls2_certificate certificate;
    for (int64_t i = 0; i < POINTS; i++) {
        assert_int_equal(rls2_path_certify(it.path, i, &certificate, sizeof certificate, NULL),
                         RLS2_OK);
        assert_at_most(certificate.relative_gap, rls2_path_at(it.path, i)->gap + 1e-12);
    }
    fitted_free(&it);
    free(x), free(y);
}

/* d of sum 1 + 9e-10 passes for the simplex, but earns nothing. */
static void certify__weights_that_sum_to_more_than_one__have_no_smaller_gap(void **state)
{
    (void)state;
    double *x = unit_normal(13, N), *y = unit_normal(14, N), c[N], s[] = {1.0 / N};
    const rls2_rows rows = {.n = N, .p = 1, .x = x};
    const double lambda = 1e-3, d[] = {1.0 + 9e-10};
    double xx = unit_inner(N, x, x) / N, xy = unit_inner(N, x, y) / N;
    for (int i = 0; i < N; i++) c[i] = (y[i] - x[i] * xy / (lambda + xx)) / lambda;
    rls2_dictionary *dictionary = unit_dictionary("linear@x1", 1);
    rls2_certificate found;
    assert_int_equal(
        rls2_certify(dictionary, &rows, s, NULL, y, lambda, d, c, &found, sizeof found, NULL),
        RLS2_OK);
    assert_true(found.gap >= 0.0 && found.relative_gap >= 0.0);
    assert_at_most(found.relative_gap, 1e-12);
    rls2_dictionary_free(dictionary);
    free(x), free(y);
}

/* Sums over many columns round more than those over few. */
static void gap__kernels_of_many_columns__counts_their_rounding(void **state)
{
    (void)state;
    enum { ROWS = 5, MANY = 50000 };
    double *x = unit_normal(15, ROWS * MANY), *y = unit_normal(16, ROWS);
    for (int i = 0; i < ROWS * MANY; i++) x[i] = 100.0 + 0.3 * sin(x[i]);
    const rls2_rows rows = {.n = ROWS, .p = MANY, .x = x};
    unit_fixture f = unit_fixture_create("poly(2)@all; poly(8)@all", &rows, NULL);
    const double *s = rls2_basis_scales(f.basis), lambda = 1e-15;
    rls2_path_options options;
    rls2_path_options_init(&options, sizeof options);
    options.intercept = RLS2_INTERCEPT_NONE;
    rls2_path *path = NULL;
    assert_int_equal(fit_one(f.basis, y, 1, &lambda, &options, &path, NULL), RLS2_OK);
    const double *c = rls2_path_c(path, 0), *weights;
    const int64_t *ks;
    int64_t count = rls2_path_kernel_weights(path, 0, &ks, &weights);
    long double fit[ROWS] = {0.0L}, max_q = 0.0L, cf = 0.0L, rest = 0.0L, primal = 0.0L;
    for (int k = 0; k < 2; k++) {
        long double q = 0.0L;
        for (int i = 0; i < ROWS; i++)
            for (int j = 0; j < ROWS; j++) {
                long double sum = 0.0L;
                for (int64_t t = 0; t < MANY; t++)
                    sum += (long double)x[t * ROWS + i] * x[t * ROWS + j];
                const double *param = f.basis->kernels[k].param;
                long double value = s[k] * powl(param[1] + param[2] * sum, k == 0 ? 2 : 8);
                q += value * c[i] * c[j];
                for (int64_t w = 0; w < count; w++)
                    if (ks[w] == k) fit[i] += weights[w] * value * c[j];
            }
        max_q = fmaxl(max_q, q);
    }
    for (int i = 0; i < ROWS; i++) {
        long double e = y[i] - fit[i], r = e - (long double)lambda * c[i];
        cf += c[i] * fit[i];
        rest += r * r;
        primal += 0.5L * e * e;
    }
    primal += 0.5L * lambda * cf;
    double truth = (double)((0.5L * rest + 0.5L * lambda * (max_q - cf)) / primal);
    rls2_certificate certificate;
    assert_int_equal(rls2_path_certify(path, 0, &certificate, sizeof certificate, NULL), RLS2_OK);
    assert_at_most(truth, rls2_path_at(path, 0)->gap * (1 + 1e-6) + 1e-12);
    assert_at_most(truth, certificate.relative_gap * (1 + 1e-6) + 1e-12);
    rls2_path_free(path);
    unit_fixture_free(&f);
    free(x), free(y);
}

/* ---- sizes that are refused ---- */

static void assert_refused(double factor, rls2_scaling scaling, const char *spec, const char *part)
{
    double *x = unit_normal(8, N * P);
    for (int i = 0; i < N * P; i++) x[i] *= factor;
    const rls2_rows rows = {.n = N, .p = P, .x = x};
    rls2_dictionary *dictionary = unit_dictionary(spec, P);
    rls2_basis_options options;
    rls2_basis_options_init(&options, sizeof options);
    options.scaling = scaling;
    rls2_basis *basis = NULL;
    rls2_error err = {.message = ""};
    assert_int_equal(rls2_basis_create(dictionary, &rows, &options, NULL, &basis, &err),
                     RLS2_ERR_VALUE);
    assert_contains(err.message, part);
    rls2_dictionary_free(dictionary);
    free(x);
}

static void basis__data_whose_squares_are_no_numbers__are_refused(void **state)
{
    (void)state;
    static const double FACTORS[] = {1e-200, 1e200};
    for (int i = 0; i < 2; i++) {
        assert_refused(FACTORS[i], RLS2_SCALING_TRACE, "matern(2.5)@all", "too large or too small");
        assert_refused(FACTORS[i], RLS2_SCALING_TRACE, "linear@each", "too large or too small");
        assert_refused(FACTORS[i], RLS2_SCALING_NONE, "rbf(1)@each", "too large or too small");
    }
    assert_refused(1e60, RLS2_SCALING_NONE, "linear@all", "must be 0 or between 1e-75 and 1e+75");
    assert_refused(1e-60, RLS2_SCALING_NONE, "poly(2,offset=0)@all",
                   "must be 0 or between 1e-75 and 1e+75");
}

/* ---- given matrices ---- */

static void fill_gram(const double *x, double *K)
{
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++)
            K[j * N + i] = exp(-0.5 * (x[i] - x[j]) * (x[i] - x[j])) + (i == j ? 1e-3 : 0.0);
}

static rls2_path *fit_given(const double *K, const double *y, unit_fixture *f)
{
    static const char *const NAMES[] = {"a"};
    const double *given[] = {K};
    const rls2_rows rows = {.n = N, .given_count = 1, .given = given};
    rls2_path *path = NULL;
    f->dictionary = unit_dictionary_given("given(a)", 0, 1, NAMES);
    f->basis = unit_basis(f->dictionary, &rows, NULL);
    assert_int_equal(fit_one(f->basis, y, POINTS, LAMBDAS, NULL, &path, NULL), RLS2_OK);
    return path;
}

static void given__not_quite_symmetric__counts_as_the_mean_with_its_transpose(void **state)
{
    (void)state;
    double *x = unit_normal(9, N), *y = unit_normal(10, N), *noise = unit_normal(11, N * N);
    double *K = unit_room(N * N), *transposed = unit_room(N * N), *mean = unit_room(N * N);
    fill_gram(x, K);
    for (int64_t i = 0; i < N * N; i++) K[i] += 1e-10 * noise[i];
    for (int64_t j = 0; j < N; j++)
        for (int64_t i = 0; i < N; i++) transposed[i * N + j] = mean[j * N + i] = K[j * N + i];
    double difference = 0.0;
    assert_int_equal(rls2_matrix_symmetrize(N, mean, &difference, NULL), RLS2_OK);
    assert_near(difference, 5e-10, 4e-10);
    double *const matrices[] = {K, transposed, mean};
    double first[N];
    for (int t = 0; t < 3; t++) {
        unit_fixture f;
        rls2_certificate certificate;
        rls2_path *path = fit_given(matrices[t], y, &f);
        if (t == 0) memcpy(first, rls2_path_c(path, 2), sizeof first);
        assert_memory_equal(rls2_path_c(path, 2), first, sizeof first);
        assert_int_equal(rls2_path_certify(path, 2, &certificate, sizeof certificate, NULL),
                         RLS2_OK);
        assert_at_most(certificate.relative_gap, rls2_path_at(path, 2)->gap + 1e-12);
        rls2_path_free(path);
        unit_fixture_free(&f);
    }
    free(x), free(y), free(noise), free(K), free(transposed), free(mean);
}

static void matrix_symmetrize__far_from_symmetric_or_no_numbers__leaves_it(void **state)
{
    (void)state;
    double far[] = {1.0, 0.5, 0.4, 1.0}, bad[] = {1.0, (double)NAN, 0.4, 1.0}, difference = 7.0;
    rls2_error err;
    assert_int_equal(rls2_matrix_symmetrize(2, far, &difference, &err), RLS2_ERR_VALUE);
    assert_contains(err.message, "not symmetric: entries differ by 0.1 of");
    assert_true(far[1] == 0.5 && far[2] == 0.4 && difference == 7.0);
    assert_int_equal(rls2_matrix_symmetrize(2, bad, NULL, NULL), RLS2_ERR_VALUE);
    assert_true(bad[2] == 0.4);
    assert_int_equal(rls2_matrix_symmetrize(2, NULL, NULL, NULL), RLS2_ERR_ARGUMENT);
    assert_int_equal(rls2_matrix_symmetrize(0, far, NULL, NULL), RLS2_ERR_ARGUMENT);
}

/* ---- kernels that hardly vary ---- */

/* |phi(x) - phi(z)|^2 of the kernels below in long double, of one column. */
static long double distance_of(int kind, long double x, long double z)
{
    long double d = x - z, t = sqrtl(5.0L) * fabsl(d);
    switch (kind) {
    case 0: return -2.0L * expm1l(-d * d);
    case 1: return -2.0L * expm1l(-fabsl(d));
    case 2:
        return t < 1e-3L ? 2.0L * t * t * (1.0L / 6.0L - t * t / 24.0L + t * t * t / 45.0L)
                         : 2.0L * (1.0L - (1.0L + t + t * t / 3.0L) * expl(-t));
    default: return powl(1.0L + x * x, 3) + powl(1.0L + z * z, 3) - 2.0L * powl(1.0L + x * z, 3);
    }
}

static const char *const NEARLY[] = {"rbf(1)@x1", "laplace(1)@x1", "matern(2.5,length=1)@x1",
                                     "poly(3,offset=1,scale=1)@x1"};

/* A column 2 + h z: each kernel is constant but for a share h^2, or h. */
static void scaling__nearly_constant_kernel__keeps_its_digits(void **state)
{
    (void)state;
    static const double STEPS[] = {1e-2, 1e-4, 1e-5};
    double *z = unit_normal(12, N), labels[N], s[1];
    for (int h = 0; h < 3; h++)
        for (int kind = 0; kind < 4; kind++) {
            double x[N * P] = {0.0};
            const rls2_rows rows = {.n = N, .p = P, .x = x};
            for (int i = 0; i < N; i++)
                x[i] = 2.0 + STEPS[h] * z[i], labels[i] = i % 2 ? 1.0 : -1.0;
            long double centred = 0.0L, within = 0.0L;
            for (int i = 0; i < N; i++)
                for (int j = 0; j < i; j++) {
                    long double d = distance_of(kind, x[i], x[j]);
                    centred += d / N;
                    if ((i + j) % 2 == 0) within += d / ((long double)N * N / 4);
                }
            rls2_dictionary *dictionary = unit_dictionary(NEARLY[kind], P);
            rls2_basis_options options;
            rls2_basis_options_init(&options, sizeof options);
            options.center = 1;
            double tolerance =
                kind == 3 ? 1e-17 / (STEPS[h] * STEPS[h]) : 1e-12; /* that of the reference */
            assert_int_equal(rls2_scaling_compute(dictionary, &rows, &options, NULL, s, NULL),
                             RLS2_OK);
            assert_near(s[0] * (double)centred, 1.0, fmax(1e-12, tolerance));
            options.center = 0;
            options.scaling = RLS2_SCALING_FISHER;
            options.labels = labels;
            assert_int_equal(rls2_scaling_compute(dictionary, &rows, &options, NULL, s, NULL),
                             RLS2_OK);
            assert_near(s[0] * (double)within, 1.0, fmax(1e-12, tolerance));
            rls2_dictionary_free(dictionary);
        }
    free(z);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(path__unit_of_y__changes_nothing_but_the_unit),
        cmocka_unit_test(path__c_out_of_range__claims_nothing),
        cmocka_unit_test(path__vast_lambda__is_y_over_lambda),
        cmocka_unit_test(path__one_iteration__has_weights_and_a_gap),
        cmocka_unit_test(path__kernel_that_cannot_be_scaled__is_never_selected),
        cmocka_unit_test(certify__kernel_left_out_that_overflows__is_none_of_the_problem),
        cmocka_unit_test(certify__weights_that_sum_to_more_than_one__have_no_smaller_gap),
        cmocka_unit_test(gap__kernels_of_many_columns__counts_their_rounding),
        cmocka_unit_test(basis__data_whose_squares_are_no_numbers__are_refused),
        cmocka_unit_test(given__not_quite_symmetric__counts_as_the_mean_with_its_transpose),
        cmocka_unit_test(matrix_symmetrize__far_from_symmetric_or_no_numbers__leaves_it),
        cmocka_unit_test(scaling__nearly_constant_kernel__keeps_its_digits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
