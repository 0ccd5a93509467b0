/* rls2 path: the whole regularisation path. */
#include "cli/json.h"
#include "cli/learn/fit_report.h"
#include "cli/learn/learning.h"

static int print_path(const settings *s, const fit_scores *scores)
{
    output out;
    int code = output_open(s, s->output, &out);
    if (code != EXIT_OK) return code;
    if (s->json) {
        json j = json_start(out.file);
        fit_json(&j, s, scores);
        json_end_object(&j);
        json_finish(&j);
    } else {
        fit_table(out.file, s, scores);
    }
    return output_close(s, &out, 1);
}

static int report(const settings *s, const rls2_fit *fit)
{
    fit_scores scores;
    int code = score_fit(s, fit, 0, 0, &scores);
    if (code == EXIT_OK) code = print_path(s, &scores);
    fit_scores_free(&scores);
    return code;
}

/* Ctrl-C ends the path early; what was finished by then is reported. */
static int run_path(const settings *s)
{
    learning l;
    int code = learn_prepare(s, &l);
    l.keeps = 1;
    if (code == EXIT_OK) code = learn_fit(s, &l);
    /* half a path is for the eyes: it does not replace a file */
    if (code == EXIT_INTERRUPTED && s->output) say_error(s, "%s is not written", s->output);
    int wanted = code == EXIT_OK || (code == EXIT_INTERRUPTED && !s->output);
    if (wanted && l.fit && rls2_fit_count(l.fit) > 0) {
        int reported = report(s, l.fit);
        if (reported != EXIT_OK) code = reported;
    }
    learn_free(&l);
    return code;
}

const command command_path = {
    .name = "path",
    .bit = FOR_PATH,
    .summary = "fit for many amounts of regularisation, and compare them",
    .arguments = "DATA...",
    .least = 1,
    .most = MOST_ARGUMENTS,
    .description =
        "Fits a whole regularisation path: from the largest lambda (few kernels, a flat "
        "prediction) to the smallest (many kernels, a close fit). It prints one line for each "
        "lambda: degrees of freedom, kernels selected, objective, relative duality gap, and the "
        "score on the training rows and, with --test or --test-rows, on test rows.\n\n"
        "Use it to choose lambda for 'rls2 train', and to see in which order kernels enter. Only "
        "training rows are used in the fit, unless --transductive is given.\n\n"
        "With --json the result also lists the selected kernels and their weights at each "
        "lambda; 'rls2 plot' draws it. Ctrl-C stops and prints what is finished: of several "
        "classes or targets, the values of lambda that are finished for all of them. With -o "
        "nothing is written then. The exit code is 130.",
    .examples = "$ rls2 path data/prostate.csv -t lpsa --test-rows train=F -k linear\n"
                "  How the linear model grows, scored on the rows marked F.\n\n"
                "$ rls2 path data/housing.csv -t MEDV --lambdas 1e-4:1e2:20 \\\n"
                "       --json -o housing.json\n"
                "  Twenty values of lambda, kept for 'rls2 plot housing.json'.\n",
    .goal = RLS2_GOAL_PATH,
    .run = run_path};
