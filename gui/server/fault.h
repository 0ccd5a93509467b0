/* What went wrong, as the page is told: an HTTP status, a sentence, and the setting it is about.
 *
 * Functions of the server that can fail return 0, or the HTTP status after filling a fault. */
#ifndef RLS2_GUI_FAULT_H
#define RLS2_GUI_FAULT_H

#include <stdint.h>

#include "rls2/status.h"

enum {
    HTTP_OK = 200,
    HTTP_ELSEWHERE = 303,
    HTTP_BAD = 400,       /* the request is wrong */
    HTTP_FORBIDDEN = 403, /* it does not come from our page */
    HTTP_NONE = 404,
    HTTP_METHOD = 405,
    HTTP_CONFLICT = 409,
    HTTP_LARGE = 413,
    HTTP_FAILED = 500,
    HTTP_BUSY = 503,
    HTTP_FULL = 507 /* memory or disk is out */
};

typedef struct fault {
    int code;
    int64_t position; /* of the wrong character in a text, -1 where that has no meaning */
    char field[64];   /* of the settings: "kernels", "test.column"; "" where it is about none */
    char message[700];
} fault;

/* Fills the fault and returns `code`. `field` may be NULL. */
int fault_say(fault *f, int code, const char *field, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* The library's own sentence. */
int fault_of(fault *f, const char *field, const rls2_error *err);
int fault_memory(fault *f);

#endif
