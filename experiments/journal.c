/* Reads the lines of a journal into a hash table, and appends finished units under a lock. */
#include "experiments/journal.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "experiments/experiment.h"
#include "experiments/files.h"
#include "experiments/journal_old.h"

typedef struct unit {
    char *key;
    int64_t count;
    double *values;
} unit;

/* A unit is found by its key through a table of twice the room or more; where a key was added
 * again, the table knows the last one, and the others stay, since somebody may hold their numbers.
 */
struct journal {
    int descriptor;
    char path[FILES_PATH];
    char kept[FILES_PATH + 16]; /* where a journal of other settings was put; "": there was none */
    off_t length;               /* of the file */
    unit *units;
    int64_t count, room;
    int64_t *table; /* number of the unit + 1; 0: free */
    int64_t slots;  /* of the table, a power of two */
    int64_t at_opening;
    pthread_mutex_t *lock; /* apart, so that a const journal can be locked */
};

/* ---- units in memory ---- */

static int64_t slot_of(const journal *j, const char *key)
{
    uint64_t hash = 0xcbf29ce484222325u; /* FNV-1a */
    for (const char *c = key; *c; c++) hash = (hash ^ (unsigned char)*c) * 0x100000001b3u;
    int64_t slot = (int64_t)(hash & (uint64_t)(j->slots - 1));
    while (j->table[slot] && strcmp(j->units[j->table[slot] - 1].key, key) != 0)
        slot = (slot + 1) & (j->slots - 1);
    return slot;
}

static int grow(journal *j)
{
    int64_t room = j->room ? 2 * j->room : 64;
    unit *units = realloc(j->units, (size_t)room * sizeof *units);
    if (!units) return 0;
    j->units = units;
    int64_t *table = calloc((size_t)(2 * room), sizeof *table);
    if (!table) return 0;
    free(j->table);
    j->table = table;
    j->slots = 2 * room;
    j->room = room;
    for (int64_t i = 0; i < j->count; i++) j->table[slot_of(j, j->units[i].key)] = i + 1;
    return 1;
}

static int remember(journal *j, const char *key, int64_t count, const double *values)
{
    if (j->count == j->room && !grow(j)) return 0;
    unit *u = &j->units[j->count];
    u->key = strdup(key);
    u->values = malloc((size_t)(count > 0 ? count : 1) * sizeof *values);
    if (!u->key || !u->values) {
        free(u->key);
        free(u->values);
        return 0;
    }
    u->count = count;
    if (count > 0) memcpy(u->values, values, (size_t)count * sizeof *values);
    j->table[slot_of(j, key)] = ++j->count;
    return 1;
}

/* ---- lines ---- */

static int is_key(const char *key)
{
    for (const char *c = key; *c; c++)
        if ((unsigned char)*c <= ' ' || *c == 0x7f) return 0;
    return key[0] != '\0' && key[0] != '#';
}

/* The line of a unit, which the caller frees; NULL when out of memory. */
static char *line_of(const char *key, int64_t count, const double *values, size_t *length)
{
    char *line = NULL;
    FILE *out = open_memstream(&line, length);
    if (!out) return NULL;
    fputs(key, out);
    for (int64_t i = 0; i < count; i++)
        if (isnan(values[i]))
            fputs(" nan", out);
        else
            fprintf(out, " %.17g", values[i]);
    fprintf(out, " %lld\n", (long long)count);
    int failed = ferror(out);
    if (fclose(out) == 0 && !failed) return line;
    free(line);
    return NULL;
}

/* The numbers of a line behind its key, the last of which says how many stand before it; -1 where
 * it does not. `room` numbers fit. */
static int64_t read_numbers(char *at, double *values, int64_t room)
{
    int64_t count = 0;
    while (*at == ' ' && count < room) {
        char *end;
        if (isspace((unsigned char)at[1])) return -1;
        values[count++] = strtod(at + 1, &end);
        if (end == at + 1) return -1;
        at = end;
    }
    return *at == '\0' && count > 0 && values[count - 1] == (double)(count - 1) ? count - 1 : -1;
}

/* 0 when out of memory; a damaged line is no error. */
static int read_line(journal *j, char *line)
{
    char *blank = strchr(line, ' ');
    if (!blank) return 1;
    int64_t room = 0;
    for (const char *c = blank; *c; c++) room += *c == ' ';
    double *values = malloc((size_t)room * sizeof *values);
    if (!values) return 0;
    int64_t count = read_numbers(blank, values, room);
    *blank = '\0';
    int kept = count < 0 || !is_key(line) || remember(j, line, count, values);
    free(values);
    return kept;
}

