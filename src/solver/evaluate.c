#include <float.h>
#include <math.h>

#include "base/memory.h"
#include "la/la.h"
#include "solver/solver.h"

rls2__evaluation rls2__evaluate(const rls2__problem *problem, double lambda, const double *c, const double *f,
                                double max_q, double slack, double norm)
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
    double rounding = DBL_EPSILON * norm * cc;
    double noise = DBL_EPSILON * norm * rounding * (double)n; /* what |r|^2 cannot be told from */
    double gap = 0.5 * fmax(rest, noise) + 0.5 * lambda * (fmax(max_q - cf, 0.0) + rounding);
    at.mean_q = cf;
    at.objective = 0.5 * fit + 0.5 * lambda * cf;
    /* numbers that overflow prove nothing */
    at.gap = at.objective == 0.0 ? 0.0 : gap / at.objective;
    if (!isfinite(at.objective) || !isfinite(at.gap)) at.gap = INFINITY;
    at.floor = at.objective > 0.0 ? 0.5 * lambda * (slack + rounding) / at.objective : 0.0;
    at.residual = problem->y_norm > 0.0 ? sqrt(rest) / problem->y_norm : 0.0;
    return at;
}

double rls2__combined_norm(const rls2_basis *basis, int64_t count, const int64_t *ks, const double *d)
{
    double norm = 0.0;
    for (int64_t i = 0; i < count; i++) norm += d[i] * basis->ops[ks[i]].norm;
    return norm;
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
}

int64_t rls2__working_room(const rls2_basis *basis)
{
    int64_t room = basis->n + 64;
    return basis->m < room ? basis->m : room;
}

rls2_status rls2__first_kernel(const rls2__problem *problem, int64_t *k, double *alignment)
{
    const rls2_basis *basis = problem->basis;
    rls2_status status = RLS2_ERR_MEMORY;
    int64_t *ks = rls2__alloc(basis->m, sizeof(int64_t));
    double *q = rls2__alloc(basis->m, sizeof(double));
    double *work = rls2__alloc(basis->n, sizeof(double));
    if (!ks || !q || !work) goto cleanup;
    for (int64_t i = 0; i < basis->m; i++) ks[i] = i;
    rls2__basis_price(basis, problem->y, basis->m, ks, q, work);
    *k = -1;
    for (int64_t i = 0; i < basis->m; i++)
        if (basis->s[i] > 0.0 && (*k < 0 || q[i] > q[*k])) *k = i; /* never a skipped kernel */
    *alignment = q[*k];
    status = RLS2_OK;
cleanup:
    rls2__free(ks);
    rls2__free(q);
    rls2__free(work);
    return status;
}
