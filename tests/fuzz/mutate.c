/* Unpacks, changes and packs again; the custom mutator of libFuzzer. */
#include "mutate.h"

#include <string.h>
#include <zlib.h>

/* ---- chance and bytes ---- */

unsigned mutate_draw(unsigned *seed, unsigned bound)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 8) % bound;
}

uint64_t mutate_number(const uint8_t *bytes, int width, int big_endian)
{
    uint64_t value = 0;
    for (int i = 0; i < width; i++) value = value << 8 | bytes[big_endian ? i : width - 1 - i];
    return value;
}

void mutate_set_number(uint8_t *bytes, int width, int big_endian, uint64_t value)
{
    for (int i = 0; i < width; i++)
        bytes[big_endian ? width - 1 - i : i] = (uint8_t)(value >> (8 * i));
}

int mutate_replace(mutation *m, size_t at, size_t old, const uint8_t *bytes, size_t length)
{
    if (m->size - old + length > m->room) return 0;
    memmove(m->data + at + length, m->data + at + old, m->size - at - old);
    if (length > 0) memcpy(m->data + at, bytes, length);
    m->size += length - old;
    return 1;
}

/* ---- zlib ---- */

mutation mutate_room(const mutation *outside)
{
    static uint8_t rooms[MUTATE_DEPTH][MUTATE_ROOM];
    return (mutation){.data = rooms[outside->depth],
                      .room = MUTATE_ROOM,
                      .seed = outside->seed,
                      .depth = outside->depth + 1};
}

size_t mutate_unpack(int window, const uint8_t *packed, size_t size, mutation *inside)
{
    z_stream stream = {.next_in = (z_const Bytef *)packed,
                       .avail_in = (uInt)size,
                       .next_out = inside->data,
                       .avail_out = (uInt)inside->room};
    if (inflateInit2(&stream, window) != Z_OK) return 0;
    int code = inflate(&stream, Z_FINISH);
    inside->size = inside->room - stream.avail_out;
    inflateEnd(&stream);
    return code == Z_STREAM_END ? size - stream.avail_in : 0;
}

/* With a small memory, as every input pays for it. */
int mutate_pack(int window, mutation *inside)
{
    static uint8_t packed[MUTATE_ROOM];
    static const int levels[] = {0, 1, 1, 9};
    z_stream stream = {.next_in = inside->data,
                       .avail_in = (uInt)inside->size,
                       .next_out = packed,
                       .avail_out = sizeof packed};
    int small = window == MUTATE_RAW ? -10 : window == MUTATE_ZLIB ? 10 : 26;
    int level = levels[mutate_draw(inside->seed, 4)];
    if (deflateInit2(&stream, level, Z_DEFLATED, small, 1, Z_DEFAULT_STRATEGY) != Z_OK) return 0;
    int code = deflate(&stream, Z_FINISH);
    inside->size = sizeof packed - stream.avail_out;
    deflateEnd(&stream);
    memcpy(inside->data, packed, inside->size);
    return code == Z_STREAM_END;
}

/* The first of its members. */
int mutate_gzip(mutation *m)
{
    mutation inside = mutate_room(m);
    size_t used = mutate_unpack(MUTATE_GZIP, m->data, m->size, &inside);
    if (used == 0) return 0;
    mutate_any(&inside);
    return mutate_pack(MUTATE_GZIP, &inside) &&
           mutate_replace(m, 0, used, inside.data, inside.size);
}

/* The body of a request of HTTP, or what stands before it. */
int mutate_request(mutation *m)
{
    mutation inside = mutate_room(m);
    const uint8_t *empty = memmem(m->data, m->size, "\n\n", 2);
    size_t start = empty ? (size_t)(empty - m->data) + 2 : m->size;
    if (start == m->size || m->size > inside.room || mutate_draw(m->seed, 3) == 0) return 0;
    inside.size = m->size - start;
    memcpy(inside.data, m->data + start, inside.size);
    mutate_any(&inside);
    return mutate_replace(m, start, m->size - start, inside.data, inside.size);
}

/* ---- any ---- */

static const struct {
    size_t at;
    const char *magic;
    size_t length;
    int (*change)(mutation *m);
} KINDS[] = {{0, "\x1F\x8B", 2, mutate_gzip},
             {0, "PK\x03\x04", 4, mutate_zip},
             {512, "\x89HDF", 4, mutate_mat73},
             {124, "\x00\x01IM", 4, mutate_mat5},
             {124, "\x01\x00MI", 4, mutate_mat5},
             {8, "{\"__metadata__\"", 15, mutate_model},
             {0, "POST ", 5, mutate_request},
             {0, "{", 1, mutate_json},
             {0, "[", 1, mutate_json}};

void mutate_any(mutation *m)
{
    int plain = m->depth == MUTATE_DEPTH || mutate_draw(m->seed, 8) == 0;
    for (size_t i = 0; i < sizeof KINDS / sizeof *KINDS && !plain; i++)
        if (m->size >= KINDS[i].at + KINDS[i].length &&
            memcmp(m->data + KINDS[i].at, KINDS[i].magic, KINDS[i].length) == 0 &&
            KINDS[i].change(m))
            return;
    m->size = LLVMFuzzerMutate(m->data, m->size, m->room);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed)
{
    mutation m = {.data = data, .size = size, .room = room, .seed = &seed};
    mutate_any(&m);
    return m.size;
}
