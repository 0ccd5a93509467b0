/* Groups of inputs that say more together: made rows whose function is known say which inputs
 * belong together, and how much of what is left a group can take at most. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plan/plan_groups.h"
#include "rls2/plan.h"
#include "stats/landmarks.h"

enum { ROWS = 4500, INPUTS = 5 }; /* a, b, c, d are numbers, t is one of three words */

static double uniform(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) / 9007199254740992.0;
}

/* y = what a curve of each input says, plus `together` times what a, b and c say together, of
 * variance 1, plus `by_word` times what d and t do, plus noise of variance 0.25. sorted: by a,
 * twice as many rows, with a wave of a and b of variance 0.67 more. */
static rls2_table *make_table(double together, double by_word, int sorted)
{
    static const char *const words[] = {"u", "v", "w"};
    rls2_table *table = NULL;
    int rows = sorted ? 2 * ROWS : ROWS;
    size_t size = 256 * (size_t)rows, used = 0;
    char *text = malloc(size);
    uint64_t state = 7;
    assert_non_null(text);
    used += (size_t)snprintf(text, size, "a,b,c,d,t,y\n");
    for (int i = 0; i < rows; i++) {
        double x[4], noise = uniform(&state) + uniform(&state) + uniform(&state) - 1.5;
        for (int j = 0; j < 4; j++) x[j] = 2.0 * uniform(&state) - 1.0;
        int word = (int)(3.0 * uniform(&state));
        if (sorted) x[0] = (2.0 * i + 1.0) / rows - 1.0;
        double u = sqrt(3.0) * x[0], v = sqrt(3.0) * x[1], w = sqrt(3.0) * x[2];
        double y = sin(3.0 * x[0]) + 2.0 * x[1] * x[1] + exp(x[3]) + word + noise;
        y += together * (u * v + v * w + u * v * w) / sqrt(3.0);
        if (sorted) y += 2.0 * sin(8.0 * x[0]) * x[1];
        y += by_word * (word - 1) * sqrt(4.5) * x[3];
        used += (size_t)snprintf(text + used, size - used, "%.6f,%.6f,%.6f,%.6f,%s,%.6f\n", x[0],
                                 x[1], x[2], x[3], words[word], y);
    }
    assert_int_equal(rls2_table_parse_csv("t.csv", text, (int64_t)used, &table, NULL), 0);
    free(text);
    return table;
}

static rls2_dataset *encode(rls2_table *table)
{
    rls2_dataset *data = NULL;
    rls2_dataset_options options;
    rls2_dataset_options_init(&options, sizeof options);
    options.target = "y";
    assert_int_equal(rls2_dataset_create(table, &options, &data, NULL), 0);
    rls2_table_free(table);
    return data;
}

static rls2_dataset *make_rows(double together, double by_word)
{
    return encode(make_table(together, by_word, 0));
}

/* All pairs that there are, whether they say anything or not. */
static int64_t all_pairs(rls2__input_pair *pairs)
{
    int64_t count = 0;
    for (int64_t k = 0; k < INPUTS; k++)
        for (int64_t l = k + 1; l < INPUTS; l++)
            pairs[count++] = (rls2__input_pair){.first = k, .second = l};
    return count;
}

static int64_t find(const rls2_dataset *data, int64_t from, rls2__input_group *groups)
{
    rls2__input_pair pairs[INPUTS * INPUTS];
    int64_t all = all_pairs(pairs), count = -1;
    assert_int_equal(rls2__find_groups(data, 1, all - from, pairs + from, groups, &count), 0);
    return count;
}

static unsigned members(const rls2__input_group *group)
{
    unsigned set = 0;
    for (int64_t k = 0; k < group->count; k++) set |= 1u << group->inputs[k];
    return set;
}

static void groups__inputs_that_add_up__are_none(void **state)
{
    (void)state;
    rls2__input_group groups[RLS2__MOST_GROUPS];
    rls2_dataset *data = make_rows(0.0, 0.0);
    assert_int_equal(find(data, 0, groups), 0);
    rls2_dataset_free(data);
}

