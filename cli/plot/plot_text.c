/* Bars and the map of a selection, written with characters: sharper than any drawing program makes
 * them in a terminal. */
#include "cli/plot/plot_text.h"

#include <math.h>
#include <string.h>

#include "cli/output.h"
#include "cli/plot/plot.h"
#include "cli/plot/plot_effects.h"
#include "cli/plot/plot_traces.h"

/* The text and blanks up to `width`. */
static void padded(FILE *out, const char *text, int64_t width)
{
    fputs(text, out);
    for (int64_t i = text_width(text); i < width; i++) fputc(' ', out);
}

static void heading(FILE *out, const picture *p)
{
    if (p->title[0]) fprintf(out, "%s\n\n", p->title);
}

/* ---- bars ---- */

/* What sets the scale: a single item. The sum of the others may be larger, and has no bar. */
static int64_t bar_count(const picture *p)
{
    return p->points - p->others;
}

static double greatest(const series *one, int64_t points)
{
    double most = 0;
    for (int64_t i = 0; i < points; i++) most = fmax(most, fabs(one->y[i]));
    return most;
}

static void value_text(const series *one, double value, char *text, size_t size)
{
    if (strcmp(one->name, "share") == 0)
        snprintf(text, size, "%.1f%%", 100 * value);
    else
        snprintf(text, size, "%.4f", value);
}

static void bars(FILE *out, const picture *p, const canvas *c)
{
    int64_t names = text_width(p->x_name);
    for (int64_t i = 0; i < p->points; i++)
        if (text_width(p->labels[i]) > names) names = text_width(p->labels[i]);
    int64_t width = ((int64_t)c->width - names - 1) / p->count - 12;
    if (width < 6) width = 6;
    heading(out, p);
    padded(out, p->x_name, names + 2);
    for (int64_t k = 0; k < p->count; k++)
        fprintf(out, "%9s  %-*s", p->series[k].name, k + 1 < p->count ? (int)width : 0, "");
    fputc('\n', out);
    for (int64_t i = 0; i < p->points; i++) {
        padded(out, p->labels[i], names + 2);
        for (int64_t k = 0; k < p->count; k++) {
            const series *one = &p->series[k];
            double most = greatest(one, bar_count(p));
            double share = most > 0 && i < bar_count(p) ? fabs(one->y[i]) / most : 0;
            char text[32];
            value_text(one, one->y[i], text, sizeof text);
            fprintf(out, "%9s  ", text);
            bar(out, share, (int)width);
        }
        fputc('\n', out);
    }
}

/* ---- selection ---- */

static char shade(double weight)
{
    if (weight == 0) return ' ';
    return weight < 0.01 ? '.' : weight < 0.05 ? ':' : weight < 0.2 ? 'o' : '#';
}

/* Of the points as many as there are columns, evenly. */
static int64_t point_at(const picture *p, int64_t columns, int64_t i)
{
    return columns < p->points ? i * (p->points - 1) / (columns > 1 ? columns - 1 : 1) : i;
}

/* Numbers of selected kernels, written downwards. */
static void counts(FILE *out, const picture *p, int64_t names, int64_t columns)
{
    int digits = 1;
    for (int64_t i = 0; i < p->points; i++)
        while (p->selected[i] >= pow(10, digits)) digits++;
    for (int d = digits - 1; d >= 0; d--) {
        padded(out, d == 0 ? "selected" : "", names + 1);
        for (int64_t i = 0; i < columns; i++) {
            double scaled = floor(p->selected[point_at(p, columns, i)] / pow(10, d));
            fputc(scaled == 0 && d > 0 ? ' ' : (char)('0' + (int)fmod(scaled, 10)), out);
        }
        fputc('\n', out);
    }
}

static void selection(FILE *out, const picture *p, const canvas *c)
{
    int64_t names = 8;
    for (int64_t k = 0; k < p->count; k++)
        if (text_width(p->series[k].name) > names) names = text_width(p->series[k].name);
    int64_t room = (int64_t)c->width - names - 2, columns = p->points < room ? p->points
                                                            : room < 10      ? 10
                                                                             : room;
    if (columns > p->points) columns = p->points;
    heading(out, p);
    counts(out, p, names, columns);
    for (int64_t k = 0; k < p->count; k++) {
        padded(out, p->series[k].name, names + 1);
        for (int64_t i = 0; i < columns; i++)
            fputc(shade(p->series[k].y[point_at(p, columns, i)]), out);
        fputc('\n', out);
    }
    fprintf(out, "\n%s from %.3g to %.3g; weight: . below 0.01  : 0.05  o 0.2  # above\n",
            strcmp(p->x_name, "df") == 0 ? "degrees of freedom" : "lambda", p->x[0],
            p->x[p->points - 1]);
    if (p->best >= 0) fprintf(out, "%s\n", p->best_label);
}

void text_heading(FILE *out, const picture *p)
{
    if (p->title[0]) fprintf(out, "%s\n", p->title);
    if (p->traces) {
        fprintf(out, "%s\n", p->kind == PICTURE_ROC ? "true positive rate" : "precision");
        return;
    }
    fprintf(out, "%s%s%s\n", p->y_label, p->best >= 0 ? "; " : "",
            p->best >= 0 ? p->best_label : "");
}

int text_write(FILE *out, const picture *p, const canvas *c)
{
    if (p->kind == PICTURE_KERNELS || p->kind == PICTURE_FEATURES)
        bars(out, p, c);
    else if (p->kind == PICTURE_SELECTION)
        selection(out, p, c);
    else if (p->kind == PICTURE_EFFECTS || p->kind == PICTURE_DEPENDENCE)
        panels_text(out, p, c);
    else if (p->traces)
        return traces_text(out, p);
    else
        return 0;
    return 1;
}
