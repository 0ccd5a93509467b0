/* The format of numpy.savez: a ZIP file with one .npy file for each array.
 *
 * Only the central directory at the end is believed; a local header serves to find where the bytes
 * of a member start. Members are stored or deflated, sizes and offsets may be those of ZIP64. What
 * a member unpacks to must be what the header of its array asks for, so a few bytes cannot claim
 * much memory. */
#include "formats/npz.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

#include "base/status.h"
#include "formats/arrays.h"
#include "formats/element.h"
#include "formats/inflate.h"
#include "formats/npy.h"

enum {
    END_SIZE = 22,
    END64_LOCATOR_SIZE = 20,
    END64_SIZE = 56,
    CENTRAL_SIZE = 46,
    LOCAL_SIZE = 30,
    MAX_COMMENT = 0xFFFF,
    STORED = 0,
    DEFLATED = 8
};

static const uint32_t central_mark = 0x02014b50, local_mark = 0x04034b50, end_mark = 0x06054b50,
                      end64_mark = 0x06064b50, end64_locator_mark = 0x07064b50,
                      saturated = 0xFFFFFFFF;

typedef struct archive {
    const char *name; /* of the file, for messages */
    const char *data;
    int64_t length;
    int64_t entries;
    int64_t directory; /* where the central directory starts */
    int64_t directory_end;
} archive;

typedef struct member {
    const char *name; /* not NUL-terminated; NULL: there is no such member */
    int64_t name_length;
    unsigned flags;
    unsigned method;
    uint32_t crc;
    int64_t packed; /* sizes in bytes */
    int64_t size;
    int64_t header; /* where the local header starts */
    int64_t start;  /* where the packed bytes do, once located */
} member;

static uint64_t number_at(const archive *a, int64_t offset, int size)
{
    return rls2__bytes_unsigned(a->data + offset, size, 0);
}

static rls2_status fail_archive(const archive *a, const char *what, rls2_error *err)
{
    return rls2__fail(err, RLS2_ERR_SYNTAX, "%s: the ZIP file is damaged: %s", a->name, what);
}

static rls2_status fail_member(const archive *a, const member *m, rls2_status status,
                               const char *what, rls2_error *err)
{
    return rls2__fail(err, status, "%s: array '%s': %s", a->name,
                      rls2__show_part(m->name, m->name_length).text, what);
}

/* ---- the directory ---- */

/* The end record, which a comment may follow; -1 if there is none. */
static int64_t find_end(const archive *a)
{
    int64_t lowest = a->length - END_SIZE - MAX_COMMENT;
    for (int64_t at = a->length - END_SIZE; at >= 0 && at >= lowest; at--)
        if (number_at(a, at, 4) == end_mark &&
            at + END_SIZE + (int64_t)number_at(a, at + 20, 2) == a->length)
            return at;
    return -1;
}

/* A number that may be beyond int64_t: -1 then. */
static int64_t large_at(const archive *a, int64_t offset)
{
    uint64_t number = number_at(a, offset, 8);
    return number > INT64_MAX ? -1 : (int64_t)number;
}

/* The numbers that do not fit the end record stand in one of ZIP64, found through the locator just
 * before `end`. */
static rls2_status read_end64(archive *a, int64_t end, rls2_error *err)
{
    int64_t locator = end - END64_LOCATOR_SIZE;
    if (locator < 0 || number_at(a, locator, 4) != end64_locator_mark) return RLS2_OK;
    int64_t at = large_at(a, locator + 8);
    if (at < 0 || at > locator - END64_SIZE || number_at(a, at, 4) != end64_mark)
        return fail_archive(a, "its ZIP64 end record is not where it should be", err);
    a->entries = large_at(a, at + 32);
    a->directory = large_at(a, at + 48);
    a->directory_end = rls2__add(a->directory, large_at(a, at + 40));
    if (a->directory_end > at) a->directory_end = -1;
    return RLS2_OK;
}

