/* A plan as its files see it: asked for, divided, completed. */
#ifndef RLS2_PLAN_PLAN_H
#define RLS2_PLAN_PLAN_H

#include "base/memory.h"
#include "base/status.h"
#include "base/suggest.h"
#include "plan/wishes.h"
#include "rls2/plan.h"
#include "select/recipe.h"

/* What was set, as words. */
typedef struct rls2__value {
    const char **items;
    int64_t count, room;
    int is_set;
} rls2__value;

/* Rows that go the same way. */
typedef struct rls2__part {
    int64_t *rows; /* of the file, `count` of them; NULL where the table is another one */
    int64_t count;
    const rls2_table *table; /* NULL: there are no such rows */
    rls2_table *own;         /* the same where the plan made it */
    rls2_dataset *data;
} rls2__part;

/* A column that nobody asked to leave out, and why it was. */
typedef struct rls2__column_left_out {
    const char *column, *why;
} rls2__column_left_out;

/* An input that is empty in some training rows, and in some of these alone. */
typedef struct rls2__empty_input {
    const char *column;
    int64_t rows, alone;
} rls2__empty_input;

/* A matrix that was given, over all rows of the file, and what is used of it. */
typedef struct rls2__plan_matrix {
    const char *name;
    int64_t rows;
    const double *whole;
    double *train;         /* training rows; NULL where these are all rows of the file, in order */
    double *test;          /* test rows x training rows */
    double *test_diagonal; /* test rows */
    double *choosing;      /* rows that are split; NULL where they are the training rows */
} rls2__plan_matrix;

typedef enum rls2__progress_of_plan {
    RLS2__PLAN_ASKED,
    RLS2__PLAN_DIVIDED,
    RLS2__PLAN_COMPLETE,
    RLS2__PLAN_BROKEN /* half done when something failed */
} rls2__progress_of_plan;

typedef struct rls2__plan_source rls2__plan_source; /* plan_source.h */

struct rls2_plan {
    rls2_goal goal;
    rls2_voice voice;
    rls2__progress_of_plan state;
    rls2__arena *arena; /* texts */
    rls2__wishes asked;
    rls2__value *values; /* of each setting */
    const char *fault;   /* a setting's name */
    const char **notes;
    int64_t note_count, note_room;

    const char *const *converter; /* of Parquet files; borrowed */
    double *numbers;              /* by rls2_plan_set_lambdas, as they were given */
    int64_t number_count;
    double *lambdas;      /* made of these or of the settings, descending */
    int64_t lambda_count; /* 0: they come from the data */
    rls2__plan_matrix *matrices;
    int64_t matrix_count;
    double *precomputed;                             /* the matrix of a file that holds one */
    const rls2_table *test_table, *validation_table; /* borrowed */

    rls2__plan_source *source; /* NULL: all rows are in the table; else that is a sample of them */
    const rls2_table *file;    /* borrowed */
    rls2__part train, test, validation;
    const char *test_column, *validation_column, *fold_column;
    rls2_table *choosing_table; /* training rows and, below them, validation rows; NULL: none */
    rls2_dataset *choosing_data;
    const char **dropped;
    rls2__column_left_out *left_out; /* among them, those the plan chose itself */
    int64_t left_out_count;
    rls2__column_left_out *suspects; /* that stay, and what may be wrong with them */
    int64_t suspect_count;
    rls2__empty_input *empty;
    int64_t empty_count;
    const char **categorical; /* those asked for, and columns that the plan takes for categories */
    const char **group_names, **group_columns;
    const char **given_names;
    const double **given, **choosing_given;
    rls2_rows test_rows; /* with matrices between them and the training rows */
    const double **test_given, **test_diagonals;

    rls2__recipe recipe;           /* for the training rows */
    rls2__recipe choosing_recipe;  /* for the rows that are split */
    rls2__ingredients ingredients; /* of the training rows; its dictionary is the plan's */
    int64_t wanted_kernels; /* of the dictionary, the last: of groups of inputs that were found */
    int is_tall;            /* rows are counted first: fit_tall.h */
    rls2_loss loss;         /* the first of */
    rls2_loss losses[RLS2_LOSS_LEVELS]; /* loss_count: more than 1 are quantiles of one target */
    int64_t loss_count;
    const char *level_names[RLS2_LOSS_LEVELS]; /* of the outputs where there are several losses */
    int baselines;
    rls2_measure measure;
    rls2_splits *splits;
};

/* The name of a setting in the plan's voice. */
typedef struct rls2__named {
    char text[48];
} rls2__named;
rls2__named rls2__plan_name(const rls2_plan *plan, const char *setting);

/* As rls2__fail, about a setting (NULL: about none). */
rls2_status rls2__plan_refuse(rls2_plan *plan, const char *setting, rls2_error *err,
                              rls2_status status, const char *format, ...) RLS2__PRINTF(5, 6);
