/* HDF5 files: the numbers of an array.
 *
 * In one piece they are used where they lie. In chunks they are found by a tree, whose leaves come
 * in the order of the chunks in the array; chunks at the edges are stored whole, and absent ones
 * stand for zeros. A chunk was shuffled (first bytes of all elements, then second bytes, ...) and
 * then deflated, or one of it, or none. */
#include "formats/hdf5_data.h"

#include <string.h>

#include "base/memory.h"
#include "formats/hdf5.h"
#include "formats/inflate.h"

enum {
    MAX_DEPTH = 16,
    DEFLATE_BEST = 1032,      /* no byte of a deflated stream stands for more */
    GRANTED_ZEROS = 1 << 22,  /* elements that need not be in the file, in any case */
    ZEROS_PER_BYTE = 128,     /* and for each of its bytes */
    GRANTED_EDGES = 16 << 20, /* bytes of chunks beyond the edges of the array, in any case */
    EDGES = 4 /* twice as much in both directions, where a chunk is within the array */
};

/* An array on its way from chunks to one piece. */
typedef struct assembly {
    rls2__hdf5 *file;
    const rls2__hdf5_object *object;
    uint64_t across;         /* chunks side by side in the second dimension */
    uint64_t chunks;         /* seen */
    uint64_t next;           /* least position that the next chunk can have */
    uint64_t packed_left;    /* bytes that chunks may still take from the file */
    uint64_t unpacked_left;  /* and make */
    unsigned char *unpacked; /* room for one chunk; NULL until one is deflated */
    unsigned char *bytes;    /* the array */
} assembly;

/* A chunk as the tree tells it. */
typedef struct chunk {
    uint64_t packed;
    unsigned skipped; /* bit k: filter k was left out */
    uint64_t offset[2];
    uint64_t at;
} chunk;

/* ---- room ---- */

/* Zeroed memory for the array, unless it claims far more than the file can hold. */
static unsigned char *make_room(rls2__hdf5 *file, const rls2__hdf5_object *o, uint64_t bytes)
{
    if (o->space.count > GRANTED_ZEROS && bytes / DEFLATE_BEST > file->length) {
        rls2__hdf5_fail(file, "it claims more numbers than the file can hold");
        return NULL;
    }
    int allowed = file->max_bytes <= 0 || bytes <= (uint64_t)file->max_bytes;
    unsigned char *room = allowed ? rls2__alloc_zero((int64_t)bytes, 1) : NULL;
    if (room) return room;
    file->out_of_memory = 1;
    rls2__hdf5_fail(
        file, allowed
                  ? "the numbers of a MATLAB file"
                  : "the numbers of a MATLAB file, which unpack to more bytes than are allowed");
    return NULL;
}

/* Elements that are not stored take no room in the file, but they will as doubles. */
static int check_absent(rls2__hdf5 *file, const rls2__hdf5_object *o, uint64_t elements)
{
    if (elements > GRANTED_ZEROS && elements / ZEROS_PER_BYTE > file->length)
        return rls2__hdf5_fail(file, "it claims more numbers than the file can hold");
    return o->fill_is_zero ||
           rls2__hdf5_fail(file, "numbers that are not stored stand for others than 0");
}

/* ---- one chunk ---- */

