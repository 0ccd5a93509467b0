/* Features standardised, as most tests want them. */
#ifndef TESTS_SUPPORT_STANDARDIZE_H
#define TESTS_SUPPORT_STANDARDIZE_H

#include "rls2/table.h"

static inline rls2_status standardize(rls2_dataset *dataset)
{
    return rls2_dataset_preprocess(dataset, RLS2_NORMALIZE_NONE, RLS2_NORMALIZE_STANDARDIZE, NULL,
                                   NULL);
}

#endif
