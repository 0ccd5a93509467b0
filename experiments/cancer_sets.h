/* Gene expressions of patients and the kind of their cancer: real sets, and made ones of the same
 * shape. */
#ifndef RLS2_EXPERIMENTS_CANCER_SETS_H
#define RLS2_EXPERIMENTS_CANCER_SETS_H

#include "experiments/checksum.h"
#include "experiments/experiment.h"

typedef struct cancer_set {
    rls2_table *train, *test; /* own; a row for each patient */
    char target[32];          /* column of the class */
    char drop[32];            /* a column that is neither gene nor class; "" if there is none */
    int64_t *fold;            /* own: the fold of each training row; NULL: to be drawn */
    char *marker; /* own: 1 for each gene that is known to matter, else 0; NULL: nobody knows */
} cancer_set;

void cancer_set_free(cancer_set *set);

/* A CSV file with columns `class` and `set`, which holds train or test, and genes. */
rls2_status cancer_set_read(const char *path, cancer_set *set, rls2_error *err);

/* ---- 14 Cancers (Ramaswamy et al. 2001), as the textbook's web site has them ---- */

enum { CANCER14_CLASSES = 14, CANCER14_GENES = 16063, CANCER14_TRAIN = 144, CANCER14_TEST = 54 };

/* Where the textbook's folds are: not on its web site, so that they may be missing. */
#define CANCER14_FOLDS "14cancer.cvfolds.txt"

/* How many patients of each class there are. */
extern const int cancer14_train[CANCER14_CLASSES], cancer14_test[CANCER14_CLASSES];
/* Whether the data folders have all of 14cancer.xtrain, .xtest, .ytrain, .ytest; `missing` names
 * those that are not there. */
int cancer14_is_there(const reproduction *r, char *missing, size_t size);

/* What the files were at one moment. */
typedef struct cancer14_origin {
    char checksum[CHECKSUM_TEXT]; /* of all four together, and of the folds where they are there */
    int published;                /* whether the four are those published, by their checksums */
    int folds;                    /* whether there is a file of folds */
} cancer14_origin;
/* RLS2_ERR_NAME where one of the four is missing. */
rls2_status cancer14_origin_of(const reproduction *r, cancer14_origin *origin, rls2_error *err);
/* Reads them, and 14cancer.cvfolds.txt where it is there. Files of another shape, or of other class
 * counts, are RLS2_ERR_VALUE. */
rls2_status cancer14_read(const reproduction *r, cancer_set *set, rls2_error *err);

/* ---- made data ---- */

/* Every class has genes of its own that are raised in its patients; the others vary with their
 * neighbours, to no purpose. Each patient is measured with a gain and an offset of its own, and
 * each gene has a level of its own, as on real arrays. */
typedef struct cancer_plan {
    int64_t genes;
    int classes;
    const int *train, *test; /* patients of each class */
    int markers;             /* genes of each class, */
    double effect;           /* raised by this many standard deviations */
    int block;               /* neighbouring genes in a block, */
    double correlation;      /* correlated so much */
} cancer_plan;

/* Of the shape of 14 Cancers. */
extern const cancer_plan cancer_plan_14;

rls2_status cancer_set_generate(const cancer_plan *plan, uint64_t seed, cancer_set *set,
                                rls2_error *err);

/* A table of the numbers, rows x columns by columns, with columns x1, x2, ... */
rls2_status cancer_table(const char *name, int64_t rows, int64_t columns, const double *numbers,
                         rls2_table **table, rls2_error *err);

#endif
