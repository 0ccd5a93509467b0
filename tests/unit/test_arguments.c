/* Wrong arguments to every public function: the status, the words, and that nothing is
 * written. Texts that do not parse have their own tests (table, dictionary). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "rls2/rls2.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const int64_t HUGE_SIZE = INT64_MAX / 4;
static const double nan_value = (double)NAN, infinite = (double)INFINITY;

/* ---- what a refusal looks like ---- */

/* Out-parameters hold this before a call. */
static char nowhere;
#define UNTOUCHED ((void *)&nowhere)
static const double UNWRITTEN = -12345.678;

static void assert_error(rls2_status got, rls2_status status, const rls2_error *err, const char *part)
{
    assert_non_null(memchr(err->message, '\0', sizeof err->message));
    if (got != status || err->status != status || !strstr(err->message, part))
        fail_msg("status %d: %s\nexpected status %d: %s", (int)got, err->message, (int)status, part);
    assert_int_equal(err->position, -1);
}

static void assert_unwritten(size_t count, const double *values)
{
    for (size_t i = 0; i < count; i++)
        if (values[i] != UNWRITTEN) fail_msg("value %d was written: %g", (int)i, values[i]);
}

/* `call` is made with `err` a place for the message, then with `err` NULL. */
#define ASSERT_REFUSED(status, part, call)                                                                   \
    do {                                                                                                     \
        rls2_error error_ = {.message = ""}, *err = &error_;                                                 \
        rls2_status got_ = (call);                                                                           \
        assert_error(got_, (status), &error_, (part));                                                       \
        err = NULL;                                                                                          \
        assert_int_equal((call), (status));                                                                  \
    } while (0)

/* ---- the problem that is made wrong in one place at a time ---- */

enum { N = 6, P = 3, ROOM = 64 };

static struct {
    double x[N * P], y[N], labels[N], given[N * N], diagonal[N];
    const double *given_list[1], *diagonal_list[1];
    rls2_rows rows;
    rls2_dictionary *dictionary; /* linear and rbf kernels of a, b, c */
    rls2_dictionary *with_given; /* those and a given matrix */
    rls2_basis *basis, *given_basis;
    rls2_path *path, *given_path;
    rls2_model *model, *given_model;
    double s[ROOM], d[ROOM];
} good;

static const double one_lambda[] = {0.1};

static void fill_good(void)
{
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < P; j++) good.x[j * N + i] = sin(1.0 + i + 3.7 * j * j);
        good.y[i] = good.x[i] - good.x[N + i] * good.x[2 * N + i];
        good.labels[i] = i % 2 ? 1.0 : -1.0;
        good.diagonal[i] = 2.0;
        for (int j = 0; j < N; j++) good.given[j * N + i] = i == j ? 2.0 : 1.0;
    }
    good.given_list[0] = good.given;
    good.diagonal_list[0] = good.diagonal;
    good.rows = (rls2_rows){.n = N,
                            .p = P,
                            .x = good.x,
                            .given_count = 1,
                            .given = good.given_list,
                            .given_diagonal = good.diagonal_list};
}

static int make(const char *spec, rls2_dictionary **dictionary, rls2_basis **basis, rls2_path **path,
                rls2_model **model)
{
    const char *const names[P] = {"a", "b", "c"}, *const given_names[] = {"K"};
    const rls2_columns columns = {.count = P, .names = names, .given_count = 1, .given_names = given_names};
    rls2_error err = {.message = ""};
    if (rls2_dictionary_create(spec, &columns, dictionary, &err) ||
        rls2_basis_create(*dictionary, &good.rows, NULL, basis, &err) ||
        rls2_path_fit(*basis, good.y, 1, one_lambda, NULL, path, &err) ||
        rls2_model_create(*path, 0, model, &err)) {
        print_error("%s\n", err.message);
        return -1;
    }
    return 0;
}

static int set_up(void **state)
{
    (void)state;
    fill_good();
    if (make("linear; rbf(1)@all", &good.dictionary, &good.basis, &good.path, &good.model)) return -1;
    if (make("given(K)", &good.with_given, &good.given_basis, &good.given_path, &good.given_model)) return -1;
    for (int64_t k = 0; k < rls2_dictionary_size(good.dictionary); k++) {
        good.s[k] = rls2_basis_scales(good.basis)[k];
        good.d[k] = k == 0 ? 1.0 : 0.0;
    }
    return rls2_model_size(good.model) >= 2 ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    rls2_model_free(good.model);
    rls2_model_free(good.given_model);
    rls2_path_free(good.path);
    rls2_path_free(good.given_path);
    rls2_basis_free(good.basis);
    rls2_basis_free(good.given_basis);
    rls2_dictionary_free(good.dictionary);
    rls2_dictionary_free(good.with_given);
    return 0;
}

/* ---- status ---- */

static void status_text__any_number__is_a_text(void **state)
{
    (void)state;
    for (int status = RLS2_OK; status <= RLS2_ERR_NUMERIC; status++)
        assert_true(strlen(rls2_status_text((rls2_status)status)) > 0);
    assert_string_equal(rls2_status_text((rls2_status)99), "unknown status");
    assert_true(strlen(rls2_version()) > 0);
}

/* ---- tables ---- */

static void table_read_csv__wrong_arguments__are_refused(void **state)
{
    (void)state;
    rls2_table *table = UNTOUCHED;
    ASSERT_REFUSED(RLS2_ERR_ARGUMENT, "path is NULL", rls2_table_read_csv(NULL, &table, err));
    ASSERT_REFUSED(RLS2_ERR_ARGUMENT, "table is NULL", rls2_table_read_csv("data/servo.csv", NULL, err));
    ASSERT_REFUSED(RLS2_ERR_IO, "no/such.csv: no such file", rls2_table_read_csv("no/such.csv", &table, err));
    ASSERT_REFUSED(RLS2_ERR_IO, ": no such file", rls2_table_read_csv("", &table, err));
    ASSERT_REFUSED(RLS2_ERR_IO, "/: is a directory", rls2_table_read_csv("/", &table, err));
    assert_ptr_equal(table, UNTOUCHED);
}

