/* Public functions of rls2/model.h. */
#include "model/model.h"

#include <math.h>
#include <string.h>

#include "base/control.h"
#include "base/crew.h"
#include "base/memory.h"
#include "base/option_struct.h"
#include "base/status.h"
#include "basis/rows_check.h"
#include "la/la.h"
#include "la/threads.h"
#include "model/compact.h"
#include "model/predict.h"
#include "model/model_stack.h"
#include "model/second_pass.h"
#include "model/shares.h"
#include "model/variance.h"

void rls2_model_free(rls2_model *model)
{
    rls2__model_destroy(model);
}

int64_t rls2_model_kernel_count(const rls2_model *model)
{
    return model ? model->size : 0;
}

int64_t rls2_model_rows(const rls2_model *model)
{
    if (!model) return 0;
    return model->compact ? model->compact->rows : model->n;
}

int64_t rls2_model_columns(const rls2_model *model)
{
    return model ? model->p : 0;
}

double rls2_model_lambda(const rls2_model *model)
{
    return model ? model->point.lambda : (double)NAN;
}

double rls2_model_intercept(const rls2_model *model)
{
    return model ? model->intercept : (double)NAN;
}

static int in_range(const rls2_model *model, int64_t k)
{
    return model && k >= 0 && k < model->size;
}

const char *rls2_model_kernel_name(const rls2_model *model, int64_t k)
{
    return in_range(model, k) ? model->kernels[k].name : NULL;
}

double rls2_model_kernel_weight(const rls2_model *model, int64_t k)
{
    return in_range(model, k) ? model->d[k] : (double)NAN;
}

double rls2_model_scale(const rls2_model *model, int64_t k)
{
    return in_range(model, k) ? model->s[k] : (double)NAN;
}

double rls2_model_w(const rls2_model *model, int64_t k)
{
    return in_range(model, k) ? sqrt(model->d[k] / model->s[k]) : (double)NAN;
}

const double *rls2_model_c(const rls2_model *model)
{
    return model && !model->compact ? model->c : NULL;
}

const double *rls2_model_row_weights(const rls2_model *model)
{
    return model ? model->weights : NULL;
}

static rls2_status check_places(const rls2_model *model, const void *place, rls2_error *err)
{
    if (!model) return rls2__fail_null(err, "model");
    if (!place) return rls2__fail(err, RLS2_ERR_ARGUMENT, "the argument for the result is NULL");
    return RLS2_OK;
}

/* What only one output can say. */
static rls2_status check_single(const rls2_model *model, const void *place, rls2_error *err)
{
    rls2_status status = check_places(model, place, err);
    if (status != RLS2_OK || !model->outputs) return status;
    return rls2__fail(err, RLS2_ERR_ARGUMENT,
                      "the model has %lld outputs: ask one of them (rls2_model_output)",
                      (long long)model->output_count);
}

/* The dictionary a check of new rows needs is that of the model's own kernels. */
static rls2_status check_rows(const rls2_model *model, const rls2_rows *rows, const void *place,
                              rls2_error *err)
{
    rls2_status status = check_places(model, place, err);
    if (status != RLS2_OK) return status;
    rls2_dictionary own = {.m = model->size,
                           .columns = model->p,
                           .kernels = model->kernels,
                           .column_names = model->dictionary->column_names};
    return rls2__rows_check(rows, &own, model->n, "rows", err);
}

static rls2_status check_rows_of_single(const rls2_model *model, const rls2_rows *rows,
                                        const void *place, rls2_error *err)
{
    rls2_status status = check_single(model, place, err);
    return status == RLS2_OK ? check_rows(model, rows, place, err) : status;
}

static double contribution_factor(double d, double s)
{
    return d * s;
}

static double layer1_factor(double d, double s)
{
    return s * sqrt(d / s); /* s_k w_k */
}

static rls2_status check_finite(int64_t n, int64_t columns, const double *values, rls2_error *err)
{
    for (int64_t i = 0; i < n; i++)
        for (int64_t k = 0; k < columns; k++)
            if (!isfinite(values[k * n + i]))
                return rls2__fail(err, RLS2_ERR_VALUE,
                                  "row %lld is too far out: its value overflows", (long long)i + 1);
    return RLS2_OK;
}

