/* Model files that are wrong by one thing alone: weights off the simplex, kernels that do not
 * ascend, arrays that overlap. */
#include <math.h>

#include "model/model.h"
#include "support/edited_model.h"

static const char CASE[] = "all kinds";

typedef struct selection {
    double d[2];
    int64_t kernels[2];
} selection;

/* The first two weights of the model and their kernels. */
static selection first_two(void)
{
    made_model made = make_model(find_model_case(CASE));
    const rls2_model *m = made.model;
    assert_true(m->size > 2);
    selection found = {{m->d[0], m->d[1]}, {m->index[0], m->index[1]}};
    free_model(&made);
    return found;
}

static edited edit_selection(const selection *changed)
{
    edited e = edit(CASE);
    for (int i = 0; i < 2; i++) {
        set_element(&e, "outputs.0.d", i, &changed->d[i]);
        set_element(&e, "outputs.0.kernels", i, &changed->kernels[i]);
    }
    return e;
}

static void assert_accepted(const selection *changed)
{
    edited e = edit_selection(changed);
    packed file = edit_pack(&e);
    rls2_error err;
    rls2_model *model = NULL;
    assert_ok(rls2_model_unpack("m.rls2", file.bytes, file.length, &model, &err), &err);
    rls2_model_free(model);
    free(file.bytes);
    edit_free(&e);
}

static void assert_not_accepted(const selection *changed, const char *message)
{
    edited e = edit_selection(changed);
    assert_edit_refused(&e, "the selection", message);
    edit_free(&e);
}

/* By how much the sum may miss one is seen from both sides. */
static void model_unpack__weights_that_do_not_sum_to_one__are_refused(void **state)
{
    (void)state;
    static const double off[] = {0.05, 1e-4, -1e-8, 1e-8}, rounding[] = {0.0, 1e-11, -1e-11};
    selection right = first_two(), changed = right;
    for (int i = 0; i < 4; i++) {
        changed.d[0] = right.d[0] + off[i];
        assert_not_accepted(&changed, "the weights d sum to ");
    }
    for (int i = 0; i < 3; i++) {
        changed.d[0] = right.d[0] + rounding[i];
        assert_accepted(&changed);
    }
}

static void model_unpack__negative_weight_in_a_sum_of_one__is_refused(void **state)
{
    (void)state;
    selection changed = first_two();
    changed.d[0] += 2.0 * changed.d[1];
    changed.d[1] = -changed.d[1];
    assert_not_accepted(&changed, "has weight -");
}

static void model_unpack__weight_of_zero__is_accepted(void **state)
{
    (void)state;
    selection changed = first_two();
    changed.d[0] += changed.d[1];
    changed.d[1] = 0.0;
    assert_accepted(&changed);
}

static void model_unpack__kernels_that_do_not_ascend__are_refused(void **state)
{
    (void)state;
    selection right = first_two(), twice = right, swapped = right;
    twice.kernels[1] = right.kernels[0];
    assert_not_accepted(&twice, "not in order");
    swapped.kernels[0] = right.kernels[1];
    swapped.kernels[1] = right.kernels[0];
    assert_not_accepted(&swapped, "not in order");
}

/* The number of kernels is that of the scalings: the first one that is not there. */
static void model_unpack__kernel_just_beyond_the_last__is_refused(void **state)
{
    (void)state;
    made_model made = make_model(find_model_case(CASE));
    int64_t m = made.model->dictionary->m, last = made.model->size - 1;
    free_model(&made);
    edited e = edit(CASE);
    set_element(&e, "outputs.0.kernels", last, &m);
    assert_edit_refused(&e, "outputs.0.kernels", "selected kernel");
    edit_free(&e);
}

/* An array that reaches into the next one, with the end of the data where it was. */
static void model_unpack__array_that_reaches_into_the_next__is_refused(void **state)
{
    (void)state;
    edited e = edit("linear");
    const char *name;
    json_t *entry;
    int tried = 0;
    json_object_foreach(e.header, name, entry)
    {
        json_t *offsets = json_object_get(entry, "data_offsets"),
               *shape = json_object_get(entry, "shape");
        int64_t begin = json_integer_value(json_array_get(offsets, 0)),
                end = json_integer_value(json_array_get(offsets, 1));
        if (json_array_size(shape) != 1 || end == e.data_length || end == begin) continue;
        json_incref(offsets);
        json_incref(shape);
        json_object_set_new(entry, "data_offsets",
                            json_pack("[I,I]", (json_int_t)begin, (json_int_t)end + 8));
        json_object_set_new(entry, "shape", json_pack("[I]", (json_int_t)(end + 8 - begin) / 8));
        assert_edit_refused(&e, name, "the arrays overlap");
        json_object_set_new(entry, "data_offsets", offsets);
        json_object_set_new(entry, "shape", shape);
        tried++;
    }
    assert_true(tried > 2);
    edit_free(&e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(model_unpack__weights_that_do_not_sum_to_one__are_refused),
        cmocka_unit_test(model_unpack__negative_weight_in_a_sum_of_one__is_refused),
        cmocka_unit_test(model_unpack__weight_of_zero__is_accepted),
        cmocka_unit_test(model_unpack__kernels_that_do_not_ascend__are_refused),
        cmocka_unit_test(model_unpack__kernel_just_beyond_the_last__is_refused),
        cmocka_unit_test(model_unpack__array_that_reaches_into_the_next__is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
