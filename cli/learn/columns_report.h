/* What each column of a table was taken for. */
#ifndef RLS2_CLI_LEARN_COLUMNS_REPORT_H
#define RLS2_CLI_LEARN_COLUMNS_REPORT_H

#include <stdio.h>

#include "cli/console.h"
#include "cli/json.h"

/* A line for each column of the training table of a plan, which is complete; for the first of very
 * many. */
void columns_print(FILE *file, const rls2_plan *plan);
/* "columns": [{"name", "role", "kind", "values", "missing", "why"}]: role is "target", "input",
 * "row weights", "row names" or "left out"; kind "numbers", "categories" or "dates"; values how
 * many different ones there are, `missing` the empty cells; why is there where the plan chose to
 * leave the column out. */
void columns_put(json *j, const rls2_plan *plan);

#endif
