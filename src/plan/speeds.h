/* How fast this machine is at what a fit mostly does. */
#ifndef RLS2_PLAN_SPEEDS_H
#define RLS2_PLAN_SPEEDS_H

#include "plan/cost.h"

/* Times a small product of matrices, reading, and values of some kernels of the dictionary, for a
 * few hundredths of a second in all. */
rls2_status rls2__speeds_measure(const rls2_dictionary *dictionary, const rls2_rows *rows,
                                 rls2__speeds *speeds, rls2_error *err);

#endif
