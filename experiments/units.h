/* Many like units of work, some at a time, each kept in the journal as soon as it is done.
 *
 * A unit is computed on one thread and depends on its number alone, so that the results are the
 * same for any number of threads, and after a stop as without one. Progress is told, and asked
 * whether to stop, from the calling thread. */
#ifndef RLS2_EXPERIMENTS_UNITS_H
#define RLS2_EXPERIMENTS_UNITS_H

#include "experiments/experiment.h"
#include "experiments/journal.h"

enum { UNIT_KEY_ROOM = 96 };

/* For the progress option of long calls inside a unit: units_watch with the unit's `watch` as user.
 */
typedef struct units_watcher units_watcher;
int units_watch(void *watch, const rls2_progress *unused);

typedef struct units {
    const char *stage; /* static text */
    int64_t count;
    int64_t width;  /* numbers of each */
    int64_t before; /* units of the experiment that were done before these, ... */
    int64_t total;  /* ... and all there are */
    void *user;
    void (*key)(const void *user, int64_t unit, char key[UNIT_KEY_ROOM]);
    /* values[width]; called from several threads. */
    rls2_status (*compute)(const void *user, int64_t unit, units_watcher *watch, double *values,
                           rls2_error *err);
} units;

/* 1 if the journal has all of them. */
int units_are_done(const units *all, const journal *j);
/* values[count x width], unit by unit: from the journal, or computed and added to it.
 * RLS2_ERR_CANCELLED when stopped. */
rls2_status units_run(const reproduction *r, const units *all, journal *j, double *values,
                      rls2_error *err);

/* Processor seconds of the calling thread so far. */
double units_seconds(void);

#endif
