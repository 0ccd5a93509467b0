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
    const double *column = op->packed;
    double diagonal = 0.0, below = 0.0;
    for (int64_t j = 0; j < n; j++) {
        diagonal += column[0] * c[j] * c[j];
        below += c[j] * rls2__la_dot(n - j - 1, column + 1, c + j + 1);
        column += n - j;
    }
    return op->scale * (diagonal + 2.0 * below);
}

static void dense_apply(const rls2__operator *op, int64_t n, const double *c, double *v, double *work)
{
    (void)work;
    rls2__la_spmv(n, op->scale, op->packed, c, v);
}

const rls2__shape rls2__shape_dense = {"dense", dense_quadratic, dense_apply};

static double factor_quadratic(const rls2__operator *op, int64_t n, const double *c, double *work)
{
    if (op->rank == 0) return 0.0;
    rls2__la_gemv_t(n, op->rank, op->factor, n, c, work);
    return op->scale * rls2__la_dot(op->rank, work, work);
}

static void factor_apply(const rls2__operator *op, int64_t n, const double *c, double *v, double *work)
{
    if (op->rank == 0) {
        memset(v, 0, (size_t)n * sizeof *v);
        return;
    }
    rls2__la_gemv_t(n, op->rank, op->factor, n, c, work);
    rls2__la_gemv_n(n, op->rank, op->scale, op->factor, n, work, 0.0, v);
}

const rls2__shape rls2__shape_factor = {"factor", factor_quadratic, factor_apply};

/* One column of the data, used where it lies: the same with a product less. */
static double rank_one_quadratic(const rls2__operator *op, int64_t n, const double *c, double *work)
{
    (void)work;
    double inner = rls2__la_dot(n, op->factor, c);
    return op->scale * inner * inner;
}

static void rank_one_apply(const rls2__operator *op, int64_t n, const double *c, double *v, double *work)
{
    (void)work;
    double a = op->scale * rls2__la_dot(n, op->factor, c);
    for (int64_t i = 0; i < n; i++) v[i] = a * op->factor[i];
}

const rls2__shape rls2__shape_rank_one = {"rank-one", rank_one_quadratic, rank_one_apply};

/* The caller's own n x n matrix, of which the lower triangle counts. */
static double given_quadratic(const rls2__operator *op, int64_t n, const double *c, double *work)
{
    rls2__la_symv(n, op->scale, op->full, n, c, work);
    return rls2__la_dot(n, c, work);
}

static void given_apply(const rls2__operator *op, int64_t n, const double *c, double *v, double *work)
{
    (void)work;
    rls2__la_symv(n, op->scale, op->full, n, c, v);
}

const rls2__shape rls2__shape_given = {"given", given_quadratic, given_apply};
