/* The score of predictions: RMSE, R2 of several targets, or accuracy of classes. */
#include "cli/score.h"

#include <stdio.h>
#include <stdlib.h>

const char *score_name(int classification, int64_t outputs)
{
    return rls2_measure_name(rls2_measure_default(classification, outputs));
}

double score(int classification, int64_t outputs, int64_t n, const double *f, const double *y,
             const double *w)
{
    return rls2_measure_value(rls2_measure_default(classification, outputs), outputs, n, f, y, w);
}

static double rounded(double value)
{
    char text[32];
    snprintf(text, sizeof text, "%.4g", value);
    return strtod(text, NULL);
}

int score_is_better(rls2_measure measure, double a, double b)
{
    return rls2_measure_rises(measure) ? rounded(a) > rounded(b) : rounded(a) < rounded(b);
}
