/* Newton's method in the kernel weights. */
#ifndef RLS2_SOLVER_NEWTON_H
#define RLS2_SOLVER_NEWTON_H

#include "solver/solver.h"

rls2_status rls2__newton_create(const rls2__problem *problem, rls2__method *method);

/* Makes d the point from which Newton's method goes on; c may be NULL. Returns 1. */
int rls2__newton_resume(void *state, int64_t count, const int64_t *ks, const double *d,
                        const double *c);

#endif
