/* Bits of kernels and trials. */
#include "model/picks.h"

#include <string.h>

#include "base/memory.h"
#include "dictionary/dictionary_inputs.h"

int64_t rls2__bits_count(int64_t words, const uint64_t *bits)
{
    int64_t count = 0;
    for (int64_t w = 0; w < words; w++)
        for (uint64_t rest = bits[w]; rest; rest &= rest - 1) count++;
    return count;
}

void rls2__picks_release(rls2__picks *picks)
{
    rls2__free(picks->kernels);
    rls2__free(picks->bits);
    *picks = (rls2__picks){0};
}

rls2_status rls2__picks_reserve(rls2__picks *picks, int64_t trials, int64_t count)
{
    rls2__picks made = {.trials = trials, .count = count};
    made.kernels = rls2__alloc_zero(count, sizeof *made.kernels);
    made.bits = rls2__alloc_zero(rls2__mul(count, rls2__words_of(trials)), sizeof *made.bits);
    if (!made.kernels || !made.bits) {
        rls2__picks_release(&made);
        return RLS2_ERR_MEMORY;
    }
    rls2__picks_release(picks);
    *picks = made;
    return RLS2_OK;
}

rls2_status rls2__picks_copy(const rls2__picks *from, rls2__picks *to)
{
    size_t words = (size_t)(from->count * rls2__words_of(from->trials));
    if (rls2__picks_reserve(to, from->trials, from->count) != RLS2_OK) return RLS2_ERR_MEMORY;
    memcpy(to->kernels, from->kernels, (size_t)from->count * sizeof *to->kernels);
    memcpy(to->bits, from->bits, words * sizeof *to->bits);
    return RLS2_OK;
}

const uint64_t *rls2__picks_of(const rls2__picks *picks, int64_t k)
{
    int64_t low = 0, high = picks->count;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (picks->kernels[middle] < k)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == picks->count || picks->kernels[low] != k) return NULL;
    return picks->bits + low * rls2__words_of(picks->trials);
}

/* ---- of several outputs ---- */

static int64_t count_kernel(int64_t outputs, const rls2__picks *const *picks, int64_t k)
{
    int64_t count = 0;
    for (int64_t w = 0; w < rls2__words_of(picks[0]->trials); w++) {
        uint64_t any = 0;
        for (int64_t o = 0; o < outputs; o++) {
            const uint64_t *bits = rls2__picks_of(picks[o], k);
            if (bits) any |= bits[w];
        }
        count += rls2__bits_count(1, &any);
    }
    return count;
}

void rls2__picks_count_kernels(int64_t outputs, const rls2__picks *const *picks, int64_t m,
                               int64_t *counts)
{
    memset(counts, 0, (size_t)m * sizeof *counts);
    for (int64_t o = 0; o < outputs; o++)
        for (int64_t t = 0; t < picks[o]->count; t++)
            counts[picks[o]->kernels[t]] = count_kernel(outputs, picks, picks[o]->kernels[t]);
}

rls2_status rls2__picks_count_inputs(int64_t outputs, const rls2__picks *const *picks,
                                     const rls2_dictionary *dictionary, const int64_t *input_of,
                                     int64_t inputs, int64_t *counts)
{
    int64_t words = rls2__words_of(picks[0]->trials), found[RLS2__FEW_INPUTS];
    uint64_t *bits = rls2__alloc_zero(rls2__mul(inputs, words), sizeof *bits);
    if (!bits) return RLS2_ERR_MEMORY;
    for (int64_t o = 0; o < outputs; o++)
        for (int64_t t = 0; t < picks[o]->count; t++) {
            int few =
                rls2__kernel_inputs(dictionary, picks[o]->kernels[t], input_of, inputs, found);
            for (int i = 0; i < few; i++)
                for (int64_t w = 0; w < words; w++)
                    bits[found[i] * words + w] |= picks[o]->bits[t * words + w];
        }
    for (int64_t j = 0; j < inputs; j++) counts[j] = rls2__bits_count(words, bits + j * words);
    rls2__free(bits);
    return RLS2_OK;
}
