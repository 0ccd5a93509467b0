/* A path, or one point of it, as JSON and as lines to read. */
#ifndef RLS2_CLI_LEARN_FIT_REPORT_H
#define RLS2_CLI_LEARN_FIT_REPORT_H

#include "cli/json.h"
#include "cli/output.h"
#include "cli/score.h"

/* Points of a fit that are reported, and how well they predict. */
typedef struct fit_scores {
    const rls2_fit *fit;
    int64_t first, count; /* points first, first + 1, ... */
    scoring by;
    double *train; /* scores, by.count for each point */
    double *test;  /* NULL where there are no test rows */
    int classification;
    int64_t outputs;
    double majority; /* accuracy of naming the largest class of the training rows, on the test rows
                        if there are any */
} fit_scores;

/* All points from `first` on where count is 0. EXIT_OK, or the exit code after a message; free in
 * either case. */
int score_fit(const settings *s, const rls2_fit *fit, int64_t first, int64_t count,
              fit_scores *scores);
void fit_scores_free(fit_scores *scores);

/* Degrees of freedom, "-" where they were not computed. */
typedef struct df_text {
    char text[24];
} df_text;
df_text df_in_words(double df);
/* Name of an output: the label of its class, or its target. */
const char *output_name(const rls2_fit *fit, int64_t o);
/* The object of `path --json`, but for its closing brace: more may follow. */
void fit_json(json *j, const settings *s, const fit_scores *scores);
/* The lines a person reads, one for each lambda. */
void fit_table(FILE *file, const settings *s, const fit_scores *scores);
/* "loss" and "intercept_rule" of what was fitted. */
void json_loss(json *j, const settings *s);

#endif
