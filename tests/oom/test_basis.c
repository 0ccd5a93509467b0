/* Every allocation of the functions of bases and scalings fails once: alone, and with
 * those that come after it. The call then reports it and writes nothing. That nothing
 * leaks either is for the sanitised build to see. */
#include "learning_problem.h"
#include "basis/basis_derive.h"
#include "support/control.h"

/* ---- bases ---- */

static rls2_status finish_basis(rls2_status status, rls2_basis *basis, result *r)
{
    if (status != RLS2_OK) {
        assert_ptr_equal(basis, UNTOUCHED);
        return status;
    }
    add_values(r, rls2_basis_count(basis), rls2_basis_scales(basis));
    add_value(r, (double)rls2_basis_bytes(basis));
    for (int64_t k = 0; k < rls2_basis_count(basis); k++) {
        add_value(r, (double)rls2_basis_rank(basis, k));
        add_text(r, rls2_basis_shape(basis, k));
    }
    rls2_basis_free(basis);
    return status;
}

static rls2_status make_basis(rls2_basis_options options, result *r, rls2_error *err)
{
    rls2_basis *basis = UNTOUCHED;
    rls2_status status;
    ARMED(status = rls2_basis_create(problem.dictionary, &problem.train, &options, ON_THREADS(1),
                                     &basis, err));
    return finish_basis(status, basis, r);
}

static rls2_status trace_basis(result *r, rls2_error *err)
{
    return make_basis(basis_options(RLS2_SCALING_TRACE), r, err);
}

/* A column without its zeros is kept beside the rows. */
static rls2_status sparse_basis(result *r, rls2_error *err)
{
    double x[N * P];
    rls2_rows rows = problem.train;
    rls2_basis *basis = UNTOUCHED;
    rls2_status status;
    rls2_basis_options options = basis_options(RLS2_SCALING_TRACE);
    for (int i = 0; i < N * P; i++) x[i] = i < N && i % 11 ? 0.0 : problem.x[i] + 0.5;
    rows.x = x;
    ARMED(status =
              rls2_basis_create(problem.dictionary, &rows, &options, ON_THREADS(1), &basis, err));
    return finish_basis(status, basis, r);
}

static rls2_status learn_widths(result *r, rls2_error *err)
{
    rls2_columns columns = {.count = P};
    rls2_dictionary *dictionary = NULL, *learned = UNTOUCHED;
    const double *widths = NULL;
    rls2_status status = rls2_dictionary_create("rbf(learn)@all; matern(2.5,learn)@x1..x2",
                                                &columns, &dictionary, NULL);
    assert_int_equal(status, RLS2_OK);
    ARMED(status = rls2_dictionary_learn(dictionary, &problem.train, 1, problem.y, NULL,
                                         ON_THREADS(1), &learned, err));
    rls2_dictionary_free(dictionary);
    if (status != RLS2_OK) {
        assert_ptr_equal(learned, UNTOUCHED);
        return status;
    }
    for (int64_t k = 0; k < rls2_dictionary_count(learned); k++) {
        int64_t count = rls2_dictionary_kernel_widths(learned, k, &widths);
        add_values(r, count, widths);
    }
    rls2_dictionary_free(learned);
    return status;
}

/* So many rows that factors are grown in rounds and triangles made in parts. */
static rls2_status large_basis(result *r, rls2_error *err)
{
    enum { ROWS = 2100 };
    double *x = malloc(ROWS * sizeof *x);
    assert_non_null(x);
    for (int i = 0; i < ROWS; i++) x[i] = (double)((i * 7919) % 9973) / 1e3;
    rls2_columns columns = {.count = 1};
    rls2_rows rows = {.n = ROWS, .p = 1, .x = x};
    rls2_dictionary *dictionary = NULL;
    rls2_basis *basis = UNTOUCHED;
    rls2_basis_options options = basis_options(RLS2_SCALING_TRACE);
    rls2_status status = rls2_dictionary_create("poly(2)@x1; rbf(10)@x1; laplace(9)@x1", &columns,
                                                &dictionary, NULL);
    assert_int_equal(status, RLS2_OK);
    ARMED(status = rls2_basis_create(dictionary, &rows, &options, ON_THREADS(1), &basis, err));
    status = finish_basis(status, basis, r);
    rls2_dictionary_free(dictionary);
    free(x);
    return status;
}

