/* The certificate from first principles. */
#ifndef RLS2_SOLVER_CERTIFICATE_H
#define RLS2_SOLVER_CERTIFICATE_H

#include "kernel/kernel.h"
#include "rls2/path.h"

/* Kernels are fitted copies, w is NULL or the weights of the rows. The arguments have been checked.
 */
rls2_status rls2__certify(int64_t m, const rls2__kernel *kernels, const rls2_rows *train,
                          const double *s, const double *w, const double *y, double lambda,
                          const double *d, const double *c, rls2_certificate *certificate);

#endif
