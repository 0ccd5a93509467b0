/* Pictures as gnuplot scripts: what all have in common, and those made of lines.
 *
 * Names come from files and are not to be trusted. They appear only as put_quoted writes them,
 * where a label or a title stands (tics interpret % and more), with noenhanced. The data follow as
 * a block within the script. */
#include "cli/plot/plot_script.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/plot/plot_cells.h"
#include "cli/plot/plot_effects.h"
#include "cli/plot/plot_interval.h"
#include "cli/plot/plot_picture.h"
#include "cli/plot/plot_traces.h"

/* Readable on white and apart for the colour-blind as far as ten colours can be: Okabe and Ito's,
 * less their yellow, and three more. */
static const char *const COLOURS[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00",
                                      "#56b4e9", "#7b3294", "#8c6d31", "#4d4d4d", "#b2182b"};
enum { COLOUR_COUNT = sizeof COLOURS / sizeof COLOURS[0] };

const char *colour_of(int64_t k)
{
    return COLOURS[k % COLOUR_COUNT];
}

/* After the ten colours the same again, dashed. */
static int dash_of(int64_t k)
{
    static const int DASHES[] = {1, 2, 4, 5};
    return DASHES[k / COLOUR_COUNT % 4];
}

void put_quoted(FILE *out, const char *text)
{
    int after_number = 0; /* a digit would be taken for one more of it */
    fputc('"', out);
    for (; *text; text++) {
        unsigned char byte = (unsigned char)*text;
        int letter = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || byte == ' ';
        int plain = letter || (byte >= '0' && byte <= '9' && !after_number);
        fprintf(out, plain ? "%c" : "\\%03o", byte);
        after_number = !plain;
    }
    fputc('"', out);
}

void put_label(FILE *out, const canvas *c, const char *text, double x, double y, const char *how)
{
    fputs("set label ", out);
    put_quoted(out, text);
    fprintf(out, " at screen %.6f, screen %.6f noenhanced %s\n", x / c->width, y / c->height, how);
}

/* Of the letters, as the terminal counts: units, or points, of which 72 are 96 units. */
static double font_size(const canvas *c)
{
    return c->kind == CANVAS_SVG ? LETTER : LETTER * 0.75;
}

void put_title(FILE *out, const canvas *c, const picture *p, double left, double right)
{
    double size = 1.2, room = (right - left) / (LETTER_WIDTH * size);
    char how[80], *title = room >= 4 ? shown_text(p->title, (int64_t)room) : NULL;
    if (!title) return;
    snprintf(how, sizeof how, "left font ',%.4g' textcolor '#111111'", font_size(c) * size);
    put_label(out, c, title, left, c->height - 22, how);
    free(title);
}

/* Fonts differ from machine to machine: these are the widths of DejaVu Sans, which is a wide one.
 */
static double letter_width(const char *text)
{
    unsigned char byte = (unsigned char)*text;
    if ((byte & 0xC0) == 0x80) return 0; /* within a character */
    if (byte >= 0xE0) return LETTER;     /* most scripts that are as wide as high are among these */
    if (strchr("MW@%mw", byte)) return 12.5;
    return byte >= 'A' && byte <= 'Z' ? 10 : LETTER_WIDTH;
}

static double text_width(const char *text)
{
    double width = 0;
    for (; *text; text++) width += letter_width(text);
    return width;
}

double widest(const char *const *texts, int64_t count, size_t stride)
{
    double most = 0;
    for (int64_t i = 0; i < count; i++)
        most = fmax(most, text_width(*(const char *const *)(const void *)((const char *)texts +
                                                                          (size_t)i * stride)));
    return most;
}

void put_name(FILE *out, const canvas *c, const char *name, double room, double x, double y,
              const char *how)
{
    int64_t kept = (int64_t)strlen(name);
    char *shown = shown_text(name, kept);
    while (shown && kept > 1 && text_width(shown) > room) {
        free(shown);
        shown = shown_text(name, --kept);
    }
    if (shown) put_label(out, c, shown, x, y, how);
    free(shown);
}

