/* Stacks: the weights, and models with members, from a table to predictions and back from a
 * file. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rls2/plan.h"
#include "select/stacking.h"
#include "support/problem.h"
#include "support/unit_support.h"

/* ---- least squares with weights that are not negative ---- */

static double objective(int count, const double *G, const double *b, const double *w)
{
    double value = 0.0;
    for (int k = 0; k < count; k++) {
        value -= b[k] * w[k];
        for (int l = 0; l < count; l++) value += 0.5 * w[k] * G[k * count + l] * w[l];
    }
    return value;
}

/* Optimal: no weight below zero, and no direction that is allowed leads down. */
static void assert_optimal(int count, const double *G, const double *b, const double *w)
{
    for (int k = 0; k < count; k++) {
        double slope = -b[k];
        for (int l = 0; l < count; l++) slope += G[k * count + l] * w[l];
        assert_true(w[k] >= 0.0);
        assert_true(slope > -1e-9);
        assert_true(w[k] == 0.0 || fabs(slope) < 1e-9);
    }
}

static void least_nonnegative__any_problem__is_optimal(void **state)
{
    (void)state;
    for (int seed = 1; seed < 200; seed++) {
        enum { ROWS = 12, COUNT = 4 };
        double f[COUNT][ROWS], G[COUNT * COUNT] = {0}, b[COUNT] = {0}, w[COUNT];
        for (int k = 0; k < COUNT; k++)
            for (int i = 0; i < ROWS; i++) f[k][i] = sin(seed * 1.3 + i * (k + 1.7) + k * k);
        for (int k = 0; k < COUNT; k++)
            for (int i = 0; i < ROWS; i++) {
                b[k] += f[k][i] * cos(seed * 0.7 + 2.1 * i);
                for (int l = 0; l < COUNT; l++) G[k * COUNT + l] += f[k][i] * f[l][i];
            }
        rls2__least_nonnegative(COUNT, G, b, w);
        assert_optimal(COUNT, G, b, w);
        double one[COUNT] = {1.0, 0.0, 0.0, 0.0};
        assert_true(objective(COUNT, G, b, w) <= objective(COUNT, G, b, one) + 1e-12);
    }
}

static void least_nonnegative__two_that_say_the_same__is_finite(void **state)
{
    (void)state;
    const double G[] = {2.0, 2.0, 2.0, 2.0}, b[] = {1.0, 1.0};
    double w[2];
    rls2__least_nonnegative(2, G, b, w);
    assert_true(fabs(w[0] + w[1] - 0.5) < 1e-12);
}

/* ---- rows ---- */

enum { LEFT_OUT = 40 };

typedef struct rows_of_two {
    double y[LEFT_OUT], good[LEFT_OUT], noise[LEFT_OUT];
    int64_t owner[LEFT_OUT];
} rows_of_two;

static rows_of_two made_rows(void)
{
    rows_of_two r;
    for (int i = 0; i < LEFT_OUT; i++) {
        r.y[i] = 3.0 + sin(1.9 * i);
        r.good[i] = r.y[i] + 0.05 * cos(31.0 * i);
        r.noise[i] = 3.0 + sin(0.31 * i * i);
        r.owner[i] = i % 4;
    }
    return r;
}

static rls2__stacking stacking_of(const rows_of_two *r)
{
    return (rls2__stacking){.n = LEFT_OUT,
                            .count = 2,
                            .f = {r->good, r->noise},
                            .y = r->y,
                            .owner = r->owner,
                            .splits = 4};
}

static void stack_rows__one_that_knows_and_one_that_does_not__weighs_the_first(void **state)
{
    (void)state;
    rows_of_two r = made_rows();
    rls2__stacking rows = stacking_of(&r);
    rls2__stacked found = rls2__stack_rows(&rows);
    assert_true(found.weights[0] > 0.9 && found.weights[1] < 0.1);
}

/* The weights of a split come from the rows of the others: what is said of a row does not depend on
 * its own response, nor on those left out with it. */
