/* Rounds of pivots.
 *
 * With P the pivots of a round, L their rows of the factor (old columns and new ones, the latter
 * lower triangular) and G the old columns, the new columns are (K_P - G L_old') L_new^-T: the same
 * sums, in another order, that pivots one by one would make. */
#include "basis/growth.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/invariant.h"
#include "base/memory.h"
#include "base/random.h"
#include "la/la.h"

enum { SAMPLE = RLS2__GROWTH_SAMPLE, FRESH = RLS2__GROWTH_FRESH, BLOCK_ROWS = 1024 };

rls2__growth *rls2__growth_create(const rls2__source *from, const double *diagonal,
                                  const rls2__aim *aim, rls2__distinct *distinct)
{
    rls2__growth *g = rls2__alloc_zero(1, sizeof *g);
    if (!g) return NULL;
    int64_t n = from->rows->n;
    g->kernel = *from->kernel;
    g->rows = *from->rows;
    g->roots = from->roots;
    g->mass = from->mass;
    g->s = from->s;
    g->aim = *aim;
    g->residual = g->residual_before = aim->trace;
    g->diagonal = rls2__alloc(n, sizeof(double));
    if (!g->diagonal) {
        rls2__free(g);
        return NULL;
    }
    memcpy(g->diagonal, diagonal, (size_t)n * sizeof(double));
    if (distinct) {
        g->distinct = *distinct;
        memset(distinct, 0, sizeof *distinct);
    }
    return g;
}

void rls2__growth_free(rls2__growth *g)
{
    if (!g) return;
    rls2__distinct_free(&g->distinct);
    rls2__free(g->factor);
    rls2__free(g->diagonal);
    rls2__free(g->lower);
    rls2__free(g);
}

/* ---- how many columns there will be ---- */

/* The logarithm of what is left falls like a power of the rank r: the first power or more of one
 * column, less the more columns a kernel looks at. Two points, at which it has fallen by a and b,
 * give the power, and with it the rank at which it will have fallen by `all`. */
static double rank_by_power(double r_a, double a, double r_b, double b, double all)
{
    if (!(a > 0.0 && b > a)) return INFINITY;
    return r_b * pow(all / b, log(r_b / r_a) / log(b / a));
}

/* Where rows gather in few places, each place takes a pivot, and rows are left with nothing one
 * after the other. */
static double rank_by_rows(double rank, int64_t bare, int64_t rows)
{
    return bare > 0 ? rank * (double)rows / (double)bare : (double)INFINITY;
}

static int is_too_much(const rls2__growth *g, double rank)
{
    const double room = 1.5; /* for what the estimate is worth */
    return !g->aim.certain && rank > room * (double)g->aim.most;
}

/* Rows of which no more is left than is left out in the end. */
static int64_t count_bare(const rls2__growth *g, int64_t n, const double *diagonal)
{
    double least = g->aim.tol * g->aim.trace / (double)g->rows.n;
    int64_t bare = 0;
    for (int64_t i = 0; i < n; i++) bare += diagonal[i] <= least;
    return bare;
}

/* ---- the rows of a round ---- */

typedef struct sample {
    int64_t count;
    int64_t rows[SAMPLE]; /* numbers */
    double roots[SAMPLE], mass[SAMPLE];
    rls2__kernel kernel; /* on these rows: */
    rls2_rows data;
    rls2__source source;
    double *x;
    int64_t *columns;
} sample;

typedef struct entry {
    double left;
    int64_t row;
} entry;

static int most_first(const void *a, const void *b)
{
    const entry *one = a, *other = b;
    if (one->left != other->left) return one->left < other->left ? 1 : -1;
    return (one->row > other->row) - (one->row < other->row);
}

/* One of each of `count` stretches of rows. */
static void take_any(int64_t n, sample *s)
{
    rls2__random random;
    rls2__random_seed(&random, 18);
    for (int64_t a = 0; a < s->count; a++) {
        int64_t first = a * n / s->count, end = (a + 1) * n / s->count;
        s->rows[a] = first + rls2__random_below(&random, end - first);
    }
}

