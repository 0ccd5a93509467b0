/* Squared distances in the space of a kernel's features. */
#ifndef RLS2_KERNEL_FEATURE_DISTANCE_H
#define RLS2_KERNEL_FEATURE_DISTANCE_H

#include "kernel/kernel.h"

/* K(x, x) + K(z, z) - 2 K(x, z) of row i of a and row j of b, without the cancelling: to about ten
 * roundings even where the kernel is nearly constant. Of given matrices a and b are the training
 * rows. */
double rls2__feature_distance(const rls2__kernel *kernel, const rls2_rows *a, int64_t i,
                              const rls2_rows *b, int64_t j);

#endif
