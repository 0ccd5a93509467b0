/* HDF5 files: groups, objects and what is said of them.
 *
 *   superblock 0 -> object header 1 -> symbol table message -> TREE -> SNOD ->
 *   object header 1 -> ...
 *
 * An object header is a list of messages: dimensions, type, where the numbers are, attributes; it
 * may go on in other blocks. Members of a group are entries of symbol nodes, which hang on a tree;
 * their names are in a heap. All numbers are little-endian; addresses are counted from the
 * superblock. Newer forms of the same things, which MATLAB does not write, are refused. */
#include "formats/hdf5.h"

#include <string.h>

enum {
    SUPERBLOCK = 96, /* bytes */
    FIRST_BLOCK = 512,
    LAST_BLOCK = 1 << 20, /* places of superblocks, each the double of the one before */
    MAX_DEPTH = 16,       /* of trees */
    MAX_BLOCKS = 64,      /* of one object header */
    MAX_DIMENSIONS = 32,
    LONGEST_NAME = 1024,
    FREE_STEPS = 4096
};
enum {
    MESSAGE_NOTHING = 0,
    MESSAGE_SPACE = 1,
    MESSAGE_TYPE = 3,
    MESSAGE_OLD_FILL = 4,
    MESSAGE_FILL = 5,
    MESSAGE_OTHER_FILES = 7,
    MESSAGE_LAYOUT = 8,
    MESSAGE_FILTERS = 11,
    MESSAGE_ATTRIBUTE = 12,
    MESSAGE_COMMENT = 13,
    MESSAGE_OLD_TIME = 14,
    MESSAGE_MORE = 16,
    MESSAGE_GROUP = 17,
    MESSAGE_TIME = 18
};

/* ---- bytes ---- */

uint64_t rls2__hdf5_number(const unsigned char *bytes, int size)
{
    return rls2__bytes_unsigned(bytes, size, 0);
}

static uint64_t number(const unsigned char *bytes, int size)
{
    return rls2__hdf5_number(bytes, size);
}

uint64_t rls2__hdf5_times(uint64_t a, uint64_t b)
{
    return a != 0 && b > RLS2__HDF5_NOWHERE / a ? RLS2__HDF5_NOWHERE : a * b;
}

int rls2__hdf5_fail(rls2__hdf5 *file, const char *fault)
{
    file->fault = fault;
    return 0;
}

const unsigned char *rls2__hdf5_span(rls2__hdf5 *file, uint64_t at, uint64_t size)
{
    if (size <= file->length && at <= file->length - size) return file->bytes + at;
    rls2__hdf5_fail(file, "an address points outside the file");
    return NULL;
}

int rls2__hdf5_step(rls2__hdf5 *file)
{
    if (file->steps == 0) return rls2__hdf5_fail(file, "its parts refer to each other in circles");
    file->steps--;
    return 1;
}

/* ---- what messages say ---- */

static int read_space(const unsigned char *m, uint64_t size, rls2__hdf5_space *space)
{
    if (size < 4 || (m[0] != 1 && m[0] != 2) || m[1] > MAX_DIMENSIONS) return 0;
    int rank = m[1];
    uint64_t first = m[0] == 1 ? 8 : 4;
    if (size < first + 8 * (uint64_t)rank) return 0;
    *space = (rls2__hdf5_space){.rank = rank, .extent = {1, 1}, .count = 1};
    for (int k = 0; k < rank; k++) {
        uint64_t extent = number(m + first + 8 * k, 8);
        if (rank <= 2) space->extent[2 - rank + k] = extent;
        if (extent > INT64_MAX) return 0;
        space->count = rls2__hdf5_times(space->count, extent);
    }
    if (m[0] == 2 && m[3] == 2) /* a null space has no elements */
        *space = (rls2__hdf5_space){.rank = rank};
    return space->count <= INT64_MAX;
}