static void table_parse_csv__wrong_arguments__are_refused(void **state)
{
    (void)state;
    rls2_table *table = UNTOUCHED;
    const char *text = "a\n1\n";
    ASSERT_REFUSED(RLS2_ERR_ARGUMENT, "name is NULL", rls2_table_parse_csv(NULL, text, 4, &table, err));
    ASSERT_REFUSED(RLS2_ERR_ARGUMENT, "text is NULL", rls2_table_parse_csv("t", NULL, 4, &table, err));
    ASSERT_REFUSED(RLS2_ERR_ARGUMENT, "text is NULL", rls2_table_parse_csv("t", NULL, 0, &table, err));
    ASSERT_REFUSED(RLS2_ERR_ARGUMENT, "length is -1", rls2_table_parse_csv("t", text, -1, &table, err));
    ASSERT_REFUSED(RLS2_ERR_ARGUMENT, "table is NULL", rls2_table_parse_csv("t", text, 4, NULL, err));
    ASSERT_REFUSED(RLS2_ERR_SYNTAX, "t: the file is empty", rls2_table_parse_csv("t", text, 0, &table, err));
    ASSERT_REFUSED(RLS2_ERR_MEMORY, "out of memory", rls2_table_parse_csv("t", text, INT64_MAX, &table, err));
    ASSERT_REFUSED(RLS2_ERR_MEMORY, "out of memory", rls2_table_parse_csv("t", text, HUGE_SIZE, &table, err));
    assert_ptr_equal(table, UNTOUCHED);
}

static void table_accessors__no_table__say_so(void **state)
{
    (void)state;
    rls2_table_free(NULL);
    assert_int_equal(rls2_table_rows(NULL), -1);
    assert_int_equal(rls2_table_columns(NULL), -1);
    assert_null(rls2_table_column_name(NULL, 0));
    assert_int_equal(rls2_table_find(NULL, "a"), -1);
    assert_int_equal(rls2_table_is_numeric(NULL, 0), 0);
    assert_string_equal(rls2_table_cell(NULL, 0, 0), "");
}

static void table_accessors__out_of_range__say_so(void **state)
{
    (void)state;
    static const int64_t outside[] = {-1, 1, INT64_MAX, INT64_MIN};
    rls2_table *table = NULL;
    assert_int_equal(rls2_table_parse_csv("t", "a\n1\n", 4, &table, NULL), RLS2_OK);
    for (size_t i = 0; i < COUNT(outside); i++) {
        assert_null(rls2_table_column_name(table, outside[i]));
        assert_int_equal(rls2_table_is_numeric(table, outside[i]), 0);
        assert_string_equal(rls2_table_cell(table, outside[i], 0), "");
        assert_string_equal(rls2_table_cell(table, 0, outside[i]), "");
    }
    assert_int_equal(rls2_table_find(table, NULL), -1);
    assert_int_equal(rls2_table_find(table, ""), -1);
    rls2_table_free(table);
}

/* ---- data sets ---- */

static rls2_dataset_options dataset_options(const char *target)
{
    rls2_dataset_options options = rls2_dataset_options_default();
    options.target = target;
    return options;
}

static void dataset_create__null_arguments__are_refused(void **state)
{
    (void)state;
    rls2_table *table = NULL;
    rls2_dataset *dataset = UNTOUCHED;
    const rls2_dataset_options fine = dataset_options("a"), none = rls2_dataset_options_default();
    assert_int_equal(rls2_table_parse_csv("t", "a,b\n1,2\n", 8, &table, NULL), RLS2_OK);
    ASSERT_REFUSED(RLS2_ERR_ARGUMENT, "table is NULL", rls2_dataset_create(NULL, &fine, &dataset, err));
    ASSERT_REFUSED(RLS2_ERR_ARGUMENT, "options is NULL", rls2_dataset_create(table, NULL, &dataset, err));
    ASSERT_REFUSED(RLS2_ERR_ARGUMENT, "target is NULL", rls2_dataset_create(table, &none, &dataset, err));
    ASSERT_REFUSED(RLS2_ERR_ARGUMENT, "dataset is NULL", rls2_dataset_create(table, &fine, NULL, err));
    assert_ptr_equal(dataset, UNTOUCHED);
    rls2_table_free(table);
}

static void dataset_create__wrong_options__are_refused(void **state)
{
    (void)state;
    const char *const hole[] = {NULL}, *const unknown[] = {"weihgt"}, *const target[] = {"a"};
    const struct {
        rls2_dataset_options options;
        rls2_status status;
        const char *part;
    } cases[] = {
        {{.target = "z"}, RLS2_ERR_NAME, "t: target: no column 'z'"},
        {{.target = ""}, RLS2_ERR_NAME, "t: target: no column ''"},
        {{.target = "a", .classify = 2}, RLS2_ERR_ARGUMENT, "classify is 2"},
        {{.target = "a", .classify = -2}, RLS2_ERR_ARGUMENT, "classify is -2"},
        {{.target = "a", .drop_count = -1}, RLS2_ERR_ARGUMENT, "drop_count is -1"},
        {{.target = "a", .drop_count = 1}, RLS2_ERR_ARGUMENT, "drop is NULL"},
        {{.target = "a", .drop_count = 1, .drop = hole}, RLS2_ERR_ARGUMENT, "drop[0] is NULL"},
        {{.target = "a", .drop_count = 1, .drop = unknown},
         RLS2_ERR_NAME,
         "drop: no column 'weihgt' (did you mean 'weight'?)"},
        {{.target = "a", .drop_count = 1, .drop = target},
         RLS2_ERR_ARGUMENT,
         "drop: column 'a' is the target"},
        {{.target = "a", .categorical_count = -1}, RLS2_ERR_ARGUMENT, "categorical_count is -1"},
        {{.target = "a", .categorical_count = 1}, RLS2_ERR_ARGUMENT, "categorical is NULL"},
        {{.target = "a", .categorical_count = 1, .categorical = hole},
         RLS2_ERR_ARGUMENT,
         "categorical[0] is NULL"},
        {{.target = "a", .categorical_count = 1, .categorical = unknown},
         RLS2_ERR_NAME,
         "categorical: no column 'weihgt'"},
        {{.target = "a", .classify = 1, .drop_missing = 1},
         RLS2_ERR_VALUE,
         "column 'a': 2 classes are needed, not 1"},
        {{.target = "weight"}, RLS2_ERR_VALUE, "t:3: column 'weight': the cell is empty"},
    };
    rls2_table *table = NULL;
    rls2_dataset *dataset = UNTOUCHED;
    assert_int_equal(rls2_table_parse_csv("t", "a,weight\n1,2\n1,\n", 16, &table, NULL), RLS2_OK);
    for (size_t i = 0; i < COUNT(cases); i++)
        ASSERT_REFUSED(cases[i].status, cases[i].part,
                       rls2_dataset_create(table, &cases[i].options, &dataset, err));
    assert_ptr_equal(dataset, UNTOUCHED);
    rls2_table_free(table);
}

static void dataset_accessors__no_data_set__say_so(void **state)
{
    (void)state;
    rls2_dataset_free(NULL);
    rls2_dataset_standardize(NULL);
    assert_int_equal(rls2_dataset_rows(NULL), -1);
    assert_int_equal(rls2_dataset_columns(NULL), -1);
    assert_int_equal(rls2_dataset_dropped(NULL), -1);
    assert_int_equal(rls2_dataset_source_row(NULL, 0), -1);
    assert_null(rls2_dataset_names(NULL));
    assert_null(rls2_dataset_x(NULL));
    assert_null(rls2_dataset_y(NULL));
    assert_null(rls2_dataset_label(NULL, 1));
    assert_int_equal(rls2_dataset_is_classification(NULL), 0);
}

