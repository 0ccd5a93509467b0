/* The multinomial loss of rows: log sum_o exp(t_o) - t_class, t_o = f~_o / e + b_o.
 *
 * Vectors of all outputs are n x outputs, column-major, and in the scale of the solver, as in
 * loss.h: f~ = e f, c~ = c / e with e the roots of the rows' weights. The slope in f~ is
 * e (p - onehot), the curvature diag(p) - pp' of each row, p = exp(t_o) / sum of these. The
 * conjugate is sum_o s_o log s_o, s = onehot - lambda c~ / e, on the simplex.    [MATH.md, N5] */
#ifndef RLS2_SOLVER_MULTINOMIAL_H
#define RLS2_SOLVER_MULTINOMIAL_H

#include "solver/loss.h"

typedef struct rls2__multinomial {
    int64_t n, outputs;
    const double *roots;             /* borrowed; NULL: all 1 */
    int64_t *which;                  /* n: the class of a row */
    double *shares;                  /* of classes, by weight; never 0 */
    double total;                    /* of the weights */
    double *t, *p;                   /* of one row */
    double *slope, *step, *b, *bend; /* of the constants; bend is outputs x outputs */
    void *block;
} rls2__multinomial;

/* y has one 1 in each row. RLS2_ERR_MEMORY or OK. */
rls2_status rls2__multinomial_create(int64_t outputs, int64_t n, const double *y,
                                     const double *roots, rls2__multinomial *it);
void rls2__multinomial_free(rls2__multinomial *it);

double rls2__multinomial_sum(rls2__multinomial *it, const double *f, const double *b);
/* The slope, and the roots of p. */
void rls2__multinomial_bend(rls2__multinomial *it, const double *f, const double *b, double *slope,
                            double *root);
/* The logs of the shares, of sum 0. */
void rls2__multinomial_null(const rls2__multinomial *it, double *b);
/* b becomes the best one, near what it is. */
void rls2__multinomial_constant(rls2__multinomial *it, const double *f, double *b);
/* As rls2__loss_project: towards an s that is the same in all rows, at which all constraints hold,
 * as far as s >= 0 needs. Where the intercept is free, e'c_o is 0 and stays so. */
double rls2__multinomial_project(rls2__multinomial *it, double lambda, int free_intercept,
                                 double *c);
/* `unbalanced` is left 0. */
rls2__young rls2__multinomial_young(rls2__multinomial *it, double lambda, const double *c,
                                    const double *f, const double *b);

#endif
