/* A hash table with open addressing. */
#include "base/lookup.h"

#include <string.h>

#include "base/invariant.h"
#include "base/memory.h"

enum { FIRST_CAPACITY = 16 };

static uint64_t hash_text(const rls2__lookup *lookup, const char *text)
{
    return rls2__siphash(&lookup->key, text, strlen(text));
}

static void release(rls2__lookup *lookup)
{
    rls2__free(lookup->texts);
    rls2__free(lookup->hashes);
    rls2__free(lookup->slots);
}

static int reserve(rls2__lookup *lookup, int64_t capacity)
{
    lookup->capacity = capacity;
    lookup->texts = rls2__alloc(capacity, sizeof *lookup->texts);
    lookup->hashes = rls2__alloc(capacity, sizeof *lookup->hashes);
    lookup->slots = rls2__alloc_zero(rls2__mul(capacity, 2), sizeof *lookup->slots);
    return lookup->texts && lookup->hashes && lookup->slots;
}

rls2__lookup *rls2__lookup_create(void)
{
    rls2__lookup *lookup = rls2__alloc_zero(1, sizeof *lookup);
    if (lookup && !reserve(lookup, FIRST_CAPACITY)) {
        rls2__lookup_free(lookup);
        return NULL;
    }
    if (lookup) lookup->key = rls2__sip_key_make();
    return lookup;
}

void rls2__lookup_free(rls2__lookup *lookup)
{
    if (!lookup) return;
    release(lookup);
    rls2__free(lookup);
}

int64_t rls2__lookup_count(const rls2__lookup *lookup)
{
    return lookup->count;
}

const char *rls2__lookup_text(const rls2__lookup *lookup, int64_t index)
{
    rls2__invariant(index >= 0 && index < lookup->count);
    return lookup->texts[index];
}

/* The slot that holds the text, or the empty one where it would go. */
static int64_t *slot_of(const rls2__lookup *lookup, const char *text, uint64_t hash)
{
    uint64_t mask = (uint64_t)lookup->capacity * 2 - 1;
    rls2__invariant(((mask + 1) & mask) == 0 && lookup->count <= lookup->capacity);
    for (uint64_t at = hash & mask;; at = (at + 1) & mask) {
        int64_t *slot = &lookup->slots[at];
        int64_t index = *slot - 1;
        if (index < 0) return slot;
        if (lookup->hashes[index] == hash && strcmp(lookup->texts[index], text) == 0) return slot;
    }
}

static void place(rls2__lookup *lookup, int64_t *slot, const char *text, uint64_t hash)
{
    rls2__invariant(*slot == 0 && lookup->count < lookup->capacity);
    lookup->texts[lookup->count] = text;
    lookup->hashes[lookup->count] = hash;
    *slot = ++lookup->count;
}

static int grow(rls2__lookup *lookup)
{
    rls2__lookup bigger = {.key = lookup->key};
    if (!reserve(&bigger, rls2__mul(lookup->capacity, 2))) {
        release(&bigger);
        return 0;
    }
    for (int64_t i = 0; i < lookup->count; i++)
        place(&bigger, slot_of(&bigger, lookup->texts[i], lookup->hashes[i]), lookup->texts[i],
              lookup->hashes[i]);
    release(lookup);
    *lookup = bigger;
    return 1;
}

int64_t rls2__lookup_find(const rls2__lookup *lookup, const char *text)
{
    return *slot_of(lookup, text, hash_text(lookup, text)) - 1;
}

int64_t rls2__lookup_add(rls2__lookup *lookup, const char *text)
{
    uint64_t hash = hash_text(lookup, text);
    int64_t *slot = slot_of(lookup, text, hash);
    if (*slot) return *slot - 1;
    if (lookup->count == lookup->capacity) {
        if (!grow(lookup)) return -1;
        slot = slot_of(lookup, text, hash);
    }
    place(lookup, slot, text, hash);
    return lookup->count - 1;
}
