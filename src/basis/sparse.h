/* Columns that are mostly zeros, once more without their zeros: what a linear kernel of such a
 * column costs to price. At most one value in five at 12 bytes: no more than three tenths of the 8
 * bytes a value of the table takes, and a number for each column. */
#ifndef RLS2_BASIS_SPARSE_H
#define RLS2_BASIS_SPARSE_H

#include <stdint.h>

#include "rls2/status.h"

typedef struct rls2__sparse {
    const double *x; /* n x p, borrowed */
    int64_t n;
    int64_t *starts; /* p + 1: column j has the values starts[j] .. starts[j + 1] - 1; none where it
                        is not kept here */
    int32_t *rows;
    double *values;
} rls2__sparse;

/* *out is NULL where no column is sparse. RLS2_ERR_MEMORY or OK. */
rls2_status rls2__sparse_create(int64_t n, int64_t p, const double *x, rls2__sparse **out);
void rls2__sparse_free(rls2__sparse *sparse);

/* The number of the column that begins at `column` if it is kept here; -1 otherwise, and where
 * sparse is NULL. */
static inline int64_t rls2__sparse_find(const rls2__sparse *sparse, const double *column)
{
    if (!sparse) return -1;
    int64_t j = (column - sparse->x) / sparse->n;
    return sparse->starts[j] < sparse->starts[j + 1] ? j : -1;
}

static inline double rls2__sparse_dot(const rls2__sparse *sparse, int64_t j, const double *c)
{
    double sum = 0.0;
    for (int64_t at = sparse->starts[j]; at < sparse->starts[j + 1]; at++)
        sum += sparse->values[at] * c[sparse->rows[at]];
    return sum;
}

#endif
