/* What the server keeps in memory: the tables and runs of its folder, the queue, and what is
 * loaded. One lock guards the lists and everything of a run that changes; `changed` is told of
 * every change. */
#ifndef RLS2_GUI_STATE_H
#define RLS2_GUI_STATE_H

#include <jansson.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#include "gui/server/cache.h"
#include "gui/server/fault.h"
#include "gui/server/store.h"
#include "rls2/rls2.h"

/* A table or a model file that was uploaded. */
typedef struct data_entry {
    char id[ID_LENGTH + 1];
    json_t *about; /* DataAbout, or ModelBrief; never changed once it is in the list */
    struct data_entry *next;
} data_entry;

typedef enum run_status { RUN_QUEUED, RUN_RUNNING, RUN_DONE, RUN_STOPPED, RUN_FAILED } run_status;

/* Where a run stands, as the events tell it. Times are in seconds. */
typedef struct run_progress {
    char stage[32];
    int number, count; /* of the stage, from 1, and of all stages */
    int64_t done, total;
    double lambda, gap;
    double eta;     /* of the whole run; negative: not known yet */
    double elapsed; /* of the whole run */
    double share;   /* of the whole run, 0 to 1; never falls */
} run_progress;

/* A lambda of the path that is finished, told while the others are not. NaN: not known. */
typedef struct live_point {
    double lambda, df, gap, seconds;
    int64_t selected;
} live_point;

typedef struct run {
    char id[ID_LENGTH + 1];
    int users;     /* the list, the worker, streams: freed with the last */
    int removed;   /* from the list, and its files are to go */
    json_t *about; /* RunAbout without what stands below */
    json_t *asked; /* what is to be done: gui/server/run_plan.h */
    run_status status;
    run_status told; /* as it was last told: a run is done for others when that is on the disk */
    double seconds;
    run_progress progress;
    live_point *points; /* finished so far, in the order of the path */
    int64_t point_count, point_room;
    int has_result;   /* result.json, profile.json and the models are there, if perhaps not the last
                         word */
    int64_t version;  /* counts changes of progress and status */
    atomic_int stop;  /* asks the work to end */
    struct run *next; /* older */
} run;

typedef struct state {
    store store;
    char samples[STORE_PATH / 2]; /* folder of the built-in tables; "" where there is none */
    int threads;
    pthread_mutex_t lock;
    pthread_mutex_t saving; /* who writes down a run, that no older word overwrites a newer one */
    pthread_cond_t changed;
    data_entry *data;   /* newest first */
    data_entry *opened; /* model files, newest first */
    run *runs;          /* newest first */
    int64_t edition;    /* counts changes of the lists and of what they show */
    atomic_int closing;
    cache *tables; /* by id of the data */
    cache *models; /* by "RUN/I", and those of files by "ID/" */
} state;

/* Reads the folder, making it where it is not there. Runs that were not finished are stopped ones
 * from now on. */
int state_open(state *s, const char *folder, int64_t quota, fault *f);
void state_close(state *s);

const char *run_status_name(run_status status);

/* ---- data ---- */

/* The table of that id, loaded; returned by cache_return(s->tables, ...). */
int state_table(state *s, const char *field, const char *id, cached **table, fault *f);
/* Name of the data as uploaded, copied; 0 if there are none of that id. */
int state_data_name(state *s, const char *id, char *name, size_t size);
/* How the file is to be read, as it was said when it was uploaded: a new object, or NULL. */
json_t *state_reading(state *s, const char *id);

/* ---- runs ---- */

/* The run, to be given back by run_release; NULL if there is none. */
run *state_run(state *s, const char *id);
void run_release(state *s, run *r);
/* Runs that are to be done before a queued one. The lock is held. */
int64_t run_before(const run *r);
/* RunAbout as it stands, a new object; NULL when out of memory. The lock is held. */
json_t *run_about(const run *r);
/* Makes runs/ID with its about.json. */
int run_begin(state *s, run *r, fault *f);
/* Writes that file anew. The lock is not held. */
int run_save(state *s, run *r, fault *f);
/* The lists, or what they show of a run or table, are others now. The lock is held. */
void state_changed(state *s);
/* Tells everybody who listens. The lock is held. */
void run_changed(state *s, run *r);

#endif
