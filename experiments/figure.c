#include "experiments/figure.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { WIDTH = 760, HEIGHT = 460, LEFT = 64, RIGHT = 110, TOP = 46, BOTTOM = 54, MOST_LINES = 24 };

/* Colours that differ in lightness too, so that grey prints can be told apart. */
static const char *const COLOURS[] = {"#1b6ca8", "#c8102e", "#2e8b57", "#e08e0b",
                                      "#6a3d9a", "#444444", "#a6761d", "#d6408c"};

typedef struct range {
    double lo, hi;
} range;

static range range_of(int64_t count, const double *values)
{
    range r = {values[0], values[0]};
    for (int64_t i = 1; i < count; i++) {
        r.lo = fmin(r.lo, values[i]);
        r.hi = fmax(r.hi, values[i]);
    }
    if (!(r.hi > r.lo)) r.hi = r.lo + 1.0;
    return r;
}

/* 1, 2 or 5 times a power of ten, giving four to nine ticks. */
static double tick_step(range r)
{
    double raw = (r.hi - r.lo) / 6.0, power = pow(10.0, floor(log10(raw)));
    double share = raw / power;
    return power * (share < 1.5 ? 1.0 : share < 3.5 ? 2.0 : share < 7.5 ? 5.0 : 10.0);
}

static double x_at(range r, double v)
{
    return LEFT + (v - r.lo) / (r.hi - r.lo) * (WIDTH - LEFT - RIGHT);
}

static double y_at(range r, double v)
{
    return HEIGHT - BOTTOM - (v - r.lo) / (r.hi - r.lo) * (HEIGHT - TOP - BOTTOM);
}

static const char *tick_text(double value, double step, char *text, size_t size)
{
    int decimals = step >= 1.0 ? 0 : (int)ceil(-log10(step) - 1e-9);
    if (fabs(value) < step / 2.0) value = 0.0;
    snprintf(text, size, "%.*f", decimals, value);
    return text;
}

static void write_axes(FILE *out, const figure *f, range rx, range ry)
{
    char text[32];
    double step = tick_step(rx);
    for (double v = ceil(rx.lo / step) * step; v <= rx.hi + 1e-9 * step; v += step)
        fprintf(out,
                "<line class=\"grid\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\"/>"
                "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>\n",
                x_at(rx, v), x_at(rx, v), TOP, HEIGHT - BOTTOM, x_at(rx, v), HEIGHT - BOTTOM + 18,
                tick_text(v, step, text, sizeof text));
    step = tick_step(ry);
    for (double v = ceil(ry.lo / step) * step; v <= ry.hi + 1e-9 * step; v += step)
        fprintf(out,
                "<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/>"
                "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>\n",
                LEFT, WIDTH - RIGHT, y_at(ry, v), y_at(ry, v), LEFT - 8, y_at(ry, v) + 4.0,
                tick_text(v, step, text, sizeof text));
    fprintf(out, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"none\" stroke=\"#888\"/>\n", LEFT,
            TOP, WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM);
    fprintf(out, "<text class=\"title\" x=\"%d\" y=\"26\">%s</text>\n", LEFT, f->title);
    fprintf(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s</text>\n", (LEFT + WIDTH - RIGHT) / 2,
            HEIGHT - 14, f->x_label);
    fprintf(out, "<text transform=\"translate(18 %d) rotate(-90)\" text-anchor=\"middle\">%s</text>\n",
            (TOP + HEIGHT - BOTTOM) / 2, f->y_label);
}

static void write_lines(FILE *out, const figure *f, range rx, range ry)
{
    for (int64_t j = 0; j < f->lines; j++) {
        const double *y = f->y + j * f->points;
        fprintf(out, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"2\" points=\"",
                COLOURS[j % (int64_t)(sizeof COLOURS / sizeof COLOURS[0])]);
        for (int64_t i = 0; i < f->points; i++) fprintf(out, "%.2f,%.2f ", x_at(rx, f->x[i]), y_at(ry, y[i]));
        fprintf(out, "\"/>\n");
    }
}

/* Where the names stand at the right end: at their lines, pushed apart where they would
 * overlap. */
static void place_names(const figure *f, range ry, double *at)
{
    const double apart = 15.0;
    int order[MOST_LINES];
    int lines = (int)f->lines;
    for (int j = 0; j < lines; j++) {
        at[j] = y_at(ry, f->y[j * f->points + f->points - 1]);
        int t = j;
        for (; t > 0 && at[order[t - 1]] > at[j]; t--) order[t] = order[t - 1];
        order[t] = j;
    }
    for (int t = 1; t < lines; t++) at[order[t]] = fmax(at[order[t]], at[order[t - 1]] + apart);
    double over = at[order[lines - 1]] - (HEIGHT - BOTTOM);
    for (int t = lines - 1; t >= 0 && over > 0.0; t--) {
        at[order[t]] -= over;
        over = t > 0 ? at[order[t - 1]] + apart - at[order[t]] : 0.0;
    }
}

static void write_names(FILE *out, const figure *f, range ry)
{
    double at[MOST_LINES];
    place_names(f, ry, at);
    for (int64_t j = 0; j < f->lines; j++)
        fprintf(out, "<text x=\"%d\" y=\"%.1f\" style=\"fill:%s\">%s</text>\n", WIDTH - RIGHT + 8,
                at[j] + 4.0, COLOURS[j % (int64_t)(sizeof COLOURS / sizeof COLOURS[0])], f->names[j]);
}

static void write_figure(FILE *out, const figure *f)
{
    range rx = range_of(f->points, f->x), ry = range_of(f->points * f->lines, f->y);
    double margin = 0.05 * (ry.hi - ry.lo);
    ry.lo -= margin;
    ry.hi += margin;
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\">\n"
            "<style>text{font:13px sans-serif;fill:#222}.title{font:bold 15px sans-serif}"
            ".grid{stroke:#e4e4e4}</style>\n<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
            WIDTH, HEIGHT, WIDTH, HEIGHT);
    write_axes(out, f, rx, ry);
    write_lines(out, f, rx, ry);
    write_names(out, f, ry);
    if (!isnan(f->mark))
        fprintf(out,
                "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\" stroke=\"#222\" stroke-dasharray=\"3 4\"/>"
                "<text x=\"%.1f\" y=\"%d\">%s</text>\n",
                x_at(rx, f->mark), x_at(rx, f->mark), TOP, HEIGHT - BOTTOM, x_at(rx, f->mark) + 6.0, TOP + 16,
                f->mark_label);
    fprintf(out, "</svg>\n");
}

int figure_write(const figure *f, const char *path)
{
    char temporary[4096];
    if (f->lines > MOST_LINES ||
        snprintf(temporary, sizeof temporary, "%s.part", path) >= (int)sizeof temporary) {
        errno = EINVAL;
        return -1;
    }
    FILE *out = fopen(temporary, "w");
    if (!out) return -1;
    write_figure(out, f);
    int failed = ferror(out);
    if (fclose(out) != 0) failed = 1;
    if (!failed && rename(temporary, path) == 0) return 0;
    int why = errno;
    unlink(temporary);
    errno = why;
    return -1;
}
