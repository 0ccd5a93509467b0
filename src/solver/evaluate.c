/* Computes objective and duality gap with bounds for rounding; the kernel a path starts with. */
#include "solver/evaluate.h"

#include <float.h>
#include <math.h>

#include "base/invariant.h"
#include "base/memory.h"
#include "la/la.h"
#include "solver/solver.h"

/* |y| is about 1 here (path.c). An objective below this has lost digits to underflow, or all of
 * them. */
static const double LEAST_OBJECTIVE = 1e-270;
/* More than underflow can hide of a relative gap, while lambda and the kernels are within the range
 * that path.c and the basis allow. */
static const double HIDDEN = 1e-150;

/* The least that the objective can be where f may be off by `off`, and c'f accordingly. In any case
 * it is no less than the minimum, and M is nowhere larger than the largest norm and lambda:
 * lambda/2 y'M^-1 y >= lambda/2 |y|^2 / (norm + lambda), where every kernel is positive
 * semi-definite. */
static double least_objective(const rls2__problem *problem, double lambda, double fit,
                              double penalty, double off, double off_penalty)
{
    double nearest = fmax(sqrt(fit) - off, 0.0), rest = penalty - off_penalty;
    if (problem->indefinite) return 0.5 * nearest * nearest + rest;
    double share = lambda / (problem->exact_norm + lambda);
    return fmax(0.5 * nearest * nearest + fmax(rest, 0.0),
                0.5 * share * problem->y_norm * problem->y_norm);
}

rls2__evaluation rls2__evaluate(const rls2__problem *problem, double lambda, const double *c,
                                const double *f, double max_q, double slack, rls2__bounds bounds)
{
    int64_t n = problem->basis->n;
    double fit = 0.0, rest = 0.0, cf = 0.0, cc = 0.0;
    for (int64_t i = 0; i < n; i++) {
        double e = problem->y[i] - f[i], r = e - lambda * c[i];
        fit += e * e;
        rest += r * r;
        cf += c[i] * f[i];
        cc += c[i] * c[i];
    }
    rls2__evaluation at;
    double rounding = DBL_EPSILON * bounds.norm * cc;
    double off =
        (DBL_EPSILON * sqrt((double)n) * bounds.norm + bounds.lost) * sqrt(cc); /* of f, and of r */
    double farthest = sqrt(rest) + off;
    double mean_off = rounding + bounds.lost * cc; /* of c'f */
    double gap = 0.5 * farthest * farthest + 0.5 * lambda * (fmax(max_q - cf, 0.0) + mean_off);
    double least =
        least_objective(problem, lambda, fit, 0.5 * lambda * cf, off, 0.5 * lambda * mean_off);
    at.mean_q = cf;
    at.objective = 0.5 * fit + 0.5 * lambda * cf;
    /* numbers that overflow or underflow prove nothing */
    at.gap = least >= LEAST_OBJECTIVE ? gap / least + HIDDEN : HUGE_VAL;
    /* an objective lost in rounding proves no more, but the answer is worth keeping, with a gap
     * that says so */
    if (problem->indefinite && !(least >= LEAST_OBJECTIVE) && at.objective >= LEAST_OBJECTIVE)
        at.gap = 2.0 + 2.0 * gap / at.objective;
    if (problem->y_norm == 0.0 && cc == 0.0) at.gap = 0.0;
    if (!isfinite(at.objective) || !isfinite(at.gap)) at.gap = INFINITY;
    at.floor = least > 0.0 ? (0.5 * off * off + 0.5 * lambda * (slack + mean_off)) / least : 0.0;
    at.residual = problem->y_norm > 0.0 ? sqrt(rest) / problem->y_norm : 0.0;
    rls2__invariant(lambda > 0.0 && bounds.norm >= 0.0 && bounds.lost >= 0.0);
    rls2__invariant(at.gap >= 0.0 && !(at.floor < 0.0) && !(at.residual < 0.0));
    return at;
}

double rls2__combined_norm(const rls2_basis *basis, int64_t count, const int64_t *ks,
                           const double *d)
{
    double norm = 0.0;
    for (int64_t i = 0; i < count; i++) norm += d[i] * basis->ops[ks[i]].norm;
    return norm;
}

rls2__bounds rls2__combined_bounds(const rls2_basis *basis, int64_t count, const int64_t *ks,
                                   const double *d)
{
    rls2__bounds bounds = {rls2__combined_norm(basis, count, ks, d), 0.0};
    for (int64_t i = 0; i < count; i++) bounds.lost += d[i] * basis->ops[ks[i]].slack;
    return bounds;
}

/* Insertion sort: the lists are short and nearly in order. */
void rls2__sort_weights(int64_t count, int64_t *ks, double *d)
{
    for (int64_t i = 1; i < count; i++) {
        int64_t k = ks[i], at = i;
        double weight = d[i];
        for (; at > 0 && ks[at - 1] > k; at--) {
            ks[at] = ks[at - 1];
            d[at] = d[at - 1];
        }
        ks[at] = k;
        d[at] = weight;
    }
    rls2__invariant(rls2__is_ascending(count, ks, INT64_MAX));
}

int64_t rls2__working_room(const rls2_basis *basis)
{
    int64_t room = basis->n + 64;
    return basis->m < room ? basis->m : room;
}

/* q += y_o'R^k y_o of all kernels, of the outputs after the first; part: m */
static rls2_status add_outputs(const rls2__problem *problem, const int64_t *ks, double *q,
                               double *part, double *work)
{
    const rls2_basis *basis = problem->basis;
    rls2_status status = RLS2_OK;
    for (int64_t o = 1; o < problem->outputs && status == RLS2_OK; o++) {
        status = rls2__basis_price(problem->effort, basis, problem->y + o * basis->n, basis->m, ks,
                                   part, work);
        for (int64_t i = 0; i < basis->m; i++) q[i] += part[i];
    }
    return status;
}

rls2_status rls2__first_kernel(const rls2__problem *problem, int64_t *k, double *alignment)
{
    const rls2_basis *basis = problem->basis;
    rls2_status status = RLS2_ERR_MEMORY;
    int64_t *ks = rls2__alloc(basis->m, sizeof(int64_t));
    double *q = rls2__alloc(rls2__mul(2, basis->m), sizeof(double));
    double *work = rls2__alloc(basis->n, sizeof(double));
    if (!ks || !q || !work) goto cleanup;
    for (int64_t i = 0; i < basis->m; i++) ks[i] = i;
    status = rls2__basis_price(problem->effort, basis, problem->y, basis->m, ks, q, work);
    if (status == RLS2_OK) status = add_outputs(problem, ks, q, q + basis->m, work);
    if (status != RLS2_OK) goto cleanup;
    *k = -1;
    for (int64_t i = 0; i < basis->m; i++)
        if (basis->s[i] > 0.0 && (*k < 0 || q[i] > q[*k])) *k = i; /* never a skipped kernel */
    rls2__invariant(*k >= 0); /* a basis has a kernel that could be scaled */
    *alignment = q[*k];
    status = RLS2_OK;
cleanup:
    rls2__free(ks);
    rls2__free(q);
    rls2__free(work);
    return status;
}
