/* What is done to numbers before they are learned from: first to each example, over its columns,
 * which needs no memory; then to each feature, over the rows of the training data, which is
 * remembered and done to new rows alike.
 *
 *   center        x := (x / 2^exponent - shift - rest) * 2^exponent
 *   standardize   x := (x / 2^exponent - shift - rest) / deviation
 *   unit          x := (x / 2^exponent) / deviation
 *
 * Two passes: the mean first, then the squares of what is left. The mean of what is
 * left is zero but for rounding; taking it off as well, as `rest`, keeps columns exact
 * whose spread is small against their mean: shift + rest would not fit in a double. The
 * power of two, 1 but for extreme columns, keeps sums and squares in range and is exact.
 * Means, squares and lengths count each row by its weight; an example's columns all count alike.
 *
 * All four are remembered. New rows go through the same functions in the same order, so
 * equal values give equal bits.
 *
 * Columns of absent categories take no part: they are zero before and after. Before all of this
 * missing cells are filled (fills.h). */
#include "table/preprocess.h"

#include "table/fills.h"
#include "table/normalize.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/invariant.h"
#include "base/status.h"
#include "table/table.h"

static const double ONE_ROW =
    1e-9; /* weights that sum to 1, but for this, are no more than one row */

/* ---- examples ---- */

/* `row` is room for one of them. */
static void normalize_examples(const rls2__preparation *learned, int64_t n, double *x,
                               rls2_normalize rule, double *row)
{
    int64_t p = learned->columns, present = p - learned->absent_count, t;
    rls2__sample s = {.n = {present, 0}, .x = {row, NULL}};
    rls2__sample_weigh(&s);
    for (int64_t i = 0; i < n && present > 0; i++) {
        t = 0;
        for (int64_t j = 0; j < p; j++)
            if (!learned->absent[j]) row[t++] = x[j * n + i];
        rls2__normalize(&s, rls2__range_of(&s), rule);
        t = 0;
        for (int64_t j = 0; j < p; j++)
            if (!learned->absent[j]) x[j * n + i] = row[t++];
    }
}

/* ---- features ---- */

/* The deviation in units of the column. That of a few values may be beyond the largest
 * double, or that of many below the smallest: it stays finite, and 0 for constants only. */
static double plain_deviation(rls2_normalize rule, const rls2__scale *scale)
{
    if (rule == RLS2_NORMALIZE_CENTER || scale->deviation == 0.0) return scale->deviation;
    return fmax(DBL_TRUE_MIN, fmin(DBL_MAX, ldexp(scale->deviation, scale->exponent)));
}

void rls2__preparation_set_scale(rls2__preparation *learned, int64_t j, rls2__range r,
                                 rls2__scale scale)
{
    rls2_normalize rule = learned->how.features;
    learned->scales[j] = scale;
    learned->means[j] =
        rule == RLS2_NORMALIZE_UNIT
            ? 0.0
            : fmin(r.high, fmax(r.low, ldexp(scale.shift + scale.rest, scale.exponent)));
    learned->deviations[j] = plain_deviation(rule, &scale);
    rls2__invariant(learned->deviations[j] >= 0.0 && isfinite(learned->deviations[j]));
    rls2__invariant(isfinite(learned->means[j]));
}

static void learn_feature(rls2__preparation *learned, int64_t j, const rls2__sample *s)
{
    rls2__range r = rls2__range_of(s);
    rls2__preparation_set_scale(learned, j, r, rls2__normalize(s, r, learned->how.features));
}

/* The rows of a data set, and those of another where it is not NULL; the values are still to be
 * set. */
static rls2__sample sample_of(const rls2_dataset *dataset, const rls2_dataset *also,
                              const double *means)
{
    rls2__sample s = {.n = {dataset->rows, also ? also->rows : 0},
                      .weights = {dataset->weights, also ? also->weights : NULL},
                      .means = means};
    rls2__sample_weigh(&s);
    return s;
}

/* Of x, the rows of a data set, and of `more`, those of another where it is not NULL. */
static void learn_features(rls2__preparation *learned, const rls2_dataset *dataset, double *x,
                           const rls2_dataset *also, double *more, const double *means)
{
    if (learned->how.features == RLS2_NORMALIZE_NONE) return;
    rls2__sample s = sample_of(dataset, also, means);
    for (int64_t j = 0; j < learned->columns; j++) {
        s.x[0] = x + j * s.n[0];
        s.x[1] = also ? more + j * s.n[1] : NULL;
        learn_feature(learned, j, &s);
    }
}

/* ---- preparations ---- */

