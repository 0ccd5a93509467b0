/* Texts numbered in order of first appearance: a hash table. Its hash has a key of its own, made
 * anew for each table, so that no file can hold names that all lie in one place of it. */
#ifndef RLS2_BASE_LOOKUP_H
#define RLS2_BASE_LOOKUP_H

#include <stdint.h>

typedef struct rls2__lookup rls2__lookup;

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
/* Places that finding each text once looks at: about 1.5 for a text; for tests. */
int64_t rls2__lookup_probes(const rls2__lookup *lookup);

#endif
