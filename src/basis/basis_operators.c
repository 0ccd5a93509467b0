/* Making all operators of a basis. */
#include "basis/basis_operators.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/invariant.h"
#include "base/memory.h"
#include "base/status.h"
#include "basis/basis_build.h"
#include "basis/growth.h"
#include "basis/operator.h"
#include "basis/operator_recomputed.h"
#include "basis/parts.h"

/* ---- operators ---- */

rls2_status rls2__basis_evaluate(rls2_basis *basis, int64_t k, rls2__build_room *room)
{
    if (rls2__build_room_ready(basis, room) != RLS2_OK) return RLS2_ERR_MEMORY;
    return rls2__operator_build(&basis->kernels[k], &basis->rows, basis->s[k], basis->rank_tol,
                                room, &basis->ops[k]);
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
    int ways = (op->factor != NULL) + (op->packed != NULL) + (op->rounded != NULL) +
               (op->full != NULL) + (op->kernel != NULL);
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

/* Several kernels at a time report the first failure in dictionary order, so that the message does
 * not depend on the number of threads. */
typedef struct failure {
    int64_t kernel;
    rls2_status status;
} failure;

/* So many kernels are looked at before their factors are grown together: enough for all threads,
 * and no more factors at a time than that. */
enum { BATCH = 16, MANY_AT_ONCE = 4096 };

typedef struct making {
    rls2__effort *effort;
    rls2_basis *basis;
    const rls2_basis_options *options;
    rls2__make_fn make; /* of the step at hand */
    const void *from;
    rls2__build_room *rooms; /* one for each thread */
    const int64_t *list;     /* kernels of this step */
    rls2_status *statuses;   /* m */
    rls2__growth **growths;  /* m: what is left to be grown, or NULL */
    atomic_llong done;       /* operators that have a shape */
    failure first;
} making;

/* Tells the callback how many there are, from the calling thread alone. */
static void tell(making *it)
{
    rls2_progress at = {
        .stage = "kernels", .done = (int64_t)atomic_load(&it->done), .total = it->basis->m};
    rls2__effort_tell(it->effort, &at);
}

static void count_done(making *it, int64_t k, int thread)
{
    if (!it->basis->ops[k].shape && it->statuses[k] == RLS2_OK) return;
    atomic_fetch_add(&it->done, 1);
    if (thread == 0) tell(it);
}

static void make_one(making *it, int64_t k, int thread)
{
    rls2__build_room *room = &it->rooms[thread];
    rls2_status status = it->make(it->from, it->basis, k, room);
    if (status == RLS2_OK && !isfinite(it->basis->ops[k].norm)) status = RLS2_ERR_VALUE;
    it->statuses[k] = status;
    it->growths[k] = room->growth;
    room->growth = NULL;
    count_done(it, k, thread);
}

static void make_task(void *user, int64_t task, int thread)
{
    making *it = user;
    make_one(it, it->list[task], thread);
}

/* What became of kernels `from` to `end` - 1 of the list. */
static void note_failures(making *it, int64_t from, int64_t end)
{
    for (int64_t i = from; i < end; i++) {
        int64_t k = it->list[i];
        if (it->statuses[k] == RLS2_OK) continue;
        if (it->first.status == RLS2_OK || k < it->first.kernel)
            it->first = (failure){k, it->statuses[k]};
    }
}

static int is_over(making *it)
{
    if (it->first.status == RLS2_OK && rls2__effort_stopped(it->effort))
        it->first.status = RLS2_ERR_CANCELLED;
    return it->first.status != RLS2_OK;
}

/* Several at a time, each by one thread. */
static void make_together(making *it, int64_t count, const int64_t *list)
{
    it->list = list;
    (void)rls2__effort_each(it->effort, count, make_task, it);
    note_failures(it, 0, count);
}

/* One after the other, each by all threads. */
static void make_in_turn(making *it, int64_t count, const int64_t *list)
{
    it->list = list;
    it->rooms[0].effort = it->effort;
    for (int64_t i = 0; i < count && !is_over(it); i++) {
        make_one(it, list[i], 0);
        note_failures(it, i, i + 1);
    }
    it->rooms[0].effort = &it->rooms[0].alone;
}

/* ---- factors of many rows ---- */

/* Any thread may have any task. */
static rls2_status ready_rooms(making *it)
{
    for (int t = 0; t < it->effort->threads; t++)
        if (rls2__build_room_ready(it->basis, &it->rooms[t]) != RLS2_OK) return RLS2_ERR_MEMORY;
    return RLS2_OK;
}

static rls2_status finish_growth(making *it, rls2__growth *growth)
{
    rls2__build_room *room = &it->rooms[0];
    int64_t k = growth->of;
    if (growth->hopeless) return RLS2_OK; /* a triangle */
    room->effort = it->effort;
    rls2_status status = rls2__operator_build_grown(growth, room, &it->basis->ops[k]);
    room->effort = &room->alone;
    if (status == RLS2_OK && !isfinite(it->basis->ops[k].norm)) status = RLS2_ERR_VALUE;
    it->statuses[k] = status;
    rls2__effort_count(it->effort, it->basis->n * growth->rank);
    count_done(it, k, 0);
    return status;
}

/* Those that the last kernels were left for. */
static void grow_factors(making *it, int64_t count, const int64_t *list)
{
    rls2__growth *open[BATCH];
    int64_t growing = 0;
    for (int64_t i = 0; i < count; i++) {
        rls2__growth *growth = it->growths[list[i]];
        if (!growth) continue;
        growth->of = list[i];
        open[growing++] = growth;
    }
    rls2_status status = growing > 0 ? ready_rooms(it) : RLS2_OK;
    if (status == RLS2_OK && !is_over(it))
        status = rls2__growths_run(it->effort, growing, open, it->rooms);
    for (int64_t i = 0; i < growing && status == RLS2_OK && !is_over(it); i++)
        status = finish_growth(it, open[i]);
    if (status != RLS2_OK && it->first.status == RLS2_OK) it->first.status = status;
    for (int64_t i = 0; i < growing; i++) {
        it->growths[open[i]->of] = NULL;
        rls2__growth_free(open[i]);
    }
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

/* The first step: whatever needs no triangle, a batch after the other. */
static void make_lean(making *it, int64_t limit, unsigned char *made, int64_t *list, int64_t *total)
{
    rls2_basis *basis = it->basis;
    int few = rls2__are_many_rows(basis->n) || it->options->memory > 0;
    int64_t batch = few ? BATCH : MANY_AT_ONCE;
    for (int64_t k = 0; k < basis->m; k++) list[k] = k;
    for (int64_t first = 0; first < basis->m && !is_over(it); first += batch) {
        int64_t left = basis->m - first, count = left < batch ? left : batch;
        make_together(it, count, list + first);
        grow_factors(it, count, list + first);
        for (int64_t i = 0; i < count && !is_over(it); i++)
            keep_within(basis, first + i, limit, made, total);
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

/* Pairs of rows of the triangles that are still to be made, beside what has been counted. */
static void expect_triangles(making *it, int64_t count)
{
    int64_t n = it->basis->n;
    rls2__effort_expect(it->effort,
                        (int64_t)atomic_load(&it->effort->counted) + count * (n * (n + 1) / 2));
}

/* The second step: triangles as far as `bytes` go; the others are not stored. Whoever finds the
 * norm of one of those has a triangle meanwhile, so that no more work at a time than would fit into
 * the memory allowed. */
static rls2_status make_triangles(making *it, int64_t bytes, int64_t *list)
{
    rls2_basis *basis = it->basis;
    int64_t count = list_triangles(basis, list), n = basis->n;
    int64_t fit = bytes / (int64_t)sizeof(double) * 2 / n / (n + 1), most = it->options->memory;
    for (int t = 0; t < it->effort->threads; t++) it->rooms[t].triangles = 1;
    if (fit > count) fit = count;
    rls2__invariant(fit >= 0 && rls2__is_ascending(count, list, basis->m));
    if (fit < count && order_by_columns(basis, count, list) != RLS2_OK) return RLS2_ERR_MEMORY;
    expect_triangles(it, count);
    int in_turn = rls2__are_many_rows(n);
    if (in_turn)
        make_in_turn(it, fit, list);
    else
        make_together(it, fit, list);
    int64_t at_once = most / (int64_t)sizeof(double) * 2 / n / (n + 1) + 1;
    it->make = recompute;
    if (is_over(it)) return RLS2_OK;
    if (in_turn || at_once < it->effort->threads)
        make_in_turn(it, count - fit, list + fit);
    else
        make_together(it, count - fit, list + fit);
    return RLS2_OK;
}

/* Kernels that are likely to need all pairs of rows: before any is made nobody knows. */
static int64_t likely_pairs(const rls2_basis *basis)
{
    int64_t n = basis->n, pairs = 0, most = INT64_MAX / 4;
    for (int64_t k = 0; k < basis->m && pairs < most; k++)
        pairs += basis->kernels[k].column_count > 1 ? n * (n + 1) / 2 : n;
    return pairs;
}

static rls2_status make_all(making *it)
{
    rls2_basis *basis = it->basis;
    int64_t limit = it->options->memory > 0 ? it->options->memory : INT64_MAX,
            total = bytes_lent(basis);
    unsigned char *made = rls2__alloc_zero(basis->m, 1);
    int64_t *list = rls2__alloc(basis->m, sizeof *list);
    rls2_status status = made && list ? RLS2_OK : RLS2_ERR_MEMORY;
    rls2__effort_expect(it->effort,
                        (int64_t)atomic_load(&it->effort->counted) + likely_pairs(basis));
    if (status == RLS2_OK) make_lean(it, limit, made, list, &total);
    if (status == RLS2_OK && !is_over(it))
        status = make_triangles(it, limit > total ? limit - total : 0, list);
    rls2__free(made);
    rls2__free(list);
    /* the last kernel may have been another thread's */
    int silent = status == RLS2_OK && !is_over(it) && it->effort->at.done < basis->m;
    if (silent) tell(it);
    if (status == RLS2_OK) (void)is_over(it);
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

static void free_rooms(making *it)
{
    for (int t = 0; it->rooms && t < it->effort->threads; t++) rls2__build_room_free(&it->rooms[t]);
    for (int64_t k = 0; it->growths && k < it->basis->m; k++) rls2__growth_free(it->growths[k]);
    rls2__free(it->rooms);
    rls2__free(it->growths);
    rls2__free(it->statuses);
}

rls2_status rls2__basis_make_operators(rls2__effort *effort, rls2_basis *basis,
                                       const rls2_basis_options *options, rls2__make_fn make,
                                       const void *from, rls2_error *err)
{
    making it = {.effort = effort, .basis = basis, .options = options, .make = make, .from = from};
    it.rooms = rls2__alloc_zero(effort->threads, sizeof *it.rooms);
    it.statuses = rls2__alloc_zero(basis->m, sizeof *it.statuses);
    it.growths = rls2__alloc_zero(basis->m, sizeof(rls2__growth *));
    basis->ops = rls2__alloc_zero(basis->m, sizeof *basis->ops);
    rls2_status status =
        it.rooms && it.statuses && it.growths && basis->ops ? make_all(&it) : RLS2_ERR_MEMORY;
    if (status != RLS2_OK) it.first = (failure){0, status};
    status = explain_build(basis, it.first, err);
    for (int64_t k = 0; status == RLS2_OK && k < basis->m; k++)
        basis->recomputed += rls2__operator_is_recomputed(&basis->ops[k]);
    rls2__invariant(status != RLS2_OK || are_operators(basis));
    rls2__invariant(status != RLS2_OK || is_within_memory(basis, options->memory));
    free_rooms(&it);
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
