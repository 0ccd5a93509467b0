/* Renames the journal of other settings, or brings back the one of these. */
#include "experiments/journal_old.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "experiments/files.h"

static void old_name(const char *path, int number, char *name, size_t size)
{
    if (number == 1)
        snprintf(name, size, "%s.old", path);
    else
        snprintf(name, size, "%s.old%d", path, number);
}

/* Without an allocation: want of memory must not look like want of a journal. */
static int begins_with(const char *path, const char *heading)
{
    char text[256];
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), same = descriptor >= 0;
    for (size_t at = 0, length = strlen(heading); same && at < length;) {
        size_t want = length - at < sizeof text ? length - at : sizeof text;
        ssize_t got = pread(descriptor, text, want, (off_t)at);
        if (got < 0 && errno == EINTR) continue;
        same = got > 0 && memcmp(text, heading + at, (size_t)got) == 0;
        if (same) at += (size_t)got;
    }
    if (descriptor >= 0) close(descriptor);
    return same;
}

/* Under a second name first, so that `path` is never without a file that this process has locked:
 * another process could begin one there, which would then be overwritten. Where files cannot have
 * two names it is renamed. */
static int put_aside(const char *path, char *kept, size_t size)
{
    for (int number = 1; number <= JOURNAL_OLD_MOST; number++) {
        old_name(path, number, kept, size);
        if (link(path, kept) == 0) return 0;
        if (errno != EEXIST) return rename(path, kept) == 0 ? 0 : errno;
    }
    return EMFILE;
}

/* The numbers may have gaps: those of journals that were taken up again. */
static int find_old(const char *path, const char *heading, char *found, size_t size)
{
    for (int number = 1; number <= JOURNAL_OLD_MOST; number++) {
        old_name(path, number, found, size);
        if (begins_with(found, heading)) return 1;
    }
    return 0;
}

int journal_make_way(const char *path, const char *heading, int has_units, char *kept, size_t size)
{
    char found[FILES_PATH + 16];
    int there = find_old(path, heading, found, sizeof found);
    int why = has_units ? put_aside(path, kept, size) : 0;
    if (!has_units || why != 0) kept[0] = '\0';
    if (why != 0) return why;
    if (there) return rename(found, path) == 0 ? 0 : errno;
    return unlink(path) == 0 || errno == ENOENT ? 0 : errno;
}
