/* The certificate of paths with shared weights, from kernel functions and rows.  [MATH.md, N4]
 *
 *   gap = Fenchel-Young gaps of the loss + lambda/2 (max_k sum_o c_o'R^k c_o - sum_o c_o'f_o)
 *
 * Every kernel is evaluated anew, once for each output, and its products are summed in long double;
 * nothing of a basis but its rows, weights and scalings is used. c is moved into the domain of the
 * conjugate, where it was but for rounding. */
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/control.h"
#include "base/crew.h"
#include "base/memory.h"
#include "base/option_struct.h"
#include "base/status.h"
#include "solver/certificate.h"
#include "solver/path.h"
#include "solver/shared_certify.h"
#include "solver/shared_loss.h"

static const double WORTH_THREADS = 1e6;  /* values of a kernel */
static const double TERM_ROUNDING = 16.0; /* of the terms of a Fenchel-Young gap, in units of eps */
static const double SAME_C = 1e-9;        /* c that is moved by more is none of the problem's */

/* What a certificate is made of, and worked in. */
typedef struct work {
    const rls2__shared_claim *of;
    int64_t outputs, n;
    double lambda;
    rls2__effort effort;
    rls2__joint_loss loss;
    rls2__certify_room room;
    double *c, *scaled, *f;     /* n x outputs; scaled is c / e, f is e (f - b) */
    long double *v, *off;       /* n: of a kernel and an output */
    long double *fit, *fit_off; /* n x outputs: of R(d) c */
    long double max_q, bound;   /* the largest of sum_o c_o'R^k c_o, and what it can be */
    void *block;
} work;

static void lay_out(rls2__layout *layout, void *owner)
{
    work *it = owner;
    int64_t n = it->n, size = rls2__mul(n, it->outputs);
    double **of_size[] = {&it->c, &it->scaled, &it->f};
    for (size_t k = 0; k < sizeof of_size / sizeof *of_size; k++)
        *of_size[k] = rls2__layout_take(layout, size, sizeof(double));
    it->room.columns = rls2__layout_take(layout, rls2__mul(n, it->effort.threads), sizeof(double));
    it->room.parts = rls2__layout_take(layout, rls2__certify_parts(n), sizeof(long double));
    it->room.c = rls2__layout_take(layout, n, sizeof(long double));
    it->v = rls2__layout_take(layout, n, sizeof(long double));
    it->off = rls2__layout_take(layout, n, sizeof(long double));
    it->fit = rls2__layout_take(layout, size, sizeof(long double));
    it->fit_off = rls2__layout_take(layout, size, sizeof(long double));
}

static double root_of(const work *it, int64_t t)
{
    return it->of->roots ? it->of->roots[t % it->n] : 1.0;
}

static void begin(work *it)
{
    for (int64_t t = 0; t < it->n * it->outputs; t++) {
        it->scaled[t] = it->of->c[t] / root_of(it, t);
        it->fit[t] = it->fit_off[t] = 0.0L;
    }
}

/* RLS2_ERR_NUMERIC where c is not in the domain, nor nearly. */
static rls2_status enter_domain(work *it)
{
    int64_t size = it->n * it->outputs;
    double moved = rls2__joint_loss_project(&it->loss, it->lambda, it->of->is_free, it->scaled);
    for (int64_t t = 0; t < size; t++) it->c[t] = it->scaled[t] * root_of(it, t);
    return moved <= SAME_C ? RLS2_OK : RLS2_ERR_NUMERIC;
}

/* Kernel k of all outputs: its form, and its part of the fit. */
static rls2_status look_at(work *it, int64_t k, double d, rls2_certificate *certificate)
{
    long double q = 0.0L, bound = 0.0L;
    for (int64_t o = 0; o < it->outputs; o++) {
        const double *c = it->c + o * it->n;
        rls2_status status = rls2__certify_product(&it->effort, &it->of->kernels[k], it->of->rows,
                                                   it->of->s[k], c, &it->room, it->v, it->off);
        if (status != RLS2_OK) return status;
        for (int64_t i = 0; i < it->n; i++) {
            q += c[i] * it->v[i];
            bound += c[i] * it->v[i] + fabsl(c[i] * it->off[i]);
            it->fit[o * it->n + i] += d * it->v[i];
            it->fit_off[o * it->n + i] += d * it->off[i];
        }
    }
    if (!isfinite(bound)) return RLS2_ERR_NUMERIC;
    if (q > it->max_q) {
        it->max_q = q;
        certificate->max_kernel = k;
    }
    it->bound = fmaxl(it->bound, bound);
    return RLS2_OK;
}

