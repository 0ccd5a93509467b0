/* Stability selection by complementary pairs: what the paths of halves of the rows select.
 * [MATH.md, S2] */
#ifndef RLS2_SELECT_STABILITY_H
#define RLS2_SELECT_STABILITY_H

#include "model/picks.h"
#include "rls2/stability.h"
#include "select/recipe.h"

/* Share of the halves that select a stable input. Shah and Samworth find any in (0.6, 0.9) to do
 * about as well, as the limit goes along with it. */
#define RLS2__STABLE_SHARE 0.75

typedef struct rls2__stable {
    rls2_stability about;
    int64_t outputs;
    rls2__picks *picks; /* outputs: trial 2 b + h is half h of pair b */
} rls2__stable;

typedef struct rls2__stable_options {
    int64_t pairs;
    double errors; /* of the worst case, which says how many inputs a half may select */
    uint64_t seed;
    const double *strata;      /* rows; NULL: one */
    int threads;               /* of all halves together */
    rls2_progress_fn progress; /* stage "halves"; called from the calling thread */
    void *progress_user;
    const rls2__fit *prepared; /* as of rls2__cv_options */
} rls2__stable_options;

/* Inputs that a kernel of the dictionary looks at alone or with one or two others: p of the bounds.
 * -1 when out of memory. */
int64_t rls2__stable_inputs(const rls2_dictionary *dictionary, const rls2_dataset *data);

/* By a recipe that agrees with `from`, whose lambdas are not looked at: each half has a grid of its
 * own. The table is that of from->whole. RLS2_ERR_CANCELLED where it is stopped. Cost: 2 pairs
 * paths of half the rows, as far as `limit` inputs; memory as of a split, for as many at a time as
 * there are threads. */
rls2_status rls2__stable_find(const rls2_table *table, const rls2__ingredients *from,
                              const rls2__recipe *recipe, const rls2__stable_options *options,
                              rls2__stable **stable, rls2_error *err);
/* NULL is accepted. */
void rls2__stable_free(rls2__stable *stable);

/* rls2_fit_kernel_selections and rls2_fit_input_selections. RLS2_ERR_MEMORY or OK. */
rls2_status rls2__stable_kernel_counts(const rls2__stable *stable,
                                       const rls2_dictionary *dictionary, int64_t *counts);
rls2_status rls2__stable_input_counts(const rls2__stable *stable, const rls2_dictionary *dictionary,
                                      const rls2_dataset *data, int64_t *counts);

/* A model of the same dictionary and outputs remembers it. RLS2_ERR_MEMORY or OK. */
rls2_status rls2__stable_tell_model(const rls2__stable *stable, rls2_model *model);

#endif
