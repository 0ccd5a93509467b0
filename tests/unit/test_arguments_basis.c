/* Wrong arguments to the functions of dictionaries, bases and scalings: the status, the
 * words, and that nothing is written. Texts that do not parse have their own tests
 * (dictionary_errors). */
#include "support/arguments.h"
#include "support/control.h"

#include <math.h>
#include <string.h>

/* ---- dictionaries ---- */

static void dictionary_create__wrong_arguments__are_refused(void **state)
{
    (void)state;
    const rls2_columns two = {.count = 2}, huge = {.count = HUGE_SIZE}, negative = {.count = -1};
    rls2_dictionary *dictionary = UNTOUCHED;
    ASSERT_REFUSED(RLS2_ERR_ARGUMENT, "argument spec is NULL",
                   rls2_dictionary_create(NULL, &two, &dictionary, err));
    ASSERT_REFUSED(RLS2_ERR_ARGUMENT, "argument columns is NULL",
                   rls2_dictionary_create("linear", NULL, &dictionary, err));
    ASSERT_REFUSED(RLS2_ERR_ARGUMENT, "argument dictionary is NULL",
                   rls2_dictionary_create("linear", &two, NULL, err));
    ASSERT_REFUSED(RLS2_ERR_ARGUMENT, "negative",
                   rls2_dictionary_create("linear", &negative, &dictionary, err));
    ASSERT_REFUSED(RLS2_ERR_MEMORY, "out of memory",
                   rls2_dictionary_create("linear", &huge, &dictionary, err));
    assert_ptr_equal(dictionary, UNTOUCHED);
}

static void dictionary_accessors__out_of_range__say_so(void **state)
{
    (void)state;
    assert_null(rls2_dictionary_name(good.dictionary, -1));
    assert_null(rls2_dictionary_name(good.dictionary, rls2_dictionary_count(good.dictionary)));
    assert_null(rls2_dictionary_name(good.dictionary, INT64_MAX));
    assert_null(rls2_dictionary_name(good.dictionary, INT64_MIN));
}

static void dictionary_accessors__no_dictionary__say_so(void **state)
{
    (void)state;
    rls2_dictionary_free(NULL);
    assert_int_equal(rls2_dictionary_count(NULL), 0);
    assert_int_equal(rls2_dictionary_columns(NULL), 0);
    assert_int_equal(rls2_dictionary_group_count(NULL), 0);
    assert_null(rls2_dictionary_group(NULL, 0));
    assert_null(rls2_dictionary_name(NULL, 0));
}

/* ---- bases and scalings ---- */

/* rls2_basis_create and rls2_scaling_compute take the same arguments. */
static void assert_basis_refused(const rls2_dictionary *dictionary, const rls2_rows *rows,
                                 const rls2_basis_options *options, rls2_status status,
                                 const char *part)
{
    rls2_basis *basis = UNTOUCHED;
    double s[ROOM];
    for (int k = 0; k < ROOM; k++) s[k] = UNWRITTEN;
    ASSERT_REFUSED(status, part, rls2_basis_create(dictionary, rows, options, NULL, &basis, err));
    ASSERT_REFUSED(status, part, rls2_scaling_compute(dictionary, rows, options, NULL, s, err));
    assert_ptr_equal(basis, UNTOUCHED);
    assert_unwritten(ROOM, s);
}

static void check_training_rows(const rls2_rows *rows, rls2_status status, const char *part)
{
    assert_basis_refused(good.dictionary, rows, NULL, status, part);
    assert_basis_refused(good.dictionary, rows, NULL, status, "training rows: ");
}

static void basis_create__wrong_rows__are_refused(void **state)
{
    (void)state;
    for_wrong_rows(check_training_rows);
}

static void basis_create__null_arguments__are_refused(void **state)
{
    (void)state;
    assert_basis_refused(NULL, &good.rows, NULL, RLS2_ERR_ARGUMENT, "argument dictionary is NULL");
    ASSERT_REFUSED(RLS2_ERR_ARGUMENT, "argument basis is NULL",
                   rls2_basis_create(good.dictionary, &good.rows, NULL, NULL, NULL, err));
    ASSERT_REFUSED(RLS2_ERR_ARGUMENT, "argument s is NULL",
                   rls2_scaling_compute(good.dictionary, &good.rows, NULL, NULL, NULL, err));
}