static rls2_status read_end(archive *a, rls2_error *err)
{
    int64_t end = find_end(a);
    if (end < 0)
        return rls2__fail(err, RLS2_ERR_SYNTAX, "%s: not a whole ZIP file: it has no directory",
                          a->name);
    a->entries = (int64_t)number_at(a, end + 10, 2);
    a->directory = (int64_t)number_at(a, end + 16, 4);
    a->directory_end = a->directory + (int64_t)number_at(a, end + 12, 4);
    rls2_status status = read_end64(a, end, err);
    if (status != RLS2_OK) return status;
    if (a->entries < 0 || a->directory < 0 || a->directory_end < 0 || a->directory_end > end)
        return fail_archive(a, "its directory is not where it should be", err);
    return RLS2_OK;
}

/* ZIP64 numbers of an entry, in this order, each only if the plain one is saturated. */
static rls2_status read_extra(const archive *a, int64_t at, int64_t end, member *m, rls2_error *err)
{
    int64_t *numbers[] = {&m->size, &m->packed, &m->header};
    while (end - at >= 4 && number_at(a, at, 2) != 1) at += 4 + (int64_t)number_at(a, at + 2, 2);
    int64_t room = end - at >= 4 ? (int64_t)number_at(a, at + 2, 2) : 0;
    at += 4;
    if (room > end - at) room = 0;
    for (int k = 0; k < 3; k++) {
        if (*numbers[k] != (int64_t)saturated) continue;
        if (room < 8) return fail_member(a, m, RLS2_ERR_SYNTAX, "its ZIP64 sizes are absent", err);
        *numbers[k] = large_at(a, at);
        at += 8;
        room -= 8;
    }
    return RLS2_OK;
}

/* Reads the entry at *at of the directory and steps over it. */
static rls2_status read_entry(const archive *a, int64_t *at, member *m, rls2_error *err)
{
    int64_t entry = *at;
    if (a->directory_end - entry < CENTRAL_SIZE || number_at(a, entry, 4) != central_mark)
        return fail_archive(a, "its directory is cut short", err);
    m->name = a->data + entry + CENTRAL_SIZE;
    m->name_length = (int64_t)number_at(a, entry + 28, 2);
    m->flags = (unsigned)number_at(a, entry + 8, 2);
    m->method = (unsigned)number_at(a, entry + 10, 2);
    m->crc = (uint32_t)number_at(a, entry + 16, 4);
    m->packed = (int64_t)number_at(a, entry + 20, 4);
    m->size = (int64_t)number_at(a, entry + 24, 4);
    m->header = (int64_t)number_at(a, entry + 42, 4);
    int64_t extra = entry + CENTRAL_SIZE + m->name_length;
    int64_t comment = extra + (int64_t)number_at(a, entry + 30, 2);
    *at = comment + (int64_t)number_at(a, entry + 32, 2);
    if (*at > a->directory_end) return fail_archive(a, "its directory is cut short", err);
    return read_extra(a, extra, comment, m, err);
}

/* ---- which member is what ---- */

enum { X, Y, T, ROLES };

typedef struct contents {
    member roles[ROLES];
    member first;                    /* the first array, whatever its name */
    const char *shown[RLS2__LISTED]; /* names of the first arrays, for messages; in the arena */
    int64_t arrays;
} contents;

/* 1 if the member is an array; its name then ends before ".npy". */
static int is_array(member *m)
{
    static const char ending[] = ".npy";
    int64_t length = (int64_t)sizeof ending - 1;
    if (m->name_length <= length ||
        memcmp(m->name + m->name_length - length, ending, (size_t)length) != 0)
        return 0;
    m->name_length -= length;
    return 1;
}

static int role_of(const member *m)
{
    if (m->name_length != 1) return -1;
    switch (*m->name) {
    case 'X':
    case 'x': return X;
    case 'Y':
    case 'y': return Y;
    case 'T': return T; /* t is often the time */
    default: return -1;
    }
}

