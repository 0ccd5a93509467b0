/* How well predictions agree with what was observed. */
#ifndef RLS2_CLI_SCORE_H
#define RLS2_CLI_SCORE_H

#include <stdint.h>

/* "rmse" or "accuracy" */
const char *score_name(int classification);
/* Root mean squared error, or the share of right signs. y that is NaN is not counted; NaN where
 * nothing is. */
double score(int classification, int64_t n, const double *f, const double *y);
/* 1 if a is better than b by more than the four digits that are shown: of scores that print alike the
 * first, most regularised one, is taken. */
int score_is_better(int classification, double a, double b);
/* The sign of a prediction: the class. */
int score_sign(double f);

#endif