static rls2_status take_most(const rls2__growth *g, sample *s)
{
    int64_t n = g->rows.n;
    entry *entries = rls2__alloc(n, sizeof *entries);
    if (!entries) return RLS2_ERR_MEMORY;
    for (int64_t i = 0; i < n; i++) entries[i] = (entry){g->diagonal[i], i};
    qsort(entries, (size_t)n, sizeof *entries, most_first);
    for (int64_t a = 0; a < s->count; a++) s->rows[a] = entries[a].row;
    rls2__free(entries);
    return RLS2_OK;
}

/* The columns of the kernel alone, of these rows. */
static rls2_status copy_data(const rls2__growth *g, sample *s)
{
    int64_t columns = g->kernel.column_count, ldx = g->rows.ldx ? g->rows.ldx : g->rows.n;
    s->x = rls2__alloc(rls2__mul(columns, s->count), sizeof(double));
    s->columns = rls2__alloc(columns, sizeof *s->columns);
    if (!s->x || !s->columns) return RLS2_ERR_MEMORY;
    for (int64_t t = 0; t < columns; t++) {
        const double *x = g->rows.x + g->kernel.columns[t] * ldx;
        for (int64_t a = 0; a < s->count; a++) s->x[t * s->count + a] = x[s->rows[a]];
        s->columns[t] = t;
    }
    s->kernel = g->kernel;
    s->kernel.columns = s->columns;
    s->data = (rls2_rows){.n = s->count, .p = columns, .x = s->x};
    for (int64_t a = 0; a < s->count; a++) {
        if (g->roots) s->roots[a] = g->roots[s->rows[a]];
        if (g->mass) s->mass[a] = g->mass[s->rows[a]];
    }
    s->source = (rls2__source){&s->kernel, &s->data, g->roots ? s->roots : NULL,
                               g->mass ? s->mass : NULL, g->s};
    return RLS2_OK;
}

static rls2_status draw(const rls2__growth *g, sample *s)
{
    *s = (sample){.count = g->rows.n < SAMPLE ? g->rows.n : SAMPLE};
    rls2_status status = RLS2_OK;
    if (g->rounds == 0)
        take_any(g->rows.n, s);
    else
        status = take_most(g, s);
    return status == RLS2_OK ? copy_data(g, s) : status;
}

static void put_back(sample *s)
{
    rls2__free(s->x);
    rls2__free(s->columns);
}

/* ---- the pivots of a round ---- */

/* The old columns of the sample, and room for as many new ones as a round has. */
static rls2_status copy_factor(const rls2__growth *g, const sample *s, rls2__build_room *room)
{
    int64_t n = g->rows.n;
    if (rls2__build_room_factor(room, s->count, 0, rls2__add(g->rank, FRESH)) != RLS2_OK)
        return RLS2_ERR_MEMORY;
    for (int64_t t = 0; t < g->rank; t++)
        for (int64_t a = 0; a < s->count; a++)
            room->factor[t * s->count + a] = g->factor[t * n + s->rows[a]];
    for (int64_t a = 0; a < s->count; a++) room->diagonal[a] = g->diagonal[s->rows[a]];
    return RLS2_OK;
}

/* What is left of the sample, as far as its rows are not pivots, against what there was: by how
 * much its logarithm has fallen. */
static double fall_of(int64_t count, const double *first, const double *left)
{
    double before = 0.0, after = 0.0;
    for (int64_t a = 0; a < count; a++) {
        if (left[a] == 0.0) continue;
        before += first[a];
        after += left[a];
    }
    return after > 0.0 ? log(before / after) : (double)INFINITY;
}

enum { FIRST_LOOK = 64, SECOND_LOOK = 128 };

/* Looks at the decay twice in the first round, before anything is computed for all rows. */
static void look(rls2__growth *g, const sample *s, const double *first,
                 const rls2__build_room *room, double *fall)
{
    if (g->rounds > 0 || (g->fresh != FIRST_LOOK && g->fresh != SECOND_LOOK)) return;
    double before = *fall;
    *fall = fall_of(s->count, first, room->diagonal);
    if (g->fresh == FIRST_LOOK) return;
    int64_t bare = count_bare(g, s->count, room->diagonal) - g->fresh;
    double rank = fmin(rank_by_power(FIRST_LOOK, before, SECOND_LOOK, *fall, -log(g->aim.tol)),
                       rank_by_rows(SECOND_LOOK, bare, s->count - g->fresh));
    g->hopeless = is_too_much(g, rank);
}

