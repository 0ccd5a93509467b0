/* How a compact model stands to the rows it was learned from. */
#ifndef RLS2_CLI_REPRESENTED_H
#define RLS2_CLI_REPRESENTED_H

#include <stdio.h>

#include "cli/json.h"
#include "rls2/model.h"

/* " for the binned rows" where its certificate is of these and of no others; "" otherwise. */
const char *of_counted(const rls2_model *model);
/* "training", or "binned" where knots stand for more values than they are. */
const char *training_or_counted(const rls2_model *model);
/* A line, the first word of which takes so many characters; nothing of a model that is not
 * compact. */
void show_represented(FILE *file, int width, const rls2_model *model);
/* "represented": {...}, or nothing. */
void json_represented(json *j, const rls2_model *model);

#endif
