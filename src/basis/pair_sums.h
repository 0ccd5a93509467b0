/* Scalings that need sums over all pairs of rows, in parts that are tasks.
 *
 * The centred trace is tr K - (1/N) sum of K_ij, the variance of a class sum of K_ii / l - sum of
 * K_ij / l^2 over its rows. Where such a difference has lost digits it is summed up once more, from
 * squared distances between features, in which nothing cancels. */
#ifndef RLS2_BASIS_PAIR_SUMS_H
#define RLS2_BASIS_PAIR_SUMS_H

#include "basis/scaling.h"

/* Column j of a symmetric matrix from its diagonal down. */
typedef void (*rls2__column_fn)(const void *from, int64_t j, double *out);

typedef struct rls2__pair_job {
    const rls2__kernel *kernel;
    const rls2_rows *train;
    const rls2_basis_options *options;
    rls2__column_fn column; /* of values that are there already, or NULL: the kernel's are taken */
    const void *from;
    double trace;     /* of the kernel on all these rows, where no values are there */
    int by_distances; /* the second time */
} rls2__pair_job;

/* Of one part, by classes; the centred trace is that of one class. */
typedef struct rls2__pair_sums {
    int64_t rows[2];
    double count[2], diagonal[2], entries[2];
} rls2__pair_sums;

/* Does the rule need pairs of rows of this kernel? Of a linear one its columns will do. */
int rls2__is_of_pairs(const rls2__kernel *kernel, const rls2_basis_options *options);

int64_t rls2__pair_parts(const rls2__pair_job *job);
/* work: n + transductive n doubles */
void rls2__pair_part(const rls2__pair_job *job, int64_t part, double *work, rls2__pair_sums *sums);
/* About the pairs in a part, for whoever counts them. */
int64_t rls2__pair_part_size(const rls2__pair_job *job);

/* 1 / s_k from all parts, before any root is taken. *scale: the size of the sums whose difference
 * it is, by which to see whether digits were lost (rls2__is_nearly_constant). */
double rls2__pair_difference(const rls2__pair_job *job, const rls2__pair_sums *parts,
                             double *scale);

#endif
