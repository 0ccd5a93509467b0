/* A primal active-set method that does not mind a singular H.
 *
 * P is the set of variables that may be positive; one of them, the anchor, takes up
 * what the others give, so that the sum stays 1. In the remaining members the problem
 * is unconstrained with the reduced matrix
 *
 *   B_ij = H_ij - H_ia - H_ja + H_aa        (inner products of z_i - z_a if H = Z'Z)
 *
 * whose Cholesky factor is kept up to date. With the gains r = g - Hx, the step to the
 * minimiser over P solves B p = r_i - r_a. If it keeps x positive it is taken, and the
 * outsider whose gain exceeds the members' by most joins; otherwise x moves until a
 * variable reaches zero and leaves.
 *
 * A variable whose column of B depends on the members' cannot join: along the null
 * direction the objective is linear, so x slides that way, uphill never, until a
 * variable reaches zero. Equal kernels, zero kernels and H = 0 are thus ordinary. */
#include "solver/simplex_qp.h"

#include <math.h>
#include <string.h>

#include "base/invariant.h"
#include "base/memory.h"
#include "la/la.h"

static const double DEPENDENT =
    1e-13; /* squared pivot, relative to H_jj + H_aa, that counts as zero */
static const double GAIN_TOL =
    1e-12; /* gain over the members' that counts, relative to max |g|, H_jj */

/* A variable that joins and leaves again without x having moved would do so for ever:
 * rounding, not the problem, called it in. It is barred for the rest of the solve. */
enum { OUTSIDE = -1, BARRED = -2, ANCHOR = -3 };

struct rls2__simplex_qp {
    int64_t room;
    int64_t w; /* of the problem in hand, as H and its leading dimension */
    const double *H;
    int64_t ldh;
    int64_t anchor;
    int64_t count;   /* members beside the anchor */
    int64_t *member; /* in the order of the factor's rows */
    int64_t *place;  /* row of variable j in the factor, or one of the above */
    int64_t newest;  /* the variable that joined last */
    double *L;       /* factor of B, room x room, lower */
    double *row;     /* the row a variable would add */
    double *step;    /* direction for the members, in their order */
    double *gain;    /* r = g - Hx */
    void *block;     /* all of these arrays */
};

static void lay_out(rls2__layout *layout, void *owner)
{
    rls2__simplex_qp *qp = owner;
    int64_t room = qp->room;
    qp->member = rls2__layout_take(layout, room, sizeof(int64_t));
    qp->place = rls2__layout_take(layout, room, sizeof(int64_t));
    qp->L = rls2__layout_take(layout, rls2__mul(room, room), sizeof(double));
    qp->row = rls2__layout_take(layout, room, sizeof(double));
    qp->step = rls2__layout_take(layout, room, sizeof(double));
    qp->gain = rls2__layout_take(layout, room, sizeof(double));
}

rls2__simplex_qp *rls2__simplex_qp_create(int64_t room)
{
    rls2__simplex_qp *qp = rls2__alloc_zero(1, sizeof *qp);
    if (!qp) return NULL;
    qp->room = room;
    qp->block = rls2__layout_alloc(lay_out, qp);
    if (qp->block) return qp;
    rls2__simplex_qp_free(qp);
    return NULL;
}

void rls2__simplex_qp_free(rls2__simplex_qp *qp)
{
    if (!qp) return;
    rls2__free(qp->block);
    rls2__free(qp);
}

/* ---- the matrix and its factor ---- */

static double entry(const rls2__simplex_qp *qp, int64_t i, int64_t j)
{
    return i >= j ? qp->H[j * qp->ldh + i] : qp->H[i * qp->ldh + j];
}

static double reduced(const rls2__simplex_qp *qp, int64_t i, int64_t j)
{
    int64_t a = qp->anchor;
    return (entry(qp, i, j) - entry(qp, i, a)) - (entry(qp, j, a) - entry(qp, a, a));
}

/* Members are those with x > 0, and the factor's rows and the variables name each other. */
RLS2__CHECK int holds_the_positive(const rls2__simplex_qp *qp, const double *x)
{
    int64_t members = 0;
    for (int64_t j = 0; j < qp->w; j++) {
        int64_t at = qp->place[j];
        if ((at >= 0 || at == ANCHOR) != (x[j] > 0.0)) return 0;
        if (at >= 0 && (at >= qp->count || qp->member[at] != j)) return 0;
        members += at >= 0;
    }
    return members == qp->count;
}

/* qp->row = L^-1 B_Pj. Returns the squared pivot j would have, 0 if j depends on P. */
static double pivot_of(rls2__simplex_qp *qp, int64_t j)
{
    double square = reduced(qp, j, j), size = entry(qp, j, j) + entry(qp, qp->anchor, qp->anchor);
    for (int64_t t = 0; t < qp->count; t++) qp->row[t] = reduced(qp, qp->member[t], j);
    if (qp->count > 0) rls2__la_lower_solve(qp->count, 1, qp->L, qp->room, qp->row, qp->count);
    for (int64_t t = 0; t < qp->count; t++) square -= qp->row[t] * qp->row[t];
    rls2__invariant(qp->place[j] == OUTSIDE || qp->place[j] == BARRED);
    return square > DEPENDENT * size ? square : 0.0;
}

