/* The rows and kernels that the tests of the basis share. */
#ifndef RLS2_TESTS_BASIS_FIXTURE_H
#define RLS2_TESTS_BASIS_FIXTURE_H

#include <math.h>

#include "support/unit_support.h"

enum { ROWS = 60, COLUMNS = 4 };

/* Dense, factors of several ranks and rank-one kernels side by side; x4 has few values. */
static const char MIXED[] =
    "linear@x1; linear@x2; rbf(0.05)@x1; rbf(30)@all; poly(2)@x3; linear@all; poly(3)@x4;"
    "linear@x3; rbf(0.3)@x2; laplace(2)@all; matern(2.5)@x1; spline@x2; delta@x4;"
    "poly(5)@x1; matern(0.5)@x2; rbf(1e-3)@all; linear@x4";

static inline double *make_x(int64_t rows)
{
    double *x = unit_normal(31, rows * COLUMNS);
    for (int64_t i = 0; i < rows; i++) x[3 * rows + i] = round(x[3 * rows + i]);
    return x;
}

#endif
