/* The model: one point of a path, able to stand alone.
 *
 * f(x) = b + sum_k d_k s_k sum_j c_j K_k(x_j, x) over the selected kernels. The
 * model owns copies of all it needs; basis, path and data may go. All functions
 * that take rows expect the columns of the training data, in that order. Matrices
 * out are column-major, rows->n high, and the caller's.
 *
 * A model may have several outputs: one for each class where there are more than two, or for each
 * of several responses. Each output is then a model of its own, rls2_model_output, with its own d,
 * c and scalings on the same training rows, and everything below can be asked of it. Asked of the
 * model as a whole, what is about kernels is about those that any output selects, the point sums
 * up, and what only one output can say is NULL, NaN or RLS2_ERR_ARGUMENT. */
#ifndef RLS2_MODEL_H
#define RLS2_MODEL_H

#include "rls2/path.h"
#include "rls2/table.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rls2_model rls2_model;

/* Copies point i of a path, or of each of several paths: a model of that many outputs. The paths
 * and what they were made of must still be there, and may go afterwards. Several paths have the
 * same dictionary, rows and row weights (bases the same, or rescaled), the same rule of scaling,
 * the same solver and the same lambda at i. O(n p + selected). */
RLS2_API rls2_status rls2_model_create(int64_t outputs, const rls2_path *const *paths, int64_t i,
                                       rls2_model **model, rls2_error *err);
RLS2_API void rls2_model_free(rls2_model *model);

RLS2_API int64_t rls2_model_outputs(const rls2_model *model);
/* Output o as a model of one output, which belongs to `model` and is not freed, attached or saved
 * by itself; the model itself where it has but one; NULL if out of range. The columns and given
 * matrices it keeps are those of the whole. */
RLS2_API const rls2_model *rls2_model_output(const rls2_model *model, int64_t o);
/* The class, or the target's column; of a model that was never attached NULL. */
RLS2_API const char *rls2_model_output_name(const rls2_model *model, int64_t o);

/* ---- stacks ---- */

/* A stack (setting "stack") adds to a model, its sparse part, what members say: regularised least
 * squares on the same rows, with one kernel or the average of all. A prediction is a constant plus
 * the weight of the sparse part times what that says, plus the weights of the members times what
 * they say; the weights are found on left-out rows and are not negative (docs/MATH.md, S1).
 * Predictions, contributions, intervals, effects, explanations and what left-out rows say are those
 * of the stack; everything else - kernels, weights, c, certificate, shares, degrees of freedom - is
 * that of the sparse part. 0 where a model stands alone. */
RLS2_API int64_t rls2_model_member_count(const rls2_model *model);
/* Member m as a model, of as many outputs as `model`, to which it belongs; it was never attached.
 * NULL if out of range. */
RLS2_API const rls2_model *rls2_model_member(const rls2_model *model, int64_t m);
/* The name of its kernel, or "average of all kernels", or "average weighted by
 * alignment" (docs/MATH.md, B2). */
RLS2_API const char *rls2_model_member_name(const rls2_model *model, int64_t m);
/* Of one output: the weight of member m, or of the sparse part (m = -1), 1 where it stands alone.
 * NaN if out of range, and of several outputs. */
RLS2_API double rls2_model_member_weight(const rls2_model *model, int64_t m);
/* Of one output: what contributions are added to. The intercept; of a stack those of all parts,
 * each times its weight, plus the constant. */
RLS2_API double rls2_model_base(const rls2_model *model);
/* What the sparse part alone has on left-out rows, by the measure of rls2_model_left_out; NaN where
 * that is not known, or a model stands alone. */
RLS2_API double rls2_model_sparse_score(const rls2_model *model);
/* Of one output: f[rows->n x members], what each says beyond its intercept, times its weight.
 * Nothing where it stands alone. */
RLS2_API rls2_status rls2_model_member_contributions(const rls2_model *model, const rls2_rows *rows,
                                                     const rls2_control *control, double *f,
                                                     rls2_error *err);

RLS2_API int64_t rls2_model_kernel_count(const rls2_model *model); /* selected kernels */
/* Training rows: those it was learned from, whether or not the model keeps them. */
RLS2_API int64_t rls2_model_rows(const rls2_model *model);
RLS2_API int64_t rls2_model_columns(const rls2_model *model); /* data columns p */
RLS2_API double rls2_model_lambda(const rls2_model *model);
RLS2_API double rls2_model_intercept(const rls2_model *model);
/* What it was learned with; of several outputs that of the first, the others' being of the same
 * kind. Whether the intercept was found with the rest and not penalised, and whether outputs have
 * one set of kernel weights. */
