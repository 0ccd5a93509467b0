/* The pilot of a tall fit: a path on a sample of the rows, which says which kernels of several
 * columns are worth features. [MATH.md, L3]
 *
 * Weights alone do not tell: a Gaussian so narrow that rows hardly see each other gets weight, as
 * noise would, but says nothing of other rows. So some rows of the sample are learned from and
 * others score: a kernel counts with the share of their variance that it explains, at the lambda
 * that predicts them best or a larger one. */
#ifndef RLS2_SELECT_TALL_PILOT_H
#define RLS2_SELECT_TALL_PILOT_H

#include "rls2/path.h"
#include "stats/landmarks.h"

/* All borrowed. */
typedef struct rls2__pilot_job {
    const rls2_dataset *data; /* prepared */
    const rls2__axes *axes;
    const rls2_dictionary *dictionary;
    const rls2_basis_options *basis;
    const rls2_path_options *path;
    int64_t rows;   /* that will be counted: data may be a sample of them */
    int64_t wanted; /* kernels, the last ones, that get features in any case */
    int64_t seed;
    const rls2_control *control;
} rls2__pilot_job;

/* Features for the kernels that the pilot chose, on landmarks among the rows of the sample; NULL
 * where the dictionary has none that needs any. Free with rls2__features_free. Calls BLAS. */
rls2_status rls2__pilot_features(rls2__effort *effort, const rls2__pilot_job *job,
                                 rls2__features **features, rls2_error *err);

#endif
