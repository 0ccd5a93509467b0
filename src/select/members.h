/* Predictors that may stand beside the sparse path in a stack: the averages of all kernels, plain
 * and weighted by alignment, and each kernel that looks at all columns by itself. Their weights are
 * not learned, so that all lambdas together take about five factorisations.  [MATH.md, S1] */
#ifndef RLS2_SELECT_MEMBERS_H
#define RLS2_SELECT_MEMBERS_H

#include "select/recipe.h"

/* In the place of a kernel. */
enum { RLS2__AVERAGE = -1, RLS2__ALIGNED = -2, RLS2__AVERAGES = 2 };

/* Candidates: RLS2__AVERAGE and RLS2__ALIGNED, then kernels by their number in the dictionary. */
typedef struct rls2__members {
    int64_t count;
    int64_t learned;      /* from here on kernels whose widths are learned */
    int64_t *kernels;     /* count */
    double **predictions; /* of each, as those of rls2_cv */
} rls2__members;

/* How many there would be. */
int64_t rls2__members_count(const rls2_dictionary *dictionary);
/* RLS2_ERR_MEMORY only; free even then. */
rls2_status rls2__members_create(const rls2_dictionary *dictionary, rls2__members **members);
/* NULL is accepted. */
void rls2__members_free(rls2__members *members);

/* The baseline that an average is. */
rls2_baseline rls2__member_rule(int64_t kernel);

/* Called with the path of each output, in order, before it is freed. */
typedef rls2_status (*rls2__member_fn)(void *user, int64_t output, const rls2_path *path,
                                       rls2_error *err);
/* Fits one kernel, or the average, to the training data of `fit`, whose bases are made.
 * RLS2_ERR_NUMERIC where a path overflows, the kernel cannot be scaled, or no two rows are alike by
 * it: there is no such member. */
rls2_status rls2__fit_member(const rls2__recipe *recipe, const rls2__fit *fit, int64_t kernel,
                             int64_t count, const double *lambdas, const rls2_control *control,
                             rls2__member_fn take, void *user, rls2_error *err);
/* The same, its paths being the caller's: paths[outputs], freed where it fails. */
rls2_status rls2__fit_member_paths(const rls2__recipe *recipe, const rls2__fit *fit, int64_t kernel,
                                   double lambda, const rls2_control *control, rls2_path **paths,
                                   rls2_error *err);

#endif