static void dataset_accessors__out_of_range__say_so(void **state)
{
    (void)state;
    rls2_table *table = NULL;
    rls2_dataset *dataset = NULL;
    rls2_dataset_options options = dataset_options("b");
    assert_int_equal(rls2_table_parse_csv("t", "a,b\n1,x\n2,y\n", 12, &table, NULL), RLS2_OK);
    assert_int_equal(rls2_dataset_create(table, &options, &dataset, NULL), RLS2_OK);
    assert_int_equal(rls2_dataset_source_row(dataset, 1), 1);
    assert_int_equal(rls2_dataset_source_row(dataset, 2), -1);
    assert_int_equal(rls2_dataset_source_row(dataset, -1), -1);
    assert_string_equal(rls2_dataset_label(dataset, INT32_MIN), "x");
    assert_null(rls2_dataset_label(dataset, 0));
    rls2_dataset_free(dataset);
    rls2_table_free(table);
}

/* ---- dictionaries ---- */

static void dictionary_create__wrong_arguments__are_refused(void **state)
{
    (void)state;
    const rls2_columns two = {.count = 2}, huge = {.count = HUGE_SIZE}, negative = {.count = -1};
    rls2_dictionary *dictionary = UNTOUCHED;
    ASSERT_REFUSED(RLS2_ERR_ARGUMENT, "text is NULL", rls2_dictionary_create(NULL, &two, &dictionary, err));
    ASSERT_REFUSED(RLS2_ERR_ARGUMENT, "columns is NULL",
                   rls2_dictionary_create("linear", NULL, &dictionary, err));
    ASSERT_REFUSED(RLS2_ERR_ARGUMENT, "dictionary is NULL",
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
    assert_null(rls2_dictionary_name(good.dictionary, rls2_dictionary_size(good.dictionary)));
    assert_null(rls2_dictionary_name(good.dictionary, INT64_MAX));
    assert_null(rls2_dictionary_name(good.dictionary, INT64_MIN));
}

static void dictionary_accessors__no_dictionary__say_so(void **state)
{
    (void)state;
    rls2_dictionary_free(NULL);
    assert_int_equal(rls2_dictionary_size(NULL), 0);
    assert_int_equal(rls2_dictionary_columns(NULL), 0);
    assert_null(rls2_dictionary_name(NULL, 0));
}

/* ---- rows, wherever they are taken ---- */

typedef struct rows_case {
    rls2_rows rows;
    rls2_status status;
    const char *part;
} rows_case;

/* Rows wrong in size: where x is given it may not be read. */
static size_t wrong_sizes(rows_case *cases)
{
    const double *x = good.x;
    const rows_case list[] = {
        {{.n = 0, .p = P, .x = x}, RLS2_ERR_ARGUMENT, "there are 0 rows"},
        {{.n = -5, .p = P, .x = x}, RLS2_ERR_ARGUMENT, "there are -5 rows"},
        {{.n = INT64_MIN, .p = P, .x = x}, RLS2_ERR_ARGUMENT, "there are -9223372036854775808 rows"},
        {{.n = HUGE_SIZE, .p = P, .x = x}, RLS2_ERR_MEMORY, "2305843009213693951 rows are more than"},
        {{.n = N, .p = P - 1, .x = x}, RLS2_ERR_ARGUMENT, "2 columns, but the dictionary was made for 3"},
        {{.n = N, .p = P + 1, .x = x}, RLS2_ERR_ARGUMENT, "4 columns, but"},
        {{.n = N, .p = -1, .x = x}, RLS2_ERR_ARGUMENT, "-1 columns, but"},
        {{.n = N, .p = HUGE_SIZE, .x = x}, RLS2_ERR_ARGUMENT, "2305843009213693951 columns, but"},
        {{.n = N, .p = P, .x = NULL}, RLS2_ERR_ARGUMENT, "x is NULL"},
        {{.n = N, .p = P, .x = x, .ldx = N - 1},
         RLS2_ERR_ARGUMENT,
         "leading dimension 5 is less than the 6 rows"},
        {{.n = N, .p = P, .x = x, .ldx = -N}, RLS2_ERR_ARGUMENT, "leading dimension -6 is less"},
        {{.n = N, .p = P, .x = x, .ldx = HUGE_SIZE}, RLS2_ERR_MEMORY, "2305843009213693951 x 3 values"},
    };
    memcpy(cases, list, sizeof list);
    return COUNT(list);
}

/* Calls `check` with each kind of wrong rows; NULL among them. */
static void for_wrong_rows(void (*check)(const rls2_rows *rows, rls2_status status, const char *part))
{
    static const struct {
        double value;
        const char *part;
    } values[] = {{(double)NAN, "column 'b', row 3: "},
                  {(double)INFINITY, "column 'b', row 3: inf is not a finite number"},
                  {-(double)INFINITY, "column 'b', row 3: -inf is not a finite number"}};
    rows_case cases[16];
    size_t count = wrong_sizes(cases);
    check(NULL, RLS2_ERR_ARGUMENT, "rows are NULL");
    for (size_t i = 0; i < count; i++) check(&cases[i].rows, cases[i].status, cases[i].part);
    for (size_t i = 0; i < COUNT(values); i++) {
        double x[N * P];
        const rls2_rows rows = {.n = N, .p = P, .x = x};
        memcpy(x, good.x, sizeof x);
        x[N + 2] = values[i].value;
        check(&rows, RLS2_ERR_VALUE, values[i].part);
    }
}

/* ---- bases and scalings ---- */

/* rls2_basis_create and rls2_scaling_compute take the same arguments. */
static void assert_basis_refused(const rls2_dictionary *dictionary, const rls2_rows *rows,
                                 const rls2_basis_options *options, rls2_status status, const char *part)
{
    rls2_basis *basis = UNTOUCHED;
    double s[ROOM];
    for (int k = 0; k < ROOM; k++) s[k] = UNWRITTEN;
    ASSERT_REFUSED(status, part, rls2_basis_create(dictionary, rows, options, &basis, err));
    ASSERT_REFUSED(status, part, rls2_scaling_compute(dictionary, rows, options, s, err));
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
    assert_basis_refused(NULL, &good.rows, NULL, RLS2_ERR_ARGUMENT, "the dictionary is NULL");
    ASSERT_REFUSED(RLS2_ERR_ARGUMENT, "basis is NULL",
                   rls2_basis_create(good.dictionary, &good.rows, NULL, NULL, err));
    ASSERT_REFUSED(RLS2_ERR_ARGUMENT, "scalings is NULL",
                   rls2_scaling_compute(good.dictionary, &good.rows, NULL, NULL, err));
}

static void basis_create__wrong_options__are_refused(void **state)
{
    (void)state;
    const struct {
        rls2_basis_options options;
        const char *part;
    } cases[] = {
        {{.scaling = (rls2_scaling)9}, "unknown scaling rule 9"},
        {{.scaling = (rls2_scaling)-1}, "unknown scaling rule -1"},
        {{.rank_tol = -1e-3}, "rank_tol is -0.001"},
        {{.rank_tol = 1.0}, "rank_tol is 1;"},
        {{.rank_tol = nan_value}, "rank_tol is "},
        {{.rank_tol = infinite}, "rank_tol is inf"},
        {{.threads = -2}, "threads is -2"},
        {{.scaling = RLS2_SCALING_FISHER}, "labels, but they are NULL"},
        {{.scaling = RLS2_SCALING_FISHER_SQRT}, "labels, but they are NULL"},
        {{.scaling = RLS2_SCALING_NONE, .transductive = &good.rows},
         "transductive scaling goes with the trace"},
    };
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_basis_refused(good.dictionary, &good.rows, &cases[i].options, RLS2_ERR_ARGUMENT,
                             cases[i].part);
}

static void basis_create__wrong_labels__are_refused(void **state)
{
    (void)state;
    static const struct {
        double value;
        const char *part;
    } cases[] = {{(double)NAN, "label 4 is "}, {(double)INFINITY, "label 4 is inf"}, {0.0, "label 4 is 0"}};
    double labels[N];
    rls2_basis_options options = {.scaling = RLS2_SCALING_FISHER, .labels = labels};
    for (size_t i = 0; i < COUNT(cases); i++) {
        memcpy(labels, good.labels, sizeof labels);
        labels[3] = cases[i].value;
        assert_basis_refused(good.dictionary, &good.rows, &options, RLS2_ERR_VALUE, cases[i].part);
    }
    for (int i = 0; i < N; i++) labels[i] = 2.0;
    assert_basis_refused(good.dictionary, &good.rows, &options, RLS2_ERR_VALUE,
                         "6 labels are positive, 0 negative");
}

static void check_transductive_rows(const rls2_rows *rows, rls2_status status, const char *part)
{
    rls2_basis_options options = rls2_basis_options_default();
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
    rls2_basis_options options = rls2_basis_options_default();
    options.transductive = &extra;
    memcpy(spoilt, good.diagonal, sizeof spoilt);
    spoilt[2] = nan_value;
    extra.given_diagonal = spoilt_list;
    assert_basis_refused(good.with_given, &good.rows, &options, RLS2_ERR_VALUE, "value 3 is ");
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
        {3, 3, 0.0, "kernel 'given(K)' is not positive semi-definite: its smallest eigenvalue is -"},
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
    rls2_basis_options fisher = rls2_basis_options_default();
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
                         "kernel 'linear@c' cannot be scaled: its trace is inf");
}

