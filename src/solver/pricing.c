/* Keeps bounds of all quadratic forms up to date, and evaluates those that may matter. */
#include "solver/pricing.h"

#include <math.h>
#include <string.h>

#include "base/clones.h"
#include "base/invariant.h"
#include "base/memory.h"
#include "la/la.h"

/* A kernel that no remembered point knows points to one more, UNSEEN, at which its root is
 * infinite: every bound is then the same arithmetic, which the compiler can vectorise. */
enum { SNAPSHOTS = 48, UNSEEN = SNAPSHOTS, POINTS = SNAPSHOTS + 1 };
/* Maxima run in this many parts: the largest of them is the same in any order. */
enum { LANES = 8 };

static void lay_out(rls2__layout *layout, void *owner)
{
    rls2__pricer *pricer = owner;
    int64_t n = pricer->length, m = pricer->basis->m;
    pricer->points = rls2__layout_take(layout, rls2__mul(n, SNAPSHOTS), sizeof(double));
    pricer->squares = rls2__layout_take(layout, SNAPSHOTS, sizeof(double));
    pricer->stretch = rls2__layout_take(layout, POINTS, sizeof(double));
    pricer->distance = rls2__layout_take(layout, POINTS, sizeof(double));
    pricer->seen = rls2__layout_take(layout, m, sizeof(int64_t));
    pricer->root_q = rls2__layout_take(layout, m, sizeof(double));
    pricer->root_norm = rls2__layout_take(layout, m, sizeof(double));
    pricer->slack = rls2__layout_take(layout, m, sizeof(double));
    pricer->below = rls2__layout_take(layout, m, sizeof(double));
    pricer->estimate = rls2__layout_take(layout, m, sizeof(double));
    pricer->todo = rls2__layout_take(layout, rls2__add(m, 1), sizeof(int64_t));
    pricer->values = rls2__layout_take(layout, m, sizeof(double));
    pricer->part = rls2__layout_take(layout, pricer->outputs > 1 ? m : 0, sizeof(double));
    pricer->work = rls2__layout_take(layout, n, sizeof(double));
    pricer->q = rls2__layout_take(layout, m, sizeof(double));
    pricer->exact = rls2__layout_take(layout, m, 1);
}

/* Rounding of quadratic forms and of the bounds they are held against. */
static const double BOUND_TOL = 1e-9;

/* No value is above its bound but by rounding, which is that of |R^k| |c|^2. What overflows proves
 * nothing. */
RLS2__CHECK int is_bounded(const rls2__pricer *pricer, int64_t k, double value, double bound,
                           const double *c)
{
    double root = pricer->root_norm[k], squares = rls2__la_dot(pricer->length, c, c);
    double size = root * root * squares;
    return !(value > bound * (1.0 + BOUND_TOL) + BOUND_TOL * size) || !isfinite(value + size);
}

/* values[count] = sum_o c_o'R^ks c_o */
static rls2_status price(rls2__effort *effort, rls2__pricer *pricer, const double *c, int64_t count,
                         const int64_t *ks, double *values)
{
    rls2_status status =
        rls2__basis_price(effort, pricer->basis, c, count, ks, values, pricer->work);
    for (int64_t o = 1; o < pricer->outputs && status == RLS2_OK; o++) {
        status = rls2__basis_price(effort, pricer->basis, c + o * pricer->basis->n, count, ks,
                                   pricer->part, pricer->work);
        for (int64_t i = 0; i < count; i++) values[i] += pricer->part[i];
    }
    return status;
}

/* A bound that spared a kernel is one: of the kernels, another each time. */
RLS2__CHECK int spares_rightly(rls2__pricer *pricer, const double *c)
{
    int64_t m = pricer->basis->m, k = pricer->priced % m;
    double value;
    rls2__effort alone;
    rls2__effort_begin_alone(&alone);
    if (pricer->exact[k] || !(pricer->q[k] >= 0.0)) return 1; /* known, or skipped */
    price(&alone, pricer, c, 1, &k, &value);
    return is_bounded(pricer, k, value, pricer->q[k], c);
}

/* What pricing asks of the operators, side by side, and that no point is known yet. */
static void prepare(rls2__pricer *pricer)
{
    const rls2_basis *basis = pricer->basis;
    double heaviest = basis->weights ? 0.0 : 1.0;
    for (int64_t i = 0; basis->weights && i < basis->n; i++)
        heaviest = fmax(heaviest, basis->weights[i]);
    pricer->stretch[UNSEEN] = 1.0;
    pricer->distance[UNSEEN] = 0.0;
    for (int64_t k = 0; k < basis->m; k++) {
        pricer->seen[k] = UNSEEN;
        pricer->root_q[k] = INFINITY;
        pricer->below[k] = basis->s[k] * heaviest * basis->ops[k].below;
        if (basis->ops[k].rounded) pricer->below[k] += basis->ops[k].slack;
        pricer->root_norm[k] = sqrt(basis->ops[k].norm + pricer->below[k]);
        pricer->slack[k] = basis->ops[k].slack;
        rls2__invariant(pricer->root_norm[k] >= 0.0);
        rls2__invariant(pricer->slack[k] >= 0.0 && pricer->below[k] >= 0.0);
        pricer->largest_slack = fmax(pricer->largest_slack, pricer->slack[k]);
    }
}

