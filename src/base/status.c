#include "base/status.h"

#include <stdarg.h>
#include <stdio.h>

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

static void record(rls2_error *err, rls2_status status, int64_t position, const char *format, va_list args)
{
    if (!err) return;
    err->status = status;
    err->position = position;
    vsnprintf(err->message, sizeof err->message, format, args);
    /* texts of files are quoted in messages, and messages go to terminals */
    for (char *c = err->message; *c; c++)
        if (((unsigned char)*c < ' ' && *c != '\n') || *c == 127) *c = '?';
}

rls2_status rls2__fail(rls2_error *err, rls2_status status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    record(err, status, -1, format, args);
    va_end(args);
    return status;
}

rls2_status rls2__fail_at(rls2_error *err, rls2_status status, int64_t position, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    record(err, status, position, format, args);
    va_end(args);
    return status;
}

rls2_status rls2__fail_memory(rls2_error *err, const char *what)
{
    return rls2__fail(err, RLS2_ERR_MEMORY, "out of memory for %s", what);
}
