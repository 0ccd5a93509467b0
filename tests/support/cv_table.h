/* A table of random rows with every kind of target, and cross-validations of it. */
#ifndef RLS2_TESTS_SUPPORT_CV_TABLE_H
#define RLS2_TESTS_SUPPORT_CV_TABLE_H

#include "support/problem.h"
#include "support/cv_run.h"

enum { CV_ROWS = 48, CV_COLUMNS = 3, CV_LAMBDAS = 5, CV_FOLDS = 4 };

/* Columns x1 x2 x3, the responses y1 and y2, the classes two (no, yes) and three (a, b, c), and
 * whole weights w from 1 to 3. All targets depend on the inputs. */
typedef struct cv_data {
    int64_t n;
    double x[CV_COLUMNS][CV_ROWS], y[2][CV_ROWS];
    int two[CV_ROWS], three[CV_ROWS], w[CV_ROWS];
    int64_t fold[CV_ROWS]; /* row i is left out by split fold[i] */
} cv_data;

cv_data cv_data_make(uint64_t seed);
/* All columns. With `repeated` 1 each row stands there as often as its weight says, and w is 1. */
rls2_table *cv_data_table(const cv_data *data, int repeated);
/* The folds, of the rows repeated likewise. */
rls2_splits *cv_data_splits(const cv_data *data, int repeated);
/* Learns `target` from x1 .. x3 alone, for lambdas of its own, with a small gap; where `weighted` w
 * are weights. */
rls2__recipe cv_recipe(const char *target, const char *kernels, int weighted);

/* With baselines. */
rls2_cv *cv_of(const rls2_table *table, const rls2__recipe *recipe, const rls2_splits *splits,
               rls2_measure measure, int threads);
/* The same lambdas, means, errors, counts and baselines, within `tolerance` of their size. */
void assert_same_cv(const rls2_cv *a, const rls2_cv *b, double tolerance);

#endif
