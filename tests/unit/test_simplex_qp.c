/* The quadratic program on the simplex: against enumeration of supports, and by its
 * optimality conditions. */
#include "support/unit_support.h"

#include <math.h>

#include "solver/simplex_qp.h"

enum { LARGEST = 120, SMALL = 6 };

/* H (w x w in ldh rows, only the lower triangle meant) and g. */
typedef struct problem {
    int64_t w, ldh;
    double *H;
    double *g;
} problem;

static void problem_free(problem *p)
{
    free(p->H), free(p->g);
}

/* H = A'A with A rows x w: of rank `rows` at most. What lies above the diagonal is NaN. */
static problem problem_random(uint64_t seed, int64_t w, int64_t rows, double spread)
{
    double *A = unit_normal(seed, rows * w);
    problem p = {w, w + 3, unit_room((w + 3) * w), unit_normal(seed + 1000, w)};
    for (int64_t j = 0; j < w; j++)
        for (int64_t i = 0; i < p.ldh; i++)
            p.H[j * p.ldh + i] =
                i >= j && i < w ? unit_inner(rows, A + i * rows, A + j * rows) : (double)NAN;
    for (int64_t j = 0; j < w; j++) p.g[j] *= spread;
    free(A);
    return p;
}

static double entry(const problem *p, int64_t i, int64_t j)
{
    return i >= j ? p->H[j * p->ldh + i] : p->H[i * p->ldh + j];
}

/* Variable `to` becomes a copy of `from`, in H and in g. */
static void duplicate(problem *p, int64_t from, int64_t to)
{
    double row[LARGEST];
    for (int64_t i = 0; i < p->w; i++) row[i] = entry(p, i, from);
    row[to] = row[from];
    for (int64_t i = 0; i < p->w; i++)
        p->H[(i >= to ? to : i) * p->ldh + (i >= to ? i : to)] = row[i];
    p->g[to] = p->g[from];
}

static void clear_variable(problem *p, int64_t j)
{
    for (int64_t i = 0; i < p->w; i++) p->H[(i >= j ? j : i) * p->ldh + (i >= j ? i : j)] = 0.0;
}

static long double objective(const problem *p, const double *x)
{
    long double value = 0.0L;
    for (int64_t j = 0; j < p->w; j++) {
        value -= (long double)p->g[j] * x[j];
        for (int64_t i = 0; i < p->w; i++) value += 0.5L * x[i] * entry(p, i, j) * x[j];
    }
    return value;
}

/* The largest number in the problem: what rounding is measured by. */
static double size_of(const problem *p)
{
    double size = 0.0;
    for (int64_t j = 0; j < p->w; j++) size = fmax(size, fmax(fabs(p->g[j]), entry(p, j, j)));
    return size;
}

/* ---- brute force ---- */

/* Solves the n x n system A z = b in place by elimination; 0 if it is singular. */
static int eliminate(int n, long double A[SMALL + 1][SMALL + 2])
{
    for (int c = 0; c < n; c++) {
        int pivot = c;
        for (int r = c + 1; r < n; r++)
            if (fabsl(A[r][c]) > fabsl(A[pivot][c])) pivot = r;
        if (fabsl(A[pivot][c]) < 1e-11L) return 0;
        for (int k = 0; k <= n; k++) {
            long double swap = A[c][k];
            A[c][k] = A[pivot][k];
            A[pivot][k] = swap;
        }
        for (int r = 0; r < n; r++) {
            if (r == c) continue;
            long double factor = A[r][c] / A[c][c];
            for (int k = c; k <= n; k++) A[r][k] -= factor * A[c][k];
        }
    }
    for (int c = 0; c < n; c++) A[c][n] /= A[c][c];
    return 1;
}

/* The least objective over all supports. Some optimum has a support whose system is
 * regular: along a direction in which it is not, the objective is constant and a
 * variable can be driven to zero. */
