/* rls2 train: chooses lambda, fits, and saves the model. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/learn/choose.h"
#include "cli/score.h"

/* Where lambda comes from. */
typedef struct choice {
    int64_t count;    /* values of lambda down to the one that is chosen; 0 with a criterion */
    double *lambdas;  /* owned */
    rls2_cv *cv;      /* NULL unless by cross-validation */
    int64_t index;    /* on its curve */
    double criterion; /* the value of --select's criterion at its minimum; NaN otherwise */
} choice;

/* Validation rows that would not be used were meant to be used. */
static int check_validation(const settings *s)
{
    const char *option = s->validation ? "--validation" : "--validation-rows";
    if (!s->validation && !s->validation_rows) return EXIT_OK;
    if (!isnan(s->lambda)) {
        say_error(s, "%s is for choosing lambda, which --lambda gives: leave out one of them",
                  option);
        return EXIT_USAGE;
    }
    if (strcmp(s->select, "cv") == 0) return EXIT_OK;
    say_error(s, "%s and --select %s are two ways to choose lambda: leave out one of them", option,
              s->select);
    return EXIT_USAGE;
}

static int check_settings(const settings *s)
{
    if (s->output && strcmp(s->output, "-") == 0) {
        say_error(s, "a model goes into a file, not to the standard output");
        return EXIT_USAGE;
    }
    int code = check_fitting(s);
    if (code == EXIT_OK) code = check_validation(s);
    if (code == EXIT_OK && isnan(s->lambda) && strcmp(s->select, "cv") == 0)
        code = check_choosing(s);
    return code;
}

static double criterion_of(const settings *s, const rls2_criteria *c)
{
    if (strcmp(s->select, "gcv") == 0) return c->gcv;
    if (strcmp(s->select, "cp") == 0) return c->cp;
    if (strcmp(s->select, "aic") == 0) return c->aic;
    if (strcmp(s->select, "bic") == 0) return c->bic;
    return c->loo;
}

/* The sum over the outputs: each is a fit of its own with noise of its own. */
static int add_criteria(const settings *s, const fit *f, double *values)
{
    rls2_error err;
    int code = EXIT_OK;
    rls2_criteria *criteria = calloc((size_t)f->count + 1, sizeof *criteria);
    if (!criteria) return out_of_memory(s);
    for (int64_t o = 0; o < f->outputs && code == EXIT_OK; o++) {
        if (rls2_path_criteria(f->paths[o], criteria, &err) != RLS2_OK) code = fail(s, &err);
        for (int64_t i = 0; i < f->count && code == EXIT_OK; i++)
            values[i] += criterion_of(s, &criteria[i]);
    }
    free(criteria);
    return code;
}

/* The largest lambda at the least value of the criterion; the fit keeps that point. */
static int pick_by_criterion(const settings *s, const problem *p, fit *f, choice *chosen)
{
    int64_t best = -1;
    double *values = calloc((size_t)f->count + 1, sizeof *values);
    if (!values) return out_of_memory(s);
    int code = add_criteria(s, f, values);
    for (int64_t i = 0; i < f->count && code == EXIT_OK; i++)
        if (isfinite(values[i]) && (best < 0 || values[i] < chosen->criterion)) {
            best = i;
            chosen->criterion = values[i];
        }
    free(values);
    if (code != EXIT_OK) return code;
    if (best < 0) {
        say_error(s, "--select %s: not defined for any lambda", s->select);
        return EXIT_FAILED;
    }
    note_end(s, best, f->count);
    return fit_keep(s, p, f, best);
}

/* The way to the point of the curve that is chosen. */
static int follow_curve(const settings *s, choice *chosen)
{
    const rls2_cv *cv = chosen->cv;
    if (strcmp(s->rule, "1se") == 0 && rls2_cv_splits(cv) == 1)
        say(s, "  note: no standard error of one split: the best lambda is taken");
    chosen->index = strcmp(s->rule, "1se") == 0 ? rls2_cv_1se(cv) : rls2_cv_min(cv);
    chosen->count = chosen->index + 1;
    chosen->lambdas = calloc((size_t)chosen->count, sizeof *chosen->lambdas);
    if (!chosen->lambdas) return out_of_memory(s);
    for (int64_t i = 0; i < chosen->count; i++) chosen->lambdas[i] = rls2_cv_at(cv, i)->lambda;
    return EXIT_OK;
}

/* A criterion needs the whole path, of which the model is then a point. What is scored on left-out
 * rows are points of paths too: the model is the one that the path over the same values has at the
 * lambda chosen. */
