/* Fills a fault, from a format or from an error of the library. */
#include "gui/server/fault.h"

#include <stdarg.h>
#include <stdio.h>

int fault_say(fault *f, int code, const char *field, const char *format, ...)
{
    va_list values;
    *f = (fault){.code = code, .position = -1};
    snprintf(f->field, sizeof f->field, "%s", field ? field : "");
    va_start(values, format);
    vsnprintf(f->message, sizeof f->message, format, values);
    va_end(values);
    return code;
}

int fault_of(fault *f, const char *field, const rls2_error *err)
{
    int code = err->status == RLS2_ERR_MEMORY ? HTTP_FULL : HTTP_BAD;
    if (err->status == RLS2_ERR_IO) code = HTTP_FAILED;
    fault_say(f, code, field, "%s", err->message);
    f->position = err->position;
    return code;
}

int fault_memory(fault *f)
{
    return fault_say(f, HTTP_FULL, NULL, "out of memory");
}