static rls2_status look_at_all(work *it, rls2_certificate *certificate)
{
    rls2_status status = RLS2_OK;
    double sum = 0.0; /* d is on the simplex but for rounding */
    for (int64_t k = 0; k < it->of->m; k++) sum += it->of->d[k];
    for (int64_t k = 0; k < it->of->m && status == RLS2_OK; k++) {
        if (it->of->s[k] == 0.0) continue; /* none of the problem's */
        status = look_at(it, k, it->of->d[k] / sum, certificate);
        rls2_progress progress = it->effort.at;
        progress.done = k + 1;
        progress.lambda = it->lambda;
        if (status == RLS2_OK && rls2__effort_tell(&it->effort, &progress))
            status = RLS2_ERR_CANCELLED;
    }
    return status;
}

/* Of what the products have come to: the gap, with what rounding can add. */
static void conclude(work *it, rls2_certificate *certificate)
{
    int64_t size = it->n * it->outputs;
    long double cf = 0.0L, cf_off = 0.0L, off = 0.0L, cc = 0.0L, lambda = it->lambda;
    for (int64_t t = 0; t < size; t++) {
        long double e = root_of(it, t),
                    away = e * it->fit_off[t] + DBL_EPSILON * fabsl(e * it->fit[t]);
        it->f[t] = (double)(e * it->fit[t]);
        cf += it->c[t] * it->fit[t];
        cf_off += fabsl(it->c[t] * it->fit_off[t]);
        off += away * away;
        cc += (long double)it->scaled[t] * it->scaled[t];
    }
    off = sqrtl(off);
    rls2__young young = rls2__joint_loss_young(&it->loss, it->lambda, it->scaled, it->f, it->of->b);
    long double rounding = TERM_ROUNDING * DBL_EPSILON * young.size + young.unbent * off +
                           0.5L * young.curvature * off * off +
                           young.jump * sqrtl((long double)size) * off + 0.5L * lambda * cf_off;
    if (it->of->is_free) rounding += lambda * young.unbalanced;
    long double gap = young.gap + 0.5L * lambda * fmaxl(it->bound - cf, 0.0L) + rounding;
    long double primal = young.loss + 0.5L * lambda * cf;
    long double least = primal - rounding - (lambda * sqrtl(cc) + young.unbent) * off;
    certificate->primal = (double)primal;
    certificate->gap = (double)gap;
    certificate->dual = (double)(least - gap);
    certificate->relative_gap = least > 0.0L ? (double)(gap / least) : HUGE_VAL;
    if (primal == 0.0L && cc == 0.0L) certificate->relative_gap = 0.0;
    certificate->residual = primal > 0.0L ? (double)sqrtl(young.gap / primal) : 0.0;
    certificate->max_q = (double)it->max_q;
}

static rls2_status certify(work *it, const rls2_control *control, rls2_certificate *certificate)
{
    rls2_control own = rls2__control_of(control ? control : &rls2__control_alone);
    int large = (double)it->n * (double)it->n > WORTH_THREADS;
    own.threads = large ? rls2__thread_count(own.threads) : 1;
    rls2__effort_begin(&own, "certificate", it->of->m, &it->effort);
    it->block = rls2__layout_alloc(lay_out, it);
    if (!it->block) return RLS2_ERR_MEMORY;
    begin(it);
    rls2_status status = rls2__joint_loss_create(it->of->loss, it->outputs, it->n, it->of->y,
                                                 it->of->roots, it->of->is_free, &it->loss);
    if (status == RLS2_OK) status = enter_domain(it);
    if (status == RLS2_OK) status = look_at_all(it, certificate);
    if (status == RLS2_OK) conclude(it, certificate);
    if (status == RLS2_OK && (!isfinite(certificate->primal) || !isfinite(certificate->gap)))
        status = RLS2_ERR_NUMERIC;
    rls2__joint_loss_free(&it->loss);
    rls2__free(it->block);
    return status;
}

rls2_status rls2__shared_certify(const rls2__shared_claim *claim, const rls2_control *control,
                                 rls2_certificate *certificate, size_t size, rls2_error *err)
{
    if (!certificate) return rls2__fail_null(err, "certificate");
    rls2_status status = rls2__result_check("certificate", size, sizeof *certificate, err);
    if (status == RLS2_OK) status = rls2__control_check(control, err);
    if (status != RLS2_OK) return status;
    rls2_certificate result = {0};
    work it = {
        .of = claim, .outputs = claim->outputs, .n = claim->rows->n, .lambda = claim->lambda};
    status = certify(&it, control, &result);
    if (status == RLS2_ERR_NUMERIC)
        return rls2__fail(err, status,
                          "the certificate overflows: its numbers are too far apart in size");
    if (status == RLS2_ERR_CANCELLED) return rls2__fail(err, status, "the certificate was stopped");
    if (status != RLS2_OK) return rls2__fail_memory(err, "the certificate");
    rls2__result_write(&result, sizeof result, 1, certificate, size);
    return RLS2_OK;
}

