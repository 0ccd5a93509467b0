/* Which kernels a Newton step in d moves, and where to. */
#include "solver/working_set.h"

#include <string.h>

#include "base/invariant.h"
#include "base/memory.h"
#include "solver/evaluate.h"

enum { MAX_ENTER = 16 };

static void lay_out(rls2__layout *layout, void *owner)
{
    rls2__working_set *set = owner;
    int64_t room = set->room;
    double **of_room[] = {&set->d, &set->target, &set->trial, &set->g, &set->q};
    set->ks = rls2__layout_take(layout, room, sizeof(int64_t));
    set->in_set = rls2__layout_take(layout, set->basis->m, 1);
    set->H = rls2__layout_take(layout, rls2__mul(set->learned, set->learned), sizeof(double));
    for (size_t i = 0; i < sizeof of_room / sizeof *of_room; i++)
        *of_room[i] = rls2__layout_take(layout, room, sizeof(double));
}

static rls2_status create(const rls2_basis *basis, int64_t room, int64_t learned,
                          rls2__working_set *set)
{
    *set = (rls2__working_set){.basis = basis, .room = room, .learned = learned};
    set->qp = rls2__simplex_qp_create(learned > 0 ? learned : 1);
    set->block = rls2__layout_alloc(lay_out, set);
    if (!set->qp || !set->block) return RLS2_ERR_MEMORY;
    memset(set->in_set, 0, (size_t)basis->m);
    return RLS2_OK;
}

rls2_status rls2__working_set_create(const rls2_basis *basis, rls2__working_set *set)
{
    int64_t room = rls2__working_room(basis);
    return create(basis, room, room, set);
}

rls2_status rls2__working_set_create_given(const rls2_basis *basis, int64_t count,
                                           rls2__working_set *set)
{
    return create(basis, count, 0, set);
}

void rls2__working_set_free(rls2__working_set *set)
{
    rls2__simplex_qp_free(set->qp);
    rls2__free(set->block);
    memset(set, 0, sizeof *set);
}

void rls2__working_set_put(rls2__working_set *set, int64_t count, const int64_t *ks,
                           const double *d)
{
    rls2__invariant(count <= set->room && rls2__is_on_simplex(count, d));
    for (int64_t i = 0; i < set->active; i++) set->in_set[set->ks[i]] = 0;
    set->active = set->count = count;
    memcpy(set->ks, ks, (size_t)count * sizeof *ks);
    memcpy(set->d, d, (size_t)count * sizeof *d);
    for (int64_t i = 0; i < count; i++) set->in_set[ks[i]] = 1;
}

/* Inserts kernel k into the entering list, kept in descending order of q. */
static void offer(rls2__working_set *set, int64_t k, double q, int64_t limit)
{
    int64_t at = set->count;
    if (set->count == limit) {
        if (set->q[limit - 1] >= q) return;
        at = limit - 1;
    } else {
        set->count++;
    }
    for (; at > set->active && set->q[at - 1] < q; at--) {
        set->ks[at] = set->ks[at - 1];
        set->q[at] = set->q[at - 1];
    }
    set->ks[at] = k;
    set->q[at] = q;
    rls2__invariant(set->count <= limit);
    rls2__invariant(rls2__is_descending(set->count - set->active, set->q + set->active));
}

void rls2__working_set_offer(rls2__working_set *set, const rls2__pricer *pricer, double mean)
{
    int64_t most = set->active + MAX_ENTER, limit = most < set->room ? most : set->room;
    set->count = set->active;
    for (int64_t i = 0; i < pricer->count && limit > set->active; i++) {
        int64_t k = pricer->todo[i];
        if (pricer->q[k] > mean && set->basis->s[k] > 0.0) offer(set, k, pricer->q[k], limit);
    }
    for (int64_t i = set->active; i < set->count; i++) set->d[i] = 0.0;
}

/* 1/2 x'Hx - (Hd + q/2)'x, but for a constant */
void rls2__working_set_minimise(rls2__working_set *set)
{
    int64_t w = set->count, ld = set->room;
    for (int64_t i = 0; i < w; i++) set->g[i] = 0.5 * set->q[i];
    for (int64_t j = 0; j < set->active; j++)
        for (int64_t i = 0; i < w; i++)
            set->g[i] += set->d[j] * (i >= j ? set->H[j * ld + i] : set->H[i * ld + j]);
    memcpy(set->target, set->d, (size_t)w * sizeof(double));
    rls2__simplex_qp_solve(set->qp, w, set->H, ld, set->g, set->target);
}

void rls2__working_set_try(rls2__working_set *set, double share)
{
    for (int64_t i = 0; i < set->count; i++)
        set->trial[i] = set->d[i] + share * (set->target[i] - set->d[i]);
}

void rls2__working_set_take(rls2__working_set *set)
{
    int64_t kept = 0;
    for (int64_t i = 0; i < set->count; i++) set->in_set[set->ks[i]] = 0;
    for (int64_t i = 0; i < set->count; i++) {
        if (!(set->trial[i] > 0.0)) continue;
        set->ks[kept] = set->ks[i];
        set->d[kept] = set->trial[i];
        set->in_set[set->ks[kept]] = 1;
        kept++;
    }
    set->active = set->count = kept;
    rls2__invariant(rls2__is_on_simplex(set->active, set->d));
}
