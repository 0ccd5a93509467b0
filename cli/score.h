/* How well predictions agree with what was observed. */
#ifndef RLS2_CLI_SCORE_H
#define RLS2_CLI_SCORE_H

#include "cli/console.h"

enum { MOST_SCORES = 4 };

/* What predictions are judged by: first the measure that goes with the loss (accuracy, rmse or r2
 * of the square one), then what is told beside it. */
typedef struct scoring {
    int64_t outputs;
    rls2_loss *losses; /* one for each output */
    int count;
    rls2_measure of[MOST_SCORES];
} scoring;

/* EXIT_OK, or the exit code after a message; scoring_free in either case. Of a fit that has a
 * path. */
int scoring_of_fit(const settings *s, const rls2_fit *fit, scoring *by);
int scoring_of_model(const settings *s, const rls2_model *model, scoring *by);
void scoring_free(scoring *by);
/* The value of the k-th measure; f, on the scale of the loss, and y are n x outputs, w (weights of
 * the rows) may be NULL. */
double scoring_value(const scoring *by, int k, int64_t n, const double *f, const double *y,
                     const double *w);
const char *scoring_name(const scoring *by, int k);

/* 1 if a is better than b by more than the four digits that are shown: of scores that print alike
 * the first, most regularised one, is taken. */
int score_is_better(rls2_measure measure, double a, double b);

/* "logistic, intercept free": what a fit minimises, where that is not the paper's problem; "" where
 * it is. */
typedef struct loss_words {
    char text[160];
} loss_words;
loss_words loss_of_plan(const settings *s);
loss_words loss_of_model(const rls2_model *model);
/* The loss alone: "logistic", of several quantiles "quantile(0.1,0.9)". */
loss_words loss_name_of_plan(const settings *s);
loss_words loss_name_of_model(const rls2_model *model);
/* Of a model, which knows of a fixed intercept only its value. */
rls2_intercept intercept_of(const rls2_model *model);
/* "free", "mean" or "none" */
const char *intercept_name(rls2_intercept intercept);

#endif
