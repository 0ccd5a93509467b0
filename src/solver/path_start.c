/* Weights that a method starts from.
 *
 * The path of some of the rows runs beside that of all: what the weights of all rows do from one
 * lambda to the next those of a part nearly do as well, kernels that enter and leave included. */
#include "solver/path_start.h"

#include <math.h>
#include <string.h>

#include "base/invariant.h"
#include "base/memory.h"
#include "solver/evaluate.h"

static const double SAME_LAMBDA = 1e-12; /* relative difference of lambdas that are the same */

typedef struct weight_list {
    int64_t count;
    int64_t *ks;
    double *d;
    double *all; /* m, for the sum */
    int64_t m;
    void *block; /* all of these arrays */
} weight_list;

static void lay_out(rls2__layout *layout, void *owner)
{
    weight_list *list = owner;
    list->ks = rls2__layout_take(layout, list->m, sizeof(int64_t));
    list->d = rls2__layout_take(layout, list->m, sizeof(double));
    list->all = rls2__layout_take(layout, list->m, sizeof(double));
}

/* c as the method has it: in its unit, and without the weights of the rows. */
static void method_unit(const rls2_path *path, const double *c, double *out)
{
    const double *roots = path->basis->roots;
    for (int64_t i = 0; i < path->basis->n; i++)
        out[i] = ldexp(roots ? c[i] / roots[i] : c[i], -path->exponent);
}

rls2_status rls2__path_start_last(const rls2_path *path, rls2__path_solver *solver)
{
    rls2__invariant(path->count > 0);
    const rls2__path_entry *last = &path->entries[path->count - 1];
    rls2__method *method = &solver->method;
    rls2_status status = RLS2_ERR_MEMORY;
    int64_t n = path->basis->n, outputs = path->all ? path->sharing : 1;
    double *c = rls2__alloc(rls2__mul(n, outputs), sizeof(double));
    double *own = rls2__alloc(solver->problem->basis->n, sizeof(double));
    if (!c || !own) goto cleanup;
    method_unit(path, last->c, c);
    for (int64_t o = 1; o < outputs; o++)
        method_unit(path->all[o], path->all[o]->entries[path->count - 1].c, c + o * n);
    status = solver->thin ? rls2__thin_lower_vector(solver->thin, c, own) : RLS2_OK;
    if (status == RLS2_OK)
        method->resume(method->state, last->count, last->ks, last->d, solver->thin ? own : c);
cleanup:
    rls2__free(c);
    rls2__free(own);
    return status;
}

static const rls2__path_entry *entry_for(const rls2_path *path, double lambda)
{
    for (int64_t i = 0; i < path->count; i++)
        if (fabs(path->entries[i].point.lambda - lambda) <= SAME_LAMBDA * lambda)
            return &path->entries[i];
    return NULL;
}

static void add_weights(double sign, const rls2__path_entry *entry, double *all)
{
    for (int64_t t = 0; t < entry->count; t++) all[entry->ks[t]] += sign * entry->d[t];
}

/* The positive weights of kernels that there are on these rows, of sum 1. */
static void put_on_simplex(const rls2_basis *basis, weight_list *list)
{
    double sum = 0.0;
    list->count = 0;
    for (int64_t k = 0; k < basis->m; k++) {
        if (!(list->all[k] > 0.0 && basis->s[k] > 0.0)) continue;
        list->ks[list->count] = k;
        list->d[list->count++] = list->all[k];
        sum += list->all[k];
    }
    for (int64_t t = 0; t < list->count; t++) list->d[t] /= sum;
}

rls2_status rls2__path_start_like(const rls2_path *path, double lambda, const rls2_path *like,
                                  rls2__path_solver *solver, int *started)
{
    const rls2__path_entry *own = path->count > 0 ? &path->entries[path->count - 1] : NULL;
    const rls2__path_entry *there = entry_for(like, lambda);
    const rls2__path_entry *before = own ? entry_for(like, own->point.lambda) : NULL;
    weight_list list = {.m = path->basis->m};
    *started = 0;
    rls2__invariant(like->basis->m == path->basis->m);
    if (!there || (own && !before)) return RLS2_OK;
    list.block = rls2__layout_alloc(lay_out, &list);
    if (!list.block) return RLS2_ERR_MEMORY;
    memset(list.all, 0, (size_t)list.m * sizeof *list.all);
    add_weights(1.0, there, list.all);
    if (own) {
        add_weights(1.0, own, list.all);
        add_weights(-1.0, before, list.all);
    }
    put_on_simplex(path->basis, &list);
    if (list.count > 0 && list.count <= rls2__working_room(solver->problem->basis))
        *started = solver->method.resume(solver->method.state, list.count, list.ks, list.d, NULL);
    rls2__free(list.block);
    return RLS2_OK;
}
