/* Public functions of rls2/path.h. */
#include "solver/path_public.h"

#include <math.h>

#include "base/control.h"
#include "base/crew.h"
#include "base/memory.h"
#include "base/option_struct.h"
#include "base/status.h"
#include "basis/rows_check.h"
#include "basis/symmetric.h"
#include "la/la.h"
#include "la/threads.h"
#include "solver/certificate.h"
#include "solver/loss.h"
#include "solver/path.h"
#include "solver/solver.h"

static const double WORTH_THREADS = 1e6; /* values of a kernel */

void rls2_path_options_init(rls2_path_options *options, size_t size)
{
    static const rls2_path_options defaults = {.size = sizeof defaults,
                                               .solver = RLS2_SOLVER_NEWTON,
                                               .intercept = RLS2_INTERCEPT_MEAN,
                                               .gap_tol = 1e-6,
                                               .delta = 1e-2,
                                               .max_iter = 200,
                                               .memory = INT64_C(1) << 30};
    rls2__options_init(options, size, &defaults, sizeof defaults);
}

static int is_positive(double value)
{
    return isfinite(value) && value > 0.0;
}

static rls2_status check_options(const rls2_path_options *options, rls2_error *err)
{
    if (options->solver != RLS2_SOLVER_NEWTON && options->solver != RLS2_SOLVER_ALTERNATE)
        return rls2__fail(err, RLS2_ERR_ARGUMENT, "unknown solver %d", (int)options->solver);
    if (options->solver == RLS2_SOLVER_ALTERNATE && rls2__is_general(options))
        return rls2__fail(err, RLS2_ERR_ARGUMENT,
                          "Algorithm 1 is for the square loss, without a free intercept");
    if (options->solver == RLS2_SOLVER_ALTERNATE && rls2__is_shared(options))
        return rls2__fail(err, RLS2_ERR_ARGUMENT, "Algorithm 1 has no shared weights");
    if (options->shared_weights != 0 && options->shared_weights != 1)
        return rls2__fail(err, RLS2_ERR_ARGUMENT, "shared_weights is %d; it is 0 or 1",
                          options->shared_weights);
    if (options->intercept < RLS2_INTERCEPT_NONE || options->intercept > RLS2_INTERCEPT_FREE)
        return rls2__fail(err, RLS2_ERR_ARGUMENT, "unknown intercept rule %d",
                          (int)options->intercept);
    if (options->degrees_of_freedom < RLS2_DF_NONE || options->degrees_of_freedom > RLS2_DF_LAST)
        return rls2__fail(err, RLS2_ERR_ARGUMENT, "unknown degrees_of_freedom %d",
                          (int)options->degrees_of_freedom);
    if (!is_positive(options->gap_tol))
        return rls2__fail(err, RLS2_ERR_ARGUMENT, "gap_tol is %g; it must be positive and finite",
                          options->gap_tol);
    if (!is_positive(options->delta))
        return rls2__fail(err, RLS2_ERR_ARGUMENT, "delta is %g; it must be positive and finite",
                          options->delta);
    if (options->max_iter < 1)
        return rls2__fail(err, RLS2_ERR_ARGUMENT, "max_iter is %lld; it must be at least 1",
                          (long long)options->max_iter);
    if (options->memory < 0)
        return rls2__fail(err, RLS2_ERR_ARGUMENT, "memory is %lld; it must not be negative",
                          (long long)options->memory);
    return RLS2_OK;
}

rls2_status rls2__check_count(int64_t count, const char *what, rls2_error *err)
{
    if (rls2__mul(count, (int64_t)sizeof(double)) >= 0 && rls2__la_fits(count)) return RLS2_OK;
    return rls2__fail(err, RLS2_ERR_MEMORY, "%lld values of %s are more than can be handled",
                      (long long)count, what);
}

static rls2_status check_squares(int64_t n, const double *y, const double *weights, rls2_error *err)
{
    double squares = 0.0;
    for (int64_t i = 0; i < n; i++) squares += y[i] * y[i] * (weights ? weights[i] : 1.0);
    if (isfinite(squares)) return RLS2_OK;
    return rls2__fail(err, RLS2_ERR_VALUE, "y is too large: the sum of its squares overflows");
}

