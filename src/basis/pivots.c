/* Pivoted Cholesky takes the largest residual diagonal entry as the next pivot, so only the columns
 * it uses are ever evaluated. */
#include "basis/pivots.h"

#include <float.h>
#include <math.h>

#include "base/invariant.h"
#include "la/la.h"

int64_t rls2__largest_pivot(int64_t n, const double *diagonal)
{
    int64_t best = 0;
    for (int64_t i = 1; i < n; i++)
        if (diagonal[i] > diagonal[best]) best = i;
    return best;
}

/* Will the residual still be above tol * trace at the most columns? Smooth kernels decay
 * faster than geometrically, so a straight extrapolation is given some room. */
static int decays_too_slowly(int64_t rank, double residual, const rls2__aim *aim)
{
    if (rank < 8 || (rank & (rank - 1)) != 0) return 0; /* looked at when rank is 8, 16, 32, ... */
    double progress = log(residual / aim->trace) / log(aim->tol);
    return (double)rank > 3.0 * (double)aim->most * progress;
}

void rls2__pivot_column(const rls2__source *from, int64_t pivot, int64_t rank,
                        rls2__build_room *room)
{
    int64_t n = from->rows->n;
    double *G = room->factor, *g = G + rank * n, *diagonal = room->diagonal;
    rls2__kernel_column_scaled(from->kernel, from->rows, 0, n, from->rows, pivot, from->s, g);
    for (int64_t i = 0; from->roots && i < n; i++) g[i] *= from->roots[i] * from->roots[pivot];
    if (rank > 0) {
        for (int64_t t = 0; t < rank; t++) room->pivots[t] = G[t * n + pivot];
        rls2__la_gemv_n(n, rank, -1.0, G, n, room->pivots, 1.0, g);
    }
    rls2__invariant(diagonal[pivot] > 0.0);
    double scale = 1.0 / sqrt(diagonal[pivot]);
    for (int64_t i = 0; i < n; i++) {
        g[i] *= scale;
        double left = diagonal[i] - g[i] * g[i];
        diagonal[i] = left > 0.0 ? left : 0.0;
    }
    diagonal[pivot] = 0.0;
}

double rls2__sum_of_rows(const rls2__source *from, const double *x)
{
    double total = 0.0;
    for (int64_t i = 0; i < from->rows->n; i++) total += from->mass ? from->mass[i] * x[i] : x[i];
    return total;
}

rls2_status rls2__pivoted_cholesky(const rls2__source *from, const rls2__aim *aim,
                                   rls2__build_room *room, int64_t *found, double *residual)
{
    int64_t n = from->rows->n, rank = 0;
    *found = -1;
    for (*residual = aim->trace; *residual > aim->tol * aim->trace; rank++) {
        if (rank >= aim->most) return RLS2_OK;
        if (!aim->certain && decays_too_slowly(rank, *residual, aim)) return RLS2_OK;
        int64_t pivot = rls2__largest_pivot(n, room->diagonal);
        if (!(room->diagonal[pivot] > 0.0)) break;
        if (rls2__build_room_factor(room, n, rank, rank + 1) != RLS2_OK) return RLS2_ERR_MEMORY;
        rls2__pivot_column(from, pivot, rank, room);
        double before = *residual;
        *residual = rls2__sum_of_rows(from, room->diagonal);
        rls2__invariant(*residual >= 0.0 &&
                        !(*residual > before * (1.0 + DBL_EPSILON * (double)n)));
    }
    rls2__invariant(rank <= n);
    *found = rank;
    return RLS2_OK;
}
