/* What a run is asked for: the page's JSON object, checked field by field. Nothing of it has been
 * held against the data yet; gui/server/problem.h does that. */
#ifndef RLS2_GUI_RUN_SETTINGS_H
#define RLS2_GUI_RUN_SETTINGS_H

#include <jansson.h>
#include <stdint.h>

#include "gui/server/fault.h"

typedef struct texts {
    const char **items;
    int64_t count;
} texts;

/* Texts point into `json`. Names and defaults are those of the command's options; docs of each:
 * rls2 help train. */
typedef struct asked {
    json_t *json;     /* as it came, owned */
    const char *data; /* an id */

    struct {
        const char *kind; /* "none", "marker", "column", "share", "data"; NULL: the file's own
                             marker where there is one */
        const char *column, *value;
        const char *data; /* an id */
        double share;     /* of the rows, for testing */
    } test;

    texts target, drop, categorical;
    const char *task;
    const char *weights;       /* a column, or NULL */
    const char *class_weights; /* NULL: none */
    int reference;
    const char *missing;
    const char *features, *examples;
    int shuffle, transductive, transductive_features;

    const char *kernels; /* NULL: the default of the command */
    texts group_names, group_columns;
    const char *scaling;
    int center;

    double *lambdas; /* owned; NULL: from the data */
    int64_t lambda_count;
    double lambda_lo, lambda_hi; /* where a range was asked for, else 0 */

    const char *solver, *intercept;
    double gap_tol, delta;
    int64_t max_iter;

    struct {
        const char *kind; /* "none", "folds", "random", "column", "validation" */
        int64_t folds, repeats, count;
        double share; /* of the rows, for learning */
        const char *column, *value;
        const char *data; /* an id: validation rows of another table */
    } splits;

    const char *measure; /* NULL: by the task */
    const char *rule, *select;
    int baselines;
    int64_t seed;
} asked;

/* Takes the JSON over, also when it fails. Free in either case. */
int asked_read(json_t *json, asked *a, fault *f);
void asked_free(asked *a);

#endif
