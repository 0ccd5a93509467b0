/* Checks sizes, finite numbers, weights, and that given matrices are positive semi-definite. */
#include "basis/rows_check.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "basis/parts.h"
#include "basis/symmetric.h"
#include "dictionary/dictionary_widths.h"
#include "la/tiles.h"
#include "table/limits.h"

/* A smallest eigenvalue may be negative by this share of the trace. */
static const double PSD_TOL = 1e-9;

rls2_status rls2__vector_check(int64_t n, const double *v, const char *what, rls2_error *err)
{
    if (!v) return rls2__fail(err, RLS2_ERR_ARGUMENT, "%s is NULL", what);
    for (int64_t i = 0; i < n; i++)
        if (!isfinite(v[i]))
            return rls2__fail(err, RLS2_ERR_VALUE, "%s[%lld] is %g, not a finite number", what,
                              (long long)i, v[i]);
    return RLS2_OK;
}

rls2_status rls2__widths_check(const rls2_dictionary *dictionary, rls2_error *err)
{
    int64_t k = rls2__dictionary_unlearned(dictionary);
    if (k < 0) return RLS2_OK;
    return rls2__fail(err, RLS2_ERR_ARGUMENT,
                      "the kernel '%s' has no widths yet: rls2_dictionary_learn finds them",
                      dictionary->kernels[k].name);
}

rls2_status rls2__weights_check(int64_t n, const double *weights, rls2_error *err)
{
    for (int64_t i = 0; i < n; i++) {
        if (!(isfinite(weights[i]) && weights[i] > 0.0))
            return rls2__fail(err, RLS2_ERR_VALUE,
                              "row_weights[%lld] is %g; it must be a positive finite number",
                              (long long)i, weights[i]);
        if (weights[i] < RLS2__LEAST_WEIGHT || weights[i] > RLS2__MOST_WEIGHT)
            return rls2__fail(err, RLS2_ERR_VALUE,
                              "row_weights[%lld] is %g; it must be between %g and %g", (long long)i,
                              weights[i], RLS2__LEAST_WEIGHT, RLS2__MOST_WEIGHT);
    }
    return RLS2_OK;
}

static rls2_status check_x(const rls2_rows *rows, const rls2_dictionary *dictionary,
                           const char *what, rls2_error *err)
{
    int64_t ldx = rows->ldx ? rows->ldx : rows->n;
    if (rows->p > 0 && !rows->x) return rls2__fail(err, RLS2_ERR_ARGUMENT, "%s: x is NULL", what);
    if (ldx < rows->n)
        return rls2__fail(err, RLS2_ERR_ARGUMENT,
                          "%s: leading dimension %lld is less than the %lld rows", what,
                          (long long)ldx, (long long)rows->n);
    if (rls2__mul(rls2__mul(ldx, rows->p), (int64_t)sizeof(double)) < 0)
        return rls2__fail(err, RLS2_ERR_MEMORY,
                          "%s: %lld x %lld values are more than can be addressed", what,
                          (long long)ldx, (long long)rows->p);
    for (int64_t j = 0; j < rows->p; j++)
        for (int64_t i = 0; i < rows->n; i++)
            if (!isfinite(rows->x[j * ldx + i]))
                return rls2__fail(
                    err, RLS2_ERR_VALUE, "%s: column '%s', row %lld: %g is not a finite number",
                    what, dictionary->column_names[j], (long long)i + 1, rows->x[j * ldx + i]);
    return RLS2_OK;
}

static rls2_status check_given_values(const rls2_rows *rows, const rls2__kernel *kernel,
                                      int64_t train_n, const char *what, rls2_error *err)
{
    const double *matrix =
        rows->given && kernel->given < rows->given_count ? rows->given[kernel->given] : NULL;
    if (!matrix)
        return rls2__fail(err, RLS2_ERR_ARGUMENT, "%s: the matrix of kernel '%s' is not there",
                          what, kernel->name);
    for (int64_t j = 0; j < train_n; j++)
        for (int64_t i = 0; i < rows->n; i++)
            if (!isfinite(matrix[j * rows->n + i]))
                return rls2__fail(err, RLS2_ERR_VALUE,
                                  "%s: kernel '%s', entry (%lld, %lld): %g is not a finite number",
                                  what, kernel->name, (long long)i + 1, (long long)j + 1,
                                  matrix[j * rows->n + i]);
    return RLS2_OK;
}

