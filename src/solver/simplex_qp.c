/* A primal active-set method.
 *
 * P is the set of variables that may be positive. With the sum constraint's
 * multiplier mu, the minimiser over P solves H_PP z = g_P - mu 1, 1'z = 1, that is
 * z = a - mu b with H_PP a = g_P, H_PP b = 1. If z is positive, the variable whose
 * gain g_j - (Hx)_j exceeds mu by most joins P; otherwise x moves towards z until a
 * variable reaches zero and leaves P. The Cholesky factor of H_PP is updated on both
 * occasions, O(|P|^2).
 *
 * Equal or dependent kernels make H_PP singular. A relative ridge on its diagonal
 * keeps the factor defined; it is far below the precision the caller asks of x. */
#include "solver/simplex_qp.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "la/la.h"

static const double RIDGE = 1e-13;       /* added to H_jj, relative */
static const double PIVOT_FLOOR = 1e-14; /* smallest squared pivot, relative to H_jj */
static const double GAIN_TOL = 1e-12;    /* gain over mu that counts, relative to max |g| */

/* A variable that joins and leaves again without x having moved would do so for ever:
 * rounding, not the problem, called it in. It is barred for the rest of the solve. */
enum { OUTSIDE = -1, BARRED = -2 };

struct rls2__simplex_qp {
    int64_t room;
    int64_t count;   /* |P| */
    int64_t *member; /* P, in the order of the factor's rows */
    int64_t *place;  /* place[j]: row of variable j in the factor, or OUTSIDE, or BARRED */
    int64_t newest;  /* the variable that joined last */
    double *L;       /* factor of H_PP, room x room, lower */
    double *a, *b;   /* solutions for g_P and 1 */
    double *gain;    /* g - Hx */
};

rls2__simplex_qp *rls2__simplex_qp_create(int64_t room)
{
    rls2__simplex_qp *qp = rls2__alloc_zero(1, sizeof *qp);
    if (!qp) return NULL;
    qp->room = room;
    qp->member = rls2__alloc(room, sizeof(int64_t));
    qp->place = rls2__alloc(room, sizeof(int64_t));
    qp->L = rls2__alloc(rls2__mul(room, room), sizeof(double));
    qp->a = rls2__alloc(room, sizeof(double));
    qp->b = rls2__alloc(room, sizeof(double));
    qp->gain = rls2__alloc(room, sizeof(double));
    if (qp->member && qp->place && qp->L && qp->a && qp->b && qp->gain) return qp;
    rls2__simplex_qp_free(qp);
    return NULL;
}

void rls2__simplex_qp_free(rls2__simplex_qp *qp)
{
    if (!qp) return;
    rls2__free(qp->member);
    rls2__free(qp->place);
    rls2__free(qp->L);
    rls2__free(qp->a);
    rls2__free(qp->b);
    rls2__free(qp->gain);
    rls2__free(qp);
}

static double entry(const double *H, int64_t ldh, int64_t i, int64_t j)
{
    return i >= j ? H[j * ldh + i] : H[i * ldh + j];
}

/* Appends variable j: one more row of the factor. */
static void join(rls2__simplex_qp *qp, const double *H, int64_t ldh, int64_t j)
{
    int64_t p = qp->count, ld = qp->room;
    double *L = qp->L;
    double diagonal = H[j * ldh + j], square = diagonal * (1.0 + RIDGE);
    for (int64_t t = 0; t < p; t++) {
        double value = entry(H, ldh, j, qp->member[t]);
        for (int64_t u = 0; u < t; u++) value -= L[u * ld + p] * L[u * ld + t];
        value /= L[t * ld + t];
        L[t * ld + p] = value;
        square -= value * value;
    }
    double floor = diagonal > 0.0 ? PIVOT_FLOOR * diagonal : 1.0;
    L[p * ld + p] = sqrt(fmax(square, floor));
    qp->member[p] = j;
    qp->place[j] = p;
    qp->newest = j;
    qp->count = p + 1;
}

/* Deletes row `at` of the factor and restores its triangle by plane rotations. */
static void leave(rls2__simplex_qp *qp, int64_t at)
{
    int64_t p = --qp->count, ld = qp->room;
    double *L = qp->L;
    qp->place[qp->member[at]] = OUTSIDE;
    for (int64_t t = at; t < p; t++) {
        qp->member[t] = qp->member[t + 1];
        qp->place[qp->member[t]] = t;
        for (int64_t u = 0; u <= t + 1; u++) L[u * ld + t] = L[u * ld + t + 1];
    }
    for (int64_t t = at; t < p; t++) {
        double x = L[t * ld + t], y = L[(t + 1) * ld + t];
        double r = hypot(x, y), cosine = x / r, sine = y / r;
        L[t * ld + t] = r;
        for (int64_t i = t + 1; i < p; i++) {
            double u = L[t * ld + i], v = L[(t + 1) * ld + i];
            L[t * ld + i] = cosine * u + sine * v;
            L[(t + 1) * ld + i] = cosine * v - sine * u;
        }
    }
}

