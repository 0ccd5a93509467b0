/* Between prostate_study.c, which computes, and prostate_show.c, which shows. */
#ifndef RLS2_EXPERIMENTS_PROSTATE_STUDY_H
#define RLS2_EXPERIMENTS_PROSTATE_STUDY_H

#include "experiments/experiment.h"
#include "experiments/prostate.h"
#include "experiments/prostate_rivals.h"

enum {
    PROSTATE_LAMBDAS = 20,      /* to choose from: see prostate_lambda, ... */
    PROSTATE_TABLE_LAMBDA = 12, /* ... which is this one of them */
    PROSTATE_PROFILE = 81       /* of the coefficient profile, a smooth picture */
};

/* One unit: the curve of the folds of one seed. What the journal keeps of it, in this order. */
typedef struct prostate_curve {
    double cvm[PROSTATE_LAMBDAS], cvsd[PROSTATE_LAMBDAS];
    double best, choice; /* indices of lambda.min and lambda.1se */
} prostate_curve;
enum { PROSTATE_CURVE_VALUES = sizeof(prostate_curve) / sizeof(double) };

typedef struct prostate_study {
    const reproduction *r;
    prostate_data data;
    rls2_table *training; /* the 67 rows as a table, inputs standardised */
    uint64_t fingerprint; /* of these rows: with others a curve is another one */
    double lambdas[PROSTATE_LAMBDAS];
    int64_t seeds;
    prostate_curve *curves; /* of each seed */
    /* All training rows at the lambdas to choose from ... */
    double df[PROSTATE_LAMBDAS];
    double values[PROSTATE_LAMBDAS * PROSTATE_INPUTS];
    /* ... and along the finer path of the profile. */
    double profile_df[PROSTATE_PROFILE];
    double profile[PROSTATE_PROFILE * PROSTATE_INPUTS];
    double table_df; /* at prostate_lambda */
    prostate_column columns[PROSTATE_METHODS];
    rls2_certificate certificate;
} prostate_study;

/* The seed of the i-th division of the rows. */
uint64_t prostate_seed(const prostate_study *s, int64_t i);

/* Tables and figures; the caller frees them. */
rls2_status prostate_show(const prostate_study *s, sheet **results, rls2_error *err);

#endif
