/* Public functions of rls2/select.h, splits: arguments are checked here, the work is below. */
#include "base/memory.h"
#include "base/status.h"
#include "basis/rows_check.h"
#include "select/splits.h"
#include "select/splits_listed.h"

static rls2_status check_rows(int64_t n, rls2_splits **splits, rls2_error *err)
{
    if (!splits) return rls2__fail_null(err, "splits");
    if (n >= 2) return RLS2_OK;
    return rls2__fail(err, RLS2_ERR_ARGUMENT, "n is %lld; a split needs at least 2 rows",
                      (long long)n);
}

/* Can the rows of so many splits be addressed? Asked before the strata are looked at. */
static rls2_status check_size(int64_t n, int64_t count, rls2_error *err)
{
    int64_t rows = rls2__mul(n, count);
    if (rls2__mul(rows, (int64_t)sizeof(int64_t)) >= 0) return RLS2_OK;
    return rls2__fail(err, RLS2_ERR_MEMORY, "the splits of %lld rows are more than can be handled",
                      (long long)n);
}

static rls2_status check_strata(int64_t n, const double *strata, rls2_error *err)
{
    return strata ? rls2__vector_check(n, strata, "strata", err) : RLS2_OK;
}

static rls2_status check_folds(int64_t n, const double *strata, int64_t folds, int64_t repeats,
                               rls2_error *err)
{
    if (folds < 2 || folds > n)
        return rls2__fail(
            err, RLS2_ERR_ARGUMENT,
            "folds is %lld; it must be at least 2 and at most the number of rows, %lld",
            (long long)folds, (long long)n);
    if (repeats < 1)
        return rls2__fail(err, RLS2_ERR_ARGUMENT, "repeats is %lld; it must be at least 1",
                          (long long)repeats);
    rls2_status status = check_size(n, rls2__mul(folds, repeats), err);
    return status == RLS2_OK ? check_strata(n, strata, err) : status;
}

rls2_status rls2_splits_folds(int64_t n, const double *strata, int64_t folds, int64_t repeats,
                              uint64_t seed, rls2_splits **splits, rls2_error *err)
{
    rls2_status status = check_rows(n, splits, err);
    if (status == RLS2_OK) status = check_folds(n, strata, folds, repeats, err);
    if (status != RLS2_OK) return status;
    return rls2__splits_folds(n, strata, folds, repeats, seed, splits, err);
}

static rls2_status check_random(int64_t n, const double *strata, int64_t count, double share,
                                rls2_error *err)
{
    if (count < 1)
        return rls2__fail(err, RLS2_ERR_ARGUMENT, "count is %lld; it must be at least 1",
                          (long long)count);
    if (!(share > 0.0 && share < 1.0))
        return rls2__fail(err, RLS2_ERR_ARGUMENT, "share is %g; it must be above 0 and below 1",
                          share);
    rls2_status status = check_size(n, count, err);
    return status == RLS2_OK ? check_strata(n, strata, err) : status;
}

rls2_status rls2_splits_random(int64_t n, const double *strata, int64_t count, double share,
                               uint64_t seed, rls2_splits **splits, rls2_error *err)
{
    rls2_status status = check_rows(n, splits, err);
    if (status == RLS2_OK) status = check_random(n, strata, count, share, err);
    if (status != RLS2_OK) return status;
    return rls2__splits_random(n, strata, count, share, seed, splits, err);
}

rls2_status rls2_splits_halves(int64_t n, const double *strata, int64_t pairs, uint64_t seed,
                               rls2_splits **splits, rls2_error *err)
{
    rls2_status status = check_rows(n, splits, err);
    if (status == RLS2_OK && pairs < 1)
        status = rls2__fail(err, RLS2_ERR_ARGUMENT, "pairs is %lld; it must be at least 1",
                            (long long)pairs);
    if (status == RLS2_OK) status = check_size(n, rls2__mul(pairs, 2), err);
    if (status == RLS2_OK) status = check_strata(n, strata, err);
    return status == RLS2_OK ? rls2__splits_halves(n, strata, pairs, seed, splits, err) : status;
}

rls2_status rls2_splits_given(int64_t n, const int64_t *fold, rls2_splits **splits, rls2_error *err)
{
    rls2_status status = check_rows(n, splits, err);
    if (status == RLS2_OK && !fold) status = rls2__fail_null(err, "fold");
    if (status == RLS2_OK) status = check_size(n, 1, err);
    if (status != RLS2_OK) return status;
    return rls2__splits_given(n, fold, splits, err);
}

static rls2_status check_lists(int64_t count, const rls2__row_lists *lists, rls2_error *err)
{
    if (count < 1)
        return rls2__fail(err, RLS2_ERR_ARGUMENT, "count is %lld; it must be at least 1",
                          (long long)count);
    if (!lists->training_counts || !lists->training)
        return rls2__fail(err, RLS2_ERR_ARGUMENT, "the lists of training rows are NULL");
    if (!lists->validation_counts || !lists->validation)
        return rls2__fail(err, RLS2_ERR_ARGUMENT, "the lists of validation rows are NULL");
    for (int64_t i = 0; i < count; i++)
        if (!lists->training[i] || !lists->validation[i])
            return rls2__fail(err, RLS2_ERR_ARGUMENT, "a list of split %lld is NULL",
                              (long long)(i + 1));
    return RLS2_OK;
}

rls2_status rls2_splits_listed(int64_t n, int64_t count, const int64_t *training_counts,
                               const int64_t *const *training, const int64_t *validation_counts,
                               const int64_t *const *validation, rls2_splits **splits,
                               rls2_error *err)
{
    rls2__row_lists lists = {training_counts, training, validation_counts, validation};
    rls2_status status = check_rows(n, splits, err);
    if (status == RLS2_OK) status = check_lists(count, &lists, err);
    if (status == RLS2_OK) status = check_size(n, count, err);
    return status == RLS2_OK ? rls2__splits_listed(n, count, &lists, splits, err) : status;
}

void rls2_splits_free(rls2_splits *splits)
{
    rls2__splits_destroy(splits);
}

int64_t rls2_splits_count(const rls2_splits *splits)
{
    return splits ? splits->count : 0;
}

int64_t rls2_splits_rows(const rls2_splits *splits)
{
    return splits ? splits->n : 0;
}

static int has_split(const rls2_splits *splits, int64_t i)
{
    return splits && i >= 0 && i < splits->count;
}

int64_t rls2_splits_training(const rls2_splits *splits, int64_t i, const int64_t **rows)
{
    int there = has_split(splits, i);
    if (rows) *rows = there ? splits->rows + i * splits->n : NULL;
    return there ? splits->training[i] : 0;
}

int64_t rls2_splits_validation(const rls2_splits *splits, int64_t i, const int64_t **rows)
{
    int there = has_split(splits, i);
    if (rows) *rows = there ? splits->rows + i * splits->n + splits->training[i] : NULL;
    if (!there) return 0;
    return splits->validation ? splits->validation[i] : splits->n - splits->training[i];
}
