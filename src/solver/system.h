/* The linear system (R(d) + lambda I) c = y: formed, factorised, solved. */
#ifndef RLS2_SOLVER_SYSTEM_H
#define RLS2_SOLVER_SYSTEM_H

#include "solver/system_low.h"

typedef struct rls2__combiner rls2__combiner;

typedef struct rls2__system {
    int64_t n;
    rls2__effort *effort; /* of the computation in hand; whoever goes on in another changes it */
    rls2__combiner *combiner;
    double *R;    /* n x n, lower: R(d); of a lean system NULL until it is needed */
    double *L;    /* n x n, lower: factor of R(d) + (lambda + jitter) I; likewise */
    double *rest; /* n: residual for refinement */
    double *step; /* n: its correction */
    double *turn; /* n: what rls2__system_iterate searches along */
    double lambda;
    double near;     /* not 0: L is the factor of R(d') + near I, whatever d' was */
    int exact;       /* and that of the weights and lambda in hand */
    double accuracy; /* wanted of c where L is not exact, in the norm of the system */
    double missing;  /* c'(y - Mc) of the last c: y'c + missing is y'M^-1 y to second order */
    double jitter;   /* 0 unless rounding made R(d) + lambda I indefinite */
    int64_t factorizations; /* since creation, those of smaller order included */
    int lean;               /* 1: by the factors of kernels where they have few columns */
    rls2__low low;          /* of a lean system */
    int takes_low;          /* the weights are such */
    int is_low;             /* and so is the last factorisation */
    int formed;             /* of a lean system: R is that of the weights */
    int64_t count;          /* the weights, of a lean system: */
    int64_t *ks;            /* m */
    double *d;              /* m */
    double *halves;         /* what rls2__system_hessian makes, */
    int64_t halves_room;    /* and how many values there is room for */
    void *matrices;         /* R and L */
    void *block;            /* the other arrays */
} rls2__system;

/* One that forms R(d) and its factor, for whoever looks at them. */
rls2_status rls2__system_create(rls2__effort *effort, const rls2_basis *basis, int64_t memory,
                                rls2__system *system);
/* One that does so only where it has to: see solver/system_low.h. */
rls2_status rls2__system_create_lean(rls2__effort *effort, const rls2_basis *basis, int64_t memory,
                                     rls2__system *system);
void rls2__system_free(rls2__system *system);

/* All of these return RLS2_ERR_CANCELLED where the effort is to stop, and RLS2_ERR_MEMORY.
 *
 * R = sum_i d[i] R^ks[i] */
rls2_status rls2__system_combine(rls2__system *system, int64_t count, const int64_t *ks,
                                 const double *d);
/* Column i of V = R^ks[i] c. work: n doubles. */
rls2_status rls2__system_apply(rls2__system *system, int64_t count, const int64_t *ks,
                               const double *c, double *V, double *work);
/* Factorises R + lambda I. RLS2_ERR_NUMERIC only for a matrix with NaN in it. */
rls2_status rls2__system_factorize(rls2__system *system, double lambda);
/* The same, or nothing where the factor at hand is that of other weights at the same lambda: it
 * will do for H, and for c with this accuracy, relative, in the norm of the system. */
rls2_status rls2__system_prepare(rls2__system *system, double lambda, double accuracy);
/* c = (R + lambda I)^-1 y; c holds a start, which counts where the factor is of other weights. */
rls2_status rls2__system_solve(rls2__system *system, const double *y, double *c);
/* The same by conjugate gradients, without a factor, for lambda well above |R|; c holds a start.
 * *done is 0, c being of no more use, where that does not reach rounding in a few steps, or R is
 * not formed. */
rls2_status rls2__system_iterate(rls2__system *system, double lambda, const double *y, double *c,
                                 int *done);
/* H (lower triangle) = V'(R + lambda I)^-1 V for the w columns of V, to about as many digits as
 * lambda keeps of it, or near to it where the factor is of other weights; positive semi-definite
 * but for rounding, and equal columns have equal entries. RLS2_ERR_MEMORY, or OK. */
rls2_status rls2__system_hessian(rls2__system *system, int64_t w, const double *V, double *H,
                                 int64_t ldh);
/* tr R (R + lambda I)^-1 of the system last factorised, whose factor it replaces by its
 * inverse. */
rls2_status rls2__system_degrees_of_freedom(rls2__system *system, double *df);
/* L = factor of R + (lambda + *jitter) I (lower triangles, n x n), *jitter being 0 or the
 * least shift that rounding makes necessary. *tries counts the factorisations. */
rls2_status rls2__factorize(rls2__effort *effort, int64_t n, const double *R, double lambda,
                            double *L, double *jitter, int64_t *tries);
/* The same from R (lower triangle) and the factor L of R + lambda I, which it replaces by L^-1. */
rls2_status rls2__degrees_of_freedom(rls2__effort *effort, int64_t n, const double *R, double *L,
                                     double lambda, double *df);

#endif
