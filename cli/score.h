/* How well predictions agree with what was observed. */
#ifndef RLS2_CLI_SCORE_H
#define RLS2_CLI_SCORE_H

#include "rls2/rls2.h"

/* Name of the measure that is shown where none was asked for: "accuracy" of classes, "rmse" of one
 * response, "r2" of several, whose units need not be the same. */
const char *score_name(int classification, int64_t outputs);
/* Its value; f and y are n x outputs, w (weights of the rows) may be NULL. */
double score(int classification, int64_t outputs, int64_t n, const double *f, const double *y,
             const double *w);
/* 1 if a is better than b by more than the four digits that are shown: of scores that print alike
 * the first, most regularised one, is taken. */
int score_is_better(rls2_measure measure, double a, double b);

#endif
