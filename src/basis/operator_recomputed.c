/* Operators evaluated whenever they are needed.
 *
 * The lower triangle of K is walked in blocks of rows, within a block column by column, so that the
 * block of the data stays in cache and no more than one column of a block is ever there: for each,
 * what the kernels of a party share is summed once and then mapped for each of them. An entry does
 * not depend on the block it is in, so that a triangle filled in this way has the bits of a dense
 * operator's.
 *
 * Rows beyond 2,048 are cut into several tasks, of whole blocks: what a task adds up is added to
 * the rest in the order of the tasks. */
#include "basis/operator_recomputed.h"

#include <math.h>
#include <string.h>

#include "base/clones.h"
#include "base/invariant.h"
#include "base/memory.h"
#include "la/la.h"

enum { BLOCK = 512, PARTY = 32, TASK_PAIRS = 1 << 22, LEAST_ROWS = 64 };

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
    op->rounded = NULL;
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

/* Rows of a task: about as many pairs each as 2,048 rows have, the first ones less. */
static int64_t task_rows(int64_t n)
{
    int64_t rows = TASK_PAIRS / n / LEAST_ROWS * LEAST_ROWS;
    return n * n <= TASK_PAIRS ? n : rows < LEAST_ROWS ? LEAST_ROWS : rows;
}

static int64_t task_count(int64_t n)
{
    return (n + task_rows(n) - 1) / task_rows(n);
}

