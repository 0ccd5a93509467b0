/* rls2 train: chooses lambda, fits, and saves the model. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "cli/interval_report.h"
#include "cli/represented.h"
#include "cli/interrupt.h"
#include "cli/json.h"
#include "cli/learn/curve_report.h"
#include "cli/learn/fit_report.h"
#include "cli/learn/learning.h"
#include "cli/importance.h"
#include "cli/stability_report.h"
#include "cli/stack_report.h"

/* The value of --select's criterion at the point that was chosen by it; NaN otherwise. */
static double criterion_of(const settings *s, const rls2_fit *fit)
{
    const rls2_criteria *criteria = rls2_fit_criteria_at(fit, rls2_fit_chosen(fit));
    return criteria ? rls2_criterion(criteria, asked(s, "select")) : (double)NAN;
}

/* ---- JSON ---- */

static void json_curve(json *j, const settings *s, const rls2_cv *cv, int64_t chosen)
{
    const rls2_cv_point *point = rls2_cv_at(cv, chosen);
    json_object(j, "cv");
    json_text(j, "rule", asked(s, "rule"));
    json_text(j, "measure", rls2_measure_name(rls2_cv_measure(cv)));
    json_number(j, "cvm", point->cvm);
    json_number(j, "cvsd", point->cvsd);
    json_number(j, "lambda.min", rls2_cv_at(cv, rls2_cv_min(cv))->lambda);
    json_number(j, "lambda.1se", rls2_cv_at(cv, rls2_cv_1se(cv))->lambda);
    json_baselines(j, cv);
    json_end_object(j);
}

static void print_json(const settings *s, const learning *l, const fit_scores *scores,
                       const stable_items *stable, FILE *file)
{
    const rls2_fit *fit = l->fit;
    json j = json_start(file);
    double criterion = criterion_of(s, fit);
    fit_json(&j, s, scores);
    if (rls2_fit_cv(fit))
        json_curve(&j, s, rls2_fit_cv(fit), rls2_fit_chosen(fit));
    else if (!isnan(criterion))
        json_number(&j, asked(s, "select"), criterion);
    if (rls2_plan_is_tall(s->plan)) stage_clock_json(&l->clock, &j);
    json_represented(&j, rls2_fit_chosen_model(fit));
    json_stack(&j, rls2_fit_chosen_model(fit));
    json_stability(&j, stable);
    json_text(&j, "model", s->output);
    json_end_object(&j);
    json_finish(&j);
}

/* ---- lines ---- */

/* Of a stack what it has, not what the point of the path does. */
static rls2_cv_point chosen_point(const rls2_fit *fit)
{
    const rls2_model *model = rls2_fit_chosen_model(fit);
    rls2_cv_point point = *rls2_cv_at(rls2_fit_cv(fit), rls2_fit_chosen(fit));
    if (rls2_model_member_count(model) == 0) return point;
    point.cvm = rls2_model_left_out(model)->score;
    point.cvsd = rls2_model_left_out(model)->error;
    return point;
}

static void print_curve(const settings *s, const rls2_fit *fit, FILE *file)
{
    const rls2_cv *cv = rls2_fit_cv(fit);
    const rls2_model *model = rls2_fit_chosen_model(fit);
    const rls2_cv_point point = chosen_point(fit);
    const char *measure = rls2_measure_name(rls2_cv_measure(cv));
    char error[48] = ""; /* of a single split there is none */
    if (!isnan(point.cvsd)) snprintf(error, sizeof error, ", standard error %.2g", point.cvsd);
    if (rls2_plan_table(s->plan, RLS2_PART_VALIDATION))
        fprintf(file, "validation    %.6g %s%s (the best of the path%s)\n", point.cvm, measure,
                error, sparse_part_alone(model).text);
    else
        fprintf(file, "left-out rows %.6g %s%s (%s of %s%s)\n", point.cvm, measure, error,
                asked(s, "rule"), count_of(rls2_cv_splits(cv), "split").text,
                sparse_part_alone(model).text);
    print_stack(file, model);
}

static void print_choice(const settings *s, const rls2_fit *fit, FILE *file)
{
    double criterion = criterion_of(s, fit);
    if (rls2_fit_cv(fit))
        print_curve(s, fit, file);
    else if (!isnan(criterion))
        fprintf(file, "%-14s%.6g, the least along the path\n", asked(s, "select"), criterion);
}

static const char *verdict(const settings *s, const rls2_path_point *point)
{
    if (point->outcome == RLS2_OUTCOME_STALLED) return "limited by rounding";
    if (point->outcome == RLS2_OUTCOME_MAX_ITER) return "--max-iter reached";
    return strcmp(asked(s, "solver"), "newton") == 0 ? "certified" : "by the paper's stopping rule";
}

