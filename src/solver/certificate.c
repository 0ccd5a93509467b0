/* Primal, dual and gap, from kernel functions and rows alone.  [MATH.md, G2; N1 of any loss]
 *
 *   primal(c, d) = 1/2 |y - R(d)c|^2 + lambda/2 c'R(d)c
 *   dual(c)      = lambda y'c - lambda^2/2 c'c - lambda/2 max_k c'R^k c
 *
 * where with weights w of the rows |v|^2 is sum_i w_i v_i^2 and c'c is sum_i c_i^2 / w_i: the same
 * for W^1/2 R^k W^1/2, W^1/2 y and W^-1/2 c.  [W2]
 *
 * Deliberately plain: no basis, no factor, no lazy pricing, no BLAS, so that it shares
 * no mistake with the solver, and summed in long double, so that it is the better of
 * the two where lambda is tiny (where long double is no longer than double, as good).
 * Kernel columns are evaluated from their diagonal down
 * and used for both triangles. */
#include "solver/certificate.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/invariant.h"
#include "base/memory.h"
#include "kernel/powers.h"
#include "solver/certificate_loss.h"

/* What rounding of the kernel's values can make of a product counts twice below, in max_k q_k and
 * in c'f, which is no more than the solvers allow for. */
typedef rls2__certified_product product;
typedef rls2__certified_findings findings;

/* A linear kernel needs no matrix: K c = sum of x (x'c) over its columns. Nothing of it is rounded
 * to a double: what is off is that of a sum of n products in long double. */
static void apply_linear(const rls2__kernel *kernel, const rls2_rows *train, const long double *c,
                         product *to)
{
    int64_t n = train->n;
    for (int64_t t = 0; t < kernel->column_count; t++) {
        const double *x = train->x + kernel->columns[t] * (train->ldx ? train->ldx : n);
        long double sum = 0.0L, size = 0.0L;
        for (int64_t i = 0; i < n; i++) {
            sum += (long double)x[i] * c[i];
            size += fabsl((long double)x[i] * c[i]);
        }
        size *= (long double)(n + 2) * LDBL_EPSILON;
        for (int64_t i = 0; i < n; i++) {
            to->v[i] += sum * x[i];
            to->off[i] += size * fabsl(x[i]);
        }
    }
}

/* Of a polynomial of one column K c = sum_e factor_e x^e sum_j c_j x_j^e: likewise. */
static void apply_powers(const rls2__kernel *kernel, const rls2_rows *train, const long double *c,
                         product *to)
{
    long double factors[RLS2__POWERS_DEGREE + 1], sums[RLS2__POWERS_DEGREE + 1] = {0.0L};
    long double sizes[RLS2__POWERS_DEGREE + 1] = {0.0L};
    int degree = rls2__powers_factors(kernel, factors);
    int64_t n = train->n;
    const double *x = train->x + kernel->columns[0] * (train->ldx ? train->ldx : n);
    for (int64_t j = 0; j < n; j++) {
        long double power = c[j];
        for (int e = 0; e <= degree; e++, power *= x[j]) {
            sums[e] += power;
            sizes[e] += fabsl(power);
        }
    }
    for (int64_t i = 0; i < n; i++) {
        long double power = 1.0L;
        for (int e = 0; e <= degree; e++, power *= x[i]) {
            to->v[i] += factors[e] * power * sums[e];
            to->off[i] += fabsl(factors[e] * power) * sizes[e];
        }
        to->off[i] *= (long double)(n + 8 * degree) * LDBL_EPSILON;
    }
}

/* Any other: one column of K at a time, in blocks of columns, each of which adds up by itself so
 * that blocks can be shared among threads. */
enum { BLOCK = 256, GROUP = 32 };

typedef struct sweep {
    rls2__effort *effort;
    const rls2__kernel *kernel;
    const rls2_rows *train;
    const long double *c;
    double *columns;    /* of each thread, n */
    long double *parts; /* of each block of a group, 2 n */
    int64_t first;      /* block of the group in hand */
} sweep;

