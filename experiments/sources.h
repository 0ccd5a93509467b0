/* Where data that are not in the source tree are to be had: experiments/sources.txt, which is part
 * of the program. */
#ifndef RLS2_EXPERIMENTS_SOURCES_H
#define RLS2_EXPERIMENTS_SOURCES_H

#include <stdint.h>

#include "rls2/status.h"

typedef struct source {
    const char *file;
    int64_t size; /* -1: not known */
    const char *checksum;
    const char *address;
} source;

typedef struct sources {
    char *text; /* holds the texts above */
    source *items;
    int count;
} sources;

/* Those of `path`; where it is NULL, the ones that are built in. Fails on a line that is not as it
 * should be, naming it. Free with sources_free in either case. */
rls2_status sources_read(const char *path, sources *list, rls2_error *err);
void sources_free(sources *list);

/* The text of experiments/sources.txt. */
extern const char sources_text[];

#endif
