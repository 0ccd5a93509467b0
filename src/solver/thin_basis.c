/* Finds out whether few virtual rows are enough, and makes their operators. */
#include "solver/thin_basis.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/invariant.h"
#include "base/many_rows.h"
#include "base/memory.h"
#include "basis/operator.h"
#include "la/la.h"

/* Below so many rows there is nothing to gain: they are solved in milliseconds. */
enum { FEWEST_EQUAL = 200, FEWEST_ROTATED = RLS2__MANY_ROWS };

/* There are to be this many rows to a virtual one. */
enum { ROWS_PER_VIRTUAL = 3 };

/* The kernels of the basis, all but their operators borrowed. */
static rls2_status start(const rls2_basis *basis, int64_t r, rls2_basis *thin)
{
    *thin = *basis;
    thin->n = r + 1;
    thin->weights = thin->roots = NULL; /* they are part of the operators */
    thin->sparse = NULL;
    thin->lender = basis;
    thin->ops = rls2__alloc(basis->m, sizeof *thin->ops);
    return thin->ops ? RLS2_OK : RLS2_ERR_MEMORY;
}

/* What an orthogonal map leaves as it is, but for rounding. */
static rls2__operator operator_like(const rls2__operator *op)
{
    rls2__operator made = *op;
    made.owned = NULL;
    made.bytes = 0;
    made.factor = made.packed = made.full = NULL;
    made.rounded = NULL;
    return made;
}

/* ---- equal rows ---- */

static int can_be_grouped(const rls2_basis *basis)
{
    if (basis->n < FEWEST_EQUAL || basis->recomputed > 0 || basis->is_virtual) return 0;
    for (int64_t k = 0; k < basis->m; k++)
        if (basis->s[k] > 0.0 && basis->kernels[k].kind == RLS2__KERNEL_GIVEN) return 0;
    return 1;
}

/* Those that a kernel looks at; returns how many. flags: p */
static int64_t list_columns(const rls2_basis *basis, unsigned char *flags, int64_t *columns)
{
    int64_t count = 0;
    memset(flags, 0, (size_t)basis->rows.p);
    for (int64_t k = 0; k < basis->m; k++) {
        const rls2__kernel *kernel = &basis->kernels[k];
        for (int64_t t = 0; basis->s[k] > 0.0 && t < kernel->column_count; t++)
            flags[kernel->columns[t]] = 1;
    }
    for (int64_t j = 0; j < basis->rows.p; j++)
        if (flags[j]) columns[count++] = j;
    return count;
}

/* *found is 0 where too many rows are different. */
static rls2_status find_groups(const rls2_basis *basis, rls2__distinct *groups, int *found)
{
    int64_t p = basis->rows.p;
    unsigned char *flags = rls2__alloc(p, 1);
    int64_t *columns = rls2__alloc(p, sizeof *columns);
    rls2_status status =
        flags && columns ? rls2__distinct_create(basis->n, groups) : RLS2_ERR_MEMORY;
    *found = 0;
    if (status == RLS2_OK) {
        int64_t count = list_columns(basis, flags, columns);
        *found = rls2__distinct_group(count, columns, &basis->rows, basis->roots, groups) &&
                 groups->count <= basis->n / ROWS_PER_VIRTUAL;
    }
    rls2__free(flags);
    rls2__free(columns);
    return status;
}

static int64_t triangle_size(int64_t n)
{
    int64_t twice = rls2__mul(n, n + 1);
    return twice < 0 ? -1 : twice / 2;
}

/* The row that stands for a group, times the root of the group's mass over its own. */
static void gather_factor(const rls2__operator *op, int64_t n, const rls2__distinct *groups,
                          double *out)
{
    int64_t u = groups->count;
    for (int64_t t = 0; t < op->rank; t++, out += u + 1) {
        for (int64_t g = 0; g < u; g++)
            out[g] = sqrt(groups->mass[g]) * op->factor[t * n + groups->stands[g]];
        out[u] = 0.0;
    }
}

static void gather_triangle(const rls2__operator *op, int64_t n, const rls2__distinct *groups,
                            double *out)
{
    int64_t u = groups->count;
    for (int64_t h = 0; h < u; h++) {
        double root = sqrt(groups->mass[h]);
        for (int64_t g = h; g < u; g++)
            *out++ = root * sqrt(groups->mass[g]) *
                     rls2__triangle_entry(op, n, groups->stands[g], groups->stands[h]);
        *out++ = 0.0;
    }
    *out = 0.0;
}

