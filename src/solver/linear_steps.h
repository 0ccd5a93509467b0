/* What the method for kernels of one column knows from one point to the next, and its steps: active
 * columns, and the minimiser over them.  [MATH.md, G7] */
#ifndef RLS2_SOLVER_LINEAR_STEPS_H
#define RLS2_SOLVER_LINEAR_STEPS_H

#include "solver/columns.h"
#include "solver/pricing.h"
#include "solver/solver.h"

enum { RLS2__MAX_ENTER = 16 };

typedef struct rls2__linear {
    const rls2__problem *problem;
    rls2__columns_factor columns;
    rls2__pricer pricer;
    rls2__method other;    /* the general one, made where it is needed first */
    unsigned char *in_set; /* m flags: active */
    int64_t first;         /* the kernel selected for large lambda */
    /* of the active columns, in their order */
    double *b;
    double *sign; /* of b, or the one a column enters with */
    double *g;    /* Z'r, and then Z'c */
    double *step;
    double *solved; /* (Z'Z)^-1 sigma */
    double *d;
    double tau;
    double noise; /* what Z'r cannot be told from */
    double *r;    /* n */
    double *c;
    double *f;                         /* R(d) c */
    int64_t entering[RLS2__MAX_ENTER]; /* kernels, */
    int64_t entering_count;            /* by descending q */
    double *gram, *gram_factor;        /* room x room, where degrees of freedom are asked for */
    /* the best point seen for this lambda */
    double best_gap;
    int64_t best_count;
    int64_t *best_ks;
    double *best_d;
    double *best_c;
    int best_is_last;
    rls2_path_point best;
    void *block; /* all of these arrays */
} rls2__linear;

/* Makes kernel k active with coefficient b; 0 where it depends on those that are. */
int rls2__linear_append(rls2__linear *s, int64_t k, double b, double sign);
/* Makes kernel k active, for r as it is, whether it depends on others or not. */
void rls2__linear_enter(rls2__linear *s, int64_t k);
/* Makes b the minimiser over the active columns, of which some may leave, and r, tau and g = Z'r
 * those of b. 0 where rounding makes the factor useless. */
int rls2__linear_minimise(rls2__linear *s, double lambda);

/* Their parts, which serve other losses too: r is then -slope of the loss, and the factor that of
 * its curvatures. max |Z'r - lambda tau sigma|, which is zero at the minimiser; */
double rls2__linear_misfit(const rls2__linear *s, double lambda);
/* step = the way to the minimiser from where g is Z'r; */
void rls2__linear_find_step(rls2__linear *s, double lambda);
/* and b moved along it, at most by `limit` of it. What reaches zero leaves. Returns how far;
 * nowhere where nothing ends the way. */
double rls2__linear_advance(rls2__linear *s, double limit);

#endif