static int choose_and_fit(const settings *s, const problem *p, choice *chosen, fit *f)
{
    int code;
    chosen->criterion = (double)NAN;
    if (!isnan(s->lambda)) {
        code = given_lambdas(s, &chosen->count, &chosen->lambdas);
    } else if (strcmp(s->select, "cv") != 0) {
        code = fit_run_unscored(s, p, f);
        return code == EXIT_OK ? pick_by_criterion(s, p, f, chosen) : code;
    } else {
        code = cross_validate(s, p, &chosen->cv);
        if (code == EXIT_OK) code = follow_curve(s, chosen);
    }
    return code == EXIT_OK ? fit_run_to(s, p, chosen->count, chosen->lambdas, f) : code;
}

static int save(const settings *s, const problem *p, const fit *f)
{
    rls2_error err;
    rls2_model *model = NULL;
    rls2_status status = rls2_model_create_outputs(f->outputs, (const rls2_path *const *)f->paths,
                                                   f->first, &model, &err);
    if (status == RLS2_OK) status = rls2_model_attach(model, p->train.data, &err);
    if (status == RLS2_OK) status = rls2_model_save(model, s->output, &err);
    rls2_model_free(model);
    return status == RLS2_OK ? EXIT_OK : fail(s, &err);
}

static void json_choice(json *j, const settings *s, const choice *chosen)
{
    if (chosen->cv) {
        const rls2_cv_point *point = rls2_cv_at(chosen->cv, chosen->index);
        json_object(j, "cv");
        json_text(j, "rule", s->rule);
        json_text(j, "measure", rls2_measure_name(rls2_cv_measure(chosen->cv)));
        json_number(j, "cvm", point->cvm);
        json_number(j, "cvsd", point->cvsd);
        json_number(j, "lambda.min", rls2_cv_at(chosen->cv, rls2_cv_min(chosen->cv))->lambda);
        json_number(j, "lambda.1se", rls2_cv_at(chosen->cv, rls2_cv_1se(chosen->cv))->lambda);
        json_baselines(j, chosen->cv);
        json_end_object(j);
    } else if (!isnan(chosen->criterion)) {
        json_number(j, s->select, chosen->criterion);
    }
}

static void print_json(const settings *s, const problem *p, const fit *f, const choice *chosen,
                       FILE *file)
{
    json j = json_start(file);
    fit_json(&j, p, f);
    json_choice(&j, s, chosen);
    json_text(&j, "model", s->output);
    json_end_object(&j);
    json_finish(&j);
}

static void print_choice(const settings *s, const problem *p, const choice *chosen, FILE *file)
{
    if (chosen->cv) {
        const rls2_cv_point *point = rls2_cv_at(chosen->cv, chosen->index);
        const char *measure = rls2_measure_name(rls2_cv_measure(chosen->cv));
        char error[48] = ""; /* of a single split there is none */
        if (!isnan(point->cvsd))
            snprintf(error, sizeof error, ", standard error %.2g", point->cvsd);
        if (p->choosing.data)
            fprintf(file, "validation    %.6g %s%s (the best of the path)\n", point->cvm, measure,
                    error);
        else
            fprintf(file, "left-out rows %.6g %s%s (%s of %s)\n", point->cvm, measure, error,
                    s->rule, count_of(rls2_cv_splits(chosen->cv), "split").text);
    } else if (!isnan(chosen->criterion)) {
        fprintf(file, "%-14s%.6g, the least along the path\n", s->select, chosen->criterion);
    }
}

static const char *verdict(const fit *f, const rls2_path_point *point)
{
    if (point->outcome == RLS2_OUTCOME_STALLED) return "rounding stops further progress";
    if (point->outcome == RLS2_OUTCOME_MAX_ITER) return "--max-iter reached";
    return f->alternate ? "by the paper's stopping rule" : "certified";
}

/* Room for the names of classes or targets, within reason. */
static int name_width(const problem *p, const fit *f)
{
    enum { LEAST = 20, MOST = 40 };
    int width = LEAST;
    for (int64_t o = 0; o < f->outputs; o++)
        if (text_width(output_name(p, o)) > width) width = text_width(output_name(p, o));
    return width < MOST ? width : MOST;
}

/* One line for each class or target. */
static void print_outputs(const problem *p, const fit *f, FILE *file)
{
    int width = name_width(p, f);
    fprintf(file, "%-14s%-*s %8s %8s %13s\n", "", width, f->classification ? "class" : "target",
            "kernels", "df", "relative gap");
    for (int64_t o = 0; o < f->outputs; o++) {
        const rls2_path_point *point = rls2_path_at(f->paths[o], f->first);
        fprintf(file, "%-14s", "");
        print_padded(file, -width, 0, output_name(p, o));
        fprintf(file, " %8" PRId64 " %8.2f %13.1e\n", point->selected, point->df, point->gap);
    }
}

