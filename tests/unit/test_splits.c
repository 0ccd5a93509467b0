/* Splits: what every split must be, and what each kind promises. */
#include "support/arguments.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"

enum { MOST = 64 }; /* rows */

/* ---- what every split is ---- */

static void assert_ascending(int64_t n, int64_t count, const int64_t *rows)
{
    for (int64_t i = 0; i < count; i++) {
        assert_true(rows[i] >= 0 && rows[i] < n);
        if (i > 0) assert_true(rows[i] > rows[i - 1]);
    }
}

/* Both sides ascending, not empty, and every row on one of them: where[row] is 1 if it is
 * predicted. */
static void read_split(const rls2_splits *splits, int64_t i, int *where)
{
    const int64_t *training = NULL, *validation = NULL;
    int64_t n = rls2_splits_rows(splits);
    int64_t learned = rls2_splits_training(splits, i, &training);
    int64_t predicted = rls2_splits_validation(splits, i, &validation);
    assert_true(n <= MOST && learned > 0 && predicted > 0 && learned + predicted == n);
    assert_ascending(n, learned, training);
    assert_ascending(n, predicted, validation);
    for (int64_t r = 0; r < n; r++) where[r] = -1;
    for (int64_t r = 0; r < learned; r++) where[training[r]] = 0;
    for (int64_t r = 0; r < predicted; r++) where[validation[r]] = 1;
    for (int64_t r = 0; r < n; r++) assert_int_not_equal(where[r], -1);
}

static int are_same(const rls2_splits *a, const rls2_splits *b)
{
    int left[MOST], right[MOST];
    assert_int_equal(rls2_splits_count(a), rls2_splits_count(b));
    assert_int_equal(rls2_splits_rows(a), rls2_splits_rows(b));
    for (int64_t i = 0; i < rls2_splits_count(a); i++) {
        read_split(a, i, left);
        read_split(b, i, right);
        if (memcmp(left, right, (size_t)rls2_splits_rows(a) * sizeof left[0]) != 0) return 0;
    }
    return 1;
}

/* ---- folds ---- */

static rls2_splits *folds_of(int64_t n, const double *strata, int64_t folds, int64_t repeats,
                             uint64_t seed)
{
    rls2_splits *splits = NULL;
    rls2_error err = {.message = ""};
    if (rls2_splits_folds(n, strata, folds, repeats, seed, &splits, &err) != RLS2_OK)
        fail_msg("%s", err.message);
    assert_int_equal(rls2_splits_count(splits), folds * repeats);
    assert_int_equal(rls2_splits_rows(splits), n);
    return splits;
}

/* The fold of each row in repeat r. */
static void read_folds(const rls2_splits *splits, int64_t folds, int64_t r, int64_t *fold)
{
    int where[MOST];
    int64_t n = rls2_splits_rows(splits);
    for (int64_t i = 0; i < n; i++) fold[i] = -1;
    for (int64_t k = 0; k < folds; k++) {
        read_split(splits, r * folds + k, where);
        for (int64_t i = 0; i < n; i++) {
            if (!where[i]) continue;
            assert_int_equal(fold[i], -1); /* predicted once */
            fold[i] = k;
        }
    }
    for (int64_t i = 0; i < n; i++) assert_int_not_equal(fold[i], -1);
}

/* Of the rows whose stratum is that value, or of all (strata NULL), no fold has two more than
 * another. */
static void assert_even(int64_t n, const double *strata, double value, int64_t folds,
                        const int64_t *fold)
{
    int64_t sizes[MOST] = {0}, least = n, most = 0;
    for (int64_t i = 0; i < n; i++)
        if (!strata || strata[i] == value) sizes[fold[i]]++;
    for (int64_t k = 0; k < folds; k++) {
        if (sizes[k] < least) least = sizes[k];
        if (sizes[k] > most) most = sizes[k];
    }
    assert_true(most - least <= 1);
}

