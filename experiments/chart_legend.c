/* Legends: beside the ends of the lines where there is one panel, above the plot where there are
 * several; never on the lines. */
#include <math.h>
#include <string.h>

#include "experiments/chart_parts.h"
#include "experiments/escape.h"

enum { SAMPLE = 20, GAP = 6, BETWEEN = 16, MOST_NAMES = 64 };

static int is_named(const chart_line *line)
{
    return line->name && line->name[0] && line->style != CHART_LIGHT;
}

/* Close enough for a font without serifs. */
double chart_text_width(const char *text, double font)
{
    return 0.6 * font * escape_width(text);
}

static void draw_entry(FILE *out, const chart_line *line, double x, double y, double font)
{
    fprintf(out,
            "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"%s\" "
            "stroke-width=\"%.1f\"%s/>",
            x, x + SAMPLE, y, y, chart_colour(line), chart_line_width(line),
            line->style == CHART_DASHED ? " stroke-dasharray=\"6 4\"" : "");
    fprintf(out, "<text x=\"%.1f\" y=\"%.1f\" font-size=\"%.0f\">", x + SAMPLE + GAP,
            y + 0.35 * font, font);
    escape_xml(out, line->name);
    fputs("</text>\n", out);
}

/* ---- above ---- */

/* Walks along the entries, row by row; draws them where out is not NULL. The number of rows. */
static int walk(FILE *out, const chart_panel *p, double left, double width, double top, double font)
{
    double x = 0.0;
    int rows = 0;
    for (int64_t i = 0; i < p->line_count; i++) {
        const chart_line *line = &p->lines[i];
        if (!is_named(line)) continue;
        double own = SAMPLE + GAP + chart_text_width(line->name, font);
        if (rows == 0 || x + own > width) {
            x = 0.0;
            rows++;
        }
        if (out) draw_entry(out, line, left + x, top + (rows - 0.5) * 1.4 * font, font);
        x += own + BETWEEN;
    }
    return rows;
}

double chart_legend_height(const chart_panel *p, double width, double font)
{
    int rows = walk(NULL, p, 0.0, width, 0.0, font);
    return rows > 0 ? rows * 1.4 * font + 4.0 : 0.0;
}

void chart_draw_legend_above(FILE *out, const chart_panel *p, const frame *f, double top)
{
    walk(out, p, f->left, f->right - f->left, top, f->font);
}

/* ---- at the right ---- */

double chart_legend_width(const chart_panel *p, double font)
{
    double width = 0.0;
    for (int64_t i = 0; i < p->line_count; i++)
        if (is_named(&p->lines[i])) width = fmax(width, chart_text_width(p->lines[i].name, font));
    return width > 0.0 ? width + SAMPLE + GAP + 14.0 : 0.0;
}

/* Height of the line's right end; the middle if nothing of it is shown. */
static double end_of(const chart_line *line, const frame *f)
{
    double right = -1.0, height = 0.5 * (f->top + f->bottom);
    for (int64_t i = 0; i < line->count; i++) {
        if (!axis_shows(f->x.logarithmic, line->x[i]) || !axis_shows(f->y.logarithmic, line->y[i]))
            continue;
        double at = axis_at(&f->x, line->x[i]);
        if (at < right) continue;
        right = at;
        height = axis_at(&f->y, line->y[i]);
    }
    return height;
}

/* Pushed apart where they would overlap: downwards first, then up again from the bottom. */
static void push_apart(int count, double *at, double apart, double top, double bottom)
{
    apart = count > 1 ? fmin(apart, (bottom - top) / (count - 1)) : apart;
    for (int i = 0; i < count; i++) at[i] = fmax(at[i], i > 0 ? at[i - 1] + apart : top);
    for (int i = count - 1; i >= 0; i--)
        at[i] = fmin(at[i], i < count - 1 ? at[i + 1] - apart : bottom);
}

void chart_draw_legend_right(FILE *out, const chart_panel *p, const frame *f)
{
    const chart_line *named[MOST_NAMES];
    double at[MOST_NAMES];
    int count = 0;
    for (int64_t i = 0; i < p->line_count && count < MOST_NAMES; i++) {
        if (!is_named(&p->lines[i])) continue;
        double height = end_of(&p->lines[i], f);
        int place = count++;
        for (; place > 0 && at[place - 1] > height; place--) {
            at[place] = at[place - 1];
            named[place] = named[place - 1];
        }
        at[place] = height;
        named[place] = &p->lines[i];
    }
    push_apart(count, at, 1.25 * f->font, f->top + 4.0, f->bottom - 4.0);
    for (int i = 0; i < count; i++) draw_entry(out, named[i], f->right + 10.0, at[i], f->font);
}
