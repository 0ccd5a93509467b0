/* Features: kernels of several columns on the rows of a tall table.
 *
 * A block of features stands for one kernel K on L landmarks Z, rows as they are prepared:
 *
 *   phi(x) = C^-1 K(Z, x),   K(Z, Z) = CC',   phi(x)'phi(z) = K(x, Z) K(Z, Z)^-1 K(Z, x)
 *
 * which is K(x, z) but for what the landmarks leave out. Features are rounded to integers of 22
 * bits of the bound of their length, sqrt K(x, x), each row by itself and in the same way wherever
 * it stands: sums of their products are exact and do not depend on the order of the rows.
 * [MATH.md, L3] */
#ifndef RLS2_STATS_FEATURES_H
#define RLS2_STATS_FEATURES_H

#include "kernel/kernel.h"
#include "stats/axis.h"

enum {
    RLS2__FEATURE_BITS = 22,
    RLS2__FEATURE_ROWS = 64 /* whose features are computed together */
};

typedef struct rls2__feature_block {
    rls2__kernel kernel; /* with columns and a name of its own */
    int64_t index;       /* of the kernel in its dictionary */
    int64_t first;       /* its landmarks, and features, among those of all blocks, */
    int64_t count;       /* and how many: at least 1 */
    double *inverse;     /* count x count, lower: C^-1 */
    double *tiles;       /* the same, in the order in which it is read */
    double unit;         /* a feature is unit * integer */
} rls2__feature_block;

typedef struct rls2__features {
    int64_t count; /* blocks */
    rls2__feature_block *all;
    int64_t total;   /* features, and landmarks, of all blocks */
    int64_t columns; /* of x */
    double *x;       /* total x columns: the landmarks */
    rls2__arena *arena;
} rls2__features;

/* The axis of a kernel's columns; -1 where they are of several. */
int64_t rls2__kernel_axis(const rls2__axes *axes, const rls2__kernel *kernel);
/* Can the kernel be had on axes? Those of one axis, and linear ones. */
int rls2__kernel_has_axes(const rls2__axes *axes, const rls2__kernel *kernel);

/* One block to be made: landmarks are these rows of a sample, in the order in which they were
 * chosen; inverse (lower, count x count) is copied, or computed where it is NULL. */
typedef struct rls2__feature_wish {
    const rls2__kernel *kernel;
    int64_t index;
    int64_t count;
    const int64_t *rows;
    const double *inverse;
} rls2__feature_wish;

/* Blocks of features on landmarks of the sample. The axes tell how long features may be: rows lie
 * between their ends. Landmarks on which the kernel depends on those before them but for 1e-10 of
 * its value are left out. Free with rls2__features_free. RLS2_ERR_MEMORY or OK; calls BLAS. */
rls2_status rls2__features_create(const rls2__axes *axes, const rls2_rows *sample, int64_t count,
                                  const rls2__feature_wish *wishes, rls2__features **features);
/* One block as it was made; borrowed. */
typedef struct rls2__feature_parts {
    rls2__kernel kernel;
    int64_t index;
    int64_t count;
    const double *inverse; /* count x count, lower */
    double unit;
} rls2__feature_parts;
/* Features that were made before, on their landmarks x: all of them x columns. RLS2_ERR_MEMORY or
 * OK. */
rls2_status rls2__features_restore(int64_t columns, int64_t count, const rls2__feature_parts *parts,
                                   const double *x, rls2__features **features);
void rls2__features_free(rls2__features *features);

/* The block of a kernel of the dictionary; NULL where it has none, or features is NULL. */
const rls2__feature_block *rls2__features_of(const rls2__features *features, int64_t index);

/* Room for the features of RLS2__FEATURE_ROWS rows. */
typedef struct rls2__feature_room {
    const rls2__features *features;
    double *x; /* rows x columns */
    double *K; /* rows x most landmarks */
    double *diagonal;
    void *block;
} rls2__feature_room;
rls2_status rls2__feature_room_create(const rls2__features *features, rls2__feature_room *room);
void rls2__feature_room_release(rls2__feature_room *room);

/* Integers q[i * total + l] of the rows x[order[i]], at most RLS2__FEATURE_ROWS of them, and
 * traces[b * ldt + i] = K(x, x) of block b in units of its features, squared. */
void rls2__features_round(const rls2__features *features, const double *x, int64_t ldx,
                          int64_t count, const int64_t *order, rls2__feature_room *room, int32_t *q,
                          int64_t *traces, int64_t ldt);
/* The features themselves, as they were rounded: out[i * total + l], of any number of rows.
 * RLS2_ERR_MEMORY or OK. */
rls2_status rls2__features_values(const rls2__features *features, const double *x, int64_t ldx,
                                  int64_t count, const int64_t *order, double *out);

/* out[i] += alpha'phi(x), without rounding phi: as sums over landmarks, L terms a row instead of
 * L^2 / 2. Blocks of which alpha is zero are passed over. RLS2_ERR_MEMORY or OK. */
rls2_status rls2__features_expand(const rls2__features *features, const double *x, int64_t ldx,
                                  int64_t count, const int64_t *order, const double *alpha,
                                  double *out);

/* Coefficients on the landmarks of a block: a = C^-T alpha, so that alpha'phi(x) = a'K(Z, x). */
void rls2__feature_coefficients(const rls2__feature_block *block, const double *alpha, double *a);

#endif