static int64_t block_count(int64_t n)
{
    return (n + BLOCK - 1) / BLOCK;
}

static product part_of(const sweep *at, int64_t task)
{
    long double *v = at->parts + 2 * task * at->train->n;
    return (product){v, v + at->train->n};
}

static void apply_column(const sweep *at, int64_t j, double *column, product *to)
{
    int64_t n = at->train->n;
    const long double *c = at->c;
    rls2__kernel_column_from(at->kernel, at->train, j, at->train, j, column);
    long double below = (long double)column[0] * c[j], size = fabsl(below);
    for (int64_t i = j + 1; i < n; i++) {
        long double entry = column[i - j];
        to->v[i] += entry * c[j];
        to->off[i] += fabsl(entry * c[j]);
        below += entry * c[i];
        size += fabsl(entry * c[i]);
    }
    to->v[j] += below;
    to->off[j] += size;
}

static void apply_block(void *user, int64_t task, int thread)
{
    const sweep *at = user;
    int64_t n = at->train->n, from = (at->first + task) * BLOCK;
    int64_t end = from + BLOCK < n ? from + BLOCK : n;
    product part = part_of(at, task);
    for (int64_t i = from; i < n; i++) part.v[i] = part.off[i] = 0.0L;
    for (int64_t j = from; j < end && !rls2__effort_stopped(at->effort); j++)
        apply_column(at, j, at->columns + thread * n, &part);
}

static rls2_status apply_columns(sweep *at, product *to)
{
    int64_t n = at->train->n, blocks = block_count(n);
    long double share = rls2__kernel_rounding(at->kernel) + (long double)(n + 2) * LDBL_EPSILON;
    for (at->first = 0; at->first < blocks; at->first += GROUP) {
        int64_t count = blocks - at->first < GROUP ? blocks - at->first : GROUP;
        rls2_status status = rls2__effort_each(at->effort, count, apply_block, at);
        if (status == RLS2_OK) status = rls2__effort_status(at->effort); /* within the last task */
        if (status != RLS2_OK) return status;
        for (int64_t t = 0; t < count; t++) {
            product part = part_of(at, t);
            for (int64_t i = (at->first + t) * BLOCK; i < n; i++) {
                to->v[i] += part.v[i];
                to->off[i] += part.off[i];
            }
        }
    }
    for (int64_t i = 0; i < n; i++) to->off[i] *= share;
    return RLS2_OK;
}

static rls2_status apply_kernel(sweep *at, double s, product *to)
{
    int64_t n = at->train->n;
    rls2_status status = rls2__effort_status(at->effort);
    for (int64_t i = 0; i < n; i++) to->v[i] = to->off[i] = 0.0L;
    if (status == RLS2_OK && at->kernel->kind == RLS2__KERNEL_LINEAR)
        apply_linear(at->kernel, at->train, at->c, to);
    else if (status == RLS2_OK && rls2__powers_pay(at->kernel, n))
        apply_powers(at->kernel, at->train, at->c, to);
    else if (status == RLS2_OK)
        status = apply_columns(at, to);
    for (int64_t i = 0; i < n; i++) {
        to->v[i] *= s;
        to->off[i] *= s;
    }
    return status;
}

static long double inner(int64_t n, const long double *x, const long double *y)
{
    long double sum = 0.0L;
    for (int64_t i = 0; i < n; i++) sum += x[i] * y[i];
    return sum;
}

static long double inner_of_sizes(int64_t n, const long double *x, const long double *y)
{
    long double sum = 0.0L;
    for (int64_t i = 0; i < n; i++) sum += fabsl(x[i] * y[i]);
    return sum;
}

/* The gap of G2, which does not cancel as primal - dual does, with what rounding of the kernels can
 * add. */
