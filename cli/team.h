/* Processes that were started together by mpirun, and work as one command: each on its own files,
 * the first for all of them. Built with RLS2_MPI; else a process is always alone. */
#ifndef RLS2_CLI_TEAM_H
#define RLS2_CLI_TEAM_H

#include "cli/console.h"

typedef struct team {
    int rank, size; /* 0 of 1: alone */
} team;

/* Is this one of several processes of mpirun? */
int team_is_started(void);
/* EXIT_OK, or the exit code after a message: several processes, and no MPI in this build. */
int team_join(team *t);
void team_leave(const team *t);

/* The largest exit code of all, so that all go on or none does. */
int team_agree(const team *t, int code);

/* Something that has bytes and can be added up. */
typedef struct team_sum {
    rls2_status (*pack)(const void *object, void **bytes, int64_t *length, rls2_error *err);
    rls2_status (*unpack)(const void *bytes, int64_t length, void **object, rls2_error *err);
    rls2_status (*merge)(void *into, const void *from, rls2_error *err);
    void (*release)(void *object);
} team_sum;

/* *object, which may be NULL, becomes the sum of all where rank is 0, along a tree of pairs; of the
 * others it stays, or is the sum of some. EXIT_OK of all, or an exit code of all, after a message
 * of the one that failed. */
int team_add_up(const team *t, const settings *s, const team_sum *sum, void **object);
/* The object of rank 0 for all. */
int team_share(const team *t, const settings *s, const team_sum *sum, void **object);

#endif