/* Appends variable j, for which pivot_of was asked last. */
static void join(rls2__simplex_qp *qp, int64_t j, double square)
{
    int64_t p = qp->count++;
    rls2__invariant(square > 0.0 && qp->count < qp->w); /* the anchor is not among them */
    for (int64_t t = 0; t < p; t++) qp->L[t * qp->room + p] = qp->row[t];
    qp->L[p * qp->room + p] = sqrt(square);
    qp->member[p] = j;
    qp->place[j] = p;
    qp->newest = j;
}

/* Deletes row `at` of the factor and restores its triangle by plane rotations. */
static void leave(rls2__simplex_qp *qp, int64_t at)
{
    int64_t p = --qp->count, ld = qp->room;
    double *L = qp->L;
    rls2__invariant(at >= 0 && at <= p && qp->place[qp->member[at]] == at);
    qp->place[qp->member[at]] = OUTSIDE;
    for (int64_t t = at; t < p; t++) {
        qp->member[t] = qp->member[t + 1];
        qp->place[qp->member[t]] = t;
        for (int64_t u = 0; u <= t + 1; u++) L[u * ld + t] = L[u * ld + t + 1];
    }
    for (int64_t t = at; t < p; t++) {
        double x = L[t * ld + t], y = L[(t + 1) * ld + t];
        double r = hypot(x, y), cosine = x / r, sine = y / r;
        rls2__invariant(!(r <= 0.0)); /* y was on the diagonal */
        L[t * ld + t] = r;
        for (int64_t i = t + 1; i < p; i++) {
            double u = L[t * ld + i], v = L[(t + 1) * ld + i];
            L[t * ld + i] = cosine * u + sine * v;
            L[(t + 1) * ld + i] = cosine * v - sine * u;
        }
    }
}

/* ---- moving ---- */

static void compute_gain(rls2__simplex_qp *qp, const double *g, const double *x)
{
    int64_t w = qp->w, ldh = qp->ldh;
    memcpy(qp->gain, g, (size_t)w * sizeof *g);
    for (int64_t j = 0; j < w; j++) {
        if (x[j] == 0.0) continue;
        for (int64_t i = 0; i < j; i++) qp->gain[i] -= x[j] * qp->H[i * ldh + j];
        for (int64_t i = j; i < w; i++) qp->gain[i] -= x[j] * qp->H[j * ldh + i];
    }
}

/* How far x can go along qp->step (members), `own` (variable j, or -1) and what that
 * leaves to the anchor, at most `limit`; moves there. Returns the step. What reaches
 * zero is set to zero. */
static double move(rls2__simplex_qp *qp, int64_t j, double own, double limit, double *x)
{
    double total = j >= 0 ? own : 0.0, step = limit;
    for (int64_t t = 0; t < qp->count; t++) total += qp->step[t];
    int64_t blocking = -1;
    for (int64_t t = -2; t < qp->count; t++) {
        int64_t i = t == -2 ? qp->anchor : t == -1 ? j : qp->member[t];
        double direction = t == -2 ? -total : t == -1 ? own : qp->step[t];
        if (i < 0 || !(direction < 0.0)) continue;
        double room = x[i] / -direction;
        if (room <= step) step = room, blocking = i;
    }
    rls2__invariant(step >= 0.0 && step <= limit);
    for (int64_t t = 0; t < qp->count; t++)
        x[qp->member[t]] = fmax(x[qp->member[t]] + step * qp->step[t], 0.0);
    x[qp->anchor] = fmax(x[qp->anchor] - step * total, 0.0);
    if (j >= 0) x[j] = fmax(x[j] + step * own, 0.0);
    if (blocking >= 0) x[blocking] = 0.0;
    return step;
}

/* Members at zero leave. Returns 0 if the anchor itself is at zero: the factor is then
 * of no more use. */
static int drop_zeros(rls2__simplex_qp *qp, const double *x, double step)
{
    if (x[qp->anchor] == 0.0) return 0;
    for (int64_t t = qp->count - 1; t >= 0; t--) {
        int64_t j = qp->member[t];
        if (x[j] > 0.0) continue;
        leave(qp, t);
        if (step == 0.0 && j == qp->newest) qp->place[j] = BARRED;
    }
    return 1;
}

/* Slides along the null direction that j opens (pivot_of was asked last and said 0), in
 * the sense that does not lose. Returns as drop_zeros. */