static void basis_accessors__no_basis__say_so(void **state)
{
    (void)state;
    rls2_basis_free(NULL);
    assert_int_equal(rls2_basis_rows(NULL), 0);
    assert_int_equal(rls2_basis_size(NULL), 0);
    assert_null(rls2_basis_scales(NULL));
    assert_int_equal(rls2_basis_rank(NULL, 0), -1);
    assert_null(rls2_basis_shape(NULL, 0));
    assert_int_equal(rls2_basis_bytes(NULL), 0);
}

static void basis_accessors__out_of_range__say_so(void **state)
{
    (void)state;
    const int64_t outside[] = {-1, rls2_basis_size(good.basis), INT64_MAX, INT64_MIN};
    for (size_t i = 0; i < COUNT(outside); i++) {
        assert_int_equal(rls2_basis_rank(good.basis, outside[i]), -1);
        assert_null(rls2_basis_shape(good.basis, outside[i]));
    }
}

static void assert_feature_refused(int64_t n, const double *x, const double *labels, rls2_status status,
                                   const char *part)
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
    assert_feature_refused(N, spoilt, good.labels, RLS2_ERR_VALUE, "the feature: value 2 is ");
    assert_feature_refused(N, good.x, spoilt, RLS2_ERR_VALUE, "label 2 is ");
    assert_feature_refused(N, good.x, zero_label, RLS2_ERR_VALUE, "label 3 is 0");
    assert_feature_refused(1, good.x, good.labels, RLS2_ERR_VALUE, "0 labels are positive, 1 negative");
    assert_feature_refused(N, constant, good.labels, RLS2_ERR_VALUE, "constant within both classes");
    ASSERT_REFUSED(RLS2_ERR_ARGUMENT, "scaling is NULL",
                   rls2_scaling_fisher_feature(N, good.x, good.labels, NULL, err));
}

/* ---- paths ---- */

static void assert_fit_refused(const rls2_basis *basis, const double *y, int64_t count, const double *lambdas,
                               const rls2_path_options *options, rls2_status status, const char *part)
{
    rls2_path *path = UNTOUCHED;
    ASSERT_REFUSED(status, part, rls2_path_fit(basis, y, count, lambdas, options, &path, err));
    assert_ptr_equal(path, UNTOUCHED);
}

static void path_fit__null_arguments__are_refused(void **state)
{
    (void)state;
    assert_fit_refused(NULL, good.y, 1, one_lambda, NULL, RLS2_ERR_ARGUMENT, "the basis is NULL");
    assert_fit_refused(good.basis, NULL, 1, one_lambda, NULL, RLS2_ERR_ARGUMENT, "y is NULL");
    assert_fit_refused(good.basis, good.y, 1, NULL, NULL, RLS2_ERR_ARGUMENT, "0 values of lambda");
    ASSERT_REFUSED(RLS2_ERR_ARGUMENT, "path is NULL",
                   rls2_path_fit(good.basis, good.y, 1, one_lambda, NULL, NULL, err));
}

static void path_fit__wrong_numbers__are_refused(void **state)
{
    (void)state;
    static const struct {
        double value;
        const char *part;
    } wrong[] = {{0.0, "lambda 2 is 0;"},
                 {-1.0, "lambda 2 is -1;"},
                 {(double)NAN, "lambda 2 is "},
                 {(double)INFINITY, "lambda 2 is inf;"}};
    double y[N];
    for (size_t i = 0; i < COUNT(wrong); i++) {
        const double lambdas[] = {1.0, wrong[i].value, 2.0};
        assert_fit_refused(good.basis, good.y, 3, lambdas, NULL, RLS2_ERR_VALUE, wrong[i].part);
    }
    assert_fit_refused(good.basis, good.y, 0, one_lambda, NULL, RLS2_ERR_ARGUMENT,
                       "there are 0 values of lambda");
    assert_fit_refused(good.basis, good.y, -3, one_lambda, NULL, RLS2_ERR_ARGUMENT,
                       "there are -3 values of lambda");
    assert_fit_refused(good.basis, good.y, HUGE_SIZE, one_lambda, NULL, RLS2_ERR_MEMORY,
                       "2305843009213693951");
    memcpy(y, good.y, sizeof y);
    y[N - 1] = nan_value;
    assert_fit_refused(good.basis, y, 1, one_lambda, NULL, RLS2_ERR_VALUE, "y: value 6 is ");
    y[N - 1] = -infinite;
    assert_fit_refused(good.basis, y, 1, one_lambda, NULL, RLS2_ERR_VALUE, "y: value 6 is -inf");
}

