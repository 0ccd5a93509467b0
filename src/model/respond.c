/* From the scale of a loss to what users ask for: rates, quantiles in order, probabilities. */
#include <inttypes.h>
#include <math.h>

#include "base/status.h"
#include "model/model.h"

rls2_loss rls2_model_loss(const rls2_model *model)
{
    return model ? model->loss : (rls2_loss){RLS2_LOSS_SQUARE, 0.0};
}

int rls2_model_intercept_is_free(const rls2_model *model)
{
    return model && model->is_free;
}

int rls2_model_shares_weights(const rls2_model *model)
{
    return model && model->has_shared_d;
}

int rls2__model_has_quantiles(const rls2_model *model)
{
    const rls2__encoder *encoder = rls2__model_origin(model)->encoder;
    if (model->loss.kind != RLS2_LOSS_QUANTILE || model->output_count < 2) return 0;
    if (encoder && encoder->target_count > 1) return 0;
    for (int64_t o = 1; o < model->output_count; o++)
        if (!(model->outputs[o]->loss.parameter > model->outputs[o - 1]->loss.parameter)) return 0;
    return 1;
}

/* Row i of n x count numbers, ascending: insertion, as quantiles are few and nearly in order. */
static void sort_row(int64_t n, int64_t count, int64_t i, double *f)
{
    for (int64_t o = 1; o < count; o++) {
        double value = f[o * n + i];
        int64_t at = o;
        for (; at > 0 && f[(at - 1) * n + i] > value; at--) f[at * n + i] = f[(at - 1) * n + i];
        f[at * n + i] = value;
    }
}

void rls2_model_respond(const rls2_model *model, int64_t n, double *f)
{
    if (!model || !f) return;
    if (model->loss.kind == RLS2_LOSS_POISSON)
        for (int64_t i = 0; i < n * model->output_count; i++)
            f[i] = rls2_loss_mean(model->loss, f[i]);
    if (rls2__model_has_quantiles(model))
        for (int64_t i = 0; i < n; i++) sort_row(n, model->output_count, i, f);
}

rls2_status rls2_model_probabilities(const rls2_model *model, int64_t n, const double *f, double *p,
                                     rls2_error *err)
{
    if (!model) return rls2__fail_null(err, "model");
    if (!f || !p) return rls2__fail_null(err, f ? "p" : "f");
    if (!rls2_loss_has_probabilities(model->loss))
        return rls2__fail(err, RLS2_ERR_ARGUMENT,
                          "the model was not learned with logistic loss: it has no probabilities");
    return rls2_loss_probabilities(model->loss, model->output_count, n, f, p, err);
}
