/* The operators of a basis: every shape against the matrix it stands for. */
#include "basis_fixture.h"

#include <math.h>

#include "basis/combine.h"
#include "basis/norms.h"
#include "basis/operator.h"
#include "basis/shape.h"

/* ---- quadratic form, product, combination ---- */

static void assert_operators_match(const rls2_basis *basis, double tolerance)
{
    int64_t n = basis->n, m = basis->m;
    double *c = unit_normal(5, n), *v = unit_room(n), *expected = unit_room(n),
           *work = unit_room(n);
    double *q = unit_room(m), *sum = unit_room(n * n), one = 1.0;
    rls2__combiner *combiner = rls2__combiner_create(basis, INT64_MAX);
    assert_non_null(combiner);
    double squares = unit_inner(n, c, c);
    int64_t *ks = calloc((size_t)m, sizeof *ks);
    for (int64_t k = 0; k < m; k++) ks[k] = k;
    rls2__basis_price(unit_alone(), basis, c, m, ks, q, work);
    for (int64_t k = 0; k < m; k++) {
        double *R = unit_basis_matrix(basis, k), size = unit_trace(n, R), alone;
        unit_multiply(n, R, c, expected);
        assert_near(q[k], unit_inner(n, c, expected), tolerance * size * squares);
        rls2__basis_price(unit_alone(), basis, c, 1, &k, &alone, work);
        assert_near(alone, q[k], tolerance * size * squares);
        rls2__basis_apply(unit_alone(), basis, k, c, v, work);
        for (int64_t i = 0; i < n; i++)
            assert_near(v[i], expected[i], tolerance * size * sqrt(squares));
        assert_int_equal(rls2__combine(unit_alone(), combiner, 1, &k, &one, sum), RLS2_OK);
        for (int64_t j = 0; j < n; j++)
            for (int64_t i = j; i < n; i++)
                assert_near(sum[j * n + i], R[j * n + i], tolerance * size);
        assert_near(basis->ops[k].trace, size, 1e-13 * size);
        free(R);
    }
    free(c), free(v), free(expected), free(work), free(q), free(sum), free(ks);
    rls2__combiner_free(combiner);
}

/* A basis whose kernels have all shapes, checked under several scalings. */
static void price_apply_triangle__every_shape__as_the_matrix(void **state)
{
    (void)state;
    double *x = make_x(ROWS);
    rls2_rows rows = {.n = ROWS, .p = COLUMNS, .x = x};
    rls2_basis_options options;
    rls2_basis_options_init(&options, sizeof options);
    for (int scaling = RLS2_SCALING_NONE; scaling <= RLS2_SCALING_TRACE; scaling++) {
        options.scaling = (rls2_scaling)scaling;
        unit_fixture f = unit_fixture_create(MIXED, &rows, &options);
        int dense = 0, factor = 0, rank_one = 0;
        for (int64_t k = 0; k < f.basis->m; k++) {
            dense += f.basis->ops[k].shape == &rls2__shape_dense;
            factor += f.basis->ops[k].shape == &rls2__shape_factor;
            rank_one += f.basis->ops[k].shape == &rls2__shape_rank_one;
        }
        assert_true(dense >= 3 && factor >= 7 && rank_one == 4);
        assert_operators_match(f.basis, 1e-12);
        unit_fixture_free(&f);
    }
    free(x);
}

static void price_apply_triangle__very_few_rows__as_the_matrix(void **state)
{
    (void)state;
    for (int64_t n = 1; n <= 12; n++) {
        double *x = unit_normal(40 + (uint64_t)n, n * COLUMNS);
        rls2_rows rows = {.n = n, .p = COLUMNS, .x = x};
        unit_fixture f = unit_fixture_create(MIXED, &rows, NULL);
        assert_operators_match(f.basis, 1e-12);
        unit_fixture_free(&f);
        free(x);
    }
}

static void price_apply_triangle__given_matrix__as_the_matrix(void **state)
{
    (void)state;
    const char *names[] = {"smooth", "rough"};
    double *x = make_x(ROWS);
    rls2_rows rows = {.n = ROWS, .p = COLUMNS, .x = x};
    rls2_dictionary *source = unit_dictionary("rbf(0.02)@x1; rbf(50)@all", COLUMNS);
    double *smooth = unit_kernel_matrix(&source->kernels[0], &rows, 3.0);
    double *rough = unit_kernel_matrix(&source->kernels[1], &rows, 0.2);
    const double *given[] = {smooth, rough};
    rls2_rows known = {.n = ROWS, .given_count = 2, .given = given};
    rls2_dictionary *dictionary = unit_dictionary_given("given(smooth); given(rough)", 0, 2, names);
    rls2_basis *basis = unit_basis(dictionary, &known, NULL);
    assert_string_equal(rls2_basis_shape(basis, 0), "given");
    assert_string_equal(rls2_basis_shape(basis, 1), "given");
    assert_int_equal(rls2_basis_bytes(basis), 0); /* used where they lie */
    assert_operators_match(basis, 1e-12);
    rls2_basis_free(basis);
    rls2_dictionary_free(dictionary);
    rls2_dictionary_free(source);
    free(x), free(smooth), free(rough);
}