RLS2_API rls2_loss rls2_model_loss(const rls2_model *model);
RLS2_API int rls2_model_intercept_is_free(const rls2_model *model);
RLS2_API int rls2_model_shares_weights(const rls2_model *model);
/* Of the k-th selected kernel: its name, d_k, s_k, and w_k = sqrt(d_k / s_k) of the
 * second layer. Of several outputs: those selected by any, ascending; d_k is the mean over the
 * outputs, s_k and w_k are NaN. */
RLS2_API const char *rls2_model_kernel_name(const rls2_model *model, int64_t k);
RLS2_API double rls2_model_kernel_weight(const rls2_model *model, int64_t k);
RLS2_API double rls2_model_scale(const rls2_model *model, int64_t k);
RLS2_API double rls2_model_w(const rls2_model *model, int64_t k);
/* NULL of several outputs, and of compact models. */
RLS2_API const double *rls2_model_c(const rls2_model *model);
/* Weights of the n training rows; NULL where each is one, and of compact models. */
RLS2_API const double *rls2_model_row_weights(const rls2_model *model);

/* Where on its path the model lies: objective, gap, iterations and the rest. Owned by the model. Of
 * several outputs: objective, df and all counts of work are sums, gap and residual the largest,
 * outcome the worst, and selected counts the kernels that any output selects. */
RLS2_API const rls2_path_point *rls2_model_point(const rls2_model *model);
/* The dictionary it was chosen from, owned by the model, and the text of it. */
RLS2_API const rls2_dictionary *rls2_model_dictionary(const rls2_model *model);
RLS2_API const char *rls2_model_spec(const rls2_model *model);
/* Number in the dictionary of the k-th selected kernel; -1 if k is out of range. */
RLS2_API int64_t rls2_model_kernel_index(const rls2_model *model, int64_t k);
/* The columns it looks at, ascending; returns how many, 0 for a given matrix. */
RLS2_API int64_t rls2_model_kernel_columns(const rls2_model *model, int64_t k,
                                           const int64_t **columns);
/* relevance[inputs] (of a model that was never attached its data columns): the share of each in the
 * mean squared distance between two training rows, as the widths weigh columns that a kernel of the
 * model learned (that of most columns; of a stack else one of its members): width times variance,
 * summed over its columns, over that of all. What the kernel can tell apart, not what the model
 * explains by it. Returns how many there are; 0, and nothing is written, where there is no such
 * kernel. relevance may be NULL. */
RLS2_API int64_t rls2_model_relevance(const rls2_model *model, double *relevance);
/* s_k of every kernel of the dictionary, selected or not (NULL of several outputs, which have their
 * own), and the rule that made them, owned by the model (members may be added at its end; NULL of
 * NULL). `transductive` is 1 if other rows than the training rows were counted. */
typedef struct rls2_model_scaling {
    rls2_scaling rule;
    int center;
    int transductive;
    int skip_degenerate;
} rls2_model_scaling;
RLS2_API const rls2_model_scaling *rls2_model_scaling_rule(const rls2_model *model);
RLS2_API const double *rls2_model_scales(const rls2_model *model);
RLS2_API rls2_solver rls2_model_solver(const rls2_model *model);
/* Names of the data columns, and of the given matrices its dictionary refers to. */
RLS2_API const char *const *rls2_model_column_names(const rls2_model *model);
/* The n training values of a data column as the model keeps them, NULL for a column that no
 * selected kernel looks at (of a compact model rls2_model_points values: those of its blocks, see
 * below); and likewise a given matrix, n x n. */
RLS2_API const double *rls2_model_training_column(const rls2_model *model, int64_t column);
RLS2_API const double *rls2_model_training_given(const rls2_model *model, int64_t g);
RLS2_API int64_t rls2_model_given_count(const rls2_model *model);
RLS2_API const char *rls2_model_given_name(const rls2_model *model, int64_t g);

