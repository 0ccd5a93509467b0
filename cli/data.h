/* From files to rows: what train, path, kernels and verify have in common. */
#ifndef RLS2_CLI_DATA_H
#define RLS2_CLI_DATA_H

#include "cli/console.h"
#include "cli/given.h"

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
    part test;                    /* of which `data` is NULL where there are no test rows */
    rls2_dataset_options options; /* how the training rows were made; the names it drops are */
    const char **dropped;         /* here */
    rls2_group *groups;
    int64_t group_count;
    rls2_columns columns;
    char *spec; /* the dictionary, as text */
} problem;

rls2_read_options read_options(const settings *s);
/* The options of reading, checked before anything is read. */
int check_reading(const settings *s);

/* Reads DATA (the first argument) and the test rows, makes the data sets, preprocesses them, and says on
 * stderr what was found. EXIT_OK, or the exit code after a message; free in either case. */
int problem_load(const settings *s, problem *p);
void problem_free(problem *p);

/* The rows of a file that are kept, and those that a rule marks as test rows. */
typedef struct row_split {
    int64_t *kept;
    int64_t kept_count;
    int64_t *marked;
    int64_t marked_count;
    char column[256]; /* of the rule; "" if there is none, and then all rows are kept */
} row_split;

/* By --test-rows COLUMN=VALUE, or by the file's own marker. EXIT_OK or the exit code after a message;
 * free in either case. */
int split_rows(const settings *s, const rls2_table *table, row_split *split);
void split_free(row_split *split);

/* The row of the file for each row of a data set made of the rows `taken` of it (NULL: all). NULL when
 * out of memory. */
int64_t *file_rows(const rls2_dataset *data, const int64_t *taken);

/* "1 row", "2 rows" */
typedef struct counted {
    char text[64];
} counted;
counted count_of(int64_t count, const char *noun);

#endif
