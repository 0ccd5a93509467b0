/* Precomputed matrices: what is refused, and that the rest works to the prediction. */
#include "support/unit_support.h"
#include "support/one_output.h"

#include <math.h>
#include <stdio.h>

#include "rls2/model.h"

enum { TRAIN = 30, FRESH = 7, COLUMNS = 2 };

static const char *const NAMES[] = {"A", "B"};

/* Two positive semi-definite matrices of rank 6 and full rank. */
typedef struct data {
    double *x, *fresh_x;
    double *A, *B;
    const double *given[2];
    rls2_rows rows;
    rls2_dictionary *dictionary;
} data;

static data data_create(const char *spec)
{
    data d;
    d.x = unit_normal(1, TRAIN * COLUMNS);
    d.fresh_x = unit_normal(2, FRESH * COLUMNS);
    rls2_rows source = {.n = TRAIN, .p = COLUMNS, .x = d.x};
    rls2_dictionary *dictionary = unit_dictionary("poly(2)@all; rbf(2)@all", COLUMNS);
    d.A = unit_kernel_matrix(&dictionary->kernels[0], &source, 1.0);
    d.B = unit_kernel_matrix(&dictionary->kernels[1], &source, 1.0);
    rls2_dictionary_free(dictionary);
    d.dictionary = unit_dictionary_given(spec, 0, 2, NAMES);
    return d;
}

/* Not in data_create: the array of pointers must not move. */
static void data_point(data *d)
{
    d->given[0] = d->A;
    d->given[1] = d->B;
    d->rows = (rls2_rows){.n = TRAIN, .given_count = 2, .given = d->given};
}

static void data_free(data *d)
{
    free(d->x), free(d->fresh_x), free(d->A), free(d->B);
    rls2_dictionary_free(d->dictionary);
}

static void assert_refused(const data *d, const rls2_rows *rows, rls2_status status,
                           const char *part)
{
    rls2_error err = {.message = ""};
    rls2_basis *basis = NULL;
    double s[2];
    if (rls2_basis_create(d->dictionary, rows, NULL, NULL, &basis, &err) != status)
        fail_msg("not refused with %d: %s", status, err.message);
    assert_contains(err.message, part);
    assert_null(basis);
    assert_int_equal(rls2_scaling_compute(d->dictionary, rows, NULL, NULL, s, NULL), status);
}

/* ---- refused ---- */

static void basis_create__given_not_symmetric__error_has_both_entries(void **state)
{
    (void)state;
    data d = data_create("given(B); given(A)");
    data_point(&d);
    d.A[3 * TRAIN + 8] += 0.25;
    double a = d.A[3 * TRAIN + 8], b = d.A[8 * TRAIN + 3];
    char part[128];
    snprintf(part, sizeof part, "entry (9, 4) is %.10g, entry (4, 9) is %.10g", a, b);
    assert_refused(&d, &d.rows, RLS2_ERR_VALUE, "'given(A)' is not symmetric");
    assert_refused(&d, &d.rows, RLS2_ERR_VALUE, part);
    data_free(&d);
}

/* A matrix printed with ten digits is symmetric enough. */
static void basis_create__given_rounded_to_ten_digits__accepted(void **state)
{
    (void)state;
    data d = data_create("given(A); given(B)");
    data_point(&d);
    for (int i = 0; i < TRAIN * TRAIN; i++) {
        char text[64];
        snprintf(text, sizeof text, "%.9e", d.B[i] * (1.0 + 1e-11 * (i % 7)));
        d.B[i] = strtod(text, NULL);
    }
    rls2_basis *basis = unit_basis(d.dictionary, &d.rows, NULL);
    rls2_basis_free(basis);
    data_free(&d);
}

static void basis_create__given_indefinite__error_has_the_eigenvalue(void **state)
{
    (void)state;
    data d = data_create("given(B)");
    data_point(&d);
    memset(d.B, 0, sizeof(double) * TRAIN * TRAIN);
    for (int i = 0; i < TRAIN; i++) d.B[i * TRAIN + i] = 1.0;
    d.B[5 * TRAIN + 2] = d.B[2 * TRAIN + 5] = 1.5; /* eigenvalues 2.5 and -0.5 */
    assert_refused(&d, &d.rows, RLS2_ERR_VALUE,
                   "'given(B)' is not positive semi-definite: its smallest eigenvalue is -0.5");
    data_free(&d);
}