/* ---- compact models ----
 *
 * A model of very many rows does not keep them. It is expanded on made rows instead, in blocks: the
 * grid of an input or of a pair of inputs, or landmarks. Each selected kernel looks at the columns
 * of one block alone and has the coefficients of that,
 *
 *   f(x) = b + sum_k d_k s_k F_k(x),   F_k(x) = sum_g c_g K_k(x_g, x)
 *
 * over the points g of the block of k. Numbers of more values than the block has points were
 * learned as functions that are linear between these: there F_k(x) = (1 - t) F_k(x_g) + t F_k(x_h),
 * x being at a share t of the way from a knot g to the next, h; where a cell is missing F_k at the
 * point of missing cells; beyond the first and the last knot, and for linear kernels, the sum
 * itself. Everything that is said of new rows is said as by any model. What needs the training rows
 * themselves is not known: rls2_model_variance, _factorize and _certify are RLS2_ERR_ARGUMENT, and
 * rls2_model_shares and _degrees_of_freedom what was found when it was learned. */

RLS2_API int rls2_model_is_compact(const rls2_model *model);
/* Rows that the model keeps: made ones, or those it was learned from. */
RLS2_API int64_t rls2_model_points(const rls2_model *model);

/* A block; owned by the model, members may be added at the end. */
typedef struct rls2_model_block {
    int64_t column_count;
    const int64_t *columns; /* of the data, ascending */
    int64_t first, count;   /* its points: rows of rls2_model_training_column; what other rows have
                               in its columns means nothing to its kernels */
    int exact;              /* 1: its points are all that the training rows have in its columns */
    const double *mass; /* count: training rows that each point stands for, by their weights; NULL
                           where that is not known */
    int64_t knots;      /* 0: its kernels are expanded. Else the first so many points ascend in its
                           first column, and its kernels are interpolated, constant beyond the ends
                           but for linear ones; one more is that of missing cells */
} rls2_model_block;
RLS2_API int64_t rls2_model_block_count(const rls2_model *model); /* 0 of other models */
RLS2_API const rls2_model_block *rls2_model_block_at(const rls2_model *model, int64_t b);
/* Its coefficients, of one output: count values. */
RLS2_API const double *rls2_model_block_c(const rls2_model *model, int64_t b);
/* The block of the k-th selected kernel; -1 of other models. */
RLS2_API int64_t rls2_model_kernel_block(const rls2_model *model, int64_t k);

/* How it stands to the rows it was learned from; owned by the model, members may be added at the
 * end. Each is NaN where it is not known. */
typedef struct rls2_represented {
    double bound; /* of what the representation changes of the least objective, relative to it;
                           0: nothing */
    double mean_square; /* of the residuals on the training rows, by their weights, */
    double variance;    /* and of the response there */
    double mean;        /* of the response there, by weights, those of classes among them */
    double estimate;    /* of what `bound` bounds, if residuals do not depend on where rows lie
                           between points. No bound; far too small at times where below 0.01 */
} rls2_represented;
/* NULL of models that are not compact. Of several outputs the largest bound, and NaN. */
RLS2_API const rls2_represented *rls2_model_represented(const rls2_model *model);

/* ---- from tables to rows ----
 *
 * A model made from numbers knows nothing of tables. Attached to its training data it knows how
 * those were made, makes new rows the same way, and carries that along in its file. */

/* Remembers how `training` was made: columns, indicators, labels, preprocessing, fingerprint. Its
 * columns must be the model's, and it must have as many responses as the model outputs. The data
 * set may go afterwards. */
RLS2_API rls2_status rls2_model_attach(rls2_model *model, const rls2_dataset *training,
                                       rls2_error *err);
/* Is the response of new rows read? */
typedef enum rls2_response {
    RLS2_RESPONSE_IGNORED = 0,
    RLS2_RESPONSE_READ = 1 /* where it is there */
} rls2_response;

/* Rows of a table as the model expects them, as rls2_dataset_create_like makes them; it may be that
 * none is left. RLS2_MISSING_IMPUTE is done whatever was done for the training rows, from which the
 * model knows how; but a model of a file of rls2 0.7 or older does not, and does as it was trained.
 * With RLS2_RESPONSE_READ the rows are those the model was trained on if the table
 * is. With RLS2_RESPONSE_IGNORED the column of the response is not looked at, nor are inputs that
 * no kernel uses that any output selects: they may be absent, and are zero in the result (all are
 * needed where examples were preprocessed). RLS2_ERR_ARGUMENT if the model was never attached. Free
 * with rls2_dataset_free. */
