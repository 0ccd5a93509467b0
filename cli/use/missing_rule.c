/* What --missing of predict and verify asks for. */
#include "cli/use/missing_rule.h"

#include <string.h>

rls2_missing missing_rule(const settings *s, rls2_missing otherwise)
{
    if (!s->missing) return otherwise;
    if (strcmp(s->missing, "impute") == 0) return RLS2_MISSING_IMPUTE;
    return strcmp(s->missing, "drop") == 0 ? RLS2_MISSING_DROP : RLS2_MISSING_ERROR;
}
