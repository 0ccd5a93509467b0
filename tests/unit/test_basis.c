/* The basis: how it is made, by one thread or several, and what it says of itself. */
#include "basis/shape.h"
#include "basis_fixture.h"

#include <pthread.h>
#include "support/control.h"

/* ---- extreme kernels ---- */

/* Unscaled kernels are not stopped by the scaling: the build itself must notice. */
static void basis_create__values_too_large_without_scaling__error_names_the_kernel(void **state)
{
    (void)state;
    static const char *const specs[] = {"linear@x1", "linear@x1+x2", "poly(2)@x1", "poly(2)@x1+x2",
                                        "poly(20)@x1"};
    double *x = make_x(ROWS);
    x[7] = 1e200;
    rls2_rows rows = {.n = ROWS, .p = COLUMNS, .x = x};
    rls2_basis_options options;
    rls2_basis_options_init(&options, sizeof options);
    options.scaling = RLS2_SCALING_NONE;
    for (int dense = 0; dense < 2; dense++)
        for (int i = 0; i < 5; i++) {
            rls2_error err = {.message = ""};
            rls2_basis *basis = NULL;
            rls2_dictionary *dictionary = unit_dictionary(specs[i], COLUMNS);
            options.rank_tol = dense ? 0.0 : 1e-14;
            if (rls2_basis_create(dictionary, &rows, &options, NULL, &basis, &err) !=
                RLS2_ERR_VALUE)
                fail_msg("%s, rank_tol %g: accepted, norm %g", specs[i], options.rank_tol,
                         basis->ops[0].norm);
            assert_contains(err.message, specs[i]);
            assert_null(basis);
            rls2_dictionary_free(dictionary);
        }
    free(x);
}

/* ---- many columns ---- */

static void basis_create__hundred_thousand_columns__right_and_nothing_stored(void **state)
{
    (void)state;
    enum { MANY = 100000, FEW = 20 };
    double *x = unit_normal(60, (int64_t)MANY * FEW), *c = unit_normal(61, FEW),
           *q = unit_room(MANY), work[FEW];
    int64_t *ks = calloc(MANY, sizeof *ks);
    rls2_rows rows = {.n = FEW, .p = MANY, .x = x};
    unit_fixture f = unit_fixture_create("linear", &rows, NULL);
    for (int64_t k = 0; k < MANY; k++) ks[k] = k;
    rls2__basis_price(unit_alone(), f.basis, c, MANY, ks, q, work);
    assert_int_equal(rls2_basis_count(f.basis), MANY);
    assert_int_equal(rls2_basis_bytes(f.basis), 0);
    for (int64_t k = 0; k < MANY; k++) {
        const double *column = x + k * FEW;
        double inner = unit_inner(FEW, column, c), square = unit_inner(FEW, column, column);
        assert_near(q[k], inner * inner / square, 1e-13 * unit_inner(FEW, c, c));
    }
    unit_fixture_free(&f);
    free(x), free(c), free(q), free(ks);
}

/* ---- threads, progress, memory ---- */

static void basis_create__one_or_several_threads__same_bits(void **state)
{
    (void)state;
    double *x = make_x(ROWS);
    rls2_rows rows = {.n = ROWS, .p = COLUMNS, .x = x};
    static const int counts[] = {2, 5, 0};
    rls2_basis_options options;
    rls2_basis_options_init(&options, sizeof options);
    options.center = 1;
    unit_fixture one = unit_fixture_create_under(MIXED, &rows, &options, ON_THREADS(1));
    for (int t = 0; t < 3; t++) {
        unit_fixture many =
            unit_fixture_create_under(MIXED, &rows, &options, ON_THREADS(counts[t]));
        for (int64_t k = 0; k < one.basis->m; k++) {
            const rls2__operator *a = &one.basis->ops[k], *b = &many.basis->ops[k];
            assert_ptr_equal(a->shape, b->shape);
            assert_int_equal(a->rank, b->rank);
            assert_memory_equal(&one.basis->s[k], &many.basis->s[k], sizeof(double));
            assert_true(a->norm == b->norm && a->slack == b->slack && a->trace == b->trace);
            int64_t values =
                a->shape == &rls2__shape_dense ? ROWS * (ROWS + 1) / 2 : ROWS * a->rank;
            assert_memory_equal(unit_values(a), unit_values(b), (size_t)values * sizeof(double));
        }
        unit_fixture_free(&many);
    }
    unit_fixture_free(&one);
    free(x);
}

