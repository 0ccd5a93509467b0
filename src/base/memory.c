/* Checked sums and products, aligned allocation, and the arena. */
#if defined(__linux__) && !defined(_DEFAULT_SOURCE)
#define _DEFAULT_SOURCE /* madvise */
#endif
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/mman.h>
#endif

#include "base/invariant.h"

/* GCC says so by a macro, clang by a feature. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WATCHED
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define WATCHED
#endif
#ifdef WATCHED
#include <sanitizer/asan_interface.h>
#endif

enum { ALIGNMENT = 64, ARENA_BLOCK = 1 << 16 };

int64_t rls2__mul(int64_t a, int64_t b)
{
    if (a < 0 || b < 0) return -1;
    if (a != 0 && b > INT64_MAX / a) return -1;
    return a * b;
}

int64_t rls2__add(int64_t a, int64_t b)
{
    if (a < 0 || b < 0 || b > INT64_MAX - a) return -1;
    return a + b;
}

void *rls2__alloc(int64_t count, size_t size)
{
    int64_t bytes = rls2__mul(count, (int64_t)size);
    if (bytes < 0 || bytes > PTRDIFF_MAX - ALIGNMENT) return NULL;
    /* aligned_alloc wants a multiple of the alignment, and zero is not portable */
    size_t rounded = ((size_t)bytes / ALIGNMENT + 1) * ALIGNMENT;
    rls2__invariant(rounded > (size_t)bytes);
    return aligned_alloc(ALIGNMENT, rounded);
}

void *rls2__alloc_zero(int64_t count, size_t size)
{
    /* calloc, so that a large block costs memory only where it is written to */
    int64_t bytes = rls2__mul(count, (int64_t)size);
    if (bytes < 0 || bytes > PTRDIFF_MAX - ALIGNMENT) return NULL;
    return calloc(1, (size_t)bytes + 1);
}

#if defined(__linux__) && defined(MADV_HUGEPAGE)
enum { LARGE_PAGE = 1 << 21, WORTH_WHILE = 4 * LARGE_PAGE };

/* Only whole large pages within the block: what lies beside it is not ours. The advice may be
 * refused, which is no loss. */
void *rls2__alloc_streamed(int64_t count, size_t size)
{
    char *block = rls2__alloc(count, size);
    int64_t bytes = rls2__mul(count, (int64_t)size);
    if (!block || bytes < WORTH_WHILE) return block;
    size_t before = (LARGE_PAGE - (uintptr_t)block % LARGE_PAGE) % LARGE_PAGE;
    (void)madvise(block + before, ((size_t)bytes - before) / LARGE_PAGE * LARGE_PAGE,
                  MADV_HUGEPAGE);
    return block;
}
#else
void *rls2__alloc_streamed(int64_t count, size_t size)
{
    return rls2__alloc(count, size);
}
#endif

void rls2__free(void *pointer)
{
    free(pointer);
}

char *rls2__text_copy(const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = rls2__alloc((int64_t)size, 1);
    if (copy) memcpy(copy, text, size);
    return copy;
}

/* ---- arrays in one block ---- */

struct rls2__layout {
    char *block;  /* NULL while sizes are added up */
    int64_t size; /* of all parts; -1 where that overflows */
    int64_t used;
};

#ifdef WATCHED
enum { GAP = ALIGNMENT };

static void close_gap(char *from, int64_t bytes)
{
    ASAN_POISON_MEMORY_REGION(from, (size_t)bytes);
}
#else
enum { GAP = 0 };

static void close_gap(char *from, int64_t bytes)
{
    (void)from, (void)bytes;
}
#endif

/* Up to the next part: a whole number of alignments. */
static int64_t part_bytes(int64_t bytes)
{
    int64_t most = rls2__add(bytes, ALIGNMENT - 1 + GAP);
    return most < 0 ? -1 : most / ALIGNMENT * ALIGNMENT;
}

void *rls2__layout_take(rls2__layout *layout, int64_t count, size_t size)
{
    int64_t bytes = rls2__mul(count, (int64_t)size), whole = part_bytes(bytes);
    if (!layout->block) {
        layout->size = rls2__add(layout->size, whole);
        return NULL;
    }
    rls2__invariant(whole >= bytes && whole <= layout->size - layout->used);
    char *part = layout->block + layout->used;
    layout->used += whole;
    close_gap(part + bytes, whole - bytes);
    return part;
}

void *rls2__layout_alloc(void (*lay_out)(rls2__layout *layout, void *owner), void *owner)
{
    rls2__layout layout = {0};
    lay_out(&layout, owner);
    layout.block = rls2__alloc(layout.size, 1);
    if (!layout.block) return NULL;
    lay_out(&layout, owner);
    rls2__invariant(layout.used == layout.size);
    return layout.block;
}

/* ---- the arena ---- */

typedef struct block {
    struct block *next;
    int64_t used;
    int64_t size;
    max_align_t data[];
} block;

struct rls2__arena {
    block *blocks;
};

rls2__arena *rls2__arena_create(void)
{
    return rls2__alloc_zero(1, sizeof(rls2__arena));
}

void rls2__arena_free(rls2__arena *arena)
{
    if (!arena) return;
    for (block *b = arena->blocks; b;) {
        block *next = b->next;
        rls2__free(b);
        b = next;
    }
    rls2__free(arena);
}

static block *arena_grow(rls2__arena *arena, int64_t bytes)
{
    int64_t size = bytes > ARENA_BLOCK ? bytes : ARENA_BLOCK;
    int64_t whole = rls2__add(size, (int64_t)sizeof(block));
    block *b = whole < 0 ? NULL : rls2__alloc_zero(whole, 1);
    if (!b) return NULL;
    b->size = size;
    b->next = arena->blocks;
    arena->blocks = b;
    return b;
}

void *rls2__arena_alloc(rls2__arena *arena, int64_t bytes)
{
    if (bytes < 0 || bytes > INT64_MAX - 16) return NULL;
    bytes = (bytes + 15) / 16 * 16;
    block *b = arena->blocks;
    if (!b || b->size - b->used < bytes) b = arena_grow(arena, bytes);
    if (!b) return NULL;
    void *pointer = (char *)b->data + b->used;
    b->used += bytes;
    rls2__invariant(b->used <= b->size && (uintptr_t)pointer % 16 == 0);
    return pointer;
}

char *rls2__arena_text(rls2__arena *arena, const char *text, int64_t length)
{
    char *copy = rls2__arena_alloc(arena, rls2__add(length, 1));
    if (copy) memcpy(copy, text, (size_t)length);
    return copy;
}

char *rls2__arena_copy(rls2__arena *arena, const char *text)
{
    return rls2__arena_text(arena, text, (int64_t)strlen(text));
}
