/* Is it a folder that the server may use? It deletes in it what was left half made, so this is
 * asked before anything is. Of the path that a user gives, folders above the last part may be
 * links, as those of the system often are; what counts is the folder that is reached. Where
 * everybody can write to one of those above, and is not kept from moving what others have there,
 * the folder could be another one the next time: such places are refused. */
#include "gui/server/store_open.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gui/server/store_folder.h"

#define MARK ".rls2-gui"
#define MARK_TEXT "rls2 gui, layout "
enum { LAYOUT = 1 };

static const char *const PARTS[] = {"data", "models", "runs", "uploads"};
enum { PART_COUNT = sizeof PARTS / sizeof *PARTS };

/* ---- the path ---- */

/* The folder and those above it. 1, or 0 with errno set. */
static int make_folders(const char *path)
{
    char part[STORE_PATH];
    snprintf(part, sizeof part, "%s", path);
    for (char *slash = strchr(part + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(part, 0700) != 0 && errno != EEXIST) return 0;
        *slash = '/';
    }
    return mkdir(part, 0700) == 0 || errno == EEXIST;
}

/* A slash at the end would have a link followed. */
static int set_path(store *s, const char *path, fault *f)
{
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/') length--;
    if (length >= sizeof s->path)
        return fault_say(f, HTTP_FAILED, NULL, "the name of the folder is too long");
    memcpy(s->path, path, length);
    s->path[length] = '\0';
    return 0;
}

static int say_open_to_all(const store *s, int above, fault *f)
{
    char link[64], name[STORE_PATH / 4];
    snprintf(link, sizeof link, "/proc/self/fd/%d", above);
    ssize_t length = readlink(link, name, sizeof name - 1);
    name[length > 0 ? length : 0] = '\0';
    return fault_say(f, HTTP_CONFLICT, NULL,
                     "%s lies in a folder where everybody can move the files of others%s%s: give "
                     "--folder another "
                     "one, or 'chmod o-w' that one",
                     s->path, name[0] ? ", " : "", name);
}

/* The folders above, as they are and not as they are called. One that cannot be looked at ends the
 * search. */
static int check_above(const store *s, fault *f)
{
    struct stat below, about;
    int code = 0, at = openat(s->root, ".", O_PATH | O_DIRECTORY | O_CLOEXEC);
    while (!code && at >= 0 && fstat(at, &below) == 0) {
        int above = openat(at, "..", O_PATH | O_DIRECTORY | O_CLOEXEC);
        close(at);
        at = above;
        if (at < 0 || fstat(at, &about) != 0) break;
        if (about.st_ino == below.st_ino && about.st_dev == below.st_dev) break;
        if ((about.st_mode & S_IWOTH) && !(about.st_mode & S_ISVTX))
            code = say_open_to_all(s, at, f);
    }
    if (at >= 0) close(at);
    return code;
}

/* ---- whose it is ---- */

typedef struct contents {
    int entries, known; /* all of them, and those that a server makes */
    int lock;           /* the file of version 0.5 that said so */
    int half;           /* files of a server that was killed before it had made its mark */
} contents;

static void look_at(void *user, int folder, const char *name)
{
    contents *c = user;
    struct stat about;
    int lock = strcmp(name, "lock") == 0;
    c->entries++;
    c->known += lock;
    c->half += starts_with(name, STORE_TEMPORARY);
    for (int i = 0; i < PART_COUNT; i++) c->known += strcmp(name, PARTS[i]) == 0;
    if (lock && fstatat(folder, name, &about, AT_SYMLINK_NOFOLLOW) == 0)
        c->lock = S_ISREG(about.st_mode) && about.st_size == 0 && about.st_uid == geteuid();
}

/* Layout of the mark; 0 where there is none, -1 where it is not to be understood. */
static int read_mark(const store *s)
{
    char text[64] = "";
    FILE *file = store_file(s, MARK);
    if (!file) return faccessat(s->root, MARK, F_OK, AT_SYMLINK_NOFOLLOW) == 0 ? -1 : 0;
    if (!fgets(text, sizeof text, file)) text[0] = '\0';
    fclose(file);
    int layout = starts_with(text, MARK_TEXT) ? atoi(text + strlen(MARK_TEXT)) : -1;
    return layout > 0 ? layout : -1;
}

