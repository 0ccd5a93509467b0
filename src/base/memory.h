/* Memory: overflow-checked allocation, work space in one block, and an arena.
 *
 * Every allocation of the library goes through these functions, so a test can let
 * each of them fail in turn. */
#ifndef RLS2_BASE_MEMORY_H
#define RLS2_BASE_MEMORY_H

#include <stddef.h>
#include <stdint.h>

/* count * size bytes, 64-byte aligned, not initialised; NULL when out of memory or
 * when the product overflows or is negative. A zero product gives a valid pointer.
 * Release with rls2__free. */
void *rls2__alloc(int64_t count, size_t size);
/* The same, zeroed, of malloc's alignment. */
void *rls2__alloc_zero(int64_t count, size_t size);
/* As rls2__alloc, for a large table of which parts far from each other are read: the system is
 * asked for large pages, where it has them, so that finding a page costs less. */
void *rls2__alloc_streamed(int64_t count, size_t size);
void rls2__free(void *pointer);
/* A copy of the text in memory of its own; NULL when out of memory. */
char *rls2__text_copy(const char *text);

/* a * b, or -1 on overflow or when either is negative. */
int64_t rls2__mul(int64_t a, int64_t b);
/* a + b likewise. */
int64_t rls2__add(int64_t a, int64_t b);

/* The arrays of one owner in one block, so that only one allocation can fail. Its function
 * `lay_out` takes each array in turn and is called twice: first every array is NULL and only sizes
 * are added up, then, in the same order, each gets its part, 64-byte aligned and not initialised.
 * Returns the block, to be released with rls2__free. NULL when out of memory; all arrays are then
 * NULL. Under AddressSanitizer to touch what lies between two parts is an error. */
typedef struct rls2__layout rls2__layout;
void *rls2__layout_alloc(void (*lay_out)(rls2__layout *layout, void *owner), void *owner);
/* The part for count * size bytes. */
void *rls2__layout_take(rls2__layout *layout, int64_t count, size_t size);

/* A growing pool of small objects freed together. */
typedef struct rls2__arena rls2__arena;
rls2__arena *rls2__arena_create(void);
void rls2__arena_free(rls2__arena *arena);
/* `bytes` of memory, 16-byte aligned, zeroed; NULL when out of memory. */
void *rls2__arena_alloc(rls2__arena *arena, int64_t bytes);
/* A copy of the first `length` characters of text, NUL-terminated. */
char *rls2__arena_text(rls2__arena *arena, const char *text, int64_t length);
/* A copy of the whole text. */
char *rls2__arena_copy(rls2__arena *arena, const char *text);

#endif