static rls2_status plain_basis(result *r, rls2_error *err)
{
    return make_basis(basis_options(RLS2_SCALING_NONE), r, err);
}

static rls2_status fisher_basis(result *r, rls2_error *err)
{
    rls2_basis_options options = basis_options(RLS2_SCALING_FISHER);
    options.skip_degenerate = 1;
    return make_basis(options, r, err);
}

static rls2_status fisher_sqrt_basis(result *r, rls2_error *err)
{
    rls2_basis_options options = basis_options(RLS2_SCALING_FISHER_SQRT);
    options.skip_degenerate = 1;
    return make_basis(options, r, err);
}

static rls2_status centred_basis(result *r, rls2_error *err)
{
    rls2_basis_options options = basis_options(RLS2_SCALING_TRACE);
    options.center = 1;
    return make_basis(options, r, err);
}

static rls2_status transductive_basis(result *r, rls2_error *err)
{
    rls2_basis_options options = basis_options(RLS2_SCALING_TRACE);
    options.transductive = &problem.fresh;
    return make_basis(options, r, err);
}

static rls2_status dense_basis(result *r, rls2_error *err)
{
    rls2_basis_options options = basis_options(RLS2_SCALING_TRACE);
    options.rank_tol = 0.0;
    return make_basis(options, r, err);
}

static const double *some_weights(void)
{
    static double weights[N];
    for (int i = 0; i < N; i++) weights[i] = 0.5 + (double)(i % 4);
    return weights;
}

static rls2_status weighted_basis(result *r, rls2_error *err)
{
    rls2_basis_options options = basis_options(RLS2_SCALING_TRACE);
    options.row_weights = some_weights();
    return make_basis(options, r, err);
}

/* Room for a triangle or two, and for none. */
static rls2_status limited_basis(result *r, rls2_error *err)
{
    rls2_basis_options options = basis_options(RLS2_SCALING_TRACE);
    options.memory = 45000;
    return make_basis(options, r, err);
}

static rls2_status unstored_basis(result *r, rls2_error *err)
{
    rls2_basis_options options = basis_options(RLS2_SCALING_TRACE);
    options.memory = 1;
    options.row_weights = some_weights();
    return make_basis(options, r, err);
}

/* Of the first labels, for which the group's kernels are constant in each class. */
static rls2_status rescale(const double *weights, result *r, rls2_error *err)
{
    rls2_basis_options options = basis_options(RLS2_SCALING_FISHER);
    rls2_basis *whole = NULL, *basis = UNTOUCHED;
    double labels[N];
    rls2_status status;
    options.skip_degenerate = 1;
    options.row_weights = weights;
    for (int i = 0; i < N; i++) labels[i] = i % 2 ? 1.0 : -1.0;
    assert_int_equal(rls2_basis_create(problem.dictionary, &problem.train, &options, ON_THREADS(1),
                                       &whole, NULL),
                     RLS2_OK);
    ARMED(status = rls2_basis_rescale(whole, labels, ON_THREADS(1), &basis, err));
    status = finish_basis(status, basis, r);
    rls2_basis_free(whole);
    return status;
}

static rls2_status rescaled_basis(result *r, rls2_error *err)
{
    return rescale(NULL, r, err);
}

static rls2_status rescaled_weighted_basis(result *r, rls2_error *err)
{
    return rescale(some_weights(), r, err);
}

