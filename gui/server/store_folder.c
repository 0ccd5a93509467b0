/* Opens folders without following links, adds up their bytes and sweeps what was left over. */
#include "gui/server/store_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int starts_with(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

/* ---- opening ---- */

/* Why openat refused. */
static void say_refused(int parent, const char *name, const char *shown, int number, fault *f)
{
    struct stat about;
    int known = fstatat(parent, name, &about, AT_SYMLINK_NOFOLLOW) == 0;
    if (known && S_ISLNK(about.st_mode))
        fault_say(f, HTTP_CONFLICT, NULL,
                  "%s is a symbolic link, and 'rls2 gui' follows none: put the folder itself in "
                  "its place, or "
                  "give --folder another one",
                  shown);
    else if (known && !S_ISDIR(about.st_mode))
        fault_say(f, HTTP_CONFLICT, NULL,
                  "%s is not a folder: move it away, or give --folder another one", shown);
    else
        store_say_errno(shown, number, NULL, f);
}

/* Root too: what another user owns, that user can exchange at any time. */
static int check_folder(int folder, const char *shown, fault *f)
{
    struct stat about;
    if (fstat(folder, &about) != 0) return store_say_errno(shown, errno, NULL, f);
    if (about.st_uid != geteuid())
        return fault_say(f, HTTP_CONFLICT, NULL,
                         "%s belongs to another user (number %ld): give --folder one of your own",
                         shown, (long)about.st_uid);
    if (about.st_mode & (S_IWGRP | S_IWOTH))
        return fault_say(
            f, HTTP_CONFLICT, NULL,
            "%s can be written to by others (mode %04o): 'chmod go-w' takes that away, or give "
            "--folder another one",
            shown, (unsigned)(about.st_mode & 07777));
    return 0;
}

int folder_open(int parent, const char *name, const char *shown, fault *f)
{
    int folder = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder < 0) {
        say_refused(parent, name, shown, errno, f);
        return -1;
    }
    if (check_folder(folder, shown, f) == 0) return folder;
    close(folder);
    return -1;
}

int folder_of(const store *s, const char *path, const char **name, fault *f)
{
    char shown[STORE_PATH + STORE_PATH / 2], part[256];
    int folder = openat(s->root, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    *name = path;
    if (folder < 0) store_say_errno(s->path, errno, NULL, f);
    for (const char *slash; folder >= 0 && (slash = strchr(*name, '/')); *name = slash + 1) {
        snprintf(part, sizeof part, "%.*s", (int)(slash - *name), *name);
        snprintf(shown, sizeof shown, "%s/%.*s", s->path, (int)(slash - path), path);
        int below = folder_open(folder, part, shown, f);
        close(folder);
        folder = below;
    }
    return folder;
}

/* ---- what is in it ---- */

void folder_each(int folder, void (*found)(void *user, int folder, const char *name), void *user)
{
    int copy = openat(folder, ".",
                      O_RDONLY | O_DIRECTORY | O_CLOEXEC); /* with a place of its own in the list */
    DIR *list = copy >= 0 ? fdopendir(copy) : NULL;
    if (!list && copy >= 0) close(copy);
    for (struct dirent *entry; list && (entry = readdir(list));)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            found(user, folder, entry->d_name);
    if (list) closedir(list);
}

int64_t folder_entry_bytes(int folder, const char *name)
{
    struct stat about;
    int is_file = fstatat(folder, name, &about, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(about.st_mode);
    return is_file ? (int64_t)about.st_size : 0;
}

void folder_unlink(store *s, int folder, const char *name)
{
    int64_t bytes = folder_entry_bytes(folder, name);
    if (unlinkat(folder, name, 0) == 0) store_give_room(s, bytes);
}

static void add_bytes(void *user, int folder, const char *name)
{
    *(int64_t *)user += folder_entry_bytes(folder, name);
}

int64_t folder_bytes(int folder)
{
    int64_t bytes = 0;
    folder_each(folder, add_bytes, &bytes);
    return bytes;
}

/* ---- temporary files ---- */

/* Of version 0.5: NAME.XXXXXX of a file that the server makes, or .model-I.rls2.rls2-XXXXXX of the
 * library. */
static int is_former_temporary(const char *name)
{
    static const char *const OURS[] = {"about.json.", "result.json.", "profile.json.",
                                       "left-out.f64."};
    enum { SUFFIX = 6 };
    for (size_t i = 0; i < sizeof OURS / sizeof *OURS; i++)
        if (starts_with(name, OURS[i]) && strlen(name) == strlen(OURS[i]) + SUFFIX) return 1;
    return starts_with(name, ".model-") && strstr(name, ".rls2.rls2-");
}

static void sweep(void *user, int folder, const char *name)
{
    if (starts_with(name, STORE_TEMPORARY) || is_former_temporary(name))
        folder_unlink(user, folder, name);
}

void folder_sweep(store *s, int folder)
{
    folder_each(folder, sweep, s);
}
