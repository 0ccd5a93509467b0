/* Rows whose target stands in the table too, held against what a model says of them. */
#ifndef RLS2_GUI_ROW_TRUTH_H
#define RLS2_GUI_ROW_TRUTH_H

#include <jansson.h>

#include "gui/server/seen.h"

/* Adds to the answer, where the target is there: "score", {measure, rises, scores, rows,
 * strangers}, "confusion" of classes, and "actual", a list for each output of the first `shown`
 * rows, null where it is not known. */
int add_truth(const rls2_model *model, const rls2_table *table, const seen *s, int64_t shown,
              json_t *answer, fault *f);

#endif
