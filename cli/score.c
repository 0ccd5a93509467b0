#include "cli/score.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

const char *score_name(int classification)
{
    return classification ? "accuracy" : "rmse";
}

static double rounded(double value)
{
    char text[32];
    snprintf(text, sizeof text, "%.4g", value);
    return strtod(text, NULL);
}

int score_is_better(int classification, double a, double b)
{
    return classification ? rounded(a) > rounded(b) : rounded(a) < rounded(b);
}

int score_sign(double f)
{
    return f < 0.0 ? -1 : 1;
}

double score(int classification, int64_t n, const double *f, const double *y)
{
    double sum = 0.0;
    int64_t counted = 0;
    for (int64_t i = 0; i < n; i++) {
        if (isnan(y[i])) continue;
        counted++;
        sum +=
            classification ? (double)(score_sign(f[i]) == score_sign(y[i])) : (f[i] - y[i]) * (f[i] - y[i]);
    }
    if (counted == 0) return NAN;
    sum /= (double)counted;
    return classification ? sum : sqrt(sum);
}
