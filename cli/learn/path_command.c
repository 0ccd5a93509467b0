/* rls2 path: the whole regularisation path. */
#include "cli/learn/fit.h"

static int report(const settings *s, const problem *p, const fit *f)
{
    output out;
    int code = output_open(s, s->output, &out);
    if (code != EXIT_OK) return code;
    if (s->json) {
        json j = json_start(out.file);
        fit_json(&j, p, f);
        json_end_object(&j);
        json_finish(&j);
    } else {
        fit_table(out.file, f);
    }
    return output_close(s, &out, 1);
}

/* Ctrl-C ends the path early; what was finished by then is reported. */
static int run(const settings *s)
{
    problem p = {0};
    fit f = {0};
    int code = check_fitting(s);
    if (code == EXIT_OK) code = problem_load(s, &p);
    if (code == EXIT_OK) code = fit_run(s, &p, &f);
    /* half a path is for the eyes: it does not replace a file */
    if (code == EXIT_INTERRUPTED && s->output) say_error(s, "%s is not written", s->output);
    int wanted = code == EXIT_OK || (code == EXIT_INTERRUPTED && !s->output);
    if (wanted && f.count > 0 && f.train) {
        int reported = report(s, &p, &f);
        if (reported != EXIT_OK) code = reported;
    }
    fit_free(&f);
    problem_free(&p);
    return code;
}

const command command_path = {
    .name = "path",
    .bit = FOR_PATH,
    .summary = "fit for many amounts of regularisation, and compare them",
    .arguments = "DATA",
    .least = 1,
    .most = 1,
    .description =
        "Fits the model for a whole sequence of amounts of regularisation, lambda, from the "
        "largest (few "
        "kernels, a flat prediction) to the smallest (many kernels, every wiggle followed), and "
        "prints one "
        "line for each: degrees of freedom, kernels selected, objective, certificate, and the "
        "score on the "
        "rows learned from and, with --test or --test-rows, on rows that were not.\n\n"
        "Use it to choose lambda for 'rls2 train', and to see in which order kernels come in. "
        "Nothing but "
        "the training rows is ever used for fitting, unless --transductive asks for it.\n\n"
        "With --json the result also lists the selected kernels and their weights at each lambda; "
        "'rls2 plot' draws it. Ctrl-C stops and prints what is finished so far, of several classes "
        "or "
        "targets the "
        "values of lambda that are finished for all of them (with -o nothing is written); the exit "
        "code is "
        "then "
        "130.",
    .examples = "$ rls2 path data/prostate.csv -t lpsa --test-rows train=F --standardize \\\n"
                "       -k linear\n"
                "  How the linear model grows, scored on the rows marked F.\n"
                "\n"
                "$ rls2 path data/housing.csv -t MEDV --standardize --lambdas 1e-4:1e2:20 \\\n"
                "       --json -o housing.json\n"
                "  Twenty values of lambda, kept for 'rls2 plot housing.json'.\n",
    .run = run};
