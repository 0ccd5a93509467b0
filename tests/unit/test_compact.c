/* Compact models: what they say against definitions and against ordinary models, what they do not
 * know, and parts that do not fit. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/compact_model.h"
#include "support/saved_model.h"
#include "support/unit_support.h"

enum { NEW = 7 };

/* Some rows, among them a point of the model. */
static void new_rows_fill(const made_compact *made, double *x)
{
    rls2__random random;
    rls2__random_seed(&random, 17);
    for (int i = 0; i < NEW * MADE_COLUMNS; i++) x[i] = 2.0 * rls2__random_normal(&random);
    x[0] = made->x[2];
    x[NEW] = made->x[MADE_POINTS + 2];
}

/* ---- what it says ---- */

static void compact_predict__any_blocks__is_the_sum_by_definition(void **state)
{
    (void)state;
    for (int64_t outputs = 1; outputs <= MADE_OUTPUTS; outputs++) {
        made_compact *made = made_compact_create(outputs);
        rls2_model *model = made_compact_model(made);
        double x[NEW * MADE_COLUMNS], f[NEW * MADE_OUTPUTS], parts[NEW * MADE_KERNELS];
        rls2_rows rows = {.n = NEW, .p = MADE_COLUMNS, .x = x};
        rls2_error err;
        new_rows_fill(made, x);
        assert_ok(rls2_model_predict(model, &rows, NULL, f, &err), &err);
        for (int64_t o = 0; o < outputs; o++) {
            const rls2_model *one = rls2_model_output(model, o);
            double alone[NEW];
            assert_ok(rls2_model_contributions(one, &rows, NULL, parts, &err), &err);
            assert_ok(rls2_model_predict(one, &rows, NULL, alone, &err), &err);
            assert_memory_equal(alone, f + o * NEW, sizeof alone);
            for (int i = 0; i < NEW; i++) {
                double sum = made->outputs[o].intercept;
                for (int64_t t = 0; t < made->outputs[o].count; t++) {
                    double at[] = {x[i], x[NEW + i]}, part = made_compact_part(made, o, t, at);
                    assert_near(parts[t * NEW + i], part, 1e-13 * (1.0 + fabs(part)));
                    sum += part;
                }
                assert_near(f[o * NEW + i], sum, 1e-12);
            }
        }
        rls2_model_free(model);
        made_compact_free(made);
    }
}

/* Every kernel with a block of its own, and in each the c of the ordinary model. */
static void compact_predict__the_same_c_everywhere__has_the_bits_of_the_ordinary_model(void **state)
{
    (void)state;
    static const char *const CASES[] = {"linear", "all kinds",       "splines",
                                        "text",   "three responses", "number classes"};
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        made_model made = make_model(find_model_case(CASES[i]));
        rls2_model *compact = compact_copy(made.model, 5000);
        int64_t n = rls2_dataset_rows(made.data), outputs = rls2_model_outputs(made.model);
        rls2_rows rows = {
            .n = n, .p = rls2_dataset_columns(made.data), .x = rls2_dataset_x(made.data)};
        double *f = numbers(n * outputs), *g = numbers(n * outputs);
        rls2_error err;
        assert_ok(rls2_model_predict(made.model, &rows, NULL, f, &err), &err);
        assert_ok(rls2_model_predict(compact, &rows, NULL, g, &err), &err);
        assert_memory_equal(f, g, (size_t)(n * outputs) * sizeof *f);
        for (int64_t o = 0; o < outputs; o++) {
            const rls2_model *a = rls2_model_output(made.model, o),
                             *b = rls2_model_output(compact, o);
            int64_t size = rls2_model_kernel_count(a);
            double *u = numbers(n * size), *v = numbers(n * size);
            assert_ok(rls2_model_layer1(a, &rows, NULL, u, &err), &err);
            assert_ok(rls2_model_layer1(b, &rows, NULL, v, &err), &err);
            assert_memory_equal(u, v, (size_t)(n * size) * sizeof *u);
            free(u);
            free(v);
        }
        rls2_model_free(compact);
        free_model(&made);
        free(f);
        free(g);
    }
}

