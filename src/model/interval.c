/* Prediction intervals that were calibrated on left-out rows.  [MATH.md, I1]
 *
 * Each left-out row has a score, how far its response lies outside of what was predicted of it
 * without knowing it:
 *
 *   of one output               |y - f|
 *   of quantiles, lo to hi      max(lo - y, y - hi), negative inside
 *
 * and the interval of a new row is widened on both sides by the least q that the share
 * level (n + 1) / n of all rows, by their weights, does not exceed. */
#include "model/interval.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/status.h"
#include "model/model.h"

/* ---- the quantile ---- */

/* Ties by weight, so that sums do not depend on the order of equal scores. */
static int ascending(const void *a, const void *b)
{
    const rls2__scored_row *u = a, *v = b;
    if (u->score < v->score || u->score > v->score) return u->score < v->score ? -1 : 1;
    return u->weight < v->weight ? -1 : u->weight > v->weight;
}

void rls2__interval_sort(int64_t n, rls2__scored_row *rows)
{
    qsort(rows, (size_t)n, sizeof *rows, ascending);
}

int rls2__interval_quantile_but(double level, int64_t n, const rls2__scored_row *rows, int64_t part,
                                double *q)
{
    static const double ROUNDING = 1e-12; /* 0.9 * 10 is to be reached by 9 rows */
    double total = 0.0, sum = 0.0;
    int64_t count = 0;
    for (int64_t i = 0; i < n; i++) {
        if (rows[i].part == part) continue;
        total += rows[i].weight;
        count++;
    }
    if (count == 0) return 0;
    double needed = level * (total + total / (double)count) * (1.0 - ROUNDING);
    for (int64_t i = 0; i < n; i++) {
        if (rows[i].part == part) continue;
        sum += rows[i].weight;
        if (sum < needed) continue;
        *q = rows[i].score;
        return 1;
    }
    return 0;
}

int rls2__interval_quantile(double level, int64_t n, rls2__scored_row *rows, double *q)
{
    rls2__interval_sort(n, rows);
    return rls2__interval_quantile_but(level, n, rows, -1, q);
}

int64_t rls2__interval_least_rows(double level)
{
    return (int64_t)ceil(level / (1.0 - level) * (1.0 - 1e-12));
}

/* ---- what they are drawn about ---- */

int64_t rls2__interval_count(const rls2__interval_about *about)
{
    return about->quantiles ? 1 : about->outputs;
}

void rls2__interval_range(const rls2__interval_about *about, int64_t n, const double *f, int64_t o,
                          int64_t i, double *lo, double *hi)
{
    *lo = *hi = f[(about->quantiles ? 0 : o) * n + i];
    for (int64_t t = 1; about->quantiles && t < about->outputs; t++) {
        *lo = fmin(*lo, f[t * n + i]);
        *hi = fmax(*hi, f[t * n + i]);
    }
    if (about->loss.kind != RLS2_LOSS_POISSON) return;
    *lo = rls2_loss_mean(about->loss, *lo);
    *hi = rls2_loss_mean(about->loss, *hi);
}

double rls2__interval_score(double y, double lo, double hi)
{
    return fmax(lo - y, y - hi);
}

/* Quantiles that overlap when they are drawn together leave one point. */
void rls2__interval_widen(const rls2__interval_about *about, double q, double *lower, double *upper)
{
    *lower -= q;
    *upper += q;
    if (*lower > *upper) *lower = *upper = 0.5 * *lower + 0.5 * *upper;
    if (rls2_loss_takes_counts(about->loss)) {
        *lower = fmax(*lower, 0.0);
        *upper = fmax(*upper, 0.0);
    }
}

/* ---- calibrating ---- */

static rls2__interval_about about_model(const rls2_model *model)
{
    return (rls2__interval_about){rls2__model_has_quantiles(model), model->output_count,
                                  model->loss};
}

