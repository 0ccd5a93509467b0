/* Statistics of made rows, as a pass over a file would make them: axes, encoding and sample from a
 * profile of all rows, counts of some. */
#ifndef RLS2_TESTS_SUPPORT_MADE_STATS_H
#define RLS2_TESTS_SUPPORT_MADE_STATS_H

#include "stats/stats.h"
#include "support/edited_model.h"

enum { MADE_STATS_ROWS = 90, MADE_STATS_CASES = 5 };
/* Gaps, dates and categories, in three parts, with features; numbers alone; two targets with row
 * weights and features; three classes; numbers that were never written. */
extern const char *const made_stats_cases[MADE_STATS_CASES];

/* The case of that name, of those rows, by their numbers. */
rls2_stats *made_stats(const char *name, int64_t count, const int64_t *rows);
/* Of all rows. */
rls2_stats *made_stats_whole(const char *name);

packed pack_stats(const rls2_stats *stats);
/* Refused, for another reason than the checksum; `message` is a part of it. */
void assert_stats_refused(const edited *e, const char *what, const char *message);

#endif
