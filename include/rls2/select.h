/* Choosing lambda: splits of the rows, measures, cross-validation along the path, criteria.
 *
 * A split says which rows are learned from and which are predicted. Cross-validation fits a whole
 * path on the training rows of each split, everything that is learned from data (categories,
 * preprocessing, scalings) being learned from those rows alone, and scores each lambda on the
 * others. From 1,000 rows on what the inputs alone say (fills, means, deviations) is learned from
 * all rows that are split, once, and paths end at a gap of 1e-3 (docs/MATH.md, V5). */
#ifndef RLS2_SELECT_H
#define RLS2_SELECT_H

#include "rls2/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- splits ---- */

typedef struct rls2_splits rls2_splits;

/* `folds` parts of nearly equal size, each predicted once from the others; `repeats` times over
 * with other parts. With `strata` (n values, or NULL) the rows of each distinct value are spread
 * evenly over the folds: for classes. The parts depend on n, strata, folds, repeats and seed alone.
 * 2 <= folds <= n. */
RLS2_API rls2_status rls2_splits_folds(int64_t n, const double *strata, int64_t folds,
                                       int64_t repeats, uint64_t seed, rls2_splits **splits,
                                       rls2_error *err);
/* `count` random splits with that share of the rows (of each stratum) for training, 0 < share < 1;
 * at least one row on either side. */
RLS2_API rls2_status rls2_splits_random(int64_t n, const double *strata, int64_t count,
                                        double share, uint64_t seed, rls2_splits **splits,
                                        rls2_error *err);
/* `pairs` pairs of halves of floor(n / 2) rows each, drawn at random; split 2 b learns from one
 * half of pair b and predicts the other, split 2 b + 1 the other way round. Of an odd number of
 * rows one is in neither. Strata and seed as above. */
RLS2_API rls2_status rls2_splits_halves(int64_t n, const double *strata, int64_t pairs,
                                        uint64_t seed, rls2_splits **splits, rls2_error *err);
/* One split for each distinct value of `fold` that is not negative, in ascending order: its rows
 * are predicted from all the others. Rows with a negative value are always learned from. */
RLS2_API rls2_status rls2_splits_given(int64_t n, const int64_t *fold, rls2_splits **splits,
                                       rls2_error *err);
/* `count` splits by lists of rows, 0-based and in any order: split i learns from training[i][0 ..
 * training_counts[i]) and predicts validation[i][0 .. validation_counts[i]). A row may be predicted
 * in several splits, or in none, and need not be in either list. RLS2_ERR_VALUE, with a sentence
 * that names the split and the row: an empty list, a row out of range, twice in a list, or in both
 * lists of one split. Everything is copied. */
RLS2_API rls2_status rls2_splits_listed(int64_t n, int64_t count, const int64_t *training_counts,
                                        const int64_t *const *training,
                                        const int64_t *validation_counts,
                                        const int64_t *const *validation, rls2_splits **splits,
                                        rls2_error *err);
RLS2_API void rls2_splits_free(rls2_splits *splits);

RLS2_API int64_t rls2_splits_count(const rls2_splits *splits);
RLS2_API int64_t rls2_splits_rows(const rls2_splits *splits); /* n */
/* The rows of split i, ascending; returns how many. Owned by the splits. 0 and NULL if out of
 * range. */
RLS2_API int64_t rls2_splits_training(const rls2_splits *splits, int64_t i, const int64_t **rows);
RLS2_API int64_t rls2_splits_validation(const rls2_splits *splits, int64_t i, const int64_t **rows);

/* ---- measures ---- */

typedef enum rls2_measure {
    RLS2_MEASURE_AUTO = -1, /* for cross-validation: accuracy where there are classes; rmse; r2 of
                               several responses */
    RLS2_MEASURE_RMSE = 0,
    RLS2_MEASURE_MSE = 1,
    RLS2_MEASURE_MAE = 2,
    RLS2_MEASURE_R2 = 3,                /* 1 - sum of squared errors / that of the mean of y */
    RLS2_MEASURE_ACCURACY = 4,          /* share of rows whose class is right, by rls2_decide */
    RLS2_MEASURE_BALANCED_ACCURACY = 5, /* mean of the shares in each class that occurs */
    RLS2_MEASURE_AUC = 6, /* area under the ROC curve; ties count half. Of more than two classes the
                             mean over those for which it is defined, each against all others */
    RLS2_MEASURE_ERRORS = 7,   /* rows whose class is wrong */
    RLS2_MEASURE_LOG_LOSS = 8, /* mean of -log of the probability of the class that it was */
    RLS2_MEASURE_BRIER = 9, /* mean of (probability - 1 or 0)^2: of class 1 where there are two, the
                               sum over the classes where there are more */
    RLS2_MEASURE_PINBALL = 10, /* mean of the quantile loss */
    RLS2_MEASURE_DEVIANCE = 11 /* of counts: mean of 2 (y log(y / rate) - y + rate) */
} rls2_measure;

