/* What the trials of a model selected: counts, halves of rows, and files that cannot be. */
#include "rls2/stability.h"

#include <stdlib.h>
#include <string.h>

#include "model/picks.h"
#include "rls2/plan.h"
#include "support/edited_model.h"

typedef struct chosen {
    rls2_table *table;
    rls2_plan *plan;
    rls2_fit *fit;
} chosen;

static chosen choose(const char *file, const char *const *settings)
{
    rls2_error err;
    chosen it = {0};
    assert_ok(rls2_table_read(file, NULL, &it.table, &err), &err);
    assert_ok(rls2_plan_create(RLS2_GOAL_MODEL, RLS2_VOICE_PLAIN, &it.plan, &err), &err);
    for (; *settings; settings += 2)
        assert_ok(rls2_plan_set(it.plan, settings[0], settings[1], &err), &err);
    assert_ok(rls2_plan_complete(it.plan, it.table, &err), &err);
    assert_ok(rls2_plan_fit(it.plan, NULL, &it.fit, &err), &err);
    return it;
}

static void chosen_free(chosen *it)
{
    rls2_fit_free(it->fit);
    rls2_plan_free(it->plan);
    rls2_table_free(it->table);
}

static const char *const PROSTATE[] = {"target",
                                       "lpsa",
                                       "kernels",
                                       "linear; rbf(0.1)@each; rbf(1)@all; linear@svi,age",
                                       "drop",
                                       "train",
                                       "folds",
                                       "4",
                                       "seed",
                                       "2",
                                       "lambda-count",
                                       "6",
                                       "stability",
                                       "2",
                                       NULL};
static const char *const CARS[] = {
    "target", "origin",       "task", "classification", "drop", "car_name", "folds", "3", "kernels",
    "linear", "lambda-count", "4",    "stability",      "2",    NULL};

/* ---- counts ---- */

/* Does split s select kernel k at lambda i, by any output? */
static int selects(const rls2_cv *cv, int64_t i, int64_t k, int64_t s)
{
    for (int64_t o = 0; o < rls2_cv_outputs(cv); o++) {
        const int64_t *kernels;
        int64_t count = rls2_cv_shares(cv, i, o, &kernels, NULL);
        for (int64_t t = 0; t < count; t++)
            if (kernels[t] == k && rls2_cv_selects(cv, i, o, t, s)) return 1;
    }
    return 0;
}

/* Looks the kernel at the input, and at few? */
static int is_about(const rls2_model *model, int64_t k, int64_t input)
{
    const int64_t *columns;
    int64_t count = rls2_dictionary_kernel_columns(rls2_model_dictionary(model), k, &columns);
    int seen[64] = {0}, distinct = 0;
    for (int64_t j = 0; j < count; j++) {
        int64_t of = rls2_model_input_of(model, columns[j]);
        distinct += !seen[of];
        seen[of] = 1;
    }
    return seen[input] && (distinct == 1 || distinct <= 3) &&
           (distinct == 1 || distinct < rls2_model_input_count(model));
}

static void assert_counted(const rls2_model *model, const rls2_cv *cv, int64_t i)
{
    rls2_error err;
    int64_t m = rls2_dictionary_count(rls2_model_dictionary(model)), splits = rls2_cv_splits(cv);
    int64_t inputs = rls2_model_input_count(model), all = 0;
    int64_t *counts = calloc((size_t)m, sizeof *counts);
    assert_int_equal(rls2_model_trials(model, RLS2_TRIALS_SPLITS), splits);
    assert_ok(rls2_model_kernel_selections(model, RLS2_TRIALS_SPLITS, counts, &err), &err);
    for (int64_t k = 0; k < m; k++) {
        int64_t found = 0;
        for (int64_t s = 0; s < splits; s++) found += selects(cv, i, k, s);
        assert_int_equal(counts[k], found);
        assert_int_equal(rls2_model_selections_of(model, RLS2_TRIALS_SPLITS, 1, &k), found);
        all += found;
    }
    assert_true(all >= splits);
    assert_ok(rls2_model_input_selections(model, RLS2_TRIALS_SPLITS, counts, &err), &err);
    for (int64_t j = 0; j < inputs; j++) {
        int64_t found = 0;
        for (int64_t s = 0; s < splits; s++) {
            int any = 0;
            for (int64_t k = 0; k < m; k++) any |= is_about(model, k, j) && selects(cv, i, k, s);
            found += any;
        }
        assert_int_equal(counts[j], found);
    }
    free(counts);
}

