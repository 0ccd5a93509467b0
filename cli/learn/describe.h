/* What was found in the data, said on stderr; with hints for what looks like a slip. */
#ifndef RLS2_CLI_LEARN_DESCRIBE_H
#define RLS2_CLI_LEARN_DESCRIBE_H

#include "cli/learn/hint.h"

/* "a, b, c, ... (14 in all)" */
typedef struct shown_columns {
    char text[256];
} shown_columns;
shown_columns column_list(const rls2_table *table);
/* "'a', 'b', ... (14 in all)" */
shown_columns name_list_text(int64_t count, const char *const *names);

/* File, target, task, inputs, and what was left out; hints where something looks like a slip.
 * is_part: these are the training rows of a file that has others. */
void describe_data(const settings *s, const rls2_table *table, const rls2_dataset_options *options,
                   const rls2_dataset *data, int is_part);
/* What the rows, or those of each class, count in the fit. */
void describe_weights(const settings *s, const rls2_dataset *data, const double *weights);
/* Test rows, and inputs of very different scales that are used as they are. */
void describe_parts(const settings *s, const rls2_dataset *train, const rls2_table *test_table,
                    const rls2_dataset *test);

#endif