RLS2_API rls2_status rls2_model_encode(const rls2_model *model, const rls2_table *table,
                                       rls2_missing missing, rls2_response response,
                                       rls2_dataset **dataset, rls2_error *err);
/* Of a model that was never attached: NULL, 0, 0, {0}. The target is that of an output where there
 * are several; then it is NULL for the whole. */
RLS2_API const char *rls2_model_target(const rls2_model *model);
/* The number of target t (of those the model has, in their order) in a row of a table whose column
 * it is: read as the training rows were written, also in a piece of a stream. NaN where it is
 * missing or none, and where there are classes. */
RLS2_API double rls2_model_target_value(const rls2_model *model, int64_t t, const rls2_table *table,
                                        int64_t row, int64_t column);
RLS2_API int rls2_model_is_classification(const rls2_model *model);
RLS2_API int64_t rls2_model_class_count(const rls2_model *model); /* as rls2_dataset_class_count */
RLS2_API const char *rls2_model_class_label(const rls2_model *model, int64_t k);
/* The column of the training table that held the weights of the rows; NULL where there was none.
 * (Rows may have weights without one: those of their classes.) */
RLS2_API const char *rls2_model_row_weights_column(const rls2_model *model);
/* Of the training data; 0 where these were never all in memory: read in pieces, or statistics. */
RLS2_API uint64_t rls2_model_fingerprint(const rls2_model *model);
/* What was done with missing cells of the training rows; RLS2_MISSING_ERROR without attachment. */
RLS2_API rls2_missing rls2_model_missing(const rls2_model *model);
/* How the training rows were preprocessed. */
RLS2_API rls2_normalize rls2_model_example_rule(const rls2_model *model);
RLS2_API rls2_normalize rls2_model_feature_rule(const rls2_model *model);
/* The columns of the training table that are inputs: one data column for numbers, several
 * indicators for text. Without attachment every data column is one. */
RLS2_API int64_t rls2_model_input_count(const rls2_model *model);
RLS2_API const char *rls2_model_input_name(const rls2_model *model, int64_t input);
/* What it is, and its data columns: as rls2_dataset_input_kind and rls2_dataset_input_columns. */
RLS2_API rls2_column_kind rls2_model_input_kind(const rls2_model *model, int64_t input);
RLS2_API int64_t rls2_model_input_columns(const rls2_model *model, int64_t input, int64_t *first);
/* The input a data column belongs to, -1 if there is none. */
RLS2_API int64_t rls2_model_input_of(const rls2_model *model, int64_t column);

/* ---- what predictions say ----
 *
 * rls2_model_predict and its kind are on the scale of the loss: the logarithm of odds, or of a
 * rate. */

/* What n predictions f, n x outputs, say of the response, to f itself: rates of counts, and several
 * quantiles of a row in ascending order, as they would be if each were exact; otherwise f stays as
 * it is. */
RLS2_API void rls2_model_respond(const rls2_model *model, int64_t n, double *f);
/* Probabilities of the classes, p[n x classes], of the same f: rls2_loss_probabilities of the
 * model's loss. RLS2_ERR_ARGUMENT where it was not learned with logistic loss. */
RLS2_API rls2_status rls2_model_probabilities(const rls2_model *model, int64_t n, const double *f,
                                              double *p, rls2_error *err);

/* ---- rows that were left out ----
 *
 * A model whose lambda was chosen on left-out rows (rls2_plan_fit) remembers how these fared, and
 * its file does. */

/* Owned by the library; members may be added at the end. */
typedef struct rls2_left_out {
    const char *measure; /* "rmse", "accuracy", ...: rls2_measure_name */
    double score;        /* at the model's lambda: rls2_cv_point's cvm, */
    double error;        /* and its cvsd; NaN where that is not known */
    int64_t splits;
} rls2_left_out;
/* Of an output what is known of the whole. NULL where lambda was chosen in another way. */
RLS2_API const rls2_left_out *rls2_model_left_out(const rls2_model *model);
/* rls2_cv_shares of the model's lambda, of one output: kernels that a split selected, by their
 * number in the dictionary, ascending, whether or not the model selects them; returns how many, 0
 * where they are not known and of several outputs. kernels and shares may be NULL. */
