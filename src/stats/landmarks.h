/* Which kernels of several columns get features, and on which landmarks. [MATH.md, L3]
 *
 * A path on a sample of the rows, the pilot, tells which kernels of several columns are worth it:
 * those that had weight, the heaviest first. Their landmarks are rows of the sample, each the one
 * of which those before it leave most (pivoted Cholesky): the choice depends on the sample alone,
 * and not on chance. */
#ifndef RLS2_STATS_LANDMARKS_H
#define RLS2_STATS_LANDMARKS_H

#include "stats/features.h"

/* How many. The cost of a row is that of the square of the features of all kernels. */
typedef struct rls2__landmark_limits {
    int64_t features; /* of all kernels together; 480 */
    int64_t kernels;  /* of more than two axes; 2 */
    int64_t pairs;    /* kernels of two axes; 12 */
    int64_t of_pair;  /* features of a kernel of two axes; 48 */
    int64_t of_group; /* and of a kernel that is wanted; 120 */
    double tol;       /* a kernel has enough where this share of its trace is left out; 1e-6 */
} rls2__landmark_limits;
rls2__landmark_limits rls2__landmark_defaults(void);
/* Twice as many features, of all and of wanted kernels, up to 100,000 rows; few more for
 * millions. */
rls2__landmark_limits rls2__landmark_limits_for(int64_t rows);

/* The pilot's sample, prepared; all kernels of the dictionary; and the largest weight d_k that each
 * had along its path, 0: none. All borrowed for the call. */
typedef struct rls2__pilot {
    const rls2_rows *sample;
    int64_t kernels;
    const rls2__kernel *kernel;
    const double *weight;
    int64_t wanted; /* of the kernels the last ones: they get features whatever their weight */
} rls2__pilot;

/* Kernels that axes have need none. *features may be without blocks; rls2__features_of tells which
 * kernels have one. Free with rls2__features_free. RLS2_ERR_MEMORY, RLS2_ERR_CANCELLED or OK; calls
 * BLAS. O(sample rows * features^2). */
rls2_status rls2__landmarks_choose(rls2__effort *effort, const rls2__axes *axes,
                                   const rls2__pilot *pilot, const rls2__landmark_limits *limits,
                                   rls2__features **features);

/* At most `most` landmarks of one kernel among rows, the way the above finds them. RLS2_ERR_MEMORY
 * or OK; calls BLAS. O(rows * most^2). */
rls2_status rls2__landmarks_pick(const rls2_rows *among, const rls2__kernel *kernel, int64_t most,
                                 int64_t *rows, int64_t *count);

#endif
