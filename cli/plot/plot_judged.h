/* Rows whose class is known, and what was said of them by somebody who did not know it. */
#ifndef RLS2_CLI_PLOT_PLOT_JUDGED_H
#define RLS2_CLI_PLOT_PLOT_JUDGED_H

#include "cli/plot/plot.h"

/* Matrices are n x classes, by columns. */
typedef struct judged {
    int64_t n, classes;
    char **labels;
    int64_t *is;     /* the class of each row */
    double *weights; /* NULL: each row counts once */
    double *scores;  /* the larger, the more it is said to be of the class */
    double *p;       /* probabilities; NULL where there are none */
} judged;

/* What `rls2 cv --json` has of left-out rows. EXIT_OK, or the exit code after a message;
 * judged_free in either case. */
int judged_from_curve(const settings *s, const char *text, size_t length, judged *rows);
/* What the model says of the rows of the second argument, a table. */
int judged_from_table(const settings *s, const rls2_model *model, judged *rows);
void judged_free(judged *rows);

#endif