static void stack_left_out__responses_of_a_split__do_not_change_what_is_said_of_it(void **state)
{
    (void)state;
    rows_of_two r = made_rows();
    rls2__stacking rows = stacking_of(&r);
    double before[LEFT_OUT], after[LEFT_OUT];
    rls2__stack_left_out(&rows, before);
    for (int i = 0; i < LEFT_OUT; i++)
        if (r.owner[i] == 2) r.y[i] = -50.0;
    rls2__stack_left_out(&rows, after);
    int others_differ = 0;
    for (int i = 0; i < LEFT_OUT; i++) {
        if (r.owner[i] == 2) assert_true(before[i] == after[i]);
        others_differ |= r.owner[i] != 2 && before[i] != after[i];
    }
    assert_true(others_differ);
}

static void stack_rows__rows_that_no_split_left_out__do_not_count(void **state)
{
    (void)state;
    rows_of_two r = made_rows();
    rls2__stacking rows = stacking_of(&r);
    double left_out[LEFT_OUT];
    r.owner[7] = -1;
    rls2__stacked one = rls2__stack_rows(&rows);
    r.y[7] = r.good[7] = (double)NAN;
    rls2__stacked other = rls2__stack_rows(&rows);
    rls2__stack_left_out(&rows, left_out);
    assert_true(one.weights[0] == other.weights[0] && one.constant == other.constant);
    assert_true(isnan(left_out[7]) && !isnan(left_out[8]));
}

/* ---- classes ---- */

enum { CLASSED = 60, SAYING = 3 };

typedef struct classed_rows {
    double y[CLASSED], f[SAYING][CLASSED], weights[CLASSED];
    int64_t owner[CLASSED];
} classed_rows;

static classed_rows made_classes(int seed)
{
    classed_rows r;
    for (int i = 0; i < CLASSED; i++) {
        double z = sin(seed * 1.1 + 2.3 * i) + 0.4;
        r.y[i] = z + 0.6 * sin(seed + 17.0 * i) > 0.0 ? 1.0 : -1.0;
        for (int k = 0; k < SAYING; k++)
            r.f[k][i] = 0.5 * (2 - k) * z + 0.3 * cos(seed * (k + 1.0) + i * (k + 3.1));
        r.weights[i] = 1.0 + i % 3;
        r.owner[i] = i % 5;
    }
    return r;
}

static rls2__stacking stacking_of_classes(const classed_rows *r)
{
    return (rls2__stacking){.n = CLASSED,
                            .count = SAYING,
                            .f = {r->f[0], r->f[1], r->f[2]},
                            .y = r->y,
                            .classes = 1,
                            .weights = r->weights,
                            .owner = r->owner,
                            .splits = 5};
}

/* Slopes of the sum that is made least, by weight and last by the constant, at t times what was
 * found; returns the slope along it. */
static double slopes_at(const classed_rows *r, const rls2__stacked *found, double t, double *slope)
{
    double rho = 0.0, along = 0.0;
    for (int k = 0; k <= SAYING; k++) slope[k] = 0.0;
    for (int i = 0; i < CLASSED; i++) {
        double g = found->constant;
        for (int k = 0; k < SAYING; k++) g += found->weights[k] * r->f[k][i];
        double pull = -r->weights[i] * r->y[i] / (1.0 + exp(r->y[i] * t * g));
        for (int k = 0; k < SAYING; k++) {
            slope[k] += pull * r->f[k][i];
            rho += 0.01 / SAYING * r->weights[i] * r->f[k][i] * r->f[k][i];
        }
        slope[SAYING] += pull;
    }
    for (int k = 0; k < SAYING; k++) slope[k] += rho * t * found->weights[k];
    for (int k = 0; k < SAYING; k++) along += slope[k] * found->weights[k];
    return along + slope[SAYING] * found->constant;
}

/* What is found is a multiple of the least point: of which no direction that is allowed leads
 * down. */
