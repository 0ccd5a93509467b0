/* A path as it is kept, and the response as the methods see it.
 *
 * That is y times a power of two, so that its largest value is about 1: no digit changes, and
 * squares neither overflow nor underflow whatever the unit of y. What is kept is in the unit of y
 * again. */
#include "solver/path.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/invariant.h"
#include "base/memory.h"
#include "solver/loss.h"
#include "solver/path_run.h"
#include "solver/solver.h"

/* Coefficients kept below this have lost digits to underflow. */
static const double LEAST_C = 1e-290;
/* 2 to the power of less than this, or its inverse, is a double of full precision. */
enum { LARGEST_EXPONENT = 1000 };

double rls2__intercept(rls2_intercept rule, int64_t n, const double *y, const double *weights)
{
    if (rule != RLS2_INTERCEPT_MEAN) return 0.0;
    double count = 0.0, sum = 0.0, rest = 0.0;
    for (int64_t i = 0; i < n; i++) count += weights ? weights[i] : 1.0;
    for (int64_t i = 0; i < n; i++) sum += weights ? y[i] * (weights[i] / count) : y[i] / count;
    for (int64_t i = 0; i < n; i++) { /* takes the rounding out */
        double left = y[i] - sum;
        rest += weights ? left * (weights[i] / count) : left / count;
    }
    return sum + rest;
}

void rls2__weigh_response(const rls2_basis *basis, const double *y, double intercept, double *out)
{
    for (int64_t i = 0; i < basis->n; i++) out[i] = y[i] - intercept;
    for (int64_t i = 0; basis->roots && i < basis->n; i++) out[i] *= basis->roots[i];
}

static int normalize(int64_t n, double *y)
{
    int exponent = 0;
    double largest = 0.0;
    for (int64_t i = 0; i < n; i++) largest = fmax(largest, fabs(y[i]));
    if (largest > 0.0) frexp(largest, &exponent);
    for (int64_t i = 0; i < n; i++) y[i] = ldexp(y[i], -exponent);
    rls2__invariant(largest == 0.0 || (ldexp(largest, -exponent) >= 0.5 && isfinite(largest)));
    return exponent;
}

/* Once before the weights, too: their products with y could underflow. */
int rls2__normalize_response(const rls2_basis *basis, const double *y, double intercept,
                             double *out)
{
    for (int64_t i = 0; i < basis->n; i++) out[i] = y[i] - intercept;
    int exponent = normalize(basis->n, out);
    for (int64_t i = 0; basis->roots && i < basis->n; i++) out[i] *= basis->roots[i];
    return exponent + normalize(basis->n, out);
}

double rls2__null_response(const rls2_basis *basis, const double *y,
                           const rls2_path_options *options, double *constant, double *out)
{
    int64_t n = basis->n;
    rls2__row_loss loss = rls2__row_loss_of(options->loss, n, y, basis->roots);
    double total = 0.0, curvature = 0.0;
    for (int64_t i = 0; i < n; i++) out[i] = 0.0;
    *constant =
        options->intercept == RLS2_INTERCEPT_NONE ? 0.0 : rls2__loss_constant(&loss, out, 0.0);
    for (int64_t i = 0; i < n; i++) {
        double root = basis->roots ? basis->roots[i] : 1.0, slope, bent;
        const rls2__row_loss one = rls2__row_loss_of(options->loss, 1, y + i, NULL);
        const double zero = 0.0;
        rls2__loss_bend(&one, &zero, *constant, &slope, &bent);
        out[i] = -root * slope;
        total += root * root;
        curvature += root * root * bent * bent;
    }
    return rls2__loss_has_kinks(&loss) ? 1.0 / loss.spread : curvature / total;
}

const double *rls2__path_response(const rls2_path *path)
{
    return path->weighted_y ? path->weighted_y : path->y;
}

rls2_path *rls2__path_create(const rls2_basis *basis, const double *y, int64_t count,
                             const rls2_path_options *options)
{
    rls2_path *path = rls2__alloc_zero(1, sizeof *path);
    if (!path) return NULL;
    path->basis = basis;
    path->room = count;
    path->sharing = 1;
    path->solver = options->solver;
    path->memory = options->memory;
    path->y = rls2__alloc(basis->n, sizeof(double));
    path->entries = rls2__alloc_zero(count, sizeof *path->entries);
    if (basis->weights) path->weighted_y = rls2__alloc(basis->n, sizeof(double));
    if (!path->y || !path->entries || (basis->weights && !path->weighted_y)) {
        rls2__path_destroy(path);
        return NULL;
    }
    path->loss = options->loss;
    path->general = rls2__is_general(options);
    path->is_free = options->intercept == RLS2_INTERCEPT_FREE;
    if (path->general) {
        memcpy(path->y, y, (size_t)basis->n * sizeof(double));
        if (path->weighted_y) rls2__weigh_response(basis, y, 0.0, path->weighted_y);
        return path;
    }
    path->intercept = rls2__intercept(options->intercept, basis->n, y, basis->weights);
    for (int64_t i = 0; i < basis->n; i++) path->y[i] = y[i] - path->intercept;
    if (path->weighted_y) rls2__weigh_response(basis, y, path->intercept, path->weighted_y);
    return path;
}

