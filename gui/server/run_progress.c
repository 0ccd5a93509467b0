/* How far a run is, and how long it will take.
 *
 * The time a whole run takes is known only piece by piece: while kernels are made only what was
 * forecast is known of what comes after; along the path what is left of it is estimated from the
 * last values of lambda, which take longer than the first, and the splits from the path; and once
 * some of the splits are done, from those. Where the library tells the share of a stage's work that
 * is done, the stage is estimated by that. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gui/server/clock.h"
#include "gui/server/job.h"

static const char *const STAGE_NAMES[STAGE_COUNT] = {"kernels", "path", "models",
                                                     "cross-validation", "halves"};

int job_is_stopped(const job *j)
{
    return atomic_load(&j->run->stop) || atomic_load(&j->state->closing);
}

int job_is_removed(const job *j)
{
    pthread_mutex_lock(&j->state->lock);
    int removed = j->run->removed;
    pthread_mutex_unlock(&j->state->lock);
    return removed;
}

int job_failed(const job *j, const rls2_error *err, fault *f)
{
    if (err->status == RLS2_ERR_CANCELLED || job_is_stopped(j))
        return fault_say(f, HTTP_CONFLICT, NULL, "stopped");
    return plan_fault(j->plan.plan, err, f);
}

/* ---- stages ---- */

static const rls2_splits *splits_of(const job *j)
{
    return rls2_plan_splits(j->plan.plan);
}

/* Halves of stability selection; 0: none. */
static double halves_of(const job *j)
{
    const char *pairs = rls2_plan_get(j->plan.plan, "stability", 0);
    return pairs ? 2.0 * strtod(pairs, NULL) : 0.0;
}

/* Which stages there will be: the first tells in which order. */
static void list_stages(job *j, stage first)
{
    int splits = run_plan_leaves_rows_out(&j->plan), splits_first = splits && first == STAGE_SPLITS;
    if (splits_first) j->stages[j->stage_count++] = STAGE_SPLITS;
    j->stages[j->stage_count++] = STAGE_KERNELS;
    j->stages[j->stage_count++] = STAGE_PATH;
    j->stages[j->stage_count++] = STAGE_MODELS;
    if (splits && !splits_first) j->stages[j->stage_count++] = STAGE_SPLITS;
    if (halves_of(j) > 0.0) j->stages[j->stage_count++] = STAGE_HALVES;
}

static int place_of(const job *j, stage which)
{
    int i = 0;
    while (i < j->stage_count - 1 && j->stages[i] != which) i++;
    return i;
}

void job_stage(job *j, stage now)
{
    double time = clock_seconds();
    if (j->stage_count == 0) list_stages(j, now);
    if (j->started[now] > 0.0) return;
    if (j->started[j->now] > 0.0) j->took[j->now] = time - j->started[j->now];
    j->now = now;
    j->started[now] = j->stepped = time;
    j->done = 0;
}

/* ---- what is left ---- */

/* Seconds of a lambda, of late: the mean over a fifth of them, or three. */
static double recent_point(const job *j, int64_t total)
{
    int64_t count = j->run->point_count, taken = total / 5 > 3 ? total / 5 : 3;
    double sum = 0.0;
    if (taken > count) taken = count;
    for (int64_t i = count - taken; i < count; i++) sum += j->run->points[i].seconds;
    return taken > 0 ? sum / (double)taken : 0.0;
}

/* All of the stage, from what is done of it; 0 where nothing is. */
static double whole_stage(const job *j, const rls2_progress *at, double time)
{
    double spent = time - j->started[j->now];
    double each = j->now == STAGE_PATH ? recent_point(j, at->total) : 0.0;
    if (at->share > 0.0) return spent / at->share;
    if (each > 0.0)
        return fmax(spent, j->point_started - j->started[STAGE_PATH] +
                               each * (double)(at->total - j->run->point_count));
    return at->done > 0 ? spent / (double)at->done * (double)at->total : 0.0;
}

/* Splits at a time. */
static double threads_for(const job *j, int64_t count)
{
    return fmax(fmin((double)j->state->threads, (double)count), 1.0);
}

/* Of splits whole ones are told: between them the time goes on, and when one is done the others
 * that were begun with it are half done at least. */
