/* exp over a whole array. */
#ifndef RLS2_KERNEL_EXPV_H
#define RLS2_KERNEL_EXPV_H

#include <stdint.h>

/* x[i] = exp(x[i]), for x[i] <= 0 (the only case kernels need). Relative error below
 * 2 units in the last place; results below exp(-707), about 9e-308, become 0. */
void rls2__expv(int64_t n, double *x);

#endif
