/* The paths of several responses. */
#ifndef RLS2_SOLVER_OUTPUTS_H
#define RLS2_SOLVER_OUTPUTS_H

#include "solver/path.h"

/* Responses and what is fitted to them. */
typedef struct rls2__paths_job {
    int64_t outputs;
    const rls2_basis *const *bases; /* of each */
    const double *y;                /* n x outputs */
    int64_t count;
    const double *lambdas;
    const rls2_path_options *options;
    const rls2_loss *losses; /* outputs, of one kind, in place of that of the options; NULL: that */
    const rls2_control *control;  /* its threads are those that may call BLAS */
    const rls2_path *const *like; /* outputs, each as of rls2__path_run; NULL: none */
    int64_t given_count; /* of paths that share weights: kernels whose weights are given; 0: none */
    const int64_t *given_ks;
    const double *given_d;
    int keeps_open; /* 1: the paths may be extended without having to begin anew */
} rls2__paths_job;

/* A path for each output, several at a time, as rls2_path_fit says. Where paths[o] is not NULL it
 * is extended, `count` then being that of the further lambdas. The arguments have been checked. On
 * an error paths that were NULL are NULL again. */
rls2_status rls2__outputs_run(const rls2__paths_job *job, rls2_path **paths, rls2_error *err);

/* The options of output o; losses may be NULL. */
rls2_path_options rls2__options_of(const rls2_path_options *options, const rls2_loss *losses,
                                   int64_t o);

/* Points of several outputs become one: sums, the largest gap and residual, the worst outcome.
 * `selected` is left to who knows which kernels are the same. */
void rls2__point_add(rls2_path_point *sum, const rls2_path_point *one);

#endif
