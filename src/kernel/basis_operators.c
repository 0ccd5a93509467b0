/* Making all scalings and all operators of a basis, several kernels at a time. */
#include <math.h>
#include <omp.h>
#include <stdio.h>

#include "base/memory.h"
#include "base/status.h"
#include "kernel/basis_build.h"
#include "kernel/scaling.h"

/* Never more than there are processors: a thread that cannot be had would end the
 * process. */
int rls2__thread_count(int threads)
{
    int most = omp_get_num_procs();
    if (threads <= 0) threads = omp_get_max_threads();
    return threads < most ? threads : most;
}

/* A parallel loop over kernels reports the first failure in dictionary order, so that
 * the message does not depend on the number of threads. */
typedef struct failure {
    int64_t kernel;
    int status; /* rls2_status, or the one below */
} failure;
enum { TOO_MUCH = -1 }; /* the operators take more memory than was allowed */

static void note_failure(failure *first, int64_t kernel, int status)
{
#pragma omp critical(rls2_note_failure)
    if (first->status == RLS2_OK || kernel < first->kernel) {
        first->kernel = kernel;
        first->status = status;
    }
}

static rls2_status explain_scale(const rls2__kernel *kernel, rls2_scaling rule, double denominator,
                                 rls2_error *err)
{
    const char *what = rule == RLS2_SCALING_TRACE ? "trace" : "within-class variance";
    if (isfinite(denominator) && denominator <= 0.0)
        return rls2__fail(
            err, RLS2_ERR_VALUE,
            "kernel '%s' cannot be scaled: its %s is zero (the column is constant); drop the column "
            "or skip degenerate kernels",
            kernel->name, what);
    return rls2__fail(err, RLS2_ERR_VALUE,
                      "kernel '%s' cannot be scaled: its %s is %g, too large or too small", kernel->name,
                      what, denominator);
}

rls2_status rls2__scalings_by(int64_t m, const rls2__kernel *kernels, int64_t n,
                              const rls2_basis_options *options, rls2__denominator_fn denominator_of,
                              const void *from, double *s, rls2_error *err)
{
    int64_t extra = options->transductive ? options->transductive->n : 0;
    int threads = options->threads;
    int64_t room = rls2__add(n, extra);
    double *work = rls2__alloc(rls2__mul(room, threads), sizeof(double));
    if (!work) return rls2__fail_memory(err, "the scalings");
#pragma omp parallel for num_threads(threads) schedule(dynamic)
    for (int64_t k = 0; k < m; k++) s[k] = denominator_of(from, k, work + room * omp_get_thread_num());
    rls2__free(work);
    int64_t usable = 0;
    for (int64_t k = 0; k < m; k++) {
        double denominator = s[k];
        s[k] = rls2__scaling_of(options->scaling, denominator);
        if (isfinite(s[k]) && s[k] > 0.0) {
            usable++;
            continue;
        }
        if (!options->skip_degenerate) return explain_scale(&kernels[k], options->scaling, denominator, err);
        s[k] = 0.0;
    }
    if (usable > 0) return RLS2_OK;
    return rls2__fail(err, RLS2_ERR_VALUE,
                      "none of the %lld kernels can be scaled: all are constant on these rows", (long long)m);
}

typedef struct evaluated {
    const rls2__kernel *kernels;
    const rls2_rows *train;
    const rls2_basis_options *options;
} evaluated;

static double denominator_of(const void *from, int64_t k, double *work)
{
    const evaluated *it = from;
    return rls2__scaling_denominator(&it->kernels[k], it->train, it->options, work);
}

rls2_status rls2__scalings(int64_t m, const rls2__kernel *kernels, const rls2_rows *train,
                           const rls2_basis_options *options, double *s, rls2_error *err)
{
    evaluated it = {kernels, train, options};
    return rls2__scalings_by(m, kernels, train->n, options, denominator_of, &it, s, err);
}

/* ---- operators ---- */

rls2_status rls2__basis_evaluate(rls2_basis *basis, int64_t k, rls2__build_room *room)
{
    if (rls2__build_room_ready(basis, room) != RLS2_OK) return RLS2_ERR_MEMORY;
    return rls2__operator_build(&basis->kernels[k], &basis->rows, basis->s[k], basis->rank_tol, room,
                                &basis->ops[k]);
}

/* Reports to the callback from the calling thread only. */
static int wants_stop(const rls2_basis_options *options, int64_t done, int64_t total)
{
    if (!options->progress || omp_get_thread_num() != 0) return 0;
    rls2_progress progress = {"kernels", done, total, 0.0, 0.0};
    return options->progress(options->progress_user, &progress) != 0;
}

/* Adds to the total of all threads; is it beyond the limit? */
static int takes_too_much(int64_t *total, int64_t bytes, int64_t limit)
{
    int64_t now;
#pragma omp atomic capture
    now = *total += bytes;
    return limit > 0 && now > limit;
}

