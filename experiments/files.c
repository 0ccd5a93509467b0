/* Writes files beside their place and renames them; makes folders; finds programs. */
#include "experiments/files.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "experiments/experiment.h"

/* ---- writing ---- */

static rls2_status fail_at(rls2_error *err, const char *path, int why)
{
    return experiment_fail(err, RLS2_ERR_IO, "%s: %s", path,
                           why ? strerror(why) : "not everything could be written");
}

rls2_status files_begin(new_file *f, rls2_error *err, const char *format, ...)
{
    va_list arguments;
    f->file = NULL;
    va_start(arguments, format);
    int length = vsnprintf(f->path, sizeof f->path, format, arguments);
    va_end(arguments);
    if (length < 0 || length >= (int)sizeof f->path) return fail_at(err, f->path, ENAMETOOLONG);
    int descriptor = -1;
    rls2_status status =
        rls2_temporary_create(f->path, f->temporary, sizeof f->temporary, &descriptor, err);
    if (status != RLS2_OK) return status;
    f->file = fdopen(descriptor, "w");
    if (f->file) return RLS2_OK;
    int why = errno;
    unlink(f->temporary);
    close(descriptor);
    return fail_at(err, f->path, why);
}

/* Closed last, and with it unlocked: then it has its own name, or none. All that can fail has
 * failed before. */
rls2_status files_finish(new_file *f, rls2_error *err)
{
    errno = 0;
    int failed = fflush(f->file) != 0 || ferror(f->file) || fsync(fileno(f->file)) != 0 ||
                 rename(f->temporary, f->path) != 0;
    int why = errno;
    if (failed) unlink(f->temporary);
    fclose(f->file);
    f->file = NULL;
    return failed ? fail_at(err, f->path, why) : RLS2_OK;
}

void files_drop(new_file *f)
{
    if (!f->file) return;
    unlink(f->temporary);
    fclose(f->file);
    f->file = NULL;
}

/* ---- folders ---- */

rls2_status files_make_folder(const char *path, rls2_error *err)
{
    char part[FILES_PATH];
    struct stat about;
    size_t length = strlen(path);
    if (length == 0) return fail_at(err, "the name of the folder", ENOENT);
    if (length >= sizeof part) return fail_at(err, path, ENAMETOOLONG);
    for (size_t i = 1; i <= length; i++) {
        if (path[i] != '/' && path[i] != '\0') continue;
        memcpy(part, path, i);
        part[i] = '\0';
        if (mkdir(part, 0777) != 0 && errno != EEXIST) return fail_at(err, part, errno);
    }
    if (stat(path, &about) != 0) return fail_at(err, path, errno);
    return S_ISDIR(about.st_mode) ? RLS2_OK : fail_at(err, path, ENOTDIR);
}

/* ---- reading ---- */

char *files_read(const char *path, size_t *length)
{
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    size_t used = 0, room = 0;
    if (!file) return NULL;
    for (;;) {
        if (room - used < 2) {
            char *more = realloc(text, room = room ? 2 * room : 65536);
            if (!more) {
                errno = ENOMEM;
                break;
            }
            text = more;
        }
        size_t got = fread(text + used, 1, room - used - 1, file);
        used += got;
        if (got > 0) continue;
        if (ferror(file)) break;
        fclose(file);
        text[used] = '\0';
        if (length) *length = used;
        return text;
    }
    int why = errno ? errno : EIO;
    fclose(file);
    free(text);
    errno = why;
    return NULL;
}

int files_has_program(const char *name)
{
    char path[FILES_PATH];
    const char *at = getenv("PATH");
    if (strchr(name, '/')) return access(name, X_OK) == 0;
    while (at && *at) {
        int length = (int)strcspn(at, ":");
        int wrote = snprintf(path, sizeof path, "%.*s/%s", length, at, name);
        if (wrote < (int)sizeof path && access(length ? path : name, X_OK) == 0) return 1;
        at += length + (at[length] == ':');
    }
    return 0;
}
