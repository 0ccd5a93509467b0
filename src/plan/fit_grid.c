/* The grid of lambda that is found from the data.
 *
 * It begins where next to nothing of the inputs is left in the prediction, so that a constant is
 * among what is compared. While its smallest value is the best it goes on, until the curve is flat:
 * then the rows are interpolated, and smaller values predict the same. */
#include "plan/fit_grid.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "select/cv.h"

#define NAME(setting) rls2__plan_name(plan, setting).text

enum { DECADE = 5 }; /* values */

int rls2__plan_finds_lambdas(const rls2_plan *plan)
{
    return plan->lambda_count == 0 && plan->asked.lambda_count == 0 &&
           isnan(plan->asked.lambda_ratio);
}

/* ---- further down ---- */

/* What the last decade brought is less than a hundredth of what is known of the best, or a
 * thousandth of it where that is not known. */
int rls2__curve_goes_on(const rls2_cv *cv)
{
    int64_t last = cv->count - 1;
    if (cv->best != last || last < DECADE) return 0;
    const rls2_cv_point *best = &cv->points[last], *before = &cv->points[last - DECADE];
    double least = best->cvsd > 0.0 ? 0.01 * best->cvsd : 1e-3 * fabs(best->cvm);
    return !(fabs(before->cvm - best->cvm) <= least);
}

/* How many rows there are, a row of weight 2 being two. */
static double count_rows(const rls2_dataset *data)
{
    const double *w = rls2_dataset_row_weights(data);
    double rows = 0.0;
    for (int64_t i = 0; i < rls2_dataset_rows(data); i++) rows += w ? w[i] : 1.0;
    return rows;
}

/* Class weights say how much rows matter, not how many there are: criteria then have no number of
 * rows to hold degrees of freedom against, and may fall for ever. */
static int has_criteria_without_end(const rls2_plan *plan)
{
    return plan->asked.class_weights != NULL;
}

int rls2__criterion_goes_on(const rls2_fit *fit, const char *word, int64_t least)
{
    static const double ALL = 0.99; /* of the degrees of freedom: the rows are interpolated */
    int64_t last = fit->count - 1;
    double rows = count_rows(rls2_fit_data(fit)) * (double)rls2_fit_outputs(fit);
    if (least != last || last < DECADE || !(fit->points[last].df < ALL * rows)) return 0;
    if (has_criteria_without_end(fit->plan)) return 0;
    double best = rls2_criterion(&fit->criteria[last], word),
           before = rls2_criterion(&fit->criteria[last - DECADE], word);
    return !(fabs(before - best) <= 1e-3 * fabs(best));
}

rls2_status rls2__grid_spread(rls2_fit *fit, rls2_error *err)
{
    int64_t count = fit->grid.count;
    double *lambdas = rls2__alloc(count, sizeof *lambdas);
    if (!lambdas) return rls2__fail_memory(err, "the lambdas");
    rls2_status status =
        rls2_lambda_grid(rls2__lambda_bottom(&fit->grid), fit->grid.top, count, lambdas, err);
    if (status != RLS2_OK) {
        rls2__free(lambdas);
        return status;
    }
    rls2__free(fit->lambdas);
    fit->lambdas = lambdas;
    fit->asked = count;
    return RLS2_OK;
}

rls2_status rls2__grid_extend(rls2_fit *fit, int *done, rls2_error *err)
{
    *done = rls2__lambda_extend(&fit->grid);
    if (!*done) return RLS2_OK;
    rls2__plan_say(fit->plan, "the smallest lambda was the best: the grid goes on down to %.3g",
                   rls2__lambda_bottom(&fit->grid));
    return rls2__grid_spread(fit, err);
}