static rls2_status explain(rls2_status status, const char *what, rls2_error *err)
{
    if (status == RLS2_ERR_MEMORY) return rls2__fail_memory(err, what);
    if (status == RLS2_ERR_CANCELLED) return rls2__fail(err, status, "stopped before %s", what);
    if (status == RLS2_ERR_NUMERIC)
        return rls2__fail(
            err, status,
            "R + lambda I is singular to working precision: lambda is too small for %s", what);
    return status;
}

/* factor(d_k, s_k) sum_j c_j K_k(x_j, x) for every row and selected kernel, in memory of
 * its own, which the caller frees. */
static rls2_status parts_of(const rls2_model *model, const rls2_rows *rows,
                            const rls2_control *control, double (*factor)(double, double),
                            double **parts, rls2_error *err)
{
    rls2_status status = rls2__control_check(control, err);
    if (status != RLS2_OK) return status;
    rls2_control own = rls2__control_of(control);
    double *out = rls2__alloc(rls2__mul(rows->n, model->size), sizeof(double));
    status = out ? rls2__model_parts(model, rows, &own, factor, out) : RLS2_ERR_MEMORY;
    status = explain(status, "the predictions", err);
    if (status == RLS2_OK) status = check_finite(rows->n, model->size, out, err);
    if (status == RLS2_OK)
        *parts = out;
    else
        rls2__free(out);
    return status;
}

/* The same into the caller's matrix, once it is known to be whole. */
static rls2_status write_parts(const rls2_model *model, const rls2_rows *rows,
                               const rls2_control *control, double (*factor)(double, double),
                               double *place, rls2_error *err)
{
    double *parts = NULL;
    rls2_status status = check_rows_of_single(model, rows, place, err);
    if (status == RLS2_OK) status = parts_of(model, rows, control, factor, &parts, err);
    if (status != RLS2_OK) return status;
    memcpy(place, parts, (size_t)(rows->n * model->size) * sizeof *place);
    rls2__free(parts);
    return RLS2_OK;
}

rls2_status rls2_model_contributions(const rls2_model *model, const rls2_rows *rows,
                                     const rls2_control *control, double *f, rls2_error *err)
{
    rls2_status status = write_parts(model, rows, control, contribution_factor, f, err);
    double weight = status == RLS2_OK ? rls2_model_member_weight(model, -1) : 1.0;
    for (int64_t i = 0; weight != 1.0 && i < rows->n * model->size; i++) f[i] *= weight;
    return status;
}

rls2_status rls2_model_predict(const rls2_model *model, const rls2_rows *rows,
                               const rls2_control *control, double *f, rls2_error *err)
{
    rls2_status status = check_rows(model, rows, f, err);
    if (status == RLS2_OK) status = rls2__control_check(control, err);
    if (status != RLS2_OK) return status;
    rls2_control own = rls2__control_of(control);
    int64_t values = rls2__mul(rows->n, model->output_count);
    double *sums = rls2__alloc(values, sizeof(double));
    status = sums ? rls2__model_sums(model, rows, &own, sums) : RLS2_ERR_MEMORY;
    status = explain(status, "the predictions", err);
    if (status == RLS2_OK && rls2__model_stack(model))
        status = rls2__stack_add_up(model, rows, control, sums, err);
    if (status == RLS2_OK) status = check_finite(rows->n, model->output_count, sums, err);
    if (status == RLS2_OK) memcpy(f, sums, (size_t)values * sizeof *f);
    rls2__free(sums);
    return status;
}

/* ---- by a factor of R + lambda I ---- */

/* The effort of a control, and BLAS for its threads: to be left where this is OK. */
static rls2_status enter(const rls2_control *control, const char *stage, int64_t total,
                         rls2_control *own, rls2__effort *effort, rls2_error *err)
{
    rls2_status status = rls2__control_check(control, err);
    if (status != RLS2_OK) return status;
    *own = rls2__control_of(control);
    own->threads = rls2__thread_count(own->threads);
    status = rls2__la_enter_team(&own->threads, err);
    if (status != RLS2_OK) return status;
    rls2__effort_begin(own, stage, total, effort);
    const rls2_progress begun = effort->at;
    rls2__effort_tell(effort, &begun); /* where that stops it nothing is begun below */
    return RLS2_OK;
}

