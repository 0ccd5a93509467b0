/* Virtual rows: a problem of few rows that has the solutions of a tall one. [MATH.md, L2]
 *
 * The square loss sees rows only through the counts N of points of axes and the sums b of responses
 * there. With S'S = N, the problem on the rows of S and the response S^-T b is the one on the rows
 * of the table, but for a constant: one more row, on which every operator is zero. */
#ifndef RLS2_BASIS_VIRTUAL_ROWS_H
#define RLS2_BASIS_VIRTUAL_ROWS_H

#include "basis/basis.h"
#include "rls2/control.h"
#include "stats/counts.h"

typedef struct rls2__virtual {
    const rls2__axes *axes; /* borrowed, as the next */
    const rls2__moments *moments;
    int64_t r;      /* rows of S; operators have one more */
    double *S;      /* r x points */
    double *lower;  /* r x r: triangle that solves for responses, */
    int *pivots;    /* points: and the points its rows belong to */
    double *scale;  /* points */
    int64_t height; /* made rows: row g has, in the columns of each axis, its point g */
    double *x;      /* height x columns */
} rls2__virtual;

rls2_status rls2__virtual_create(const rls2__axes *axes, const rls2__moments *moments,
                                 rls2__virtual **made);
void rls2__virtual_free(rls2__virtual *it);

/* y[r + 1] of output o, about its mean. */
void rls2__virtual_response(const rls2__virtual *it, int64_t o, double *y);
/* alpha[points] = S'c: what stands for c at the points of the moments, features among them (on
 * landmarks: rls2__feature_coefficients). */
void rls2__virtual_coefficients(const rls2__virtual *it, const double *c, double *alpha);
/* The kernels of the dictionary on the virtual rows; those that cannot be had, being of several
 * columns without features, are never selected.
 * Of the options scaling, center, rank_tol and skip_degenerate are looked at. Scalings by classes
 * are refused. The dictionary, and `it`, are borrowed. */
rls2_status rls2__virtual_basis(rls2__effort *effort, const rls2__virtual *it,
                                const rls2_dictionary *dictionary,
                                const rls2_basis_options *options, rls2_basis **basis,
                                rls2_error *err);

#endif