static void stack_rows__classes__is_a_multiple_of_the_least_point(void **state)
{
    (void)state;
    int idle = 0;
    for (int seed = 1; seed < 60; seed++) {
        classed_rows r = made_classes(seed);
        rls2__stacking rows = stacking_of_classes(&r);
        rls2__stacked found = rls2__stack_rows(&rows);
        double low = 0.0, high = 1e4, slope[SAYING + 1];
        for (int t = 0; t < 200; t++) {
            double middle = 0.5 * (low + high);
            *(slopes_at(&r, &found, middle, slope) < 0.0 ? &low : &high) = middle;
        }
        slopes_at(&r, &found, low, slope);
        assert_true(fabs(slope[SAYING]) < 1e-5);
        for (int k = 0; k < SAYING; k++) {
            assert_true(found.weights[k] >= 0.0 && slope[k] > -1e-5);
            assert_true(found.weights[k] == 0.0 || fabs(slope[k]) < 1e-5);
            idle += found.weights[k] == 0.0;
        }
    }
    assert_true(idle > 0);
}

/* ... by which it is as near to y as it can be. */
static void stack_rows__classes__are_on_the_scale_of_y(void **state)
{
    (void)state;
    classed_rows r = made_classes(4);
    rls2__stacking rows = stacking_of_classes(&r);
    rls2__stacked found = rls2__stack_rows(&rows);
    double across = 0.0;
    for (int i = 0; i < CLASSED; i++) {
        double f = found.constant;
        for (int k = 0; k < SAYING; k++) f += found.weights[k] * r.f[k][i];
        across += r.weights[i] * f * (r.y[i] - f);
    }
    assert_true(fabs(across) < 1e-9);
}

static void stack_rows__classes_told_apart_by_a_shifted_predictor__are_told_apart(void **state)
{
    (void)state;
    classed_rows r = made_classes(2);
    rls2__stacking rows = stacking_of_classes(&r);
    for (int i = 0; i < CLASSED; i++) r.f[0][i] = 0.5 * r.y[i] - 0.7 + 0.05 * sin(5.0 * i);
    rls2__stacked found = rls2__stack_rows(&rows);
    for (int i = 0; i < CLASSED; i++) {
        double f = found.constant;
        for (int k = 0; k < SAYING; k++) f += found.weights[k] * r.f[k][i];
        assert_true(f * r.y[i] > 0.0 && fabs(f) < 5.0);
    }
}

/* As may happen in one split of many classes. */
static void stack_rows__one_class_alone__is_that_of_least_squares(void **state)
{
    (void)state;
    classed_rows r = made_classes(3);
    rls2__stacking rows = stacking_of_classes(&r);
    for (int i = 0; i < CLASSED; i++) r.y[i] = -1.0;
    rls2__stacked found = rls2__stack_rows(&rows);
    rows.classes = 0;
    rls2__stacked least = rls2__stack_rows(&rows);
    assert_memory_equal(found.weights, least.weights, SAYING * sizeof(double));
    assert_true(found.constant == least.constant);
}

/* ---- models ---- */

enum { ROWS = 80 };

static rls2_table *made_table(void)
{
    char *text = malloc(ROWS * 120 + 100);
    assert_non_null(text);
    int used = sprintf(text, "a,b,c,class,kind,y,z\n");
    for (int i = 0; i < ROWS; i++) {
        double a = sin(1.7 * i), b = cos(2.3 * i + 1.0), c = sin(0.9 * i + 2.0);
        double y = 2.0 + a * b + c + 0.1 * sin(37.0 * i);
        used += sprintf(text + used, "%.6f,%.6f,%.6f,%s,%s,%.6f,%.6f\n", a, b, c,
                        y > 2.0 ? "yes" : "no",
                        y > 2.5   ? "high"
                        : a > 0.0 ? "middle"
                                  : "low",
                        y, y * c);
    }
    rls2_table *table = NULL;
    assert_int_equal(rls2_table_parse("t.csv", text, used, NULL, &table, NULL), RLS2_OK);
    free(text);
    return table;
}

typedef struct fitted {
    rls2_table *table;
    rls2_plan *plan;
    rls2_fit *fit;
    const rls2_model *model;
} fitted;

