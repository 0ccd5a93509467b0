/* Fits on counts: paths of virtual rows, and the curve of cross-validation from the counts of its
 * parts. [MATH.md, L2, L4] */
#ifndef RLS2_SELECT_TALL_H
#define RLS2_SELECT_TALL_H

#include "basis/virtual_rows.h"
#include "select/cv.h"

/* All rows, or all but those of one part. */
typedef struct rls2__tall_fit {
    rls2__moments moments;
    rls2__virtual *rows;
    rls2_basis *basis;
    double *y; /* basis->n x outputs */
    int64_t outputs;
    const rls2_basis **bases; /* outputs times the same */
    rls2_path **paths;        /* NULL until there are some */
} rls2__tall_fit;

/* What fits are made of; borrowed. */
typedef struct rls2__tall_from {
    const rls2__counts *counts;
    const rls2_dictionary *dictionary;
    const rls2_basis_options *basis;
    rls2_intercept intercept; /* MEAN or NONE */
} rls2__tall_from;

/* Without part `left_out`, -1: of all rows. Release even where it fails. */
rls2_status rls2__tall_fit_create(rls2__effort *effort, const rls2__tall_from *from,
                                  int64_t left_out, rls2__tall_fit *fit, rls2_error *err);
/* Makes paths, or extends those there are, by `count` further lambdas. `job` has lambdas, options,
 * control, like and keeps_open. */
rls2_status rls2__tall_fit_extend(const rls2__paths_job *job, rls2__tall_fit *fit, rls2_error *err);
void rls2__tall_fit_release(rls2__tall_fit *fit);

/* b of output o. */
double rls2__tall_intercept(const rls2__tall_fit *fit, int64_t o);
/* What the fit says at the points of the axes, without intercept, at point i of output o's path:
 * f[points]. parts: NULL, or points x selected: that of each kernel, zero but on its axes. alpha
 * and work: points. */
rls2_status rls2__tall_values(const rls2__tall_fit *fit, int64_t o, int64_t i, double *f,
                              double *parts);

/* rls2_model_shares of that point on the counted rows: one for each selected kernel.
 * RLS2_ERR_MEMORY or OK. */
rls2_status rls2__tall_shares(const rls2__tall_fit *fit, int64_t o, int64_t i, double *shares);
/* Do the counts say all about the rows: every row at a point of every axis, every kernel of the
 * dictionary a function of these? */
int rls2__tall_is_exact(const rls2__tall_fit *fit);

/* What the representation changes of the least objective, relative to it. [MATH.md, L6] */
typedef struct rls2__tall_change {
    double bound;    /* at most, */
    double estimate; /* and about, if residuals do not depend on where rows lie between points */
} rls2__tall_change;
/* At point i of output o's path; is_exact as of rls2__virtual_apart. RLS2_ERR_MEMORY or OK. */
rls2_status rls2__tall_change_at(const rls2__tall_fit *fit, const unsigned char *is_exact,
                                 int64_t o, int64_t i, rls2__tall_change *change);

/* The rows of a part, for measures that are not sums of squares; y and f are rows x outputs, and
 * weights NULL where each row is one. */
typedef struct rls2__tall_rows {
    const rls2_dataset *data;
    const int32_t *part;
} rls2__tall_rows;

/* The curve, each split being one part that is left out; a few lambdas at a time. rows: NULL where
 * only counts are there: then the measure must be of squares. */
typedef struct rls2__tall_curve_job {
    const rls2__tall_from *from;
    int64_t splits; /* parts that are left out in turn, the first */
    const rls2_path_options *path;
    rls2_measure measure;
    const rls2__tall_rows *rows;
    const rls2_control *control;
} rls2__tall_curve_job;
typedef struct rls2__tall_curve rls2__tall_curve;

/* What it is given stays borrowed until it is freed. */
rls2_status rls2__tall_curve_begin(const rls2__tall_curve_job *job, rls2__tall_curve **curve,
                                   rls2_error *err);
/* How far splits are to come; as rls2__cv_step. */
typedef struct rls2__tall_step {
    int64_t splits; /* those concerned, the first; others stay where they are */
    int64_t count;  /* lambdas, no fewer than before, beginning with those there were */
    const double *lambdas;
    const rls2__tall_fit *like; /* of all rows, with paths that have come as far */
    int keeps_open;             /* 1: for further steps */
} rls2__tall_step;
rls2_status rls2__tall_curve_advance(rls2__tall_curve *curve, const rls2__tall_step *step,
                                     rls2_error *err);
/* rls2__curve_has_turned of the first splits. */
int rls2__tall_curve_has_turned(const rls2__tall_curve *curve, int64_t splits, int64_t margin);
/* The curve is the caller's then, with its shares; all splits have come as far. */
rls2_status rls2__tall_curve_finish(rls2__tall_curve *curve, rls2_cv **cv, rls2_error *err);
/* When all splits have come as far as each other; lives as long as the curve. */
const rls2_cv *rls2__tall_curve_look(rls2__tall_curve *curve);
void rls2__tall_curve_free(rls2__tall_curve *curve);
/* Can it be had from counts alone? */
int rls2__measure_is_of_squares(rls2_measure measure);

#endif