RLS2_API int64_t rls2_model_left_out_shares(const rls2_model *model, const int64_t **kernels,
                                            const double **shares);

/* ---- intervals ----
 *
 * A model that was calibrated on left-out rows (setting "interval" of a plan) says between which
 * numbers a new response lies, in as many cases as its level says: docs/MATH.md, I1, says when. */

/* Owned by the library; members may be added at the end. */
typedef struct rls2_interval {
    double level;      /* share of new rows that it is meant for, 0 < level < 1 */
    double correction; /* what is added on both sides, in units of the response: to the prediction,
                          or to the first and the last of several quantiles, where it may be
                          negative */
    int64_t rows;      /* left-out rows that it was found by, */
    int64_t within;    /* of which so many lie within */
} rls2_interval;
/* Of a model of one output, or of several quantiles of a target; of several targets each output has
 * its own, and the whole NULL. NULL where it was not calibrated. */
RLS2_API const rls2_interval *rls2_model_interval(const rls2_model *model);
/* Intervals of a row: one of one output and of quantiles, one for each of several targets; 0: none.
 */
RLS2_API int64_t rls2_model_interval_count(const rls2_model *model);
/* lower, upper[n x rls2_model_interval_count] of n predictions f, n x outputs, as
 * rls2_model_predict made them (and not rls2_model_respond). On the scale of the response; counts
 * are not negative. RLS2_ERR_ARGUMENT where the model was not calibrated. */
RLS2_API rls2_status rls2_model_predict_interval(const rls2_model *model, int64_t n,
                                                 const double *f, double *lower, double *upper,
                                                 rls2_error *err);

/* ---- files ----
 *
 * The safetensors layout: an 8-byte little-endian length, a JSON header, raw little-endian arrays;
 * any safetensors reader opens it. What the arrays mean is the JSON text `rls2` of the metadata,
 * described in docs/FORMAT.md, in the oldest version that can hold the model. Loading checks every
 * offset, shape and value, and a checksum of the whole file; a file of a newer version, cut off, or
 * with a byte changed, is refused with a sentence that says so. A model that was loaded gives the
 * same bits as the one that was saved. */

/* Writes to a temporary file beside `path`, has it put on the disk, and renames it: whatever
 * happens, `path` is the old file or the whole new one. */
RLS2_API rls2_status rls2_model_save(const rls2_model *model, const char *path, rls2_error *err);
RLS2_API rls2_status rls2_model_load(const char *path, rls2_model **model, rls2_error *err);
/* The same bytes in memory; free them with rls2_bytes_free. `name` stands for the file in messages.
 */
RLS2_API rls2_status rls2_model_pack(const rls2_model *model, void **bytes, int64_t *length,
                                     rls2_error *err);
RLS2_API rls2_status rls2_model_unpack(const char *name, const void *bytes, int64_t length,
                                       rls2_model **model, rls2_error *err);
RLS2_API void rls2_bytes_free(void *bytes);

/* ---- what it says ---- */

/* Of a control these calls look at the number of threads and at progress, which is told of the
 * stage "rows" and may stop them: RLS2_ERR_CANCELLED. It may be NULL. Few rows are left to one
 * thread. (OpenMP: a process that forks after using several threads must not use them in the
 * child.)
 */

/* f[rows->n x outputs]. A kernel that several outputs select is evaluated once. O(rows->n * n *
 * selected), n being the rows it keeps. */
RLS2_API rls2_status rls2_model_predict(const rls2_model *model, const rls2_rows *rows,
                                        const rls2_control *control, double *f, rls2_error *err);
/* The class of each of n rows from f[n x outputs]: of two classes (one output) number 1 where f >=
 * 0; of more the one with the largest f, the first of several. -1 where f is not a number. */
RLS2_API void rls2_decide(int64_t outputs, int64_t n, const double *f, int64_t *classes);
/* rows->n x selected: d_k s_k sum_j c_j K_k(x_j, x). With the intercept they sum to the
 * prediction. Of a stack they are times the weight of its sparse part, and with
 * rls2_model_member_contributions and rls2_model_base they sum to the prediction. */
RLS2_API rls2_status rls2_model_contributions(const rls2_model *model, const rls2_rows *rows,
                                              const rls2_control *control, double *f,
                                              rls2_error *err);