static void set(fitted *it, const char *name, const char *value)
{
    rls2_error err;
    assert_ok(rls2_plan_set(it->plan, name, value, &err), &err);
}

/* Targets, and columns that are not inputs, by their letters. */
static fitted begun(const char *target, const char *second)
{
    static const char *const RESPONSES[] = {"class", "kind", "y", "z"};
    fitted it = {.table = made_table()};
    assert_int_equal(rls2_plan_create(RLS2_GOAL_MODEL, RLS2_VOICE_COMMAND, &it.plan, NULL),
                     RLS2_OK);
    set(&it, "target", target);
    if (second) set(&it, "target", second);
    for (int i = 0; i < 4; i++)
        if (strcmp(RESPONSES[i], target) != 0 && (!second || strcmp(RESPONSES[i], second) != 0))
            set(&it, "drop", RESPONSES[i]);
    set(&it, "folds", "5");
    set(&it, "stack", "true");
    return it;
}

static void carry_out(fitted *it, int threads)
{
    rls2_error err;
    rls2_control control = {.size = sizeof control, .threads = threads};
    assert_ok(rls2_plan_complete(it->plan, it->table, &err), &err);
    assert_ok(rls2_plan_fit(it->plan, &control, &it->fit, &err), &err);
    it->model = rls2_fit_chosen_model(it->fit);
    assert_non_null(it->model);
}

static void done(fitted *it)
{
    rls2_fit_free(it->fit);
    rls2_plan_free(it->plan);
    rls2_table_free(it->table);
}

static rls2_rows rows_of(const fitted *it)
{
    const rls2_dataset *data = rls2_plan_data(it->plan, RLS2_PART_TRAINING);
    return (rls2_rows){
        .n = rls2_dataset_rows(data), .p = rls2_dataset_columns(data), .x = rls2_dataset_x(data)};
}

/* Contributions of kernels and members, and where they begin, sum to what is predicted. */
static void assert_sums_up(const rls2_model *one, const rls2_rows *rows)
{
    rls2_error err;
    int64_t n = rows->n, kernels = rls2_model_kernel_count(one),
            members = rls2_model_member_count(one);
    double *f = calloc((size_t)n, sizeof *f), *parts = calloc((size_t)(n * kernels), sizeof *parts),
           *more = calloc((size_t)(n * members + 1), sizeof *more);
    assert_true(f && parts && more && members > 0);
    assert_ok(rls2_model_predict(one, rows, NULL, f, &err), &err);
    assert_ok(rls2_model_contributions(one, rows, NULL, parts, &err), &err);
    assert_ok(rls2_model_member_contributions(one, rows, NULL, more, &err), &err);
    for (int64_t i = 0; i < n; i++) {
        double sum = rls2_model_base(one);
        for (int64_t k = 0; k < kernels; k++) sum += parts[k * n + i];
        for (int64_t m = 0; m < members; m++) sum += more[m * n + i];
        assert_true(fabs(sum - f[i]) < 1e-9 * (1.0 + fabs(f[i])));
    }
    free(f);
    free(parts);
    free(more);
}

static void model_predict__of_a_stack__is_the_sum_of_its_contributions(void **state)
{
    static const char *const TARGETS[][2] = {
        {"y", NULL}, {"class", NULL}, {"kind", NULL}, {"y", "z"}};
    (void)state;
    for (int t = 0; t < 4; t++) {
        fitted it = begun(TARGETS[t][0], TARGETS[t][1]);
        carry_out(&it, 1);
        rls2_rows rows = rows_of(&it);
        for (int64_t o = 0; o < rls2_model_outputs(it.model); o++)
            assert_sums_up(rls2_model_output(it.model, o), &rows);
        done(&it);
    }
}

