/* How a compact model stands to the rows it was learned from. */
#ifndef RLS2_CLI_REPRESENTED_H
#define RLS2_CLI_REPRESENTED_H

#include <stdio.h>

#include "cli/json.h"
#include "rls2/model.h"

/* " of the counted problem" where its certificate is of that and of no other; "" otherwise. */
const char *of_counted(const rls2_model *model);
/* "training", or "counted" where points stand for more values than they are. */
const char *training_or_counted(const rls2_model *model);
/* A line; nothing of a model that is not compact. */
void show_represented(FILE *file, const rls2_model *model);
/* "represented": {...}, or nothing. */
void json_represented(json *j, const rls2_model *model);

#endif