static long double enumerate(const problem *p)
{
    long double best = INFINITY;
    for (int set = 1; set < 1 << p->w; set++) {
        int members[SMALL], n = 0;
        long double A[SMALL + 1][SMALL + 2];
        double x[SMALL] = {0.0};
        for (int j = 0; j < p->w; j++)
            if (set >> j & 1) members[n++] = j;
        for (int r = 0; r < n; r++) {
            for (int c = 0; c < n; c++) A[r][c] = entry(p, members[r], members[c]);
            A[r][n] = A[n][r] = 1.0L;
            A[r][n + 1] = p->g[members[r]];
        }
        A[n][n] = 0.0L;
        A[n][n + 1] = 1.0L;
        if (!eliminate(n + 1, A)) continue;
        int feasible = 1;
        for (int r = 0; r < n; r++) {
            if (A[r][n + 1] < -1e-13L) feasible = 0;
            x[members[r]] = (double)fmaxl(A[r][n + 1], 0.0L);
        }
        if (feasible) best = fminl(best, objective(p, x));
    }
    return best;
}

/* ---- optimality ---- */

/* x >= 0 with exact zeros, sum 1, and g - Hx at most mu, equal to it where x > 0. */
static void assert_optimal(const problem *p, const double *x, double tolerance)
{
    double sum = 0.0, mu = -INFINITY, size = size_of(p);
    double gain[LARGEST];
    for (int64_t j = 0; j < p->w; j++) {
        long double value = p->g[j];
        for (int64_t i = 0; i < p->w; i++) value -= (long double)entry(p, i, j) * x[i];
        gain[j] = (double)value;
        mu = fmax(mu, gain[j]);
        sum += x[j];
        assert_true(x[j] >= 0.0 && !(x[j] > 0.0 && x[j] < 1e-300));
    }
    assert_near(sum, 1.0, 1e-14);
    /* sum_j x_j (mu - gain_j) is the duality gap of the problem */
    double gap = 0.0;
    for (int64_t j = 0; j < p->w; j++) gap += x[j] * (mu - gain[j]);
    assert_at_most(gap, tolerance * size);
}

/* Solves from e_start; the result is in x. */
static int64_t solve(const problem *p, int64_t start, double *x)
{
    rls2__simplex_qp *qp = rls2__simplex_qp_create(p->w);
    assert_non_null(qp);
    memset(x, 0, (size_t)p->w * sizeof *x);
    x[start] = 1.0;
    int64_t steps = rls2__simplex_qp_solve(qp, p->w, p->H, p->ldh, p->g, x);
    rls2__simplex_qp_free(qp);
    return steps;
}

static void assert_solved(const problem *p, double tolerance)
{
    double x[LARGEST];
    long double best = p->w <= SMALL ? enumerate(p) : 0.0L;
    for (int64_t start = 0; start<p->w; start += p->w> 20 ? 37 : 1) {
        assert_true(solve(p, start, x) > 0);
        assert_optimal(p, x, tolerance);
        if (p->w <= SMALL) assert_near((double)objective(p, x), (double)best, 1e-11 * size_of(p));
    }
}

static void solve__small_regular__as_enumeration(void **state)
{
    (void)state;
    for (int64_t w = 1; w <= SMALL; w++)
        for (uint64_t seed = 0; seed < 150; seed++) {
            problem p = problem_random(seed * 10 + (uint64_t)w, w, w + 2, seed % 3 ? 1.0 : 30.0);
            assert_solved(&p, 1e-11);
            problem_free(&p);
        }
}

static void solve__small_singular__as_enumeration(void **state)
{
    (void)state;
    for (int64_t w = 2; w <= SMALL; w++)
        for (uint64_t seed = 0; seed < 150; seed++) {
            problem p = problem_random(seed * 10 + (uint64_t)w, w, 1 + (int64_t)(seed % 3),
                                       seed % 2 ? 1.0 : 0.0);
            assert_solved(&p, 1e-11);
            problem_free(&p);
        }
}

static void solve__small_with_duplicates__as_enumeration(void **state)
{
    (void)state;
    for (int64_t w = 2; w <= SMALL; w++)
        for (uint64_t seed = 0; seed < 100; seed++) {
            problem p = problem_random(seed * 7 + (uint64_t)w, w, w + 1, 1.0);
            duplicate(&p, (int64_t)seed % w, (int64_t)(seed + 1) % w);
            if (w > 3) duplicate(&p, (int64_t)seed % w, (int64_t)(seed + 3) % w);
            assert_solved(&p, 1e-11);
            problem_free(&p);
        }
}

