/* A member of a ZIP archive changed, with its checksum and sizes in both headers, and the
 * offsets of what follows it. */
#include <string.h>
#include <zlib.h>

#include "mutate.h"

enum { END = 22, CENTRAL = 46, LOCAL = 30, STORED = 0, DEFLATED = 8, MOST_MEMBERS = 64 };

typedef struct archive {
    size_t end, directory; /* where they start */
    unsigned count;
    size_t entry[MOST_MEMBERS]; /* of the directory */
} archive;

typedef struct member {
    size_t entry, local, start, packed;
    unsigned method;
} member;

static uint64_t word(const mutation *m, size_t at, int width)
{
    return mutate_number(m->data + at, width, 0);
}

static void set(mutation *m, size_t at, int width, uint64_t value)
{
    mutate_set_number(m->data + at, width, 0, value);
}

/* Of plain archives without a comment; the others are changed byte by byte. */
static int open_archive(const mutation *m, archive *a)
{
    if (m->size < END || word(m, m->size - END, 4) != 0x06054b50) return 0;
    a->end = m->size - END;
    a->directory = (size_t)word(m, a->end + 16, 4);
    a->count = 0;
    for (size_t at = a->directory; at + CENTRAL <= a->end && a->count < MOST_MEMBERS;) {
        if (word(m, at, 4) != 0x02014b50) break;
        a->entry[a->count++] = at;
        at += CENTRAL + (size_t)(word(m, at + 28, 2) + word(m, at + 30, 2) + word(m, at + 32, 2));
    }
    return a->count > 0;
}

static int open_member(const mutation *m, const archive *a, size_t entry, member *found)
{
    *found = (member){.entry = entry,
                      .local = (size_t)word(m, entry + 42, 4),
                      .packed = (size_t)word(m, entry + 20, 4),
                      .method = (unsigned)word(m, entry + 10, 2)};
    if (found->local + LOCAL > a->directory) return 0;
    found->start = found->local + LOCAL +
                   (size_t)(word(m, found->local + 26, 2) + word(m, found->local + 28, 2));
    return found->start <= a->directory && found->packed <= a->directory - found->start;
}

static int unpack(const mutation *m, const member *from, mutation *inside)
{
    if (from->method == DEFLATED)
        return mutate_unpack(MUTATE_RAW, m->data + from->start, from->packed, inside) > 0;
    if (from->method != STORED || from->packed > inside->room) return 0;
    memcpy(inside->data, m->data + from->start, from->packed);
    inside->size = from->packed;
    return 1;
}

/* Both headers say what the member is now; `grown` bytes more lie before what follows it. */
static void tell(mutation *m, const archive *a, const member *of, uint64_t crc, size_t size,
                 size_t packed)
{
    size_t grown = packed - of->packed; /* or shrunk: sizes wrap around, and back */
    size_t headers[] = {of->entry + grown + 10, of->local + 8};
    for (int h = 0; h < 2; h++) { /* method, time, date, checksum, packed size, size */
        set(m, headers[h], 2, of->method);
        set(m, headers[h] + 6, 4, crc);
        set(m, headers[h] + 10, 4, packed);
        set(m, headers[h] + 14, 4, size);
    }
    for (unsigned k = 0; k < a->count; k++) {
        size_t at = a->entry[k] + grown + 42;
        if (word(m, at, 4) > of->local) set(m, at, 4, word(m, at, 4) + grown);
    }
    set(m, a->end + grown + 16, 4, a->directory + grown);
}

int mutate_zip(mutation *m)
{
    archive a;
    member one;
    mutation inside = mutate_room(m);
    if (!open_archive(m, &a) || !open_member(m, &a, a.entry[mutate_draw(m->seed, a.count)], &one))
        return 0;
    if (!unpack(m, &one, &inside)) return 0;
    mutate_any(&inside);
    size_t size = inside.size;
    uint64_t crc = crc32(0, inside.data, (uInt)size);
    if (mutate_draw(m->seed, 8) == 0) one.method = one.method == STORED ? DEFLATED : STORED;
    if (one.method == DEFLATED && !mutate_pack(MUTATE_RAW, &inside)) return 0;
    if (!mutate_replace(m, one.start, one.packed, inside.data, inside.size)) return 0;
    tell(m, &a, &one, crc, size, inside.size);
    return 1;
}
