/* The reader of NPZ archives. */
#ifndef RLS2_FORMATS_NPZ_H
#define RLS2_FORMATS_NPZ_H

#include "formats/read.h"

rls2_status rls2__read_npz(rls2_table *table, const rls2__bytes *bytes, rls2_error *err);

#endif