static void path_fit__wrong_options__are_refused(void **state)
{
    (void)state;
    const rls2_path_options fine = rls2_path_options_default();
    rls2_path_options options[13];
    static const char *const parts[] = {"unknown solver 7",
                                        "unknown intercept rule 7",
                                        "gap_tol is 0;",
                                        "gap_tol is -1;",
                                        "gap_tol is ",
                                        "delta is 0;",
                                        "delta is -1;",
                                        "delta is ",
                                        "max_iter is 0;",
                                        "max_iter is -1;",
                                        "memory is -1",
                                        "unknown solver -1",
                                        "unknown intercept rule -1"};
    for (size_t i = 0; i < COUNT(options); i++) options[i] = fine;
    options[0].solver = (rls2_solver)7;
    options[1].intercept = (rls2_intercept)7;
    options[2].gap_tol = 0.0;
    options[3].gap_tol = -1.0;
    options[4].gap_tol = nan_value;
    options[5].delta = 0.0;
    options[6].delta = -1.0;
    options[7].delta = nan_value;
    options[8].max_iter = 0;
    options[9].max_iter = -1;
    options[10].memory = -1;
    options[11].solver = (rls2_solver)-1;
    options[12].intercept = (rls2_intercept)-1;
    for (size_t i = 0; i < COUNT(options); i++)
        assert_fit_refused(good.basis, good.y, 1, one_lambda, &options[i], RLS2_ERR_ARGUMENT, parts[i]);
}

static void assert_finite_path(const rls2_path *path, double lambda)
{
    const double *weights, *c = rls2_path_c(path, 0);
    const rls2_path_point *point = rls2_path_at(path, 0);
    int64_t count = rls2_path_weights(path, 0, NULL, &weights);
    double total = 0.0;
    assert_true(point->lambda == lambda);
    assert_true(isfinite(point->objective) && isfinite(point->gap) && isfinite(point->residual));
    assert_true(count > 0);
    for (int64_t k = 0; k < count; k++) total += weights[k];
    assert_true(fabs(total - 1.0) < 1e-9);
    for (int i = 0; i < N; i++) assert_true(isfinite(c[i]));
}

static void path_fit__numbers_near_the_ends_of_the_range__are_refused_or_give_finite_results(void **state)
{
    (void)state;
    static const double scales[] = {1e-320, 1e-200, 1e-100, 1.0, 1e100, 1e150, 1e160, 1e200, 1e307};
    for (size_t i = 0; i < COUNT(scales) * COUNT(scales) * 2; i++) {
        double y[N], lambda = scales[i / 2 % COUNT(scales)], scale = scales[i / 2 / COUNT(scales)];
        rls2_path_options options = rls2_path_options_default();
        rls2_path *path = NULL;
        rls2_error err = {.message = ""};
        options.solver = i % 2 ? RLS2_SOLVER_ALTERNATE : RLS2_SOLVER_NEWTON;
        for (int j = 0; j < N; j++) y[j] = scale * good.y[j];
        rls2_status status = rls2_path_fit(good.basis, y, 1, &lambda, &options, &path, &err);
        if (status == RLS2_OK)
            assert_finite_path(path, lambda);
        else
            assert_true(strlen(err.message) > 0);
        rls2_path_free(path);
    }
}

static void path_accessors__no_path__say_so(void **state)
{
    (void)state;
    const int64_t *kernels = UNTOUCHED;
    const double *weights = UNTOUCHED;
    rls2_path_free(NULL);
    assert_int_equal(rls2_path_count(NULL), 0);
    assert_int_equal(rls2_path_cancelled(NULL), 0);
    assert_null(rls2_path_at(NULL, 0));
    assert_null(rls2_path_c(NULL, 0));
    assert_int_equal(rls2_path_weights(NULL, 0, &kernels, &weights), 0);
    assert_null(kernels);
    assert_null(weights);
    assert_true(rls2_path_intercept(NULL) == 0.0);
}

static void path_accessors__out_of_range__say_so(void **state)
{
    (void)state;
    static const int64_t outside[] = {-1, 1, INT64_MAX, INT64_MIN};
    for (size_t i = 0; i < COUNT(outside); i++) {
        assert_null(rls2_path_at(good.path, outside[i]));
        assert_null(rls2_path_c(good.path, outside[i]));
        assert_int_equal(rls2_path_weights(good.path, outside[i], NULL, NULL), 0);
    }
    assert_true(rls2_path_weights(good.path, 0, NULL, NULL) > 0);
}

/* ---- lambdas ---- */

static void assert_grid_refused(double lo, double hi, int64_t count, rls2_status status, const char *part)
{
    double grid[3] = {UNWRITTEN, UNWRITTEN, UNWRITTEN};
    ASSERT_REFUSED(status, part, rls2_lambda_grid(lo, hi, count, grid, err));
    assert_unwritten(3, grid);
}

static void lambda_grid__wrong_arguments__are_refused(void **state)
{
    (void)state;
    assert_grid_refused(1.0, 2.0, 0, RLS2_ERR_ARGUMENT, "not 0");
    assert_grid_refused(1.0, 2.0, -1, RLS2_ERR_ARGUMENT, "not -1");
    assert_grid_refused(1.0, 2.0, HUGE_SIZE, RLS2_ERR_MEMORY, "2305843009213693951");
    assert_grid_refused(0.0, 2.0, 3, RLS2_ERR_VALUE, "from 0 to 2");
    assert_grid_refused(-1.0, 2.0, 3, RLS2_ERR_VALUE, "from -1 to 2");
    assert_grid_refused(3.0, 2.0, 3, RLS2_ERR_VALUE, "from 3 to 2");
    assert_grid_refused(nan_value, 2.0, 3, RLS2_ERR_VALUE, " to 2");
    assert_grid_refused(1.0, nan_value, 3, RLS2_ERR_VALUE, "from 1 to ");
    assert_grid_refused(1.0, infinite, 3, RLS2_ERR_VALUE, "from 1 to inf");
    ASSERT_REFUSED(RLS2_ERR_ARGUMENT, "needs a place", rls2_lambda_grid(1.0, 2.0, 3, NULL, err));
}

