/* Precomputed kernel matrices: from --given NAME=FILE, or the one a LIBSVM file holds. */
#ifndef RLS2_CLI_LEARN_GIVEN_H
#define RLS2_CLI_LEARN_GIVEN_H

#include "cli/console.h"

typedef struct given_set {
    int64_t count;
    char **names;
    double **matrices;  /* by columns: rows in use x training rows */
    double **diagonals; /* K(x, x) of the rows in use; NULL where it is not known */
} given_set;

/* Which entries of the matrices are wanted: rows of the file, and columns (training rows). */
typedef struct given_range {
    int64_t row_count;
    const int64_t *rows;
    int64_t column_count;
    const int64_t *columns; /* NULL: all, and there must be column_count */
    int square;             /* 1: the file's rows and columns are the same examples */
} given_range;

/* The matrices the command line names, or the one within `file`; with `names` (of a model) those,
 * in that order. EXIT_OK, or the exit code after a message; free in either case. */
int given_load(const settings *s, const rls2_table *file, const char *const *names,
               int64_t name_count, const given_range *range, given_set *given);
/* The same for the matrices a model was made with. */
int given_load_for(const settings *s, const rls2_table *file, const rls2_model *model,
                   const given_range *range, given_set *given);
void given_free(given_set *given);

/* Puts them into the rows. */
void given_use(const given_set *given, rls2_rows *rows);

#endif