/* Runs of neighbouring single columns are priced as one product; any order must do. */
static void price__columns_in_any_order__as_one_by_one(void **state)
{
    (void)state;
    double *x = make_x(ROWS), *c = unit_normal(8, ROWS), work[ROWS], q[9], alone;
    static const int64_t orders[][9] = {{0, 1, 2, 3, 0, 1, 2, 3, 0},
                                        {3, 2, 1, 0, 1, 2, 0, 2, 3},
                                        {1, 1, 2, 2, 3, 3, 0, 0, 1},
                                        {4, 0, 1, 4, 2, 3, 4, 4, 1}};
    rls2_rows rows = {.n = ROWS, .p = COLUMNS, .x = x};
    unit_fixture f = unit_fixture_create("linear@each; rbf(1)@all", &rows, NULL);
    for (int o = 0; o < 4; o++) {
        rls2__basis_price(unit_alone(), f.basis, c, 9, orders[o], q, work);
        for (int i = 0; i < 9; i++) {
            rls2__basis_price(unit_alone(), f.basis, c, 1, &orders[o][i], &alone, work);
            assert_near(q[i], alone, 1e-13 * (alone + 1.0));
        }
    }
    rls2__basis_price(unit_alone(), f.basis, c, 0, orders[0], q, work);
    unit_fixture_free(&f);
    free(x), free(c);
}

static void assert_combination(const rls2_basis *basis, rls2__combiner *combiner, int64_t count,
                               const int64_t *ks, const double *weights)
{
    int64_t n = basis->n;
    double *R = unit_room(n * n), *expected = unit_room(n * n), size = 0.0;
    for (int64_t i = 0; i < n * n; i++) R[i] = (double)NAN; /* whatever was there before */
    assert_int_equal(rls2__combine(unit_alone(), combiner, count, ks, weights, R), RLS2_OK);
    for (int64_t t = 0; t < count; t++) {
        double *matrix = unit_basis_matrix(basis, ks[t]);
        for (int64_t i = 0; i < n * n; i++) expected[i] += weights[t] * matrix[i];
        size += weights[t] * unit_trace(n, matrix);
        free(matrix);
    }
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = j; i < n; i++)
            assert_near(R[j * n + i], expected[j * n + i], 1e-12 * size);
    free(R), free(expected);
}

/* More columns of factors than go into one product: 512 of n = 60. */
static void combine__very_many_columns__in_several_portions(void **state)
{
    (void)state;
    double *x = make_x(ROWS);
    rls2_rows rows = {.n = ROWS, .p = COLUMNS, .x = x};
    unit_fixture f = unit_fixture_create("rbf(1e-3:0.1:40)@x1,x2,x3; poly(1..4)@each", &rows, NULL);
    int64_t m = f.basis->m, columns = 0, ks[160];
    double weights[160];
    for (int64_t k = 0; k < m; k++) {
        if (f.basis->ops[k].factor) columns += f.basis->ops[k].rank;
        ks[k] = k;
        weights[k] = 0.1 + (double)(k % 5);
    }
    assert_true(columns > 700);
    rls2__combiner *combiner = rls2__combiner_create(f.basis, 0);
    assert_combination(f.basis, combiner, m, ks, weights);
    assert_combination(f.basis, combiner, m / 3, ks, weights); /* fewer, in the same panel */
    rls2__combiner_free(combiner);
    unit_fixture_free(&f);
    free(x);
}

