#include "gui/server/store.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

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

int store_make_folder(const char *path)
{
    char part[STORE_PATH];
    if ((size_t)snprintf(part, sizeof part, "%s", path) >= sizeof part) {
        errno = ENAMETOOLONG;
        return 0;
    }
    for (char *slash = strchr(part + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(part, 0700) != 0 && errno != EEXIST) return 0;
        *slash = '/';
    }
    return mkdir(part, 0700) == 0 || errno == EEXIST;
}

/* ---- whole files ---- */

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

int store_write(const char *path, const void *bytes, size_t length, fault *f)
{
    char temporary[STORE_PATH + 16];
    snprintf(temporary, sizeof temporary, "%s.XXXXXX", path);
    int file = mkostemp(temporary, O_CLOEXEC);
    if (file < 0) return fault_say(f, HTTP_FAILED, NULL, "%s: %s", path, strerror(errno));
    int written = write_all(file, bytes, length);
    int why = errno;
    if (close(file) != 0 && written) {
        written = 0;
        why = errno;
    }
    if (written && rename(temporary, path) == 0) return 0;
    if (written) why = errno;
    unlink(temporary);
    return fault_say(f, why == ENOSPC ? HTTP_FULL : HTTP_FAILED, NULL, "%s: %s", path, strerror(why));
}

int store_write_json(const char *path, const json_t *json, fault *f)
{
    char *text = json ? json_dumps(json, JSON_COMPACT) : NULL;
    if (!text) return fault_memory(f);
    int code = store_write(path, text, strlen(text), f);
    free(text);
    return code;
}

FILE *store_open(const char *path)
{
    struct stat about;
    int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    FILE *opened =
        file >= 0 && fstat(file, &about) == 0 && S_ISREG(about.st_mode) ? fdopen(file, "rb") : NULL;
    if (!opened && file >= 0) close(file);
    return opened;
}

json_t *store_read_json(const char *path)
{
    FILE *file = store_open(path);
    if (!file) return NULL;
    json_t *json = json_loadf(file, 0, NULL);
    fclose(file);
    return json;
}

static char *read_file(FILE *file, size_t *length)
{
    struct stat about;
    if (fstat(fileno(file), &about) != 0 || about.st_size < 0) return NULL;
    size_t size = (size_t)about.st_size;
    char *bytes = malloc(size + 1);
    if (!bytes) return NULL;
    if (fread(bytes, 1, size, file) != size) {
        free(bytes);
        return NULL;
    }
    bytes[size] = '\0';
    *length = size;
    return bytes;
}

char *store_read(const char *path, size_t *length)
{
    FILE *file = store_open(path);
    if (!file) return NULL;
    char *bytes = read_file(file, length);
    fclose(file);
    return bytes;
}

/* ---- folders ---- */

/* The folder itself, never what a link leads to: files in it are going to be deleted. */
static DIR *open_folder(const char *path)
{
    int file = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *folder = file >= 0 ? fdopendir(file) : NULL;
    if (!folder && file >= 0) close(file);
    return folder;
}

void store_remove(const char *path)
{
    DIR *folder = open_folder(path);
    for (struct dirent *entry; folder && (entry = readdir(folder));)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            unlinkat(dirfd(folder), entry->d_name, 0);
    if (folder) closedir(folder);
    rmdir(path);
}

/* NAME.XXXXXX, where no file of ours has a last part of six characters. */
static int is_temporary(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot && strlen(dot + 1) == 6;
}

void store_sweep(const char *path)
{
    DIR *folder = open_folder(path);
    for (struct dirent *entry; folder && (entry = readdir(folder));)
        if (is_temporary(entry->d_name)) unlinkat(dirfd(folder), entry->d_name, 0);
    if (folder) closedir(folder);
}

void store_each(const char *path, void (*found)(void *user, const char *id), void *user)
{
    DIR *folder = opendir(path);
    for (struct dirent *entry; folder && (entry = readdir(folder));)
        if (store_is_id(entry->d_name)) found(user, entry->d_name);
    if (folder) closedir(folder);
}

static int is_empty(const char *path)
{
    int count = 0;
    DIR *folder = opendir(path);
    if (!folder) return 0;
    while (readdir(folder)) count++;
    closedir(folder);
    return count <= 2; /* itself, and the one above */
}

int store_check_owner(const char *folder, fault *f)
{
    char lock[STORE_PATH + 8];
    struct stat about;
    snprintf(lock, sizeof lock, "%s/lock", folder);
    if (stat(folder, &about) != 0) return fault_say(f, HTTP_FAILED, NULL, "%s: %s", folder, strerror(errno));
    if (geteuid() != 0 && about.st_uid != geteuid())
        return fault_say(f, HTTP_CONFLICT, NULL, "%s belongs to another user: give --folder another one",
                         folder);
    if (access(lock, F_OK) == 0 || is_empty(folder)) return 0;
    return fault_say(f, HTTP_CONFLICT, NULL,
                     "%s holds files that are not of 'rls2 gui': give --folder an empty one, or a new name",
                     folder);
}

int store_lock(const char *folder)
{
    char path[STORE_PATH + 8];
    snprintf(path, sizeof path, "%s/lock", folder);
    int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0) return -1;
    if (flock(file, LOCK_EX | LOCK_NB) == 0) return file;
    int why = errno;
    close(file);
    errno = why;
    return -1;
}