static int is_of_another_loss(const rls2_model *model)
{
    return model->loss.kind != RLS2_LOSS_SQUARE || model->is_free;
}

/* What sees a fit as a linear smoother of the response. */
static rls2_status refuse_other_losses(const rls2_model *model, const char *what, rls2_error *err)
{
    char text[40];
    if (!is_of_another_loss(model)) return RLS2_OK;
    return rls2__fail(err, RLS2_ERR_ARGUMENT,
                      "the model has no %s: these are of the square loss with a constant "
                      "intercept, and it was learned with %s%s",
                      what, rls2_loss_text(model->loss, text, sizeof text),
                      model->is_free ? " and a free one" : "");
}

/* Those of its sparse part alone would be taken for its own. */
static rls2_status refuse_stack(const rls2_model *model, rls2_error *err)
{
    if (!rls2__model_stack(model)) return RLS2_OK;
    return rls2__fail(err, RLS2_ERR_ARGUMENT,
                      "a stack has no variances: learn with the setting 'interval', or 'plain'");
}

static rls2_status check_diagonals(const rls2_model *model, const rls2_rows *rows, rls2_error *err)
{
    rls2_status status = RLS2_OK;
    for (int64_t k = 0; k < model->size && status == RLS2_OK; k++) {
        int64_t g = model->kernels[k].given;
        if (model->kernels[k].kind != RLS2__KERNEL_GIVEN) continue;
        if (!rows->given_diagonal || !rows->given_diagonal[g])
            return rls2__fail(err, RLS2_ERR_ARGUMENT,
                              "rows: the diagonal of kernel '%s' is not there, and variances "
                              "need it",
                              model->kernels[k].name);
        status = rls2__vector_check(rows->n, rows->given_diagonal[g],
                                    "rows: the diagonal of a given kernel", err);
    }
    return status;
}

rls2_status rls2_model_variance(const rls2_model *model, const rls2_rows *rows, double *variance,
                                rls2_error *err)
{
    return rls2_model_variance_watched(model, rows, &rls2__control_alone, variance, err);
}

rls2_status rls2_model_variance_watched(const rls2_model *model, const rls2_rows *rows,
                                        const rls2_control *control, double *variance,
                                        rls2_error *err)
{
    rls2_control own;
    rls2__effort effort;
    rls2_status status = check_rows_of_single(model, rows, variance, err);
    if (status == RLS2_OK) status = rls2__compact_refuse(model, "variances", err);
    if (status == RLS2_OK) status = refuse_other_losses(model, "variances", err);
    if (status == RLS2_OK) status = refuse_stack(model, err);
    if (status == RLS2_OK) status = check_diagonals(model, rows, err);
    if (status == RLS2_OK) status = enter(control, "variances", rows->n, &own, &effort, err);
    if (status != RLS2_OK) return status;
    double *result = rls2__alloc(rows->n, sizeof(double));
    status = result ? rls2__model_variances(&effort, model, rows, result) : RLS2_ERR_MEMORY;
    rls2__la_leave();
    status = explain(status, "variances", err);
    if (status == RLS2_OK) status = check_finite(rows->n, 1, result, err);
    if (status == RLS2_OK) memcpy(variance, result, (size_t)rows->n * sizeof *variance);
    rls2__free(result);
    return status;
}

rls2_status rls2_model_factorize(rls2_model *model, rls2_error *err)
{
    return rls2_model_factorize_watched(model, &rls2__control_alone, err);
}