static void basis_create__wrong_options__are_refused(void **state)
{
    (void)state;
    const struct {
        rls2_basis_options options;
        const char *part;
    } cases[] = {
        {{.size = sizeof(rls2_basis_options), .scaling = (rls2_scaling)9},
         "unknown scaling rule 9"},
        {{.size = sizeof(rls2_basis_options), .scaling = (rls2_scaling)-1},
         "unknown scaling rule -1"},
        {{.size = sizeof(rls2_basis_options), .rank_tol = -1e-3}, "rank_tol is -0.001"},
        {{.size = sizeof(rls2_basis_options), .rank_tol = 1.0}, "rank_tol is 1;"},
        {{.size = sizeof(rls2_basis_options), .rank_tol = nan_value}, "rank_tol is "},
        {{.size = sizeof(rls2_basis_options), .rank_tol = infinite}, "rank_tol is inf"},
        {{.size = sizeof(rls2_basis_options), .scaling = RLS2_SCALING_FISHER},
         "labels, but they are NULL"},
        {{.size = sizeof(rls2_basis_options), .scaling = RLS2_SCALING_FISHER_SQRT},
         "labels, but they are NULL"},
        {{.size = sizeof(rls2_basis_options),
          .scaling = RLS2_SCALING_NONE,
          .transductive = &good.rows},
         "transductive scaling goes with the trace"},
    };
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_basis_refused(good.dictionary, &good.rows, &cases[i].options, RLS2_ERR_ARGUMENT,
                             cases[i].part);
}

static void basis_create__wrong_control__is_refused(void **state)
{
    (void)state;
    rls2_basis *basis = UNTOUCHED;
    const rls2_control unfilled = {.threads = 1};
    ASSERT_REFUSED(
        RLS2_ERR_ARGUMENT, "threads is -2; it must not be negative",
        rls2_basis_create(good.dictionary, &good.rows, NULL, ON_THREADS(-2), &basis, err));
    ASSERT_REFUSED(RLS2_ERR_ARGUMENT, "control.size is 0: fill it by rls2_control_init",
                   rls2_basis_create(good.dictionary, &good.rows, NULL, &unfilled, &basis, err));
    assert_ptr_equal(basis, UNTOUCHED);
}

static void basis_create__wrong_labels__are_refused(void **state)
{
    (void)state;
    static const struct {
        double value;
        const char *part;
    } cases[] = {{(double)NAN, "labels[3] is "},
                 {(double)INFINITY, "labels[3] is inf"},
                 {0.0, "labels[3] is 0"}};
    double labels[N];
    rls2_basis_options options = {
        .size = sizeof options, .scaling = RLS2_SCALING_FISHER, .labels = labels};
    for (size_t i = 0; i < COUNT(cases); i++) {
        memcpy(labels, good.labels, sizeof labels);
        labels[3] = cases[i].value;
        assert_basis_refused(good.dictionary, &good.rows, &options, RLS2_ERR_VALUE, cases[i].part);
    }
}

static void basis_create__wrong_weights__are_refused(void **state)
{
    (void)state;
    static const struct {
        double value;
        const char *part;
    } cases[] = {{(double)NAN, "row_weights[3] is "},
                 {(double)INFINITY, "row_weights[3] is inf; it must be a positive finite number"},
                 {0.0, "row_weights[3] is 0;"},
                 {-2.0, "row_weights[3] is -2;"}};
    double weights[N];
    rls2_basis_options options;
    rls2_basis_options_init(&options, sizeof options);
    options.row_weights = weights;
    for (size_t i = 0; i < COUNT(cases); i++) {
        for (int j = 0; j < N; j++) weights[j] = 1.0 + j;
        weights[3] = cases[i].value;
        assert_basis_refused(good.dictionary, &good.rows, &options, RLS2_ERR_VALUE, cases[i].part);
    }
    for (int j = 0; j < N; j++) weights[j] = 1e308;
    assert_basis_refused(good.dictionary, &good.rows, &options, RLS2_ERR_VALUE,
                         "between 1e-100 and 1e+100");
}

/* ---- bases made of others ---- */

static void assert_rescale_refused(const rls2_basis *basis, const double *labels,
                                   rls2_status status, const char *part)
{
    rls2_basis *made = UNTOUCHED;
    ASSERT_REFUSED(status, part, rls2_basis_rescale(basis, labels, NULL, &made, err));
    assert_ptr_equal(made, UNTOUCHED);
}