/* Pivots among the rows of the sample until nothing is left of it, or they are enough for a round;
 * at[i]: where the i-th lies in the sample. */
static void find_pivots(rls2__growth *g, const sample *s, int64_t *at, rls2__build_room *room)
{
    double first[SAMPLE], fall = 0.0;
    memcpy(first, room->diagonal, (size_t)s->count * sizeof *first);
    double left = rls2__sum_of_rows(&s->source, room->diagonal);
    double least = g->aim.tol * (g->rounds == 0 ? left : g->aim.trace / 2.0);
    for (g->fresh = 0; g->fresh < FRESH && g->rank + g->fresh < g->aim.most && left > least;) {
        int64_t pivot = rls2__largest_pivot(s->count, room->diagonal);
        if (!(room->diagonal[pivot] > 0.0)) break;
        rls2__pivot_column(&s->source, pivot, g->rank + g->fresh, room);
        at[g->fresh] = pivot;
        g->pivots[g->fresh++] = s->rows[pivot];
        left = rls2__sum_of_rows(&s->source, room->diagonal);
        look(g, s, first, room, &fall);
        if (g->hopeless) return;
    }
}

/* Room for the new columns beside the old ones, and the rows of the pivots. */
static rls2_status make_room(rls2__growth *g, int64_t count, const int64_t *at,
                             const rls2__build_room *room)
{
    int64_t n = g->rows.n, fresh = g->fresh, rank = g->rank + fresh;
    double *larger = rls2__alloc(rls2__mul(n, rank), sizeof(double));
    double *lower = rls2__alloc(rls2__mul(fresh, rank), sizeof(double));
    if (!larger || !lower) {
        rls2__free(larger);
        rls2__free(lower);
        return RLS2_ERR_MEMORY;
    }
    if (g->rank > 0) memcpy(larger, g->factor, (size_t)(n * g->rank) * sizeof *larger);
    for (int64_t t = 0; t < rank; t++)
        for (int64_t i = 0; i < fresh; i++) lower[t * fresh + i] = room->factor[t * count + at[i]];
    rls2__free(g->factor);
    rls2__free(g->lower);
    g->factor = larger;
    g->lower = lower;
    return RLS2_OK;
}

static rls2_status choose(rls2__growth *g, rls2__build_room *room)
{
    sample s;
    int64_t at[FRESH];
    rls2_status status = draw(g, &s);
    if (status == RLS2_OK) status = copy_factor(g, &s, room);
    if (status == RLS2_OK) find_pivots(g, &s, at, room);
    if (status == RLS2_OK && !g->hopeless) status = make_room(g, s.count, at, room);
    put_back(&s);
    return status;
}

/* ---- the columns of a round ---- */

static int64_t block_count(const rls2__growth *g)
{
    return (g->rows.n + BLOCK_ROWS - 1) / BLOCK_ROWS;
}

/* What a block of rows has left, once the new columns are there. */
static void subtract_squares(rls2__growth *g, int64_t first, int64_t count)
{
    int64_t n = g->rows.n;
    double *diagonal = g->diagonal + first;
    for (int64_t t = g->rank; t < g->rank + g->fresh; t++) {
        const double *column = g->factor + t * n + first;
        for (int64_t i = 0; i < count; i++) {
            double left = diagonal[i] - column[i] * column[i];
            diagonal[i] = left > 0.0 ? left : 0.0;
        }
    }
}

static void extend_block(rls2__growth *g, int64_t block)
{
    int64_t n = g->rows.n, first = block * BLOCK_ROWS, fresh = g->fresh;
    int64_t count = n - first < BLOCK_ROWS ? n - first : BLOCK_ROWS;
    double *to = g->factor + g->rank * n + first;
    if (fresh == 0) return;
    for (int64_t t = 0; t < fresh; t++) {
        double *column = to + t * n;
        int64_t pivot = g->pivots[t];
        rls2__kernel_column_scaled(&g->kernel, &g->rows, first, count, &g->rows, pivot, g->s,
                                   column);
        for (int64_t i = 0; g->roots && i < count; i++)
            column[i] *= g->roots[first + i] * g->roots[pivot];
    }
    if (g->rank > 0)
        rls2__la_subtract_nt(count, fresh, g->rank, g->factor + first, n, g->lower, fresh, to, n);
    rls2__la_lower_solve_right(count, fresh, g->lower + g->rank * fresh, fresh, to, n);
    subtract_squares(g, first, count);
}

