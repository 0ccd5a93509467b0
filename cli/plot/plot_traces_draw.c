/* Curves of classes as gnuplot scripts, as text and as JSON. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/output.h"
#include "cli/plot/plot_picture.h"
#include "cli/plot/plot_script.h"
#include "cli/plot/plot_traces.h"

/* What a kind of picture is called by those who look at it. */
typedef struct wording {
    const char *x, *y;
    const char *value; /* of a curve, in one word */
    const char *key;   /* the same in JSON */
} wording;

static wording wording_of(const picture *p)
{
    if (p->kind == PICTURE_ROC)
        return (wording){"false positive rate", "true positive rate", "AUC", "auc"};
    if (p->kind == PICTURE_PRECISION_RECALL)
        return (wording){"recall", "precision", "average precision", "average_precision"};
    return (wording){"predicted probability", "observed share", "Brier score", "brier"};
}

/* "class '2': AUC 0.929" */
static char *legend_of(const picture *p, const trace *one)
{
    char *text = NULL;
    if (asprintf(&text, "class '%s': %s %.4g", one->name, wording_of(p).value, one->value) < 0)
        return NULL;
    return text;
}

/* ---- drawings ---- */

static void put_data(FILE *out, const picture *p)
{
    for (int64_t t = 0; t < p->trace_count; t++) {
        const trace *one = &p->traces[t];
        fprintf(out, "$trace%" PRId64 " << END_OF_DATA\n", t);
        for (int64_t i = 0; i < one->count; i++)
            fprintf(out, "%.10g %.10g %.10g\n", one->x[i], one->y[i],
                    one->error ? one->error[i] : 0.0);
        fputs("END_OF_DATA\n", out);
    }
}

/* What a prediction that knows nothing would look like, or one that is right in the mean. */
static void put_reference(FILE *out, const picture *p)
{
    if (p->kind != PICTURE_PRECISION_RECALL) {
        fputs("plot x with lines lw 1 dt 2 lc '#999999'", out);
        return;
    }
    for (int64_t t = 0; t < p->trace_count; t++)
        fprintf(out, "%s%.10g with lines lw 1 dt 2 lc '%s'", t > 0 ? ", \\\n  " : "plot ",
                p->traces[t].level, p->trace_count > 1 ? colour_of(t) : "#999999");
}

static void put_curves(FILE *out, const picture *p)
{
    put_reference(out, p);
    for (int64_t t = p->trace_count - 1; t >= 0; t--) {
        const char *colour = colour_of(t);
        if (p->kind == PICTURE_CALIBRATION && p->trace_count == 1)
            fprintf(out,
                    ", \\\n  $trace%" PRId64 " using 1:2:(($2-$3)<0?0:($2-$3)):"
                    "(($2+$3)>1?1:($2+$3)) with yerrorbars pt 7 ps 0.1 lw 1.2 lc '%s'",
                    t, colour);
        fprintf(out, ", \\\n  $trace%" PRId64 " using 1:2 with %s lw 2 lc '%s'", t,
                p->kind == PICTURE_CALIBRATION        ? "linespoints pt 7 ps 0.8"
                : p->kind == PICTURE_PRECISION_RECALL ? "fsteps"
                                                      : "lines",
                colour);
    }
    fputc('\n', out);
}

/* Where curves leave room: good ones are in the upper left of a ROC curve, in the upper right of
 * precision, along the diagonal of calibration. */
static void put_legend(FILE *out, const canvas *c, const picture *p, const frame *f)
{
    int right = p->kind == PICTURE_ROC, below = p->kind != PICTURE_CALIBRATION;
    double x = right ? f->right - 14 : f->left + 14,
           y = below ? f->bottom + 16 + LINE * (double)(p->trace_count - 1) : f->top - 14;
    for (int64_t t = 0; t < p->trace_count; t++) {
        char how[64], *text = legend_of(p, &p->traces[t]);
        snprintf(how, sizeof how, "front %s textcolor '%s'", right ? "right" : "left",
                 colour_of(t));
        if (text) put_name(out, c, text, f->right - f->left - 28, x, y - LINE * (double)t, how);
        free(text);
    }
}

/* Rows of each bin, along the lower edge; where two bins are close every other is left out. */
static void put_counts(FILE *out, const canvas *c, const picture *p, const frame *f)
{
    const trace *one = &p->traces[0];
    double last = -1e9, room = 2.2 * LETTER_WIDTH;
    if (p->kind != PICTURE_CALIBRATION || p->trace_count > 1) return;
    for (int64_t i = 0; i < one->count; i++) {
        char text[32];
        double share = (one->x[i] - f->x0) / (f->x1 - f->x0),
               x = f->left + share * (f->right - f->left);
        snprintf(text, sizeof text, "%.0f", one->rows[i]);
        if (x - last < room + LETTER_WIDTH * (double)(strlen(text) - 1)) continue;
        put_label(out, c, text, x, f->bottom + 10, "front center textcolor '#888888'");
        last = x;
    }
    put_label(out, c, "rows", f->right - 4, f->bottom + 10, "front right textcolor '#888888'");
}

