/* Converts integers and floats of any width and byte order to doubles. */
#include "formats/element.h"

#include <float.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const uint64_t largest_exact = UINT64_C(1) << DBL_MANT_DIG;

uint64_t rls2__bytes_unsigned(const void *bytes, int size, int big_endian)
{
    const unsigned char *byte = bytes;
    uint64_t number = 0;
    for (int i = 0; i < size; i++) number = number << 8 | byte[big_endian ? i : size - 1 - i];
    return number;
}

int rls2__machine_is_big_endian(void)
{
    uint16_t one = 1;
    return rls2__bytes_unsigned(&one, sizeof one, 0) != 1;
}

static double float_of(uint64_t bits, int size)
{
    if (size == 4) {
        uint32_t narrow = (uint32_t)bits;
        float value;
        memcpy(&value, &narrow, sizeof value);
        return (double)value;
    }
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* The magnitude of a two's complement number of that many bytes; *negative tells its sign. */
static uint64_t magnitude(uint64_t bits, int size, int *negative)
{
    uint64_t sign = UINT64_C(1) << (8 * size - 1);
    *negative = (bits & sign) != 0;
    return *negative ? sign - (bits & (sign - 1)) : bits;
}

int64_t rls2__elements_convert(rls2__element element, const void *bytes, int64_t count,
                               double *values, char beyond[RLS2__WHOLE_TEXT])
{
    const unsigned char *byte = bytes;
    for (int64_t i = 0; i < count; i++, byte += element.size) {
        uint64_t bits = rls2__bytes_unsigned(byte, element.size, element.big_endian);
        int negative = 0;
        if (element.kind == RLS2__ELEMENT_FLOAT) {
            values[i] = float_of(bits, element.size);
            continue;
        }
        if (element.kind == RLS2__ELEMENT_SIGNED) bits = magnitude(bits, element.size, &negative);
        if (bits > largest_exact) {
            snprintf(beyond, RLS2__WHOLE_TEXT, "%s%" PRIu64, negative ? "-" : "", bits);
            return i;
        }
        values[i] = negative ? -(double)bits : (double)bits;
    }
    return count;
}