/* All lines but the first; a last one without its end is not looked at. */
static int read_lines(journal *j, char *text, size_t length)
{
    for (char *end, *line = text; (end = memchr(line, '\n', length - (size_t)(line - text)));
         line = end + 1) {
        *end = '\0';
        if (line != text && strlen(line) == (size_t)(end - line) && !read_line(j, line)) return 0;
    }
    return 1;
}

/* ---- the file ---- */

static rls2_status fail_at(const journal *j, rls2_error *err, int why)
{
    if (why == ENOMEM)
        return experiment_fail(err, RLS2_ERR_MEMORY, "out of memory for %s", j->path);
    return experiment_fail(err, RLS2_ERR_IO, "%s: %s", j->path, strerror(why));
}

/* One write(), so that a process that is killed leaves whole lines but perhaps the last. What a
 * full disk cut off is taken back. */
static rls2_status append(journal *j, const char *line, size_t length, rls2_error *err)
{
    ssize_t wrote;
    do {
        wrote = write(j->descriptor, line, length);
    } while (wrote < 0 && errno == EINTR);
    if (wrote == (ssize_t)length) {
        j->length += wrote;
        return RLS2_OK;
    }
    int why = wrote < 0 ? errno : ENOSPC;
    if (wrote > 0 && ftruncate(j->descriptor, j->length) != 0) why = errno;
    return fail_at(j, err, why);
}

/* The file, locked against another process that would do the same work. Before the lock was had,
 * the file may have been put aside by a process with other settings: then the one that has the name
 * now is opened. */