void script_traces(FILE *out, const picture *p, const canvas *c)
{
    wording words = wording_of(p);
    frame f = {.left = 66, .right = c->width - 22, .bottom = 58, .top = c->height - 46};
    int counts = p->kind == PICTURE_CALIBRATION && p->trace_count == 1;
    f.y0 = counts ? -0.06 : 0.0;
    f.y1 = 1.02;
    f.x0 = counts ? -0.02 : 0.0;
    f.x1 = counts ? 1.05 : 1.0;
    put_frame(out, c, &f);
    fputs("set ytics 0, 0.2, 1\nset xtics 0, 0.2, 1\n", out);
    put_title(out, c, p, f.left, c->width);
    put_y_label(out, c, words.y, 18, &f);
    put_x_label(out, c, words.x, &f);
    put_legend(out, c, p, &f);
    put_counts(out, c, p, &f);
    put_data(out, p);
    put_curves(out, p);
}

/* ---- characters ---- */

void script_traces_text(FILE *out, const picture *p)
{
    wording words = wording_of(p);
    fprintf(out,
            "set xrange [0:1]\nset yrange [0:1]\nset xlabel '%s'\nset ylabel ''\n"
            "set key below noenhanced samplen 1\nset border 3\nset tics nomirror out\n",
            words.x);
    put_data(out, p);
    for (int64_t t = 0; t < p->trace_count; t++) {
        char *text = legend_of(p, &p->traces[t]);
        fprintf(out,
                "%s $trace%" PRId64 " with lines lt 0 dt solid lc rgb '%s' notitle, "
                "$trace%" PRId64 " with points pt '%c' lc rgb '%s' title ",
                t ? ", \\\n " : "plot", t, colour_of(t), t, (char)('A' + t % 26), colour_of(t));
        put_quoted(out, text ? text : "");
        free(text);
    }
    fputc('\n', out);
}

/* A line for each bin: how far the share is from what was said shows in the bar. */
static void print_bins(FILE *out, const picture *p, const trace *one)
{
    enum { WIDTH = 40 };
    char *legend = legend_of(p, one);
    fprintf(out, "%s\n%9s %9s %6s %6s\n", legend ? legend : "", "predicted", "observed", "+-",
            "rows");
    for (int64_t i = 0; i < one->count; i++) {
        fprintf(out, "%9.3f %9.3f %6.3f %6.0f  ", one->x[i], one->y[i], one->error[i],
                one->rows[i]);
        int said = (int)(one->x[i] * WIDTH + 0.5), found = (int)(one->y[i] * WIDTH + 0.5);
        for (int k = 0; k <= WIDTH && (k <= said || k <= found); k++)
            fputc(k == said ? '|' : k < found ? '#' : ' ', out);
        fputc('\n', out);
    }
    free(legend);
}

int traces_text(FILE *out, const picture *p)
{
    if (p->kind != PICTURE_CALIBRATION) return 0;
    if (p->title[0]) fprintf(out, "%s\n", p->title);
    for (int64_t t = 0; t < p->trace_count; t++) {
        fputc('\n', out);
        print_bins(out, p, &p->traces[t]);
    }
    fputs("\nbars: share observed; |: probability predicted\n", out);
    return 1;
}

/* ---- JSON ---- */

static void numbers(json *j, const char *key, const double *values, int64_t count)
{
    if (!values) return;
    json_array(j, key);
    for (int64_t i = 0; i < count; i++) json_number(j, NULL, values[i]);
    json_end_array(j);
}

void traces_json(json *j, const picture *p)
{
    wording words = wording_of(p);
    json_text(j, "x", words.x);
    json_text(j, "y", words.y);
    json_integer(j, "rows", p->judged_rows);
    json_array(j, "curves");
    for (int64_t t = 0; t < p->trace_count; t++) {
        const trace *one = &p->traces[t];
        json_object(j, NULL);
        json_text(j, "class", one->name);
        json_number(j, words.key, one->value);
        numbers(j, "x", one->x, one->count);
        numbers(j, "y", one->y, one->count);
        numbers(j, "error", one->error, one->count);
        numbers(j, "rows", one->rows, one->count);
        json_end_object(j);
    }
    json_end_array(j);
}