/* A few rows, of which factors become triangles, or many, of which they stay. */
static rls2_status take(int64_t count, rls2_scaling scaling, const double *weights, double coarse,
                        result *r, rls2_error *err)
{
    rls2_basis_options options = basis_options(scaling);
    rls2_basis *basis = UNTOUCHED;
    int64_t rows[N];
    rls2_status status;
    options.skip_degenerate = 1;
    options.row_weights = weights;
    for (int64_t i = 0; i < count; i++) rows[i] = (7 * i + 3) % N;
    ARMED(status = rls2__basis_take_coarsely(problem.basis, problem.basis->dictionary, count, rows,
                                             &options, coarse, ON_THREADS(1), &basis, err));
    return finish_basis(status, basis, r);
}

static rls2_status few_rows(result *r, rls2_error *err)
{
    return take(12, RLS2_SCALING_TRACE, NULL, 0.0, r, err);
}

static rls2_status many_rows(result *r, rls2_error *err)
{
    return take(50, RLS2_SCALING_FISHER, NULL, 0.0, r, err);
}

static rls2_status weighted_rows(result *r, rls2_error *err)
{
    return take(50, RLS2_SCALING_TRACE, some_weights(), 0.0, r, err);
}

static rls2_status rounded_rows(result *r, rls2_error *err)
{
    return take(50, RLS2_SCALING_TRACE, NULL, 1.0, r, err);
}

static rls2_status kept_rows(result *r, rls2_error *err)
{
    static const int64_t rows[] = {9, 3, 41, 17, 5, 58, 22, 30};
    rls2_basis_options options = basis_options(RLS2_SCALING_TRACE);
    rls2_basis *whole = NULL, *basis = UNTOUCHED;
    rls2_status status;
    options.row_weights = some_weights();
    assert_int_equal(rls2_basis_create(problem.dictionary, &problem.train, &options, ON_THREADS(1),
                                       &whole, NULL),
                     RLS2_OK);
    ARMED(status = rls2_basis_take(whole, sizeof rows / sizeof rows[0], rows, NULL, ON_THREADS(1),
                                   &basis, err));
    rls2_basis_free(whole);
    return finish_basis(status, basis, r);
}

static rls2_status compute_scalings(rls2_basis_options options, result *r, rls2_error *err)
{
    double s[KERNEL_ROOM];
    rls2_status status;
    fill_unwritten(KERNEL_ROOM, s);
    ARMED(status = rls2_scaling_compute(problem.dictionary, &problem.train, &options, ON_THREADS(1),
                                        s, err));
    return finish_values(status, rls2_dictionary_count(problem.dictionary), s, r);
}

static rls2_status trace_scalings(result *r, rls2_error *err)
{
    return compute_scalings(basis_options(RLS2_SCALING_TRACE), r, err);
}

static rls2_status fisher_scalings(result *r, rls2_error *err)
{
    rls2_basis_options options = basis_options(RLS2_SCALING_FISHER);
    options.skip_degenerate = 1;
    return compute_scalings(options, r, err);
}

/* ---- a call that fails anyway ---- */

/* A matrix with a negative eigenvalue: short of memory or not, it is refused in words
 * that can be read. */
static void
basis_create__indefinite_given_matrix_and_each_allocation_fails__is_refused(void **state)
{
    (void)state;
    static double K[N * N];
    const double *list[] = {K};
    rls2_rows train = problem.train;
    rls2_basis_options options = basis_options(RLS2_SCALING_TRACE);
    for (int64_t i = 0; i < N; i++) K[i * N + i] = 1.0;
    K[1] = K[N] = 2.0;
    train.given = list;
    for (int64_t fail_at = 1, failed = 1; failed; fail_at++) {
        rls2_basis *basis = UNTOUCHED;
        rls2_error err = {.message = ""};
        rls2_status status;
        reset_allocator(fail_at, 1);
        ARMED(status = rls2_basis_create(problem.dictionary, &train, &options, ON_THREADS(1),
                                         &basis, &err));
        failed = allocator.failed;
        if (!failed) assert_int_equal(status, RLS2_ERR_VALUE);
        assert_true(status == RLS2_ERR_VALUE || status == RLS2_ERR_MEMORY);
        assert_null(strstr(err.message, "nan"));
        assert_ptr_equal(basis, UNTOUCHED);
    }
    reset_allocator(0, 0);
}

