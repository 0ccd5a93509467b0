/* The inputs of a model: columns of the table it was learned from, each of which may be several
 * columns of data. */
#ifndef RLS2_GUI_MODEL_INPUTS_H
#define RLS2_GUI_MODEL_INPUTS_H

#include <jansson.h>

#include "rls2/model.h"

/* What the i-th column of an input of categories stands for: "color=red" is the level red. NULL
 * beyond the last. */
const char *input_level(const rls2_model *model, int64_t input, int64_t i);
/* Names of the inputs that a kernel of the dictionary looks at, ascending. */
json_t *kernel_inputs(const rls2_model *model, int64_t number);
/* [{index, name, kind, levels}] of those that some selected kernel looks at: what a row needs to be
 * predicted. Levels are there for categories. */
json_t *model_inputs(const rls2_model *model);

#endif
