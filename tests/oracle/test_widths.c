/* The evidence of widths against scikit-learn, and its minimum against BFGS of SciPy. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "la/threads.h"
#include "support/problem.h"
#include "widths/descent.h"
#include "widths/widths.h"

/* Numbers of scikit-learn 1.9.1 and SciPy, on the eight inputs of data/prostate.csv and lpsa, all
 * standardised over the 97 rows (deviations divide by n):
 *
 *   gp = GaussianProcessRegressor(ConstantKernel(1) * RBF(ones(8)) + WhiteKernel(.1),
 *                                 optimizer=None).fit(X, y)
 *   def f(t):                       # t: 8 log w, log signal, log noise
 *       L, g = gp.log_marginal_likelihood(r_[t[8], -(t[:8] + log(2)) / 2, t[9]], True)
 *       m = t[:8].mean()
 *       return (-L - 97 / 2 * log(2 * pi) + sum((t[:8] - m)**2) / 2 + ((m - log(1/16)) / 3)**2 / 2
 *               + (t[8] / 3)**2 / 2 + ((t[9] + 2) / 3)**2 / 2)
 *   minimize(f, r_[full(8, log(1/16)), 0, log(.1)], method='BFGS', gtol 1e-7)
 *
 * That process adds 1e-10 to every variance, which is the tolerance below. */
enum { COLUMNS = 8, ALL = COLUMNS + RLS2__EVIDENCE_OTHERS };

static const double AT_START = 47.5498729839;
static const double GRADIENT_AT_START[ALL] = {-2.90108033, -3.03583590, 0.73666686, -0.58439690,
                                              -0.49254912, -1.24051960, 0.54934095, -0.06498769,
                                              -5.00006745, -60.40855354};
static const double OTHER[ALL] = {-3.0, -2.75, -2.5, -2.25, -2.0, -1.75, -1.5, -1.25, 0.3, -1.2};
static const double AT_OTHER = 26.1203890470;
static const double GRADIENT_AT_OTHER[ALL] = {-1.09124106, 0.41311593, 2.41884369, 1.97113279,
                                              0.46602073,  1.43288246, 2.04593654, 1.93053236,
                                              8.05693878,  -0.20197569};
static const double LEAST = 10.7964721213;
static const double BEST[ALL] = {-3.71196, -3.72347, -4.52236, -4.33857, -3.95696,
                                 -4.62462, -4.33660, -4.64265, 0.36767,  -1.08804};

static const int64_t FIRST[COLUMNS] = {0, 1, 2, 3, 4, 5, 6, 7};

/* Release; entered. */
static rls2__evidence prostate(double variances[COLUMNS])
{
    static const char *const drop[] = {"train"};
    rls2_error err;
    rls2_table *table = NULL;
    rls2_dataset *data = NULL;
    rls2_dataset_options options;
    rls2_dataset_options_init(&options, sizeof options);
    options.target = "lpsa";
    options.drop = drop;
    options.drop_count = 1;
    assert_ok(rls2_table_read("data/prostate.csv", NULL, &table, &err), &err);
    assert_ok(rls2_dataset_create(table, &options, &data, &err), &err);
    const rls2_rows rows = {.n = 97, .p = COLUMNS, .x = rls2_dataset_x(data)};
    const rls2__width_set set = {.count = COLUMNS, .columns = FIRST};
    const rls2__width_lesson lesson = {&rows, 1, rls2_dataset_y(data), NULL};
    rls2__evidence evidence;
    assert_int_equal(rls2__widths_prepare(&set, &lesson, &evidence, variances), RLS2_OK);
    assert_int_equal(rls2__la_enter(NULL), RLS2_OK);
    rls2_dataset_free(data);
    rls2_table_free(table);
    return evidence;
}

static void leave(rls2__evidence *evidence)
{
    rls2__la_leave();
    rls2__evidence_release(evidence);
}

static void assert_evidence(rls2__evidence *evidence, const double *at, double value,
                            const double *expected)
{
    double gradient[ALL];
    assert_true(fabs(rls2__evidence_evaluate(evidence, at, gradient) - value) < 1e-6);
    for (int j = 0; j < ALL; j++) assert_true(fabs(gradient[j] - expected[j]) < 1e-5);
}

static void evidence__prostate__value_and_gradient_of_scikit_learn(void **state)
{
    (void)state;
    double start[ALL], variances[COLUMNS];
    rls2__evidence evidence = prostate(variances);
    rls2__evidence_start(&evidence, start);
    assert_evidence(&evidence, start, AT_START, GRADIENT_AT_START);
    assert_evidence(&evidence, OTHER, AT_OTHER, GRADIENT_AT_OTHER);
    leave(&evidence);
}

static double evaluate(void *user, const double *parameters, double *gradient)
{
    return rls2__evidence_evaluate(user, parameters, gradient);
}

