/* A bar with the time left, redrawn at most ten times a second on stderr when that is a terminal
 * and --quiet is not given; erased at the end. Its `callback` also stops the library on Ctrl-C, and
 * so is to be used even where nothing is drawn. */
#ifndef RLS2_CLI_PROGRESS_H
#define RLS2_CLI_PROGRESS_H

#include "cli/settings.h"
#include "rls2/rls2.h"

struct stage_clock;

typedef struct progress {
    const settings *settings;
    int draws; /* 1 if there is something to see */
    int keeps; /* 1: from the first lambda of a path on Ctrl-C waits for the library */
    struct stage_clock *clock; /* of whoever notes when stages end */
    const char *stage;         /* of the last call */
    double started;            /* of the stage, seconds */
    double drawn;              /* last time */
    int width;                 /* characters on the line now */
    int64_t done;              /* steps at the last call, */
    double stepped;            /* when the last of them was done, */
    double step;               /* and seconds a step takes, of late */
} progress;

progress progress_start(const settings *s);
/* An rls2_progress_fn; `user` is a progress. Handles stages whose steps are not equally long: the
 * time left is estimated from the last steps. */
int progress_callback(void *user, const rls2_progress *at);
/* The same where there is no total: so many rows are done. */
void progress_rows(progress *p, int64_t rows);
/* The same of anything: "kB of FILE". */
void progress_count(progress *p, int64_t count, const char *what);
void progress_end(progress *p);

#endif
