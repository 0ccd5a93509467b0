/* From a result to what is drawn of it: the order of the points, which kernels stand out, the best
 * test score. */
#include "cli/plot/plot_picture.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/console.h"
#include "cli/plot/plot.h"
#include "cli/plot/plot_effects.h"
#include "cli/plot/plot_result.h"
#include "cli/plot/plot_traces.h"
#include "cli/score.h"
#include "experiments/escape.h"

enum {
    GREY = 300,       /* more lines than that behind them are a smear */
    NAME_LENGTH = 40, /* characters of a name that are shown */
    TITLE_LENGTH = 90
};

const char *picture_kind_name(picture_kind kind)
{
    static const char *const NAMES[] = {"profile",     "scores", "selection",        "kernels",
                                        "features",    "curve",  "effects",          "dependence",
                                        "calibration", "roc",    "precision-recall", "interval"};
    return NAMES[kind];
}

char *shown_text(const char *text, int64_t most)
{
    char *whole = escape_copy(text), *shown = whole ? malloc(strlen(whole) + sizeof "…") : NULL;
    size_t length = whole ? text_start(whole, (int)(most < INT_MAX ? most : INT_MAX)) : 0;
    if (shown) {
        memcpy(shown, whole, length);
        strcpy(shown + length, whole[length] ? "…" : "");
        /* gnuplot leaves this as it is in an SVG, where it is not allowed */
        for (char *end; (end = strstr(shown, "]]>"));) end[2] = ' ';
    }
    free(whole);
    return shown;
}

char *picture_text(const settings *s, const char *text)
{
    return s->json ? strdup(text) : shown_text(text, NAME_LENGTH);
}

series *picture_series(const settings *s, picture *p, int64_t count)
{
    series *more = reallocarray(p->series, (size_t)(p->count + count), sizeof *more);
    if (!more) {
        out_of_memory(s);
        return NULL;
    }
    p->series = more;
    for (int64_t i = 0; i < count; i++) {
        series *one = &more[p->count];
        *one = (series){.y = calloc((size_t)p->points, sizeof(double)), .stands = 1};
        if (!one->y) {
            out_of_memory(s);
            return NULL;
        }
        p->count++;
    }
    return &more[p->count - count];
}

void picture_free(picture *p)
{
    for (int64_t i = 0; i < p->count; i++) {
        free(p->series[i].name);
        free(p->series[i].y);
    }
    for (int64_t i = 0; p->labels && i < p->points; i++) free(p->labels[i]);
    free(p->series);
    free(p->labels);
    free(p->x);
    free(p->selected);
    free(p->title);
    free(p->of);
    free(p->best_label);
    panels_free(p);
    traces_free(p);
    free(p->panel_label);
    *p = (picture){0};
}

/* ---- order ---- */

typedef struct key {
    double value;
    int64_t index;
} key;

