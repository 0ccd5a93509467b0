/* Checks that the functions of paths share. */
#ifndef RLS2_SOLVER_PATH_PUBLIC_H
#define RLS2_SOLVER_PATH_PUBLIC_H

#include "rls2/path.h"

/* Can so many doubles be addressed? */
rls2_status rls2__check_count(int64_t count, const char *what, rls2_error *err);
/* The values of lambda and the options they are fitted with. */
rls2_status rls2__check_lambdas(int64_t count, const double *lambdas,
                                const rls2_path_options *options, rls2_error *err);
/* A basis, and a response for its rows. */
rls2_status rls2__check_response(const rls2_basis *basis, const double *y, rls2_error *err);

#endif
