/* Parts of a compact model that are linear between the points they were learned at.  [MATH.md, L2]
 *
 * A block that has `knots` stands for numbers of which training rows had more values than it has
 * points: what was learned there are values at the points, with straight lines between them, which
 * the expansion of a narrow kernel leaves. So the expansion is evaluated at the points, once, and
 * rows look their values up. Beyond the ends of the knots the part is that of the end: nobody knows
 * what is there, and a cubic polynomial would say so without bounds. */
#ifndef RLS2_MODEL_KNOTS_H
#define RLS2_MODEL_KNOTS_H

#include "model/expand.h"

/* ---- places ---- */

/* How the rows of a block are placed; columns count as the model's in use. */
typedef struct rls2__ruler {
    int64_t block;    /* of the model */
    int64_t count;    /* points, */
    int64_t knots;    /* of which the first so many ascend */
    const double *at; /* knots */
    int64_t number;   /* the column of the number */
    int64_t flag; /* that which is on in missing cells, which have the last point; -1: none has */
    double above; /* it is on above this */
} rls2__ruler;

/* 0 where the block is expanded, or the model does not keep its columns. */
int rls2__ruler_make(const rls2_model *model, int64_t block, rls2__ruler *ruler);
/* place[i] = g + t: between points g and g + 1, at a share t of the way; -1: not a number. Flags
 * are NULL where the ruler has none. */
void rls2__ruler_place(const rls2__ruler *ruler, int64_t count, const double *numbers,
                       const double *flags, double *place);

/* ---- values ---- */

typedef struct rls2__knots {
    const rls2_model *model;
    int64_t count;       /* blocks of kernels that are looked up */
    rls2__ruler *rulers; /* count */
    int64_t *ruler_of;   /* kernels of the model: -1 of those that are expanded */
    int64_t *offset;     /* kernels: where their values begin, points x outputs that select it */
    double *values;
} rls2__knots;

/* For the kernels marked in `which`, or all (NULL). Release it even where this fails.
 * RLS2_ERR_MEMORY or OK. */
rls2_status rls2__knots_create(const rls2_model *model, const unsigned char *which,
                               rls2__knots *lookup);
/* The values that rows need: where these are few not all of them. `rows` have the data columns or,
 * where `in_use`, those in use. RLS2_ERR_MEMORY, RLS2_ERR_CANCELLED or OK. O(points^2) for each
 * kernel. */
rls2_status rls2__knots_fill(rls2__effort *effort, rls2__knots *lookup, const rls2_rows *rows,
                             int in_use);
void rls2__knots_release(rls2__knots *lookup);

/* places[height x count] of the rows of a block, for each ruler. */
void rls2__knots_place(const rls2__knots *lookup, const rls2__block *b, int64_t height,
                       double *places);
/* What rls2__expand gives, for a kernel that has a ruler. places: those of this. aside: room for
 * rows x columns in use. */
void rls2__look_up(rls2__effort *effort, const rls2__knots *lookup, int64_t k, const rls2__block *b,
                   const double *places, const rls2__expand_room *own, double *aside);

#endif
