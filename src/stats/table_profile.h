/* The profile of a table: what one pass over its rows tells a plan, in memory that does not grow
 * with them.
 *
 *   create       the columns, and how each is written, from the first rows
 *   add          rows, in pieces of any size
 *   merge        two profiles of the same columns
 *   settle       all was read: what follows is asked
 *   sample       a table of at most `sample` rows, on which a plan can be completed
 *   check        slips, in all rows
 *   dataset      those rows as a data set whose encoder and preparation are those of all rows
 *
 * Everything is counted in integers or summed exactly, and depends on the cells of the rows alone:
 * any order and any partition of the rows gives the same bits. Row numbers count only for the row
 * that a message names.
 *
 * Of each column the different cells are counted, as they are written, up to `most_texts` of them
 * (and `most_bytes` bytes). A column that has more is one of *many* different cells: its numbers,
 * read in the style that the first rows have, are summed exactly (exact_sum.h), and its texts are
 * forgotten. What is learned of a column that is not of many is what the whole table would say,
 * whatever its style; medians of the others come from the sample.
 *
 * Memory, for each profile: `most_bytes` and 100 bytes for each of `most_texts` cells, for each
 * column that is not of many, else 3 KB (10 KB of dates); and 2 * `sample` rows as they are
 * written. */
#ifndef RLS2_STATS_TABLE_PROFILE_H
#define RLS2_STATS_TABLE_PROFILE_H

#include "rls2/stats.h"
#include "rls2/table.h"

typedef struct rls2_profile rls2__profile;

typedef struct rls2__profile_options {
    int64_t sample;     /* rows of the sample; 20,000 */
    int64_t most_texts; /* different cells of a column that are counted; 10,000 */
    int64_t most_bytes; /* that these are written with; 1 MiB */
    /* Rows in which one of these columns is missing are left out, and counted as such: targets,
     * row weights, and inputs where rows with empty cells are to be dropped. */
    const char *const *needed;
    int64_t needed_count;
    /* Rows count by their weights in this column, rounded to multiples of 2^-20, in sums, means,
     * deviations and fills; those of weight 0 are left out. NULL: each is one. */
    const char *weight;
} rls2__profile_options;

rls2__profile_options rls2__profile_defaults(void);

/* `first` is a table whose columns and styles the rows have; its rows do not count. Options and
 * table are borrowed for the call. */
rls2_status rls2__profile_create(const rls2_table *first, const rls2__profile_options *options,
                                 rls2__profile **profile, rls2_error *err);
/* An empty one of the same columns and options. */
rls2_status rls2__profile_create_like(const rls2__profile *like, rls2__profile **profile,
                                      rls2_error *err);
void rls2__profile_free(rls2__profile *profile);

/* The rows of a piece, the first of which has that number in the whole. After RLS2_ERR_MEMORY the
 * profile is to be freed, and after RLS2_ERR_VALUE, for a weight that is negative, or so large that
 * their sum overflows; RLS2_ERR_ARGUMENT for a piece of other columns, and nothing has changed.
 */
rls2_status rls2__profile_add(rls2__profile *profile, const rls2_table *piece, int64_t first_row,
                              rls2_error *err);
/* Adds the rows of `from`, which stays as it is; RLS2_ERR_ARGUMENT where columns, options or
 * conventions differ, or styles of columns of many different cells in both. After RLS2_ERR_MEMORY
 * `into` is to be freed. */
rls2_status rls2__profile_merge(rls2__profile *into, const rls2__profile *from, rls2_error *err);

/* To be called when all was added, before anything but the first three is asked; rows may be added
 * later, and then again. RLS2_ERR_VALUE where there are no rows, or all were left out. */
rls2_status rls2__profile_settle(rls2__profile *profile, rls2_error *err);

/* The same, but that there need not be rows. */
rls2_status rls2__profile_finish(rls2__profile *profile, rls2_error *err);
/* Are these the options it was made with: needed columns, in that order, and weight? */
int rls2__profile_is_made_with(const rls2__profile *profile, const rls2__profile_options *options);

/* ---- what was found ---- */

int64_t rls2__profile_rows(const rls2__profile *profile);     /* without those left out, */
int64_t rls2__profile_left_out(const rls2__profile *profile); /* which are these */
int64_t rls2__profile_columns(const rls2__profile *profile);

/* The sum of the hashes of its rows: equal rows, in whatever order, have equal ones on every
 * machine. */
uint64_t rls2__profile_fingerprint(const rls2__profile *profile);

