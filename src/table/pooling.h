/* Text columns of many categories: the rare ones share one column of x, NAME=other. */
#ifndef RLS2_TABLE_POOLING_H
#define RLS2_TABLE_POOLING_H

#include "table/encoder.h"

/* Puts the categories of a text input that are to be pooled behind the others, as the encoder's
 * `rare` says. */
rls2_status rls2__pool_values(const rls2__encoder *encoder, const rls2__view *view, int64_t input,
                              rls2_error *err);
/* The same where the rows of each category were counted before, by its number, in `rows` rows. */
rls2_status rls2__pool_counted(const rls2__encoder *encoder, int64_t input, int64_t rows,
                               const int64_t *of_value, rls2_error *err);

#endif
