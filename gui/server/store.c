/* Writes, reads, moves and deletes files of the folder, within the quota. */
#include "gui/server/store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gui/server/store_folder.h"

int store_is_id(const char *text)
{
    size_t length = strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789");
    return length == ID_LENGTH && text[length] == '\0';
}

static int random_bytes(unsigned char *bytes, size_t count)
{
    for (size_t done = 0; done < count;) {
        ssize_t got = getrandom(bytes + done, count - done, 0);
        if (got < 0 && errno != EINTR) return 0;
        if (got > 0) done += (size_t)got;
    }
    return 1;
}

int store_new_id(char id[ID_LENGTH + 1])
{
    static const char LETTERS[] = "abcdefghijklmnopqrstuvwxyz012345";
    unsigned char bytes[ID_LENGTH];
    if (!random_bytes(bytes, sizeof bytes)) return 0;
    for (int i = 0; i < ID_LENGTH; i++) id[i] = LETTERS[bytes[i] % 32];
    id[ID_LENGTH] = '\0';
    return 1;
}

int store_random_text(char *text, size_t count)
{
    unsigned char bytes[64];
    if (count > sizeof bytes || !random_bytes(bytes, count)) return 0;
    for (size_t i = 0; i < count; i++) snprintf(text + 2 * i, 3, "%02x", bytes[i]);
    return 1;
}

void store_clean_name(const char *given, const char *fallback, char *name, size_t size)
{
    const char *start = given;
    size_t used = 0;
    for (const char *c = given; *c; c++)
        if (*c == '/' || *c == '\\') start = c + 1;
    for (; *start && used + 1 < size; start++)
        if ((unsigned char)*start >= 32 && *start != 127) name[used++] = *start;
    name[used] = '\0';
    if (used == 0) snprintf(name, size, "%s", fallback);
}

/* ---- room ---- */

typedef struct size_text {
    char text[32];
} size_text;

static size_text show_size(int64_t bytes)
{
    size_text shown;
    double value = (double)bytes;
    if (value >= 1e9)
        snprintf(shown.text, sizeof shown.text, "%.3g GB", value / 1e9);
    else
        snprintf(shown.text, sizeof shown.text, "%.3g MB", value / 1e6);
    return shown;
}

int store_take_room(store *s, int64_t bytes)
{
    int64_t used = atomic_fetch_add(&s->used, bytes) + bytes;
    if (s->quota <= 0 || bytes <= 0 || used <= s->quota) return 1;
    store_give_room(s, bytes);
    return 0;
}

void store_give_room(store *s, int64_t bytes)
{
    atomic_fetch_sub(&s->used, bytes);
}

int store_say_full(const store *s, fault *f)
{
    return fault_say(f, HTTP_FULL, NULL,
                     "there is no room for it: %s holds %s of the %s it may take. Delete runs or "
                     "tables that are "
                     "not needed any more, or start 'rls2 gui' with a larger --quota",
                     s->path, show_size(atomic_load(&s->used)).text, show_size(s->quota).text);
}

int store_say_errno(const char *what, int number, const char *field, fault *f)
{
    if (number == ENOSPC || number == EDQUOT)
        return fault_say(
            f, HTTP_FULL, field,
            "%s: %s: delete runs or tables that are not needed any more, or other files", what,
            strerror(number));
    return fault_say(f, HTTP_FAILED, field, "%s: %s", what, strerror(number));
}

/* ---- whole files ---- */

void store_path(char path[STORE_PATH], const char *format, ...)
{
    va_list values;
    va_start(values, format);
    vsnprintf(path, STORE_PATH, format, values);
    va_end(values);
}

static int write_all(int file, const char *bytes, size_t length)
{
    while (length > 0) {
        ssize_t written = write(file, bytes, length);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return 0;
        bytes += written;
        length -= (size_t)written;
    }
    return fsync(file) == 0;
}