rls2_status rls2_model_factorize_watched(rls2_model *model, const rls2_control *control,
                                         rls2_error *err)
{
    rls2_control own;
    rls2__effort effort;
    if (!model) return rls2__fail_null(err, "model");
    rls2_status status = rls2__compact_refuse(model, "variances", err);
    if (status == RLS2_OK) status = refuse_other_losses(model, "variances", err);
    if (status == RLS2_OK) status = refuse_stack(model, err);
    if (status == RLS2_OK) status = enter(control, "variances", 0, &own, &effort, err);
    if (status != RLS2_OK) return status;
    status = model->outputs ? RLS2_OK : rls2__model_keep_factor(&effort, model);
    for (int64_t o = 0; model->outputs && o < model->output_count && status == RLS2_OK; o++)
        status = rls2__model_keep_factor(&effort, model->outputs[o]);
    rls2__la_leave();
    return explain(status, "variances", err);
}

rls2_status rls2_model_degrees_of_freedom(const rls2_model *model, double *df, rls2_error *err)
{
    return rls2_model_degrees_of_freedom_watched(model, &rls2__control_alone, df, err);
}

rls2_status rls2_model_degrees_of_freedom_watched(const rls2_model *model,
                                                  const rls2_control *control, double *df,
                                                  rls2_error *err)
{
    rls2_control own;
    rls2__effort effort;
    double found;
    rls2_status status = check_single(model, df, err);
    if (status == RLS2_OK && (model->compact || is_of_another_loss(model)) &&
        !isnan(model->point.df)) {
        *df = model->point.df;
        return RLS2_OK;
    }
    if (status == RLS2_OK) status = rls2__compact_refuse(model, "degrees of freedom", err);
    if (status == RLS2_OK) status = refuse_other_losses(model, "degrees of freedom", err);
    if (status == RLS2_OK) status = enter(control, "variances", 0, &own, &effort, err);
    if (status != RLS2_OK) return status;
    status = rls2__model_df(&effort, model, &found);
    rls2__la_leave();
    if (status == RLS2_OK) *df = found;
    return explain(status, "degrees of freedom", err);
}

rls2_status rls2_model_coefficients(const rls2_model *model, double *a, rls2_error *err)
{
    rls2_status status = check_single(model, a, err);
    if (status != RLS2_OK) return status;
    for (int64_t k = 0; k < model->size; k++)
        if (model->kernels[k].kind != RLS2__KERNEL_LINEAR)
            return rls2__fail(err, RLS2_ERR_ARGUMENT,
                              "the model is not linear: it uses kernel '%s'",
                              model->kernels[k].name);
    memset(a, 0, (size_t)model->p * sizeof *a);
    rls2__la_enter_light();
    /* E17: a_j = d_j s_j sum_i c_i x_ij, for each column a kernel looks at */
    for (int64_t k = 0; k < model->size; k++) {
        rls2__expansion at = rls2__model_expansion(model, k, model);
        for (int64_t t = 0; t < model->kernels[k].column_count; t++) {
            int64_t j = model->kernels[k].columns[t];
            a[model->used[j]] += model->d[k] * model->s[k] *
                                 rls2__la_dot(at.rows.n, at.c, at.rows.x + j * at.rows.ldx);
        }
    }
    rls2__la_leave();
    return RLS2_OK;
}

rls2_status rls2_model_layer1(const rls2_model *model, const rls2_rows *rows,
                              const rls2_control *control, double *z, rls2_error *err)
{
    return write_parts(model, rows, control, layer1_factor, z, err);
}

rls2_status rls2_model_layer2(const rls2_model *model, int64_t count, const double *z, double *f,
                              rls2_error *err)
{
    if (count < 0)
        return rls2__fail(err, RLS2_ERR_ARGUMENT, "count is %lld; it must not be negative",
                          (long long)count);
    rls2_status status = check_single(model, f, err);
    if (status != RLS2_OK) return status;
    int64_t values = rls2__mul(count, model->size);
    if (rls2__mul(values, (int64_t)sizeof(double)) < 0)
        return rls2__fail(err, RLS2_ERR_MEMORY,
                          "%lld points of %lld values are more than can be addressed",
                          (long long)count, (long long)model->size);
    status = rls2__vector_check(values, z, "z", err);
    if (status != RLS2_OK) return status;
    memset(f, 0, (size_t)count * sizeof *f);
    for (int64_t k = 0; k < model->size; k++)
        for (int64_t i = 0; i < count; i++)
            f[i] += model->s[k] * rls2_model_w(model, k) * z[k * count + i];
    return RLS2_OK;
}

