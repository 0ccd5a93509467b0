/* A model from a point of a path. */
#ifndef RLS2_MODEL_COPY_H
#define RLS2_MODEL_COPY_H

#include "model/model.h"

/* Point i of one path, or of several that fit together. RLS2_ERR_MEMORY only. */
rls2_status rls2__model_copy_outputs(int64_t outputs, const rls2_path *const *paths, int64_t i,
                                     rls2_model **out);

#endif
