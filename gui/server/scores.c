/* Measures, counts and columns of numbers, for the answers that have rows in them. */
#include "gui/server/scores.h"

#include <stdlib.h>

#include "gui/server/table_columns.h"

json_t *json_scores(const scored_rows *rows)
{
    json_t *all = json_object();
    for (int m = RLS2_MEASURE_RMSE; all && m <= RLS2_MEASURE_DEVIANCE; m++) {
        rls2_measure measure = (rls2_measure)m;
        if (rls2_measure_is_for_classes(measure) != rows->classes ||
            !rls2_measure_fits(measure, rows->losses[0]))
            continue;
        double value = rls2_measure_value_of(measure, rows->losses, rows->outputs, rows->n, rows->f,
                                             rows->y, rows->weights);
        json_object_set_new(all, rls2_measure_name(measure), json_finite(value));
    }
    return all;
}

json_t *json_confusion(int64_t outputs, int64_t n, const double *f, const double *y)
{
    int64_t classes = outputs > 1 ? outputs : 2;
    int64_t *counts = calloc((size_t)(classes * classes) + 1, sizeof *counts);
    json_t *table = json_array();
    if (counts) rls2_confusion(outputs, n, f, y, counts);
    for (int64_t a = 0; counts && a < classes; a++) {
        json_t *row = json_array();
        for (int64_t b = 0; b < classes; b++)
            json_array_append_new(row, json_integer(counts[a * classes + b]));
        json_array_append_new(table, row);
    }
    free(counts);
    return table;
}

json_t *json_numbers(int64_t n, const double *values)
{
    json_t *list = json_array();
    for (int64_t i = 0; i < n; i++) json_array_append_new(list, json_finite(values[i]));
    return list;
}

json_t *json_columns(int64_t shown, int64_t n, int64_t count, const double *values)
{
    json_t *all = json_array();
    for (int64_t o = 0; o < count; o++)
        json_array_append_new(all, json_numbers(shown, values + o * n));
    return all;
}
