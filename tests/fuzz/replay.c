/* A fuzz target without the fuzzer: replay_fuzz_NAME [-runs=N] FOLDER...
 *
 * First the empty input and every stored one; then N more, made of the stored ones by a fixed
 * sequence of changes (mutate.h), the same in every run, so that a failure is found again.
 * libFuzzer (make fuzz) looks further. A folder that does not exist holds nothing. */
#include <dirent.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "mutate.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_INPUTS = 4096, ROOM = 1 << 16 }; /* larger inputs are replayed, not changed */

typedef struct input {
    uint8_t *data;
    size_t size;
} input;

static input inputs[MOST_INPUTS];
static int64_t input_count;

/* ---- stored inputs ---- */

static int load_file(const char *path, input *loaded)
{
    int status = 1;
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END)) goto cleanup;
    long size = ftell(file);
    if (size < 0) goto cleanup;
    rewind(file);
    /* exactly `size` bytes, so that a sanitizer sees a read past the end */
    loaded->size = (size_t)size;
    loaded->data = malloc(loaded->size);
    if (size > 0 && (!loaded->data || fread(loaded->data, 1, loaded->size, file) != loaded->size))
        goto cleanup;
    status = 0;

cleanup:
    if (status) fprintf(stderr, "%s: cannot be read\n", path);
    if (file) fclose(file);
    return status;
}

/* In the order of their names, which readdir does not keep. */
static int load_folder(const char *path)
{
    struct dirent **entries;
    int status = 0, count = scandir(path, &entries, NULL, alphasort);
    for (int i = 0; i < count; i++) {
        char name[4096];
        snprintf(name, sizeof name, "%s/%s", path, entries[i]->d_name);
        if (entries[i]->d_name[0] != '.' && input_count < MOST_INPUTS)
            status |= load_file(name, &inputs[input_count++]);
        free(entries[i]);
    }
    if (count >= 0) free(entries);
    return status;
}

/* ---- changes ---- */

typedef struct text {
    uint8_t *bytes;
    size_t size, room;
} text;

static size_t below(rls2__random *random, size_t bound)
{
    return bound ? (size_t)rls2__random_below(random, (int64_t)bound) : 0;
}

static void overwrite(rls2__random *random, text *t)
{
    static const uint8_t EDGES[] = {0,   1,   0x7f, 0x80, 0xff, ' ', '\n',
                                    '"', ',', ':',  '9',  '-',  '{', '}'};
    if (t->size == 0) return;
    uint8_t *at = &t->bytes[below(random, t->size)];
    if (below(random, 2))
        *at = EDGES[below(random, sizeof EDGES)];
    else
        *at ^= (uint8_t)(1u << below(random, 8));
}

static void erase(rls2__random *random, text *t)
{
    size_t from = below(random, t->size), length = below(random, t->size - from + 1);
    if (below(random, 3)) length = length > 8 ? 8 : length;
    memmove(t->bytes + from, t->bytes + from + length, t->size - from - length);
    t->size -= length;
}

/* A piece of this or another stored input, put in somewhere. */
static void splice(rls2__random *random, text *t)
{
    const input *other = &inputs[below(random, (size_t)input_count)];
    if (input_count == 0 || other->size == 0) return;
    size_t from = below(random, other->size), length = 1 + below(random, other->size - from);
    size_t to = below(random, t->size + 1);
    if (below(random, 3)) length = length > 16 ? 16 : length;
    if (t->size + length > t->room) return;
    memmove(t->bytes + to + length, t->bytes + to, t->size - to);
    memcpy(t->bytes + to, other->data + from, length);
    t->size += length;
}

/* A number of 1, 2, 4 or 8 bytes that sits at an edge: sizes and offsets are such. */
static void plant_number(rls2__random *random, text *t)
{
    static const uint64_t EDGES[] = {
        0, 1, 7, 8, 0xff, 0xffff, 0x7fffffff, 0xffffffff, 0x7fffffffffffffff, UINT64_MAX};
    size_t width = (size_t)1 << below(random, 4);
    uint64_t value =
        EDGES[below(random, sizeof EDGES / sizeof EDGES[0])] + (uint64_t)below(random, 3);
    if (t->size < width) return;
    uint8_t *at = t->bytes + below(random, t->size - width + 1);
    for (size_t i = 0; i < width; i++) at[i] = (uint8_t)(value >> (8 * i));
}

static void change(rls2__random *random, text *t)
{
    switch (below(random, 6)) {
    case 0: erase(random, t); break;
    case 1: splice(random, t); break;
    case 2: plant_number(random, t); break;
    case 3: t->size = below(random, t->size + 1); break;
    default: overwrite(random, t); break;
    }
}

static rls2__random chance;

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t room)
{
    text t = {data, size, room};
    for (size_t k = below(&chance, 4) + 1; k > 0; k--) change(&chance, &t);
    return t.size;
}

static void run_changed(int64_t runs)
{
    static uint8_t bytes[ROOM];
    rls2__random_seed(&chance, 20240601);
    for (int64_t i = 0; i < runs && input_count > 0; i++) {
        const input *from = &inputs[below(&chance, (size_t)input_count)];
        if (from->size > ROOM) continue;
        if (from->size > 0) memcpy(bytes, from->data, from->size);
        size_t size =
            LLVMFuzzerCustomMutator(bytes, from->size, ROOM, (unsigned)below(&chance, UINT32_MAX));
        uint8_t *exact = malloc(size ? size : 1);
        if (!exact) return;
        memcpy(exact, bytes, size);
        LLVMFuzzerTestOneInput(exact, size);
        free(exact);
    }
}

int main(int argc, char **argv)
{
    int status = 0;
    int64_t runs = 0;
    LLVMFuzzerTestOneInput((const uint8_t *)"", 0);
    for (int i = 1; i < argc; i++) {
        if (strncmp(argv[i], "-runs=", 6) == 0)
            runs = strtoll(argv[i] + 6, NULL, 10);
        else
            status |= load_folder(argv[i]);
    }
    for (int64_t i = 0; i < input_count; i++)
        LLVMFuzzerTestOneInput(inputs[i].data, inputs[i].size);
    run_changed(runs);
    for (int64_t i = 0; i < input_count; i++) free(inputs[i].data);
    printf("%lld stored inputs, %lld changed ones\n", (long long)input_count, (long long)runs);
    return status;
}