/* Rows that are equal in what a kernel looks at are evaluated once: the same bits as one by one. */
static void compact_predict__many_equal_rows__has_the_bits_of_each_alone(void **state)
{
    (void)state;
    enum { MANY = 5000 };
    for (int64_t outputs = 1; outputs <= MADE_OUTPUTS; outputs++) {
        made_compact *made = made_compact_create(outputs);
        rls2_model *model = made_compact_model(made);
        double *x = unit_normal(9, MANY * MADE_COLUMNS), *f = unit_room(MANY * outputs);
        rls2_rows rows = {.n = MANY, .p = MADE_COLUMNS, .x = x};
        rls2_error err;
        for (int i = 0; i < MANY; i++) { /* some blocks of rows have few values in one or both */
            if (i % 2048 < 1500 || i > 4096) x[i] = round(2.0 * x[i]);
            if (i > 2048) x[MANY + i] = round(x[MANY + i]);
        }
        assert_ok(rls2_model_predict(model, &rows, NULL, f, &err), &err);
        for (int i = 0; i < MANY; i++) {
            double alone[MADE_OUTPUTS];
            rls2_rows one = {.n = 1, .p = MADE_COLUMNS, .x = x + i, .ldx = MANY};
            assert_ok(rls2_model_predict(model, &one, NULL, alone, &err), &err);
            for (int64_t o = 0; o < outputs; o++)
                assert_memory_equal(&alone[o], &f[o * MANY + i], sizeof *f);
        }
        rls2_model_free(model);
        made_compact_free(made);
        free(x);
        free(f);
    }
}

/* Columns that lie wide apart are polynomials, linear, and summed up by powers. */
static void compact_predict__many_points__sums_powers_of_its_block(void **state)
{
    (void)state;
    enum { POINTS = 1500, FIRST = 300 };
    static const char *const names[] = {"a"};
    static const int64_t column = 0, ks[] = {0, 1}, block_of[] = {0, 1};
    rls2_dictionary *dictionary = NULL;
    rls2_columns columns = {.count = 1, .names = names};
    rls2_error err;
    rls2_model *model = NULL;
    double *x = unit_normal(3, POINTS), *c = unit_normal(4, 2 * POINTS - FIRST);
    const double d[] = {0.25, 0.75}, s[] = {2.0, 3.0};
    const rls2_model_block blocks[] = {
        {.columns = &column, .column_count = 1, .first = FIRST, .count = POINTS - FIRST},
        {.columns = &column, .column_count = 1, .first = 0, .count = POINTS}};
    const rls2__compact_output output = {
        .count = 2, .ks = ks, .d = d, .scales = s, .c = c, .point = {.lambda = 1.0}};
    assert_ok(rls2_dictionary_create("poly(3,offset=1)@a; linear@a", &columns, &dictionary, &err),
              &err);
    const rls2__compact_parts parts = {.dictionary = dictionary,
                                       .rows = 1,
                                       .points = POINTS,
                                       .x = x,
                                       .blocks = 2,
                                       .block = blocks,
                                       .block_of = block_of,
                                       .outputs = 1,
                                       .output = &output};
    assert_ok(rls2__compact_create(&parts, &model, &err), &err);
    const double at = 0.75;
    double f, expected = 0.0;
    rls2_rows rows = {.n = 1, .p = 1, .x = &at};
    assert_ok(rls2_model_predict(model, &rows, NULL, &f, &err), &err);
    for (int i = 0; i < POINTS - FIRST; i++)
        expected += d[0] * s[0] * c[i] * pow(1.0 + at * x[FIRST + i], 3.0);
    for (int i = 0; i < POINTS; i++) expected += d[1] * s[1] * c[POINTS - FIRST + i] * at * x[i];
    assert_near(f, expected, 1e-10);
    rls2_model_free(model);
    rls2_dictionary_free(dictionary);
    free(x);
    free(c);
}

static void compact_coefficients__linear_kernels__are_those_of_their_blocks(void **state)
{
    (void)state;
    static const int64_t ks[] = {0, 1, 6};
    static const double d[] = {0.5, 0.25, 0.25};
    made_compact *made = made_compact_create(1);
    made->outputs[0].count = 3;
    made->outputs[0].ks = ks;
    made->outputs[0].d = d;
    made->outputs[0].shares = NULL;
    rls2_model *model = made_compact_model(made);
    double a[MADE_COLUMNS], expected[MADE_COLUMNS] = {0.0, 0.0};
    rls2_error err;
    assert_ok(rls2_model_coefficients(model, a, &err), &err);
    for (int64_t j = 0; j < MADE_COLUMNS; j++) {
        const rls2_model_block *block = &made->blocks[j];
        for (int64_t g = 0; g < block->count; g++)
            expected[j] += d[j] * made->scales[0][j] * made->c[0][made->offsets[j] + g] *
                           made->x[j * MADE_POINTS + block->first + g];
        expected[j] += d[2] * made->scales[0][6] * made->c[0][made->offsets[2] + j];
        assert_near(a[j], expected[j], 1e-13);
    }
    rls2_model_free(model);
    made_compact_free(made);
}

