/* Public functions of rls2/basis.h: arguments are checked here, the work is below. */
#include <math.h>
#include <string.h>

#include "base/control.h"
#include "base/crew.h"
#include "base/memory.h"
#include "base/option_struct.h"
#include "base/status.h"
#include "basis/basis_build.h"
#include "basis/basis_derive.h"
#include "basis/basis_operators.h"
#include "basis/basis_scalings.h"
#include "basis/forecast.h"
#include "basis/rows_check.h"
#include "basis/scaling.h"
#include "basis/symmetric.h"
#include "la/la.h"
#include "la/threads.h"

void rls2_basis_options_init(rls2_basis_options *options, size_t size)
{
    static const rls2_basis_options defaults = {
        .size = sizeof defaults, .scaling = RLS2_SCALING_TRACE, .rank_tol = 1e-14};
    rls2__options_init(options, size, &defaults, sizeof defaults);
}

/* The options a caller gave, or the defaults. */
static rls2_status take_options(const rls2_basis_options *given, rls2_basis_options *own,
                                rls2_error *err)
{
    rls2_basis_options_init(own, sizeof *own);
    return rls2__options_read("options", "basis_options", given, sizeof *own, own, err);
}

/* One class alone will do, as in a part of the rows that has none of the other. */
static rls2_status check_labels(int64_t n, const double *labels, rls2_error *err)
{
    if (!labels)
        return rls2__fail(err, RLS2_ERR_ARGUMENT, "Fisher scaling needs labels, but they are NULL");
    for (int64_t i = 0; i < n; i++)
        if (!(isfinite(labels[i]) && labels[i] != 0.0))
            return rls2__fail(
                err, RLS2_ERR_VALUE,
                "labels[%lld] is %g; Fisher scaling needs a positive or a negative number",
                (long long)i, labels[i]);
    return RLS2_OK;
}

static int has_given(const rls2_dictionary *dictionary)
{
    for (int64_t k = 0; k < dictionary->m; k++)
        if (dictionary->kernels[k].kind == RLS2__KERNEL_GIVEN) return 1;
    return 0;
}

static rls2_status check_transductive(const rls2_dictionary *dictionary, int64_t n,
                                      const rls2_basis_options *options, rls2_error *err)
{
    const rls2_rows *extra = options->transductive;
    if (!extra) return RLS2_OK;
    if (options->scaling != RLS2_SCALING_TRACE)
        return rls2__fail(err, RLS2_ERR_ARGUMENT,
                          "transductive scaling goes with the trace rule only");
    rls2_status status = rls2__rows_check(extra, dictionary, n, "transductive rows", err);
    if (status != RLS2_OK || !has_given(dictionary)) return status;
    if (options->center)
        return rls2__fail(
            err, RLS2_ERR_ARGUMENT,
            "centred transductive scaling is not possible with given matrices: products among the "
            "transductive rows are not known");
    for (int64_t k = 0; k < dictionary->m; k++) {
        const rls2__kernel *kernel = &dictionary->kernels[k];
        if (kernel->kind != RLS2__KERNEL_GIVEN) continue;
        if (!extra->given_diagonal || !extra->given_diagonal[kernel->given])
            return rls2__fail(err, RLS2_ERR_ARGUMENT,
                              "transductive rows: the diagonal of kernel '%s' is not there",
                              kernel->name);
        status = rls2__vector_check(extra->n, extra->given_diagonal[kernel->given],
                                    "transductive diagonal", err);
        if (status != RLS2_OK) return status;
    }
    return RLS2_OK;
}

static rls2_status check_options(const rls2_basis_options *options, rls2_error *err)
{
    if (options->scaling < RLS2_SCALING_NONE || options->scaling > RLS2_SCALING_FISHER_SQRT)
        return rls2__fail(err, RLS2_ERR_ARGUMENT, "unknown scaling rule %d", (int)options->scaling);
    if (options->center && options->scaling != RLS2_SCALING_TRACE)
        return rls2__fail(err, RLS2_ERR_ARGUMENT, "center goes with the trace rule only");
    if (options->memory < 0)
        return rls2__fail(err, RLS2_ERR_ARGUMENT, "memory is %lld; it must not be negative",
                          (long long)options->memory);
    return RLS2_OK;
}

