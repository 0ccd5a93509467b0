/* The basis: the dictionary's kernels on the training rows, scaled, as operators.
 *
 * R^k = s_k K_k(X, X). Each kernel is stored in the shape that suits it: a dense
 * triangle, a low-rank factor (pivoted Cholesky), for a linear kernel of one column
 * that column alone, for a given matrix the caller's own. What does not fit into the memory
 * allowed is not stored but evaluated from the rows whenever it is needed. */
#ifndef RLS2_BASIS_H
#define RLS2_BASIS_H

#include "rls2/control.h"
#include "rls2/dictionary.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Rows of data. x is column-major, n x p, leading dimension ldx (0 means n); it may
 * be NULL when p = 0. given[g] is the g-th precomputed matrix between these rows
 * and the training rows, column-major, n x n_train (n x n for the training rows
 * themselves). given_diagonal[g] is K(x_i, x_i) of new rows, needed for their predictive
 * variances and for transductive scaling only. Everything is borrowed. Never changes: rls2.h. */
typedef struct rls2_rows {
    int64_t n;
    int64_t p;
    const double *x;
    int64_t ldx;
    int64_t given_count;
    const double *const *given;
    const double *const *given_diagonal;
} rls2_rows;

/* How the scalings s_k are chosen (section 4.3 of the paper). */
typedef enum rls2_scaling {
    RLS2_SCALING_NONE = 0,       /* 1 */
    RLS2_SCALING_TRACE = 1,      /* 1 / trace                              E11, E21 */
    RLS2_SCALING_FISHER = 2,     /* 1 / sum of the within-class variances  E22 */
    RLS2_SCALING_FISHER_SQRT = 3 /* its square root                        sec. 5.3 */
} rls2_scaling;

typedef struct rls2_basis rls2_basis;

/* Fill it by rls2_basis_options_init(&options, sizeof options). */
typedef struct rls2_basis_options {
    size_t size;
    rls2_scaling scaling; /* default TRACE */
    int center; /* 1, with TRACE: the trace of the matrix centred in feature space; default 0 */
    /* Rows, beside the training rows, over which the trace is taken too (transductive
     * scaling); NULL, the default, uses nothing but the training rows. */
    const rls2_rows *transductive;
    /* n values of either sign, for the two Fisher rules. A class of no rows, or of one, has no
     * variance; the other's is then the denominator. */
    const double *labels;
    /* How many rows each row stands for: n numbers between 1e-100 and 1e100, copied; NULL
     * (default): each is one. The operators are then W^1/2 R^k W^1/2, and everything that counts
     * rows (scalings, intercept, objective, degrees of freedom) counts them so: the same as if the
     * rows were there as often. Those of `transductive` count once. */
    const double *row_weights;
    /* A kernel whose scaling is not finite (zero trace, zero within-class variance) is
     * an error (0, default) or is kept as a zero kernel that is never selected (1). */
    int skip_degenerate;
    /* Low-rank factors leave out at most this share of a kernel's trace (default
     * 1e-14); 0 keeps every kernel of more than one column dense. What was left out is
     * counted into every gap. */
    double rank_tol;
    /* Bytes the stored operators may take in all; 0 (default): no limit. The smallest factors that
     * fit are stored, then triangles, those of the kernels with the most columns first, in the
     * dictionary's order where these are as many; the others are "recomputed". Results are the same
     * but for rounding. A recomputed kernel costs an evaluation of n^2 / 2 entries each time it is
     * priced, less where kernels differ in parameters alone, which are evaluated together. While
     * the basis is made there is room beside it for the factors in the making, and where kernels
     * are recomputed for a triangle. The library does not ask how much memory the machine has. */
    int64_t memory;
} rls2_basis_options;

RLS2_API void rls2_basis_options_init(rls2_basis_options *options, size_t size);

/* The dictionary with the widths of its kernels that learn them (rls2_dictionary_learns), from
 * training rows and their responses y (n x outputs): those at which a Gaussian process with such a
 * kernel explains the responses best, by at most 30 evaluations on at most 400 rows, O(n^3 + n^2 p)
 * each. Not a convex problem: a good answer, the same for any number of threads, of which no
 * certificate says that it is the best. A row of weight w counts as one with a w-th of the noise;
 * row_weights and control may be NULL. Names, kernels and columns are the same; it shares them and
 * is freed by rls2_dictionary_free. Where nothing is to be learned, or it was learned before, it is
 * the same dictionary. Progress has the stage "kernels". */
RLS2_API rls2_status rls2_dictionary_learn(const rls2_dictionary *dictionary,
                                           const rls2_rows *train, int64_t outputs, const double *y,
                                           const double *row_weights, const rls2_control *control,
                                           rls2_dictionary **learned, rls2_error *err);

/* Evaluates the dictionary on `train`; RLS2_ERR_ARGUMENT where widths are yet to be learned. x is
 * copied; the dictionary and the given matrices (the array of pointers too) are borrowed and must
 * outlive the basis and its paths. Given matrices must be symmetric and positive semi-definite, up
 * to 1e-9 of the largest diagonal entry; one that is not exactly symmetric is copied, and counts as
 * the mean of itself and its transpose. O(m n r) to O(m n^2) kernel evaluations. Progress has the
 * stage "kernels"; a call that is stopped ends with RLS2_ERR_CANCELLED. options and control may be
 * NULL. */
