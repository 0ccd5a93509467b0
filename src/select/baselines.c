/* Baselines: regularised least squares with kernel weights that are not learned.  [MATH.md, B1 to
 * B4]
 *
 * Each is what one would do without multiple kernel learning and with as little trouble; the
 * difference to the learned path's score, on the same rows, is what learning the weights has
 * bought. */
#include "select/baselines.h"

#include <math.h>
#include <string.h>

#include "base/invariant.h"
#include "base/memory.h"
#include "base/status.h"
#include "la/la.h"
#include "la/threads.h"
#include "solver/fixed.h"
#include "solver/shared_loss.h"

/* ---- weights ---- */

rls2_status rls2__weighting_create(const rls2_basis *basis, rls2__weighting *weighting)
{
    weighting->count = 0;
    weighting->ks = rls2__alloc(basis->m, sizeof(int64_t));
    weighting->d = rls2__alloc(basis->m, sizeof(double));
    return weighting->ks && weighting->d ? RLS2_OK : RLS2_ERR_MEMORY;
}

void rls2__weighting_free(rls2__weighting *weighting)
{
    rls2__free(weighting->ks);
    rls2__free(weighting->d);
    memset(weighting, 0, sizeof *weighting);
}

rls2_status rls2__alignments(rls2__effort *effort, const rls2_basis *basis, const double *y,
                             double *alignments)
{
    rls2_status status = RLS2_ERR_MEMORY;
    int64_t *ks = rls2__alloc(basis->m, sizeof(int64_t));
    double *work = rls2__alloc(basis->n, sizeof(double));
    if (!ks || !work) goto cleanup;
    for (int64_t k = 0; k < basis->m; k++) ks[k] = k;
    status = rls2__basis_price(effort, basis, y, basis->m, ks, alignments, work);
    for (int64_t k = 0; k < basis->m && status == RLS2_OK; k++) {
        double value = alignments[k] / rls2__basis_frobenius(basis, k, work);
        alignments[k] =
            isfinite(value) && value > 0.0 ? value : 0.0; /* 0/0 of a skipped kernel among them */
        status = rls2__effort_status(effort);
    }
cleanup:
    rls2__free(ks);
    rls2__free(work);
    return status;
}

static void append(rls2__weighting *weighting, int64_t k, double d)
{
    if (!(d > 0.0)) return;
    weighting->ks[weighting->count] = k;
    weighting->d[weighting->count++] = d;
}

static int64_t most_aligned(int64_t m, const double *alignments)
{
    int64_t best = 0;
    for (int64_t k = 1; k < m; k++)
        if (alignments[k] > alignments[best]) best = k;
    return best;
}

void rls2__weigh(rls2_baseline rule, const rls2_basis *basis, const double *alignments,
                 rls2__weighting *weighting)
{
    int64_t best = most_aligned(basis->m, alignments);
    double largest = alignments[best], sum = 0.0;
    weighting->count = 0;
    if (rule != RLS2_BASELINE_UNIFORM && largest == 0.0) return;
    for (int64_t k = 0; k < basis->m; k++) {
        if (rule == RLS2_BASELINE_UNIFORM) append(weighting, k, basis->s[k] > 0.0 ? 1.0 : 0.0);
        if (rule == RLS2_BASELINE_ALIGNMENT) append(weighting, k, alignments[k] / largest);
        if (rule == RLS2_BASELINE_SINGLE) append(weighting, k, k == best ? 1.0 : 0.0);
    }
    for (int64_t i = 0; i < weighting->count; i++) sum += weighting->d[i];
    for (int64_t i = 0; i < weighting->count; i++) weighting->d[i] /= sum;
    rls2__invariant(rls2__is_on_simplex(weighting->count, weighting->d));
    rls2__invariant(rls2__is_ascending(weighting->count, weighting->ks, basis->m));
}

/* ---- fits ---- */

typedef struct task {
    const rls2__recipe *recipe;
    const rls2__fit *fit;
    int64_t outputs;
    const double *y; /* n x outputs */
    int64_t count;
    const double *lambdas;
    const rls2_path_options *options;
    const rls2_control *control;
    rls2__baseline_fn take;
    void *user;
} task;

/* One output of one baseline. Where its path overflows it is not defined, which does not concern
 * the others. */
static rls2_status fit_weights(const task *t, rls2_baseline which, int64_t o,
                               const rls2_basis *basis, const rls2__weighting *weighting,
                               rls2_error *err)
{
    rls2_path *path = NULL;
    const rls2_path_options options = rls2__options_of(t->options, t->recipe->losses, o);
    rls2_status status =
        rls2__path_fixed(basis, t->y + o * basis->n, weighting->count, weighting->ks, weighting->d,
                         t->count, t->lambdas, &options, t->control, &path, err);
    if (status == RLS2_ERR_NUMERIC) return RLS2_OK;
    if (status == RLS2_OK) {
        rls2__fit_set_intercept(t->recipe, t->fit, o, path);
        status = t->take(t->user, which, o, path, err);
    }
    rls2__path_destroy(path);
    return status;
}

