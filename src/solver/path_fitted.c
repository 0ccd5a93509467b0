/* Fitted values by the operators of the basis. With row weights these are W^1/2 R W^1/2, and c is
 * the one that goes with R. */
#include "solver/path_fitted.h"

#include "base/many_rows.h"
#include "base/memory.h"
#include "basis/basis.h"

int rls2__path_has_fitted(const rls2_path *path, int64_t i)
{
    const rls2__path_entry *entry = &path->entries[i];
    if (path->basis->n < RLS2__MANY_ROWS) return 0;
    for (int64_t t = 0; t < entry->count; t++)
        if (path->basis->ops[entry->ks[t]].kernel) return 0; /* evaluated anew each time */
    return 1;
}

static rls2_status add_kernels(rls2__effort *effort, const rls2_path *path,
                               const rls2__path_entry *entry, double *room, double *f)
{
    const rls2_basis *basis = path->basis;
    int64_t n = basis->n;
    double *c = room, *v = room + n, *work = v + n;
    for (int64_t i = 0; i < n; i++) {
        c[i] = basis->roots ? entry->c[i] / basis->roots[i] : entry->c[i];
        f[i] = rls2__path_intercept_at(path, entry - path->entries);
    }
    for (int64_t t = 0; t < entry->count; t++) {
        rls2_status status = rls2__basis_apply(effort, basis, entry->ks[t], c, v, work);
        if (status != RLS2_OK) return status;
        for (int64_t i = 0; i < n; i++)
            f[i] += entry->d[t] * (basis->roots ? v[i] / basis->roots[i] : v[i]);
    }
    return rls2__effort_status(effort);
}

rls2_status rls2__path_fitted(rls2__effort *effort, const rls2_path *path, int64_t i, double *f)
{
    double *room = rls2__alloc(rls2__mul(3, path->basis->n), sizeof *room);
    if (!room) return RLS2_ERR_MEMORY;
    rls2_status status = add_kernels(effort, path, &path->entries[i], room, f);
    rls2__free(room);
    return status;
}
