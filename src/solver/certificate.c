/* Primal, dual and gap, from kernel functions and rows alone.  [MATH.md, G2]
 *
 *   primal(c, d) = 1/2 |y - R(d)c|^2 + lambda/2 c'R(d)c
 *   dual(c)      = lambda y'c - lambda^2/2 c'c - lambda/2 max_k c'R^k c
 *
 * Deliberately plain: no basis, no factor, no lazy pricing, so that it shares no
 * mistake with the solver. Kernel columns are evaluated from their diagonal down and
 * used for both triangles. */
#include "solver/certificate.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

/* v = s K c, one column of K at a time. */
static void apply_kernel(const rls2__kernel *kernel, const rls2_rows *train, double s, const double *c,
                         double *column, double *v)
{
    int64_t n = train->n;
    memset(v, 0, (size_t)n * sizeof *v);
    for (int64_t j = 0; j < n; j++) {
        rls2__kernel_column_from(kernel, train, j, train, j, column);
        double below = column[0] * c[j];
        for (int64_t i = j + 1; i < n; i++) {
            v[i] += s * column[i - j] * c[j];
            below += column[i - j] * c[i];
        }
        v[j] += s * below;
    }
}

static double inner(int64_t n, const double *x, const double *y)
{
    double sum = 0.0;
    for (int64_t i = 0; i < n; i++) sum += x[i] * y[i];
    return sum;
}

static void conclude(int64_t n, const double *y, double lambda, const double *c, const double *f,
                     rls2_certificate *certificate)
{
    double fit = 0.0, rest = 0.0, size = inner(n, y, y), cf = inner(n, c, f);
    for (int64_t i = 0; i < n; i++) {
        double e = y[i] - f[i], r = e - lambda * c[i];
        fit += e * e;
        rest += r * r;
    }
    certificate->primal = 0.5 * fit + 0.5 * lambda * cf;
    certificate->dual = lambda * inner(n, y, c) - 0.5 * lambda * lambda * inner(n, c, c) -
                        0.5 * lambda * certificate->max_q;
    /* primal - dual, in the form that does not cancel */
    certificate->gap = 0.5 * rest + 0.5 * lambda * (certificate->max_q - cf);
    certificate->relative_gap = certificate->primal == 0.0 ? 0.0 : certificate->gap / certificate->primal;
    certificate->residual = size > 0.0 ? sqrt(rest / size) : 0.0;
}

rls2_status rls2__certify(int64_t m, const rls2__kernel *kernels, const rls2_rows *train, const double *s,
                          const double *y, double lambda, const double *d, const double *c,
                          rls2_certificate *certificate)
{
    int64_t n = train->n;
    rls2_status status = RLS2_ERR_MEMORY;
    double *column = rls2__alloc(n, sizeof(double));
    double *v = rls2__alloc(n, sizeof(double));
    double *f = rls2__alloc_zero(n, sizeof(double));
    if (!column || !v || !f) goto cleanup;
    memset(certificate, 0, sizeof *certificate);
    for (int64_t k = 0; k < m; k++) {
        apply_kernel(&kernels[k], train, s[k], c, column, v);
        double q = inner(n, c, v);
        if (k == 0 || q > certificate->max_q) {
            certificate->max_q = q;
            certificate->max_kernel = k;
        }
        if (d[k] == 0.0) continue;
        for (int64_t i = 0; i < n; i++) f[i] += d[k] * v[i];
    }
    conclude(n, y, lambda, c, f, certificate);
    status = isfinite(certificate->primal) && isfinite(certificate->gap) ? RLS2_OK : RLS2_ERR_NUMERIC;
cleanup:
    rls2__free(column);
    rls2__free(v);
    rls2__free(f);
    return status;
}
