/* Splits whose rows are listed by the caller. */
#ifndef RLS2_SELECT_SPLITS_LISTED_H
#define RLS2_SELECT_SPLITS_LISTED_H

#include "select/splits.h"

rls2_status rls2__splits_listed(int64_t n, int64_t count, const rls2__row_lists *lists,
                                rls2_splits **splits, rls2_error *err);

#endif
