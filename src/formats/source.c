/* Opens files and memory, and hands their bytes out, unpacked, some at a time or all at once. */
#include "formats/source.h"

#include <string.h>

#include "base/invariant.h"
#include "base/file.h"
#include "base/status.h"
#include "formats/encoding.h"

enum { CHUNK = 1 << 16, PACKED_RATIO = 4, UNDECODED = 4096 };

struct rls2__decoded {
    rls2__utf16 decoder;
    int ended;
    char text[RLS2__UTF16_ROOM(UNDECODED)];
    int64_t used, length;
};

/* ---- opening ---- */

static rls2_status start_unpacking(rls2__source *source, rls2_error *err)
{
    if (!rls2__is_packed(source->next, source->left)) return RLS2_OK;
    return rls2__unpacker_create(source->name, &source->unpacker, err);
}

/* From the file, or the program that reads it. */
static rls2_status file_some(rls2__source *source, char *to, int64_t room, int64_t *got,
                             rls2_error *err)
{
    rls2_status status = rls2__file_some(source->file, source->name, to, room, got, err);
    if (status == RLS2_OK && *got == 0 && source->converter)
        status = rls2__converter_end(source->converter, err);
    return status;
}

/* Reads on from the file, whatever was left before is gone; at the end nothing is left. */
static rls2_status refill(rls2__source *source, rls2_error *err)
{
    source->left = 0;
    if (source->file < 0) return RLS2_OK;
    source->next = source->chunk;
    return file_some(source, source->chunk, CHUNK, &source->left, err);
}

/* Enough for the magic of gzip; a pipe may give a byte at a time. */
static rls2_status read_ahead(rls2__source *source, rls2_error *err)
{
    rls2_status status = refill(source, err);
    while (status == RLS2_OK && source->left == 1) {
        int64_t got = 0;
        status = file_some(source, source->chunk + 1, CHUNK - 1, &got, err);
        if (got == 0) break;
        source->left += got;
    }
    return status;
}

/* Begins anew with what the program makes of the file. */
static rls2_status convert(rls2__source *source, const char *path, const char *const *converter,
                           rls2_error *err)
{
    rls2__file_close(source->file);
    source->file = -1;
    rls2_status status = rls2__converter_start(converter, path, source->name, &source->converter,
                                               &source->file, err);
    return status == RLS2_OK ? read_ahead(source, err) : status;
}

rls2_status rls2__source_open(rls2__source *source, const char *path, const char *name,
                              const char *const *converter, rls2_error *err)
{
    *source = (rls2__source){.name = name, .file = -1};
    rls2_status status = rls2__file_open(path, name, &source->file, err);
    if (status != RLS2_OK) return status;
    source->chunk = rls2__alloc(CHUNK, 1);
    if (!source->chunk) return rls2__fail_memory(err, name);
    status = read_ahead(source, err);
    int is_foreign = status == RLS2_OK && converter && strcmp(path, "-") != 0 &&
                     rls2__converter_is_for(source->next, source->left);
    if (is_foreign) return convert(source, path, converter, err);
    if (status == RLS2_OK) status = start_unpacking(source, err);
    /* the standard input may begin in the middle of a file */
    if (!source->unpacker && strcmp(path, "-") != 0) source->size = rls2__file_size(source->file);
    return status;
}

rls2_status rls2__source_open_memory(rls2__source *source, const char *name, const void *bytes,
                                     int64_t length, rls2_error *err)
{
    *source =
        (rls2__source){.name = name, .file = -1, .next = bytes, .left = length, .memory = bytes};
    rls2_status status = start_unpacking(source, err);
    if (!source->unpacker) source->size = length;
    return status;
}

void rls2__source_close(rls2__source *source)
{
    rls2__unpacker_free(source->unpacker);
    rls2__free(source->decoded);
    rls2__free(source->chunk);
    rls2__file_close(source->file);
    rls2__converter_free(source->converter);
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

/* As they are, or unpacked. */
static rls2_status some_bytes(rls2__source *source, char *to, int64_t room, int64_t *got,
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
    return source->file < 0 ? RLS2_OK : file_some(source, to, room, got, err);
}

/* ---- encoding ---- */

/* Looks at the first bytes, which tell UTF-16. */
static rls2_status begin(rls2__source *source, rls2_error *err)
{
    rls2__utf16 decoder;
    for (int64_t got = 1; got > 0 && source->ahead_length < RLS2__MAGIC;) {
        rls2_status status = some_bytes(source, source->ahead + source->ahead_length,
                                        RLS2__MAGIC - source->ahead_length, &got, err);
        if (status != RLS2_OK) return status;
        source->ahead_length += got;
    }
    source->begun = 1;
    if (!rls2__utf16_found(source->ahead, source->ahead_length, &decoder)) return RLS2_OK;
    source->decoded = rls2__alloc_zero(1, sizeof *source->decoded);
    if (!source->decoded) return rls2__fail_memory(err, source->name);
    source->decoded->decoder = decoder;
    return RLS2_OK;
}

/* From those that were looked at, then from the rest. */
static rls2_status some_begun(rls2__source *source, char *to, int64_t room, int64_t *got,
                              rls2_error *err)
{
    int64_t ahead = source->ahead_length - source->ahead_used;
    if (ahead == 0) return some_bytes(source, to, room, got, err);
    *got = ahead < room ? ahead : room;
    memcpy(to, source->ahead + source->ahead_used, (size_t)*got);
    source->ahead_used += *got;
    return RLS2_OK;
}

/* Decodes on until there is something, or the end. */
static rls2_status decode_on(rls2__source *source, rls2_error *err)
{
    rls2__decoded *d = source->decoded;
    char bytes[UNDECODED];
    d->used = d->length = 0;
    while (d->length == 0 && !d->ended) {
        int64_t got = 0;
        rls2_status status = some_begun(source, bytes, sizeof bytes, &got, err);
        if (status != RLS2_OK) return status;
        d->ended = got == 0;
        d->length = d->ended ? rls2__utf16_end(&d->decoder, d->text)
                             : rls2__utf16_decode(&d->decoder, bytes, got, d->text);
    }
    return RLS2_OK;
}

static rls2_status some_decoded(rls2__source *source, char *to, int64_t room, int64_t *got,
                                rls2_error *err)
{
    rls2__decoded *d = source->decoded;
    rls2_status status = d->used < d->length ? RLS2_OK : decode_on(source, err);
    if (status != RLS2_OK) return status;
    int64_t left = d->length - d->used;
    *got = left < room ? left : room;
    memcpy(to, d->text + d->used, (size_t)*got);
    d->used += *got;
    return RLS2_OK;
}

rls2_status rls2__source_some(rls2__source *source, char *to, int64_t room, int64_t *got,
                              rls2_error *err)
{
    *got = 0;
    rls2_status status = source->begun ? RLS2_OK : begin(source, err);
    if (status != RLS2_OK) return status;
    return source->decoded ? some_decoded(source, to, room, got, err)
                           : some_begun(source, to, room, got, err);
}

rls2_status rls2__source_at(const rls2__source *source, int64_t place, char *to, int64_t bytes,
                            int64_t *got, rls2_error *err)
{
    rls2__invariant(source->size > 0 && place >= 0 && bytes >= 0);
    if (!source->memory)
        return rls2__file_at(source->file, source->name, place, to, bytes, got, err);
    int64_t left = place < source->size ? source->size - place : 0;
    *got = bytes < left ? bytes : left;
    if (*got > 0) memcpy(to, source->memory + place, (size_t)*got);
    return RLS2_OK;
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
