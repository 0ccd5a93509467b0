/* The paper's benchmark (sec. 5.2): ten data sets, 100 random splits at two ratios, 30 values of
 * lambda. */
#ifndef RLS2_EXPERIMENTS_UCI_H
#define RLS2_EXPERIMENTS_UCI_H

#include "experiments/experiment.h"
#include "experiments/journal.h"
#include "experiments/paper_sets.h"

enum { UCI_SETS = 10, UCI_RATIOS = 2, UCI_LAMBDAS = 30, UCI_SPLITS = 100 };

/* Per cent of the rows for training: 60 and 70. */
extern const int uci_ratios[UCI_RATIOS];

typedef struct uci_mean {
    double mean, deviation;
} uci_mean;

/* What the paper prints of one set: Table 1, and Tables 3 and 4 for each ratio. */
typedef struct uci_paper {
    const char *name;  /* as in paper_sets */
    const char *title; /* as in the paper */
    int64_t examples, features, kernels;
    struct {
        uci_mean score; /* RMSE, or accuracy in per cent */
        uci_mean kernels;
        uci_mean iterations;
        uci_mean seconds;
    } ratio[UCI_RATIOS];
} uci_paper;

/* UCI_SETS of them, in the order of Table 1. */
extern const uci_paper uci_paper_results[UCI_SETS];

/* One split, as the journal keeps it: numbers only. */
typedef struct uci_split {
    double score[UCI_LAMBDAS]; /* on the test rows: RMSE, or accuracy in per cent */
    double kernels[UCI_LAMBDAS];
    double iterations[UCI_LAMBDAS];
    double factorizations; /* in all */
    double worst_gap;
    double unconverged;   /* points at which the solver stopped before its rule held */
    double basis_seconds; /* processor time, different at each run ... */
    double path_seconds;  /* ... and not to be compared */
} uci_split;

/* All splits of one set at one ratio, and the lambda with the best mean score. */
typedef struct uci_curve {
    uci_split *splits; /* `count` of the results; own */
    int64_t best;
} uci_curve;

typedef struct uci_set {
    const paper_set *set;
    const uci_paper *paper;
    int64_t rows, features, kernels;
    uci_curve curves[UCI_RATIOS];
} uci_set;

typedef struct uci_results {
    rls2_solver solver;
    int64_t count; /* of splits */
    double lambdas[UCI_LAMBDAS];
    uci_set sets[UCI_SETS];
} uci_results;

/* An empty place for results as asked for. Whatever it returns, uci_release afterwards. */
rls2_status uci_prepare(const reproduction *r, uci_results *results, rls2_error *err);
void uci_release(uci_results *results);
/* All splits of set `index` of Table 1, both ratios. */
rls2_status uci_run_set(const reproduction *r, uci_results *results, int64_t index, journal *j,
                        rls2_error *err);

/* Mean and deviation, with divisor n - 1, over the splits of a number of each: pick(split, i). */
typedef double (*uci_pick)(const uci_split *split, int64_t i);
double uci_score(const uci_split *split, int64_t i);
double uci_kernels(const uci_split *split, int64_t i);
double uci_iterations(const uci_split *split, int64_t i);
uci_mean uci_mean_of(const uci_results *results, const uci_curve *curve, uci_pick pick, int64_t i);
/* Index of the best mean score, the largest lambda where several are. */
int64_t uci_best(const uci_results *results, const uci_set *set, const uci_curve *curve);
/* Of the paper's deviations: how far our mean score lies from the paper's. */
double uci_distance(const uci_results *results, const uci_set *set, int ratio);
/* The same in standard errors of the difference of the two means, the paper's being over UCI_SPLITS
 * splits; NaN with one split of ours, whose spread is not known. */
double uci_standard_errors(const uci_results *results, const uci_set *set, int ratio);

/* ---- what is shown ---- */

void uci_show_tables(const uci_results *results, sheet *s);
/* 0 when out of memory. */
int uci_show_figures(const uci_results *results, sheet *s);

#endif
