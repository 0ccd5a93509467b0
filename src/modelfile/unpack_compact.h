/* What makes a model compact, in a file of version 4. */
#ifndef RLS2_MODELFILE_UNPACK_COMPACT_H
#define RLS2_MODELFILE_UNPACK_COMPACT_H

#include "modelfile/fields.h"

/* The blocks of a model of that dictionary whose outputs have `values` coefficients each, and how
 * many rows it keeps; NULL, and *n as it was, of other models. */
rls2_status rls2__unpack_compact(rls2__describer *r, const rls2_dictionary *dictionary,
                                 int64_t values, int64_t *n, rls2__compact **compact);
/* Once the points are read: OK, or RLS2_ERR_VALUE where knots of blocks are not in order. */
rls2_status rls2__check_knots(const rls2__container *file, const rls2_model *model);
/* What else is said of output o, whose kernels are known and checked here. */
rls2_status rls2__unpack_compact_output(rls2__describer *r, const json_t *from, int64_t o,
                                        rls2_model *output);

#endif