/* The status of a call that failed by itself, about a setting. */
rls2_status rls2__plan_blame(rls2_plan *plan, const char *setting, rls2_status status);
rls2_status rls2__plan_memory_out(rls2_plan *plan, rls2_error *err);
/* A sentence more; a note for which there is no memory is left out. */
void rls2__plan_say(rls2_plan *plan, const char *format, ...) RLS2__PRINTF(2, 3);

/* "1 row", "2 rows" */
typedef struct rls2__counted {
    char text[64];
} rls2__counted;
rls2__counted rls2__count_of(int64_t count, const char *noun);
/* "a, b, c, ... (14 in all)" */
typedef struct rls2__listed {
    char text[256];
} rls2__listed;
rls2__listed rls2__column_list(const rls2_table *table);

int rls2__is_among(const char *name, const char *const *names, int64_t count);
int rls2__plan_is_target(const rls2_plan *plan, const char *name);
/* 1: the target holds classes; 0: numbers; -1: the data set tells texts from slips. */
int rls2__plan_infer_classes(const rls2_plan *plan);
/* Are the columns there that settings name? Before rows are read that may be many. */
rls2_status rls2__plan_check_columns(rls2_plan *plan, const rls2_table *first, rls2_error *err);
/* The columns of the responses, asked for or by the convention of the format. */
int64_t rls2__plan_targets(const rls2_plan *plan, const rls2_table *table,
                           const char *const **names);
/* Says what becomes of missing cells, and sets that option of the data. */
rls2_status rls2__plan_settle_missing(rls2_plan *plan, rls2_error *err);
/* Say how many test rows, or validation rows, are left out for an empty cell. */
void rls2__plan_note_lost_test(rls2_plan *plan);
void rls2__plan_note_lost_validation(rls2_plan *plan);
/* Says which categories are pooled. */
void rls2__plan_note_pooled(rls2_plan *plan);
/* Is lambda to be chosen on rows left out? */
int rls2__plan_leaves_rows_out(const rls2_plan *plan);

/* One matrix more; the values are borrowed. */
rls2_status rls2__plan_add_matrix(rls2_plan *plan, const char *name, int64_t rows,
                                  const double *matrix, rls2_error *err);

/* Says which settings do nothing beside the others. */
void rls2__plan_note_unused(rls2_plan *plan);

/* Parts of the rows that are left out in turn; 0: none. When splits have been drawn. */
int64_t rls2__plan_split_count(const rls2_plan *plan);

/* ---- the steps, in their order ---- */

rls2_status rls2__plan_check_settings(rls2_plan *plan, rls2_error *err);
rls2_status rls2__plan_make_lambdas(rls2_plan *plan, rls2_error *err);
/* Reads the loss; then, when the target is known, holds it against that. */
rls2_status rls2__plan_read_loss(rls2_plan *plan, rls2_error *err);
rls2_status rls2__plan_settle_loss(rls2_plan *plan, rls2_error *err);
/* Is it any other problem than the paper's? And how many factorisations it takes in place of one of
 * that, as `make bench-loss` has it. */
int rls2__plan_is_general(const rls2_plan *plan);
double rls2__plan_hardness(const rls2_plan *plan);
rls2_status rls2__plan_divide_rows(rls2_plan *plan, rls2_error *err);
rls2_status rls2__plan_make_data(rls2_plan *plan, rls2_error *err);
rls2_status rls2__plan_choose_columns(rls2_plan *plan, rls2_error *err);
rls2_status rls2__plan_take_matrices(rls2_plan *plan, rls2_error *err);
rls2_status rls2__plan_make_kernels(rls2_plan *plan, rls2_error *err);
/* The text of the dictionary where none is asked for, without given matrices; with a note. "" where
 * there are no columns, NULL where there is no memory. */
const char *rls2__plan_default_dictionary(rls2_plan *plan);
rls2_status rls2__plan_prepare_rows(rls2_plan *plan, rls2_error *err);
rls2_status rls2__plan_take_test_matrices(rls2_plan *plan, rls2_error *err);
rls2_status rls2__plan_make_splits(rls2_plan *plan, rls2_error *err);
rls2_status rls2__plan_draw_splits(rls2_plan *plan, rls2_error *err);
/* The class of each training row as a number, that every fold may have its share; NULL for
 * regression. To be freed. */
rls2_status rls2__plan_strata(rls2_plan *plan, double **strata, rls2_error *err);
/* The one split whose left-out rows are the validation rows, and the folds of the fold column. */
rls2_status rls2__plan_split_validation(const rls2_plan *plan, rls2_splits **splits,
                                        rls2_error *err);
rls2_status rls2__plan_split_by_column(const rls2_plan *plan, rls2_splits **splits,
                                       rls2_error *err);

/* What the kernels of one split of a cross-validation may take. */
int64_t rls2__plan_split_memory(const rls2_plan *plan);

#endif