static void assert_same_trials(const rls2_model *a, const rls2_model *b, rls2_trials which)
{
    assert_int_equal(rls2_model_trials(a, which), rls2_model_trials(b, which));
    for (int64_t o = 0; o < rls2_model_outputs(a); o++) {
        const rls2__picks *x = &rls2_model_output(a, o)->picks[which],
                          *y = &rls2_model_output(b, o)->picks[which];
        assert_int_equal(x->count, y->count);
        assert_memory_equal(x->kernels, y->kernels, (size_t)x->count * sizeof *x->kernels);
        assert_memory_equal(x->bits, y->bits,
                            (size_t)(x->count * rls2__words_of(x->trials)) * sizeof *x->bits);
    }
}

static void assert_kept(const char *file, const char *const *settings)
{
    rls2_error err;
    rls2_model *again = NULL;
    chosen it = choose(file, settings);
    const rls2_model *model = rls2_fit_chosen_model(it.fit);
    assert_counted(model, rls2_fit_cv(it.fit), rls2_fit_chosen(it.fit));
    assert_int_equal(rls2_model_trials(model, RLS2_TRIALS_HALVES), 4);
    packed p = pack(model);
    assert_ok(rls2_model_unpack("m.rls2", p.bytes, p.length, &again, &err), &err);
    assert_same_trials(model, again, RLS2_TRIALS_SPLITS);
    assert_same_trials(model, again, RLS2_TRIALS_HALVES);
    assert_memory_equal(rls2_model_stability(model), rls2_model_stability(again),
                        sizeof(rls2_stability));
    assert_memory_equal(rls2_model_stability(model), rls2_fit_stability(it.fit),
                        sizeof(rls2_stability));
    rls2_bytes_free(p.bytes);
    rls2_model_free(again);
    chosen_free(&it);
}

static void model_selections__of_splits__are_those_of_the_curve_and_saved(void **state)
{
    (void)state;
    assert_kept("data/prostate.csv", PROSTATE);
    assert_kept("data/auto-mpg.csv", CARS);
}

static void model_selections__not_known__are_zero(void **state)
{
    (void)state;
    const char *const settings[] = {"target", "lpsa",   "kernels", "linear", "drop",
                                    "train",  "lambda", "0.1",     NULL};
    rls2_error err;
    chosen it = choose("data/prostate.csv", settings);
    const rls2_model *model = rls2_fit_chosen_model(it.fit);
    int64_t counts[16] = {7}, kernel = 0;
    assert_int_equal(rls2_model_trials(model, RLS2_TRIALS_SPLITS), 0);
    assert_ok(rls2_model_input_selections(model, RLS2_TRIALS_SPLITS, counts, &err), &err);
    assert_int_equal(counts[0], 0);
    assert_int_equal(rls2_model_selections_of(model, RLS2_TRIALS_HALVES, 1, &kernel), 0);
    assert_null(rls2_model_stability(model));
    assert_null(rls2_fit_stability(it.fit));
    assert_int_equal(rls2_fit_input_selections(it.fit, counts, &err), RLS2_ERR_ARGUMENT);
    assert_int_equal(rls2_fit_kernel_selections(it.fit, counts, &err), RLS2_ERR_ARGUMENT);
    assert_int_equal(rls2_model_kernel_selections(model, RLS2_TRIALS_COUNT, counts, &err),
                     RLS2_ERR_ARGUMENT);
    assert_int_equal(rls2_model_kernel_selections(NULL, RLS2_TRIALS_SPLITS, counts, &err),
                     RLS2_ERR_ARGUMENT);
    assert_int_equal(rls2_model_input_selections(model, RLS2_TRIALS_SPLITS, NULL, &err),
                     RLS2_ERR_ARGUMENT);
    assert_int_equal(rls2_model_trials(NULL, RLS2_TRIALS_SPLITS), 0);
    assert_null(rls2_model_stability(NULL));
    assert_int_equal(rls2_cv_selects(NULL, 0, 0, 0, 0), 0);
    chosen_free(&it);
}

/* ---- halves ---- */

static void splits_halves__odd_rows_and_strata__are_disjoint_and_even(void **state)
{
    (void)state;
    enum { N = 21, PAIRS = 40 };
    rls2_error err;
    rls2_splits *halves = NULL;
    double strata[N];
    int in_neither[N] = {0};
    for (int i = 0; i < N; i++) strata[i] = i % 3 == 0;
    assert_ok(rls2_splits_halves(N, strata, PAIRS, 3, &halves, &err), &err);
    assert_int_equal(rls2_splits_count(halves), 2 * PAIRS);
    for (int64_t b = 0; b < PAIRS; b++) {
        const int64_t *one, *other, *left;
        int seen[N] = {0}, of_stratum = 0;
        assert_int_equal(rls2_splits_training(halves, 2 * b, &one), N / 2);
        assert_int_equal(rls2_splits_training(halves, 2 * b + 1, &other), N / 2);
        assert_int_equal(rls2_splits_validation(halves, 2 * b, &left), N / 2);
        assert_memory_equal(left, other, N / 2 * sizeof *left);
        for (int i = 0; i < N / 2; i++) {
            seen[one[i]]++;
            seen[other[i]]++;
            of_stratum += strata[one[i]] > 0.0;
        }
        assert_true(of_stratum == 3 || of_stratum == 4); /* of 7 */
        for (int i = 0; i < N; i++) {
            assert_true(seen[i] <= 1);
            in_neither[i] += 1 - seen[i];
        }
    }
    int left_out = 0, different = 0;
    for (int i = 0; i < N; i++) {
        left_out += in_neither[i];
        different += in_neither[i] > 0;
    }
    assert_int_equal(left_out, PAIRS);
    assert_true(different > N / 2); /* not always the same */
    assert_int_equal(rls2_splits_halves(1, NULL, 1, 0, &halves, &err), RLS2_ERR_ARGUMENT);
    assert_int_equal(rls2_splits_halves(N, NULL, 0, 0, &halves, &err), RLS2_ERR_ARGUMENT);
    rls2_splits_free(halves);
}

