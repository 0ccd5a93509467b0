/* Quadratic forms of operators, and their products with a vector, in tasks.
 *
 * Operators of many values are cut (shape.h) and computed by all threads, one part after another;
 * of the others each task takes a few. Where a list is cut depends on the number of rows alone. */
#include "basis/basis.h"

#include <math.h>

#include "base/invariant.h"
#include "basis/operator_recomputed.h"
#include "basis/shape.h"
#include "la/tile_grid.h"
#include "la/tiles.h"

/* ---- a few operators, none of them cut ---- */

/* The number of the sparse column that is all of the operator, or -1. */
static int64_t sparse_column(const rls2_basis *basis, const rls2__operator *op)
{
    return op->shape == &rls2__shape_rank_one ? rls2__sparse_find(basis->sparse, op->factor) : -1;
}

/* How many of the kernels ks[0..] are of rank one with factors that lie side by side, as
 * the columns of the data do, so that one product serves them all. */
static int64_t adjacent_columns(const rls2_basis *basis, int64_t count, const int64_t *ks)
{
    int64_t run = 0;
    while (run < count) {
        const rls2__operator *op = &basis->ops[ks[run]];
        if (op->rank != 1 || !op->factor || sparse_column(basis, op) >= 0) break;
        if (op->factor != basis->ops[ks[0]].factor + run * basis->n) break;
        run++;
    }
    return run;
}

/* Few of many columns are priced at a time, too far apart for the processor to see which is next:
 * they are fetched while others are multiplied. */
enum { COLUMNS_AHEAD = 6, OPERATORS_AHEAD = 24, LINE = 64 / sizeof(double), MAX_FETCHED = 512 };

static void fetch_column(const rls2_basis *basis, const rls2__operator *op)
{
    int64_t n = basis->n;
    if (op->rank != 1 || !op->factor || sparse_column(basis, op) >= 0) return;
    int64_t end = n < MAX_FETCHED
                      ? n
                      : MAX_FETCHED; /* a long column is a stream that the processor follows */
    for (int64_t i = 0; i < end; i += LINE) __builtin_prefetch(op->factor + i);
}

/* Fetches the columns of kernels *fetched to `end` - 1, and operators ahead of them. */
static void fetch_until(const rls2_basis *basis, int64_t end, int64_t count, const int64_t *ks,
                        int64_t *fetched)
{
    for (; *fetched < end && *fetched < count; ++*fetched) {
        if (*fetched + OPERATORS_AHEAD < count)
            __builtin_prefetch(&basis->ops[ks[*fetched + OPERATORS_AHEAD]]);
        fetch_column(basis, &basis->ops[ks[*fetched]]);
    }
}

/* q of the kernels ks[0..], as many as one product serves; returns how many. */
static int64_t price_next(const rls2_basis *basis, const double *c, int64_t count,
                          const int64_t *ks, double *q)
{
    const rls2__operator *op = &basis->ops[ks[0]];
    int64_t sparse = sparse_column(basis, op);
    if (sparse >= 0) {
        double inner = rls2__sparse_dot(basis->sparse, sparse, c);
        q[0] = op->scale * inner * inner;
        return 1;
    }
    int64_t run = adjacent_columns(basis, count, ks);
    if (run < 2) {
        double work[RLS2__TILED_FROM]; /* for one that is not cut */
        q[0] = op->shape->quadratic(op, basis->n, c, work);
        return 1;
    }
    rls2__la_gemv_t(basis->n, run, op->factor, basis->n, c, q);
    for (int64_t i = 0; i < run; i++) q[i] *= q[i] * basis->ops[ks[i]].scale;
    return run;
}

static int is_apart(const rls2__operator *op, int64_t n)
{
    return rls2__operator_is_recomputed(op) || rls2__operator_is_cut(op, n);
}

static void price_few(const rls2_basis *basis, const double *c, int64_t count, const int64_t *ks,
                      double *q)
{
    int64_t fetched = 0;
    for (int64_t i = 0; i < count;) {
        if (is_apart(&basis->ops[ks[i]], basis->n)) {
            i++;
            continue;
        }
        fetch_until(basis, i + COLUMNS_AHEAD, count, ks, &fetched);
        i += price_next(basis, c, count - i, ks + i, q + i);
    }
}

/* ---- lists ---- */

typedef struct form_list {
    const rls2_basis *basis;
    const double *c;
    int64_t count;
    const int64_t *ks;
    double *out; /* q, or the columns of V */
} form_list;

