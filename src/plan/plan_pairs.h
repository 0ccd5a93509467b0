/* Pairs of inputs that say more together than apart. */
#ifndef RLS2_PLAN_PLAN_PAIRS_H
#define RLS2_PLAN_PLAN_PAIRS_H

#include "rls2/status.h"
#include "rls2/table.h"

typedef struct rls2__input_pair {
    int64_t first, second; /* inputs */
    double share;          /* of the variance that is left by all inputs one by one */
} rls2__input_pair;

/* At most `most` pairs, the strongest first, into pairs; how many there are. Only those that can
 * hardly be chance. Looks at some ten thousand rows. RLS2_ERR_MEMORY or OK. */
rls2_status rls2__find_pairs(const rls2_dataset *data, int64_t most, rls2__input_pair *pairs,
                             int64_t *count);

#endif
