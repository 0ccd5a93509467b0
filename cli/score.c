/* Scores of predictions: which measures go with a loss, and their values. */
#include "cli/score.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* "quantile(0.1,0.5,0.9)"; of very many the first. */
static loss_words name_losses(int64_t count, const rls2_loss *losses)
{
    loss_words made;
    char one[40];
    size_t used;
    rls2_loss_text(losses[0], made.text, sizeof made.text);
    if (count < 2 || losses[0].kind != RLS2_LOSS_QUANTILE ||
        losses[1].parameter == losses[0].parameter)
        return made;
    used = strlen(made.text) - 1; /* without the parenthesis */
    for (int64_t o = 1; o < count; o++) {
        int full = used > sizeof made.text - 24;
        snprintf(one, sizeof one, full ? "..." : "%g", losses[o].parameter);
        used += (size_t)snprintf(made.text + used, sizeof made.text - used, ",%s", one);
        if (full) break;
    }
    snprintf(made.text + used, sizeof made.text - used, ")");
    return made;
}

loss_words loss_name_of_plan(const settings *s)
{
    rls2_loss losses[RLS2_LOSS_LEVELS] = {rls2_plan_loss(s->plan)};
    int64_t count = 1;
    if (losses[0].kind == RLS2_LOSS_QUANTILE) /* the plan has the first of several */
        rls2_losses_parse(asked(s, "loss"), losses, &count, NULL);
    return name_losses(count, losses);
}

loss_words loss_name_of_model(const rls2_model *model)
{
    rls2_loss losses[RLS2_LOSS_LEVELS];
    int64_t count = rls2_model_outputs(model);
    if (count > RLS2_LOSS_LEVELS) count = RLS2_LOSS_LEVELS;
    for (int64_t o = 0; o < count; o++) losses[o] = rls2_model_loss(rls2_model_output(model, o));
    return name_losses(count, losses);
}

static loss_words add_rules(loss_words name, rls2_loss_kind kind, rls2_intercept intercept,
                            int shared)
{
    loss_words made = {""};
    const char *fixed =
        intercept == RLS2_INTERCEPT_MEAN ? "intercept the best constant" : "no intercept";
    if (kind == RLS2_LOSS_SQUARE && intercept != RLS2_INTERCEPT_FREE && !shared) return made;
    snprintf(made.text, sizeof made.text, "%.100s, %s%s", name.text,
             intercept == RLS2_INTERCEPT_FREE ? "intercept free" : fixed,
             shared ? ", shared kernel weights" : "");
    return made;
}

loss_words loss_of_plan(const settings *s)
{
    int shared = strcmp(asked(s, "outputs"), "shared") == 0 &&
                 rls2_dataset_outputs(rls2_plan_data(s->plan, RLS2_PART_TRAINING)) > 1;
    return add_rules(loss_name_of_plan(s), rls2_plan_loss(s->plan).kind,
                     rls2_plan_intercept(s->plan), shared);
}

loss_words loss_of_model(const rls2_model *model)
{
    return add_rules(loss_name_of_model(model), rls2_model_loss(model).kind, intercept_of(model),
                     rls2_model_shares_weights(model));
}
