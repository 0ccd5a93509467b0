/* How rows are split.
 *
 * Every kind of split is first a mark for each row and then the rows with one mark against all
 * others: for folds the mark is the fold, for random splits it is VALIDATION or not.
 *
 * Strata are dealt in random order, a pack of shuffled rows each, one fold after the other without
 * a break between two strata. A stratum is thus spread evenly, and so is the whole; where every row
 * is a stratum of its own the folds are random as without strata. */
#include "select/splits.h"

#include <math.h>
#include <stdlib.h>

#include "base/invariant.h"
#include "base/memory.h"
#include "base/random.h"
#include "base/status.h"

enum { TRAINING = 0, VALIDATION = 1 };

void rls2__splits_destroy(rls2_splits *splits)
{
    if (!splits) return;
    rls2__free(splits->training);
    rls2__free(splits->validation);
    rls2__free(splits->rows);
    rls2__free(splits);
}

rls2_splits *rls2__splits_create(int64_t n, int64_t count)
{
    rls2_splits *splits = rls2__alloc_zero(1, sizeof *splits);
    if (!splits) return NULL;
    splits->n = n;
    splits->count = count;
    splits->repeat = count;
    splits->training = rls2__alloc(count, sizeof(int64_t));
    splits->rows = rls2__alloc(rls2__mul(count, n), sizeof(int64_t));
    if (splits->training && splits->rows) return splits;
    rls2__splits_destroy(splits);
    return NULL;
}

/* Training rows, then validation rows, both ascending, and together every row once. */
RLS2__CHECK int is_partition(const rls2_splits *splits, int64_t i)
{
    int64_t n = splits->n, training = splits->training[i];
    const int64_t *learned = splits->rows + i * n, *predicted = learned + training;
    int64_t next = 0, l = 0, p = 0;
    for (; next < n; next++) {
        if (l < training && learned[l] == next)
            l++;
        else if (p < n - training && predicted[p] == next)
            p++;
        else
            return 0;
    }
    return l == training && p == n - training;
}

/* Split i: the rows with that mark are for validation, the others for training. */
static void fill(rls2_splits *splits, int64_t i, const int64_t *marks, int64_t mark)
{
    int64_t n = splits->n, training = 0;
    for (int64_t row = 0; row < n; row++) training += marks[row] != mark;
    int64_t *learned = splits->rows + i * n, *predicted = learned + training;
    for (int64_t row = 0; row < n; row++) {
        if (marks[row] == mark)
            *predicted++ = row;
        else
            *learned++ = row;
    }
    splits->training[i] = training;
    rls2__invariant(training > 0 && training < n);
    rls2__invariant(is_partition(splits, i));
}

/* ---- strata ---- */

/* The rows stratum by stratum. */
typedef struct deck {
    int64_t n;
    int64_t count;   /* of strata */
    int64_t *rows;   /* n */
    int64_t *starts; /* count + 1: stratum s is rows[starts[s]] .. rows[starts[s + 1] - 1] */
    int64_t *order;  /* count: in which the strata are dealt */
    int64_t *marks;  /* n: what the rows are dealt */
} deck;

typedef struct member {
    double stratum;
    int64_t row;
} member;

static int by_stratum(const void *a, const void *b)
{
    const member *x = a, *y = b;
    if (x->stratum != y->stratum) return x->stratum < y->stratum ? -1 : 1;
    return x->row < y->row ? -1 : x->row > y->row; /* qsort keeps no order of its own */
}

static void deck_free(deck *d)
{
    rls2__free(d->rows);
    rls2__free(d->starts);
    rls2__free(d->order);
    rls2__free(d->marks);
}

static void deck_one_stratum(deck *d)
{
    for (int64_t i = 0; i < d->n; i++) d->rows[i] = i;
    d->count = 1;
    d->starts[0] = 0;
    d->starts[1] = d->n;
}

static rls2_status deck_sort(deck *d, const double *strata)
{
    member *members = rls2__alloc(d->n, sizeof *members);
    if (!members) return RLS2_ERR_MEMORY;
    for (int64_t i = 0; i < d->n; i++) members[i] = (member){strata[i], i};
    qsort(members, (size_t)d->n, sizeof *members, by_stratum);
    for (int64_t i = 0; i < d->n; i++) {
        d->rows[i] = members[i].row;
        if (i == 0 || members[i].stratum != members[i - 1].stratum) d->starts[d->count++] = i;
    }
    d->starts[d->count] = d->n;
    rls2__invariant(d->count >= 1 && rls2__is_ascending(d->count + 1, d->starts, d->n + 1));
    rls2__free(members);
    return RLS2_OK;
}

