/* What a stack adds to its sparse part, in words and as JSON. */
#ifndef RLS2_CLI_STACK_REPORT_H
#define RLS2_CLI_STACK_REPORT_H

#include <stdio.h>

#include <rls2/rls2.h>

#include "cli/json.h"

/* Lines "stack  0.31 x the sparse part + 0.62 x rbf(0.1)@all + ...", one for each output; nothing
 * where the model stands alone. */
void print_stack(FILE *file, const rls2_model *model);
/* "stack": weights and members, or null. */
void json_stack(json *j, const rls2_model *model);
/* " (the sparse part alone: 3.54)", or "". */
typedef struct alone_words {
    char text[64];
} alone_words;
alone_words sparse_part_alone(const rls2_model *model);

#endif
