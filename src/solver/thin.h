/* Virtual rows: a problem of n rows as one of far fewer, exactly.  [MATH.md, G11]
 *
 * Where all operators live in a subspace of r dimensions, R^k = Q S^k Q' with Q'Q = I, the problem
 * of these rows and that of the r coordinates, and one more for what of y is outside, have the same
 * objective, the same gaps and the same weights. The methods do not know which of them they solve.
 * There are two ways, of which the second may follow the first: rows that are equal to all kernels
 * are one row, and operators that are all factors, with few columns together, are rotated by a
 * QR. */
#ifndef RLS2_SOLVER_THIN_H
#define RLS2_SOLVER_THIN_H

#include "kernel/distinct.h"
#include "la/qr.h"
#include "solver/solver.h"

typedef struct rls2__thin rls2__thin;
struct rls2__thin {
    const rls2__problem *from; /* that of the rows; borrowed */
    rls2__problem problem;     /* that of r + 1 virtual rows */
    rls2_basis basis;          /* of these */
    rls2__distinct groups;     /* of equal rows, or none where */
    rls2__qr *qr;              /* is not NULL */
    double *values;            /* of the operators */
    double *y;                 /* r + 1 */
    double *rest;              /* n: the direction that the last of them stands for */
    double *c;                 /* n: room for an answer */
    double *room;              /* for a vector and its images; how much, the two ways differ in */
    double *q;                 /* m */
    int64_t *ks;               /* m: 0, 1, ... */
    void *block;               /* y and all that follows it */
    rls2__thin *next;          /* fewer rows still, from `problem`; or NULL */
};

/* *out is NULL where the problem had better be solved as it is. Of the problem basis, y, effort and
 * norms have to be there; it is not to be moved. RLS2_ERR_MEMORY, RLS2_ERR_CANCELLED or OK. */
rls2_status rls2__thin_create(const rls2__problem *problem, rls2__thin **out);
void rls2__thin_free(rls2__thin *thin);

/* The last of the problems that follow from another; of none (NULL) that one. */
rls2__problem *rls2__thin_last(rls2__thin *thin, rls2__problem *problem);

/* The tolerance of the last problem, for one of the rows. */
double rls2__thin_tolerance(const rls2__thin *thin, double tol);

/* Makes an answer for the last problem one for the rows: c is that of the rows, in room of `thin`,
 * and objective, gap and residual are computed anew from their operators where a rotation has been
 * rounded. RLS2_ERR_NUMERIC where that overflows. */
rls2_status rls2__thin_raise(rls2__thin *thin, double tol, rls2__answer *answer);
/* A vector of the last problem becomes one of the rows, and back. */
rls2_status rls2__thin_raise_vector(rls2__thin *thin, const double *virtual_c, double *c);
rls2_status rls2__thin_lower_vector(rls2__thin *thin, const double *c, double *virtual_c);

#endif
