/* A fit of a whole table as it is kept. */
#ifndef RLS2_PLAN_FIT_TABLE_H
#define RLS2_PLAN_FIT_TABLE_H

#include "rls2/fit.h"
#include "select/recipe.h"

struct rls2_fit {
    rls2_dataset *whole; /* not preprocessed: what the ingredients refer to */
    rls2__ingredients ingredients;
    rls2__fit made;
    int64_t asked; /* lambdas, and how many are finished for all outputs */
    int64_t count;
};

/* The arguments have been checked. */
rls2_status rls2__fit_table(const rls2_table *table, const rls2_recipe *recipe,
                            const rls2_fit_options *options, rls2_fit **fit, rls2_error *err);
void rls2__fit_destroy(rls2_fit *fit);

#endif
