/* The curve of cross-validation as cv and train print it. */
#ifndef RLS2_CLI_LEARN_CURVE_REPORT_H
#define RLS2_CLI_LEARN_CURVE_REPORT_H

#include "cli/json.h"
#include "cli/output.h"

/* The two lines glmnet prints. */
void print_choices(FILE *file, const rls2_cv *cv);
/* Coverage and width of intervals at both, of each target of the data; nothing where none were
 * asked for. */
void print_coverage(FILE *file, const rls2_cv *cv, const rls2_dataset *data);
/* The same at every lambda, as an object "interval". */
void json_coverage(json *j, const rls2_cv *cv, const rls2_dataset *data);
/* The baselines that were computed; nothing where none was. */
void print_baselines(FILE *file, const rls2_cv *cv);
/* The same as an object "baselines"; null for one that is not defined. */
void json_baselines(json *j, const rls2_cv *cv);

#endif