static void basis_create__given_negative_on_the_diagonal__error_has_the_entry(void **state)
{
    (void)state;
    data d = data_create("given(B)");
    data_point(&d);
    d.B[6 * TRAIN + 6] = -2.0;
    assert_refused(&d, &d.rows, RLS2_ERR_VALUE, "diagonal entry 7 is -2");
    data_free(&d);
}

/* A row at the mean of a centred matrix has a diagonal of zero up to rounding. */
static void basis_create__given_diagonal_negative_by_rounding__accepted(void **state)
{
    (void)state;
    data d = data_create("given(A); given(B)");
    data_point(&d);
    for (int i = 0; i < TRAIN; i++) d.B[4 * TRAIN + i] = d.B[i * TRAIN + 4] = 0.0;
    d.B[4 * TRAIN + 4] = -1e-17;
    rls2_error err = {.message = ""};
    rls2_basis *basis = NULL;
    if (rls2_basis_create(d.dictionary, &d.rows, NULL, NULL, &basis, &err) != RLS2_OK)
        fail_msg("%s", err.message);
    rls2_basis_free(basis);
    data_free(&d);
}

static void basis_create__given_with_nan__error_has_the_entry(void **state)
{
    (void)state;
    static const double bad[] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
    for (int i = 0; i < 3; i++) {
        data d = data_create("given(A); given(B)");
        data_point(&d);
        d.B[11 * TRAIN + 2] = bad[i];
        assert_refused(&d, &d.rows, RLS2_ERR_VALUE,
                       "training rows: kernel 'given(B)', entry (3, 12)");
        data_free(&d);
    }
}

static void basis_create__given_missing__error_names_the_kernel(void **state)
{
    (void)state;
    data d = data_create("given(A); given(B)");
    data_point(&d);
    rls2_rows rows = d.rows;
    rows.given_count = 1;
    assert_refused(&d, &rows, RLS2_ERR_ARGUMENT, "the matrix of kernel 'given(B)' is not there");
    rows = d.rows;
    rows.given = NULL;
    assert_refused(&d, &rows, RLS2_ERR_ARGUMENT, "the matrix of kernel 'given(A)' is not there");
    d.given[0] = NULL;
    assert_refused(&d, &d.rows, RLS2_ERR_ARGUMENT, "the matrix of kernel 'given(A)' is not there");
    data_free(&d);
}

/* A matrix no kernel uses need not be there. */
static void basis_create__unused_given_missing__accepted(void **state)
{
    (void)state;
    data d = data_create("given(B)");
    data_point(&d);
    d.given[0] = NULL;
    rls2_basis *basis = unit_basis(d.dictionary, &d.rows, NULL);
    rls2_basis_free(basis);
    data_free(&d);
}

static void basis_create__given_with_wrong_sizes__refused(void **state)
{
    (void)state;
    data d = data_create("given(A)");
    data_point(&d);
    rls2_rows rows = d.rows;
    rows.n = 0;
    assert_refused(&d, &rows, RLS2_ERR_ARGUMENT, "0 rows");
    rows.n = -5;
    assert_refused(&d, &rows, RLS2_ERR_ARGUMENT, "-5 rows");
    rows.n = INT64_C(1) << 33;
    assert_refused(&d, &rows, RLS2_ERR_MEMORY, "more than can be handled");
    rows.n = TRAIN;
    rows.p = 1;
    assert_refused(&d, &rows, RLS2_ERR_ARGUMENT, "1 columns where 0 were expected");
    data_free(&d);
}

static void basis_create__given_zero__degenerate_unless_skipped(void **state)
{
    (void)state;
    data d = data_create("given(A); given(B)");
    data_point(&d);
    memset(d.B, 0, sizeof(double) * TRAIN * TRAIN);
    assert_refused(&d, &d.rows, RLS2_ERR_VALUE, "'given(B)' cannot be scaled: its trace is zero");
    rls2_basis_options options;
    rls2_basis_options_init(&options, sizeof options);
    options.skip_degenerate = 1;
    rls2_basis *basis = unit_basis(d.dictionary, &d.rows, &options);
    assert_true(rls2_basis_scales(basis)[0] > 0.0 && rls2_basis_scales(basis)[1] == 0.0);
    rls2_basis_free(basis);
    data_free(&d);
}