rls2_status rls2__pricer_create(rls2__effort *effort, const rls2_basis *basis, rls2__pricer *pricer)
{
    return rls2__pricer_create_joint(effort, basis, 1, pricer);
}

rls2_status rls2__pricer_create_joint(rls2__effort *effort, const rls2_basis *basis,
                                      int64_t outputs, rls2__pricer *pricer)
{
    memset(pricer, 0, sizeof *pricer);
    pricer->basis = basis;
    pricer->outputs = outputs;
    pricer->length = rls2__mul(basis->n, outputs);
    pricer->effort = effort;
    pricer->block = rls2__layout_alloc(lay_out, pricer);
    if (!pricer->block) return RLS2_ERR_MEMORY;
    prepare(pricer);
    return RLS2_OK;
}

void rls2__pricer_free(rls2__pricer *pricer)
{
    rls2__free(pricer->block);
    memset(pricer, 0, sizeof *pricer);
}

/* |t| and |c - t c0| for every remembered c0 that a kernel was last evaluated at. The distance is
 * summed from the differences: c is often nearly a multiple of c0, where c'c - t c'c0 would cancel.
 */
static void measure_points(rls2__pricer *pricer, const double *c)
{
    int64_t n = pricer->length;
    unsigned char asked[POINTS] = {0};
    for (int64_t k = 0; k < pricer->basis->m; k++) asked[pricer->seen[k]] = 1;
    for (int64_t s = 0; s < pricer->kept; s++) {
        pricer->stretch[s] = 1.0; /* what nobody asks for is not computed, */
        pricer->distance[s] = INFINITY;
        if (!asked[s]) continue;
        const double *c0 = pricer->points + s * n;
        double t = pricer->squares[s] > 0.0 ? rls2__la_dot(n, c, c0) / pricer->squares[s] : 0.0;
        memcpy(pricer->work, c, (size_t)n * sizeof *c);
        rls2__la_axpy(n, -t, c0, pricer->work);
        pricer->stretch[s] = fabs(t);
        pricer->distance[s] = rls2__la_norm(n, pricer->work) * (1.0 + 1e-12);
        if (isfinite(t) && isfinite(pricer->distance[s])) continue;
        pricer->stretch[s] = 1.0; /* and a point at which numbers overflowed proves nothing */
        pricer->distance[s] = INFINITY;
    }
    rls2__invariant(rls2__is_nonnegative(pricer->kept, pricer->stretch));
    rls2__invariant(rls2__is_nonnegative(pricer->kept, pricer->distance));
}

/* q[k] = the bound of kernel k, estimate[k] = what it is likely to be; of one that is skipped what
 * no maximum and no threshold notices. */
RLS2__CLONES
static void bound_all(int64_t m, const int64_t *seen, const double *stretch, const double *distance,
                      const double *root_q, const double *root_norm, const unsigned char *skip,
                      double *q, double *estimate)
{
    for (int64_t k = 0; k < m; k++) {
        double stretched = stretch[seen[k]] * root_q[k], moved = root_norm[k] * distance[seen[k]];
        double root = stretched + moved;
        q[k] = skip[k] ? -HUGE_VAL : root * root;
        estimate[k] = skip[k] ? -HUGE_VAL : stretched * stretched;
    }
}

/* Which of x[m] exceed the threshold, or are no numbers, and are not exact yet; returns how many.
 * No branch: which do is hard to foretell. */
static int64_t list_above(int64_t m, const double *x, const unsigned char *exact, double threshold,
                          int64_t *list)
{
    int64_t count = 0;
    for (int64_t k = 0; k < m; k++) {
        list[count] = k;
        count += ((x[k] > threshold) | isnan(x[k])) & !exact[k];
    }
    return count;
}

static int64_t count_offered(int64_t m, const unsigned char *skip)
{
    int64_t count = 0;
    for (int64_t k = 0; k < m; k++) count += !skip[k];
    return count;
}

