/* A text read whole and read piece by piece says the same. */
#ifndef RLS2_TESTS_PIECES_H
#define RLS2_TESTS_PIECES_H

#include "rls2/table.h"

/* NULL if reading `bytes` in pieces of `rows` rows, through a buffer of `room` bytes at first,
 * gives what rls2_table_parse gives: the same cells, names, row names and lines, the same values by
 * the styles of the whole table, or the same refusal; else what differs. */
const char *pieces_differ(const char *name, const void *bytes, int64_t length,
                          const rls2_read_options *options, int64_t rows, int64_t room);

#endif