static void scaling__given_transductive__needs_the_diagonal_and_no_center(void **state)
{
    (void)state;
    data d = data_create("given(A)");
    data_point(&d);
    double *cross = unit_normal(5, FRESH * TRAIN), diagonal[FRESH], s,
           expected = unit_trace(TRAIN, d.A);
    const double *cross_given[] = {cross, NULL}, *diagonals[] = {diagonal, NULL};
    rls2_error err = {.message = ""};
    rls2_rows extra = {.n = FRESH, .given_count = 2, .given = cross_given};
    rls2_basis_options options;
    rls2_basis_options_init(&options, sizeof options);
    options.transductive = &extra;
    for (int i = 0; i < FRESH; i++) expected += diagonal[i] = 1.0 + i;
    assert_int_equal(rls2_scaling_compute(d.dictionary, &d.rows, &options, NULL, &s, &err),
                     RLS2_ERR_ARGUMENT);
    assert_contains(err.message, "diagonal of kernel 'given(A)'");
    extra.given_diagonal = diagonals;
    assert_int_equal(rls2_scaling_compute(d.dictionary, &d.rows, &options, NULL, &s, &err),
                     RLS2_OK);
    assert_near(s * expected, 1.0, 1e-13);
    options.center = 1;
    assert_int_equal(rls2_scaling_compute(d.dictionary, &d.rows, &options, NULL, &s, &err),
                     RLS2_ERR_ARGUMENT);
    assert_contains(err.message, "centred transductive");
    options.center = 0;
    diagonal[2] = (double)NAN;
    assert_int_equal(rls2_scaling_compute(d.dictionary, &d.rows, &options, NULL, &s, &err),
                     RLS2_ERR_VALUE);
    data_free(&d);
    free(cross);
}

/* ---- used ---- */

static rls2_model *fit(const rls2_basis *basis, const double *y, double lambda)
{
    rls2_error err = {.message = ""};
    rls2_path *path = NULL;
    rls2_model *model = NULL;
    rls2_path_options options;
    rls2_path_options_init(&options, sizeof options);
    options.gap_tol = 1e-11;
    if (fit_one(basis, y, 1, &lambda, &options, &path, &err) != RLS2_OK)
        fail_msg("%s", err.message);
    assert_at_most(rls2_path_at(path, 0)->gap, 1e-9);
    if (model_of_one(path, 0, &model, &err) != RLS2_OK) fail_msg("%s", err.message);
    rls2_path_free(path);
    return model;
}

/* Rank 6 of 30: no factorisation of the matrix itself exists. */
static void path_fit__given_singular__converges(void **state)
{
    (void)state;
    data d = data_create("given(A)");
    data_point(&d);
    double *y = unit_normal(9, TRAIN), *values = unit_eigenvalues(TRAIN, d.A);
    assert_true(values[TRAIN - 7] < 1e-12 * values[TRAIN - 1]);
    for (int dense = 0; dense < 2; dense++) {
        rls2_basis_options options;
        rls2_basis_options_init(&options, sizeof options);
        options.rank_tol = dense ? 0.0 : 1e-14;
        rls2_basis *basis = unit_basis(d.dictionary, &d.rows, &options);
        assert_int_equal(rls2_basis_rank(basis, 0),
                         TRAIN); /* never a factor: it need not be exactly PSD */
        rls2_model *model = fit(basis, y, 1e-3);
        double df = -1.0;
        assert_int_equal(rls2_model_degrees_of_freedom(model, &df, NULL), RLS2_OK);
        assert_true(df > 0.0 && df <= 6.0);
        rls2_model_free(model);
        rls2_basis_free(basis);
    }
    data_free(&d);
    free(y), free(values);
}

