/* What is selected again and again: in how many of several trials, each on a part of the rows, a
 * kernel or an input was selected. A selection that depends on which rows there happen to be is not
 * to be relied on.
 *
 * Stability selection by complementary pairs (Shah and Samworth 2013; docs/MATH.md, S2) draws B
 * pairs of disjoint halves of the training rows. On each half the path goes down from its largest
 * lambda for as long as at most q inputs have been selected; those are what the half selects.
 * Inputs that are selected by at least a share tau of the 2 B halves are called stable. Of inputs
 * that a half selects no more often than one drawn at random, with probability q/p at most, so many
 * are expected among the stable ones:
 *
 *   errors          q^2 / ((2 tau - 1) p) at most, whatever the data
 *   likely_errors   at most, if the share of halves that select such an input is distributed with
 *                   one peak and a tail that falls off like that of most distributions
 *                   (r-concave), which is less */
#ifndef RLS2_STABILITY_H
#define RLS2_STABILITY_H

#include "rls2/fit.h"
#include "rls2/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Kinds of trials that a model may remember, and its file. */
typedef enum rls2_trials {
    RLS2_TRIALS_SPLITS = 0, /* the splits by which its lambda was chosen: their paths at that
                               lambda. They share most of their rows, so that they agree more than
                               new data would */
    RLS2_TRIALS_HALVES = 1, /* halves of the rows, of stability selection */
    RLS2_TRIALS_COUNT = 2
} rls2_trials;

/* How many there were; 0 where they are not known. */
RLS2_API int64_t rls2_model_trials(const rls2_model *model, rls2_trials which);
/* Trials in which any of these `count` kernels, by their numbers in the dictionary, was selected;
 * of several outputs: by any of them. O(trials count outputs). */
RLS2_API int64_t rls2_model_selections_of(const rls2_model *model, rls2_trials which, int64_t count,
                                          const int64_t *kernels);
/* counts[kernels of the dictionary]: the same of each kernel. O(m + trials * kernels that any trial
 * selected). */
RLS2_API rls2_status rls2_model_kernel_selections(const rls2_model *model, rls2_trials which,
                                                  int64_t *counts, rls2_error *err);
/* counts[rls2_model_input_count]: trials that selected each input: a kernel that looks at it alone,
 * or at it and one or two others. Kernels on more inputs, or on all there are, select none of them.
 * All 0 where the trials are not known. O(p + trials * kernels that any trial selected). */
RLS2_API rls2_status rls2_model_input_selections(const rls2_model *model, rls2_trials which,
                                                 int64_t *counts, rls2_error *err);

/* ---- stability selection ---- */

/* Owned by the library; members may be added at the end. */
typedef struct rls2_stability {
    int64_t pairs;
    int64_t rows;         /* in each half */
    int64_t inputs;       /* p: that some kernel looks at alone or with one or two others */
    int64_t limit;        /* q: most inputs that a half selects */
    double mean;          /* inputs that a half did select */
    double threshold;     /* tau */
    int64_t least;        /* halves that select a stable input, at least: tau 2 B, rounded up */
    double errors;        /* expected number of inputs selected wrongly: bound for any data, */
    double likely_errors; /* and for r-concave distributions */
} rls2_stability;
/* What a plan with the setting "stability" has found, and its model remembers; NULL where it was
 * not asked for. Owned by the model or the fit. */
RLS2_API const rls2_stability *rls2_model_stability(const rls2_model *model);
RLS2_API const rls2_stability *rls2_fit_stability(const rls2_fit *fit);
/* As rls2_model_kernel_selections and rls2_model_input_selections with RLS2_TRIALS_HALVES, where
 * there is no model: counts[kernels of the dictionary] and counts[inputs of rls2_fit_data].
 * RLS2_ERR_ARGUMENT where it was not asked for. */
RLS2_API rls2_status rls2_fit_kernel_selections(const rls2_fit *fit, int64_t *counts,
                                                rls2_error *err);
RLS2_API rls2_status rls2_fit_input_selections(const rls2_fit *fit, int64_t *counts,
                                               rls2_error *err);

/* The two bounds, for B pairs, at most q of p inputs in a half, and tau. errors and likely_errors
 * may be NULL. RLS2_ERR_ARGUMENT unless 1 <= pairs <= 10000, 1 <= limit <= inputs and
 * 1/2 < threshold <= 1. O(pairs^2): milliseconds for 50, a minute or so for 10000. */
RLS2_API rls2_status rls2_stability_bounds(int64_t pairs, int64_t limit, int64_t inputs,
                                           double threshold, double *errors, double *likely_errors,
                                           rls2_error *err);

#ifdef __cplusplus
}
#endif
#endif
