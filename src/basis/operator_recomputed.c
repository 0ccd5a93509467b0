/* Operators evaluated whenever they are needed.
 *
 * The lower triangle of K is walked in blocks of rows, within a block column by column, so that the
 * block of the data stays in cache and no more than one column of a block is ever there: for each,
 * what the kernels of a party share is summed once and then mapped for each of them. An entry does
 * not depend on the block it is in, so that a triangle filled in this way has the bits of a dense
 * operator's. */
#include "basis/operator_recomputed.h"

#include <math.h>
#include <string.h>

#include "base/clones.h"
#include "base/invariant.h"
#include "base/memory.h"
#include "la/la.h"

enum { BLOCK = 512, PARTY = 32 };

void rls2__operator_recompute(rls2_basis *basis, int64_t k)
{
    rls2__operator *op = &basis->ops[k];
    op->shape = &rls2__shape_recomputed;
    op->scale = basis->s[k];
    op->kernel = &basis->kernels[k];
    op->rows = &basis->rows;
    op->roots = basis->roots;
}

void rls2__operator_unstore(rls2_basis *basis, int64_t k)
{
    rls2__operator *op = &basis->ops[k];
    rls2__free(op->owned);
    op->owned = NULL;
    op->bytes = 0;
    op->factor = op->packed = op->full = NULL;
    op->norm += op->slack;
    rls2__invariant(op->norm >= 0.0 && op->slack >= 0.0);
    rls2__operator_recompute(basis, k);
}

/* ---- several at once ---- */

/* Moves those that can be evaluated along with the first of the list to its front; returns how
 * many. */
static int64_t gather_party(int64_t count, rls2__unstored *list)
{
    int64_t party = 1;
    for (int64_t i = 1; i < count && party < PARTY; i++) {
        if (list[i].op->rows != list[0].op->rows) continue;
        if (!rls2__kernel_alike(list[0].op->kernel, list[i].op->kernel)) continue;
        rls2__unstored moved = list[i];
        list[i] = list[party];
        list[party++] = moved;
    }
    rls2__invariant(party <= count && party <= PARTY);
    return party;
}

/* values[i] = K(x_(first + i), x_j) of member t of the party, first >= j, without scale and
 * weights. */
typedef void (*use_fn)(void *user, int64_t t, int64_t first, int64_t count, int64_t j,
                       double *values);

static void sweep(int64_t n, int64_t party, const rls2__unstored *list, use_fn use, void *user)
{
    double shared[BLOCK], values[BLOCK];
    const rls2_rows *rows = list[0].op->rows;
    for (int64_t block = 0; block < n; block += BLOCK) {
        int64_t end = block + BLOCK < n ? block + BLOCK : n;
        for (int64_t j = 0; j < end; j++) {
            int64_t first = j > block ? j : block, count = end - first;
            rls2__kernel_reduce_part(list[0].op->kernel, rows, first, count, rows, j, shared);
            for (int64_t t = 0; t < party; t++) {
                memcpy(values, shared, (size_t)count * sizeof *values);
                rls2__kernel_map_part(list[t].op->kernel, count, values);
                use(user, t, first, count, j, values);
            }
        }
    }
}

/* With weights of the rows c'W^1/2 K W^1/2 c is a form of K at W^1/2 c. */
static const double *weigh_vector(int64_t n, const double *roots, const double *c, double *work)
{
    if (!roots) return c;
    for (int64_t i = 0; i < n; i++) work[i] = roots[i] * c[i];
    return work;
}

/* What a dense operator stores. */
RLS2__CLONES
static void weigh_values(const rls2__operator *op, int64_t first, int64_t count, int64_t j,
                         double *values)
{
    double scale = op->scale;
    for (int64_t i = 0; i < count; i++) values[i] *= scale;
    if (!op->roots) return;
    const double *roots = op->roots + first;
    double root = op->roots[j];
    for (int64_t i = 0; i < count; i++) values[i] *= roots[i] * root;
}

/* ---- quadratic forms ---- */

typedef struct forms {
    const double *c;
    double sums[PARTY];
} forms;

static void add_to_form(void *user, int64_t t, int64_t first, int64_t count, int64_t j,
                        double *values)
{
    forms *it = user;
    const double *c = it->c;
    double product = 2.0 * rls2__la_dot(count, values, c + first);
    if (first == j) product -= values[0] * c[j];
    it->sums[t] += c[j] * product;
}

