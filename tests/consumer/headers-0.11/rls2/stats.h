/* Statistics of rows: all that a fit needs of a table that is too tall to be kept.
 *
 * The rows are seen through axes: of each number, date and category its points, between two of
 * which a row is shared. Statistics are sums over rows of products of such shares, and of shares
 * and responses, as integers: those of any parts of the rows, added up in any order, have the same
 * bits as those of all rows, and so have their files. Beside them are the rows of a sample, from
 * which the axes were made.
 *
 * Files, tables and calls that rows come from are sources (rls2/source.h). An object changes in the
 * calls of "sums" below alone; between these, several threads may look at it. */
#ifndef RLS2_STATS_H
#define RLS2_STATS_H

#include "rls2/control.h"
#include "rls2/source.h"
#include "rls2/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rls2_stats rls2_stats;

RLS2_API void rls2_stats_free(rls2_stats *stats);

/* ---- files (docs/FORMAT.md) ---- */

/* The bytes of a file, to be freed with rls2_bytes_free (rls2/model.h). Equal statistics have equal
 * bytes. In proportion to them in time; in memory three times as much while they are made. */
RLS2_API rls2_status rls2_stats_pack(const rls2_stats *stats, void **bytes, int64_t *length,
                                     rls2_error *err);
/* The statistics in such bytes, which are borrowed for the call; `name` stands for the file in
 * messages. Whatever they are, they are checked first: RLS2_ERR_SYNTAX for what is no such file,
 * cut off or damaged; RLS2_ERR_VALUE for a newer version, and for counts that no rows have. Free
 * with rls2_stats_free. */
RLS2_API rls2_status rls2_stats_unpack(const char *name, const void *bytes, int64_t length,
                                       rls2_stats **stats, rls2_error *err);
/* The same with a file, which is written completely or not at all (rls2/file.h). */
RLS2_API rls2_status rls2_stats_save(const rls2_stats *stats, const char *path, rls2_error *err);
RLS2_API rls2_status rls2_stats_load(const char *path, rls2_stats **stats, rls2_error *err);

/* ---- sums ---- */

/* Adds the rows of `from`, which stays as it is, to those of `into`. Both must have been made alike
 * (the same sample of rows, and all that was made of it: columns, encoding, preprocessing, axes,
 * features and units; the same parts and seed): RLS2_ERR_VALUE otherwise, with a sentence that says
 * in what they differ, and for sums that would be too large. `into` has then not changed. Nobody
 * knows here whether the same rows are added twice. In proportion to rls2_stats_bytes. */
RLS2_API rls2_status rls2_stats_merge(rls2_stats *into, const rls2_stats *from, rls2_error *err);

/* The inverse: takes the rows of `from` off those of `into`. RLS2_ERR_VALUE as above, and where
 * they cannot be among them, as some count would be below zero; `into` has then not changed. */
RLS2_API rls2_status rls2_stats_subtract(rls2_stats *into, const rls2_stats *from, rls2_error *err);
/* Forgets the rows, and keeps all that says how rows are counted: columns, encoding, axes,
 * features, units, parts and the sample. */
RLS2_API void rls2_stats_clear(rls2_stats *stats);
/* Counts further rows in the same way, in one pass: all of them or, where it fails, none. With the
 * same columns, categories, points, kernels, parts, seed and class weights; columns that are not
 * used may be missing or others. RLS2_ERR_NAME for a column that is not there, RLS2_ERR_VALUE for a
 * cell of another kind, a label that is not known, a response far beyond the others, a weight that
 * is larger than any; unknown categories count as in rls2_dataset_create_like, numbers beyond an
 * axis as its ends (rls2_stats_axis_is_exact says 0 then). RLS2_ERR_CANCELLED where progress, with
 * the stage "rows", asks to stop. Rows go to their part by a hash of their cells as they are
 * written, so that neither order nor division matters; but by their number where the rows of the
 * profile were hardly different (rls2_stats_parts_by_number): the first has the number of rows that
 * have been counted or left out. */
RLS2_API rls2_status rls2_stats_add_rows(rls2_stats *stats, rls2_source *rows,
                                         const rls2_control *control, rls2_error *err);

/* ---- what they are of ---- */

RLS2_API int64_t rls2_stats_rows(const rls2_stats *stats);        /* that were counted, */
RLS2_API int64_t rls2_stats_left_out(const rls2_stats *stats);    /* and that were not */
RLS2_API int64_t rls2_stats_sample_rows(const rls2_stats *stats); /* of the sample */
/* Parts of the rows that are counted apart, the folds of a cross-validation; 0: none. */
RLS2_API int64_t rls2_stats_parts(const rls2_stats *stats);
RLS2_API uint64_t rls2_stats_seed(const rls2_stats *stats); /* that rows get their part by */
/* 1 where rows get their part by their number, and not by what they are: fewer than half of them
 * were different, so that parts would have had other combinations of cells. Sums of such statistics
 * depend on how the rows were numbered. */
