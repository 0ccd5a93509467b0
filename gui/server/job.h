/* A run at work: what its stages share. */
#ifndef RLS2_GUI_JOB_H
#define RLS2_GUI_JOB_H

#include "gui/server/result.h"

typedef struct job {
    state *state;
    run *run;
    problem problem;
    outcome outcome;
    double told;    /* when progress was last told */
    double started; /* the stage */
    char stage[32]; /* what the library's stages are part of; "" for its own names */
} job;

/* An rls2_progress_fn, `user` is a job: tells who listens, and stops the library when asked to. For the worker thread. */
int job_progress(void *user, const rls2_progress *at);
/* Has somebody asked for it, or is the server closing? */
int job_is_stopped(const job *j);
/* What the library's stages are part of from now on; "" for its own names. */
void job_stage(job *j, const char *stage);
/* The library's error, unless the run was stopped. */
int job_failed(const job *j, const rls2_error *err, const char *field, fault *f);
/* models.c: saves them. */
int job_models(job *j, fault *f);

#endif