static rls2_status add_array(const archive *a, contents *c, const member *m, rls2__arena *arena,
                             rls2_error *err)
{
    int role = role_of(m);
    if (role >= 0 && c->roles[role].name)
        return fail_member(a, m, RLS2_ERR_NAME, "there are two of that name, capital or not", err);
    if (role >= 0) c->roles[role] = *m;
    if (c->arrays == 0) c->first = *m;
    if (c->arrays < RLS2__LISTED) {
        c->shown[c->arrays] = rls2__arena_text(arena, m->name, m->name_length);
        if (!c->shown[c->arrays]) return rls2__fail_memory(err, "the names of arrays");
    }
    c->arrays++;
    return RLS2_OK;
}

/* An array that stands alone is X whatever its name, unless it has another role. */
static rls2_status settle_x(const archive *a, contents *c, rls2_error *err)
{
    if (c->arrays == 0)
        return rls2__fail(err, RLS2_ERR_NAME, "%s: there are no arrays in it", a->name);
    if (c->arrays == 1 && !c->roles[Y].name && !c->roles[T].name) c->roles[X] = c->first;
    if (c->roles[X].name) return RLS2_OK;
    return rls2__fail(err, RLS2_ERR_NAME, "%s: no array is called X; there %s %s", a->name,
                      c->arrays == 1 ? "is" : "are",
                      rls2__show_list(c->shown, c->arrays, "'").text);
}

static rls2_status read_directory(const archive *a, contents *c, rls2__arena *arena,
                                  rls2_error *err)
{
    int64_t at = a->directory;
    for (int64_t k = 0; k < a->entries; k++) {
        member m = {0};
        rls2_status status = read_entry(a, &at, &m, err);
        if (status == RLS2_OK && is_array(&m)) status = add_array(a, c, &m, arena, err);
        if (status != RLS2_OK) return status;
    }
    return settle_x(a, c, err);
}

/* ---- members ---- */

static rls2_status locate(const archive *a, member *m, rls2_error *err)
{
    static const char outside[] = "its bytes are not where they should be";
    if (m->flags & 1) return fail_member(a, m, RLS2_ERR_VALUE, "it is encrypted", err);
    if (m->method != STORED && m->method != DEFLATED)
        return fail_member(a, m, RLS2_ERR_VALUE, "it is compressed by a method other than deflate",
                           err);
    if (m->header < 0 || m->packed < 0 || m->size < 0 || m->header > a->directory - LOCAL_SIZE ||
        number_at(a, m->header, 4) != local_mark)
        return fail_member(a, m, RLS2_ERR_SYNTAX, outside, err);
    int64_t name = (int64_t)number_at(a, m->header + 26, 2),
            extra = (int64_t)number_at(a, m->header + 28, 2);
    m->start = m->header + LOCAL_SIZE + name + extra;
    if (m->start > a->directory || m->packed > a->directory - m->start)
        return fail_member(a, m, RLS2_ERR_SYNTAX, outside, err);
    if (m->method == STORED && m->packed != m->size)
        return fail_member(a, m, RLS2_ERR_SYNTAX, "its sizes contradict each other", err);
    return RLS2_OK;
}

static int overlap(const member *a, const member *b)
{
    return a->name && b->name && a->header < b->start + b->packed &&
           b->header < a->start + a->packed;
}

static rls2_status locate_all(const archive *a, contents *c, rls2_error *err)
{
    for (int k = 0; k < ROLES; k++) {
        member *m = &c->roles[k];
        rls2_status status = m->name ? locate(a, m, err) : RLS2_OK;
        if (status != RLS2_OK) return status;
        for (int other = 0; other < k; other++)
            if (overlap(m, &c->roles[other]))
                return fail_member(a, m, RLS2_ERR_SYNTAX,
                                   "its bytes are those of another array too", err);
    }
    return RLS2_OK;
}

