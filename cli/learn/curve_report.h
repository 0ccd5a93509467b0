/* The curve of cross-validation as cv and train print it. */
#ifndef RLS2_CLI_LEARN_CURVE_REPORT_H
#define RLS2_CLI_LEARN_CURVE_REPORT_H

#include "cli/json.h"
#include "cli/output.h"

/* The two lines glmnet prints. */
void print_choices(FILE *file, const rls2_cv *cv);
/* The baselines that were computed; nothing where none was. */
void print_baselines(FILE *file, const rls2_cv *cv);
/* The same as an object "baselines"; null for one that is not defined. */
void json_baselines(json *j, const rls2_cv *cv);

#endif
