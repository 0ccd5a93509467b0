/* POSIX calls instead of stdio: no second copy through a buffer, no allocation that
 * base/memory.h does not see, and the error number says what went wrong. */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#include "base/file.h"

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

int64_t rls2__file_size(int file)
{
    struct stat about;
    if (fstat(file, &about) != 0 || !S_ISREG(about.st_mode) || about.st_size <= 0) return 0;
    return (int64_t)about.st_size;
}

rls2_status rls2__file_open(const char *path, const char *name, int *file, rls2_error *err)
{
    int opened = -1;
    do /* a copy of the standard input, so that every file is closed alike */
        opened = strcmp(path, "-") == 0 ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)
                                        : open(path, O_RDONLY | O_CLOEXEC);
    while (opened < 0 && errno == EINTR);
    if (opened < 0) return fail_errno(err, name, errno);
    *file = opened;
    return RLS2_OK;
}

void rls2__file_close(int file)
{
    if (file >= 0) close(file);
}

rls2_status rls2__file_some(int file, const char *name, char *to, int64_t room, int64_t *got,
                            rls2_error *err)
{
    ssize_t done;
    do done = read(file, to, (size_t)(room < MAX_REQUEST ? room : MAX_REQUEST));
    while (done < 0 && errno == EINTR);
    if (done < 0) return fail_errno(err, name, errno);
    *got = done;
    return RLS2_OK;
}

rls2_status rls2__file_at(int file, const char *name, int64_t place, char *to, int64_t bytes,
                          int64_t *got, rls2_error *err)
{
    for (*got = 0; *got < bytes;) {
        int64_t left = bytes - *got;
        ssize_t done = pread(file, to + *got, (size_t)(left < MAX_REQUEST ? left : MAX_REQUEST),
                             (off_t)(place + *got));
        if (done < 0 && errno == EINTR) continue;
        if (done < 0) return fail_errno(err, name, errno);
        if (done == 0) break;
        *got += done;
    }
    return RLS2_OK;
}

/* For a regular file: its size, the final NUL and one byte of room, so that the read
 * that finds the end needs no growth. */
static int64_t first_capacity(int file)
{
    int64_t size = rls2__file_size(file);
    return size > 0 ? rls2__add(size, 2) : FIRST_CAPACITY;
}

static rls2_status read_all(int file, const char *name, buffer *b, rls2_error *err)
{
    if (!grow(b, first_capacity(file))) return rls2__fail_memory(err, name);
    for (;;) {
        int64_t room = b->capacity - b->used - 1, got = 0;
        if (room == 0) {
            if (!grow(b, rls2__mul(b->capacity, 2))) return rls2__fail_memory(err, name);
            continue;
        }
        rls2_status status = rls2__file_some(file, name, b->data + b->used, room, &got, err);
        if (status != RLS2_OK || got == 0) return status;
        b->used += got;
    }
}

rls2_status rls2__file_read(const char *path, const char *name, char **text, int64_t *length,
                            rls2_error *err)
{
    buffer b = {0};
    int file = -1;
    rls2_status status = rls2__file_open(path, name, &file, err);
    if (status == RLS2_OK) status = read_all(file, name, &b, err);
    if (status != RLS2_OK) goto cleanup;

    b.data[b.used] = '\0';
    *text = b.data;
    *length = b.used;
    b.data = NULL;

cleanup:
    rls2__free(b.data);
    rls2__file_close(file);
    return status;
}
