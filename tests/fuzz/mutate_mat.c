/* A variable of a MATLAB file changed: an element of level 5, packed or not, or a packed chunk
 * of version 7.3. */
#include <string.h>

#include "mutate.h"

/* ---- level 5 ---- */

enum { HEADER = 128, TAG = 8, MATRIX = 14, COMPRESSED = 15, MOST_ELEMENTS = 64 };

static unsigned list_elements(const mutation *m, int big, size_t *list)
{
    unsigned count = 0;
    for (size_t at = HEADER; at + TAG <= m->size && count < MOST_ELEMENTS;) {
        size_t length = (size_t)mutate_number(m->data + at + 4, 4, big);
        if (length > m->size - at - TAG) break;
        list[count++] = at;
        at += TAG + length;
    }
    return count;
}

/* A matrix says itself how long it is; now and then it may lie. */
static void change_matrix(mutation *inside, int big)
{
    mutate_any(inside);
    if (inside->size >= TAG && mutate_draw(inside->seed, 8) > 0)
        mutate_set_number(inside->data + 4, 4, big, inside->size - TAG);
}

int mutate_mat5(mutation *m)
{
    size_t list[MOST_ELEMENTS];
    int big = m->data[126] == 'M';
    unsigned count = list_elements(m, big, list);
    mutation inside = mutate_room(m);
    if (count == 0) return 0;
    size_t at = list[mutate_draw(m->seed, count)],
           length = (size_t)mutate_number(m->data + at + 4, 4, big);
    if (mutate_number(m->data + at, 4, big) == COMPRESSED) {
        if (mutate_unpack(MUTATE_ZLIB, m->data + at + TAG, length, &inside) == 0) return 0;
        change_matrix(&inside, big);
        if (!mutate_pack(MUTATE_ZLIB, &inside) ||
            !mutate_replace(m, at + TAG, length, inside.data, inside.size))
            return 0;
        mutate_set_number(m->data + at + 4, 4, big, inside.size);
        return 1;
    }
    if (length + TAG > inside.room) return 0;
    memcpy(inside.data, m->data + at, length + TAG);
    inside.size = length + TAG;
    change_matrix(&inside, big);
    return mutate_replace(m, at, length + TAG, inside.data, inside.size);
}

/* ---- version 7.3 ---- */

enum { BASE = 512, NODE = 24, MOST_CHUNKS = 64 };

/* A packed chunk, and the key of the tree that tells its size and address. */
typedef struct chunk {
    size_t key, address_at, start, size;
} chunk;

/* Entries of one node: size, filters, as many offsets as dimensions and one, address. */
static unsigned list_node(const mutation *m, size_t node, size_t offsets, chunk *list,
                          unsigned count)
{
    size_t step = 8 + 8 * offsets + 8, used = (size_t)mutate_number(m->data + node + 6, 2, 0);
    for (size_t k = 0; k < used && count < MOST_CHUNKS; k++) {
        chunk c = {.key = node + NODE + k * step};
        c.address_at = c.key + step - 8;
        if (c.address_at + 8 > m->size) break;
        c.size = (size_t)mutate_number(m->data + c.key, 4, 0);
        c.start = BASE + (size_t)mutate_number(m->data + c.address_at, 8, 0);
        if (c.start >= BASE && c.start < m->size && c.size <= m->size - c.start && c.size > 2 &&
            (m->data[c.start] & 15) == 8)
            list[count++] = c;
    }
    return count;
}

/* Leaves of trees of chunks (kind 1, level 0), of one dimension or two. */
static unsigned list_chunks(const mutation *m, chunk *list)
{
    unsigned count = 0;
    for (size_t at = BASE; at + NODE <= m->size; at += 8) {
        if (memcmp(m->data + at, "TREE\x01\x00", 6) != 0) continue;
        count = list_node(m, at, 3, list, count);
        count = list_node(m, at, 2, list, count);
    }
    return count;
}

/* In its place where it fits, else at the end of the file. */
static int put_chunk(mutation *m, const chunk *c, const mutation *packed)
{
    size_t start = c->start;
    if (packed->size > c->size) {
        if (packed->size > m->room - m->size) return 0;
        start = m->size;
        m->size += packed->size;
    }
    memcpy(m->data + start, packed->data, packed->size);
    mutate_set_number(m->data + c->key, 4, 0, packed->size);
    mutate_set_number(m->data + c->address_at, 8, 0, start - BASE);
    return 1;
}

int mutate_mat73(mutation *m)
{
    chunk list[MOST_CHUNKS];
    mutation inside = mutate_room(m);
    unsigned count =
        mutate_draw(m->seed, 2) ? list_chunks(m, list) : 0; /* the descriptions are what is rich */
    if (count == 0) return 0;
    const chunk *c = &list[mutate_draw(m->seed, count)];
    if (mutate_unpack(MUTATE_ZLIB, m->data + c->start, c->size, &inside) == 0) return 0;
    size_t size = inside.size;
    mutate_any(&inside);
    if (inside.size < size) memset(inside.data + inside.size, 0, size - inside.size);
    if (mutate_draw(m->seed, 8) > 0)
        inside.size = size; /* one of another size is refused at once */
    return mutate_pack(MUTATE_ZLIB, &inside) && put_chunk(m, c, &inside);
}