static int by_value(const void *a, const void *b)
{
    const key *x = a, *y = b;
    if (x->value != y->value) return x->value < y->value ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

/* The indices of values in ascending order of sign * value; NULL if memory is out. */
static key *sorted(const double *values, int64_t count, double sign)
{
    key *keys = calloc((size_t)count + 1, sizeof *keys);
    if (!keys) return NULL;
    for (int64_t i = 0; i < count; i++) keys[i] = (key){sign * values[i], i};
    qsort(keys, (size_t)count, sizeof *keys, by_value);
    return keys;
}

/* ---- the x axis ---- */

/* A profile lies along the degrees of freedom, as in the paper, the others along lambda. */
static const double *choose_x(const settings *s, const result *r, const double *df, picture *p)
{
    int by_df = s->against ? strcmp(s->against, "df") == 0 : p->kind == PICTURE_PROFILE;
    if (by_df && !df && s->against)
        say(s,
            "the result has no degrees of freedom ('rls2 path --df each'); drawn against lambda");
    p->x_name = by_df && df ? "df" : "lambda";
    return by_df && df ? df : r->lambda;
}

/* Points from the most to the least regularised: lambda descending, degrees of freedom ascending.
 */
static key *order_points(const settings *s, const result *r, picture *p)
{
    int of_one = r->of && p->kind != PICTURE_SCORES;
    const double *x = choose_x(s, r, of_one ? r->of_df : r->df, p);
    const double *selected = of_one ? r->of_selected : r->selected;
    key *order = sorted(x, r->points, x == r->lambda ? -1.0 : 1.0);
    p->points = r->points;
    p->x = calloc((size_t)r->points, sizeof(double));
    p->selected = calloc((size_t)r->points, sizeof(double));
    if (!order || !p->x || !p->selected) {
        out_of_memory(s);
        free(order);
        return NULL;
    }
    for (int64_t i = 0; i < r->points; i++) {
        p->x[i] = x[order[i].index];
        p->selected[i] = selected[order[i].index];
    }
    return order;
}

static rls2_measure measure_of(const result *r)
{
    rls2_measure measure = RLS2_MEASURE_RMSE;
    rls2_measure_find(r->measure, &measure, NULL);
    return measure;
}

/* Of scores that print alike the most regularised is the best: the end of a path is often flat. */
static int find_best(const settings *s, const result *r, const key *order, picture *p)
{
    if (!r->test) return EXIT_OK;
    rls2_measure measure = measure_of(r);
    double best = 0;
    for (int64_t i = 0; i < r->points; i++) {
        double value = r->test[order[i].index];
        if (p->best >= 0 && !score_is_better(measure, value, best)) continue;
        best = value;
        p->best = i;
    }
    double lambda = r->lambda[order[p->best].index];
    int of_one = p->of != NULL; /* scores are of all, whatever is drawn */
    if (asprintf(&p->best_label, "best test %s%s%s %.4g at lambda %.3g", r->measure,
                 of_one ? " of all " : "", of_one ? r->output_word : "", best, lambda) >= 0)
        return EXIT_OK;
    p->best_label = NULL;
    return out_of_memory(s);
}

/* ---- kernels along the path ---- */

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* The largest absolute value of each column. */
static double *column_peaks(const sparse *t, int64_t points)
{
    double *peak = calloc((size_t)t->columns + 1, sizeof *peak);
    for (int64_t e = 0; peak && e < t->start[points]; e++)
        peak[t->column[e]] = fmax(peak[t->column[e]], fabs(t->value[e]));
    return peak;
}

static void fill(const sparse *t, const key *order, int64_t points, const int64_t *place,
                 series *lines)
{
    for (int64_t i = 0; i < points; i++)
        for (int64_t e = t->start[order[i].index]; e < t->start[order[i].index + 1]; e++)
            if (place[t->column[e]] > 0) lines[place[t->column[e]] - 1].y[i] = t->value[e];
}

static int64_t wanted_top(const settings *s)
{
    return s->top > 0 ? s->top : INT64_MAX; /* 0: all */
}

/* The columns with the largest values become series, the first `top` of them standing out. */
static int add_columns(const settings *s, const sparse *t, const key *order, int64_t grey,
                       picture *p)
{
    if (t->columns == 0) {
        say_error(s, "%s: no kernel is selected at any point of the path", s->argument[0]);
        return EXIT_FAILED;
    }
    int code = EXIT_FAILED;
    int64_t top = least(wanted_top(s), t->columns), count = top + least(grey, t->columns - top);
    double *peak = column_peaks(t, p->points);
    key *rank = peak ? sorted(peak, t->columns, -1.0) : NULL;
    int64_t *place = calloc((size_t)t->columns + 1, sizeof *place); /* 1 + number of the series */
    if (!rank || !place) {
        out_of_memory(s);
        goto cleanup;
    }
    series *lines = picture_series(s, p, count);
    if (!lines) goto cleanup;
    for (int64_t k = 0; k < count; k++) {
        place[rank[k].index] = k + 1;
        lines[k].stands = k < top;
        lines[k].name = picture_text(s, t->name[rank[k].index]);
        if (!lines[k].name) {
            out_of_memory(s);
            goto cleanup;
        }
    }
    fill(t, order, p->points, place, lines);
    code = EXIT_OK;
cleanup:
    free(peak);
    free(rank);
    free(place);
    return code;
}

static int profile(const settings *s, const result *r, const key *order, picture *p)
{
    int linear = r->coefficients.columns > 0;
    p->y_label = linear ? "coefficient" : "kernel weight";
    return add_columns(s, linear ? &r->coefficients : &r->weights, order, GREY, p);
}

/* ---- scores ---- */

static int add_score(const settings *s, const char *name, const double *score, const key *order,
                     picture *p)
{
    if (!score) return EXIT_OK;
    series *one = picture_series(s, p, 1);
    if (!one) return EXIT_FAILED;
    one->name = picture_text(s, name);
    for (int64_t i = 0; i < p->points; i++) one->y[i] = score[order[i].index];
    return one->name ? EXIT_OK : out_of_memory(s);
}

static int scores(const settings *s, const result *r, const key *order, picture *p)
{
    if (!r->train && !r->test) {
        say_error(s, "%s: no score ('train' or 'test') stands at every point of the path",
                  s->argument[0]);
        return EXIT_FAILED;
    }
    rls2_measure measure = measure_of(r);
    p->y_label = measure == RLS2_MEASURE_RMSE ? "root mean squared error"
                 : measure == RLS2_MEASURE_R2 ? "R2, mean over the targets"
                                              : rls2_measure_name(measure);
    int code = add_score(s, "train", r->train, order, p);
    return code == EXIT_OK ? add_score(s, "test", r->test, order, p) : code;
}

/* ---- selection ---- */

/* The point at which the kernel enters; ties by the number of points it stays. */
static double entry(const series *one, int64_t points)
{
    int64_t first = 0, active = 0;
    while (first < points && one->y[first] == 0) first++;
    for (int64_t i = first; i < points; i++) active += one->y[i] != 0;
    return (double)first - (double)active / ((double)points + 1);
}

/* Rows in the order in which the kernels enter: a staircase is easier to read. */
static int selection(const settings *s, const result *r, const key *order, picture *p)
{
    int code = add_columns(s, &r->weights, order, 0, p);
    if (code != EXIT_OK || p->count == 0) return code;
    double *entries = calloc((size_t)p->count, sizeof *entries);
    series *moved = calloc((size_t)p->count, sizeof *moved);
    for (int64_t k = 0; entries && k < p->count; k++) entries[k] = entry(&p->series[k], p->points);
    key *rank = entries ? sorted(entries, p->count, 1.0) : NULL;
    if (rank && moved) {
        for (int64_t k = 0; k < p->count; k++) moved[k] = p->series[rank[k].index];
        memcpy(p->series, moved, (size_t)p->count * sizeof *moved);
    } else {
        code = out_of_memory(s);
    }
    free(entries);
    free(moved);
    free(rank);
    return code;
}

/* ---- all ---- */

/* The name of the file without its folder and ending. */
static char *default_title(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    char *title = shown_text(strcmp(path, "-") == 0 ? "" : name, TITLE_LENGTH);
    char *dot = title ? strrchr(title, '.') : NULL;
    if (dot && dot > title) *dot = '\0';
    return title;
}

int picture_start(const settings *s, picture_kind kind, picture *p)
{
    *p = (picture){.kind = kind, .best = -1};
    p->title = s->title ? shown_text(s->title, TITLE_LENGTH) : default_title(s->argument[0]);
    return p->title ? EXIT_OK : out_of_memory(s);
}

int picture_add_title(const settings *s, picture *p, const char *text)
{
    if (s->title) return EXIT_OK;
    char *shown = shown_text(text, NAME_LENGTH), *title = NULL;
    if (shown && asprintf(&title, "%s%s%s", p->title, p->title[0] ? ": " : "", shown) < 0)
        title = NULL;
    free(shown);
    if (!title) return out_of_memory(s);
    free(p->title);
    p->title = title;
    return EXIT_OK;
}

int picture_set_output(const settings *s, picture *p, const char *name)
{
    p->of = strdup(name);
    return p->of ? picture_add_title(s, p, name) : out_of_memory(s);
}

int picture_of_result(const settings *s, picture_kind kind, const result *r, picture *p)
{
    int code = picture_start(s, kind, p);
    if (code == EXIT_OK && r->of && kind != PICTURE_SCORES) code = picture_set_output(s, p, r->of);
    if (code != EXIT_OK) return code;
    key *order = order_points(s, r, p);
    if (!order) return EXIT_FAILED;
    code = find_best(s, r, order, p);
    if (code == EXIT_OK && kind == PICTURE_PROFILE) code = profile(s, r, order, p);
    if (code == EXIT_OK && kind == PICTURE_SCORES) code = scores(s, r, order, p);
    if (code == EXIT_OK && kind == PICTURE_SELECTION) code = selection(s, r, order, p);
    free(order);
    return code;
}