rls2_status rls2__align(const rls2_path_options *options, const rls2_control *control,
                        int64_t lambdas, const rls2_basis *basis, const double *y,
                        double *alignments)
{
    rls2__effort effort;
    /* an intercept that is free takes the mean out as well */
    rls2_intercept rule =
        options->intercept == RLS2_INTERCEPT_NONE ? RLS2_INTERCEPT_NONE : RLS2_INTERCEPT_MEAN;
    double mean = rls2__intercept(rule, basis->n, y, basis->weights);
    double *rest = rls2__alloc(basis->n, sizeof(double));
    if (!rest) return RLS2_ERR_MEMORY;
    rls2__weigh_response(basis, y, mean, rest);
    rls2__effort_begin(control, "path", lambdas, &effort);
    rls2_status status = rls2__alignments(&effort, basis, rest, alignments);
    rls2__free(rest);
    return status;
}

static int is_constant(int64_t n, const double *y)
{
    for (int64_t i = 1; i < n; i++)
        if (y[i] != y[0]) return 0;
    return 1;
}

void rls2__weigh_output(rls2_baseline rule, int64_t outputs, const rls2_basis *basis,
                        const double *y, const double *alignments, rls2__weighting *weighting)
{
    rls2__weigh(rule, basis, alignments, weighting);
    if (weighting->count > 0 || outputs == 1 || !is_constant(basis->n, y)) return;
    for (int64_t k = 0; k < basis->m && weighting->count == 0; k++)
        append(weighting, k, basis->s[k] > 0.0 ? 1.0 : 0.0);
}

/* ---- outputs that are one distribution ---- */

/* The classes of a multinomial loss cannot be fitted one by one: they share the weights of a
 * baseline, as they do those of the path. */
static int are_coupled(const task *t)
{
    return t->options->loss.kind == RLS2_LOSS_MULTINOMIAL;
}

static rls2_status fit_coupled(const task *t, rls2_baseline which, const rls2_basis *basis,
                               const rls2__weighting *weighting, rls2_error *err)
{
    rls2_path **paths = rls2__alloc_zero(t->outputs, sizeof *paths);
    if (!paths) return rls2__fail_memory(err, "the baselines");
    rls2_status status =
        rls2__paths_fixed(basis, t->outputs, t->y, weighting->count, weighting->ks, weighting->d,
                          t->count, t->lambdas, t->options, t->control, paths, err);
    for (int64_t o = 0; o < t->outputs && status == RLS2_OK; o++)
        status = t->take(t->user, which, o, paths[o], err);
    for (int64_t o = 0; o < t->outputs; o++) rls2__path_destroy(paths[o]);
    rls2__free(paths);
    return status;
}

/* a_k summed over the outputs, which is that of their signs side by side. */
static rls2_status fit_rule_coupled(const task *t, rls2_baseline rule, const rls2_basis *basis,
                                    const double *alignments, rls2__weighting *weighting,
                                    rls2_error *err)
{
    double *sums = rls2__alloc_zero(basis->m, sizeof *sums);
    if (!sums) return rls2__fail_memory(err, "the baselines");
    for (int64_t o = 0; o < t->outputs; o++)
        rls2__la_axpy(basis->m, 1.0, alignments + o * basis->m, sums);
    rls2__weigh(rule, basis, sums, weighting);
    rls2__free(sums);
    return weighting->count > 0 ? fit_coupled(t, rule, basis, weighting, err) : RLS2_OK;
}

/* All outputs by one rule, as far as it gives weights. alignments: kernels x outputs. */
static rls2_status fit_rule(const task *t, rls2_baseline rule, const rls2__fit *fit,
                            const double *alignments, rls2__weighting *weighting, rls2_error *err)
{
    rls2_status status = RLS2_OK;
    if (are_coupled(t)) return fit_rule_coupled(t, rule, fit->bases[0], alignments, weighting, err);
    for (int64_t o = 0; o < t->outputs && status == RLS2_OK; o++) {
        const rls2_basis *basis = fit->bases[o];
        rls2__weigh_output(rule, t->outputs, basis, t->y + o * basis->n, alignments + o * basis->m,
                           weighting);
        if (weighting->count == 0) return RLS2_OK;
        status = fit_weights(t, rule, o, basis, weighting, err);
    }
    return status;
}

