/* JSON, written as it comes. */
#include <inttypes.h>
#include <math.h>

#include "cli/output.h"

/* ---- texts ---- */

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

static void write_ascii(FILE *file, int c)
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

/* A name from a file in another encoding must not make the whole text unreadable: what is not UTF-8
 * becomes U+FFFD. */
static void write_string(FILE *file, const char *text)
{
    const unsigned char *s = (const unsigned char *)text;
    fputc('"', file);
    while (*s) {
        int bytes = character_bytes(s);
        if (bytes == 0)
            fputs("\\ufffd", file);
        else if (bytes == 1)
            write_ascii(file, *s);
        else
            fwrite(s, 1, (size_t)bytes, file);
        s += bytes > 0 ? bytes : 1;
    }
    fputc('"', file);
}

/* ---- structure ---- */

json json_start(FILE *file)
{
    json j = {.file = file, .first = 1};
    return j;
}

static int on_one_line(const json *j)
{
    return j->inline_depth > 0 && j->depth >= j->inline_depth;
}

static void new_line(const json *j)
{
    fprintf(j->file, "\n%*s", 2 * j->depth, "");
}

/* What stands before a value: comma, line, key. */
static void begin_value(json *j, const char *key)
{
    if (!j->first) fputc(',', j->file);
    if (j->depth > 0 && !on_one_line(j))
        new_line(j);
    else if (!j->first)
        fputc(' ', j->file);
    if (key) {
        write_string(j->file, key);
        fputs(": ", j->file);
    }
    j->first = 0;
}

static void open_container(json *j, const char *key, char bracket)
{
    begin_value(j, key);
    fputc(bracket, j->file);
    j->depth++;
    j->first = 1;
}

static void close_container(json *j, char bracket)
{
    int empty = j->first, one_line = on_one_line(j);
    j->depth--;
    if (!empty && !one_line) new_line(j);
    fputc(bracket, j->file);
    j->first = 0;
}

void json_object(json *j, const char *key)
{
    open_container(j, key, '{');
}

void json_array(json *j, const char *key)
{
    open_container(j, key, '[');
}

void json_end_object(json *j)
{
    close_container(j, '}');
}

void json_end_array(json *j)
{
    close_container(j, ']');
}

void json_number(json *j, const char *key, double value)
{
    char buffer[32];
    begin_value(j, key);
    fputs(isfinite(value) ? number_text(value, buffer) : "null", j->file);
}

void json_integer(json *j, const char *key, int64_t value)
{
    begin_value(j, key);
    fprintf(j->file, "%" PRId64, value);
}

void json_text(json *j, const char *key, const char *value)
{
    begin_value(j, key);
    if (value)
        write_string(j->file, value);
    else
        fputs("null", j->file);
}

void json_truth(json *j, const char *key, int value)
{
    begin_value(j, key);
    fputs(value ? "true" : "false", j->file);
}

void json_finish(json *j)
{
    fputc('\n', j->file);
}