/* Options that have a value for each of n rows, and the rows beside them. */
static rls2_status check_row_options(const rls2_dictionary *dictionary, int64_t n,
                                     const rls2_basis_options *options, rls2_error *err)
{
    rls2_status status = RLS2_OK;
    if (options->scaling >= RLS2_SCALING_FISHER) status = check_labels(n, options->labels, err);
    if (status == RLS2_OK && options->row_weights)
        status = rls2__weights_check(n, options->row_weights, err);
    if (status == RLS2_OK) status = check_transductive(dictionary, n, options, err);
    return status;
}

static rls2_status check_given(const rls2_dictionary *dictionary, const rls2_rows *train,
                               const rls2_control *control, rls2_error *err)
{
    rls2__effort effort;
    if (!has_given(dictionary)) return RLS2_OK;
    rls2__effort_begin(control, "kernels", dictionary->m, &effort);
    return rls2__rows_check_given(&effort, train, dictionary, err);
}

/* control: with threads that may use BLAS */
static rls2_status check_arguments(const rls2_dictionary *dictionary, const rls2_rows *train,
                                   const rls2_basis_options *options, const rls2_control *control,
                                   rls2_error *err)
{
    if (!dictionary) return rls2__fail_null(err, "dictionary");
    if (!(options->rank_tol >= 0.0 && options->rank_tol < 1.0))
        return rls2__fail(err, RLS2_ERR_ARGUMENT,
                          "rank_tol is %g; it must be at least 0 and below 1", options->rank_tol);
    rls2_status status = check_options(options, err);
    if (status == RLS2_OK)
        status = rls2__rows_check(train, dictionary, train ? train->n : 0, "training rows", err);
    if (status == RLS2_OK) status = rls2__widths_check(dictionary, err);
    if (status == RLS2_OK) status = check_row_options(dictionary, train->n, options, err);
    if (status == RLS2_OK) status = check_given(dictionary, train, control, err);
    return status;
}

/* Copies the control, with the number of threads that can work at a time, which are then about to
 * use BLAS. */
static rls2_status enter(const rls2_control *control, rls2_control *own, rls2_error *err)
{
    rls2_status status = rls2__control_check(control, err);
    if (status != RLS2_OK) return status;
    *own = rls2__control_of(control);
    own->threads = rls2__thread_count(own->threads);
    return rls2__la_enter_team(&own->threads, err);
}

rls2_status rls2_basis_create(const rls2_dictionary *dictionary, const rls2_rows *train,
                              const rls2_basis_options *options, const rls2_control *control,
                              rls2_basis **basis, rls2_error *err)
{
    rls2_basis_options used;
    rls2_control own;
    if (!basis) return rls2__fail_null(err, "basis");
    rls2_status status = take_options(options, &used, err);
    if (status == RLS2_OK) status = enter(control, &own, err);
    if (status != RLS2_OK) return status;
    status = check_arguments(dictionary, train, &used, &own, err);
    if (status == RLS2_OK) status = rls2__basis_build(dictionary, train, &used, &own, basis, err);
    rls2__la_leave();
    return status;
}

void rls2_basis_free(rls2_basis *basis)
{
    rls2__basis_destroy(basis);
}

rls2_status rls2_basis_rescale(const rls2_basis *basis, const double *labels,
                               const rls2_control *control, rls2_basis **rescaled, rls2_error *err)
{
    rls2_control own;
    if (!basis) return rls2__fail_null(err, "basis");
    if (!rescaled) return rls2__fail_null(err, "rescaled");
    if (basis->rule < RLS2_SCALING_FISHER)
        return rls2__fail(err, RLS2_ERR_ARGUMENT,
                          "the basis was not scaled by labels; it serves for all of them as it is");
    rls2_status status = check_labels(basis->n, labels, err);
    if (status == RLS2_OK) status = enter(control, &own, err);
    if (status != RLS2_OK) return status;
    status = rls2__basis_rescale(basis, labels, &own, rescaled, err);
    rls2__la_leave();
    return status;
}

