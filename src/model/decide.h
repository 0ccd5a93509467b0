/* From the numbers of a prediction to a class. */
#ifndef RLS2_MODEL_DECIDE_H
#define RLS2_MODEL_DECIDE_H

#include <stdint.h>

/* What rls2_decide says of row i of f[n x outputs]. */
int64_t rls2__decide_row(int64_t outputs, int64_t n, const double *f, int64_t i);

#endif