/* "rmse", "mse", "mae", "r2", "accuracy", "balanced-accuracy", "auc", "errors", "log-loss",
 * "brier", "pinball", "deviance"; NULL for none of them. */
RLS2_API const char *rls2_measure_name(rls2_measure measure);
/* RLS2_ERR_NAME with a suggestion if there is none of that name. */
RLS2_API rls2_status rls2_measure_find(const char *name, rls2_measure *measure, rls2_error *err);
/* Of predictions by default: accuracy where there are classes, rmse of one response, r2 of several.
 */
RLS2_API rls2_measure rls2_measure_default(int classification, int64_t outputs);
/* The same of predictions that were learned with this loss: log-loss of logistic and multinomial,
 * pinball of quantile, deviance of poisson, mae of absolute, epsilon and huber. */
RLS2_API rls2_measure rls2_measure_default_for(rls2_loss loss, int classification, int64_t outputs);
/* 1 if predictions of that loss have such a measure: log-loss and brier need probabilities, pinball
 * a quantile, deviance a rate. */
RLS2_API int rls2_measure_fits(rls2_measure measure, rls2_loss loss);
/* 1 if a larger value is better. */
RLS2_API int rls2_measure_rises(rls2_measure measure);
/* 1 if it is for classes: y = -1 or +1 in one output, or +1 in that of the class and -1 in the
 * others. */
RLS2_API int rls2_measure_is_for_classes(rls2_measure measure);
/* Of n predictions f of y, both n x outputs, column-major. row_weights: NULL if each row
 * counts once; a count of errors is then a sum of weights. Of several responses the mean over them,
 * as if each were alone (of R2 over those that are not constant). NaN where it is not defined (R2
 * of a constant y, AUC of one class, n = 0). */
RLS2_API double rls2_measure_value(rls2_measure measure, int64_t outputs, int64_t n,
                                   const double *f, const double *y, const double *row_weights);
/* The same where losses[outputs] say on which scale f is: rates, not their logarithms, are held
 * against counts, and probabilities come of f. NULL: the square loss of all outputs, and
 * rls2_measure_value is that. NaN where the measure does not fit the loss. */
RLS2_API double rls2_measure_value_of(rls2_measure measure, const rls2_loss *losses,
                                      int64_t outputs, int64_t n, const double *f, const double *y,
                                      const double *row_weights);
/* counts[classes x classes]: [a * classes + b] rows of class a that are taken for b. classes is 2
 * for one output, else the outputs. */
RLS2_API void rls2_confusion(int64_t outputs, int64_t n, const double *f, const double *y,
                             int64_t *counts);

/* ---- criteria ---- */

/* What one point of a path would be expected to lose on new rows, without refitting: from its
 * degrees of freedom (computed if the path did not). With rss = |y - f|^2 over the training rows:
 *
 *   gcv   (rss / n) / (1 - df/n)^2
 *   cp    rss / n + 2 sigma^2 df / n,
 *         sigma^2 = rss / (n - df) at the smallest lambda with df <= n/2
 *   aic   n log(rss / n) + 2 df n / (n - df - 1)     with the correction for few rows
 *   bic   n log(rss / n) + log(n) df     where df <= n/2
 *   loo   mean squared error of leaving each row out with d kept: (c_i / [(R + lambda I)^-1]_ii)^2,
 *         exact for fixed d and scalings, and without an intercept that would move
 *
 * With weights rss is the weighted sum, n is the sum of the weights, and leaving a row out leaves
 * out all it stands for. f is the path's own fit; loo takes c = (R + lambda I)^-1 y, which that of
 * the alternate solver only approaches. */
typedef struct rls2_criteria {
    double df;
    double rss;
    double gcv;
    double cp;
    double aic;
    double bic;
    double loo;
} rls2_criteria;

