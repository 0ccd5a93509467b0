/* One operator, built from a kernel; and what this has in common with taking it from another. */
#ifndef RLS2_BASIS_OPERATOR_H
#define RLS2_BASIS_OPERATOR_H

#include "base/effort.h"
#include "basis/basis.h"
#include "kernel/distinct.h"

struct rls2__growth;

/* Room for building one operator after another: see rls2__operator_build. */
typedef struct rls2__build_room {
    int64_t n;
    rls2__effort *effort; /* by which one operator is made: `alone` where several are at a time */
    rls2__effort alone;
    double *diagonal; /* n */
    double *column;   /* n */
    double *pivots;   /* n: coefficients of the pivot row */
    /* These two grow with the factors that are made. */
    double *factor;      /* n x rank */
    double *gram;        /* 2 rank^2 */
    int64_t factor_size; /* values there is room for, here */
    int64_t gram_size;   /* and there */
    int64_t max_rank;
    rls2__distinct distinct; /* made when it is first needed */
    /* Operators are made in two steps: first those that need no triangle (0), the others being left
     * without a shape, then triangles (1), of which there may not be room for all. */
    int triangles;
    double *triangle; /* n (n + 1) / 2, or NULL: of one whose norm is wanted and which is then
                         forgotten */
    struct rls2__growth *growth; /* what the last operator was left for, or NULL */
    /* of the basis, to be set after creation where rows have weights; else NULL */
    const double *roots;
    const double *weighted;
    void *block; /* the arrays of n values */
} rls2__build_room;

rls2_status rls2__build_room_create(int64_t n, rls2__build_room *room);
/* Room for a factor of so many rows and columns, of which the first `kept` columns stay.
 * RLS2_ERR_MEMORY or OK. */
rls2_status rls2__build_room_factor(rls2__build_room *room, int64_t n, int64_t kept, int64_t rank);
/* Room for the Gram matrix of a factor of that rank. RLS2_ERR_MEMORY or OK. */
rls2_status rls2__build_room_gram(rls2__build_room *room, int64_t rank);
void rls2__build_room_free(rls2__build_room *room);

/* Evaluates kernel on rows, scaled by s, into the shape that suits it, or leaves it without one:
 * for a triangle (room->triangles), or, on many rows, for a factor that is to be grown along with
 * others (room->growth, which is then the caller's). With weights of the rows in `room` the
 * operator is W^1/2 R W^1/2. */
rls2_status rls2__operator_build(const rls2__kernel *kernel, const rls2_rows *rows, double s,
                                 double rank_tol, rls2__build_room *room, rls2__operator *op);
/* The operator of a growth that is settled and not hopeless, whose factor is taken over. */
rls2_status rls2__operator_build_grown(struct rls2__growth *growth, rls2__build_room *room,
                                       rls2__operator *op);
void rls2__operator_free(rls2__operator *op);

/* Traces between which squares of a kernel's values, and of products with them, neither overflow
 * nor underflow; 0 is the trace of a kernel that is zero on the rows. */
#define RLS2__LEAST_TRACE 1e-75
#define RLS2__MOST_TRACE 1e75
int rls2__trace_is_usable(double trace);

/* Room for `count` values of its own; scale 1. */
rls2_status rls2__operator_reserve(rls2__operator *op, const rls2__shape *shape, int64_t rank,
                                   int64_t count);
/* A kernel that is never selected. */
rls2_status rls2__operator_zero(rls2__operator *op);

/* Operator k, whose trace is known, as one that is not stored. */
rls2_status rls2__operator_build_recomputed(rls2_basis *basis, int64_t k, rls2__build_room *room);

/* s w_i K(x_i, x_i) into room->diagonal; returns their sum. */
double rls2__weighted_diagonal(const rls2__kernel *kernel, const rls2_rows *rows, double s,
                               rls2__build_room *room);

/* Entry (i, j), on either side of the diagonal, of a packed symmetric matrix. */
static inline double rls2__packed_entry(int64_t n, const double *packed, int64_t i, int64_t j)
{
    int64_t row = i > j ? i : j, column = i > j ? j : i;
    return packed[column * n - column * (column - 1) / 2 + row - column];
}

/* The same of an operator with a triangle, before its scale. */
static inline double rls2__triangle_entry(const rls2__operator *op, int64_t n, int64_t i, int64_t j)
{
    int64_t row = i > j ? i : j, column = i > j ? j : i;
    int64_t at = column * n - column * (column - 1) / 2 + row - column;
    return op->rounded ? (double)op->rounded[at] : op->packed[at];
}

#endif
