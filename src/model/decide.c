/* The class of largest value, or by sign where there are two. */
#include "model/decide.h"

#include <math.h>

#include "rls2/model.h"

int64_t rls2__decide_row(int64_t outputs, int64_t n, const double *f, int64_t i)
{
    int64_t best = 0;
    if (outputs == 1) return isnan(f[i]) ? -1 : f[i] >= 0.0;
    for (int64_t o = 0; o < outputs; o++) {
        if (isnan(f[o * n + i])) return -1;
        if (f[o * n + i] > f[best * n + i]) best = o;
    }
    return best;
}

void rls2_decide(int64_t outputs, int64_t n, const double *f, int64_t *classes)
{
    if (outputs < 1 || !f || !classes) return;
    for (int64_t i = 0; i < n; i++) classes[i] = rls2__decide_row(outputs, n, f, i);
}
