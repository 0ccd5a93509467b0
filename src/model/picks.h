/* In which of several trials kernels were selected: splits of a cross-validation, or halves of the
 * rows. One bit for each kernel and trial, so that for any set of kernels (those of an input, of an
 * output) it can be counted in how many trials one of them was. */
#ifndef RLS2_MODEL_PICKS_H
#define RLS2_MODEL_PICKS_H

#include <stdint.h>

#include "rls2/dictionary.h"

typedef struct rls2__picks {
    int64_t trials;   /* 0: none, or not known */
    int64_t count;    /* kernels that any trial selected, */
    int64_t *kernels; /* by their number in the dictionary, ascending */
    uint64_t *bits;   /* count x rls2__words_of(trials) */
} rls2__picks;

/* Words for so many bits. */
static inline int64_t rls2__words_of(int64_t trials)
{
    return trials / 64 + (trials % 64 != 0);
}

static inline void rls2__bit_set(uint64_t *bits, int64_t trial)
{
    bits[trial / 64] |= (uint64_t)1 << (trial % 64);
}

static inline int rls2__bit_of(const uint64_t *bits, int64_t trial)
{
    return (int)(bits[trial / 64] >> (trial % 64) & 1);
}

/* How many are set. */
int64_t rls2__bits_count(int64_t words, const uint64_t *bits);

/* Room for so many kernels, numbers and bits zero; what it had is released. RLS2_ERR_MEMORY or OK.
 */
rls2_status rls2__picks_reserve(rls2__picks *picks, int64_t trials, int64_t count);
void rls2__picks_release(rls2__picks *picks);
/* What `to` had is released. Likewise. */
rls2_status rls2__picks_copy(const rls2__picks *from, rls2__picks *to);
/* The bits of kernel k of the dictionary; NULL where no trial selected it. O(log count). */
const uint64_t *rls2__picks_of(const rls2__picks *picks, int64_t k);

/* ---- of several outputs together: a trial counts if any of them selects in it ---- */

/* counts[kernels of the dictionary]. */
void rls2__picks_count_kernels(int64_t outputs, const rls2__picks *const *picks, int64_t m,
                               int64_t *counts);
/* counts[inputs], input_of[columns] being the input of each column. RLS2_ERR_MEMORY or OK. */
rls2_status rls2__picks_count_inputs(int64_t outputs, const rls2__picks *const *picks,
                                     const rls2_dictionary *dictionary, const int64_t *input_of,
                                     int64_t inputs, int64_t *counts);

#endif
