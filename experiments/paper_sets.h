/* The paper's data sets (its Table 1) and the Prostate data: which file, which target,
 * how it is prepared. Built on the public API. */
#ifndef RLS2_EXPERIMENTS_PAPER_SETS_H
#define RLS2_EXPERIMENTS_PAPER_SETS_H

#include "rls2/rls2.h"

typedef struct paper_set {
    const char *name;
    const char *file;
    const char *target;
    const char *drop[3]; /* NULL-terminated: columns that are not inputs */
    int classify;        /* labels +1 / -1, no intercept */
    int standardize;     /* inputs to zero mean and unit variance, as in Table 1 */
    int reference;       /* leave out one redundant indicator */
    int64_t rows;        /* complete rows */
    int64_t features;    /* numeric inputs after indicators: kernels = 13 (features + 1) */
} paper_set;

/* The ten benchmark sets in the order of Table 1, then Prostate; `count` of them. */
const paper_set *paper_sets(int *count);

/* The set of that name, or NULL. */
const paper_set *paper_set_find(const char *name);

/* Reads FOLDER/file and prepares it as the paper did. */
rls2_status paper_set_load(const paper_set *set, const char *folder, rls2_dataset **dataset,
                           rls2_error *err);

#endif
