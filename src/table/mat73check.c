/* A walk over an HDF5 file as MATLAB writes it, before HDF5 itself reads it: HDF5 is made for sound
 * files and reads outside its memory on some that are not.
 *
 * Walked are groups (B-tree, symbol nodes, local heap of names), object headers with their messages,
 * the trees of chunks, and texts in the global heap. Every address must lie in the file, every size
 * within what holds it, and what a variable stores must be as long as its dimensions say. Newer forms
 * of the same things, which MATLAB does not write, are refused.
 *
 *   superblock 0 -> object header 1 -> symbol table message -> TREE -> SNOD -> object header 1 -> ...
 *
 * All numbers are little-endian; addresses are counted from the superblock. */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#include "table/mat.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/status.h"
#include "table/inflate.h"

enum {
    SUPERBLOCK = 512,
    MESSAGE_ROOM = 1 << 16,
    MAX_DEPTH = 16,      /* of structs in structs, and of trees */
    MAX_BLOCKS = 64,     /* of one object header */
    MAX_STEPS = 1 << 24, /* reads in all: what goes in circles ends here */
    MAX_NODE = 1024,     /* half the entries of a node; MATLAB has 4 and 16 */
    CHUNK_ENTRIES = 64,  /* of a node of the tree of chunks, with this superblock */
    FEW_CHUNKS = 4096,
    MAX_DIMENSIONS = 32,
    LONGEST_NAME = 1024
};
enum {
    MESSAGE_SPACE = 1,
    MESSAGE_TYPE = 3,
    MESSAGE_LAYOUT = 8,
    MESSAGE_FILTERS = 11,
    MESSAGE_ATTRIBUTE = 12,
    MESSAGE_MORE = 16,
    MESSAGE_GROUP = 17
};
enum { FILTER_DEFLATE = 1, FILTER_SHUFFLE = 2 };
enum { CLASS_CHARACTERS = 3, CLASS_TEXTS = 9 }; /* of variable length, in the global heap */

static const uint64_t nowhere = UINT64_MAX;

typedef struct checker {
    int file;
    uint64_t length; /* from the superblock to the end */
    int64_t steps;   /* left */
    uint64_t chunks; /* seen of the current variable */
    int leaf;        /* half the entries of a symbol node, and of a tree node */
    int inner;
    unsigned char *message; /* MESSAGE_ROOM */
} checker;

/* What the messages of one object say. */
typedef struct object {
    int dimensions; /* -1: none */
    uint64_t count; /* of elements */
    uint64_t size;  /* of an element */
    int layout;     /* 0 compact, 1 in one piece, 2 in chunks, -1 none */
    uint64_t start; /* of the numbers, or of the tree of chunks */
    uint64_t stored;
    int chunk_rank;
    int deflated; /* 1: chunks are compressed */
    int group;
    uint64_t tree;
    uint64_t heap;
} object;

static uint64_t number(const unsigned char *bytes, int size)
{
    return rls2__bytes_unsigned(bytes, size, 0);
}

static int within(const checker *c, uint64_t at, uint64_t size)
{
    return size <= c->length && at <= c->length - size;
}

static int get(checker *c, uint64_t at, void *to, uint64_t size)
{
    if (!within(c, at, size) || c->steps-- <= 0) return 0;
    return pread(c->file, to, (size_t)size, (off_t)(SUPERBLOCK + at)) == (ssize_t)size;
}

/* ---- what messages say ---- */

/* a * b, or `nowhere` where it overflows. */
static uint64_t times(uint64_t a, uint64_t b)
{
    return a != 0 && b > nowhere / a ? nowhere : a * b;
}

static int read_space(const unsigned char *m, uint64_t size, int *dimensions, uint64_t *count)
{
    if (size < 4 || (m[0] != 1 && m[0] != 2) || m[1] > MAX_DIMENSIONS) return 0;
    uint64_t first = m[0] == 1 ? 8 : 4;
    if (size < first + 8 * (uint64_t)m[1]) return 0;
    *dimensions = m[1];
    *count = m[0] == 2 && m[3] == 2 ? 0 : 1; /* a null space has no elements */
    for (int k = 0; k < m[1]; k++) *count = times(*count, number(m + first + 8 * k, 8));
    return *count != nowhere;
}

