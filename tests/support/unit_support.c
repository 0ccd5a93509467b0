/* Assertions, random data and full matrices for unit tests. */
#include "support/unit_support.h"

#include <math.h>
#include <stdio.h>

#include "la/la.h"

void unit_assert_near(double value, double expected, double tolerance, const char *text,
                      const char *file, int line)
{
    if (fabs(value - expected) <= tolerance) return;
    print_error("%s is %.17g, not %.17g within %g\n", text, value, expected, tolerance);
    _fail(file, line);
}

void unit_assert_at_most(double value, double limit, const char *text, const char *file, int line)
{
    if (value <= limit) return;
    print_error("%s is %.17g, above %.17g\n", text, value, limit);
    _fail(file, line);
}

void unit_assert_contains(const char *text, const char *part, const char *file, int line)
{
    if (strstr(text, part)) return;
    print_error("\"%s\" does not contain \"%s\"\n", text, part);
    _fail(file, line);
}

double *unit_room(int64_t count)
{
    double *room = calloc((size_t)count + 1, sizeof *room);
    assert_non_null(room);
    return room;
}

rls2__effort *unit_alone(void)
{
    static _Thread_local rls2__effort alone;
    rls2__effort_begin_alone(&alone);
    return &alone;
}

double *unit_normal(uint64_t seed, int64_t count)
{
    double *values = unit_room(count);
    rls2__random random;
    rls2__random_seed(&random, seed);
    for (int64_t i = 0; i < count; i++) values[i] = rls2__random_normal(&random);
    return values;
}

double *unit_normal_padded(uint64_t seed, int64_t rows, int64_t ldx, int64_t columns)
{
    double *values = unit_normal(seed, ldx * columns);
    for (int64_t j = 0; j < columns; j++)
        for (int64_t i = rows; i < ldx; i++) values[j * ldx + i] = (double)NAN;
    return values;
}

rls2_dictionary *unit_dictionary_given(const char *spec, int64_t columns, int64_t given_count,
                                       const char *const *given_names)
{
    rls2_columns known = {.count = columns, .given_count = given_count, .given_names = given_names};
    rls2_error err = {.message = ""};
    rls2_dictionary *dictionary = NULL;
    if (rls2_dictionary_create(spec, &known, &dictionary, &err) != RLS2_OK)
        fail_msg("%s", err.message);
    return dictionary;
}

rls2_dictionary *unit_dictionary(const char *spec, int64_t columns)
{
    return unit_dictionary_given(spec, columns, 0, NULL);
}

rls2_basis *unit_basis_under(const rls2_dictionary *dictionary, const rls2_rows *rows,
                             const rls2_basis_options *options, const rls2_control *control)
{
    rls2_error err = {.message = ""};
    rls2_basis *basis = NULL;
    if (rls2_basis_create(dictionary, rows, options, control, &basis, &err) != RLS2_OK)
        fail_msg("%s", err.message);
    return basis;
}

rls2_basis *unit_basis(const rls2_dictionary *dictionary, const rls2_rows *rows,
                       const rls2_basis_options *options)
{
    return unit_basis_under(dictionary, rows, options, NULL);
}

unit_fixture unit_fixture_create_under(const char *spec, const rls2_rows *rows,
                                       const rls2_basis_options *options,
                                       const rls2_control *control)
{
    unit_fixture fixture;
    fixture.dictionary = unit_dictionary(spec, rows->p);
    fixture.basis = unit_basis_under(fixture.dictionary, rows, options, control);
    return fixture;
}

unit_fixture unit_fixture_create(const char *spec, const rls2_rows *rows,
                                 const rls2_basis_options *options)
{
    return unit_fixture_create_under(spec, rows, options, NULL);
}

void unit_fixture_free(unit_fixture *fixture)
{
    rls2_basis_free(fixture->basis);
    rls2_dictionary_free(fixture->dictionary);
}

double *unit_kernel_matrix(const rls2__kernel *kernel, const rls2_rows *rows, double s)
{
    int64_t n = rows->n;
    double *K = unit_room(n * n);
    for (int64_t j = 0; j < n; j++) rls2__kernel_column(kernel, rows, rows, j, K + j * n);
    for (int64_t i = 0; i < n * n; i++) K[i] *= s;
    return K;
}

double *unit_basis_matrix(const rls2_basis *basis, int64_t k)
{
    return unit_kernel_matrix(&basis->kernels[k], &basis->rows, basis->s[k]);
}

void unit_multiply(int64_t n, const double *A, const double *x, double *y)
{
    for (int64_t i = 0; i < n; i++) {
        long double sum = 0.0L;
        for (int64_t j = 0; j < n; j++) sum += (long double)A[j * n + i] * x[j];
        y[i] = (double)sum;
    }
}

double unit_inner(int64_t n, const double *x, const double *y)
{
    long double sum = 0.0L;
    for (int64_t i = 0; i < n; i++) sum += (long double)x[i] * y[i];
    return (double)sum;
}

double unit_trace(int64_t n, const double *A)
{
    long double sum = 0.0L;
    for (int64_t i = 0; i < n; i++) sum += A[i * n + i];
    return (double)sum;
}

double *unit_eigenvalues(int64_t n, const double *A)
{
    double *copy = unit_room(n * n), *values = unit_room(n),
           *work = unit_room(rls2__la_eigenvalues_work(n));
    memcpy(copy, A, (size_t)(n * n) * sizeof *copy);
    assert_int_equal(rls2__la_eigenvalues(n, copy, n, values, work), 0);
    free(copy);
    free(work);
    return values;
}

const double *unit_values(const rls2__operator *op)
{
    return op->factor ? op->factor : op->packed ? op->packed : op->full;
}
