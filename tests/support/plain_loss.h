/* Losses, their conjugates and the certificate of any loss by definition, in long double and
 * without a line of the library. */
#ifndef RLS2_TESTS_SUPPORT_PLAIN_LOSS_H
#define RLS2_TESTS_SUPPORT_PLAIN_LOSS_H

#include "support/problem.h"

/* L(y, t), and the largest p t - L(y, t) over t: Infinity outside the domain. */
long double plain_loss(rls2_loss loss, long double y, long double t);
long double plain_conjugate(rls2_loss loss, long double y, long double p);

typedef struct plain_bounds {
    long double primal, dual;
} plain_bounds;

/* At any (c, d, b), with R as from plain_matrices; w may be NULL. c outside the domain by less than
 * 1e-9 of the multiplier's size is taken to be on its edge. Where the intercept is free the dual
 * needs 1'c = 0, which the caller asserts. */
plain_bounds plain_loss_bounds(const plain_problem *problem, const long double *R, rls2_loss loss,
                               const double *y, const double *w, double lambda, const double *d,
                               const double *c, double b);

/* Responses that this loss takes: signs of y, counts, or y. Release with free(). */
double *plain_responses(rls2_loss loss, int64_t n, const double *y);

/* Every loss, with a parameter where it has one. */
enum { LOSSES = 9 };
extern const rls2_loss EVERY_LOSS[LOSSES];

#endif
