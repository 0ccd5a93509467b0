/* Structs that grow: programs compiled with an older header, whose structs are shorter, and with a
 * newer one, whose structs are longer. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rls2/rls2.h"
#include "support/one_output.h"
#include "support/unit_support.h"

enum { ROWS = 12, COLUMNS = 2, LAMBDAS = 3 };
static const double grid[LAMBDAS] = {1.0, 0.1, 0.01};

typedef struct setting {
    unit_fixture fixture;
    double *x, *y;
    rls2_rows rows;
} setting;

static setting setting_create(void)
{
    setting it = {.x = unit_normal(1, ROWS * COLUMNS), .y = unit_normal(2, ROWS)};
    it.rows = (rls2_rows){.n = ROWS, .p = COLUMNS, .x = it.x};
    it.fixture = unit_fixture_create("rbf(1); linear", &it.rows, NULL);
    return it;
}

static void setting_free(setting *it)
{
    unit_fixture_free(&it->fixture);
    free(it->x);
    free(it->y);
}

/* The options of a path as a header knew them that ended with gap_tol. */
typedef struct older_options {
    size_t size;
    rls2_solver solver;
    rls2_intercept intercept;
    double gap_tol;
} older_options;

/* As a header may have them that is to come. */
typedef struct newer_options {
    rls2_path_options known;
    double more;
    int64_t even_more;
} newer_options;

static void options_init__shorter_struct__writes_no_more_than_it_has(void **state)
{
    (void)state;
    struct {
        older_options options;
        unsigned char beyond[64];
    } it;
    memset(&it, 0x5a, sizeof it);
    rls2_path_options_init((rls2_path_options *)(void *)&it.options, sizeof it.options);
    assert_int_equal(it.options.size, sizeof it.options);
    assert_true(it.options.gap_tol == 1e-6);
    assert_int_equal(it.options.intercept, RLS2_INTERCEPT_MEAN);
    for (size_t i = 0; i < sizeof it.beyond; i++) assert_int_equal(it.beyond[i], 0x5a);
}

static void options_init__longer_struct__is_zero_beyond(void **state)
{
    (void)state;
    newer_options it;
    memset(&it, 0x5a, sizeof it);
    rls2_path_options_init(&it.known, sizeof it);
    assert_int_equal(it.known.size, sizeof it);
    assert_int_equal(it.known.max_iter, 200);
    assert_true(it.more == 0.0 && it.even_more == 0);
}

static void path_fit__shorter_options__have_defaults_for_the_rest(void **state)
{
    (void)state;
    setting it = setting_create();
    older_options older;
    rls2_path_options today;
    rls2_path *a = NULL, *b = NULL;
    rls2_error err;
    rls2_path_options_init((rls2_path_options *)(void *)&older, sizeof older);
    rls2_path_options_init(&today, sizeof today);
    older.gap_tol = today.gap_tol = 1e-9;
    const rls2_path_options *given = (const rls2_path_options *)(void *)&older;
    assert_int_equal(fit_one(it.fixture.basis, it.y, LAMBDAS, grid, given, &a, &err), RLS2_OK);
    assert_int_equal(fit_one(it.fixture.basis, it.y, LAMBDAS, grid, &today, &b, &err), RLS2_OK);
    for (int64_t i = 0; i < LAMBDAS; i++) {
        assert_true(rls2_path_at(a, i)->gap <= 1e-9);
        assert_memory_equal(rls2_path_c(a, i), rls2_path_c(b, i), ROWS * sizeof(double));
    }
    rls2_path_free(a);
    rls2_path_free(b);
    setting_free(&it);
}

static void path_fit__longer_options__are_taken_unless_they_ask_for_more(void **state)
{
    (void)state;
    setting it = setting_create();
    newer_options newer;
    rls2_path *path = NULL;
    rls2_error err;
    rls2_path_options_init(&newer.known, sizeof newer);
    assert_int_equal(fit_one(it.fixture.basis, it.y, LAMBDAS, grid, &newer.known, &path, &err),
                     RLS2_OK);
    rls2_path_free(path);
    path = NULL;
    newer.even_more = 1;
    assert_int_equal(fit_one(it.fixture.basis, it.y, LAMBDAS, grid, &newer.known, &path, &err),
                     RLS2_ERR_ARGUMENT);
    assert_non_null(strstr(err.message, "options: a member is set that version "));
    assert_null(path);
    setting_free(&it);
}