/* 1 if all bits are used, in one of the two orders. */
static int is_whole(const unsigned char *m, uint64_t size, rls2__hdf5_type *type)
{
    uint64_t bytes = type->size;
    if (size < 12 || (bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8)) return 0;
    if (number(m + 8, 2) != 0 || number(m + 10, 2) != 8 * bytes) return 0;
    type->element =
        (rls2__element){.kind = m[1] & 8 ? RLS2__ELEMENT_SIGNED : RLS2__ELEMENT_UNSIGNED,
                        .size = (int)bytes,
                        .big_endian = m[1] & 1};
    return 1;
}

/* Offset, precision; place and size of the exponent and of the mantissa; bias. */
static int is_float(const unsigned char *m, uint64_t size, rls2__hdf5_type *type)
{
    static const unsigned char single[] = {0, 0, 32, 0, 23, 8, 0, 23, 127, 0, 0, 0},
                               twice[] = {0, 0, 64, 0, 52, 11, 0, 52, 255, 3, 0, 0};
    uint64_t bytes = type->size;
    if (size < 20 || (bytes != 4 && bytes != 8)) return 0;
    if (memcmp(m + 8, bytes == 4 ? single : twice, sizeof single) != 0) return 0;
    /* the leading bit of the mantissa is not stored; no order of the VAX; the sign comes first */
    if ((m[1] & 0x30) != 0x20 || (m[1] & 0x40) != 0 || m[2] != 8 * bytes - 1) return 0;
    type->element =
        (rls2__element){.kind = RLS2__ELEMENT_FLOAT, .size = (int)bytes, .big_endian = m[1] & 1};
    return 1;
}

static int read_type(const unsigned char *m, uint64_t size, rls2__hdf5_type *type)
{
    if (size < 8) return 0;
    *type = (rls2__hdf5_type){.class = m[0] & 15, .size = number(m + 4, 4)};
    if (type->class == RLS2__HDF5_WHOLE) type->is_known = is_whole(m, size, type);
    if (type->class == RLS2__HDF5_FLOAT) type->is_known = is_float(m, size, type);
    return type->size > 0;
}

/* The extents of a chunk, then the size of an element. */
static int read_chunk(const unsigned char *extents, int count, rls2__hdf5_layout *l)
{
    int rank = count - 1;
    l->storage = RLS2__HDF5_CHUNKED;
    l->chunk_rank = rank;
    l->chunk[0] = l->chunk[1] = 1;
    l->chunk_element = number(extents + 4 * rank, 4);
    l->stored = l->chunk_element;
    for (int k = 0; k < rank; k++) {
        uint64_t extent = number(extents + 4 * k, 4);
        if (rank <= 2) l->chunk[2 - rank + k] = extent;
        l->stored = rls2__hdf5_times(l->stored, extent);
    }
    return l->stored > 0 && l->stored <= UINT32_MAX;
}

/* Of the first releases that wrote 7.3. In one piece, the size is that of the dimensions. */
static int read_old_layout(const unsigned char *m, uint64_t size, rls2__hdf5_layout *l)
{
    if (size < 16 || m[1] < 2 || m[1] > MAX_DIMENSIONS + 1 || size < 16 + 4 * (uint64_t)m[1])
        return 0;
    l->start = number(m + 8, 8);
    l->stored = RLS2__HDF5_NOWHERE;
    l->storage = RLS2__HDF5_CONTIGUOUS;
    return m[2] == 1 || (m[2] == 2 && read_chunk(m + 16, m[1], l));
}

static int read_layout(const unsigned char *m, uint64_t size, rls2__hdf5_layout *l)
{
    if (size < 4) return 0;
    if (m[0] == 1 || m[0] == 2) return read_old_layout(m, size, l);
    if (m[0] != 3) return 0;
    switch (m[1]) {
    case 0:
        l->storage = RLS2__HDF5_COMPACT;
        l->stored = number(m + 2, 2);
        l->data = m + 4;
        return l->stored <= size - 4;
    case 1:
        if (size < 18) return 0;
        l->storage = RLS2__HDF5_CONTIGUOUS;
        l->start = number(m + 2, 8);
        l->stored = number(m + 10, 8);
        return 1;
    case 2:
        if (m[2] < 2 || m[2] > MAX_DIMENSIONS + 1 || size < 11 + 4 * (uint64_t)m[2]) return 0;
        l->start = number(m + 3, 8);
        return read_chunk(m + 11, m[2], l);
    default: return 0;
    }
}

