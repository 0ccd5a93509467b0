/* The cells of a column in all rows of a profile: the different ones, counted as they are written,
 * while they are few; then only what their numbers sum up to.
 *
 * Which of the two it is depends on the set of cells alone, and so does everything that is found.
 */
#ifndef RLS2_STATS_CELL_COUNTS_H
#define RLS2_STATS_CELL_COUNTS_H

#include "base/lookup.h"
#include "base/memory.h"
#include "stats/exact_sum.h"
#include "table/input.h"
#include "table/table.h"

/* Where a cell was seen nobody knows: it comes from a file. */
enum { RLS2__NO_PLACE = -2 };

/* Where a cell was seen. */
typedef struct rls2__cell_place {
    int64_t row;   /* in the whole, from 0 */
    int64_t line;  /* of the file, -1: it has none; or RLS2__NO_PLACE */
    uint64_t file; /* the hash of its name */
} rls2__cell_place;

/* Cells that are written alike. */
typedef struct rls2__cell_count {
    const char *text; /* NULL of a number that was not written */
    double value;     /* in the style of the first rows; NaN where it is none */
    int64_t count;
    int64_t weight; /* of its rows; the count where they have none */
    rls2__cell_place first;
} rls2__cell_count;

/* The beginning of a text. */
typedef struct rls2__cell_start {
    char text[40];
} rls2__cell_start;

/* A part of dates in all rows. */
typedef struct rls2__part_facts {
    double low, high;
    rls2__exact_sum sum, squares;
} rls2__part_facts;

/* What cells, read in one style, sum up to. */
typedef struct rls2__cell_facts {
    int64_t numbers, texts; /* cells that are, and that are not; */
    int64_t weight;         /* of the numbers */
    int64_t words;          /* of the latter those that stand for missing values, where some may, */
    int64_t infinite;       /* and for infinity */
    int64_t word_weight;    /* of those words */
    double low, high;       /* of the numbers; */
    rls2__exact_sum sum, squares; /* they count by their weights */
    rls2__part_facts *parts;      /* of dates, RLS2__DATE_PARTS of them; else NULL */
    rls2__cell_place slip; /* the first that is neither number nor such a word; row -1: none */
    rls2__shown slip_text;
    rls2__cell_start least_slip; /* of all of them that whose bytes come first */
} rls2__cell_facts;

typedef struct rls2__cell_counts {
    rls2__style style; /* of the first rows */
    int weak_words;    /* words such as "-" stand for missing values among numbers */
    int64_t missing;   /* empty cells, */
    int64_t missing_weight;
    int many; /* there were too many: the rest is in `facts` */
    int64_t most_texts, most_bytes;
    rls2__arena *arena;   /* of the texts */
    rls2__lookup *lookup; /* of the keys: the texts, or bytes that stand for a number */
    int64_t bytes;        /* of all keys */
    int64_t room;
    rls2__cell_count *cells; /* by the numbers of the lookup */
    rls2__cell_facts *facts; /* NULL while there are not many */
} rls2__cell_counts;

/* 0 when out of memory; to be closed even so. */
int rls2__cell_counts_open(rls2__cell_counts *c, const rls2__style *style, int weak_words,
                           int64_t most_texts, int64_t most_bytes);
void rls2__cell_counts_close(rls2__cell_counts *c);
/* A cell of a table that is not missing, in a row of that weight. 0 when out of memory. */
int rls2__cell_counts_add(rls2__cell_counts *c, const rls2_table *table, int64_t row,
                          int64_t column, int64_t weight, rls2__cell_place place);
/* Where both are of many they are of the same style; else that of many counts, or that of c. */
int rls2__cell_counts_merge(rls2__cell_counts *c, const rls2__cell_counts *other);
/* Cells that are counted: so many of that text (a number that was not written: its key) and number
 * (NaN where it is none), of that weight. For files; 0 when out of memory. */
int rls2__cell_counts_put(rls2__cell_counts *c, const char *key, double value, int64_t count,
                          int64_t weight);
/* The key of a cell, which lives as long as the counts do. */
const char *rls2__cell_counts_key(const rls2__cell_counts *c, int64_t v);
/* A text that is neither number nor a word for none was seen, nobody knows where. */
void rls2__cell_facts_set_slip(rls2__cell_facts *facts, const char *text);
/* Cells, that are not many, are read in another style from now on. */
void rls2__cell_counts_restyle(rls2__cell_counts *c, const rls2__style *style);
/* Cells are not told apart from now on: there were many, in another place. */
int rls2__cell_counts_become_many(rls2__cell_counts *c);

/* What the cells are in that style; of many cells it is that of the first rows, whatever was asked
 * for. NULL when out of memory; release with rls2__cell_facts_free. */
rls2__cell_facts *rls2__cell_facts_of(const rls2__cell_counts *c, const rls2__style *style);
void rls2__cell_facts_free(rls2__cell_facts *facts);
/* How many there are, where they are not many; and a cell as a number of that style, or NaN. */
int64_t rls2__cell_counts_count(const rls2__cell_counts *c);
double rls2__cell_value(const rls2__cell_counts *c, const rls2__cell_count *cell,
                        const rls2__style *style);

#endif