static void splits_folds__many_sizes__are_even_parts_of_the_rows(void **state)
{
    (void)state;
    static const int64_t sizes[] = {2, 3, 4, 5, 10, 17, 60, 64};
    int64_t fold[MOST];
    for (size_t s = 0; s < COUNT(sizes); s++)
        for (int64_t folds = 2; folds <= sizes[s]; folds++)
            for (int64_t repeats = 1; repeats <= 3; repeats++) {
                rls2_splits *splits = folds_of(sizes[s], NULL, folds, repeats, 7);
                for (int64_t r = 0; r < repeats; r++) {
                    read_folds(splits, folds, r, fold);
                    assert_even(sizes[s], NULL, 0.0, folds, fold);
                }
                rls2_splits_free(splits);
            }
}

/* `kinds` strata with values in no order, some rare. */
static void make_strata(uint64_t seed, int64_t n, int64_t kinds, double *strata)
{
    rls2__random random;
    rls2__random_seed(&random, seed);
    for (int64_t i = 0; i < n; i++) {
        int64_t a = rls2__random_below(&random, kinds), b = rls2__random_below(&random, kinds);
        strata[i] = cos((double)(a < b ? a : b));
    }
}

static void splits_folds__strata__are_spread_evenly_and_so_is_the_whole(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 200; seed++) {
        int64_t n = 20 + (int64_t)seed % 45, folds = 2 + (int64_t)seed % 9,
                kinds = 1 + (int64_t)seed % 12;
        double strata[MOST];
        int64_t fold[MOST];
        make_strata(seed, n, kinds, strata);
        rls2_splits *splits = folds_of(n, strata, folds, 2, seed);
        for (int64_t r = 0; r < 2; r++) {
            read_folds(splits, folds, r, fold);
            assert_even(n, NULL, 0.0, folds, fold);
            for (int64_t a = 0; a < kinds; a++) assert_even(n, strata, cos((double)a), folds, fold);
        }
        rls2_splits_free(splits);
    }
}

static void splits_folds__zeros_of_either_sign__are_one_stratum(void **state)
{
    (void)state;
    static const double strata[] = {0.0, -0.0, 1.0, 0.0, -0.0, 1.0, 0.0, -0.0};
    int64_t fold[MOST];
    for (uint64_t seed = 0; seed < 50; seed++) {
        rls2_splits *splits = folds_of(8, strata, 2, 1, seed);
        read_folds(splits, 2, 0, fold);
        assert_even(8, strata, 0.0, 2, fold);
        assert_even(8, strata, 1.0, 2, fold);
        rls2_splits_free(splits);
    }
}

static void splits_folds__same_seed__gives_the_same_and_another_gives_others(void **state)
{
    (void)state;
    double strata[30];
    make_strata(3, 30, 3, strata);
    for (int stratified = 0; stratified < 2; stratified++) {
        const double *used = stratified ? strata : NULL;
        rls2_splits *a = folds_of(30, used, 5, 2, 1), *b = folds_of(30, used, 5, 2, 1);
        rls2_splits *c = folds_of(30, used, 5, 2, 2), *zero = folds_of(30, used, 5, 2, 0);
        assert_true(are_same(a, b));
        assert_false(are_same(a, c));
        assert_false(are_same(a, zero));
        rls2_splits_free(a);
        rls2_splits_free(b);
        rls2_splits_free(c);
        rls2_splits_free(zero);
    }
}

/* Also where each row is a stratum of its own, as with a response that is not of classes. */
static void splits_folds__repeats__have_other_parts(void **state)
{
    (void)state;
    double strata[30];
    int64_t first[MOST], second[MOST];
    for (int i = 0; i < 30; i++) strata[i] = i;
    for (int stratified = 0; stratified < 2; stratified++) {
        rls2_splits *splits = folds_of(30, stratified ? strata : NULL, 5, 2, 11);
        read_folds(splits, 5, 0, first);
        read_folds(splits, 5, 1, second);
        assert_memory_not_equal(first, second, 30 * sizeof first[0]);
        rls2_splits_free(splits);
    }
}

/* Each row is as likely as any other to be with row 0: 4 of the 19 others, so 4/19 of the time. */
static void splits_folds__many_seeds__put_any_two_rows_together_equally_often(void **state)
{
    (void)state;
    enum { SEEDS = 4000 };
    int64_t together[20] = {0}, fold[MOST];
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        rls2_splits *splits = folds_of(20, NULL, 4, 1, seed);
        read_folds(splits, 4, 0, fold);
        for (int i = 1; i < 20; i++) together[i] += fold[i] == fold[0];
        rls2_splits_free(splits);
    }
    double expected = SEEDS * 4.0 / 19.0, deviation = sqrt(expected * 15.0 / 19.0);
    for (int i = 1; i < 20; i++)
        assert_true(fabs((double)together[i] - expected) < 5.0 * deviation);
}