/* A new file in the folder, of a name that is known as temporary. -1 with errno set. */
static int new_file(int folder, char name[64])
{
    char word[2 * 8 + 1];
    if (!store_random_text(word, 8)) return -1;
    snprintf(name, 64, STORE_NEW "%s", word);
    return openat(folder, name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
}

/* 0, or errno of what failed; nothing is left behind then. */
static int replace(int folder, const char *name, const void *bytes, size_t length)
{
    char temporary[64];
    int file = new_file(folder, temporary), why = 0;
    if (file < 0) return errno;
    if (!write_all(file, bytes, length)) why = errno;
    if (close(file) != 0 && !why) why = errno;
    if (!why && renameat(folder, temporary, folder, name) != 0) why = errno;
    if (why) unlinkat(folder, temporary, 0);
    return why;
}

/* `must`: whatever the quota says. */
static int write_file(store *s, const char *path, const void *bytes, size_t length, int must,
                      fault *f)
{
    const char *name;
    int folder = folder_of(s, path, &name, f);
    if (folder < 0) return f->code;
    int code = 0, why = 0;
    int64_t more = (int64_t)length - folder_entry_bytes(folder, name);
    if (must)
        store_give_room(s, -more);
    else if (!store_take_room(s, more))
        code = store_say_full(s, f);
    if (!code) why = replace(folder, name, bytes, length);
    if (why) {
        store_give_room(s, more);
        code = store_say_errno(path, why, NULL, f);
    }
    close(folder);
    return code;
}

int store_write(store *s, const char *path, const void *bytes, size_t length, fault *f)
{
    return write_file(s, path, bytes, length, 0, f);
}

static int write_json(store *s, const char *path, const json_t *json, int must, fault *f)
{
    char *text = json ? json_dumps(json, JSON_COMPACT) : NULL;
    if (!text) return fault_memory(f);
    int code = write_file(s, path, text, strlen(text), must, f);
    free(text);
    return code;
}

int store_write_json(store *s, const char *path, const json_t *json, fault *f)
{
    return write_json(s, path, json, 0, f);
}

int store_note_json(store *s, const char *path, const json_t *json, fault *f)
{
    return write_json(s, path, json, 1, f);
}

/* ---- reading ---- */

static FILE *open_file(int folder, const char *name, int flags)
{
    struct stat about;
    int file = openat(folder, name, O_RDONLY | O_NONBLOCK | O_CLOEXEC | flags);
    FILE *opened =
        file >= 0 && fstat(file, &about) == 0 && S_ISREG(about.st_mode) ? fdopen(file, "rb") : NULL;
    if (!opened && file >= 0) close(file);
    return opened;
}

FILE *store_file(const store *s, const char *path)
{
    const char *name;
    fault ignored;
    int folder = folder_of(s, path, &name, &ignored);
    if (folder < 0) return NULL;
    FILE *file = open_file(folder, name, O_NOFOLLOW);
    close(folder);
    return file;
}

int store_has(const store *s, const char *path)
{
    FILE *file = store_file(s, path);
    if (file) fclose(file);
    return file != NULL;
}

json_t *store_read_json(const store *s, const char *path)
{
    FILE *file = store_file(s, path);
    if (!file) return NULL;
    json_t *json = json_loadf(file, 0, NULL);
    fclose(file);
    return json;
}

/* Closes it. */
static char *read_file(FILE *file, size_t *length)
{
    struct stat about;
    char *bytes = NULL;
    size_t size = 0;
    if (file && fstat(fileno(file), &about) == 0 && about.st_size >= 0) {
        size = (size_t)about.st_size;
        bytes = malloc(size + 1);
    }
    if (bytes && fread(bytes, 1, size, file) != size) {
        free(bytes);
        bytes = NULL;
    }
    if (file) fclose(file);
    if (!bytes) return NULL;
    bytes[size] = '\0';
    *length = size;
    return bytes;
}

char *store_read(const store *s, const char *path, size_t *length)
{
    return read_file(store_file(s, path), length);
}

char *store_read_foreign(const char *path, size_t *length)
{
    return read_file(open_file(AT_FDCWD, path, 0), length);
}

/* ---- uploads ---- */

int store_new_upload(store *s, char path[STORE_PATH])
{
    char name[64];
    const char *none;
    fault ignored;
    int folder = folder_of(s, "uploads/", &none, &ignored);
    if (folder < 0) {
        errno = ENOTDIR;
        return -1;
    }
    int file = new_file(folder, name), why = errno;
    close(folder);
    snprintf(path, STORE_PATH, "uploads/%s", file >= 0 ? name : "");
    errno = why;
    return file;
}

int store_move(store *s, const char *from, const char *to, fault *f)
{
    const char *old_name, *new_name;
    int source = folder_of(s, from, &old_name, f),
        target = source < 0 ? -1 : folder_of(s, to, &new_name, f);
    int code = target < 0 ? f->code : 0;
    if (!code && renameat(source, old_name, target, new_name) != 0)
        code = store_say_errno(to, errno, NULL, f);
    if (source >= 0) close(source);
    if (target >= 0) close(target);
    return code;
}

void store_drop(store *s, const char *path)
{
    const char *name;
    fault ignored;
    int folder = folder_of(s, path, &name, &ignored);
    if (folder < 0) return;
    folder_unlink(s, folder, name);
    close(folder);
}
