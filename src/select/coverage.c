/* How often intervals hold rows that were left out, and how wide they are.  [MATH.md, I2]
 *
 * The rows of each split are given intervals about what that split predicts, which are calibrated
 * on the left-out rows of all the other splits: no row has a say in its own interval. Where there
 * is one split its rows are divided into ten parts, each of which is held against the others. */
#include "select/coverage.h"

#include <math.h>

#include "base/memory.h"
#include "base/status.h"
#include "model/interval.h"

enum { PARTS = 10 };

typedef struct cover {
    const rls2_cv *cv;
    double level;
    rls2__interval_about about;
    int64_t parts;
    int64_t *part; /* rows: its part; -1: it was not left out */
    const double *y, *weights;
    rls2__scored_row *scored; /* rows */
    double *q;                /* parts: corrections; NaN where the others are too few */
    double *held, *width;     /* parts: means by the weights of their rows */
    double *weight;           /* parts: of their rows */
    int64_t rows;             /* that have intervals */
} cover;

/* ---- parts of the rows ---- */

static int has_quantiles(const rls2_cv *cv)
{
    if (!cv->losses || cv->outputs < 2 || cv->losses[0].kind != RLS2_LOSS_QUANTILE) return 0;
    for (int64_t o = 1; o < cv->outputs; o++)
        if (!(cv->losses[o].parameter > cv->losses[o - 1].parameter)) return 0;
    return 1;
}

static void divide(cover *c)
{
    int64_t left_out = 0;
    c->parts = c->cv->splits > 1 ? c->cv->splits : PARTS;
    for (int64_t i = 0; i < c->cv->rows; i++) {
        int64_t owner = c->cv->owner[i];
        c->part[i] = owner < 0 || c->cv->splits > 1 ? owner : left_out++ % PARTS;
    }
}

static int reserve(cover *c)
{
    int64_t n = c->cv->rows, most = c->cv->splits > PARTS ? c->cv->splits : PARTS;
    c->part = rls2__alloc(n, sizeof *c->part);
    c->scored = rls2__alloc(n, sizeof *c->scored);
    c->q = rls2__alloc(most, sizeof *c->q);
    c->held = rls2__alloc(most, sizeof *c->held);
    c->width = rls2__alloc(most, sizeof *c->width);
    c->weight = rls2__alloc(most, sizeof *c->weight);
    return c->part && c->scored && c->q && c->held && c->width && c->weight;
}

static void release(cover *c)
{
    rls2__free(c->part);
    rls2__free(c->scored);
    rls2__free(c->q);
    rls2__free(c->held);
    rls2__free(c->width);
    rls2__free(c->weight);
}

/* ---- one lambda ---- */

static double weight_of(const cover *c, int64_t i)
{
    return c->weights ? c->weights[i] : 1.0;
}

static void calibrate(cover *c, const double *f, int64_t o)
{
    int64_t n = c->cv->rows, count = 0;
    for (int64_t i = 0; i < n; i++) {
        double lo, hi;
        if (c->part[i] < 0) continue;
        rls2__interval_range(&c->about, n, f, o, i, &lo, &hi);
        c->scored[count++] = (rls2__scored_row){rls2__interval_score(c->y[o * n + i], lo, hi),
                                                weight_of(c, i), c->part[i]};
    }
    rls2__interval_sort(count, c->scored);
    for (int64_t p = 0; p < c->parts; p++)
        if (!rls2__interval_quantile_but(c->level, count, c->scored, p, &c->q[p]))
            c->q[p] = (double)NAN;
}

static void hold(cover *c, const double *f, int64_t o)
{
    int64_t n = c->cv->rows;
    c->rows = 0;
    for (int64_t p = 0; p < c->parts; p++) c->held[p] = c->width[p] = c->weight[p] = 0.0;
    for (int64_t i = 0; i < n; i++) {
        int64_t p = c->part[i];
        double lo, hi, weight = weight_of(c, i);
        if (p < 0 || isnan(c->q[p])) continue;
        rls2__interval_range(&c->about, n, f, o, i, &lo, &hi);
        if (rls2__interval_score(c->y[o * n + i], lo, hi) <= c->q[p]) c->held[p] += weight;
        rls2__interval_widen(&c->about, c->q[p], &lo, &hi);
        c->width[p] += weight * (hi - lo);
        c->weight[p] += weight;
        c->rows++;
    }
    for (int64_t p = 0; p < c->parts; p++) {
        c->held[p] /= c->weight[p];
        c->width[p] /= c->weight[p];
    }
}

/* The mean over the parts, by their weights, and its standard error, as of a measure on folds. */
static double mean_of(const cover *c, const double *values, double *error)
{
    double total = 0.0, mean = 0.0, variance = 0.0;
    int64_t used = 0;
    for (int64_t p = 0; p < c->parts; p++) {
        if (!(c->weight[p] > 0.0)) continue;
        total += c->weight[p];
        mean += c->weight[p] * values[p];
        used++;
    }
    mean = used > 0 ? mean / total : (double)NAN;
    for (int64_t p = 0; p < c->parts; p++)
        if (c->weight[p] > 0.0)
            variance += c->weight[p] / total * (values[p] - mean) * (values[p] - mean);
    *error = used > 1 ? sqrt(variance / (double)(used - 1)) : (double)NAN;
    return mean;
}

static rls2_coverage summarize(const cover *c)
{
    rls2_coverage found = {.level = c->level, .rows = c->rows};
    found.coverage = mean_of(c, c->held, &found.coverage_se);
    found.width = mean_of(c, c->width, &found.width_se);
    return found;
}

rls2_status rls2__cv_cover(rls2_cv *cv, double level, const rls2_dataset *data, rls2_error *err)
{
    cover c = {.cv = cv, .level = level, .y = rls2_dataset_y(data)};
    if (!cv->predictions || !cv->owner) return RLS2_OK;
    c.weights = rls2_dataset_row_weights(data);
    c.about.quantiles = has_quantiles(cv);
    c.about.outputs = cv->outputs;
    if (cv->losses) c.about.loss = cv->losses[0];
    int64_t count = rls2__interval_count(&c.about);
    rls2_coverage *found = rls2__alloc(rls2__mul(cv->count, count), sizeof *found);
    int fits = reserve(&c) && found;
    if (fits) divide(&c);
    for (int64_t i = 0; i < cv->count && fits; i++)
        for (int64_t o = 0; o < count; o++) {
            calibrate(&c, rls2_cv_predictions(cv, i), o);
            hold(&c, rls2_cv_predictions(cv, i), o);
            found[i * count + o] = summarize(&c);
        }
    release(&c);
    if (!fits) {
        rls2__free(found);
        return rls2__fail_memory(err, "the intervals");
    }
    rls2__free(cv->coverage);
    cv->coverage = found;
    cv->intervals = count;
    return RLS2_OK;
}