/* Gaussian-process variance of f at the rows, given d, in the units of the paper's
 * Bayesian reading, in which the noise has variance lambda (over the weight of the row): k(x,x) -
 * k'(R + lambda W^-1)^-1 k. Add lambda for that of a new observation. For error bars in the units
 * of y multiply by sigma^2 / lambda with an estimate of the noise, for instance sigma^2 = (sum of
 * squared residuals) / (n - df). O(n^3 + rows->n n^2); of linear kernels in p columns, few against
 * n, O(n p^2 + rows->n p^2). */
RLS2_API rls2_status rls2_model_variance(const rls2_model *model, const rls2_rows *rows,
                                         double *variance, rls2_error *err);
/* The same on several threads, with progress (stage "variances"), and RLS2_ERR_CANCELLED where that
 * stops it; rls2_model_variance is on one thread. So with the next two. */
RLS2_API rls2_status rls2_model_variance_watched(const rls2_model *model, const rls2_rows *rows,
                                                 const rls2_control *control, double *variance,
                                                 rls2_error *err);
/* Keeps what rls2_model_variance factorises, n x n numbers or p x p, so that further calls need
 * not: for rows that come in many pieces. Of several outputs: for each of them. Changes nothing
 * else; not while another thread uses the model. */
RLS2_API rls2_status rls2_model_factorize(rls2_model *model, rls2_error *err);
RLS2_API rls2_status rls2_model_factorize_watched(rls2_model *model, const rls2_control *control,
                                                  rls2_error *err);
/* a[p] of f(x) = b + a'x, when every selected kernel is `linear` (E16, E17);
 * RLS2_ERR_ARGUMENT otherwise. (poly(1) has an offset and is not.) */
RLS2_API rls2_status rls2_model_coefficients(const rls2_model *model, double *a, rls2_error *err);
/* First layer (THM2): z[rows->n x selected], z_k = s_k w_k sum_j c_j K_k(x_j, x). */
RLS2_API rls2_status rls2_model_layer1(const rls2_model *model, const rls2_rows *rows,
                                       const rls2_control *control, double *z, rls2_error *err);
/* Second layer: f = z'S w (no intercept), for `count` points z[count x selected]. */
RLS2_API rls2_status rls2_model_layer2(const rls2_model *model, int64_t count, const double *z,
                                       double *f, rls2_error *err);
/* The learned kernel (E02, E03), K(x, x') = f1(x)'S f1(x'): k[a->n x b->n]. */
RLS2_API rls2_status rls2_model_learned_kernel(const rls2_model *model, const rls2_rows *a,
                                               const rls2_rows *b, const rls2_control *control,
                                               double *k, rls2_error *err);
/* share[selected]: how much of the variance of f over the training rows each kernel accounts for,
 * cov(f_k, f) / var(f), which sum to 1 (all 0 where f is constant). One may be negative: a kernel
 * that corrects others. f (training rows) may be NULL: the fitted values, intercept included. O(n^2
 * selected). */
RLS2_API rls2_status rls2_model_shares(const rls2_model *model, const rls2_control *control,
                                       double *share, double *f, rls2_error *err);

/* What an input does (partial dependence): the mean prediction over training rows as the input
 * takes one value after another, all else being as it is in these rows, less the mean over these
 * values. Of numbers and dates the values are all there are in training, or 21 quantiles; of text
 * the categories. Kernels of several inputs are looked at for a sample of at most 200 rows, evenly
 * spaced, the same for every input and at every call; of a compact model for at most 50 of its
 * points. Of a stack it is what the input does to the prediction of the stack. */
typedef struct rls2_effect rls2_effect;
typedef enum rls2_direction {
    RLS2_DIRECTION_NONE = 0, /* no change, or categories */
    RLS2_DIRECTION_UP = 1,   /* more of it means more: at most a fifth of all steps goes down, over
                                values that 4 % of the rows have */
    RLS2_DIRECTION_DOWN = 2,
    RLS2_DIRECTION_BOTH = 3
} rls2_direction;
/* One value; the library owns it, and members may be added at the end. */
typedef struct rls2_effect_point {
    double value;      /* in the units of the table (dates: days since 1970-01-01); NaN of a
                          category */
    const char *level; /* the category, borrowed from the model, or "missing" for empty cells of
                          numbers; NULL of a value */
    double rows;   /* training rows that have it, by their weights; of a quantile those nearest */
    double effect; /* in the units of the response */
    /* How it differs between rows: each row of the sample has a curve of its own, what is predicted
     * of it as the input takes these values, less its mean; at this value a tenth of them lies
     * below `lower`, and a tenth above `upper`. Both are the effect where no kernel looks at this
     * input and others: then it is the same for all rows. Not an uncertainty. NaN of a compact
     * model where that is not so, and where a prediction overflows. */
    double lower, upper;
} rls2_effect_point;