void rls2__recomputed_price(int64_t n, int64_t count, rls2__unstored *list, const double *c,
                            double *q, double *work)
{
    for (int64_t party; count > 0; count -= party, list += party) {
        party = gather_party(count, list);
        forms it = {.c = weigh_vector(n, list[0].op->roots, c, work)};
        sweep(n, party, list, add_to_form, &it);
        for (int64_t t = 0; t < party; t++) q[list[t].at] = list[t].op->scale * it.sums[t];
    }
}

/* ---- products ---- */

typedef struct products {
    int64_t n;
    const double *c;
    double *V;
    const rls2__unstored *list;
} products;

static void add_to_product(void *user, int64_t t, int64_t first, int64_t count, int64_t j,
                           double *values)
{
    const products *it = user;
    double *v = it->V + it->list[t].at * it->n;
    rls2__la_axpy(count, it->c[j], values, v + first);
    int64_t own = first == j; /* the diagonal counts once */
    if (count > own) v[j] += rls2__la_dot(count - own, values + own, it->c + first + own);
}

void rls2__recomputed_apply(int64_t n, int64_t count, rls2__unstored *list, const double *c,
                            double *V, double *work)
{
    for (int64_t i = 0; i < count; i++) memset(V + list[i].at * n, 0, (size_t)n * sizeof *V);
    for (int64_t party; count > 0; count -= party, list += party) {
        party = gather_party(count, list);
        const double *roots = list[0].op->roots;
        products it = {n, weigh_vector(n, roots, c, work), V, list};
        sweep(n, party, list, add_to_product, &it);
        for (int64_t t = 0; t < party; t++) {
            double *v = V + list[t].at * n, scale = list[t].op->scale;
            for (int64_t i = 0; i < n; i++) v[i] *= roots ? scale * roots[i] : scale;
        }
    }
}

/* ---- matrices ---- */

typedef struct target {
    int64_t n;
    const rls2__unstored *list;
    double *A;
} target;

static void add_to_matrix(void *user, int64_t t, int64_t first, int64_t count, int64_t j,
                          double *values)
{
    const target *it = user;
    weigh_values(it->list[t].op, first, count, j, values);
    rls2__la_axpy(count, it->list[t].weight, values, it->A + j * it->n + first);
}

void rls2__recomputed_add(int64_t n, int64_t count, rls2__unstored *list, double *A)
{
    for (int64_t party; count > 0; count -= party, list += party) {
        party = gather_party(count, list);
        target it = {n, list, A};
        sweep(n, party, list, add_to_matrix, &it);
    }
}

static void store(void *user, int64_t t, int64_t first, int64_t count, int64_t j, double *values)
{
    const target *it = user;
    weigh_values(it->list[t].op, first, count, j, values);
    memcpy(it->A + j * it->n - j * (j - 1) / 2 + first - j, values, (size_t)count * sizeof *values);
}

void rls2__recomputed_fill(int64_t n, const rls2__operator *op, double *packed)
{
    rls2__unstored alone = {.op = op};
    target it = {n, &alone, packed};
    sweep(n, 1, &alone, store, &it);
}

/* ---- the shape, one at a time ---- */

static double recomputed_quadratic(const rls2__operator *op, int64_t n, const double *c,
                                   double *work)
{
    double q;
    rls2__unstored alone = {.op = op};
    rls2__recomputed_price(n, 1, &alone, c, &q, work);
    return q;
}

static void recomputed_apply(const rls2__operator *op, int64_t n, const double *c, double *v,
                             double *work)
{
    rls2__unstored alone = {.op = op};
    rls2__recomputed_apply(n, 1, &alone, c, v, work);
}

typedef struct size {
    const rls2__operator *op;
    double lower;     /* norm of the lower triangle */
    double *diagonal; /* n */
} size;

static void add_to_norm(void *user, int64_t t, int64_t first, int64_t count, int64_t j,
                        double *values)
{
    size *it = user;
    (void)t;
    weigh_values(it->op, first, count, j, values);
    it->lower = hypot(it->lower, rls2__la_norm(count, values));
    if (first == j) it->diagonal[j] = values[0];
}

static double recomputed_frobenius(const rls2__operator *op, int64_t n, double *work)
{
    rls2__unstored alone = {.op = op};
    size it = {.op = op, .diagonal = work};
    sweep(n, 1, &alone, add_to_norm, &it);
    double diagonal = rls2__la_norm(n, work);
    return sqrt(2.0 * it.lower * it.lower - diagonal * diagonal);
}

const rls2__shape rls2__shape_recomputed = {"recomputed", recomputed_quadratic, recomputed_apply,
                                            recomputed_frobenius};