static void assert_default_refused(const rls2_basis *basis, const double *y, int intercept, double ratio,
                                   int64_t count, rls2_status status, const char *part)
{
    double grid[3] = {UNWRITTEN, UNWRITTEN, UNWRITTEN};
    ASSERT_REFUSED(status, part,
                   rls2_lambda_default(basis, y, (rls2_intercept)intercept, ratio, count, grid, err));
    assert_unwritten(3, grid);
}

static void lambda_default__wrong_arguments__are_refused(void **state)
{
    (void)state;
    const double spoilt[N] = {0.0, 0.0, nan_value};
    assert_default_refused(NULL, good.y, 1, 1e-3, 3, RLS2_ERR_ARGUMENT, "the basis is NULL");
    assert_default_refused(good.basis, NULL, 1, 1e-3, 3, RLS2_ERR_ARGUMENT, "y is NULL");
    assert_default_refused(good.basis, spoilt, 1, 1e-3, 3, RLS2_ERR_VALUE, "y: value 3 is ");
    assert_default_refused(good.basis, good.y, 5, 1e-3, 3, RLS2_ERR_ARGUMENT, "unknown intercept rule 5");
    assert_default_refused(good.basis, good.y, 1, 0.0, 3, RLS2_ERR_VALUE, "lambda is 0;");
    assert_default_refused(good.basis, good.y, 1, 1.5, 3, RLS2_ERR_VALUE, "lambda is 1.5;");
    assert_default_refused(good.basis, good.y, 1, nan_value, 3, RLS2_ERR_VALUE, "the ratio of ");
    assert_default_refused(good.basis, good.y, 1, 1e-3, 0, RLS2_ERR_ARGUMENT, "not 0");
    assert_default_refused(good.basis, good.y, 1, 1e-3, -7, RLS2_ERR_ARGUMENT, "not -7");
    assert_default_refused(good.basis, good.y, 1, 1e-3, HUGE_SIZE, RLS2_ERR_MEMORY, "2305843009213693951");
    ASSERT_REFUSED(RLS2_ERR_ARGUMENT, "place",
                   rls2_lambda_default(good.basis, good.y, RLS2_INTERCEPT_MEAN, 1e-3, 3, NULL, err));
}

/* ---- certificates ---- */

typedef struct certify_arguments {
    const rls2_dictionary *dictionary;
    const rls2_rows *train;
    const double *s, *y;
    double lambda;
    const double *d, *c;
} certify_arguments;

static certify_arguments good_certify(void)
{
    return (certify_arguments){good.dictionary,          &good.rows, good.s, good.y, 0.1, good.d,
                               rls2_path_c(good.path, 0)};
}

static void assert_certify_refused(certify_arguments a, rls2_status status, const char *part)
{
    rls2_certificate got, blank;
    memset(&got, 0x5a, sizeof got);
    memset(&blank, 0x5a, sizeof blank);
    ASSERT_REFUSED(status, part,
                   rls2_certify(a.dictionary, a.train, a.s, a.y, a.lambda, a.d, a.c, &got, err));
    assert_memory_equal(&got, &blank, sizeof got);
}

static void certify__good_arguments__are_taken(void **state)
{
    (void)state;
    certify_arguments a = good_certify();
    rls2_certificate got;
    assert_int_equal(rls2_certify(a.dictionary, a.train, a.s, a.y, a.lambda, a.d, a.c, &got, NULL), RLS2_OK);
}

static void certify__null_arguments__are_refused(void **state)
{
    (void)state;
    certify_arguments cases[6];
    static const char *const parts[] = {"the dictionary is NULL",
                                        "rows are NULL",
                                        "the scalings is NULL",
                                        "y is NULL",
                                        "d is NULL",
                                        "c is NULL"};
    for (size_t i = 0; i < COUNT(cases); i++) cases[i] = good_certify();
    cases[0].dictionary = NULL;
    cases[1].train = NULL;
    cases[2].s = NULL;
    cases[3].y = NULL;
    cases[4].d = NULL;
    cases[5].c = NULL;
    for (size_t i = 0; i < COUNT(cases); i++) assert_certify_refused(cases[i], RLS2_ERR_ARGUMENT, parts[i]);
    certify_arguments a = good_certify();
    ASSERT_REFUSED(RLS2_ERR_ARGUMENT, "certificate is NULL",
                   rls2_certify(a.dictionary, a.train, a.s, a.y, a.lambda, a.d, a.c, NULL, err));
}

/* One value of each vector, and lambda. */
static void certify__wrong_numbers__are_refused(void **state)
{
    (void)state;
    static const double wrong[] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
    for (size_t i = 0; i < COUNT(wrong); i++) {
        double spoilt[ROOM] = {0};
        certify_arguments cases[5];
        static const char *const parts[] = {"the scalings: value 2 is ", "y: value 2 is ", "d: value 2 is ",
                                            "c: value 2 is ", "lambda 1 is "};
        spoilt[1] = wrong[i];
        for (size_t k = 0; k < COUNT(cases); k++) cases[k] = good_certify();
        cases[0].s = cases[1].y = cases[2].d = cases[3].c = spoilt;
        cases[4].lambda = wrong[i];
        for (size_t k = 0; k < COUNT(cases); k++) assert_certify_refused(cases[k], RLS2_ERR_VALUE, parts[k]);
    }
}

static void certify__negative_numbers__are_refused(void **state)
{
    (void)state;
    double negative[ROOM] = {1.0, 1.0, -0.5};
    certify_arguments a = good_certify();
    a.d = negative;
    assert_certify_refused(a, RLS2_ERR_VALUE, "kernel 'linear@c' has weight -0.5");
    a = good_certify();
    a.s = negative;
    assert_certify_refused(a, RLS2_ERR_VALUE, "scaling -0.5");
    a = good_certify();
    a.lambda = 0.0;
    assert_certify_refused(a, RLS2_ERR_VALUE, "is 0;");
    a.lambda = -2.0;
    assert_certify_refused(a, RLS2_ERR_VALUE, "is -2;");
}

/* A bound that is not a number bounds nothing. */
static void certify__numbers_that_overflow__do_not_pass_for_an_optimum(void **state)
{
    (void)state;
    double large[ROOM] = {1e308, 1e308, 1e308};
    certify_arguments cases[4];
    for (size_t i = 0; i < COUNT(cases); i++) cases[i] = good_certify();
    cases[0].s = cases[1].y = cases[2].d = cases[3].c = large;
    for (size_t i = 0; i < COUNT(cases); i++) {
        certify_arguments a = cases[i];
        rls2_certificate got = {0};
        rls2_status status = rls2_certify(a.dictionary, a.train, a.s, a.y, a.lambda, a.d, a.c, &got, NULL);
        if (status != RLS2_OK || (isfinite(got.primal) && isfinite(got.gap))) continue;
        assert_false(got.relative_gap <= 1.0);
    }
}

static void check_certified_rows(const rls2_rows *rows, rls2_status status, const char *part)
{
    certify_arguments a = good_certify();
    a.train = rows;
    assert_certify_refused(a, status, part);
}

