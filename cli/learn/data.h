/* From files to rows: what train, path, kernels and verify have in common. */
#ifndef RLS2_CLI_LEARN_DATA_H
#define RLS2_CLI_LEARN_DATA_H

#include "cli/console.h"
#include "cli/learn/given.h"
#include "cli/learn/row_split.h"

/* Some rows of a file: as a table, as numbers, and where they stand in the file. */
typedef struct part {
    rls2_table *table;
    rls2_dataset *data;
    int64_t *source; /* row of the file, for each row of the data set */
    given_set given;
    rls2_rows rows;
} part;

void part_free(part *rows);
/* Sets `rows` from the data set and the given matrices. */
void part_use(part *used);

/* What is learned from, and perhaps tested on. */
typedef struct problem {
    rls2_table *file; /* DATA, whole */
    part train;
    part test;       /* of which `data` is NULL where there are no test rows */
    part choosing;   /* training rows and, below them, validation rows; `data`, not preprocessed, is
                        NULL where there are   none */
    double *weights; /* of the training rows in the fit; NULL where each counts once */
    rls2_dataset_options options; /* how the training rows were made; the names it drops are */
    const char **dropped;         /* here */
    rls2_group *groups;
    int64_t group_count;
    rls2_columns columns;
    char *spec; /* the dictionary, as text */
} problem;

/* Is it a column that is to be predicted? */
int is_target(const rls2_dataset_options *options, const char *name);

rls2_read_options read_options(const settings *s);
/* The options of reading, checked before anything is read. */
int check_reading(const settings *s);

/* Reads DATA (the first argument) and the test rows, makes the data sets, preprocesses them, and
 * says on stderr what was found. EXIT_OK, or the exit code after a message; free in either case. */
int problem_load(const settings *s, problem *p);
void problem_free(problem *p);

/* The data set of the training rows, whose table is set, with the options it is made by. */
int create_training(const settings *s, problem *p, const row_split *split);
/* Adds the group that an item of --group describes. EXIT_OK, or the exit code after a message. */
int make_group(const settings *s, problem *p, const char *item);

/* The row of the file for each row of a data set made of the rows `taken` of it (NULL: all). NULL
 * when out of memory. */
int64_t *file_rows(const rls2_dataset *data, const int64_t *taken);

#endif
