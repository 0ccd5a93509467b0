/* Operators made of others, for other labels or for some of the rows: what their factors leave out
 * of the kernel stays within the slack they state, and their norm bounds it. */
#include <math.h>

#include "support/unit_support.h"

enum { N = 60, TAKEN = 40 };
static const double COARSE = 1e-4; /* so that a slack which is forgotten is seen */
static const char SPEC[] = "rbf(0.01:1:4)@each; rbf(0.01)@all; poly(2..5)@each";

/* R^k as it is stored. */
static double *stored_matrix(const rls2_basis *basis, int64_t k)
{
    int64_t n = basis->n;
    double *R = unit_room(n * n), *unit = unit_room(n), *work = unit_room(n);
    for (int64_t j = 0; j < n; j++) {
        unit[j] = 1.0;
        rls2__basis_apply(unit_alone(), basis, k, unit, R + j * n, work);
        unit[j] = 0.0;
    }
    free(unit);
    free(work);
    return R;
}

/* The kernel evaluated anew, with the weights of the rows. */
static double *exact_matrix(const rls2_basis *basis, int64_t k)
{
    int64_t n = basis->n;
    double *R = unit_kernel_matrix(&basis->kernels[k], &basis->rows, basis->s[k]);
    for (int64_t j = 0; basis->roots && j < n; j++)
        for (int64_t i = 0; i < n; i++) R[j * n + i] *= basis->roots[i] * basis->roots[j];
    return R;
}

static double largest_eigenvalue(int64_t n, const double *A)
{
    double *values = unit_eigenvalues(n, A), largest = values[n - 1];
    free(values);
    return largest;
}

/* Returns how many kernels are of low rank, whose factors leave something out. */
static int64_t assert_bounds_hold(const rls2_basis *basis)
{
    int64_t n = basis->n, factors = 0;
    for (int64_t k = 0; k < basis->m; k++) {
        const rls2__operator *op = &basis->ops[k];
        double *exact = exact_matrix(basis, k), *stored = stored_matrix(basis, k);
        assert_at_most(largest_eigenvalue(n, exact), (op->norm + op->slack) * (1.0 + 1e-12));
        for (int64_t i = 0; i < n * n; i++) stored[i] = exact[i] - stored[i];
        double left_out = largest_eigenvalue(n, stored);
        assert_at_most(left_out, op->slack + 1e-14 * op->trace);
        factors += left_out > 1e-6 * op->trace;
        free(exact);
        free(stored);
    }
    return factors;
}

typedef struct whole {
    double *x, *labels, *weights;
    rls2_rows rows;
    rls2_basis_options options;
    unit_fixture f;
} whole;

static whole whole_create(rls2_scaling scaling, int weighted)
{
    whole it = {.x = unit_normal(1, 2 * N), .labels = unit_normal(2, N), .weights = unit_room(N)};
    it.rows = (rls2_rows){.n = N, .p = 2, .x = it.x};
    rls2_basis_options_init(&it.options, sizeof it.options);
    it.options.rank_tol = COARSE;
    it.options.scaling = scaling;
    it.options.labels = it.labels;
    for (int64_t i = 0; i < N; i++) it.weights[i] = 1.0 + (double)(i % 3);
    if (weighted) it.options.row_weights = it.weights;
    it.f = unit_fixture_create(SPEC, &it.rows, &it.options);
    return it;
}

static void whole_free(whole *it)
{
    unit_fixture_free(&it->f);
    free(it->x);
    free(it->labels);
    free(it->weights);
}

/* Labels that follow the first column leave less variance within the classes: its kernels grow. */
static void check_rescaled(int weighted)
{
    whole it = whole_create(RLS2_SCALING_FISHER, weighted);
    rls2_basis *other = NULL;
    rls2_error err;
    double growth = 0.0;
    assert_int_equal(rls2_basis_rescale(it.f.basis, it.x, NULL, &other, &err), RLS2_OK);
    for (int64_t k = 0; k < other->m; k++) growth = fmax(growth, other->s[k] / it.f.basis->s[k]);
    assert_true(growth > 2.0);
    assert_true(assert_bounds_hold(it.f.basis) > 3);
    assert_true(assert_bounds_hold(other) > 3);
    rls2_basis_free(other);
    whole_free(&it);
}

static void rescale__factors_that_leave_something_out__states_as_much(void **state)
{
    (void)state;
    check_rescaled(0);
    check_rescaled(1);
}

/* Every third row is left out; with `heavier` the others weigh a hundred times what they did. */
static void check_taken(int weighted, double heavier)
{
    whole it = whole_create(RLS2_SCALING_NONE, weighted);
    int64_t rows[TAKEN];
    double weights[TAKEN];
    rls2_basis *part = NULL;
    rls2_error err;
    for (int64_t a = 0; a < TAKEN; a++) {
        rows[a] = a + a / 2;
        weights[a] = heavier * (weighted ? it.weights[rows[a]] : 1.0);
    }
    rls2_basis_options options = it.options;
    options.labels = NULL;
    options.row_weights = weights;
    assert_int_equal(rls2_basis_take(it.f.basis, TAKEN, rows, heavier > 0.0 ? &options : NULL, NULL,
                                     &part, &err),
                     RLS2_OK);
    assert_true(assert_bounds_hold(part) > 3);
    rls2_basis_free(part);
    whole_free(&it);
}

static void take__factors_that_leave_something_out__states_as_much(void **state)
{
    (void)state;
    check_taken(0, 0.0);
    check_taken(1, 0.0);
}

static void take__rows_that_weigh_more_than_they_did__states_more(void **state)
{
    (void)state;
    check_taken(0, 100.0);
    check_taken(1, 100.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rescale__factors_that_leave_something_out__states_as_much),
        cmocka_unit_test(take__factors_that_leave_something_out__states_as_much),
        cmocka_unit_test(take__rows_that_weigh_more_than_they_did__states_more),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
