/* Status codes, error text, progress: how every call of librls2 reports back.
 *
 * A call that can fail returns rls2_status; RLS2_OK is 0 and the numbers never
 * change. Results leave by trailing out-parameters, which are written only on
 * success. The optional rls2_error comes last, may be NULL, and says what went
 * wrong, where, and with which value. The library never prints, exits, aborts
 * or installs a signal handler. */
#ifndef RLS2_STATUS_H
#define RLS2_STATUS_H

#include <stdint.h>

#if defined(_WIN32)
#define RLS2_API
#elif defined(__GNUC__)
#define RLS2_API __attribute__((visibility("default")))
#else
#define RLS2_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef enum rls2_status {
    RLS2_OK = 0,
    RLS2_ERR_ARGUMENT = 1,  /* NULL, a size out of range, an unknown option value */
    RLS2_ERR_VALUE = 2,     /* a datum that cannot be used: NaN, Inf, zero trace, ... */
    RLS2_ERR_SYNTAX = 3,    /* a text that does not parse: dictionary, CSV */
    RLS2_ERR_NAME = 4,      /* an unknown kernel, column, group or given matrix */
    RLS2_ERR_MEMORY = 5,    /* an allocation failed, or a size overflows or is beyond a limit */
    RLS2_ERR_IO = 6,        /* a file could not be opened, read or written */
    RLS2_ERR_CANCELLED = 7, /* the progress callback asked to stop */
    RLS2_ERR_NUMERIC = 8    /* a factorisation failed where none can replace it */
} rls2_status;

/* Filled by the failing call; this struct will never change. `position` is the 0-based offset of
 * the offending character in a parsed text, -1 where that has no meaning. */
typedef struct rls2_error {
    rls2_status status;
    int64_t position;
    char message[512];
} rls2_error;

/* A text of others (a column's name, a class, what a model file says) as a terminal or a log may be
 * shown it, on one line. Control characters, bytes that are no UTF-8, and characters that cannot be
 * seen or turn the direction of writing become \n, \r, \t, \x1b or \u202e; all else stays as it is.
 * At most `size` bytes with the final zero are written, never a part of a character or of an
 * escape; returned is how many the whole has without that zero. NULL is an empty text, and a text
 * escaped again stays the same. Messages of rls2_error are escaped already. */
RLS2_API int64_t rls2_text_escape(const char *text, char *escaped, int64_t size);

/* A short English name of a status, never NULL. */
RLS2_API const char *rls2_status_text(rls2_status status);

struct rls2_path_point;

/* Where a long call stands. `done` of `total` steps (kernels while a basis is
 * built, values of lambda along a path); `stage` is a static string. The library owns it; members
 * may be added at the end. */
typedef struct rls2_progress {
    const char *stage;
    int64_t done;
    int64_t total;
    double lambda; /* along a path, else 0 */
    double gap;    /* relative gap reached at that lambda, else 0 */
    /* Along the path of a single response, when a lambda has just been finished: what became of it,
     * for the call. Else NULL. */
    const struct rls2_path_point *point;
    /* Of the work of the stage, from 0 to 1, where it is known better than by done and total: of
     * kernels, by pairs of rows. Else 0. */
    double share;
} rls2_progress;

/* Called from the thread that made the long call, often, and at the end with done equal
 * to total. A non-zero return stops the call as soon as it can. */
typedef int (*rls2_progress_fn)(void *user, const rls2_progress *progress);

/* "major.minor.patch" of the library in use. */
RLS2_API const char *rls2_version(void);

#ifdef __cplusplus
}
#endif
#endif
