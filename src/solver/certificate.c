/* Primal, dual and gap, from kernel functions and rows alone.  [MATH.md, G2]
 *
 *   primal(c, d) = 1/2 |y - R(d)c|^2 + lambda/2 c'R(d)c
 *   dual(c)      = lambda y'c - lambda^2/2 c'c - lambda/2 max_k c'R^k c
 *
 * where with weights w of the rows |v|^2 is sum_i w_i v_i^2 and c'c is sum_i c_i^2 / w_i: the same for W^1/2 R^k W^1/2,
 * W^1/2 y and W^-1/2 c.  [W2]
 *
 * Deliberately plain: no basis, no factor, no lazy pricing, no BLAS, so that it shares
 * no mistake with the solver, and summed in long double, so that it is the better of
 * the two where lambda is tiny (where long double is no longer than double, as good).
 * Kernel columns are evaluated from their diagonal down
 * and used for both triangles. */
#include "solver/certificate.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

/* A linear kernel needs no matrix: K c = sum of x (x'c) over its columns. */
static void apply_linear(const rls2__kernel *kernel, const rls2_rows *train, const double *c, long double *v)
{
    int64_t n = train->n;
    for (int64_t t = 0; t < kernel->column_count; t++) {
        const double *x = train->x + kernel->columns[t] * (train->ldx ? train->ldx : n);
        long double product = 0.0L;
        for (int64_t i = 0; i < n; i++) product += (long double)x[i] * c[i];
        for (int64_t i = 0; i < n; i++) v[i] += product * x[i];
    }
}

/* Any other: one column of K at a time. */
static void apply_columns(const rls2__kernel *kernel, const rls2_rows *train, const double *c, double *column,
                          long double *v)
{
    int64_t n = train->n;
    for (int64_t j = 0; j < n; j++) {
        rls2__kernel_column_from(kernel, train, j, train, j, column);
        long double below = (long double)column[0] * c[j];
        for (int64_t i = j + 1; i < n; i++) {
            v[i] += (long double)column[i - j] * c[j];
            below += (long double)column[i - j] * c[i];
        }
        v[j] += below;
    }
}

/* v = s K c */
static void apply_kernel(const rls2__kernel *kernel, const rls2_rows *train, double s, const double *c,
                         double *column, long double *v)
{
    for (int64_t i = 0; i < train->n; i++) v[i] = 0.0L;
    if (kernel->kind == RLS2__KERNEL_LINEAR)
        apply_linear(kernel, train, c, v);
    else
        apply_columns(kernel, train, c, column, v);
    for (int64_t i = 0; i < train->n; i++) v[i] *= s;
}

static long double inner(int64_t n, const double *x, const long double *y)
{
    long double sum = 0.0L;
    for (int64_t i = 0; i < n; i++) sum += x[i] * y[i];
    return sum;
}

static void conclude(int64_t n, const double *w, const double *y, double lambda, const double *c,
                     const long double *f, long double max_q, rls2_certificate *certificate)
{
    long double fit = 0.0L, rest = 0.0L, yy = 0.0L, yc = 0.0L, cc = 0.0L, cf = inner(n, c, f);
    for (int64_t i = 0; i < n; i++) {
        long double weight = w ? w[i] : 1.0, e = y[i] - f[i];
        long double r = e - (long double)lambda * c[i] / weight;
        fit += weight * e * e;
        rest += weight * r * r;
        yy += weight * y[i] * y[i];
        yc += (long double)y[i] * c[i];
        cc += (long double)c[i] * c[i] / weight;
    }
    long double primal = 0.5L * fit + 0.5L * lambda * cf;
    long double gap = 0.5L * rest + 0.5L * lambda * (max_q - cf); /* primal - dual, without its cancelling */
    certificate->primal = (double)primal;
    certificate->dual = (double)(lambda * yc - 0.5L * lambda * lambda * cc - 0.5L * lambda * max_q);
    certificate->gap = (double)gap;
    certificate->relative_gap = primal == 0.0L ? 0.0 : (double)(gap / primal);
    certificate->residual = yy > 0.0L ? (double)sqrtl(rest / yy) : 0.0;
    certificate->max_q = (double)max_q;
}

rls2_status rls2__certify(int64_t m, const rls2__kernel *kernels, const rls2_rows *train, const double *s,
                          const double *w, const double *y, double lambda, const double *d, const double *c,
                          rls2_certificate *certificate)
{
    int64_t n = train->n;
    rls2_status status = RLS2_ERR_MEMORY;
    double *column = rls2__alloc(n, sizeof(double));
    long double *v = rls2__alloc(n, sizeof(long double));
    long double *f = rls2__alloc(n, sizeof(long double));
    long double max_q = 0.0L;
    if (!column || !v || !f) goto cleanup;
    memset(certificate, 0, sizeof *certificate);
    for (int64_t i = 0; i < n; i++) f[i] = 0.0L;
    for (int64_t k = 0; k < m; k++) {
        apply_kernel(&kernels[k], train, s[k], c, column, v);
        long double q = inner(n, c, v);
        if (!isfinite(q)) {
            status = RLS2_ERR_NUMERIC; /* a kernel that cannot be looked at proves nothing */
            goto cleanup;
        }
        if (k == 0 || q > max_q) {
            max_q = q;
            certificate->max_kernel = k;
        }
        if (d[k] == 0.0) continue;
        for (int64_t i = 0; i < n; i++) f[i] += d[k] * v[i];
    }
    conclude(n, w, y, lambda, c, f, max_q, certificate);
    status = isfinite(certificate->primal) && isfinite(certificate->gap) ? RLS2_OK : RLS2_ERR_NUMERIC;
cleanup:
    rls2__free(column);
    rls2__free(v);
    rls2__free(f);
    return status;
}