/* Room for the names of classes or targets, within reason. */
static int name_width(const rls2_fit *fit)
{
    enum { LEAST = 20, MOST = 40 };
    int width = LEAST;
    for (int64_t o = 0; o < rls2_fit_outputs(fit); o++)
        if (text_width(output_name(fit, o)) > width) width = text_width(output_name(fit, o));
    return width < MOST ? width : MOST;
}

/* One line for each class or target. */
static void print_outputs(const rls2_fit *fit, int classification, FILE *file)
{
    int width = name_width(fit);
    int levels = !classification && rls2_model_target(rls2_fit_chosen_model(fit)) != NULL;
    fprintf(file, "%-14s%-*s %8s %8s %13s\n", "", width,
            classification ? "class"
            : levels       ? "quantile"
                           : "target",
            "kernels", "df", "relative gap");
    for (int64_t o = 0; o < rls2_fit_outputs(fit); o++) {
        const rls2_path_point *point = rls2_path_at(rls2_fit_path(fit, o), rls2_fit_chosen(fit));
        fprintf(file, "%-14s", "");
        print_padded(file, -width, 0, output_name(fit, o));
        fprintf(file, " %8" PRId64 " %8s %13.1e\n", point->selected, df_in_words(point->df).text,
                point->gap);
    }
}

static void print_fit(const settings *s, const rls2_fit *fit, int classification, FILE *file)
{
    const rls2_path_point *point = rls2_fit_at(fit, rls2_fit_chosen(fit));
    int several = rls2_fit_outputs(fit) > 1;
    loss_words loss = loss_of_plan(s);
    if (*loss.text) fprintf(file, "loss          %s\n", loss.text);
    fprintf(file, "lambda        %.6g\n", point->lambda);
    fprintf(file, "kernels       %" PRId64 " selected of %" PRId64 "%s\n", point->selected,
            rls2_dictionary_count(rls2_fit_dictionary(fit)), several ? ", in all:" : "");
    if (several) print_outputs(fit, classification, file);
    fprintf(file, "df            %s%s\n", df_in_words(point->df).text, several ? " in all" : "");
    fprintf(file, "objective     %.10g%s\n", point->objective, several ? " in all" : "");
    fprintf(file, "relative gap  %.1e  %s%s%s\n", point->gap, several ? "at most, " : "",
            verdict(s, point), of_counted(rls2_fit_chosen_model(fit)));
    show_represented(file, 14, rls2_fit_chosen_model(fit));
}

/* "0.35 log-loss, 0.85 accuracy" */
static void print_score(const fit_scores *of, const char *rows, const double *values,
                        const char *note, FILE *file)
{
    fprintf(file, "%-14s", rows);
    for (int k = 0; k < of->by.count; k++)
        fprintf(file, "%s%.6g %s", k > 0 ? ", " : "", values[k], scoring_name(&of->by, k));
    fprintf(file, "%s\n", note);
}

static void print_scores(const fit_scores *scores, FILE *file)
{
    const rls2_model *model = rls2_fit_chosen_model(scores->fit);
    print_score(scores, "training rows", scores->train, *of_counted(model) ? ", binned" : "", file);
    if (scores->test) print_score(scores, "test rows", scores->test, "", file);
    if (scores->classification)
        fprintf(file, "%-14s%.6g %sfor always predicting the %s class%s\n", "", scores->majority,
                scores->by.count > 1 ? "accuracy " : "", scores->outputs > 1 ? "largest" : "larger",
                scores->test ? " (test rows)" : "");
}

/* The first few; 'rls2 show' has all of them. */
static void print_inputs(const importances *parts, FILE *file)
{
    enum { SHOWN = 8 };
    int64_t shown = parts->input_count < SHOWN ? parts->input_count : SHOWN;
    fprintf(file, "inputs        by share %s\n", share_heading(parts).text);
    for (int64_t i = 0; i < shown; i++)
        print_names(file, "%20.1f%%  %s%s\n", percent(parts->inputs[i].share),
                    parts->inputs[i].name, parts->inputs[i].together ? " together" : "");
    if (shown < parts->input_count)
        fprintf(file, "%20.1f%%  %" PRId64 " more: rls2 show MODEL\n",
                percent(rest_of_shares(parts->inputs, shown, parts->input_count)),
                parts->input_count - shown);
}

static void print_summary(const settings *s, const rls2_fit *fit, const fit_scores *scores,
                          const importances *parts, const stable_items *stable, FILE *file)
{
    print_fit(s, fit, scores->classification, file);
    print_choice(s, fit, file);
    print_intervals(file, rls2_fit_chosen_model(fit));
    print_scores(scores, file);
    print_inputs(parts, file);
    print_stability(file, stable);
    if (s->output) print_names(file, "model         %s\n", s->output);
    if (rls2_fit_cv(fit)) print_baselines(file, rls2_fit_cv(fit));
}

/* ---- all of it ---- */

