/* Writes beside the file, puts it on the disk and renames it. */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#include "base/file_write.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/status.h"
#include "rls2/file.h"

enum { MAX_REQUEST = 1 << 30 };

static rls2_status fail_step(rls2_error *err, const char *path, const char *step, int number)
{
    return rls2__fail(err, RLS2_ERR_IO, "%s: %s: %s", path, step, strerror(number));
}

/* Length of the folder's part of the path, the last '/' included; 0 for the current folder. */
static size_t folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash - path) + 1 : 0;
}

/* ---- steps ---- */

static rls2_status check_path(const char *path, rls2_error *err)
{
    struct stat about;
    size_t length = strlen(path);
    if (length == 0) return rls2__fail(err, RLS2_ERR_IO, "the name of the file is empty");
    if (strcmp(path, "-") == 0)
        return rls2__fail(err, RLS2_ERR_IO,
                          "-: this cannot go to the standard output; name a file");
    if (stat(path, &about) != 0)
        return path[length - 1] == '/'
                   ? rls2__fail(err, RLS2_ERR_IO, "%s: names a folder, not a file", path)
                   : RLS2_OK;
    if (S_ISDIR(about.st_mode))
        return rls2__fail(err, RLS2_ERR_IO, "%s: is a directory, not a file", path);
    if (!S_ISREG(about.st_mode))
        return rls2__fail(err, RLS2_ERR_IO, "%s: is not a regular file", path);
    return RLS2_OK;
}

/* A new file; *name is released by the caller whatever happens. */
static rls2_status open_temporary(const char *path, char **name, int *file, rls2_error *err)
{
    int64_t size = (int64_t)strlen(path) + 1 + RLS2_TEMPORARY_MORE;
    *name = rls2__alloc(size, 1);
    if (!*name) return rls2__fail_memory(err, "the name of a file");
    return rls2_temporary_create(path, *name, size, file, err);
}

static rls2_status write_all(int file, const char *path, const char *bytes, int64_t length,
                             rls2_error *err)
{
    while (length > 0) {
        ssize_t put = write(file, bytes, (size_t)(length < MAX_REQUEST ? length : MAX_REQUEST));
        if (put < 0 && errno == EINTR) continue;
        if (put < 0) return fail_step(err, path, "cannot be written", errno);
        bytes += put;
        length -= put;
    }
    return RLS2_OK;
}

/* "." where the path names none; NULL when out of memory. */
static char *folder_of(const char *path)
{
    size_t length = folder_length(path);
    char *folder = rls2__alloc((int64_t)length + 2, 1);
    if (folder) snprintf(folder, length + 2, "%.*s", (int)length, path);
    if (folder && length == 0) strcpy(folder, ".");
    return folder;
}

/* So that the new name is on the disk too. Some file systems cannot do that for folders; the file
 * itself is whole either way. */
static rls2_status sync_folder(const char *folder, const char *path, rls2_error *err)
{
    rls2_status status = RLS2_OK;
    int file = open(folder, O_RDONLY | O_CLOEXEC);
    if (file >= 0 && fsync(file) != 0 && errno == EIO)
        status = fail_step(err, path, "its folder cannot be put on the disk", errno);
    if (file >= 0) close(file);
    return status;
}

/* What is replaced keeps its permissions: a model holds training rows, which may be private. */
static rls2_status keep_mode(const char *path, int file, rls2_error *err)
{
    struct stat old;
    if (stat(path, &old) != 0 || fchmod(file, old.st_mode & 07777) == 0) return RLS2_OK;
    return fail_step(err, path, "its permissions cannot be kept", errno);
}

static rls2_status replace(const char *path, const void *bytes, int64_t length, rls2_error *err)
{
    char *name = NULL, *folder = folder_of(path);
    int file = -1, made = 0;
    rls2_status status =
        folder ? check_path(path, err) : rls2__fail_memory(err, "the name of a folder");
    if (status == RLS2_OK) status = open_temporary(path, &name, &file, err);
    if (status != RLS2_OK) goto cleanup;
    made = 1;
    status = keep_mode(path, file, err);
    if (status != RLS2_OK) goto cleanup;
    status = write_all(file, path, bytes, length, err);
    if (status == RLS2_OK && fsync(file) != 0)
        status = fail_step(err, path, "cannot be put on the disk", errno);
    if (status == RLS2_OK && rename(name, path) != 0)
        status = fail_step(err, path, "cannot be replaced", errno);
    if (status != RLS2_OK) goto cleanup;
    made = 0;
    status = sync_folder(folder, path, err);
cleanup:
    if (made) unlink(name);
    if (file >= 0)
        close(
            file); /* with its lock, when it has another name or none; all is on the disk already */
    rls2__free(name);
    rls2__free(folder);
    return status;
}

rls2_status rls2__file_write(const char *path, const void *bytes, int64_t length, rls2_error *err)
{
    char *target = realpath(path, NULL); /* a link stays; what it points to is replaced */
    rls2_status status = replace(target ? target : path, bytes, length, err);
    free(target);
    return status;
}