static int inflate_chunk(assembly *a, const chunk *c, const unsigned char *packed)
{
    rls2__hdf5 *file = a->file;
    rls2__inflated got = {0};
    uint64_t size = a->object->layout.stored;
    if (size / DEFLATE_BEST > c->packed) return rls2__hdf5_fail(file, "a chunk is cut short");
    if (!a->unpacked) a->unpacked = rls2__alloc((int64_t)size, 1);
    rls2_status status = a->unpacked
                             ? rls2__inflate(RLS2__DEFLATED_ZLIB, packed, (int64_t)c->packed,
                                             a->unpacked, (int64_t)size, &got)
                             : RLS2_ERR_MEMORY;
    if (status == RLS2_ERR_MEMORY) {
        file->out_of_memory = 1;
        return rls2__hdf5_fail(file, "unpacking a MATLAB file");
    }
    if (status != RLS2_OK) return rls2__hdf5_fail(file, "compressed bytes make no sense");
    if (!got.whole || (uint64_t)got.made != size)
        return rls2__hdf5_fail(file, "a chunk is cut short");
    return 1;
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Elements first .. first + count - 1 of a chunk of `total` shuffled elements. */
static void unshuffle(const unsigned char *from, uint64_t total, uint64_t first, uint64_t count,
                      uint64_t size, unsigned char *to)
{
    for (uint64_t b = 0; b < size; b++)
        for (uint64_t i = 0; i < count; i++) to[i * size + b] = from[b * total + first + i];
}

/* Copies what of a chunk is within the array. */
static void place_chunk(const assembly *a, const chunk *c, const unsigned char *from,
                        int is_shuffled)
{
    const uint64_t *extent = a->object->space.extent, *side = a->object->layout.chunk;
    uint64_t size = a->object->type.size, total = side[0] * side[1];
    uint64_t lines = least(side[0], extent[0] - c->offset[0]);
    uint64_t count = least(side[1], extent[1] - c->offset[1]);
    for (uint64_t i = 0; i < lines; i++) {
        unsigned char *to = a->bytes + ((c->offset[0] + i) * extent[1] + c->offset[1]) * size;
        if (is_shuffled)
            unshuffle(from, total, i * side[1], count, size, to);
        else
            memcpy(to, from + i * side[1] * size, (size_t)(count * size));
    }
}

/* 1 if a filter of that kind was used. */
static int is_filtered(const assembly *a, const chunk *c, rls2__hdf5_filter filter)
{
    for (int k = 0; k < a->object->filters; k++)
        if (a->object->filter[k] == filter && !(c->skipped >> k & 1)) return 1;
    return 0;
}

static int check_chunk(assembly *a, const chunk *c)
{
    const rls2__hdf5_object *o = a->object;
    const uint64_t *extent = o->space.extent, *side = o->layout.chunk;
    if (c->skipped >> o->filters != 0) return rls2__hdf5_fail(a->file, "a chunk makes no sense");
    for (int k = 0; k < 2; k++)
        if (c->offset[k] >= extent[k] || c->offset[k] % side[k] != 0)
            return rls2__hdf5_fail(a->file, "a chunk lies outside its variable");
    uint64_t position = c->offset[0] / side[0] * a->across + c->offset[1] / side[1];
    if (position < a->next)
        return rls2__hdf5_fail(a->file, "a chunk is there twice, or out of order");
    a->next = position + 1;
    a->chunks++;
    if (c->packed > a->packed_left || o->layout.stored > a->unpacked_left)
        return rls2__hdf5_fail(a->file, "chunks are larger than the file or their variable");
    a->packed_left -= c->packed;
    a->unpacked_left -= o->layout.stored;
    return 1;
}

static int read_chunk(assembly *a, const chunk *c)
{
    const unsigned char *from = rls2__hdf5_span(a->file, c->at, c->packed);
    if (!from || !check_chunk(a, c)) return 0;
    if (is_filtered(a, c, RLS2__HDF5_DEFLATE)) {
        if (!inflate_chunk(a, c, from)) return 0;
        from = a->unpacked;
    } else if (c->packed != a->object->layout.stored) {
        return rls2__hdf5_fail(a->file, "a chunk is cut short");
    }
    place_chunk(a, c, from, is_filtered(a, c, RLS2__HDF5_SHUFFLE));
    return 1;
}

/* ---- the tree ---- */

/* Size, filters that were left out, offsets in all dimensions and, always 0, within an element. */
static chunk chunk_of(const assembly *a, const unsigned char *key, uint64_t at)
{
    int rank = a->object->space.rank;
    chunk c = {.packed = rls2__hdf5_number(key, 4),
               .skipped = (unsigned)rls2__hdf5_number(key + 4, 4),
               .at = at};
    for (int k = 0; k < rank; k++) c.offset[2 - rank + k] = rls2__hdf5_number(key + 8 + 8 * k, 8);
    return c;
}

/* `level` is the one expected; -1: any. */
static int walk_chunks(assembly *a, uint64_t at, int level)
{
    rls2__hdf5 *file = a->file;
    uint64_t key_size = 8 + 8 * ((uint64_t)a->object->space.rank + 1), step = key_size + 8;
    const unsigned char *head = rls2__hdf5_span(file, at, 24);
    if (!head) return 0;
    if (memcmp(head, "TREE\1", 5) != 0 || head[5] > MAX_DEPTH || (level >= 0 && head[5] != level))
        return rls2__hdf5_fail(file, "the list of chunks is damaged");
    uint64_t entries = rls2__hdf5_number(head + 6, 2);
    if (!rls2__hdf5_span(file, at + 24, entries * step + key_size)) return 0;
    for (uint64_t k = 0; k < entries; k++) {
        const unsigned char *key = head + 24 + k * step;
        uint64_t child = rls2__hdf5_number(key + key_size, 8);
        chunk c = chunk_of(a, key, child);
        if (!rls2__hdf5_step(file)) return 0;
        if (!(head[5] > 0 ? walk_chunks(a, child, head[5] - 1) : read_chunk(a, &c))) return 0;
    }
    return 1;
}

/* ---- the array ---- */

static int check_layout(rls2__hdf5 *file, const rls2__hdf5_object *o)
{
    const rls2__hdf5_layout *l = &o->layout;
    if (l->chunk_rank != o->space.rank || l->chunk_element != o->type.size)
        return rls2__hdf5_fail(file, "chunks do not fit their variable");
    for (int k = 0; k < o->filters; k++)
        if (o->filter[k] == RLS2__HDF5_SHUFFLE && o->shuffled != o->type.size)
            return rls2__hdf5_fail(file, "chunks do not fit their variable");
    return 1;
}

static int read_chunked(rls2__hdf5 *file, const rls2__hdf5_object *o, uint64_t bytes,
                        rls2__hdf5_data *data)
{
    uint64_t of_one = o->layout.chunk[0] * o->layout.chunk[1];
    if (!check_layout(file, o)) return 0;
    assembly a = {.file = file,
                  .object = o,
                  .across = (o->space.extent[1] - 1) / o->layout.chunk[1] + 1,
                  .packed_left = file->length,
                  .unpacked_left = rls2__hdf5_times(EDGES, bytes)};
    a.unpacked_left += least(GRANTED_EDGES, UINT64_MAX - a.unpacked_left);
    a.bytes = make_room(file, o, bytes);
    if (!a.bytes) return 0;
    int sound = o->layout.start == RLS2__HDF5_NOWHERE || walk_chunks(&a, o->layout.start, -1);
    uint64_t absent = a.across * ((o->space.extent[0] - 1) / o->layout.chunk[0] + 1) - a.chunks;
    if (sound && absent > 0)
        sound = check_absent(file, o, least(o->space.count, rls2__hdf5_times(absent, of_one)));
    rls2__free(a.unpacked);
    if (!sound) {
        rls2__free(a.bytes);
        return 0;
    }
    data->bytes = data->owned = a.bytes;
    return 1;
}

static int read_piece(rls2__hdf5 *file, const rls2__hdf5_object *o, uint64_t bytes,
                      rls2__hdf5_data *data)
{
    if (o->filters > 0 || (o->layout.stored != bytes && o->layout.stored != RLS2__HDF5_NOWHERE))
        return rls2__hdf5_fail(file, "it has not as many numbers as its dimensions say");
    if (o->layout.start != RLS2__HDF5_NOWHERE) {
        data->bytes = rls2__hdf5_span(file, o->layout.start, bytes);
        return data->bytes != NULL;
    }
    data->bytes = data->owned =
        check_absent(file, o, o->space.count) ? make_room(file, o, bytes) : NULL;
    return data->bytes != NULL;
}

int rls2__hdf5_data_read(rls2__hdf5 *file, const rls2__hdf5_object *o, rls2__hdf5_data *data)
{
    *data = (rls2__hdf5_data){0};
    if (!o->type.is_known || o->space.rank < 0 || o->space.rank > 2)
        return rls2__hdf5_fail(file, "numbers are of another type");
    if (rls2__hdf5_times(o->space.extent[0], o->space.extent[1]) != o->space.count)
        return rls2__hdf5_fail(file, "dimensions make no sense");
    uint64_t bytes = rls2__hdf5_times(o->space.count, o->type.size);
    if (bytes > INT64_MAX)
        return rls2__hdf5_fail(file, "it claims more numbers than the file can hold");
    switch (o->layout.storage) {
    case RLS2__HDF5_COMPACT:
        if (o->filters > 0 || o->layout.stored < bytes)
            return rls2__hdf5_fail(file, "it has not as many numbers as its dimensions say");
        data->bytes = o->layout.data;
        return 1;
    case RLS2__HDF5_CONTIGUOUS: return read_piece(file, o, bytes, data);
    case RLS2__HDF5_CHUNKED:
        if (bytes == 0) return rls2__hdf5_fail(file, "a variable in chunks is empty");
        return read_chunked(file, o, bytes, data);
    default: return rls2__hdf5_fail(file, "numbers are absent");
    }
}
