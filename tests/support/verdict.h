/* What the library claims about a problem, held against the truth.
 *
 * A claim lies where the true number is worse than claimed by more than the promise below and by
 * more than what the truth itself may be off by. A gap that is infinite or not a number claims
 * nothing. */
#ifndef RLS2_TESTS_SUPPORT_VERDICT_H
#define RLS2_TESTS_SUPPORT_VERDICT_H

#include <stdio.h>

#include "support/hard_problem.h"

/* A true gap is at most claimed (1 + GAP_SHARE) + GAP_FLOOR, all over the objective. */
static const double GAP_SHARE = 1e-6;
static const double GAP_FLOOR = 1e-12;
/* A gap of 1 and more proves nothing, since the objective is not negative; it is right up to
 * this factor. */
static const double EMPTY_FACTOR = 2.0;
/* Objectives are right to this share, or to the gap where that is larger; scalings to this. */
static const double OBJECTIVE_PROMISE = 1e-7;
static const double SCALING_PROMISE = 1e-11;

typedef enum claim {
    CLAIM_GAP,       /* of a point of a path */
    CLAIM_CERTIFY,   /* of rls2_path_certify and rls2_certify */
    CLAIM_MODEL,     /* of rls2_model_certify, packed and unpacked */
    CLAIM_OPTIMUM,   /* a better solution exists than the claims allow */
    CLAIM_OBJECTIVE, /* of a point or a certificate */
    CLAIM_SCALING,   /* s_k, or that there is none */
    CLAIM_INTERCEPT, /* the mean */
    CLAIM_OUTCOME,   /* converged, d on the simplex */
    CLAIM_VERIFY,    /* `rls2 verify` would refuse a model that was certified */
    CLAIMS
} claim;

typedef struct tally {
    int64_t problems, refused, points, certified, unknown;
    int64_t lies[CLAIMS];
    double worst[CLAIMS]; /* true over claimed, at most */
    FILE *report;         /* each lie in a line or two; NULL: none is told */
} tally;

extern const char *const CLAIM_NAMES[CLAIMS];

/* Fits the problem and counts what was claimed; how many lies there were. */
int64_t judge_problem(const hard_problem *problem, tally *tally);
/* All that is needed to see the problem again, in a few lines. */
void describe_problem(const hard_problem *problem, FILE *file);
/* Lies about gaps and what is said of them: all claims. */
int64_t lies_of(const tally *tally);

#endif
