/* Draws a sample, follows a coarse path on it, and hands the weights to landmarks.c. */
#include "select/tall_pilot.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/random.h"
#include "base/status.h"
#include "dictionary/dictionary.h"
#include "select/tally.h"

/* Of the rows of the sample, among which landmarks are found, every fourth is learned from and
 * every other scores: a path takes the cube of those it learns from in time, and shares are known
 * to about the root of one over those that score. */
enum { SAMPLE = 4000, LEARN = 4, SCORE = 2, LAMBDAS = 10 };
static const double RATIO = 1e-5;       /* of the least lambda to the largest */
static const double GAP_TOL = 1e-3;     /* weights to some per cent will do */
static const double LEAST_SHARE = 4e-3; /* of the variance: kernels that explain less get nothing */

typedef struct pilot {
    const rls2__pilot_job *job;
    int64_t sample, n, checks, outputs; /* all rows, those learned from, those that score */
    double *sample_x, *x, *check_x;     /* each x columns */
    double *y, *check_y;                /* likewise, x outputs */
    rls2_basis *basis;
    const rls2_basis **bases; /* outputs times the same */
    rls2_path **paths;        /* outputs */
    double *f;                /* checks x LAMBDAS */
    double *weight;           /* kernels: the share that each explains */
} pilot;

static void pilot_release(pilot *p)
{
    for (int64_t o = 0; p->paths && o < p->outputs; o++) rls2_path_free(p->paths[o]);
    rls2_basis_free(p->basis);
    rls2__free(p->sample_x);
    rls2__free(p->x);
    rls2__free(p->check_x);
    rls2__free(p->y);
    rls2__free(p->check_y);
    rls2__free(p->bases);
    rls2__free(p->paths);
    rls2__free(p->f);
    rls2__free(p->weight);
}

static int needs_features(const rls2__pilot_job *job)
{
    for (int64_t k = 0; k < job->dictionary->m; k++)
        if (!rls2__kernel_has_axes(job->axes, &job->dictionary->kernels[k])) return 1;
    return 0;
}

static rls2_status reserve(pilot *p)
{
    int64_t rows = p->job->data->rows, columns = p->job->data->columns;
    int64_t m = p->job->dictionary->m;
    p->sample = rows < SAMPLE ? rows : SAMPLE;
    p->n = (p->sample + LEARN - 1) / LEARN;
    p->checks = p->sample / SCORE;
    p->outputs = rls2_dataset_outputs(p->job->data);
    p->sample_x = rls2__alloc(rls2__mul(p->sample, columns), sizeof(double));
    p->x = rls2__alloc(rls2__mul(p->n, columns), sizeof(double));
    p->check_x = rls2__alloc(rls2__mul(p->checks, columns), sizeof(double));
    p->y = rls2__alloc(rls2__mul(p->n, p->outputs), sizeof(double));
    p->check_y = rls2__alloc(rls2__mul(p->checks, p->outputs), sizeof(double));
    p->bases = rls2__alloc(p->outputs, sizeof *p->bases);
    p->paths = rls2__alloc_zero(p->outputs, sizeof *p->paths);
    p->f = rls2__alloc(rls2__mul(p->checks, LAMBDAS), sizeof(double));
    p->weight = rls2__alloc_zero(m, sizeof(double));
    return p->sample_x && p->x && p->check_x && p->y && p->check_y && p->bases && p->paths &&
                   p->f && p->weight
               ? RLS2_OK
               : RLS2_ERR_MEMORY;
}

static void copy_row(const double *from, int64_t rows, int64_t row, int64_t count, double *to,
                     int64_t n, int64_t at)
{
    for (int64_t v = 0; v < count; v++) to[v * n + at] = from[v * rows + row];
}

/* One row of each of as many stretches of equal length. */
static void draw(pilot *p)
{
    const rls2_dataset *data = p->job->data;
    int64_t rows = data->rows, columns = data->columns;
    rls2__random random;
    rls2__random_seed(&random, (uint64_t)p->job->seed);
    for (int64_t t = 0; t < p->sample; t++) {
        int64_t first = t * rows / p->sample, next = (t + 1) * rows / p->sample;
        int64_t row = first + rls2__random_below(&random, next - first);
        copy_row(data->x, rows, row, columns, p->sample_x, p->sample, t);
        if (t % LEARN == 0) {
            copy_row(data->x, rows, row, columns, p->x, p->n, t / LEARN);
            copy_row(data->y, rows, row, p->outputs, p->y, p->n, t / LEARN);
        } else if (t % SCORE == 1 && t / SCORE < p->checks) {
            copy_row(data->x, rows, row, columns, p->check_x, p->checks, t / SCORE);
            copy_row(data->y, rows, row, p->outputs, p->check_y, p->checks, t / SCORE);
        }
    }
}

