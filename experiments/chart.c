/* A chart: its panels side by side, 800 pixels in all, so that its writing has the same size on
 * every page. */
#include "experiments/chart.h"

#include <math.h>
#include <stdlib.h>

#include "experiments/chart_parts.h"
#include "experiments/escape.h"

static const double WIDTH = 800.0;

/* Lowest and highest of the values seen; lo > hi: none. */
typedef struct extremes {
    double lo, hi;
} extremes;

static void see(extremes *e, int logarithmic, double value)
{
    if (!axis_shows(logarithmic, value)) return;
    e->lo = fmin(e->lo, value);
    e->hi = fmax(e->hi, value);
}

static void see_line(const chart_panel *p, const chart_line *line, extremes *x, extremes *y)
{
    for (int64_t i = 0; i < line->count; i++) {
        if (!axis_shows(p->log_x, line->x[i])) continue;
        int band = line->lo && line->hi;
        if (!band && !axis_shows(p->log_y, line->y[i])) continue;
        see(x, p->log_x, line->x[i]);
        see(y, p->log_y, line->y[i]);
        if (band) see(y, p->log_y, line->lo[i]);
        if (band) see(y, p->log_y, line->hi[i]);
    }
}

static void span_axes(const chart_panel *p, frame *f)
{
    extremes x = {INFINITY, -INFINITY}, y = {INFINITY, -INFINITY};
    for (int64_t i = 0; i < p->line_count; i++) see_line(p, &p->lines[i], &x, &y);
    f->empty = x.lo > x.hi || y.lo > y.hi;
    for (int64_t i = 0; i < p->mark_count && !f->empty; i++) see(&x, p->log_x, p->marks[i].x);
    f->x.logarithmic = p->log_x;
    f->y.logarithmic = p->log_y;
    axis_span(&f->x, x.lo, x.hi, 0.0);
    axis_span(&f->y, y.lo, y.hi, 0.05);
}

static double font_of(int columns)
{
    return columns <= 1 ? 14.0 : columns == 2 ? 12.5 : 11.0;
}

static double panel_height(const chart *c)
{
    if (c->columns <= 1) return c->rows <= 1 ? 470.0 : 330.0;
    return c->columns == 2 ? 270.0 : 230.0;
}

/* The plot within the panel at (left, top), after what stands around it. */
static frame layout(const chart *c, const chart_panel *p, double left, double top)
{
    frame f = {.font = font_of(c->columns), .outer = left + 6.0};
    double width = WIDTH / c->columns, height = panel_height(c), beside = 0.0;
    span_axes(p, &f);
    f.names_at_right = c->columns <= 1 && chart_legend_width(p, f.font) < 240.0;
    if (f.names_at_right) beside = chart_legend_width(p, f.font);
    f.left = left + 4.9 * f.font;
    f.right = left + width - fmax(beside, 1.3 * f.font);
    f.x.from = p->reverse_x ? f.right : f.left;
    f.x.to = p->reverse_x ? f.left : f.right;
    f.top = top + ((p->title ? 2.6 : 1.2) + MARK_ROW * chart_mark_rows(p, &f)) * f.font;
    if (!f.names_at_right) f.top += chart_legend_height(p, f.right - f.left, f.font);
    f.bottom = fmax(top + height - 3.6 * f.font, f.top + 60.0);
    f.y.from = f.bottom;
    f.y.to = f.top;
    f.x.most_ticks = c->columns <= 1 ? 9 : c->columns == 2 ? 7 : 5;
    f.y.most_ticks = c->columns <= 1 ? 8 : 7;
    return f;
}

static void draw_title(FILE *out, const chart_panel *p, const frame *f, double top)
{
    double size = 1.12 * f->font, room = f->right - f->left;
    if (!p->title) return;
    double width = chart_text_width(p->title, 1.08 * size); /* bold is wider */
    if (width > room) size *= room / width;
    fprintf(out, "<text x=\"%.1f\" y=\"%.1f\" font-size=\"%.1f\" font-weight=\"bold\">", f->left,
            top + 1.6 * f->font, size);
    escape_xml(out, p->title);
    fputs("</text>\n", out);
}

static void draw_panel(FILE *out, const chart *c, const chart_panel *p, double left, double top)
{
    frame f = layout(c, p, left, top);
    fputs("<g>\n", out);
    draw_title(out, p, &f, top);
    chart_draw_axes(out, p, &f);
    if (!f.empty) {
        chart_draw_lines(out, p, &f);
        chart_draw_marks(out, p, &f);
    }
    if (f.names_at_right)
        chart_draw_legend_right(out, p, &f);
    else
        chart_draw_legend_above(out, p, &f, top + (p->title ? 2.2 : 0.8) * f.font);
    fputs("</g>\n", out);
}

static void draw(FILE *out, const chart *c)
{
    double height = panel_height(c), all = height * c->rows;
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" width=\"%.0f\" "
            "height=\"%.0f\" font-family=\"Helvetica, Arial, 'DejaVu Sans', sans-serif\" "
            "fill=\"#222\">\n"
            "<style>.grid{stroke:#e4e4e4}</style>\n"
            "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
            WIDTH, all, WIDTH, all);
    for (int row = 0; row < c->rows; row++)
        for (int column = 0; column < c->columns; column++)
            draw_panel(out, c, &c->panels[row * c->columns + column], WIDTH / c->columns * column,
                       height * row);
    fputs("</svg>\n", out);
}

char *chart_svg(const chart *c)
{
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    if (!out) return NULL;
    draw(out, c);
    int failed = ferror(out);
    if (fclose(out) == 0 && !failed) return text;
    free(text);
    return NULL;
}
