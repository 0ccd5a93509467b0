/* The path: RLS2 solved for a descending sequence of lambda, each answer with its
 * duality gap.
 *
 * For each lambda the library looks for d on the simplex minimising
 *
 *   P(d) = lambda/2 y'c,   c = (R(d) + lambda I)^-1 y,   R(d) = sum_k d_k R^k
 *
 * and reports how far P(d) can be from the minimum, whatever the minimum is. With weights W of the
 * rows (row_weights of rls2_basis_options) it is the same problem with W^1/2 R^k W^1/2 and W^1/2 y
 * in place of R^k and y, which is that of rows repeated.
 *
 * That is the square loss. With another (rls2/loss.h), or a free intercept b, P(d) is the minimum
 * over c and b of  sum_i w_i L(y_i, f_i + b) + lambda/2 c'f,  f = R(d) c.
 *
 * Several responses are problems of their own, each with its d; or, with shared_weights, one
 * problem, the sum of theirs, with one d. */
#ifndef RLS2_PATH_H
#define RLS2_PATH_H

#include "rls2/basis.h"
#include "rls2/loss.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum rls2_solver {
    RLS2_SOLVER_NEWTON = 0,   /* active-set Newton on the simplex, stops on the gap */
    RLS2_SOLVER_ALTERNATE = 1 /* the paper's Algorithm 1, stops on its residual test */
} rls2_solver;

typedef enum rls2_intercept {
    /* In a recipe only: the mean for numbers, and for classes where every kernel is linear and so
     * has no constant part of its own (but not for two classes that are balanced, whose mean is 0);
     * none otherwise. */
    RLS2_INTERCEPT_AUTO = -1,
    RLS2_INTERCEPT_NONE = 0, /* y is used as it is (the paper's classification) */
    /* the mean of y is subtracted first (its regression); of another loss the constant that is best
     * by itself stays as it is */
    RLS2_INTERCEPT_MEAN = 1,
    RLS2_INTERCEPT_FREE = 2 /* found with the rest, and not penalised: another for each lambda */
} rls2_intercept;

/* What became of one lambda. None of them is an error. */
typedef enum rls2_outcome {
    RLS2_OUTCOME_CONVERGED = 0, /* the solver's own stopping rule holds */
    RLS2_OUTCOME_STALLED = 1,   /* rounding stops further progress; the gap says how far it came */
    RLS2_OUTCOME_MAX_ITER = 2   /* max_iter iterations were not enough; likewise */
} rls2_outcome;

/* Where on a path the degrees of freedom are computed: a factorisation (not counted) and an inverse
 * more for each. Nothing else depends on it. */
typedef enum rls2_df {
    RLS2_DF_NONE = 0, /* nowhere: df is NaN */
    RLS2_DF_EACH = 1, /* at each lambda */
    RLS2_DF_LAST = 2  /* at the smallest alone, where the others are only the way to it */
} rls2_df;

/* Fill it by rls2_path_options_init(&options, sizeof options). */
typedef struct rls2_path_options {
    size_t size;
    rls2_solver solver;       /* default NEWTON */
    rls2_intercept intercept; /* default MEAN */
    double gap_tol;           /* NEWTON: relative gap to reach, default 1e-6 */
    double delta;             /* ALTERNATE: |(R + lambda I)c - y| <= delta |y|, default 1e-2 */
    /* iterations for each lambda, default 200; as many again where every kernel is one column and
     * rounding leaves a lambda to the general method */
    int64_t max_iter;
    rls2_df degrees_of_freedom; /* default NONE */
    /* Bytes the solver may use to keep active kernels dense that the basis has as factors or does
     * not store; default 1 GiB. Beside it a path takes 2 n^2 to 4 n^2 values, and 2 n for each
     * kernel up to n of them; where rows are equal in groups, or all kernels are factors of few
     * columns, n is the number of virtual rows that stand for them, and the columns are kept once
     * more. */
    int64_t memory;
    /* Default square. Any other needs the solver NEWTON, and takes about n^2 values more. */
    rls2_loss loss;
    /* 1: all outputs have the same kernel weights d, those that are best for the sum of their
     * objectives (see rls2_path_fit). Default 0; the multinomial loss implies it. */
    int shared_weights;
} rls2_path_options;

