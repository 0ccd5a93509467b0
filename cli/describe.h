/* What was found in the data, said on stderr. */
#ifndef RLS2_CLI_DESCRIBE_H
#define RLS2_CLI_DESCRIBE_H

#include "cli/console.h"

/* "a, b, c, ... (14 in all)" */
typedef struct shown_columns {
    char text[256];
} shown_columns;
shown_columns column_list(const rls2_table *table);

/* File, target, task, inputs, and what was left out; hints where something looks like a slip. is_part: these are the
 * training rows of a file that has others. */
void describe_data(const settings *s, const rls2_table *table, const rls2_dataset_options *options,
                   const rls2_dataset *data, int is_part);
/* What the rows, or those of each class, count in the fit. */
void describe_weights(const settings *s, const rls2_dataset *data, const double *weights);
/* After the data could not be used: what may help, where that can be guessed. */
void hint_data(const settings *s, const rls2_table *table, const rls2_dataset_options *options,
               const rls2_error *err);
/* After rows for a model could not be read: options of reading are not remembered. */
void hint_reading(const settings *s, const rls2_error *err);
/* Test rows, and inputs of very different scales that are used as they are. */
void describe_parts(const settings *s, const rls2_dataset *train, const rls2_dataset *test);

#endif