/* The bytes of a chunk, from its extents and the size of an element. */
static int read_chunk(const unsigned char *extents, int rank, object *o)
{
    o->chunk_rank = rank;
    o->stored = 1;
    for (int k = 0; k < rank; k++) o->stored = times(o->stored, number(extents + 4 * k, 4));
    return o->stored > 0 && o->stored <= UINT32_MAX;
}

/* Until MATLAB 7.4 or so: rank, layout, address, extents. In one piece, the size is that of the dimensions. */
static int read_old_layout(const unsigned char *m, uint64_t size, object *o)
{
    if (m[1] < 2 || m[1] > MAX_DIMENSIONS + 1 || size < 16 + 4 * (uint64_t)m[1]) return 0;
    o->layout = m[2];
    o->start = number(m + 8, 8);
    o->stored = nowhere;
    if (m[2] == 1) return 1;
    return m[2] == 2 && read_chunk(m + 16, m[1], o);
}

static int read_layout(const unsigned char *m, uint64_t size, object *o)
{
    if (size < 4) return 0;
    if (m[0] == 1 || m[0] == 2) return read_old_layout(m, size, o);
    if (m[0] != 3 || m[1] > 2) return 0;
    o->layout = m[1];
    if (m[1] == 0) {
        o->stored = number(m + 2, 2);
        return o->stored <= size - 4;
    }
    if (m[1] == 1) {
        o->start = size >= 18 ? number(m + 2, 8) : 0;
        o->stored = size >= 18 ? number(m + 10, 8) : 0;
        return size >= 18;
    }
    if (m[2] < 2 || m[2] > MAX_DIMENSIONS + 1 || size < 11 + 4 * (uint64_t)m[2]) return 0;
    o->start = number(m + 3, 8);
    return read_chunk(m + 11, m[2], o);
}

/* What chunks go through: zlib and a shuffle of bytes, which leaves the size alone. */
static int read_filters(const unsigned char *m, uint64_t size, object *o)
{
    if (size < 8 || (m[0] != 1 && m[0] != 2)) return 0;
    uint64_t at = m[0] == 1 ? 8 : 2;
    for (int k = 0; k < m[1]; k++) {
        uint64_t head = m[0] == 1 ? 8 : 6; /* version 2 has no length of a name for these */
        if (size - at < head) return 0;
        uint64_t id = number(m + at, 2), name = m[0] == 1 ? (number(m + at + 2, 2) + 7) / 8 * 8 : 0;
        uint64_t values = number(m + at + head - 2, 2);
        if (id != FILTER_DEFLATE && id != FILTER_SHUFFLE) return 0;
        if (id == FILTER_DEFLATE && o->deflated) return 0;
        o->deflated |= id == FILTER_DEFLATE;
        head += name + 4 * (m[0] == 1 ? (values + 1) / 2 * 2 : values);
        if (head > size - at) return 0;
        at += head;
    }
    return 1;
}

/* ---- texts of variable length ---- */

/* Entry `index` of a collection of the global heap must hold `size` bytes. */
static int check_collection(checker *c, uint64_t at, uint64_t index, uint64_t size)
{
    unsigned char head[16];
    if (!get(c, at, head, 16) || memcmp(head, "GCOL\1", 5) != 0) return 0;
    uint64_t room = number(head + 8, 8), used = 16;
    if (!within(c, at, room)) return 0;
    int found = 0;
    while (room >= used && room - used >= 16) {
        if (!get(c, at + used, head, 16)) return 0;
        uint64_t held = number(head + 8, 8);
        if (number(head, 2) == 0) { /* free; this size counts its head */
            if (held < 16 || held > room - used) return 0;
            used += held;
            continue;
        }
        if (held > room - used - 16) return 0;
        found |= number(head, 2) == index && held >= size;
        used += 16 + (held + 7) / 8 * 8;
    }
    return found;
}

/* Elements of a length, an address and an index each. */
static int check_texts(checker *c, const unsigned char *data, uint64_t size, uint64_t count, uint64_t base)
{
    if (times(count, 16) > size) return 0;
    for (uint64_t k = 0; k < count; k++) {
        const unsigned char *element = data + 16 * k;
        uint64_t length = number(element, 4), address = number(element + 4, 8),
                 index = number(element + 12, 4);
        if (length > 0 && !check_collection(c, address, index, times(length, base))) return 0;
    }
    return 1;
}