/* A row is in each fold equally often, its own number among them. */
static void splits_folds__many_seeds__put_a_row_into_each_fold_equally_often(void **state)
{
    (void)state;
    enum { SEEDS = 4000 };
    int64_t seen[4][4] = {{0}}, fold[MOST];
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        rls2_splits *splits = folds_of(4, NULL, 4, 1, seed);
        read_folds(splits, 4, 0, fold);
        for (int i = 0; i < 4; i++) seen[i][fold[i]]++;
        rls2_splits_free(splits);
    }
    double expected = SEEDS / 4.0, deviation = sqrt(expected * 0.75);
    for (int i = 0; i < 16; i++)
        assert_true(fabs((double)seen[i / 4][i % 4] - expected) < 5.0 * deviation);
}

/* ---- random splits ---- */

static rls2_splits *random_of(int64_t n, const double *strata, int64_t count, double share,
                              uint64_t seed)
{
    rls2_splits *splits = NULL;
    rls2_error err = {.message = ""};
    if (rls2_splits_random(n, strata, count, share, seed, &splits, &err) != RLS2_OK)
        fail_msg("%s", err.message);
    assert_int_equal(rls2_splits_count(splits), count);
    assert_int_equal(rls2_splits_rows(splits), n);
    return splits;
}

static void splits_random__a_share__is_the_rounded_number_of_rows(void **state)
{
    (void)state;
    static const struct {
        int64_t n;
        double share;
        int64_t training;
    } cases[] = {{10, 0.7, 7}, {10, 0.5, 5},   {64, 2.0 / 3.0, 43}, {7, 0.5, 4},
                 {2, 0.5, 1},  {2, 0.01, 1},   {2, 0.99, 1},        {5, 0.01, 1},
                 {5, 0.99, 4}, {5, 1e-300, 1}, {64, 0.1, 6},        {3, 0.5, 2}};
    int where[MOST];
    for (size_t c = 0; c < COUNT(cases); c++) {
        rls2_splits *splits = random_of(cases[c].n, NULL, 4, cases[c].share, 5);
        for (int64_t i = 0; i < 4; i++) {
            read_split(splits, i, where);
            assert_int_equal(rls2_splits_training(splits, i, NULL), cases[c].training);
            assert_int_equal(rls2_splits_validation(splits, i, NULL),
                             cases[c].n - cases[c].training);
        }
        rls2_splits_free(splits);
    }
}

static void splits_random__strata__give_the_share_of_each(void **state)
{
    (void)state;
    /* 4, 10 and 1 rows of share 0.7: 3 (2.8), 7 and 1 (0.7) */
    static const double strata[] = {5, 5, -1, -1, 5, -1, -1, -1, 9, -1, -1, 5, -1, -1, -1};
    int where[MOST];
    rls2_splits *splits = random_of(15, strata, 20, 0.7, 1);
    for (int64_t i = 0; i < 20; i++) {
        int fives = 0, minus = 0, nines = 0;
        read_split(splits, i, where);
        for (int r = 0; r < 15; r++) {
            fives += !where[r] && strata[r] == 5.0;
            minus += !where[r] && strata[r] == -1.0;
            nines += !where[r] && strata[r] == 9.0;
        }
        assert_int_equal(fives, 3);
        assert_int_equal(minus, 7);
        assert_int_equal(nines, 1);
    }
    rls2_splits_free(splits);
}

/* Every stratum rounds to all or nothing: one row is left on the other side, not always the same.
 */
