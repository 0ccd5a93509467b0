/* MATLAB files of level 5. */
#ifndef RLS2_FORMATS_MAT5_H
#define RLS2_FORMATS_MAT5_H

#include "formats/mat.h"

/* The variables of a file, values NULL where one is absent; the caller releases
 * them, also after a failure. RLS2_ERR_NAME if there is no X. */
rls2_status rls2__mat5_read(const char *file, const char *bytes, int64_t length,
                            rls2__array arrays[RLS2__MAT_ROLES], rls2_error *err);

#endif
