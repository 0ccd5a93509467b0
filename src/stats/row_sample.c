/* Rows are gathered until there are 2k; then the larger half goes, and the bound sinks. */
#include "stats/row_sample.h"

#include <stdlib.h>
#include <string.h>

#include "base/invariant.h"
#include "base/siphash.h"

int rls2__row_sample_open(rls2__row_sample *sample, int64_t k)
{
    *sample = (rls2__row_sample){.k = k, .bound = UINT64_MAX, .slot_count = 4};
    rls2__invariant(k >= 1 && k <= (int64_t)1 << 28);
    while (sample->slot_count < 4 * k) sample->slot_count *= 2;
    sample->rows = rls2__alloc(rls2__mul(2, k), sizeof *sample->rows);
    sample->slots = rls2__alloc_zero(sample->slot_count, sizeof *sample->slots);
    sample->arena = rls2__arena_create();
    return sample->rows && sample->slots && sample->arena;
}

void rls2__row_sample_close(rls2__row_sample *sample)
{
    rls2__free(sample->rows);
    rls2__free(sample->slots);
    rls2__arena_free(sample->arena);
}

/* The same on every machine, so that samples made on several can be merged. */
uint64_t rls2__row_hash(const char *bytes, int64_t length)
{
    static const rls2__sip_key key = {{0x726F777320696E20ULL, 0x616E79206F726465ULL}};
    return rls2__siphash(&key, bytes, (size_t)length);
}

static int32_t *slot_of(const rls2__row_sample *sample, uint64_t hash)
{
    uint64_t mask = (uint64_t)sample->slot_count - 1;
    for (uint64_t at = hash & mask;; at = (at + 1) & mask) {
        int32_t *slot = &sample->slots[at];
        if (*slot == 0 || sample->rows[*slot - 1].hash == hash) return slot;
    }
}

static void fill_slots(rls2__row_sample *sample)
{
    memset(sample->slots, 0, (size_t)sample->slot_count * sizeof *sample->slots);
    for (int64_t i = 0; i < sample->count; i++)
        *slot_of(sample, sample->rows[i].hash) = (int32_t)(i + 1);
}

static int by_hash(const void *a, const void *b)
{
    uint64_t u = ((const rls2__row_kept *)a)->hash, v = ((const rls2__row_kept *)b)->hash;
    return (u > v) - (u < v);
}

/* The contents that stay move to an arena of their own. */
int rls2__row_sample_settle(rls2__row_sample *sample)
{
    rls2__arena *arena = rls2__arena_create();
    if (!arena) return 0;
    qsort(sample->rows, (size_t)sample->count, sizeof *sample->rows, by_hash);
    int64_t count = sample->count < sample->k ? sample->count : sample->k;
    int fits = 1;
    sample->turned |= count < sample->count;
    for (int64_t i = 0; i < count && fits; i++) {
        rls2__row_kept *row = &sample->rows[i];
        char *copy = rls2__arena_text(arena, row->bytes, row->length);
        fits = copy != NULL;
        if (fits) row->bytes = copy;
    }
    if (!fits) sample->count = 0; /* some of their bytes go with the arena */
    if (fits) sample->count = count;
    if (count == sample->k) sample->bound = sample->rows[count - 1].hash;
    rls2__arena_free(fits ? sample->arena : arena);
    if (fits) sample->arena = arena;
    fill_slots(sample);
    return fits;
}

int rls2__row_sample_add(rls2__row_sample *sample, uint64_t hash, const char *bytes, int64_t length,
                         int64_t count)
{
    sample->turned |= hash > sample->bound;
    if (hash > sample->bound) return 1;
    int32_t *slot = slot_of(sample, hash);
    if (*slot) {
        sample->rows[*slot - 1].count += count;
        return 1;
    }
    if (sample->count == 2 * sample->k) {
        if (!rls2__row_sample_settle(sample)) return 0;
        return rls2__row_sample_add(sample, hash, bytes, length, count);
    }
    char *copy = rls2__arena_text(sample->arena, bytes, length);
    if (!copy) return 0;
    sample->rows[sample->count++] =
        (rls2__row_kept){.hash = hash, .count = count, .length = length, .bytes = copy};
    *slot = (int32_t)sample->count;
    return 1;
}

int rls2__row_sample_merge(rls2__row_sample *sample, const rls2__row_sample *other)
{
    int fits = 1;
    sample->turned |= other->turned;
    for (int64_t i = 0; i < other->count && fits; i++) {
        const rls2__row_kept *row = &other->rows[i];
        fits = rls2__row_sample_add(sample, row->hash, row->bytes, row->length, row->count);
    }
    return fits;
}
