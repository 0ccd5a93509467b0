/* The paper's experiments: what each is given, and what it hands back.
 *
 * An experiment computes in units (a split of the rows, a size of the training set), keeps each
 * finished unit in a journal, so that it can be stopped and taken up again, and ends with a sheet
 * of tables and figures, ours beside the paper's. Built on the public API alone. */
#ifndef RLS2_EXPERIMENTS_EXPERIMENT_H
#define RLS2_EXPERIMENTS_EXPERIMENT_H

#include "experiments/sheet.h"
#include "rls2/rls2.h"

/* What was asked for. Borrowed throughout. */
typedef struct reproduction {
    const char
        *output; /* folder of the results; an experiment may keep its journal in OUTPUT/NAME/ */
    const char *const *folders; /* where data may be, looked through in this order, */
    int folder_count;           /* this many */
    int64_t splits; /* how many splits or repetitions for a quick look; 0: the experiment's own
                       number */
    int threads;    /* units computed at a time; 0: one per core. Same results for any number */
    uint64_t seed;
    rls2_solver solver;        /* NEWTON at gap 1e-6, or ALTERNATE with the paper's stop; for uci */
    rls2_progress_fn progress; /* stage (static text), units done, units in all; non-zero stops.
                                  From the calling thread; may be NULL */
    void *progress_user;
    void (*note)(void *user,
                 const char *text); /* a remark, one line without a newline; may be NULL */
    void *note_user;
} reproduction;

/* RLS2_OK with a sheet of results, which the caller frees; RLS2_ERR_CANCELLED when stopped (what
 * was finished is in the journal); RLS2_ERR_NAME when data are missing: the message says which and
 * where they are to be had. */
typedef rls2_status (*experiment_fn)(const reproduction *r, sheet **results, rls2_error *err);

typedef struct experiment {
    const char *name;    /* as on the command line */
    const char *other;   /* name of its sheet with the solver ALTERNATE; NULL where the solver makes
                            no difference */
    const char *summary; /* one line */
    experiment_fn run;
} experiment;

/* binary-strings, prostate, uci, cancers; in the order of the paper. */
const experiment *experiments(int *count);

rls2_status experiment_binary_strings(const reproduction *r, sheet **results, rls2_error *err);
rls2_status experiment_prostate(const reproduction *r, sheet **results, rls2_error *err);
rls2_status experiment_uci(const reproduction *r, sheet **results, rls2_error *err);
rls2_status experiment_cancers(const reproduction *r, sheet **results, rls2_error *err);

/* ---- helpers for all of them (experiments/common.c) ---- */

/* Fills err, in the manner of the library; returns status. err may be NULL. */
rls2_status experiment_fail(rls2_error *err, rls2_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Where the file is: the first folder that has it, as a path; 0 if none has. */
int experiment_find(const reproduction *r, const char *file, char *path, size_t size);
/* A plan with these settings, the last of which has a name of NULL. */
typedef struct experiment_setting {
    const char *name, *value;
} experiment_setting;
rls2_status experiment_plan(rls2_goal goal, const experiment_setting *settings, rls2_plan **plan,
                            rls2_error *err);
/* Calls r->note with the formatted text. */
void experiment_note(const reproduction *r, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* 1 if the progress callback asks to stop. Only from the calling thread. */
int experiment_report(const reproduction *r, const char *stage, int64_t done, int64_t total);
/* r->threads, or one per processor. */
int experiment_threads(const reproduction *r);

/* Random numbers of their own: the public API draws none. Same seed, same numbers, everywhere. */
typedef struct experiment_random {
    uint64_t state[4];
} experiment_random;
void experiment_random_seed(experiment_random *random, uint64_t seed);
double experiment_random_uniform(experiment_random *random); /* 0 <= u < 1 */
double experiment_random_normal(experiment_random *random);

/* Mean, and standard deviation with divisor n - 1 (0 for n = 1), of the numbers value(user, 0),
 * ..., value(user, n - 1) that are not NaN. */
typedef struct experiment_moments {
    double mean;
    double deviation;
    int64_t count;
} experiment_moments;
typedef double (*experiment_value)(const void *user, int64_t i);
experiment_moments experiment_moments_by(int64_t n, experiment_value value, const void *user);

#endif
