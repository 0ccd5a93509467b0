/* What stands beside cross-validation for comparison: fixed kernel weights, chosen by simple rules.
 */
#ifndef RLS2_SELECT_BASELINES_H
#define RLS2_SELECT_BASELINES_H

#include "base/effort.h"
#include "select/recipe.h"

/* Weights of kernels of a basis; a count of 0 means that the rule gives none. */
typedef struct rls2__weighting {
    int64_t count;
    int64_t *ks; /* room for all kernels, ascending */
    double *d;   /* of sum 1 */
} rls2__weighting;

rls2_status rls2__weighting_create(const rls2_basis *basis, rls2__weighting *weighting);
void rls2__weighting_free(rls2__weighting *weighting);

/* alignments[k] = y'R^k y / |R^k|_F for all kernels, 0 where that is negative or not finite; y is
 * the response less the intercept, times the roots of the rows' weights where they have any.
 * [MATH.md, B2] RLS2_ERR_MEMORY, RLS2_ERR_CANCELLED or OK. */
rls2_status rls2__alignments(rls2__effort *effort, const rls2_basis *basis, const double *y,
                             double *alignments);
/* The same of a response with its intercept, whose rows are not weighted yet. */
rls2_status rls2__align(const rls2_path_options *options, const rls2_control *control,
                        int64_t lambdas, const rls2_basis *basis, const double *y,
                        double *alignments);
/* The weights by the rule (any but RIDGE) from the alignments. */
void rls2__weigh(rls2_baseline rule, const rls2_basis *basis, const double *alignments,
                 rls2__weighting *weighting);

/* The same for one of `outputs` responses. Where one of several is constant, as that of a class
 * that is absent, no kernel is aligned and any will do: the fit is the intercept. */
void rls2__weigh_output(rls2_baseline rule, int64_t outputs, const rls2_basis *basis,
                        const double *y, const double *alignments, rls2__weighting *weighting);

/* Called with the path of each output of a baseline, in order, before it is freed; not with those
 * that follow one for which the rule gives no weights. */
typedef rls2_status (*rls2__baseline_fn)(void *user, rls2_baseline which, int64_t output,
                                         const rls2_path *path, rls2_error *err);

/* Fits all baselines to the training data of `fit`, whose bases are made, one after another. Every
 * output has weights of its own, but for the classes of a multinomial loss, which share them.
 * RLS2_ERR_CANCELLED where progress asks to stop. */
rls2_status rls2__fit_baselines(const rls2__recipe *recipe, const rls2__fit *fit, int64_t count,
                                const double *lambdas, const rls2_control *control,
                                rls2__baseline_fn take, void *take_user, rls2_error *err);

/* constants[outputs] that lose least on the training data of `fit` by themselves, on the scale of
 * the loss: of classes their log-odds or the logarithms of their frequencies. */
rls2_status rls2__best_constants(const rls2__recipe *recipe, const rls2__fit *fit,
                                 double *constants, rls2_error *err);

#endif