rls2_status rls2__preparation_reserve(rls2__preparation *preparation, int64_t columns)
{
    *preparation = (rls2__preparation){.columns = columns};
    preparation->scales = rls2__alloc_zero(columns, sizeof *preparation->scales);
    preparation->means = rls2__alloc_zero(rls2__mul(columns, 2), sizeof *preparation->means);
    preparation->absent = rls2__alloc_zero(columns, 1);
    preparation->fills = rls2__alloc_zero(columns, sizeof *preparation->fills);
    if (!preparation->scales || !preparation->means || !preparation->absent || !preparation->fills)
        return RLS2_ERR_MEMORY;
    preparation->deviations = preparation->means + columns;
    return RLS2_OK;
}

void rls2__preparation_release(rls2__preparation *preparation)
{
    rls2__free(preparation->scales);
    rls2__free(preparation->means);
    rls2__free(preparation->absent);
    rls2__free(preparation->fills);
}

void rls2__preparation_copy(const rls2__preparation *from, rls2__preparation *to)
{
    size_t columns = (size_t)from->columns;
    rls2__invariant(from->columns == to->columns);
    to->how = from->how;
    memcpy(to->scales, from->scales, columns * sizeof *to->scales);
    memcpy(to->means, from->means, 2 * columns * sizeof *to->means);
    memcpy(to->absent, from->absent, columns);
    to->absent_count = from->absent_count;
    memcpy(to->fills, from->fills, columns * sizeof *to->fills);
    to->has_fills = from->has_fills;
}

void rls2__preparation_set_absent(rls2__preparation *preparation, int64_t column)
{
    preparation->absent_count += !preparation->absent[column];
    preparation->absent[column] = 1;
}

static int is_prepared(const rls2__preparation *preparation)
{
    return preparation->how.examples != RLS2_NORMALIZE_NONE ||
           preparation->how.features != RLS2_NORMALIZE_NONE;
}

/* A category that was not learned is none: it is zero in all indicators of its column. */
static void clear_absent(rls2_dataset *dataset, const rls2__preparation *from)
{
    size_t n = (size_t)dataset->rows;
    for (int64_t j = 0; j < from->columns && from->absent_count > 0; j++)
        if (from->absent[j]) memset(dataset->x + j * dataset->rows, 0, n * sizeof *dataset->x);
}

rls2_status rls2__prepare_like(rls2_dataset *dataset, const rls2__preparation *from)
{
    int64_t n = dataset->rows, p = dataset->columns;
    double *row = rls2__alloc(p, sizeof *row);
    if (!row) return RLS2_ERR_MEMORY;
    rls2__dataset_impute(dataset, from);
    clear_absent(dataset, from);
    if (from->how.examples != RLS2_NORMALIZE_NONE)
        normalize_examples(from, n, dataset->x, from->how.examples, row);
    rls2__free(row);
    for (int64_t j = 0; j < p && from->how.features != RLS2_NORMALIZE_NONE; j++) {
        const rls2__sample s = {.n = {n, 0}, .x = {dataset->x + j * n, NULL}};
        rls2__normalize_like(&s, from->how.features, &from->scales[j]);
    }
    rls2__preparation_copy(from, &dataset->preparation);
    return RLS2_OK;
}

/* ---- data sets ---- */

static int is_zero(int64_t n, const double *x)
{
    for (int64_t i = 0; i < n; i++)
        if (x[i] != 0.0) return 0;
    return 1;
}

void rls2__dataset_find_absent(rls2_dataset *dataset)
{
    rls2__preparation *learned = &dataset->preparation;
    for (int64_t k = 0; k < dataset->encoder->count; k++) {
        const rls2__input *input = &dataset->encoder->inputs[k];
        int64_t end = input->first + input->width, missing = input->has_missing ? end - 1 : end;
        for (int64_t j = input->values ? input->first : missing; j < end; j++) {
            if (is_zero(dataset->rows, dataset->x + j * dataset->rows))
                rls2__preparation_set_absent(learned, j);
        }
    }
}

rls2_normalize rls2_dataset_example_rule(const rls2_dataset *dataset)
{
    return dataset ? dataset->preparation.how.examples : RLS2_NORMALIZE_NONE;
}

rls2_normalize rls2_dataset_feature_rule(const rls2_dataset *dataset)
{
    return dataset ? dataset->preparation.how.features : RLS2_NORMALIZE_NONE;
}

static int is_rule(rls2_normalize rule)
{
    return rule >= RLS2_NORMALIZE_NONE && rule <= RLS2_NORMALIZE_UNIT;
}

