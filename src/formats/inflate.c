/* Inflates by zlib, with memory of the library. */
#include "formats/inflate.h"

#include <limits.h>
#include <zlib.h>

#include "base/invariant.h"
#include "base/memory.h"

static voidpf allocate(voidpf opaque, uInt count, uInt size)
{
    (void)opaque;
    return rls2__alloc_zero((int64_t)count, size);
}

static void release(voidpf opaque, voidpf pointer)
{
    (void)opaque;
    rls2__free(pointer);
}

/* zlib counts in unsigned int: longer runs are given to it piece by piece. */
static uInt piece(int64_t length)
{
    return length > INT_MAX ? (uInt)INT_MAX : (uInt)length;
}

/* One call of zlib on what remains; 0 when nothing moved. */
static int step(z_stream *stream, const unsigned char *packed, int64_t length, unsigned char *data,
                int64_t room, rls2__inflated *done, int *code)
{
    unsigned char none = 0; /* zlib refuses NULL even where there is no room */
    uInt in = piece(length - done->taken), out = piece(room - done->made);
    stream->next_in = (z_const Bytef *)(uintptr_t)(packed + done->taken);
    stream->avail_in = in;
    stream->next_out = out > 0 ? data + done->made : &none;
    stream->avail_out = out;
    *code = inflate(stream, Z_NO_FLUSH);
    done->taken += in - stream->avail_in;
    done->made += out - stream->avail_out;
    rls2__invariant(done->taken <= length && done->made <= room);
    return stream->avail_in < in || stream->avail_out < out;
}

rls2_status rls2__inflate(rls2__deflated form, const void *packed, int64_t length, void *data,
                          int64_t room, rls2__inflated *inflated)
{
    z_stream stream = {.zalloc = allocate, .zfree = release};
    rls2__inflated done = {0};
    int code = inflateInit2(&stream, form == RLS2__DEFLATED_RAW ? -MAX_WBITS : MAX_WBITS);
    if (code != Z_OK) return RLS2_ERR_MEMORY;
    while (step(&stream, packed, length, data, room, &done, &code) && code == Z_OK) {
    }
    inflateEnd(&stream);
    done.whole = code == Z_STREAM_END;
    *inflated = done;
    if (code == Z_MEM_ERROR) return RLS2_ERR_MEMORY;
    return code == Z_OK || code == Z_STREAM_END || code == Z_BUF_ERROR ? RLS2_OK : RLS2_ERR_SYNTAX;
}
