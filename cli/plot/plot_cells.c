/* Pictures made of boxes: which kernels are active where, and bars of a model. */
#include "cli/plot/plot_cells.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/plot/plot_script.h"

/* ---- selection ---- */

/* Where cell i of the path begins: halfway between its point and the one before, on the axis as
 * drawn; i = 0 and i = points are the outer borders, as far out as the inner ones. */
static double border(const picture *p, const frame *f, int64_t i)
{
    int64_t n = p->points, a = i > 0 ? i - 1 : 0, b = i < n ? i : n - 1;
    double x = p->x[a], y = p->x[b];
    if (n == 1) return i == 0 ? f->x0 : f->x1;
    if (i == 0) y = f->log_x ? x * (x / p->x[1]) : 2 * x - p->x[1];
    if (i == n) x = f->log_x ? y * (y / p->x[n - 2]) : 2 * y - p->x[n - 2];
    return f->log_x ? sqrt(x) * sqrt(y) : x / 2 + y / 2;
}

/* Boxes as x y left right low high value. */
static void put_cells(FILE *out, const picture *p, const frame *f)
{
    fputs("$cells << END_OF_DATA\n", out);
    for (int64_t k = 0; k < p->count; k++)
        for (int64_t i = 0; i < p->points; i++)
            if (p->series[k].y[i] != 0)
                fprintf(out, "%.10g %lld %.10g %.10g %lld.5 %lld.5 %.10g\n", p->x[i],
                        (long long)(k + 1), border(p, f, i), border(p, f, i + 1), (long long)k,
                        (long long)k + 1, p->series[k].y[i]);
    fputs("END_OF_DATA\n$counts << END_OF_DATA\n", out);
    for (int64_t i = 0; i < p->points; i++)
        fprintf(out, "%.10g 0 %.10g %.10g 0 %.10g\n", p->x[i], border(p, f, i), border(p, f, i + 1),
                p->selected[i]);
    fputs("END_OF_DATA\n", out);
}

/* Names at the left, row k at y = k + 1 from the top. */
static void put_row_names(FILE *out, const canvas *c, const frame *f, const char *const *names,
                          int64_t count, size_t stride)
{
    for (int64_t k = 0; k < count; k++) {
        double y = f->top - ((double)k + 0.5) * (f->top - f->bottom) / (double)count;
        const char *name =
            *(const char *const *)(const void *)((const char *)names + (size_t)k * stride);
        put_name(out, c, name, f->left - 12, f->left - 8, y, "right textcolor '#333333'");
    }
}

/* The least of 1, 2, 5, 10, 20, ... that is not below. */
static double round_step(double least)
{
    double power = 1;
    while (power * 10 < least) power *= 10;
    return least <= power       ? power
           : least <= 2 * power ? 2 * power
           : least <= 5 * power ? 5 * power
                                : 10 * power;
}

static void put_counts_panel(FILE *out, const picture *p, const canvas *c, frame f, double top)
{
    double most = 1, map_bottom = f.bottom;
    for (int64_t i = 0; i < p->points; i++) most = fmax(most, p->selected[i]);
    f.bottom = f.top + 16;
    f.top = top;
    f.y0 = 0;
    f.y1 = most * 1.08;
    f.bare_x = 1;
    put_frame(out, c, &f);
    put_y_label(out, c, "selected", f.left - 56, &f);
    f.bottom = map_bottom;
    put_best(out, c, p, &f);
    fprintf(out, "set ytics %.10g\n", round_step(most / 4));
    fputs("plot $counts using 1:2:3:4:5:6 with boxxyerror fs solid 1 border lc '#ffffff' fc "
          "'#9db8cf' lw 0.5\n",
          out);
}

static void put_map_panel(FILE *out, const picture *p, const canvas *c, const frame *f)
{
    put_frame(out, c, f);
    fputs("unset label\n", out); /* the line at the best point is drawn again, over the cells */
    put_row_names(out, c, f, (const char *const *)&p->series[0].name, p->count, sizeof *p->series);
    put_label(out, c, "kernel weight", f->right + 84, (f->bottom + f->top) / 2,
              "center rotate by 90 textcolor '#333333'");
    put_x_label(out, c, x_label(p), f);
    fputs("unset ytics\n", out);
    fprintf(out,
            "set colorbox user origin screen %.6f, screen %.6f size screen %.6f, screen %.6f "
            "noborder\n",
            (f->right + 18) / c->width, f->bottom / c->height, 12 / c->width,
            (f->top - f->bottom) / c->height);
    fputs("set cbrange [0:*]\n"
          "set cbtics scale 0\n"
          "set palette defined (0 '#d5e5f4', 0.1 '#a3cae3', 0.3 '#539ecd', 0.6 '#1b69af', 1 "
          "'#08306b')\n",
          out);
    fputs("plot $cells using 1:2:3:4:5:6:7 with boxxyerror fs solid 1 border lc '#ffffff' fc "
          "palette lw 0.5\n",
          out);
}