static void basis_rescale__wrong_arguments__are_refused(void **state)
{
    (void)state;
    rls2_basis_options options;
    rls2_basis_options_init(&options, sizeof options);
    rls2_basis *fisher = NULL;
    double labels[N];
    options.scaling = RLS2_SCALING_FISHER;
    options.labels = good.labels;
    assert_int_equal(rls2_basis_create(good.dictionary, &good.rows, &options, NULL, &fisher, NULL),
                     RLS2_OK);
    memcpy(labels, good.labels, sizeof labels);
    assert_rescale_refused(NULL, labels, RLS2_ERR_ARGUMENT, "argument basis is NULL");
    assert_rescale_refused(fisher, NULL, RLS2_ERR_ARGUMENT, "labels, but they are NULL");
    assert_rescale_refused(good.basis, labels, RLS2_ERR_ARGUMENT, "not scaled by labels");
    ASSERT_REFUSED(RLS2_ERR_ARGUMENT, "argument rescaled is NULL",
                   rls2_basis_rescale(fisher, labels, NULL, NULL, err));
    labels[2] = 0.0;
    assert_rescale_refused(fisher, labels, RLS2_ERR_VALUE, "labels[2] is 0;");
    rls2_basis_free(fisher);
}

static void assert_take_refused(const rls2_basis *basis, int64_t count, const int64_t *rows,
                                const rls2_basis_options *options, rls2_status status,
                                const char *part)
{
    rls2_basis *made = UNTOUCHED;
    ASSERT_REFUSED(status, part, rls2_basis_take(basis, count, rows, options, NULL, &made, err));
    assert_ptr_equal(made, UNTOUCHED);
}

static void basis_take__wrong_arguments__are_refused(void **state)
{
    (void)state;
    rls2_basis *taken = UNTOUCHED;
    const int64_t fine[] = {4, 1, 3}, twice[] = {4, 1, 4}, beyond[] = {0, N, 1},
                  below[] = {0, 1, -1};
    const double weights[] = {1.0, 0.0, 2.0}, labels[] = {1.0, -1.0, 0.0};
    rls2_basis_options options;
    rls2_basis_options_init(&options, sizeof options);
    assert_take_refused(NULL, 3, fine, NULL, RLS2_ERR_ARGUMENT, "argument basis is NULL");
    assert_take_refused(good.basis, 3, NULL, NULL, RLS2_ERR_ARGUMENT, "argument rows is NULL");
    assert_take_refused(good.basis, 0, fine, NULL, RLS2_ERR_ARGUMENT,
                        "0 rows cannot be taken from 6");
    assert_take_refused(good.basis, -1, fine, NULL, RLS2_ERR_ARGUMENT, "-1 rows cannot be taken");
    assert_take_refused(good.basis, HUGE_SIZE, fine, NULL, RLS2_ERR_ARGUMENT,
                        "2305843009213693951 rows");
    assert_take_refused(good.basis, 3, twice, NULL, RLS2_ERR_ARGUMENT,
                        "rows[2] is 4, which was taken before");
    assert_take_refused(good.basis, 3, beyond, NULL, RLS2_ERR_ARGUMENT,
                        "rows[1] is 6; the basis has 6 rows");
    assert_take_refused(good.basis, 3, below, NULL, RLS2_ERR_ARGUMENT, "rows[2] is -1;");
    ASSERT_REFUSED(RLS2_ERR_ARGUMENT, "argument taken is NULL",
                   rls2_basis_take(good.basis, 3, fine, NULL, NULL, NULL, err));
    options.row_weights = weights;
    assert_take_refused(good.basis, 3, fine, &options, RLS2_ERR_VALUE, "row_weights[1] is 0;");
    rls2_basis_options_init(&options, sizeof options);
    ASSERT_REFUSED(RLS2_ERR_ARGUMENT, "threads is -1",
                   rls2_basis_take(good.basis, 3, fine, NULL, ON_THREADS(-1), &taken, err));
    assert_ptr_equal(taken, UNTOUCHED);
    options.scaling = RLS2_SCALING_FISHER;
    assert_take_refused(good.basis, 3, fine, &options, RLS2_ERR_ARGUMENT,
                        "labels, but they are NULL");
    options.labels = labels;
    assert_take_refused(good.basis, 3, fine, &options, RLS2_ERR_VALUE, "labels[2] is 0;");
}

static void check_transductive_rows(const rls2_rows *rows, rls2_status status, const char *part)
{
    rls2_basis_options options;
    rls2_basis_options_init(&options, sizeof options);
    if (!rows) return; /* stands for none */
    options.transductive = rows;
    assert_basis_refused(good.dictionary, &good.rows, &options, status, part);
    assert_basis_refused(good.dictionary, &good.rows, &options, status, "transductive rows: ");
}

static void basis_create__wrong_transductive_rows__are_refused(void **state)
{
    (void)state;
    for_wrong_rows(check_transductive_rows);
}

