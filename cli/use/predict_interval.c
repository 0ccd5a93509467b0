/* The intervals of rls2 predict, and how many of the rows whose target is known they hold. */
#include "cli/use/predict_interval.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "cli/interval_report.h"
#include "cli/json.h"
#include "cli/use/targets.h"

int intervals_prepare(job *work)
{
    const settings *s = work->s;
    if (!s->interval) return EXIT_OK;
    work->intervals = rls2_model_interval_count(work->model);
    work->covered = calloc((size_t)work->intervals + 1, sizeof *work->covered);
    if (!work->covered) return out_of_memory(s);
    if (work->intervals > 0) return EXIT_OK;
    say_error(s, "--interval: the model has no intervals: %s",
              rls2_model_is_classification(work->model)
                  ? "it predicts classes"
                  : "'rls2 train ... --interval 0.9' calibrates them on left-out "
                    "rows");
    return EXIT_USAGE;
}

rls2_status intervals_predict(const job *work, piece *at, rls2_error *err)
{
    if (!at->bounds) return RLS2_OK;
    return rls2_model_predict_interval(work->model, at->n, at->f, at->bounds,
                                       at->bounds + at->n * work->intervals, err);
}

/* A row counts where all its targets are known. */
static int read_targets(const job *work, const piece *at, int64_t i, const int64_t *columns,
                        double *y)
{
    int64_t row = rls2_dataset_source_row(at->data, i);
    for (int64_t t = 0; t < work->intervals; t++) {
        y[t] = rls2_model_target_value(work->model, t, at->table, row, columns[t]);
        if (isnan(y[t])) return 0;
    }
    return 1;
}

void intervals_count(job *work, const piece *at)
{
    int64_t count = work->intervals;
    if (count == 0) return;
    int64_t *columns = calloc((size_t)count, sizeof *columns);
    double *y = calloc((size_t)count, sizeof *y);
    for (int64_t t = 0; columns && t < count; t++)
        columns[t] = rls2_table_find(at->table, target_name(work->model, t));
    for (int64_t i = 0; columns && y && i < at->n; i++) {
        if (!read_targets(work, at, i, columns, y)) continue;
        work->covered_of++;
        for (int64_t t = 0; t < count; t++)
            work->covered[t] +=
                y[t] >= at->bounds[t * at->n + i] && y[t] <= at->bounds[(count + t) * at->n + i];
    }
    free(columns);
    free(y);
}

static double coverage(const job *work, int64_t t)
{
    return (double)work->covered[t] / (double)work->covered_of;
}

void intervals_say(const job *work)
{
    for (int64_t t = 0; work->covered_of > 0 && t < work->intervals; t++)
        say(work->s, "intervals of level %.15g hold '%s' of %.1f %% of the %s: %" PRId64,
            interval_at(work->model, t)->level, target_name(work->model, t),
            100.0 * coverage(work, t), count_of(work->covered_of, "row").text, work->covered[t]);
}

void intervals_json(job *work)
{
    json *j = &work->j;
    if (work->intervals == 0) return;
    json_object(j, "interval");
    json_number(j, "level", interval_at(work->model, 0)->level);
    if (work->covered_of > 0) {
        if (work->intervals > 1) json_object(j, "coverage");
        for (int64_t t = 0; t < work->intervals; t++)
            json_number(j, work->intervals > 1 ? target_name(work->model, t) : "coverage",
                        coverage(work, t));
        if (work->intervals > 1) json_end_object(j);
        json_integer(j, "rows", work->covered_of);
    }
    json_end_object(j);
}