/* The limit decides what is remembered, never the result. */
static void combine__any_memory_limit__the_weighted_sum(void **state)
{
    (void)state;
    double *x = make_x(ROWS);
    rls2_rows rows = {.n = ROWS, .p = COLUMNS, .x = x};
    unit_fixture f = unit_fixture_create(MIXED, &rows, NULL);
    int64_t m = f.basis->m, triangle = ROWS * (ROWS + 1) / 2 * (int64_t)sizeof(double);
    int64_t limits[] = {0, triangle - 1, triangle, 2 * triangle + 5, INT64_C(1) << 30};
    int64_t ks[32];
    double weights[32];
    for (int l = 0; l < 5; l++) {
        rls2__combiner *combiner = rls2__combiner_create(f.basis, limits[l]);
        rls2__random random;
        rls2__random_seed(&random, 77);
        for (int round = 0; round < 25; round++) {
            int64_t count = round == 0 ? 0 : rls2__random_below(&random, m) + 1;
            rls2__random_permutation(&random, m, ks);
            for (int64_t i = 0; i < count; i++)
                weights[i] =
                    i % 5 == 4 ? 0.0 : rls2__random_uniform(&random) * (i % 3 ? 1.0 : 1e-8);
            assert_combination(f.basis, combiner, count, ks, weights);
        }
        rls2__combiner_free(combiner);
    }
    rls2__combiner_free(NULL);
    unit_fixture_free(&f);
    free(x);
}

static void combine__dense_kernels_in_groups_of_any_size__the_weighted_sum(void **state)
{
    (void)state;
    double *x = make_x(ROWS);
    rls2_rows rows = {.n = ROWS, .p = COLUMNS, .x = x};
    rls2_basis_options options;
    rls2_basis_options_init(&options, sizeof options);
    options.rank_tol = 0.0;
    unit_fixture f = unit_fixture_create("rbf(0.1:10:11)@all", &rows, &options);
    rls2__combiner *combiner = rls2__combiner_create(f.basis, 0);
    static const int64_t ks[] = {10, 0, 9, 1, 8, 2, 7, 3, 6, 4, 5};
    static const double weights[] = {0.1, 0.2, 0.05, 0.3, 0.15, 0.01, 0.02, 0.03, 0.04, 0.07, 0.03};
    for (int64_t count = 0; count <= 11; count++)
        assert_combination(f.basis, combiner, count, ks, weights);
    rls2__combiner_free(combiner);
    unit_fixture_free(&f);
    free(x);
}

/* ---- ranks, slack, norms ---- */

static void rank__polynomials_of_one_column__at_most_degree_plus_one(void **state)
{
    (void)state;
    static const double widths[] = {1.0, 0.01, 30.0};
    for (int w = 0; w < 3; w++) {
        double *x = unit_normal(50, 90 * 2);
        for (int i = 0; i < 180; i++) x[i] = x[i] * widths[w] + (i < 90 ? 0.0 : 5.0);
        rls2_rows rows = {.n = 90, .p = 2, .x = x};
        unit_fixture f =
            unit_fixture_create("poly(1..12)@each; poly(1..12,offset=0.01)@each", &rows, NULL);
        for (int64_t k = 0; k < f.basis->m; k++) {
            assert_string_equal(rls2_basis_shape(f.basis, k), "factor");
            if (rls2_basis_rank(f.basis, k) > (int64_t)f.basis->kernels[k].param[0] + 1)
                fail_msg("%s: rank %d", f.basis->kernels[k].name, (int)rls2_basis_rank(f.basis, k));
        }
        unit_fixture_free(&f);
        free(x);
    }
}

static void rank__column_of_few_values__at_most_their_number(void **state)
{
    (void)state;
    double *x = unit_normal(51, 90);
    for (int i = 0; i < 90; i++) x[i] = (double)(i % 5);
    rls2_rows rows = {.n = 90, .p = 1, .x = x};
    unit_fixture f = unit_fixture_create(
        "rbf(1e-2:1e2:5); laplace(1); delta; spline; matern(0.5|1.5|2.5)", &rows, NULL);
    for (int64_t k = 0; k < f.basis->m; k++) assert_in_range(rls2_basis_rank(f.basis, k), 1, 5);
    unit_fixture_free(&f);
    free(x);
}

/* Eigenvalues of what the factor leaves out, R - GG'. */
static double *left_out(const rls2_basis *basis, int64_t k)
{
    int64_t n = basis->n;
    const rls2__operator *op = &basis->ops[k];
    double *R = unit_basis_matrix(basis, k);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++) {
            long double value = R[j * n + i];
            for (int64_t t = 0; t < op->rank; t++)
                value -= (long double)op->factor[t * n + i] * op->factor[t * n + j];
            R[j * n + i] = (double)value;
        }
    double *values = unit_eigenvalues(n, R);
    free(R);
    return values;
}

/* The rounding of the factorisation, as a share of the trace: slack counts it only
 * roughly, and the factor may exceed the matrix by it. */
static const double ABOVE = 1e-15, BELOW = 2e-14;