/* Of its own operators. */
int64_t rls2__basis_bytes(const rls2_basis *basis)
{
    int64_t total = 0;
    for (int64_t k = 0; k < basis->m; k++) total += basis->ops[k].bytes;
    return total;
}

static int64_t bytes_lent(const rls2_basis *basis)
{
    int64_t total = 0;
    for (const rls2_basis *lender = basis->lender; lender; lender = lender->lender)
        total += rls2__basis_bytes(lender);
    return total;
}

static failure make_all(rls2_basis *basis, const rls2_basis_options *options, rls2__make_fn make,
                        const void *from, rls2__build_room *rooms)
{
    failure first = {0, RLS2_OK};
    int64_t done = 0, reported = 0, bytes = bytes_lent(basis);
    int stop = 0;
#pragma omp parallel for num_threads(options->threads) schedule(dynamic)
    for (int64_t k = 0; k < basis->m; k++) {
        int stopped, failed;
#pragma omp atomic read
        stopped = stop;
        if (stopped) continue;
        rls2_status status = make(from, basis, k, &rooms[omp_get_thread_num()]);
        failed = status != RLS2_OK;
        if (!failed && !isfinite(basis->ops[k].norm)) status = RLS2_ERR_VALUE, failed = 1;
        if (failed) note_failure(&first, k, status);
        if (takes_too_much(&bytes, basis->ops[k].bytes, options->memory)) {
            note_failure(&first, k, TOO_MUCH);
#pragma omp atomic write
            stop = 1;
        }
        int64_t now;
#pragma omp atomic capture
        now = ++done;
        if (omp_get_thread_num() == 0) reported = now;
        if (wants_stop(options, now, basis->m)) {
            note_failure(&first, k, RLS2_ERR_CANCELLED);
#pragma omp atomic write
            stop = 1;
        }
    }
    /* the last kernel may have been another thread's */
    int silent = first.status == RLS2_OK && reported < basis->m;
    if (silent && wants_stop(options, basis->m, basis->m)) first.status = RLS2_ERR_CANCELLED;
    return first;
}

/* "100 MB" and the like. */
typedef struct amount {
    char text[32];
} amount;

static amount show_bytes(int64_t bytes)
{
    static const char *const units[] = {"bytes", "kB", "MB", "GB", "TB"};
    double value = (double)bytes;
    int unit = 0;
    while (value >= 1000.0 && unit < 4) value /= 1000.0, unit++;
    amount shown;
    snprintf(shown.text, sizeof shown.text, "%.4g %s", value, units[unit]);
    return shown;
}

/* The first that takes the sum beyond the limit, whichever thread was ahead. */
static int64_t kernel_beyond(const rls2_basis *basis, int64_t memory)
{
    int64_t k = 0, total = bytes_lent(basis) + basis->ops[0].bytes;
    while (total <= memory && k < basis->m - 1) total += basis->ops[++k].bytes;
    return k;
}

static rls2_status explain_build(const rls2_basis *basis, int64_t memory, failure first, rls2_error *err)
{
    const char *name = basis->kernels[first.kernel].name;
    switch (first.status) {
    case RLS2_OK: return RLS2_OK;
    case TOO_MUCH:
        first.kernel = kernel_beyond(basis, memory);
        name = basis->kernels[first.kernel].name;
        return rls2__fail(err, RLS2_ERR_MEMORY,
                          "kernel %lld of %lld, %s: the kernels take more than the %s allowed",
                          (long long)first.kernel + 1, (long long)basis->m, name, show_bytes(memory).text);
    case RLS2_ERR_CANCELLED:
        return rls2__fail(err, RLS2_ERR_CANCELLED, "cancelled while kernels were computed");
    case RLS2_ERR_VALUE:
        return rls2__fail(err, RLS2_ERR_VALUE, "kernel '%s' has values too large for a floating-point number",
                          name);
    default: return rls2__fail_memory(err, "the kernel matrices");
    }
}

rls2_status rls2__build_room_ready(const rls2_basis *basis, rls2__build_room *room)
{
    if (room->diagonal) return RLS2_OK;
    rls2_status status = rls2__build_room_create(basis->n, room);
    if (status != RLS2_OK) rls2__build_room_free(room);
    room->roots = basis->roots;
    room->weighted = basis->weighted;
    return status;
}

rls2_status rls2__basis_make_operators(rls2_basis *basis, const rls2_basis_options *options,
                                       rls2__make_fn make, const void *from, rls2_error *err)
{
    int threads = options->threads;
    rls2_status status = RLS2_OK;
    rls2__build_room *rooms = rls2__alloc_zero(threads, sizeof *rooms);
    basis->ops = rls2__alloc_zero(basis->m, sizeof *basis->ops);
    if (!rooms || !basis->ops) status = rls2__fail_memory(err, "the kernel matrices");
    if (status == RLS2_OK)
        status = explain_build(basis, options->memory, make_all(basis, options, make, from, rooms), err);
    for (int t = 0; rooms && t < threads; t++) rls2__build_room_free(&rooms[t]);
    rls2__free(rooms);
    return status;
}
