/* A fingerprint of rows: names and numbers, mixed eight bytes at a time.
 *
 * Each word is multiplied into the state and the state folded onto itself (the high bits of a
 * product depend on all bits of its factors, the low ones do not), as in FNV-1a with wider steps.
 * Words are numbers, not memory, so that the order of bytes of the machine does not matter. It
 * tells data sets apart; it does not protect from somebody who wants two of them to look the same.
 */
#include <string.h>

#include "table/dataset.h"

static const uint64_t START = UINT64_C(0xcbf29ce484222325);
static const uint64_t FACTOR = UINT64_C(0x9e3779b97f4a7c15);

static uint64_t mix(uint64_t state, uint64_t word)
{
    state = (state ^ word) * FACTOR;
    return state ^ (state >> 32);
}

static uint64_t mix_text(uint64_t state, const char *text)
{
    size_t length = strlen(text);
    state = mix(state, length);
    for (size_t i = 0; i < length; i++) state = mix(state, (unsigned char)text[i]);
    return state;
}

static uint64_t mix_numbers(uint64_t state, int64_t count, const double *x)
{
    for (int64_t i = 0; i < count; i++) {
        uint64_t bits;
        double value = x[i] + 0.0; /* -0 + 0 = 0 */
        memcpy(&bits, &value, sizeof bits);
        state = mix(state, bits);
    }
    return state;
}

uint64_t rls2_dataset_fingerprint(const rls2_dataset *dataset)
{
    if (!dataset) return 0;
    uint64_t state = mix(mix(START, (uint64_t)dataset->rows), (uint64_t)dataset->columns);
    for (int64_t j = 0; j < dataset->columns; j++)
        state = mix_text(state, dataset->encoder->names[j]);
    state = mix_numbers(state, dataset->rows * dataset->columns, dataset->x);
    state = mix(state, dataset->y != NULL);
    int64_t outputs = rls2_dataset_outputs(dataset);
    if (outputs > 1) state = mix(state, (uint64_t)outputs);
    if (dataset->y) state = mix_numbers(state, dataset->rows * outputs, dataset->y);
    if (dataset->weights)
        state = mix_numbers(mix_text(state, "weights"), dataset->rows, dataset->weights);
    return state;
}
