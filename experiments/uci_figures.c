/* Figures 1 to 5 of the benchmark: score, kernels and iterations along the path at 70/30, two data
 * sets side by side. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/uci.h"

enum { FIGURE_RATIO = 1, ROWS = 3, COLUMNS = 2, PANELS = ROWS * COLUMNS };

/* Lines of one panel: each split, then the mean. Own. */
typedef struct panel_room {
    chart_line *lines;
    double mean[UCI_LAMBDAS];
    chart_mark mark;
} panel_room;

static const double *values_of(const uci_split *split, int row)
{
    return row == 0 ? split->score : row == 1 ? split->kernels : split->iterations;
}

/* An error far above all others (at large lambda, where nothing is learned) is part of the picture,
 * as in the paper. */
static int fill_panel(const uci_results *results, const uci_set *set, int row, panel_room *room,
                      chart_panel *panel)
{
    static const uci_pick picks[ROWS] = {uci_score, uci_kernels, uci_iterations};
    const uci_curve *curve = &set->curves[FIGURE_RATIO];
    int64_t n = results->count;
    room->lines = calloc((size_t)n + 1, sizeof *room->lines);
    if (!room->lines) return 0;
    for (int64_t s = 0; s < n; s++)
        room->lines[s] = (chart_line){.count = UCI_LAMBDAS,
                                      .x = results->lambdas,
                                      .y = values_of(&curve->splits[s], row),
                                      .style = CHART_LIGHT};
    for (int64_t i = 0; i < UCI_LAMBDAS; i++)
        room->mean[i] = uci_mean_of(results, curve, picks[row], i).mean;
    room->lines[n] = (chart_line){
        .count = UCI_LAMBDAS, .x = results->lambdas, .y = room->mean, .style = CHART_THICK};
    room->mark = (chart_mark){.x = results->lambdas[curve->best]};
    static const char *const labels[ROWS] = {NULL, "kernels selected", "iterations"};
    *panel = (chart_panel){.title = row == 0 ? set->paper->title : NULL,
                           .x_label = row == ROWS - 1 ? "lambda" : NULL,
                           .y_label = row > 0              ? labels[row]
                                      : set->set->classify ? "test accuracy (%)"
                                                           : "test RMSE",
                           .log_x = 1,
                           .line_count = n + 1,
                           .lines = room->lines,
                           .mark_count = 1,
                           .marks = &room->mark};
    return 1;
}

static int show_figure(const uci_results *results, int number, sheet *s)
{
    panel_room rooms[PANELS];
    chart_panel panels[PANELS];
    char id[16], caption[512];
    const uci_set *sets = &results->sets[COLUMNS * number];
    int ok = 1;
    memset(rooms, 0, sizeof rooms);
    for (int row = 0; row < ROWS; row++)
        for (int column = 0; column < COLUMNS; column++) {
            int at = row * COLUMNS + column;
            ok = ok && fill_panel(results, &sets[column], row, &rooms[at], &panels[at]);
        }
    if (ok) {
        const chart c = {.rows = ROWS, .columns = COLUMNS, .panels = panels};
        snprintf(id, sizeof id, "fig%02d", number + 1);
        snprintf(caption, sizeof caption,
                 "%s (left) and %s (right), splits 70/30: score on the test rows, number of "
                 "selected kernels and "
                 "iterations along the path. Light: single splits; thick: their mean; dotted: the "
                 "lambda with "
                 "the best mean score.",
                 sets[0].paper->title, sets[1].paper->title);
        sheet_figure(s, id, caption, &c);
    }
    for (int at = 0; at < PANELS; at++) free(rooms[at].lines);
    return ok;
}

int uci_show_figures(const uci_results *results, sheet *s)
{
    int ok = 1;
    for (int number = 0; number < UCI_SETS / COLUMNS && ok; number++)
        ok = show_figure(results, number, s);
    return ok;
}
