/* A model in words and numbers: what it learned, and about which data. */
#ifndef RLS2_GUI_MODEL_DESCRIPTION_H
#define RLS2_GUI_MODEL_DESCRIPTION_H

#include <jansson.h>

#include "rls2/model.h"

/* Labels of its classes; none of numbers. */
json_t *model_labels(const rls2_model *model);
/* [{index, name, columns, inputs, weight, scale, share}] of one output. */
json_t *model_kernels(const rls2_model *one);
json_t *model_certificate(const rls2_model *model);
/* The loss of each output: quantiles differ in their level. */
json_t *model_losses(const rls2_model *model);
/* What a stack has on left-out rows, and the weights of its parts, whose sparse part all else is
 * about. */
json_t *model_stack(const rls2_model *model);
/* [{input, share}] where widths were learned, those of most first; else NULL. */
json_t *model_relevance(const rls2_model *model);
/* 1 if each output is a column of its own: not classes, nor quantiles of one column. */
int model_has_targets(const rls2_model *model);
/* What is listed of it, and all of it: ModelAbout of the page. NULL when out of memory. */
json_t *model_brief(const rls2_model *model);
json_t *model_about(const rls2_model *model);

#endif