/* A shuffle of bytes, then deflation; either may be absent. */
static int read_filters(const unsigned char *m, uint64_t size, rls2__hdf5_object *o)
{
    if (size < 8 || m[0] != 1 || m[1] > 2) return 0;
    uint64_t at = 8;
    for (int k = 0; k < m[1]; k++) {
        if (size - at < 8) return 0;
        uint64_t id = number(m + at, 2), values = number(m + at + 6, 2);
        uint64_t name = (number(m + at + 2, 2) + 7) / 8 * 8, room = 4 * ((values + 1) / 2 * 2);
        at += 8;
        if (name + room > size - at) return 0;
        if (id == RLS2__HDF5_SHUFFLE && k == 0 && values == 1)
            o->shuffled = number(m + at + name, 4);
        else if (id != RLS2__HDF5_DEFLATE || (k == 1 && o->filter[0] == RLS2__HDF5_DEFLATE))
            return 0;
        o->filter[k] = (rls2__hdf5_filter)id;
        at += name + room;
    }
    o->filters = m[1];
    return 1;
}

static int is_zero(const unsigned char *bytes, uint64_t size)
{
    for (uint64_t k = 0; k < size; k++)
        if (bytes[k] != 0) return 0;
    return 1;
}

/* Version, two times, whether there is a value, and its size and bytes; the third version has
 * flags. */
static int read_fill(const unsigned char *m, uint64_t size, rls2__hdf5_object *o)
{
    if (size < 2 || m[0] < 1 || m[0] > 3 || (m[0] < 3 && size < 4)) return 0;
    int given = m[0] == 3 ? (m[1] & 0x20) != 0 : m[3] != 0;
    uint64_t head = m[0] == 3 ? 2 : 4;
    if (!given) return 1;
    if (size < head + 4) return 0;
    uint64_t length = number(m + head, 4);
    if (length > INT32_MAX) return 1; /* -1: not defined */
    if (length > size - head - 4) return 0;
    o->fill_is_zero &= is_zero(m + head + 4, length);
    return 1;
}

static int read_old_fill(const unsigned char *m, uint64_t size, rls2__hdf5_object *o)
{
    if (size < 4 || number(m, 4) > size - 4) return 0;
    o->fill_is_zero &= is_zero(m + 4, number(m, 4));
    return 1;
}

static int read_group(const unsigned char *m, uint64_t size, rls2__hdf5_object *o)
{
    if (size < 16) return 0;
    o->is_group = 1;
    o->tree = number(m, 8);
    o->heap = number(m + 8, 8);
    return 1;
}

/* ---- object headers ---- */

typedef struct message {
    unsigned type;
    const unsigned char *bytes;
    uint64_t size;
} message;

typedef int (*message_visitor)(rls2__hdf5 *file, const message *m, void *context);

/* The blocks of one object header, of which the later ones are found in the earlier ones. */
typedef struct blocks {
    uint64_t start[MAX_BLOCKS], size[MAX_BLOCKS];
    uint64_t total;
    int count;
} blocks;

static int add_block(rls2__hdf5 *file, blocks *b, uint64_t start, uint64_t size)
{
    if (!rls2__hdf5_span(file, start, size)) return 0;
    if (b->count == MAX_BLOCKS || size > file->length - b->total)
        return rls2__hdf5_fail(file, "the description of a variable is scattered");
    b->start[b->count] = start;
    b->size[b->count++] = size;
    b->total += size;
    return 1;
}

