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

/* What the plan, which is complete, found in the file: training rows, weights, validation rows and
 * test rows. */
void describe_plan(const settings *s, const rls2_table *file);

#endif
