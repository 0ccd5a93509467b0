/* How stored operators compute. */
#ifndef RLS2_BASIS_SHAPE_H
#define RLS2_BASIS_SHAPE_H

#include "basis/basis.h"

/* rls2__operator_build chooses among them. */
extern const rls2__shape rls2__shape_dense;
extern const rls2__shape rls2__shape_factor;
extern const rls2__shape rls2__shape_rank_one;
extern const rls2__shape rls2__shape_given;
/* Made by rls2__operator_take alone. */
extern const rls2__shape rls2__shape_rounded;

/* Operators of many values are computed in parts: is this one of them, how many parts has it, at
 * most RLS2__MOST_PARTS, and what is one of them, c'R c being `scale` times their sum? They are cut
 * by the size of the operator alone. */
double rls2__operator_values(const rls2__operator *op, int64_t n); /* that it reads */
int rls2__operator_is_cut(const rls2__operator *op, int64_t n);
int64_t rls2__operator_parts(const rls2__operator *op, int64_t n);
double rls2__operator_part(const rls2__operator *op, int64_t n, int64_t part, const double *c);

#endif