static int walk_block(rls2__hdf5 *file, const unsigned char *at, uint64_t room, blocks *b,
                      message_visitor visit, void *context)
{
    while (room >= 8) {
        message m = {.type = (unsigned)number(at, 2), .bytes = at + 8, .size = number(at + 2, 2)};
        if (!rls2__hdf5_step(file)) return 0;
        if (m.size > room - 8) return rls2__hdf5_fail(file, "a description is cut short");
        if (at[4] & 2) return rls2__hdf5_fail(file, "a description is shared by variables");
        if (m.type == MESSAGE_MORE) {
            if (m.size < 16) return rls2__hdf5_fail(file, "a description is cut short");
            if (!add_block(file, b, number(m.bytes, 8), number(m.bytes + 8, 8))) return 0;
        } else if (!visit(file, &m, context)) {
            return 0;
        }
        at += 8 + m.size;
        room -= 8 + m.size;
    }
    return 1;
}

/* Calls `visit` for each message, until it returns 0. Links by name have no address. */
static int walk_messages(rls2__hdf5 *file, uint64_t at, message_visitor visit, void *context)
{
    blocks b = {.count = 0};
    if (at == RLS2__HDF5_NOWHERE) return rls2__hdf5_fail(file, "it is only a link");
    const unsigned char *head = rls2__hdf5_span(file, at, 16);
    if (!head) return 0;
    if (head[0] != 1) return rls2__hdf5_fail(file, "it is described in a newer form of HDF5");
    if (!add_block(file, &b, at + 16, number(head + 8, 4))) return 0;
    for (int k = 0; k < b.count; k++)
        if (!walk_block(file, file->bytes + b.start[k], b.size[k], &b, visit, context)) return 0;
    return 1;
}

typedef struct object_reader {
    rls2__hdf5_object *object;
    uint32_t seen; /* bit k: a message of type k */
} object_reader;

static int read_message(rls2__hdf5 *file, const message *m, rls2__hdf5_object *o)
{
    switch (m->type) {
    case MESSAGE_SPACE:
        return read_space(m->bytes, m->size, &o->space) ||
               rls2__hdf5_fail(file, "dimensions make no sense");
    case MESSAGE_TYPE:
        return read_type(m->bytes, m->size, &o->type) ||
               rls2__hdf5_fail(file, "a type makes no sense");
    case MESSAGE_OLD_FILL:
        return read_old_fill(m->bytes, m->size, o) ||
               rls2__hdf5_fail(file, "a fill value makes no sense");
    case MESSAGE_FILL:
        return read_fill(m->bytes, m->size, o) ||
               rls2__hdf5_fail(file, "a fill value makes no sense");
    case MESSAGE_LAYOUT:
        return read_layout(m->bytes, m->size, &o->layout) ||
               rls2__hdf5_fail(file, "numbers are stored in another form");
    case MESSAGE_FILTERS:
        return read_filters(m->bytes, m->size, o) ||
               rls2__hdf5_fail(file,
                               "numbers are compressed by something else than deflate and shuffle");
    case MESSAGE_GROUP:
        return read_group(m->bytes, m->size, o) || rls2__hdf5_fail(file, "a group makes no sense");
    case MESSAGE_OTHER_FILES: return rls2__hdf5_fail(file, "numbers are in another file");
    default: return rls2__hdf5_fail(file, "it is described in a newer form of HDF5");
    }
}

static int visit_message(rls2__hdf5 *file, const message *m, void *context)
{
    object_reader *reader = context;
    if (m->type == MESSAGE_NOTHING || m->type == MESSAGE_ATTRIBUTE || m->type == MESSAGE_COMMENT ||
        m->type == MESSAGE_OLD_TIME || m->type == MESSAGE_TIME)
        return 1;
    if (m->type < 32 && reader->seen >> m->type & 1)
        return rls2__hdf5_fail(file, "it is described twice");
    if (m->type < 32) reader->seen |= UINT32_C(1) << m->type;
    return read_message(file, m, reader->object);
}

