/* What is inside a panel: axes, bands, lines, marks. */
#include <math.h>

#include "experiments/chart_parts.h"
#include "experiments/escape.h"

/* Colours that differ in lightness too, so that grey prints can be told apart. */
static const char *const COLOURS[] = {"#1b6ca8", "#c8102e", "#2e8b57", "#e08e0b",
                                      "#6a3d9a", "#444444", "#a6761d", "#d6408c"};
enum { COLOUR_COUNT = sizeof COLOURS / sizeof COLOURS[0] };

const char *chart_colour(const chart_line *line)
{
    if (line->style == CHART_LIGHT) return "#9aa5b1";
    if (line->style == CHART_THICK) return "#16202c";
    int number = line->colour % COLOUR_COUNT;
    return COLOURS[number < 0 ? number + COLOUR_COUNT : number];
}

double chart_line_width(const chart_line *line)
{
    return line->style == CHART_LIGHT ? 0.7 : line->style == CHART_THICK ? 3.0 : 2.0;
}

/* ---- axes ---- */

/* Powers of ten are written 10 with a raised exponent. */
static void write_label(FILE *out, const axis *a, const ticks *t, int i, double font)
{
    double value = a->logarithmic ? pow(10.0, t->value[i]) : t->value[i];
    if (t->powers)
        fprintf(out, "10<tspan dy=\"-%.1f\" font-size=\"%.1f\">%.0f</tspan>", 0.38 * font,
                0.75 * font, t->value[i]);
    else if (t->decimals < 0)
        fprintf(out, "%.4g", value);
    else
        fprintf(out, "%.*f", t->decimals, value + 0.0);
}

static void draw_x_ticks(FILE *out, const frame *f)
{
    ticks t = axis_ticks(&f->x);
    for (int i = 0; i < t.count; i++) {
        double x = axis_tick_at(&f->x, t.value[i]);
        fprintf(out, "<line class=\"grid\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\"/>", x, x,
                f->top, f->bottom);
        fprintf(out, "<text x=\"%.1f\" y=\"%.1f\" font-size=\"%.0f\" text-anchor=\"middle\">", x,
                f->bottom + 1.35 * f->font, f->font);
        write_label(out, &f->x, &t, i, f->font);
        fputs("</text>\n", out);
    }
}

static void draw_y_ticks(FILE *out, const frame *f)
{
    ticks t = axis_ticks(&f->y);
    for (int i = 0; i < t.count; i++) {
        double y = axis_tick_at(&f->y, t.value[i]);
        fprintf(out, "<line class=\"grid\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\"/>",
                f->left, f->right, y, y);
        fprintf(out, "<text x=\"%.1f\" y=\"%.1f\" font-size=\"%.0f\" text-anchor=\"end\">",
                f->left - 7.0, y + 0.35 * f->font, f->font);
        write_label(out, &f->y, &t, i, f->font);
        fputs("</text>\n", out);
    }
}

/* Smaller where it would not fit. */
static double fitted_font(const char *text, double font, double room)
{
    double width = chart_text_width(text, font);
    return width > room ? font * room / width : font;
}

static void draw_axis_labels(FILE *out, const chart_panel *p, const frame *f)
{
    double middle = 0.5 * (f->left + f->right), height = 0.5 * (f->top + f->bottom);
    if (p->x_label) {
        fprintf(out, "<text x=\"%.1f\" y=\"%.1f\" font-size=\"%.1f\" text-anchor=\"middle\">",
                middle, f->bottom + 2.85 * f->font,
                fitted_font(p->x_label, f->font, f->right - f->left + 40.0));
        escape_xml(out, p->x_label);
        fputs("</text>\n", out);
    }
    if (p->y_label) {
        fprintf(out,
                "<text transform=\"translate(%.1f %.1f) rotate(-90)\" font-size=\"%.1f\" "
                "text-anchor=\"middle\">",
                f->outer + f->font, height,
                fitted_font(p->y_label, f->font, f->bottom - f->top + 40.0));
        escape_xml(out, p->y_label);
        fputs("</text>\n", out);
    }
}

void chart_draw_axes(FILE *out, const chart_panel *p, const frame *f)
{
    if (!f->empty) {
        draw_x_ticks(out, f);
        draw_y_ticks(out, f);
    } else {
        fprintf(out,
                "<text x=\"%.1f\" y=\"%.1f\" font-size=\"%.0f\" text-anchor=\"middle\">no "
                "values</text>\n",
                0.5 * (f->left + f->right), 0.5 * (f->top + f->bottom), f->font);
    }
    draw_axis_labels(out, p, f);
    fprintf(out,
            "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"none\" "
            "stroke=\"#888\"/>\n",
            f->left, f->top, f->right - f->left, f->bottom - f->top);
}

/* ---- lines ---- */

static int has_place(const chart_line *line, const frame *f, int64_t i)
{
    return axis_shows(f->x.logarithmic, line->x[i]) && axis_shows(f->y.logarithmic, line->y[i]);
}

/* The first point from i on where shown(...) is not `wanted`. */
static int64_t run_end(const chart_line *line, const frame *f, int64_t i, int wanted,
                       int (*shown)(const chart_line *, const frame *, int64_t))
{
    while (i < line->count && shown(line, f, i) == wanted) i++;
    return i;
}