static void conclude(int64_t n, const double *w, const double *y, double lambda,
                     const long double *c, const findings *found, rls2_certificate *certificate)
{
    const product *f = &found->fit;
    long double fit = 0.0L, rest = 0.0L, most = 0.0L, shift = 0.0L, yy = 0.0L, yc = 0.0L, cc = 0.0L;
    for (int64_t i = 0; i < n; i++) {
        long double weight = w ? w[i] : 1.0, e = y[i] - f->v[i];
        long double r = e - (long double)lambda * c[i] / weight, farthest = fabsl(r) + f->off[i];
        fit += weight * e * e;
        rest += weight * r * r;
        most += weight * farthest * farthest;
        shift += weight * (fabsl(e) + f->off[i]) * f->off[i];
        yy += weight * y[i] * y[i];
        yc += (long double)y[i] * c[i];
        cc += (long double)c[i] * c[i] / weight;
    }
    long double cf = inner(n, c, f->v), cf_off = inner_of_sizes(n, c, f->off);
    long double primal = 0.5L * fit + 0.5L * lambda * cf;
    long double gap = 0.5L * most + 0.5L * lambda * (fmaxl(found->bound - cf, 0.0L) + cf_off);
    /* dual(tc) at its largest is below the minimum, too, and never negative */
    long double curve = (long double)lambda * cc + found->bound;
    long double proven = curve > 0.0L ? 0.5L * lambda * yc * yc / curve : 0.0L;
    long double lowest =
        primal - shift - 0.5L * lambda * cf_off; /* what primal can be, kernels rounded */
    long double least = fmaxl(lowest, proven);
    rls2__invariant(found->bound >= found->max_q && found->max_q >= 0.0L);
    rls2__invariant(!(gap < 0.0L) && !(proven < 0.0L) && !(shift < 0.0L) && !(cf_off < 0.0L));
    certificate->primal = (double)primal;
    certificate->dual = (double)(lowest - gap); /* its own summands cancel */
    certificate->gap = (double)gap;
    /* what is lost in rounding, or underflows, is not known, and only y = 0, c = 0 is exact */
    certificate->relative_gap = least > 0.0L ? (double)(gap / least) : HUGE_VAL;
    if (yy == 0.0L && cc == 0.0L) certificate->relative_gap = 0.0;
    certificate->residual = yy > 0.0L ? (double)sqrtl(rest / yy) : 0.0;
    certificate->max_q = (double)found->max_q;
}

/* Adds kernel k with weight d. RLS2_ERR_NUMERIC: a kernel that cannot be looked at proves nothing.
 */
static rls2_status look_at(int64_t n, int64_t k, double d, const long double *c, const product *at,
                           findings *found, rls2_certificate *certificate)
{
    long double q = inner(n, c, at->v), bound = q + inner_of_sizes(n, c, at->off);
    if (!isfinite(bound)) return RLS2_ERR_NUMERIC;
    if (q > found->max_q) {
        found->max_q = q;
        certificate->max_kernel = k;
    }
    if (bound > found->bound) found->bound = bound;
    for (int64_t i = 0; d != 0.0 && i < n; i++) {
        found->fit.v[i] += d * at->v[i];
        found->fit.off[i] += d * at->off[i];
    }
    return RLS2_OK;
}

/* What is worked in: the sweep's columns and parts, and the products. */
typedef struct room {
    int64_t n, threads, parts;
    double *columns;
    long double *part;
    long double *c;
    product at; /* of the kernel in hand */
    findings found;
    void *block; /* all of these arrays */
} room;

static void lay_out(rls2__layout *layout, void *owner)
{
    room *it = owner;
    int64_t n = it->n;
    it->columns = rls2__layout_take(layout, rls2__mul(n, it->threads), sizeof(double));
    it->part = rls2__layout_take(layout, rls2__mul(2 * n, it->parts), sizeof(long double));
    it->c = rls2__layout_take(layout, n, sizeof(long double));
    it->at.v = rls2__layout_take(layout, n, sizeof(long double));
    it->at.off = rls2__layout_take(layout, n, sizeof(long double));
    it->found.fit.v = rls2__layout_take(layout, n, sizeof(long double));
    it->found.fit.off = rls2__layout_take(layout, n, sizeof(long double));
}

