/* The matrices of a model with precomputed kernels: from --given NAME=FILE, or the one a LIBSVM
 * file holds. */
#ifndef RLS2_CLI_USE_MODEL_GIVEN_H
#define RLS2_CLI_USE_MODEL_GIVEN_H

#include "cli/console.h"

typedef struct given_set {
    int64_t count;
    double **matrices;  /* by columns: rows in use x training rows */
    double **diagonals; /* K(x, x) of the rows in use; NULL where it is not known */
} given_set;

/* Which entries of the matrices are wanted: rows of the file, and columns (training rows). */
typedef struct given_range {
    int64_t row_count;
    const int64_t *rows;
    int64_t column_count;
    const int64_t *columns; /* NULL: all, and there must be column_count */
} given_range;

/* The matrices the model was made with; with columns the file's rows and columns are the same
 * examples. EXIT_OK, or the exit code after a message; free in either case. */
int given_load(const settings *s, const rls2_table *file, const rls2_model *model,
               const given_range *range, given_set *given);
void given_free(given_set *given);

/* Puts them into the rows. */
void given_use(const given_set *given, rls2_rows *rows);

/* The row of the file for each row of a data set made of the rows `taken` of it (NULL: all). NULL
 * when out of memory. */
int64_t *file_rows(const rls2_dataset *data, const int64_t *taken);

#endif
