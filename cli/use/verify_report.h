/* What rls2 verify found, as text and as JSON. */
#ifndef RLS2_CLI_USE_VERIFY_REPORT_H
#define RLS2_CLI_USE_VERIFY_REPORT_H

#include "cli/use/verify_command.h"

void verify_text(const rls2_model *model, const findings *found, FILE *file);
void verify_json(const rls2_model *model, const findings *found, FILE *file);

#endif
