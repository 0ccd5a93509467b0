/* How a failure is recorded: one line at the place where it is noticed. */
#ifndef RLS2_BASE_STATUS_H
#define RLS2_BASE_STATUS_H

#include "rls2/status.h"

#if defined(__GNUC__)
#define RLS2__PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define RLS2__PRINTF(text, first)
#endif

/* Fills *err (if any), position -1, and returns `status`. */
rls2_status rls2__fail(rls2_error *err, rls2_status status, const char *format, ...)
    RLS2__PRINTF(3, 4);

/* The same with the offset of the offending character. */
rls2_status rls2__fail_at(rls2_error *err, rls2_status status, int64_t position, const char *format,
                          ...) RLS2__PRINTF(4, 5);

/* One more line of the message: within a line there are no others, since its control characters are
 * escaped. */
void rls2__fail_more(rls2_error *err, const char *format, ...) RLS2__PRINTF(2, 3);
/* More of the last line. */
void rls2__fail_also(rls2_error *err, const char *format, ...) RLS2__PRINTF(2, 3);

/* "argument NAME is NULL". */
rls2_status rls2__fail_null(rls2_error *err, const char *name);
/* "out of memory for WHAT". */
rls2_status rls2__fail_memory(rls2_error *err, const char *what);
/* Says what the bare status of a computation means: "stopped before WHAT" where it was cancelled,
 * else "out of memory for WHAT"; RLS2_OK passes. */
rls2_status rls2__explain(rls2_status status, const char *what, rls2_error *err);

#endif