/* ---- files ---- */

static edited edit_prostate(void)
{
    chosen it = choose("data/prostate.csv", PROSTATE);
    edited e = edit_packed(pack(rls2_fit_chosen_model(it.fit)));
    chosen_free(&it);
    return e;
}

static json_t *output_of(edited *e)
{
    return json_array_get(json_object_get(e->description, "outputs"), 0);
}

static void model_unpack__selections_that_cannot_be__are_refused(void **state)
{
    (void)state;
    static const char *const HALVES[] = {
        "{\"kernels\": [0], \"selected\": [\"110\"]}",
        "{\"kernels\": [0], \"selected\": [\"11000\"]}",
        "{\"kernels\": [0], \"selected\": [\"1102\"]}",
        "{\"kernels\": [0], \"selected\": [\"0000\"]}",
        "{\"kernels\": [0], \"selected\": [7]}",
        "{\"kernels\": [0, 1], \"selected\": [\"1100\"]}",
        "{\"kernels\": [1, 0], \"selected\": [\"1100\", \"1100\"]}",
        "{\"kernels\": [0, 0], \"selected\": [\"1100\", \"1100\"]}",
        "{\"kernels\": [-1], \"selected\": [\"1100\"]}",
        "{\"kernels\": [99], \"selected\": [\"1100\"]}",
        "{\"kernels\": [\"0\"], \"selected\": [\"1100\"]}"};
    edited e = edit_prostate();
    json_t *kept = json_incref(json_object_get(output_of(&e), "halves"));
    for (size_t i = 0; i < sizeof HALVES / sizeof *HALVES; i++) {
        json_object_set_new(output_of(&e), "halves", json_loads(HALVES[i], 0, NULL));
        assert_edit_refused(&e, HALVES[i], "does not fit the dictionary and the trials");
    }
    json_object_del(output_of(&e), "halves");
    assert_edit_refused(&e, "no halves", "do not fit the outputs");
    json_object_set_new(output_of(&e), "halves", kept);
    json_t *splits = json_object_get(output_of(&e), "left_out");
    json_array_set_new(json_object_get(splits, "selected"), 0, json_string("11110"));
    assert_edit_refused(&e, "five signs of four splits", "the trials");
    edit_free(&e);
}

static void model_unpack__stability_that_cannot_be__is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *key;
        double value;
    } WRONG[] = {{"pairs", 0},          {"pairs", 3},         {"rows", 0},  {"limit", 0},
                 {"limit", 99},         {"mean", -1},         {"mean", 99}, {"threshold", 0.5},
                 {"threshold", 1.5},    {"least", 0},         {"least", 5}, {"errors", -1},
                 {"likely_errors", -1}, {"likely_errors", 99}};
    edited e = edit_prostate();
    json_t *about = json_object_get(e.description, "stability");
    for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++) {
        json_t *kept = json_incref(json_object_get(about, WRONG[i].key));
        int whole = json_is_integer(kept);
        json_object_set_new(about, WRONG[i].key,
                            whole ? json_integer((json_int_t)WRONG[i].value)
                                  : json_real(WRONG[i].value));
        assert_edit_refused(&e, WRONG[i].key, NULL);
        json_object_set_new(about, WRONG[i].key, kept);
    }
    json_object_del(about, "limit");
    assert_edit_refused(&e, "no limit", "'limit' is not there");
    json_object_del(e.description, "stability");
    assert_edit_refused(&e, "halves alone", "do not fit the outputs");
    edit_free(&e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(model_selections__of_splits__are_those_of_the_curve_and_saved),
        cmocka_unit_test(model_selections__not_known__are_zero),
        cmocka_unit_test(splits_halves__odd_rows_and_strata__are_disjoint_and_even),
        cmocka_unit_test(model_unpack__selections_that_cannot_be__are_refused),
        cmocka_unit_test(model_unpack__stability_that_cannot_be__is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
