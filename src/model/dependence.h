/* What a prediction is made of, seen from the inputs, and its means over a sample of the training
 * rows.  [MATH.md, G9]
 *
 * The prediction of one output, that of a whole stack where it has members, is a sum of *terms*:
 * kernels of its parts, each times a factor. A term looks at one input, and is then a function of
 * that alone; at several; or at none (a given matrix). A linear kernel of several inputs, or
 * poly(1) but for a constant, is one term for each of them. Only terms of several inputs make
 * inputs act together, and only they are averaged over the sample.
 *
 * Such a kernel is a function of a sum over columns, a + b, a being that over the columns of the
 * inputs A that are looked at and b that over the others. With a of a point and b of a row of the
 * sample it is what is said of a row that has the point's A. Gaussians, exponentials of distances
 * and indicators are products u(a) v(b), whose mean over the rows is u(a) times the mean of v(b):
 * n (points + rows) values of a kernel on n training rows. Polynomials of degree up to 4 are sums
 * of few such products. Others need n points x rows values. */
#ifndef RLS2_MODEL_DEPENDENCE_H
#define RLS2_MODEL_DEPENDENCE_H

#include "base/effort.h"
#include "model/model.h"

typedef struct rls2__summand {
    int64_t part;         /* of the prediction: 0 the model itself, m + 1 its member m */
    int64_t k;            /* its number there */
    double factor;        /* the weight of the part times d_k s_k */
    int64_t first, count; /* of the columns of the kernel: those it looks at */
    const double *total;  /* n x sample: its sums over all columns, where these are many; or NULL */
} rls2__summand;

/* Rows that kernels are evaluated at: of each part, count x columns in use. */
typedef struct rls2__points {
    int64_t count;
    double **x;
} rls2__points;

/* A model of one output that keeps its training rows, over a sample of these. */
typedef struct rls2__dependence {
    const rls2_model *model;
    int64_t inputs;
    int64_t part_count;
    const rls2_model **parts;
    int64_t widest; /* columns in use of a part */

    int64_t sample;  /* rows, evenly spaced in the order of the training rows */
    int64_t *rows;   /* sample: which they are, */
    double *weights; /* and how much they count; they sum to 1 */
    rls2__points points;

    rls2__summand *terms; /* those of one input by input, then of several, then of none */
    int64_t *first_own; /* inputs + 1: where the terms of an input begin; the last is where those of
                           several do */
    int64_t first_none, term_count;
    double **totals; /* of terms of many columns; shared by alike ones */
    int64_t total_count;
} rls2__dependence;

/* Release it even where this fails. The largest sample that keeps the cost of explaining in bounds,
 * at least 20 and at most 200 rows. RLS2_ERR_MEMORY, RLS2_ERR_CANCELLED or OK. */
rls2_status rls2__dependence_create(const rls2_model *model, rls2__effort *effort,
                                    rls2__dependence *it);
void rls2__dependence_release(rls2__dependence *it);
/* Kernel values of explaining all inputs; NaN when out of memory. */
double rls2__dependence_cost(const rls2_model *model);

/* Does any kernel of the prediction look at it? */
int rls2__dependence_has(const rls2__dependence *it, int64_t input);
int rls2__summand_looks_at(const rls2__dependence *it, const rls2__summand *term, int64_t input);
/* Pairs of inputs that are compared, at most: those of so many inputs. */
enum { RLS2__MOST_PARTNERS = 10 };
enum { RLS2__MOST_DEGREE = 4 }; /* of polynomials that are summed by powers */

/* ---- points ---- */

/* To be released even where this fails; RLS2_ERR_MEMORY only. */
rls2_status rls2__points_create(const rls2__dependence *it, int64_t count, rls2__points *points);
/* They become training rows, but that an input (`other`, -1: none) is as in one row. */
void rls2__points_take(const rls2__dependence *it, const int64_t *rows, int64_t other,
                       int64_t other_row, rls2__points *points);
void rls2__points_release(const rls2__dependence *it, rls2__points *points);

/* ---- terms at points ---- */

typedef struct rls2__some_columns {
    int64_t *columns;
    double *widths; /* of a kernel that has them */
} rls2__some_columns;

/* Room for one thread and points that are at most so many. */
typedef struct rls2__dependence_room {
    int64_t points;
    const rls2__dependence *it;
    rls2__some_columns inside, outside; /* of a kernel */
    double *b;                          /* n x sample */
    double *a, *means, *mass;           /* n */
    double *moments;                    /* n x (RLS2__MOST_DEGREE + 1) */
    double *column, *sums;              /* points, or the sample where that is more */
    void *block;
} rls2__dependence_room;

/* To be released even where this fails; RLS2_ERR_MEMORY only. */
rls2_status rls2__dependence_room_create(const rls2__dependence *it, int64_t points,
                                         rls2__dependence_room *room);
void rls2__dependence_room_release(rls2__dependence_room *room);

/* sum[points] += what the terms of the input alone say. What is there after the effort is stopped
 * is not to be used, here and below. */
void rls2__dependence_own(rls2__effort *effort, int64_t input, const rls2__points *points,
                          rls2__dependence_room *room, double *sum);
/* sum[sample] += what a term says of the rows themselves. */
void rls2__summand_values(rls2__effort *effort, const rls2__summand *term,
                          rls2__dependence_room *room, double *sum);

/* What a term of several inputs says of rows that have one or two of them (A; of one, second is -1)
 * of a point, and all else of a row of the sample; each may be NULL and is added to. */
typedef struct rls2__mixture {
    double *at_points; /* points: the mean over the rows, at the A of each point */
    double *at_rows; /* sample: the mean over the points, which are the sample, at the rest of each
                          row */
    double *each;    /* points x sample */
} rls2__mixture;
void rls2__summand_mix(rls2__effort *effort, const rls2__summand *term, const int64_t *pair,
                       const rls2__points *points, rls2__dependence_room *room,
                       const rls2__mixture *out);

#endif
