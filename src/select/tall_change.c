/* How far the least objective of binned rows is from that of the rows themselves. [MATH.md, L6] */
#include <math.h>

#include "base/memory.h"
#include "basis/apart.h"
#include "la/la.h"
#include "select/tall.h"

/* Of a solution of the binned problem. */
typedef struct sums {
    double lambda, objective;
    double yc, cc;       /* y'c, c'c */
    double cf;           /* c'f = sum_k d_k q_k */
    double moves;        /* sum_k d_k sqrt(moved_k q_k): what f may differ on the rows */
    double bound_q;      /* largest q_k of the kernels themselves, at most, */
    double likely_q;     /* and about */
    double likely_moves; /* as `moves`, of rounding alone */
} sums;

static double form(const rls2_basis *basis, int64_t k, const double *c, double *work)
{
    const rls2__operator *op = &basis->ops[k];
    if (op->rank == 0) return 0.0;
    rls2__la_gemv_t(basis->n, op->rank, op->factor, basis->n, c, work);
    return op->scale * rls2__la_dot(op->rank, work, work);
}

/* The larger one; unlike fmax NaN if one is, so that no kernel is dropped. */
static double larger(double a, double b)
{
    return a >= b || isnan(a) ? a : b;
}

static void add_kernel(const rls2_basis *basis, int64_t k, double d, double q, double rows,
                       const rls2__apart *apart, sums *s)
{
    double above = q + basis->ops[k].slack * s->cc;
    double root = sqrt(above) + sqrt(apart->moved * s->cc);
    s->cf += d * q;
    s->moves += d * sqrt(apart->moved * above);
    s->likely_moves += d * sqrt(apart->rounded * above);
    s->bound_q = larger(s->bound_q, root * root + apart->left_out * s->cc);
    /* Residuals hold what landmarks left out of the response, so that part is not divided. */
    s->likely_q = larger(s->likely_q, q + (apart->moved / rows + apart->left_out) * s->cc);
}

static double weight_of(const rls2__path_entry *entry, int64_t k)
{
    for (int64_t t = 0; t < entry->count; t++)
        if (entry->ks[t] == k) return entry->d[t];
    return 0.0;
}

static rls2__tall_change conclude(const sums *s)
{
    double lower = 0.5 * s->lambda * s->yc * s->yc / (s->lambda * s->cc + s->bound_q);
    double likely = 0.5 * s->lambda * s->yc * s->yc / (s->lambda * s->cc + s->likely_q);
    double length = sqrt(fmax(2.0 * s->objective - s->lambda * s->cf, 0.0)) + s->moves;
    double upper = 0.5 * length * length + 0.5 * s->lambda * s->cf;
    if (!(lower > 0.0 && isfinite(upper / lower)))
        return (rls2__tall_change){(double)NAN, (double)NAN};
    double about = s->objective + 0.5 * s->likely_moves * s->likely_moves;
    return (rls2__tall_change){fmax(upper / lower - 1.0, 0.0), fmax(about / likely - 1.0, 0.0)};
}

rls2_status rls2__tall_change_at(const rls2__tall_fit *fit, const unsigned char *is_exact,
                                 int64_t o, int64_t i, rls2__tall_change *change)
{
    const rls2_basis *basis = fit->basis;
    const rls2__path_entry *entry = &fit->paths[o]->entries[i];
    const double *y = fit->y + o * basis->n;
    sums s = {.lambda = entry->point.lambda,
              .objective = entry->point.objective,
              .yc = rls2__la_dot(basis->n, y, entry->c),
              .cc = rls2__la_dot(basis->n, entry->c, entry->c)};
    rls2__apart *apart = rls2__alloc(basis->m, sizeof *apart);
    double *work = rls2__alloc(basis->n + fit->moments.points, sizeof *work);
    rls2_status status = apart && work ? RLS2_OK : RLS2_ERR_MEMORY;
    if (status == RLS2_OK) status = rls2__virtual_apart(fit->rows, basis, is_exact, apart);
    for (int64_t k = 0; k < basis->m && status == RLS2_OK; k++)
        add_kernel(basis, k, weight_of(entry, k), form(basis, k, entry->c, work), fit->moments.rows,
                   &apart[k], &s);
    if (status == RLS2_OK) *change = conclude(&s);
    rls2__free(apart);
    rls2__free(work);
    return status;
}
