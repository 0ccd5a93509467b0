/* A recipe followed on a whole table: data set, dictionary, bases, grid, paths, models, in one
 * call.
 *
 * It does what the steps of the other headers do one by one, in the order and with the numbers of
 * `rls2 path` and `rls2 train`; front ends should use it. */
#ifndef RLS2_FIT_H
#define RLS2_FIT_H

#include "rls2/select.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rls2_fit rls2_fit;

/* Start from rls2_fit_options_default(). Everything is borrowed for the call. */
typedef struct rls2_fit_options {
    /* Rows that are not learned from, with the columns of the table; NULL (default): none. Their
     * target may be absent. */
    const rls2_table *test;
    int transductive_features; /* 1: features are measured over the test rows too; default 0 */
    int transductive; /* 1: so are the scalings of kernels (not with given matrices); default 0 */
    int threads;      /* 0 (default): one per core. Same results for any number */
    rls2_progress_fn
        progress; /* kernels while the basis is made, then points of all paths together */
    void *progress_user;
} rls2_fit_options;

RLS2_API rls2_fit_options rls2_fit_options_default(void);

/* Fits the paths of all outputs. Rows with an empty cell are left out as data.drop_missing says.
 * The given matrices of the recipe are between the rows that remain. When the progress callback
 * asks to stop while kernels are made the call ends with RLS2_ERR_CANCELLED; later it succeeds,
 * with the lambdas finished so far. The table may go afterwards, the recipe's given matrices are
 * copied. options may be NULL. */
RLS2_API rls2_status rls2_fit_table(const rls2_table *table, const rls2_recipe *recipe,
                                    const rls2_fit_options *options, rls2_fit **fit,
                                    rls2_error *err);
RLS2_API void rls2_fit_free(rls2_fit *fit);

/* What it was made of, owned by the fit: preprocessed rows, NULL for test rows that were not given.
 */
RLS2_API const rls2_dataset *rls2_fit_data(const rls2_fit *fit);
RLS2_API const rls2_dataset *rls2_fit_test(const rls2_fit *fit);
RLS2_API const rls2_dictionary *rls2_fit_dictionary(const rls2_fit *fit);
/* Of output o; NULL if out of range. */
RLS2_API const rls2_basis *rls2_fit_basis(const rls2_fit *fit, int64_t o);
RLS2_API const rls2_path *rls2_fit_path(const rls2_fit *fit, int64_t o);
RLS2_API int64_t rls2_fit_outputs(const rls2_fit *fit);
/* Values of lambda finished for all outputs, of those asked for. */
RLS2_API int64_t rls2_fit_count(const rls2_fit *fit);
RLS2_API int64_t rls2_fit_asked(const rls2_fit *fit);
/* A model of all outputs at lambda i, attached to its data; the fit may go. */
RLS2_API rls2_status rls2_fit_model(const rls2_fit *fit, int64_t i, rls2_model **model,
                                    rls2_error *err);
/* Predictions of the training rows (test 0) or the test rows (1) at lambda i: f[rows x outputs]. */
RLS2_API rls2_status rls2_fit_predict(const rls2_fit *fit, int64_t i, int test, double *f,
                                      rls2_error *err);

#ifdef __cplusplus
}
#endif
#endif
