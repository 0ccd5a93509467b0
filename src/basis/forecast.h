/* The memory a basis will take. */
#ifndef RLS2_BASIS_FORECAST_H
#define RLS2_BASIS_FORECAST_H

#include "dictionary/dictionary.h"

/* The arguments have been checked; given matrices need not be there. RLS2_ERR_MEMORY only. */
rls2_status rls2__forecast(const rls2_dictionary *dictionary, const rls2_rows *rows,
                           rls2_forecast *forecast);

#endif