static rls2_status check_arguments(const rls2_dataset *dataset, rls2__rules how,
                                   const rls2_dataset *also, rls2_error *err)
{
    if (!dataset) return rls2__fail_null(err, "dataset");
    if (dataset->rows == 0) return rls2__fail(err, RLS2_ERR_ARGUMENT, "the data set has no rows");
    if (!is_rule(how.examples))
        return rls2__fail(err, RLS2_ERR_ARGUMENT, "unknown rule %d for examples",
                          (int)how.examples);
    if (!is_rule(how.features))
        return rls2__fail(err, RLS2_ERR_ARGUMENT, "unknown rule %d for features",
                          (int)how.features);
    if (is_prepared(&dataset->preparation))
        return rls2__fail(err, RLS2_ERR_ARGUMENT, "the data set was preprocessed before");
    if (!also) return RLS2_OK;
    if (also == dataset || also->encoder != dataset->encoder)
        return rls2__fail(err, RLS2_ERR_ARGUMENT, "`also` is not a data set made like this one");
    if (is_prepared(&also->preparation))
        return rls2__fail(err, RLS2_ERR_ARGUMENT, "`also` was preprocessed before");
    return RLS2_OK;
}

int rls2__dataset_has_spread(const rls2_dataset *dataset, const rls2_dataset *also)
{
    if (!dataset->weights && !(also && also->weights)) return 1;
    rls2__sample s = sample_of(dataset, also, NULL);
    return s.total - s.unit > ONE_ROW * s.unit;
}

/* Shares that sum to 1 are a slip where weights count rows. */
static rls2_status check_weights(const rls2_dataset *dataset, rls2__rules how,
                                 const rls2_dataset *also, rls2_error *err)
{
    if (how.features != RLS2_NORMALIZE_STANDARDIZE || rls2__dataset_has_spread(dataset, also))
        return RLS2_OK;
    rls2__sample s = sample_of(dataset, also, NULL);
    return rls2__fail(
        err, RLS2_ERR_VALUE,
        "the weights sum to %.6g: a weight says how many rows a row stands for; divide them by "
        "their mean",
        s.total / s.unit);
}

static double *copy_x(const rls2_dataset *dataset)
{
    int64_t values = dataset->rows * dataset->columns;
    double *x = rls2__alloc(values, sizeof *x);
    if (x && values > 0) memcpy(x, dataset->x, (size_t)values * sizeof *x);
    return x;
}

/* The mean of huge numbers of one sign may be further from one of the other sign than a double
 * reaches. */
static rls2_status check_finite(const rls2_dataset *dataset, const double *x, rls2_error *err)
{
    for (int64_t j = 0; j < dataset->columns; j++)
        for (int64_t i = 0; i < dataset->rows; i++)
            if (!isfinite(x[j * dataset->rows + i]))
                return rls2__fail(err, RLS2_ERR_VALUE,
                                  "column '%s', row %" PRId64
                                  ": %g overflows when the mean is taken off",
                                  rls2__show(dataset->encoder->names[j]).text, i + 1,
                                  dataset->x[j * dataset->rows + i]);
    return RLS2_OK;
}

static void take_x(rls2_dataset *dataset, double **x)
{
    double *old = dataset->x;
    dataset->x = *x;
    *x = old;
}

rls2_status rls2_dataset_preprocess(rls2_dataset *dataset, rls2_normalize examples,
                                    rls2_normalize features, rls2_dataset *also, rls2_error *err)
{
    return rls2__dataset_preprocess(dataset, examples, features, also, NULL, err);
}

/* On copies: nothing has changed where a number overflows. */
rls2_status rls2__dataset_preprocess(rls2_dataset *dataset, rls2_normalize examples,
                                     rls2_normalize features, rls2_dataset *also,
                                     const double *means, rls2_error *err)
{
    rls2__invariant(!means || !also);
    const rls2__rules how = {examples, features};
    rls2_status status = check_arguments(dataset, how, also, err);
    if (status == RLS2_OK) status = check_weights(dataset, how, also, err);
    if (status != RLS2_OK) return status;
    rls2__preparation *learned = &dataset->preparation;
    int64_t p = dataset->columns;
    double *x = copy_x(dataset), *more = also ? copy_x(also) : NULL,
           *row = rls2__alloc(p, sizeof *row);
    if (!x || (also && !more) || !row) {
        status = rls2__fail_memory(err, "preprocessing");
        goto cleanup;
    }
    if (how.examples != RLS2_NORMALIZE_NONE) {
        normalize_examples(learned, dataset->rows, x, how.examples, row);
        if (also) normalize_examples(learned, also->rows, more, how.examples, row);
        status = check_finite(dataset, x, err);
        if (status == RLS2_OK && also) status = check_finite(also, more, err);
        if (status != RLS2_OK) goto cleanup;
    }
    learned->how = how;
    learn_features(learned, dataset, x, also, more, means);
    status = check_finite(dataset, x, err);
    if (status == RLS2_OK && also) status = check_finite(also, more, err);
    if (status != RLS2_OK) {
        learned->how = (rls2__rules){0};
        goto cleanup;
    }
    take_x(dataset, &x);
    if (also) take_x(also, &more);
    if (also) rls2__preparation_copy(learned, &also->preparation);
cleanup:
    rls2__free(x);
    rls2__free(more);
    rls2__free(row);
    return status;
}
