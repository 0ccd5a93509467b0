/* Variances of predictions, and degrees of freedom. */
#ifndef RLS2_MODEL_VARIANCE_H
#define RLS2_MODEL_VARIANCE_H

#include "base/effort.h"
#include "model/model.h"

/* variance[rows->n], and the degrees of freedom. Written in part where RLS2_ERR_CANCELLED. */
rls2_status rls2__model_variances(rls2__effort *effort, const rls2_model *model,
                                  const rls2_rows *rows, double *variance);
rls2_status rls2__model_df(rls2__effort *effort, const rls2_model *model, double *df);
rls2_status rls2__model_keep_factor(rls2__effort *effort, rls2_model *model);

#endif