const char *x_label(const picture *p)
{
    if (p->kind == PICTURE_INTERVAL) return "rows, in the order of their predictions";
    return strcmp(p->x_name, "df") == 0 ? "degrees of freedom" : "lambda";
}

/* ---- axes ---- */

/* Where there is nothing between them, room is made on both sides. */
static void widen(double *low, double *high)
{
    if (*high > *low) return;
    double room = *low == 0 ? 1 : fabs(*low) * 0.5;
    *low -= room;
    *high += room;
}

void span_x(const picture *p, frame *f)
{
    f->log_x = strcmp(p->x_name, "lambda") == 0;
    f->x0 = p->x[0];
    f->x1 = p->x[p->points - 1];
    if (!f->log_x) {
        if (f->x0 > 0 && f->x0 < 0.15 * f->x1) f->x0 = 0;
        widen(&f->x0, &f->x1);
    } else if (f->x0 <= f->x1) {
        f->x0 *= 2;
        f->x1 /= 2;
    }
}

/* Powers of ten, at most eight of them; over less than two decades 1, 2 and 5 times those. */
static void put_log_tics(FILE *out, double low, double high, int bare)
{
    int first = (int)floor(log10(low)), last = (int)ceil(log10(high));
    int fine = log10(high) - log10(low) < 2, step = fine ? 1 : (last - first) / 8 + 1;
    const char *comma = "";
    fputs("set xtics (", out);
    for (int e = first; e <= last; e += step)
        for (int m = 0; m < (fine ? 3 : 1); m++) {
            double at = (double[]){1, 2, 5}[m] * pow(10, e);
            if (at < low * 0.999 || at > high * 1.001) continue;
            char text[32] = "";
            if (!bare)
                snprintf(text, sizeof text, fine ? "%.4g" : "10^{%.0f}", fine ? at : (double)e);
            fprintf(out, "%s'%s' %.10g", comma, text, at);
            comma = ", ";
        }
    fputs(") enhanced\n", out);
}

void put_frame(FILE *out, const canvas *c, const frame *f)
{
    fprintf(out, "set lmargin at screen %.6f\nset rmargin at screen %.6f\n", f->left / c->width,
            f->right / c->width);
    fprintf(out, "set bmargin at screen %.6f\nset tmargin at screen %.6f\n", f->bottom / c->height,
            f->top / c->height);
    fprintf(out, "set xrange [%.10g:%.10g]\nset yrange [%.10g:%.10g]\n", f->x0, f->x1, f->y0,
            f->y1);
    fprintf(out, "set format x '%s'\n", f->bare_x ? "" : "%g");
    if (!f->log_x) return;
    fputs("set logscale x\n", out);
    put_log_tics(out, fmin(f->x0, f->x1), fmax(f->x0, f->x1), f->bare_x);
}

void put_x_label(FILE *out, const canvas *c, const char *text, const frame *f)
{
    put_label(out, c, text, (f->left + f->right) / 2, f->bottom - 44, "center textcolor '#333333'");
}

void put_y_label(FILE *out, const canvas *c, const char *text, double x, const frame *f)
{
    put_label(out, c, text, x, (f->bottom + f->top) / 2, "center rotate by 90 textcolor '#333333'");
}

/* Place of x along the axis, 0 to 1. */
static double along(const frame *f, double x)
{
    if (f->log_x) return (log(x) - log(f->x0)) / (log(f->x1) - log(f->x0));
    return (x - f->x0) / (f->x1 - f->x0);
}

void put_best(FILE *out, const canvas *c, const picture *p, const frame *f)
{
    if (p->best < 0) return;
    double at = along(f, p->x[p->best]), x = f->left + at * (f->right - f->left);
    fprintf(out,
            "set arrow from screen %.6f, screen %.6f to screen %.6f, screen %.6f nohead front dt "
            "3 lw 1.2 lc '#777777'\n",
            x / c->width, f->bottom / c->height, x / c->width, f->top / c->height);
    const char *side = at < 0.3 || (at <= 0.7 && p->kind == PICTURE_CURVE) ? "left"
                       : at > 0.7                                          ? "right"
                                                                           : "center";
    char how[80];
    snprintf(how, sizeof how, "%s font ',%.4g' textcolor '#555555'", side, font_size(c) * 0.9);
    put_label(out, c, p->best_label, x, f->top + 9, how);
}