/* The first `room` bytes of a member. */
static rls2_status unpack(const archive *a, const member *m, char *data, int64_t room,
                          rls2_error *err)
{
    rls2__inflated got = {0};
    rls2_status status =
        rls2__inflate(RLS2__DEFLATED_RAW, a->data + m->start, m->packed, data, room, &got);
    if (status == RLS2_ERR_MEMORY) return rls2__fail_memory(err, "unpacking an array");
    if (status != RLS2_OK || got.made != room)
        return fail_member(a, m, RLS2_ERR_SYNTAX, "its compressed bytes are damaged", err);
    return RLS2_OK;
}

/* The size in the directory must be the one the array says itself, before memory is taken for it.
 */
static rls2_status check_size(const archive *a, const char *place, const member *m,
                              const char *first, int64_t length, rls2_error *err)
{
    int64_t whole = 0;
    rls2_status status = rls2__npy_length(place, first, length, &whole, err);
    if (status != RLS2_OK) return status;
    if (whole == m->size) return RLS2_OK;
    return rls2__fail(err, RLS2_ERR_SYNTAX,
                      "%s: array '%s': its header asks for %" PRId64
                      " bytes, but there are %" PRId64,
                      a->name, rls2__show_part(m->name, m->name_length).text, whole, m->size);
}

static rls2_status parse_checked(const archive *a, const char *place, const member *m,
                                 const char *bytes, rls2__array *array, rls2_error *err)
{
    uLong crc = crc32_z(0, (const Bytef *)bytes, (z_size_t)m->size);
    if (crc != m->crc)
        return fail_member(a, m, RLS2_ERR_SYNTAX, "its checksum is wrong: the file is damaged",
                           err);
    return rls2__npy_parse(place, bytes, m->size, array, err);
}

static rls2_status read_deflated(const archive *a, const char *place, const member *m,
                                 rls2__array *array, rls2_error *err)
{
    int64_t first = m->size < RLS2__NPY_HEADER_ROOM ? m->size : RLS2__NPY_HEADER_ROOM;
    char *bytes = rls2__alloc(first, 1);
    rls2_status status = bytes ? RLS2_OK : rls2__fail_memory(err, "the header of an array");
    if (status == RLS2_OK) status = unpack(a, m, bytes, first, err);
    if (status == RLS2_OK) status = check_size(a, place, m, bytes, first, err);
    if (status == RLS2_OK) status = rls2__limit_bytes(&array->limits, place, m->size, err);
    if (status != RLS2_OK) goto cleanup;
    rls2__free(bytes);
    bytes = rls2__alloc(m->size, 1);
    status = bytes ? unpack(a, m, bytes, m->size, err) : rls2__fail_memory(err, "an array");
    if (status == RLS2_OK) status = parse_checked(a, place, m, bytes, array, err);

cleanup:
    rls2__free(bytes);
    return status;
}

static rls2_status read_member(const archive *a, const member *m, rls2__array *array,
                               rls2_error *err)
{
    char place[256];
    if (!m->name) return RLS2_OK;
    snprintf(place, sizeof place, "%s: array '%s'", a->name,
             rls2__show_part(m->name, m->name_length).text);
    if (m->method == DEFLATED) return read_deflated(a, place, m, array, err);
    return parse_checked(a, place, m, a->data + m->start, array, err);
}

/* ---- the table ---- */

rls2_status rls2__read_npz(rls2_table *table, const rls2__bytes *bytes, rls2_error *err)
{
    archive a = {.name = table->name, .data = bytes->data, .length = bytes->length};
    contents c = {.arrays = 0};
    rls2__array arrays[ROLES] = {{0}};
    for (int k = 0; k < ROLES; k++) arrays[k].limits = table->limits;
    rls2_status status = read_end(&a, err);
    if (status == RLS2_OK) status = read_directory(&a, &c, table->arena, err);
    if (status == RLS2_OK) status = locate_all(&a, &c, err);
    for (int k = 0; k < ROLES && status == RLS2_OK; k++)
        status = read_member(&a, &c.roles[k], &arrays[k], err);
    if (status == RLS2_OK)
        status = rls2__table_from_arrays(table, &arrays[X], &arrays[Y], &arrays[T], err);
    for (int k = 0; k < ROLES; k++) rls2__free(arrays[k].values);
    return status;
}
