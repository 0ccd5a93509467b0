/* How much of the fit each kernel accounts for. */
#ifndef RLS2_MODEL_SHARES_H
#define RLS2_MODEL_SHARES_H

#include "model/model.h"
#include "rls2/control.h"

/* share[size] and f[n] of the training rows. */
rls2_status rls2__model_shares(const rls2_model *model, const rls2_control *control, double *share,
                               double *f);

#endif