/* ---- a profile ---- */

/* The range of all values, a little wider; from 0 where none is negative and `from_zero` is asked.
 */
static void span_y(const picture *p, int from_zero, frame *f)
{
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (int64_t k = 0; k < p->count; k++)
        for (int64_t i = 0; i < p->points; i++) {
            low = fmin(low, p->series[k].y[i]);
            high = fmax(high, p->series[k].y[i]);
        }
    if (from_zero && low >= 0) low = 0;
    widen(&low, &high);
    double room = (high - low) * 0.05;
    f->y0 = from_zero && low == 0 ? 0 : low - room;
    f->y1 = high + room;
}

/* Room for the numbers of the y axis: they have about as many digits as a twentieth of its length.
 */
static double numbers_width(const frame *f)
{
    double most = fmax(fabs(f->y0), fabs(f->y1)), step = (f->y1 - f->y0) / 20;
    double before = log10(fmax(most, 1)) + (f->y0 < 0) + 1, after = step < 1 ? 1 - log10(step) : 0;
    return LETTER_WIDTH * fmin(fmax(before + fmin(after, 6), 4), 8);
}

typedef struct end_label {
    int64_t line;
    double wanted, y; /* units from the bottom of the canvas */
} end_label;

static int by_height(const void *a, const void *b)
{
    const end_label *x = a, *y = b;
    if (x->wanted != y->wanted) return x->wanted < y->wanted ? -1 : 1;
    return x->line < y->line ? 1 : -1;
}

/* Moves the labels as little as possible (least squares) so that neighbours are LINE apart: with
 * z_i = y_i - i LINE that is an isotonic regression, by pooling blocks that are out of order. */
static void spread(end_label *labels, int64_t count, double bottom, double top)
{
    for (int64_t end = 0; end < count; end++) {
        labels[end].y = labels[end].wanted - (double)end * LINE;
        int64_t first = end;
        double sum = labels[end].y;
        while (first > 0 && labels[first - 1].y > sum / (double)(end - first + 1)) {
            first--;
            sum += labels[first].y;
        }
        for (int64_t i = first; i <= end; i++) labels[i].y = sum / (double)(end - first + 1);
    }
    double most = top - (double)(count - 1) * LINE;
    for (int64_t i = 0; i < count; i++)
        labels[i].y = fmax(fmin(labels[i].y, most), bottom) + (double)i * LINE;
}

/* The names at the right ends of the lines, as many as there is room for: the first ones. */
static void put_end_labels(FILE *out, const canvas *c, const picture *p, const frame *f,
                           int64_t count)
{
    end_label *labels = calloc((size_t)count + 1, sizeof *labels);
    if (!labels) return;
    for (int64_t k = 0; k < count; k++) {
        double share = (p->series[k].y[p->points - 1] - f->y0) / (f->y1 - f->y0);
        labels[k] = (end_label){k, f->bottom + share * (f->top - f->bottom), 0};
    }
    qsort(labels, (size_t)count, sizeof *labels, by_height);
    spread(labels, count, f->bottom, f->top);
    for (int64_t i = 0; i < count; i++) {
        const char *colour = COLOURS[labels[i].line % COLOUR_COUNT];
        char how[64];
        fprintf(out,
                "set arrow from screen %.6f, screen %.6f to screen %.6f, screen %.6f nohead lw "
                "0.8 lc '%s'\n",
                (f->right + 3) / c->width, labels[i].wanted / c->height, (f->right + 19) / c->width,
                labels[i].y / c->height, colour);
        snprintf(how, sizeof how, "left textcolor '%s'", colour);
        put_name(out, c, p->series[labels[i].line].name, c->width - f->right - 27, f->right + 23,
                 labels[i].y, how);
    }
    free(labels);
}

/* A line that lies on zero is not drawn, from the point after its last value to the one before its
 * next. */
static int is_idle(const series *one, int64_t points, int64_t i)
{
    return one->y[i] == 0 && (i == 0 || one->y[i - 1] == 0) &&
           (i + 1 == points || one->y[i + 1] == 0);
}

