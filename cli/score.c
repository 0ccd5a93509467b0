/* The score of predictions: RMSE, R2 of several targets, or accuracy of classes. */
#include "cli/score.h"

#include <stdio.h>
#include <stdlib.h>

rls2_measure score_measure(int classification, int64_t outputs)
{
    if (classification) return RLS2_MEASURE_ACCURACY;
    return outputs > 1 ? RLS2_MEASURE_R2 : RLS2_MEASURE_RMSE;
}

const char *score_name(int classification, int64_t outputs)
{
    return rls2_measure_name(score_measure(classification, outputs));
}

double score(int classification, int64_t outputs, int64_t n, const double *f, const double *y,
             const double *w)
{
    return rls2_measure_value(score_measure(classification, outputs), outputs, n, f, y, w);
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
