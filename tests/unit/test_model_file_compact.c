/* Files of compact models: read as they were written, and refused where blocks, points and
 * coefficients do not fit together. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/compact_model.h"
#include "support/edited_model.h"

static packed pack_made(int64_t outputs)
{
    made_compact *made = made_compact_create(outputs);
    rls2_model *model = made_compact_model(made);
    packed p = pack(model);
    rls2_model_free(model);
    made_compact_free(made);
    return p;
}

static edited edit_made(int64_t outputs)
{
    return edit_packed(pack_made(outputs));
}

/* ---- there and back ---- */

static void assert_same_number(double a, double b)
{
    assert_true(a == b || (isnan(a) && isnan(b)));
}

static void assert_same_blocks(const rls2_model *a, const rls2_model *b)
{
    assert_int_equal(rls2_model_rows(a), rls2_model_rows(b));
    assert_int_equal(rls2_model_points(a), rls2_model_points(b));
    assert_int_equal(rls2_model_block_count(a), rls2_model_block_count(b));
    for (int64_t i = 0; i < rls2_model_block_count(a); i++) {
        const rls2_model_block *u = rls2_model_block_at(a, i), *v = rls2_model_block_at(b, i);
        size_t bytes = (size_t)u->count * sizeof(double);
        assert_int_equal(u->first, v->first);
        assert_int_equal(u->count, v->count);
        assert_int_equal(u->exact, v->exact);
        assert_int_equal(u->knots, v->knots);
        assert_int_equal(u->column_count, v->column_count);
        assert_memory_equal(u->columns, v->columns, (size_t)u->column_count * sizeof *u->columns);
        assert_int_equal(u->mass != NULL, v->mass != NULL);
        if (u->mass) assert_memory_equal(u->mass, v->mass, bytes);
        for (int64_t o = 0; o < rls2_model_outputs(a); o++)
            assert_memory_equal(rls2_model_block_c(rls2_model_output(a, o), i),
                                rls2_model_block_c(rls2_model_output(b, o), i), bytes);
    }
}

static void assert_same_output(const rls2_model *a, const rls2_model *b)
{
    const rls2_represented *u = rls2_model_represented(a), *v = rls2_model_represented(b);
    int64_t size = rls2_model_kernel_count(a);
    double s[MADE_KERNELS], t[MADE_KERNELS];
    assert_same_number(u->bound, v->bound);
    assert_same_number(u->mean_square, v->mean_square);
    assert_same_number(u->variance, v->variance);
    assert_same_number(u->mean, v->mean);
    assert_same_number(u->estimate, v->estimate);
    assert_int_equal(size, rls2_model_kernel_count(b));
    for (int64_t k = 0; k < size; k++)
        assert_int_equal(rls2_model_kernel_block(a, k), rls2_model_kernel_block(b, k));
    rls2_status known = rls2_model_shares(a, NULL, s, NULL, NULL);
    assert_int_equal(known, rls2_model_shares(b, NULL, t, NULL, NULL));
    if (known == RLS2_OK) assert_memory_equal(s, t, (size_t)size * sizeof *s);
}

static void assert_same_predictions(const rls2_model *a, const rls2_model *b)
{
    const double x[] = {0.5, -1.0, 3.0, 0.25, 2.0, -0.75};
    double f[3 * MADE_OUTPUTS], g[3 * MADE_OUTPUTS];
    rls2_rows rows = {.n = 3, .p = MADE_COLUMNS, .x = x};
    rls2_error err;
    assert_ok(rls2_model_predict(a, &rows, NULL, f, &err), &err);
    assert_ok(rls2_model_predict(b, &rows, NULL, g, &err), &err);
    assert_memory_equal(f, g, (size_t)(3 * rls2_model_outputs(a)) * sizeof *f);
}

