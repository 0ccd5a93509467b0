/* Some rows of a data set, with the numbers they have there. */
#include <string.h>

#include "base/invariant.h"
#include "base/status.h"
#include "table/dataset.h"
#include "table/preprocess.h"

/* Column by column; NULL where there is no memory. */
static double *take_columns(const double *x, int64_t n, int64_t columns, int64_t count,
                            const int64_t *rows)
{
    double *taken = rls2__alloc(rls2__mul(count, columns), sizeof *taken);
    for (int64_t j = 0; taken && j < columns; j++)
        for (int64_t i = 0; i < count; i++) taken[j * count + i] = x[j * n + rows[i]];
    return taken;
}

static int64_t *take_numbers(const int64_t *of, int64_t count, const int64_t *rows)
{
    int64_t *taken = rls2__alloc(count, sizeof *taken);
    for (int64_t i = 0; taken && i < count; i++) taken[i] = of[rows[i]];
    return taken;
}

static int fill(const rls2_dataset *from, int64_t count, const int64_t *rows, rls2_dataset *made)
{
    int64_t n = from->rows;
    made->x = take_columns(from->x, n, from->columns, count, rows);
    made->source = take_numbers(from->source, count, rows);
    if (from->y) made->y = take_columns(from->y, n, rls2_dataset_outputs(from), count, rows);
    if (from->weights) made->weights = take_columns(from->weights, n, 1, count, rows);
    if (from->classes) made->classes = take_numbers(from->classes, count, rows);
    return made->x && made->source && (made->y || !from->y) && (made->weights || !from->weights) &&
           (made->classes || !from->classes);
}

rls2_status rls2__dataset_take(const rls2_dataset *from, int64_t count, const int64_t *rows,
                               rls2_dataset **taken, rls2_error *err)
{
    rls2__invariant(rls2__is_within(count, rows, from->rows));
    rls2_dataset *made = rls2__alloc_zero(1, sizeof *made);
    if (!made) return rls2__fail_memory(err, "the rows of a split");
    made->rows = count;
    made->columns = from->columns;
    made->encoder = rls2__encoder_share(from->encoder);
    if (rls2__preparation_reserve(&made->preparation, from->columns) != RLS2_OK ||
        !fill(from, count, rows, made)) {
        rls2_dataset_free(made);
        return rls2__fail_memory(err, "the rows of a split");
    }
    rls2__preparation_copy(&from->preparation, &made->preparation);
    *taken = made;
    return RLS2_OK;
}
