/* What the splits of a cross-validation said of the rows they left out. */
#ifndef RLS2_CLI_LEARN_LEFT_OUT_REPORT_H
#define RLS2_CLI_LEARN_LEFT_OUT_REPORT_H

#include "cli/json.h"
#include "cli/output.h"

/* "left_out": {...}: of classes, at the best lambda, the class of each row, what was said of it and
 * its weight; nothing of numbers, and of more rows than a picture needs. */
void json_left_out_rows(json *j, const settings *s, const rls2_cv *cv);

#endif