/* ---- what it is ---- */

static void compact_model__asked_what_it_is__tells_rows_points_and_blocks(void **state)
{
    (void)state;
    made_compact *made = made_compact_create(2);
    rls2_model *model = made_compact_model(made);
    const rls2_model *one = rls2_model_output(model, 1);
    assert_true(rls2_model_is_compact(model) && rls2_model_is_compact(one));
    assert_int_equal(rls2_model_rows(model), MADE_ROWS);
    assert_int_equal(rls2_model_rows(one), MADE_ROWS);
    assert_int_equal(rls2_model_points(model), MADE_POINTS - 1); /* the last had no kernel */
    assert_int_equal(rls2_model_block_count(one), MADE_KEPT);
    assert_null(rls2_model_c(one));
    assert_null(rls2_model_row_weights(one));
    for (int64_t b = 0; b < MADE_KEPT; b++) {
        const rls2_model_block *block = rls2_model_block_at(one, b);
        assert_int_equal(block->first, made->blocks[b].first);
        assert_int_equal(block->count, made->blocks[b].count);
        assert_int_equal(block->exact, made->blocks[b].exact);
        assert_int_equal(block->column_count, made->blocks[b].column_count);
        assert_int_equal(block->columns[0], made->blocks[b].columns[0]);
        size_t bytes = (size_t)block->count * sizeof(double);
        assert_memory_equal(block->mass, made->mass + made->offsets[b], bytes);
        assert_memory_equal(rls2_model_block_c(one, b), made->c[1] + made->offsets[b], bytes);
    }
    assert_null(rls2_model_block_at(one, MADE_KEPT));
    assert_null(rls2_model_block_at(one, -1));
    assert_null(rls2_model_block_c(model, 0));
    assert_int_equal(rls2_model_kernel_block(one, 0), 0); /* its first is the third kernel */
    assert_int_equal(rls2_model_kernel_block(model, 1), 1);
    assert_int_equal(rls2_model_kernel_block(one, 100), -1);
    assert_near(rls2_model_represented(one)->bound, 2e-3, 0.0);
    assert_near(rls2_model_represented(one)->mean_square, 0.04, 0.0);
    assert_near(rls2_model_represented(model)->bound, 2e-3, 0.0);
    assert_true(isnan(rls2_model_represented(model)->variance));
    rls2_model_free(model);
    made->outputs[0].represented.bound = (double)NAN;
    model = made_compact_model(made);
    assert_true(isnan(rls2_model_represented(model)->bound));
    rls2_model_free(model);
    made_compact_free(made);
}

static void ordinary_model__asked_the_same__has_its_rows_and_no_blocks(void **state)
{
    (void)state;
    made_model made = make_model(find_model_case("linear"));
    assert_false(rls2_model_is_compact(made.model));
    assert_int_equal(rls2_model_points(made.model), rls2_model_rows(made.model));
    assert_int_equal(rls2_model_block_count(made.model), 0);
    assert_null(rls2_model_block_at(made.model, 0));
    assert_int_equal(rls2_model_kernel_block(made.model, 0), -1);
    assert_null(rls2_model_represented(made.model));
    assert_null(rls2_model_represented(NULL));
    assert_false(rls2_model_is_compact(NULL));
    assert_int_equal(rls2_model_points(NULL), 0);
    free_model(&made);
}

/* What a column has where no block looks is a value that it has elsewhere. */
static void compact_model__rows_outside_its_blocks__hold_values_of_the_column(void **state)
{
    (void)state;
    made_compact *made = made_compact_create(1);
    made->x[MADE_POINTS] = 1e300; /* row 0 of the second column, and row 13 of the first */
    made->x[MADE_POINTS - 1] = (double)NAN;
    rls2_model *model = made_compact_model(made);
    const double *second = rls2_model_training_column(model, 1);
    assert_near(second[0], made->x[MADE_POINTS + 1], 0.0);
    assert_near(second[5], made->x[MADE_POINTS + 1], 0.0);
    assert_near(second[2], made->x[MADE_POINTS + 2], 0.0);
    rls2_model_free(model);
    made_compact_free(made);
}

/* ---- what it does not know ---- */

