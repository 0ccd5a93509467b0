/* Any bytes as a numpy array and as an archive of them. */
#include "number_table.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    try_bytes(RLS2_FORMAT_NPY, "f.npy", data, size);
    try_bytes(RLS2_FORMAT_NPZ, "f.npz", data, size);
    return 0;
}
