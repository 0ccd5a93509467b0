/* Public functions of rls2/fit.h. */
#include <inttypes.h>
#include <stddef.h>

#include "select/cv_public.h"
#include "base/status.h"
#include "plan/fit_table.h"

rls2_fit_options rls2_fit_options_default(void)
{
    return (rls2_fit_options){0};
}

static rls2_status check_options(const rls2_recipe *recipe, const rls2_fit_options *options,
                                 rls2_error *err)
{
    if (options->threads < 0)
        return rls2__fail(err, RLS2_ERR_ARGUMENT, "threads is %d", options->threads);
    if (!options->transductive && !options->transductive_features) return RLS2_OK;
    if (!options->test)
        return rls2__fail(err, RLS2_ERR_ARGUMENT,
                          "a transductive fit needs test rows, and there are none");
    if (options->transductive && recipe->given_count > 0)
        return rls2__fail(err, RLS2_ERR_ARGUMENT,
                          "given matrices are not scaled by test rows: transductive must be 0");
    return RLS2_OK;
}

rls2_status rls2_fit_table(const rls2_table *table, const rls2_recipe *recipe,
                           const rls2_fit_options *options, rls2_fit **fit, rls2_error *err)
{
    rls2_fit_options standard = rls2_fit_options_default();
    const rls2_fit_options *used = options ? options : &standard;
    if (!table) return rls2__fail(err, RLS2_ERR_ARGUMENT, "table is NULL");
    if (!fit) return rls2__fail(err, RLS2_ERR_ARGUMENT, "the place for the fit is NULL");
    rls2_status status = rls2__check_recipe(recipe, err);
    if (status == RLS2_OK) status = check_options(recipe, used, err);
    return status == RLS2_OK ? rls2__fit_table(table, recipe, used, fit, err) : status;
}

void rls2_fit_free(rls2_fit *fit)
{
    rls2__fit_destroy(fit);
}

const rls2_dataset *rls2_fit_data(const rls2_fit *fit)
{
    return fit ? fit->made.data : NULL;
}

const rls2_dataset *rls2_fit_test(const rls2_fit *fit)
{
    return fit ? fit->made.test : NULL;
}

const rls2_dictionary *rls2_fit_dictionary(const rls2_fit *fit)
{
    return fit ? fit->ingredients.dictionary : NULL;
}

int64_t rls2_fit_outputs(const rls2_fit *fit)
{
    return fit ? fit->made.outputs : 0;
}

static int has_output(const rls2_fit *fit, int64_t o)
{
    return fit && o >= 0 && o < fit->made.outputs;
}

const rls2_basis *rls2_fit_basis(const rls2_fit *fit, int64_t o)
{
    return has_output(fit, o) ? fit->made.bases[o] : NULL;
}

const rls2_path *rls2_fit_path(const rls2_fit *fit, int64_t o)
{
    return has_output(fit, o) ? fit->made.paths[o] : NULL;
}

int64_t rls2_fit_count(const rls2_fit *fit)
{
    return fit ? fit->count : 0;
}

int64_t rls2_fit_asked(const rls2_fit *fit)
{
    return fit ? fit->asked : 0;
}

static rls2_status check_point(const rls2_fit *fit, int64_t i, rls2_error *err)
{
    if (!fit) return rls2__fail(err, RLS2_ERR_ARGUMENT, "the fit is NULL");
    if (i >= 0 && i < fit->count) return RLS2_OK;
    return rls2__fail(err, RLS2_ERR_ARGUMENT,
                      "there is no lambda %" PRId64 ": the fit has %" PRId64, i, fit->count);
}

rls2_status rls2_fit_model(const rls2_fit *fit, int64_t i, rls2_model **model, rls2_error *err)
{
    rls2_model *made = NULL;
    if (!model) return rls2__fail(err, RLS2_ERR_ARGUMENT, "the place for the model is NULL");
    rls2_status status = check_point(fit, i, err);
    if (status == RLS2_OK)
        status = rls2_model_create_outputs(
            fit->made.outputs, (const rls2_path *const *)fit->made.paths, i, &made, err);
    if (status == RLS2_OK) status = rls2_model_attach(made, fit->made.data, err);
    if (status == RLS2_OK)
        *model = made;
    else
        rls2_model_free(made);
    return status;
}

rls2_status rls2_fit_predict(const rls2_fit *fit, int64_t i, int test, double *f, rls2_error *err)
{
    rls2_model *model = NULL;
    if (!f) return rls2__fail(err, RLS2_ERR_ARGUMENT, "the place for the predictions is NULL");
    rls2_status status = check_point(fit, i, err);
    if (status == RLS2_OK && test && !fit->made.test)
        return rls2__fail(err, RLS2_ERR_ARGUMENT, "the fit has no test rows");
    if (status == RLS2_OK) status = rls2_fit_model(fit, i, &model, err);
    if (status == RLS2_OK)
        status = rls2_model_predict(model, test ? &fit->made.test_rows : &fit->made.rows, f, err);
    rls2_model_free(model);
    return status;
}