/* The minimiser over P into qp->a; returns mu. */
static double minimise_over_members(rls2__simplex_qp *qp, const double *g)
{
    int64_t p = qp->count;
    double sum_a = 0.0, sum_b = 0.0;
    for (int64_t t = 0; t < p; t++) {
        qp->a[t] = g[qp->member[t]];
        qp->b[t] = 1.0;
    }
    rls2__la_cholesky_solve(p, 1, qp->L, qp->room, qp->a, p);
    rls2__la_cholesky_solve(p, 1, qp->L, qp->room, qp->b, p);
    for (int64_t t = 0; t < p; t++) {
        sum_a += qp->a[t];
        sum_b += qp->b[t];
    }
    double mu = (sum_a - 1.0) / sum_b;
    for (int64_t t = 0; t < p; t++) qp->a[t] -= mu * qp->b[t];
    return mu;
}

/* Moves x towards z = qp->a as far as it stays non-negative; what reaches zero leaves
 * P. Returns 1 if z itself was reached. */
static int move(rls2__simplex_qp *qp, double *x)
{
    double step = 1.0;
    int64_t blocking = -1;
    for (int64_t t = 0; t < qp->count; t++) {
        double from = x[qp->member[t]], to = qp->a[t];
        if (to > 0.0) continue;
        double limit = from > to ? from / (from - to) : 0.0;
        if (blocking < 0 || limit < step) step = limit, blocking = t;
    }
    for (int64_t t = 0; t < qp->count; t++) {
        int64_t j = qp->member[t];
        x[j] = blocking < 0 ? qp->a[t] : x[j] + step * (qp->a[t] - x[j]);
    }
    if (blocking < 0) return 1;
    x[qp->member[blocking]] = 0.0;
    for (int64_t t = qp->count - 1; t >= 0 && qp->count > 1; t--) {
        if (x[qp->member[t]] > 0.0) continue;
        int64_t j = qp->member[t];
        x[j] = 0.0;
        leave(qp, t);
        if (step == 0.0 && j == qp->newest) qp->place[j] = BARRED;
    }
    return 0;
}

static void compute_gain(rls2__simplex_qp *qp, int64_t w, const double *H, int64_t ldh, const double *g,
                         const double *x)
{
    memcpy(qp->gain, g, (size_t)w * sizeof *g);
    for (int64_t t = 0; t < qp->count; t++) {
        int64_t j = qp->member[t];
        for (int64_t i = 0; i < j; i++) qp->gain[i] -= x[j] * H[i * ldh + j];
        for (int64_t i = j; i < w; i++) qp->gain[i] -= x[j] * H[j * ldh + i];
    }
}

static int64_t best_outsider(const rls2__simplex_qp *qp, int64_t w, double threshold)
{
    int64_t best = -1;
    for (int64_t j = 0; j < w; j++)
        if (qp->place[j] == OUTSIDE && qp->gain[j] > threshold) best = j, threshold = qp->gain[j];
    return best;
}

static void start(rls2__simplex_qp *qp, int64_t w, const double *H, int64_t ldh, const double *x)
{
    qp->count = 0;
    for (int64_t j = 0; j < w; j++) qp->place[j] = OUTSIDE;
    for (int64_t j = 0; j < w; j++)
        if (x[j] > 0.0) join(qp, H, ldh, j);
}

static void normalise(int64_t w, double *x)
{
    double total = 0.0;
    for (int64_t j = 0; j < w; j++) total += x[j];
    for (int64_t j = 0; j < w; j++) x[j] /= total;
}

int64_t rls2__simplex_qp_solve(rls2__simplex_qp *qp, int64_t w, const double *H, int64_t ldh, const double *g,
                               double *x)
{
    int64_t limit = 20 * w + 50, steps = 0;
    double scale = 0.0;
    for (int64_t j = 0; j < w; j++) scale = fmax(scale, fabs(g[j]));
    start(qp, w, H, ldh, x);
    for (int done = 0; !done; steps++) {
        if (steps == limit) return normalise(w, x), -steps;
        double mu = minimise_over_members(qp, g);
        if (!move(qp, x)) continue;
        compute_gain(qp, w, H, ldh, g, x);
        int64_t j = best_outsider(qp, w, mu + GAIN_TOL * scale);
        if (j < 0) done = 1;
        else join(qp, H, ldh, j);
    }
    normalise(w, x);
    return steps;
}
