/* Small models of every sort, for what is said of their files. */
#ifndef RLS2_TESTS_SUPPORT_SAVED_MODEL_H
#define RLS2_TESTS_SUPPORT_SAVED_MODEL_H

#include "support/problem.h"

typedef struct model_case {
    const char *name;
    const char *csv;
    const char *target;
    const char *const
        *targets; /* of several responses, `target_count` of them, in place of `target` */
    int64_t target_count;
    const char *weight; /* column of the weights of rows, or NULL */
    const char *spec;
    double lambda;
    struct {
        rls2_normalize examples, features;
    } how;
    int classify;         /* as in rls2_dataset_options */
    int reference;        /* likewise */
    rls2_missing missing; /* likewise, but ERROR stands for the default */
    int64_t rare;         /* likewise */
    int given;            /* how many given matrices, g0 and g1 */
    int groups;           /* 1: a group "g" of columns 0 and 2 */
    int unattached;       /* 1: the model knows nothing of the table */
    int responses;        /* then: so many, all made of the one there is; 0 and 1: that one */
    int weighted;         /* 1: rows weigh what the column says, or without one 1, 2, 3, 1, ... */
    int alternate;        /* 1: the other solver */
    const char *loss;     /* with a free intercept; NULL: square, with the mean */
    const char *new_csv;  /* rows the model has not seen; NULL: the training table again */
} model_case;

extern const model_case MODEL_CASES[];
extern const int MODEL_CASE_COUNT;

/* The model and the data it was made from. */
typedef struct made_model {
    rls2_table *table;
    rls2_dataset *data;
    double *given[2];
    rls2_model *model;
} made_model;

const model_case *find_model_case(const char *name);
made_model make_model(const model_case *it);
void free_model(made_model *made);

/* The rows of a data set with what stands for the given matrices: products of the rows with the
 * training rows. Release with free_rows. */
typedef struct new_rows {
    rls2_rows rows;
    double *values[4];
    const double *given[2], *diagonal[2];
} new_rows;
void new_rows_make(const made_model *made, const rls2_dataset *data, new_rows *fresh);
void new_rows_free(new_rows *fresh);

/* Both say the same, bit by bit, of themselves and of new rows. */
void assert_same_model(const model_case *it, const made_model *made, const rls2_model *other);

#endif