static void splits_random__strata_that_round_to_one_side__leave_a_row_on_the_other(void **state)
{
    (void)state;
    static const double strata[] = {1, 2, 3, 4, 5, 6};
    static const double shares[] = {0.4, 0.6};
    for (size_t s = 0; s < COUNT(shares); s++) {
        int alone[6] = {0}, kinds = 0, where[MOST];
        rls2_splits *splits = random_of(6, strata, 30, shares[s], 3);
        for (int64_t i = 0; i < 30; i++) {
            read_split(splits, i, where);
            assert_int_equal(rls2_splits_training(splits, i, NULL), shares[s] < 0.5 ? 1 : 5);
            for (int r = 0; r < 6; r++) alone[r] |= where[r] == (shares[s] > 0.5);
        }
        for (int r = 0; r < 6; r++) kinds += alone[r];
        assert_true(kinds > 1);
        rls2_splits_free(splits);
    }
}

static void splits_random__seeds_and_count__decide(void **state)
{
    (void)state;
    int first[MOST], second[MOST];
    rls2_splits *a = random_of(30, NULL, 3, 0.5, 1), *b = random_of(30, NULL, 3, 0.5, 1);
    rls2_splits *c = random_of(30, NULL, 3, 0.5, 2);
    assert_true(are_same(a, b));
    assert_false(are_same(a, c));
    read_split(a, 0, first);
    read_split(a, 1, second);
    assert_memory_not_equal(first, second, 30 * sizeof first[0]);
    rls2_splits_free(a);
    rls2_splits_free(b);
    rls2_splits_free(c);
}

/* ---- given folds ---- */

static void splits_given__gaps_and_negatives__are_one_split_for_each_fold(void **state)
{
    (void)state;
    static const int64_t fold[] = {7, -1, 0, INT64_MAX, 7, INT64_MIN, 0, 0};
    static const int64_t values[] = {0, 7, INT64_MAX};
    int where[MOST];
    rls2_splits *splits = NULL;
    assert_int_equal(rls2_splits_given(8, fold, &splits, NULL), RLS2_OK);
    assert_int_equal(rls2_splits_count(splits), 3);
    assert_int_equal(rls2_splits_rows(splits), 8);
    for (int64_t i = 0; i < 3; i++) {
        read_split(splits, i, where);
        for (int r = 0; r < 8; r++) assert_int_equal(where[r], fold[r] == values[i]);
    }
    rls2_splits_free(splits);
}

static void splits_given__one_fold_and_rows_always_learned_from__is_one_split(void **state)
{
    (void)state;
    static const int64_t fold[] = {-1, 4, -1};
    const int64_t *rows = NULL;
    rls2_splits *splits = NULL;
    assert_int_equal(rls2_splits_given(3, fold, &splits, NULL), RLS2_OK);
    assert_int_equal(rls2_splits_count(splits), 1);
    assert_int_equal(rls2_splits_validation(splits, 0, &rows), 1);
    assert_int_equal(rows[0], 1);
    assert_int_equal(rls2_splits_training(splits, 0, &rows), 2);
    assert_int_equal(rows[0], 0);
    assert_int_equal(rows[1], 2);
    rls2_splits_free(splits);
}

static void splits_given__the_callers_folds__are_not_borrowed(void **state)
{
    (void)state;
    int64_t fold[] = {0, 1, 0, 1};
    int where[MOST];
    rls2_splits *splits = NULL;
    assert_int_equal(rls2_splits_given(4, fold, &splits, NULL), RLS2_OK);
    memset(fold, 0, sizeof fold);
    read_split(splits, 1, where);
    for (int r = 0; r < 4; r++) assert_int_equal(where[r], r % 2);
    rls2_splits_free(splits);
}

/* ---- wrong arguments ---- */

static void assert_folds_refused(int64_t n, const double *strata, int64_t folds, int64_t repeats,
                                 rls2_status status, const char *part)
{
    rls2_splits *splits = UNTOUCHED;
    ASSERT_REFUSED(status, part, rls2_splits_folds(n, strata, folds, repeats, 1, &splits, err));
    assert_ptr_equal(splits, UNTOUCHED);
}

