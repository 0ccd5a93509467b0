/* Copies the columns in use of a block of rows, and evaluates kernels on it. */
#include "model/blocks.h"

#include <string.h>

#include "base/clones.h"
#include "base/invariant.h"

enum {
    MOST_ROWS = 2048,      /* of a block, */
    FEWEST_ROWS = 64,      /* unless there are so many columns that */
    BLOCK_VALUES = 1 << 20 /* it would have more values than this */
};

int64_t rls2__block_height(int64_t rows, int64_t values)
{
    int64_t count = values > 0 ? BLOCK_VALUES / values : MOST_ROWS;
    if (count > MOST_ROWS) count = MOST_ROWS;
    if (count < FEWEST_ROWS) count = FEWEST_ROWS;
    rls2__invariant(count >= FEWEST_ROWS && count <= MOST_ROWS);
    return count < rows ? count : rows;
}

int64_t rls2__block_count(int64_t rows, int64_t height)
{
    return (rows + height - 1) / height;
}

rls2__block rls2__block_take(const rls2_model *model, const rls2_rows *rows, int64_t which,
                             int64_t height, double *x)
{
    int64_t first = which * height, left = rows->n - first;
    int64_t count = left < height ? left : height, ldx = rows->ldx ? rows->ldx : rows->n;
    rls2__invariant(first >= 0 && count > 0 && ldx >= rows->n);
    for (int64_t j = 0; j < model->used_count; j++) {
        int64_t column = rows == &model->rows ? j : model->used[j];
        memcpy(x + j * count, rows->x + column * ldx + first, (size_t)count * sizeof *x);
    }
    return (rls2__block){
        rows, first, count, {.n = count, .p = model->used_count, .x = x, .ldx = count}};
}

rls2__block rls2__block_of_training(const rls2_model *model)
{
    return (rls2__block){&model->rows, 0, model->n, model->rows};
}

void rls2__block_column(const rls2_model *model, int64_t k, const rls2__block *b, int64_t j,
                        double *column)
{
    const rls2__kernel *kernel = &model->kernels[k];
    if (kernel->kind == RLS2__KERNEL_GIVEN)
        rls2__kernel_column_part(kernel, b->source, b->first, b->count, &model->rows, j, column);
    else
        rls2__kernel_column(kernel, &b->own, &model->rows, j, column);
}

void rls2__block_diagonal(const rls2_model *model, int64_t k, const rls2__block *b,
                          double *diagonal)
{
    const rls2__kernel *kernel = &model->kernels[k];
    if (kernel->kind == RLS2__KERNEL_GIVEN)
        rls2__kernel_diagonal_part(kernel, b->source, b->first, b->count, diagonal);
    else
        rls2__kernel_diagonal(kernel, &b->own, diagonal);
}

RLS2__CLONES
void rls2__add_scaled(int64_t n, double a, const double *restrict x, double *restrict y)
{
    for (int64_t i = 0; i < n; i++) y[i] += a * x[i];
}
