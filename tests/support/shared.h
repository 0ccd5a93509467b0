/* Several outputs on the same rows, and their paths with shared weights. */
#ifndef RLS2_TESTS_SUPPORT_SHARED_H
#define RLS2_TESTS_SUPPORT_SHARED_H

#include "support/problem.h"

enum { MOST_OUTPUTS = 6 };

typedef struct shared_problem {
    plain_problem problem; /* x and kernels; its y is that of the first output */
    int64_t outputs;
    double *numbers, *labels, *counts; /* n x outputs: of labels one 1 in each row */
    rls2_dictionary *dictionary;
    rls2_basis *basis;
    const rls2_basis *bases[MOST_OUTPUTS]; /* all the same */
} shared_problem;

/* Outputs of which each depends on some columns, some on the same; linear and Gaussian kernels of
 * columns, and one of all. row_weights may be NULL. */
shared_problem shared_create(uint64_t seed, int64_t n, int64_t outputs, const double *row_weights);
void shared_free(shared_problem *it);
/* Its basis, where there is none yet. */
void shared_make_basis(shared_problem *it, const double *row_weights);
/* The same with row i times[i] times. */
shared_problem shared_repeat(const shared_problem *from, const double *times);

/* The responses that a loss takes. */
const double *shared_responses(const shared_problem *it, rls2_loss loss);
/* Shared weights, a gap of 1e-6, df at each lambda; the word of a loss. */
rls2_path_options shared_options(const char *loss, rls2_intercept intercept);
void shared_fit(const shared_problem *it, const rls2_path_options *options, int64_t count,
                const double *lambdas, const rls2_control *control, rls2_path **paths);
void shared_free_paths(int64_t outputs, rls2_path **paths);

#endif
