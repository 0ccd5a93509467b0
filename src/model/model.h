/* A model as it is kept. */
#ifndef RLS2_MODEL_MODEL_H
#define RLS2_MODEL_MODEL_H

#include "kernel/kernel.h"
#include "rls2/model.h"

struct rls2__arena;

struct rls2_model {
    int64_t n;    /* training rows */
    int64_t p;    /* data columns */
    int64_t size; /* selected kernels */
    double lambda;
    double intercept;
    rls2__kernel *kernels; /* fitted; names and columns in the arena */
    double *d;
    double *s;
    double *c;
    double *x;      /* n x p: the training rows, columns no kernel uses left zero */
    rls2_rows rows; /* the same as rows, with the given matrices */
    double **given; /* given_count pointers, own copies of those in use */
    int64_t given_count;
    const char **column_names;
    struct rls2__arena *arena;
};

rls2_status rls2__model_copy(const rls2_path *path, int64_t i, rls2_model **out);
void rls2__model_destroy(rls2_model *model);

/* out[rows->n x size]: sum_j c_j K_k(x_j, x) for every selected kernel, unscaled. */
rls2_status rls2__model_expansions(const rls2_model *model, const rls2_rows *rows, double *out);

/* variance[rows->n], and the degrees of freedom. */
rls2_status rls2__model_variances(const rls2_model *model, const rls2_rows *rows, double *variance);
rls2_status rls2__model_df(const rls2_model *model, double *df);

#endif