rls2_status rls2__grid_lengthen(rls2_fit *fit, int *longer, rls2_error *err)
{
    size_t size = (size_t)fit->count * sizeof *fit->lambdas;
    double *old = rls2__alloc(fit->count, sizeof *old);
    if (!old) return rls2__fail_memory(err, "the lambdas");
    memcpy(old, fit->lambdas, size);
    rls2_status status = rls2__grid_extend(fit, longer, err);
    if (status == RLS2_OK && *longer) memcpy(fit->lambdas, old, size);
    rls2__free(old);
    return status;
}

/* ---- notes ---- */

static double share_of_largest_class(const rls2_dataset *data)
{
    const int64_t *classes = rls2_dataset_classes(data);
    const double *w = rls2_dataset_row_weights(data);
    double largest = 0.0, all = 0.0;
    for (int64_t k = 0; k < rls2_dataset_class_count(data); k++) {
        double rows = 0.0;
        for (int64_t i = 0; i < rls2_dataset_rows(data); i++)
            if (classes[i] == k) rows += w ? w[i] : 1.0;
        largest = fmax(largest, rows);
        all += rows;
    }
    return largest / all;
}

/* What the same answer for every row gets; infinite where that is not known. */
static double score_of_one_class(const rls2_plan *plan)
{
    const rls2_dataset *data = rls2_plan_split_data(plan);
    switch (plan->measure) {
    case RLS2_MEASURE_ACCURACY: return share_of_largest_class(data);
    case RLS2_MEASURE_BALANCED_ACCURACY: return 1.0 / (double)rls2_dataset_class_count(data);
    case RLS2_MEASURE_AUC: return 0.5;
    default: return -HUGE_VAL;
    }
}

/* Where classes are told apart at the largest lambda already, it is the best of equals. */
static void note_largest(rls2_plan *plan, const rls2_cv *cv)
{
    if (cv && rls2_measure_is_for_classes(cv->measure) &&
        cv->points[0].cvm > score_of_one_class(plan))
        return;
    rls2__plan_say(plan, "no input helps: the largest lambda is the best, where the prediction is "
                         "almost a constant");
}

/* By how much the best lambda is better than the largest, split by split, is less than the standard
 * error of that; 0 where it cannot be told. */
static int is_chance(const rls2_cv *cv, int64_t best)
{
    double sum = 0.0, squares = 0.0, n = (double)cv->splits;
    for (int64_t s = 0; s < cv->splits; s++)
        sum += cv->scores[s] - cv->scores[best * cv->splits + s];
    for (int64_t s = 0; s < cv->splits; s++) {
        double rest = cv->scores[s] - cv->scores[best * cv->splits + s] - sum / n;
        squares += rest * rest;
    }
    return cv->splits > 1 && fabs(sum / n) <= sqrt(squares / (n - 1.0) / n);
}

static void note_inside(rls2_plan *plan, const rls2_cv *cv, int64_t best)
{
    if (cv && !cv->pooled && !rls2_measure_is_for_classes(cv->measure) && is_chance(cv, best))
        rls2__plan_say(plan, "the inputs hardly help: the best lambda is better than a constant by "
                             "less than the standard error");
}

void rls2__grid_note(rls2_plan *plan, const rls2_cv *cv, int64_t best, int64_t count)
{
    int finds = rls2__plan_finds_lambdas(plan);
    if (count < 2) return;
    if (finds && best > 0) note_inside(plan, cv, best);
    if (best > 0 && best < count - 1) return;
    int ended = finds && !(best > 0 && !cv && has_criteria_without_end(plan));
    if (!ended)
        rls2__plan_say(plan, "the best lambda is the %s of the grid; %s can look further",
                       best == 0 ? "largest" : "smallest", NAME("lambdas"));
    else if (best == 0)
        note_largest(plan, cv);
    else
        rls2__plan_say(plan, "the smallest lambda is the best; smaller ones predict the same");
}

int64_t rls2__grid_next_stop(const rls2_fit *fit)
{
    int64_t sure = fit->asked - RLS2__SURE_VALUES, next = fit->count + RLS2__PILOT_MARGIN;
    if (fit->count == 0 && next < sure) next = sure;
    return next < fit->asked ? next : fit->asked;
}
