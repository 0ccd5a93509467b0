/* What train and show say of the intervals of a model. */
#ifndef RLS2_CLI_INTERVAL_REPORT_H
#define RLS2_CLI_INTERVAL_REPORT_H

#include <stdio.h>

#include "cli/json.h"
#include "rls2/model.h"

/* Interval t of a model, which is that of output t or of all quantiles. */
const rls2_interval *interval_at(const rls2_model *model, int64_t t);
/* A line for each; nothing where there are none. */
void print_intervals(FILE *file, const rls2_model *model);
/* "interval": one, or an object with one for each target. */
void json_intervals(json *j, const rls2_model *model);

#endif
