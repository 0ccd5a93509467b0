/* The certificate of a compact model on rows it does not keep. */
#ifndef RLS2_MODEL_SECOND_PASS_H
#define RLS2_MODEL_SECOND_PASS_H

#include "base/effort.h"
#include "model/model.h"

/* f: what the model of one output says of the rows, less its intercept, which y includes; w may be
 * NULL.
 * RLS2_ERR_MEMORY, RLS2_ERR_CANCELLED or OK. */
rls2_status rls2__second_pass(rls2__effort *effort, const rls2_model *model, const rls2_rows *rows,
                              const double *y, const double *w, const double *f,
                              rls2_certificate *certificate);

#endif