/* Noise has a variance of 0.25, what they say together 1: at most 0.8 of what is left. */
static void groups__three_inputs__are_found_and_take_what_there_is(void **state)
{
    (void)state;
    rls2__input_group groups[RLS2__MOST_GROUPS];
    rls2_dataset *data = make_rows(1.0, 0.0);
    int64_t count = find(data, 0, groups);
    assert_int_equal(count, 1);
    assert_int_equal(groups[0].count, 3);
    assert_int_equal(members(&groups[0]), 0x7);
    assert_true(groups[0].gain > 0.75 && groups[0].gain < 0.83);
    rls2_dataset_free(data);
}

/* Waves at the end are learned from landmarks there: at most 0.73 of what is left. */
static void groups__sorted_rows__are_seen_to_the_end(void **state)
{
    (void)state;
    rls2__input_group groups[RLS2__MOST_GROUPS];
    rls2_dataset *data = encode(make_table(0.0, 0.0, 1));
    int64_t count = find(data, 0, groups);
    assert_int_equal(count, 1);
    assert_int_equal(members(&groups[0]), 0x3);
    assert_true(groups[0].gain > 0.66 && groups[0].gain < 0.76);
    rls2_dataset_free(data);
}

/* Of the pairs without the first two, d and t make the last. What they say together has a variance
 * of 0.49, and is more than b and c say by themselves: at most 0.28 of what is left at first, and
 * then 0.8 as above. */
static void groups__a_second_one__is_found_in_what_the_first_leaves(void **state)
{
    (void)state;
    rls2__input_group groups[RLS2__MOST_GROUPS];
    rls2_dataset *data = make_rows(1.0, 0.7);
    int64_t count = find(data, 2, groups);
    assert_int_equal(count, 2); /* not d and t once more */
    assert_int_equal(members(&groups[0]), 0x18);
    assert_true(groups[0].gain > 0.24 && groups[0].gain < 0.32);
    assert_int_equal(members(&groups[1]), 0x7);
    assert_true(groups[1].gain > 0.75 && groups[1].gain < 0.83);
    rls2_dataset_free(data);
}

static void groups__no_pairs__are_none(void **state)
{
    (void)state;
    rls2__input_group groups[RLS2__MOST_GROUPS];
    rls2_dataset *data = make_rows(1.0, 0.0);
    int64_t count = -1;
    assert_int_equal(rls2__find_groups(data, 1, 0, NULL, groups, &count), 0);
    assert_int_equal(count, 0);
    rls2_dataset_free(data);
}

/* The default dictionary ends with the kernel of the group, and its note names it. */
static void plan__default_kernels__have_those_of_groups(void **state)
{
    (void)state;
    rls2_table *table = make_table(1.0, 0.0, 0);
    rls2_plan *plan = NULL;
    rls2_error err = {0};
    int told = 0;
    assert_int_equal(rls2_plan_create(RLS2_GOAL_MODEL, RLS2_VOICE_PLAIN, &plan, &err), 0);
    assert_int_equal(rls2_plan_set(plan, "target", "y", &err), 0);
    assert_int_equal(rls2_plan_complete(plan, table, &err), 0);
    const char *kernels = rls2_plan_kernels(plan), *last = strrchr(kernels, ';');
    assert_non_null(last);
    assert_memory_equal(last, "; rbf(", 6);
    assert_true(strstr(last, "@a+b+c") || strstr(last, "@b+c+a") || strstr(last, "@a+c+b"));
    for (int64_t i = 0; i < rls2_plan_note_count(plan); i++)
        told |= strstr(rls2_plan_note(plan, i), "; most of all ") != NULL;
    assert_true(told);
    rls2_plan_free(plan);
    rls2_table_free(table);
}

static void landmarks__fewer_rows__have_more(void **state)
{
    (void)state;
    assert_int_equal(rls2__landmark_limits_for(5000).features, 960);
    assert_int_equal(rls2__landmark_limits_for(100000).of_group, 240);
    assert_int_equal(rls2__landmark_limits_for(1000000).features, 528);
    assert_int_equal(rls2__landmark_limits_for(1000000000).features, 480);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(groups__inputs_that_add_up__are_none),
        cmocka_unit_test(groups__three_inputs__are_found_and_take_what_there_is),
        cmocka_unit_test(groups__sorted_rows__are_seen_to_the_end),
        cmocka_unit_test(groups__a_second_one__is_found_in_what_the_first_leaves),
        cmocka_unit_test(groups__no_pairs__are_none),
        cmocka_unit_test(plan__default_kernels__have_those_of_groups),
        cmocka_unit_test(landmarks__fewer_rows__have_more),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