/* criteria[count of the path], each of `size` bytes, that is sizeof *criteria. O(n^3) for each
 * point; O(n r^2) where the kernels selected there have factors of r <= n/3 columns together. NaN
 * where one is not defined: gcv where df is n (within 1e-9 n), aic where n - df - 1 is not
 * positive, bic where df > n/2 (log rss would win against any penalty), aic and bic where rss is 0,
 * cp where no point has df <= n/2; all but rss where the numbers of a point overflowed (STALLED, c
 * = 0). No value is infinite. The intercept is not counted in df. Progress has the stage "criteria"
 * and counts points; when it asks to stop nothing is written: RLS2_ERR_CANCELLED. control may be
 * NULL. */
RLS2_API rls2_status rls2_path_criteria(const rls2_path *path, const rls2_control *control,
                                        rls2_criteria *criteria, size_t size, rls2_error *err);

/* ---- cross-validation ---- */

typedef struct rls2_preprocessing {
    rls2_normalize examples;
    rls2_normalize features;
} rls2_preprocessing;

typedef struct rls2_cv rls2_cv;

/* What the learned path is held against: regularised least squares with kernel weights d that are
 * not learned, c = (R(d) + lambda I)^-1 y (or the same with another loss), for the same lambdas,
 * rows and preprocessing. Outputs have weights of their own; the classes of a multinomial loss
 * share them, by the sums of their alignments. With the
 * alignment a_k = y'R^k y / |R^k|_F over the training rows (y less the intercept; 0 where that is
 * negative or not finite): */
typedef enum rls2_baseline {
    RLS2_BASELINE_UNIFORM = 0,   /* all m' kernels with a positive scaling: d_k = 1/m' */
    RLS2_BASELINE_ALIGNMENT = 1, /* d_k = a_k / sum of all */
    RLS2_BASELINE_SINGLE = 2,    /* d_k = 1 for the largest a_k */
    RLS2_BASELINE_RIDGE =
        3, /* the one kernel linear@all with trace scaling, whatever the dictionary is */
    RLS2_BASELINE_CONSTANT = 4, /* of other losses than the square one: no inputs at all, the
                                   constant that loses least, such as the frequencies of the classes
                                   or a quantile of y; its lambda is NaN */
    RLS2_BASELINE_COUNT = 5     /* may grow with versions */
} rls2_baseline;

/* "uniform average", "alignment average", "best aligned kernel", "ridge on the inputs", "constant";
 * NULL for any other number. */
RLS2_API const char *rls2_baseline_name(rls2_baseline which);

/* Cross-validation is a part of rls2_plan_fit (rls2/plan.h). The whole table says which columns are
 * text, how their indicators are named and ordered, what the reference level is and which classes
 * there are, so that the dictionary means the same in every split; which categories exist is
 * learned from the training rows of the split. A category seen in its left-out rows alone is zero
 * in all indicators of its column (as the reference level is, where there is one), and kernels that
 * look at no other column are left out: to refuse it, as rls2_dataset_create_like does, would let
 * one rare category end every cross-validation, and to give it an indicator would be to know it
 * beforehand. Of more than two classes one that is absent from the training rows has y = -1 in all
 * of them. A split that cannot be fitted is an error that names it.
 *
 * Weights of rows count in fits, in scores and in the weights of the splits; class weights in fits
 * alone. From 1,000 rows on every split takes its rows and kernels from those of all. Below, where
 * features are not preprocessed and no kernel is a spline, kernels are evaluated once
 * for all rows (and once for a grid from the data, which is that of a path over all rows, to the
 * bit) and every split takes its own from there, if the memory has room for both: half of it for
 * those of all rows, of which none may be left unstored. It is a limit for each split, of which as
 * many are computed at a time as there are threads, from 1,000 rows on as far as memory goes. */
RLS2_API void rls2_cv_free(rls2_cv *cv);

/* One lambda, in glmnet's words. The library owns it; members may be added at the end. */
typedef struct rls2_cv_point {
    double lambda;
    double cvm; /* mean over the splits, weighted by their validation rows' weights (a count of
                   errors is not); splits on which the measure is not defined are left out */
    double
        cvsd; /* its standard error: the weighted deviation over the splits / sqrt(splits - 1), as
                 glmnet has it. Of repeated folds the mean of the repeats' own; of random splits
                 with the correction for the rows they share. Of listed splits: as of folds where no
                 row is predicted twice, as of repeated folds where every so many of them predict
                 each row once, else as of random splits. NaN for a single split */
    double cvup;  /* cvm + cvsd */
    double cvlo;  /* cvm - cvsd */
    double nzero; /* kernels that any output selects, mean over the splits */
} rls2_cv_point;

