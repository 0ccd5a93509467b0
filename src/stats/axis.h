/* Axes: what the rows of a tall table are counted by.
 *
 * An axis stands for the columns of x that one cell of the table makes: a number and its indicator
 * of missing cells, a part of a date, all indicators of a text column. It has points, at which its
 * columns have values that kernels see; a row lies at one of them or, where numbers have more
 * values than the axis has points, between two, which share it. Shares are whole 64ths, so that
 * counts are integers and do not depend on the order of the rows. [MATH.md, L1] */
#ifndef RLS2_STATS_AXIS_H
#define RLS2_STATS_AXIS_H

#include "base/effort.h"
#include "base/memory.h"
#include "table/dataset.h"

enum {
    RLS2__SHARES = 64,     /* of a row, between two points */
    RLS2__MOST_KNOTS = 512 /* of an axis of numbers */
};

typedef struct rls2__axis {
    int64_t input;        /* of the encoder */
    int64_t width;        /* columns of x, */
    int64_t *columns;     /* ascending: of numbers the number first */
    int64_t count;        /* points */
    int64_t knots;        /* of these, the first ones: ascending numbers between which rows are
                             shared; 0 of categories */
    double *points;       /* count x width: [g * width + v] */
    double missing_above; /* of numbers with an indicator: it is on above this; the last point is
                             that of missing cells */
    int is_exact;         /* every row that it was made for lies at a point */
} rls2__axis;

typedef struct rls2__axes {
    int64_t count;
    rls2__axis *all;
    int64_t *first; /* count + 1: where the points of each begin among those of all */
    int64_t *of;    /* columns of x: the axis a column belongs to */
    int64_t columns;
    rls2__arena *arena;
} rls2__axes;

/* How fine. */
typedef struct rls2__fineness {
    int64_t most;     /* points of an axis of numbers; 0: as many as fit in all */
    int64_t all_most; /* points of all axes together, about */
} rls2__fineness;
rls2__fineness rls2__fineness_default(void);

/* Prepared rows whose numbers decide on the points: all different values where these are few,
 * quantiles otherwise. Where they are a sample, `ends` are rows of what it may lack: least and most
 * values, few values, categories, missing cells (rls2__profile_ends). They are no part of the
 * quantiles. */
typedef struct rls2__axes_from {
    const rls2_dataset *rows;
    const rls2_dataset *ends; /* NULL: none */
} rls2__axes_from;
/* Free with rls2__axes_free. RLS2_ERR_MEMORY, RLS2_ERR_CANCELLED or OK. */
rls2_status rls2__axes_create(rls2__effort *effort, const rls2__axes_from *from,
                              rls2__fineness fineness, rls2__axes **axes);
/* The axes that an encoder has, without their points: `count`, `knots`, `points`, `missing_above`,
 * `is_exact` and `first` are still to be set, the points in the arena. RLS2_ERR_MEMORY or OK. */
rls2_status rls2__axes_start(const rls2__encoder *encoder, rls2__axes **axes);
void rls2__axes_free(rls2__axes *axes);

/* The input of a category, else the column of x. Owned by the encoder. */
const char *rls2__axis_name(const rls2__encoder *encoder, const rls2__axis *axis);

/* Points of all axes. */
int64_t rls2__axes_points(const rls2__axes *axes);

/* Where rows lie: at point at[i], but for share[i] of RLS2__SHARES parts that lie at the next.
 * order: the rows meant, count of them. Numbers beyond the ends lie there, and a category that no
 * point stands for at the first: returns how many rows do. */
int64_t rls2__axis_place(const rls2__axis *axis, const double *x, int64_t ldx, int64_t count,
                         const int64_t *order, uint16_t *at, uint8_t *share);

/* out[i] += f at the place of row i, f[points] being linear between two of them. */
void rls2__axis_add(int64_t count, const uint16_t *at, const uint8_t *share, const double *f,
                    double *out);

#endif