/* Series from..to-1, x and y, apart by empty lines: one block for many lines. */
static void put_block(FILE *out, const char *name, const picture *p, int64_t from, int64_t to)
{
    fprintf(out, "$%s << END_OF_DATA\n", name);
    for (int64_t k = from; k < to; k++) {
        const series *one = &p->series[k];
        for (int64_t i = 0; i < p->points; i++)
            if (is_idle(one, p->points, i))
                fprintf(out, "%.10g NaN\n", p->x[i]);
            else
                fprintf(out, "%.10g %.10g\n", p->x[i], one->y[i]);
        fputs("\n\n", out);
    }
    fputs("END_OF_DATA\n", out);
}

static int64_t standing(const picture *p)
{
    int64_t count = 0;
    while (count < p->count && p->series[count].stands) count++;
    return count;
}

static void put_profile_lines(FILE *out, const picture *p, int64_t coloured)
{
    const char *style = p->points > 1 ? "lines" : "points pt 7 ps 0.8";
    put_block(out, "front", p, 0, coloured);
    put_block(out, "back", p, coloured, p->count);
    fputs("plot 0 with lines lw 1 lc '#999999'", out);
    for (int64_t k = coloured; k < p->count; k++)
        fprintf(out, ", \\\n  $back index %lld with %s lw 1 lc '#d4d4d4'",
                (long long)(k - coloured), style);
    for (int64_t k = coloured - 1; k >= 0; k--)
        fprintf(out, ", \\\n  $front index %lld with %s lw 2 lc '%s' dt %d", (long long)k, style,
                COLOURS[k % COLOUR_COUNT], dash_of(k));
    fputc('\n', out);
}

static void script_profile(FILE *out, const picture *p, const canvas *c)
{
    int64_t coloured = standing(p);
    frame f = {.bottom = 56, .top = c->height - 62};
    int64_t room = (int64_t)((f.top - f.bottom) / LINE) + 1,
            named = coloured < room ? coloured : room;
    double names = 32 + widest((const char *const *)&p->series[0].name, named, sizeof *p->series);
    f.right = c->width - fmin(names, c->width * 0.45);
    span_x(p, &f);
    span_y(p, 1, &f);
    f.left = 42 + numbers_width(&f);
    put_frame(out, c, &f);
    put_title(out, c, p, f.left, c->width);
    put_best(out, c, p, &f);
    put_end_labels(out, c, p, &f, named);
    put_y_label(out, c, p->y_label, 18, &f);
    put_x_label(out, c, x_label(p), &f);
    put_profile_lines(out, p, coloured);
}

/* ---- scores ---- */

static void put_scores_block(FILE *out, const picture *p)
{
    fputs("$scores << END_OF_DATA\n", out);
    for (int64_t i = 0; i < p->points; i++) {
        fprintf(out, "%.10g %.10g", p->x[i], p->selected[i]);
        for (int64_t k = 0; k < p->count; k++) fprintf(out, " %.10g", p->series[k].y[i]);
        fputc('\n', out);
    }
    fputs("END_OF_DATA\n", out);
}

static double greatest(const double *values, int64_t count)
{
    double most = 0;
    for (int64_t i = 0; i < count; i++) most = fmax(most, values[i]);
    return most;
}

static int is_test(const series *one)
{
    return strcmp(one->name, "test") == 0;
}

static void put_scores_lines(FILE *out, const picture *p)
{
    put_scores_block(out, p);
    fputs("plot $scores using 1:2 axes x1y2 with steps lw 1 lc '#b0b0b0'", out);
    for (int64_t k = 0; k < p->count; k++)
        fprintf(out, ", \\\n  $scores using 1:%lld with linespoints pt 7 ps 0.45 lw 2 lc '%s'",
                (long long)k + 3, COLOURS[is_test(&p->series[k])]);
    if (p->best >= 0)
        fprintf(
            out,
            ", \\\n  $scores using 1:%lld every ::%lld::%lld with points pt 6 ps 1.6 lw 2 lc '%s'",
            (long long)p->count + 2, (long long)p->best, (long long)p->best, COLOURS[1]);
    fputc('\n', out);
}

