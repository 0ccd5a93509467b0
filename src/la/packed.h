/* Products with packed triangles. */
#ifndef RLS2_LA_PACKED_H
#define RLS2_LA_PACKED_H

#include "la/la.h"

/* y = a A x for packed symmetric A */
void rls2__la_spmv(int64_t n, double a, const double *A, const double *x, double *y);

#endif
