/* POSIX calls instead of stdio: no second copy through a buffer, no allocation that
 * base/memory.h does not see, and the error number says what went wrong. */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#include "table/file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/status.h"

enum { FIRST_CAPACITY = 1 << 16, MAX_REQUEST = 1 << 30 };

typedef struct buffer {
    char *data;
    int64_t used;
    int64_t capacity;
} buffer;

static rls2_status fail_errno(rls2_error *err, const char *name, int number)
{
    switch (number) {
    case ENOENT: return rls2__fail(err, RLS2_ERR_IO, "%s: no such file", name);
    case EACCES: return rls2__fail(err, RLS2_ERR_IO, "%s: no permission to read the file", name);
    case EISDIR: return rls2__fail(err, RLS2_ERR_IO, "%s: is a directory, not a file", name);
    default: return rls2__fail(err, RLS2_ERR_IO, "%s: cannot be read (errno %d)", name, number);
    }
}

static int grow(buffer *b, int64_t capacity)
{
    char *bigger = rls2__alloc(capacity, 1);
    if (!bigger) return 0;
    if (b->used > 0) memcpy(bigger, b->data, (size_t)b->used);
    rls2__free(b->data);
    b->data = bigger;
    b->capacity = capacity;
    return 1;
}

/* For a regular file: its size, the final NUL and one byte of room, so that the read
 * that finds the end needs no growth. */
static int64_t first_capacity(int file)
{
    struct stat about;
    if (fstat(file, &about) != 0 || !S_ISREG(about.st_mode) || about.st_size <= 0) return FIRST_CAPACITY;
    return rls2__add((int64_t)about.st_size, 2);
}

static rls2_status read_all(int file, const char *name, buffer *b, rls2_error *err)
{
    if (!grow(b, first_capacity(file))) return rls2__fail_memory(err, name);
    for (;;) {
        int64_t room = b->capacity - b->used - 1;
        if (room == 0) {
            if (!grow(b, rls2__mul(b->capacity, 2))) return rls2__fail_memory(err, name);
            continue;
        }
        ssize_t got = read(file, b->data + b->used, (size_t)(room < MAX_REQUEST ? room : MAX_REQUEST));
        if (got == 0) return RLS2_OK;
        if (got > 0)
            b->used += got;
        else if (errno != EINTR)
            return fail_errno(err, name, errno);
    }
}

rls2_status rls2__file_read(const char *path, const char *name, char **text, int64_t *length, rls2_error *err)
{
    rls2_status status = RLS2_OK;
    buffer b = {0};
    int file = -1;

    do file = open(path, O_RDONLY | O_CLOEXEC);
    while (file < 0 && errno == EINTR);
    if (file < 0) {
        status = fail_errno(err, name, errno);
        goto cleanup;
    }
    status = read_all(file, name, &b, err);
    if (status != RLS2_OK) goto cleanup;

    b.data[b.used] = '\0';
    *text = b.data;
    *length = b.used;
    b.data = NULL;

cleanup:
    rls2__free(b.data);
    if (file >= 0) close(file);
    return status;
}
