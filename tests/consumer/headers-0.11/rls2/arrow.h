/* Tables from Apache Arrow, through its C stream interface: whatever exports one (pyarrow, polars,
 * duckdb, pandas, R's arrow) is read as it lies in memory, and nothing of Arrow is linked.
 *
 * Numbers, booleans (0 and 1) and decimals are numbers; NaN and null are missing. Texts, and
 * dictionaries, are texts. Dates, timestamps and times of day are written as ISO 8601 texts, as
 * they stand in a CSV file; a timestamp with a time zone in UTC. Other types (lists, structs,
 * binary, durations, intervals, unions, run ends) are refused, with the name of the column. */
#ifndef RLS2_ARROW_H
#define RLS2_ARROW_H

#include "rls2/table.h"

#ifdef __cplusplus
extern "C" {
#endif

struct ArrowArrayStream; /* of Arrow's C stream interface */
typedef struct rls2_arrow rls2_arrow;

/* Takes the stream over: it is the caller's no longer, also where this fails (its release is then
 * NULL). Rows are its record batches, structs of columns; `name` stands for them in messages, which
 * tell rows by their numbers from 1. RLS2_ERR_VALUE for columns that cannot be read, and for what
 * the producer says went wrong, in its words. */
RLS2_API rls2_status rls2_arrow_open(const char *name, struct ArrowArrayStream *stream,
                                     rls2_arrow **arrow, rls2_error *err);
/* The next rows, `rows` of them or fewer, as a table of its own, which the caller frees; *table is
 * NULL at the end. Of the batches one is held at a time. RLS2_ERR_VALUE for an infinite number, a
 * text with a zero byte and a batch that does not fit its schema. */
RLS2_API rls2_status rls2_arrow_next(rls2_arrow *arrow, int64_t rows, rls2_table **table,
                                     rls2_error *err);
RLS2_API void rls2_arrow_close(rls2_arrow *arrow);

/* Columns, and their names, owned by the object; NULL if there is no such column. */
RLS2_API int64_t rls2_arrow_columns(const rls2_arrow *arrow);
RLS2_API const char *rls2_arrow_column_name(const rls2_arrow *arrow, int64_t column);
/* 1 for a column that is a dictionary: categories, whatever they look like. */
RLS2_API int rls2_arrow_is_dictionary(const rls2_arrow *arrow, int64_t column);

#ifdef __cplusplus
}
#endif

#endif
