/* How stored operators compute. */
#ifndef RLS2_BASIS_SHAPE_H
#define RLS2_BASIS_SHAPE_H

#include "basis/basis.h"

/* rls2__operator_build chooses among them. */
extern const rls2__shape rls2__shape_dense;
extern const rls2__shape rls2__shape_factor;
extern const rls2__shape rls2__shape_rank_one;
extern const rls2__shape rls2__shape_given;

#endif
