/* A path as it is kept. */
#ifndef RLS2_SOLVER_PATH_H
#define RLS2_SOLVER_PATH_H

#include "basis/basis.h"
#include "rls2/control.h"
#include "rls2/path.h"

/* One lambda: the selected kernels (ascending), their weights, and c, which is W^1/2 times the
 * solver's where rows have weights. */
typedef struct rls2__path_entry {
    rls2_path_point point;
    int64_t count;
    int64_t *ks;
    double *d;
    double *c;
    double intercept;
} rls2__path_entry;

typedef struct rls2__path_work rls2__path_work;

struct rls2_path {
    const rls2_basis *basis; /* borrowed */
    double *y;               /* response less the intercept, n; as it is where `general` */
    double
        *weighted_y; /* the same times the roots of the rows' weights; NULL where they have none */
    double intercept;
    rls2_solver solver;
    rls2_loss loss;
    int general;         /* another loss than the square one, or a free intercept */
    int is_free;         /* the intercept */
    int64_t given_count; /* while a general path with given weights is fitted: see rls2__problem */
    const int64_t *given_ks;
    const double *given_d;
    int exponent;   /* answers are those of 2^-exponent y */
    int64_t memory; /* of the options it was fitted with */
    int64_t count;  /* finished */
    int64_t room;
    int cancelled;
    int64_t sharing; /* outputs that have the same weights, this one included */
    /* While such are fitted, of the first of them: all; NULL otherwise. */
    rls2_path *const *all;
    int fixed; /* 1: all entries have the kernels and weights of the first */
    rls2__path_entry *entries;
    rls2__path_work *work; /* what it was fitted with; NULL where it is closed */
};

typedef struct rls2__answer rls2__answer;

/* A path with room for `count` lambdas and none finished; NULL where there is no memory. */
rls2_path *rls2__path_create(const rls2_basis *basis, const double *y, int64_t count,
                             const rls2_path_options *options);
/* Room for `count` points in all, no fewer than are finished. RLS2_ERR_MEMORY or OK. */
rls2_status rls2__path_reserve(rls2_path *path, int64_t count);
/* Keeps a copy of the answer, in the unit of y, as the next point; of outputs that share weights on
 * all of their paths, or on none. RLS2_ERR_MEMORY, RLS2_ERR_NUMERIC where c is beyond the range of
 * a double, or OK. */
rls2_status rls2__path_append(rls2_path *path, const rls2__answer *answer);

void rls2__path_destroy(rls2_path *path);

/* The intercept of point i. */
static inline double rls2__path_intercept_at(const rls2_path *path, int64_t i)
{
    return path->general ? path->entries[i].intercept : path->intercept;
}

/* The response as the solver sees it: W^1/2 (y - intercept). */
const double *rls2__path_response(const rls2_path *path);

/* Where a general loss begins: the constant that is best by itself (0 under NONE), and out[n], what
 * the loss pulls at there: W^1/2 times its negative slope. Returned is the mean curvature; of a
 * loss with kinks 1 over half the range of y. */
double rls2__null_response(const rls2_basis *basis, const double *y,
                           const rls2_path_options *options, double *constant, double *out);

/* The mean of y under the rule, or 0. weights may be NULL. */
double rls2__intercept(rls2_intercept rule, int64_t n, const double *y, const double *weights);
/* out[n] = 2^-exponent W^1/2 (y - intercept), W being the weights of the basis's rows, for the
 * exponent that makes the largest value 1/2 or more and less than 1; 0 where all are zero. Returns
 * it. */
int rls2__normalize_response(const rls2_basis *basis, const double *y, double intercept,
                             double *out);
/* out[n] = W^1/2 (y - intercept), W being the weights of the basis's rows. */
void rls2__weigh_response(const rls2_basis *basis, const double *y, double intercept, double *out);

#endif