/* The key stands in the line of the title, from the right. gnuplot's own breaks its rows as it
 * likes. */
static double put_key_entry(FILE *out, const canvas *c, const char *name, const char *colour,
                            double right)
{
    double y = c->height - 22, start = right - text_width(name);
    put_label(out, c, name, start, y, "left textcolor '#333333'");
    fprintf(
        out,
        "set arrow from screen %.6f, screen %.6f to screen %.6f, screen %.6f nohead lw 2 lc '%s'\n",
        (start - 30) / c->width, y / c->height, (start - 6) / c->width, y / c->height, colour);
    return start - 48;
}

/* Where it begins. */
static double put_key(FILE *out, const canvas *c, const picture *p, const frame *f)
{
    double right = f->right; /* the grey line is told by the grey axis */
    for (int64_t k = p->count - 1; k >= 0; k--)
        right = put_key_entry(out, c, p->series[k].name, COLOURS[is_test(&p->series[k])], right);
    return right;
}

static void script_scores(FILE *out, const picture *p, const canvas *c)
{
    frame f = {.right = c->width - 62, .bottom = 56, .top = c->height - 62};
    span_x(p, &f);
    span_y(p, 0, &f);
    f.left = 42 + numbers_width(&f);
    put_frame(out, c, &f);
    put_best(out, c, p, &f);
    put_y_label(out, c, p->y_label, 18, &f);
    put_title(out, c, p, f.left, put_key(out, c, p, &f));
    put_x_label(out, c, x_label(p), &f);
    double most = greatest(p->selected, p->points);
    fprintf(out, "set border 11\nset y2range [0:%.10g]\nset y2tics %s textcolor '#888888'\n",
            most * 1.15 + 1, most < 5 ? "1" : "");
    put_label(out, c, "selected kernels", f.right + 48, (f.bottom + f.top) / 2,
              "center rotate by 90 textcolor '#888888'");
    put_scores_lines(out, p);
}

/* ---- the curve of cross-validation ---- */

/* lambda.1se is never right of lambda.min. The text stands left of its line; where that of
 * lambda.min does too, above it. */
static void put_simple(FILE *out, const canvas *c, const picture *p, const frame *f)
{
    double x = f->left + along(f, p->x[p->simple]) * (f->right - f->left);
    double above = along(f, p->x[p->best]) > 0.7 ? 15 : 0;
    char how[80];
    snprintf(how, sizeof how, "right font ',%.4g' textcolor '#888888'", font_size(c) * 0.9);
    put_label(out, c, "lambda.1se", x, f->top + 9 + above, how);
    fprintf(out,
            "set arrow from screen %.6f, screen %.6f to screen %.6f, screen %.6f nohead front dt "
            "3 lw 1.2 lc '#bbbbbb'\n",
            x / c->width, f->bottom / c->height, x / c->width, f->top / c->height);
}

/* The same frame as scores have, with the band behind the line. */
static void script_curve(FILE *out, const picture *p, const canvas *c)
{
    frame f = {.right = c->width - 62, .bottom = 56, .top = c->height - 62};
    span_x(p, &f);
    span_y(p, 0, &f);
    f.left = 42 + numbers_width(&f);
    put_frame(out, c, &f);
    put_best(out, c, p, &f);
    put_simple(out, c, p, &f);
    put_y_label(out, c, p->y_label, 18, &f);
    put_title(out, c, p, f.left, c->width);
    put_x_label(out, c, x_label(p), &f);
    fprintf(out, "set border 11\nset y2range [0:%.10g]\nset y2tics textcolor '#888888'\n",
            greatest(p->selected, p->points) * 1.15 + 1);
    put_label(out, c, "selected kernels", f.right + 48, (f.bottom + f.top) / 2,
              "center rotate by 90 textcolor '#888888'");
    put_scores_block(out, p);
    fprintf(
        out,
        "plot $scores using 1:4:5 with filledcurves fc '%s' fs transparent solid 0.2 noborder, \\\n"
        "  $scores using 1:2 axes x1y2 with steps lw 1 lc '#b0b0b0', \\\n"
        "  $scores using 1:3 with linespoints pt 7 ps 0.45 lw 2 lc '%s', \\\n"
        "  $scores using 1:3 every ::%lld::%lld with points pt 6 ps 1.6 lw 2 lc '%s'\n",
        COLOURS[1], COLOURS[1], (long long)p->best, (long long)p->best, COLOURS[1]);
}

