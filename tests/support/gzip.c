/* Compresses by zlib in memory. */
#include "support/gzip.h"

#include <stdlib.h>
#include <zlib.h>

gzip_bytes gzip(const void *bytes, int64_t length)
{
    enum { HEADER_AND_TRAILER = 32, AS_GZIP = 16 + MAX_WBITS };
    z_stream stream = {0};
    gzip_bytes packed = {0};
    uLong room = compressBound((uLong)length) + HEADER_AND_TRAILER;
    packed.data = malloc(room);
    if (!packed.data ||
        deflateInit2(&stream, 6, Z_DEFLATED, AS_GZIP, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        abort();
    stream.next_in = (z_const Bytef *)bytes;
    stream.avail_in = (uInt)length;
    stream.next_out = (Bytef *)packed.data;
    stream.avail_out = (uInt)room;
    if (deflate(&stream, Z_FINISH) != Z_STREAM_END) abort();
    packed.length = (int64_t)stream.total_out;
    deflateEnd(&stream);
    return packed;
}
