/* The certificate of a model whose outputs share kernel weights: of all of them together. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "basis/rows_check.h"
#include "basis/symmetric.h"
#include "model/model.h"
#include "solver/shared_certify.h"

/* The claim of the model, from arrays of its outputs side by side. */
typedef struct question {
    const rls2_model *model;
    rls2_rows rows; /* with matrices that are symmetric */
    rls2__symmetric symmetric;
    rls2__kernel *kernels;
    double *y, *c, *b, *d, *roots; /* y is less an intercept that was there beforehand */
    void *block;
} question;

static void lay_out(rls2__layout *layout, void *owner)
{
    question *it = owner;
    const rls2_model *model = it->model;
    int64_t size = rls2__mul(model->n, model->output_count), m = model->dictionary->m;
    it->kernels = rls2__layout_take(layout, m, sizeof *it->kernels);
    it->y = rls2__layout_take(layout, size, sizeof(double));
    it->c = rls2__layout_take(layout, size, sizeof(double));
    it->b = rls2__layout_take(layout, model->output_count, sizeof(double));
    it->d = rls2__layout_take(layout, m, sizeof(double));
    it->roots = rls2__layout_take(layout, model->n, sizeof(double));
}

static void fill_outputs(question *it, const double *y)
{
    const rls2_model *model = it->model;
    int64_t n = model->n;
    int beforehand = model->loss.kind == RLS2_LOSS_SQUARE && !model->is_free;
    for (int64_t o = 0; o < model->output_count; o++) {
        const rls2_model *one = model->outputs[o];
        memcpy(it->c + o * n, one->c, (size_t)n * sizeof(double));
        it->b[o] = beforehand ? 0.0 : one->intercept;
        for (int64_t i = 0; i < n; i++)
            it->y[o * n + i] = y[o * n + i] - (beforehand ? one->intercept : 0.0);
    }
}

static void fill(question *it, const rls2_rows *train, const double *y)
{
    const rls2_model *model = it->model, *first = model->outputs[0];
    for (int64_t k = 0; k < model->dictionary->m; k++) {
        it->kernels[k] = model->dictionary->kernels[k];
        rls2__kernel_fit(&it->kernels[k], train);
        it->d[k] = 0.0;
    }
    for (int64_t k = 0; k < first->size; k++) it->d[first->index[k]] = first->d[k];
    for (int64_t i = 0; i < model->n; i++)
        it->roots[i] = model->weights ? sqrt(model->weights[i]) : 1.0;
    fill_outputs(it, y);
}

/* One set of weights? A file may say so of weights that are not. */
static int has_one_set(const rls2_model *model)
{
    const rls2_model *first = model->outputs[0];
    size_t m = (size_t)model->dictionary->m;
    for (int64_t o = 1; o < model->output_count; o++) {
        const rls2_model *one = model->outputs[o];
        if (one->size != first->size ||
            memcmp(one->index, first->index, (size_t)one->size * sizeof *one->index) != 0 ||
            memcmp(one->d, first->d, (size_t)one->size * sizeof *one->d) != 0 ||
            memcmp(one->scales, first->scales, m * sizeof *one->scales) != 0)
            return 0;
    }
    return 1;
}

static rls2_status check(const rls2_model *model, const rls2_rows *train, const double *y,
                         rls2_error *err)
{
    if (!model) return rls2__fail_null(err, "model");
    if (!model->outputs || !model->has_shared_d || !has_one_set(model))
        return rls2__fail(err, RLS2_ERR_ARGUMENT,
                          "the outputs do not share kernel weights: each has a certificate of its "
                          "own");
    rls2_status status =
        rls2__rows_check(train, model->dictionary, train ? train->n : 0, "training rows", err);
    if (status == RLS2_OK && train->n != model->n)
        status = rls2__fail(err, RLS2_ERR_ARGUMENT,
                            "there are %" PRId64 " rows; the model was trained on %" PRId64,
                            train->n, model->n);
    return status == RLS2_OK ? rls2__vector_check(model->n * model->output_count, y, "y", err)
                             : status;
}

rls2_status rls2_model_certify_outputs(const rls2_model *model, const rls2_rows *train,
                                       const double *y, const rls2_control *control,
                                       rls2_certificate *certificate, size_t size, rls2_error *err)
{
    rls2_status status = check(model, train, y, err);
    if (status != RLS2_OK) return status;
    question it = {.model = model, .rows = *train};
    it.block = rls2__layout_alloc(lay_out, &it);
    if (!it.block || rls2__symmetric_make(model->dictionary, &it.rows, &it.symmetric) != RLS2_OK) {
        status = rls2__fail_memory(err, "the certificate");
        goto cleanup;
    }
    fill(&it, train, y);
    const rls2__shared_claim claim = {.outputs = model->output_count,
                                      .m = model->dictionary->m,
                                      .kernels = it.kernels,
                                      .rows = &it.rows,
                                      .s = model->outputs[0]->scales,
                                      .roots = it.roots,
                                      .loss = model->loss,
                                      .is_free = model->is_free,
                                      .lambda = model->point.lambda,
                                      .d = it.d,
                                      .y = it.y,
                                      .c = it.c,
                                      .b = it.b};
    status = rls2__shared_certify(&claim, control, certificate, size, err);
cleanup:
    rls2__symmetric_free(&it.symmetric);
    rls2__free(it.block);
    return status;
}
