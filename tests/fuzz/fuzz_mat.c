/* Any bytes as a MATLAB file of level 5 or, by its header, of version 7.3. */
#include "number_table.h"

#include "base/memory.h"
#include "formats/mat.h"
#include "formats/mat73.h"

/* The bytes as they are, whose end the sanitizer knows; a table is read from a longer copy. */
static void try_hdf5(const uint8_t *data, size_t size)
{
    rls2__array arrays[RLS2__MAT_ROLES] = {{0}};
    rls2_error err = {.message = ""};
    rls2_status status = rls2__mat73_read("t", (const char *)data, (int64_t)size, arrays, &err);
    if (status != RLS2_OK) check_failure(status, &err, "t");
    require(status != RLS2_OK || arrays[RLS2__MAT_X].values != NULL);
    for (int k = 0; k < RLS2__MAT_ROLES; k++) rls2__free(arrays[k].values);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size >= 512) try_hdf5(data, size);
    try_bytes(RLS2_FORMAT_MAT, "t", data, size);
    return 0;
}
