/* Both encodings become UTF-8 before a reader sees them. */
#include "formats/encoding.h"

#include <string.h>

#include "base/invariant.h"
#include "base/status.h"
#include "base/text.h"

enum { REPLACEMENT = 0xFFFD, MARK = 0xFEFF };

/* Of a character below U+110000; returns its bytes, 1..4. */
static int64_t put_character(unsigned c, char *out)
{
    if (c < 0x80) {
        out[0] = (char)c;
        return 1;
    }
    if (c < 0x800) {
        out[0] = (char)(0xC0 | c >> 6);
        out[1] = (char)(0x80 | (c & 0x3F));
        return 2;
    }
    if (c < 0x10000) {
        out[0] = (char)(0xE0 | c >> 12);
        out[1] = (char)(0x80 | (c >> 6 & 0x3F));
        out[2] = (char)(0x80 | (c & 0x3F));
        return 3;
    }
    out[0] = (char)(0xF0 | c >> 18);
    out[1] = (char)(0x80 | (c >> 12 & 0x3F));
    out[2] = (char)(0x80 | (c >> 6 & 0x3F));
    out[3] = (char)(0x80 | (c & 0x3F));
    return 4;
}

/* ---- UTF-16 ---- */

static int is_plain_character(unsigned char c)
{
    return (c >= ' ' && c < 0x7F) || c == '\t' || c == '\r' || c == '\n';
}

/* Characters of ASCII at `first`, `first` + 2, ..., and zeros between them. */
static int is_every_second(const char *bytes, int64_t length, int64_t first)
{
    for (int64_t i = 0; i + 1 < length; i += 2)
        if (!is_plain_character((unsigned char)bytes[i + first]) || bytes[i + 1 - first] != '\0')
            return 0;
    return length >= 4;
}

int rls2__utf16_found(const char *bytes, int64_t length, rls2__utf16 *decoder)
{
    *decoder = (rls2__utf16){0};
    if (length >= 2 && memcmp(bytes, "\xFF\xFE", 2) == 0) return 1;
    decoder->big_endian = 1;
    if (length >= 2 && memcmp(bytes, "\xFE\xFF", 2) == 0) return 1;
    decoder->big_endian = is_every_second(bytes, length, 1);
    return decoder->big_endian || is_every_second(bytes, length, 0);
}

static int64_t put_unit(rls2__utf16 *d, unsigned unit, char *out)
{
    int64_t used = 0;
    int low = unit >= 0xDC00 && unit < 0xE000, high = unit >= 0xD800 && unit < 0xDC00;
    if (d->high && low) {
        unsigned pair = 0x10000 + ((d->high - 0xD800) << 10) + (unit - 0xDC00);
        d->high = 0;
        return put_character(pair, out);
    }
    if (d->high) used = put_character(REPLACEMENT, out);
    d->high = high ? unit : 0;
    if (high || unit == MARK) return used;
    return used + put_character(low ? REPLACEMENT : unit, out + used);
}

int64_t rls2__utf16_decode(rls2__utf16 *d, const char *bytes, int64_t length, char *out)
{
    int64_t used = 0;
    for (int64_t i = 0; i < length; i++) {
        unsigned byte = (unsigned char)bytes[i];
        if (d->has_byte)
            used += put_unit(d, d->big_endian ? d->byte * 256u + byte : byte * 256u + d->byte,
                             out + used);
        d->byte = (unsigned char)byte;
        d->has_byte = !d->has_byte;
    }
    rls2__invariant(used <= RLS2__UTF16_ROOM(length));
    return used;
}

int64_t rls2__utf16_end(rls2__utf16 *d, char *out)
{
    int cut = d->has_byte || d->high;
    d->has_byte = 0;
    d->high = 0;
    return cut ? put_character(REPLACEMENT, out) : 0;
}

/* ---- Windows-1252 ---- */

/* In blocks, so that compilers vectorise it: most text has nothing but ASCII. */
static int is_ascii(const char *text, int64_t length)
{
    enum { BLOCK = 256 };
    int64_t i = 0;
    for (; length - i >= BLOCK; i += BLOCK) {
        unsigned char any = 0;
        for (int k = 0; k < BLOCK; k++) any |= (unsigned char)text[i + k];
        if (any & 0x80) return 0;
    }
    for (; i < length; i++)
        if ((unsigned char)text[i] & 0x80) return 0;
    return 1;
}

static int is_utf8(const char *text, int64_t length)
{
    if (is_ascii(text, length)) return 1;
    for (int64_t bytes; length > 0; length -= bytes, text += bytes)
        if ((bytes = rls2__text_character(text, length)) == 0) return 0;
    return 1;
}

/* The five that Windows-1252 does not define stay control characters. */
static unsigned character_of(unsigned char byte)
{
    static const unsigned short special[32] = {
        0x20AC, 0x81,   0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
        0x2039, 0x0152, 0x8D,   0x017D, 0x8F,   0x90,   0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
        0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D,   0x017E, 0x0178};
    return byte >= 0x80 && byte < 0xA0 ? special[byte - 0x80] : byte;
}

/* Bytes as UTF-8, written to `out` unless that is NULL. */
static int64_t convert_line(const char *line, int64_t length, char *out)
{
    int64_t used = 0;
    char character[4];
    for (int64_t i = 0; i < length; i++) {
        int64_t size = put_character(character_of((unsigned char)line[i]), character);
        if (out) memcpy(out + used, character, (size_t)size);
        used += size;
    }
    return used;
}

/* All of the text, its lines converted where they must be; written to `out` unless that is NULL. */
static int64_t convert(const rls2__bytes *bytes, int64_t from, char *out)
{
    int64_t used = from;
    if (out) memcpy(out, bytes->data, (size_t)from);
    for (int64_t at = from, length; at < bytes->length; at += length) {
        const char *line = bytes->data + at;
        const char *feed = memchr(line, '\n', (size_t)(bytes->length - at));
        length = feed ? feed + 1 - line : bytes->length - at;
        int valid = is_utf8(line, length);
        if (valid && out) memcpy(out + used, line, (size_t)length);
        used += valid ? length : convert_line(line, length, out ? out + used : NULL);
    }
    return used;
}

rls2_status rls2__text_to_utf8(rls2__bytes *bytes, int64_t from, int *changed, rls2_error *err)
{
    *changed = 0;
    int64_t length = convert(bytes, from, NULL);
    if (length == bytes->length) return RLS2_OK; /* each byte that is converted becomes several */
    char *text = rls2__alloc(rls2__add(length, 1), 1);
    if (!text) return rls2__fail_memory(err, "the text as UTF-8");
    convert(bytes, from, text);
    text[length] = '\0';
    rls2__free(bytes->data);
    *bytes = (rls2__bytes){.data = text, .length = length};
    *changed = 1;
    return RLS2_OK;
}
