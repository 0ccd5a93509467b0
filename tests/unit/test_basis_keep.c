/* Some rows of a basis with the scalings of the whole: rls2_basis_take without options. */
#include "basis_fixture.h"

#include "rls2/path.h"
#include "support/one_output.h"

enum { TAKEN = 40, LAMBDAS = 4 };

/* Which rows are taken, without order, and which are left. */
static void choose(int64_t taken[TAKEN], int64_t left[ROWS - TAKEN])
{
    for (int64_t i = 0; i < ROWS; i++) {
        int64_t row = (i * 37 + 11) % ROWS;
        if (i < TAKEN)
            taken[i] = row;
        else
            left[i - TAKEN] = row;
    }
}

static double *pick(const double *x, int64_t columns, int64_t count, const int64_t *rows)
{
    double *some = unit_room(count * columns);
    for (int64_t j = 0; j < columns; j++)
        for (int64_t i = 0; i < count; i++) some[j * count + i] = x[j * ROWS + rows[i]];
    return some;
}

static rls2_basis *take_kept(const rls2_basis *whole, int64_t count, const int64_t *rows)
{
    rls2_basis *part = NULL;
    rls2_error err = {.message = ""};
    rls2_status status = rls2_basis_take(whole, count, rows, NULL, NULL, &part, &err);
    if (status != RLS2_OK) fail_msg("%s", err.message);
    return part;
}

/* Objectives along a path, the same whoever made the basis. */
static void assert_same_path(const rls2_basis *a, const rls2_basis *b, const double *y)
{
    static const double lambdas[LAMBDAS] = {1.0, 1e-1, 1e-2, 1e-3};
    rls2_path *p = NULL, *q = NULL;
    assert_int_equal(fit_one(a, y, LAMBDAS, lambdas, NULL, &p, NULL), RLS2_OK);
    assert_int_equal(fit_one(b, y, LAMBDAS, lambdas, NULL, &q, NULL), RLS2_OK);
    for (int64_t i = 0; i < LAMBDAS; i++) {
        double objective = rls2_path_at(p, i)->objective;
        assert_near(rls2_path_at(q, i)->objective, objective,
                    2e-6 * objective); /* both within the gap */
        rls2_certificate certificate;
        assert_int_equal(rls2_path_certify(q, i, &certificate, sizeof certificate, NULL), RLS2_OK);
        assert_at_most(certificate.relative_gap, 1.1e-6);
    }
    rls2_path_free(p);
    rls2_path_free(q);
}

static void basis_take__no_options__is_transductive_scaling_over_the_rows_left(void **state)
{
    (void)state;
    int64_t taken[TAKEN], left[ROWS - TAKEN];
    choose(taken, left);
    double *x = make_x(ROWS), *y = unit_normal(5, TAKEN);
    double *train = pick(x, COLUMNS, TAKEN, taken), *others = pick(x, COLUMNS, ROWS - TAKEN, left);
    const rls2_rows all = {.n = ROWS, .p = COLUMNS, .x = x};
    const rls2_rows some = {.n = TAKEN, .p = COLUMNS, .x = train};
    const rls2_rows rest = {.n = ROWS - TAKEN, .p = COLUMNS, .x = others};
    rls2_basis_options options;
    rls2_basis_options_init(&options, sizeof options);
    options.transductive = &rest;
    /* no spline: it would keep the range of all rows here and take that of the training rows there
     */
    static const char spec[] =
        "linear@each; rbf(0.05)@x1; rbf(30)@all; poly(2)@x3; linear@all; poly(3)@x4;"
        "laplace(2)@all; delta@x4";
    unit_fixture whole = unit_fixture_create(spec, &all, NULL);
    rls2_basis *direct = unit_basis(whole.dictionary, &some, &options);
    rls2_basis *part = take_kept(whole.basis, TAKEN, taken);
    for (int64_t k = 0; k < rls2_basis_count(part); k++) {
        double s = rls2_basis_scales(direct)[k];
        assert_true(rls2_basis_scales(part)[k] == rls2_basis_scales(whole.basis)[k]);
        assert_near(rls2_basis_scales(part)[k], s, 1e-13 * s);
    }
    assert_same_path(direct, part, y);
    rls2_basis_free(part);
    rls2_basis_free(direct);
    unit_fixture_free(&whole);
    free(x);
    free(y);
    free(train);
    free(others);
}

/* The operators are W^1/2 s K W^1/2 on the rows taken, s and W being those of the whole. */
static void basis_take__no_options_and_weights__keeps_them(void **state)
{
    (void)state;
    int64_t taken[TAKEN], left[ROWS - TAKEN];
    choose(taken, left);
    double *x = make_x(ROWS), *weights = unit_room(ROWS), *c = unit_normal(8, TAKEN);
    double *rooted = unit_room(TAKEN), *expected = unit_room(TAKEN), *v = unit_room(TAKEN),
           *work = unit_room(TAKEN);
    const rls2_rows all = {.n = ROWS, .p = COLUMNS, .x = x};
    rls2_basis_options options;
    rls2_basis_options_init(&options, sizeof options);
    for (int64_t i = 0; i < ROWS; i++) weights[i] = 0.5 + (double)(i % 5);
    options.row_weights = weights;
    unit_fixture whole = unit_fixture_create(MIXED, &all, &options);
    rls2_basis *part = take_kept(whole.basis, TAKEN, taken);
    for (int64_t i = 0; i < TAKEN; i++)
        assert_true(rls2_basis_row_weights(part)[i] == weights[taken[i]]);
    for (int64_t k = 0; k < rls2_basis_count(part); k++) {
        double s = rls2_basis_scales(whole.basis)[k];
        double *R = unit_kernel_matrix(&part->kernels[k], &part->rows, s);
        for (int64_t i = 0; i < TAKEN; i++) rooted[i] = sqrt(weights[taken[i]]) * c[i];
        unit_multiply(TAKEN, R, rooted, expected);
        rls2__basis_apply(unit_alone(), part, k, c, v, work);
        for (int64_t i = 0; i < TAKEN; i++)
            assert_near(v[i], sqrt(weights[taken[i]]) * expected[i], 1e-10);
        free(R);
    }
    rls2_basis_free(part);
    unit_fixture_free(&whole);
    free(x);
    free(weights);
    free(c);
    free(rooted);
    free(expected);
    free(v);
    free(work);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(basis_take__no_options__is_transductive_scaling_over_the_rows_left),
        cmocka_unit_test(basis_take__no_options_and_weights__keeps_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