rls2_status rls2__check_response(const rls2_basis *basis, const double *y, rls2_error *err)
{
    if (!basis) return rls2__fail(err, RLS2_ERR_ARGUMENT, "the basis is NULL");
    rls2_status status = rls2__vector_check(basis->n, y, "y", err);
    return status == RLS2_OK ? check_squares(basis->n, y, basis->weights, err) : status;
}

rls2_status rls2__check_lambdas(int64_t count, const double *lambdas,
                                const rls2_path_options *options, rls2_error *err)
{
    if (!lambdas) return rls2__fail_null(err, "lambdas");
    if (count < 1)
        return rls2__fail(err, RLS2_ERR_ARGUMENT,
                          "there are %lld values of lambda, at least 1 is needed",
                          (long long)count);
    rls2_status status = check_options(options, err);
    if (status == RLS2_OK) status = rls2__check_count(count, "lambda", err);
    for (int64_t i = 0; i < count && status == RLS2_OK; i++)
        if (!is_positive(lambdas[i]))
            status = rls2__fail(err, RLS2_ERR_VALUE,
                                "lambdas[%lld] is %g; it must be a positive finite number",
                                (long long)i, lambdas[i]);
    return status;
}

void rls2_path_free(rls2_path *path)
{
    rls2__path_destroy(path);
}

int64_t rls2_path_count(const rls2_path *path)
{
    return path ? path->count : 0;
}

int rls2_path_cancelled(const rls2_path *path)
{
    return path ? path->cancelled : 0;
}

static const rls2__path_entry *entry_at(const rls2_path *path, int64_t i)
{
    return path && i >= 0 && i < path->count ? &path->entries[i] : NULL;
}

const rls2_path_point *rls2_path_at(const rls2_path *path, int64_t i)
{
    const rls2__path_entry *entry = entry_at(path, i);
    return entry ? &entry->point : NULL;
}

int64_t rls2_path_kernel_weights(const rls2_path *path, int64_t i, const int64_t **kernels,
                                 const double **weights)
{
    const rls2__path_entry *entry = entry_at(path, i);
    if (kernels) *kernels = entry ? entry->ks : NULL;
    if (weights) *weights = entry ? entry->d : NULL;
    return entry ? entry->count : 0;
}

const double *rls2_path_c(const rls2_path *path, int64_t i)
{
    const rls2__path_entry *entry = entry_at(path, i);
    return entry ? entry->c : NULL;
}

double rls2_path_intercept(const rls2_path *path)
{
    return path ? path->intercept : (double)NAN;
}

double rls2_path_intercept_at(const rls2_path *path, int64_t i)
{
    return entry_at(path, i) ? rls2__path_intercept_at(path, i) : (double)NAN;
}

rls2_loss rls2_path_loss(const rls2_path *path)
{
    return path ? path->loss : (rls2_loss){RLS2_LOSS_SQUARE, 0.0};
}

int64_t rls2_path_sharing(const rls2_path *path)
{
    return path ? path->sharing : 0;
}

/* On the simplex? The bound holds nowhere else. */
static rls2_status check_weights(const rls2_dictionary *dictionary, const double *s,
                                 const double *d, rls2_error *err)
{
    double sum = 0.0;
    for (int64_t k = 0; k < dictionary->m; k++) {
        if (d[k] < 0.0 || s[k] < 0.0)
            return rls2__fail(err, RLS2_ERR_VALUE,
                              "kernel '%s' has weight %g and scaling %g; neither may be negative",
                              dictionary->kernels[k].name, d[k], s[k]);
        sum += d[k];
    }
    if (fabs(sum - 1.0) <= 1e-9) return RLS2_OK;
    return rls2__fail(err, RLS2_ERR_VALUE, "the weights d sum to %.12g, not to 1", sum);
}