/* The new columns are part of the factor: is it one? */
static void absorb(rls2__growth *g)
{
    const rls2__source from = {&g->kernel, &g->rows, g->roots, g->mass, g->s};
    for (int64_t i = 0; i < g->fresh; i++) g->diagonal[g->pivots[i]] = 0.0;
    double residual = rls2__sum_of_rows(&from, g->diagonal), trace = g->aim.trace;
    rls2__invariant(residual >= 0.0 &&
                    !(residual > g->residual * (1.0 + DBL_EPSILON * (double)g->rows.n)));
    g->rank_before = g->rank;
    g->residual_before = g->residual;
    g->rank += g->fresh;
    g->residual = residual;
    g->rounds++;
    g->settled = residual <= g->aim.tol * trace || g->fresh == 0;
    if (g->settled || g->aim.certain) return;
    double rank = rank_by_power((double)g->rank_before, log(trace / g->residual_before),
                                (double)g->rank, log(trace / residual), -log(g->aim.tol));
    rank =
        fmin(rank, rank_by_rows((double)g->rank, count_bare(g, g->rows.n, g->diagonal), g->rows.n));
    g->hopeless = g->rank >= g->aim.most || (g->rank_before > 0 && is_too_much(g, rank));
}

/* ---- several at once ---- */

typedef struct batch {
    int64_t count;
    rls2__growth **open; /* those that are not settled */
    int64_t *starts;     /* count + 1: the number of the first block of each */
    rls2__build_room *rooms;
} batch;

static void choose_task(void *user, int64_t task, int thread)
{
    batch *it = user;
    it->open[task]->status = choose(it->open[task], &it->rooms[thread]);
}

static void extend_task(void *user, int64_t task, int thread)
{
    batch *it = user;
    int64_t at = 0;
    (void)thread;
    while (task >= it->starts[at + 1]) at++;
    extend_block(it->open[at], task - it->starts[at]);
}

static rls2_status first_failure(const batch *it)
{
    for (int64_t i = 0; i < it->count; i++)
        if (it->open[i]->status != RLS2_OK) return it->open[i]->status;
    return RLS2_OK;
}

/* Those that go on come first. */
static void drop_settled(batch *it)
{
    int64_t kept = 0;
    for (int64_t i = 0; i < it->count; i++)
        if (!it->open[i]->settled && !it->open[i]->hopeless) it->open[kept++] = it->open[i];
    it->count = kept;
}

static rls2_status run_round(rls2__effort *effort, batch *it)
{
    rls2_status status = rls2__effort_each(effort, it->count, choose_task, it);
    if (status == RLS2_OK) status = first_failure(it);
    if (status != RLS2_OK) return status;
    drop_settled(it);
    it->starts[0] = 0;
    for (int64_t i = 0; i < it->count; i++)
        it->starts[i + 1] = it->starts[i] + block_count(it->open[i]);
    status = rls2__effort_each(effort, it->starts[it->count], extend_task, it);
    if (status != RLS2_OK) return status;
    for (int64_t i = 0; i < it->count; i++) absorb(it->open[i]);
    drop_settled(it);
    return RLS2_OK;
}

rls2_status rls2__growths_run(rls2__effort *effort, int64_t count, rls2__growth **list,
                              rls2__build_room *rooms)
{
    batch it = {.count = count, .rooms = rooms};
    rls2_status status = RLS2_OK;
    if (count == 0) return RLS2_OK;
    it.open = rls2__alloc(count, sizeof *it.open);
    it.starts = rls2__alloc(rls2__add(count, 1), sizeof *it.starts);
    if (!it.open || !it.starts) status = RLS2_ERR_MEMORY;
    if (status == RLS2_OK) memcpy(it.open, list, (size_t)count * sizeof *it.open);
    while (status == RLS2_OK && it.count > 0) status = run_round(effort, &it);
    rls2__free(it.open);
    rls2__free(it.starts);
    return status;
}
