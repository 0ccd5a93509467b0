/* What each kernel's part of the predictions explains of rows that were left out.
 *
 * Of a split with training mean m, let r = y - m be the response of its left-out rows, f = b +
 * sum_k f_k their prediction and g = f - m. Over the left-out rows of all splits, by their weights,
 *
 *   share_k = cov(f_k, 2 r - g) / var(r)                                         [MATH.md, V4]
 *
 * With the intercept's, which is of the order 1/n, the shares sum to 1 - var(y - f) / var(r). A
 * split adds its sums to those of the splits before it, so that nothing is kept of rows, and only
 * kernels that some split selects have a place.
 *
 * Predictions of another loss than the square one are on a scale of their own, which the response
 * is not on. Their shares are those of the variance of the predictions themselves,
 *
 *   share_k = cov(f_k, g) / var(g)
 *
 * which sum to 1. */
#ifndef RLS2_SELECT_TALLY_H
#define RLS2_SELECT_TALLY_H

#include "base/effort.h"
#include "model/picks.h"
#include "solver/path.h"

/* Sums over left-out rows, of one output. */
typedef struct rls2__tally {
    int64_t count;     /* lambdas */
    int64_t *first;    /* count + 1: where the kernels of a lambda begin among */
    int64_t *kernels;  /* those of all lambdas, ascending for each */
    double *product;   /* for each of them, sum w f_k (2 r - g); once finished its share */
    double *part;      /* and sum w f_k */
    uint64_t *who;     /* and by which of the splits it was selected: rls2__words_of(splits) bits */
    double *rest;      /* count: sum w (2 r - g) */
    int64_t splits;    /* that these are the sums of, in their order */
    double weight;     /* sum w */
    double response;   /* sum w r */
    double square;     /* sum w r^2 */
    int of_themselves; /* shares are of the variance of the predictions: r is not looked at */
    int64_t room;      /* kernels of all lambdas there is room for */
} rls2__tally;

/* Left-out rows as a tally looks at them. */
typedef struct rls2__tally_rows {
    int64_t n;
    const double *y;       /* NULL: shares are of the variance of the predictions */
    const double *weights; /* n; NULL: each row is one */
    double mean;           /* of the training rows' y, by their weights */
} rls2__tally_rows;

/* Predicts `rows` by all points of a path, f[n x count], and sums up the parts: *tally is new.
 * `rows` have the responses of `about`. */
rls2_status rls2__tally_predict(rls2__effort *effort, const rls2_path *path, const rls2_rows *rows,
                                const rls2__tally_rows *about, double *f, rls2__tally **tally,
                                rls2_error *err);
/* Sums that are zero still, for the kernels of a path. NULL when out of memory. */
rls2__tally *rls2__tally_of_path(const rls2_path *path);
/* *sum += more, which is freed; NULL is nothing yet. RLS2_ERR_MEMORY or OK. */
rls2_status rls2__tally_add(rls2__tally **sum, rls2__tally *more);
/* *sum goes on with the lambdas of `more`, of the same rows, which is freed; NULL is nothing yet.
 * RLS2_ERR_MEMORY or OK. */
rls2_status rls2__tally_join(rls2__tally **sum, rls2__tally *more);
/* From sums to shares. */
void rls2__tally_finish(rls2__tally *tally);
void rls2__tally_free(rls2__tally *tally);

#endif
