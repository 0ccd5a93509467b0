/* Columns without their zeros, and the pricing of kernels that are such columns. */
#include "support/unit_support.h"

#include <math.h>

#include "basis/basis_build.h"
#include "basis/sparse.h"

enum { ROWS = 50, COLUMNS = 6, MOST = 10 }; /* one value in five */

/* 0: dense; 1: sparse; 2: exactly at the limit; 3: one above it; 4: zeros; 5: one value, the last.
 */
static double *mixed_table(void)
{
    double *x = unit_normal(1, ROWS * COLUMNS);
    for (int64_t i = 0; i < ROWS; i++) {
        if (i % 17 != 0) x[ROWS + i] = 0.0;
        if (i < ROWS - MOST) x[2 * ROWS + i] = 0.0;
        if (i < ROWS - MOST - 1) x[3 * ROWS + i] = 0.0;
        x[4 * ROWS + i] = 0.0;
        if (i < ROWS - 1) x[5 * ROWS + i] = 0.0;
    }
    return x;
}

static void sparse_create__mixed_table__keeps_the_sparse_columns(void **state)
{
    (void)state;
    const int kept[COLUMNS] = {0, 1, 1, 0, 0, 1};
    double *x = mixed_table(), *c = unit_normal(2, ROWS);
    rls2__sparse *sparse = NULL;
    assert_int_equal(rls2__sparse_create(ROWS, COLUMNS, x, &sparse), RLS2_OK);
    assert_non_null(sparse);
    for (int64_t j = 0; j < COLUMNS; j++) {
        assert_int_equal(rls2__sparse_find(sparse, x + j * ROWS), kept[j] ? j : -1);
        assert_true((sparse->starts[j + 1] - sparse->starts[j]) * 5 <=
                    ROWS); /* what is promised of its size */
        if (kept[j])
            assert_near(rls2__sparse_dot(sparse, j, c), unit_inner(ROWS, x + j * ROWS, c), 1e-14);
    }
    rls2__sparse_free(sparse);
    free(x), free(c);
}

static void sparse_create__nothing_sparse__is_null(void **state)
{
    (void)state;
    double *x = unit_normal(3, ROWS * COLUMNS);
    rls2__sparse *sparse = (rls2__sparse *)x;
    assert_int_equal(rls2__sparse_create(ROWS, COLUMNS, x, &sparse), RLS2_OK);
    assert_null(sparse);
    assert_int_equal(rls2__sparse_find(NULL, x), -1);
    free(x);
}

/* By the matrices, evaluated anew. */
static void assert_priced(const rls2_basis *basis, const double *roots)
{
    double *c = unit_normal(4, basis->n), *v = unit_room(basis->n), *q = unit_room(basis->m);
    int64_t ks[16];
    assert_non_null(basis->sparse);
    assert_in_range(basis->m, 1, 16);
    for (int64_t k = 0; k < basis->m; k++) ks[k] = k;
    rls2__basis_price(unit_alone(), basis, c, basis->m, ks, q, v);
    for (int64_t i = 0; roots && i < basis->n; i++) c[i] *= roots[i];
    for (int64_t k = 0; k < basis->m; k++) {
        double *R = unit_basis_matrix(basis, k);
        unit_multiply(basis->n, R, c, v);
        double expected = unit_inner(basis->n, c, v);
        assert_near(q[k], expected, 1e-12 * (1.0 + fabs(expected)));
        free(R);
    }
    free(c), free(v), free(q);
}

static int64_t bytes_of_operators(const rls2_basis *basis)
{
    int64_t total = 0;
    for (int64_t k = 0; k < basis->m; k++) total += basis->ops[k].bytes;
    return total;
}

/* Sparse and dense columns, a kernel of two columns that are sparse, and one that is not linear. */
static void basis_price__sparse_columns__is_that_of_the_matrices(void **state)
{
    (void)state;
    double *x = mixed_table(), *weights = unit_room(ROWS), *roots = unit_room(ROWS);
    int64_t part[ROWS / 2];
    rls2_rows rows = {.n = ROWS, .p = COLUMNS, .x = x};
    rls2_basis_options options;
    rls2_basis_options_init(&options, sizeof options);
    options.skip_degenerate = 1;
    for (int64_t i = 0; i < ROWS; i++)
        weights[i] = 1.0 + (double)(i % 3), roots[i] = sqrt(weights[i]);
    for (int64_t i = 0; i < ROWS / 2; i++) part[i] = 2 * i + 1;
    unit_fixture plain =
        unit_fixture_create("linear@each; linear@x2+x3; rbf(1)@x2", &rows, &options);
    assert_priced(plain.basis, NULL);
    assert_int_equal(rls2_basis_bytes(plain.basis), bytes_of_operators(plain.basis));
    rls2_basis *taken = NULL;
    assert_int_equal(rls2_basis_take(plain.basis, ROWS / 2, part, &options, NULL, &taken, NULL),
                     RLS2_OK);
    assert_priced(taken, NULL);
    rls2_basis_free(taken);
    unit_fixture_free(&plain);
    options.row_weights = weights;
    unit_fixture weighted = unit_fixture_create("linear@each; linear@x2+x3", &rows, &options);
    assert_priced(weighted.basis, roots);
    unit_fixture_free(&weighted);
    free(x), free(weights), free(roots);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sparse_create__mixed_table__keeps_the_sparse_columns),
        cmocka_unit_test(sparse_create__nothing_sparse__is_null),
        cmocka_unit_test(basis_price__sparse_columns__is_that_of_the_matrices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
