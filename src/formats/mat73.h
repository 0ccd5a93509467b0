/* MATLAB files of version 7.3, which are HDF5. */
#ifndef RLS2_FORMATS_MAT73_H
#define RLS2_FORMATS_MAT73_H

#include "formats/mat.h"

/* As rls2__mat5_read. */
rls2_status rls2__mat73_read(const char *file, const char *bytes, int64_t length,
                             rls2__array arrays[RLS2__MAT_ROLES], rls2_error *err);

#endif
