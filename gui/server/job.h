/* A run at work: what its stages share. */
#ifndef RLS2_GUI_JOB_H
#define RLS2_GUI_JOB_H

#include "gui/server/result.h"

/* What a run is made of. */
typedef enum stage {
    STAGE_KERNELS,
    STAGE_PATH,
    STAGE_MODELS,
    STAGE_SPLITS,
    STAGE_HALVES,
    STAGE_COUNT
} stage;

typedef struct job {
    state *state;
    run *run;
    run_plan plan;
    outcome outcome;
    int code; /* of what is done when a stage has ended, and why it failed */
    fault fault;
    stage stages[STAGE_COUNT]; /* in their order */
    int stage_count;           /* 0 until the first has begun */
    int complete;              /* all that was asked for is done */
    /* progress.c; times as of clock_seconds */
    stage now;
    double begun, told;
    double forecast; /* seconds of the whole fit, as they are expected before it; 0: not known */
    double stopped;  /* when it was first seen that somebody asked for it; 0: nobody has */
    double started[STAGE_COUNT]; /* 0: not yet */
    double took[STAGE_COUNT];    /* 0: not yet */
    int64_t done;                /* steps of the stage, when it was last looked at ... */
    double stepped;              /* ... and when they became as many */
    double point_started;        /* the lambda that is being looked at */
    int64_t before, whole;       /* STAGE_MODELS: steps before those counted now, and all of them */
} job;

/* ---- progress.c ---- */

/* From now on it is this one. */
void job_stage(job *j, stage now);
/* An rls2_progress_fn, `user` is a job: tells who listens, and stops the library when asked to. For
 * the worker thread. */
int job_progress(void *user, const rls2_progress *at);
/* The same for STAGE_MODELS, but a run that was stopped has a little while left: for what should
 * still be written down. */
int job_progress_patient(void *user, const rls2_progress *at);
/* Has somebody asked for it, or is the server closing? */
int job_is_stopped(const job *j);
/* Is nobody going to look at the result? */
int job_is_removed(const job *j);
/* Tells of the points of the result that have not been told of yet. */
void job_show_points(job *j, const json_t *points);
/* The library's error, unless the run was stopped. */
int job_failed(const job *j, const rls2_error *err, fault *f);

/* ---- stages.c ---- */

/* All of it. Also where it fails, or is stopped, what was finished is written down. */
int job_work(job *j, fault *f);

/* ---- models.c ---- */

/* Saves them. */
int job_models(job *j, fault *f);
/* Saves the one that was chosen on left-out rows again: it remembers how these fared. */
int job_chosen_model(const job *j, fault *f);

#endif
