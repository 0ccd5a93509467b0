/* Scalings: what needs no pairs of rows kernel by kernel, the rest pair by pair, in parts of
 * several kernels at a time. */
#include "basis/basis_scalings.h"

#include <math.h>

#include "base/invariant.h"
#include "base/memory.h"
#include "base/status.h"

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

/* s holds denominators. */
static rls2_status scale_by(int64_t m, const rls2__kernel *kernels,
                            const rls2_basis_options *options, double *s, rls2_error *err)
{
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

/* ---- from the kernel ---- */

void rls2__denominator_begin(const rls2__kernel *kernel, const rls2_rows *train,
                             const rls2_basis_options *options, double *work, rls2__denominator *d)
{
    *d = (rls2__denominator){.value = NAN};
    if (!rls2__is_of_pairs(kernel, options)) {
        d->value = rls2__scaling_denominator(kernel, train, options, work);
    } else if (rls2__is_scaled_in_range(kernel, train, options)) {
        d->open = 1;
        d->job = (rls2__pair_job){.kernel = kernel, .train = train, .options = options};
        if (options->scaling == RLS2_SCALING_TRACE)
            d->job.trace = rls2__scaling_trace(kernel, train, options, work);
    }
}

void rls2__denominator_finish(const rls2__pair_sums *parts, rls2__denominator *d)
{
    double unused, difference = rls2__pair_difference(&d->job, parts,
                                                      d->job.by_distances ? &unused : &d->scale);
    d->open = !d->job.by_distances && rls2__is_nearly_constant(difference, d->scale);
    if (d->open)
        d->job.by_distances = 1;
    else
        d->value = rls2__above_rounding(difference, d->scale);
}

/* ---- all of them ---- */

enum { AT_ONCE = 64 };

typedef struct search {
    rls2__effort *effort;
    const rls2__denominators *by;
    double *work; /* `room` doubles for each thread */
    int64_t room;
    int64_t first; /* kernel of the batch */
    int64_t count; /* of kernels in it */
    rls2__denominator d[AT_ONCE];
    int64_t starts[AT_ONCE + 1]; /* the number of the first part of each */
    rls2__pair_sums *sums;       /* of all parts */
} search;

static void begin_task(void *user, int64_t task, int thread)
{
    search *it = user;
    it->by->begin(it->by->from, it->first + task, it->work + thread * it->room, &it->d[task]);
}

static void sum_task(void *user, int64_t task, int thread)
{
    search *it = user;
    int64_t i = 0;
    while (task >= it->starts[i + 1]) i++;
    rls2__pair_part(&it->d[i].job, task - it->starts[i], it->work + thread * it->room,
                    &it->sums[task]);
    rls2__effort_count(it->effort, rls2__pair_part_size(&it->d[i].job));
}

static int is_any_open(const search *it)
{
    for (int64_t i = 0; i < it->count; i++)
        if (it->d[i].open) return 1;
    return 0;
}

/* All that is open in the batch, once. */
static rls2_status sum_up(search *it)
{
    it->starts[0] = 0;
    for (int64_t i = 0; i < it->count; i++)
        it->starts[i + 1] = it->starts[i] + (it->d[i].open ? rls2__pair_parts(&it->d[i].job) : 0);
    it->sums = rls2__alloc(it->starts[it->count], sizeof *it->sums);
    rls2_status status = it->sums ? RLS2_OK : RLS2_ERR_MEMORY;
    if (status == RLS2_OK)
        status = rls2__effort_each(it->effort, it->starts[it->count], sum_task, it);
    for (int64_t i = 0; i < it->count && status == RLS2_OK; i++)
        if (it->d[i].open)
            it->by->finish(it->by->from, it->first + i, it->sums + it->starts[i], it->work,
                           &it->d[i]);
    rls2__free(it->sums);
    return status;
}

static rls2_status find_batch(search *it, double *s)
{
    rls2_status status = rls2__effort_each(it->effort, it->count, begin_task, it);
    while (status == RLS2_OK && is_any_open(it)) status = sum_up(it);
    for (int64_t i = 0; i < it->count && status == RLS2_OK; i++) s[it->first + i] = it->d[i].value;
    return status;
}

rls2_status rls2__scalings_by(rls2__effort *effort, int64_t m, const rls2__kernel *kernels,
                              int64_t n, const rls2_basis_options *options,
                              const rls2__denominators *by, double *s, rls2_error *err)
{
    int64_t extra = options->transductive ? options->transductive->n : 0;
    search it = {.effort = effort, .by = by, .room = rls2__add(n, extra)};
    it.work = rls2__alloc(rls2__mul(it.room, effort->threads), sizeof(double));
    rls2_status status = it.work ? RLS2_OK : RLS2_ERR_MEMORY;
    for (; it.first < m && status == RLS2_OK; it.first += AT_ONCE) {
        it.count = m - it.first < AT_ONCE ? m - it.first : AT_ONCE;
        status = find_batch(&it, s);
    }
    rls2__free(it.work);
    if (status == RLS2_OK) return scale_by(m, kernels, options, s, err);
    if (status == RLS2_ERR_MEMORY) return rls2__fail_memory(err, "the scalings");
    return rls2__fail(err, status, "cancelled while kernels were scaled");
}

typedef struct evaluated {
    const rls2__kernel *kernels;
    const rls2_rows *train;
    const rls2_basis_options *options;
} evaluated;

static void begin_evaluated(const void *from, int64_t k, double *work, rls2__denominator *d)
{
    const evaluated *it = from;
    rls2__denominator_begin(&it->kernels[k], it->train, it->options, work, d);
}

static void finish_evaluated(const void *from, int64_t k, const rls2__pair_sums *parts,
                             double *work, rls2__denominator *d)
{
    (void)from, (void)k, (void)work;
    rls2__denominator_finish(parts, d);
}

rls2_status rls2__scalings(rls2__effort *effort, int64_t m, const rls2__kernel *kernels,
                           const rls2_rows *train, const rls2_basis_options *options, double *s,
                           rls2_error *err)
{
    const evaluated it = {kernels, train, options};
    const rls2__denominators by = {begin_evaluated, finish_evaluated, &it};
    return rls2__scalings_by(effort, m, kernels, train->n, options, &by, s, err);
}
