/* Public functions of rls2/fit.h. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/control.h"
#include "base/crew.h"
#include "base/effort.h"
#include "la/threads.h"
#include "model/model.h"
#include "plan/fit.h"
#include "plan/fit_stack.h"
#include "plan/fit_tall.h"
#include "plan/plan_interval.h"
#include "select/stability.h"
#include "select/cv.h"
#include "solver/path.h"
#include "solver/path_fitted.h"

void rls2_fit_free(rls2_fit *fit)
{
    if (!fit) return;
    rls2_model_free(fit->model);
    rls2_cv_free(fit->cv);
    rls2__free(fit->criteria);
    rls2__free(fit->points);
    rls2__free(fit->lambdas);
    rls2__free(fit->left_out_f);
    rls2__fit_stack_free(fit->stack);
    rls2__stable_free(fit->stable);
    if (fit->tall) { /* whose they are */
        fit->made.paths = NULL;
        fit->made.bases = NULL;
        fit->made.basis = NULL;
    }
    rls2__fit_release(&fit->made);
    rls2__tall_free(fit->tall);
    rls2__free(fit);
}

/* ---- what there is ---- */

const rls2_dataset *rls2_fit_data(const rls2_fit *fit)
{
    return fit ? fit->plan->train.data : NULL;
}

const rls2_dataset *rls2_fit_test(const rls2_fit *fit)
{
    return fit ? fit->plan->test.data : NULL;
}

const rls2_dictionary *rls2_fit_dictionary(const rls2_fit *fit)
{
    if (!fit) return NULL;
    return fit->made.dictionary ? fit->made.dictionary : fit->plan->ingredients.dictionary;
}

int64_t rls2_fit_outputs(const rls2_fit *fit)
{
    return fit ? rls2_dataset_outputs(rls2_fit_data(fit)) : 0;
}

static int has_output(const rls2_fit *fit, int64_t o)
{
    return fit && o >= 0 && o < fit->made.outputs;
}

const rls2_basis *rls2_fit_basis(const rls2_fit *fit, int64_t o)
{
    return has_output(fit, o) && fit->made.bases ? fit->made.bases[o] : NULL;
}

const rls2_path *rls2_fit_path(const rls2_fit *fit, int64_t o)
{
    return has_output(fit, o) && fit->made.paths ? fit->made.paths[o] : NULL;
}

int64_t rls2_fit_count(const rls2_fit *fit)
{
    return fit ? fit->count : 0;
}

int64_t rls2_fit_asked(const rls2_fit *fit)
{
    return fit ? fit->asked : 0;
}

static int has_point(const rls2_fit *fit, int64_t i)
{
    return fit && i >= 0 && i < fit->count;
}

const rls2_path_point *rls2_fit_at(const rls2_fit *fit, int64_t i)
{
    return has_point(fit, i) && fit->points ? &fit->points[i] : NULL;
}

double rls2_fit_seconds(const rls2_fit *fit)
{
    return fit ? fit->seconds : (double)NAN;
}

const rls2_cv *rls2_fit_cv(const rls2_fit *fit)
{
    return fit ? fit->cv : NULL;
}

int64_t rls2_fit_chosen(const rls2_fit *fit)
{
    return fit ? fit->chosen : -1;
}

const rls2_model *rls2_fit_chosen_model(const rls2_fit *fit)
{
    return fit ? fit->model : NULL;
}

/* ---- criteria ---- */

double rls2_criterion(const rls2_criteria *criteria, const char *word)
{
    if (!criteria || !word) return (double)NAN;
    if (strcmp(word, "gcv") == 0) return criteria->gcv;
    if (strcmp(word, "cp") == 0) return criteria->cp;
    if (strcmp(word, "aic") == 0) return criteria->aic;
    if (strcmp(word, "bic") == 0) return criteria->bic;
    return strcmp(word, "loo") == 0 ? criteria->loo : (double)NAN;
}