/* Row numbers within the basis, none twice. */
static rls2_status check_taken(const rls2_basis *basis, int64_t count, const int64_t *rows,
                               rls2_error *err)
{
    if (!rows) return rls2__fail_null(err, "rows");
    if (count < 1 || count > basis->n)
        return rls2__fail(err, RLS2_ERR_ARGUMENT, "%lld rows cannot be taken from %lld",
                          (long long)count, (long long)basis->n);
    unsigned char *seen = rls2__alloc_zero(basis->n, 1);
    if (!seen) return rls2__fail_memory(err, "the rows of a part");
    rls2_status status = RLS2_OK;
    for (int64_t i = 0; i < count && status == RLS2_OK; i++) {
        if (rows[i] < 0 || rows[i] >= basis->n)
            status =
                rls2__fail(err, RLS2_ERR_ARGUMENT, "rows[%lld] is %lld; the basis has %lld rows",
                           (long long)i, (long long)rows[i], (long long)basis->n);
        else if (seen[rows[i]]++)
            status =
                rls2__fail(err, RLS2_ERR_ARGUMENT, "rows[%lld] is %lld, which was taken before",
                           (long long)i, (long long)rows[i]);
    }
    rls2__free(seen);
    return status;
}

/* options NULL: the scalings of `basis` are kept, and its weights. */
rls2_status rls2__basis_take_coarsely(const rls2_basis *basis, const rls2_dictionary *dictionary,
                                      int64_t count, const int64_t *rows,
                                      const rls2_basis_options *options, double coarse,
                                      const rls2_control *control, rls2_basis **taken,
                                      rls2_error *err)
{
    rls2_basis_options used;
    rls2_control own;
    if (!basis) return rls2__fail_null(err, "basis");
    if (!taken) return rls2__fail_null(err, "taken");
    rls2_status status = take_options(options, &used, err);
    if (status == RLS2_OK && options) status = check_options(&used, err);
    if (status == RLS2_OK) status = check_taken(basis, count, rows, err);
    if (status == RLS2_OK && options)
        status = check_row_options(basis->dictionary, count, &used, err);
    if (status == RLS2_OK) status = enter(control, &own, err);
    if (status != RLS2_OK) return status;
    status = rls2__basis_take(basis, dictionary, count, rows, options ? &used : NULL, coarse, &own,
                              taken, err);
    rls2__la_leave();
    return status;
}

rls2_status rls2_basis_take(const rls2_basis *basis, int64_t count, const int64_t *rows,
                            const rls2_basis_options *options, const rls2_control *control,
                            rls2_basis **taken, rls2_error *err)
{
    if (!basis) return rls2__fail_null(err, "basis");
    return rls2__basis_take_coarsely(basis, basis->dictionary, count, rows, options, 0.0, control,
                                     taken, err);
}

int64_t rls2_basis_rows(const rls2_basis *basis)
{
    return basis ? basis->n : 0;
}

int64_t rls2_basis_count(const rls2_basis *basis)
{
    return basis ? basis->m : 0;
}

const double *rls2_basis_row_weights(const rls2_basis *basis)
{
    return basis ? basis->weights : NULL;
}

const double *rls2_basis_scales(const rls2_basis *basis)
{
    return basis ? basis->s : NULL;
}

static int in_range(const rls2_basis *basis, int64_t k)
{
    return basis && k >= 0 && k < basis->m;
}

int64_t rls2_basis_rank(const rls2_basis *basis, int64_t k)
{
    return in_range(basis, k) ? basis->ops[k].rank : 0;
}

const char *rls2_basis_shape(const rls2_basis *basis, int64_t k)
{
    return in_range(basis, k) ? basis->ops[k].shape->name : NULL;
}

int64_t rls2_basis_bytes(const rls2_basis *basis)
{
    return basis ? rls2__basis_bytes(basis) : 0;
}