rls2_status rls2__rows_check(const rls2_rows *rows, const rls2_dictionary *dictionary,
                             int64_t train_n, const char *what, rls2_error *err)
{
    if (!rows) return rls2__fail(err, RLS2_ERR_ARGUMENT, "%s: NULL", what);
    if (rows->n < 1)
        return rls2__fail(err, RLS2_ERR_ARGUMENT, "%s: there are %lld rows, at least 1 is needed",
                          what, (long long)rows->n);
    if (!rls2__la_fits(rows->n) ||
        rls2__mul(rls2__mul(rows->n, train_n), (int64_t)sizeof(double)) < 0)
        return rls2__fail(err, RLS2_ERR_MEMORY, "%s: %lld rows are more than can be handled", what,
                          (long long)rows->n);
    if (rows->p != dictionary->columns)
        return rls2__fail(err, RLS2_ERR_ARGUMENT, "%s: %lld columns where %lld were expected", what,
                          (long long)rows->p, (long long)dictionary->columns);
    rls2_status status = check_x(rows, dictionary, what, err);
    for (int64_t k = 0; k < dictionary->m && status == RLS2_OK; k++)
        if (dictionary->kernels[k].kind == RLS2__KERNEL_GIVEN)
            status = check_given_values(rows, &dictionary->kernels[k], train_n, what, err);
    return status;
}

/* Where a matrix differs from its transpose: the first column, in it the first row, of each part.
 */
typedef struct comparison {
    int64_t n;
    const double *K;
    double most; /* that is allowed */
    int64_t *at; /* of each part: column n + row, or -1 */
} comparison;

/* Rows in tiles, so that what lies across the diagonal is read a line at a time. */
static void compare_part(void *user, int64_t part, int thread)
{
    enum { TILE = 64 };
    const comparison *it = user;
    const double *K = it->K;
    int64_t n = it->n, from = rls2__part_start(n, part), end = rls2__part_start(n, part + 1);
    int64_t found = INT64_MAX;
    (void)thread;
    for (int64_t row = from; row < n; row += TILE)
        for (int64_t j = from; j < end; j++)
            for (int64_t i = row > j ? row : j + 1; i < row + TILE && i < n; i++)
                if (fabs(K[j * n + i] - K[i * n + j]) > it->most && j * n + i < found)
                    found = j * n + i;
    it->at[part] = found < INT64_MAX ? found : -1;
}

static rls2_status report_asymmetric(const rls2__kernel *kernel, const comparison *it,
                                     rls2_error *err)
{
    int64_t n = it->n;
    for (int64_t part = 0; part < rls2__part_count(n); part++) {
        int64_t j = it->at[part] / n, i = it->at[part] % n;
        if (it->at[part] < 0) continue;
        return rls2__fail(err, RLS2_ERR_VALUE,
                          "kernel '%s' is not symmetric: entry (%lld, %lld) is %.10g, "
                          "entry (%lld, %lld) is %.10g",
                          kernel->name, (long long)i + 1, (long long)j + 1, it->K[j * n + i],
                          (long long)j + 1, (long long)i + 1, it->K[i * n + j]);
    }
    return RLS2_OK;
}

static rls2_status check_transposed(rls2__effort *effort, const rls2__kernel *kernel, int64_t n,
                                    const double *K, double top, rls2_error *err)
{
    comparison it = {n, K, RLS2__SYMMETRY_TOL * top, NULL};
    it.at = rls2__alloc(rls2__part_count(n), sizeof *it.at);
    if (!it.at) return rls2__fail_memory(err, "checking a given matrix");
    rls2_status status = rls2__effort_each(effort, rls2__part_count(n), compare_part, &it);
    if (status == RLS2_OK) status = report_asymmetric(kernel, &it, err);
    rls2__free(it.at);
    return status;
}