RLS2_API int rls2_stats_parts_by_number(const rls2_stats *stats);
/* The sum of the hashes of the rows: the same rows in any order have the same. */
RLS2_API uint64_t rls2_stats_fingerprint(const rls2_stats *stats);
/* Memory that the counts take. */
RLS2_API int64_t rls2_stats_bytes(const rls2_stats *stats);

/* Columns of the responses, and responses: one for each class where there are more than two. Names
 * are owned by the statistics; NULL if out of range, or where there is none. */
RLS2_API int64_t rls2_stats_target_count(const rls2_stats *stats);
RLS2_API const char *rls2_stats_target_name(const rls2_stats *stats, int64_t target);
RLS2_API int64_t rls2_stats_outputs(const rls2_stats *stats);
RLS2_API int64_t rls2_stats_class_count(const rls2_stats *stats); /* 0: regression */
RLS2_API const char *rls2_stats_class_label(const rls2_stats *stats, int64_t k);
RLS2_API const char *rls2_stats_weight_name(const rls2_stats *stats); /* column of row weights */

/* Columns of the table that are inputs. */
RLS2_API int64_t rls2_stats_input_count(const rls2_stats *stats);
RLS2_API const char *rls2_stats_input_name(const rls2_stats *stats, int64_t input);
/* Columns of x. */
RLS2_API int64_t rls2_stats_columns(const rls2_stats *stats);
/* What class weights make of the rows of a class; 1 where there are none, NaN if out of range. */
RLS2_API double rls2_stats_class_weight(const rls2_stats *stats, int64_t class_index);
/* Axes: the name of the column of the table (of a part of a date, DATE.PART), its points, and
 * whether every row lies at one of its own. */
RLS2_API int64_t rls2_stats_axis_count(const rls2_stats *stats);
RLS2_API const char *rls2_stats_axis_name(const rls2_stats *stats, int64_t axis);
RLS2_API int64_t rls2_stats_axis_points(const rls2_stats *stats, int64_t axis);
RLS2_API int rls2_stats_axis_is_exact(const rls2_stats *stats, int64_t axis);
/* Kernels of several axes that rows were counted for: the name, and on how many landmarks. */
RLS2_API int64_t rls2_stats_kernel_count(const rls2_stats *stats);
RLS2_API const char *rls2_stats_kernel_name(const rls2_stats *stats, int64_t kernel);
RLS2_API int64_t rls2_stats_kernel_landmarks(const rls2_stats *stats, int64_t kernel);

/* ---- profiles ---- */

/* What one pass over rows tells a plan, before any are counted: of each column the kind, the
 * different cells with their numbers of rows (up to 10,000), exact sums, least and most, missing
 * cells; and the rows of a sample, chosen by a hash of their cells. Profiles of parts of the rows
 * (rls2_plan_profile), merged in any order, have the same bytes as that of all rows; a plan is
 * completed on the sum (rls2_plan_complete_profile), and its statistics (rls2_plan_count) are
 * filled by rls2_stats_add_rows or, in several places, are copied, filled and merged:
 *
 *   each part    rls2_plan_profile                        and rls2_profile_merge
 *   once         rls2_plan_complete_profile, rls2_plan_count
 *   each part    rls2_stats_load, rls2_stats_add_rows     and rls2_stats_merge
 *   once         rls2_plan_complete_stats, rls2_plan_fit
 *
 * In memory about 100 bytes for each different cell, and twice the rows of the sample. */
typedef struct rls2_profile rls2_profile;

RLS2_API void rls2_profile_free(rls2_profile *profile);
/* As of statistics, above. Equal profiles have equal bytes. */
RLS2_API rls2_status rls2_profile_pack(const rls2_profile *profile, void **bytes, int64_t *length,
                                       rls2_error *err);
RLS2_API rls2_status rls2_profile_unpack(const char *name, const void *bytes, int64_t length,
                                         rls2_profile **profile, rls2_error *err);
RLS2_API rls2_status rls2_profile_save(const rls2_profile *profile, const char *path,
                                       rls2_error *err);
RLS2_API rls2_status rls2_profile_load(const char *path, rls2_profile **profile, rls2_error *err);
/* Adds the rows of `from`, which stays as it is, to those of `into`. RLS2_ERR_ARGUMENT where they
 * were made of other columns or with other settings (targets, row weights, rows to be dropped), or
 * where a column of more than 10,000 different cells is not written alike in both. Where memory
 * ends `into` is to be freed; otherwise it has not changed. */
RLS2_API rls2_status rls2_profile_merge(rls2_profile *into, const rls2_profile *from,
                                        rls2_error *err);
RLS2_API int64_t rls2_profile_rows(const rls2_profile *profile);     /* without those left out, */
RLS2_API int64_t rls2_profile_left_out(const rls2_profile *profile); /* which are these: a target */
                                                                     /* or a weight is missing */
RLS2_API int64_t rls2_profile_columns(const rls2_profile *profile);
RLS2_API const char *rls2_profile_column_name(const rls2_profile *profile, int64_t column);
/* As rls2_stats_fingerprint of the same rows. */
RLS2_API uint64_t rls2_profile_fingerprint(const rls2_profile *profile);

#ifdef __cplusplus
}
#endif

#endif