/* A member is regularised least squares: what is left of the response is lambda c. */
static void model_member__any__solves_its_own_problem(void **state)
{
    (void)state;
    fitted it = begun("y", NULL);
    carry_out(&it, 1);
    rls2_rows rows = rows_of(&it);
    const double *y = rls2_dataset_y(rls2_plan_data(it.plan, RLS2_PART_TRAINING));
    double f[ROWS];
    for (int64_t m = 0; m < rls2_model_member_count(it.model); m++) {
        const rls2_model *member = rls2_model_member(it.model, m);
        assert_int_equal(rls2_model_predict(member, &rows, NULL, f, NULL), RLS2_OK);
        for (int64_t i = 0; i < rows.n; i++)
            assert_true(fabs(f[i] + rls2_model_lambda(member) * rls2_model_c(member)[i] - y[i]) <
                        1e-8);
        assert_true(rls2_model_member_weight(it.model, m) > 0.0);
    }
    done(&it);
}

/* The sparse part is the model that would be learned without the others, to the bit. */
static void plan_fit__with_and_without_a_stack__has_the_same_sparse_part(void **state)
{
    (void)state;
    fitted stack = begun("y", NULL), plain = begun("y", NULL);
    set(&plain, "stack", "false");
    carry_out(&stack, 1);
    carry_out(&plain, 1);
    assert_int_equal(rls2_model_member_count(plain.model), 0);
    assert_true(rls2_model_lambda(stack.model) == rls2_model_lambda(plain.model));
    assert_memory_equal(rls2_model_c(stack.model), rls2_model_c(plain.model),
                        ROWS * sizeof(double));
    assert_true(rls2_model_sparse_score(stack.model) == rls2_model_left_out(plain.model)->score);
    assert_true(rls2_model_left_out(stack.model)->score < rls2_model_sparse_score(stack.model));
    assert_true(rls2_model_base(plain.model) == rls2_model_intercept(plain.model));
    assert_true(rls2_model_member_weight(plain.model, -1) == 1.0);
    done(&stack);
    done(&plain);
}

static void plan_fit__stack_on_several_threads__has_the_same_bytes(void **state)
{
    (void)state;
    void *bytes[2];
    int64_t length[2];
    for (int t = 0; t < 2; t++) {
        fitted it = begun("kind", NULL);
        carry_out(&it, t == 0 ? 1 : 4);
        assert_int_equal(rls2_model_pack(it.model, &bytes[t], &length[t], NULL), RLS2_OK);
        done(&it);
    }
    assert_int_equal(length[0], length[1]);
    assert_memory_equal(bytes[0], bytes[1], (size_t)length[0]);
    rls2_bytes_free(bytes[0]);
    rls2_bytes_free(bytes[1]);
}

static void model_unpack__stack__predicts_the_same(void **state)
{
    (void)state;
    fitted it = begun("y", "z");
    carry_out(&it, 1);
    rls2_rows rows = rows_of(&it);
    double f[2 * ROWS], again[2 * ROWS];
    void *bytes;
    int64_t length;
    rls2_model *read = NULL;
    rls2_error err;
    assert_int_equal(rls2_model_pack(it.model, &bytes, &length, NULL), RLS2_OK);
    assert_ok(rls2_model_unpack("m.rls2", bytes, length, &read, &err), &err);
    assert_int_equal(rls2_model_predict(it.model, &rows, NULL, f, NULL), RLS2_OK);
    assert_int_equal(rls2_model_predict(read, &rows, NULL, again, NULL), RLS2_OK);
    assert_memory_equal(f, again, sizeof f);
    assert_true(rls2_model_sparse_score(read) == rls2_model_sparse_score(it.model));
    assert_string_equal(rls2_model_member_name(read, 0), rls2_model_member_name(it.model, 0));
    rls2_model_free(read);
    rls2_bytes_free(bytes);
    done(&it);
}

/* Any byte of a member that is changed is noticed, by its own checksum or by that of the whole. */
static void model_unpack__damaged_member__is_refused(void **state)
{
    (void)state;
    fitted it = begun("y", NULL);
    carry_out(&it, 1);
    void *bytes;
    int64_t length;
    rls2_model *read = NULL;
    assert_int_equal(rls2_model_pack(it.model, &bytes, &length, NULL), RLS2_OK);
    for (int64_t at = length - 1; at > length / 2; at -= 997) {
        ((unsigned char *)bytes)[at] ^= 4;
        assert_int_not_equal(rls2_model_unpack("m.rls2", bytes, length, &read, NULL), RLS2_OK);
        ((unsigned char *)bytes)[at] ^= 4;
    }
    rls2_bytes_free(bytes);
    done(&it);
}