rls2_status rls2__path_reserve(rls2_path *path, int64_t count)
{
    rls2__path_entry *entries = rls2__alloc_zero(count, sizeof *entries);
    rls2__invariant(count >= path->count);
    if (!entries) return RLS2_ERR_MEMORY;
    memcpy(entries, path->entries, (size_t)path->count * sizeof *entries);
    rls2__free(path->entries);
    path->entries = entries;
    path->room = count;
    return RLS2_OK;
}

static void clear_entry(rls2__path_entry *entry)
{
    rls2__free(entry->ks);
    rls2__free(entry->d);
    rls2__free(entry->c);
    *entry = (rls2__path_entry){0};
}

void rls2__path_destroy(rls2_path *path)
{
    if (!path) return;
    rls2__path_close(path);
    for (int64_t i = 0; path->entries && i < path->room; i++) clear_entry(&path->entries[i]);
    rls2__free(path->entries);
    rls2__free(path->y);
    rls2__free(path->weighted_y);
    rls2__free(path);
}

/* c in the unit of y, and with the weights of the rows. RLS2_ERR_NUMERIC where no double can hold
 * it. */
static rls2_status restore_unit(const rls2_path *path, const double *c, double *out)
{
    const double *roots = path->basis->roots;
    double before = 0.0, after = 0.0;
    int plain = abs(path->exponent) < LARGEST_EXPONENT; /* then a product rounds as ldexp does */
    double unit = plain ? ldexp(1.0, path->exponent) : 0.0;
    for (int64_t i = 0; i < path->basis->n; i++) {
        double own = roots ? c[i] * roots[i] : c[i];
        out[i] = plain ? own * unit : ldexp(own, path->exponent);
        if (!isfinite(out[i])) return RLS2_ERR_NUMERIC;
        before = fmax(before, fabs(c[i]));
        after = fmax(after, fabs(out[i]));
    }
    return before > 0.0 && after < LEAST_C ? RLS2_ERR_NUMERIC : RLS2_OK;
}

/* The answer of output o. */
static rls2_status append(rls2_path *path, const rls2__answer *answer, int64_t o)
{
    rls2__path_entry *entry = &path->entries[path->count];
    int64_t n = path->basis->n;
    rls2__invariant(path->count < path->room);
    rls2__invariant(path->count == 0 || answer->point.lambda <= entry[-1].point.lambda);
    entry->ks = rls2__alloc(answer->count, sizeof(int64_t));
    entry->d = rls2__alloc(answer->count, sizeof(double));
    entry->c = rls2__alloc(n, sizeof(double));
    if (!entry->ks || !entry->d || !entry->c) {
        clear_entry(entry);
        return RLS2_ERR_MEMORY;
    }
    memcpy(entry->ks, answer->ks, (size_t)answer->count * sizeof(int64_t));
    memcpy(entry->d, answer->d, (size_t)answer->count * sizeof(double));
    rls2_status status = restore_unit(path, answer->c + o * n, entry->c);
    if (status != RLS2_OK) {
        clear_entry(entry);
        return status;
    }
    entry->count = answer->count;
    entry->point = answer->point;
    if (answer->each) entry->point.df = answer->each[o].df;
    if (path->general)
        path->intercept = entry->intercept =
            answer->each ? answer->each[o].intercept : answer->intercept;
    entry->point.objective = ldexp(answer->point.objective, 2 * path->exponent);
    path->count++;
    return RLS2_OK;
}

rls2_status rls2__path_append(rls2_path *path, const rls2__answer *answer)
{
    if (!path->all) return append(path, answer, 0);
    rls2_status status = RLS2_OK;
    int64_t done = 0;
    while (done < path->sharing && status == RLS2_OK) {
        status = append(path->all[done], answer, done);
        if (status == RLS2_OK) done++;
    }
    for (int64_t o = 0; o < done && status != RLS2_OK; o++)
        clear_entry(&path->all[o]->entries[--path->all[o]->count]);
    return status;
}