/* The sum over the outputs: each is a fit of its own with noise of its own. */
static void add_criteria(rls2_criteria *sum, const rls2_criteria *one)
{
    sum->df += one->df;
    sum->rss += one->rss;
    sum->gcv += one->gcv;
    sum->cp += one->cp;
    sum->aic += one->aic;
    sum->bic += one->bic;
    sum->loo += one->loo;
}

/* Degrees of freedom that the path went without. */
static void adopt_df(rls2_fit *fit, int64_t o, const rls2_criteria *one)
{
    rls2_path *path = fit->made.paths[o];
    for (int64_t i = 0; i < rls2_path_count(path); i++)
        if (isnan(path->entries[i].point.df)) path->entries[i].point.df = one[i].df;
}

static void adopt_df_sums(rls2_fit *fit)
{
    for (int64_t i = 0; i < fit->count; i++)
        if (isnan(fit->points[i].df)) fit->points[i].df = fit->criteria[i].df;
}

rls2_status rls2_fit_criteria(rls2_fit *fit, const rls2_control *control, rls2_error *err)
{
    if (!fit) return rls2__fail_null(err, "fit");
    if (fit->criteria) return RLS2_OK;
    if (!fit->made.paths) return rls2__fail(err, RLS2_ERR_ARGUMENT, "the fit has no path");
    rls2_control own = rls2__control_of(control);
    int64_t longest = fit->count;
    for (int64_t o = 0; o < fit->made.outputs; o++)
        if (rls2_path_count(fit->made.paths[o]) > longest)
            longest = rls2_path_count(fit->made.paths[o]);
    rls2_criteria *one = rls2__alloc_zero(longest, sizeof *one),
                  *sums = rls2__alloc_zero(fit->count, sizeof *sums);
    rls2_status status = one && sums ? RLS2_OK : rls2__fail_memory(err, "the criteria");
    for (int64_t o = 0; o < fit->made.outputs && status == RLS2_OK; o++) {
        status = rls2_path_criteria(fit->made.paths[o], &own, one, sizeof *one, err);
        if (status == RLS2_OK) adopt_df(fit, o, one);
        for (int64_t i = 0; i < fit->count && status == RLS2_OK; i++)
            add_criteria(&sums[i], &one[i]);
    }
    rls2__free(one);
    if (status != RLS2_OK) {
        rls2__free(sums);
        return status;
    }
    fit->criteria = sums;
    adopt_df_sums(fit);
    return RLS2_OK;
}

const rls2_criteria *rls2_fit_criteria_at(const rls2_fit *fit, int64_t i)
{
    return has_point(fit, i) && fit->criteria ? &fit->criteria[i] : NULL;
}

int64_t rls2_fit_least(const rls2_fit *fit, const char *word)
{
    int64_t best = -1;
    double least = (double)NAN;
    for (int64_t i = 0; fit && fit->criteria && i < fit->count; i++) {
        double value = rls2_criterion(&fit->criteria[i], word);
        if (!isfinite(value) || (best >= 0 && !(value < least))) continue;
        best = i;
        least = value;
    }
    return best;
}

int64_t rls2_fit_path_choice(const rls2_fit *fit, const char **word)
{
    static const char *const WORDS[] = {"gcv", "aic"};
    int64_t point = -1;
    size_t i = 0;
    while (point < 0 && i < sizeof WORDS / sizeof *WORDS) point = rls2_fit_least(fit, WORDS[i++]);
    if (point > 0 && point == rls2_fit_asked(fit) - 1) point = -1;
    if (word) *word = point >= 0 ? WORDS[i - 1] : NULL;
    return point;
}

/* ---- models and predictions ---- */

static rls2_status check_point(const rls2_fit *fit, int64_t i, rls2_error *err)
{
    if (!fit) return rls2__fail_null(err, "fit");
    if (has_point(fit, i)) return RLS2_OK;
    return rls2__fail(err, RLS2_ERR_ARGUMENT,
                      "there is no lambda %" PRId64 ": the fit has %" PRId64, i, fit->count);
}

/* At another point the model is that of a lambda which was given, to the bit; and the curve may be
 * on lambdas of its own. */