/* K(x, x') = f1(x)'S f1(x') */
rls2_status rls2_model_learned_kernel(const rls2_model *model, const rls2_rows *a,
                                      const rls2_rows *b, const rls2_control *control, double *k,
                                      rls2_error *err)
{
    double *za = NULL, *zb = NULL, *product = NULL;
    rls2_status status = check_rows_of_single(model, a, k, err);
    if (status == RLS2_OK) status = check_rows(model, b, k, err);
    if (status == RLS2_OK) status = parts_of(model, a, control, layer1_factor, &za, err);
    if (status == RLS2_OK) status = parts_of(model, b, control, layer1_factor, &zb, err);
    if (status != RLS2_OK) goto cleanup;
    product = rls2__alloc_zero(rls2__mul(a->n, b->n), sizeof(double));
    if (!product) {
        status = rls2__fail_memory(err, "the learned kernel");
        goto cleanup;
    }
    rls2__la_enter_light();
    for (int64_t t = 0; t < model->size; t++)
        for (int64_t j = 0; j < b->n; j++)
            rls2__la_axpy(a->n, model->s[t] * zb[t * b->n + j], za + t * a->n, product + j * a->n);
    rls2__la_leave();
    status = check_finite(a->n, b->n, product, err);
    if (status == RLS2_OK) memcpy(k, product, (size_t)(a->n * b->n) * sizeof *k);
cleanup:
    rls2__free(za);
    rls2__free(zb);
    rls2__free(product);
    return status;
}

/* What was found on the rows it was learned from. */
static rls2_status compact_shares(const rls2_model *model, double *share, const double *f,
                                  rls2_error *err)
{
    if (f) return rls2__compact_refuse(model, "fitted values", err);
    if (!model->trained_shares) return rls2__compact_refuse(model, "shares of the kernels", err);
    memcpy(share, model->trained_shares, (size_t)model->size * sizeof *share);
    return RLS2_OK;
}

rls2_status rls2_model_shares(const rls2_model *model, const rls2_control *control, double *share,
                              double *f, rls2_error *err)
{
    rls2_status status = check_single(model, share, err);
    if (status == RLS2_OK) status = rls2__control_check(control, err);
    if (status != RLS2_OK) return status;
    if (model->compact) return compact_shares(model, share, f, err);
    rls2_control own = rls2__control_of(control);
    double *shares = rls2__alloc(model->size, sizeof(double)),
           *fitted = rls2__alloc(model->n, sizeof(double));
    status = shares && fitted ? rls2__model_shares(model, &own, shares, fitted) : RLS2_ERR_MEMORY;
    status = explain(status, "the shares of the kernels", err);
    if (status == RLS2_OK) status = check_finite(model->n, 1, fitted, err);
    for (int64_t k = 0; k < model->size && status == RLS2_OK; k++)
        if (!isfinite(shares[k]))
            status = rls2__fail(err, RLS2_ERR_VALUE, "the share of kernel '%s' overflows",
                                model->kernels[k].name);
    if (status == RLS2_OK) memcpy(share, shares, (size_t)model->size * sizeof *share);
    if (status == RLS2_OK && f) memcpy(f, fitted, (size_t)model->n * sizeof *f);
    rls2__free(shares);
    rls2__free(fitted);
    return status;
}

rls2_status rls2_model_certify(const rls2_model *model, const rls2_rows *train, const double *y,
                               rls2_certificate *certificate, size_t size, rls2_error *err)
{
    return rls2_model_certify_watched(model, train, y, &rls2__control_alone, certificate, size,
                                      err);
}

