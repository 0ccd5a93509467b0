/* What the command line asked for. Texts point into argv. */
#ifndef RLS2_CLI_SETTINGS_H
#define RLS2_CLI_SETTINGS_H

#include <stdint.h>

enum { MOST_ARGUMENTS = 8 };

typedef struct text_list {
    const char **items;
    int64_t count;
} text_list;

/* One member for each option of cli/options.c, under the option's name; a command reads those it
 * has. */
typedef struct settings {
    const char *command;
    const char *argument[MOST_ARGUMENTS];
    int argument_count;

    /* everywhere */
    int json;
    int quiet;
    int64_t threads; /* 0: one per core */
    int64_t seed;

    /* reading */
    const char *format; /* NULL: found */
    const char *delimiter;
    int no_header;
    const char *decimal; /* "." or "," */
    text_list na;

    /* data */
    text_list target;
    const char *task;          /* "auto", "regression", "classification" */
    const char *weights;       /* a column */
    const char *class_weights; /* "balanced", or LABEL=X,... */
    text_list drop;
    text_list categorical;
    int reference;
    const char *missing;  /* "drop", "error"; NULL: as the model says */
    const char *examples; /* "none", "center", "standardize", "unit" */
    const char *features;
    int standardize;
    const char *test;      /* a file */
    const char *test_rows; /* COLUMN=VALUE */
    int transductive;
    int transductive_features;

    /* dictionary */
    text_list kernels;
    text_list group; /* NAME=COLUMN,COLUMN,... */
    text_list given; /* NAME=FILE */
    const char *scaling;
    int center;

    /* fitting */
    double lambda;       /* NaN: not given */
    const char *lambdas; /* LO:HI:N, or X,Y,Z; NULL: from the data */
    const char *solver;
    double gap_tol;
    double delta;
    int64_t max_iter;
    const char *intercept; /* "auto", "mean", "none" */
    const char *memory;    /* "2G"; NULL: no limit */

    /* choosing lambda */
    int64_t folds;
    int64_t repeats;
    int64_t splits; /* random ones instead of folds; 0: none */
    double share;   /* of the rows of such a split that are learned from */
    const char *fold_column;
    const char *validation;      /* a file */
    const char *validation_rows; /* COLUMN=VALUE */
    const char *measure;         /* NULL: rmse or accuracy */
    int baselines;
    int no_baselines;
    int confusion;
    const char *rule;   /* "min", "1se" */
    const char *select; /* "cv", "gcv", "cp", "aic", "bic", "loo" */

    /* results */
    const char *output; /* NULL: none, or stdout */
    int std;
    int contributions;
    int64_t top;

    /* pictures */
    const char *kind;
    const char *against;
    const char *title;
    const char *of; /* one output: a class or a target */
    int64_t width, height;

    /* demo, reproduce and gui */
    const char *data;
    const char *folder;  /* --output of reproduce; --folder of gui */
    const char *quota;   /* of that folder of gui: "10G"; "none" */
    const char *sources; /* NULL: those built in */
    int64_t port;        /* 0: a free one */
    int no_browser;
} settings;

#endif