/* The same two kernels, once as functions and once as matrices. */
static void model_predict__given_and_computed__the_same(void **state)
{
    (void)state;
    data d = data_create("given(A); given(B)");
    data_point(&d);
    double *y = unit_normal(9, TRAIN), a[FRESH * TRAIN], b[FRESH * TRAIN], f[FRESH],
           expected[FRESH];
    double diagonal_a[FRESH], diagonal_b[FRESH];
    rls2_rows train = {.n = TRAIN, .p = COLUMNS, .x = d.x},
              fresh = {.n = FRESH, .p = COLUMNS, .x = d.fresh_x};
    rls2_dictionary *functions = unit_dictionary("poly(2)@all; rbf(2)@all", COLUMNS);
    for (int64_t j = 0; j < TRAIN; j++) {
        rls2__kernel_column(&functions->kernels[0], &fresh, &train, j, a + j * FRESH);
        rls2__kernel_column(&functions->kernels[1], &fresh, &train, j, b + j * FRESH);
    }
    rls2__kernel_diagonal(&functions->kernels[0], &fresh, diagonal_a);
    rls2__kernel_diagonal(&functions->kernels[1], &fresh, diagonal_b);
    const double *cross[] = {a, b}, *diagonals[] = {diagonal_a, diagonal_b};
    rls2_rows rows = {.n = FRESH, .given_count = 2, .given = cross, .given_diagonal = diagonals};
    rls2_basis *by_matrix = unit_basis(d.dictionary, &d.rows, NULL),
               *by_function = unit_basis(functions, &train, NULL);
    rls2_model *model = fit(by_matrix, y, 1e-2), *reference = fit(by_function, y, 1e-2);
    assert_int_equal(rls2_model_kernel_count(model), rls2_model_kernel_count(reference));
    assert_int_equal(rls2_model_predict(model, &rows, NULL, f, NULL), RLS2_OK);
    assert_int_equal(rls2_model_predict(reference, &fresh, NULL, expected, NULL), RLS2_OK);
    for (int i = 0; i < FRESH; i++) assert_near(f[i], expected[i], 1e-8);
    assert_int_equal(rls2_model_variance(model, &rows, f, NULL), RLS2_OK);
    assert_int_equal(rls2_model_variance(reference, &fresh, expected, NULL), RLS2_OK);
    for (int i = 0; i < FRESH; i++) assert_near(f[i], expected[i], 1e-8 * (1.0 + expected[i]));
    rls2_model_free(model);
    rls2_model_free(reference);
    rls2_basis_free(by_matrix);
    rls2_basis_free(by_function);
    rls2_dictionary_free(functions);
    data_free(&d);
    free(y);
}

typedef struct fitted {
    data d;
    rls2_model *model;
    double cross[FRESH * TRAIN];
    double diagonal[FRESH];
    const double *crosses[2];
    const double *diagonals[2];
    rls2_rows rows;
} fitted;

/* A model on given(A) alone, and usable rows for it. */
static void fitted_create(fitted *f)
{
    f->d = data_create("given(A)");
    data_point(&f->d);
    double *y = unit_normal(9, TRAIN);
    rls2_basis *basis = unit_basis(f->d.dictionary, &f->d.rows, NULL);
    f->model = fit(basis, y, 0.1);
    rls2_basis_free(basis);
    free(y);
    for (int64_t j = 0; j < TRAIN; j++)
        for (int64_t i = 0; i < FRESH; i++) f->cross[j * FRESH + i] = f->d.A[j * TRAIN + i];
    for (int64_t i = 0; i < FRESH; i++) f->diagonal[i] = f->d.A[i * TRAIN + i];
    f->crosses[0] = f->cross, f->crosses[1] = NULL;
    f->diagonals[0] = f->diagonal, f->diagonals[1] = NULL;
    f->rows = (rls2_rows){
        .n = FRESH, .given_count = 2, .given = f->crosses, .given_diagonal = f->diagonals};
}

static void fitted_free(fitted *f)
{
    rls2_model_free(f->model);
    data_free(&f->d);
}

static void model_predict__cross_matrix_unusable__error_says_where(void **state)
{
    (void)state;
    fitted f;
    fitted_create(&f);
    rls2_error err = {.message = ""};
    double out[FRESH];
    assert_int_equal(rls2_model_predict(f.model, &f.rows, NULL, out, &err), RLS2_OK);
    f.cross[4 * FRESH + 1] = (double)NAN;
    assert_int_equal(rls2_model_predict(f.model, &f.rows, NULL, out, &err), RLS2_ERR_VALUE);
    assert_contains(err.message, "kernel 'given(A)', entry (2, 5)");
    f.rows.given_count = 0;
    assert_int_equal(rls2_model_predict(f.model, &f.rows, NULL, out, &err), RLS2_ERR_ARGUMENT);
    assert_contains(err.message, "'given(A)' is not there");
    fitted_free(&f);
}

