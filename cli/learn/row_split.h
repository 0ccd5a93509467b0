/* Which rows of a file are learned from, which test, and which choose lambda. */
#ifndef RLS2_CLI_LEARN_ROW_SPLIT_H
#define RLS2_CLI_LEARN_ROW_SPLIT_H

#include <stddef.h>

#include "cli/console.h"

/* The rows of a file that are kept, and those that rules mark as test rows and as validation rows.
 */
typedef struct row_split {
    int64_t *kept;
    int64_t kept_count;
    int64_t *marked;
    int64_t marked_count;
    int64_t *validating;
    int64_t validating_count;
    char column[256]; /* of the rule for test rows; "" if there is none */
    char validation_column[256];
} row_split;

/* By --test-rows COLUMN=VALUE, or by the file's own marker, and --validation-rows. EXIT_OK or the
 * exit code after a message; free in either case. */
int split_rows(const settings *s, const rls2_table *table, row_split *split);
void split_free(row_split *split);

/* "--OPTION: there is no column 'NAME'; the columns are ..." */
int no_such_column(const settings *s, const rls2_table *table, const char *option, const char *name,
                   size_t length);

#endif
