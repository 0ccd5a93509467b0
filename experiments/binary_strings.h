/* The paper's Experiment 1 (sec. 5.1): learning curves on strings of 100 bits of which three
 * matter. */
#ifndef RLS2_EXPERIMENTS_BINARY_STRINGS_H
#define RLS2_EXPERIMENTS_BINARY_STRINGS_H

#include "experiments/experiment.h"
#include "experiments/units.h"

enum {
    STRING_BITS = 100,
    STRING_TRUE = 3, /* the first three bits make y */
    STRING_TRAIN = 150,
    STRING_TEST = 100,
    STRING_ROWS = STRING_TRAIN + STRING_TEST,
    STRING_SEEDS = 20,
    STRING_SMALL = 30,   /* sizes that are looked at more closely */
    STRING_LAMBDAS = 89, /* eight or more to a decade, ... */
    STRING_COARSE = 4    /* ... of which each fourth makes a coarse grid */
};
static const double STRING_NOISE = 0.01;
static const double STRING_NOTICEABLE = 0.01;

typedef enum string_method {
    STRING_IDEAL,    /* one linear kernel on the three bits */
    STRING_RIDGE,    /* one linear kernel on all bits */
    STRING_GAUSSIAN, /* one Gaussian kernel on all bits */
    STRING_RLS2,     /* a linear kernel for each bit, trace scaling (E21) */
    STRING_LASSO,    /* the same without scaling: the Lasso (docs/MATH.md, G6) */
    STRING_CENTRED,  /* the Lasso as packages have it: columns centred, of unit norm, and an
                        intercept;  NaN above STRING_SMALL */
    STRING_METHODS
} string_method;
extern const char *const string_method_names[STRING_METHODS];

/* The strings of one seed. The columns lie in an order drawn by lot, so that a solver that takes
 * the first of equal columns has no gain from the true bits being the first. */
typedef struct string_data {
    double x[STRING_BITS * STRING_ROWS]; /* by columns; training rows first */
    double y[STRING_ROWS];
    int bit[STRING_BITS]; /* 0-based number of the bit in each column */
    char names[STRING_BITS][16];
    const char *name_list[STRING_BITS];
} string_data;
void string_data_draw(string_data *data, uint64_t seed);

/* One seed and size, as the journal keeps it: numbers only. `best` is the lambda of the smallest
 * test RMSE. */
typedef struct string_unit {
    double rmse[STRING_METHODS];   /* at the best lambda */
    double coarse[STRING_METHODS]; /* the same over the coarse grid */
    double lambda[STRING_METHODS];
    double d[STRING_TRUE];        /* RLS2's weights of the true bits at the best lambda */
    double wrong[STRING_METHODS]; /* other bits selected at the best lambda (RLS2 and the two
                                     Lassos) ... */
    double ones[STRING_METHODS];  /* ... and the sum over them of the share of ones in the training
                                     rows */
    double noticeable; /* of RLS2's other bits those with a weight above STRING_NOTICEABLE */
    double exact;      /* 1 where some lambda of RLS2's path selects the true bits and no other */
    double twins;      /* other bits that equal a true one on all training rows */
    double zeros;      /* bits that are zero on all training rows */
    double worst_gap;
} string_unit;
enum { STRING_WIDTH = 5 * STRING_METHODS + STRING_TRUE + 5 };
_Static_assert(sizeof(string_unit) == STRING_WIDTH * sizeof(double), "a unit is numbers only");

rls2_status string_unit_compute(const string_data *data, int64_t size, units_watcher *watch,
                                string_unit *unit, rls2_error *err);

/* ---- one fit, for the units and the check ---- */

typedef struct string_fit {
    rls2_dictionary *dictionary;
    rls2_basis *basis;
    rls2_path *path;
    double *centred; /* the data of STRING_CENTRED, or NULL */
    rls2_rows test;
} string_fit;
/* Whatever it returns, string_fit_free afterwards. */
rls2_status string_fit_make(const string_data *data, int64_t size, string_method method,
                            double gap_tol, units_watcher *watch, string_fit *fit, rls2_error *err);
void string_fit_free(string_fit *fit);

/* ---- the check against a Lasso by coordinate descent ---- */

typedef struct string_check {
    double fit_difference;         /* largest |X a - X a'| / |y| between the two at the same t */
    double coefficient_difference; /* largest |a - a'|; only where no columns are equal */
    double has_equal_columns;
    double lasso;    /* smallest test RMSE of the descent over a grid of t of its own ... */
    double weighted; /* ... and where each |a_j| is weighted by the norm of its column */
} string_check;
enum { STRING_CHECK_WIDTH = 5, STRING_CHECK_SIZES = 7 };
_Static_assert(sizeof(string_check) == STRING_CHECK_WIDTH * sizeof(double),
               "a check is numbers only");
extern const int64_t string_check_sizes[STRING_CHECK_SIZES];

rls2_status string_check_compute(const string_data *data, int64_t size, string_check *check,
                                 rls2_error *err);

/* min 1/2 |y - X a|^2 + t sum_j w_j |a_j| by coordinate descent from the given a, until the duality
 * gap is below tol |y|^2 / 2. x has ldx rows, of which n count. residual: room for n. Returns the
 * relative gap. */
double lasso_descend(int64_t n, int64_t p, const double *x, int64_t ldx, const double *y,
                     const double *w, double t, double tol, double *a, double *residual);

/* ---- what is shown ---- */

typedef struct string_results {
    int64_t seeds;
    int64_t checked;            /* seeds of the check */
    const string_unit *units;   /* seeds x STRING_TRAIN, the sizes of a seed side by side */
    const string_check *checks; /* checked x STRING_CHECK_SIZES */
} string_results;

void string_show(const string_results *results, sheet *s);
/* 0 when out of memory. */
int string_show_figures(const string_results *results, sheet *s);
const string_unit *string_unit_at(const string_results *results, int64_t seed, int64_t size);

#endif
