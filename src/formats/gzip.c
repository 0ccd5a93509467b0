/* gzip by zlib. A file may hold several members one after the other, as `cat a.gz b.gz` makes it;
 * zlib checks the length and the CRC of each. */
#include "formats/gzip.h"

#include <limits.h>
#include <string.h>
#include <zlib.h>

#include "base/invariant.h"
#include "base/memory.h"
#include "base/status.h"

enum { GZIP_ONLY = 16 + MAX_WBITS }; /* for inflateInit2: no other wrapping is accepted */

struct rls2__unpacker {
    z_stream stream;
    const char *name;
    int within; /* 1 between the first byte of a member and its last */
};

int rls2__is_packed(const char *bytes, int64_t length)
{
    return length >= 2 && memcmp(bytes, "\x1F\x8B", 2) == 0;
}

static voidpf allocate(voidpf unused, uInt count, uInt size)
{
    (void)unused;
    return rls2__alloc(count, size);
}

static void release(voidpf unused, voidpf pointer)
{
    (void)unused;
    rls2__free(pointer);
}

rls2_status rls2__unpacker_create(const char *name, rls2__unpacker **unpacker, rls2_error *err)
{
    rls2__unpacker *made = rls2__alloc_zero(1, sizeof *made);
    if (!made) return rls2__fail_memory(err, "unpacking a file");
    made->name = name;
    made->stream.zalloc = allocate;
    made->stream.zfree = release;
    if (inflateInit2(&made->stream, GZIP_ONLY) != Z_OK) {
        rls2__free(made);
        return rls2__fail_memory(err, "unpacking a file");
    }
    *unpacker = made;
    return RLS2_OK;
}

void rls2__unpacker_free(rls2__unpacker *unpacker)
{
    if (!unpacker) return;
    inflateEnd(&unpacker->stream);
    rls2__free(unpacker);
}

static uInt at_most_uint(int64_t bytes)
{
    return bytes < INT_MAX ? (uInt)bytes : (uInt)INT_MAX;
}

/* The last member has ended; are these bytes the start of another? A single byte may still be. */
static rls2_status start_member(rls2__unpacker *u, const char *packed, int64_t left,
                                rls2_error *err)
{
    if (memcmp(packed, "\x1F\x8B", left < 2 ? 1 : 2) != 0)
        return rls2__fail(err, RLS2_ERR_SYNTAX,
                          "%s: there is something else after the end of the gzip data", u->name);
    inflateReset(&u->stream);
    u->within = 1;
    return RLS2_OK;
}

static rls2_status judge(rls2__unpacker *u, int code, rls2_error *err)
{
    switch (code) {
    case Z_OK:
    case Z_BUF_ERROR:
        return RLS2_OK; /* the latter: nothing could be done without more room or bytes */
    case Z_STREAM_END: u->within = 0; return RLS2_OK;
    case Z_MEM_ERROR: return rls2__fail_memory(err, "unpacking a file");
    default:
        return rls2__fail(err, RLS2_ERR_SYNTAX, "%s: the gzip data are damaged (%s)", u->name,
                          u->stream.msg ? u->stream.msg : "zlib says no more");
    }
}

rls2_status rls2__unpack(rls2__unpacker *u, const char **packed, int64_t *left, char *to,
                         int64_t room, int64_t *got, rls2_error *err)
{
    rls2_status status = RLS2_OK;
    *got = 0;
    if (*left == 0 && !u->within) return RLS2_OK; /* within, zlib may still hold what did not fit */
    if (!u->within) status = start_member(u, *packed, *left, err);
    if (status != RLS2_OK) return status;
    u->stream.next_in = (z_const Bytef *)*packed;
    u->stream.avail_in = at_most_uint(*left);
    u->stream.next_out = (Bytef *)to;
    u->stream.avail_out = at_most_uint(room);
    int code = inflate(&u->stream, Z_NO_FLUSH);
    *left -= (const char *)u->stream.next_in - *packed;
    *packed = (const char *)u->stream.next_in;
    *got = (char *)u->stream.next_out - to;
    rls2__invariant(*left >= 0 && *got >= 0 && *got <= room);
    /* what stands before the damage is handed out first; zlib finds it again */
    return code == Z_DATA_ERROR && *got > 0 ? RLS2_OK : judge(u, code, err);
}

rls2_status rls2__unpack_end(const rls2__unpacker *u, rls2_error *err)
{
    if (!u->within) return RLS2_OK;
    return rls2__fail(err, RLS2_ERR_SYNTAX,
                      "%s: the gzip data end too early; the file may have been cut", u->name);
}
