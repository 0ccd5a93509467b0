/* Rows at their kinks: an active set method for losses with kinks, where kernel weights stay.
 *                                                                             [MATH.md, N6] */
#ifndef RLS2_SOLVER_KINKS_H
#define RLS2_SOLVER_KINKS_H

#include "base/memory.h"
#include "solver/loss.h"

typedef struct rls2__proximal rls2__proximal;

/* Where the multiplier of a row is: at an end of its range, at 0 where the loss is 0 in a strip, or
 * between two of these, the row being at the kink that is there. */
typedef enum rls2__place {
    RLS2__AT_LOW,
    RLS2__AT_LOWER_KINK,
    RLS2__AT_ZERO,
    RLS2__AT_UPPER_KINK,
    RLS2__AT_HIGH
} rls2__place;

typedef struct rls2__kinks {
    int known;            /* places and factor are those of the last lambda */
    int mirrored;         /* R(d) in the system has both triangles */
    int unknown;          /* c is not of any lambda that is known */
    double lambda;        /* the last one, 0 where there is none */
    unsigned char *place; /* n */
    int64_t count;        /* rows at kinks, */
    int64_t *rows;        /* in the order of their factor, which is in the system's L */
    double *rest;         /* n, of these: how far rows are from their kinks, */
    double *step, *ones;  /* what c does about it, and R^-1 e */
    int64_t old_count;
    int64_t *old_rows; /* those before a move */
    double *old_c;     /* n */
    int64_t *worst;    /* rows that are on the wrong side, the worst first */
} rls2__kinks;

void rls2__kinks_lay_out(rls2__kinks *it, int64_t n, rls2__layout *layout);
/* The iterations of one lambda, from the point that the last one left. *found: the gap was reached,
 * and the point is left in s->best*; otherwise nothing is known, and another method is to begin. */
rls2_status rls2__kinks_iterate(rls2__proximal *s, double lambda, double tol, int *found);

#endif
