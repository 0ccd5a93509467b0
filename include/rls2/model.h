/* The model: one point of a path, able to stand alone.
 *
 * f(x) = b + sum_k d_k s_k sum_j c_j K_k(x_j, x) over the selected kernels. The
 * model owns copies of all it needs; basis, path and data may go. All functions
 * that take rows expect the columns of the training data, in that order. Matrices
 * out are column-major, rows->n high, and the caller's. */
#ifndef RLS2_MODEL_H
#define RLS2_MODEL_H

#include "rls2/path.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rls2_model rls2_model;

/* Copies point i of the path; the path and what it was made of must still be there, and
 * may go afterwards. O(n p + selected). */
RLS2_API rls2_status rls2_model_create(const rls2_path *path, int64_t i, rls2_model **model, rls2_error *err);
RLS2_API void rls2_model_free(rls2_model *model);

RLS2_API int64_t rls2_model_size(const rls2_model *model);    /* selected kernels */
RLS2_API int64_t rls2_model_rows(const rls2_model *model);    /* training rows */
RLS2_API int64_t rls2_model_columns(const rls2_model *model); /* data columns p */
RLS2_API double rls2_model_lambda(const rls2_model *model);
RLS2_API double rls2_model_intercept(const rls2_model *model);
/* Of the k-th selected kernel: its name, d_k, s_k, and w_k = sqrt(d_k / s_k) of the
 * second layer. */
RLS2_API const char *rls2_model_kernel_name(const rls2_model *model, int64_t k);
RLS2_API double rls2_model_weight(const rls2_model *model, int64_t k);
RLS2_API double rls2_model_scale(const rls2_model *model, int64_t k);
RLS2_API double rls2_model_w(const rls2_model *model, int64_t k);
RLS2_API const double *rls2_model_c(const rls2_model *model);

/* f[rows->n]. O(rows->n * n * selected). */
RLS2_API rls2_status rls2_model_predict(const rls2_model *model, const rls2_rows *rows, double *f,
                                        rls2_error *err);
/* rows->n x selected: d_k s_k sum_j c_j K_k(x_j, x). With the intercept they sum to
 * the prediction. */
RLS2_API rls2_status rls2_model_contributions(const rls2_model *model, const rls2_rows *rows, double *f,
                                              rls2_error *err);
/* Gaussian-process variance of f at the rows, given d, in the units of the paper's
 * Bayesian reading, in which the noise has variance lambda: k(x,x) - k'(R + lambda I)^-1 k.
 * Add lambda for that of a new observation. For error bars in the units of y multiply
 * by sigma^2 / lambda with an estimate of the noise, for instance sigma^2 = (sum of
 * squared residuals) / (n - df). O(n^3 + rows->n n^2). */
RLS2_API rls2_status rls2_model_variance(const rls2_model *model, const rls2_rows *rows, double *variance,
                                         rls2_error *err);
/* a[p] of f(x) = b + a'x, when every selected kernel is `linear` (E16, E17);
 * RLS2_ERR_ARGUMENT otherwise. (poly(1) has an offset and is not.) */
RLS2_API rls2_status rls2_model_coefficients(const rls2_model *model, double *a, rls2_error *err);
/* First layer (THM2): z[rows->n x selected], z_k = s_k w_k sum_j c_j K_k(x_j, x). */
RLS2_API rls2_status rls2_model_layer1(const rls2_model *model, const rls2_rows *rows, double *z,
                                       rls2_error *err);
/* Second layer: f = z'S w (no intercept), for `count` points z[count x selected]. */
RLS2_API rls2_status rls2_model_layer2(const rls2_model *model, int64_t count, const double *z, double *f,
                                       rls2_error *err);
/* The learned kernel (E02, E03), K(x, x') = f1(x)'S f1(x'): k[a->n x b->n]. */
RLS2_API rls2_status rls2_model_learned_kernel(const rls2_model *model, const rls2_rows *a,
                                               const rls2_rows *b, double *k, rls2_error *err);
/* tr R (R + lambda I)^-1, between 0 and min(n, rank of R). O(n^3). */
RLS2_API rls2_status rls2_model_degrees_of_freedom(const rls2_model *model, double *df, rls2_error *err);

#ifdef __cplusplus
}
#endif
#endif
