/* Making all scalings and all operators of a basis, several kernels at a time. */
#include "basis/basis_operators.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>

#include "base/crew.h"
#include "base/invariant.h"
#include "base/memory.h"
#include "base/status.h"
#include "basis/basis_build.h"
#include "basis/operator.h"
#include "basis/operator_recomputed.h"
#include "basis/scaling.h"

/* A parallel loop over kernels reports the first failure in dictionary order, so that
 * the message does not depend on the number of threads. */
typedef struct failure {
    int64_t kernel;
    int status; /* rls2_status */
} failure;

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
        return rls2__fail(err, RLS2_ERR_VALUE,
                          "kernel '%s' cannot be scaled: its %s is zero (the column is constant); "
                          "drop the column "
                          "or skip degenerate kernels",
                          kernel->name, what);
    if (isnan(denominator))
        return rls2__fail(
            err, RLS2_ERR_VALUE,
            "kernel '%s': the data it looks at are too large or too small to compute with (their "
            "squares are beyond what a number can hold): scale them",
            kernel->name);
    return rls2__fail(err, RLS2_ERR_VALUE,
                      "kernel '%s' cannot be scaled: its %s is %g, too large or too small",
                      kernel->name, what, denominator);
}

rls2_status rls2__scalings_by(int64_t m, const rls2__kernel *kernels, int64_t n,
                              const rls2_basis_options *options, int threads,
                              rls2__denominator_fn denominator_of, const void *from, double *s,
                              rls2_error *err)
{
    int64_t extra = options->transductive ? options->transductive->n : 0;
    int64_t room = rls2__add(n, extra);
    double *work = rls2__alloc(rls2__mul(room, threads), sizeof(double));
    if (!work) return rls2__fail_memory(err, "the scalings");
#pragma omp parallel for num_threads(rls2__crew_room(threads)) schedule(dynamic)
    for (int64_t k = 0; k < m; k++)
        s[k] = denominator_of(from, k, work + room * omp_get_thread_num());
    rls2__free(work);
    int64_t usable = 0;
    for (int64_t k = 0; k < m; k++) {
        double denominator = s[k];
        s[k] = rls2__scaling_of(options->scaling, denominator);
        if (isfinite(s[k]) && s[k] > 0.0) {
            usable++;
            continue;
        }
        if (!options->skip_degenerate)
            return explain_scale(&kernels[k], options->scaling, denominator, err);
        s[k] = 0.0;
    }
    rls2__invariant(rls2__is_finite(m, s) && rls2__is_nonnegative(m, s));
    if (usable > 0) return RLS2_OK;
    return rls2__fail(err, RLS2_ERR_VALUE,
                      "none of the %lld kernels can be scaled: all are constant on these rows",
                      (long long)m);
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
                           const rls2_basis_options *options, int threads, double *s,
                           rls2_error *err)
{
    evaluated it = {kernels, train, options};
    return rls2__scalings_by(m, kernels, train->n, options, threads, denominator_of, &it, s, err);
}

/* ---- operators ---- */

rls2_status rls2__basis_evaluate(rls2_basis *basis, int64_t k, rls2__build_room *room)
{
    if (rls2__build_room_ready(basis, room) != RLS2_OK) return RLS2_ERR_MEMORY;
    return rls2__operator_build(&basis->kernels[k], &basis->rows, basis->s[k], basis->rank_tol,
                                room, &basis->ops[k]);
}