static void model_unpack__compact_model__is_the_one_that_was_packed(void **state)
{
    (void)state;
    for (int variant = 0; variant < 6; variant++) {
        made_compact *made = made_compact_create(1 + variant % 2);
        if (variant >= 4) made_compact_add_knots(made);
        if (variant == 2 || variant == 3) {
            made->parts.mass = NULL;
            made->outputs[0].shares = NULL;
            made->outputs[0].represented =
                (rls2_represented){0.0, (double)NAN, (double)NAN, (double)NAN, (double)NAN};
        }
        rls2_model *model = made_compact_model(made), *read = NULL;
        rls2_error err;
        packed p = pack(model);
        assert_ok(rls2_model_unpack("m.rls2", p.bytes, p.length, &read, &err), &err);
        assert_true(rls2_model_is_compact(read));
        assert_same_blocks(model, read);
        for (int64_t o = 0; o < rls2_model_outputs(model); o++)
            assert_same_output(rls2_model_output(model, o), rls2_model_output(read, o));
        assert_same_number(rls2_model_represented(model)->bound,
                           rls2_model_represented(read)->bound);
        assert_same_predictions(model, read);
        packed again = pack(read);
        assert_int_equal(again.length, p.length);
        assert_memory_equal(again.bytes, p.bytes, (size_t)p.length);
        rls2_bytes_free(again.bytes);
        rls2_bytes_free(p.bytes);
        rls2_model_free(read);
        rls2_model_free(model);
        made_compact_free(made);
    }
}

/* It knows its table as any model does. */
static void model_unpack__compact_model_of_a_table__encodes_rows(void **state)
{
    (void)state;
    static const char *const CASES[] = {"text", "gaps", "number classes", "three classes"};
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        made_model made = make_model(find_model_case(CASES[i]));
        rls2_model *compact = compact_copy(made.model, 123456), *read = NULL;
        rls2_dataset *data = NULL;
        rls2_error err;
        assert_ok(rls2_model_attach(compact, made.data, &err), &err);
        packed p = pack(compact);
        assert_ok(rls2_model_unpack("m.rls2", p.bytes, p.length, &read, &err), &err);
        assert_ok(rls2_model_encode(read, made.table, RLS2_MISSING_IMPUTE, RLS2_RESPONSE_IGNORED,
                                    &data, &err),
                  &err);
        int64_t n = rls2_dataset_rows(data), outputs = rls2_model_outputs(read);
        rls2_rows rows = {.n = n, .p = rls2_dataset_columns(data), .x = rls2_dataset_x(data)};
        double *f = numbers(n * outputs), *g = numbers(n * outputs);
        assert_ok(rls2_model_predict(made.model, &rows, NULL, f, &err), &err);
        assert_ok(rls2_model_predict(read, &rows, NULL, g, &err), &err);
        assert_memory_equal(f, g, (size_t)(n * outputs) * sizeof *f);
        assert_int_equal(rls2_model_rows(read), 123456);
        assert_same_blocks(compact, read);
        free(f);
        free(g);
        rls2_dataset_free(data);
        rls2_bytes_free(p.bytes);
        rls2_model_free(read);
        rls2_model_free(compact);
        free_model(&made);
    }
}

/* ---- versions ---- */

static void set_version(edited *e, const char *version)
{
    json_object_set_new(json_object_get(e->header, "__metadata__"), "format_version",
                        json_string(version));
}

static void model_unpack__compact_model_of_an_earlier_version__is_refused(void **state)
{
    (void)state;
    edited e = edit_made(1);
    set_version(&e, "3");
    assert_edit_refused(&e, "version 3", NULL);
    set_version(&e, "1");
    assert_edit_refused(&e, "version 1", NULL);
    edit_free(&e);
}

/* Version 4 says whether a model is compact. */
static void model_unpack__ordinary_model_of_version_4__says_it_is_not_compact(void **state)
{
    (void)state;
    edited e = edit("linear");
    rls2_model *model = NULL;
    rls2_error err;
    set_version(&e, "4");
    assert_edit_refused(&e, "no word", "'compact' is not there");
    json_object_set_new(e.description, "compact", json_null());
    packed p = edit_pack(&e);
    assert_ok(rls2_model_unpack("m.rls2", p.bytes, p.length, &model, &err), &err);
    assert_false(rls2_model_is_compact(model));
    rls2_model_free(model);
    free(p.bytes);
    edit_free(&e);
}

/* ---- hostile files ---- */

static void model_unpack__compact_model_cut_off__is_refused(void **state)
{
    (void)state;
    packed p = pack_made(2);
    rls2_error err;
    for (int64_t length = 0; length < p.length; length++) {
        unsigned char *part = malloc((size_t)length + 1);
        memcpy(part, p.bytes, (size_t)length);
        assert_refused(part, length, &err);
        free(part);
    }
    rls2_bytes_free(p.bytes);
}

