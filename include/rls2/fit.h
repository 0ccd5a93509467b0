/* What a plan led to: bases, paths, the curve of cross-validation, the choice, models. */
#ifndef RLS2_FIT_H
#define RLS2_FIT_H

#include "rls2/control.h"
#include "rls2/select.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Parts of the rows. */
typedef enum rls2_part {
    RLS2_PART_TRAINING = 0,
    RLS2_PART_TEST = 1,
    RLS2_PART_VALIDATION = 2
} rls2_part;

/* Made by rls2_plan_fit. For a NULL fit counts are 0 and pointers NULL. */
typedef struct rls2_fit rls2_fit;
RLS2_API void rls2_fit_free(rls2_fit *fit);

/* What it was made of, owned by the plan: preprocessed rows; NULL for test rows where there are
 * none. */
RLS2_API const rls2_dataset *rls2_fit_data(const rls2_fit *fit);
RLS2_API const rls2_dataset *rls2_fit_test(const rls2_fit *fit);
RLS2_API const rls2_dictionary *rls2_fit_dictionary(const rls2_fit *fit);
RLS2_API int64_t rls2_fit_outputs(const rls2_fit *fit);

/* Of output o; NULL if out of range, or before there is a path. */
RLS2_API const rls2_basis *rls2_fit_basis(const rls2_fit *fit, int64_t o);
RLS2_API const rls2_path *rls2_fit_path(const rls2_fit *fit, int64_t o);
/* Values of lambda finished for all outputs, of those asked for. */
RLS2_API int64_t rls2_fit_count(const rls2_fit *fit);
RLS2_API int64_t rls2_fit_asked(const rls2_fit *fit);
/* Point i of all outputs together: of one output as it is; of several the sums, the largest gap and
 * residual, the worst outcome, and the kernels that any of them selects. NULL if out of range. */
RLS2_API const rls2_path_point *rls2_fit_at(const rls2_fit *fit, int64_t i);
/* Seconds that kernels and path took. */
RLS2_API double rls2_fit_seconds(const rls2_fit *fit);

/* The curve of cross-validation; NULL where there is none. */
RLS2_API const rls2_cv *rls2_fit_cv(const rls2_fit *fit);
/* Criteria of all points, summed over the outputs; computed unless they are there. control may be
 * NULL; when it asks to stop, RLS2_ERR_CANCELLED. Points without degrees of freedom get those the
 * criteria are made with. Cost: as rls2_path_criteria for each output. */
RLS2_API rls2_status rls2_fit_criteria(rls2_fit *fit, const rls2_control *control, rls2_error *err);
/* NULL before that, or out of range. */
RLS2_API const rls2_criteria *rls2_fit_criteria_at(const rls2_fit *fit, int64_t i);
/* A criterion by its word, "gcv", "cp", "aic", "bic" or "loo"; NaN for any other. */
RLS2_API double rls2_criterion(const rls2_criteria *criteria, const char *word);

/* The largest lambda at the least value of a criterion; -1 where it is not defined for any, or the
 * criteria are not there. */
RLS2_API int64_t rls2_fit_least(const rls2_fit *fit, const char *word);

/* What the path alone chooses, where no rows are left out, or not yet: the least value of "gcv",
 * or of "aic" where that is not defined and the loss is a likelihood; -1 for losses that have
 * neither, and where the value is the last that was asked for. There the criterion still falls, and
 * what it would choose is the most flexible model of all, which may go through every row. *word
 * (may be NULL) is the criterion, NULL with -1. Needs rls2_fit_criteria. */
RLS2_API int64_t rls2_fit_path_choice(const rls2_fit *fit, const char **word);

/* The point that is chosen, by lambda or by select and rule; -1 where none is. Of a goal CURVE it
 * is one of the curve. */
RLS2_API int64_t rls2_fit_chosen(const rls2_fit *fit);
/* Its model, attached to its data; made once, owned by the fit. NULL unless the goal is MODEL. */
RLS2_API const rls2_model *rls2_fit_chosen_model(const rls2_fit *fit);
/* A model of all outputs at point i, attached to its data; the fit and the plan may go. The one
 * chosen on left-out rows remembers these: rls2_model_left_out. */
RLS2_API rls2_status rls2_fit_model(const rls2_fit *fit, int64_t i, rls2_model **model,
                                    rls2_error *err);

/* Predictions of point i for the training rows or the test rows: f[rows x outputs]. */
RLS2_API rls2_status rls2_fit_predict(const rls2_fit *fit, int64_t i, rls2_part part, double *f,
                                      rls2_error *err);
/* Of all points: f[rows x outputs x count]. A kernel that is selected at several points is
 * evaluated once. */
RLS2_API rls2_status rls2_fit_predict_path(const rls2_fit *fit, rls2_part part, double *f,
                                           rls2_error *err);
/* The same on several threads, with progress (stage "rows"), and RLS2_ERR_CANCELLED where that
 * stops it. */
RLS2_API rls2_status rls2_fit_predict_path_watched(const rls2_fit *fit, rls2_part part,
                                                   const rls2_control *control, double *f,
                                                   rls2_error *err);

#ifdef __cplusplus
}
#endif
#endif
