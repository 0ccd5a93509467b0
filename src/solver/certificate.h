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

/* What a product is worked in. */
typedef struct rls2__certify_room {
    double *columns;    /* n for each thread of the effort */
    long double *parts; /* rls2__certify_parts(n) */
} rls2__certify_room;

int64_t rls2__certify_parts(int64_t n);
/* v[n] = s K c, and off[n], what rounding of the kernel's values can make of it.
 * RLS2_ERR_CANCELLED, RLS2_ERR_MEMORY or OK. */
rls2_status rls2__certify_product(rls2__effort *effort, const rls2__kernel *kernel,
                                  const rls2_rows *train, double s, const double *c,
                                  const rls2__certify_room *room, long double *v, long double *off);

#endif