/* Remembers c, forgetting whatever was known at the point it replaces. */
static int64_t remember(rls2__pricer *pricer, const double *c)
{
    int64_t n = pricer->length, slot = pricer->next;
    pricer->next = (slot + 1) % SNAPSHOTS;
    if (pricer->kept < SNAPSHOTS) {
        pricer->kept++;
    } else {
        for (int64_t k = 0; k < pricer->basis->m; k++)
            if (pricer->seen[k] == slot) {
                pricer->seen[k] = UNSEEN;
                pricer->root_q[k] = INFINITY;
            }
    }
    memcpy(pricer->points + slot * n, c, (size_t)n * sizeof *c);
    pricer->squares[slot] = rls2__la_dot(n, c, c);
    rls2__invariant(slot < pricer->kept && pricer->kept <= SNAPSHOTS);
    return slot;
}

/* Bounds and estimates at c, nothing evaluated. */
static void start(rls2__pricer *pricer, const double *c, const unsigned char *skip)
{
    int64_t m = pricer->basis->m;
    measure_points(pricer, c);
    rls2__invariant(rls2__is_within(m, pricer->seen, POINTS));
    bound_all(m, pricer->seen, pricer->stretch, pricer->distance, pricer->root_q, pricer->root_norm,
              skip, pricer->q, pricer->estimate);
    for (int64_t k = 0; k < m; k++) pricer->exact[k] = 0;
    pricer->offered += count_offered(m, skip);
    pricer->count = 0;
    pricer->slot = -1;
}

/* Evaluates the kernels at which x, the bounds or the estimates, exceeds the threshold. */
static rls2_status evaluate_above(rls2__pricer *pricer, const double *c, const double *x,
                                  double threshold)
{
    int64_t *todo = pricer->todo + pricer->count;
    int64_t count = list_above(pricer->basis->m, x, pricer->exact, threshold, todo);
    rls2__invariant(pricer->count + count <= pricer->basis->m);
    rls2__invariant(rls2__is_ascending(count, todo, pricer->basis->m));
    if (count == 0) return RLS2_OK;
    rls2_status status = price(pricer->effort, pricer, c, count, todo, pricer->values);
    if (status != RLS2_OK) return status; /* their bounds stay */
    if (pricer->slot < 0) pricer->slot = remember(pricer, c);
    double squares = pricer->squares[pricer->slot];
    for (int64_t i = 0; i < count; i++) {
        int64_t k = todo[i];
        rls2__invariant(is_bounded(pricer, k, pricer->values[i], pricer->q[k], c));
        pricer->q[k] = fmax(pricer->values[i], 0.0);
        if (isnan(pricer->values[i])) pricer->q[k] = INFINITY; /* must not pass for a small value */
        pricer->exact[k] = 1;
        pricer->seen[k] = pricer->slot;
        double below = pricer->below[k];
        pricer->root_q[k] = below > 0.0 ? sqrt(pricer->q[k] + below * squares) : sqrt(pricer->q[k]);
    }
    pricer->count += count;
    pricer->priced += count;
    return RLS2_OK;
}

rls2_status rls2__pricer_run(rls2__pricer *pricer, const double *c, double threshold,
                             const unsigned char *skip)
{
    start(pricer, c, skip);
    rls2_status status = evaluate_above(pricer, c, pricer->q, threshold);
    rls2__invariant(status != RLS2_OK || spares_rightly(pricer, c));
    return status;
}

rls2_status rls2__pricer_likely(rls2__pricer *pricer, const double *c, double threshold,
                                const unsigned char *skip)
{
    start(pricer, c, skip);
    return evaluate_above(pricer, c, pricer->estimate, threshold);
}

rls2_status rls2__pricer_rest(rls2__pricer *pricer, const double *c, double threshold)
{
    rls2_status status = evaluate_above(pricer, c, pricer->q, threshold);
    rls2__invariant(status != RLS2_OK || spares_rightly(pricer, c));
    return status;
}

static inline double larger(double a, double b)
{
    return a > b ? a : b;
}

RLS2__CLONES
static void find_largest(int64_t m, const double *q, const double *slack, double squares,
                         double *computed, double *bounded)
{
    double plain[LANES] = {0.0}, slacked[LANES] = {0.0};
    int64_t k = 0;
    for (; k + LANES <= m; k += LANES)
        for (int l = 0; l < LANES; l++) {
            plain[l] = larger(q[k + l], plain[l]);
            slacked[l] = larger(q[k + l] + slack[k + l] * squares, slacked[l]);
        }
    for (; k < m; k++) {
        plain[0] = larger(q[k], plain[0]);
        slacked[0] = larger(q[k] + slack[k] * squares, slacked[0]);
    }
    *computed = *bounded = 0.0;
    for (int l = 0; l < LANES; l++) {
        *computed = larger(plain[l], *computed);
        *bounded = larger(slacked[l], *bounded);
    }
}

void rls2__pricer_largest(const rls2__pricer *pricer, double squares, double *computed,
                          double *bounded)
{
    find_largest(pricer->basis->m, pricer->q, pricer->slack, squares, computed, bounded);
    rls2__invariant(*computed >= 0.0 && !(*bounded < *computed));
}