static void certify__wrong_rows__are_refused(void **state)
{
    (void)state;
    for_wrong_rows(check_certified_rows);
}

static void path_certify__wrong_arguments__are_refused(void **state)
{
    (void)state;
    rls2_certificate got, blank;
    memset(&got, 0x5a, sizeof got);
    memset(&blank, 0x5a, sizeof blank);
    ASSERT_REFUSED(RLS2_ERR_ARGUMENT, "path", rls2_path_certify(NULL, 0, &got, err));
    ASSERT_REFUSED(RLS2_ERR_ARGUMENT, "no point 1", rls2_path_certify(good.path, 1, &got, err));
    ASSERT_REFUSED(RLS2_ERR_ARGUMENT, "no point -1", rls2_path_certify(good.path, -1, &got, err));
    ASSERT_REFUSED(RLS2_ERR_ARGUMENT, "certificate is NULL", rls2_path_certify(good.path, 0, NULL, err));
    assert_memory_equal(&got, &blank, sizeof got);
}

/* ---- models ---- */

static void model_create__wrong_arguments__are_refused(void **state)
{
    (void)state;
    rls2_model *model = UNTOUCHED;
    ASSERT_REFUSED(RLS2_ERR_ARGUMENT, "path", rls2_model_create(NULL, 0, &model, err));
    ASSERT_REFUSED(RLS2_ERR_ARGUMENT, "model is NULL", rls2_model_create(good.path, 0, NULL, err));
    ASSERT_REFUSED(RLS2_ERR_ARGUMENT, "no point 1 on a path of 1",
                   rls2_model_create(good.path, 1, &model, err));
    ASSERT_REFUSED(RLS2_ERR_ARGUMENT, "no point -1 on a path of 1",
                   rls2_model_create(good.path, -1, &model, err));
    assert_ptr_equal(model, UNTOUCHED);
}

typedef rls2_status (*row_function)(const rls2_model *, const rls2_rows *, double *, rls2_error *);
static const row_function row_functions[] = {rls2_model_predict, rls2_model_contributions,
                                             rls2_model_variance, rls2_model_layer1};

/* All functions that take a model and rows. */
static void assert_rows_refused(const rls2_model *model, const rls2_rows *rows, rls2_status status,
                                const char *part)
{
    double out[ROOM];
    for (int i = 0; i < ROOM; i++) out[i] = UNWRITTEN;
    for (size_t i = 0; i < COUNT(row_functions); i++)
        ASSERT_REFUSED(status, part, row_functions[i](model, rows, out, err));
    ASSERT_REFUSED(status, part, rls2_model_learned_kernel(model, rows, &good.rows, out, err));
    ASSERT_REFUSED(status, part, rls2_model_learned_kernel(model, &good.rows, rows, out, err));
    assert_unwritten(ROOM, out);
}

static void check_new_rows(const rls2_rows *rows, rls2_status status, const char *part)
{
    assert_rows_refused(good.model, rows, status, part);
}

static void model_predict__wrong_rows__are_refused(void **state)
{
    (void)state;
    for_wrong_rows(check_new_rows);
}

static void model_predict__wrong_given_matrix__is_refused(void **state)
{
    (void)state;
    double K[N * N];
    const double *list[] = {K}, *hole[] = {NULL};
    rls2_rows rows = good.rows;
    memcpy(K, good.given, sizeof K);
    K[2 * N + 1] = nan_value;
    rows.given = list;
    assert_rows_refused(good.given_model, &rows, RLS2_ERR_VALUE, "kernel 'given(K)', entry (2, 3): ");
    rows.given = hole;
    assert_rows_refused(good.given_model, &rows, RLS2_ERR_ARGUMENT,
                        "the matrix of kernel 'given(K)' is not there");
    rows.given = NULL;
    assert_rows_refused(good.given_model, &rows, RLS2_ERR_ARGUMENT,
                        "the matrix of kernel 'given(K)' is not there");
    rows = good.rows;
    rows.given_count = 0;
    assert_rows_refused(good.given_model, &rows, RLS2_ERR_ARGUMENT,
                        "the matrix of kernel 'given(K)' is not there");
}

static void model_functions__null_arguments__are_refused(void **state)
{
    (void)state;
    double out[ROOM];
    for (int i = 0; i < ROOM; i++) out[i] = UNWRITTEN;
    assert_rows_refused(NULL, &good.rows, RLS2_ERR_ARGUMENT, "model is NULL");
    for (size_t i = 0; i < COUNT(row_functions); i++)
        ASSERT_REFUSED(RLS2_ERR_ARGUMENT, "result is NULL",
                       row_functions[i](good.model, &good.rows, NULL, err));
    ASSERT_REFUSED(RLS2_ERR_ARGUMENT, "result is NULL",
                   rls2_model_learned_kernel(good.model, &good.rows, &good.rows, NULL, err));
    ASSERT_REFUSED(RLS2_ERR_ARGUMENT, "model", rls2_model_coefficients(NULL, out, err));
    ASSERT_REFUSED(RLS2_ERR_ARGUMENT, "result is NULL", rls2_model_coefficients(good.model, NULL, err));
    ASSERT_REFUSED(RLS2_ERR_ARGUMENT, "model", rls2_model_degrees_of_freedom(NULL, out, err));
    ASSERT_REFUSED(RLS2_ERR_ARGUMENT, "result is NULL", rls2_model_degrees_of_freedom(good.model, NULL, err));
    ASSERT_REFUSED(RLS2_ERR_ARGUMENT, "model", rls2_model_layer2(NULL, 1, out, out, err));
    assert_unwritten(ROOM, out);
}

static void assert_variance_refused(const double *const *diagonals, rls2_status status, const char *part)
{
    double out[N] = {UNWRITTEN, UNWRITTEN, UNWRITTEN, UNWRITTEN, UNWRITTEN, UNWRITTEN};
    rls2_rows rows = good.rows;
    rows.given_diagonal = diagonals;
    ASSERT_REFUSED(status, part, rls2_model_variance(good.given_model, &rows, out, err));
    assert_unwritten(N, out);
}

static void model_variance__wrong_diagonal__is_refused(void **state)
{
    (void)state;
    double spoilt[N];
    const double *list[] = {spoilt}, *hole[] = {NULL};
    assert_variance_refused(NULL, RLS2_ERR_ARGUMENT, "the diagonal of kernel 'given(K)' is not there");
    assert_variance_refused(hole, RLS2_ERR_ARGUMENT, "the diagonal of kernel 'given(K)' is not there");
    memcpy(spoilt, good.diagonal, sizeof spoilt);
    spoilt[3] = infinite;
    assert_variance_refused(list, RLS2_ERR_VALUE, "value 4 is inf");
    spoilt[3] = nan_value;
    assert_variance_refused(list, RLS2_ERR_VALUE, "value 4 is ");
}

