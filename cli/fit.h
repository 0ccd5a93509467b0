/* From rows to a path: what train and path have in common. */
#ifndef RLS2_CLI_FIT_H
#define RLS2_CLI_FIT_H

#include "cli/data.h"
#include "cli/output.h"

typedef struct fit {
    rls2_dictionary *dictionary;
    rls2_basis *basis;
    rls2_path *path;
    double *train;  /* scores, one for each point of the path */
    double *test;   /* NULL where there are no test rows */
    double seconds; /* for the basis and the path */
    int64_t factorizations;
    int classification;
    double
        majority; /* accuracy of naming the larger class of the training rows, on the test rows if there are any */
    int alternate; /* the solver of the paper */
    int linear;    /* every kernel of the dictionary is linear */
} fit;

/* The dictionary of --kernels, or one that suits the data (and it is said which). */
int make_dictionary(const settings *s, const problem *p, rls2_dictionary **dictionary);

/* What is wrong with the options can be said before anything is read. */
int check_fitting(const settings *s);

/* Fits and scores. EXIT_OK; EXIT_INTERRUPTED with the points that were finished, perhaps none; or another
 * exit code after a message. Free in any case. */
int fit_run(const settings *s, const problem *p, fit *f);
void fit_free(fit *f);

/* The object of DESIGN's `path --json`, but for its closing brace: more may follow. */
void fit_json(json *j, const problem *p, const fit *f);
/* The lines a person reads, one for each lambda. */
void fit_table(FILE *file, const fit *f);

#endif