int64_t rls2_model_interval_count(const rls2_model *model)
{
    if (!rls2_model_interval(rls2_model_output(model, 0))) return 0;
    const rls2__interval_about about = about_model(model);
    return rls2__interval_count(&about);
}

/* The one that keeps interval o. */
static rls2_model *keeper(rls2_model *model, int64_t o)
{
    return model->outputs && !rls2__model_has_quantiles(model) ? model->outputs[o] : model;
}

/* Those that were left out have predictions, the others NaN. */
static int64_t score_rows(const rls2_model *model, const rls2__left_out_rows *of, int64_t o,
                          rls2__scored_row *rows)
{
    int64_t count = 0;
    const rls2__interval_about about = about_model(model);
    for (int64_t i = 0; i < of->n; i++) {
        double lo, hi;
        if (isnan(of->f[o * of->n + i])) continue;
        rls2__interval_range(&about, of->n, of->f, o, i, &lo, &hi);
        rows[count++] =
            (rls2__scored_row){.score = rls2__interval_score(of->y[o * of->n + i], lo, hi),
                               .weight = of->weights ? of->weights[i] : 1.0};
    }
    return count;
}

static rls2_status calibrate(rls2_model *model, double level, const rls2__left_out_rows *of,
                             int64_t o, rls2__scored_row *rows, rls2_error *err)
{
    double q;
    int64_t count = score_rows(model, of, o, rows), within = 0;
    if (count == 0 || !rls2__interval_quantile(level, count, rows, &q))
        return rls2__fail(err, RLS2_ERR_VALUE,
                          "intervals of level %g need %" PRId64
                          " left-out rows, and there are %" PRId64,
                          level, rls2__interval_least_rows(level), count);
    if (!isfinite(q))
        return rls2__fail(err, RLS2_ERR_VALUE, "the predictions of left-out rows overflow");
    for (int64_t i = 0; i < count; i++) within += rows[i].score <= q;
    keeper(model, o)->interval = (rls2_interval){level, q, count, within};
    return RLS2_OK;
}

rls2_status rls2__model_calibrate(rls2_model *model, double level, const rls2__left_out_rows *of,
                                  rls2_error *err)
{
    const rls2__interval_about about = about_model(model);
    int64_t count = rls2__interval_count(&about);
    rls2__scored_row *rows = rls2__alloc(of->n, sizeof *rows);
    rls2_status status = rows ? RLS2_OK : rls2__fail_memory(err, "the intervals");
    for (int64_t o = 0; o < count && status == RLS2_OK; o++)
        status = calibrate(model, level, of, o, rows, err);
    rls2__free(rows);
    return status;
}

/* ---- asking ---- */

const rls2_interval *rls2_model_interval(const rls2_model *model)
{
    if (!model) return NULL;
    if (model->head && rls2__model_has_quantiles(model->head)) model = model->head;
    return model->interval.level > 0.0 ? &model->interval : NULL;
}

rls2_status rls2_model_predict_interval(const rls2_model *model, int64_t n, const double *f,
                                        double *lower, double *upper, rls2_error *err)
{
    if (!model) return rls2__fail_null(err, "model");
    if (!f || !lower || !upper) return rls2__fail_null(err, !f ? "f" : !lower ? "lower" : "upper");
    if (n < 0) return rls2__fail(err, RLS2_ERR_ARGUMENT, "n is %" PRId64, n);
    int64_t count = rls2_model_interval_count(model);
    if (count == 0)
        return rls2__fail(err, RLS2_ERR_ARGUMENT,
                          "the model has no intervals: it was not calibrated on left-out rows");
    const rls2__interval_about about = about_model(model);
    for (int64_t o = 0; o < count; o++) {
        double q = keeper((rls2_model *)model, o)->interval.correction;
        for (int64_t i = 0; i < n; i++) {
            rls2__interval_range(&about, n, f, o, i, &lower[o * n + i], &upper[o * n + i]);
            rls2__interval_widen(&about, q, &lower[o * n + i], &upper[o * n + i]);
        }
    }
    return RLS2_OK;
}
