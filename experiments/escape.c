/* Escapes texts character by character, by one function for each format. */
#include "experiments/escape.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "rls2/status.h"

/* Bytes of the UTF-8 character at `s`; 0 if there is no whole and valid one. */
static int character_bytes(const unsigned char *s)
{
    if (s[0] < 0x80) return 1;
    int bytes = s[0] >= 0xf0 ? 4 : s[0] >= 0xe0 ? 3 : 2;
    if (s[0] < 0xc2 || s[0] > 0xf4) return 0;
    for (int i = 1; i < bytes; i++)
        if ((s[i] & 0xc0) != 0x80) return 0;
    /* overlong forms, surrogates, beyond the last character */
    if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f)) return 0;
    if ((s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] > 0x8f)) return 0;
    return bytes;
}

/* Writes a character of one byte. */
typedef void (*write_ascii)(FILE *file, int c);

/* Writes a character of several bytes that rls2_text_escape does not leave as it is; `escape` is
 * what it makes of it. */
typedef void (*write_hidden)(FILE *file, const char *escape);

/* A character of several bytes: as it is, unless it turns the direction of writing, cannot be seen,
 * or the like. */
static void write_character(FILE *file, const unsigned char *s, int bytes, write_hidden hidden)
{
    char one[5] = "", shown[16];
    memcpy(one, s, (size_t)bytes);
    if (rls2_text_escape(one, shown, sizeof shown) == bytes)
        fputs(one, file);
    else
        hidden(file, shown);
}

static void write_text(FILE *file, const char *text, write_ascii ascii, write_hidden hidden,
                       const char *replacement)
{
    const unsigned char *s = (const unsigned char *)text;
    while (*s) {
        int bytes = character_bytes(s);
        if (bytes == 0)
            fputs(replacement, file);
        else if (bytes == 1)
            ascii(file, *s);
        else
            write_character(file, s, bytes, hidden);
        s += bytes > 0 ? bytes : 1;
    }
}

static const char REPLACEMENT[] = "\xef\xbf\xbd";

static void replace_hidden(FILE *file, const char *escape)
{
    (void)escape;
    fputs(REPLACEMENT, file);
}

/* \u202e is what JSON writes too. */
static void json_hidden(FILE *file, const char *escape)
{
    fputs(escape, file);
}

static void xml_character(FILE *file, int c)
{
    switch (c) {
    case '&': fputs("&amp;", file); break;
    case '<': fputs("&lt;", file); break;
    case '>': fputs("&gt;", file); break;
    case '"': fputs("&quot;", file); break;
    case '\'': fputs("&#39;", file); break;
    case '\n':
    case '\t': fputc(' ', file); break;
    default:
        if (c < 0x20 || c == 0x7f) /* XML has no way to write these */
            fputs(REPLACEMENT, file);
        else
            fputc(c, file);
    }
}

static void json_character(FILE *file, int c)
{
    switch (c) {
    case '"': fputs("\\\"", file); break;
    case '\\': fputs("\\\\", file); break;
    case '\n': fputs("\\n", file); break;
    case '\t': fputs("\\t", file); break;
    default:
        if (c < 0x20 || c == 0x7f)
            fprintf(file, "\\u%04x", (unsigned)c);
        else
            fputc(c, file);
    }
}

static void markdown_character(FILE *file, int c)
{
    if (c == '<')
        fputs("&lt;", file);
    else if (c == '&')
        fputs("&amp;", file);
    else if (strchr("\\`*_[]|#~$", c))
        fprintf(file, "\\%c", c);
    else
        fputc(c < 0x20 || c == 0x7f ? ' ' : c, file);
}

void escape_xml(FILE *file, const char *text)
{
    write_text(file, text, xml_character, replace_hidden, REPLACEMENT);
}

void escape_json(FILE *file, const char *text)
{
    fputc('"', file);
    write_text(file, text, json_character, json_hidden, "\\ufffd");
    fputc('"', file);
}

void escape_markdown(FILE *file, const char *text)
{
    write_text(file, text, markdown_character, replace_hidden, REPLACEMENT);
}

void escape_csv(FILE *file, const char *text)
{
    size_t length = strlen(text);
    int blank = length > 0 && (strchr(" \t", text[0]) || strchr(" \t", text[length - 1]));
    if (!blank && !strpbrk(text, ",;\t\"\r\n")) {
        fputs(text, file);
        return;
    }
    fputc('"', file);
    for (; *text; text++) {
        if (*text == '"') fputc('"', file);
        fputc(*text, file);
    }
    fputc('"', file);
}

void escape_json_number(FILE *file, double value)
{
    char text[32] = "null";
    for (int digits = 15; digits <= 17 && isfinite(value); digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value) break;
    }
    fputs(text, file);
}

/* Nothing to escape: no escape is as short as what it stands for. */
static int is_plain(const char *text)
{
    return rls2_text_escape(text, NULL, 0) == (int64_t)strlen(text);
}

char *escape_copy(const char *text)
{
    int64_t size = rls2_text_escape(text, NULL, 0) + 1;
    char *copy = malloc((size_t)size);
    if (copy) rls2_text_escape(text, copy, size);
    return copy;
}

void escape_text(FILE *file, const char *text)
{
    int plain = is_plain(text);
    char *copy = plain ? NULL : escape_copy(text);
    fputs(plain ? text : copy ? copy : "...", file);
    free(copy);
}

static int characters(const char *text)
{
    int count = 0;
    for (; *text; text++) count += ((unsigned char)*text & 0xc0) != 0x80;
    return count;
}

int escape_width(const char *text)
{
    char *copy = is_plain(text) ? NULL : escape_copy(text);
    int width = characters(copy ? copy : text);
    free(copy);
    return width;
}
