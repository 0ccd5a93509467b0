/* One split of a cross-validation. */
#ifndef RLS2_SELECT_CV_SPLIT_H
#define RLS2_SELECT_CV_SPLIT_H

#include <pthread.h>
#include <stdatomic.h>

#include "select/cv.h"
#include "select/pooled.h"
#include "select/recipe.h"
#include "select/split_triangles.h"

/* The rows and kernels of a split, and the paths as far as they have come. */
typedef struct rls2__cv_open rls2__cv_open;

/* What all splits are made of, and where they put what they find. */
struct rls2__cv_job {
    const rls2_table *table;
    const rls2__recipe *recipe;
    const rls2_splits *splits;
    rls2__cv_options options;
    const rls2_dataset *whole;     /* rows, columns, text values, classes */
    rls2__ingredients ingredients; /* which do not change while splits are fitted */
    rls2__pooled pool;             /* empty where splits are large enough for the measure */
    rls2_cv *cv;

    int summed_up;                  /* were moments looked for? */
    rls2__split_triangles *moments; /* NULL: splits look at their rows themselves */
    int64_t *scored;                /* splits: so many lambdas have a score */
    rls2__cv_open **open;           /* splits: NULL where it is closed */
    rls2__tally **waiting;          /* splits x outputs: not yet added to those of all */
    unsigned char *finished;        /* splits: have they left theirs? */
    const rls2_path *const *like;   /* outputs: paths of all rows to start from; NULL: none */
    int keeps_open;                 /* splits will go on with further lambdas */
    int threads;                    /* of each split */

    pthread_t caller;
    atomic_int stop;          /* cancelled, or a split failed */
    atomic_llong done;        /* splits */
    atomic_llong unconverged; /* points */
};

/* How everything of a job is watched that can be stopped, on so many threads. */
rls2_control rls2__cv_control(rls2__cv_job *job, int threads);
/* Progress of a job, for everything that can be stopped: only the thread that called may call back,
 * the others look at the flag. */
int rls2__cv_report(void *job, const rls2_progress *unused);

/* Fits the training rows of split s at the lambdas of the curve that it has no score for, and
 * scores its validation rows there; writes to the places of s only. */
rls2_status rls2__cv_split(rls2__cv_job *job, int64_t s, rls2_error *err);
/* NULL is accepted. */
void rls2__cv_close(rls2__cv_open *open);

#endif