/* A column in the style and of the kind that all rows say. */
typedef struct rls2__profile_column {
    const char *name; /* owned by the profile */
    rls2_column_kind kind;
    int64_t missing;  /* rows in which the cell is, words such as "NA" among numbers with them */
    int64_t numbers;  /* cells that are numbers, or dates, */
    int64_t texts;    /* and that are not: slips where the kind is not text */
    int64_t distinct; /* different numbers, or texts where the kind is text; -1: many */
    double low, high; /* of the numbers; 0 where there are none */
    double sum;       /* of them, correctly rounded; */
    double mean;      /* likewise; */
    double deviation; /* divisor numbers - 1, or their weight - 1, within 1 ulp; 0 where that is */
} rls2__profile_column;

/* 0 <= column < columns. RLS2_ERR_MEMORY. */
rls2_status rls2__profile_look(const rls2__profile *profile, int64_t column,
                               rls2__profile_column *found, rls2_error *err);

/* The different values of a column that is not of many: numbers (days of dates) ascending, or
 * texts in the order of their bytes, with the rows of each. Release with rls2__profile_values_free
 * what is zero or was filled. */
typedef struct rls2__profile_values {
    int64_t count;
    double *numbers;    /* NULL where the kind is text */
    const char **texts; /* owned by the profile; NULL where it is not */
    int64_t *rows;
    int64_t *weights; /* of these rows, in units of 2^-20 where there are weights; else the rows */
} rls2__profile_values;
rls2_status rls2__profile_values_of(const rls2__profile *profile, int64_t column,
                                    rls2__profile_values *values, rls2_error *err);
void rls2__profile_values_free(rls2__profile_values *values);

/* ---- what a fit needs ---- */

/* The rows whose hash (64 bits, of their cells as they are written) is smallest, at most `sample`
 * of them, as a table with the columns, conventions and styles of all rows, in the order of the
 * hashes. Rows that are equal have one hash and are counted: where all different rows there are
 * were kept, each is there as often as its share of all rows says; else as often as it was seen, at
 * most 16 times. Owned by the profile, until rows are added. */
const rls2_table *rls2__profile_sample(const rls2__profile *profile);
/* 0 where a column of many different cells is not written as the first rows were, 1 else. Where it
 * is 0 the rows should be read once more, by a profile that is created from the sample. */
int rls2__profile_is_of_style(const rls2__profile *profile);

/* What rls2_dataset_create would refuse in all rows where the sample may not show it: a text in a
 * column of numbers ("big.csv:1000002: column 'x3': 'abc' is not a number; 1,000,000 cells of it
 * are, 1 is not"), more than `most_texts` categories, a column whose style the first rows do not
 * tell. */
rls2_status rls2__profile_check(const rls2__profile *profile, const rls2_dataset_options *options,
                                rls2_error *err);

/* The rows of the sample, or some of them (`rows`: a table taken from it; NULL: all), as a data set
 * whose columns of x, categories, parts of dates, labels, fills, means and deviations are those of
 * all rows: rls2_dataset_create_like reads any piece of the whole with it. Checks first. Examples
 * cannot be preprocessed. Where `missing` is DROP or ERROR, inputs with missing cells must have
 * been `needed`, and the row weights must be the profile's: RLS2_ERR_ARGUMENT otherwise. */
rls2_status rls2__profile_dataset(const rls2__profile *profile, const rls2_table *rows,
                                  const rls2_dataset_options *options, rls2_normalize features,
                                  rls2_dataset **dataset, rls2_error *err);

/* 1 where all different rows are known and are fewer than half of all: then equal rows should not
 * be kept together. */
int rls2__profile_has_few_rows(const rls2__profile *profile);

struct rls2__encoder;
/* weights[k]: of the rows of class k of an encoder that was learned from the profile. */
rls2_status rls2__profile_class_weights(const rls2__profile *profile,
                                        const struct rls2__encoder *encoder, double *weights,
                                        rls2_error *err);

/* ---- on all cores ---- */

/* A profile for each thread, to be merged in the end. `work` is one that rls2__rows_each (formats/
 * rows.h) takes. */
typedef struct rls2__profile_team rls2__profile_team;
rls2_status rls2__profile_team_create(const rls2_table *first, const rls2__profile_options *options,
                                      int threads, rls2__profile_team **team, rls2_error *err);
rls2_status rls2__profile_team_work(void *team, const rls2_table *piece, int64_t first_row,
                                    int thread, rls2_error *err);
/* The profile of all, also of those rows that were read before something failed. Frees the team. */
rls2_status rls2__profile_team_finish(rls2__profile_team *team, rls2__profile **profile,
                                      rls2_error *err);
void rls2__profile_team_free(rls2__profile_team *team);

#endif
