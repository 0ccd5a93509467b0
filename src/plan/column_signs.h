/* Signs by which a column is known for one that is not to be learned from. All of them look at
 * numbers by value and at texts as they are written; a cell is missing where it is empty. */
#ifndef RLS2_PLAN_COLUMN_SIGNS_H
#define RLS2_PLAN_COLUMN_SIGNS_H

#include "rls2/table.h"

/* Text to the encoder: most of its cells are. */
int rls2__column_is_text(const rls2_table *table, int64_t column);

/* Few different values, some of them texts among whole numbers: words for "rotary" where others say
 * how many cylinders, not slips of the pen. -1 when out of memory. */
int rls2__column_is_coded(const rls2_table *table, int64_t column);
/* Few different whole numbers, each between quotes: R and pandas write texts so, and numbers
 * without, which `rls2__has_bare_numbers` looks for. -1 when out of memory. */
int rls2__column_is_quoted(const rls2_table *table, int64_t column);
/* All of them are between quotes. */
int rls2__column_has_quotes(const rls2_table *table, int64_t column);
int rls2__has_bare_numbers(const rls2_table *table);

/* A name that people give to numbers of rows: id, index, row, obs, "Unnamed: 0", customer_id,
 * PassengerId. "X", which R writes where there is no name, and "PID" are, too, but others use such
 * names as well: these are `weak`. */
int rls2__is_name_of_ids(const char *name, int *weak);
/* Whole numbers, most of them different, under such a name; all of them, and close together, where
 * it is weak. -1 when out of memory. */
int rls2__column_numbers_rows(const rls2_table *table, int64_t column);

/* Rows that have a number in the column, by that number. */
typedef struct rls2__ranking {
    int64_t count;
    int64_t *rows; /* owned */
} rls2__ranking;
rls2_status rls2__rank_rows(const rls2_table *table, int64_t column, rls2__ranking *ranking,
                            rls2_error *err);

/* How a column goes along with a target. */
typedef enum rls2__following {
    RLS2__FOLLOWS_NOT,
    RLS2__FOLLOWS_IN_STEPS, /* few values, as of "low" beside the weight: it may be made of it */
    RLS2__FOLLOWS           /* many: the target by another name, such as its logarithm */
} rls2__following;
/* A column that never falls while the target grows, or never rises. A plain count (a year, the
 * number of the row) beside a target that grows with time is none. `ranking` is that of the target.
 * O(rows), and much less for a column that has nothing to do with it. */
rls2__following rls2__column_follows(const rls2_table *table, int64_t column, int64_t target,
                                     const rls2__ranking *ranking);

/* The values of a target by number, -1 where it is missing, and for each the row where it is
 * first. Where there are more than 100 only those of the first rows may be there. */
typedef struct rls2__labels {
    int64_t count;
    int64_t *numbers; /* rows; owned */
    int64_t *first;   /* count; owned */
} rls2__labels;
rls2_status rls2__label_rows(const rls2_table *table, int64_t target, rls2__labels *labels,
                             rls2_error *err);
/* One value of the column for each label, and another for each other: the target by other words. */
int rls2__column_renames(const rls2_table *table, int64_t column, const rls2__labels *labels);
/* Each value of the column, of which there are few, comes with one label only; or each label with
 * one value only, which does not tell all of them. */
typedef enum rls2__telling {
    RLS2__TELLS_NOT,
    RLS2__TELLS,       /* the label is known from the column */
    RLS2__TELLS_A_PART /* the column is known from the label */
} rls2__telling;
rls2__telling rls2__column_tells(const rls2_table *table, int64_t column,
                                 const rls2__labels *labels, const int64_t *values);
/* Of two labels one has all the low numbers of the column, the other all the high ones. */
int rls2__column_separates(const rls2_table *table, int64_t column, const rls2__labels *labels);

#endif