static void basis_create__given_matrix_of_transductive_rows_incomplete__is_refused(void **state)
{
    (void)state;
    double spoilt[N];
    const double *hole[] = {NULL}, *spoilt_list[] = {spoilt};
    rls2_rows extra = good.rows;
    rls2_basis_options options;
    rls2_basis_options_init(&options, sizeof options);
    options.transductive = &extra;
    memcpy(spoilt, good.diagonal, sizeof spoilt);
    spoilt[2] = nan_value;
    extra.given_diagonal = spoilt_list;
    assert_basis_refused(good.with_given, &good.rows, &options, RLS2_ERR_VALUE, "[2] is ");
    extra.given_diagonal = hole;
    assert_basis_refused(good.with_given, &good.rows, &options, RLS2_ERR_ARGUMENT,
                         "diagonal of kernel 'given(K)'");
    extra.given_diagonal = NULL;
    assert_basis_refused(good.with_given, &good.rows, &options, RLS2_ERR_ARGUMENT,
                         "diagonal of kernel 'given(K)'");
    options.center = 1;
    assert_basis_refused(good.with_given, &good.rows, &options, RLS2_ERR_ARGUMENT,
                         "not possible with given matrices");
    extra.given = hole;
    assert_basis_refused(good.with_given, &good.rows, &options, RLS2_ERR_ARGUMENT,
                         "transductive rows: the matrix of kernel 'given(K)' is not there");
}

static void basis_create__given_matrix_not_there__is_refused(void **state)
{
    (void)state;
    const char *part = "the matrix of kernel 'given(K)' is not there";
    const double *hole[] = {NULL};
    rls2_rows rows = good.rows;
    rows.given = NULL;
    assert_basis_refused(good.with_given, &rows, NULL, RLS2_ERR_ARGUMENT, part);
    rows.given = hole;
    assert_basis_refused(good.with_given, &rows, NULL, RLS2_ERR_ARGUMENT, part);
    rows = good.rows;
    rows.given_count = 0;
    assert_basis_refused(good.with_given, &rows, NULL, RLS2_ERR_ARGUMENT, part);
    rows.given_count = -1;
    assert_basis_refused(good.with_given, &rows, NULL, RLS2_ERR_ARGUMENT, part);
}

static void basis_create__wrong_given_matrix__is_refused(void **state)
{
    (void)state;
    static const struct {
        int i, j;
        double value;
        const char *part;
    } cases[] = {
        {2, 4, (double)NAN, "kernel 'given(K)', entry (3, 5): "},
        {2, 4, (double)INFINITY, "kernel 'given(K)', entry (3, 5): inf"},
        {4, 2, 1.5, "kernel 'given(K)' is not symmetric: entry (5, 3) is 1.5, entry (3, 5) is 1"},
        {3, 3, -1.0, "kernel 'given(K)' is not positive semi-definite: diagonal entry 4 is -1"},
        {3, 3, 0.0,
         "kernel 'given(K)' is not positive semi-definite: its smallest eigenvalue is -"},
    };
    double K[N * N];
    const double *list[] = {K};
    rls2_rows rows = good.rows;
    rows.given = list;
    for (size_t i = 0; i < COUNT(cases); i++) {
        memcpy(K, good.given, sizeof K);
        K[cases[i].j * N + cases[i].i] = cases[i].value;
        assert_basis_refused(good.with_given, &rows, NULL, RLS2_ERR_VALUE, cases[i].part);
    }
}

/* The kernel that cannot be scaled is the last: none of the others may be written. */
static void basis_create__kernel_without_scale__is_refused(void **state)
{
    (void)state;
    double x[N * P];
    const rls2_rows rows = {.n = N, .p = P, .x = x};
    rls2_basis_options fisher;
    rls2_basis_options_init(&fisher, sizeof fisher);
    fisher.scaling = RLS2_SCALING_FISHER;
    fisher.labels = good.labels;
    memcpy(x, good.x, sizeof x);
    for (int i = 0; i < N; i++) x[2 * N + i] = 0.0;
    assert_basis_refused(good.dictionary, &rows, NULL, RLS2_ERR_VALUE,
                         "kernel 'linear@c' cannot be scaled: its trace is zero");
    assert_basis_refused(good.dictionary, &rows, &fisher, RLS2_ERR_VALUE,
                         "kernel 'linear@c' cannot be scaled: its within-class variance is zero");
    x[2 * N] = 1e200;
    assert_basis_refused(good.dictionary, &rows, NULL, RLS2_ERR_VALUE,
                         "kernel 'linear@c': the data it looks at are too large or too small");
}

