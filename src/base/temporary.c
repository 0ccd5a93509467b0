/* Temporary files beside their targets, and what becomes of those whose process was killed.
 *
 * A file without a name until it is finished (O_TMPFILE) would vanish by itself, but linkat cannot
 * put it in the place of a file that is there; so a temporary file has a name, and whoever writes
 * the same target next removes what is left over. Numbers of processes are used again, and mean
 * nothing on another machine that shares the folder: a lock is what tells the dead, since the
 * system takes it back with the last descriptor, whatever the end was. On NFS an exclusive lock
 * needs a descriptor for writing, which is not asked for here: left-over files stay there. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/siphash.h"
#include "base/status.h"
#include "rls2/file.h"

enum { NAME_KEPT = 200, DRAWN = 10, CHECK = 6, SUFFIX = DRAWN + CHECK, TRIES = 64 };

/* ---- names ---- */

static const char *base_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static void write_letters(uint64_t bits, int count, char *out)
{
    static const char LETTERS[] = "abcdefghijklmnopqrstuvwxyz0123456789";
    for (int i = 0; i < count; i++, bits /= sizeof LETTERS - 1)
        out[i] = LETTERS[bits % (sizeof LETTERS - 1)];
}

/* The last letters follow from the target and the others, so that no name anybody chose for a file
 * of his own is taken for one of ours. */
static void write_check(const char *base, const char *drawn, char check[CHECK])
{
    const rls2__sip_key fixed = {{0, 0}};
    const rls2__sip_key of_target = {{rls2__siphash(&fixed, base, strlen(base)), 0}};
    write_letters(rls2__siphash(&of_target, drawn, DRAWN), CHECK, check);
}

static void make_name(const char *path, char *name, size_t size)
{
    const char *base = base_of(path);
    char suffix[SUFFIX + 1] = "";
    write_letters(rls2__sip_key_make().half[0], DRAWN, suffix);
    write_check(base, suffix, suffix + DRAWN);
    snprintf(name, size, "%.*s.%.*s.rls2-%s", (int)(base - path), path, NAME_KEPT, base, suffix);
}

/* Whether a file of the folder is a temporary one of this target. */
static int is_ours(const char *entry, const char *base)
{
    char start[NAME_KEPT + 8], check[CHECK];
    size_t length = (size_t)snprintf(start, sizeof start, ".%.*s.rls2-", NAME_KEPT, base);
    if (strncmp(entry, start, length) != 0 || strlen(entry) != length + SUFFIX) return 0;
    write_check(base, entry + length, check);
    return memcmp(entry + length + DRAWN, check, CHECK) == 0;
}

/* ---- left over ---- */

/* A regular file of this user, of no other name, that this is still the name of. */
static int is_only_name(int folder, const char *entry, int file)
{
    struct stat about, named;
    return fstat(file, &about) == 0 && S_ISREG(about.st_mode) && about.st_uid == geteuid() &&
           about.st_nlink == 1 && fstatat(folder, entry, &named, AT_SYMLINK_NOFOLLOW) == 0 &&
           named.st_dev == about.st_dev && named.st_ino == about.st_ino;
}

/* Who makes a file looks, once it has the lock, whether it still has its name (is_kept). */
static void remove_dead(int folder, const char *entry)
{
    int file = openat(folder, entry, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (file < 0) return;
    if (flock(file, LOCK_EX | LOCK_NB) == 0 && is_only_name(folder, entry, file))
        unlinkat(folder, entry, 0);
    close(file);
}

static void clear_left_over(const char *path)
{
    const char *base = base_of(path);
    char above[4096] = ".";
    if (base - path >= (int64_t)sizeof above) return;
    if (base > path) snprintf(above, sizeof above, "%.*s", (int)(base - path), path);
    DIR *folder = opendir(above);
    for (struct dirent *entry; folder && (entry = readdir(folder));)
        if (is_ours(entry->d_name, base)) remove_dead(dirfd(folder), entry->d_name);
    if (folder) closedir(folder);
}

/* ---- making ---- */

static int create(const char *name)
{
    int file;
    do file = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    while (file < 0 && errno == EINTR);
    return file;
}

/* 0 if somebody took the new file for a left-over one before it was locked. A disk without locks
 * keeps all. */
static int is_kept(int file)
{
    struct stat about;
    if (flock(file, LOCK_EX | LOCK_NB) != 0) return errno != EWOULDBLOCK;
    return fstat(file, &about) != 0 || about.st_nlink > 0;
}

/* -1 and errno where there is none. */
static int create_locked(const char *path, char *name, int64_t size)
{
    for (int attempt = 0; attempt < TRIES; attempt++) {
        make_name(path, name, (size_t)size);
        int file = create(name);
        if (file >= 0 && is_kept(file)) return file;
        if (file < 0 && errno != EEXIST) return -1;
        if (file >= 0) close(file);
    }
    errno = EEXIST;
    return -1;
}

rls2_status rls2_temporary_create(const char *path, char *name, int64_t size, int *descriptor,
                                  rls2_error *err)
{
    if (!path) return rls2__fail_null(err, "path");
    if (!name) return rls2__fail_null(err, "name");
    if (!descriptor) return rls2__fail_null(err, "descriptor");
    int64_t needed = (int64_t)strlen(path) + 1 + RLS2_TEMPORARY_MORE;
    if (size < needed)
        return rls2__fail(err, RLS2_ERR_ARGUMENT, "size is %" PRId64 "; the name may have %" PRId64,
                          size, needed);
    clear_left_over(path);
    int file = create_locked(path, name, size);
    if (file < 0) {
        int why = errno;
        rls2__fail(err, RLS2_ERR_IO, "%s: a file cannot be made in its folder: %s", path,
                   strerror(why));
        errno = why;
        return RLS2_ERR_IO;
    }
    *descriptor = file;
    return RLS2_OK;
}