static void options__of_no_size__are_refused_by_every_call(void **state)
{
    (void)state;
    static const size_t wrong[] = {0, 1, sizeof(size_t) - 1, 1 << 20, SIZE_MAX};
    setting it = setting_create();
    const rls2_basis *basis = it.fixture.basis;
    const rls2_dictionary *dictionary = it.fixture.dictionary;
    const int64_t first = 0;
    rls2_error err;
    char said[200];
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        rls2_path_options path = {.size = wrong[i]};
        rls2_basis_options made = {.size = wrong[i]};
        rls2_read_options read = {.size = wrong[i]};
        rls2_dataset_options data = {.size = wrong[i]};
        rls2_control control = {.size = wrong[i]};
        rls2_path *no_path;
        rls2_basis *no_basis;
        rls2_table *table = NULL, *no_table;
        rls2_dataset *no_data;
        rls2_stream *no_stream;
        double s[3];
        assert_int_equal(rls2_table_parse("t", "a\n1\n", 4, NULL, &table, &err), RLS2_OK);
#define REFUSED(argument, type, call)                                                              \
    do {                                                                                           \
        snprintf(said, sizeof said, "%s.size is %zu: fill it by %s_init", argument, wrong[i],      \
                 type);                                                                            \
        assert_int_equal(call, RLS2_ERR_ARGUMENT);                                                 \
        assert_string_equal(err.message, said);                                                    \
    } while (0)
        REFUSED("options", "rls2_path_options",
                rls2_path_fit(1, &basis, it.y, LAMBDAS, grid, &path, NULL, &no_path, &err));
        REFUSED("control", "rls2_control",
                rls2_path_fit(1, &basis, it.y, LAMBDAS, grid, NULL, &control, &no_path, &err));
        REFUSED("options", "rls2_basis_options",
                rls2_basis_create(dictionary, &it.rows, &made, NULL, &no_basis, &err));
        REFUSED("options", "rls2_basis_options",
                rls2_basis_take(basis, 1, &first, &made, NULL, &no_basis, &err));
        REFUSED("options", "rls2_basis_options",
                rls2_scaling_compute(dictionary, &it.rows, &made, NULL, s, &err));
        REFUSED("options", "rls2_read_options",
                rls2_table_parse("t", "a\n1\n", 4, &read, &no_table, &err));
        REFUSED("options", "rls2_read_options",
                rls2_table_read("data/cpu.csv", &read, &no_table, &err));
        REFUSED("options", "rls2_read_options",
                rls2_stream_open("data/cpu.csv", &read, &no_stream, &err));
        REFUSED("options", "rls2_dataset_options",
                rls2_dataset_create(table, &data, &no_data, &err));
#undef REFUSED
        rls2_table_free(table);
    }
    setting_free(&it);
}

/* A criterion as a header knew it that ended with gcv, and one that is to come. */
typedef struct older_criteria {
    double df, rss, gcv;
} older_criteria;
typedef struct newer_criteria {
    rls2_criteria known;
    double more;
} newer_criteria;

static void path_criteria__structs_of_other_versions__are_filled_as_far_as_they_go(void **state)
{
    (void)state;
    setting it = setting_create();
    rls2_criteria today[LAMBDAS];
    older_criteria older[LAMBDAS + 1];
    newer_criteria newer[LAMBDAS];
    rls2_path *path = NULL;
    rls2_error err;
    assert_int_equal(fit_one(it.fixture.basis, it.y, LAMBDAS, grid, NULL, &path, &err), RLS2_OK);
    memset(older, 0x5a, sizeof older);
    memset(newer, 0x5a, sizeof newer);
    const older_criteria untouched = older[LAMBDAS];
    assert_int_equal(rls2_path_criteria(path, NULL, today, sizeof today[0], &err), RLS2_OK);
    assert_int_equal(
        rls2_path_criteria(path, NULL, (rls2_criteria *)(void *)older, sizeof older[0], &err),
        RLS2_OK);
    assert_int_equal(rls2_path_criteria(path, NULL, &newer[0].known, sizeof newer[0], &err),
                     RLS2_OK);
    for (int64_t i = 0; i < LAMBDAS; i++) {
        assert_memory_equal(&older[i], &today[i], sizeof older[i]);
        assert_memory_equal(&newer[i].known, &today[i], sizeof today[i]);
        assert_true(newer[i].more == 0.0);
    }
    assert_memory_equal(&older[LAMBDAS], &untouched, sizeof untouched);
    assert_int_equal(rls2_path_criteria(path, NULL, today, 0, &err), RLS2_ERR_ARGUMENT);
    assert_string_equal(err.message, "size is 0; it must be sizeof *criteria");
    rls2_path_free(path);
    setting_free(&it);
}

static void path_certify__shorter_certificate__is_filled_as_far_as_it_goes(void **state)
{
    (void)state;
    setting it = setting_create();
    rls2_certificate today;
    struct {
        double primal, dual, gap, beyond;
    } older = {.beyond = 7.0};
    rls2_path *path = NULL;
    rls2_error err;
    assert_int_equal(fit_one(it.fixture.basis, it.y, LAMBDAS, grid, NULL, &path, &err), RLS2_OK);
    assert_int_equal(rls2_path_certify(path, 0, &today, sizeof today, &err), RLS2_OK);
    assert_int_equal(rls2_path_certify(path, 0, (rls2_certificate *)(void *)&older,
                                       sizeof older - sizeof(double), &err),
                     RLS2_OK);
    assert_true(older.primal == today.primal && older.dual == today.dual);
    assert_true(older.gap == today.gap && older.beyond == 7.0);
    assert_int_equal(rls2_path_certify(path, 0, &today, 0, &err), RLS2_ERR_ARGUMENT);
    assert_string_equal(err.message, "size is 0; it must be sizeof *certificate");
    rls2_path_free(path);
    setting_free(&it);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(options_init__shorter_struct__writes_no_more_than_it_has),
        cmocka_unit_test(options_init__longer_struct__is_zero_beyond),
        cmocka_unit_test(path_fit__shorter_options__have_defaults_for_the_rest),
        cmocka_unit_test(path_fit__longer_options__are_taken_unless_they_ask_for_more),
        cmocka_unit_test(options__of_no_size__are_refused_by_every_call),
        cmocka_unit_test(path_criteria__structs_of_other_versions__are_filled_as_far_as_they_go),
        cmocka_unit_test(path_certify__shorter_certificate__is_filled_as_far_as_it_goes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
