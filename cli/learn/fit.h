/* From rows to a path: what train and path have in common. */
#ifndef RLS2_CLI_LEARN_FIT_H
#define RLS2_CLI_LEARN_FIT_H

#include "cli/learn/data.h"
#include "cli/output.h"

/* One path for each output: for each class where there are more than two, or each target of
 * several. */
typedef struct fit {
    rls2_dictionary *dictionary;
    int64_t outputs;
    rls2_basis **bases; /* outputs: the first scaled anew for each class where that makes a
                           difference, else the same */
    rls2_path **paths;  /* outputs */
    int64_t first; /* point of the paths that is points[0]: above it they are only the way there */
    int64_t count; /* values of lambda finished for all of them */
    rls2_path_point *points; /* count: of one output as it is; of several sums, the largest gap, the
                                worst outcome */
    double *train;           /* scores, one for each point */
    double *test;            /* NULL where there are no test rows */
    double seconds;          /* for the basis and the path */
    int64_t factorizations;
    int classification;
    double majority; /* accuracy of naming the larger class of the training rows, on the test rows
                        if there are any */
    int alternate;   /* the solver of the paper */
    int linear;      /* every kernel of the dictionary is linear */
} fit;

/* Name of an output: the label of its class, or its target. */
const char *output_name(const problem *p, int64_t o);

/* The text of --kernels, or of a dictionary that suits the data (and it is said which). NULL when
 * out of memory; free it. */
char *dictionary_text(const settings *s, const problem *p);
/* The dictionary of that text. */
int make_dictionary(const settings *s, const problem *p, rls2_dictionary **dictionary);

/* What is wrong with the options can be said before anything is read. */
int check_fitting(const settings *s);

/* Fits and scores. EXIT_OK; EXIT_INTERRUPTED with the points that were finished, perhaps none; or
 * another exit code after a message. Free in any case. */
int fit_run(const settings *s, const problem *p, fit *f);
/* The same for the smallest of these values of lambda, whatever the options say, by way of the
 * others: the point that a path over them has there, which is what a choice among them has scored.
 */
int fit_run_to(const settings *s, const problem *p, int64_t count, const double *lambdas, fit *f);
/* Of fit_run_unscored, which leaves the scores out: point i alone is kept, and scored. */
int fit_run_unscored(const settings *s, const problem *p, fit *f);
int fit_keep(const settings *s, const problem *p, fit *f, int64_t i);
/* Options of the basis and the path as the command line has them; no progress. Data and dictionary
 * decide on the intercept where the command line does not. */
int set_basis_options(const settings *s, const problem *p, rls2_basis_options *options);
rls2_path_options plain_path_options(const settings *s, const rls2_dataset *data,
                                     const rls2_dictionary *dictionary);
/* --lambda or --lambdas, or of both the values down to --lambda; descending. *lambdas is NULL where
 * neither is given. Free it. */
int given_lambdas(const settings *s, int64_t *count, double **lambdas);
void fit_free(fit *f);

/* The object of DESIGN's `path --json`, but for its closing brace: more may follow. */
void fit_json(json *j, const problem *p, const fit *f);
/* The lines a person reads, one for each lambda. */
void fit_table(FILE *file, const fit *f);

#endif