static void solve__small_with_zero_columns__as_enumeration(void **state)
{
    (void)state;
    for (int64_t w = 2; w <= SMALL; w++)
        for (uint64_t seed = 0; seed < 100; seed++) {
            problem p = problem_random(seed * 7 + (uint64_t)w, w, w + 1, 1.0);
            clear_variable(&p, (int64_t)seed % w);
            if (w > 3) clear_variable(&p, (int64_t)(seed + 2) % w);
            if (seed % 2) p.g[seed % (uint64_t)w] = 0.0;
            assert_solved(&p, 1e-11);
            problem_free(&p);
        }
}

/* By hand: x = (0.3, 0.7). */
static void solve__one_zero_column__by_hand(void **state)
{
    (void)state;
    double H[] = {1.0, 0.0, 0.0, 0.0}, g[] = {0.5, 0.2};
    problem p = {2, 2, H, g};
    for (int64_t start = 0; start < 2; start++) {
        double x[2];
        assert_true(solve(&p, start, x) > 0);
        assert_near(x[0], 0.3, 1e-12);
        assert_near(x[1], 0.7, 1e-12);
    }
}

static void solve__all_zero_matrix__the_largest_g(void **state)
{
    (void)state;
    double H[9] = {0.0}, g[] = {0.1, 0.9, 0.3}, x[3];
    problem p = {3, 3, H, g};
    for (int64_t start = 0; start < 3; start++) {
        assert_true(solve(&p, start, x) > 0);
        assert_near(x[1], 1.0, 1e-12);
    }
}

static void solve__one_variable__is_one(void **state)
{
    (void)state;
    static const double diagonals[] = {2.0, 0.0, 1e200};
    for (int i = 0; i < 3; i++) {
        double H = diagonals[i], g = -3.0, x[1];
        problem p = {1, 1, &H, &g};
        assert_int_equal(solve(&p, 0, x), 1);
        assert_true(x[0] == 1.0);
    }
}

/* g / H beyond 1e16: the solution of H z = g - mu is lost in rounding. */
static void solve__one_variable_of_tiny_curvature__is_one(void **state)
{
    (void)state;
    static const double diagonals[] = {1e-12, 1e-17, 1e-30, 1e-200};
    for (int i = 0; i < 4; i++) {
        double H = diagonals[i], g = 1.0 / 3.0, x[1];
        problem p = {1, 1, &H, &g};
        solve(&p, 0, x);
        assert_true(x[0] == 1.0);
    }
}

/* By hand: the identity projects g on the simplex. */
static void solve__identity__projection_with_exact_zeros(void **state)
{
    (void)state;
    double H[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}, g[] = {0.9, 0.5, -0.2, 0.1};
    problem p = {4, 4, H, g};
    for (int64_t start = 0; start < 4; start++) {
        double x[4];
        assert_true(solve(&p, start, x) > 0);
        assert_near(x[0], 0.7, 1e-12);
        assert_near(x[1], 0.3, 1e-12);
        assert_true(x[2] == 0.0 && x[3] == 0.0);
    }
}

/* ---- larger ones ---- */

static void solve__up_to_120_variables__optimality_conditions(void **state)
{
    (void)state;
    static const int64_t sizes[] = {7, 10, 25, 60, 120};
    for (int s = 0; s < 5; s++)
        for (uint64_t seed = 0; seed < 4; seed++) {
            int64_t w = sizes[s], rows = seed == 0   ? w + 5
                                         : seed == 1 ? w / 2
                                         : seed == 2 ? 3
                                                     : 2 * w;
            problem p = problem_random(seed + 50, w, rows, seed == 3 ? (double)w : 1.0);
            assert_solved(&p, 1e-10);
            problem_free(&p);
        }
}

static void solve__large_with_many_duplicates__optimality_conditions(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 6; seed++) {
        problem p = problem_random(seed + 90, 100, 40, 10.0);
        for (int64_t j = 50; j < 100; j++) duplicate(&p, j - 50, j);
        assert_solved(&p, 1e-10);
        problem_free(&p);
    }
}