/* The rows of one task, a block of them after the other. */
static void sweep(rls2__effort *effort, int64_t n, int64_t task, int64_t party,
                  const rls2__unstored *list, use_fn use, void *user)
{
    double shared[BLOCK], values[BLOCK];
    const rls2_rows *rows = list[0].op->rows;
    int64_t start = task * task_rows(n), stop = start + task_rows(n) < n ? start + task_rows(n) : n;
    for (int64_t block = start; block < stop; block += BLOCK) {
        int64_t end = block + BLOCK < stop ? block + BLOCK : stop;
        for (int64_t j = 0; j < end && !rls2__effort_stopped(effort); j++) {
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

/* A party of kernels, some tasks at a time. */
typedef struct party_work {
    rls2__effort *effort;
    int64_t n, party;
    const rls2__unstored *list;
    int64_t first;   /* of the tasks at hand */
    forms *parts;    /* of each of them; or */
    const double *c; /* and */
    double *sums;    /* of each in turn, n for each kernel; or */
    double *A;
} party_work;

enum { FORMS_AT_ONCE = 64 };

static void price_task(void *user, int64_t task, int thread)
{
    const party_work *it = user;
    (void)thread;
    sweep(it->effort, it->n, it->first + task, it->party, it->list, add_to_form, &it->parts[task]);
}

static rls2_status price_party(party_work *it, const double *c, double *q)
{
    forms parts[FORMS_AT_ONCE];
    double sums[PARTY] = {0.0};
    int64_t tasks = task_count(it->n);
    it->parts = parts;
    for (it->first = 0; it->first < tasks; it->first += FORMS_AT_ONCE) {
        int64_t left = tasks - it->first, now = left < FORMS_AT_ONCE ? left : FORMS_AT_ONCE;
        for (int64_t i = 0; i < now; i++) parts[i] = (forms){.c = c};
        rls2_status status = rls2__effort_each(it->effort, now, price_task, it);
        if (status == RLS2_OK) status = rls2__effort_status(it->effort);
        if (status != RLS2_OK) return status;
        for (int64_t i = 0; i < now; i++)
            for (int64_t t = 0; t < it->party; t++) sums[t] += parts[i].sums[t];
    }
    for (int64_t t = 0; t < it->party; t++) q[it->list[t].at] = it->list[t].op->scale * sums[t];
    return RLS2_OK;
}

rls2_status rls2__recomputed_price(rls2__effort *effort, int64_t n, int64_t count,
                                   rls2__unstored *list, const double *c, double *q, double *work)
{
    party_work it = {.effort = effort, .n = n};
    rls2_status status = RLS2_OK;
    for (; count > 0 && status == RLS2_OK; count -= it.party, list += it.party) {
        it.party = gather_party(count, list);
        it.list = list;
        status = price_party(&it, weigh_vector(n, list[0].op->roots, c, work), q);
    }
    return status;
}

/* ---- products ---- */

/* What one task adds: to its own rows, and to those above them. */
typedef struct products {
    int64_t n;
    const double *c;
    double *sums;               /* n for each kernel, */
    const rls2__unstored *list; /* where it belongs; NULL: one after the other */
} products;

static void add_to_product(void *user, int64_t t, int64_t first, int64_t count, int64_t j,
                           double *values)
{
    const products *it = user;
    double *v = it->sums + (it->list ? it->list[t].at : t) * it->n;
    rls2__la_axpy(count, it->c[j], values, v + first);
    int64_t own = first == j; /* the diagonal counts once */
    if (count > own) v[j] += rls2__la_dot(count - own, values + own, it->c + first + own);
}

enum { TASKS_AT_ONCE = 16 };

static void apply_task(void *user, int64_t task, int thread)
{
    const party_work *it = user;
    products sums = {it->n, it->c, it->sums + task * it->party * it->n, NULL};
    (void)thread;
    memset(sums.sums, 0, (size_t)(it->party * it->n) * sizeof(double));
    sweep(it->effort, it->n, it->first + task, it->party, it->list, add_to_product, &sums);
}

/* A few tasks at a time, whose sums are then added in their order. */
static rls2_status apply_tasks(party_work *it, double *V)
{
    int64_t n = it->n, tasks = task_count(n);
    for (it->first = 0; it->first < tasks; it->first += TASKS_AT_ONCE) {
        int64_t left = tasks - it->first, now = left < TASKS_AT_ONCE ? left : TASKS_AT_ONCE;
        rls2_status status = rls2__effort_each(it->effort, now, apply_task, it);
        if (status == RLS2_OK) status = rls2__effort_status(it->effort);
        if (status != RLS2_OK) return status;
        for (int64_t t = 0; t < it->party; t++)
            for (int64_t i = 0; i < now; i++)
                rls2__la_axpy(n, 1.0, it->sums + (i * it->party + t) * n, V + it->list[t].at * n);
    }
    return RLS2_OK;
}

/* One task needs no room of its own. */
static rls2_status apply_party(party_work *it, double *V)
{
    int64_t n = it->n, tasks = task_count(n);
    if (tasks == 1) {
        products sums = {n, it->c, V, it->list};
        sweep(it->effort, n, 0, it->party, it->list, add_to_product, &sums);
        return rls2__effort_status(it->effort);
    }
    int64_t at_once = tasks < TASKS_AT_ONCE ? tasks : TASKS_AT_ONCE;
    it->sums = rls2__alloc(rls2__mul(n, it->party * at_once), sizeof(double));
    rls2_status status = it->sums ? apply_tasks(it, V) : RLS2_ERR_MEMORY;
    rls2__free(it->sums);
    return status;
}

rls2_status rls2__recomputed_apply(rls2__effort *effort, int64_t n, int64_t count,
                                   rls2__unstored *list, const double *c, double *V, double *work)
{
    rls2_status status = RLS2_OK;
    for (int64_t i = 0; i < count; i++) memset(V + list[i].at * n, 0, (size_t)n * sizeof *V);
    for (int64_t party; count > 0 && status == RLS2_OK; count -= party, list += party) {
        party = gather_party(count, list);
        const double *roots = list[0].op->roots;
        party_work it = {.effort = effort, .n = n, .party = party, .list = list};
        it.c = weigh_vector(n, roots, c, work);
        status = apply_party(&it, V);
        for (int64_t t = 0; t < party; t++) {
            double *v = V + list[t].at * n, scale = list[t].op->scale;
            for (int64_t i = 0; i < n; i++) v[i] *= roots ? scale * roots[i] : scale;
        }
    }
    return status;
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

static void add_task(void *user, int64_t task, int thread)
{
    const party_work *it = user;
    target to = {it->n, it->list, it->A};
    (void)thread;
    sweep(it->effort, it->n, task, it->party, it->list, add_to_matrix, &to);
}

rls2_status rls2__recomputed_add(rls2__effort *effort, int64_t n, int64_t count,
                                 rls2__unstored *list, double *A)
{
    rls2_status status = RLS2_OK;
    for (int64_t party; count > 0 && status == RLS2_OK; count -= party, list += party) {
        party = gather_party(count, list);
        party_work it = {.effort = effort, .n = n, .party = party, .list = list, .A = A};
        status = rls2__effort_each(effort, task_count(n), add_task, &it);
    }
    return status == RLS2_OK ? rls2__effort_status(effort) : status;
}

static void store(void *user, int64_t t, int64_t first, int64_t count, int64_t j, double *values)
{
    const target *it = user;
    weigh_values(it->list[t].op, first, count, j, values);
    memcpy(it->A + j * it->n - j * (j - 1) / 2 + first - j, values, (size_t)count * sizeof *values);
}

static void fill_task(void *user, int64_t task, int thread)
{
    const party_work *it = user;
    target to = {it->n, it->list, it->A};
    (void)thread;
    sweep(it->effort, it->n, task, 1, it->list, store, &to);
}

rls2_status rls2__recomputed_fill(rls2__effort *effort, int64_t n, const rls2__operator *op,
                                  double *packed)
{
    rls2__unstored alone = {.op = op};
    party_work it = {.effort = effort, .n = n, .party = 1, .list = &alone, .A = packed};
    rls2_status status = rls2__effort_each(effort, task_count(n), fill_task, &it);
    return status == RLS2_OK ? rls2__effort_status(effort) : status;
}

/* ---- the shape, one at a time, on one thread and without memory of its own ---- */

static void sweep_all(int64_t n, const rls2__operator *op, use_fn use, void *user)
{
    const rls2__unstored alone = {.op = op};
    rls2__effort effort;
    rls2__effort_begin_alone(&effort);
    for (int64_t task = 0; task < task_count(n); task++)
        sweep(&effort, n, task, 1, &alone, use, user);
}

static double recomputed_quadratic(const rls2__operator *op, int64_t n, const double *c,
                                   double *work)
{
    forms it = {.c = weigh_vector(n, op->roots, c, work)};
    sweep_all(n, op, add_to_form, &it);
    return op->scale * it.sums[0];
}

static void recomputed_apply(const rls2__operator *op, int64_t n, const double *c, double *v,
                             double *work)
{
    products it = {n, weigh_vector(n, op->roots, c, work), v, NULL};
    memset(v, 0, (size_t)n * sizeof *v);
    sweep_all(n, op, add_to_product, &it);
    for (int64_t i = 0; i < n; i++) v[i] *= op->roots ? op->scale * op->roots[i] : op->scale;
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
    size it = {.op = op, .diagonal = work};
    sweep_all(n, op, add_to_norm, &it);
    double diagonal = rls2__la_norm(n, work);
    return sqrt(2.0 * it.lower * it.lower - diagonal * diagonal);
}

const rls2__shape rls2__shape_recomputed = {"recomputed", recomputed_quadratic, recomputed_apply,
                                            recomputed_frobenius};
