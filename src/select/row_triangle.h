/* What linear kernels need to know of some rows.
 *
 * With Z = W^1/2 [1 X Y], Y less some numbers near its means, the triangle T of Z = QT has the
 * inner products T'T = Z'Z: counts, sums and squares of all columns. Triangles of different rows
 * are merged to that of all of them by reflections: nothing is squared, nothing is subtracted, and
 * no digits are lost. The first row of T holds the means; the others are the triangle of the
 * columns less their means. [MATH.md, V6] */
#ifndef RLS2_SELECT_ROW_TRIANGLE_H
#define RLS2_SELECT_ROW_TRIANGLE_H

#include "base/effort.h"
#include "rls2/table.h"

typedef struct rls2__row_triangle {
    int64_t p, outputs;
    int64_t order;      /* 1 + p + outputs */
    double *T;          /* order x order by columns, zero below its diagonal */
    double *low, *high; /* p: the least and the largest value of each column */
    void *block;        /* all of these arrays */
} rls2__row_triangle;

/* Of no rows. RLS2_ERR_MEMORY or OK. */
rls2_status rls2__row_triangle_create(int64_t p, int64_t outputs, rls2__row_triangle *moments);
void rls2__row_triangle_release(rls2__row_triangle *moments);
void rls2__row_triangle_copy(const rls2__row_triangle *from, rls2__row_triangle *to);

/* Adds rows of a data set, by their numbers, each by its weight; offsets[outputs] are taken off
 * the responses. RLS2_ERR_MEMORY, RLS2_ERR_CANCELLED or OK. BLAS may be called by the threads of
 * the effort. */
rls2_status rls2__row_triangle_add(rls2__effort *effort, const rls2_dataset *data,
                                   const double *offsets, int64_t count, const int64_t *numbers,
                                   rls2__row_triangle *moments);
/* Adds the rows of another. RLS2_ERR_MEMORY or OK. */
rls2_status rls2__row_triangle_merge(const rls2__row_triangle *other, rls2__row_triangle *moments);

/* 0 where numbers have overflowed. */
int rls2__row_triangle_are_finite(const rls2__row_triangle *moments);

#endif