static void model_variance__given_without_diagonal__error_names_the_kernel(void **state)
{
    (void)state;
    fitted f;
    fitted_create(&f);
    rls2_error err = {.message = ""};
    double out[FRESH];
    assert_int_equal(rls2_model_variance(f.model, &f.rows, out, &err), RLS2_OK);
    for (int i = 0; i < FRESH; i++) assert_true(out[i] > 0.0);
    f.diagonals[0] = NULL;
    assert_int_equal(rls2_model_variance(f.model, &f.rows, out, &err), RLS2_ERR_ARGUMENT);
    assert_contains(err.message, "diagonal of kernel 'given(A)'");
    f.rows.given_diagonal = NULL;
    assert_int_equal(rls2_model_variance(f.model, &f.rows, out, &err), RLS2_ERR_ARGUMENT);
    assert_int_equal(rls2_model_predict(f.model, &f.rows, NULL, out, &err),
                     RLS2_OK); /* which needs none */
    fitted_free(&f);
}

static void model_variance__given_diagonal_not_finite__error(void **state)
{
    (void)state;
    fitted f;
    fitted_create(&f);
    rls2_error err = {.message = ""};
    double out[FRESH];
    f.diagonal[3] = (double)NAN;
    assert_int_equal(rls2_model_variance(f.model, &f.rows, out, &err), RLS2_ERR_VALUE);
    f.diagonal[3] = INFINITY;
    assert_int_equal(rls2_model_variance(f.model, &f.rows, out, &err), RLS2_ERR_VALUE);
    fitted_free(&f);
}

/* For training rows the matrix has the diagonal already; a stated one must not replace it
 * unseen. */
static void basis_create__training_diagonal_stated__matrix_counts(void **state)
{
    (void)state;
    data d = data_create("given(A)");
    data_point(&d);
    double wrong[TRAIN];
    const double *diagonals[] = {wrong, NULL};
    for (int i = 0; i < TRAIN; i++) wrong[i] = 100.0 + i;
    rls2_basis *basis = unit_basis(d.dictionary, &d.rows, NULL), *stated = NULL;
    rls2_rows rows = d.rows;
    rows.given_diagonal = diagonals;
    if (rls2_basis_create(d.dictionary, &rows, NULL, NULL, &stated, NULL) == RLS2_OK)
        assert_near(rls2_basis_scales(stated)[0] / rls2_basis_scales(basis)[0], 1.0, 1e-12);
    rls2_basis_free(stated);
    rls2_basis_free(basis);
    data_free(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(basis_create__given_not_symmetric__error_has_both_entries),
        cmocka_unit_test(basis_create__given_rounded_to_ten_digits__accepted),
        cmocka_unit_test(basis_create__given_indefinite__error_has_the_eigenvalue),
        cmocka_unit_test(basis_create__given_negative_on_the_diagonal__error_has_the_entry),
        cmocka_unit_test(basis_create__given_diagonal_negative_by_rounding__accepted),
        cmocka_unit_test(basis_create__given_with_nan__error_has_the_entry),
        cmocka_unit_test(basis_create__given_missing__error_names_the_kernel),
        cmocka_unit_test(basis_create__unused_given_missing__accepted),
        cmocka_unit_test(basis_create__given_with_wrong_sizes__refused),
        cmocka_unit_test(basis_create__given_zero__degenerate_unless_skipped),
        cmocka_unit_test(scaling__given_transductive__needs_the_diagonal_and_no_center),
        cmocka_unit_test(path_fit__given_singular__converges),
        cmocka_unit_test(model_predict__given_and_computed__the_same),
        cmocka_unit_test(model_predict__cross_matrix_unusable__error_says_where),
        cmocka_unit_test(model_variance__given_without_diagonal__error_names_the_kernel),
        cmocka_unit_test(model_variance__given_diagonal_not_finite__error),
        cmocka_unit_test(basis_create__training_diagonal_stated__matrix_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