/* ---- what is asked for ---- */

/* Linear kernels are columns of the data, and the ranks of the others are small: nothing has the
 * size of a matrix, however many rows there are. */
static void basis_create__many_rows_of_low_rank__no_block_of_the_size_of_a_matrix(void **state)
{
    (void)state;
    enum { ROWS = 20000, COLUMNS = 3 };
    rls2_basis_options options = basis_options(RLS2_SCALING_TRACE);
    double *x = malloc(ROWS * COLUMNS * sizeof *x);
    assert_non_null(x);
    for (int i = 0; i < ROWS * COLUMNS; i++) x[i] = (double)((i * 7919 + i / ROWS) % 9973) / 1e3;
    rls2_columns columns = {.count = COLUMNS};
    rls2_rows rows = {.n = ROWS, .p = COLUMNS, .x = x};
    rls2_dictionary *dictionary = NULL;
    assert_int_equal(
        rls2_dictionary_create("linear@each; linear@all; poly(2)@x2", &columns, &dictionary, NULL),
        RLS2_OK);
    rls2_basis *basis = NULL;
    rls2_status status;
    reset_allocator(0, 0);
    ARMED(status = rls2_basis_create(dictionary, &rows, &options, ON_THREADS(2), &basis, NULL));
    assert_int_equal(status, RLS2_OK);
    assert_in_range(allocator.largest, 1, 20 * ROWS * sizeof(double));
    rls2_basis_free(basis);
    rls2_dictionary_free(dictionary);
    free(x);
}

/* ---- all ---- */

static const sweep sweeps[] = {
    {"basis_create__trace", trace_basis, STRICT},
    {"basis_create__sparse", sparse_basis, STRICT},
    {"basis_create__many_rows", large_basis, STRICT},
    {"basis_create__none", plain_basis, STRICT},
    {"basis_create__fisher", fisher_basis, STRICT},
    {"basis_create__fisher_sqrt", fisher_sqrt_basis, STRICT},
    {"basis_create__center", centred_basis, STRICT},
    {"basis_create__transductive", transductive_basis, STRICT},
    {"basis_create__dense", dense_basis, STRICT},
    {"basis_create__weights", weighted_basis, STRICT},
    {"basis_create__limit_of_memory", limited_basis, STRICT},
    {"basis_create__nothing_stored", unstored_basis, STRICT},
    {"basis_rescale", rescaled_basis, STRICT},
    {"basis_rescale__weights", rescaled_weighted_basis, STRICT},
    {"basis_take__few_rows", few_rows, STRICT},
    {"basis_take__many_rows", many_rows, STRICT},
    {"basis_take__weights", weighted_rows, STRICT},
    {"basis_take__rounded", rounded_rows, STRICT},
    {"basis_take__no_options", kept_rows, STRICT},
    {"dictionary_learn", learn_widths, STRICT},
    {"scaling_compute__trace", trace_scalings, STRICT},
    {"scaling_compute__fisher", fisher_scalings, STRICT},
};
enum { SWEEPS = sizeof sweeps / sizeof sweeps[0] };

int main(void)
{
    struct CMUnitTest tests[SWEEPS + 2] = {
        cmocka_unit_test(
            basis_create__indefinite_given_matrix_and_each_allocation_fails__is_refused),
        cmocka_unit_test(basis_create__many_rows_of_low_rank__no_block_of_the_size_of_a_matrix)};
    for (int i = 0; i < SWEEPS; i++) tests[i + 2] = sweep_test(&sweeps[i]);
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