/* Reports to the callback from the calling thread only. */
static int wants_stop(const rls2_control *control, int64_t done, int64_t total)
{
    if (!control->progress || omp_get_thread_num() != 0) return 0;
    rls2_progress progress = {.stage = "kernels", .done = done, .total = total};
    return control->progress(control->user, &progress) != 0;
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

/* The values lie in one way, and norm, trace and slack are what solvers rely on. */
RLS2__CHECK int is_operator(const rls2_basis *basis, const rls2__operator *op)
{
    int ways =
        (op->factor != NULL) + (op->packed != NULL) + (op->full != NULL) + (op->kernel != NULL);
    return op->shape && ways == 1 && op->rank >= 0 && op->rank <= basis->n && op->scale >= 0.0 &&
           isfinite(op->scale) && op->norm >= 0.0 && isfinite(op->norm) && op->slack >= 0.0 &&
           isfinite(op->slack) && rls2__trace_is_usable(op->trace) && op->bytes >= 0 &&
           (op->bytes == 0 || op->owned);
}

RLS2__CHECK int are_operators(const rls2_basis *basis)
{
    for (int64_t k = 0; k < basis->m; k++)
        if (!is_operator(basis, &basis->ops[k])) return 0;
    return 1;
}

/* Nothing of its own, or no more than is allowed, what it borrows included. */
RLS2__CHECK int is_within_memory(const rls2_basis *basis, int64_t memory)
{
    int64_t own = rls2__basis_bytes(basis);
    return memory <= 0 || own == 0 || own + bytes_lent(basis) <= memory;
}

/* Making operators, several at a time. */
typedef struct making {
    rls2_basis *basis;
    const rls2_basis_options *options;
    const rls2_control *control;
    rls2__make_fn make;
    const void *from;
    rls2__build_room *rooms; /* one for each thread */
    failure first;
    int64_t done;     /* operators that have a shape */
    int64_t reported; /* of them, when the callback was last asked */
    int stop;
} making;

static void stop_making(making *it, int64_t kernel, int status)
{
    note_failure(&it->first, kernel, status);
#pragma omp atomic write
    it->stop = 1;
}

/* Tells the callback that one operator more is there. */
static void count_done(making *it, int64_t k)
{
    int64_t now;
#pragma omp atomic capture
    now = ++it->done;
    if (omp_get_thread_num() == 0) it->reported = now;
    if (wants_stop(it->control, now, it->basis->m)) stop_making(it, k, RLS2_ERR_CANCELLED);
}

static int is_stopped(making *it)
{
    int stopped;
#pragma omp atomic read
    stopped = it->stop;
    return stopped;
}

static void make_one(making *it, rls2__make_fn make, int64_t k)
{
    rls2_basis *basis = it->basis;
    rls2_status status = make(it->from, basis, k, &it->rooms[omp_get_thread_num()]);
    if (status == RLS2_OK && !isfinite(basis->ops[k].norm)) status = RLS2_ERR_VALUE;
    if (status != RLS2_OK) note_failure(&it->first, k, status);
    if (basis->ops[k].shape || status != RLS2_OK) count_done(it, k);
}

/* ---- what is stored, within a limit of memory ---- */

/* The operator that takes most of those made so far, the later of two that take as much; -1 where
 * none takes anything. */
static int64_t largest_stored(const rls2_basis *basis, const unsigned char *made)
{
    int64_t best = -1;
    for (int64_t k = 0; k < basis->m; k++)
        if (made[k] && basis->ops[k].bytes > 0 &&
            (best < 0 || basis->ops[k].bytes >= basis->ops[best].bytes))
            best = k;
    return best;
}

/* Gives the largest factors up while all together take more than the limit. Whatever the order in
 * which they come, the smallest that fit together are left: they are never more than the limit by
 * themselves, so that one of the others is larger. */
static void keep_within(rls2_basis *basis, int64_t k, int64_t limit, unsigned char *made,
                        int64_t *total)
{
#pragma omp critical(rls2_keep_within)
    {
        made[k] = 1;
        *total += basis->ops[k].bytes;
        while (*total > limit) {
            int64_t largest = largest_stored(basis, made);
            if (largest < 0) break;
            *total -= basis->ops[largest].bytes;
            rls2__operator_unstore(basis, largest);
        }
        rls2__invariant(*total >= 0);
    }
}

/* The first step: whatever needs no triangle. */
static void make_lean(making *it, int64_t limit, unsigned char *made, int64_t *total)
{
    rls2_basis *basis = it->basis;
#pragma omp parallel for num_threads(rls2__crew_room(it->control->threads)) schedule(dynamic)
    for (int64_t k = 0; k < basis->m; k++) {
        if (is_stopped(it)) continue;
        make_one(it, it->make, k);
        keep_within(basis, k, limit, made, total);
    }
}

/* The kernels left without a shape, those that cost most to evaluate first: the more columns, the
 * more. */
static int64_t list_triangles(const rls2_basis *basis, int64_t *list)
{
    int64_t count = 0;
    for (int64_t k = 0; k < basis->m; k++)
        if (!basis->ops[k].shape) list[count++] = k;
    return count;
}

typedef struct choice {
    int64_t columns;
    int64_t kernel;
} choice;

static int by_columns(const void *a, const void *b)
{
    const choice *one = a, *other = b;
    if (one->columns != other->columns) return one->columns < other->columns ? 1 : -1;
    return (one->kernel > other->kernel) - (one->kernel < other->kernel);
}

static rls2_status order_by_columns(const rls2_basis *basis, int64_t count, int64_t *list)
{
    choice *choices = rls2__alloc(count, sizeof *choices);
    if (!choices) return RLS2_ERR_MEMORY;
    for (int64_t i = 0; i < count; i++)
        choices[i] = (choice){basis->kernels[list[i]].column_count, list[i]};
    qsort(choices, (size_t)count, sizeof *choices, by_columns);
    for (int64_t i = 0; i < count; i++) list[i] = choices[i].kernel;
    rls2__free(choices);
    return RLS2_OK;
}

static rls2_status recompute(const void *from, rls2_basis *basis, int64_t k, rls2__build_room *room)
{
    (void)from;
    if (rls2__build_room_ready(basis, room) != RLS2_OK) return RLS2_ERR_MEMORY;
    return rls2__operator_build_recomputed(basis, k, room);
}

static void make_listed(making *it, rls2__make_fn make, int threads, int64_t count,
                        const int64_t *list)
{
#pragma omp parallel for num_threads(rls2__crew_room(threads)) schedule(dynamic)
    for (int64_t i = 0; i < count; i++)
        if (!is_stopped(it)) make_one(it, make, list[i]);
}

/* The second step: triangles as far as `bytes` go; the others are not stored. Each thread has a
 * triangle while it finds the norm of one of those, so that no more work at a time than would fit
 * into the memory allowed. */
static rls2_status make_triangles(making *it, int64_t bytes, int64_t *list)
{
    rls2_basis *basis = it->basis;
    int64_t count = list_triangles(basis, list), n = basis->n;
    int64_t fit = bytes / (int64_t)sizeof(double) * 2 / n / (n + 1), most = it->options->memory;
    int threads = it->control->threads;
    for (int t = 0; t < threads; t++) it->rooms[t].triangles = 1;
    if (fit > count) fit = count;
    rls2__invariant(fit >= 0 && rls2__is_ascending(count, list, basis->m));
    if (fit < count && order_by_columns(basis, count, list) != RLS2_OK) return RLS2_ERR_MEMORY;
    make_listed(it, it->make, threads, fit, list);
    int64_t at_once = most / (int64_t)sizeof(double) * 2 / n / (n + 1) + 1;
    make_listed(it, recompute, at_once < threads ? (int)at_once : threads, count - fit, list + fit);
    return RLS2_OK;
}

static rls2_status make_all(making *it)
{
    rls2_basis *basis = it->basis;
    int64_t limit = it->options->memory > 0 ? it->options->memory : INT64_MAX,
            total = bytes_lent(basis);
    unsigned char *made = rls2__alloc_zero(basis->m, 1);
    int64_t *list = rls2__alloc(basis->m, sizeof *list);
    rls2_status status = made && list ? RLS2_OK : RLS2_ERR_MEMORY;
    if (status == RLS2_OK) make_lean(it, limit, made, &total);
    if (status == RLS2_OK && !it->stop && it->first.status == RLS2_OK)
        status = make_triangles(it, limit > total ? limit - total : 0, list);
    rls2__free(made);
    rls2__free(list);
    /* the last kernel may have been another thread's */
    int silent = status == RLS2_OK && it->first.status == RLS2_OK && it->reported < basis->m;
    if (silent && wants_stop(it->control, basis->m, basis->m))
        it->first.status = RLS2_ERR_CANCELLED;
    return status;
}

static rls2_status explain_build(const rls2_basis *basis, failure first, rls2_error *err)
{
    switch (first.status) {
    case RLS2_OK: return RLS2_OK;
    case RLS2_ERR_CANCELLED:
        return rls2__fail(err, RLS2_ERR_CANCELLED, "cancelled while kernels were computed");
    case RLS2_ERR_VALUE:
        return rls2__fail(
            err, RLS2_ERR_VALUE,
            "kernel '%s': its values are too large or too small to compute with (the trace of "
            "its scaled matrix is %.3g; it must be 0 or between %g and %g): scale the columns, "
            "or choose another scaling",
            basis->kernels[first.kernel].name, basis->ops[first.kernel].trace, RLS2__LEAST_TRACE,
            RLS2__MOST_TRACE);
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
                                       const rls2_control *control, rls2__make_fn make,
                                       const void *from, rls2_error *err)
{
    int threads = control->threads;
    rls2_status status = RLS2_OK;
    rls2__build_room *rooms = rls2__alloc_zero(threads, sizeof *rooms);
    basis->ops = rls2__alloc_zero(basis->m, sizeof *basis->ops);
    if (!rooms || !basis->ops) status = rls2__fail_memory(err, "the kernel matrices");
    if (status == RLS2_OK) {
        making it = {.basis = basis,
                     .options = options,
                     .control = control,
                     .make = make,
                     .from = from,
                     .rooms = rooms};
        status = make_all(&it);
        if (status != RLS2_OK) it.first = (failure){0, status};
        status = explain_build(basis, it.first, err);
    }
    for (int64_t k = 0; status == RLS2_OK && k < basis->m; k++)
        basis->recomputed += rls2__operator_is_recomputed(&basis->ops[k]);
    rls2__invariant(status != RLS2_OK || are_operators(basis));
    rls2__invariant(status != RLS2_OK || is_within_memory(basis, options->memory));
    for (int t = 0; rooms && t < threads; t++) rls2__build_room_free(&rooms[t]);
    rls2__free(rooms);
    return status;
}

/* ---- kernels left out ---- */

/* One without columns is a given matrix. */
static int looks_at_marked_alone(const rls2__kernel *kernel, const unsigned char *columns)
{
    for (int64_t t = 0; t < kernel->column_count; t++)
        if (!columns[kernel->columns[t]]) return 0;
    return kernel->column_count > 0;
}

rls2_status rls2__basis_leave_out(rls2_basis *basis, const unsigned char *columns, rls2_error *err)
{
    int64_t usable = 0;
    for (int64_t k = 0; k < basis->m; k++) {
        rls2__operator *op = &basis->ops[k];
        if (looks_at_marked_alone(&basis->kernels[k], columns)) {
            basis->recomputed -= rls2__operator_is_recomputed(op);
            basis->s[k] = 0.0;
            rls2__operator_free(op);
            if (rls2__operator_zero(op) != RLS2_OK) return rls2__fail_memory(err, "the basis");
        }
        usable += basis->s[k] > 0.0;
    }
    if (usable > 0) return RLS2_OK;
    return rls2__fail(err, RLS2_ERR_VALUE,
                      "none of the %lld kernels looks at a category that these rows have",
                      (long long)basis->m);
}
