/* Groups of inputs that say more together than in pairs or one by one, and how near rows must be
 * to tell of each other. */
#ifndef RLS2_PLAN_PLAN_GROUPS_H
#define RLS2_PLAN_PLAN_GROUPS_H

#include "plan/plan_pairs.h"

enum { RLS2__GROUP_INPUTS = 5, RLS2__MOST_GROUPS = 4 };

typedef struct rls2__input_group {
    int64_t count;                      /* inputs, at least 2, */
    int64_t inputs[RLS2__GROUP_INPUTS]; /* in the order in which they came */
    double gamma;                       /* of the Gaussian that predicts best */
    double gain; /* of the mean square that the inputs one by one and the groups before leave of
                    rows that are not learned from, the share that this one takes */
} rls2__input_group;

/* Groups that grow out of the pairs, at most RLS2__MOST_GROUPS, in the order in which they were
 * found, no two of the same inputs; how many there are. standardized: columns will be, and are
 * here. Looks at 9,000 rows; calls BLAS. Some seconds on one thread. RLS2_ERR_MEMORY or OK.
 * [MATH.md, L7] */
rls2_status rls2__find_groups(const rls2_dataset *data, int standardized, int64_t pair_count,
                              const rls2__input_pair *pairs, rls2__input_group *groups,
                              int64_t *count);

#endif
