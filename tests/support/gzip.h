/* Texts compressed by gzip, for tests of reading them. */
#ifndef RLS2_TESTS_GZIP_H
#define RLS2_TESTS_GZIP_H

#include <stdint.h>

typedef struct gzip_bytes {
    char *data; /* release with free */
    int64_t length;
} gzip_bytes;

/* One member. Aborts when out of memory. */
gzip_bytes gzip(const void *bytes, int64_t length);

#endif
