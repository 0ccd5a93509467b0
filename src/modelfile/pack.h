/* A model becomes bytes. */
#ifndef RLS2_MODELFILE_PACK_H
#define RLS2_MODELFILE_PACK_H

#include "modelfile/array_list.h"

rls2__array_name rls2__given_array(int64_t g);
rls2__array_name rls2__output_array(int64_t o, const char *what); /* "outputs.O.WHAT" */

/* Release *bytes with rls2__free. */
rls2_status rls2__model_pack(const rls2_model *model, unsigned char **bytes, int64_t *length,
                             rls2_error *err);

#endif
