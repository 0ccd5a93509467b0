/* Variances and degrees of freedom of models that are linear in few columns.  [MATH.md, G13] */
#ifndef RLS2_MODEL_VARIANCE_LINEAR_H
#define RLS2_MODEL_VARIANCE_LINEAR_H

#include "base/effort.h"
#include "model/model.h"

/* Is every selected kernel linear, in few columns against the rows, and lambda not below the
 * rounding of R(d)? Then R(d) = ZZ' with a Z of as many columns as are in use. */
int rls2__model_is_linear(const rls2_model *model);

/* G = Z'Z (used_count x used_count, lower triangle), rows weighted. */
rls2_status rls2__linear_gram(rls2__effort *effort, const rls2_model *model, double *G);
/* variance[rows->n] from the factor L of G + lambda I. */
rls2_status rls2__linear_variances(rls2__effort *effort, const rls2_model *model,
                                   const rls2_rows *rows, const double *L, double *variance);

#endif
