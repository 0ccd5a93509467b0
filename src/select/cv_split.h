/* One split of a cross-validation. */
#ifndef RLS2_SELECT_CV_SPLIT_H
#define RLS2_SELECT_CV_SPLIT_H

#include <pthread.h>
#include <stdatomic.h>

#include "select/cv.h"
#include "select/pooled.h"
#include "select/recipe.h"

/* What all splits are made of, and where they put what they find. */
typedef struct rls2__cv_job {
    const rls2_table *table;
    const rls2__recipe *recipe;
    const rls2_splits *splits;
    const rls2__cv_options *options;
    const rls2_dataset *whole;     /* rows, columns, text values, classes */
    rls2__ingredients ingredients; /* which do not change while splits are fitted */
    int64_t *owner;          /* rows: the first split that leaves the row out, -1 if none does */
    rls2__tally **waiting;   /* splits x outputs: not yet added to the sums of all */
    unsigned char *finished; /* splits: have they left theirs? */
    rls2__pooled pool;       /* empty where splits are large enough for the measure */
    rls2_cv *cv;
    pthread_t caller;
    atomic_int stop;          /* cancelled, or a split failed */
    atomic_llong done;        /* splits */
    atomic_llong unconverged; /* points */
} rls2__cv_job;

/* How everything of a job is watched that can be stopped, on so many threads. */
rls2_control rls2__cv_control(rls2__cv_job *job, int threads);
/* Progress of a job, for everything that can be stopped: only the thread that called may call back,
 * the others look at the flag. */
int rls2__cv_report(void *job, const rls2_progress *unused);

/* Fits the training rows of split s and scores its validation rows; writes to the places of s only.
 */
rls2_status rls2__cv_split(rls2__cv_job *job, int64_t s, rls2_error *err);

#endif