static int report(const settings *s, const learning *l)
{
    const rls2_fit *fit = l->fit;
    output out;
    fit_scores scores;
    importances parts = {0};
    stable_items stable = {0};
    const rls2_path_point *point = rls2_fit_at(fit, rls2_fit_chosen(fit));
    int code = score_fit(s, fit, rls2_fit_chosen(fit), 1, &scores);
    if (code == EXIT_OK && !s->json)
        code = importances_collect(s, rls2_fit_chosen_model(fit), &parts, NULL);
    if (code == EXIT_OK) code = stable_items_of_fit(s, fit, &stable);
    if (code == EXIT_OK) code = output_open(s, NULL, &out);
    if (code == EXIT_OK) {
        if (s->json)
            print_json(s, l, &scores, &stable, out.file);
        else
            print_summary(s, fit, &scores, &parts, &stable, out.file);
        if (!s->output) say(s, "not saved: -o MODEL saves it");
        if (point->outcome != RLS2_OUTCOME_CONVERGED)
            say_error(s, "the answer is not certified: its relative gap is %.1e", point->gap);
        code = output_close(s, &out, 1);
    }
    fit_scores_free(&scores);
    importances_free(&parts);
    stable_items_free(&stable);
    return code;
}

/* The file is the library's, and is whole or not there: nothing is stopped in between. */
static int save(const settings *s, const rls2_fit *fit)
{
    rls2_error err;
    if (!s->output) return EXIT_OK;
    interrupt_at_once(0);
    rls2_status status = rls2_model_save(rls2_fit_chosen_model(fit), s->output, &err);
    interrupt_at_once(1);
    return status == RLS2_OK ? EXIT_OK : fail(s, &err);
}

static int run_train(const settings *s)
{
    learning l;
    if (s->output && strcmp(s->output, "-") == 0) {
        say_error(s, "a model goes into a file, not to the standard output");
        return EXIT_USAGE;
    }
    int code = learn_prepare(s, &l);
    if (code == EXIT_OK) code = learn_fit(s, &l);
    if (code == EXIT_OK) code = save(s, l.fit);
    if (code == EXIT_OK) code = report(s, &l);
    learn_free(&l);
    return code;
}

const command command_train = {
    .name = "train",
    .bit = FOR_TRAIN,
    .summary = "learn a model from a table and save it",
    .arguments = "DATA...",
    .least = 1,
    .most = MOST_ARGUMENTS,
    .description =
        "Learns to predict one column of a table, or several, from the others, and saves the "
        "model.\n\n"
        "A kernel measures how similar two rows are: on one column or several, coarsely or "
        "finely. From a dictionary of kernels train selects the few that are needed, and learns "
        "their weights and the predictor together. It prints what was selected, with a "
        "certificate: a duality gap, computed from the data, that bounds how far the objective "
        "is from the optimum.\n\n"
        "DATA is a CSV file with a header, or one of the other formats of 'rls2 help files'; - "
        "is the standard input. Text columns become 0/1 columns. Two classes are coded as -1 and "
        "+1; with more, each class is learned against all others and the one with the largest "
        "score is predicted. Several numeric targets are learned separately, with one lambda for "
        "all.\n\n"
        "What is predicted depends on --loss: probabilities of classes (logistic), a quantile "
        "(quantile(0.9)), the rate of counts (poisson), numbers that outliers hardly move (huber, "
        "absolute); 'rls2 help losses' lists them.\n\n"
        "The amount of regularisation, lambda, is chosen by 10-fold cross-validation (see 'rls2 "
        "help cv') or by a criterion of --select, or is given by --lambda. Models are fitted "
        "along a path from the largest lambda down, each starting from the one before; the saved "
        "model is the point of that path which was scored. --lambda alone is fitted directly. "
        "The error on left-out rows is the cross-validated one at the chosen lambda, slightly "
        "optimistic because lambda was chosen by it. Rows held out with --test-rows or --test "
        "give an unbiased estimate. Lambda can also be chosen on a validation set (--validation, "
        "--validation-rows), which is not learned from.",
    .examples = "$ rls2 train data/housing.csv --target MEDV -o housing.model\n"
                "  Predict house prices from everything else in the table.\n\n"
                "$ rls2 train data/prostate.csv -t lpsa --test-rows train=F -k linear \\\n"
                "       --lambda 0.09 -o prostate.model\n"
                "  A sparse linear model; the rows marked F are scored, not learned from.\n\n"
                "$ rls2 train data/pima.csv -t diabetes --lambda 0.1 -o pima.model\n"
                "  Tell two classes apart.\n\n"
                "$ rls2 train data/heart.csv -t class --loss logistic -k linear -o heart.model\n"
                "  The same with probabilities, for 'rls2 predict --probability'.\n",
    .goal = RLS2_GOAL_MODEL,
    .run = run_train};