static void gather_operators(const rls2_basis *basis, const rls2__distinct *groups, double *values,
                             rls2_basis *thin)
{
    for (int64_t k = 0; k < basis->m; k++) {
        const rls2__operator *op = &basis->ops[k];
        rls2__operator *made = &thin->ops[k];
        *made = operator_like(op);
        made->slack += 8.0 * DBL_EPSILON * op->norm; /* two roots, and products with them */
        if (op->factor) {
            gather_factor(op, basis->n, groups, values);
            made->factor = values;
            values += op->rank * thin->n;
        } else {
            gather_triangle(op, basis->n, groups, values);
            made->packed = values;
            made->rank = thin->n;
            values += triangle_size(thin->n);
        }
    }
}

rls2_status rls2__thin_group(const rls2_basis *basis, rls2__distinct *groups, rls2_basis *thin,
                             double **values)
{
    int found = 0;
    int64_t count = 0;
    *values = NULL;
    rls2_status status = can_be_grouped(basis) ? find_groups(basis, groups, &found) : RLS2_OK;
    if (status != RLS2_OK || !found) return status;
    status = start(basis, groups->count, thin);
    if (status != RLS2_OK) return status;
    for (int64_t k = 0; k < basis->m; k++)
        count = rls2__add(count, basis->ops[k].factor ? rls2__mul(basis->ops[k].rank, thin->n)
                                                      : triangle_size(thin->n));
    *values = rls2__alloc(count, sizeof(double));
    if (!*values) return RLS2_ERR_MEMORY;
    gather_operators(basis, groups, *values, thin);
    return RLS2_OK;
}

/* ---- rotation ---- */

/* Columns of all factors; 0 where an operator is none, or they are too many. */
static int64_t count_columns(const rls2_basis *basis)
{
    int64_t count = 0;
    for (int64_t k = 0; k < basis->m; k++) {
        if (!basis->ops[k].factor) return 0;
        count += basis->ops[k].rank;
        if (count > basis->n / ROWS_PER_VIRTUAL) return 0;
    }
    return count;
}

static rls2_status rotate_factors(rls2__effort *effort, const rls2_basis *basis, int64_t count,
                                  rls2__qr **qr)
{
    const double **columns = rls2__alloc(count, sizeof *columns);
    int64_t at = 0;
    if (!columns) return RLS2_ERR_MEMORY;
    for (int64_t k = 0; k < basis->m; k++)
        for (int64_t t = 0; t < basis->ops[k].rank; t++)
            columns[at++] = basis->ops[k].factor + t * basis->n;
    rls2__invariant(at == count);
    rls2_status status = rls2__qr_create(effort, basis->n, count, columns, qr);
    rls2__free(columns);
    return status;
}

static void take_triangle(const rls2_basis *basis, const double *S, double *values,
                          rls2_basis *thin)
{
    int64_t r = thin->n - 1;
    for (int64_t j = 0; j < r; j++) {
        memcpy(values + j * (r + 1), S + j * r, (size_t)r * sizeof *values);
        values[j * (r + 1) + r] = 0.0;
    }
    for (int64_t k = 0; k < basis->m; k++) {
        thin->ops[k] = operator_like(&basis->ops[k]);
        thin->ops[k].factor = values;
        values += basis->ops[k].rank * (r + 1);
    }
}

rls2_status rls2__thin_rotate(rls2__effort *effort, const rls2_basis *basis, rls2__qr **qr,
                              rls2_basis *thin, double **values)
{
    int64_t count = basis->n >= FEWEST_ROTATED ? count_columns(basis) : 0;
    *values = NULL;
    if (count == 0) return RLS2_OK;
    rls2_status status = rotate_factors(effort, basis, count, qr);
    if (status == RLS2_OK) status = start(basis, count, thin);
    if (status != RLS2_OK) return status;
    *values = rls2__alloc(rls2__mul(count, count + 1), sizeof(double));
    if (!*values) return RLS2_ERR_MEMORY;
    take_triangle(basis, rls2__qr_triangle(*qr), *values, thin);
    return RLS2_OK;
}
