/* Long calls: without the GIL, but with an ear for Ctrl-C. */
#include "py_core.h"

#include <time.h>

static const double LOOK_EVERY = 0.05; /* seconds between two looks for signals */
static const double TELL_EVERY = 0.1;  /* and between two words to the callable */

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

watch watch_begin(PyObject *callable)
{
    watch w = {.callable = callable == Py_None ? NULL : callable};
    w.looked = w.told = now();
    w.thread = PyEval_SaveThread();
    return w;
}

int watch_end(watch *w)
{
    PyEval_RestoreThread(w->thread);
    return PyErr_Occurred() ? -1 : 0;
}

/* 1 to stop: because it says so, or because of an exception. */
static int tell(watch *w, const rls2_progress *p)
{
    PyObject *result = PyObject_CallFunction(w->callable, "sLLdd", p->stage, (long long)p->done,
                                             (long long)p->total, p->lambda, p->gap);
    int stop = result ? PyObject_IsTrue(result) : 1;
    Py_XDECREF(result);
    return stop != 0;
}

/* An exception stays with the thread until watch_end; the library may ask again before it stops. */
static int watch_progress(void *user, const rls2_progress *progress)
{
    watch *w = user;
    double at = now();
    if (at - w->looked < LOOK_EVERY) return 0;
    w->looked = at;
    PyEval_RestoreThread(w->thread);
    int stop = PyErr_Occurred() || PyErr_CheckSignals() < 0;
    if (!stop && w->callable && at - w->told >= TELL_EVERY) {
        w->told = at;
        stop = tell(w, progress);
    }
    w->thread = PyEval_SaveThread();
    return stop;
}

rls2_control watch_control(watch *w, int threads)
{
    rls2_control control;
    rls2_control_init(&control, sizeof control);
    control.threads = threads;
    control.progress = watch_progress;
    control.user = w;
    return control;
}
