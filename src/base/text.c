/* Walks through UTF-8, and writes control characters and what is not UTF-8 as escapes. */
#include "base/text.h"

#include <stdio.h>
#include <string.h>

#include "base/invariant.h"

static int is_continuation(char c)
{
    return ((unsigned char)c & 0xC0) == 0x80;
}

int rls2__text_character(const char *text, int64_t left)
{
    unsigned char a = (unsigned char)text[0], b = left > 1 ? (unsigned char)text[1] : 0;
    int bytes = a < 0x80 ? 1 : a < 0xC2 ? 0 : a < 0xE0 ? 2 : a < 0xF0 ? 3 : a < 0xF5 ? 4 : 0;
    if (bytes > left) return 0;
    for (int i = 1; i < bytes; i++)
        if (!is_continuation(text[i])) return 0;
    /* written longer than need be, half of a pair, beyond the last */
    if ((a == 0xE0 && b < 0xA0) || (a == 0xED && b > 0x9F)) return 0;
    if ((a == 0xF0 && b < 0x90) || (a == 0xF4 && b > 0x8F)) return 0;
    return bytes;
}

/* The number of a character. */
static unsigned code_of(const char *text, int bytes)
{
    const unsigned char *s = (const unsigned char *)text;
    if (bytes == 1) return s[0];
    if (bytes == 2) return (s[0] & 0x1Fu) << 6 | (s[1] & 0x3Fu);
    if (bytes == 3) return (s[0] & 0x0Fu) << 12 | (s[1] & 0x3Fu) << 6 | (s[2] & 0x3Fu);
    return (s[0] & 0x07u) << 18 | (s[1] & 0x3Fu) << 12 | (s[2] & 0x3Fu) << 6 | (s[3] & 0x3Fu);
}

/* What commands a terminal or makes a line look like another: control characters (C0, DEL, C1),
 * marks, overrides and isolates of direction, ends of lines and paragraphs, what has no width; and
 * what is no character. The two joiners stay: words of Persian, Hindi and others are written with
 * them. */
static int is_hidden(unsigned code)
{
    static const unsigned RANGES[][2] = {
        {0x00, 0x1F},     {0x7F, 0x9F},      {0xAD, 0xAD},     {0x034F, 0x034F}, {0x061C, 0x061C},
        {0x115F, 0x1160}, {0x180E, 0x180E},  {0x200B, 0x200B}, {0x200E, 0x200F}, {0x2028, 0x202E},
        {0x2060, 0x206F}, {0x3164, 0x3164},  {0xFEFF, 0xFEFF}, {0xFFA0, 0xFFA0}, {0xFFF9, 0xFFFB},
        {0xFFFE, 0xFFFF}, {0xE0000, 0xE0FFF}};
    for (size_t i = 0; i < sizeof RANGES / sizeof RANGES[0]; i++)
        if (code >= RANGES[i][0] && code <= RANGES[i][1]) return 1;
    return 0;
}

/* One character, or one byte that belongs to none, as it is shown. */
typedef struct glyph {
    int taken; /* bytes of the text */
    int length;
    char text[12];
} glyph;

static glyph glyph_at(const char *text, int64_t left)
{
    int bytes = rls2__text_character(text, left);
    glyph g = {.taken = bytes > 0 ? bytes : 1};
    unsigned code = bytes > 0 ? code_of(text, bytes) : (unsigned char)text[0];
    if (bytes > 0 && !is_hidden(code)) {
        memcpy(g.text, text, (size_t)bytes);
        g.length = bytes;
    } else if (code == '\n' || code == '\r' || code == '\t') {
        g.length = snprintf(g.text, sizeof g.text, "\\%c",
                            code == '\n'   ? 'n'
                            : code == '\r' ? 'r'
                                           : 't');
    } else if (bytes > 3) {
        g.length = snprintf(g.text, sizeof g.text, "\\U%08x", code);
    } else {
        g.length =
            snprintf(g.text, sizeof g.text, bytes > 1 ? "\\u%04x" : "\\x%02x", code & 0xFFFF);
    }
    return g;
}

int64_t rls2__text_escape(const char *text, int64_t length, char *escaped, int64_t size)
{
    int64_t used = 0, whole = 0;
    for (int64_t at = 0; at < length;) {
        glyph g = glyph_at(text + at, length - at);
        rls2__invariant(g.taken <= length - at && g.length < (int)sizeof g.text);
        at += g.taken;
        if (whole == used && used + g.length < size) {
            memcpy(escaped + used, g.text, (size_t)g.length);
            used += g.length;
        }
        whole += g.length;
    }
    if (size > 0) escaped[used] = '\0';
    return whole;
}

int64_t rls2_text_escape(const char *text, char *escaped, int64_t size)
{
    if (!text) text = "";
    return rls2__text_escape(text, (int64_t)strlen(text), escaped, escaped ? size : 0);
}

int rls2__text_columns(const char *escaped)
{
    int columns = 0;
    for (; *escaped; escaped++) columns += !is_continuation(*escaped);
    return columns;
}
