/* rls2 verify of a compact model. */
#ifndef RLS2_CLI_USE_VERIFY_COMPACT_H
#define RLS2_CLI_USE_VERIFY_COMPACT_H

#include "cli/output.h"

/* Reports; EXIT_OK where the rows are those learned from and no f is much better on them. */
int verify_compact(const settings *s, const rls2_model *model, const rls2_dataset *data);

#endif
