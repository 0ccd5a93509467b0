/* Cross-validation as it is kept. */
#ifndef RLS2_SELECT_CV_H
#define RLS2_SELECT_CV_H

#include "rls2/select.h"
#include "select/members.h"
#include "select/recipe.h"
#include "select/tally.h"

/* A baseline; without arrays where none was asked for. */
typedef struct rls2__cv_baseline {
    double *scores;      /* count x splits, as those of the path; NaN where it is not defined */
    double *nzero;       /* the same: kernels with weight */
    double *pooled;      /* as that of the path */
    rls2_cv_point point; /* at its best lambda; cvm is NaN where there is none */
} rls2__cv_baseline;

struct rls2_cv {
    rls2_measure measure;
    rls2_loss *losses; /* outputs: what they were learned with, and the scale of predictions */
    int64_t count;     /* lambdas */
    int64_t splits;
    int64_t rows; /* that were split */
    int64_t outputs;
    double *lambdas;     /* count, descending */
    double *weights;     /* splits: of their validation rows; 1 for a count of errors */
    int64_t repeat;      /* splits of one repeat */
    double overlap;      /* of random splits: validation rows over training rows; 0 for folds */
    int64_t unconverged; /* points of the splits' paths that the solver did not finish */
    double *scores;      /* count x splits: [i * splits + s] */
    double *nzero;       /* the same: kernels that any output selects */
    double *predictions; /* rows x outputs x count: [(i * outputs + o) * rows + row] */
    double
        *pooled; /* count x 2: measure of all left-out rows together and its standard error, where
                       splits are too small for it; else NULL */
    rls2__tally **shares;  /* outputs: what each kernel explains of left-out rows */
    rls2_cv_point *points; /* count */
    rls2__cv_baseline baselines[RLS2_BASELINE_COUNT];
    rls2__members *members;  /* what may be stacked with the path; NULL where nothing is to be */
    int64_t *owner;          /* rows: the first split that leaves the row out, -1: none does;
                               NULL where predictions are not kept */
    rls2_coverage *coverage; /* count x intervals; NULL: not asked for */
    int64_t intervals;       /* of a row */
    int64_t best;
    int64_t one_se;
};

typedef struct rls2__cv_options {
    rls2_measure measure; /* what is minimised, or maximised; default AUTO */
    int baselines;        /* 1: the baselines too, all lambdas of each at once; default 0 */
    int stack;            /* 1: and what may be stacked; default 0 */
    int threads; /* shared by the splits fitted at a time; 0 (default): one per core. Same results
                      for any number */
    rls2_progress_fn progress; /* splits done; called from the calling thread */
    void *progress_user;
    const rls2__fit *prepared; /* all rows as they are fitted, from which splits take theirs; NULL
                                  (default): each split prepares its own rows and kernels */
    int64_t at_a_time; /* most splits at a time, for their memory; 0 (default): as threads say */
} rls2__cv_options;

/* From RLS2__MANY_ROWS on splits take theirs, and their kernels, from all rows, and their paths end
 * at this gap: what is gained grows with the cube of the rows, what it changes falls with them.
 * At a relative gap g the fit is off by at most g (residual variance + penalty) in mean square,
 * while the standard error of a mean squared error is about sqrt(2/n) of it. [MATH.md, V5] */
#define RLS2__SPLIT_GAP 1e-3

/* Are kernels evaluated once for all splits? NEVER is for tests: the results differ by rounding. */
typedef enum rls2__sharing { RLS2__SHARING_NEVER, RLS2__SHARING_WHERE_IT_PAYS } rls2__sharing;

/* Cross-validation of the rows of from->whole, which were made of the table, by a recipe that
 * agrees with `from` (rls2__ingredients_copy). The arguments have been checked. */
rls2_status rls2__cv_run(const rls2_table *table, const rls2__ingredients *from,
                         const rls2__recipe *recipe, const rls2_splits *splits,
                         const rls2__cv_options *options, rls2__sharing sharing, rls2_cv **cv,
                         rls2_error *err);
void rls2__cv_destroy(rls2_cv *cv);

/* ---- a few lambdas at a time ---- */

typedef struct rls2__cv_job rls2__cv_job;

/* As rls2__cv_run, but the recipe's lambdas are not looked at. What it is given stays borrowed
 * until it is freed. */
rls2_status rls2__cv_begin(const rls2_table *table, const rls2__ingredients *from,
                           const rls2__recipe *recipe, const rls2_splits *splits,
                           const rls2__cv_options *options, rls2__cv_job **job, rls2_error *err);
/* How far splits are to come. */
typedef struct rls2__cv_step {
    int64_t splits;               /* those concerned, the first */
    int64_t count;                /* lambdas, no fewer than before, ... */
    const double *lambdas;        /* ... which begin with those there were, descending */
    const rls2_path *const *like; /* outputs: paths of all rows to start from; NULL: none */
    int keeps_open;               /* 1: kernels and paths are kept for further steps */
} rls2__cv_step;
rls2_status rls2__cv_advance(rls2__cv_job *job, const rls2__cv_step *step, rls2_error *err);
/* The curve when all splits have come as far as each other; the shares are only sums still. Lives
 * as long as the job. */
rls2_status rls2__cv_look(rls2__cv_job *job, const rls2_cv **cv, rls2_error *err);
/* rls2__curve_has_turned of what is there. */
int rls2__cv_has_turned(const rls2__cv_job *job, int64_t splits, int64_t margin);
/* The curve is the caller's then. The job is to be freed even where it fails. */
rls2_status rls2__cv_finish(rls2__cv_job *job, rls2_cv **cv, rls2_error *err);
/* NULL is accepted. */
void rls2__cv_job_free(rls2__cv_job *job);

/* A model at lambda i remembers what the curve says there. RLS2_ERR_MEMORY only. */
rls2_status rls2__cv_tell_model(const rls2_cv *cv, int64_t i, rls2_model *model);

#endif