static json_t *block_of(edited *e, size_t b)
{
    return json_array_get(json_object_get(json_object_get(e->description, "compact"), "blocks"), b);
}

static void model_unpack__blocks_that_do_not_fit__are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *key, *json, *message;
    } wrong[] = {{"first", "-1", "not a count"},
                 {"first", "1.5", "not a count"},
                 {"first", "9223372036854775807", "points that are not among the rows"},
                 {"first", "10", "points that are not among the rows"},
                 {"count", "0", "points that are not among the rows"},
                 {"count", "9223372036854775807", "points that are not among the rows"},
                 {"count", "5", "coefficients where the blocks have"},
                 {"exact", "1", "not true or false"},
                 {"knots", "-1", "not a count"},
                 {"knots", "2.5", "not a count"},
                 {"knots", "5", "knots that are not its points"},
                 {"knots", "9223372036854775807", "knots that are not its points"},
                 {"knots", "1", "knots that are not its points"},
                 {"knots", "3", "a block that is exact has knots"},
                 {"columns", "[]", "a block has no column"},
                 {"columns", "[2]", "a column that is none of the data"},
                 {"columns", "[-1]", "a column that is none of the data"},
                 {"columns", "[\"a\"]", "a column that is none of the data"},
                 {"columns", "[1, 0]", "not in order"},
                 {"columns", "[1, 1]", "not in order"},
                 {"columns", "[0]", "a kernel looks at a column that its block has not"},
                 {"columns", "{}", "not an array"}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        edited e = edit_made(2);
        json_t *value = json_loads(wrong[i].json, JSON_DECODE_ANY, NULL);
        assert_non_null(value);
        json_object_set_new(block_of(&e, 1), wrong[i].key, value);
        assert_edit_refused(&e, wrong[i].json, wrong[i].message);
        json_object_del(block_of(&e, 1), wrong[i].key);
        assert_edit_refused(&e, wrong[i].key, "is not there");
        edit_free(&e);
    }
}

static void model_unpack__knots_that_do_not_ascend__are_refused(void **state)
{
    (void)state;
    edited e = edit_made(2);
    json_object_set_new(block_of(&e, 0), "knots", json_integer(6)); /* points as they come */
    assert_edit_refused(&e, "six knots", "knots do not ascend");
    json_object_set_new(block_of(&e, 0), "knots", json_integer(5));
    assert_edit_refused(&e, "five knots", "not of a number and its missing cells");
    edit_free(&e);
}

/* Files of 0.10 do not have it. */
static void model_unpack__compact_model_without_a_mean__does_not_know_it(void **state)
{
    (void)state;
    edited e = edit_made(1);
    json_t *output = json_array_get(json_object_get(e.description, "outputs"), 0);
    json_object_del(json_object_get(output, "represented"), "mean");
    packed p = edit_pack(&e);
    rls2_model *model = NULL;
    rls2_error err;
    assert_ok(rls2_model_unpack("old", p.bytes, p.length, &model, &err), &err);
    assert_true(isnan(rls2_model_represented(model)->mean));
    assert_true(rls2_model_represented(model)->variance == 1.25);
    rls2_model_free(model);
    free(p.bytes);
    edit_free(&e);
}

static void model_unpack__description_of_a_compact_model_that_is_none__is_refused(void **state)
{
    (void)state;
    edited e = edit_made(1);
    json_t *compact = json_object_get(e.description, "compact");
    json_t *output = json_array_get(json_object_get(e.description, "outputs"), 0);
    json_object_set_new(compact, "rows", json_integer(0));
    assert_edit_refused(&e, "no rows", "learned from no rows");
    json_object_set_new(compact, "rows", json_integer(-5));
    assert_edit_refused(&e, "negative rows", "not a count");
    json_object_set_new(compact, "rows", json_integer(77));
    json_object_set_new(json_object_get(output, "represented"), "bound", json_real(-0.5));
    assert_edit_refused(&e, "a negative bound", "negative");
    json_object_set_new(json_object_get(output, "represented"), "bound", json_true());
    assert_edit_refused(&e, "a bound that is none", "'bound' is not a number or null");
    json_object_set_new(json_object_get(output, "represented"), "bound", json_null());
    json_object_set_new(json_object_get(output, "represented"), "mean", json_string("1"));
    assert_edit_refused(&e, "a mean that is none", "'mean' is not a number or null");
    json_object_del(output, "represented");
    assert_edit_refused(&e, "nothing represented", "'represented' is not there");
    json_object_set_new(compact, "blocks", json_array());
    assert_edit_refused(&e, "no blocks", "no block of points");
    json_object_set_new(compact, "blocks", json_pack("[i]", 3));
    assert_edit_refused(&e, "a number for a block", NULL);
    json_object_set_new(e.description, "compact", json_true());
    assert_edit_refused(&e, "compact: true", "not an object or null");
    json_object_set_new(e.description, "compact", json_null());
    assert_edit_refused(&e, "not compact after all", NULL);
    edit_free(&e);
}

