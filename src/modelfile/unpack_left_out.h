/* What a description says of rows that were left out. */
#ifndef RLS2_MODELFILE_UNPACK_LEFT_OUT_H
#define RLS2_MODELFILE_UNPACK_LEFT_OUT_H

#include "modelfile/fields.h"

/* The score, and of each output the shares; files without them have none. `outputs` is that array
 * of the description. */
rls2_status rls2__unpack_left_out(rls2__describer *r, const json_t *outputs, rls2_model *model);

/* Intervals, when it is known what the outputs are. */
rls2_status rls2__unpack_intervals(rls2__describer *r, const json_t *outputs, rls2_model *model);

#endif
