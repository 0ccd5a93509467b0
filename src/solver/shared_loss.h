/* The loss of several outputs: the sum of their losses, or one of them all. Vectors are n x
 * outputs, and in the scale of the solver, as in loss.h. */
#ifndef RLS2_SOLVER_SHARED_LOSS_H
#define RLS2_SOLVER_SHARED_LOSS_H

#include "basis/basis.h"
#include "rls2/path.h"
#include "solver/loss.h"
#include "solver/multinomial.h"

typedef struct rls2__joint_loss {
    int64_t outputs, n;
    int coupled;                   /* one loss of all outputs: the next */
    rls2__multinomial multinomial; /* where it is */
    rls2__row_loss *of;            /* outputs, where each has its own */
    double *centre;                /* n x outputs; NULL where there are no kinks */
    const double *roots;           /* borrowed, or NULL */
} rls2__joint_loss;

/* y is borrowed, as roots. RLS2_ERR_MEMORY or OK. */
rls2_status rls2__joint_loss_create(rls2_loss loss, int64_t outputs, int64_t n, const double *y,
                                    const double *roots, rls2__joint_loss *it);
void rls2__joint_loss_free(rls2__joint_loss *it);

/* As their namesakes in loss.h. Where outputs are coupled, root holds the roots of p. */
double rls2__joint_loss_sum(rls2__joint_loss *it, const double *f, const double *b);
void rls2__joint_loss_bend(rls2__joint_loss *it, const double *f, const double *b, double *slope,
                           double *root);
/* b[outputs] becomes the best one, near what it is; of the losses, not of their envelopes, where
 * `exact`. */
void rls2__joint_loss_constant(rls2__joint_loss *it, const double *f, int exact, double *b);
double rls2__joint_loss_project(rls2__joint_loss *it, double lambda, int free_intercept, double *c);
/* `unbalanced` is sum_o |e'c_o| (|b_o| + max_i |f_io|). */
rls2__young rls2__joint_loss_young(rls2__joint_loss *it, double lambda, const double *c,
                                   const double *f, const double *b);
/* The envelopes: how wide, in units of the spreads of y; and their centres. */
void rls2__joint_loss_widen(rls2__joint_loss *it, double width);
void rls2__joint_loss_recentre(rls2__joint_loss *it, double lambda, const double *c);

/* As rls2__null_response: constants[outputs] that are best by themselves, and out[n x outputs].
 * Returned is the mean curvature; -1 where there is no memory. */
double rls2__null_responses(const rls2_basis *basis, int64_t outputs, const double *y,
                            const rls2_path_options *options, double *constants, double *out);

/* The sum over rows and outputs of the loss where f is 0. */
double rls2__null_sum(const rls2_basis *basis, rls2_loss loss, int64_t outputs, const double *y,
                      const double *constants);

#endif