static void print_summary(const settings *s, const problem *p, const fit *f, const choice *chosen,
                          FILE *file)
{
    const rls2_path_point *point = &f->points[0];
    const char *name = score_name(f->classification, f->outputs);
    fprintf(file, "lambda        %.6g\n", point->lambda);
    fprintf(file, "kernels       %" PRId64 " selected of %" PRId64 "%s\n", point->selected,
            rls2_dictionary_size(f->dictionary), f->outputs > 1 ? ", in all:" : "");
    if (f->outputs > 1) print_outputs(p, f, file);
    fprintf(file, "df            %.2f%s\n", point->df, f->outputs > 1 ? " in all" : "");
    fprintf(file, "objective     %.10g%s\n", point->objective, f->outputs > 1 ? " in all" : "");
    fprintf(file, "relative gap  %.1e  %s%s\n", point->gap, f->outputs > 1 ? "at most, " : "",
            verdict(f, point));
    print_choice(s, p, chosen, file);
    fprintf(file, "%-14s%.6g %s\n", "training rows", f->train[0], name);
    if (f->test) fprintf(file, "%-14s%.6g %s\n", "test rows", f->test[0], name);
    if (f->classification)
        fprintf(file, "%-14s%.6g for naming the %s class%s\n", "", f->majority,
                f->outputs > 1 ? "largest" : "larger", f->test ? " (test rows)" : "");
    if (s->output) print_names(file, "model         %s\n", s->output);
    if (chosen->cv) print_baselines(file, chosen->cv);
}

static int report(const settings *s, const problem *p, const fit *f, const choice *chosen)
{
    output out;
    int code = output_open(s, NULL, &out);
    if (code != EXIT_OK) return code;
    if (s->json)
        print_json(s, p, f, chosen, out.file);
    else
        print_summary(s, p, f, chosen, out.file);
    if (!s->output) say(s, "not saved: -o MODEL keeps it");
    if (f->points[0].outcome != RLS2_OUTCOME_CONVERGED)
        say_error(s, "the answer is not certified: its relative gap is %.1e", f->points[0].gap);
    return output_close(s, &out, 1);
}

static int run(const settings *s)
{
    problem p = {0};
    fit f = {0};
    choice chosen = {0};
    int code = check_settings(s);
    if (code == EXIT_OK) code = problem_load(s, &p);
    if (code == EXIT_OK) code = choose_and_fit(s, &p, &chosen, &f);
    if (code == EXIT_OK && s->output) code = save(s, &p, &f);
    if (code == EXIT_OK) code = report(s, &p, &f, &chosen);
    rls2_cv_free(chosen.cv);
    free(chosen.lambdas);
    fit_free(&f);
    problem_free(&p);
    return code;
}

const command command_train = {
    .name = "train",
    .bit = FOR_TRAIN,
    .summary = "learn a model from a table and save it",
    .arguments = "DATA",
    .least = 1,
    .most = 1,
    .description =
        "Learns to predict a column of a table, or several, from the others, and saves the "
        "model.\n\n"
        "From a dictionary of kernels (ways to say how alike two rows are: on one column, on "
        "several, "
        "coarse or fine) it finds the few that are needed, how much each counts, and the predictor "
        "built "
        "on them, all at once. What was selected is printed, with a certificate: a proof, computed "
        "from "
        "the data, of how close the answer is to the best possible one.\n\n"
        "DATA is a CSV file with a header, or one of the other formats of 'rls2 help files'; - is "
        "the "
        "standard input. Columns of text are turned into 0/1 columns. Two classes are learned as "
        "-1 and "
        "+1; of more, each is learned against all others, and a row is taken for the class that "
        "speaks "
        "loudest. "
        "Several targets of numbers are learned each on its own, with one lambda for all.\n\n"
        "The amount of regularisation, lambda, is chosen by 10-fold cross-validation (see 'rls2 "
        "help cv'), "
        "by another "
        "way of --select, or is what --lambda says. A path of models is followed down from the "
        "largest "
        "lambda, "
        "each the start of the next, when they are scored and again when the model is made: what "
        "is saved is "
        "the point of the path that was scored. --lambda alone is fitted by itself. The error on "
        "left-out "
        "rows is that of the "
        "cross-validation at the "
        "chosen lambda: a little too good, for having been chosen. Rows that were kept aside with "
        "--test-rows or "
        "--test give an honest one. Instead of folds lambda can be chosen on rows kept aside for "
        "that "
        "(--validation, --validation-rows), which are not learned from.",
    .examples = "$ rls2 train data/housing.csv --target MEDV --standardize \\\n"
                "       -o housing.model\n"
                "  Predict house prices from everything else in the table.\n"
                "\n"
                "$ rls2 train data/prostate.csv -t lpsa --test-rows train=F --standardize \\\n"
                "       -k linear --lambda 0.09 -o prostate.model\n"
                "  A sparse linear model; the rows marked F are scored, not learned from.\n"
                "\n"
                "$ rls2 train data/pima.csv -t diabetes --task classification --standardize \\\n"
                "       --lambda 0.1 -o pima.model\n"
                "  Tell two classes apart.\n",
    .run = run};
