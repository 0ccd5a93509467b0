/* Losses: what a prediction t costs where the response is y.
 *
 *   square         1/2 (y - t)^2                      the mean; RLS2 itself
 *   logistic       log(1 + exp(-y t))                 labels y = -1, 1; t is the log of the odds
 *   hinge          max(0, 1 - y t)                    labels; the margin of support vectors
 *   squared-hinge  1/2 max(0, 1 - y t)^2              labels
 *   huber(a)       1/2 (y - t)^2 up to |y - t| = a,   the mean, but for outliers; a in units of y
 *                  a |y - t| - a^2/2 beyond
 *   quantile(a)    a (y - t) above, (1-a)(t - y) below  the quantile a of y, 0 < a < 1
 *   epsilon(a)     max(0, |y - t| - a)                support vector regression; a in units of y
 *   absolute       |y - t|                            the median: twice quantile(0.5)
 *   poisson        exp(t) - y t + y log y - y         counts y >= 0; t is the log of the rate
 *   multinomial    log sum_o exp(t_o) - t_class       classes, each of which has a t: the response
 *                                                     is 1 in the column of the class, -1 in others
 *
 * Each is convex in t, and its certificate is as rigorous as that of the square loss: with L* the
 * conjugate of L in t, every c with 1'c = 0 where the intercept is free bounds the minimum by
 *
 *   dual = - sum_i w_i L*(-lambda c_i / w_i) - lambda/2 max_k c'R^k c */
#ifndef RLS2_LOSS_H
#define RLS2_LOSS_H

#include <stddef.h>
#include <stdint.h>

#include "rls2/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum rls2_loss_kind {
    RLS2_LOSS_SQUARE = 0,
    RLS2_LOSS_LOGISTIC = 1,
    RLS2_LOSS_HINGE = 2,
    RLS2_LOSS_SQUARED_HINGE = 3,
    RLS2_LOSS_HUBER = 4,
    RLS2_LOSS_QUANTILE = 5,
    RLS2_LOSS_EPSILON = 6,
    RLS2_LOSS_ABSOLUTE = 7,
    RLS2_LOSS_POISSON = 8,
    RLS2_LOSS_MULTINOMIAL = 9 /* of all outputs together, which share kernel weights */
} rls2_loss_kind;

/* A loss with its parameter a, which counts for huber, quantile and epsilon alone. */
typedef struct rls2_loss {
    rls2_loss_kind kind;
    double parameter;
} rls2_loss;

/* The loss that a word like "logistic" or "quantile(0.1)" names. RLS2_ERR_SYNTAX for a word that is
 * none, RLS2_ERR_VALUE for a parameter out of range or missing. "huber" and "epsilon" may stand
 * alone: their parameter is NaN then, for which a plan (rls2/plan.h) takes a distance that suits
 * the target; rls2_path_fit refuses it. */
RLS2_API rls2_status rls2_loss_parse(const char *text, rls2_loss *loss, rls2_error *err);
/* Most quantiles that one list names. */
enum { RLS2_LOSS_LEVELS = 99 };
/* The same, or several quantiles of one response, as in "quantile(0.05,0.5,0.95)": from 2 to 99
 * levels that ascend. losses has room for RLS2_LOSS_LEVELS, of which *count are set. RLS2_ERR_VALUE
 * also where levels do not ascend or are too many. */
RLS2_API rls2_status rls2_losses_parse(const char *text, rls2_loss *losses, int64_t *count,
                                       rls2_error *err);
/* The word for it, as rls2_loss_parse reads it: at most `room` bytes with the final zero, 40 being
 * enough. Returns text. */
RLS2_API char *rls2_loss_text(rls2_loss loss, char *text, size_t room);

/* 1 where predictions say how probable classes are. */
RLS2_API int rls2_loss_has_probabilities(rls2_loss loss);
/* What its responses are: 1 where they are labels, -1 or 1; 1 where they are not negative. */
RLS2_API int rls2_loss_takes_labels(rls2_loss loss);
RLS2_API int rls2_loss_takes_counts(rls2_loss loss);

/* L(y, t), Infinity where it is out of range; NaN where y is none of its responses, and of the
 * multinomial loss, which is no function of one t. */
RLS2_API double rls2_loss_value(rls2_loss loss, double y, double t);
/* What t says of y: the probability of label 1 (logistic), the rate (poisson), else t; NaN of the
 * multinomial loss. */
RLS2_API double rls2_loss_mean(rls2_loss loss, double t);
/* The probabilities of classes that f[n x outputs] says, column-major: p[n x max(2, outputs)] with
 * the classes in the order of rls2_decide. Logistic with one output: 1 - p and p of label 1; with
 * several, each against the rest, divided by their sum. Multinomial: exp(f_o) over the sum of
 * these. All are above 0 and below 1, and rows sum to 1 but for rounding. RLS2_ERR_VALUE for losses
 * that know no probabilities, and where f has a value that is not finite. */
RLS2_API rls2_status rls2_loss_probabilities(rls2_loss loss, int64_t outputs, int64_t n,
                                             const double *f, double *p, rls2_error *err);

#ifdef __cplusplus
}
#endif
#endif