int rls2__hdf5_object_read(rls2__hdf5 *file, uint64_t at, rls2__hdf5_object *object)
{
    object_reader reader = {.object = object};
    *object = (rls2__hdf5_object){.space.rank = -1,
                                  .type.class = -1,
                                  .layout.storage = RLS2__HDF5_UNSTORED,
                                  .fill_is_zero = 1};
    return walk_messages(file, at, visit_message, &reader);
}

/* ---- attributes ---- */

typedef struct attribute_reader {
    const char *name;
    rls2__hdf5_attribute *attribute;
    int found;
} attribute_reader;

static uint64_t padded(uint64_t size, int version)
{
    return version == 1 ? (size + 7) / 8 * 8 : size;
}

/* After the head: name, type, dimensions, values; in the first version each is padded to 8 bytes.
 */
static int read_attribute(const message *m, const unsigned char *name, rls2__hdf5_attribute *a)
{
    int version = m->bytes[0];
    uint64_t type_size = number(m->bytes + 4, 2), space_size = number(m->bytes + 6, 2);
    uint64_t type = (uint64_t)(name - m->bytes) + padded(number(m->bytes + 2, 2), version);
    uint64_t space = type + padded(type_size, version), data = space + padded(space_size, version);
    if (data > m->size || (version > 1 && m->bytes[1] != 0)) return 0; /* flags: shared */
    if (!read_type(m->bytes + type, type_size, &a->type)) return 0;
    if (!read_space(m->bytes + space, space_size, &a->space)) return 0;
    a->data = m->bytes + data;
    return rls2__hdf5_times(a->space.count, a->type.size) <= m->size - data;
}

static int visit_attribute(rls2__hdf5 *file, const message *m, void *context)
{
    attribute_reader *reader = context;
    size_t length = strlen(reader->name) + 1;
    if (m->type != MESSAGE_ATTRIBUTE) return 1;
    if (m->size < 9 || m->bytes[0] < 1 || m->bytes[0] > 3)
        return rls2__hdf5_fail(file, "an attribute makes no sense");
    const unsigned char *name = m->bytes + (m->bytes[0] == 3 ? 9 : 8);
    uint64_t name_size = number(m->bytes + 2, 2);
    if (name_size > m->size - (uint64_t)(name - m->bytes))
        return rls2__hdf5_fail(file, "an attribute is cut short");
    if (name_size < length || memcmp(name, reader->name, length) != 0) return 1;
    if (reader->found) return rls2__hdf5_fail(file, "an attribute is there twice");
    reader->found = 1;
    return read_attribute(m, name, reader->attribute) ||
           rls2__hdf5_fail(file, "an attribute makes no sense");
}

int rls2__hdf5_attribute_find(rls2__hdf5 *file, uint64_t at, const char *name,
                              rls2__hdf5_attribute *attribute, int *found)
{
    attribute_reader reader = {.name = name, .attribute = attribute};
    int sound = walk_messages(file, at, visit_attribute, &reader);
    *found = reader.found;
    return sound;
}

/* ---- groups ---- */

typedef struct group_walk {
    const unsigned char *names;
    uint64_t room;
    rls2__hdf5_visitor visit;
    void *context;
} group_walk;

static int open_heap(rls2__hdf5 *file, uint64_t at, group_walk *w)
{
    const unsigned char *head = rls2__hdf5_span(file, at, 32);
    if (!head) return 0;
    if (memcmp(head, "HEAP\0", 5) != 0)
        return rls2__hdf5_fail(file, "names of variables are absent");
    w->room = number(head + 8, 8);
    w->names = rls2__hdf5_span(file, number(head + 24, 8), w->room);
    return w->names != NULL;
}

static int visit_symbol(rls2__hdf5 *file, const unsigned char *entry, const group_walk *w)
{
    uint64_t offset = number(entry, 8);
    if (!rls2__hdf5_step(file)) return 0;
    if (offset >= w->room) return rls2__hdf5_fail(file, "the name of a variable is absent");
    uint64_t room = w->room - offset < LONGEST_NAME ? w->room - offset : LONGEST_NAME;
    const char *name = (const char *)w->names + offset;
    if (!memchr(name, '\0', (size_t)room))
        return rls2__hdf5_fail(file, "the name of a variable is too long");
    return w->visit(file, name, number(entry + 8, 8), w->context);
}

