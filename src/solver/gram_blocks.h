/* Inner products of factors, F_j'F_k, of the kernels that have been active along a path.
 *
 * They depend neither on d nor on lambda, and the same few kernels are active along a whole path,
 * so each block is computed once. The factors together have at most `limit` columns; what is not
 * needed now is forgotten where others need its room. */
#ifndef RLS2_SOLVER_GRAM_BLOCKS_H
#define RLS2_SOLVER_GRAM_BLOCKS_H

#include "basis/basis.h"

typedef struct rls2__gram_blocks {
    const rls2_basis *basis;
    int64_t limit;   /* most columns of all factors together */
    int64_t columns; /* how many there are */
    int64_t room;    /* the order of G */
    double *G;       /* room x room: both triangles of the inner products */
    int64_t count;   /* kernels */
    int64_t *ks;     /* m: which, in the order of their columns */
    int64_t *first;  /* m: the first column of a kernel, or -1 */
    void *block;     /* the arrays of m */
} rls2__gram_blocks;

rls2_status rls2__gram_blocks_create(const rls2_basis *basis, int64_t limit,
                                     rls2__gram_blocks *blocks);
void rls2__gram_blocks_free(rls2__gram_blocks *blocks);
/* The blocks of all these kernels, which have factors, of `limit` columns at most. RLS2_ERR_MEMORY,
 * RLS2_ERR_CANCELLED, or OK. */
rls2_status rls2__gram_blocks_need(rls2__effort *effort, rls2__gram_blocks *blocks, int64_t count,
                                   const int64_t *ks);

#endif