static rls2_status follow(pilot *p, rls2_error *err)
{
    const rls2_rows rows = {.n = p->n, .p = p->job->data->columns, .x = p->x};
    rls2_basis_options basis = *p->job->basis;
    rls2_path_options path = *p->job->path;
    double lambdas[LAMBDAS];
    basis.row_weights = NULL;
    basis.skip_degenerate = 1;
    path.gap_tol = GAP_TOL;
    path.degrees_of_freedom = RLS2_DF_NONE;
    rls2_status status =
        rls2_basis_create(p->job->dictionary, &rows, &basis, p->job->control, &p->basis, err);
    if (status != RLS2_OK) return status;
    for (int64_t o = 0; o < p->outputs; o++) p->bases[o] = p->basis;
    status = rls2_lambda_default(p->outputs, p->bases, p->y, path.intercept, RATIO, LAMBDAS,
                                 lambdas, err);
    if (status == RLS2_OK)
        status = rls2_path_fit(p->outputs, p->bases, p->y, LAMBDAS, lambdas, &path, p->job->control,
                               p->paths, err);
    return status;
}

/* The point that predicts the other rows best. */
static int64_t find_best(const pilot *p, const double *y)
{
    int64_t best = 0;
    double least = INFINITY;
    for (int64_t i = 0; i < LAMBDAS; i++) {
        double sum = 0.0;
        for (int64_t t = 0; t < p->checks; t++)
            sum += (y[t] - p->f[i * p->checks + t]) * (y[t] - p->f[i * p->checks + t]);
        if (sum < least) {
            least = sum;
            best = i;
        }
    }
    return best;
}

static double mean_of(int64_t n, const double *x)
{
    double sum = 0.0;
    for (int64_t i = 0; i < n; i++) sum += x[i];
    return sum / (double)n;
}

/* Shares that kernels explain of output o, where these are largest. */
static rls2_status find_shares(rls2__effort *effort, pilot *p, int64_t o, rls2_error *err)
{
    const rls2_rows rows = {.n = p->checks, .p = p->job->data->columns, .x = p->check_x};
    const rls2__tally_rows about = {
        .n = p->checks, .y = p->check_y + o * p->checks, .mean = mean_of(p->n, p->y + o * p->n)};
    rls2__tally *tally = NULL;
    if (rls2_path_count(p->paths[o]) < LAMBDAS)
        return rls2__fail(err, RLS2_ERR_CANCELLED, "stopped while kernels were tried");
    rls2_status status = rls2__tally_predict(effort, p->paths[o], &rows, &about, p->f, &tally, err);
    if (status != RLS2_OK) return status;
    rls2__tally_finish(tally);
    int64_t best = find_best(p, about.y);
    for (int64_t t = 0; t < tally->first[best + 1]; t++)
        if (tally->product[t] > LEAST_SHARE)
            p->weight[tally->kernels[t]] = fmax(p->weight[tally->kernels[t]], tally->product[t]);
    rls2__tally_free(tally);
    return RLS2_OK;
}

static rls2_status choose(rls2__effort *effort, const pilot *p, rls2__features **features,
                          rls2_error *err)
{
    const rls2_rows rows = {.n = p->sample, .p = p->job->data->columns, .x = p->sample_x};
    const rls2__landmark_limits limits = rls2__landmark_limits_for(p->job->rows);
    const rls2__pilot found = {&rows, p->job->dictionary->m, p->job->dictionary->kernels, p->weight,
                               p->job->wanted};
    rls2_status status = rls2__landmarks_choose(effort, p->job->axes, &found, &limits, features);
    if (status == RLS2_ERR_CANCELLED)
        return rls2__fail(err, status, "stopped while landmarks were chosen");
    return status == RLS2_OK ? status : rls2__fail_memory(err, "the landmarks");
}

rls2_status rls2__pilot_features(rls2__effort *effort, const rls2__pilot_job *job,
                                 rls2__features **features, rls2_error *err)
{
    pilot p = {.job = job};
    *features = NULL;
    if (!needs_features(job)) return RLS2_OK;
    rls2_status status = reserve(&p) == RLS2_OK ? RLS2_OK : rls2__fail_memory(err, "the pilot");
    if (status == RLS2_OK) {
        draw(&p);
        status = follow(&p, err);
    }
    for (int64_t o = 0; o < p.outputs && status == RLS2_OK; o++)
        status = find_shares(effort, &p, o, err);
    if (status == RLS2_OK) status = choose(effort, &p, features, err);
    pilot_release(&p);
    return status;
}