static rls2_status open_file(journal *j, rls2_error *err)
{
    for (;;) {
        struct stat about, named;
        j->descriptor = open(j->path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
        if (j->descriptor < 0 || fstat(j->descriptor, &about) != 0) return fail_at(j, err, errno);
        if (!S_ISREG(about.st_mode))
            return experiment_fail(err, RLS2_ERR_IO, "%s: is not a file", j->path);
        if (flock(j->descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
            return experiment_fail(err, RLS2_ERR_IO, "%s: another process is working on it",
                                   j->path);
        if (stat(j->path, &named) == 0 && named.st_dev == about.st_dev &&
            named.st_ino == about.st_ino)
            return RLS2_OK;
        close(j->descriptor);
        j->descriptor = -1;
    }
}

/* Through the descriptor: this is the file that is locked. The caller frees it; NULL and errno
 * where it fails. */
static char *read_descriptor(int descriptor, size_t *length)
{
    struct stat about;
    if (fstat(descriptor, &about) != 0) return NULL;
    size_t size = (size_t)about.st_size;
    char *text = malloc(size + 1);
    if (!text) errno = ENOMEM;
    for (*length = 0; text && *length < size;) {
        ssize_t got = pread(descriptor, text + *length, size - *length, (off_t)*length);
        if (got == 0) break;
        if (got > 0) {
            *length += (size_t)got;
        } else if (errno != EINTR) {
            int why = errno;
            free(text);
            errno = why;
            return NULL;
        }
    }
    return text;
}

/* Cuts off a last line without its end, so that the next one begins on its own. */
static rls2_status take_up(journal *j, char *text, size_t length, rls2_error *err)
{
    size_t whole = length;
    while (whole > 0 && text[whole - 1] != '\n') whole--;
    j->length = (off_t)whole;
    if (whole < length && ftruncate(j->descriptor, j->length) != 0) return fail_at(j, err, errno);
    return read_lines(j, text, whole) ? RLS2_OK : fail_at(j, err, ENOMEM);
}

/* A heading without a line behind it: stopped before anything was finished. */
static int has_units(const char *text, size_t length)
{
    const char *end = memchr(text, '\n', length);
    return text[0] != '#' || (end && end + 1 < text + length);
}

/* The file of these settings in the place of the one that is there. */
static rls2_status exchange(journal *j, const char *heading, int keep, rls2_error *err)
{
    int why = journal_make_way(j->path, heading, keep, j->kept, sizeof j->kept);
    if (why == EMFILE)
        return experiment_fail(err, RLS2_ERR_IO,
                               "%s: %d journals of other settings are kept beside it; remove some",
                               j->path, JOURNAL_OLD_MOST);
    if (why != 0) return fail_at(j, err, why);
    close(j->descriptor);
    return open_file(j, err);
}

/* The text is in use until the journal is read; NULL where that failed. */
static rls2_status read_locked(journal *j, char **text, size_t *length, rls2_error *err)
{
    free(*text);
    *text = read_descriptor(j->descriptor, length);
    return *text ? RLS2_OK : fail_at(j, err, errno);
}

static int is_of(const char *text, size_t length, const char *heading)
{
    return length >= strlen(heading) && memcmp(text, heading, strlen(heading)) == 0;
}

static rls2_status read_file(journal *j, const char *heading, rls2_error *err)
{
    size_t length = 0;
    char *text = NULL;
    rls2_status status = read_locked(j, &text, &length, err);
    if (status == RLS2_OK && length > 0 && !is_of(text, length, heading)) {
        status = exchange(j, heading, has_units(text, length), err);
        if (status == RLS2_OK) status = read_locked(j, &text, &length, err);
    }
    if (status == RLS2_OK && length == 0)
        status = append(j, heading, strlen(heading), err);
    else if (status == RLS2_OK && is_of(text, length, heading))
        status = take_up(j, text, length, err);
    else if (status == RLS2_OK) /* begun in between */
        status = experiment_fail(err, RLS2_ERR_IO, "%s: another process is working on it", j->path);
    free(text);
    return status;
}

/* "# NAME: SETTINGS; rls2 VERSION", on one line. */
static char *heading_line(const char *name, const char *settings)
{
    char *line = NULL;
    if (asprintf(&line, "# %s: %s; rls2 %s", name, settings, rls2_version()) < 0) return NULL;
    for (char *c = line; *c; c++)
        if (*c == '\n' || *c == '\r') *c = ' ';
    char *whole = NULL;
    if (asprintf(&whole, "%s\n", line) < 0) whole = NULL;
    free(line);
    return whole;
}

/* ---- for the experiments ---- */

static journal *create(void)
{
    journal *j = calloc(1, sizeof *j);
    if (!j) return NULL;
    j->descriptor = -1;
    j->lock = malloc(sizeof *j->lock);
    if (j->lock && pthread_mutex_init(j->lock, NULL) != 0) {
        free(j->lock);
        j->lock = NULL;
    }
    if (j->lock && grow(j)) return j;
    journal_close(j);
    return NULL;
}

rls2_status journal_open(const char *folder, const char *name, const char *settings,
                         journal **opened, rls2_error *err)
{
    journal *j = create();
    char *first = heading_line(name, settings);
    rls2_status status = RLS2_OK;
    if (!j || !first)
        status = experiment_fail(err, RLS2_ERR_MEMORY, "out of memory for a journal");
    else if (folder[0] == '\0')
        status = experiment_fail(err, RLS2_ERR_IO, "the name of the folder is empty");
    else if (snprintf(j->path, sizeof j->path, "%s/%s", folder, name) >= FILES_PATH - 32)
        status = experiment_fail(err, RLS2_ERR_IO, "%s: %s", folder, strerror(ENAMETOOLONG));
    if (status == RLS2_OK) status = files_make_folder(j->path, err);
    if (status == RLS2_OK) {
        strcat(j->path, "/journal.txt");
        status = open_file(j, err);
    }
    if (status == RLS2_OK) status = read_file(j, first, err);
    free(first);
    if (status != RLS2_OK) {
        journal_close(j);
        return status;
    }
    j->at_opening = j->count;
    *opened = j;
    return RLS2_OK;
}

const double *journal_find(const journal *j, const char *key, int64_t count)
{
    const double *values = NULL;
    pthread_mutex_lock(j->lock);
    int64_t number = j->table[slot_of(j, key)];
    if (number && j->units[number - 1].count == count) values = j->units[number - 1].values;
    pthread_mutex_unlock(j->lock);
    return values;
}

rls2_status journal_add(journal *j, const char *key, int64_t count, const double *values,
                        rls2_error *err)
{
    size_t length;
    if (!is_key(key) || count < 0)
        return experiment_fail(err, RLS2_ERR_ARGUMENT, "'%s' cannot be the key of a unit", key);
    char *line = line_of(key, count, values, &length);
    if (!line) return experiment_fail(err, RLS2_ERR_MEMORY, "out of memory for a journal");
    pthread_mutex_lock(j->lock);
    rls2_status status = append(j, line, length, err);
    if (status == RLS2_OK && !remember(j, key, count, values)) status = fail_at(j, err, ENOMEM);
    pthread_mutex_unlock(j->lock);
    free(line);
    return status;
}

rls2_status journal_open_for(const reproduction *r, const char *name, const char *settings,
                             journal **opened, rls2_error *err)
{
    rls2_status status = journal_open(r->output, name, settings, opened, err);
    if (status == RLS2_OK && journal_kept(*opened))
        experiment_note(r, "%s: a journal of other settings is kept as %s", name,
                        journal_kept(*opened));
    return status;
}

const char *journal_kept(const journal *j)
{
    return j->kept[0] ? j->kept : NULL;
}

int64_t journal_size(const journal *j)
{
    return j->at_opening;
}

void journal_close(journal *j)
{
    if (!j) return;
    for (int64_t i = 0; i < j->count; i++) {
        free(j->units[i].key);
        free(j->units[i].values);
    }
    if (j->descriptor >= 0) close(j->descriptor);
    if (j->lock) pthread_mutex_destroy(j->lock);
    free(j->lock);
    free(j->units);
    free(j->table);
    free(j);
}
