/* Intervals of a model for the rows of a table: read, put in order, drawn as a fan. */
#include "cli/plot/plot_interval.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/console.h"
#include "cli/plot/plot_picture.h"
#include "cli/plot/plot_script.h"
#include "cli/reading.h"

/* The series of the picture. */
enum { OBSERVED, PREDICTED, LOWER, UPPER, SERIES };
static const char *const NAMES[SERIES] = {"observed", "predicted", "lower", "upper"};

typedef struct fan_row {
    double of[SERIES];
    int64_t number; /* in the table */
} fan_row;

static int by_prediction(const void *a, const void *b)
{
    const fan_row *x = a, *y = b;
    if (x->of[PREDICTED] != y->of[PREDICTED]) return x->of[PREDICTED] < y->of[PREDICTED] ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

static int check(const settings *s, const rls2_model *model)
{
    if (rls2_model_interval_count(model) != 1) {
        say_error(s, "%s: %s", s->argument[0],
                  rls2_model_interval_count(model) > 1
                      ? "--kind interval is of one target, and the model has several"
                      : "the model has no intervals: 'rls2 train --interval 0.9' calibrates them");
        return EXIT_USAGE;
    }
    if (rls2_model_given_count(model) == 0) return EXIT_OK;
    say_error(s, "%s: the model has precomputed kernels, whose values for %s are not known",
              s->argument[0], s->argument[1]);
    return EXIT_FAILED;
}

/* Predictions on the scale of the response, and the ends; all of them n long but f, n x outputs. */
static int predict(const settings *s, const rls2_model *model, const rls2_dataset *data, double *f,
                   double *lower, double *upper)
{
    rls2_error err;
    int64_t n = rls2_dataset_rows(data);
    rls2_rows rows = {.n = n, .p = rls2_dataset_columns(data), .x = rls2_dataset_x(data)};
    rls2_status status = n > 0 ? rls2_model_predict(model, &rows, NULL, f, &err) : RLS2_OK;
    if (status == RLS2_OK && n > 0)
        status = rls2_model_predict_interval(model, n, f, lower, upper, &err);
    if (status != RLS2_OK) return fail(s, &err);
    rls2_model_respond(model, n, f);
    return EXIT_OK;
}

/* Of several quantiles the middle one is the prediction. Returns how many rows are known. */
static int64_t take_rows(const rls2_model *model, const rls2_table *table, const rls2_dataset *data,
                         const double *f, const double *lower, const double *upper, fan_row *rows)
{
    int64_t n = rls2_dataset_rows(data), middle = rls2_model_outputs(model) / 2, known = 0;
    int64_t column = rls2_table_find(table, rls2_model_target(rls2_model_output(model, 0)));
    for (int64_t i = 0; i < n && column >= 0; i++) {
        int64_t row = rls2_dataset_source_row(data, i);
        double y = rls2_model_target_value(model, 0, table, row, column);
        if (!isfinite(y)) continue;
        rows[known++] = (fan_row){{y, f[middle * n + i], lower[i], upper[i]}, row};
    }
    return known;
}

static int fill(const settings *s, int64_t count, const fan_row *rows, picture *p)
{
    p->points = count;
    p->x = calloc((size_t)count, sizeof *p->x);
    if (!p->x) return out_of_memory(s);
    series *all = picture_series(s, p, SERIES);
    if (!all) return EXIT_FAILED;
    for (int k = 0; k < SERIES; k++) {
        if (!(all[k].name = strdup(NAMES[k]))) return out_of_memory(s);
        for (int64_t i = 0; i < count; i++) all[k].y[i] = rows[i].of[k];
    }
    for (int64_t i = 0; i < count; i++) p->x[i] = (double)(i + 1);
    return EXIT_OK;
}

static int is_within(const picture *p, int64_t i)
{
    double y = p->series[OBSERVED].y[i];
    return y >= p->series[LOWER].y[i] && y <= p->series[UPPER].y[i];
}

static int set_title(const settings *s, const rls2_model *model, picture *p)
{
    int64_t within = 0;
    const char *slash = strrchr(s->argument[1], '/');
    char *name = shown_text(slash ? slash + 1 : s->argument[1], 40);
    const rls2_interval *about = rls2_model_interval(model);
    if (!about) about = rls2_model_interval(rls2_model_output(model, 0));
    for (int64_t i = 0; i < p->points; i++) within += is_within(p, i);
    if (s->title) p->title = shown_text(s->title, 90);
    if (!s->title && name &&
        asprintf(&p->title, "%s: %" PRId64 " of %" PRId64 " rows within intervals of %g", name,
                 within, p->points, about ? about->level : (double)NAN) < 0)
        p->title = NULL;
    free(name);
    return p->title ? EXIT_OK : out_of_memory(s);
}

static int picture_of_rows(const settings *s, const rls2_model *model, const rls2_table *table,
                           const rls2_dataset *data, picture *p)
{
    size_t n = (size_t)rls2_dataset_rows(data) + 1, outputs = (size_t)rls2_model_outputs(model);
    double *f = calloc(n * (outputs + 2), sizeof *f);
    fan_row *rows = calloc(n, sizeof *rows);
    int code = f && rows ? EXIT_OK : out_of_memory(s);
    double *lower = f ? f + n * outputs : NULL, *upper = f ? lower + n : NULL;
    int64_t known = 0;
    if (code == EXIT_OK) code = predict(s, model, data, f, lower, upper);
    if (code == EXIT_OK) known = take_rows(model, table, data, f, lower, upper, rows);
    if (code == EXIT_OK && known == 0) {
        say_error(s, "%s: no row whose target is known", s->argument[1]);
        code = EXIT_FAILED;
    }
    if (code == EXIT_OK) {
        qsort(rows, (size_t)known, sizeof *rows, by_prediction);
        code = fill(s, known, rows, p);
    }
    free(f);
    free(rows);
    return code == EXIT_OK ? set_title(s, model, p) : code;
}

int picture_of_intervals(const settings *s, const rls2_model *model, picture *p)
{
    rls2_error err;
    rls2_table *table = NULL;
    rls2_dataset *data = NULL;
    *p = (picture){.kind = PICTURE_INTERVAL, .x_name = "rank", .y_label = "target", .best = -1};
    int code = check(s, model);
    if (code == EXIT_OK) code = read_table(s, NULL, s->argument[1], &table);
    if (code == EXIT_OK && rls2_model_encode(model, table, RLS2_MISSING_IMPUTE,
                                             RLS2_RESPONSE_IGNORED, &data, &err) != RLS2_OK)
        code = fail(s, &err);
    if (code == EXIT_OK) code = picture_of_rows(s, model, table, data, p);
    rls2_dataset_free(data);
    rls2_table_free(table);
    return code;
}

/* ---- drawing ---- */

static void span_y(const picture *p, frame *f)
{
    f->y0 = HUGE_VAL;
    f->y1 = -HUGE_VAL;
    for (int k = 0; k < SERIES; k++)
        for (int64_t i = 0; i < p->points; i++) {
            f->y0 = fmin(f->y0, p->series[k].y[i]);
            f->y1 = fmax(f->y1, p->series[k].y[i]);
        }
    double margin = f->y1 > f->y0 ? 0.04 * (f->y1 - f->y0) : 1.0;
    f->y0 -= margin;
    f->y1 += margin;
}

/* The fan, the prediction in it, and observed values: those outside stand out. */
void script_intervals(FILE *out, const picture *p, const canvas *c)
{
    frame f = {.left = 76, .right = c->width - 22, .bottom = 58, .top = c->height - 46};
    f.x0 = 0.0;
    f.x1 = (double)p->points + 1.0;
    span_y(p, &f);
    put_frame(out, c, &f);
    put_title(out, c, p, f.left, c->width);
    put_y_label(out, c, "target", 18, &f);
    put_x_label(out, c, x_label(p), &f);
    fputs("$rows << END_OF_DATA\n", out);
    for (int64_t i = 0; i < p->points; i++)
        fprintf(out, "%.10g %.10g %.10g %.10g %.10g %d\n", p->x[i], p->series[OBSERVED].y[i],
                p->series[PREDICTED].y[i], p->series[LOWER].y[i], p->series[UPPER].y[i],
                is_within(p, i));
    fputs("END_OF_DATA\n", out);
    fprintf(out,
            "plot $rows using 1:4:5 with filledcurves fc '%s' fs transparent solid 0.2 noborder, "
            "\\\n  $rows using 1:3 with lines lw 2 lc '%s', \\\n"
            "  $rows using 1:($6==1?$2:1/0) with points pt 7 ps 0.45 lc '#444444', \\\n"
            "  $rows using 1:($6==1?1/0:$2) with points pt 6 ps 0.8 lw 1.6 lc '%s'\n",
            colour_of(0), colour_of(0), colour_of(1));
}
