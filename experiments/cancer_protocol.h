/* The paper's way with gene expressions (its section 5.3), on any set of patients.
 *
 * Each patient's expressions are standardised over the genes. One versus all, without an intercept;
 * a linear kernel on each gene, scaled for each class by the root of the Fisher rule; stratified
 * 8-fold cross-validation over 50 values of lambda, spaced evenly in their logarithm. Chosen is the
 * largest lambda with the fewest validation errors. */
#ifndef RLS2_EXPERIMENTS_CANCER_PROTOCOL_H
#define RLS2_EXPERIMENTS_CANCER_PROTOCOL_H

#include "experiments/cancer_sets.h"

enum { CANCER_LAMBDAS = 50, CANCER_FOLDS = 8, CANCER_CLASSES = 14 };

/* One lambda. Errors are numbers of patients. */
typedef struct cancer_point {
    double lambda;
    double training;   /* errors of the final fit on the training rows, */
    double validation; /* of the folds on the rows they left out, */
    double test;       /* and of the final fit on the test rows */
    double band;       /* standard error of the validation errors' share */
    double genes;      /* that any class selects in the final fit */
    double gap;        /* the largest relative gap of the final fit */
} cancer_point;

/* All numbers, so that a journal can keep it. */
typedef struct cancer_result {
    double rows, test_rows, genes, classes;
    double choice;      /* index of the chosen lambda */
    double certificate; /* the largest relative gap there, recomputed from the data */
    double unconverged; /* fits, of the folds and the final one, that stopped before their gap was
                           reached */
    double seconds;
    double markers, found; /* genes known to matter, and how many of them are selected at the
                              choice; -1: not known */
    double class_genes[CANCER_CLASSES];  /* of each class at the choice (of two classes: of the one
                                            output) */
    cancer_point points[CANCER_LAMBDAS]; /* lambda descending */
} cancer_result;
enum { CANCER_VALUES = sizeof(cancer_result) / sizeof(double) };

/* `seed` is for folds that are not given. Progress is that of the cross-validation: folds done of
 * all. */
rls2_status cancer_protocol(const cancer_set *set, uint64_t seed, int threads,
                            rls2_progress_fn progress, void *progress_user, cancer_result *result,
                            rls2_error *err);

/* The mean of the test errors over every lambda with the fewest validation errors, and how many
 * those are. */
double cancer_mean_errors(const cancer_result *result, int64_t *count);

#endif
