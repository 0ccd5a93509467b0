/* Fills are learned column by column: medians of numbers, modes of categories. */
#include "table/fills.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/invariant.h"
#include "base/random.h"
#include "base/status.h"
#include "table/preprocess.h"

/* ---- medians ---- */

typedef struct weighted {
    double value;
    double weight;
} weighted;

static double between(double a, double b)
{
    return a == b ? a : 0.5 * a + 0.5 * b; /* a + b may overflow */
}

static void swap(double *a, double *b)
{
    double old = *a;
    *a = *b;
    *b = old;
}

/* Puts the values of [low, high] below or equal to one of them, not the one at `high`, before those
 * above or equal; returns the last place of the former. */
static int64_t partition(double *x, int64_t low, int64_t high, int64_t place)
{
    double pivot = x[place];
    int64_t i = low - 1, j = high + 1;
    for (;;) {
        do i++;
        while (x[i] < pivot);
        do j--;
        while (x[j] > pivot);
        if (i >= j) return j;
        swap(&x[i], &x[j]);
    }
}

/* Reorders x so that x[k] is what it would be if it were sorted, with nothing larger before it.
 * O(n) on average, whatever the order of the values: a table may have 100,000 columns, and the
 * middle one is the largest or nearly so again and again where values rise and then fall, or where
 * two files in order stand one below the other. */
static void select_place(double *x, int64_t n, int64_t k)
{
    rls2__random random;
    int64_t low = 0, high = n - 1;
    rls2__random_seed(&random, 0);
    while (low < high) {
        int64_t last = partition(x, low, high, low + rls2__random_below(&random, high - low));
        if (k <= last)
            high = last;
        else
            low = last + 1;
    }
}

static double plain_median(double *x, int64_t n)
{
    int64_t middle = n / 2;
    select_place(x, n, middle);
    if (n % 2 == 1) return x[middle];
    double below = x[0];
    for (int64_t i = 1; i < middle; i++) below = fmax(below, x[i]);
    return between(below, x[middle]);
}

static int by_value(const void *a, const void *b)
{
    double u = ((const weighted *)a)->value, v = ((const weighted *)b)->value;
    return (u > v) - (u < v);
}

/* The value at which half of the weight is reached; midway to the next where it is met exactly, as
 * for rows that are counted one by one. */
static double weighted_median(weighted *pairs, int64_t n)
{
    double total = 0.0, sum = 0.0;
    qsort(pairs, (size_t)n, sizeof *pairs, by_value);
    for (int64_t i = 0; i < n; i++) total += pairs[i].weight;
    for (int64_t i = 0; i < n - 1; i++) {
        sum += pairs[i].weight;
        if (sum == 0.5 * total) return between(pairs[i].value, pairs[i + 1].value);
        if (sum > 0.5 * total) return pairs[i].value;
    }
    return pairs[n - 1].value;
}

/* Room for the values of one column. */
typedef struct room {
    double *values;
    weighted *pairs; /* where rows have weights */
} room;

/* Of the values that are there; one is. */
static double median_of(const rls2_dataset *dataset, const double *x, room *r)
{
    int64_t n = 0;
    for (int64_t i = 0; i < dataset->rows; i++) {
        if (isnan(x[i])) continue;
        if (dataset->weights) r->pairs[n] = (weighted){x[i], dataset->weights[i]};
        r->values[n++] = x[i];
    }
    return dataset->weights ? weighted_median(r->pairs, n) : plain_median(r->values, n);
}

/* ---- modes ---- */

/* How much the rows weigh that have a value, or with `x` those whose value it is. */
static double weigh(const rls2_dataset *dataset, const double *marks, const double *x)
{
    double sum = 0.0;
    for (int64_t i = 0; i < dataset->rows; i++)
        if (!isnan(marks[i]) && (!x || x[i] != 0.0))
            sum += dataset->weights ? dataset->weights[i] : 1.0;
    return sum;
}

/* The column of the most frequent category, the first of several; -1 for the reference. */
static int64_t mode_of(const rls2_dataset *dataset, const rls2__input *input)
{
    const double *marks = dataset->x + input->first * dataset->rows;
    double best = 0.0, rest = weigh(dataset, marks, NULL);
    int64_t mode = -1;
    for (int64_t v = 0; v < input->own; v++) {
        double found = weigh(dataset, marks, marks + v * dataset->rows);
        rest -= found;
        if (!(found > best)) continue;
        best = found;
        mode = v;
    }
    return input->is_reduced && rest > best ? -1 : mode;
}

/* ---- fills ---- */

static int has_value(const rls2_dataset *dataset, const double *marks)
{
    for (int64_t i = 0; i < dataset->rows; i++)
        if (!isnan(marks[i])) return 1;
    return 0;
}

static void learn_fill(rls2_dataset *dataset, const rls2__input *input, room *r)
{
    rls2__preparation *learned = &dataset->preparation;
    const double *marks = dataset->x + input->first * dataset->rows;
    double *fill = learned->fills + input->first;
    if (input->width == 0) return;
    if (!has_value(dataset, marks)) {
        for (int64_t v = 0; v < input->width; v++)
            rls2__preparation_set_absent(learned, input->first + v);
        return;
    }
    if (input->has_missing) fill[input->width - 1] = 1.0;
    int64_t mode = input->values ? mode_of(dataset, input) : -1;
    if (mode >= 0) fill[mode] = 1.0;
    if (!input->values) fill[0] = median_of(dataset, marks, r);
    if (rls2__input_kind(input) == RLS2_COLUMN_DATES)
        rls2__input_write_date(input, input->style.has_time ? fill[0] : floor(fill[0]), fill, 1);
}

void rls2__dataset_impute(rls2_dataset *dataset, const rls2__preparation *from)
{
    int64_t n = dataset->rows;
    for (int64_t k = 0; k < dataset->encoder->count && dataset->imputed > 0; k++) {
        const rls2__input *input = &dataset->encoder->inputs[k];
        double *x = dataset->x + input->first * n;
        const double *fill = from->fills + input->first;
        for (int64_t i = 0; i < n && input->width > 0; i++) {
            if (!isnan(x[i])) continue;
            for (int64_t v = 0; v < input->width; v++) x[v * n + i] = fill[v];
        }
    }
    rls2__invariant(rls2__is_finite(n * dataset->columns, dataset->x));
}

rls2_status rls2__dataset_learn_fills(rls2_dataset *dataset, rls2_error *err)
{
    rls2__preparation *learned = &dataset->preparation;
    room r = {.values = rls2__alloc(dataset->rows, sizeof *r.values)};
    if (dataset->weights) r.pairs = rls2__alloc(dataset->rows, sizeof *r.pairs);
    int fits = r.values && (r.pairs || !dataset->weights);
    memset(learned->fills, 0, (size_t)learned->columns * sizeof *learned->fills);
    for (int64_t k = 0; k < dataset->encoder->count && fits; k++)
        learn_fill(dataset, &dataset->encoder->inputs[k], &r);
    rls2__free(r.values);
    rls2__free(r.pairs);
    if (!fits) return rls2__fail_memory(err, "the values of missing cells");
    learned->has_fills = 1;
    rls2__dataset_impute(dataset, learned);
    return RLS2_OK;
}