typedef struct watch {
    pthread_t caller;
    int64_t calls;
    int64_t stop_at; /* call that asks to stop; 0: none */
    int64_t last;
    int wrong;
} watch;

static int watch_progress(void *user, const rls2_progress *progress)
{
    watch *w = user;
    w->calls++;
    if (!pthread_equal(pthread_self(), w->caller) || progress->done <= w->last ||
        progress->done > progress->total || progress->total != 40 ||
        strcmp(progress->stage, "kernels") != 0)
        w->wrong = 1;
    w->last = progress->done;
    return w->calls == w->stop_at;
}

static rls2_status create_watched(int threads, watch *w, rls2_basis **basis,
                                  rls2_dictionary **dictionary, rls2_error *err)
{
    double *x = make_x(ROWS);
    rls2_rows rows = {.n = ROWS, .p = COLUMNS, .x = x};
    w->caller = pthread_self();
    *basis = NULL;
    *dictionary = unit_dictionary("rbf(0.1:10:40)@all", COLUMNS);
    rls2_status status = rls2_basis_create(*dictionary, &rows, NULL,
                                           WATCHED_BY(watch_progress, w, threads), basis, err);
    free(x);
    return status;
}

static void basis_create__with_progress__called_by_the_caller_once_per_kernel(void **state)
{
    (void)state;
    rls2_basis *basis;
    rls2_dictionary *dictionary;
    rls2_error err = {.message = ""};
    watch w = {0};
    assert_int_equal(create_watched(1, &w, &basis, &dictionary, &err), RLS2_OK);
    assert_int_equal(w.calls, 40);
    assert_int_equal(w.last, 40);
    assert_int_equal(w.wrong, 0);
    rls2_basis_free(basis);
    rls2_dictionary_free(dictionary);
}

static void basis_create__with_progress_and_threads__called_by_the_caller_only(void **state)
{
    (void)state;
    for (int round = 0; round < 5; round++) {
        rls2_basis *basis;
        rls2_dictionary *dictionary;
        rls2_error err = {.message = ""};
        watch w = {0};
        assert_int_equal(create_watched(3, &w, &basis, &dictionary, &err), RLS2_OK);
        assert_int_equal(w.wrong, 0);
        assert_in_range(w.calls, 1, 40);
        assert_int_equal(w.last, 40);
        rls2_basis_free(basis);
        rls2_dictionary_free(dictionary);
    }
}

static void basis_create__progress_asks_to_stop__cancelled_and_nothing_written(void **state)
{
    (void)state;
    for (int64_t stop_at = 1; stop_at <= 40; stop_at += 13) {
        rls2_basis *basis;
        rls2_dictionary *dictionary;
        rls2_error err = {.message = ""};
        watch w = {.stop_at = stop_at};
        assert_int_equal(create_watched(1, &w, &basis, &dictionary, &err), RLS2_ERR_CANCELLED);
        assert_int_equal(err.status, RLS2_ERR_CANCELLED);
        assert_contains(err.message, "cancelled");
        assert_int_equal(w.calls, stop_at); /* and is not asked again */
        assert_null(basis);
        rls2_dictionary_free(dictionary);
    }
}