static void model_unpack__value_of_a_compact_model_out_of_range__is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *array;
        double value;
        const char *message;
    } wrong[] = {{"mass", -1.0, "mass of a point"},
                 {"mass", (double)NAN, "mass of a point"},
                 {"mass", (double)INFINITY, "mass of a point"},
                 {"outputs.1.c", (double)NAN, "outputs.1.c: element 0"},
                 {"outputs.0.shares", (double)NAN, "outputs.0.shares: element 0"},
                 {"x", (double)INFINITY, "x: element 0"}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        edited e = edit_made(2);
        set_element(&e, wrong[i].array, 0, &wrong[i].value);
        assert_edit_refused(&e, wrong[i].array, wrong[i].message);
        edit_free(&e);
    }
    static const int64_t numbers_of_blocks[] = {MADE_KEPT, -2, INT64_MAX, INT64_MIN, -1};
    for (size_t i = 0; i < sizeof numbers_of_blocks / sizeof numbers_of_blocks[0]; i++) {
        edited e = edit_made(2);
        set_element(&e, "blocks", 3, &numbers_of_blocks[i]);
        assert_edit_refused(&e, "blocks", "block");
        edit_free(&e);
    }
}

/* Takes an array out of the header: its bytes stay, and belong to nothing. */
static void model_unpack__arrays_of_a_compact_model_that_do_not_fit__are_refused(void **state)
{
    (void)state;
    static const char *const ARRAYS[] = {"blocks", "mass", "outputs.0.c", "outputs.1.shares", "x"};
    for (size_t i = 0; i < sizeof ARRAYS / sizeof ARRAYS[0]; i++) {
        edited e = edit_made(2);
        json_object_del(e.header, ARRAYS[i]);
        assert_edit_refused(&e, ARRAYS[i], NULL);
        edit_free(&e);
        e = edit_made(2);
        json_object_set(e.header, "surplus", json_object_get(e.header, ARRAYS[i]));
        json_object_del(e.header, ARRAYS[i]);
        assert_edit_refused(&e, ARRAYS[i], NULL);
        edit_free(&e);
    }
    edited e = edit_made(2); /* row weights, which it cannot have, in place of the mass */
    json_object_set(e.header, "weights", json_object_get(e.header, "mass"));
    json_object_del(e.header, "mass");
    assert_edit_refused(&e, "weights", "arrays where");
    edit_free(&e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(model_unpack__compact_model__is_the_one_that_was_packed),
        cmocka_unit_test(model_unpack__compact_model_of_a_table__encodes_rows),
        cmocka_unit_test(model_unpack__compact_model_of_an_earlier_version__is_refused),
        cmocka_unit_test(model_unpack__ordinary_model_of_version_4__says_it_is_not_compact),
        cmocka_unit_test(model_unpack__compact_model_cut_off__is_refused),
        cmocka_unit_test(model_unpack__blocks_that_do_not_fit__are_refused),
        cmocka_unit_test(model_unpack__knots_that_do_not_ascend__are_refused),
        cmocka_unit_test(model_unpack__compact_model_without_a_mean__does_not_know_it),
        cmocka_unit_test(model_unpack__description_of_a_compact_model_that_is_none__is_refused),
        cmocka_unit_test(model_unpack__value_of_a_compact_model_out_of_range__is_refused),
        cmocka_unit_test(model_unpack__arrays_of_a_compact_model_that_do_not_fit__are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
