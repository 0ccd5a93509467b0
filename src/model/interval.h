/* Calibrating the intervals of a model. */
#ifndef RLS2_MODEL_INTERVAL_H
#define RLS2_MODEL_INTERVAL_H

#include "rls2/model.h"

/* What was predicted of rows without knowing them; borrowed. */
typedef struct rls2__left_out_rows {
    int64_t n;
    const double *f;       /* n x outputs, as rls2_model_predict has them; NaN: not left out */
    const double *y;       /* n x outputs */
    const double *weights; /* n, or NULL */
} rls2__left_out_rows;

/* The model keeps the correction of each of its intervals. RLS2_ERR_VALUE where rows are too few
 * for the level. */
rls2_status rls2__model_calibrate(rls2_model *model, double level, const rls2__left_out_rows *of,
                                  rls2_error *err);
/* Fewest rows without weights that have intervals of that level. */
int64_t rls2__interval_least_rows(double level);

typedef struct rls2__scored_row {
    double score, weight;
    int64_t part; /* of the rows, by whoever divides them; else 0 */
} rls2__scored_row;
/* The least score that rows of at least level (1 + 1/n) of the weight of all do not exceed; 0
 * where that is more than all. The rows are put in order. */
int rls2__interval_quantile(double level, int64_t n, rls2__scored_row *rows, double *q);
/* The same of rows in order, without those of a part; -1: with all. */
int rls2__interval_quantile_but(double level, int64_t n, const rls2__scored_row *rows, int64_t part,
                                double *q);
void rls2__interval_sort(int64_t n, rls2__scored_row *rows);

/* What intervals are drawn about: each output, or the outer of several quantiles of one target. */
typedef struct rls2__interval_about {
    int quantiles;
    int64_t outputs;
    rls2_loss loss;
} rls2__interval_about;
int64_t rls2__interval_count(const rls2__interval_about *about);
/* Between what predictions f[n x outputs] say of row i, on the scale of the response. */
void rls2__interval_range(const rls2__interval_about *about, int64_t n, const double *f, int64_t o,
                          int64_t i, double *lo, double *hi);
/* How far y lies outside; negative within. */
double rls2__interval_score(double y, double lo, double hi);
void rls2__interval_widen(const rls2__interval_about *about, double q, double *lower,
                          double *upper);

#endif
