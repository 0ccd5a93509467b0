#include "kernel/expv.h"

#include "base/clones.h"
#include "kernel/exp_one.h"

RLS2__CLONES
void rls2__expv(int64_t n, double *x)
{
    for (int64_t i = 0; i < n; i++) x[i] = rls2__exp_one(x[i]);
}
