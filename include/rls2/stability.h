/* What is selected again and again: in how many of several trials, each on a part of the rows, a
 * kernel or an input was selected. A selection that depends on which rows there happen to be is not
 * to be relied on. */
#ifndef RLS2_STABILITY_H
#define RLS2_STABILITY_H

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

#ifdef __cplusplus
}
#endif
#endif