static void model_variance__of_a_stack__is_refused(void **state)
{
    (void)state;
    fitted it = begun("y", NULL);
    carry_out(&it, 1);
    rls2_rows rows = rows_of(&it);
    double variance[ROWS];
    rls2_error err = {0};
    assert_int_equal(rls2_model_variance(it.model, &rows, variance, &err), RLS2_ERR_ARGUMENT);
    assert_contains(err.message, "a stack has no variances");
    done(&it);
}

/* ---- refused ---- */

static void assert_refused(const char *target, const char *name, const char *value,
                           const char *message)
{
    fitted it = begun(target, NULL);
    rls2_error err = {0};
    set(&it, name, value);
    assert_int_not_equal(rls2_plan_complete(it.plan, it.table, &err), RLS2_OK);
    assert_contains(err.message, message);
    done(&it);
}

static void plan_complete__stack_beside_what_it_does_not_go_with__is_refused(void **state)
{
    (void)state;
    assert_refused("class", "loss", "logistic", "--stack is for the square loss alone");
    assert_refused("y", "lambda", "0.1", "--stack needs left-out rows");
    assert_refused("y", "select", "gcv", "--stack needs left-out rows");
    assert_refused("kind", "outputs", "shared", "--stack does not go together with shared weights");
    assert_refused("y", "method", "tall", "--method tall does not go together with a stack");
}

/* Intervals are those of what the stack says of left-out rows. */
static void plan_fit__stack_with_interval__is_calibrated_on_the_stack(void **state)
{
    (void)state;
    fitted stack = begun("y", NULL), plain = begun("y", NULL);
    set(&plain, "stack", "false");
    set(&stack, "interval", "0.9");
    set(&plain, "interval", "0.9");
    carry_out(&stack, 1);
    carry_out(&plain, 1);
    double own = rls2_model_interval(stack.model)->correction;
    assert_true(own > 0.0 && own != rls2_model_interval(plain.model)->correction);
    done(&stack);
    done(&plain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(least_nonnegative__any_problem__is_optimal),
        cmocka_unit_test(least_nonnegative__two_that_say_the_same__is_finite),
        cmocka_unit_test(stack_rows__one_that_knows_and_one_that_does_not__weighs_the_first),
        cmocka_unit_test(stack_left_out__responses_of_a_split__do_not_change_what_is_said_of_it),
        cmocka_unit_test(stack_rows__rows_that_no_split_left_out__do_not_count),
        cmocka_unit_test(stack_rows__classes__is_a_multiple_of_the_least_point),
        cmocka_unit_test(stack_rows__classes__are_on_the_scale_of_y),
        cmocka_unit_test(stack_rows__classes_told_apart_by_a_shifted_predictor__are_told_apart),
        cmocka_unit_test(stack_rows__one_class_alone__is_that_of_least_squares),
        cmocka_unit_test(model_predict__of_a_stack__is_the_sum_of_its_contributions),
        cmocka_unit_test(model_member__any__solves_its_own_problem),
        cmocka_unit_test(plan_fit__with_and_without_a_stack__has_the_same_sparse_part),
        cmocka_unit_test(plan_fit__stack_on_several_threads__has_the_same_bytes),
        cmocka_unit_test(model_unpack__stack__predicts_the_same),
        cmocka_unit_test(model_unpack__damaged_member__is_refused),
        cmocka_unit_test(model_variance__of_a_stack__is_refused),
        cmocka_unit_test(plan_complete__stack_beside_what_it_does_not_go_with__is_refused),
        cmocka_unit_test(plan_fit__stack_with_interval__is_calibrated_on_the_stack),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
