/* What inputs do to the whole prediction, alone and together. */
#ifndef RLS2_CLI_USE_SHOW_EXPLAINED_H
#define RLS2_CLI_USE_SHOW_EXPLAINED_H

#include "cli/json.h"
#include "cli/output.h"

/* Of a model of one output in which some kernel, be it of a member of a stack, looks at several
 * inputs; nothing of others, and one line where it would take long. */
void show_explained(const settings *s, FILE *file, const rls2_model *model);
/* "explanation": {...} of any model of one output that keeps its rows, unless it takes long. */
void json_explained(json *j, const rls2_model *model);

#endif