/* ---- in a terminal ---- */

static void text_frame(FILE *out, const picture *p)
{
    frame f = {0};
    span_x(p, &f);
    fprintf(out, "set xrange [%.10g:%.10g]\nset xlabel '%s'\n", f.x0, f.x1, x_label(p));
    if (f.log_x) fputs("set logscale x\nset format x '%.0e'\n", out);
    if (p->best >= 0)
        fprintf(out, "set arrow from %.10g, graph 0 to %.10g, graph 0.95 nohead\n", p->x[p->best],
                p->x[p->best]);
    fputs("set key outside right top noenhanced samplen 1\nset border 3\nset tics nomirror out\n",
          out);
}

/* Letters tell the lines apart where there are no colours. */
static void script_text(FILE *out, const picture *p, const canvas *c)
{
    int64_t lines = standing(p);
    fprintf(out, "set terminal dumb noenhanced size %.0f,%.0f %s\nset encoding utf8\n", c->width,
            c->height - 2, c->colour ? "ansi256" : "mono");
    if (p->traces) {
        script_traces_text(out, p);
        return;
    }
    text_frame(out, p);
    put_block(out, "front", p, 0, lines);
    for (int64_t k = 0; k < lines; k++) {
        fprintf(out, "%s $front index %lld with linespoints lt 0 pt '%c' lc rgb '%s' title ",
                k ? ", \\\n " : "plot", (long long)k, (char)('A' + k % 26),
                COLOURS[k % COLOUR_COUNT]);
        put_quoted(out, p->series[k].name);
    }
    fputc('\n', out);
}

/* ---- all ---- */

static void put_terminal(FILE *out, const canvas *c)
{
    double size = font_size(c);
    if (c->kind == CANVAS_SVG)
        fprintf(out,
                "set terminal svg size %.0f,%.0f font 'sans-serif,%.4g' background '#ffffff'\n",
                c->width, c->height, size);
    else if (c->kind == CANVAS_PNG)
        fprintf(out,
                "set terminal pngcairo size %.0f,%.0f font 'sans-serif,%.4g' fontscale %.6g "
                "linewidth %.6g background '#ffffff'\n",
                c->width * c->scale, c->height * c->scale, size, c->scale, c->scale);
    else
        fprintf(out,
                "set terminal pdfcairo size %.4fin,%.4fin font 'sans-serif,%.4g' fontscale 0.75 "
                "linewidth 1.33 background '#ffffff'\n",
                c->width / 96, c->height / 96, size);
}

static void put_style(FILE *out)
{
    fputs("set encoding utf8\n"
          "set border 3 lw 1 lc '#666666'\n"
          "set tics out nomirror scale 0.5 textcolor '#333333'\n"
          "set grid lt 1 lw 0.6 lc '#e4e4e4'\n"
          "set format '%g'\n"
          "unset key\n",
          out);
}

void script_write(FILE *out, const picture *p, const canvas *c)
{
    if (c->kind == CANVAS_TEXT) {
        script_text(out, p, c);
        return;
    }
    put_terminal(out, c);
    put_style(out);
    switch (p->kind) {
    case PICTURE_PROFILE: script_profile(out, p, c); break;
    case PICTURE_SCORES: script_scores(out, p, c); break;
    case PICTURE_SELECTION: script_selection(out, p, c); break;
    case PICTURE_KERNELS:
    case PICTURE_FEATURES: script_bars(out, p, c); break;
    case PICTURE_CURVE: script_curve(out, p, c); break;
    case PICTURE_EFFECTS:
    case PICTURE_DEPENDENCE: script_panels(out, p, c); break;
    case PICTURE_CALIBRATION:
    case PICTURE_ROC:
    case PICTURE_PRECISION_RECALL: script_traces(out, p, c); break;
    case PICTURE_INTERVAL: script_intervals(out, p, c); break;
    }
}
