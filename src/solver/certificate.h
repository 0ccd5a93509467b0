/* The certificate from first principles. */
#ifndef RLS2_SOLVER_CERTIFICATE_H
#define RLS2_SOLVER_CERTIFICATE_H

#include "base/effort.h"
#include "kernel/kernel.h"
#include "rls2/path.h"

/* A loss with its intercept, which is added to f; y is then the response as it is. */
typedef struct rls2__certified_loss {
    rls2_loss loss;
    double intercept;
    int is_free;
} rls2__certified_loss;

/* Kernels are fitted copies, w is NULL or the weights of the rows, and `of` is NULL for the square
 * loss of y less the intercept. The arguments have been checked.
 * RLS2_ERR_MEMORY, RLS2_ERR_CANCELLED, RLS2_ERR_NUMERIC or OK. Blocks of columns of a kernel are
 * the tasks; O(n) memory for each of 32 of them. */
rls2_status rls2__certify(rls2__effort *effort, int64_t m, const rls2__kernel *kernels,
                          const rls2_rows *train, const double *s, const double *w, const double *y,
                          const rls2__certified_loss *of, double lambda, const double *d,
                          const double *c, rls2_certificate *certificate);

#endif
