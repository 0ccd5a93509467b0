/* A profile, as the files see it that fill it and that ask it. */
#ifndef RLS2_STATS_PROFILE_PARTS_H
#define RLS2_STATS_PROFILE_PARTS_H

#include "stats/cell_counts.h"
#include "stats/row_bytes.h"
#include "stats/row_sample.h"
#include "stats/table_profile.h"

/* Weights are counted in integers, so that their order does not matter. */
enum { RLS2__WEIGHT_BITS = 20, RLS2__WEIGHT_UNIT = 1 << RLS2__WEIGHT_BITS };

/* A file that rows came from. */
typedef struct rls2__profile_file {
    uint64_t hash; /* of the name */
    char name[128];
} rls2__profile_file;

/* A column that a row must have. */
typedef struct rls2__profile_need {
    int64_t column;
    int is_text;
} rls2__profile_need;

struct rls2_profile {
    rls2__profile_options options; /* without its lists */
    rls2_table *head;              /* columns, styles and conventions, no rows */
    int64_t need_count;
    rls2__profile_need *needs;
    int64_t weight; /* column, -1: none */
    int64_t rows, left_out;
    int64_t unit;               /* a weight of 1: WEIGHT_UNIT, or 1 where rows have no weights */
    int64_t total;              /* weight of the rows */
    uint64_t fingerprint;       /* sum of the hashes of the rows */
    rls2__cell_counts *columns; /* of the head */
    rls2__row_sample sample;
    rls2__row_bytes row; /* room for one */
    int64_t file_count, file_room;
    rls2__profile_file *files;
    /* when it is settled: */
    rls2_table *settled;      /* the sample; else NULL */
    rls2__cell_facts **facts; /* columns */
};

/* How the cells of a column are read: as all rows are written, or, of many, as the first were. */
const rls2__style *rls2__profile_style(const rls2__profile *profile, int64_t column);
/* What the whole table would take it for, and its missing cells then. */
int rls2__profile_is_text(const rls2__profile *profile, int64_t column);
int64_t rls2__profile_missing(const rls2__profile *profile, int64_t column, int is_text);
int64_t rls2__profile_missing_weight(const rls2__profile *profile, int64_t column, int is_text);
/* "FILE:17", or "FILE: row 16" */
rls2__place rls2__profile_place(const rls2__profile *profile, const rls2__cell_place *place);
/* The different numbers of a column of not many; as in rls2__profile_values. */
rls2_status rls2__profile_numbers(const rls2__profile *profile, int64_t column,
                                  rls2__profile_values *values, rls2_error *err);
/* Its categories; a number that was not written lies in the arena then. */
rls2_status rls2__profile_texts(const rls2__profile *profile, int64_t column, rls2__arena *arena,
                                rls2__profile_values *values, rls2_error *err);
/* The sample alone: `settled` is there then, and no facts. There are rows. */
rls2_status rls2__profile_settle_sample(rls2__profile *profile, rls2_error *err);
/* Forgets what was settled. */
void rls2__profile_unsettle(rls2__profile *profile);

#endif
