/* rls2 train: fits one lambda and saves the model. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "cli/fit.h"
#include "cli/score.h"

static int check_lambda(const settings *s)
{
    if (s->output && strcmp(s->output, "-") == 0) {
        say_error(s, "a model goes into a file, not to the standard output");
        return EXIT_USAGE;
    }
    if (!isnan(s->lambda)) return EXIT_OK;
    say_error(s,
              "--lambda is needed; 'rls2 path %s ...' shows what its values give, and --test-rows or --test "
              "how well they predict",
              s->argument[0]);
    return EXIT_USAGE;
}

static int save(const settings *s, const problem *p, const fit *f)
{
    rls2_error err;
    rls2_model *model = NULL;
    rls2_status status = rls2_model_create(f->path, 0, &model, &err);
    if (status == RLS2_OK) status = rls2_model_attach(model, p->train.data, &err);
    if (status == RLS2_OK) status = rls2_model_save(model, s->output, &err);
    rls2_model_free(model);
    return status == RLS2_OK ? EXIT_OK : fail(s, &err);
}

static void print_json(const settings *s, const problem *p, const fit *f, FILE *file)
{
    json j = json_start(file);
    fit_json(&j, p, f);
    json_text(&j, "model", s->output);
    json_end_object(&j);
    json_finish(&j);
}

static void print_summary(const settings *s, const fit *f, FILE *file)
{
    const rls2_path_point *point = rls2_path_at(f->path, 0);
    const char *name = score_name(f->classification);
    int certified = point->outcome == RLS2_OUTCOME_CONVERGED && !f->alternate;
    fprintf(file, "lambda        %.6g\n", point->lambda);
    fprintf(file, "kernels       %" PRId64 " selected of %" PRId64 "\n", point->selected,
            rls2_dictionary_size(f->dictionary));
    fprintf(file, "df            %.2f\n", point->df);
    fprintf(file, "objective     %.10g\n", point->objective);
    fprintf(file, "relative gap  %.1e  %s\n", point->gap,
            certified                                 ? "certified"
            : point->outcome == RLS2_OUTCOME_STALLED  ? "rounding stops further progress"
            : point->outcome == RLS2_OUTCOME_MAX_ITER ? "--max-iter reached"
                                                      : "by the paper's stopping rule");
    fprintf(file, "%-14s%.6g %s\n", "training rows", f->train[0], name);
    if (f->test) fprintf(file, "%-14s%.6g %s\n", "test rows", f->test[0], name);
    if (f->classification) fprintf(file, "%-14s%.6g for the larger class alone\n", "", f->majority);
    if (s->output) fprintf(file, "model         %s\n", s->output);
}

static int report(const settings *s, const problem *p, const fit *f)
{
    output out;
    int code = output_open(s, NULL, &out);
    if (code != EXIT_OK) return code;
    if (s->json)
        print_json(s, p, f, out.file);
    else
        print_summary(s, f, out.file);
    if (!s->output) say(s, "not saved: -o MODEL keeps it");
    if (rls2_path_at(f->path, 0)->outcome != RLS2_OUTCOME_CONVERGED)
        say_error(s, "the answer is not certified: its relative gap is %.1e", rls2_path_at(f->path, 0)->gap);
    return output_close(s, &out, 1);
}

static int run(const settings *s)
{
    problem p = {0};
    fit f = {0};
    int code = check_lambda(s);
    if (code == EXIT_OK) code = check_fitting(s);
    if (code == EXIT_OK) code = problem_load(s, &p);
    if (code == EXIT_OK) code = fit_run(s, &p, &f);
    if (code == EXIT_OK && s->output) code = save(s, &p, &f);
    if (code == EXIT_OK) code = report(s, &p, &f);
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
        "Learns to predict one column of a table from the others, and saves the model.\n\n"
        "From a dictionary of kernels (ways to say how alike two rows are: on one column, on several, "
        "coarse or fine) it finds the few that are needed, how much each counts, and the predictor built "
        "on them, all at once. What was selected is printed, with a certificate: a proof, computed from "
        "the data, of how close the answer is to the best possible one.\n\n"
        "DATA is a CSV file with a header, or one of the other formats of 'rls2 help files'; - is the "
        "standard input. Columns of text are turned into 0/1 columns. Two classes are learned as -1 and "
        "+1.\n\n"
        "The amount of regularisation, --lambda, must be given for now. Look at 'rls2 path' with --test or "
        "--test-rows first, and take the value whose score on rows not learned from is best. (That score is "
        "then "
        "no longer an honest forecast: it was chosen for being good.)",
    .examples = "$ rls2 train data/housing.csv --target MEDV --standardize --lambda 0.01 \\\n"
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
