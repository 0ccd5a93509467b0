/* Curves of rows whose class is known. With rows in descending order of the score of a class, and
 * each as a threshold in turn,
 *
 *   roc               share of the class above it, against that of all other rows; its area is AUC
 *   precision-recall  share of the class among rows above it, against its share above it; the mean
 *                     precision over the steps of recall is the average precision
 *   calibration       share of the class in bins of its probability, against the mean probability
 *                     there; bins are quantiles, and equal probabilities stay together
 *
 * Rows count by their weights. */
#include "cli/plot/plot_traces.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/console.h"
#include "cli/plot/plot_picture.h"

enum {
    MOST_BINS = 10,
    ROWS_OF_BIN = 15,  /* a share of fewer rows says little */
    MOST_POINTS = 4000 /* more cannot be seen */
};

int is_of_traces(int kind)
{
    return kind == PICTURE_CALIBRATION || kind == PICTURE_ROC || kind == PICTURE_PRECISION_RECALL;
}

void traces_free(picture *p)
{
    for (int64_t t = 0; t < p->trace_count; t++) {
        trace *one = &p->traces[t];
        free(one->name);
        free(one->x);
        free(one->y);
        free(one->error);
        free(one->rows);
    }
    free(p->traces);
    p->traces = NULL;
    p->trace_count = 0;
}

/* ---- rows in order ---- */

typedef struct ranked {
    double said; /* score or probability */
    double weight;
    int is; /* of the class */
} ranked;

static int descending(const void *a, const void *b)
{
    double x = ((const ranked *)a)->said, y = ((const ranked *)b)->said;
    return x > y ? -1 : x < y;
}

/* By what is said of class k, the largest first; NULL when out of memory. */
static ranked *rank_rows(const judged *rows, int64_t k, const double *said)
{
    ranked *all = calloc((size_t)rows->n + 1, sizeof *all);
    for (int64_t i = 0; all && i < rows->n; i++)
        all[i] = (ranked){said[k * rows->n + i], rows->weights ? rows->weights[i] : 1.0,
                          rows->is[i] == k};
    if (all) qsort(all, (size_t)rows->n, sizeof *all, descending);
    return all;
}

/* Weights of the class and of all other rows. */
typedef struct sides {
    double of, others;
} sides;

static void add(sides *sum, const ranked *row)
{
    if (row->is)
        sum->of += row->weight;
    else
        sum->others += row->weight;
}

static sides count_sides(const ranked *all, int64_t n)
{
    sides sum = {0.0, 0.0};
    for (int64_t i = 0; i < n; i++) add(&sum, &all[i]);
    return sum;
}

/* ---- points ---- */

static int reserve(const settings *s, int64_t count, int with_rows, trace *one)
{
    size_t size = (size_t)count + 1;
    one->x = calloc(size, sizeof *one->x);
    one->y = calloc(size, sizeof *one->y);
    if (with_rows) one->rows = calloc(size, sizeof *one->rows);
    if (with_rows) one->error = calloc(size, sizeof *one->error);
    int whole = one->x && one->y && (!with_rows || (one->rows && one->error));
    return whole ? EXIT_OK : out_of_memory(s);
}

/* Points on a line between their neighbours tell nothing; then of too many every so many-th. */
static void thin(trace *one)
{
    int64_t kept = 0;
    for (int64_t i = 0; i < one->count; i++) {
        int inner = kept > 0 && i + 1 < one->count;
        int along_x = inner && one->x[kept - 1] == one->x[i] && one->x[i] == one->x[i + 1];
        int along_y = inner && one->y[kept - 1] == one->y[i] && one->y[i] == one->y[i + 1];
        if (along_x || along_y) continue;
        one->x[kept] = one->x[i];
        one->y[kept++] = one->y[i];
    }
    int64_t step = kept / MOST_POINTS + 1, last = kept - 1;
    one->count = 0;
    for (int64_t i = 0; i <= last; i += i < last && i + step > last ? last - i : step) {
        one->x[one->count] = one->x[i];
        one->y[one->count++] = one->y[i];
    }
}

/* The area by trapezoids counts ties half, as the measure auc does. */
static void follow_roc(const ranked *all, int64_t n, sides total, trace *one)
{
    sides above = {0.0, 0.0};
    one->count = 1; /* (0, 0) */
    for (int64_t i = 0; i < n;) {
        double said = all[i].said, *x = &one->x[one->count], *y = &one->y[one->count];
        for (; i < n && all[i].said == said; i++) add(&above, &all[i]);
        *x = above.others / total.others;
        *y = above.of / total.of;
        one->value += (*x - x[-1]) * (*y + y[-1]) / 2.0;
        one->count++;
    }
    thin(one);
}

static void follow_precision(const ranked *all, int64_t n, sides total, trace *one)
{
    sides above = {0.0, 0.0};
    one->count = 1; /* recall 0, with the precision of the first point */
    for (int64_t i = 0; i < n;) {
        double said = all[i].said, *x = &one->x[one->count], *y = &one->y[one->count];
        for (; i < n && all[i].said == said; i++) add(&above, &all[i]);
        *x = above.of / total.of;
        *y = above.of / (above.of + above.others);
        one->value += (*x - x[-1]) * *y;
        one->count++;
        if (one->count == 2) one->y[0] = *y;
    }
    one->level = total.of / (total.of + total.others);
    thin(one);
}