RLS2_API void rls2_path_options_init(rls2_path_options *options, size_t size);

/* One lambda of a path. The library owns it; members may be added at the end. */
typedef struct rls2_path_point {
    double lambda;
    double objective; /* 1/2 sum_i w_i (y - R c)_i^2 + lambda/2 c'R c, at the returned (c, d), or
                         the sum of another loss in place of the first */
    double gap;       /* duality gap over the objective: a bound of the relative excess */
    double residual;  /* |(R + lambda I)c - y| / |y|; of another loss the root of the share of the
                         objective that c by itself could gain */
    /* tr R (R + lambda I)^-1; NaN unless asked for. Of another loss with its curvatures W at the
     * solution, tr R (R + lambda W^-1)^-1; NaN for losses with kinks. */
    double df;
    rls2_outcome outcome;
    int64_t iterations;
    /* Cholesky factorisations, of which the iterations' are a part. A large lambda may need none;
     * where every kernel is linear in one column a factor is kept along the path, and often none is
     * needed. */
    int64_t factorizations;
    int64_t priced;   /* kernels whose quadratic form was evaluated ... */
    int64_t offered;  /* ... of all that stood for evaluation */
    int64_t selected; /* kernels with d_k > 0 */
} rls2_path_point;

typedef struct rls2_path rls2_path;

/* Fits the path of each of `outputs` responses on the same rows (1 for a single y). paths[o] is
 * that of response o, y + o n, on bases[o]; the bases may all be the same one. y (n x outputs,
 * column-major) is copied; the bases are borrowed and must outlive the paths.
 *
 * A path goes from the largest lambda to the smallest whatever the order given, warm-started
 * throughout: a point depends on the lambdas above it and not on those below, so that the path of
 * the largest few is, to the bit, the beginning of the path of all. lambdas must be positive and
 * finite. A lambda at which numbers overflow, or c is beyond the range of a double, ends STALLED
 * with c = 0, of which the gap is 1. options->memory is for each path.
 *
 * With options->shared_weights and several outputs d is the same in all paths:
 *
 *   P(d) = min over c_o, b_o of  sum_o [sum_i w_i L(y_io, f_io + b_o) + lambda/2 c_o'f_o],
 *   f_o = R(d) c_o,
 *
 * or with the multinomial loss of all outputs of a row in place of the sum over o. Point i of each
 * path then has the same kernels and weights, and its objective, gap, residual and costs are those
 * of the joint problem; c, the intercept and df are the output's own (df is NaN of the multinomial
 * loss). All bases must be the same one. Whatever stops a fit, the paths hold the same lambdas. The
 * multinomial loss needs at least two outputs, and a response that is 1 in one column of each row
 * and -1 in the others. Beside what one path takes, there are n^2 values more for each output (none
 * of the square loss).
 *
 * As many paths are fitted at a time as control has threads; what is left of these works inside
 * them. Nothing that is computed depends on their number. Progress has the stage
 * "path" and counts the points of all paths together. When it asks to stop, the call still
 * succeeds: the paths hold the lambdas finished so far, perhaps none, and rls2_path_cancelled() is
 * 1 where any is missing. options and control may be NULL. On an error no path is left. The caller
 * frees each of paths[outputs]. */
RLS2_API rls2_status rls2_path_fit(int64_t outputs, const rls2_basis *const *bases, const double *y,
                                   int64_t count, const double *lambdas,
                                   const rls2_path_options *options, const rls2_control *control,
                                   rls2_path **paths, rls2_error *err);
RLS2_API void rls2_path_free(rls2_path *path);