/* Of a model of one output, or of one output of a model; no points where no kernel looks at the
 * input. RLS2_ERR_ARGUMENT for several outputs at once. Free with rls2_effect_free, before the
 * model. O(n) kernel values for each kernel and value, and as many times the sample for kernels of
 * several inputs. */
RLS2_API rls2_status rls2_model_effect(const rls2_model *model, int64_t input, rls2_effect **effect,
                                       rls2_error *err);
/* The same, and RLS2_ERR_CANCELLED where the progress of the control (stage "inputs") stops it. */
RLS2_API rls2_status rls2_model_effect_watched(const rls2_model *model, int64_t input,
                                               const rls2_control *control, rls2_effect **effect,
                                               rls2_error *err);
RLS2_API void rls2_effect_free(rls2_effect *effect);
RLS2_API int64_t rls2_effect_count(const rls2_effect *effect);
RLS2_API const rls2_effect_point *rls2_effect_at(const rls2_effect *effect, int64_t i);
RLS2_API rls2_direction rls2_effect_direction(const rls2_effect *effect);
/* What two inputs do, alone and together: effects[p + q * count] at the p-th of the `count` values
 * that rls2_model_effect has of `first` and the q-th of those of `second`: the mean prediction over
 * the same rows as both take these values, less the mean over all pairs of values, by the product
 * of their rows. Of a compact model it is that of the kernels that look at one of the two or at
 * both, and at no other input. Nothing is written where an input has no values. Errors as of
 * rls2_model_effect. O(n) kernel values for each kernel and pair of values. */
RLS2_API rls2_status rls2_model_joint_effect(const rls2_model *model, int64_t first, int64_t second,
                                             double *effects, rls2_error *err);

/* ---- how much inputs count, and which act together ----
 *
 * Of the whole prediction f of one output, on the scale of the loss and of a stack with its
 * members, over a sample of at most 200 training rows, which count by their weights: the same rows
 * as those of effects. With F_j(x) the mean of f over the sample as input j is that of row x, F_jk
 * likewise of two inputs, and F_-j as all but j are (partial dependence; each less its mean over
 * the sample), everything is a share of the variance of f over the sample (docs/MATH.md, G13). */
typedef struct rls2_explanation rls2_explanation;

/* Owned by the library; members may be added at the end. */
typedef struct rls2_explained_input {
    int64_t input;
    /* cov(F_j, f) / var(f). Where no kernel looks at several inputs these sum to 1, as
     * rls2_model_shares do. May be negative: what it does offsets others. */
    double share;
    /* var(F_j) / var(f): how much f would vary by this input alone. Inputs that go along with each
     * other may have more than 1 together. */
    double alone;
    /* Mean of (f - F_j - F_-j)^2, over var(f): what it does only together with any others,
     * Friedman's H^2 of one input. 0 where no kernel looks at it and others. */
    double interaction;
} rls2_explained_input;
typedef struct rls2_explained_pair {
    int64_t first, second; /* inputs, ascending */
    /* Mean of (F_jk - F_j - F_k)^2, over var(f): of the variance of the prediction what the two do
     * together and neither does alone. */
    double share;
    double h2; /* the same over the mean of F_jk^2: Friedman's H^2, of what the two do in all */
} rls2_explained_pair;

/* Of a model of one output, or of one output of a model. Free with rls2_explanation_free; it needs
 * the model no longer. RLS2_ERR_ARGUMENT for several outputs at once, and for compact models, which
 * keep no rows; RLS2_ERR_VALUE where predictions overflow; RLS2_ERR_CANCELLED where the progress of
 * the control (stage "inputs") stops it. The sample is as large as keeps the cost at some 2.5e8
 * kernel values, at least 20 rows: 2 n rows values for each kernel of several inputs and each input
 * and pair; n rows^2 of Matern kernels and of polynomials of degree 5 or more. Kernels of one input
 * and linear ones cost n rows once. */