static int walk_symbols(rls2__hdf5 *file, uint64_t at, const group_walk *w)
{
    const unsigned char *head = rls2__hdf5_span(file, at, 8);
    if (!head) return 0;
    if (memcmp(head, "SNOD\1", 5) != 0)
        return rls2__hdf5_fail(file, "the list of variables is damaged");
    uint64_t entries = number(head + 6, 2);
    if (!rls2__hdf5_span(file, at + 8, 40 * entries)) return 0;
    for (uint64_t k = 0; k < entries; k++)
        if (!visit_symbol(file, head + 8 + 40 * k, w)) return 0;
    return 1;
}

/* `level` is the one expected; -1: any. */
static int walk_tree(rls2__hdf5 *file, uint64_t at, int level, const group_walk *w)
{
    const unsigned char *head = rls2__hdf5_span(file, at, 24);
    if (!head) return 0;
    if (memcmp(head, "TREE\0", 5) != 0 || head[5] > MAX_DEPTH || (level >= 0 && head[5] != level))
        return rls2__hdf5_fail(file, "the list of variables is damaged");
    uint64_t entries = number(head + 6, 2);
    if (!rls2__hdf5_span(file, at + 24, 16 * entries + 8)) return 0;
    for (uint64_t k = 0; k < entries; k++) {
        uint64_t child = number(head + 24 + 16 * k + 8, 8);
        if (!rls2__hdf5_step(file)) return 0;
        if (!(head[5] > 0 ? walk_tree(file, child, head[5] - 1, w) : walk_symbols(file, child, w)))
            return 0;
    }
    return 1;
}

int rls2__hdf5_group_walk(rls2__hdf5 *file, const rls2__hdf5_object *group,
                          rls2__hdf5_visitor visit, void *context)
{
    group_walk w = {.visit = visit, .context = context};
    return open_heap(file, group->heap, &w) && walk_tree(file, group->tree, -1, &w);
}

/* ---- the file ---- */

static int is_superblock(const unsigned char *at, uint64_t length)
{
    return length >= SUPERBLOCK && memcmp(at, "\x89HDF\r\n\x1a\n", 8) == 0;
}

/* Versions of it and of what follows are 0; addresses and lengths have 8 bytes. */
static int read_superblock(rls2__hdf5 *file, uint64_t at)
{
    static const unsigned char versions[] = {0, 0, 0, 0, 0, 8, 8, 0};
    const unsigned char *block = file->bytes;
    uint64_t base = number(block + 24, 8), end = number(block + 40, 8);
    if (memcmp(block + 8, versions, sizeof versions) != 0)
        return rls2__hdf5_fail(file, "it is of a newer form of HDF5");
    if (base != at || end < at + SUPERBLOCK || end - at > file->length)
        return rls2__hdf5_fail(file, "it is cut short");
    if (number(block + 48, 8) != RLS2__HDF5_NOWHERE)
        return rls2__hdf5_fail(file, "it is one of several files");
    file->length = end - at;
    file->root = number(block + 64, 8);
    return 1;
}

int rls2__hdf5_open(rls2__hdf5 *file, const void *bytes, int64_t length)
{
    uint64_t room = (uint64_t)length;
    *file = (rls2__hdf5){.steps = FREE_STEPS + room};
    for (uint64_t at = 0; at < room && at <= LAST_BLOCK; at = at ? 2 * at : FIRST_BLOCK) {
        file->bytes = (const unsigned char *)bytes + at;
        file->length = room - at;
        if (is_superblock(file->bytes, file->length)) return read_superblock(file, at);
    }
    return rls2__hdf5_fail(file, "there is no HDF5 in it");
}