void script_selection(FILE *out, const picture *p, const canvas *c)
{
    double names = widest((const char *const *)&p->series[0].name, p->count, sizeof *p->series);
    double top = c->height - 62;
    frame f = {
        .left = fmin(fmax(names + 16, 66), c->width * 0.45), .right = c->width - 96, .bottom = 56};
    f.top = f.bottom + (top - f.bottom) * 0.72;
    span_x(p, &f);
    double first = border(p, &f, 0), last = border(p, &f, p->points);
    if (first != last) { /* all points may be one */
        f.x0 = first;
        f.x1 = last;
    }
    f.y0 = (double)p->count + 0.5;
    f.y1 = 0.5;
    put_cells(out, p, &f);
    fputs("set multiplot\n", out);
    put_title(out, c, p, f.left, c->width);
    put_counts_panel(out, p, c, f, top);
    put_map_panel(out, p, c, &f);
    fputs("unset multiplot\n", out);
}

/* ---- bars ---- */

/* The sum of all that are not shown: larger perhaps than any bar, so only a number. */
static int is_others(const picture *p, int64_t i)
{
    return p->others && i + 1 == p->points;
}

static void put_bars_block(FILE *out, const picture *p, const series *one, int64_t number,
                           double factor)
{
    fprintf(out, "$bars%lld << END_OF_DATA\n", (long long)number);
    for (int64_t i = 0; i < p->points; i++) {
        double v = one->y[i] * factor, length = is_others(p, i) ? 0 : v;
        fprintf(out, "%.10g %lld %.10g %.10g %.10g %.10g %.10g\n", length, (long long)i + 1,
                fmin(length, 0), fmax(length, 0), (double)i + 0.66, (double)i + 1.34, v);
    }
    fputs("END_OF_DATA\n", out);
}

/* Weights and shares in one row of panels; the values stand at the ends of the bars. */
static void put_bars_panel(FILE *out, const picture *p, const canvas *c, const series *one,
                           int64_t number, frame f)
{
    int percent = strcmp(one->name, "share") == 0;
    double factor = percent ? 100 : 1;
    f.x0 = f.x1 = 0;
    for (int64_t i = 0; i < p->points; i++) {
        if (is_others(p, i)) continue;
        f.x0 = fmin(f.x0, one->y[i] * factor);
        f.x1 = fmax(f.x1, one->y[i] * factor);
    }
    double span = f.x1 - f.x0 > 0 ? f.x1 - f.x0 : 1;
    f.x1 += span * 0.22;
    if (f.x0 < 0) f.x0 -= span * 0.04;
    put_bars_block(out, p, one, number, factor);
    put_frame(out, c, &f);
    fputs("set arrow from first 0, graph 0 to first 0, graph 1 nohead front lw 1 lc '#666666'\n",
          out);
    put_x_label(out, c, percent ? p->y_label : "kernel weight", &f);
    fprintf(out,
            "plot $bars%lld using 1:2:3:4:5:6 with boxxyerror fs solid 1 noborder fc '%s', \\\n"
            "  $bars%lld using 4:2:(sprintf('%s', $7)) with labels left offset 0.4,0 noenhanced "
            "textcolor '#555555'\n",
            (long long)number, percent ? "#d55e00" : "#0072b2", (long long)number,
            percent ? "%.1f%%" : "%.4f");
}

void script_bars(FILE *out, const picture *p, const canvas *c)
{
    double names = widest((const char *const *)p->labels, p->points, sizeof *p->labels);
    double left = fmin(fmax(names + 16, 40), c->width * 0.4), gap = 34;
    double width = (c->width - 24 - left - gap * (double)(p->count - 1)) / (double)p->count;
    frame f = {.left = left,
               .bottom = 56,
               .top = c->height - 44,
               .y0 = (double)p->points + 0.5,
               .y1 = 0.5};
    fputs("set multiplot\nunset border\nset grid noytics xtics\nunset ytics\n", out);
    put_title(out, c, p, left, c->width);
    put_row_names(out, c, &f, (const char *const *)p->labels, p->points, sizeof *p->labels);
    for (int64_t k = 0; k < p->count; k++) {
        f.left = left + (double)k * (width + gap);
        f.right = f.left + width;
        put_bars_panel(out, p, c, &p->series[k], k, f);
        fputs("unset label\nunset arrow\n", out);
    }
    fputs("unset multiplot\n", out);
}