static rls2_status fit_averages(const task *t, const rls2__fit *fit, rls2_error *err)
{
    static const rls2_baseline rules[] = {RLS2_BASELINE_UNIFORM, RLS2_BASELINE_ALIGNMENT,
                                          RLS2_BASELINE_SINGLE};
    rls2__weighting weighting = {0};
    int64_t m = fit->basis->m;
    double *alignments = rls2__alloc(rls2__mul(m, t->outputs), sizeof(double));
    rls2_status status =
        alignments ? rls2__weighting_create(fit->basis, &weighting) : RLS2_ERR_MEMORY;
    for (int64_t o = 0; o < t->outputs && status == RLS2_OK; o++)
        status = rls2__align(t->options, t->control, t->count, fit->bases[o],
                             t->y + o * fit->bases[o]->n, alignments + o * m);
    if (status == RLS2_ERR_CANCELLED) rls2__fail(err, status, "the baselines were stopped");
    if (status == RLS2_ERR_MEMORY) rls2__fail_memory(err, "the baselines");
    for (int i = 0; i < 3 && status == RLS2_OK; i++)
        status = fit_rule(t, rules[i], fit, alignments, &weighting, err);
    rls2__weighting_free(&weighting);
    rls2__free(alignments);
    return status;
}

/* The inputs may be all zero, or overflow when squared, where the dictionary's own kernels did
 * well. */
static int can_be_scaled(const rls2_rows *rows)
{
    double length = rows->p > 0 ? rls2__la_norm(rows->n * rows->p, rows->x) : 0.0;
    double inverse = 1.0 / (length * length);
    return isfinite(inverse) && inverse > 0.0;
}

static rls2_status fit_ridge(const task *t, const rls2__fit *fit, rls2_error *err)
{
    int64_t first = 0;
    double one = 1.0;
    const rls2__weighting all = {1, &first, &one};
    rls2_dictionary *dictionary = NULL;
    rls2_basis *basis = NULL;
    rls2_columns columns = {.count = fit->rows.p, .names = rls2_dataset_names(fit->data)};
    rls2_basis_options options;
    rls2_basis_options_init(&options, sizeof options);
    options.row_weights = fit->weights;
    if (!can_be_scaled(&fit->rows)) return RLS2_OK;
    rls2_status status = rls2_dictionary_create("linear@all", &columns, &dictionary, err);
    if (status == RLS2_OK)
        status = rls2_basis_create(dictionary, &fit->rows, &options, t->control, &basis, err);
    if (status == RLS2_OK && are_coupled(t))
        status = fit_coupled(t, RLS2_BASELINE_RIDGE, basis, &all, err);
    for (int64_t o = 0; o < t->outputs && status == RLS2_OK && !are_coupled(t); o++)
        status = fit_weights(t, RLS2_BASELINE_RIDGE, o, basis, &all, err);
    rls2_basis_free(basis);
    rls2_dictionary_free(dictionary);
    return status;
}

rls2_status rls2__fit_baselines(const rls2__recipe *recipe, const rls2__fit *fit, int64_t count,
                                const double *lambdas, const rls2_control *control,
                                rls2__baseline_fn take, void *take_user, rls2_error *err)
{
    rls2_control own = *control;
    const rls2_path_options options = rls2__fit_path_options(recipe, fit);
    task t = {recipe, fit,  fit->outputs, rls2_dataset_y(fit->data), count, lambdas, &options,
              &own,   take, take_user};
    rls2_status status = rls2__la_enter_team(&own.threads, err);
    if (status != RLS2_OK) return status;
    status = fit_averages(&t, fit, err);
    if (status == RLS2_OK) status = fit_ridge(&t, fit, err);
    rls2__la_leave();
    return status;
}

/* ---- no inputs at all ---- */

rls2_status rls2__best_constants(const rls2__recipe *recipe, const rls2__fit *fit,
                                 double *constants, rls2_error *err)
{
    int64_t n = fit->basis->n, outputs = fit->outputs;
    rls2_path_options options = recipe->path;
    const double *y = rls2_dataset_y(fit->data);
    double curvature = 0.0, *out = rls2__alloc(rls2__mul(n, outputs), sizeof *out);
    options.intercept = RLS2_INTERCEPT_FREE; /* whatever the rule of the path is */
    if (!out) return rls2__fail_memory(err, "the baselines");
    if (options.loss.kind == RLS2_LOSS_MULTINOMIAL)
        curvature = rls2__null_responses(fit->bases[0], outputs, y, &options, constants, out);
    for (int64_t o = 0; o < outputs && options.loss.kind != RLS2_LOSS_MULTINOMIAL; o++) {
        const rls2_path_options own = rls2__options_of(&options, recipe->losses, o);
        rls2__null_response(fit->bases[o], y + o * n, &own, &constants[o], out);
    }
    rls2__free(out);
    return curvature < 0.0 ? rls2__fail_memory(err, "the baselines") : RLS2_OK;
}
