/* Sums over rows of products of features: with each other, with points of axes, with responses.
 *
 * All are integers, for each part of the rows; a factor of every product has 22 bits at most, so
 * that 512 rows are multiplied by BLAS without rounding, and added to wide integers. [MATH.md, L3]
 */
#ifndef RLS2_STATS_FEATURE_SUMS_H
#define RLS2_STATS_FEATURE_SUMS_H

#include "stats/features.h"

__extension__ typedef __int128 rls2__wide;

typedef struct rls2__feature_sums {
    const rls2__features *features; /* borrowed, as the next */
    const rls2__axes *axes;
    int64_t parts, outputs, points;
    int64_t pieces;      /* 1; 2 where rows have weights: a feature times the weight of its row is
                            cut into its upper and its lower 21 bits */
    int64_t *cross;      /* parts x pieces x points x features: of shares times features */
    rls2__wide *squares; /* parts x lower triangle of features, packed by columns */
    rls2__wide *sums;    /* parts x (1 + outputs) x features: of features; times responses */
    rls2__wide *traces;  /* parts x blocks: of K(x, x), in units of the features, squared */
} rls2__feature_sums;

/* Zero. RLS2_ERR_MEMORY or OK. Free with rls2__feature_sums_free. */
rls2_status rls2__feature_sums_create(const rls2__axes *axes, const rls2__features *features,
                                      int64_t parts, int64_t outputs, int is_weighted,
                                      rls2__feature_sums **sums);
void rls2__feature_sums_free(rls2__feature_sums *sums);
double rls2__feature_sums_bytes(const rls2__axes *axes, const rls2__features *features,
                                int64_t parts, int64_t outputs, int is_weighted);
/* sums += more, of the same features. */
void rls2__feature_sums_merge(const rls2__feature_sums *more, rls2__feature_sums *sums);
/* sums -= less, likewise; and no rows. */
void rls2__feature_sums_subtract(const rls2__feature_sums *less, rls2__feature_sums *sums);
void rls2__feature_sums_clear(rls2__feature_sums *sums);

/* Rows of one part, as counts have them. */
typedef struct rls2__feature_rows {
    int64_t count;
    const double *x;
    int64_t ldx;
    const int64_t *order;   /* count: their numbers in x */
    const uint32_t *weight; /* count; looked at where rows have weights */
    const int64_t *y;       /* outputs, ldy apart: of 36 bits */
    const uint16_t *at;     /* axes, ldy apart: their places */
    const uint8_t *share;
    int64_t ldy;
} rls2__feature_rows;

/* Room for adding rows, for all threads of an effort. */
typedef struct rls2__feature_work rls2__feature_work;
rls2_status rls2__feature_work_create(const rls2__effort *effort, const rls2__feature_sums *sums,
                                      rls2__feature_work **work);
void rls2__feature_work_free(rls2__feature_work *work);

/* Calls BLAS in its tasks. RLS2_ERR_CANCELLED or OK. */
rls2_status rls2__feature_sums_add(rls2__effort *effort, const rls2__feature_rows *rows,
                                   int64_t part, rls2__feature_work *work,
                                   rls2__feature_sums *sums);

/* ---- sums over parts: what is meant by a weight of 1 ---- */

/* Entry of a packed lower triangle, i >= j. */
int64_t rls2__feature_pair(const rls2__feature_sums *sums, int64_t i, int64_t j);
/* Entries of that triangle; and values of `cross` of one part. */
int64_t rls2__feature_triangle(const rls2__feature_sums *sums);
int64_t rls2__feature_cross_size(const rls2__feature_sums *sums);
/* Of part p: shares at a point times feature l. */
rls2__wide rls2__feature_cross(const rls2__feature_sums *sums, int64_t p, int64_t point, int64_t l);

#endif
