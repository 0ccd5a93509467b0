/* Long calls: interrupts of the user, progress, and the library's errors as R's.
 *
 * R leaves a call by a jump, which would leave the library's memory behind. So it is asked in a
 * context of its own, from the thread that made the call, and the library stops by itself. */
#include "rls2_r.h"

#include <R_ext/Utils.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

static const double LOOK_EVERY = 0.05; /* seconds between two looks for interrupts */
static const double TELL_EVERY = 0.1;  /* and between two words to the function */

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void check_interrupt(void *unused)
{
    (void)unused;
    R_CheckUserInterrupt();
}

/* 1 where the function fails, or is interrupted. */
static int tell(SEXP function, const rls2_progress *p)
{
    int failed = 0;
    SEXP stage = PROTECT(Rf_mkString(p->stage)), done = PROTECT(Rf_ScalarReal((double)p->done));
    SEXP total = PROTECT(Rf_ScalarReal((double)p->total));
    SEXP call = PROTECT(Rf_lang4(function, stage, done, total));
    R_tryEval(call, R_GlobalEnv, &failed);
    UNPROTECT(4);
    return failed;
}

static int look(void *user, const rls2_progress *progress)
{
    watch *w = user;
    double at = now();
    if (w->stopped) return 1;
    if (at - w->looked < LOOK_EVERY) return 0;
    w->looked = at;
    if (!R_ToplevelExec(check_interrupt, NULL)) w->stopped = 1;
    if (!w->stopped && w->progress != R_NilValue && at - w->told >= TELL_EVERY) {
        w->told = at;
        w->stopped = tell(w->progress, progress);
    }
    return w->stopped;
}

/* OpenMP's threads do not survive a fork (parallel::mclapply): a child has one. */
static int threads_here(SEXP threads)
{
    static pid_t home;
    if (!home) home = getpid();
    return getpid() == home ? Rf_asInteger(threads) : 1;
}

rls2_control watch_control(watch *w, SEXP progress, SEXP threads)
{
    rls2_control control;
    w->progress = progress;
    w->looked = w->told = now();
    w->stopped = 0;
    rls2_control_init(&control, sizeof control);
    control.threads = threads_here(threads);
    control.progress = look;
    control.user = w;
    return control;
}

void refuse(const watch *w, const rls2_error *err)
{
    if (w && w->stopped) Rf_errorcall(R_NilValue, "interrupted");
    Rf_errorcall(R_NilValue, "%s", err->message);
}
