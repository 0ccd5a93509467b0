/* The certificate of any loss: what is made of R(d)c and the largest q.  [MATH.md, N1] */
#ifndef RLS2_SOLVER_CERTIFICATE_LOSS_H
#define RLS2_SOLVER_CERTIFICATE_LOSS_H

#include "solver/certificate.h"

/* s K c, and what rounding of the kernel's values can make of it. */
typedef struct rls2__certified_product {
    long double *v;
    long double *off;
} rls2__certified_product;

/* All that is known when every kernel has been looked at. */
typedef struct rls2__certified_findings {
    rls2__certified_product fit; /* R(d)c */
    long double max_q;           /* of the kernels c'R^k c, the largest ... */
    long double bound;           /* ... and the largest it can be */
} rls2__certified_findings;

/* Moves c to where it bounds anything: -lambda c / w into the domain of the conjugate and, where
 * the intercept is free, its sum to 0. 0 where it is farther from there than rounding takes it. */
int rls2__certified_repair(const rls2__certified_loss *of, int64_t n, const double *w,
                           const double *y, double lambda, long double *c);
void rls2__certified_conclude(const rls2__certified_loss *of, int64_t n, const double *w,
                              const double *y, double lambda, const long double *c,
                              const rls2__certified_findings *found, rls2_certificate *certificate);
/* What is left of a certificate whose c bounds nothing: the primal value. */
void rls2__certified_refuse(rls2_certificate *certificate);

#endif