static uint64_t padded(uint64_t size, int version)
{
    return version == 1 ? (size + 7) / 8 * 8 : size;
}

static int check_attribute(checker *c, const unsigned char *m, uint64_t size)
{
    if (size < 9 || m[0] < 1 || m[0] > 3 || (m[0] > 1 && m[1] != 0)) return 0;
    uint64_t type = (m[0] == 3 ? 9 : 8) + padded(number(m + 2, 2), m[0]), type_size = number(m + 4, 2);
    uint64_t space = type + padded(type_size, m[0]), space_size = number(m + 6, 2);
    uint64_t data = space + padded(space_size, m[0]), count = 0;
    int dimensions;
    if (data > size || type_size < 8 || !read_space(m + space, space_size, &dimensions, &count)) return 0;
    if (times(count, number(m + type + 4, 4)) > size - data) return 0;
    if ((m[type] & 15) != CLASS_TEXTS) return 1;
    /* a sequence, of 16 bytes each in the file, of single characters */
    const unsigned char *t = m + type;
    if (type_size < 16 || t[1] != 0 || number(t + 4, 4) != 16 || (t[8] & 15) != CLASS_CHARACTERS) return 0;
    return check_texts(c, m + data, size - data, count, number(m + type + 12, 4));
}

/* ---- object headers ---- */

static int read_message(checker *c, unsigned type, const unsigned char *m, uint64_t size, object *o)
{
    switch (type) {
    case MESSAGE_SPACE: return read_space(m, size, &o->dimensions, &o->count);
    case MESSAGE_TYPE: o->size = size >= 8 ? number(m + 4, 4) : 0; return o->size > 0;
    case MESSAGE_LAYOUT: return read_layout(m, size, o);
    case MESSAGE_FILTERS: return read_filters(m, size, o);
    case MESSAGE_ATTRIBUTE: return check_attribute(c, m, size);
    case MESSAGE_GROUP:
        o->group = 1;
        o->tree = size >= 16 ? number(m, 8) : nowhere;
        o->heap = size >= 16 ? number(m + 8, 8) : nowhere;
        return size >= 16;
    default: break;
    }
    /* nothing, fill values, names, times; not links and attributes in heaps of a newer form */
    return type == 0 || type == 4 || type == 5 || type == 13 || type == 14 || type == 18;
}

typedef struct blocks {
    uint64_t start[MAX_BLOCKS], size[MAX_BLOCKS];
    int count;
} blocks;

static int add_block(blocks *b, uint64_t start, uint64_t size)
{
    if (b->count == MAX_BLOCKS) return 0;
    b->start[b->count] = start;
    b->size[b->count++] = size;
    return 1;
}

static int read_block(checker *c, uint64_t at, uint64_t room, blocks *b, object *o)
{
    unsigned char head[8];
    if (!within(c, at, room)) return 0;
    for (uint64_t used = 0; room - used >= 8;) {
        if (!get(c, at + used, head, 8)) return 0;
        unsigned type = (unsigned)number(head, 2);
        uint64_t size = number(head + 2, 2);
        used += 8;
        if (size > room - used || (head[4] & 2)) return 0; /* the flag: it stands elsewhere */
        if (!get(c, at + used, c->message, size)) return 0;
        used += size;
        if (type == MESSAGE_MORE) {
            if (size < 16 || !add_block(b, number(c->message, 8), number(c->message + 8, 8))) return 0;
        } else if (!read_message(c, type, c->message, size, o)) {
            return 0;
        }
    }
    return 1;
}

static int read_object(checker *c, uint64_t at, object *o)
{
    unsigned char head[16];
    blocks b = {.count = 0};
    *o = (object){.dimensions = -1, .layout = -1};
    if (!get(c, at, head, 16) || head[0] != 1) return 0;
    add_block(&b, at + 16, number(head + 8, 4));
    for (int k = 0; k < b.count; k++)
        if (!read_block(c, b.start[k], b.size[k], &b, o)) return 0;
    return 1;
}

/* ---- chunks ---- */

