/* Opens files and memory, and hands their bytes out, unpacked, some at a time or all at once. */
#include "formats/source.h"

#include <string.h>

#include "base/invariant.h"
#include "base/file.h"
#include "base/status.h"

enum { CHUNK = 1 << 16, PACKED_RATIO = 4 };

/* ---- opening ---- */

static rls2_status start_unpacking(rls2__source *source, rls2_error *err)
{
    if (!rls2__is_packed(source->next, source->left)) return RLS2_OK;
    return rls2__unpacker_create(source->name, &source->unpacker, err);
}

/* Reads on from the file, whatever was left before is gone; at the end nothing is left. */
static rls2_status refill(rls2__source *source, rls2_error *err)
{
    source->left = 0;
    if (source->file < 0) return RLS2_OK;
    source->next = source->chunk;
    return rls2__file_some(source->file, source->name, source->chunk, CHUNK, &source->left, err);
}

/* Enough for the magic of gzip; a pipe may give a byte at a time. */
static rls2_status read_ahead(rls2__source *source, rls2_error *err)
{
    rls2_status status = refill(source, err);
    while (status == RLS2_OK && source->left == 1) {
        int64_t got = 0;
        status =
            rls2__file_some(source->file, source->name, source->chunk + 1, CHUNK - 1, &got, err);
        if (got == 0) break;
        source->left += got;
    }
    return status;
}

rls2_status rls2__source_open(rls2__source *source, const char *path, const char *name,
                              rls2_error *err)
{
    *source = (rls2__source){.name = name, .file = -1};
    rls2_status status = rls2__file_open(path, name, &source->file, err);
    if (status != RLS2_OK) return status;
    source->chunk = rls2__alloc(CHUNK, 1);
    if (!source->chunk) return rls2__fail_memory(err, name);
    status = read_ahead(source, err);
    return status == RLS2_OK ? start_unpacking(source, err) : status;
}

rls2_status rls2__source_open_memory(rls2__source *source, const char *name, const void *bytes,
                                     int64_t length, rls2_error *err)
{
    *source = (rls2__source){.name = name, .file = -1, .next = bytes, .left = length};
    return start_unpacking(source, err);
}

void rls2__source_close(rls2__source *source)
{
    rls2__unpacker_free(source->unpacker);
    rls2__free(source->chunk);
    rls2__file_close(source->file);
}

/* ---- reading ---- */

static rls2_status some_unpacked(rls2__source *source, char *to, int64_t room, int64_t *got,
                                 rls2_error *err)
{
    for (;;) {
        rls2_status status =
            rls2__unpack(source->unpacker, &source->next, &source->left, to, room, got, err);
        if (status != RLS2_OK || *got > 0) return status;
        if (source->left > 0) continue; /* an empty member */
        status = refill(source, err);
        if (status != RLS2_OK) return status;
        if (source->left == 0) return rls2__unpack_end(source->unpacker, err);
    }
}

rls2_status rls2__source_some(rls2__source *source, char *to, int64_t room, int64_t *got,
                              rls2_error *err)
{
    *got = 0;
    if (source->unpacker) return some_unpacked(source, to, room, got, err);
    if (source->left > 0) { /* what was read ahead, or the memory */
        *got = source->left < room ? source->left : room;
        memcpy(to, source->next, (size_t)*got);
        source->next += *got;
        source->left -= *got;
        return RLS2_OK;
    }
    return source->file < 0 ? RLS2_OK
                            : rls2__file_some(source->file, source->name, to, room, got, err);
}

/* Of what is to come, with the final NUL and one byte of room, so that the call that finds the end
 * needs no growth. Only a guess. */
static int64_t expected_size(const rls2__source *source)
{
    int64_t size = source->file < 0 ? source->left : rls2__file_size(source->file);
    if (source->unpacker) size = rls2__mul(size, PACKED_RATIO);
    return size > 0 ? rls2__add(size, 2) : CHUNK;
}

static int grow(rls2__bytes *bytes, int64_t capacity)
{
    char *bigger = rls2__alloc(capacity, 1);
    if (!bigger) return 0;
    if (bytes->length > 0) memcpy(bigger, bytes->data, (size_t)bytes->length);
    rls2__free(bytes->data);
    bytes->data = bigger;
    return 1;
}

/* One byte more than is allowed tells that there is more. */
static int64_t allowed_room(const rls2__source *source, int64_t length, int64_t room)
{
    int64_t most = source->limits.bytes - length + 1;
    return source->unpacker && source->limits.bytes > 0 && most > 0 && most < room ? most : room;
}

rls2_status rls2__source_rest(rls2__source *source, rls2__bytes *bytes, rls2_error *err)
{
    int64_t capacity = rls2__add(bytes->length, expected_size(source)), got = 1;
    if (!grow(bytes, capacity)) return rls2__fail_memory(err, source->name);
    while (got > 0) {
        int64_t room = capacity - bytes->length - 1;
        if (room == 0) {
            capacity = rls2__mul(capacity, 2);
            if (!grow(bytes, capacity)) return rls2__fail_memory(err, source->name);
            continue;
        }
        room = allowed_room(source, bytes->length, room);
        rls2_status status =
            rls2__source_some(source, bytes->data + bytes->length, room, &got, err);
        if (status != RLS2_OK) return status;
        bytes->length += got;
        rls2__invariant(got >= 0 && bytes->length < capacity);
        if (source->unpacker)
            status = rls2__limit_bytes(&source->limits, source->name, bytes->length, err);
        if (status != RLS2_OK) return status;
    }
    bytes->data[bytes->length] = '\0';
    return RLS2_OK;
}