static void draw_line(FILE *out, const chart_line *line, const frame *f)
{
    for (int64_t i = 0, end; i < line->count; i = end) {
        i = run_end(line, f, i, 0, has_place);
        end = run_end(line, f, i, 1, has_place);
        if (end - i == 1)
            fprintf(out, "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"%.1f\" fill=\"%s\"/>\n",
                    axis_at(&f->x, line->x[i]), axis_at(&f->y, line->y[i]),
                    0.5 + chart_line_width(line), chart_colour(line));
        if (end - i <= 1) continue;
        fprintf(out,
                "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"%.1f\" "
                "stroke-linejoin=\"round\"%s%s "
                "points=\"",
                chart_colour(line), chart_line_width(line),
                line->style == CHART_DASHED ? " stroke-dasharray=\"6 4\"" : "",
                line->style == CHART_LIGHT ? " stroke-opacity=\"0.6\"" : "");
        for (; i < end; i++)
            fprintf(out, "%.2f,%.2f ", axis_at(&f->x, line->x[i]), axis_at(&f->y, line->y[i]));
        fputs("\"/>\n", out);
    }
}

/* On a logarithmic axis a band may reach below what it can show. */
static int has_band(const chart_line *line, const frame *f, int64_t i)
{
    return axis_shows(f->x.logarithmic, line->x[i]) && axis_shows(0, line->lo[i]) &&
           axis_shows(f->y.logarithmic, line->hi[i]);
}

static double band_bottom(const chart_line *line, const frame *f, int64_t i)
{
    return axis_shows(f->y.logarithmic, line->lo[i]) ? axis_at(&f->y, line->lo[i]) : f->bottom;
}

static void draw_band(FILE *out, const chart_line *line, const frame *f)
{
    for (int64_t i = 0, end; i < line->count; i = end) {
        i = run_end(line, f, i, 0, has_band);
        end = run_end(line, f, i, 1, has_band);
        if (end - i < 2) continue;
        fprintf(out, "<polygon fill=\"%s\" fill-opacity=\"0.16\" stroke=\"none\" points=\"",
                chart_colour(line));
        for (int64_t k = i; k < end; k++)
            fprintf(out, "%.2f,%.2f ", axis_at(&f->x, line->x[k]), axis_at(&f->y, line->hi[k]));
        for (int64_t k = end; k-- > i;)
            fprintf(out, "%.2f,%.2f ", axis_at(&f->x, line->x[k]), band_bottom(line, f, k));
        fputs("\"/>\n", out);
    }
}

/* Bands first: no line is veiled by the band of another. */
void chart_draw_lines(FILE *out, const chart_panel *p, const frame *f)
{
    for (int64_t i = 0; i < p->line_count; i++)
        if (p->lines[i].lo && p->lines[i].hi) draw_band(out, &p->lines[i], f);
    for (int64_t i = 0; i < p->line_count; i++) draw_line(out, &p->lines[i], f);
}

/* ---- marks ---- */

static int has_label(const chart_mark *m, const frame *f)
{
    return m->label && m->label[0] && axis_shows(f->x.logarithmic, m->x);
}

/* Middle of the label: over the mark, but not beyond the frame. */
static double label_at(const chart_mark *m, const frame *f)
{
    double half = 0.5 * chart_text_width(m->label, f->font), x = axis_at(&f->x, m->x);
    return fmax(fmin(x, f->right - half), f->left + half);
}

static int labels_overlap(const chart_mark *a, const chart_mark *b, const frame *f)
{
    double apart = fabs(label_at(a, f) - label_at(b, f));
    return apart <
           0.5 * (chart_text_width(a->label, f->font) + chart_text_width(b->label, f->font)) + 8.0;
}

/* Rows of labels above the plot: one, or one for each where two would overlap. */
int chart_mark_rows(const chart_panel *p, const frame *f)
{
    int labels = 0, overlap = 0;
    for (int64_t i = 0; i < p->mark_count && !f->empty; i++) {
        if (!has_label(&p->marks[i], f)) continue;
        labels++;
        for (int64_t j = 0; j < i; j++)
            overlap |= has_label(&p->marks[j], f) && labels_overlap(&p->marks[i], &p->marks[j], f);
    }
    return overlap ? labels : labels > 0;
}

void chart_draw_marks(FILE *out, const chart_panel *p, const frame *f)
{
    int rows = chart_mark_rows(p, f), row = 0;
    for (int64_t i = 0; i < p->mark_count; i++) {
        const chart_mark *m = &p->marks[i];
        if (!axis_shows(f->x.logarithmic, m->x)) continue;
        double x = axis_at(&f->x, m->x),
               raised = has_label(m, f) && rows > 1 ? MARK_ROW * f->font * row++ : 0.0;
        fprintf(out,
                "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"#222\" "
                "stroke-width=\"1.3\" stroke-dasharray=\"2 4\"/>\n",
                x, x, f->top, f->bottom);
        if (!has_label(m, f)) continue;
        fprintf(out, "<text x=\"%.1f\" y=\"%.1f\" font-size=\"%.1f\" text-anchor=\"middle\">",
                label_at(m, f), f->top - 0.4 * f->font - raised, 0.95 * f->font);
        escape_xml(out, m->label);
        fputs("</text>\n", out);
    }
}