/* HDF5 does not look whether a chunk unpacks to what it should. */
static int check_chunk(checker *c, const object *o, const unsigned char *key, uint64_t at)
{
    uint64_t size = number(key, 4);
    if (number(key + 4, 4) != 0 || !within(c, at, size)) return 0; /* a filter left out */
    if (!o->deflated) return size == o->stored;
    unsigned char *packed = rls2__alloc((int64_t)size, 1);
    int sound = packed && get(c, at, packed, size) &&
                rls2__inflated_length(RLS2__DEFLATED_ZLIB, packed, (int64_t)size, (int64_t)o->stored) ==
                    (int64_t)o->stored;
    rls2__free(packed);
    return sound;
}

static int check_chunks(checker *c, const object *o, uint64_t at, int level, int depth)
{
    unsigned char head[24], entry[8 + 8 * (MAX_DIMENSIONS + 1) + 8];
    uint64_t key = 8 + 8 * (uint64_t)o->chunk_rank;
    if (depth > MAX_DEPTH || !get(c, at, head, 24) || memcmp(head, "TREE\1", 5) != 0) return 0;
    if (level >= 0 && head[5] != level) return 0;
    uint64_t entries = number(head + 6, 2);
    if (entries > CHUNK_ENTRIES) return 0;
    if (head[5] == 0) c->chunks += entries;
    for (uint64_t k = 0; k < entries; k++) {
        if (!get(c, at + 24 + k * (key + 8), entry, key + 8)) return 0;
        uint64_t child = number(entry + key, 8);
        int sound =
            head[5] > 0 ? check_chunks(c, o, child, head[5] - 1, depth + 1) : check_chunk(c, o, entry, child);
        if (!sound) return 0;
    }
    return within(c, at + 24 + entries * (key + 8), key);
}

/* What is stored of a variable is as long as its dimensions say. */
static int check_stored(checker *c, const object *o)
{
    uint64_t bytes = times(o->count, o->size);
    if (o->layout < 0) return 1;
    if (o->dimensions < 0 || o->size == 0 || bytes == nowhere) return 0;
    if (o->layout == 0) return o->stored >= bytes;
    if (o->layout == 1) {
        int whole = o->stored == bytes || o->stored == nowhere;
        return whole && (o->start == nowhere || within(c, o->start, bytes));
    }
    if (o->chunk_rank != o->dimensions + 1 || o->stored % o->size != 0) return 0;
    c->chunks = 0;
    if (o->start != nowhere && !check_chunks(c, o, o->start, -1, 0)) return 0;
    /* chunks of zeros may be absent, but HDF5 takes its time for each */
    return bytes / o->stored <= FEW_CHUNKS + 64 * c->chunks;
}

/* ---- groups ---- */

typedef struct heap {
    uint64_t start;
    uint64_t size;
} heap;

static int read_heap(checker *c, uint64_t at, heap *h)
{
    unsigned char head[32], free_block[16];
    if (!get(c, at, head, 32) || memcmp(head, "HEAP\0", 5) != 0) return 0;
    h->size = number(head + 8, 8);
    h->start = number(head + 24, 8);
    if (!within(c, h->start, h->size)) return 0;
    /* 1 ends the list of free blocks */
    for (uint64_t next = number(head + 16, 8); next != 1 && next != nowhere;) {
        if (h->size < 16 || next > h->size - 16 || !get(c, h->start + next, free_block, 16)) return 0;
        uint64_t after = number(free_block, 8), size = number(free_block + 8, 8);
        if (size < 16 || size > h->size - next || after == next) return 0;
        next = after;
    }
    return 1;
}

static int check_name(checker *c, const heap *h, uint64_t offset)
{
    char name[LONGEST_NAME];
    if (offset >= h->size) return 0;
    uint64_t room = h->size - offset < LONGEST_NAME ? h->size - offset : LONGEST_NAME;
    return get(c, h->start + offset, name, room) && memchr(name, '\0', (size_t)room);
}

static int check_group(checker *c, uint64_t tree, uint64_t heap_at, int depth);