/* Values of lambda finished. */
RLS2_API int64_t rls2_path_count(const rls2_path *path);
RLS2_API int rls2_path_cancelled(const rls2_path *path);
/* NULL if i is out of range. Owned by the path, as everything below. */
RLS2_API const rls2_path_point *rls2_path_at(const rls2_path *path, int64_t i);
/* The selected kernels (ascending) and their weights d_k > 0, which sum to 1; returns
 * how many there are. Either pointer may be NULL. */
RLS2_API int64_t rls2_path_kernel_weights(const rls2_path *path, int64_t i, const int64_t **kernels,
                                          const double **kernel_weights);
/* c, n values: f(x) = b + sum_j c_j sum_k d_k R^k(x_j, x), with weights too. */
RLS2_API const double *rls2_path_c(const rls2_path *path, int64_t i);
/* The intercept that is the same at all points: 0 under NONE, the mean, or the best constant of the
 * loss. Under FREE that of the last point; rls2_path_intercept_at is that of point i. */
RLS2_API double rls2_path_intercept(const rls2_path *path);
RLS2_API double rls2_path_intercept_at(const rls2_path *path, int64_t i);
RLS2_API rls2_loss rls2_path_loss(const rls2_path *path);
/* The number of outputs that d was found for: 1, but for shared weights. */
RLS2_API int64_t rls2_path_sharing(const rls2_path *path);

/* What every point of the path says about rows: f[rows->n x count], column-major, the intercept
 * included; column i belongs to point i. The rows are as for rls2_model_predict, but with every
 * given matrix of the dictionary. A kernel that is selected at several points is evaluated once:
 * O(rows->n * n) for each kernel selected anywhere, and as much again, without evaluations, for
 * each point it is selected at. */
RLS2_API rls2_status rls2_path_predict(const rls2_path *path, const rls2_rows *rows, double *f,
                                       rls2_error *err);
/* The same on several threads, with progress (stage "rows"), and RLS2_ERR_CANCELLED where that
 * stops it. rls2_path_predict is on one thread. */
RLS2_API rls2_status rls2_path_predict_watched(const rls2_path *path, const rls2_rows *rows,
                                               const rls2_control *control, double *f,
                                               rls2_error *err);

/* lambdas[i] log-spaced from hi down to lo; count >= 1 (hi alone when count is 1). */
RLS2_API rls2_status rls2_lambda_grid(double lo, double hi, int64_t count, double *lambdas,
                                      rls2_error *err);

/* A grid that suits the data: from a lambda at which the best kernel alone would shrink the fit to
 * about a tenth, down by `ratio` (for instance 1e-6). Of several responses (y is n x outputs, on
 * bases[outputs]) the largest of their tops counts, a response that is constant having none. */
RLS2_API rls2_status rls2_lambda_default(int64_t outputs, const rls2_basis *const *bases,
                                         const double *y, rls2_intercept intercept, double ratio,
                                         int64_t count, double *lambdas, rls2_error *err);

/* The same for the loss and the intercept of these options. */
RLS2_API rls2_status rls2_lambda_default_for(int64_t outputs, const rls2_basis *const *bases,
                                             const double *y, const rls2_path_options *options,
                                             double ratio, int64_t count, double *lambdas,
                                             rls2_error *err);

/* A bound that anyone can recompute.
 *
 *   primal = 1/2 sum_i w_i (y - R(d)c)_i^2 + lambda/2 c'R(d)c
 *   dual   = lambda y'c - lambda^2/2 sum_i c_i^2 / w_i - lambda/2 max_k c'R^k c
 *
 * dual <= minimum of P <= primal holds for every c and every d on the simplex. That is the square
 * loss; of any other, and of a free intercept, with t = R(d)c + b and p = -lambda c / w,
 *
 *   primal = sum_i w_i L(y_i, t_i) + lambda/2 c'R(d)c
 *   dual   = - sum_i w_i (L*(p_i) - p_i b) - lambda/2 max_k c'R^k c
 *
 * where each p_i has to be in the domain of L*, the slopes that L has, and where the intercept is
 * free 1'c must be 0 and b counts as 0 in the dual. c that is outside by no more than rounding is
 * moved there; of any other dual is -Infinity, and the gaps are infinite. */