RLS2_API rls2_status rls2_model_explain(const rls2_model *model, const rls2_control *control,
                                        rls2_explanation **explanation, rls2_error *err);
/* Kernel values that rls2_model_explain takes; some 2e8 of them are a second of one core. NaN where
 * it would be refused, and when out of memory. O(selected). */
RLS2_API double rls2_model_explain_cost(const rls2_model *model);
RLS2_API void rls2_explanation_free(rls2_explanation *explanation);
/* The sample: numbers of training rows, ascending; returns how many. rows may be NULL. */
RLS2_API int64_t rls2_explanation_rows(const rls2_explanation *explanation, const int64_t **rows);
/* Of f over the sample; 0 where it is constant, and then all shares are. */
RLS2_API double rls2_explanation_variance(const rls2_explanation *explanation);
/* The inputs that a kernel of the prediction looks at, by |share| + interaction, largest first. */
RLS2_API int64_t rls2_explanation_input_count(const rls2_explanation *explanation);
RLS2_API const rls2_explained_input *rls2_explanation_input(const rls2_explanation *explanation,
                                                            int64_t i);
/* Pairs of the ten inputs with the largest interaction that some kernel looks at both of, by share,
 * largest first; and of how many inputs that act together with others so many were compared. */
RLS2_API int64_t rls2_explanation_pair_count(const rls2_explanation *explanation);
RLS2_API const rls2_explained_pair *rls2_explanation_pair(const rls2_explanation *explanation,
                                                          int64_t i);
RLS2_API int64_t rls2_explanation_interacting(const rls2_explanation *explanation,
                                              int64_t *compared);

/* The certificate of rls2_certify for this model, every kernel of its dictionary evaluated anew on
 * `train`, which should be the rows it was trained on, with the model's scalings; y includes the
 * intercept. */
RLS2_API rls2_status rls2_model_certify(const rls2_model *model, const rls2_rows *train,
                                        const double *y, rls2_certificate *certificate, size_t size,
                                        rls2_error *err);
/* As rls2_certify_watched. */
RLS2_API rls2_status rls2_model_certify_watched(const rls2_model *model, const rls2_rows *train,
                                                const double *y, const rls2_control *control,
                                                rls2_certificate *certificate, size_t size,
                                                rls2_error *err);
/* Of a model whose outputs share kernel weights, which have no certificates of their own: that of
 * all together, y being n x outputs. control may be NULL: one thread. RLS2_ERR_ARGUMENT of any
 * other model. Cost: as rls2_certify for each output. */
RLS2_API rls2_status rls2_model_certify_outputs(const rls2_model *model, const rls2_rows *train,
                                                const double *y, const rls2_control *control,
                                                rls2_certificate *certificate, size_t size,
                                                rls2_error *err);
/* What a compact model is worth on the rows themselves, `rows` being those it was learned from and
 * `weights` theirs in the fit (NULL: each is one): primal is the objective of its f by definition,
 * dual a lower bound of the least there is with the scalings of the model, from the residuals of f
 * and bounds of what all kernels have of them, or, of up to 100,000 rows and where that is more
 * than a tenth off, from a better c that is searched for; max_kernel is the one that limits it,
 * max_q its bound at that c; residual is 0. The intercept counts as it was before it was rounded,
 * where that is all it is off. Of one output, or one of several.
 * RLS2_ERR_ARGUMENT where the model is not compact. O(rows m r^2), r being at most 400; the
 * search takes some times as long. */
RLS2_API rls2_status rls2_model_certify_rows(const rls2_model *model, const rls2_rows *rows,
                                             const double *y, const double *weights,
                                             const rls2_control *control,
                                             rls2_certificate *certificate, size_t size,
                                             rls2_error *err);
/* tr R (R + lambda I)^-1, between 0 and min(n, rank of R). O(n^3). */
RLS2_API rls2_status rls2_model_degrees_of_freedom(const rls2_model *model, double *df,
                                                   rls2_error *err);
RLS2_API rls2_status rls2_model_degrees_of_freedom_watched(const rls2_model *model,
                                                           const rls2_control *control, double *df,
                                                           rls2_error *err);

#ifdef __cplusplus
}
#endif
#endif