/* An entry of a symbol node, or the one of the root, whose name is "". */
static int check_entry(checker *c, const unsigned char *entry, const heap *h, int depth)
{
    object o;
    unsigned cached = (unsigned)number(entry + 16, 4);
    if (h && !check_name(c, h, number(entry, 8))) return 0;
    if (cached > 1 || !read_object(c, number(entry + 8, 8), &o)) return 0;
    if (cached == 1 && (!o.group || number(entry + 24, 8) != o.tree || number(entry + 32, 8) != o.heap))
        return 0;
    if (!check_stored(c, &o)) return 0;
    return !o.group || check_group(c, o.tree, o.heap, depth + 1);
}

static int check_symbols(checker *c, uint64_t at, const heap *h, int depth)
{
    unsigned char head[8], entry[40];
    if (!get(c, at, head, 8) || memcmp(head, "SNOD\1", 5) != 0) return 0;
    uint64_t entries = number(head + 6, 2);
    if (entries > 2 * (uint64_t)c->leaf || !within(c, at, 8 + 80 * (uint64_t)c->leaf)) return 0;
    for (uint64_t k = 0; k < entries; k++)
        if (!get(c, at + 8 + 40 * k, entry, 40) || !check_entry(c, entry, h, depth)) return 0;
    return 1;
}

static int check_tree(checker *c, uint64_t at, const heap *h, int level, int depth)
{
    unsigned char head[24], pair[16];
    if (!get(c, at, head, 24) || memcmp(head, "TREE\0", 5) != 0) return 0;
    if (head[5] > MAX_DEPTH || (level >= 0 && head[5] != level)) return 0;
    uint64_t entries = number(head + 6, 2), half = (uint64_t)c->inner;
    if (entries > 2 * half || !within(c, at, 24 + 16 * 2 * half + 8)) return 0;
    for (uint64_t k = 0; k < entries; k++) {
        if (!get(c, at + 24 + 16 * k, pair, 16) || number(pair, 8) >= h->size) return 0;
        uint64_t child = number(pair + 8, 8);
        if (!(head[5] > 0 ? check_tree(c, child, h, head[5] - 1, depth) : check_symbols(c, child, h, depth)))
            return 0;
    }
    return get(c, at + 24 + 16 * entries, pair, 8) && number(pair, 8) < h->size;
}

static int check_group(checker *c, uint64_t tree, uint64_t heap_at, int depth)
{
    heap h;
    return depth <= MAX_DEPTH && read_heap(c, heap_at, &h) && check_tree(c, tree, &h, -1, depth);
}

/* ---- the file ---- */

static int check_superblock(checker *c, int64_t length)
{
    static const unsigned char mark[] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n', 0, 0, 0, 0, 0, 8, 8, 0};
    unsigned char block[96];
    if (!get(c, 0, block, sizeof block) || memcmp(block, mark, sizeof mark) != 0) return 0;
    c->leaf = (int)number(block + 16, 2);
    c->inner = (int)number(block + 18, 2);
    uint64_t end = number(block + 40, 8);
    if (c->leaf < 1 || c->leaf > MAX_NODE || c->inner < 1 || c->inner > MAX_NODE) return 0;
    if (number(block + 24, 8) != SUPERBLOCK || end < SUPERBLOCK + sizeof block || end > (uint64_t)length)
        return 0;
    c->length = end - SUPERBLOCK;
    return number(block + 48, 8) == nowhere && check_entry(c, block + 56, NULL, 0);
}

rls2_status rls2__mat73_check(const char *file, const char *path, int64_t length, rls2_error *err)
{
    rls2_status status = RLS2_OK;
    checker c = {.steps = MAX_STEPS, .length = length > SUPERBLOCK ? (uint64_t)length - SUPERBLOCK : 0};
    c.message = rls2__alloc(MESSAGE_ROOM, 1);
    if (!c.message) return rls2__fail_memory(err, "checking a MATLAB file");
    c.file = open(path, O_RDONLY | O_CLOEXEC);
    if (c.file < 0)
        status = rls2__fail(err, RLS2_ERR_IO, "%s: cannot be read", file);
    else if (!check_superblock(&c, length))
        status = rls2__fail(
            err, RLS2_ERR_SYNTAX,
            "%s: the MATLAB file is damaged, or not of the form that MATLAB writes; save it with -v7", file);
    if (c.file >= 0) close(c.file);
    rls2__free(c.message);
    return status;
}