static rls2_status check_certify(const rls2_dictionary *dictionary, const rls2_rows *train,
                                 const double *s, const double *w, const double *y, double lambda,
                                 const double *d, const double *c, rls2_error *err)
{
    if (!dictionary) return rls2__fail_null(err, "dictionary");
    rls2_status status =
        rls2__rows_check(train, dictionary, train ? train->n : 0, "training rows", err);
    if (status == RLS2_OK) status = rls2__widths_check(dictionary, err);
    if (status == RLS2_OK) status = rls2__vector_check(dictionary->m, s, "the scalings", err);
    if (status == RLS2_OK) status = rls2__vector_check(dictionary->m, d, "d", err);
    if (status == RLS2_OK && w) status = rls2__weights_check(train->n, w, err);
    if (status == RLS2_OK) status = rls2__vector_check(train->n, y, "y", err);
    if (status == RLS2_OK) status = rls2__vector_check(train->n, c, "c", err);
    if (status == RLS2_OK && !is_positive(lambda))
        status = rls2__fail(err, RLS2_ERR_VALUE,
                            "lambda is %g; it must be a positive finite number", lambda);
    if (status == RLS2_OK) status = check_weights(dictionary, s, d, err);
    return status;
}

static rls2_status check_certificate(const rls2_certificate *certificate, size_t size,
                                     rls2_error *err)
{
    if (!certificate) return rls2__fail_null(err, "certificate");
    return rls2__result_check("certificate", size, sizeof *certificate, err);
}

/* What a certificate is computed from and where it goes. */
typedef struct claim {
    int64_t m;
    const rls2__kernel *kernels;
    const rls2_rows *train;
    const double *s, *w, *y;
    double lambda;
    const double *d, *c;
    const rls2__certified_loss *of;
} claim;

/* Writes *certificate only where there is one. */
static rls2_status certify(const claim *it, const rls2_control *control,
                           rls2_certificate *certificate, size_t size, rls2_error *err)
{
    rls2_certificate result;
    rls2__effort effort;
    rls2_control own = rls2__control_of(control);
    int large = (double)it->train->n * (double)it->train->n > WORTH_THREADS;
    own.threads = large ? rls2__thread_count(own.threads) : 1;
    rls2__effort_begin(&own, "certificate", it->m, &effort);
    rls2_status status = rls2__certify(&effort, it->m, it->kernels, it->train, it->s, it->w, it->y,
                                       it->of, it->lambda, it->d, it->c, &result);
    if (status == RLS2_ERR_NUMERIC)
        return rls2__fail(err, status,
                          "the certificate overflows: its numbers are too far apart in size");
    if (status == RLS2_ERR_CANCELLED) return rls2__fail(err, status, "the certificate was stopped");
    if (status != RLS2_OK) return rls2__fail_memory(err, "the certificate");
    rls2__result_write(&result, sizeof result, 1, certificate, size);
    return RLS2_OK;
}

rls2_status rls2_certify(const rls2_dictionary *dictionary, const rls2_rows *train, const double *s,
                         const double *w, const double *y, double lambda, const double *d,
                         const double *c, rls2_certificate *certificate, size_t size,
                         rls2_error *err)
{
    return rls2_certify_watched(dictionary, train, s, w, y, lambda, d, c, &rls2__control_alone,
                                certificate, size, err);
}

/* Of the dictionary's kernels on these rows; the arguments have been checked. */
static rls2_status certify_rows(const rls2_dictionary *dictionary, claim it,
                                const rls2_control *control, rls2_certificate *certificate,
                                size_t size, rls2_error *err)
{
    rls2_status status = RLS2_OK;
    rls2_rows rows = *it.train;
    rls2__symmetric symmetric = {0};
    rls2__kernel *kernels = rls2__alloc(dictionary->m, sizeof *kernels);
    if (!kernels || rls2__symmetric_make(dictionary, &rows, &symmetric) != RLS2_OK) {
        status = rls2__fail_memory(err, "the certificate");
        goto cleanup;
    }
    for (int64_t k = 0; k < dictionary->m; k++) {
        kernels[k] = dictionary->kernels[k];
        rls2__kernel_fit(&kernels[k], it.train);
    }
    it.m = dictionary->m;
    it.kernels = kernels;
    it.train = &rows;
    status = certify(&it, control, certificate, size, err);
cleanup:
    rls2__symmetric_free(&symmetric);
    rls2__free(kernels);
    return status;
}