static double descend(rls2__evidence *evidence, int64_t evaluations, double *parameters)
{
    const rls2__descent descent = {ALL, evaluate, evidence, evaluations, 0.0};
    double *work = numbers(rls2__descent_work(ALL));
    rls2__evidence_start(evidence, parameters);
    double value = rls2__descend(&descent, parameters, work);
    free(work);
    return value;
}

static void descend__evidence_of_prostate__minimum_of_scipy(void **state)
{
    (void)state;
    double parameters[ALL], variances[COLUMNS];
    rls2__evidence evidence = prostate(variances);
    assert_true(fabs(descend(&evidence, 200, parameters) - LEAST) < 1e-7);
    for (int j = 0; j < ALL; j++) assert_true(fabs(parameters[j] - BEST[j]) < 1e-3);
    /* as many as are allowed come near enough */
    assert_true(descend(&evidence, RLS2__WIDTHS_EVALUATIONS, parameters) < LEAST + 1e-2);
    leave(&evidence);
}

/* ---- by definition, in long double ---- */

/* Of the lower triangle in place; the sum of the logarithms of its diagonal. */
static long double plain_factor(int64_t n, long double *A)
{
    long double sum = 0.0L;
    for (int64_t j = 0; j < n; j++) {
        for (int64_t i = j; i < n; i++) {
            for (int64_t k = 0; k < j; k++) A[j * n + i] -= A[k * n + i] * A[k * n + j];
            A[j * n + i] = i == j ? sqrtl(A[j * n + j]) : A[j * n + i] / A[j * n + j];
        }
        sum += logl(A[j * n + j]);
    }
    return sum;
}

/* |L^-1 y|^2, in the place of y. */
static long double plain_length(int64_t n, const long double *L, long double *y)
{
    long double sum = 0.0L;
    for (int64_t i = 0; i < n; i++) {
        for (int64_t k = 0; k < i; k++) y[i] -= L[k * n + i] * y[k];
        y[i] /= L[i * n + i];
        sum += y[i] * y[i];
    }
    return sum;
}

static long double plain_evidence(const rls2__evidence *e, const double *at)
{
    int64_t n = e->n, p = e->p;
    long double *C = malloc((size_t)(n * n) * sizeof *C), *y = malloc((size_t)n * sizeof *y);
    assert_true(C && y);
    for (int64_t a = 0; a < n; a++)
        for (int64_t b = 0; b < n; b++) {
            long double sum = 0.0L;
            for (int64_t j = 0; j < p; j++)
                sum += expl(at[j]) * powl((long double)e->x[j * n + a] - e->x[j * n + b], 2.0L);
            C[b * n + a] = expl(at[p]) * expl(-sum) + (a == b ? expl(at[p + 1]) * e->noise[a] : 0);
        }
    long double value = (long double)e->outputs * plain_factor(n, C);
    for (int64_t o = 0; o < e->outputs; o++) {
        for (int64_t i = 0; i < n; i++) y[i] = e->y[o * n + i];
        value += plain_length(n, C, y) / 2.0L;
    }
    free(C);
    free(y);
    return value;
}

/* What is said beforehand does not depend on rows: it is the same for responses that are zero. */
static void evidence__outputs_and_noises__by_definition(void **state)
{
    (void)state;
    enum { ROWS = 23, OUTPUTS = 3 };
    rls2__random random;
    rls2__evidence e;
    double gradient[5];
    static const double at[2][5] = {{-0.3, 0.7, -1.1, 0.2, -2.0}, {1.0, -4.0, -0.5, -1.0, -0.1}};
    rls2__random_seed(&random, 11);
    assert_int_equal(rls2__evidence_create(ROWS, 3, OUTPUTS, &e), RLS2_OK);
    for (int i = 0; i < ROWS * 3; i++) {
        e.x[i] = rls2__random_normal(&random);
        e.y[i] = rls2__random_normal(&random);
    }
    for (int i = 0; i < ROWS; i++) e.noise[i] = 0.5 + rls2__random_uniform(&random);
    assert_int_equal(rls2__la_enter(NULL), RLS2_OK);
    for (int k = 0; k < 2; k++) {
        double value = rls2__evidence_evaluate(&e, at[k], gradient);
        double mean = (at[k][0] + at[k][1] + at[k][2]) / 3.0, beforehand = 0.0;
        for (int j = 0; j < 3; j++) beforehand += pow(at[k][j] - mean, 2.0) / 2.0;
        beforehand += pow((mean - log(1.0 / 6.0)) / 3.0, 2.0) / 2.0;
        beforehand += pow(at[k][3] / 3.0, 2.0) / 2.0 + pow((at[k][4] + 2.0) / 3.0, 2.0) / 2.0;
        assert_true(fabs(value - (double)plain_evidence(&e, at[k]) - beforehand) < 1e-11);
    }
    leave(&e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(evidence__prostate__value_and_gradient_of_scikit_learn),
        cmocka_unit_test(descend__evidence_of_prostate__minimum_of_scipy),
        cmocka_unit_test(evidence__outputs_and_noises__by_definition),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
