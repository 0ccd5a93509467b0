/* How readers of binary files make arrays. `place` stands for the file, and the array in it, in
 * messages. */
#ifndef RLS2_FORMATS_ARRAYS_H
#define RLS2_FORMATS_ARRAYS_H

#include "formats/element.h"
#include "formats/read.h"

/* The array of rows x columns elements, of which there must be that many; `limits` and `first_row`
 * are set by the caller. */
rls2_status rls2__array_convert(const char *place, rls2__element element, const void *bytes,
                                int64_t rows, int64_t columns, int by_columns, rls2__array *array,
                                rls2_error *err);

/* A matrix by its columns, without its zeros: entry k is values[k], in row `row[k]`; those of
 * column j are jc[j] <= k < jc[j + 1]. Both kinds of indices have `index_size` bytes, 8 at most. */
typedef struct rls2__sparse {
    const void *row;
    int64_t row_count;
    const void *start; /* jc */
    int64_t start_count;
    const double *values;
    int64_t value_count;
    int index_size;
    int big_endian;
} rls2__sparse;

/* The array with its zeros. */
rls2_status rls2__array_expand(const char *place, const rls2__sparse *sparse, int64_t rows,
                               int64_t columns, rls2__array *array, rls2_error *err);

/* The table of X, and of y and T where they are (values not NULL). Takes nothing over. */
rls2_status rls2__table_from_arrays(rls2_table *table, const rls2__array *x, const rls2__array *y,
                                    const rls2__array *t, rls2_error *err);

#endif