static void splits_folds__wrong_arguments__are_refused(void **state)
{
    (void)state;
    double strata[4] = {1.0, 2.0, 1.0, nan_value};
    assert_folds_refused(1, NULL, 2, 1, RLS2_ERR_ARGUMENT, "n is 1; a split needs at least 2 rows");
    assert_folds_refused(0, NULL, 2, 1, RLS2_ERR_ARGUMENT, "n is 0;");
    assert_folds_refused(-5, NULL, 2, 1, RLS2_ERR_ARGUMENT, "n is -5;");
    assert_folds_refused(4, NULL, 1, 1, RLS2_ERR_ARGUMENT, "folds is 1;");
    assert_folds_refused(4, NULL, -1, 1, RLS2_ERR_ARGUMENT, "folds is -1;");
    assert_folds_refused(4, NULL, 5, 1, RLS2_ERR_ARGUMENT,
                         "folds is 5; it must be at least 2 and at most the "
                         "number of rows, 4");
    assert_folds_refused(4, NULL, 2, 0, RLS2_ERR_ARGUMENT, "repeats is 0;");
    assert_folds_refused(4, NULL, 2, -1, RLS2_ERR_ARGUMENT, "repeats is -1;");
    assert_folds_refused(4, strata, 2, 1, RLS2_ERR_VALUE, "strata[3] is ");
    strata[3] = -infinite;
    assert_folds_refused(4, strata, 2, 1, RLS2_ERR_VALUE, "strata[3] is -inf");
    ASSERT_REFUSED(RLS2_ERR_ARGUMENT, "argument splits is NULL",
                   rls2_splits_folds(4, NULL, 2, 1, 1, NULL, err));
}

/* The strata are not looked at: there are not so many. */
static void splits_folds__sizes_that_overflow__are_refused(void **state)
{
    (void)state;
    static const double strata[2] = {1.0, 2.0};
    assert_folds_refused(HUGE_SIZE, strata, 2, 1, RLS2_ERR_MEMORY, "2305843009213693951 rows");
    assert_folds_refused(INT64_MAX, strata, INT64_MAX, INT64_MAX, RLS2_ERR_MEMORY,
                         "9223372036854775807 rows");
    assert_folds_refused(2, strata, 2, INT64_MAX, RLS2_ERR_MEMORY, "2 rows");
    assert_folds_refused(2, strata, 2, HUGE_SIZE / 8, RLS2_ERR_MEMORY, "the splits");
}

static void assert_random_refused(int64_t n, const double *strata, int64_t count, double share,
                                  rls2_status status, const char *part)
{
    rls2_splits *splits = UNTOUCHED;
    ASSERT_REFUSED(status, part, rls2_splits_random(n, strata, count, share, 1, &splits, err));
    assert_ptr_equal(splits, UNTOUCHED);
}

static void splits_random__wrong_arguments__are_refused(void **state)
{
    (void)state;
    static const double shares[] = {
        0.0, 1.0, -0.5, 1.5, (double)NAN, (double)INFINITY, -(double)INFINITY};
    double strata[4] = {nan_value, 2.0, 1.0, 1.0};
    for (size_t i = 0; i < COUNT(shares); i++)
        assert_random_refused(4, NULL, 1, shares[i], RLS2_ERR_ARGUMENT,
                              "it must be above 0 and below 1");
    assert_random_refused(1, NULL, 1, 0.5, RLS2_ERR_ARGUMENT, "n is 1;");
    assert_random_refused(-1, NULL, 1, 0.5, RLS2_ERR_ARGUMENT, "n is -1;");
    assert_random_refused(4, NULL, 0, 0.5, RLS2_ERR_ARGUMENT, "count is 0;");
    assert_random_refused(4, NULL, -2, 0.5, RLS2_ERR_ARGUMENT, "count is -2;");
    assert_random_refused(4, NULL, 1, 2.5, RLS2_ERR_ARGUMENT, "share is 2.5;");
    assert_random_refused(4, strata, 1, 0.5, RLS2_ERR_VALUE, "strata[0] is ");
    assert_random_refused(HUGE_SIZE, strata, 1, 0.5, RLS2_ERR_MEMORY, "2305843009213693951 rows");
    assert_random_refused(4, strata, HUGE_SIZE, 0.5, RLS2_ERR_MEMORY, "4 rows");
    ASSERT_REFUSED(RLS2_ERR_ARGUMENT, "argument splits is NULL",
                   rls2_splits_random(4, NULL, 1, 0.5, 1, NULL, err));
}

