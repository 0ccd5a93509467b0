/* The alternating method of the paper. */
#ifndef RLS2_SOLVER_ALTERNATE_H
#define RLS2_SOLVER_ALTERNATE_H

#include "solver/solver.h"

rls2_status rls2__alternate_create(const rls2__problem *problem, rls2__method *method);

#endif