static void compact_model__asked_for_what_needs_its_rows__says_so(void **state)
{
    (void)state;
    made_compact *made = made_compact_create(1);
    rls2_model *model = made_compact_model(made);
    double x[NEW * MADE_COLUMNS], out[NEW], share[MADE_KERNELS], df;
    rls2_rows rows = {.n = NEW, .p = MADE_COLUMNS, .x = x};
    rls2_certificate certificate;
    rls2_error err;
    new_rows_fill(made, x);
    assert_int_equal(rls2_model_variance(model, &rows, out, &err), RLS2_ERR_ARGUMENT);
    assert_contains(err.message, "the model is compact: it does not keep the 1000000 rows");
    assert_contains(err.message, "no variances");
    assert_int_equal(rls2_model_factorize(model, &err), RLS2_ERR_ARGUMENT);
    assert_contains(err.message, "no variances");
    assert_int_equal(rls2_model_certify(model, &rows, out, &certificate, sizeof certificate, &err),
                     RLS2_ERR_ARGUMENT);
    assert_contains(err.message, "no certificate");
    assert_int_equal(rls2_model_shares(model, NULL, share, out, &err), RLS2_ERR_ARGUMENT);
    assert_contains(err.message, "no fitted values");
    assert_ok(rls2_model_shares(model, NULL, share, NULL, &err), &err);
    assert_memory_equal(share, made->shares[0], 8 * sizeof *share);
    assert_ok(rls2_model_degrees_of_freedom(model, &df, &err), &err);
    assert_near(df, 5.5, 0.0);
    rls2_model_free(model);
    made->outputs[0].shares = NULL;
    made->outputs[0].point.df = (double)NAN;
    model = made_compact_model(made);
    assert_int_equal(rls2_model_shares(model, NULL, share, NULL, &err), RLS2_ERR_ARGUMENT);
    assert_contains(err.message, "no shares of the kernels");
    assert_int_equal(rls2_model_degrees_of_freedom(model, &df, &err), RLS2_ERR_ARGUMENT);
    assert_contains(err.message, "no degrees of freedom");
    rls2_model_free(model);
    made_compact_free(made);
}

/* ---- parts that do not fit ---- */

static void assert_parts_refused(made_compact *made, const char *message)
{
    rls2_model *model = NULL;
    rls2_error err;
    assert_int_not_equal(rls2__compact_create(&made->parts, &model, &err), RLS2_OK);
    assert_null(model);
    assert_contains(err.message, message);
    made_compact_free(made);
}

static void compact_create__parts_that_do_not_fit__are_refused(void **state)
{
    (void)state;
    made_compact *made = made_compact_create(2);
    made->block_of[3] = MADE_BLOCKS;
    assert_parts_refused(made, "no block");
    made = made_compact_create(2);
    made->block_of[3] = -1;
    assert_parts_refused(made, "no block");
    made = made_compact_create(2);
    made->block_of[3] = 0;
    assert_parts_refused(made, "a kernel looks at a column that its block has not");
    made = made_compact_create(2);
    made->block_of[7] = 0;
    assert_parts_refused(made, "a kernel looks at a column that its block has not");
    made = made_compact_create(1);
    made->ks[0][7] = MADE_KERNELS;
    assert_parts_refused(made, "no block");
    made = made_compact_create(1);
    made->blocks[3].first = MADE_POINTS - 4;
    assert_parts_refused(made, "points that are not among the rows");
    made = made_compact_create(1);
    made->parts.rows = 0;
    assert_parts_refused(made, "learned from no rows");
    made = made_compact_create(2);
    made->c[1][3] = (double)NAN;
    assert_parts_refused(made, "c of a compact model");
    made = made_compact_create(2);
    made->x[2] = (double)INFINITY;
    assert_parts_refused(made, "points of a compact model");
    made = made_compact_create(2);
    made->mass[2] = -1.0;
    assert_parts_refused(made, "mass");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(compact_predict__any_blocks__is_the_sum_by_definition),
        cmocka_unit_test(
            compact_predict__the_same_c_everywhere__has_the_bits_of_the_ordinary_model),
        cmocka_unit_test(compact_predict__many_equal_rows__has_the_bits_of_each_alone),
        cmocka_unit_test(compact_predict__many_points__sums_powers_of_its_block),
        cmocka_unit_test(compact_coefficients__linear_kernels__are_those_of_their_blocks),
        cmocka_unit_test(compact_model__asked_what_it_is__tells_rows_points_and_blocks),
        cmocka_unit_test(ordinary_model__asked_the_same__has_its_rows_and_no_blocks),
        cmocka_unit_test(compact_model__rows_outside_its_blocks__hold_values_of_the_column),
        cmocka_unit_test(compact_model__asked_for_what_needs_its_rows__says_so),
        cmocka_unit_test(compact_create__parts_that_do_not_fit__are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