static void slack__factors__bounds_what_is_left_out(void **state)
{
    (void)state;
    double *x = make_x(90);
    rls2_rows rows = {.n = 90, .p = COLUMNS, .x = x};
    static const double tolerances[] = {1e-14, 1e-10, 1e-6, 1e-2};
    for (int t = 0; t < 4; t++) {
        rls2_basis_options options;
        rls2_basis_options_init(&options, sizeof options);
        options.rank_tol = tolerances[t];
        unit_fixture f =
            unit_fixture_create("poly(1..8)@each; rbf(1e-4:1:6)@each; spline@each; rbf(1e-4)@all;"
                                "linear@all; matern(2.5,length=5)@each; delta@x4",
                                &rows, &options);
        int64_t factors = 0;
        for (int64_t k = 0; k < f.basis->m; k++) {
            const rls2__operator *op = &f.basis->ops[k];
            if (op->shape != &rls2__shape_factor) continue;
            double *values = left_out(f.basis, k);
            factors++;
            assert_at_most(values[89], op->slack + ABOVE * op->trace);
            assert_at_most(-values[0], BELOW * op->trace);
            assert_at_most(op->slack, (tolerances[t] + 5e-16 * (double)op->rank) * op->trace);
            free(values);
        }
        assert_true(factors > 30);
        unit_fixture_free(&f);
    }
    free(x);
}

static void rank_tol__zero__every_kernel_of_more_than_one_column_dense(void **state)
{
    (void)state;
    double *x = make_x(ROWS);
    rls2_rows rows = {.n = ROWS, .p = COLUMNS, .x = x};
    rls2_basis_options options;
    rls2_basis_options_init(&options, sizeof options);
    options.rank_tol = 0.0;
    unit_fixture f = unit_fixture_create(MIXED, &rows, &options);
    for (int64_t k = 0; k < f.basis->m; k++) {
        const rls2__kernel *kernel = &f.basis->kernels[k];
        int column = kernel->kind == RLS2__KERNEL_LINEAR && kernel->column_count == 1;
        assert_string_equal(rls2_basis_shape(f.basis, k), column ? "rank-one" : "dense");
        assert_int_equal(rls2_basis_rank(f.basis, k), column ? 1 : ROWS);
        assert_true(f.basis->ops[k].slack <= 1e-14 * f.basis->ops[k].norm); /* rounding alone */
    }
    assert_operators_match(f.basis, 1e-13);
    unit_fixture_free(&f);
    free(x);
}

static void norm__every_shape__bounds_the_largest_eigenvalue(void **state)
{
    (void)state;
    double *x = make_x(ROWS);
    rls2_rows rows = {.n = ROWS, .p = COLUMNS, .x = x};
    static const double tolerances[] = {0.0, 1e-14, 1e-3};
    for (int t = 0; t < 3; t++) {
        rls2_basis_options options;
        rls2_basis_options_init(&options, sizeof options);
        options.rank_tol = tolerances[t];
        options.scaling = t ? RLS2_SCALING_TRACE : RLS2_SCALING_NONE;
        unit_fixture f = unit_fixture_create(MIXED, &rows, &options);
        for (int64_t k = 0; k < f.basis->m; k++) {
            const rls2__operator *op = &f.basis->ops[k];
            double *R = unit_basis_matrix(f.basis, k), *values = unit_eigenvalues(ROWS, R);
            double top = values[ROWS - 1];
            assert_at_most(top * (1.0 - 1e-13), op->norm + op->slack);
            assert_at_most(op->norm, op->trace * (1.0 + 1e-11));
            free(R), free(values);
        }
        unit_fixture_free(&f);
    }
    free(x);
}

/* The fourth root of the sum of fourth powers of the eigenvalues: close to the largest
 * where that stands alone. */
static void norm__factors__fourth_root_of_the_sum_of_fourth_powers(void **state)
{
    (void)state;
    double *x = make_x(ROWS);
    int64_t alone = 0;
    rls2_rows rows = {.n = ROWS, .p = COLUMNS, .x = x};
    unit_fixture f =
        unit_fixture_create("rbf(0.01:1:5)@each; poly(1..4)@each; spline@each; rbf(0.001)@all;"
                            "matern(2.5,length=3)@x4; delta@x4; linear@all",
                            &rows, NULL);
    for (int64_t k = 0; k < f.basis->m; k++) {
        if (f.basis->ops[k].shape != &rls2__shape_factor) continue;
        double *R = unit_basis_matrix(f.basis, k), *values = unit_eigenvalues(ROWS, R),
               fourth = 0.0;
        for (int64_t i = 0; i < ROWS; i++) fourth += pow(values[i], 4.0);
        assert_near(f.basis->ops[k].norm, pow(fourth, 0.25), 1e-11);
        if (values[ROWS - 2] < 0.6 * values[ROWS - 1]) {
            assert_at_most(f.basis->ops[k].norm, 1.1 * values[ROWS - 1]);
            alone++;
        }
        free(R), free(values);
    }
    assert_true(alone > 15);
    unit_fixture_free(&f);
    free(x);
}

