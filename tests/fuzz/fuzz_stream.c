/* Any bytes, of any format, packed or not: read in small pieces they say the same as read whole. */
#include "common.h"
#include "support/pieces.h"

/* Of a damaged archive the rows before the damage are read, and refused, first; and pieces need
 * less memory. */
static int may_differ(const char *difference)
{
    return strstr(difference, "gzip data") || strstr(difference, "out of memory");
}

/* Of other formats the only piece is the whole. */
static int is_csv(const char *name, const char *bytes, int64_t length,
                  const rls2_read_options *options)
{
    rls2_table *whole = NULL;
    int csv = rls2_table_parse(name, bytes, length, options, &whole, NULL) != RLS2_OK ||
              strcmp(rls2_table_format(whole), "CSV") == 0;
    rls2_table_free(whole);
    return csv;
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
    if (!is_csv(name, bytes, (int64_t)size, &options)) rows = INT64_MAX;
    const char *difference = pieces_differ(name, bytes, (int64_t)size, &options, rows, room);
    require(!difference || may_differ(difference));
    return 0;
}
