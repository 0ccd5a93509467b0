/* What --missing of predict and verify asks for. */
#ifndef RLS2_CLI_USE_MISSING_RULE_H
#define RLS2_CLI_USE_MISSING_RULE_H

#include "cli/console.h"

/* `otherwise` where nothing was asked for. */
rls2_missing missing_rule(const settings *s, rls2_missing otherwise);

#endif
