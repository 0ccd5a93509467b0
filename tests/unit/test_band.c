/* The reduction of a symmetric matrix to a band: solutions against the equations they solve, the
 * same bits for any number of threads, and stopping. */
#include <math.h>

#include "la/band.h"
#include "la/threads.h"
#include "support/control.h"
#include "support/unit_support.h"

enum { LAMBDAS = 11, LARGE = 700, MOST_THREADS = 16 };

/* A Gaussian kernel of n random points: positive semi-definite with eigenvalues of all sizes. */
static double *make_matrix(int64_t n)
{
    double *x = unit_normal(17, n), *A = unit_room(n * n);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++) A[j * n + i] = exp(-(x[i] - x[j]) * (x[i] - x[j]));
    free(x);
    return A;
}

static double *copy_of(int64_t count, const double *values)
{
    double *copy = unit_room(count);
    memcpy(copy, values, (size_t)count * sizeof *copy);
    return copy;
}

static double *lower_only(int64_t n, const double *A)
{
    double *lower = copy_of(n * n, A);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < j; i++) lower[j * n + i] = NAN;
    return lower;
}

/* All systems of one right side. */
static double *solve_all(rls2__effort *effort, int64_t n, const double *A, const double *b,
                         const double *lambdas)
{
    rls2__band band;
    unsigned char solved[LAMBDAS];
    double *work = lower_only(n, A), *C = unit_room(n * LAMBDAS);
    for (int64_t l = 0; l < LAMBDAS; l++) memcpy(C + l * n, b, (size_t)n * sizeof *b);
    assert_int_equal(rls2__band_reduce(effort, n, work, &band), RLS2_OK);
    assert_int_equal(rls2__band_solve(effort, &band, LAMBDAS, lambdas, C, solved), RLS2_OK);
    for (int64_t l = 0; l < LAMBDAS; l++) assert_true(solved[l]);
    rls2__band_free(&band);
    free(work);
    return C;
}

/* |b - (A + lambda I) c| against what rounding of n numbers allows, sums in long double. */
static void assert_solves(int64_t n, const double *A, double lambda, const double *b,
                          const double *c)
{
    double *Ac = unit_room(n), size = 0.0, rest = 0.0;
    unit_multiply(n, A, c, Ac);
    for (int64_t i = 0; i < n; i++) {
        size = fmax(size, fabs(c[i]));
        rest = fmax(rest, fabs(b[i] - Ac[i] - lambda * c[i]));
    }
    assert_at_most(rest, 1e-15 * ((double)n + lambda) * sqrt((double)n) * size * 4.0);
    free(Ac);
}

static void fill_lambdas(double *lambdas)
{
    for (int64_t l = 0; l < LAMBDAS; l++) lambdas[l] = 100.0 * pow(10.0, -(double)l);
}

static void band_solve__all_orders__solves_the_equations(void **state)
{
    static const int64_t orders[] = {1, 2, 63, 64, 65, 66, 127, 128, 129, 300, LARGE};
    double lambdas[LAMBDAS];
    (void)state;
    fill_lambdas(lambdas);
    for (size_t t = 0; t < sizeof orders / sizeof orders[0]; t++) {
        int64_t n = orders[t];
        double *A = make_matrix(n), *b = unit_normal(3, n);
        double *C = solve_all(unit_alone(), n, A, b, lambdas);
        for (int64_t l = 0; l < LAMBDAS; l++) assert_solves(n, A, lambdas[l], b, C + l * n);
        free(A);
        free(b);
        free(C);
    }
}

static void band_solve__any_number_of_threads__same_bits(void **state)
{
    static const int counts[] = {2, 3, MOST_THREADS};
    double lambdas[LAMBDAS], *A = make_matrix(LARGE), *b = unit_normal(3, LARGE);
    (void)state;
    fill_lambdas(lambdas);
    double *once = solve_all(unit_alone(), LARGE, A, b, lambdas);
    for (size_t t = 0; t < sizeof counts / sizeof counts[0]; t++) {
        rls2__effort effort;
        rls2__effort_begin(ON_THREADS(counts[t]), "test", 1, &effort);
        double *again = solve_all(&effort, LARGE, A, b, lambdas);
        assert_memory_equal(again, once, LARGE * LAMBDAS * sizeof *once);
        free(again);
    }
    free(A);
    free(b);
    free(once);
}

/* Eigenvalues of -1 and 1: definite from lambda = 1 on. */
static void band_solve__indefinite_matrix__says_which(void **state)
{
    enum { N = 130, COUNT = 3 };
    static const double lambdas[COUNT] = {2.0, 0.5, 0.0};
    unsigned char solved[COUNT] = {7, 7, 7};
    double *A = unit_room(N * N), *C = unit_room(N * COUNT);
    rls2__band band;
    (void)state;
    for (int64_t i = 0; i < N; i++) A[i * N + (i % 2 ? i - 1 : i + 1)] = 1.0;
    for (int64_t i = 0; i < N * COUNT; i++) C[i] = 1.0;
    assert_int_equal(rls2__band_reduce(unit_alone(), N, A, &band), RLS2_OK);
    assert_int_equal(rls2__band_solve(unit_alone(), &band, COUNT, lambdas, C, solved), RLS2_OK);
    assert_int_equal(solved[0], 1);
    assert_int_equal(solved[1], 0);
    assert_int_equal(solved[2], 0);
    for (int64_t i = 0; i < N; i++) assert_near(C[i], 1.0 / 3.0, 1e-14);
    rls2__band_free(&band);
    free(A);
    free(C);
}

static int stop_at_once(void *user, const rls2_progress *progress)
{
    (void)user;
    (void)progress;
    return 1;
}

static void band__stopped__is_cancelled(void **state)
{
    rls2__band band;
    rls2__effort effort;
    double lambdas[LAMBDAS], *A = make_matrix(LARGE), *C = unit_room(LARGE * LAMBDAS);
    unsigned char solved[LAMBDAS];
    (void)state;
    fill_lambdas(lambdas);
    const rls2_control *control = WATCHED_BY(stop_at_once, NULL, 1);
    rls2__effort_begin(control, "test", 1, &effort);
    rls2__effort_tell(&effort, &(rls2_progress){.stage = "test"});
    assert_int_equal(rls2__band_reduce(&effort, LARGE, A, &band), RLS2_ERR_CANCELLED);
    rls2__band_free(&band);
    assert_int_equal(rls2__band_reduce(unit_alone(), LARGE, A, &band), RLS2_OK);
    assert_int_equal(rls2__band_solve(&effort, &band, LAMBDAS, lambdas, C, solved),
                     RLS2_ERR_CANCELLED);
    rls2__band_free(&band);
    free(A);
    free(C);
}

/* Each call of BLAS on one thread, as wherever the library calls it. */
static int set_up(void **state)
{
    int threads = MOST_THREADS;
    (void)state;
    if (rls2__la_enter_team(&threads, NULL) != RLS2_OK) return -1;
    return threads == MOST_THREADS ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    rls2__la_leave();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(band_solve__all_orders__solves_the_equations),
        cmocka_unit_test(band_solve__any_number_of_threads__same_bits),
        cmocka_unit_test(band_solve__indefinite_matrix__says_which),
        cmocka_unit_test(band__stopped__is_cancelled),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
