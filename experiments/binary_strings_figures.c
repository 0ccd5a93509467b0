/* Learning curves of the binary strings: all methods up to 150 rows, the sparse ones up to 30, and
 * RLS2's weights. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/binary_strings.h"

/* A line with its band: mean, 10th and 90th percentile over the seeds; and that of the first seed
 * alone. */
typedef struct curve {
    double mean[STRING_TRAIN], low[STRING_TRAIN], high[STRING_TRAIN], first[STRING_TRAIN];
} curve;

typedef struct drawing {
    double sizes[STRING_TRAIN];
    double noise[STRING_TRAIN];
    curve rmse[STRING_METHODS];
    curve weights[STRING_TRUE];
} drawing;

static int by_value(const void *a, const void *b)
{
    double u = *(const double *)a, v = *(const double *)b;
    return (u > v) - (u < v);
}

/* Between neighbours in order, as most programs have it. */
static double quantile(int64_t n, const double *sorted, double share)
{
    double at = share * (double)(n - 1);
    int64_t below = (int64_t)at;
    double part = at - (double)below;
    return below + 1 < n ? sorted[below] + part * (sorted[below + 1] - sorted[below])
                         : sorted[n - 1];
}

static double value_of(const string_unit *unit, int which, int is_weight)
{
    return is_weight ? unit->d[which] : unit->rmse[which];
}

static void fill_curve(const string_results *results, int which, int is_weight, double *room,
                       curve *c)
{
    int64_t n = results->seeds;
    for (int64_t size = 1; size <= STRING_TRAIN; size++) {
        double sum = 0.0;
        for (int64_t s = 0; s < n; s++) {
            room[s] = value_of(string_unit_at(results, s, size), which, is_weight);
            sum += room[s];
        }
        c->first[size - 1] = room[0];
        qsort(room, (size_t)n, sizeof *room, by_value);
        c->mean[size - 1] = sum / (double)n;
        c->low[size - 1] = quantile(n, room, 0.1);
        c->high[size - 1] = quantile(n, room, 0.9);
    }
}

/* With a band, or of the first seed alone. */
static chart_line line_of(const drawing *d, const curve *c, int64_t count, const char *name,
                          int colour, int alone)
{
    chart_line line = {.name = name, .count = count, .x = d->sizes, .colour = colour};
    line.y = alone ? c->first : c->mean;
    line.lo = alone ? NULL : c->low;
    line.hi = alone ? NULL : c->high;
    return line;
}

static const string_method ALL[] = {STRING_GAUSSIAN, STRING_RIDGE, STRING_LASSO, STRING_RLS2,
                                    STRING_IDEAL};
static const string_method SPARSE[] = {STRING_LASSO, STRING_RLS2, STRING_IDEAL};

static void show_curves(const drawing *d, int count, const string_method *methods, int64_t sizes,
                        const char *id, const char *caption, sheet *s)
{
    chart_line lines[2][STRING_METHODS + 1];
    chart_panel panels[2];
    for (int alone = 0; alone < 2; alone++) {
        for (int k = 0; k < count; k++)
            lines[alone][k] = line_of(d, &d->rmse[methods[k]], sizes,
                                      string_method_names[methods[k]], (int)methods[k], alone);
        lines[alone][count] = (chart_line){.name = "noise",
                                           .count = sizes,
                                           .x = d->sizes,
                                           .y = d->noise,
                                           .style = CHART_DASHED,
                                           .colour = STRING_METHODS};
        panels[alone] = (chart_panel){.title = alone ? "the first seed" : "mean over the seeds",
                                      .x_label = "training rows",
                                      .y_label = "test RMSE",
                                      .log_y = 1,
                                      .line_count = count + 1,
                                      .lines = lines[alone]};
    }
    const chart c = {.rows = 1, .columns = 2, .panels = panels};
    sheet_figure(s, id, caption, &c);
}

static void show_weights(const drawing *d, int64_t seeds, sheet *s)
{
    char caption[256];
    static const char *const names[STRING_TRUE] = {"bit 1", "bit 2", "bit 3"};
    double thirds[STRING_TRAIN];
    chart_line lines[2][STRING_TRUE + 1];
    chart_panel panels[2];
    for (int i = 0; i < STRING_TRAIN; i++) thirds[i] = 1.0 / 3.0;
    for (int alone = 0; alone < 2; alone++) {
        for (int bit = 0; bit < STRING_TRUE; bit++)
            lines[alone][bit] = line_of(d, &d->weights[bit], STRING_SMALL, names[bit], bit, alone);
        lines[alone][STRING_TRUE] = (chart_line){.name = "1/3",
                                                 .count = STRING_SMALL,
                                                 .x = d->sizes,
                                                 .y = thirds,
                                                 .style = CHART_DASHED,
                                                 .colour = STRING_TRUE};
        panels[alone] = (chart_panel){.title = alone ? "the first seed" : "mean over the seeds",
                                      .x_label = "training rows",
                                      .y_label = "weight d",
                                      .line_count = STRING_TRUE + 1,
                                      .lines = lines[alone]};
    }
    const chart c = {.rows = 1, .columns = 2, .panels = panels};
    snprintf(caption, sizeof caption,
             "RLS2's weights of the first three bits, at the lambda of the smallest test RMSE, "
             "against the "
             "number of training rows. Bands: from the 10th to the 90th percentile of the %" PRId64
             " seed%s.",
             seeds, seeds == 1 ? "" : "s");
    sheet_figure(s, "fig-weights", caption, &c);
}

int string_show_figures(const string_results *results, sheet *s)
{
    drawing *d = malloc(sizeof *d);
    double *room = malloc((size_t)results->seeds * sizeof *room);
    char caption[256];
    int ok = d && room;
    if (ok) {
        for (int i = 0; i < STRING_TRAIN; i++) {
            d->sizes[i] = i + 1;
            d->noise[i] = STRING_NOISE;
        }
        for (int which = 0; which < STRING_METHODS; which++)
            fill_curve(results, which, 0, room, &d->rmse[which]);
        for (int bit = 0; bit < STRING_TRUE; bit++)
            fill_curve(results, bit, 1, room, &d->weights[bit]);
        snprintf(caption, sizeof caption,
                 "Learning curves: the smallest test RMSE along each path against the number of "
                 "training "
                 "rows. Bands: from the 10th to the 90th percentile of the %" PRId64 " seed%s.",
                 results->seeds, results->seeds == 1 ? "" : "s");
        show_curves(d, 5, ALL, STRING_TRAIN, "fig-curves", caption, s);
        show_curves(d, 3, SPARSE, STRING_SMALL, "fig-curves-small",
                    "The same for up to 30 training rows and the methods that know of sparsity.",
                    s);
        show_weights(d, results->seeds, s);
    }
    free(room);
    free(d);
    return ok;
}
