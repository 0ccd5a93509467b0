/* What an encoder learns of rows, counted elsewhere: of more rows than there are in memory.
 *
 * The table that stands for them has their columns and styles, and some of the rows. */
#ifndef RLS2_TABLE_CENSUS_H
#define RLS2_TABLE_CENSUS_H

#include "table/classes.h"
#include "table/encoder.h"

/* A column of the table, in all rows. */
typedef struct rls2__census_column {
    int64_t missing; /* rows in which the cell is */
    /* where it is taken as text: its categories, in the order they will have, and the rows of each
     */
    int64_t count;
    const char *const *texts;
    const int64_t *rows;
    unsigned parts; /* of dates: those that differ between rows */
} rls2__census_column;

typedef struct rls2__census {
    int64_t rows;                       /* that are used */
    const rls2__census_column *columns; /* of the table; those that are no inputs are not read */
    int labels_are_numbers;             /* of classes */
    int64_t label_count;
    rls2__label *labels; /* in any order; they will be sorted */
} rls2__census;

/* In place of rls2__encoder_learn. */
rls2_status rls2__encoder_take(rls2__encoder *encoder, const rls2__view *view,
                               const rls2__census *census, rls2_error *err);

/* rls2_dataset_create, with `options` that it would accept, but for what the encoder learns, and
 * for the fills: nothing was imputed, a missing cell is NaN in its first column of x. `find` makes
 * the census of an encoder whose columns are chosen; what it refers to must live until the call
 * returns. */
typedef rls2_status (*rls2__census_fn)(void *user, const rls2__encoder *encoder,
                                       rls2__census *census, rls2_error *err);
rls2_status rls2__dataset_counted(const rls2_table *table, const rls2_dataset_options *options,
                                  rls2__census_fn find, void *user, rls2_dataset **dataset,
                                  rls2_error *err);

#endif
