#include "solver/pricing.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "la/la.h"

enum { SNAPSHOTS = 48 };

rls2_status rls2__pricer_create(const rls2_basis *basis, rls2__pricer *pricer)
{
    int64_t n = basis->n, m = basis->m;
    memset(pricer, 0, sizeof *pricer);
    pricer->basis = basis;
    pricer->points = rls2__alloc(rls2__mul(n, SNAPSHOTS), sizeof(double));
    pricer->squares = rls2__alloc(SNAPSHOTS, sizeof(double));
    pricer->stretch = rls2__alloc(SNAPSHOTS, sizeof(double));
    pricer->distance = rls2__alloc(SNAPSHOTS, sizeof(double));
    pricer->seen = rls2__alloc(m, sizeof(int64_t));
    pricer->root_q = rls2__alloc(m, sizeof(double));
    pricer->root_norm = rls2__alloc(m, sizeof(double));
    pricer->todo = rls2__alloc(m, sizeof(int64_t));
    pricer->values = rls2__alloc(m, sizeof(double));
    pricer->work = rls2__alloc(n, sizeof(double));
    pricer->q = rls2__alloc_zero(m, sizeof(double));
    pricer->exact = rls2__alloc_zero(m, 1);
    if (!pricer->points || !pricer->squares || !pricer->stretch || !pricer->distance || !pricer->seen ||
        !pricer->root_q || !pricer->root_norm || !pricer->todo || !pricer->values || !pricer->work ||
        !pricer->q || !pricer->exact)
        return RLS2_ERR_MEMORY;
    for (int64_t k = 0; k < m; k++) {
        pricer->seen[k] = -1;
        pricer->root_norm[k] = sqrt(basis->ops[k].norm);
    }
    return RLS2_OK;
}

void rls2__pricer_free(rls2__pricer *pricer)
{
    rls2__free(pricer->points);
    rls2__free(pricer->squares);
    rls2__free(pricer->stretch);
    rls2__free(pricer->distance);
    rls2__free(pricer->seen);
    rls2__free(pricer->root_q);
    rls2__free(pricer->root_norm);
    rls2__free(pricer->todo);
    rls2__free(pricer->values);
    rls2__free(pricer->work);
    rls2__free(pricer->q);
    rls2__free(pricer->exact);
    memset(pricer, 0, sizeof *pricer);
}

/* |t| and |c - t c0| for every remembered c0. The distance is summed from the
 * differences: c is often nearly a multiple of c0, where c'c - t c'c0 would cancel. */
static void measure_points(rls2__pricer *pricer, const double *c)
{
    int64_t n = pricer->basis->n;
    for (int64_t s = 0; s < pricer->kept; s++) {
        const double *c0 = pricer->points + s * n;
        double t = pricer->squares[s] > 0.0 ? rls2__la_dot(n, c, c0) / pricer->squares[s] : 0.0;
        memcpy(pricer->work, c, (size_t)n * sizeof *c);
        rls2__la_axpy(n, -t, c0, pricer->work);
        pricer->stretch[s] = fabs(t);
        pricer->distance[s] = rls2__la_norm(n, pricer->work) * (1.0 + 1e-12);
    }
}

static double bound(const rls2__pricer *pricer, int64_t k)
{
    int64_t s = pricer->seen[k];
    if (s < 0) return INFINITY;
    double root = pricer->stretch[s] * pricer->root_q[k] + pricer->root_norm[k] * pricer->distance[s];
    return root * root;
}

/* Remembers c, forgetting whatever was known at the point it replaces. */
static int64_t remember(rls2__pricer *pricer, const double *c)
{
    int64_t n = pricer->basis->n, slot = pricer->next;
    pricer->next = (slot + 1) % SNAPSHOTS;
    if (pricer->kept < SNAPSHOTS) {
        pricer->kept++;
    } else {
        for (int64_t k = 0; k < pricer->basis->m; k++)
            if (pricer->seen[k] == slot) pricer->seen[k] = -1;
    }
    memcpy(pricer->points + slot * n, c, (size_t)n * sizeof *c);
    pricer->squares[slot] = rls2__la_dot(n, c, c);
    return slot;
}

void rls2__pricer_run(rls2__pricer *pricer, const double *c, double threshold, const unsigned char *skip)
{
    int64_t count = 0;
    measure_points(pricer, c);
    for (int64_t k = 0; k < pricer->basis->m; k++) {
        if (skip[k]) continue;
        pricer->q[k] = bound(pricer, k);
        pricer->exact[k] = 0;
        pricer->offered++;
        if (pricer->q[k] > threshold) pricer->todo[count++] = k;
    }
    pricer->priced += count;
    if (count == 0) return;
    rls2__basis_price(pricer->basis, c, count, pricer->todo, pricer->values, pricer->work);
    int64_t slot = remember(pricer, c);
    for (int64_t i = 0; i < count; i++) {
        int64_t k = pricer->todo[i];
        pricer->q[k] = fmax(pricer->values[i], 0.0);
        if (isnan(pricer->values[i])) pricer->q[k] = INFINITY; /* must not pass for a small value */
        pricer->exact[k] = 1;
        pricer->seen[k] = slot;
        pricer->root_q[k] = sqrt(pricer->q[k]);
    }
}
