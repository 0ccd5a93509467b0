/* Rows a block at a time.
 *
 * The columns in use are put side by side, as those of the training rows are, and each kernel is
 * evaluated on the block by columns. Sums over training rows run in their order and without BLAS,
 * whose loops may treat the last rows of a block in another way than the first: a row's value is
 * the same whichever block it is in, and whoever computes it. */
#ifndef RLS2_MODEL_BLOCKS_H
#define RLS2_MODEL_BLOCKS_H

#include "model/model.h"

/* Rows first .. first + count - 1 of `source`, whose given matrices are used where they lie. */
typedef struct rls2__block {
    const rls2_rows *source;
    int64_t first;
    int64_t count;
    rls2_rows own; /* the columns in use */
} rls2__block;

/* Rows of a block where each has so many values, and how many such blocks there are. */
int64_t rls2__block_height(int64_t rows, int64_t values);
int64_t rls2__block_count(int64_t rows, int64_t height);
/* x: room for height x used_count values. */
rls2__block rls2__block_take(const rls2_model *model, const rls2_rows *rows, int64_t which,
                             int64_t height, double *x);
rls2__block rls2__block_of_training(const rls2_model *model);

/* column[count] = K(rows of the block, training row j) of the k-th selected kernel */
void rls2__block_column(const rls2_model *model, int64_t k, const rls2__block *b, int64_t j,
                        double *column);
/* diagonal[count] = K(x, x) */
void rls2__block_diagonal(const rls2_model *model, int64_t k, const rls2__block *b,
                          double *diagonal);

/* y += a x */
void rls2__add_scaled(int64_t n, double a, const double *restrict x, double *restrict y);

#endif
