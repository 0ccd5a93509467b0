/* What shared kernel weights ask of outputs. */
#ifndef RLS2_SOLVER_SHARED_CHECK_H
#define RLS2_SOLVER_SHARED_CHECK_H

#include "rls2/path.h"

/* Where weights are shared: one basis for all outputs, and of the multinomial loss one class for
 * each row. The other checks have been made. */
rls2_status rls2__check_shared(int64_t outputs, const rls2_basis *const *bases, const double *y,
                               const rls2_path_options *options, rls2_error *err);

#endif
