/* Expansions of one kernel on a block of rows, for all outputs that select it. */
#ifndef RLS2_MODEL_EXPAND_H
#define RLS2_MODEL_EXPAND_H

#include "base/effort.h"
#include "kernel/distinct.h"
#include "model/blocks.h"

typedef struct rls2__expand_room {
    double *column;           /* rows of the block */
    double *sums;             /* rows x outputs that select the kernel */
    rls2__distinct *distinct; /* for so many rows, or NULL: equal rows are not looked for */
} rls2__expand_room;

/* How many outputs select the k-th kernel; 1 of a model of one output. */
int64_t rls2__taker_count(const rls2_model *model, int64_t k);

/* sums[t * count + i] = sum_j c_j K_k(x_j, x_i), c of the t-th output that selects the kernel,
 * which is evaluated once and for each of them summed in the order in which it would be for that
 * one alone. What is there after the effort is stopped is not to be used. */
void rls2__expand(rls2__effort *effort, const rls2_model *model, int64_t k, const rls2__block *b,
                  const rls2__expand_room *own);

#endif
