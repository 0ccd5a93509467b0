/* Given matrices made exactly symmetric. */
#ifndef RLS2_BASIS_SYMMETRIC_H
#define RLS2_BASIS_SYMMETRIC_H

#include "dictionary/dictionary.h"

/* Copies of the matrices that needed it, and the list of all as rows have them. */
typedef struct rls2__symmetric {
    int64_t count;
    double **owned; /* NULL where the caller's matrix is symmetric as it is */
    const double **view;
} rls2__symmetric;

/* Two values that should be one may differ by this share of the largest diagonal entry. Matrices
 * computed in double precision and written with 10 digits pass. */
#define RLS2__SYMMETRY_TOL 1e-9

/* The largest difference as such a share; within the tolerance K becomes the mean. */
double rls2__symmetrize(int64_t n, double *K);

/* rows->given becomes the same matrices, each that is not exactly symmetric replaced by the mean of
 * itself and its transpose: so no result depends on which triangle is looked at. Free it after the
 * last use of the rows. RLS2_ERR_MEMORY or OK. */
rls2_status rls2__symmetric_make(const rls2_dictionary *dictionary, rls2_rows *rows,
                                 rls2__symmetric *made);
void rls2__symmetric_free(rls2__symmetric *made);

#endif