static int is_chosen_on_curve(const rls2_fit *fit, int64_t i)
{
    const rls2_cv_point *point = i == fit->chosen ? rls2_cv_at(fit->cv, i) : NULL;
    double lambda = fit->points[i].lambda;
    return point && !(point->lambda < lambda) && !(point->lambda > lambda);
}

/* On one thread of BLAS, as the fit was: more of them would sum in another order. */
static rls2_status make_tall(const rls2_fit *fit, int64_t i, rls2_model **model, rls2_error *err)
{
    rls2_status status = rls2__la_enter(err);
    if (status != RLS2_OK) return status;
    status = rls2__tall_model(fit, i, model, err);
    rls2__la_leave();
    return status;
}

rls2_status rls2_fit_model(const rls2_fit *fit, int64_t i, rls2_model **model, rls2_error *err)
{
    rls2_model *made = NULL;
    if (!model) return rls2__fail_null(err, "model");
    rls2_status status = check_point(fit, i, err);
    if (status == RLS2_OK && fit->tall)
        status = make_tall(fit, i, &made, err);
    else if (status == RLS2_OK)
        status = rls2_model_create(fit->made.outputs, (const rls2_path *const *)fit->made.paths, i,
                                   &made, err);
    if (status == RLS2_OK) status = rls2_model_attach(made, fit->made.data, err);
    if (status == RLS2_OK && fit->tall && (fit->tall->stats || fit->tall->borrows))
        rls2__model_forget_rows(made); /* the data are a sample */
    if (status == RLS2_OK && is_chosen_on_curve(fit, i) &&
        rls2__cv_tell_model(fit->cv, i, made) != RLS2_OK)
        status = rls2__fail_memory(err, "the shares of the kernels");
    if (status == RLS2_OK && i == fit->chosen) status = rls2__fit_tell_stack(fit, made, err);
    if (status == RLS2_OK && i == fit->chosen) status = rls2__fit_tell_intervals(fit, made, err);
    if (status == RLS2_OK && i == fit->chosen && fit->stable &&
        rls2__stable_tell_model(fit->stable, made) != RLS2_OK)
        status = rls2__fail_memory(err, "what halves selected");
    if (status == RLS2_OK)
        *model = made;
    else
        rls2_model_free(made);
    return status;
}

static rls2_status check_rows(const rls2_fit *fit, rls2_part part, const double *f, rls2_error *err)
{
    if (!f) return rls2__fail_null(err, "f");
    if (part != RLS2_PART_TRAINING && part != RLS2_PART_TEST)
        return rls2__fail(err, RLS2_ERR_ARGUMENT, "part is %d, not training or test rows",
                          (int)part);
    if (part == RLS2_PART_TEST && fit && !fit->made.test)
        return rls2__fail(err, RLS2_ERR_ARGUMENT, "the fit has no test rows");
    return RLS2_OK;
}

static const rls2_rows *rows_of(const rls2_fit *fit, rls2_part part)
{
    return part == RLS2_PART_TEST ? &fit->made.test_rows : &fit->made.rows;
}

/* The training rows at points first .. first + count - 1, to f[rows x outputs x count], where the
 * stored kernels will do for all of them. */
static int has_fitted(const rls2_fit *fit, rls2_part part, int64_t first, int64_t count)
{
    if (fit->tall) return 0;
    for (int64_t o = 0; o < fit->made.outputs; o++)
        for (int64_t i = first; i < first + count; i++)
            if (!rls2__path_has_fitted(fit->made.paths[o], i)) return 0;
    return part == RLS2_PART_TRAINING;
}

static rls2_status explain_fitted(rls2_status status, int64_t count, const double *f,
                                  rls2_error *err)
{
    if (status != RLS2_OK) return rls2__explain(status, "the predictions", err);
    for (int64_t i = 0; i < count; i++)
        if (!isfinite(f[i]))
            return rls2__fail(err, RLS2_ERR_VALUE, "a prediction of the training rows overflows");
    return RLS2_OK;
}