/* *marked: it bears the mark; else it is empty, or of version 0.5, which had none but its lock. */
static int check_mark(const store *s, int *marked, fault *f)
{
    contents c = {0};
    int layout = read_mark(s);
    *marked = layout > 0;
    if (layout > LAYOUT || layout < 0)
        return fault_say(f, HTTP_CONFLICT, NULL,
                         "%s is of a later version of 'rls2 gui', by its file " MARK
                         ": give --folder another one",
                         s->path);
    if (layout > 0) return 0;
    folder_each(s->root, look_at, &c);
    if (c.entries == c.half || (c.lock && c.known + c.half == c.entries)) return 0;
    return fault_say(
        f, HTTP_CONFLICT, NULL,
        "%s holds files that are not of 'rls2 gui': give --folder an empty one, or a new name",
        s->path);
}

static int write_mark(store *s, fault *f)
{
    char text[64];
    snprintf(text, sizeof text, MARK_TEXT "%d\n", LAYOUT);
    return store_write(s, MARK, text, strlen(text), f);
}

/* Held as long as the descriptor is open. */
static int take_lock(store *s, fault *f)
{
    char shown[STORE_PATH];
    struct stat about;
    s->locked =
        openat(s->root, "lock", O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);
    snprintf(shown, sizeof shown, "%s/lock", s->path);
    if (s->locked < 0 || fstat(s->locked, &about) != 0)
        return store_say_errno(shown, errno, NULL, f);
    if (!S_ISREG(about.st_mode) || about.st_uid != geteuid())
        return fault_say(f, HTTP_CONFLICT, NULL,
                         "%s is not a file of yours: give --folder another one", shown);
    if (flock(s->locked, LOCK_EX | LOCK_NB) == 0) return 0;
    if (errno != EWOULDBLOCK) return store_say_errno(shown, errno, NULL, f);
    return fault_say(f, HTTP_CONFLICT, NULL,
                     "%s is in use by another 'rls2 gui': give --folder another one", s->path);
}

/* ---- its parts ---- */

/* Of version 0.5, in a folder without mark: six letters or digits, or an id. */
static int is_former_upload(const char *name)
{
    size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789");
    return !name[length] && (length == 6 || store_is_id(name));
}

static void drop_former(void *user, int folder, const char *name)
{
    if (is_former_upload(name)) folder_unlink(user, folder, name);
}

static int open_part(store *s, const char *name, int *part, fault *f)
{
    char shown[STORE_PATH];
    snprintf(shown, sizeof shown, "%s/%s", s->path, name);
    if (mkdirat(s->root, name, 0700) != 0 && errno != EEXIST)
        return store_say_errno(shown, errno, NULL, f);
    *part = folder_open(s->root, name, shown, f);
    return *part < 0 ? f->code : 0;
}

static int open_parts(store *s, int marked, fault *f)
{
    int part = -1;
    for (int i = 0; i < PART_COUNT; i++) {
        int code = open_part(s, PARTS[i], &part, f);
        if (code) return code;
        if (strcmp(PARTS[i], "uploads") == 0) {
            atomic_store(&s->used, folder_bytes(part));
            folder_sweep(s, part);
            if (!marked) folder_each(part, drop_former, s);
        }
        close(part);
    }
    return 0;
}

int store_open(store *s, const char *path, int64_t quota, fault *f)
{
    int marked = 0, code = set_path(s, path, f);
    s->root = s->locked = -1;
    s->quota = 0; /* what the server itself needs is there in any case */
    if (code) return code;
    if (!make_folders(s->path)) return store_say_errno(s->path, errno, NULL, f);
    s->root = folder_open(AT_FDCWD, s->path, s->path, f);
    if (s->root < 0) return f->code;
    code = check_above(s, f);
    if (!code) code = check_mark(s, &marked, f);
    if (!code) code = take_lock(s, f);
    if (!code) code = open_parts(s, marked, f);
    if (!code && !marked) code = write_mark(s, f);
    s->quota = quota;
    return code;
}

void store_close(store *s)
{
    if (s->locked > 0) close(s->locked);
    if (s->root > 0) close(s->root);
    s->root = s->locked = -1;
}
