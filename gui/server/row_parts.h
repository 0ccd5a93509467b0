/* What predictions are made of, row by row. */
#ifndef RLS2_GUI_ROW_PARTS_H
#define RLS2_GUI_ROW_PARTS_H

#include <jansson.h>

#include "gui/server/fault.h"
#include "rls2/model.h"

/* Numbers that row_parts makes for each row. */
int64_t row_parts_width(const rls2_model *model);
/* [{name, base, parts: [{inputs | member, values}]}], for each output: base and the values of a row
 * sum to what the model says of it, on the scale of the loss. Kernels that look at the same inputs
 * are one part, and so is each member of a stack. */
int row_parts(const rls2_model *model, const rls2_rows *rows, json_t **parts, fault *f);

#endif
