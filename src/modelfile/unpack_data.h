/* The part of a model file that says how its rows were made from a table. */
#ifndef RLS2_MODELFILE_UNPACK_DATA_H
#define RLS2_MODELFILE_UNPACK_DATA_H

#include "modelfile/fields.h"
#include "modelfile/format.h"

/* The origin of a model of that many outputs, whose dictionary is there. */
rls2_status rls2__unpack_data(rls2__describer *r, rls2_model *model);

#endif
