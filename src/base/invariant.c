/* What a failed invariant does, and the conditions that several modules share. */
#include "base/invariant.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef RLS2_INVARIANTS

/* Rounding of a sum of some thousand weights, each of which is a quotient or a mean of others. */
static const double SUM_TOL = 1e-10;

void rls2__invariant_failed(const char *file, int line, const char *condition)
{
    fprintf(stderr, "%s:%d: invariant does not hold: %s\n", file, line, condition);
    abort();
}

int rls2__is_on_simplex(int64_t count, const double *d)
{
    double sum = 0.0;
    for (int64_t i = 0; i < count; i++) {
        if (!(d[i] >= 0.0)) return 0;
        sum += d[i];
    }
    return fabs(sum - 1.0) <= SUM_TOL;
}

int rls2__is_finite(int64_t count, const double *x)
{
    for (int64_t i = 0; i < count; i++)
        if (!isfinite(x[i])) return 0;
    return 1;
}

int rls2__is_positive(int64_t count, const double *x)
{
    for (int64_t i = 0; i < count; i++)
        if (!(x[i] > 0.0 && isfinite(x[i]))) return 0;
    return 1;
}

int rls2__is_nonnegative(int64_t count, const double *x)
{
    for (int64_t i = 0; i < count; i++)
        if (!(x[i] >= 0.0)) return 0;
    return 1;
}

int rls2__is_ascending(int64_t count, const int64_t *ks, int64_t end)
{
    for (int64_t i = 0; i < count; i++)
        if (ks[i] < (i > 0 ? ks[i - 1] + 1 : 0) || ks[i] >= end) return 0;
    return 1;
}

int rls2__is_within(int64_t count, const int64_t *ks, int64_t end)
{
    for (int64_t i = 0; i < count; i++)
        if (ks[i] < 0 || ks[i] >= end) return 0;
    return 1;
}

int rls2__is_unique(int64_t count, const int64_t *ks, int64_t end)
{
    for (int64_t i = 0; i < count; i++)
        for (int64_t j = 0; j < i; j++)
            if (ks[i] == ks[j]) return 0;
    return rls2__is_within(count, ks, end);
}

int rls2__is_descending(int64_t count, const double *x)
{
    for (int64_t i = 1; i < count; i++)
        if (!(x[i] <= x[i - 1])) return 0;
    return 1;
}

int rls2__is_factor(int64_t n, const double *L, int64_t ld)
{
    for (int64_t i = 0; i < n; i++)
        if (!(L[i * ld + i] > 0.0 && isfinite(L[i * ld + i]))) return 0;
    return 1;
}

#endif
