/* Text that is not UTF-8: UTF-16, and Windows-1252, of which Latin-1 is a part. */
#ifndef RLS2_FORMATS_ENCODING_H
#define RLS2_FORMATS_ENCODING_H

#include "formats/read.h"

/* Makes UTF-8 of UTF-16 that comes piece by piece; what is not valid becomes U+FFFD. */
typedef struct rls2__utf16 {
    int big_endian;
    int has_byte; /* half of a unit has come: */
    unsigned char byte;
    unsigned high; /* the first half of a pair, or 0 */
} rls2__utf16;

/* 1 if the first bytes of a file are UTF-16: they have its mark, or every second one is zero and
 * the others are ASCII text. */
int rls2__utf16_found(const char *bytes, int64_t length, rls2__utf16 *decoder);
/* Decodes all of the bytes, the mark being left out, and returns how many `out` got, which is at
 * most RLS2__UTF16_ROOM of them. */
#define RLS2__UTF16_ROOM(length) (3 * ((length) / 2 + 2))
int64_t rls2__utf16_decode(rls2__utf16 *decoder, const char *bytes, int64_t length, char *out);
/* What is left at the end of the text: U+FFFD for half a unit or pair. */
int64_t rls2__utf16_end(rls2__utf16 *decoder, char *out);

/* Lines from the byte `from` on that are not valid UTF-8 are taken for Windows-1252 and made UTF-8;
 * *changed says whether there were any. The same line gives the same whatever surrounds it, as
 * pieces of a file need. */
rls2_status rls2__text_to_utf8(rls2__bytes *bytes, int64_t from, int *changed, rls2_error *err);

#endif
