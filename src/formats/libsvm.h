/* The reader of LIBSVM files. */
#ifndef RLS2_FORMATS_LIBSVM_H
#define RLS2_FORMATS_LIBSVM_H

#include "formats/read.h"

rls2_status rls2__read_libsvm(rls2_table *table, const rls2__bytes *bytes, rls2_error *err);

#endif