/* The mean of so many rows, all = all[from .. to), in point `at`. */
static void put_bin(const ranked *all, int64_t from, int64_t to, int64_t at, trace *one)
{
    sides sum = {0.0, 0.0};
    double said = 0.0, squares = 0.0;
    for (int64_t i = from; i < to; i++) {
        add(&sum, &all[i]);
        said += all[i].weight * all[i].said;
        squares += all[i].weight * all[i].weight;
    }
    double weight = sum.of + sum.others, share = sum.of / weight;
    one->x[at] = said / weight;
    one->y[at] = share;
    /* with a row more of either kind, so that a bin of one kind alone is not without doubt */
    double held = (sum.of + 1.0) / (weight + 2.0);
    one->error[at] = sqrt(held * (1.0 - held) * squares) / weight;
    one->rows[at] = (double)(to - from);
}

/* From the least probability up. */
static void follow_bins(ranked *all, int64_t n, trace *one)
{
    int64_t bins = n / ROWS_OF_BIN, from = 0;
    bins = bins > MOST_BINS ? MOST_BINS : bins < 2 ? 2 : bins;
    for (int64_t i = 0; i < n / 2; i++) {
        ranked swapped = all[i];
        all[i] = all[n - 1 - i];
        all[n - 1 - i] = swapped;
    }
    for (int64_t b = 1; b <= bins && from < n; b++) {
        int64_t to = n * b / bins;
        if (to <= from) continue;
        while (to < n && all[to].said == all[to - 1].said) to++;
        put_bin(all, from, to, one->count++, one);
        from = to;
    }
    double miss = 0.0, weight = 0.0;
    for (int64_t i = 0; i < n; i++) {
        miss += all[i].weight * (all[i].said - all[i].is) * (all[i].said - all[i].is);
        weight += all[i].weight;
    }
    one->value = miss / weight;
}

/* ---- a class ---- */

static int no_curve(const settings *s, const judged *rows, int64_t k)
{
    char *label = shown_text(rows->labels[k], 40);
    say_error(s, "%s: no curve of class '%s': there must be rows of it, and others",
              s->argument[s->argument_count - 1], label ? label : "");
    free(label);
    return EXIT_FAILED;
}

static int add_trace(const settings *s, const judged *rows, int64_t k, picture *p)
{
    int bins = p->kind == PICTURE_CALIBRATION;
    ranked *all = rank_rows(rows, k, bins ? rows->p : rows->scores);
    trace *one = &p->traces[p->trace_count++];
    *one = (trace){.name = picture_text(s, rows->labels[k])};
    int code =
        all && one->name ? reserve(s, bins ? MOST_BINS : rows->n + 1, bins, one) : out_of_memory(s);
    sides total = all ? count_sides(all, rows->n) : (sides){0.0, 0.0};
    if (code == EXIT_OK && !bins && !(total.of > 0.0 && total.others > 0.0))
        code = no_curve(s, rows, k);
    if (code == EXIT_OK && bins) follow_bins(all, rows->n, one);
    if (code == EXIT_OK && p->kind == PICTURE_ROC) follow_roc(all, rows->n, total, one);
    if (code == EXIT_OK && p->kind == PICTURE_PRECISION_RECALL)
        follow_precision(all, rows->n, total, one);
    free(all);
    return code;
}

/* ---- all of them ---- */

static int no_such_class(const settings *s, const judged *rows)
{
    char *text = NULL;
    size_t length = 0;
    FILE *list = open_memstream(&text, &length);
    if (!list) return out_of_memory(s);
    for (int64_t k = 0; k < rows->classes; k++)
        fprintf(list, "%s'%s'", k > 0 ? ", " : "", rows->labels[k]);
    fclose(list);
    say_error(s, "--of '%s': the classes are %s", s->of, text);
    free(text);
    return EXIT_USAGE;
}

/* The first class that is drawn, and how many from there on. */
static int choose_classes(const settings *s, const judged *rows, int64_t *first, int64_t *count)
{
    int64_t top = s->top > 0 && s->top < rows->classes ? s->top : rows->classes;
    *first = rows->classes == 2;
    *count = rows->classes == 2 ? 1 : top;
    if (!s->of) return EXIT_OK;
    for (*first = 0, *count = 1; *first < rows->classes; ++*first)
        if (strcmp(rows->labels[*first], s->of) == 0) return EXIT_OK;
    return no_such_class(s, rows);
}

static int set_title(const settings *s, const judged *rows, const char *whose, int64_t first,
                     picture *p)
{
    int code = picture_add_title(s, p, whose);
    if (code != EXIT_OK || p->trace_count != 1) return code;
    p->of = strdup(rows->labels[first]);
    return p->of ? EXIT_OK : out_of_memory(s);
}

int picture_of_judged(const settings *s, picture_kind kind, const judged *rows, const char *whose,
                      picture *p)
{
    int64_t first, count;
    int code = picture_start(s, kind, p);
    if (code == EXIT_OK && kind == PICTURE_CALIBRATION && !rows->p) {
        say_error(s,
                  "--kind calibration: %s has scores, not probabilities; --loss logistic learns "
                  "these",
                  s->argument[0]);
        return EXIT_USAGE;
    }
    if (code == EXIT_OK) code = choose_classes(s, rows, &first, &count);
    if (code != EXIT_OK) return code;
    p->traces = calloc((size_t)count, sizeof *p->traces);
    if (!p->traces) return out_of_memory(s);
    p->judged_rows = rows->n;
    for (int64_t k = first; k < first + count && code == EXIT_OK; k++)
        code = add_trace(s, rows, k, p);
    return code == EXIT_OK ? set_title(s, rows, whose, first, p) : code;
}
