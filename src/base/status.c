/* Formats and escapes the messages of errors; the words of status codes; the version. */
#include "base/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "rls2/version.h"

#define TEXT_OF(number) #number
#define DOTTED(major, minor, patch) TEXT_OF(major) "." TEXT_OF(minor) "." TEXT_OF(patch)

const char *rls2_version(void)
{
    return DOTTED(RLS2_VERSION_MAJOR, RLS2_VERSION_MINOR, RLS2_VERSION_PATCH);
}

const char *rls2_status_text(rls2_status status)
{
    switch (status) {
    case RLS2_OK: return "ok";
    case RLS2_ERR_ARGUMENT: return "wrong argument";
    case RLS2_ERR_VALUE: return "unusable value";
    case RLS2_ERR_SYNTAX: return "syntax error";
    case RLS2_ERR_NAME: return "unknown name";
    case RLS2_ERR_MEMORY: return "out of memory";
    case RLS2_ERR_IO: return "input/output error";
    case RLS2_ERR_CANCELLED: return "cancelled";
    case RLS2_ERR_NUMERIC: return "numerical failure";
    }
    return "unknown status";
}

/* Bytes at the end of a text, cut off anywhere, that begin a character and are not all of it. */
static int64_t half_character(const char *text, int64_t length)
{
    for (int64_t back = 1; back < 4 && back <= length; back++)
        if (((unsigned char)text[length - back] & 0xC0) == 0xC0)
            return rls2__text_character(text + length - back, back) ? 0 : back;
    return 0;
}

/* Texts of files are quoted in messages, and messages go to terminals: a line is escaped as a
 * whole. What is longer than the message has room for is cut between two characters. */
static void add_line(rls2_error *err, size_t used, const char *format, va_list args)
{
    char line[2 * sizeof err->message];
    int wanted = vsnprintf(line, sizeof line, format, args);
    int64_t length = wanted < 0 ? 0 : (int64_t)strlen(line);
    if (wanted > length) length -= half_character(line, length);
    rls2__text_escape(line, length, err->message + used, (int64_t)(sizeof err->message - used));
}

static void record(rls2_error *err, rls2_status status, int64_t position, const char *format,
                   va_list args)
{
    if (!err) return;
    err->status = status;
    err->position = position;
    add_line(err, 0, format, args);
}

rls2_status rls2__fail(rls2_error *err, rls2_status status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    record(err, status, -1, format, args);
    va_end(args);
    return status;
}

rls2_status rls2__fail_at(rls2_error *err, rls2_status status, int64_t position, const char *format,
                          ...)
{
    va_list args;
    va_start(args, format);
    record(err, status, position, format, args);
    va_end(args);
    return status;
}

void rls2__fail_more(rls2_error *err, const char *format, ...)
{
    size_t used = err ? strlen(err->message) : 0;
    if (!err || used + 2 > sizeof err->message) return;
    err->message[used] = '\n';
    va_list args;
    va_start(args, format);
    add_line(err, used + 1, format, args);
    va_end(args);
}

void rls2__fail_also(rls2_error *err, const char *format, ...)
{
    size_t used = err ? strlen(err->message) : 0;
    if (!err || used + 1 > sizeof err->message) return;
    va_list args;
    va_start(args, format);
    add_line(err, used, format, args);
    va_end(args);
}

rls2_status rls2__fail_null(rls2_error *err, const char *name)
{
    return rls2__fail(err, RLS2_ERR_ARGUMENT, "argument %s is NULL", name);
}

rls2_status rls2__fail_memory(rls2_error *err, const char *what)
{
    return rls2__fail(err, RLS2_ERR_MEMORY, "out of memory for %s", what);
}

rls2_status rls2__explain(rls2_status status, const char *what, rls2_error *err)
{
    if (status == RLS2_ERR_CANCELLED) return rls2__fail(err, status, "stopped before %s", what);
    return status == RLS2_OK ? status : rls2__fail_memory(err, what);
}
