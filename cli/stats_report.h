/* What a file of statistics holds. */
#ifndef RLS2_CLI_STATS_REPORT_H
#define RLS2_CLI_STATS_REPORT_H

#include <stdio.h>

#include "cli/console.h"
#include "cli/json.h"

/* 1 if the file begins as those of statistics, or of profiles, do. A pipe is not looked at. */
int is_stats_file(const char *path);
int is_profile_file(const char *path);
void stats_text(const settings *s, FILE *file, const rls2_stats *stats);
/* Members of an object. */
void stats_json(json *j, const rls2_stats *stats);
/* The same of profiles. */
void profile_text(FILE *file, const rls2_profile *profile);
void profile_json(json *j, const rls2_profile *profile);
/* rls2 show of such a file. */
int show_stats(const settings *s);
int show_profile(const settings *s);

#endif