/* ---- of paths ---- */

/* Are they the paths of one fit, and is there a point i? */
static rls2_status check(int64_t outputs, const rls2_path *const *paths, int64_t i, rls2_error *err)
{
    if (!paths) return rls2__fail_null(err, "paths");
    for (int64_t o = 0; o < outputs; o++) {
        const rls2_path *path = paths[o];
        if (!path) return rls2__fail_null(err, "paths");
        if (path->sharing != outputs || path->basis != paths[0]->basis)
            return rls2__fail(err, RLS2_ERR_ARGUMENT,
                              "path %" PRId64 " shares its weights with %" PRId64
                              " outputs in all; %" PRId64 " paths are given",
                              o + 1, path->sharing, outputs);
        if (i < 0 || i >= path->count)
            return rls2__fail(err, RLS2_ERR_ARGUMENT, "there is no point %" PRId64 " on the path",
                              i);
        const rls2__path_entry *one = &path->entries[i], *first = &paths[0]->entries[i];
        if (one->count != first->count || one->point.lambda != first->point.lambda ||
            memcmp(one->ks, first->ks, (size_t)one->count * sizeof *one->ks) != 0 ||
            memcmp(one->d, first->d, (size_t)one->count * sizeof *one->d) != 0)
            return rls2__fail(err, RLS2_ERR_ARGUMENT, "path %" PRId64 " is of another fit", o + 1);
    }
    return RLS2_OK;
}

/* Responses, c, intercepts and weights, as the paths have them. */
typedef struct gathered {
    int64_t outputs;
    const rls2_basis *basis;
    double *y, *c, *b, *d;
    void *block;
} gathered;

static void lay_out_gathered(rls2__layout *layout, void *owner)
{
    gathered *it = owner;
    int64_t size = rls2__mul(it->basis->n, it->outputs);
    it->y = rls2__layout_take(layout, size, sizeof(double));
    it->c = rls2__layout_take(layout, size, sizeof(double));
    it->b = rls2__layout_take(layout, it->outputs, sizeof(double));
    it->d = rls2__layout_take(layout, it->basis->m, sizeof(double));
}

static void gather(gathered *it, const rls2_path *const *paths, int64_t i)
{
    int64_t n = it->basis->n;
    const rls2__path_entry *first = &paths[0]->entries[i];
    for (int64_t o = 0; o < it->outputs; o++) {
        memcpy(it->y + o * n, paths[o]->y, (size_t)n * sizeof(double));
        memcpy(it->c + o * n, paths[o]->entries[i].c, (size_t)n * sizeof(double));
        /* where it is not of the point y is less it already */
        it->b[o] = paths[o]->general ? paths[o]->entries[i].intercept : 0.0;
    }
    memset(it->d, 0, (size_t)it->basis->m * sizeof(double));
    for (int64_t t = 0; t < first->count; t++) it->d[first->ks[t]] = first->d[t];
}

rls2_status rls2_paths_certify(int64_t outputs, const rls2_path *const *paths, int64_t i,
                               const rls2_control *control, rls2_certificate *certificate,
                               size_t size, rls2_error *err)
{
    if (outputs < 1)
        return rls2__fail(err, RLS2_ERR_ARGUMENT, "there are %" PRId64 " paths", outputs);
    rls2_status status = check(outputs, paths, i, err);
    if (status != RLS2_OK) return status;
    if (outputs == 1)
        return rls2_path_certify_watched(paths[0], i, control ? control : &rls2__control_alone,
                                         certificate, size, err);
    const rls2_basis *basis = paths[0]->basis;
    gathered it = {.outputs = outputs, .basis = basis};
    it.block = rls2__layout_alloc(lay_out_gathered, &it);
    if (!it.block) return rls2__fail_memory(err, "the certificate");
    gather(&it, paths, i);
    const rls2__shared_claim claim = {.outputs = outputs,
                                      .m = basis->m,
                                      .kernels = basis->kernels,
                                      .rows = &basis->rows,
                                      .s = basis->s,
                                      .roots = basis->roots,
                                      .loss = paths[0]->loss,
                                      .is_free = paths[0]->is_free,
                                      .lambda = paths[0]->entries[i].point.lambda,
                                      .d = it.d,
                                      .y = it.y,
                                      .c = it.c,
                                      .b = it.b};
    status = rls2__shared_certify(&claim, control, certificate, size, err);
    rls2__free(it.block);
    return status;
}