static void basis_accessors__no_basis__say_so(void **state)
{
    (void)state;
    rls2_basis_free(NULL);
    assert_int_equal(rls2_basis_rows(NULL), 0);
    assert_int_equal(rls2_basis_count(NULL), 0);
    assert_null(rls2_basis_scales(NULL));
    assert_null(rls2_basis_row_weights(NULL));
    assert_int_equal(rls2_basis_rank(NULL, 0), 0);
    assert_null(rls2_basis_shape(NULL, 0));
    assert_int_equal(rls2_basis_bytes(NULL), 0);
}

static void basis_accessors__out_of_range__say_so(void **state)
{
    (void)state;
    const int64_t outside[] = {-1, rls2_basis_count(good.basis), INT64_MAX, INT64_MIN};
    for (size_t i = 0; i < COUNT(outside); i++) {
        assert_int_equal(rls2_basis_rank(good.basis, outside[i]), 0);
        assert_null(rls2_basis_shape(good.basis, outside[i]));
    }
}

static void assert_feature_refused(int64_t n, const double *x, const double *labels,
                                   rls2_status status, const char *part)
{
    double s = UNWRITTEN;
    ASSERT_REFUSED(status, part, rls2_scaling_fisher_feature(n, x, labels, &s, err));
    assert_unwritten(1, &s);
}

static void scaling_fisher_feature__wrong_arguments__are_refused(void **state)
{
    (void)state;
    const double spoilt[N] = {1.0, nan_value}, constant[N] = {0};
    const double zero_label[N] = {1.0, -1.0, 0.0, 1.0, 1.0, 1.0};
    assert_feature_refused(0, good.x, good.labels, RLS2_ERR_ARGUMENT, "there are 0 values");
    assert_feature_refused(-1, good.x, good.labels, RLS2_ERR_ARGUMENT, "there are -1 values");
    assert_feature_refused(HUGE_SIZE, good.x, good.labels, RLS2_ERR_MEMORY, "2305843009213693951");
    assert_feature_refused(N, NULL, good.labels, RLS2_ERR_ARGUMENT, "the feature is NULL");
    assert_feature_refused(N, good.x, NULL, RLS2_ERR_ARGUMENT, "labels, but they are NULL");
    assert_feature_refused(N, spoilt, good.labels, RLS2_ERR_VALUE, "the feature[1] is ");
    assert_feature_refused(N, good.x, spoilt, RLS2_ERR_VALUE, "labels[1] is ");
    assert_feature_refused(N, good.x, zero_label, RLS2_ERR_VALUE, "labels[2] is 0");
    assert_feature_refused(1, good.x, good.labels, RLS2_ERR_VALUE, "constant within both classes");
    assert_feature_refused(N, constant, good.labels, RLS2_ERR_VALUE,
                           "constant within both classes");
    ASSERT_REFUSED(RLS2_ERR_ARGUMENT, "argument s is NULL",
                   rls2_scaling_fisher_feature(N, good.x, good.labels, NULL, err));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dictionary_create__wrong_arguments__are_refused),
        cmocka_unit_test(dictionary_accessors__out_of_range__say_so),
        cmocka_unit_test(dictionary_accessors__no_dictionary__say_so),
        cmocka_unit_test(basis_create__wrong_rows__are_refused),
        cmocka_unit_test(basis_create__null_arguments__are_refused),
        cmocka_unit_test(basis_create__wrong_options__are_refused),
        cmocka_unit_test(basis_create__wrong_control__is_refused),
        cmocka_unit_test(basis_create__wrong_labels__are_refused),
        cmocka_unit_test(basis_create__wrong_weights__are_refused),
        cmocka_unit_test(basis_rescale__wrong_arguments__are_refused),
        cmocka_unit_test(basis_take__wrong_arguments__are_refused),
        cmocka_unit_test(basis_create__wrong_transductive_rows__are_refused),
        cmocka_unit_test(basis_create__given_matrix_of_transductive_rows_incomplete__is_refused),
        cmocka_unit_test(basis_create__given_matrix_not_there__is_refused),
        cmocka_unit_test(basis_create__wrong_given_matrix__is_refused),
        cmocka_unit_test(basis_create__kernel_without_scale__is_refused),
        cmocka_unit_test(basis_accessors__no_basis__say_so),
        cmocka_unit_test(basis_accessors__out_of_range__say_so),
        cmocka_unit_test(scaling_fisher_feature__wrong_arguments__are_refused),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
