/* Factors of kernels on many rows, in rounds of many pivots each.
 *
 * A round takes a few hundred rows, finds pivots among them as if there were no others, and then
 * makes the columns of these pivots for all rows at once: products and triangular solves of blocks
 * of rows, which are tasks of their own. The first round takes rows at random, the next ones those
 * of which most is left. The rank comes out within a few per cent of that of pivots chosen one by
 * one among all rows.
 *
 * After the first few pivots, and after every round, it is asked how many columns there would be in
 * the end: a kernel that needs more than are worth while is given up early. */
#ifndef RLS2_BASIS_GROWTH_H
#define RLS2_BASIS_GROWTH_H

#include "basis/pivots.h"

enum { RLS2__GROWTH_SAMPLE = 512, RLS2__GROWTH_FRESH = 256 };

/* Columns that are worth while of a kernel on many rows: the products that make more of them cost
 * more than evaluating a triangle does. */
static inline int64_t rls2__growth_most(int64_t n)
{
    return n / 6;
}

typedef struct rls2__growth {
    int64_t of; /* the kernel's number, for whoever keeps several */
    /* the matrix, of all rows or of those that stand for groups of equal ones: */
    rls2__kernel kernel;
    rls2_rows rows;
    const double *roots, *mass;
    double s;
    rls2__distinct distinct; /* the groups, where there are any */
    rls2__aim aim;
    /* what there is of its factor: */
    int64_t rank;
    double *factor;   /* n x rank */
    double *diagonal; /* n: of what is left */
    double residual;  /* its trace */
    int64_t rounds;
    int64_t rank_before; /* at the last round but one, */
    double residual_before;
    /* the next columns, in a round: */
    int64_t fresh;
    int64_t pivots[RLS2__GROWTH_FRESH];
    double *lower; /* fresh x (rank + fresh): the rows of the pivots */
    int settled, hopeless;
    rls2_status status;
} rls2__growth;

/* Copies what `from` points to but the values, and n diagonal entries. Where the rows are those of
 * groups, *distinct, which they belong to, is taken over. NULL where there is no memory. */
rls2__growth *rls2__growth_create(const rls2__source *from, const double *diagonal,
                                  const rls2__aim *aim, rls2__distinct *distinct);
void rls2__growth_free(rls2__growth *growth);

/* Until each is settled, `hopeless` or not; rooms: one for each thread. RLS2_ERR_CANCELLED,
 * RLS2_ERR_MEMORY or OK. */
rls2_status rls2__growths_run(rls2__effort *effort, int64_t count, rls2__growth **list,
                              rls2__build_room *rooms);

#endif