/* Diagonals over eighteen orders of magnitude. */
static void solve__badly_scaled__optimality_conditions(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 10; seed++) {
        problem p = problem_random(seed + 70, 30, 40, 1.0);
        for (int64_t j = 0; j < 30; j++) {
            double scale = pow(10.0, -9.0 * (double)(j % 7) / 6.0);
            for (int64_t i = 0; i < 30; i++)
                p.H[(i >= j ? j : i) * p.ldh + (i >= j ? i : j)] *= scale;
            p.g[j] *= scale;
        }
        assert_solved(&p, 1e-10);
        problem_free(&p);
    }
}

static void solve__from_any_feasible_start__same_objective_and_never_worse(void **state)
{
    (void)state;
    enum { W = 40 };
    problem p = problem_random(3, W, 60, 5.0);
    rls2__simplex_qp *qp = rls2__simplex_qp_create(W);
    rls2__random random;
    long double best = INFINITY;
    rls2__random_seed(&random, 4);
    for (int round = 0; round < 20; round++) {
        double x[W], sum = 0.0;
        for (int j = 0; j < W; j++)
            sum += x[j] = round > 0 && j % 5 < round % 6 ? 0.0 : rls2__random_uniform(&random);
        if (sum == 0.0) x[0] = sum = 1.0;
        for (int j = 0; j < W; j++) x[j] /= sum;
        long double before = objective(&p, x);
        assert_true(rls2__simplex_qp_solve(qp, W, p.H, p.ldh, p.g, x) > 0);
        assert_optimal(&p, x, 1e-11);
        assert_true(objective(&p, x) <= before + 1e-12L);
        if (round == 0) best = objective(&p, x);
        assert_near((double)objective(&p, x), (double)best, 1e-11 * size_of(&p));
    }
    rls2__simplex_qp_free(qp);
    problem_free(&p);
}

static void solve__from_the_solution__one_step(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 10; seed++) {
        enum { W = 50 };
        problem p = problem_random(seed, W, 80, 8.0);
        rls2__simplex_qp *qp = rls2__simplex_qp_create(W + 10); /* more room than variables */
        double x[W] = {0.0}, again[W];
        x[0] = 1.0;
        assert_true(rls2__simplex_qp_solve(qp, W, p.H, p.ldh, p.g, x) > 1);
        memcpy(again, x, sizeof x);
        assert_int_equal(rls2__simplex_qp_solve(qp, W, p.H, p.ldh, p.g, again), 1);
        for (int j = 0; j < W; j++) {
            assert_near(again[j], x[j], 1e-10);
            assert_true((again[j] == 0.0) == (x[j] == 0.0));
        }
        rls2__simplex_qp_free(qp);
        problem_free(&p);
    }
}

static void create_free__nothing__no_crash(void **state)
{
    (void)state;
    rls2__simplex_qp_free(NULL);
    assert_null(rls2__simplex_qp_create(-1));
    assert_null(rls2__simplex_qp_create(INT64_C(1) << 60));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solve__small_regular__as_enumeration),
        cmocka_unit_test(solve__small_singular__as_enumeration),
        cmocka_unit_test(solve__small_with_duplicates__as_enumeration),
        cmocka_unit_test(solve__small_with_zero_columns__as_enumeration),
        cmocka_unit_test(solve__one_zero_column__by_hand),
        cmocka_unit_test(solve__all_zero_matrix__the_largest_g),
        cmocka_unit_test(solve__one_variable__is_one),
        cmocka_unit_test(solve__one_variable_of_tiny_curvature__is_one),
        cmocka_unit_test(solve__identity__projection_with_exact_zeros),
        cmocka_unit_test(solve__up_to_120_variables__optimality_conditions),
        cmocka_unit_test(solve__large_with_many_duplicates__optimality_conditions),
        cmocka_unit_test(solve__badly_scaled__optimality_conditions),
        cmocka_unit_test(solve__from_any_feasible_start__same_objective_and_never_worse),
        cmocka_unit_test(solve__from_the_solution__one_step),
        cmocka_unit_test(create_free__nothing__no_crash),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
