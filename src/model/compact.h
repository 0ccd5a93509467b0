/* Compact models: expanded on made rows, in blocks that have coefficients of their own.
 *
 * The made rows are rows of all data columns. A block is a run of them, seen in some of the columns
 * only: row g holds in the columns of one block its g-th point, in those of another the g-th point
 * of that, so that grids of many inputs fill the same rows. A kernel belongs to one block, which
 * has all its columns. What is no function on the points of one block is brought there by whoever
 * makes the model: a linear kernel of columns of several axes, a'x, is a block of its own with the
 * unit vectors as points and a as coefficients. */
#ifndef RLS2_MODEL_COMPACT_H
#define RLS2_MODEL_COMPACT_H

#include "model/model.h"

/* ---- making one ---- */

typedef struct rls2__compact_output {
    int64_t count;        /* selected kernels, at least one */
    const int64_t *ks;    /* ascending */
    const double *d;      /* on the simplex */
    const double *scales; /* of all kernels of the dictionary */
    const double *c;      /* for each block in turn as many values as it has points */
    const double *shares; /* count: rls2_model_shares on the rows learned from; NULL: not known */
    rls2_path_point point;
    double intercept;
    rls2_represented represented;
} rls2__compact_output;

typedef struct rls2__compact_parts {
    const rls2_dictionary *dictionary;
    rls2_model_scaling scaling;
    rls2_solver solver;
    int64_t rows;    /* learned from */
    int64_t points;  /* made rows, */
    const double *x; /* points x data columns, prepared as kernels see them; looked at only where a
                        block has the column and the row */
    int64_t blocks;
    const rls2_model_block *block; /* each with columns, first, count, exact and knots, */
    const double *mass;      /* as c: rows that each point stands for; NULL where that is not known;
                               members `mass` of the blocks are not looked at */
    const int64_t *block_of; /* of each kernel of the dictionary; -1 of those that have none, which
                                no output selects */
    int64_t outputs;
    const rls2__compact_output *output;
} rls2__compact_parts;

/* Copies all it needs. Blocks of which no kernel is selected are left out, unless they are the
 * smallest to tell how the rows are spread in a column that a selected kernel looks at, which
 * effects need to know. Free with rls2_model_free. RLS2_ERR_ARGUMENT or RLS2_ERR_VALUE, with a
 * sentence, for what does not fit together or is not finite. O(points * columns). */
rls2_status rls2__compact_create(const rls2__compact_parts *parts, rls2_model **model,
                                 rls2_error *err);

/* ---- for its makers ---- */

/* With so many kernels in the dictionary (all without a block), blocks, and columns of these
 * together, all to be filled. NULL when out of memory. */
rls2__compact *rls2__compact_start(int64_t kernels, int64_t blocks, int64_t columns);
/* Offsets of the blocks; and room for mass, zeros, where it is wanted. RLS2_ERR_MEMORY only. */
rls2_status rls2__compact_lay_out(rls2__compact *compact, int with_mass);
void rls2__compact_free(rls2__compact *compact);
/* Is all in order, for a model of that dictionary that keeps n rows? NULL, or what is wrong. Comes
 * before lay_out. */
const char *rls2__compact_fault(const rls2__compact *compact, const rls2_dictionary *dictionary,
                                int64_t n);
/* NULL, or that the mass of some point is not finite, or negative. */
const char *rls2__compact_mass_fault(const rls2__compact *compact);
/* NULL, or what is wrong with the kernels of a model of one output: each has a block, which has its
 * columns. */
const char *rls2__compact_kernel_fault(const rls2_model *model);
/* NULL, or that knots of blocks are not in order. After x is set. */
const char *rls2__compact_knots_fault(const rls2_model *model);
/* The block that tells how the rows are spread in a column: of those that have it, and whose points
 * stand for any rows, the one of fewest columns; -1 where there is none. */
int64_t rls2__compact_observer(const rls2__compact *compact, int64_t column);
/* What no block has in x becomes a value that the column has elsewhere. After the kernels are
 * bound. RLS2_ERR_MEMORY only. */
rls2_status rls2__compact_pad(rls2_model *model);

/* ---- for what is said ---- */

/* How many values c has. */
int64_t rls2__model_values(const rls2_model *model);
/* The rows that the k-th selected kernel is expanded on, and the coefficients of an output, which
 * is the model itself where that has but one. */
rls2__expansion rls2__model_expansion(const rls2_model *model, int64_t k, const rls2_model *output);
/* OK, or RLS2_ERR_ARGUMENT for a compact model: it cannot have `what`. */
rls2_status rls2__compact_refuse(const rls2_model *model, const char *what, rls2_error *err);

#endif
