/* The shapes an operator can have. */
#include <math.h>
#include <string.h>

#include "kernel/basis.h"
#include "la/la.h"

/* c'Rc = sum_j c_j (R_jj c_j + 2 sum_{i>j} R_ij c_i): reads the triangle once and writes
 * nothing, half the work of forming Rc. */
static double dense_quadratic(const rls2__operator *op, int64_t n, const double *c, double *work)
{
    (void)work;
    const double *column = op->data;
    double diagonal = 0.0, below = 0.0;
    for (int64_t j = 0; j < n; j++) {
        diagonal += column[0] * c[j] * c[j];
        below += c[j] * rls2__la_dot(n - j - 1, column + 1, c + j + 1);
        column += n - j;
    }
    return diagonal + 2.0 * below;
}

static void dense_apply(const rls2__operator *op, int64_t n, const double *c, double *v, double *work)
{
    (void)work;
    rls2__la_spmv(n, op->data, c, v);
}

static void dense_triangle(const rls2__operator *op, int64_t n, double *packed, double *scratch)
{
    (void)scratch;
    memcpy(packed, op->data, (size_t)(n * (n + 1) / 2) * sizeof *packed);
}

const rls2__shape rls2__shape_dense = {"dense", dense_quadratic, dense_apply, dense_triangle};

static double factor_quadratic(const rls2__operator *op, int64_t n, const double *c, double *work)
{
    if (op->rank == 0) return 0.0;
    rls2__la_gemv_t(n, op->rank, op->data, n, c, work);
    return rls2__la_dot(op->rank, work, work);
}

static void factor_apply(const rls2__operator *op, int64_t n, const double *c, double *v, double *work)
{
    if (op->rank == 0) {
        memset(v, 0, (size_t)n * sizeof *v);
        return;
    }
    rls2__la_gemv_t(n, op->rank, op->data, n, c, work);
    rls2__la_gemv_n(n, op->rank, 1.0, op->data, n, work, 0.0, v);
}

static void pack_lower(int64_t n, const double *A, double *packed)
{
    for (int64_t j = 0; j < n; j++) {
        memcpy(packed, A + j * n + j, (size_t)(n - j) * sizeof *packed);
        packed += n - j;
    }
}

static void factor_triangle(const rls2__operator *op, int64_t n, double *packed, double *scratch)
{
    rls2__la_syrk(n, op->rank, 1.0, op->data, n, 0.0, scratch, n);
    pack_lower(n, scratch, packed);
}

const rls2__shape rls2__shape_factor = {"factor", factor_quadratic, factor_apply, factor_triangle};

static double rank_one_quadratic(const rls2__operator *op, int64_t n, const double *c, double *work)
{
    (void)work;
    double inner = rls2__la_dot(n, op->data, c);
    return op->weight * inner * inner;
}

static void rank_one_apply(const rls2__operator *op, int64_t n, const double *c, double *v, double *work)
{
    (void)work;
    double a = op->weight * rls2__la_dot(n, op->data, c);
    for (int64_t i = 0; i < n; i++) v[i] = a * op->data[i];
}

static void rank_one_triangle(const rls2__operator *op, int64_t n, double *packed, double *scratch)
{
    (void)scratch;
    for (int64_t j = 0; j < n; j++) {
        double a = op->weight * op->data[j];
        for (int64_t i = j; i < n; i++) *packed++ = a * op->data[i];
    }
}

const rls2__shape rls2__shape_rank_one = {"rank-one", rank_one_quadratic, rank_one_apply, rank_one_triangle};
