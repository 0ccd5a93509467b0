/* Splits by lists of rows: whatever somebody else has drawn. */
#include "base/invariant.h"
#include "select/splits_listed.h"
#include "base/memory.h"
#include "base/status.h"
#include "select/splits.h"

enum { NEITHER = 0, TRAINING = 1, VALIDATION = 2 };

static const char *kind(unsigned char mark)
{
    return mark == TRAINING ? "training" : "validation";
}

/* `marks` is of one split, NEITHER before its first list. */
static rls2_status mark_rows(const rls2_splits *splits, int64_t i, int64_t count,
                             const int64_t *rows, unsigned char mark, unsigned char *marks,
                             rls2_error *err)
{
    long long split = (long long)(i + 1);
    if (count < 1)
        return rls2__fail(err, RLS2_ERR_VALUE, "split %lld has no %s rows", split, kind(mark));
    for (int64_t t = 0; t < count; t++) {
        long long row = (long long)rows[t];
        if (rows[t] < 0 || rows[t] >= splits->n)
            return rls2__fail(err, RLS2_ERR_VALUE, "split %lld: %s row %lld is not within 0..%lld",
                              split, kind(mark), row, (long long)(splits->n - 1));
        if (marks[rows[t]] == mark)
            return rls2__fail(err, RLS2_ERR_VALUE,
                              "split %lld: row %lld is twice among the %s rows", split, row,
                              kind(mark));
        if (marks[rows[t]] != NEITHER)
            return rls2__fail(
                err, RLS2_ERR_VALUE,
                "split %lld: row %lld is among the training rows and the validation rows", split,
                row);
        marks[rows[t]] = mark;
    }
    return RLS2_OK;
}

static void take_marked(rls2_splits *splits, int64_t i, const unsigned char *marks)
{
    int64_t *to = splits->rows + i * splits->n;
    for (int64_t row = 0; row < splits->n; row++)
        if (marks[row] == TRAINING) *to++ = row;
    splits->training[i] = to - (splits->rows + i * splits->n);
    for (int64_t row = 0; row < splits->n; row++)
        if (marks[row] == VALIDATION) *to++ = row;
    splits->validation[i] = to - (splits->rows + i * splits->n) - splits->training[i];
    rls2__invariant(splits->training[i] > 0 && splits->validation[i] > 0);
    rls2__invariant(splits->training[i] + splits->validation[i] <= splits->n);
}

static rls2_status fill(rls2_splits *splits, const rls2__row_lists *lists, unsigned char *marks,
                        rls2_error *err)
{
    for (int64_t i = 0; i < splits->count; i++) {
        for (int64_t row = 0; row < splits->n; row++) marks[row] = NEITHER;
        rls2_status status = mark_rows(splits, i, lists->training_counts[i], lists->training[i],
                                       TRAINING, marks, err);
        if (status == RLS2_OK)
            status = mark_rows(splits, i, lists->validation_counts[i], lists->validation[i],
                               VALIDATION, marks, err);
        if (status != RLS2_OK) return status;
        take_marked(splits, i, marks);
    }
    return RLS2_OK;
}

/* ---- what they have in common ----
 *
 * The standard error of a mean over splits depends on whether rows are predicted more than once. */

/* Splits from `begin` on until one predicts a row again, whose number is returned; *covered rows
 * are predicted. */
static int64_t run_from(const rls2_splits *splits, int64_t begin, unsigned char *seen,
                        int64_t *covered)
{
    *covered = 0;
    for (int64_t row = 0; row < splits->n; row++) seen[row] = 0;
    for (int64_t i = begin; i < splits->count; i++) {
        const int64_t *rows;
        int64_t count = rls2_splits_validation(splits, i, &rows);
        for (int64_t t = 0; t < count; t++)
            if (seen[rows[t]]++) return i;
        *covered += count;
        if (*covered == splits->n) return i + 1;
    }
    return splits->count;
}

/* How many splits in a row predict every row once, if all the splits are repeats of so many; else
 * 0. */
static int64_t find_repeat(const rls2_splits *splits, unsigned char *seen)
{
    int64_t covered, first = run_from(splits, 0, seen, &covered);
    for (int64_t end = first; covered == splits->n;) {
        if (end == splits->count) return first;
        int64_t begin = end;
        end = run_from(splits, begin, seen, &covered);
        if (end - begin != first) return 0;
    }
    return 0;
}

static void describe(rls2_splits *splits, unsigned char *seen)
{
    int64_t covered, repeat = find_repeat(splits, seen);
    if (repeat > 0)
        splits->repeat = repeat;
    else
        splits->overlapping = run_from(splits, 0, seen, &covered) < splits->count;
    splits->uneven = 1;
    rls2__invariant(splits->repeat >= 1 && splits->count % splits->repeat == 0);
}

rls2_status rls2__splits_listed(int64_t n, int64_t count, const rls2__row_lists *lists,
                                rls2_splits **splits, rls2_error *err)
{
    rls2_splits *made = rls2__splits_create(n, count);
    unsigned char *marks = rls2__alloc(n, 1);
    rls2_status status = RLS2_OK;
    if (made) made->validation = rls2__alloc(count, sizeof(int64_t));
    if (!made || !made->validation || !marks) status = rls2__fail_memory(err, "the splits");
    if (status == RLS2_OK) status = fill(made, lists, marks, err);
    if (status == RLS2_OK) {
        describe(made, marks);
        *splits = made;
    } else {
        rls2__splits_destroy(made);
    }
    rls2__free(marks);
    return status;
}
