/* Texts numbered in order of first appearance: a hash table. Its hash has a key of its own, made
 * anew for each table, so that no file can hold names that all lie in one place of it. */
#ifndef RLS2_BASE_LOOKUP_H
#define RLS2_BASE_LOOKUP_H

#include <stdint.h>

#include "base/siphash.h"

/* Open addressing with linear probing; at most half of the slots are in use, so a
 * probe always meets an empty one. The key says where texts lie, never which number they get. */
typedef struct rls2__lookup {
    rls2__sip_key key;
    int64_t count;
    int64_t capacity;   /* of texts and hashes; there are twice as many slots, a power of two */
    const char **texts; /* by number */
    uint64_t *hashes;   /* by number: growing need not read the texts again */
    int64_t *slots;     /* number + 1, 0 where empty */
} rls2__lookup;

/* NULL when out of memory. */
rls2__lookup *rls2__lookup_create(void);
void rls2__lookup_free(rls2__lookup *lookup);

int64_t rls2__lookup_count(const rls2__lookup *lookup);
/* The text of that number, 0 <= index < count. */
const char *rls2__lookup_text(const rls2__lookup *lookup, int64_t index);
/* The number of the text, -1 if it is not there. */
int64_t rls2__lookup_find(const rls2__lookup *lookup, const char *text);
/* The number of the text, added if it is new: the text is borrowed and must outlive
 * the lookup. -1 when out of memory. */
int64_t rls2__lookup_add(rls2__lookup *lookup, const char *text);

#endif
