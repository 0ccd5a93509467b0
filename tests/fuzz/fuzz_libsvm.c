/* Any bytes as a LIBSVM file, but for indices of five digits and more: the table has a cell for every
 * index up to the largest, and a fuzzer would spend its time on clearing them. */
#include "number_table.h"

static int has_long_number(const uint8_t *data, size_t size)
{
    int digits = 0;
    for (size_t i = 0; i < size; i++) {
        digits = data[i] >= '0' && data[i] <= '9' ? digits + 1 : 0;
        if (digits == 5) return 1;
    }
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!has_long_number(data, size)) try_bytes(RLS2_FORMAT_LIBSVM, "f.svm", data, size);
    return 0;
}
