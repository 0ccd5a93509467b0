/* What a model says about rows. */
#ifndef RLS2_MODEL_PREDICT_H
#define RLS2_MODEL_PREDICT_H

#include "model/model.h"
#include "rls2/control.h"

/* out[rows->n x size]: factor(d_k, s_k) sum_j c_j K_k(x_j, x) for every selected kernel. `rows` are
 * new rows or &model->rows; the control is the library's own. RLS2_ERR_MEMORY or
 * RLS2_ERR_CANCELLED. */
rls2_status rls2__model_parts(const rls2_model *model, const rls2_rows *rows,
                              const rls2_control *control, double (*factor)(double, double),
                              double *out);
/* f[rows->n x outputs]: the sum of all d_k s_k sum_j c_j K_k(x_j, x), and the intercept. Where a
 * part of it overflows it is not finite. This alone is for heads too. */
rls2_status rls2__model_sums(const rls2_model *model, const rls2_rows *rows,
                             const rls2_control *control, double *f);

#endif