static int slide(rls2__simplex_qp *qp, int64_t j, double *x)
{
    double slope = qp->gain[j] - qp->gain[qp->anchor], sense;
    for (int64_t t = 0; t < qp->count; t++) qp->step[t] = -qp->row[t];
    if (qp->count > 0) rls2__la_lower_solve_t(qp->count, qp->L, qp->room, qp->step);
    for (int64_t t = 0; t < qp->count; t++)
        slope += qp->step[t] * (qp->gain[qp->member[t]] - qp->gain[qp->anchor]);
    sense = slope >= 0.0 || x[j] == 0.0 ? 1.0 : -1.0;
    for (int64_t t = 0; t < qp->count; t++) qp->step[t] *= sense;
    double step = move(qp, j, sense, INFINITY, x);
    /* the directions add up to zero, so one of them is downhill to the border */
    rls2__invariant(isfinite(step) || !rls2__is_finite(qp->count, qp->step));
    if (step == 0.0 && x[j] == 0.0) qp->place[j] = BARRED;
    return drop_zeros(qp, x, 1.0);
}

/* ---- the method ---- */

static int64_t largest(int64_t w, const double *x)
{
    int64_t best = 0;
    for (int64_t j = 1; j < w; j++)
        if (x[j] > x[best]) best = j;
    return best;
}

/* The factor for the variables that are positive now, around the largest of them.
 * Where they are dependent, x slides until they are not. */
static void rebuild(rls2__simplex_qp *qp, const double *g, double *x)
{
    qp->count = 0;
    qp->newest = -1;
    qp->anchor = largest(qp->w, x);
    rls2__invariant(!(x[qp->anchor] <= 0.0));
    for (int64_t j = 0; j < qp->w; j++)
        if (qp->place[j] != BARRED) qp->place[j] = OUTSIDE;
    qp->place[qp->anchor] = ANCHOR;
    for (int64_t j = 0; j < qp->w; j++) {
        if (j == qp->anchor) continue;
        while (x[j] > 0.0) {
            double square = pivot_of(qp, j);
            if (square > 0.0) {
                join(qp, j, square);
                break;
            }
            compute_gain(qp, g, x);
            if (slide(qp, j, x)) continue;
            rebuild(qp, g, x); /* one positive variable fewer: ends */
            return;
        }
    }
    qp->newest = -1;
    rls2__invariant(holds_the_positive(qp, x));
}

/* Towards the minimiser over P. Returns 1 when it is reached. */
static int descend(rls2__simplex_qp *qp, const double *g, double *x)
{
    for (int64_t t = 0; t < qp->count; t++)
        qp->step[t] = qp->gain[qp->member[t]] - qp->gain[qp->anchor];
    if (qp->count > 0) rls2__la_cholesky_solve(qp->count, 1, qp->L, qp->room, qp->step, qp->count);
    double step = move(qp, -1, 0.0, 1.0, x);
    int whole = drop_zeros(qp, x, step);
    if (!whole) rebuild(qp, g, x);
    compute_gain(qp, g, x);
    return whole && step == 1.0;
}

static int64_t best_outsider(const rls2__simplex_qp *qp, const double *x, double tol)
{
    int64_t best = -1;
    double threshold = tol;
    for (int64_t t = 0; t < qp->count; t++) threshold += x[qp->member[t]] * qp->gain[qp->member[t]];
    threshold += x[qp->anchor] * qp->gain[qp->anchor];
    for (int64_t j = 0; j < qp->w; j++)
        if (qp->place[j] == OUTSIDE && qp->gain[j] > threshold) best = j, threshold = qp->gain[j];
    return best;
}

static void admit(rls2__simplex_qp *qp, int64_t j, const double *g, double *x)
{
    double square = pivot_of(qp, j);
    if (square > 0.0) {
        join(qp, j, square);
        return;
    }
    int whole = slide(qp, j, x);
    if (!whole || x[j] > 0.0) rebuild(qp, g, x);
    compute_gain(qp, g, x);
}

static void normalise(int64_t w, double *x)
{
    double total = 0.0;
    for (int64_t j = 0; j < w; j++) total += x[j];
    for (int64_t j = 0; j < w; j++) x[j] /= total;
}

int64_t rls2__simplex_qp_solve(rls2__simplex_qp *qp, int64_t w, const double *H, int64_t ldh,
                               const double *g, double *x)
{
    int64_t limit = 20 * w + 50, steps;
    double scale = 0.0;
    qp->w = w;
    qp->H = H;
    qp->ldh = ldh;
    rls2__invariant(w >= 1 && w <= qp->room && w <= ldh);
    rls2__invariant(rls2__is_on_simplex(w, x));
    for (int64_t j = 0; j < w; j++) {
        scale = fmax(scale, fmax(fabs(g[j]), H[j * ldh + j]));
        qp->place[j] = OUTSIDE;
    }
    rebuild(qp, g, x);
    compute_gain(qp, g, x);
    for (steps = 1; steps <= limit; steps++) {
        if (!descend(qp, g, x)) continue;
        int64_t j = best_outsider(qp, x, GAIN_TOL * scale);
        if (j < 0) break;
        admit(qp, j, g, x);
    }
    normalise(w, x);
    rls2__invariant(rls2__is_on_simplex(w, x) || !rls2__is_finite(w, qp->gain));
    return steps <= limit ? steps : -limit;
}