/* Whatever it returns, deck_free afterwards. */
static rls2_status deck_make(deck *d, int64_t n, const double *strata)
{
    *d = (deck){.n = n};
    d->rows = rls2__alloc(n, sizeof(int64_t));
    d->starts = rls2__alloc(rls2__add(n, 1), sizeof(int64_t));
    d->order = rls2__alloc(n, sizeof(int64_t));
    d->marks = rls2__alloc(n, sizeof(int64_t));
    if (!d->rows || !d->starts || !d->order || !d->marks) return RLS2_ERR_MEMORY;
    if (strata) return deck_sort(d, strata);
    deck_one_stratum(d);
    return RLS2_OK;
}

static void shuffle(rls2__random *random, int64_t count, int64_t *values)
{
    for (int64_t i = count - 1; i > 0; i--) {
        int64_t j = rls2__random_below(random, i + 1), value = values[i];
        values[i] = values[j];
        values[j] = value;
    }
}

static void deck_shuffle(deck *d, rls2__random *random)
{
    for (int64_t s = 0; s < d->count; s++)
        shuffle(random, d->starts[s + 1] - d->starts[s], d->rows + d->starts[s]);
    rls2__random_permutation(random, d->count, d->order);
}

/* ---- folds ---- */

static void deal_folds(deck *d, int64_t folds)
{
    int64_t dealt = 0;
    for (int64_t t = 0; t < d->count; t++) {
        int64_t s = d->order[t];
        for (int64_t i = d->starts[s]; i < d->starts[s + 1]; i++)
            d->marks[d->rows[i]] = dealt++ % folds;
    }
    rls2__invariant(dealt == d->n && rls2__is_within(d->n, d->marks, folds));
}

rls2_status rls2__splits_folds(int64_t n, const double *strata, int64_t folds, int64_t repeats,
                               uint64_t seed, rls2_splits **splits, rls2_error *err)
{
    deck d;
    rls2__random random;
    rls2_splits *made = NULL;
    rls2_status status = deck_make(&d, n, strata);
    if (status == RLS2_OK) made = rls2__splits_create(n, rls2__mul(folds, repeats));
    if (!made) {
        status = rls2__fail_memory(err, "the splits");
        goto cleanup;
    }
    made->repeat = folds;
    rls2__random_seed(&random, seed);
    for (int64_t r = 0; r < repeats; r++) {
        deck_shuffle(&d, &random);
        deal_folds(&d, folds);
        for (int64_t k = 0; k < folds; k++) fill(made, r * folds + k, d.marks, k);
    }
    *splits = made;
cleanup:
    deck_free(&d);
    return status;
}

/* ---- random splits ---- */

/* Marks `share` of each stratum for training; returns how many rows that is. */
static int64_t deal_share(deck *d, double share)
{
    int64_t training = 0;
    for (int64_t s = 0; s < d->count; s++) {
        const int64_t *rows = d->rows + d->starts[s];
        int64_t size = d->starts[s + 1] - d->starts[s];
        int64_t taken = (int64_t)llround(share * (double)size);
        for (int64_t i = 0; i < size; i++) d->marks[rows[i]] = i < taken ? TRAINING : VALIDATION;
        rls2__invariant(taken >= 0 && taken <= size);
        training += taken;
    }
    return training;
}

/* One row on either side, whatever the share was rounded to. */
static void deal_random(deck *d, double share, rls2__random *random)
{
    int64_t training = deal_share(d, share);
    if (training == 0) d->marks[rls2__random_below(random, d->n)] = TRAINING;
    if (training == d->n) d->marks[rls2__random_below(random, d->n)] = VALIDATION;
}

rls2_status rls2__splits_random(int64_t n, const double *strata, int64_t count, double share,
                                uint64_t seed, rls2_splits **splits, rls2_error *err)
{
    deck d;
    rls2__random random;
    rls2_splits *made = NULL;
    rls2_status status = deck_make(&d, n, strata);
    if (status == RLS2_OK) made = rls2__splits_create(n, count);
    if (!made) {
        status = rls2__fail_memory(err, "the splits");
        goto cleanup;
    }
    made->overlapping = 1;
    rls2__random_seed(&random, seed);
    for (int64_t i = 0; i < count; i++) {
        deck_shuffle(&d, &random);
        deal_random(&d, share, &random);
        fill(made, i, d.marks, VALIDATION);
    }
    *splits = made;
cleanup:
    deck_free(&d);
    return status;
}

