/* The certificate of outputs that share kernel weights. */
#ifndef RLS2_SOLVER_SHARED_CERTIFY_H
#define RLS2_SOLVER_SHARED_CERTIFY_H

#include "kernel/kernel.h"
#include "rls2/path.h"

/* A joint problem and an answer to it. Everything is borrowed. */
typedef struct rls2__shared_claim {
    int64_t outputs, m;
    const rls2__kernel *kernels; /* m, fitted to the rows */
    const rls2_rows *rows;
    const double *s;     /* m: scalings; a kernel of 0 is none of the problem's */
    const double *roots; /* n: of the weights of rows; NULL: each is one */
    rls2_loss loss;
    int is_free; /* the intercepts */
    double lambda;
    const double *d; /* m, on the simplex but for rounding */
    const double *y; /* n x outputs */
    const double *c; /* n x outputs */
    const double *b; /* outputs */
} rls2__shared_claim;

/* The arguments have been checked but for those of the result. control may be NULL. */
rls2_status rls2__shared_certify(const rls2__shared_claim *claim, const rls2_control *control,
                                 rls2_certificate *certificate, size_t size, rls2_error *err);

#endif