typedef struct rls2_certificate {
    double primal;
    double dual;
    double gap; /* primal - dual, and what rounding of the kernels' values can add */
    /* gap over the least that primal can be, rounding of the kernels considered; 0 for y = 0, c = 0
     * alone, infinite where nothing is known */
    double relative_gap;
    double residual;    /* as that of rls2_path_point */
    double max_q;       /* max_k c'R^k c ... */
    int64_t max_kernel; /* ... and the kernel that attains it */
    double mean_square; /* of rls2_model_certify_rows: of the residuals, by weights; else 0 */
} rls2_certificate;

/* Recomputes the certificate from the original data: every kernel is evaluated anew
 * from the rows, by columns, nothing of a basis or path is used. y is the response
 * less the intercept. row_weights is NULL (all 1) or n positive numbers. d has m values on the
 * simplex: not negative, and of sum 1 within 1e-9, by which they are divided. Given matrices are
 * not checked; one that is not exactly symmetric counts as the mean of itself and its transpose.
 * Kernels of scaling 0 are none of the problem's. size is sizeof *certificate. O(m n^2) time (O(n)
 * for a linear kernel), O(n) memory. */
RLS2_API rls2_status rls2_certify(const rls2_dictionary *dictionary, const rls2_rows *train,
                                  const double *s, const double *row_weights, const double *y,
                                  double lambda, const double *d, const double *c,
                                  rls2_certificate *certificate, size_t size, rls2_error *err);

/* The same on several threads, with progress (stage "certificate", kernels done of all), and
 * RLS2_ERR_CANCELLED where that stops it. rls2_certify is on one thread. */
RLS2_API rls2_status rls2_certify_watched(const rls2_dictionary *dictionary, const rls2_rows *train,
                                          const double *s, const double *row_weights,
                                          const double *y, double lambda, const double *d,
                                          const double *c, const rls2_control *control,
                                          rls2_certificate *certificate, size_t size,
                                          rls2_error *err);

/* The same for any loss. y is the response as it is, and the intercept is added to R(d)c;
 * intercept_is_free is 1 where it was found with c and not fixed beforehand. RLS2_ERR_VALUE where y
 * is none of this loss. control may be NULL. */
RLS2_API rls2_status rls2_certify_loss(const rls2_dictionary *dictionary, const rls2_rows *train,
                                       const double *s, const double *row_weights, const double *y,
                                       rls2_loss loss, double intercept, int intercept_is_free,
                                       double lambda, const double *d, const double *c,
                                       const rls2_control *control, rls2_certificate *certificate,
                                       size_t size, rls2_error *err);

/* The same for point i of a path, of its loss and intercept, with the rows and scalings its basis
 * was made of. */
RLS2_API rls2_status rls2_path_certify(const rls2_path *path, int64_t i,
                                       rls2_certificate *certificate, size_t size, rls2_error *err);
RLS2_API rls2_status rls2_path_certify_watched(const rls2_path *path, int64_t i,
                                               const rls2_control *control,
                                               rls2_certificate *certificate, size_t size,
                                               rls2_error *err);

/* The same for point i of paths with shared weights, all of which are needed: of one alone
 * rls2_path_certify says RLS2_ERR_ARGUMENT. With L* the conjugate of the loss of a row,
 *
 *   primal = sum of the loss + lambda/2 sum_o c_o'R(d)c_o
 *   dual   = - sum_i w_i L*(-lambda c_i / w_i) - lambda/2 max_k sum_o c_o'R^k c_o
 *
 * Where the intercept is free, c_o sums to 0, and what rounding leaves of that is counted by the
 * sizes of b_o and f_o. residual is the root of the share of the primal that c by itself could
 * gain. control may be NULL; on one thread where it is. */
RLS2_API rls2_status rls2_paths_certify(int64_t outputs, const rls2_path *const *paths, int64_t i,
                                        const rls2_control *control, rls2_certificate *certificate,
                                        size_t size, rls2_error *err);

#ifdef __cplusplus
}
#endif
#endif
