/* Any bytes as a LIBSVM file, but for indices of five digits and more: the table has a cell for
 * every index up to the largest, and a fuzzer would spend its time on clearing them. */
#include "number_table.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!has_long_number((const char *)data, size, 4))
        try_bytes(RLS2_FORMAT_LIBSVM, "f.svm", data, size);
    return 0;
}
