/* Scores of predictions: which measures go with a loss, and their values. */
#include "cli/score.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- measures ---- */

/* What a reader wants to know beside the measure of the loss: of classes how many are right, of
 * numbers the usual error. A quantile is no mean, and its squared error means nothing. */
static void add_measures(scoring *by, int classification)
{
    rls2_loss loss = by->losses[0];
    rls2_measure first = rls2_measure_default_for(loss, classification, by->outputs);
    by->of[by->count++] = first;
    if (classification && first != RLS2_MEASURE_ACCURACY)
        by->of[by->count++] = RLS2_MEASURE_ACCURACY;
    if (!classification && loss.kind != RLS2_LOSS_SQUARE && loss.kind != RLS2_LOSS_QUANTILE)
        by->of[by->count++] = by->outputs > 1 ? RLS2_MEASURE_R2 : RLS2_MEASURE_RMSE;
}

static int start(const settings *s, int64_t outputs, scoring *by)
{
    *by = (scoring){.outputs = outputs};
    by->losses = calloc((size_t)outputs, sizeof *by->losses);
    return by->losses ? EXIT_OK : out_of_memory(s);
}

int scoring_of_fit(const settings *s, const rls2_fit *fit, scoring *by)
{
    int code = start(s, rls2_fit_outputs(fit), by);
    if (code != EXIT_OK) return code;
    for (int64_t o = 0; o < by->outputs; o++) by->losses[o] = rls2_path_loss(rls2_fit_path(fit, o));
    add_measures(by, rls2_dataset_is_classification(rls2_fit_data(fit)));
    return EXIT_OK;
}

int scoring_of_model(const settings *s, const rls2_model *model, scoring *by)
{
    int code = start(s, rls2_model_outputs(model), by);
    if (code != EXIT_OK) return code;
    for (int64_t o = 0; o < by->outputs; o++)
        by->losses[o] = rls2_model_loss(rls2_model_output(model, o));
    add_measures(by, rls2_model_is_classification(model));
    return EXIT_OK;
}

void scoring_free(scoring *by)
{
    free(by->losses);
    *by = (scoring){0};
}

double scoring_value(const scoring *by, int k, int64_t n, const double *f, const double *y,
                     const double *w)
{
    return rls2_measure_value_of(by->of[k], by->losses, by->outputs, n, f, y, w);
}

const char *scoring_name(const scoring *by, int k)
{
    return rls2_measure_name(by->of[k]);
}

/* ---- comparing ---- */

static double rounded(double value)
{
    char text[32];
    snprintf(text, sizeof text, "%.4g", value);
    return strtod(text, NULL);
}

int score_is_better(rls2_measure measure, double a, double b)
{
    return rls2_measure_rises(measure) ? rounded(a) > rounded(b) : rounded(a) < rounded(b);
}

/* ---- the loss in words ---- */

rls2_intercept intercept_of(const rls2_model *model)
{
    const rls2_model *one = rls2_model_output(model, 0);
    if (rls2_model_intercept_is_free(model)) return RLS2_INTERCEPT_FREE;
    return rls2_model_intercept(one) != 0.0 ? RLS2_INTERCEPT_MEAN : RLS2_INTERCEPT_NONE;
}

const char *intercept_name(rls2_intercept intercept)
{
    if (intercept == RLS2_INTERCEPT_FREE) return "free";
    return intercept == RLS2_INTERCEPT_MEAN ? "mean" : "none";
}

loss_words loss_in_words(rls2_loss loss, rls2_intercept intercept)
{
    loss_words made = {""};
    char name[40];
    const char *fixed =
        intercept == RLS2_INTERCEPT_MEAN ? "intercept the best constant" : "no intercept";
    if (loss.kind != RLS2_LOSS_SQUARE || intercept == RLS2_INTERCEPT_FREE)
        snprintf(made.text, sizeof made.text, "%s, %s", rls2_loss_text(loss, name, sizeof name),
                 intercept == RLS2_INTERCEPT_FREE ? "intercept free" : fixed);
    return made;
}