/* ---- degenerate kernels ---- */

static void basis_create__degenerate_kernels_skipped__zero_operators(void **state)
{
    (void)state;
    double *x = make_x(ROWS), c[ROWS], v[ROWS], work[ROWS], q[3];
    static const int64_t ks[] = {0, 1, 2};
    for (int i = 0; i < ROWS; i++) {
        x[i] = 0.0;
        c[i] = 1.0;
    }
    rls2_rows rows = {.n = ROWS, .p = COLUMNS, .x = x};
    rls2_basis_options options;
    rls2_basis_options_init(&options, sizeof options);
    options.skip_degenerate = 1;
    unit_fixture f =
        unit_fixture_create("linear@x1; poly(2,offset=0)@x1; rbf(1)@x2", &rows, &options);
    rls2__combiner *combiner = rls2__combiner_create(f.basis, 0);
    static const double weights[] = {0.2, 0.3, 0.5};
    rls2__basis_price(unit_alone(), f.basis, c, 3, ks, q, work);
    assert_true(q[0] == 0.0 && q[1] == 0.0 && q[2] > 0.0);
    for (int64_t k = 0; k < 2; k++) {
        assert_true(f.basis->ops[k].norm == 0.0 && f.basis->ops[k].slack == 0.0 &&
                    f.basis->ops[k].trace == 0.0);
        rls2__basis_apply(unit_alone(), f.basis, k, c, v, work);
        for (int i = 0; i < ROWS; i++) assert_true(v[i] == 0.0);
    }
    assert_combination(f.basis, combiner, 3, ks, weights);
    assert_combination(f.basis, combiner, 2, ks, weights);
    rls2__combiner_free(combiner);
    unit_fixture_free(&f);
    free(x);
}

/* One negative entry anywhere: sums of rows no longer bound the norm. */
static void dense_norm__negative_entries__still_a_bound(void **state)
{
    (void)state;
    enum { N = 40 };
    double packed[N * (N + 1) / 2];
    rls2__build_room room = {0};
    assert_int_equal(rls2__build_room_create(N, &room), RLS2_OK);
    for (int64_t row = 1; row < N; row++) /* 1 on the diagonal, -1 at (row, column): |R| = 2 */
        for (int64_t column = 0; column < row; column++) {
            double *a = packed;
            for (int64_t j = 0; j < N; j++)
                for (int64_t i = j; i < N; i++)
                    *a++ = i == j ? 1.0 : i == row && j == column ? -1.0 : 0.0;
            double norm;
            assert_int_equal(rls2__dense_norm(unit_alone(), N, packed, &room, &norm), RLS2_OK);
            assert_true(norm >= 2.0 && norm <= 1.001 * sqrt(N + 2.0));
        }
    rls2__build_room_free(&room);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(price_apply_triangle__every_shape__as_the_matrix),
        cmocka_unit_test(dense_norm__negative_entries__still_a_bound),
        cmocka_unit_test(price_apply_triangle__very_few_rows__as_the_matrix),
        cmocka_unit_test(price_apply_triangle__given_matrix__as_the_matrix),
        cmocka_unit_test(price__columns_in_any_order__as_one_by_one),
        cmocka_unit_test(combine__any_memory_limit__the_weighted_sum),
        cmocka_unit_test(combine__very_many_columns__in_several_portions),
        cmocka_unit_test(combine__dense_kernels_in_groups_of_any_size__the_weighted_sum),
        cmocka_unit_test(rank__polynomials_of_one_column__at_most_degree_plus_one),
        cmocka_unit_test(rank__column_of_few_values__at_most_their_number),
        cmocka_unit_test(slack__factors__bounds_what_is_left_out),
        cmocka_unit_test(rank_tol__zero__every_kernel_of_more_than_one_column_dense),
        cmocka_unit_test(norm__every_shape__bounds_the_largest_eigenvalue),
        cmocka_unit_test(norm__factors__fourth_root_of_the_sum_of_fourth_powers),
        cmocka_unit_test(basis_create__degenerate_kernels_skipped__zero_operators),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
