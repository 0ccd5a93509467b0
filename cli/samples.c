/* Where the example tables lie. */
#include "cli/samples.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int has_samples(const char *folder)
{
    char path[SAMPLES_PATH + 32];
    snprintf(path, sizeof path, "%s/prostate.csv", folder);
    return access(path, R_OK) == 0;
}

const char *samples_find(const settings *s, char path[SAMPLES_PATH])
{
    static const char *const PLACES[] = {"../data", "../share/rls2/data"};
    const char *folder = s->data ? s->data : getenv("RLS2_DATA");
    char here[SAMPLES_PATH / 2];
    if (folder && folder[0]) return has_samples(folder) ? folder : NULL;
    if (has_samples("data")) return "data";
    ssize_t length = readlink("/proc/self/exe", here, sizeof here - 1);
    if (length <= 0) return NULL;
    here[length] = '\0';
    *strrchr(here, '/') = '\0';
    for (int i = 0; i < 2; i++) {
        snprintf(path, SAMPLES_PATH, "%s/%s", here, PLACES[i]);
        if (has_samples(path)) return path;
    }
    return NULL;
}