rls2_status rls2_certify_watched(const rls2_dictionary *dictionary, const rls2_rows *train,
                                 const double *s, const double *w, const double *y, double lambda,
                                 const double *d, const double *c, const rls2_control *control,
                                 rls2_certificate *certificate, size_t size, rls2_error *err)
{
    rls2_status status = check_certificate(certificate, size, err);
    if (status == RLS2_OK) status = rls2__control_check(control, err);
    if (status == RLS2_OK) status = check_certify(dictionary, train, s, w, y, lambda, d, c, err);
    if (status != RLS2_OK) return status;
    const claim it = {0, NULL, train, s, w, y, lambda, d, c, NULL};
    return certify_rows(dictionary, it, control, certificate, size, err);
}

rls2_status rls2_certify_loss(const rls2_dictionary *dictionary, const rls2_rows *train,
                              const double *s, const double *w, const double *y, rls2_loss loss,
                              double intercept, int intercept_is_free, double lambda,
                              const double *d, const double *c, const rls2_control *control,
                              rls2_certificate *certificate, size_t size, rls2_error *err)
{
    rls2_status status = check_certificate(certificate, size, err);
    if (status == RLS2_OK) status = rls2__control_check(control, err);
    if (status == RLS2_OK) status = check_certify(dictionary, train, s, w, y, lambda, d, c, err);
    if (status == RLS2_OK) status = rls2__loss_check(loss, train->n, y, err);
    if (status == RLS2_OK && !isfinite(intercept))
        status = rls2__fail(err, RLS2_ERR_VALUE, "the intercept is %g", intercept);
    if (status != RLS2_OK) return status;
    const rls2__certified_loss of = {loss, intercept, intercept_is_free != 0};
    const claim it = {0, NULL, train, s, w, y, lambda, d, c, &of};
    return certify_rows(dictionary, it, control, certificate, size, err);
}

rls2_status rls2_path_certify(const rls2_path *path, int64_t i, rls2_certificate *certificate,
                              size_t size, rls2_error *err)
{
    return rls2_path_certify_watched(path, i, &rls2__control_alone, certificate, size, err);
}

/* With the kernels as the basis has them: those of some rows of a larger one may have been fitted
 * to all of its rows. */
rls2_status rls2_path_certify_watched(const rls2_path *path, int64_t i, const rls2_control *control,
                                      rls2_certificate *certificate, size_t size, rls2_error *err)
{
    const rls2__path_entry *entry = entry_at(path, i);
    if (!entry)
        return rls2__fail(err, RLS2_ERR_ARGUMENT, "there is no point %lld on the path",
                          (long long)i);
    if (path->sharing > 1)
        return rls2__fail(
            err, RLS2_ERR_ARGUMENT,
            "the weights are shared by %lld outputs; rls2_paths_certify takes them all",
            (long long)path->sharing);
    rls2_status status = check_certificate(certificate, size, err);
    if (status == RLS2_OK) status = rls2__control_check(control, err);
    if (status != RLS2_OK) return status;
    const rls2_basis *basis = path->basis;
    double *d = rls2__alloc_zero(basis->m, sizeof(double));
    if (!d) return rls2__fail_memory(err, "the certificate");
    for (int64_t t = 0; t < entry->count; t++) d[entry->ks[t]] = entry->d[t];
    status = check_certify(basis->dictionary, &basis->rows, basis->s, basis->weights, path->y,
                           entry->point.lambda, d, entry->c, err);
    const rls2__certified_loss of = {path->loss, entry->intercept, path->is_free};
    const claim it = {basis->m,
                      basis->kernels,
                      &basis->rows,
                      basis->s,
                      basis->weights,
                      path->y,
                      entry->point.lambda,
                      d,
                      entry->c,
                      path->general ? &of : NULL};
    if (status == RLS2_OK) status = certify(&it, control, certificate, size, err);
    rls2__free(d);
    return status;
}
