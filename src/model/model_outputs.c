/* Public functions of rls2/model.h that make models, and those of several outputs. */
#include <string.h>

#include "base/status.h"
#include "model/copy.h"
#include "model/model.h"
#include "solver/path.h"

/* ---- making ---- */

static rls2_status check_point(const rls2_path *path, int64_t i, rls2_error *err)
{
    if (!path) return rls2__fail(err, RLS2_ERR_ARGUMENT, "the path is NULL");
    if (i >= 0 && i < path->count) return RLS2_OK;
    return rls2__fail(err, RLS2_ERR_ARGUMENT, "there is no point %lld on a path of %lld",
                      (long long)i, (long long)path->count);
}

/* n values each, or NULL for both. */
static int same_values(int64_t count, const double *a, const double *b)
{
    return a == b || (a && b && memcmp(a, b, (size_t)count * sizeof *a) == 0);
}

static int same_rows(const rls2_basis *a, const rls2_basis *b)
{
    if (a->n != b->n || a->rows.given_count != b->rows.given_count) return 0;
    for (int64_t g = 0; g < a->rows.given_count; g++)
        if (a->rows.given[g] != b->rows.given[g]) return 0;
    for (int64_t j = 0; j < a->dictionary->columns; j++)
        if (!same_values(a->n, a->rows.x + j * a->rows.ldx, b->rows.x + j * b->rows.ldx)) return 0;
    return same_values(a->n, a->weights, b->weights);
}

static int same_scaling(const rls2_basis *a, const rls2_basis *b)
{
    return a->rule == b->rule && a->center == b->center && a->transductive == b->transductive &&
           a->skip_degenerate == b->skip_degenerate;
}

/* Does path o say the same as the first of everything the outputs of a model have in common? */
static rls2_status check_fits(const rls2_path *const *paths, int64_t o, int64_t i, rls2_error *err)
{
    const rls2_basis *a = paths[0]->basis, *b = paths[o]->basis;
    const char *what = NULL;
    if (a != b && a->dictionary != b->dictionary) what = "another dictionary";
    if (a != b && !what && !same_rows(a, b)) what = "other rows, or weights of rows,";
    if (a != b && !what && !same_scaling(a, b)) what = "another rule of scaling";
    if (!what && paths[0]->solver != paths[o]->solver) what = "another solver";
    if (!what && paths[0]->loss.kind != paths[o]->loss.kind) what = "another loss";
    if (!what && paths[0]->is_free != paths[o]->is_free) what = "another rule of intercepts";
    if (what)
        return rls2__fail(err, RLS2_ERR_ARGUMENT,
                          "the path of output %lld has %s than that of output 1", (long long)o + 1,
                          what);
    double first = paths[0]->entries[i].point.lambda, other = paths[o]->entries[i].point.lambda;
    if (first == other) return RLS2_OK;
    return rls2__fail(err, RLS2_ERR_ARGUMENT,
                      "lambda is %.17g for output %lld and %.17g for output 1", other,
                      (long long)o + 1, first);
}

/* A model fits its splines to its own rows: where the path's had the range of a larger basis it
 * would say something else. */
static rls2_status check_splines(const rls2_path *path, int64_t i, rls2_error *err)
{
    const rls2_basis *basis = path->basis;
    const rls2__path_entry *entry = &path->entries[i];
    for (int64_t t = 0; t < entry->count; t++) {
        rls2__kernel own = basis->kernels[entry->ks[t]];
        if (own.kind != RLS2__KERNEL_SPLINE) continue;
        rls2__kernel_fit(&own, &basis->rows);
        if (memcmp(own.param, basis->kernels[entry->ks[t]].param, sizeof own.param) == 0) continue;
        return rls2__fail(err, RLS2_ERR_ARGUMENT,
                          "the spline '%s' has the range of a larger basis, and a model cannot "
                          "keep it: make the basis of "
                          "these rows by rls2_basis_create",
                          own.name);
    }
    return RLS2_OK;
}

rls2_status rls2_model_create(int64_t outputs, const rls2_path *const *paths, int64_t i,
                              rls2_model **model, rls2_error *err)
{
    if (outputs < 1)
        return rls2__fail(err, RLS2_ERR_ARGUMENT, "a model of %lld outputs", (long long)outputs);
    if (!paths) return rls2__fail_null(err, "paths");
    if (!paths[0]) return rls2__fail(err, RLS2_ERR_ARGUMENT, "the path is NULL");
    if (!model) return rls2__fail_null(err, "model");
    for (int64_t o = 0; o < outputs; o++) {
        rls2_status status = check_point(paths[o], i, err);
        if (status == RLS2_OK && o > 0) status = check_fits(paths, o, i, err);
        if (status == RLS2_OK) status = check_splines(paths[o], i, err);
        if (status != RLS2_OK) return status;
    }
    rls2_status status = rls2__model_copy_outputs(outputs, paths, i, model);
    return status == RLS2_OK ? status : rls2__fail_memory(err, "the model");
}

/* ---- outputs ---- */

int64_t rls2_model_outputs(const rls2_model *model)
{
    return model ? model->output_count : 0;
}

const rls2_model *rls2_model_output(const rls2_model *model, int64_t o)
{
    if (o < 0 || o >= rls2_model_outputs(model)) return NULL;
    return model->outputs ? model->outputs[o] : model;
}
