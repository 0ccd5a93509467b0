/* Problems made to find certificates that do not hold.
 *
 * Every number of a seed is one problem, the same on every machine: 1 to 60 rows (now and then
 * 200), all kinds of kernels and scalings, equal rows, columns and kernels, columns and
 * responses that are constant, or nearly, or zero, numbers from 1e-300 to 1e300, weights of rows
 * of all sizes, given matrices that are not quite symmetric or not quite definite, both solvers,
 * stored and recomputed operators, lambda far beyond what is of use. */
#ifndef RLS2_TESTS_SUPPORT_HARD_PROBLEM_H
#define RLS2_TESTS_SUPPORT_HARD_PROBLEM_H

#include "base/random.h"
#include "support/reference.h"

enum { HARD_KERNELS = 128, HARD_GIVEN = 3, HARD_LAMBDAS = 4, HARD_OUTPUTS = 3, HARD_SPEC = 16384 };

/* What is out of the ordinary about a problem. */
typedef enum hard_trait {
    TRAIT_X_SCALE = 1 << 0,     /* inputs far from 1 */
    TRAIT_Y_SCALE = 1 << 1,     /* responses far from 1 */
    TRAIT_W_SCALE = 1 << 2,     /* weights of rows further than 1e8 from 1 */
    TRAIT_WILD_LAMBDA = 1 << 3, /* lambda anywhere */
    TRAIT_TINY_LAMBDA = 1 << 4, /* lambda down to 1e-18 of the trace */
    TRAIT_ASYMMETRIC = 1 << 5,  /* a given matrix that is not quite symmetric */
    TRAIT_INDEFINITE = 1 << 6,  /* ... not quite positive semi-definite */
    TRAIT_PARAMETER = 1 << 7,   /* parameters of kernels beyond 1e100 or 1e-100 */
    TRAIT_COUNT = 8
} hard_trait;

/* The rows from which those of a problem are taken. */
typedef struct hard_whole {
    rls2_rows rows;
    rls2_basis_options basis;
    int inherits; /* scalings and weights stay those of the larger basis */
    int64_t *taken;
    double *x, *y, *labels, *weights, *given[HARD_GIVEN];
    const double *given_list[HARD_GIVEN];
} hard_whole;

typedef struct hard_problem {
    uint64_t seed, index;
    unsigned traits;
    reference_data data;
    reference_kernel kernels[HARD_KERNELS];
    char spec[HARD_SPEC];
    int64_t outputs;
    double *x, *y, *labels, *weights; /* n x p, n x outputs, n x outputs, n or NULL */
    double *given[HARD_GIVEN];
    const double *given_list[HARD_GIVEN];
    int64_t given_count;
    /* Where the basis is a part of a larger one: that one, and which of its rows these are. */
    hard_whole *whole;
    rls2_basis_options basis;
    rls2_path_options path;
    int64_t lambda_count;
    double lambdas[HARD_LAMBDAS];
    long double *K; /* reference_matrices of data */
} hard_problem;

hard_problem *hard_problem_make(uint64_t seed, uint64_t index);

/* By hand: standard normal inputs, a response that depends on the first column, labels of its
 * sign, options as they are by default, no kernels and no lambdas. Change what is to be hard,
 * add kernels, and finish. */
hard_problem *hard_problem_plain(uint64_t seed, int64_t n, int64_t p);
void hard_problem_add(hard_problem *problem, reference_kernel kernel);
/* A given matrix, Z Z' of `rank` normal columns times `scale`, and a kernel of it. Release
 * belongs to the problem. */
double *hard_problem_add_given(hard_problem *problem, int64_t rank, double scale);
void hard_problem_finish(hard_problem *problem);

void hard_problem_free(hard_problem *problem);
rls2_rows hard_problem_rows(const hard_problem *problem);
/* NULL, with a message, where the text is refused. */
rls2_dictionary *hard_problem_dictionary(const hard_problem *problem, rls2_error *err);

#endif