static double rest_of_splits(const job *j, const rls2_progress *at, double expected, double time)
{
    double spent = time - j->started[STAGE_SPLITS];
    double done = (double)at->done + 0.5 * (threads_for(j, at->total - at->done) - 1.0);
    if (at->share > 0.0) return spent * (1.0 - at->share) / at->share;
    if (at->done == 0 && expected <= 0.0) return -1.0;
    if (at->done == 0) return fmax(expected - spent, 0.1 * expected);
    double left =
        (j->stepped - j->started[STAGE_SPLITS]) / done * fmax((double)at->total - done, 0.0);
    return fmax(left - (time - j->stepped), 0.1 * left);
}

/* The share of the rows that a split learns from. */
static double learned_share(const job *j)
{
    const int64_t *rows;
    int64_t n = rls2_splits_rows(splits_of(j));
    return n > 0 ? (double)rls2_splits_training(splits_of(j), 0, &rows) / (double)n : 1.0;
}

/* All splits, from a path over all rows. It computes degrees of freedom, about as long again, which
 * they do not; baselines take about as long as a path. Kernels used all threads there, and do so
 * here, one split for each; so did the paths of several outputs. */
static double expect_splits(const job *j, double kernels, double path)
{
    int64_t count = rls2_splits_count(splits_of(j));
    double r = learned_share(j), work = path * threads_for(j, run_plan_outputs(&j->plan));
    double fits = pow(r, 2.5) * work * (run_plan_is(&j->plan, "baselines", "false") ? 0.6 : 1.2);
    return (double)count * (r * r * kernels + fits / threads_for(j, count));
}

/* All halves, likewise; their paths end early. */
static double expect_halves(const job *j, double path)
{
    double count = halves_of(j), work = path * threads_for(j, run_plan_outputs(&j->plan));
    return count * pow(0.5, 2.5) * 0.5 * work / threads_for(j, (int64_t)count);
}

/* By the forecast, and not less than what is left of the stage; negative: not known. */
static double rest_by_forecast(const job *j, double whole, double time)
{
    double spent = time - j->begun, left = whole > 0.0 ? whole - (time - j->started[j->now]) : 0.0;
    if (!(j->forecast > 0.0)) return -1.0;
    return fmax(fmax(j->forecast - spent, 0.2 * spent), left); /* it may be too low */
}

/* Seconds until the end; negative: not known. */
static double expect_rest(const job *j, const rls2_progress *at, double time)
{
    int here = place_of(j, j->now);
    int any = splits_of(j) != NULL, splits_left = any && place_of(j, STAGE_SPLITS) > here;
    double kernels = j->took[STAGE_KERNELS], whole = whole_stage(j, at, time);
    double path = j->now == STAGE_PATH ? whole : j->took[STAGE_PATH];
    double splits = any && path > 0.0 ? expect_splits(j, kernels, path) : 0.0;
    double halves = path > 0.0 ? expect_halves(j, path) : 0.0;
    if (j->now == STAGE_KERNELS) return rest_by_forecast(j, whole, time);
    if (j->now == STAGE_HALVES)
        return whole > 0.0 ? fmax(whole - (time - j->started[j->now]), 0.0) : halves;
    if (j->now == STAGE_SPLITS) {
        double rest = rest_of_splits(j, at, splits, time);
        if (rest >= 0.0) rest += halves;
        /* of a single split that comes first: a path over about as many rows follows */
        return rest < 0.0 || here > 0 ? rest : rest + (time - j->started[STAGE_SPLITS] + rest);
    }
    if (path <= 0.0) return rest_by_forecast(j, 0.0, time);
    double rest = whole > 0.0 ? whole - (time - j->started[j->now]) : 0.1 * path;
    if (j->now == STAGE_PATH) rest += 0.1 * path; /* the models */
    return fmax(rest, 0.0) + (splits_left ? splits : 0.0) + halves;
}

/* Of the whole run. Until anything is known the kernels are taken for a small part of it. */
static double share_of(const job *j, const rls2_progress *at, double elapsed, double rest)
{
    static const double MOST = 0.999, KERNELS = 0.03;
    double share = 0.0;
    if (rest >= 0.0)
        share = elapsed / fmax(elapsed + rest, 1e-9);
    else if (j->now == STAGE_KERNELS && at->total > 0)
        share = KERNELS * fmax(at->share, (double)at->done / (double)at->total);
    return fmax(fmin(share, MOST), j->run->progress.share);
}