/* The square loss with an intercept that was fixed beforehand is that of y less it. */
static rls2_status certify_square(const rls2_model *model, const rls2_rows *train, const double *y,
                                  const double *d, const rls2_control *control,
                                  rls2_certificate *certificate, size_t size, rls2_error *err)
{
    double *rest = rls2__alloc(model->n, sizeof(double));
    if (!rest) return rls2__fail_memory(err, "the certificate");
    for (int64_t i = 0; i < model->n; i++) rest[i] = y[i] - model->intercept;
    rls2_status status =
        rls2_certify_watched(model->dictionary, train, model->scales, model->weights, rest,
                             model->point.lambda, d, model->c, control, certificate, size, err);
    rls2__free(rest);
    return status;
}

/* Kernel weights that outputs share are no problem of one of them. */
static rls2_status refuse_shared(const rls2_model *model, rls2_error *err)
{
    if (!model->has_shared_d) return RLS2_OK;
    return rls2__fail(err, RLS2_ERR_ARGUMENT,
                      "the kernel weights are shared by several outputs: one of them has no "
                      "certificate of its own (rls2_model_certify_outputs has that of all)");
}

rls2_status rls2_model_certify_watched(const rls2_model *model, const rls2_rows *train,
                                       const double *y, const rls2_control *control,
                                       rls2_certificate *certificate, size_t size, rls2_error *err)
{
    rls2_status status = check_single(model, certificate, err);
    if (status == RLS2_OK) status = rls2__compact_refuse(model, "certificate of its own", err);
    if (status == RLS2_OK) status = refuse_shared(model, err);
    if (status != RLS2_OK) return status;
    if (!train) return rls2__fail(err, RLS2_ERR_ARGUMENT, "training rows: NULL");
    if (train->n != model->n)
        return rls2__fail(err, RLS2_ERR_ARGUMENT,
                          "there are %lld rows; the model was trained on %lld", (long long)train->n,
                          (long long)model->n);
    status = rls2__vector_check(model->n, y, "y", err);
    if (status != RLS2_OK) return status;
    double *d = rls2__alloc_zero(model->dictionary->m, sizeof(double));
    if (!d) return rls2__fail_memory(err, "the certificate");
    for (int64_t k = 0; k < model->size; k++) d[model->index[k]] = model->d[k];
    status =
        is_of_another_loss(model)
            ? rls2_certify_loss(model->dictionary, train, model->scales, model->weights, y,
                                model->loss, model->intercept, model->is_free, model->point.lambda,
                                d, model->c, control, certificate, size, err)
            : certify_square(model, train, y, d, control, certificate, size, err);
    rls2__free(d);
    return status;
}

rls2_status rls2_model_certify_rows(const rls2_model *model, const rls2_rows *rows, const double *y,
                                    const double *weights, const rls2_control *control,
                                    rls2_certificate *certificate, size_t size, rls2_error *err)
{
    rls2_control own;
    rls2__effort effort;
    rls2_certificate made;
    rls2_status status = check_single(model, certificate, err);
    if (status == RLS2_OK) status = rls2__result_check("certificate", size, sizeof made, err);
    if (status != RLS2_OK) return status;
    if (!model->compact)
        return rls2__fail(err, RLS2_ERR_ARGUMENT,
                          "the model keeps its rows: it is certified with these");
    if (!rows) return rls2__fail_null(err, "rows");
    status = rls2__vector_check(rows->n, y, "y", err);
    if (status == RLS2_OK && weights) status = rls2__vector_check(rows->n, weights, "weights", err);
    double *f = status == RLS2_OK ? rls2__alloc(rows->n, sizeof *f) : NULL;
    if (status == RLS2_OK && !f) status = rls2__fail_memory(err, "the certificate");
    if (status == RLS2_OK) {
        rls2_model bare = *model; /* what is added to a large intercept is lost */
        bare.intercept = 0.0;
        status = rls2_model_predict(&bare, rows, control, f, err);
    }
    if (status == RLS2_OK) status = enter(control, "kernels", 0, &own, &effort, err);
    if (status == RLS2_OK) {
        status = rls2__second_pass(&effort, model, rows, y, weights, f, &made);
        rls2__la_leave();
        status = explain(status, "the certificate", err);
    }
    if (status == RLS2_OK) rls2__result_write(&made, sizeof made, 1, certificate, size);
    rls2__free(f);
    return status;
}
