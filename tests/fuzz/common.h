/* What the fuzz targets share. */
#ifndef RLS2_TESTS_FUZZ_COMMON_H
#define RLS2_TESTS_FUZZ_COMMON_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "rls2/status.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A few bytes may ask for much memory, which is then refused. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "allocator_may_return_null=1:max_allocation_size_mb=64";
}

static inline void require(int condition)
{
    if (!condition) abort();
}

/* A number that stands for options: an input needs no room for them, and stays what it is. */
static inline uint32_t chosen(const uint8_t *data, size_t size)
{
    return (uint32_t)crc32(0, size > 0 ? data : (const uint8_t *)"", (uInt)size);
}

static inline int said_something(const rls2_error *err, rls2_status status)
{
    return err->status == status && err->message[0] &&
           memchr(err->message, '\0', sizeof err->message);
}

/* A copy that ends with a zero. */
static inline char *text_of(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    require(text != NULL);
    if (size > 0) memcpy(text, data, size);
    text[size] = '\0';
    return text;
}

/* More than so many digits in a row: a text that asks for very much is right, and slow. */
static inline int has_long_number(const char *text, size_t size, int most)
{
    int digits = 0;
    for (size_t i = 0; i < size; i++) {
        digits = text[i] >= '0' && text[i] <= '9' ? digits + 1 : 0;
        if (digits > most) return 1;
    }
    return 0;
}

#endif