/* ---- telling ---- */

/* The lock is held. */
static void add_point(run *r, const live_point *point)
{
    if (r->point_count == r->point_room) {
        int64_t room = r->point_room > 0 ? 2 * r->point_room : 32;
        live_point *more = realloc(r->points, (size_t)room * sizeof *more);
        if (!more) return; /* it is only told later, with the result */
        r->points = more;
        r->point_room = room;
    }
    r->points[r->point_count++] = *point;
}

static void show_point(job *j, const rls2_path_point *point, double time)
{
    live_point made = {.lambda = point->lambda,
                       .df = point->df,
                       .gap = point->gap,
                       .seconds = time - j->point_started,
                       .selected = point->selected};
    j->point_started = time;
    pthread_mutex_lock(&j->state->lock);
    add_point(j->run, &made);
    pthread_mutex_unlock(&j->state->lock);
}

static double number_or_nan(const json_t *json)
{
    return json_is_number(json) ? json_number_value(json) : (double)NAN;
}

void job_show_points(job *j, const json_t *points)
{
    pthread_mutex_lock(&j->state->lock);
    for (size_t i = (size_t)j->run->point_count; i < json_array_size(points); i++) {
        const json_t *at = json_array_get(points, i);
        live_point made = {.lambda = number_or_nan(json_object_get(at, "lambda")),
                           .df = number_or_nan(json_object_get(at, "df")),
                           .gap = number_or_nan(json_object_get(at, "gap")),
                           .seconds = number_or_nan(json_object_get(at, "seconds")),
                           .selected = json_integer_value(json_object_get(at, "selected"))};
        add_point(j->run, &made);
    }
    run_changed(j->state, j->run);
    pthread_mutex_unlock(&j->state->lock);
}

static void tell(job *j, const rls2_progress *at, double time)
{
    run_progress *p = &j->run->progress;
    double elapsed = time - j->begun, rest = expect_rest(j, at, time);
    pthread_mutex_lock(&j->state->lock);
    snprintf(p->stage, sizeof p->stage, "%s", j->stopped > 0.0 ? "stopping" : STAGE_NAMES[j->now]);
    p->number = place_of(j, j->now) + 1;
    p->count = j->stage_count;
    p->done = at->done;
    p->total = at->total;
    p->lambda = at->lambda;
    p->gap = at->gap;
    p->eta = isfinite(rest) ? rest : -1.0;
    p->elapsed = elapsed;
    p->share = share_of(j, at, elapsed, rest);
    run_changed(j->state, j->run);
    pthread_mutex_unlock(&j->state->lock);
    j->told = time;
}

/* The library names its stages; those of ours it does not know stay as they are. */
static void follow_library(job *j, const rls2_progress *at)
{
    if (strcmp(at->stage, "kernels") == 0) job_stage(j, STAGE_KERNELS);
    if (strcmp(at->stage, "splits") == 0) job_stage(j, STAGE_SPLITS);
    if (strcmp(at->stage, "halves") == 0) job_stage(j, STAGE_HALVES);
    if (strcmp(at->stage, "path") != 0) return;
    job_stage(j, STAGE_PATH);
    if (j->point_started == 0.0) j->point_started = j->started[STAGE_PATH];
}

/* Ten times a second is often enough for eyes. */
int job_progress(void *user, const rls2_progress *at)
{
    job *j = user;
    double time = clock_seconds();
    follow_library(j, at);
    if (at->done != j->done) j->stepped = time;
    j->done = at->done;
    if (at->point && !j->outcome.points) show_point(j, at->point, time); /* not those again */
    if (job_is_stopped(j) && j->stopped == 0.0) j->stopped = time;
    if (time - j->told >= 0.1) tell(j, at, time);
    return job_is_stopped(j);
}

int job_progress_patient(void *user, const rls2_progress *at)
{
    static const double PATIENCE = 0.5;
    const job *j = user;
    rls2_progress all = {.stage = "models", .done = j->before + at->done, .total = j->whole};
    job_progress(user, &all);
    return j->stopped > 0.0 && clock_seconds() - j->stopped > PATIENCE;
}
