/* A path as `rls2 path --json` prints it. */
#ifndef RLS2_CLI_PLOT_PLOT_RESULT_H
#define RLS2_CLI_PLOT_PLOT_RESULT_H

#include "cli/plot/plot.h"

/* Values that are zero where nothing stands: of point i those of start[i] to start[i+1]. */
typedef struct sparse {
    int64_t columns;
    const char **name; /* of a column, owned by the result */
    int64_t *start;
    int64_t *column;
    double *value;
} sparse;

typedef struct result {
    void *root; /* the JSON tree, which the names point into */
    int64_t points;
    double *lambda; /* positive */
    double *df;     /* NULL unless every point has it; likewise the scores */
    double *train, *test;
    const char *measure;     /* of the scores, the first where there are several; or NULL */
    double *selected;        /* number of kernels */
    int64_t outputs;         /* 0: one without a name */
    const char *output_word; /* "classes", "targets", or "outputs" where the file does not say */
    const char *of; /* of several outputs the one that the following is about; else NULL, */
    double *of_df;  /* and both of these are df and selected of that one, if every point has it */
    double *of_selected;
    sparse weights;
    sparse coefficients; /* of no columns unless every point has them */
} result;

/* Of several outputs --of names one, else it is the first. EXIT_OK, or the exit code after a
 * message. `name` stands for the file. result_free in either case. */
int result_parse(const settings *s, const char *name, const char *text, size_t length, result *r);
void result_free(result *r);

#endif
