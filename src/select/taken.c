/* Rows of a split taken from those of all, with the numbers they have there.
 *
 * What is learned from the inputs alone (fills, means, deviations) is that of all rows: between
 * the splits of many rows it differs by the order of 1/n, and it knows no response. [MATH.md, V5]
 * Two things a split keeps to itself. A column in which all its training rows are equal says
 * nothing to them: a value that only left-out rows have would be far from all that was learned, so
 * the column does not exist there. And where every kernel is linear, a column whose mean is not
 * zero in the training rows would be missing from the intercept. */
#include "select/taken.h"

#include "base/memory.h"
#include "base/status.h"
#include "table/dataset.h"
#include "table/preprocess.h"

int rls2__rows_can_be_taken(const rls2__recipe *recipe)
{
    return recipe->preprocessing.examples == RLS2_NORMALIZE_NONE;
}

static int is_constant(int64_t n, const double *x)
{
    int64_t i = 1;
    while (i < n && x[i] == x[0]) i++;
    return i >= n;
}

int rls2__is_constant_in_all(const rls2__ingredients *from, int64_t j)
{
    const rls2_dataset *all = from->prepared->data;
    return is_constant(all->rows, all->x + j * all->rows);
}

static void find_absent(const rls2__ingredients *from, rls2_dataset *data)
{
    for (int64_t j = 0; j < data->columns; j++)
        if (is_constant(data->rows, data->x + j * data->rows) && !rls2__is_constant_in_all(from, j))
            rls2__preparation_set_absent(&data->preparation, j);
}

rls2_status rls2__take_training(const rls2__ingredients *from, int64_t count,
                                const int64_t *numbers, rls2__fit *fit, rls2_error *err)
{
    const rls2_dataset *all = from->prepared->data;
    rls2_status status = rls2__dataset_take(all, count, numbers, &fit->data, err);
    if (status == RLS2_OK) find_absent(from, fit->data);
    return status;
}

/* ---- means ---- */

int rls2__is_centred_anew(const rls2__ingredients *from)
{
    rls2_normalize rule = from->recipe->preprocessing.features;
    return rls2_dictionary_is_linear(from->dictionary) &&
           (rule == RLS2_NORMALIZE_CENTER || rule == RLS2_NORMALIZE_STANDARDIZE);
}

/* w may be NULL. */
static double mean_of(int64_t n, const double *x, const double *w)
{
    double sum = 0.0, total = 0.0;
    for (int64_t i = 0; i < n; i++) {
        sum += (w ? w[i] : 1.0) * x[i];
        total += w ? w[i] : 1.0;
    }
    return sum / total;
}

static void shift(int64_t n, double *x, double by)
{
    for (int64_t i = 0; i < n; i++) x[i] -= by;
}

rls2_status rls2__take_centers(const rls2__ingredients *from, rls2__fit *fit, rls2_error *err)
{
    rls2_dataset *data = fit->data;
    const double *w = from->recipe->centers_as_fitted ? fit->weights : data->weights;
    int64_t n = data->rows;
    if (!rls2__is_centred_anew(from)) return RLS2_OK;
    fit->centers = rls2__alloc(data->columns, sizeof *fit->centers);
    if (!fit->centers) return rls2__fail_memory(err, "the means of the columns");
    for (int64_t j = 0; j < data->columns; j++) {
        fit->centers[j] = mean_of(n, data->x + j * n, w);
        shift(n, data->x + j * n, fit->centers[j]);
    }
    return RLS2_OK;
}

/* ---- rows left out ---- */

rls2_status rls2__take_left_out(const rls2__ingredients *from, const rls2__fit *fit, int64_t count,
                                const int64_t *numbers, rls2_dataset **data, rls2_error *err)
{
    const rls2_dataset *training = fit->data;
    rls2_status status = rls2__dataset_take(from->prepared->data, count, numbers, data, err);
    for (int64_t j = 0; j < training->columns && status == RLS2_OK; j++) {
        double *x = (*data)->x + j * count;
        if (fit->centers) shift(count, x, fit->centers[j]);
        for (int64_t i = 0; i < count && training->preparation.absent[j]; i++)
            x[i] = training->x[j * training->rows];
    }
    return status;
}