RLS2_API int64_t rls2_cv_count(const rls2_cv *cv); /* lambdas, descending */
RLS2_API const rls2_cv_point *rls2_cv_at(const rls2_cv *cv, int64_t i);
RLS2_API rls2_measure rls2_cv_measure(const rls2_cv *cv);
RLS2_API int64_t rls2_cv_splits(const rls2_cv *cv);
/* Points of all the splits' paths at which the solver stopped before its rule held: 0 if all is
 * well. */
RLS2_API int64_t rls2_cv_unconverged(const rls2_cv *cv);
/* 1 where a split is too small for the measure: fewer than 10 rows for R2, or rows that lack a
 * class for AUC and balanced accuracy. cvm is then that of the left-out rows of all splits of a
 * repeat together, and cvsd its standard error by the jackknife over splits. */
RLS2_API int rls2_cv_is_pooled(const rls2_cv *cv);
/* The value of the measure at lambda i on the validation rows of split s, also where they are too
 * few. */
RLS2_API double rls2_cv_score(const rls2_cv *cv, int64_t i, int64_t s);
/* Index of the best cvm, the largest lambda where several are; and of the largest lambda whose cvm
 * is within one standard error (that of the best) of it. -1 where no cvm is a number. */
RLS2_API int64_t rls2_cv_min(const rls2_cv *cv);
RLS2_API int64_t rls2_cv_1se(const rls2_cv *cv);
RLS2_API int64_t rls2_cv_outputs(const rls2_cv *cv);
/* out[rows x outputs]: the prediction of each row at lambda i by the split that left it out (the
 * first that did); NaN for a row that none did. NULL where they were too many to keep: more than
 * 16 million values of all lambdas, of a fit that counts its rows first. */
RLS2_API const double *rls2_cv_predictions(const rls2_cv *cv, int64_t i);
RLS2_API int64_t rls2_cv_rows(const rls2_cv *cv);
/* Prediction intervals (setting "interval" of a plan) as a score: rows of each split have intervals
 * about what it predicts of them, calibrated on the left-out rows of the other splits (of a single
 * split the rows are divided into ten parts). Where splits are exchangeable the coverage is near
 * the level by construction, whatever the model; it falls short where one split says little of
 * another, as of groups or times, and the width is what models differ in. Each row counts once, as
 * the first split that left it out predicts it. docs/MATH.md, I2. The library owns it; members may
 * be added at the end. */
typedef struct rls2_coverage {
    double level;       /* what was asked for */
    double coverage;    /* share of the left-out rows within, by their weights */
    double coverage_se; /* its standard error over the splits, as cvsd; NaN: fewer than two */
    double width;       /* mean of upper less lower end */
    double width_se;
    int64_t rows; /* with intervals: those whose other splits have enough rows for the level; where
                     there are none coverage and width are NaN */
} rls2_coverage;
/* Intervals of a row: one of one output or of several quantiles, one for each of several targets; 0
 * where none were asked for, or predictions were too many to keep. */
RLS2_API int64_t rls2_cv_interval_count(const rls2_cv *cv);
/* Of interval t at lambda i; NULL if out of range. Owned by cv. */
RLS2_API const rls2_coverage *rls2_cv_coverage(const rls2_cv *cv, int64_t i, int64_t t);
/* How much each kernel's part of the predictions explains of the variance of output o over left-out
 * rows, at lambda i: all shares sum to the part explained, 1 - var(y - f) / var(y), but for the
 * intercept's share, which is of the order 1/n. A kernel that memorises noise has a share near
 * 0, or below it. Rows count as in the fit, by the weights of their classes too. Kernels that a
 * split selects, by their number in the dictionary, ascending; returns how many, 0 if out of
 * range. kernels and shares, which may be NULL, are owned by cv. docs/MATH.md, V4. */
RLS2_API int64_t rls2_cv_shares(const rls2_cv *cv, int64_t i, int64_t o, const int64_t **kernels,
                                const double **shares);
/* 1 if split s selects the t-th kernel that rls2_cv_shares(cv, i, o) lists; 0 if not, and where
 * there is no such kernel or split. */
RLS2_API int rls2_cv_selects(const rls2_cv *cv, int64_t i, int64_t o, int64_t t, int64_t s);
/* A baseline at its own best lambda, the largest where several are; nzero counts its kernels with
 * weight. Owned by cv. NULL where it was not asked for, or is not defined in some split (all
 * alignments 0, all inputs 0). */
RLS2_API const rls2_cv_point *rls2_cv_baseline(const rls2_cv *cv, rls2_baseline which);

#ifdef __cplusplus
}
#endif
#endif
