/* Files of statistics, as their writer and their reader see them. docs/FORMAT.md describes them.
 *
 *   pack_stats.c           statistics become arrays,
 *   describe_stats.c       and a description
 *   unpack_stats.c         and back: axes, features and counts,
 *   unpack_sample.c        and the rows of the sample
 *   stats_file.c           public functions */
#ifndef RLS2_MODELFILE_STATS_PARTS_H
#define RLS2_MODELFILE_STATS_PARTS_H

#include "modelfile/fields.h"
#include "stats/stats.h"

/* Words for formats of tables, in the order of the enum; NULL at the end. */
extern const char *const rls2__word_format[];

/* Release *bytes with rls2__free. */
rls2_status rls2__stats_pack(const rls2_stats *stats, unsigned char **bytes, int64_t *length,
                             rls2_error *err);
rls2_status rls2__stats_unpack(const char *name, const unsigned char *bytes, int64_t length,
                               rls2_stats **stats, rls2_error *err);

/* Does the table have texts, and numbers that were not written? Both, one or (of cells that are all
 * missing) none. */
int rls2__sample_has_texts(const rls2_table *table);
int rls2__sample_has_numbers(const rls2_table *table);

/* The columns of a table and how it was read: into a description, 0 when out of memory; and back,
 * to a head without rows that is named like the file, to be freed even where it fails. */
int rls2__conventions_describe(const rls2_table *table, json_t *object);
rls2_status rls2__unpack_head(rls2__describer *r, const json_t *from, rls2_table **head);

/* NULL when out of memory. */
json_t *rls2__stats_describe(const rls2_stats *stats);

/* The table of a file; and the data set made of it, with that encoder, which it shares, and that
 * preparation, which it takes over. Both count the arrays they read. */
rls2_status rls2__unpack_table(rls2__describer *r, int64_t *arrays, rls2_table **table);
rls2_status rls2__unpack_sample(rls2__describer *r, const rls2_table *table, rls2__encoder *encoder,
                                rls2__preparation *preparation, int64_t *arrays,
                                rls2_dataset **sample);

/* An array of that type and shape; rows < 0: a vector. */
rls2_status rls2__stats_array(const rls2__container *file, const char *name, const char *type,
                              int64_t rows, int64_t columns, int64_t *arrays,
                              rls2__array_view *view);

#endif
