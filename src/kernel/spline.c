/* The cubic smoothing spline's reproducing kernel on [0, 1], straight lines beyond:
 *
 *   1 + uv + int_0^1 (u-t)_+ (v-t)_+ dt = 1 + uv + a uv - a^2 (u + v) / 2 + a^3 / 3,
 *   a = min(u, v) cut to [0, 1],
 *
 * an inner product for all real u and v. a is that of one of the two, so that it and a^3 / 3 are
 * computed once for each row and only chosen between for a pair: divisions would take most of the
 * time. */
#include "kernel/spline.h"

#include "base/clones.h"

enum { BLOCK = 256 };

typedef struct points {
    double unit[BLOCK]; /* u */
    double cut[BLOCK];  /* u cut to [0, 1] */
    double cube[BLOCK]; /* cut^3 / 3 */
} points;

RLS2__CLONES
static void place(int64_t n, double lo, double width, const double *x, points *p)
{
    for (int64_t i = 0; i < n; i++) {
        double unit = width > 0.0 ? (x[i] - lo) / width : 0.0;
        double above = unit > 0.0 ? unit : 0.0, cut = above < 1.0 ? above : 1.0;
        p->unit[i] = unit;
        p->cut[i] = cut;
        p->cube[i] = cut * cut * cut / 3.0;
    }
}

/* a, and a third of its cube, are given. */
static inline double value(double u, double v, double a, double third)
{
    return 1.0 + u * v + a * (u * v) - a * a * (u + v) / 2.0 + third;
}

/* n points from `first` on with the point v. */
RLS2__CLONES
static void pair_up(int64_t first, int64_t n, const points *p, double v, double v_cut,
                    double v_cube, double s, double *restrict out)
{
    const double *unit = p->unit + first, *cuts = p->cut + first, *cubes = p->cube + first;
    for (int64_t i = 0; i < n; i++) {
        double u = unit[i], cut = cuts[i], cube = cubes[i];
        out[i] = value(u, v, u < v ? cut : v_cut, u < v ? cube : v_cube) * s;
    }
}

static int64_t block_length(int64_t first, int64_t n)
{
    return n - first < BLOCK ? n - first : BLOCK;
}

void rls2__spline_column(double lo, double hi, int64_t n, const double *x, double z, double s,
                         double *out)
{
    points rows, other;
    place(1, lo, hi - lo, &z, &other);
    for (int64_t first = 0; first < n; first += BLOCK) {
        int64_t count = block_length(first, n);
        place(count, lo, hi - lo, x + first, &rows);
        pair_up(0, count, &rows, other.unit[0], other.cut[0], other.cube[0], s, out + first);
    }
}

void rls2__spline_diagonal(double lo, double hi, int64_t n, const double *x, double *out)
{
    points rows;
    for (int64_t first = 0; first < n; first += BLOCK) {
        int64_t count = block_length(first, n);
        place(count, lo, hi - lo, x + first, &rows);
        for (int64_t i = 0; i < count; i++)
            out[first + i] = value(rows.unit[i], rows.unit[i], rows.cut[i], rows.cube[i]);
    }
}

/* A block of rows with the points `others`, those of numbers from `column` on. */
static void block_of_columns(int64_t n, int64_t first, int64_t count, const points *rows,
                             int64_t column, int64_t columns, const points *others, double s,
                             double *packed)
{
    for (int64_t w = 0; w < columns; w++) {
        int64_t j = column + w, above = j > first ? j - first : 0;
        if (above >= count) return;
        pair_up(above, count - above, rows, others->unit[w], others->cut[w], others->cube[w], s,
                packed + j * n - j * (j - 1) / 2 + first + above - j);
    }
}

void rls2__spline_triangle(double lo, double hi, int64_t n, const double *x, double s, int64_t from,
                           int64_t end, double *packed)
{
    points rows, others;
    for (int64_t column = from; column < end; column += BLOCK) {
        int64_t columns = block_length(column, end);
        place(columns, lo, hi - lo, x + column, &others);
        for (int64_t first = column; first < n; first += BLOCK) {
            int64_t count = block_length(first, n);
            place(count, lo, hi - lo, x + first, &rows);
            block_of_columns(n, first, count, &rows, column, columns, &others, s, packed);
        }
    }
}
