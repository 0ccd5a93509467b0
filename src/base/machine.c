/* Asks the system for memory that is there and memory that may be taken.
 *
 * A group limits its members and those of all groups within it, so the least of a group and its
 * parents counts. Inside a container the path may be one that only the host can see; the mounted
 * root is then the group of the container. */
#include "base/machine.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { LONGEST = 4096 };

/* Version 1 writes a number near 2^63 for none, version 2 the word "max". */
static const double NO_LIMIT = 4e18;

static double read_limit(const char *folder, const char *name)
{
    char path[LONGEST + 64], text[64] = "";
    int length = snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = length > 0 && length < (int)sizeof path ? fopen(path, "r") : NULL;
    if (!file) return INFINITY;
    char *end = fgets(text, sizeof text, file), *rest = text;
    fclose(file);
    double value = end ? strtod(text, &rest) : 0.0;
    if (rest == text || !(value >= 0.0 && value < NO_LIMIT)) return INFINITY;
    return value;
}

/* The least of the folder root/path and those above it, up to root. */
static double least_of(const char *root, const char *path, const char *name)
{
    char folder[LONGEST];
    int length = snprintf(folder, sizeof folder, "%s%s", root, path);
    if (length < 0 || length >= (int)sizeof folder) return read_limit(root, name);
    double least = read_limit(root, name);
    for (size_t used = (size_t)length; used > strlen(root);) {
        least = fmin(least, read_limit(folder, name));
        while (used > strlen(root) && folder[--used] != '/') continue;
        folder[used] = '\0';
    }
    return least;
}

/* Is "memory" one of the names between the commas? */
static int has_memory(const char *controllers)
{
    static const char WORD[] = "memory";
    for (const char *at = controllers; *at; at += strcspn(at, ","), at += *at == ',')
        if (strcspn(at, ",") == strlen(WORD) && strncmp(at, WORD, strlen(WORD)) == 0) return 1;
    return 0;
}

/* A line is "NUMBER:CONTROLLERS:PATH"; version 2 has no controllers there. Where both versions are
 * in use the second is mounted beside the controllers of the first. */
static double limit_of_line(char *line, const char *mount)
{
    char root[LONGEST];
    char *controllers = strchr(line, ':'), *path = controllers ? strchr(controllers + 1, ':') : 0;
    if (!path) return INFINITY;
    *path++ = '\0';
    path[strcspn(path, "\n")] = '\0';
    controllers++;
    if (has_memory(controllers)) {
        snprintf(root, sizeof root, "%s/memory", mount);
        return least_of(root, path, "memory.limit_in_bytes");
    }
    if (*controllers) return INFINITY;
    snprintf(root, sizeof root, "%s/unified", mount);
    return fmin(least_of(mount, path, "memory.max"), least_of(root, path, "memory.max"));
}

double rls2__cgroup_limit(const char *groups, const char *mount)
{
    char line[LONGEST];
    double least = INFINITY;
    FILE *file = fopen(groups, "r");
    if (!file) return least;
    while (fgets(line, sizeof line, file)) least = fmin(least, limit_of_line(line, mount));
    fclose(file);
    return least;
}

static double resource_limit(int resource)
{
    struct rlimit limit;
    if (getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return INFINITY;
    return (double)limit.rlim_cur;
}

static double physical_memory(void)
{
    double pages = (double)sysconf(_SC_PHYS_PAGES), page = (double)sysconf(_SC_PAGESIZE);
    if (pages <= 0.0 || page <= 0.0) return INFINITY;
    return pages * page;
}

double rls2__memory_limit(void)
{
    double least =
        fmin(physical_memory(), rls2__cgroup_limit("/proc/self/cgroup", "/sys/fs/cgroup"));
    least = fmin(least, fmin(resource_limit(RLIMIT_AS), resource_limit(RLIMIT_DATA)));
    return least < NO_LIMIT ? least : 0.0;
}
