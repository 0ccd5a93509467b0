/* The experiment of gene expressions with made data of any shape; experiment_cancers takes that of
 * 14 Cancers. */
#ifndef RLS2_EXPERIMENTS_CANCERS_H
#define RLS2_EXPERIMENTS_CANCERS_H

#include "experiments/cancer_sets.h"

/* r->splits is the number of made data sets (0: three); it changes nothing for the real ones. */
rls2_status cancers_study(const reproduction *r, const cancer_plan *plan, sheet **results,
                          rls2_error *err);

#endif
