/* Bytes become a model, all values checked. */
#ifndef RLS2_MODELFILE_UNPACK_H
#define RLS2_MODELFILE_UNPACK_H

#include "modelfile/format.h"

rls2_status rls2__model_unpack(const char *name, const unsigned char *bytes, int64_t length,
                               rls2_model **model, rls2_error *err);

/* The same of a member of a stack, which has none of its own. */
rls2_status rls2__member_unpack(const char *name, const unsigned char *bytes, int64_t length,
                                rls2_model **model, rls2_error *err);

#endif