static void basis_bytes__every_shape__what_is_stored(void **state)
{
    (void)state;
    double *x = make_x(ROWS);
    rls2_rows rows = {.n = ROWS, .p = COLUMNS, .x = x};
    unit_fixture f = unit_fixture_create(MIXED, &rows, NULL);
    int64_t expected = 0;
    for (int64_t k = 0; k < f.basis->m; k++) {
        const char *shape = rls2_basis_shape(f.basis, k);
        if (strcmp(shape, "dense") == 0)
            expected += ROWS * (ROWS + 1) / 2 * 8;
        else if (strcmp(shape, "factor") == 0)
            expected += ROWS * rls2_basis_rank(f.basis, k) * 8;
        else
            assert_string_equal(shape, "rank-one"); /* the column lies in the rows */
    }
    assert_true(expected > 0);
    assert_int_equal(rls2_basis_bytes(f.basis), expected);
    unit_fixture_free(&f);
    free(x);
}

/* ---- the public functions ---- */

static void basis_create__rows_changed_afterwards__basis_keeps_its_own(void **state)
{
    (void)state;
    double *x = make_x(ROWS), *c = unit_normal(3, ROWS), before[2], after[2], work[ROWS];
    static const int64_t ks[] = {0, 1};
    rls2_rows rows = {.n = ROWS, .p = COLUMNS, .x = x};
    unit_fixture f = unit_fixture_create("linear@x1; rbf(1)@x2", &rows, NULL);
    rls2__basis_price(unit_alone(), f.basis, c, 2, ks, before, work);
    for (int i = 0; i < ROWS * COLUMNS; i++) x[i] = 1e9;
    rls2__basis_price(unit_alone(), f.basis, c, 2, ks, after, work);
    assert_memory_equal(before, after, sizeof before);
    unit_fixture_free(&f);
    free(x), free(c);
}

static void basis_create__leading_dimension_above_rows__as_without(void **state)
{
    (void)state;
    double *x = make_x(ROWS), *padded = unit_normal_padded(0, ROWS, ROWS + 7, COLUMNS);
    for (int64_t j = 0; j < COLUMNS; j++)
        memcpy(padded + j * (ROWS + 7), x + j * ROWS, ROWS * sizeof(double));
    rls2_rows tight = {.n = ROWS, .p = COLUMNS, .x = x},
              wide = {.n = ROWS, .p = COLUMNS, .x = padded, .ldx = ROWS + 7};
    unit_fixture a = unit_fixture_create(MIXED, &tight, NULL),
                 b = unit_fixture_create(MIXED, &wide, NULL);
    for (int64_t k = 0; k < a.basis->m; k++) {
        assert_true(a.basis->s[k] == b.basis->s[k] && a.basis->ops[k].norm == b.basis->ops[k].norm);
        assert_memory_equal(unit_values(&a.basis->ops[k]), unit_values(&b.basis->ops[k]),
                            ROWS * sizeof(double));
    }
    unit_fixture_free(&a);
    unit_fixture_free(&b);
    free(x), free(padded);
}

