/* Any bytes, of any format, packed or not: read in small pieces they say the same as read whole. */
#include "common.h"
#include "support/pieces.h"

/* Of a damaged archive, and of an array that was cut before it was packed, the rows before the
 * damage are read, and refused, first; of several numbers that are too large the first row's, not
 * the first column's; and pieces need less memory. */
static int may_differ(const char *difference)
{
    return strstr(difference, "gzip data") || strstr(difference, "out of memory") ||
           strstr(difference, "bytes, but ") || strstr(difference, "beyond 2^53");
}

/* Of other formats the only piece is the whole; of some arrays too. */
static int is_cut(const char *name, const char *bytes, int64_t length,
                  const rls2_read_options *options)
{
    rls2_table *whole = NULL;
    int refused = rls2_table_parse(name, bytes, length, options, &whole, NULL) != RLS2_OK;
    const char *format = refused ? "" : rls2_table_format(whole);
    int packed = length >= 2 && memcmp(bytes, "\x1F\x8B", 2) == 0;
    int cut = refused || strcmp(format, "CSV") == 0 || (strcmp(format, "NPY") == 0 && !packed);
    rls2_table_free(whole);
    return cut;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const names[] = {"f", "f.csv", "f.csv.gz", "f.svm", "f.mat", "f.npy"};
    static const char *const missing[] = {"NA", "?"};
    static const char delimiters[] = {'\0', ',', ' ', '\t'};
    static const char decimals[] = {'\0', '.', '\0', ','};
    uint32_t choice = chosen(data, size);
    rls2_read_options options;
    rls2_read_options_init(&options, sizeof options);
    options.header = (int)(choice & 1) - (int)(choice >> 16 & 1);
    options.delimiter = delimiters[choice >> 1 & 3];
    options.decimal = decimals[choice >> 3 & 3];
    if (options.decimal == ',' && options.delimiter == ',') options.decimal = '.';
    options.na = missing;
    options.na_count = (int64_t)(choice >> 17 & 3) - 1;
    if (has_long_number((const char *)data, size, 4))
        return 0; /* an index of LIBSVM, in plain text */
    const char *name = names[(choice >> 5) % 6], *bytes = data ? (const char *)data : "";
    int64_t rows = 1 + (choice >> 9) % 3, room = 1 + (choice >> 12) % 70;
    if (!is_cut(name, bytes, (int64_t)size, &options)) rows = INT64_MAX;
    const char *difference = pieces_differ(name, bytes, (int64_t)size, &options, rows, room);
    require(!difference || may_differ(difference));
    return 0;
}