static rls2_status predict_fitted(const rls2_fit *fit, int64_t first, int64_t count,
                                  const rls2_control *control, double *f, rls2_error *err)
{
    rls2__effort effort;
    rls2_control own = rls2__control_of(control);
    int64_t n = fit->made.rows.n, outputs = fit->made.outputs;
    own.threads = rls2__thread_count(own.threads);
    rls2_status status = rls2__la_enter_team(&own.threads, err);
    if (status != RLS2_OK) return status;
    rls2__effort_begin(&own, "rows", n, &effort);
    for (int64_t i = 0; i < count && status == RLS2_OK; i++)
        for (int64_t o = 0; o < outputs && status == RLS2_OK; o++)
            status = rls2__path_fitted(&effort, fit->made.paths[o], first + i,
                                       f + (i * outputs + o) * n);
    rls2__la_leave();
    return explain_fitted(status, n * outputs * count, f, err);
}

rls2_status rls2_fit_predict(const rls2_fit *fit, int64_t i, rls2_part part, double *f,
                             rls2_error *err)
{
    rls2_model *own = NULL;
    rls2_status status = check_point(fit, i, err);
    if (status == RLS2_OK) status = check_rows(fit, part, f, err);
    if (status != RLS2_OK) return status;
    int stacked = fit->stack && i == fit->chosen;
    if (!stacked && has_fitted(fit, part, i, 1)) return predict_fitted(fit, i, 1, NULL, f, err);
    if (fit->tall && part == RLS2_PART_TRAINING) return rls2__tall_fitted(fit, i, f, err);
    const rls2_model *model = i == fit->chosen ? fit->model : NULL;
    if (!model) {
        status = rls2_fit_model(fit, i, &own, err);
        model = own;
    }
    if (status == RLS2_OK) status = rls2_model_predict(model, rows_of(fit, part), NULL, f, err);
    rls2_model_free(own);
    return status;
}

/* What the points of one output say, from n x points to their places among all outputs. */
static rls2_status predict_output(const rls2_fit *fit, int64_t o, const rls2_rows *rows,
                                  const rls2_control *control, double *f, rls2_error *err)
{
    const rls2_path *path = fit->made.paths[o];
    int64_t n = rows->n, points = rls2_path_count(path), outputs = fit->made.outputs;
    if (outputs == 1 && points == fit->count)
        return rls2_path_predict_watched(path, rows, control, f, err);
    double *own = rls2__alloc(rls2__mul(n, points), sizeof *own);
    if (!own) return rls2__fail_memory(err, "the predictions");
    rls2_status status = rls2_path_predict_watched(path, rows, control, own, err);
    for (int64_t i = 0; i < fit->count && status == RLS2_OK; i++)
        memcpy(f + (i * outputs + o) * n, own + i * n, (size_t)n * sizeof *f);
    rls2__free(own);
    return status;
}

rls2_status rls2_fit_predict_path(const rls2_fit *fit, rls2_part part, double *f, rls2_error *err)
{
    return rls2_fit_predict_path_watched(fit, part, &rls2__control_alone, f, err);
}

rls2_status rls2_fit_predict_path_watched(const rls2_fit *fit, rls2_part part,
                                          const rls2_control *control, double *f, rls2_error *err)
{
    if (!fit) return rls2__fail_null(err, "fit");
    if (!fit->made.paths) return rls2__fail(err, RLS2_ERR_ARGUMENT, "the fit has no path");
    rls2_status status = check_rows(fit, part, f, err);
    if (status == RLS2_OK) status = rls2__control_check(control, err);
    if (status == RLS2_OK && has_fitted(fit, part, 0, fit->count))
        return predict_fitted(fit, 0, fit->count, control, f, err);
    int64_t each = rows_of(fit, part)->n * fit->made.outputs;
    for (int64_t i = 0; fit->tall && i < fit->count && status == RLS2_OK; i++)
        status = rls2_fit_predict(fit, i, part, f + i * each, err);
    for (int64_t o = 0; !fit->tall && o < fit->made.outputs && status == RLS2_OK; o++)
        status = predict_output(fit, o, rows_of(fit, part), control, f, err);
    return status;
}