/* Given matrices take nothing and need not be there. */
rls2_status rls2_basis_forecast(const rls2_dictionary *dictionary, const rls2_rows *rows,
                                rls2_forecast *forecast, size_t size, rls2_error *err)
{
    rls2_forecast made;
    if (!dictionary) return rls2__fail_null(err, "dictionary");
    if (!forecast) return rls2__fail_null(err, "forecast");
    const rls2_dictionary columns = {.columns = dictionary->columns,
                                     .column_names = dictionary->column_names};
    rls2_status status = rls2__result_check("forecast", size, sizeof made, err);
    if (status == RLS2_OK)
        status = rls2__rows_check(rows, &columns, rows ? rows->n : 0, "rows", err);
    if (status != RLS2_OK) return status;
    if (rls2__forecast(dictionary, rows, &made, NULL) != RLS2_OK)
        return rls2__fail_memory(err, "the forecast");
    rls2__result_write(&made, sizeof made, 1, forecast, size);
    return RLS2_OK;
}

rls2_status rls2_matrix_symmetrize(int64_t n, double *K, double *difference, rls2_error *err)
{
    if (!K || n < 1)
        return rls2__fail(err, RLS2_ERR_ARGUMENT, "the matrix is NULL, or has no rows");
    double found = rls2__symmetrize(n, K);
    if (!(found <= RLS2__SYMMETRY_TOL))
        return rls2__fail(
            err, RLS2_ERR_VALUE,
            "the matrix is not symmetric: entries differ by %g of its largest diagonal entry",
            found);
    if (difference) *difference = found;
    return RLS2_OK;
}

rls2_status rls2_scaling_compute(const rls2_dictionary *dictionary, const rls2_rows *train,
                                 const rls2_basis_options *options, const rls2_control *control,
                                 double *s, rls2_error *err)
{
    rls2_basis_options used;
    if (!s) return rls2__fail_null(err, "s");
    rls2_status status = take_options(options, &used, err);
    rls2_control watch;
    rls2__effort effort;
    if (status == RLS2_OK) status = enter(control, &watch, err);
    if (status != RLS2_OK) return status;
    status = check_arguments(dictionary, train, &used, &watch, err);
    rls2__la_leave();
    if (status != RLS2_OK) return status;
    rls2__effort_begin(&watch, "kernels", dictionary->m, &effort);
    rls2_rows own = *train;
    rls2__symmetric symmetric = {0};
    own.given_diagonal = NULL; /* the matrices have diagonals of their own */
    rls2__kernel *kernels = rls2__alloc(dictionary->m, sizeof *kernels);
    double *result = rls2__alloc(dictionary->m, sizeof *result);
    if (!kernels || !result || rls2__symmetric_make(dictionary, &own, &symmetric) != RLS2_OK) {
        status = rls2__fail_memory(err, "the scalings");
        goto cleanup;
    }
    for (int64_t k = 0; k < dictionary->m; k++) {
        kernels[k] = dictionary->kernels[k];
        rls2__kernel_fit(&kernels[k], train);
    }
    status = rls2__scalings(&effort, dictionary->m, kernels, &own, &used, result, err);
    if (status == RLS2_OK) memcpy(s, result, (size_t)dictionary->m * sizeof *s);
cleanup:
    rls2__symmetric_free(&symmetric);
    rls2__free(kernels);
    rls2__free(result);
    return status;
}

rls2_status rls2_scaling_fisher_feature(int64_t n, const double *x, const double *labels, double *s,
                                        rls2_error *err)
{
    if (!s) return rls2__fail_null(err, "s");
    if (n < 1)
        return rls2__fail(err, RLS2_ERR_ARGUMENT, "there are %lld values, at least 1 is needed",
                          (long long)n);
    if (!rls2__la_fits(n))
        return rls2__fail(err, RLS2_ERR_MEMORY, "%lld values are more than can be handled",
                          (long long)n);
    rls2_status status = rls2__vector_check(n, x, "the feature", err);
    if (status == RLS2_OK) status = check_labels(n, labels, err);
    if (status != RLS2_OK) return status;
    double value =
        rls2__scaling_of(RLS2_SCALING_FISHER, rls2__within_class_variance(n, x, labels, NULL));
    if (!isfinite(value))
        return rls2__fail(err, RLS2_ERR_VALUE,
                          "the feature cannot be scaled: it is constant within both classes");
    *s = value;
    return RLS2_OK;
}
