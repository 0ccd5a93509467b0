/* Every allocation of splits and measures fails once: alone, and with those that come after it.
 * Splits report it and write nothing; a measure, which cannot report, takes longer and gives the
 * same. */
#include "failing_allocator.h"

enum { N = 40 };

static double strata[N], f[N];
static int64_t fold[N];

static void add_rows(result *r, int64_t count, const int64_t *rows)
{
    add_value(r, (double)count);
    for (int64_t i = 0; i < count; i++) add_value(r, (double)rows[i]);
}

/* What was made, if anything was, goes into `r`. */
static rls2_status take(rls2_status status, rls2_splits *splits, result *r)
{
    const int64_t *rows = NULL;
    if (status != RLS2_OK) {
        assert_ptr_equal(splits, UNTOUCHED);
        return status;
    }
    for (int64_t i = 0; i < rls2_splits_count(splits); i++) {
        int64_t count = rls2_splits_training(splits, i, &rows);
        add_rows(r, count, rows);
        count = rls2_splits_validation(splits, i, &rows);
        add_rows(r, count, rows);
    }
    rls2_splits_free(splits);
    return status;
}

static rls2_status folds(result *r, rls2_error *err)
{
    rls2_splits *splits = UNTOUCHED;
    rls2_status status;
    ARMED(status = rls2_splits_folds(N, NULL, 5, 2, 1, &splits, err));
    return take(status, splits, r);
}

static rls2_status stratified_folds(result *r, rls2_error *err)
{
    rls2_splits *splits = UNTOUCHED;
    rls2_status status;
    ARMED(status = rls2_splits_folds(N, strata, 5, 2, 1, &splits, err));
    return take(status, splits, r);
}

static rls2_status random_splits(result *r, rls2_error *err)
{
    rls2_splits *splits = UNTOUCHED;
    rls2_status status;
    ARMED(status = rls2_splits_random(N, strata, 3, 0.7, 1, &splits, err));
    return take(status, splits, r);
}

static rls2_status given_splits(result *r, rls2_error *err)
{
    rls2_splits *splits = UNTOUCHED;
    rls2_status status;
    ARMED(status = rls2_splits_given(N, fold, &splits, err));
    return take(status, splits, r);
}

static rls2_status listed_splits(result *r, rls2_error *err)
{
    static const int64_t a[] = {3, 1, 2}, b[] = {0, 5}, counts[] = {3, 2}, others[] = {2, 3};
    const int64_t *const training[] = {a, b}, *const validation[] = {b, a};
    rls2_splits *splits = UNTOUCHED;
    rls2_status status;
    ARMED(status = rls2_splits_listed(N, 2, counts, training, others, validation, &splits, err));
    return take(status, splits, r);
}

static rls2_status area(result *r, rls2_error *err)
{
    double value;
    (void)err;
    ARMED(value = rls2_measure_value(RLS2_MEASURE_AUC, 1, N, f, strata, NULL));
    assert_true(value > 0.0 && value < 1.0);
    add_value(r, value);
    return RLS2_OK;
}

static rls2_status weighted_areas(result *r, rls2_error *err)
{
    double value, w[N], three[3 * N], classes[3 * N];
    (void)err;
    for (int i = 0; i < N; i++) {
        w[i] = 1.0 + i % 3; /* whole numbers: sums in any order are the same */
        for (int o = 0; o < 3; o++) {
            three[o * N + i] = f[(i + o) % N];
            classes[o * N + i] = i % 3 == o ? 1.0 : -1.0;
        }
    }
    ARMED(value = rls2_measure_value(RLS2_MEASURE_AUC, 3, N, three, classes, w));
    assert_true(value > 0.0 && value < 1.0);
    add_value(r, value);
    return RLS2_OK;
}

static const sweep sweeps[] = {
    {"splits_folds__plain", folds, STRICT},
    {"splits_folds__strata", stratified_folds, STRICT},
    {"splits_random__strata", random_splits, STRICT},
    {"splits_given__folds", given_splits, STRICT},
    {"splits_listed", listed_splits, STRICT},
    {"measure_value__auc", area, TOLERANT},
    {"measure_value__weighted_aucs", weighted_areas, TOLERANT},
};
enum { SWEEPS = sizeof sweeps / sizeof sweeps[0] };

static int set_up(void **state)
{
    (void)state;
    for (int i = 0; i < N; i++) {
        strata[i] = i % 3 ? 1.0 : -1.0;
        f[i] = (double)(i * 7 % 11); /* with ties */
        fold[i] = i % 4 - 1;
    }
    return 0;
}

int main(void)
{
    struct CMUnitTest tests[SWEEPS];
    for (int i = 0; i < SWEEPS; i++) tests[i] = sweep_test(&sweeps[i]);
    return cmocka_run_group_tests(tests, set_up, NULL);
}