static void basis_create__unusable_rows__error_says_where(void **state)
{
    (void)state;
    double *x = make_x(ROWS);
    rls2_error err = {.message = ""};
    rls2_basis *basis = NULL;
    rls2_dictionary *dictionary = unit_dictionary("linear", COLUMNS);
    rls2_rows good = {.n = ROWS, .p = COLUMNS, .x = x}, rows = good;
    assert_int_equal(rls2_basis_create(NULL, &good, NULL, NULL, &basis, &err), RLS2_ERR_ARGUMENT);
    assert_int_equal(rls2_basis_create(dictionary, NULL, NULL, NULL, &basis, &err),
                     RLS2_ERR_ARGUMENT);
    assert_int_equal(rls2_basis_create(dictionary, &good, NULL, NULL, NULL, &err),
                     RLS2_ERR_ARGUMENT);
    rows.n = 0;
    assert_int_equal(rls2_basis_create(dictionary, &rows, NULL, NULL, &basis, &err),
                     RLS2_ERR_ARGUMENT);
    assert_contains(err.message, "0 rows");
    rows.n = INT64_C(1) << 40;
    assert_int_equal(rls2_basis_create(dictionary, &rows, NULL, NULL, &basis, &err),
                     RLS2_ERR_MEMORY);
    rows = good, rows.p = 3;
    assert_int_equal(rls2_basis_create(dictionary, &rows, NULL, NULL, &basis, &err),
                     RLS2_ERR_ARGUMENT);
    assert_contains(err.message, "3 columns where 4 were expected");
    rows = good, rows.x = NULL;
    assert_int_equal(rls2_basis_create(dictionary, &rows, NULL, NULL, &basis, &err),
                     RLS2_ERR_ARGUMENT);
    rows = good, rows.ldx = ROWS - 1;
    assert_int_equal(rls2_basis_create(dictionary, &rows, NULL, NULL, &basis, &err),
                     RLS2_ERR_ARGUMENT);
    assert_contains(err.message, "leading dimension 59");
    rows.ldx = -3;
    assert_int_equal(rls2_basis_create(dictionary, &rows, NULL, NULL, &basis, &err),
                     RLS2_ERR_ARGUMENT);
    rows.ldx = INT64_MAX / 4;
    assert_int_equal(rls2_basis_create(dictionary, &rows, NULL, NULL, &basis, &err),
                     RLS2_ERR_MEMORY);
    x[2 * ROWS + 9] = (double)NAN;
    assert_int_equal(rls2_basis_create(dictionary, &good, NULL, NULL, &basis, &err),
                     RLS2_ERR_VALUE);
    assert_contains(err.message, "column 'x3', row 10");
    assert_int_equal(rls2_basis_create(dictionary, &good, NULL, NULL, &basis, NULL),
                     RLS2_ERR_VALUE);
    assert_null(basis);
    rls2_dictionary_free(dictionary);
    free(x);
}

static void basis__kernel_out_of_range_or_null__no_answer_but_no_crash(void **state)
{
    (void)state;
    double *x = make_x(ROWS);
    rls2_rows rows = {.n = ROWS, .p = COLUMNS, .x = x};
    unit_fixture f = unit_fixture_create("linear", &rows, NULL);
    assert_int_equal(rls2_basis_rows(f.basis), ROWS);
    assert_int_equal(rls2_basis_count(f.basis), COLUMNS);
    assert_int_equal(rls2_basis_rank(f.basis, -1), 0);
    assert_int_equal(rls2_basis_rank(f.basis, COLUMNS), 0);
    assert_null(rls2_basis_shape(f.basis, COLUMNS));
    assert_null(rls2_basis_scales(NULL));
    assert_int_equal(rls2_basis_bytes(NULL), 0);
    assert_int_equal(rls2_basis_rows(NULL), 0);
    assert_int_equal(rls2_basis_count(NULL), 0);
    rls2_basis_free(NULL);
    unit_fixture_free(&f);
    free(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(basis_create__values_too_large_without_scaling__error_names_the_kernel),
        cmocka_unit_test(basis_create__hundred_thousand_columns__right_and_nothing_stored),
        cmocka_unit_test(basis_create__one_or_several_threads__same_bits),
        cmocka_unit_test(basis_create__with_progress__called_by_the_caller_once_per_kernel),
        cmocka_unit_test(basis_create__with_progress_and_threads__called_by_the_caller_only),
        cmocka_unit_test(basis_create__progress_asks_to_stop__cancelled_and_nothing_written),
        cmocka_unit_test(basis_bytes__every_shape__what_is_stored),
        cmocka_unit_test(basis_create__rows_changed_afterwards__basis_keeps_its_own),
        cmocka_unit_test(basis_create__leading_dimension_above_rows__as_without),
        cmocka_unit_test(basis_create__unusable_rows__error_says_where),
        cmocka_unit_test(basis__kernel_out_of_range_or_null__no_answer_but_no_crash),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