static rls2_status room_create(int64_t n, int threads, room *it)
{
    int64_t blocks = block_count(n);
    *it = (room){.n = n, .threads = threads, .parts = blocks < GROUP ? blocks : GROUP};
    it->block = rls2__layout_alloc(lay_out, it);
    if (!it->block) return RLS2_ERR_MEMORY;
    for (int64_t i = 0; i < n; i++) it->found.fit.v[i] = it->found.fit.off[i] = 0.0L;
    return RLS2_OK;
}

/* Tells how many kernels have been looked at. */
static rls2_status tell(rls2__effort *effort, int64_t done, double lambda)
{
    rls2_progress progress = effort->at;
    progress.done = done;
    progress.lambda = lambda;
    return rls2__effort_tell(effort, &progress) ? RLS2_ERR_CANCELLED : RLS2_OK;
}

/* Looks at every kernel. */
static rls2_status sweep_kernels(sweep *at, int64_t m, const rls2__kernel *kernels, const double *s,
                                 double lambda, const double *d, room *it,
                                 rls2_certificate *certificate)
{
    rls2_status status = RLS2_OK;
    double sum = 0.0; /* d is on the simplex but for rounding, which would count as a lower gap */
    for (int64_t k = 0; k < m; k++) sum += d[k];
    for (int64_t k = 0; k < m && status == RLS2_OK; k++) {
        if (s[k] == 0.0) continue; /* a kernel that could not be scaled is none of the problem's */
        at->kernel = &kernels[k];
        status = apply_kernel(at, s[k], &it->at);
        if (status == RLS2_OK)
            status = look_at(it->n, k, d[k] / sum, it->c, &it->at, &it->found, certificate);
        if (status == RLS2_OK) status = tell(at->effort, k + 1, lambda);
    }
    return status;
}

rls2_status rls2__certify(rls2__effort *effort, int64_t m, const rls2__kernel *kernels,
                          const rls2_rows *train, const double *s, const double *w, const double *y,
                          const rls2__certified_loss *of, double lambda, const double *d,
                          const double *c, rls2_certificate *certificate)
{
    int64_t n = train->n;
    room it;
    rls2_status status = room_create(n, effort->threads, &it);
    memset(certificate, 0, sizeof *certificate);
    if (status != RLS2_OK) return status;
    for (int64_t i = 0; i < n; i++) it.c[i] = c[i];
    int proves = !of || rls2__certified_repair(of, n, w, y, lambda, it.c);
    sweep at = {effort, NULL, train, it.c, it.columns, it.part, 0};
    status = sweep_kernels(&at, m, kernels, s, lambda, d, &it, certificate);
    if (status == RLS2_OK && of)
        rls2__certified_conclude(of, n, w, y, lambda, it.c, &it.found, certificate);
    else if (status == RLS2_OK)
        conclude(n, w, y, lambda, it.c, &it.found, certificate);
    if (status == RLS2_OK && (!isfinite(certificate->primal) || !isfinite(certificate->gap)))
        status = RLS2_ERR_NUMERIC;
    if (status == RLS2_OK && !proves) rls2__certified_refuse(certificate);
    rls2__free(it.block);
    return status;
}

/* ---- for certificates of several outputs ---- */

int64_t rls2__certify_parts(int64_t n)
{
    int64_t blocks = block_count(n);
    return rls2__mul(rls2__mul(2, n), blocks < GROUP ? blocks : GROUP);
}

rls2_status rls2__certify_product(rls2__effort *effort, const rls2__kernel *kernel,
                                  const rls2_rows *train, double s, const double *c,
                                  const rls2__certify_room *in, long double *v, long double *off)
{
    sweep at = {effort, kernel, train, c, in->columns, in->parts, 0};
    product to = {v, off};
    return apply_kernel(&at, s, &to);
}