/* ---- halves ---- */

enum { IN_NEITHER = 2 };

/* Rows with the mark `half` for training, those with the other half's for validation. */
static void fill_half(rls2_splits *splits, int64_t i, const int64_t *marks, int64_t half)
{
    int64_t size = splits->n / 2, *learned = splits->rows + i * splits->n;
    int64_t *predicted = learned + size;
    for (int64_t row = 0; row < splits->n; row++) {
        if (marks[row] == half)
            *learned++ = row;
        else if (marks[row] != IN_NEITHER)
            *predicted++ = row;
    }
    splits->training[i] = splits->validation[i] = size;
    rls2__invariant(predicted == splits->rows + i * splits->n + 2 * size);
}

/* In turn to one half and the other; of an odd number the last is in neither. */
static void deal_halves(deck *d)
{
    deal_folds(d, 2);
    int64_t s = d->order[d->count - 1];
    if (d->n % 2 == 1) d->marks[d->rows[d->starts[s + 1] - 1]] = IN_NEITHER;
}

rls2_status rls2__splits_halves(int64_t n, const double *strata, int64_t pairs, uint64_t seed,
                                rls2_splits **splits, rls2_error *err)
{
    deck d;
    rls2__random random;
    rls2_splits *made = NULL;
    rls2_status status = deck_make(&d, n, strata);
    if (status == RLS2_OK) made = rls2__splits_create(n, rls2__mul(pairs, 2));
    if (made) made->validation = rls2__alloc(made->count, sizeof *made->validation);
    if (!made || !made->validation) {
        rls2__splits_destroy(made);
        status = rls2__fail_memory(err, "the splits");
        goto cleanup;
    }
    made->repeat = 2;
    rls2__random_seed(&random, seed);
    for (int64_t b = 0; b < pairs; b++) {
        deck_shuffle(&d, &random);
        deal_halves(&d);
        for (int64_t half = 0; half < 2; half++) fill_half(made, 2 * b + half, d.marks, half);
    }
    *splits = made;
cleanup:
    deck_free(&d);
    return status;
}

/* ---- given folds ---- */

static int ascending(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

/* The distinct values of `fold` that are not negative, ascending; returns how many. */
static int64_t distinct_folds(int64_t n, const int64_t *fold, int64_t *values)
{
    int64_t used = 0, count = 0;
    for (int64_t i = 0; i < n; i++)
        if (fold[i] >= 0) values[used++] = fold[i];
    qsort(values, (size_t)used, sizeof *values, ascending);
    for (int64_t i = 0; i < used; i++)
        if (i == 0 || values[i] != values[i - 1]) values[count++] = values[i];
    return count;
}

static rls2_status check_folds(int64_t n, const int64_t *fold, int64_t count, const int64_t *values,
                               rls2_error *err)
{
    if (count == 0)
        return rls2__fail(err, RLS2_ERR_VALUE,
                          "all %lld folds are negative: no row would be predicted", (long long)n);
    for (int64_t i = 0; i < n; i++)
        if (fold[i] != values[0]) return RLS2_OK;
    return rls2__fail(err, RLS2_ERR_VALUE,
                      "all %lld rows are in fold %lld: none is left to learn from", (long long)n,
                      (long long)values[0]);
}

rls2_status rls2__splits_given(int64_t n, const int64_t *fold, rls2_splits **splits,
                               rls2_error *err)
{
    rls2_splits *made = NULL;
    int64_t *values = rls2__alloc(n, sizeof *values);
    if (!values) return rls2__fail_memory(err, "the splits");
    int64_t count = distinct_folds(n, fold, values);
    rls2_status status = check_folds(n, fold, count, values, err);
    if (status != RLS2_OK) goto cleanup;
    made = rls2__splits_create(n, count);
    if (!made) {
        status = rls2__fail_memory(err, "the splits");
        goto cleanup;
    }
    for (int64_t i = 0; i < count; i++) fill(made, i, fold, values[i]);
    *splits = made;
cleanup:
    rls2__free(values);
    return status;
}