static rls2_status check_symmetric(rls2__effort *effort, const rls2__kernel *kernel, int64_t n,
                                   const double *K, double *trace, rls2_error *err)
{
    double top = 0.0;
    *trace = 0.0;
    for (int64_t i = 0; i < n; i++) {
        top = fmax(top, fabs(K[i * n + i]));
        *trace += K[i * n + i];
    }
    for (int64_t i = 0; i < n; i++) {
        if (K[i * n + i] < -PSD_TOL * top)
            return rls2__fail(
                err, RLS2_ERR_VALUE,
                "kernel '%s' is not positive semi-definite: diagonal entry %lld is %g",
                kernel->name, (long long)i + 1, K[i * n + i]);
    }
    return check_transposed(effort, kernel, n, K, top, err);
}

/* Twice the shift that Cholesky's method is given: it rounds. */
double rls2__given_below(int64_t n, const double *K)
{
    double trace = 0.0;
    for (int64_t i = 0; i < n; i++) trace += K[i * n + i];
    return 2.0 * PSD_TOL * fabs(trace);
}

/* Eigenvalues of many rows would take longer than anybody waits for a message. */
static rls2_status report_indefinite(const rls2__kernel *kernel, int64_t n, const double *K,
                                     int64_t minor, double *copy, rls2_error *err)
{
    if (rls2__are_many_rows(n))
        return rls2__fail(err, RLS2_ERR_VALUE,
                          "kernel '%s' is not positive semi-definite: its first %lld rows and "
                          "columns are not",
                          kernel->name, (long long)minor);
    double *values = rls2__alloc(n, sizeof(double));
    double *work = rls2__alloc(rls2__la_eigenvalues_work(n), sizeof(double));
    rls2_status status;
    memcpy(copy, K, (size_t)(n * n) * sizeof *copy);
    if (!values || !work) {
        status = rls2__fail_memory(err, "checking a given matrix");
    } else if (rls2__la_eigenvalues(n, copy, n, values, work) != 0) {
        status = rls2__fail(err, RLS2_ERR_VALUE, "kernel '%s' is not positive semi-definite",
                            kernel->name);
    } else {
        status =
            rls2__fail(err, RLS2_ERR_VALUE,
                       "kernel '%s' is not positive semi-definite: its smallest eigenvalue is %g",
                       kernel->name, values[0]);
    }
    rls2__free(values);
    rls2__free(work);
    return status;
}

static rls2_status check_positive(rls2__effort *effort, const rls2__kernel *kernel, int64_t n,
                                  const double *K, double trace, rls2_error *err)
{
    double *copy = rls2__alloc(rls2__mul(n, n), sizeof(double));
    int64_t minor = 0;
    if (!copy) return rls2__fail_memory(err, "checking a given matrix");
    memcpy(copy, K, (size_t)(n * n) * sizeof *copy);
    for (int64_t i = 0; i < n; i++) copy[i * n + i] += PSD_TOL * trace;
    rls2_status status = RLS2_OK;
    if (trace > 0.0) status = rls2__tiled_cholesky(effort, n, copy, n, &minor);
    if (status == RLS2_OK && minor != 0) status = report_indefinite(kernel, n, K, minor, copy, err);
    rls2__free(copy);
    return status;
}

rls2_status rls2__rows_check_given(rls2__effort *effort, const rls2_rows *train,
                                   const rls2_dictionary *dictionary, rls2_error *err)
{
    rls2_status status = RLS2_OK;
    for (int64_t k = 0; k < dictionary->m && status == RLS2_OK; k++) {
        const rls2__kernel *kernel = &dictionary->kernels[k];
        if (kernel->kind != RLS2__KERNEL_GIVEN) continue;
        const double *K = train->given[kernel->given];
        double trace;
        status = check_symmetric(effort, kernel, train->n, K, &trace, err);
        if (status == RLS2_OK) status = check_positive(effort, kernel, train->n, K, trace, err);
    }
    if (status == RLS2_ERR_CANCELLED)
        return rls2__fail(err, status, "cancelled while given matrices were checked");
    return status;
}