RLS2_API rls2_status rls2_basis_create(const rls2_dictionary *dictionary, const rls2_rows *train,
                                       const rls2_basis_options *options,
                                       const rls2_control *control, rls2_basis **basis,
                                       rls2_error *err);
RLS2_API void rls2_basis_free(rls2_basis *basis);

/* The same rows, weights and kernels scaled for other labels, by the Fisher rule `basis` was made
 * with: for the next of several classes. What is stored is shared, and only kernels that could not
 * be scaled for the first labels and can be for these, and those that are not stored, are
 * evaluated: O(m n) time (O(m n^2) where the kernels are not linear), O(m) memory. `basis` is
 * borrowed and must outlive the new one, which is freed by rls2_basis_free. RLS2_ERR_ARGUMENT for
 * the rules without labels: use the same basis for all classes. */
RLS2_API rls2_status rls2_basis_rescale(const rls2_basis *basis, const double *labels,
                                        const rls2_control *control, rls2_basis **rescaled,
                                        rls2_error *err);

/* Some rows of a basis, those with the 0-based numbers rows[count] (none twice), in that order,
 * without evaluating kernels anew: the stored matrices and factors are sub-indexed. Scalings, and
 * weights, are by `options` over the rows taken; its rank_tol is not looked at. Kernels that
 * `basis` does not store are evaluated. options NULL: all is as in the larger basis, the scalings
 * (which are then transductive, over all its rows) and the row weights. Splines keep the range they
 * have in the larger basis (a model cannot keep it, and rls2_model_create refuses: make models of
 * bases that are created). The result has copies of all it needs but the dictionary and stands
 * alone (given matrices are copied: n^2 numbers each). */
RLS2_API rls2_status rls2_basis_take(const rls2_basis *basis, int64_t count, const int64_t *rows,
                                     const rls2_basis_options *options, const rls2_control *control,
                                     rls2_basis **taken, rls2_error *err);

RLS2_API int64_t rls2_basis_rows(const rls2_basis *basis);
RLS2_API int64_t rls2_basis_count(const rls2_basis *basis);
/* n values owned by the basis; NULL where each row is one. */
RLS2_API const double *rls2_basis_row_weights(const rls2_basis *basis);
/* s_k, one per kernel, owned by the basis. */
RLS2_API const double *rls2_basis_scales(const rls2_basis *basis);
/* Rank of the operator: of its factor, or of that it would have if there were memory for it; n
 * where it has none. */
RLS2_API int64_t rls2_basis_rank(const rls2_basis *basis, int64_t k);
/* "dense", "factor", "rank-one", "given" or "recomputed" (not stored); a given matrix whose rows
 * have weights is "dense" or, where there is no memory for the weighted copy, "recomputed". */
RLS2_API const char *rls2_basis_shape(const rls2_basis *basis, int64_t k);
/* Bytes held by the stored operators, at most options->memory (columns of X, weighted or not, and
 * given matrices as they were given not counted; nor the values of sparse columns, kept once more
 * for linear kernels, which take at most three tenths of what X does; of a rescaled basis what it
 * does not share). */
RLS2_API int64_t rls2_basis_bytes(const rls2_basis *basis);

/* Bytes the operators of that dictionary on `rows` take at most, and by a guess, without making
 * them and if all are stored: what is known of a kernel's rank from its kind, its number of columns
 * and their distinct values, with the default rank_tol. size is sizeof *forecast. O(n log n p). */
typedef struct rls2_forecast {
    double most;    /* bytes if no rank is low but where it must be */
    double typical; /* bytes if smooth kernels of one column have the rank their width suggests */
} rls2_forecast;
enum { RLS2_TYPICAL_RANK = 20 }; /* no longer used */
RLS2_API rls2_status rls2_basis_forecast(const rls2_dictionary *dictionary, const rls2_rows *rows,
                                         rls2_forecast *forecast, size_t size, rls2_error *err);

/* K (n x n) becomes the mean of itself and its transpose, as rls2_basis_create takes it, for a
 * caller who compares with it later or wants to say so. *difference (may be NULL) is the largest
 * |K_ij - K_ji| over the largest diagonal entry. RLS2_ERR_VALUE, and K as it was, where that is
 * above 1e-9 or a value is not finite. O(n^2). */
RLS2_API rls2_status rls2_matrix_symmetrize(int64_t n, double *K, double *difference,
                                            rls2_error *err);

/* The scalings alone, without building a basis: s[m]. */
RLS2_API rls2_status rls2_scaling_compute(const rls2_dictionary *dictionary, const rls2_rows *train,
                                          const rls2_basis_options *options,
                                          const rls2_control *control, double *s, rls2_error *err);

/* E22 for one feature from its values alone, 1 / (var_+ + var_-) with divisors l_+
 * and l_-: the feature form of the Fisher rule, equal to the kernel form for a
 * linear kernel of one column. */
RLS2_API rls2_status rls2_scaling_fisher_feature(int64_t n, const double *x, const double *labels,
                                                 double *s, rls2_error *err);

#ifdef __cplusplus
}
#endif
#endif