static void assert_given_refused(int64_t n, const int64_t *fold, rls2_status status,
                                 const char *part)
{
    rls2_splits *splits = UNTOUCHED;
    ASSERT_REFUSED(status, part, rls2_splits_given(n, fold, &splits, err));
    assert_ptr_equal(splits, UNTOUCHED);
}

static void splits_given__wrong_arguments__are_refused(void **state)
{
    (void)state;
    static const int64_t good_folds[] = {0, 1, 2}, one[] = {3, 3, 3}, none[] = {-1, -2, INT64_MIN};
    assert_given_refused(3, NULL, RLS2_ERR_ARGUMENT, "argument fold is NULL");
    assert_given_refused(1, good_folds, RLS2_ERR_ARGUMENT, "n is 1;");
    assert_given_refused(-1, good_folds, RLS2_ERR_ARGUMENT, "n is -1;");
    assert_given_refused(HUGE_SIZE, good_folds, RLS2_ERR_MEMORY, "2305843009213693951 rows");
    assert_given_refused(3, one, RLS2_ERR_VALUE,
                         "all 3 rows are in fold 3: none is left to learn from");
    assert_given_refused(3, none, RLS2_ERR_VALUE,
                         "all 3 folds are negative: no row would be predicted");
    ASSERT_REFUSED(RLS2_ERR_ARGUMENT, "argument splits is NULL",
                   rls2_splits_given(3, good_folds, NULL, err));
}

static void assert_no_split(const rls2_splits *splits, int64_t i)
{
    const int64_t *rows = UNTOUCHED;
    assert_int_equal(rls2_splits_training(splits, i, &rows), 0);
    assert_null(rows);
    rows = UNTOUCHED;
    assert_int_equal(rls2_splits_validation(splits, i, &rows), 0);
    assert_null(rows);
    assert_int_equal(rls2_splits_training(splits, i, NULL), 0);
    assert_int_equal(rls2_splits_validation(splits, i, NULL), 0);
}

static void splits_accessors__nothing_there__say_so(void **state)
{
    (void)state;
    static const int64_t outside[] = {-1, 6, INT64_MAX, INT64_MIN};
    rls2_splits *splits = folds_of(7, NULL, 3, 2, 1);
    for (size_t i = 0; i < COUNT(outside); i++) assert_no_split(splits, outside[i]);
    rls2_splits_free(splits);
    assert_no_split(NULL, 0);
    assert_int_equal(rls2_splits_count(NULL), 0);
    assert_int_equal(rls2_splits_rows(NULL), 0);
    rls2_splits_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(splits_folds__many_sizes__are_even_parts_of_the_rows),
        cmocka_unit_test(splits_folds__strata__are_spread_evenly_and_so_is_the_whole),
        cmocka_unit_test(splits_folds__zeros_of_either_sign__are_one_stratum),
        cmocka_unit_test(splits_folds__same_seed__gives_the_same_and_another_gives_others),
        cmocka_unit_test(splits_folds__repeats__have_other_parts),
        cmocka_unit_test(splits_folds__many_seeds__put_any_two_rows_together_equally_often),
        cmocka_unit_test(splits_folds__many_seeds__put_a_row_into_each_fold_equally_often),
        cmocka_unit_test(splits_random__a_share__is_the_rounded_number_of_rows),
        cmocka_unit_test(splits_random__strata__give_the_share_of_each),
        cmocka_unit_test(splits_random__strata_that_round_to_one_side__leave_a_row_on_the_other),
        cmocka_unit_test(splits_random__seeds_and_count__decide),
        cmocka_unit_test(splits_given__gaps_and_negatives__are_one_split_for_each_fold),
        cmocka_unit_test(splits_given__one_fold_and_rows_always_learned_from__is_one_split),
        cmocka_unit_test(splits_given__the_callers_folds__are_not_borrowed),
        cmocka_unit_test(splits_folds__wrong_arguments__are_refused),
        cmocka_unit_test(splits_folds__sizes_that_overflow__are_refused),
        cmocka_unit_test(splits_random__wrong_arguments__are_refused),
        cmocka_unit_test(splits_given__wrong_arguments__are_refused),
        cmocka_unit_test(splits_accessors__nothing_there__say_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