/* How many kernels a task takes: about as many values as make a task where they are columns. */
static int64_t few(int64_t n)
{
    enum { TASK_VALUES = 1 << 16, LEAST = 16 };
    int64_t count = TASK_VALUES / n / LEAST * LEAST;
    return count > LEAST ? count : LEAST;
}

/* What is read for all of the list that are not apart. */
static double values_of(const rls2__effort *effort, const form_list *it)
{
    double values = 0.0;
    if (effort->threads == 1) return 0.0; /* nobody to wake */
    for (int64_t i = 0; i < it->count; i++) {
        const rls2__operator *op = &it->basis->ops[it->ks[i]];
        if (!is_apart(op, it->basis->n)) values += rls2__operator_values(op, it->basis->n);
    }
    return values;
}

static void price_task(void *user, int64_t task, int thread)
{
    const form_list *it = user;
    int64_t each = few(it->basis->n), first = task * each;
    (void)thread;
    price_few(it->basis, it->c, rls2__piece(it->count, each, first), it->ks + first,
              it->out + first);
}

/* Operators that are cut, some at a time. */
enum { CUT_TOGETHER = 64 };
typedef struct cut_list {
    const rls2_basis *basis;
    const double *c;
    int64_t count, tasks;
    int64_t ks[CUT_TOGETHER];
    int64_t at[CUT_TOGETHER];    /* of q */
    int64_t first[CUT_TOGETHER]; /* of the parts of each */
    double sums[CUT_TOGETHER * RLS2__MOST_PARTS];
} cut_list;

static void price_part(void *user, int64_t task, int thread)
{
    cut_list *cut = user;
    int64_t i = cut->count - 1;
    (void)thread;
    while (cut->first[i] > task) i--;
    cut->sums[task] = rls2__operator_part(&cut->basis->ops[cut->ks[i]], cut->basis->n,
                                          task - cut->first[i], cut->c);
}

static rls2_status finish_cut(rls2__effort *effort, cut_list *cut, double *q)
{
    rls2_status status = rls2__effort_each(effort, cut->tasks, price_part, cut);
    for (int64_t i = 0; i < cut->count && status == RLS2_OK; i++) {
        int64_t end = i + 1 < cut->count ? cut->first[i + 1] : cut->tasks;
        double sum = 0.0;
        for (int64_t t = cut->first[i]; t < end; t++) sum += cut->sums[t];
        q[cut->at[i]] = cut->basis->ops[cut->ks[i]].scale * sum;
    }
    cut->count = cut->tasks = 0;
    return status;
}

static rls2_status price_cut(rls2__effort *effort, const form_list *it)
{
    cut_list cut = {.basis = it->basis, .c = it->c};
    rls2_status status = RLS2_OK;
    if (it->basis->n < RLS2__TILED_FROM) return RLS2_OK;
    for (int64_t i = 0; i < it->count && status == RLS2_OK; i++) {
        const rls2__operator *op = &it->basis->ops[it->ks[i]];
        if (!rls2__operator_is_cut(op, it->basis->n)) continue;
        cut.ks[cut.count] = it->ks[i];
        cut.at[cut.count] = i;
        cut.first[cut.count++] = cut.tasks;
        cut.tasks += rls2__operator_parts(op, it->basis->n);
        if (cut.count == CUT_TOGETHER) status = finish_cut(effort, &cut, it->out);
    }
    return status == RLS2_OK ? finish_cut(effort, &cut, it->out) : status;
}

/* Those that are not stored, as many at a time as there is a list for. */
static rls2_status price_recomputed(rls2__effort *effort, const rls2_basis *basis, const double *c,
                                    int64_t count, const int64_t *ks, double *q, double *work)
{
    enum { LISTED = 512 };
    rls2__unstored list[LISTED];
    int64_t listed = 0;
    for (int64_t i = 0; i < count; i++) {
        const rls2__operator *op = &basis->ops[ks[i]];
        if (rls2__operator_is_recomputed(op)) list[listed++] = (rls2__unstored){.op = op, .at = i};
        if (listed < LISTED && i < count - 1) continue;
        rls2_status status = rls2__recomputed_price(effort, basis->n, listed, list, c, q, work);
        if (status != RLS2_OK) return status;
        listed = 0;
    }
    return RLS2_OK;
}

/* Rounding of a form and of the bound of the norm it is held against. */
static const double FORM_TOL = 1e-9;

/* -below |c|^2 <= c'R c <= |R| |c|^2 for every operator, but for its slack: their norms are bounds,
 * and they are positive semi-definite as far as is claimed. What overflows is left out. */
