/* rls2 verify, between its files: verify_command.c computes, verify_report.c tells. */
#ifndef RLS2_CLI_USE_VERIFY_COMMAND_H
#define RLS2_CLI_USE_VERIFY_COMMAND_H

#include "cli/output.h"

/* Scalings and objectives computed twice may differ by rounding, as may weights that were
 * multiplied. */
static const double SCALE_TOL = 1e-9;
static const double OBJECTIVE_TOL = 1e-7;
/* ... and gaps too by so many times what rounding of the kernels can make of the objective, where
 * lambda is tiny. */
static const double DOUBT_FACTOR = 10.0;
static const double WEIGHT_TOL = 1e-12;
/* What is added to the gap the model claims before the one found is compared with it. */
static const double GAP_SLACK = 1e-9;

/* Of one output. */
typedef struct finding {
    double
        scale_error; /* largest relative difference of a scaling; NaN if they were not recomputed */
    double objective_error;
    double objective_tol;   /* how much of it rounding explains */
    double intercept_error; /* of one that was fixed beforehand; a free one is in the gap */
    rls2_certificate certificate;
    int square;  /* its loss is the square one */
    int precise; /* the gap found is not above --gap-tol */
    int holds;
} finding;

typedef struct findings {
    int same_stored;   /* the rows the model predicts from are these */
    int same_rows;     /* the fingerprint agrees */
    int weighted;      /* rows have weights, in the model or in the file */
    int same_weights;  /* they agree, but for one factor for each class */
    int measured_here; /* features have the mean and length over these rows that they were to get */
    int64_t outputs;
    finding *of;
    int holds;
} findings;

#endif
