/* Statistics of rows: how often the points of two axes come together, and sums of responses.
 *
 * They are kept for several parts of the rows (the folds of a cross-validation), as integers: any
 * order of the rows, and any sum of statistics of parts of them, has the same bits. [MATH.md, L1]
 * Kernels of several columns have features beside the points of axes (feature_sums.h). */
#ifndef RLS2_STATS_COUNTS_H
#define RLS2_STATS_COUNTS_H

#include "stats/axis.h"
#include "stats/feature_sums.h"

/* How responses of one output, and weights, become integers: y = center + unit * integer, of 36
 * bits at most; a weight is unit * integer, of 20. */
typedef struct rls2__units {
    double center;
    double response;
    double weight; /* the same for all outputs */
} rls2__units;

/* Of one part of the rows. */
typedef struct rls2__part_totals {
    int64_t rows;
    uint64_t weight;
} rls2__part_totals;

typedef struct rls2__counts {
    const rls2__axes *axes; /* borrowed */
    int64_t parts;
    int64_t outputs;
    int is_weighted;              /* 0: each row is one */
    int64_t rounded;              /* rows whose weight was no multiple of the unit */
    int64_t *beyond;              /* axes: rows that lie at a point which is not theirs */
    rls2__units *units;           /* outputs */
    int64_t points;               /* of all axes */
    int64_t *pair_at;             /* axes x axes: where the table of a < b begins, [a * axes + b] */
    int64_t pair_size;            /* of all tables */
    uint64_t *pairs;              /* parts x pair_size: sums of products of shares and weights */
    uint64_t *own;                /* parts x points: of squares of shares at each point, */
    uint64_t *next;               /* parts x points: and of products at it and the next */
    uint64_t *mass;               /* parts x points: sums of shares */
    rls2__wide *sums;             /* parts x outputs x points: of shares times responses */
    rls2__wide *first;            /* parts x outputs: of responses, */
    rls2__wide *second;           /* and of their squares */
    rls2__part_totals *totals;    /* parts */
    rls2__feature_sums *featured; /* NULL where there are no features */
} rls2__counts;

/* Units for responses between these bounds, and weights up to that (0: rows have none). */
rls2__units rls2__units_of(double least, double most, double largest_weight);

/* Empty; units: one for each output (at least one), copied. RLS2_ERR_MEMORY or OK. Free with
 * rls2__counts_free. */
rls2_status rls2__counts_create(const rls2__axes *axes, int64_t parts, int64_t outputs,
                                int is_weighted, const rls2__units *units, rls2__counts **counts);
void rls2__counts_free(rls2__counts *counts);
/* Counts features too, which are borrowed, from now on: before any row is added. Without any
 * (NULL, or no block) nothing changes. RLS2_ERR_MEMORY or OK. */
rls2_status rls2__counts_take_features(const rls2__features *features, rls2__counts *counts);
/* What rls2__counts_create will take (and with features rls2__feature_sums_bytes more). */
double rls2__counts_bytes(const rls2__axes *axes, int64_t parts, int64_t outputs);

/* Rows to be counted: x as prepared, rows high; y rows x outputs; weights NULL where each is one;
 * part of each row, NULL where all are of part 0; -1: not counted. */
typedef struct rls2__counted_rows {
    int64_t rows;
    const double *x;
    const double *y;
    const double *weights;
    const int32_t *part;
} rls2__counted_rows;
/* With features BLAS is called: rls2__la_enter_team for effort->threads. */
rls2_status rls2__counts_add(rls2__effort *effort, const rls2__counted_rows *rows,
                             rls2__counts *counts);
/* counts += more, of the same axes, units and features. */
void rls2__counts_merge(const rls2__counts *more, rls2__counts *counts);
/* counts -= less, likewise; 0 where some count would be below zero, and nothing has changed. */
int rls2__counts_subtract(const rls2__counts *less, rls2__counts *counts);
/* No rows. */
void rls2__counts_clear(rls2__counts *counts);

/* Does every row that was counted lie at a point of its own? Rows of other tables may lie between
 * those of an exact axis, or beyond its ends. */
int rls2__counts_is_exact(const rls2__counts *counts, int64_t axis);

/* Some of the parts, as numbers. Features stand behind the points of the axes, as points at which
 * a row has a share of any sign. */
typedef struct rls2__moments {
    int64_t points; /* of all axes, and features */
    int64_t outputs;
    const rls2__features *features; /* borrowed; NULL: none. They are the last of the points */
    double rows;
    double weight;    /* sum of weights */
    int is_rounded;   /* weights of rows are not quite theirs */
    int is_exact;     /* every row lies at a point on every axis */
    double *N;        /* points x points, lower triangle: sums of products of shares */
    double *mass;     /* points: sums of shares */
    double *b;        /* points x outputs: sums of shares times responses */
    double *mean;     /* outputs: of the responses, */
    double *square;   /* and sums of their squares about that */
    double *trace;    /* blocks of features: sum of K(x, x) over the rows, */
    double *left_out; /* and of K(x, x) - |phi(x)|^2: what landmarks do not have of it */
    void *block;
} rls2__moments;

/* Which parts: all but one, or one alone; -1 with all_but: all. b is about the means of these
 * parts, or about `means` where that is not NULL. */
typedef struct rls2__which_parts {
    int64_t part;
    int all_but;
    const double *means;
} rls2__which_parts;
rls2_status rls2__moments_create(const rls2__counts *counts, rls2__which_parts which,
                                 rls2__moments *moments);
void rls2__moments_release(rls2__moments *moments);

#endif