RLS2__CHECK int are_forms(const rls2_basis *basis, const double *c, int64_t count,
                          const int64_t *ks, const double *q)
{
    double squares = rls2__la_dot(basis->n, c, c), heaviest = 1.0;
    for (int64_t i = 0; basis->weights && i < basis->n; i++)
        heaviest = fmax(heaviest, basis->weights[i]);
    for (int64_t i = 0; i < count; i++) {
        const rls2__operator *op = &basis->ops[ks[i]];
        double most = (op->norm + op->slack) * squares * (1.0 + FORM_TOL);
        double least =
            -((basis->s[ks[i]] * heaviest * op->below + op->slack) * squares + FORM_TOL * most);
        if (isfinite(q[i]) && isfinite(most) && isnormal(most) && (q[i] > most || q[i] < least))
            return 0;
    }
    return 1;
}

rls2_status rls2__basis_price(rls2__effort *effort, const rls2_basis *basis, const double *c,
                              int64_t count, const int64_t *ks, double *q, double *work)
{
    form_list it = {.basis = basis, .c = c, .count = count, .ks = ks, .out = q};
    rls2__invariant(rls2__is_within(count, ks, basis->m));
    rls2_status status = RLS2_OK;
    if (basis->recomputed > 0) status = price_recomputed(effort, basis, c, count, ks, q, work);
    if (status == RLS2_OK) status = price_cut(effort, &it);
    if (status == RLS2_OK)
        status = rls2__effort_each_worth(effort, values_of(effort, &it),
                                         rls2__pieces(count, few(basis->n)), price_task, &it);
    rls2__invariant(status != RLS2_OK || are_forms(basis, c, count, ks, q));
    return status;
}

/* ---- products ---- */

/* v = R c by all threads. */
static rls2_status apply_cut(rls2__effort *effort, const rls2__operator *op, int64_t n,
                             const double *c, double *v, double *work)
{
    if (op->packed) return rls2__tiled_spmv(effort, n, op->scale, op->packed, c, v);
    if (op->rounded) return rls2__tiled_rounded(effort, n, op->scale, op->rounded, c, v);
    if (op->full) return rls2__tiled_symv(effort, n, op->scale, op->full, n, c, v);
    rls2_status status = rls2__tiled_gemv_t(effort, n, op->rank, op->factor, n, c, work);
    return status == RLS2_OK
               ? rls2__tiled_gemv_n(effort, n, op->rank, op->scale, op->factor, n, work, 0.0, v)
               : status;
}

rls2_status rls2__basis_apply(rls2__effort *effort, const rls2_basis *basis, int64_t k,
                              const double *c, double *v, double *work)
{
    const rls2__operator *op = &basis->ops[k];
    rls2__invariant(k >= 0 && k < basis->m);
    if (rls2__operator_is_recomputed(op)) {
        rls2__unstored alone = {.op = op};
        return rls2__recomputed_apply(effort, basis->n, 1, &alone, c, v, work);
    }
    if (rls2__operator_is_cut(op, basis->n)) return apply_cut(effort, op, basis->n, c, v, work);
    op->shape->apply(op, basis->n, c, v, work);
    return rls2__effort_status(effort);
}

static void apply_task(void *user, int64_t task, int thread)
{
    const form_list *it = user;
    int64_t n = it->basis->n;
    const rls2__operator *op = &it->basis->ops[it->ks[task]];
    double work[RLS2__TILED_FROM];
    (void)thread;
    if (is_apart(op, n)) return;
    rls2__invariant(op->full || op->packed || op->rounded || op->rank <= RLS2__TILED_FROM);
    op->shape->apply(op, n, it->c, it->out + task * n, work);
}

rls2_status rls2__basis_apply_stored(rls2__effort *effort, const rls2_basis *basis, int64_t count,
                                     const int64_t *ks, const double *c, double *V, double *work)
{
    form_list it = {.basis = basis, .c = c, .count = count, .ks = ks, .out = V};
    rls2_status status =
        rls2__effort_each_worth(effort, values_of(effort, &it), count, apply_task, &it);
    for (int64_t i = 0; i < count && status == RLS2_OK; i++) {
        const rls2__operator *op = &basis->ops[ks[i]];
        if (rls2__operator_is_cut(op, basis->n))
            status = apply_cut(effort, op, basis->n, c, V + i * basis->n, work);
    }
    return status;
}

double rls2__basis_frobenius(const rls2_basis *basis, int64_t k, double *work)
{
    const rls2__operator *op = &basis->ops[k];
    return op->shape->frobenius(op, basis->n, work);
}
