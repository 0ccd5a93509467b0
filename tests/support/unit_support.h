/* What the unit tests of the numerical core share: assertions on doubles, random data,
 * and matrices written out in full. */
#ifndef RLS2_TESTS_UNIT_SUPPORT_H
#define RLS2_TESTS_UNIT_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "basis/basis.h"
#include "kernel/kernel.h"
#include "rls2/basis.h"

/* |value - expected| <= tolerance; NaN fails. */
#define assert_near(value, expected, tolerance)                                                    \
    unit_assert_near((value), (expected), (tolerance), #value, __FILE__, __LINE__)
/* value <= limit; NaN fails. */
#define assert_at_most(value, limit)                                                               \
    unit_assert_at_most((value), (limit), #value, __FILE__, __LINE__)
#define assert_contains(text, part) unit_assert_contains((text), (part), __FILE__, __LINE__)

void unit_assert_near(double value, double expected, double tolerance, const char *text,
                      const char *file, int line);
void unit_assert_at_most(double value, double limit, const char *text, const char *file, int line);
void unit_assert_contains(const char *text, const char *part, const char *file, int line);

/* Zeroed room for doubles; free() it. The test fails when there is none. */
double *unit_room(int64_t count);
/* An effort on one thread that is never stopped; the caller's thread has one. */
rls2__effort *unit_alone(void);
/* Standard normal numbers. */
double *unit_normal(uint64_t seed, int64_t count);
/* rows x columns of them in room of ldx rows, NaN between the columns. */
double *unit_normal_padded(uint64_t seed, int64_t rows, int64_t ldx, int64_t columns);

/* The test fails with the library's message where these do. */
rls2_dictionary *unit_dictionary(const char *spec, int64_t columns);
rls2_dictionary *unit_dictionary_given(const char *spec, int64_t columns, int64_t given_count,
                                       const char *const *given_names);
rls2_basis *unit_basis(const rls2_dictionary *dictionary, const rls2_rows *rows,
                       const rls2_basis_options *options);
rls2_basis *unit_basis_under(const rls2_dictionary *dictionary, const rls2_rows *rows,
                             const rls2_basis_options *options, const rls2_control *control);

/* A dictionary with its basis on the same rows: freed together. */
typedef struct unit_fixture {
    rls2_dictionary *dictionary;
    rls2_basis *basis;
} unit_fixture;
unit_fixture unit_fixture_create(const char *spec, const rls2_rows *rows,
                                 const rls2_basis_options *options);
unit_fixture unit_fixture_create_under(const char *spec, const rls2_rows *rows,
                                       const rls2_basis_options *options,
                                       const rls2_control *control);
void unit_fixture_free(unit_fixture *fixture);

/* s K(rows, rows), n x n, every column from rls2__kernel_column. */
double *unit_kernel_matrix(const rls2__kernel *kernel, const rls2_rows *rows, double s);
/* R^k of the basis, evaluated anew from its rows. */
double *unit_basis_matrix(const rls2_basis *basis, int64_t k);
/* y = A x for full n x n A, summed in long double. */
void unit_multiply(int64_t n, const double *A, const double *x, double *y);
/* Where the operator's values lie. */
const double *unit_values(const rls2__operator *op);
double unit_inner(int64_t n, const double *x, const double *y);
double unit_trace(int64_t n, const double *A);
/* Ascending eigenvalues of the full symmetric A, which is kept. */
double *unit_eigenvalues(int64_t n, const double *A);

#endif