static void model_coefficients__model_not_linear__is_refused(void **state)
{
    (void)state;
    double a[P] = {UNWRITTEN, UNWRITTEN, UNWRITTEN};
    ASSERT_REFUSED(RLS2_ERR_ARGUMENT, "not linear: it uses kernel 'given(K)'",
                   rls2_model_coefficients(good.given_model, a, err));
    assert_unwritten(P, a);
}

static void model_layer2__wrong_arguments__are_refused(void **state)
{
    (void)state;
    double f[2] = {UNWRITTEN, UNWRITTEN}, z[ROOM] = {0};
    ASSERT_REFUSED(RLS2_ERR_ARGUMENT, "z is NULL", rls2_model_layer2(good.model, 2, NULL, f, err));
    ASSERT_REFUSED(RLS2_ERR_ARGUMENT, "place for the result", rls2_model_layer2(good.model, 2, z, NULL, err));
    ASSERT_REFUSED(RLS2_ERR_ARGUMENT, "count", rls2_model_layer2(good.model, -1, z, f, err));
    z[2] = nan_value;
    ASSERT_REFUSED(RLS2_ERR_VALUE, "z: value 3 is ", rls2_model_layer2(good.model, 2, z, f, err));
    assert_unwritten(2, f);
}

static void model_layer2__count_that_overflows__is_refused(void **state)
{
    (void)state;
    double f = UNWRITTEN, z = 0.0;
    ASSERT_REFUSED(RLS2_ERR_MEMORY, "2305843009213693951",
                   rls2_model_layer2(good.model, HUGE_SIZE, &z, &f, err));
    ASSERT_REFUSED(RLS2_ERR_MEMORY, "9223372036854775807",
                   rls2_model_layer2(good.model, INT64_MAX, &z, &f, err));
    assert_unwritten(1, &f);
}

static void model_accessors__no_model__say_so(void **state)
{
    (void)state;
    rls2_model_free(NULL);
    assert_int_equal(rls2_model_size(NULL), 0);
    assert_int_equal(rls2_model_rows(NULL), 0);
    assert_int_equal(rls2_model_columns(NULL), 0);
    assert_true(isnan(rls2_model_lambda(NULL)));
    assert_true(isnan(rls2_model_intercept(NULL)));
    assert_null(rls2_model_kernel_name(NULL, 0));
    assert_true(isnan(rls2_model_weight(NULL, 0)));
    assert_true(isnan(rls2_model_scale(NULL, 0)));
    assert_true(isnan(rls2_model_w(NULL, 0)));
    assert_null(rls2_model_c(NULL));
}

static void model_accessors__out_of_range__say_so(void **state)
{
    (void)state;
    const int64_t outside[] = {-1, rls2_model_size(good.model), INT64_MAX, INT64_MIN};
    for (size_t i = 0; i < COUNT(outside); i++) {
        assert_null(rls2_model_kernel_name(good.model, outside[i]));
        assert_true(isnan(rls2_model_weight(good.model, outside[i])));
        assert_true(isnan(rls2_model_scale(good.model, outside[i])));
        assert_true(isnan(rls2_model_w(good.model, outside[i])));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(status_text__any_number__is_a_text),
        cmocka_unit_test(table_read_csv__wrong_arguments__are_refused),
        cmocka_unit_test(table_parse_csv__wrong_arguments__are_refused),
        cmocka_unit_test(table_accessors__no_table__say_so),
        cmocka_unit_test(table_accessors__out_of_range__say_so),
        cmocka_unit_test(dataset_create__null_arguments__are_refused),
        cmocka_unit_test(dataset_create__wrong_options__are_refused),
        cmocka_unit_test(dataset_accessors__no_data_set__say_so),
        cmocka_unit_test(dataset_accessors__out_of_range__say_so),
        cmocka_unit_test(dictionary_create__wrong_arguments__are_refused),
        cmocka_unit_test(dictionary_accessors__out_of_range__say_so),
        cmocka_unit_test(dictionary_accessors__no_dictionary__say_so),
        cmocka_unit_test(basis_create__wrong_rows__are_refused),
        cmocka_unit_test(basis_create__null_arguments__are_refused),
        cmocka_unit_test(basis_create__wrong_options__are_refused),
        cmocka_unit_test(basis_create__wrong_labels__are_refused),
        cmocka_unit_test(basis_create__wrong_transductive_rows__are_refused),
        cmocka_unit_test(basis_create__given_matrix_of_transductive_rows_incomplete__is_refused),
        cmocka_unit_test(basis_create__given_matrix_not_there__is_refused),
        cmocka_unit_test(basis_create__wrong_given_matrix__is_refused),
        cmocka_unit_test(basis_create__kernel_without_scale__is_refused),
        cmocka_unit_test(basis_accessors__no_basis__say_so),
        cmocka_unit_test(basis_accessors__out_of_range__say_so),
        cmocka_unit_test(scaling_fisher_feature__wrong_arguments__are_refused),
        cmocka_unit_test(path_fit__null_arguments__are_refused),
        cmocka_unit_test(path_fit__wrong_numbers__are_refused),
        cmocka_unit_test(path_fit__wrong_options__are_refused),
        cmocka_unit_test(path_fit__numbers_near_the_ends_of_the_range__are_refused_or_give_finite_results),
        cmocka_unit_test(path_accessors__no_path__say_so),
        cmocka_unit_test(path_accessors__out_of_range__say_so),
        cmocka_unit_test(lambda_grid__wrong_arguments__are_refused),
        cmocka_unit_test(lambda_default__wrong_arguments__are_refused),
        cmocka_unit_test(certify__good_arguments__are_taken),
        cmocka_unit_test(certify__null_arguments__are_refused),
        cmocka_unit_test(certify__wrong_numbers__are_refused),
        cmocka_unit_test(certify__negative_numbers__are_refused),
        cmocka_unit_test(certify__numbers_that_overflow__do_not_pass_for_an_optimum),
        cmocka_unit_test(certify__wrong_rows__are_refused),
        cmocka_unit_test(path_certify__wrong_arguments__are_refused),
        cmocka_unit_test(model_create__wrong_arguments__are_refused),
        cmocka_unit_test(model_predict__wrong_rows__are_refused),
        cmocka_unit_test(model_predict__wrong_given_matrix__is_refused),
        cmocka_unit_test(model_functions__null_arguments__are_refused),
        cmocka_unit_test(model_variance__wrong_diagonal__is_refused),
        cmocka_unit_test(model_coefficients__model_not_linear__is_refused),
        cmocka_unit_test(model_layer2__wrong_arguments__are_refused),
        cmocka_unit_test(model_layer2__count_that_overflows__is_refused),
        cmocka_unit_test(model_accessors__no_model__say_so),
        cmocka_unit_test(model_accessors__out_of_range__say_so),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
