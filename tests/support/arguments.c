/* Makes the good problem, and spoils sizes and pointers one at a time. */
#include "support/arguments.h"
#include "support/one_output.h"

#include <math.h>
#include <string.h>

const int64_t HUGE_SIZE = INT64_MAX / 4;
const double nan_value = (double)NAN, infinite = (double)INFINITY;

/* ---- what a refusal looks like ---- */

char nowhere;
const double UNWRITTEN = -12345.678;

void assert_error(rls2_status got, rls2_status status, const rls2_error *err, const char *part)
{
    assert_non_null(memchr(err->message, '\0', sizeof err->message));
    if (got != status || err->status != status || !strstr(err->message, part))
        fail_msg("status %d: %s\nexpected status %d: %s", (int)got, err->message, (int)status,
                 part);
    assert_int_equal(err->position, -1);
}

void assert_unwritten(size_t count, const double *values)
{
    for (size_t i = 0; i < count; i++)
        if (values[i] != UNWRITTEN) fail_msg("value %d was written: %g", (int)i, values[i]);
}

/* ---- the problem that is made wrong in one place at a time ---- */

good_problem good;
const double one_lambda[1] = {0.1};

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

static int make(const char *spec, rls2_dictionary **dictionary, rls2_basis **basis,
                rls2_path **path, rls2_model **model)
{
    const char *const names[P] = {"a", "b", "c"}, *const given_names[] = {"K"};
    const rls2_columns columns = {
        .count = P, .names = names, .given_count = 1, .given_names = given_names};
    rls2_error err = {.message = ""};
    if (rls2_dictionary_create(spec, &columns, dictionary, &err) ||
        rls2_basis_create(*dictionary, &good.rows, NULL, NULL, basis, &err) ||
        fit_one(*basis, good.y, 1, one_lambda, NULL, path, &err) ||
        model_of_one(*path, 0, model, &err)) {
        print_error("%s\n", err.message);
        return -1;
    }
    return 0;
}

int set_up(void **state)
{
    (void)state;
    fill_good();
    if (make("linear; rbf(1)@all", &good.dictionary, &good.basis, &good.path, &good.model))
        return -1;
    if (make("given(K)", &good.with_given, &good.given_basis, &good.given_path, &good.given_model))
        return -1;
    for (int64_t k = 0; k < rls2_dictionary_count(good.dictionary); k++) {
        good.s[k] = rls2_basis_scales(good.basis)[k];
        good.d[k] = k == 0 ? 1.0 : 0.0;
    }
    return rls2_model_kernel_count(good.model) >= 2 ? 0 : -1;
}

int tear_down(void **state)
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
        {{.n = INT64_MIN, .p = P, .x = x},
         RLS2_ERR_ARGUMENT,
         "there are -9223372036854775808 rows"},
        {{.n = HUGE_SIZE, .p = P, .x = x},
         RLS2_ERR_MEMORY,
         "2305843009213693951 rows are more than"},
        {{.n = N, .p = P - 1, .x = x}, RLS2_ERR_ARGUMENT, "2 columns where 3 were expected"},
        {{.n = N, .p = P + 1, .x = x}, RLS2_ERR_ARGUMENT, "4 columns where 3"},
        {{.n = N, .p = -1, .x = x}, RLS2_ERR_ARGUMENT, "-1 columns where"},
        {{.n = N, .p = HUGE_SIZE, .x = x}, RLS2_ERR_ARGUMENT, "2305843009213693951 columns where"},
        {{.n = N, .p = P, .x = NULL}, RLS2_ERR_ARGUMENT, "x is NULL"},
        {{.n = N, .p = P, .x = x, .ldx = N - 1},
         RLS2_ERR_ARGUMENT,
         "leading dimension 5 is less than the 6 rows"},
        {{.n = N, .p = P, .x = x, .ldx = -N}, RLS2_ERR_ARGUMENT, "leading dimension -6 is less"},
        {{.n = N, .p = P, .x = x, .ldx = HUGE_SIZE},
         RLS2_ERR_MEMORY,
         "2305843009213693951 x 3 values"},
    };
    memcpy(cases, list, sizeof list);
    return COUNT(list);
}

void for_wrong_rows(void (*check)(const rls2_rows *rows, rls2_status status, const char *part))
{
    static const struct {
        double value;
        const char *part;
    } values[] = {{(double)NAN, "column 'b', row 3: "},
                  {(double)INFINITY, "column 'b', row 3: inf is not a finite number"},
                  {-(double)INFINITY, "column 'b', row 3: -inf is not a finite number"}};
    rows_case cases[16];
    size_t count = wrong_sizes(cases);
    check(NULL, RLS2_ERR_ARGUMENT, ": NULL");
    for (size_t i = 0; i < count; i++) check(&cases[i].rows, cases[i].status, cases[i].part);
    for (size_t i = 0; i < COUNT(values); i++) {
        double x[N * P];
        const rls2_rows rows = {.n = N, .p = P, .x = x};
        memcpy(x, good.x, sizeof x);
        x[N + 2] = values[i].value;
        check(&rows, RLS2_ERR_VALUE, values[i].part);
    }
}
