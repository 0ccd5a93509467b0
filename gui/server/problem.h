/* Settings held against the data: the rows that are learned from, tested on and validated on, and
 * the recipe.
 *
 * The steps are those of `rls2 train`, in the same order, so that the same settings make the same
 * model. */
#ifndef RLS2_GUI_PROBLEM_H
#define RLS2_GUI_PROBLEM_H

#include "gui/server/run_settings.h"
#include "gui/server/state.h"

typedef struct problem {
    asked asked;
    state *state;
    cached *file, *test_file, *validation_file; /* borrowed tables */
    int64_t *kept, *marked, *validating;        /* rows of the file, in the order they are used */
    int64_t kept_count, marked_count, validating_count;
    rls2_table *train, *test,
        *choosing; /* `choosing`: training rows and, below them, validation rows; NULL where none */
    int own_train, own_test; /* tables made here, to be freed here */
    int redrawn; /* 1: no option of the command divides the rows so; it needs the table as it was
                    divided */
    rls2_dataset *data;          /* training rows, not preprocessed */
    rls2_dataset *choosing_data; /* of `choosing` */
    rls2_dictionary *dictionary;
    const char **drop;
    rls2_recipe recipe;
    rls2_measure measure;
} problem;

/* Takes the JSON over. Free in either case. */
int problem_make(state *s, json_t *settings, problem *p, fault *f);
void problem_release(problem *p);

int64_t problem_outputs(const problem *p);
int problem_is_classification(const problem *p);
/* How the rows are divided for choosing lambda; *splits is NULL where they are not. */
int problem_splits(const problem *p, rls2_splits **splits, fault *f);
/* Can they be made? Quicker than making them. */
int problem_check_splits(const problem *p, fault *f);
/* A name that no column has, for the one that says which part a row is of. */
const char *problem_part_column(const problem *p, char *name, size_t size);
/* Notes worth reading: rows left out, kernels that cannot be scaled ... */
json_t *problem_notes(const problem *p);

#endif
