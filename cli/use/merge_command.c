/* rls2 merge: statistics of rows that were counted apart, or profiles, added up. */
#include <inttypes.h>

#include "cli/interrupt.h"
#include "cli/output.h"
#include "cli/stats_report.h"

/* Of statistics, or of profiles. */
typedef struct sum {
    rls2_stats *stats;
    rls2_profile *profile;
} sum;

static void sum_free(sum *of)
{
    rls2_stats_free(of->stats);
    rls2_profile_free(of->profile);
}

static rls2_status load(const char *path, int is_profile, sum *of, rls2_error *err)
{
    return is_profile ? rls2_profile_load(path, &of->profile, err)
                      : rls2_stats_load(path, &of->stats, err);
}

static rls2_status add(sum *into, const sum *more, rls2_error *err)
{
    return into->profile ? rls2_profile_merge(into->profile, more->profile, err)
                         : rls2_stats_merge(into->stats, more->stats, err);
}

/* The first file, with all others added to it, one at a time. EXIT_OK, or the exit code after a
 * message that names the file. */
static int merge_files(const settings *s, sum *all)
{
    rls2_error err;
    int is_profile = is_profile_file(s->argument[0]);
    if (load(s->argument[0], is_profile, all, &err) != RLS2_OK) return fail(s, &err);
    for (int i = 1; i < s->argument_count; i++) {
        sum more = {0};
        if (load(s->argument[i], is_profile, &more, &err) != RLS2_OK) return fail(s, &err);
        rls2_status status = add(all, &more, &err);
        sum_free(&more);
        if (status == RLS2_OK) continue;
        say_error(s, "%s and %s cannot be merged: %s", s->argument[0], s->argument[i], err.message);
        return EXIT_FAILED;
    }
    return EXIT_OK;
}

static void report_json(const settings *s, FILE *file, const sum *all)
{
    json j = json_start(file);
    json_object(&j, NULL);
    json_array(&j, "merged");
    for (int i = 0; i < s->argument_count; i++) json_text(&j, NULL, s->argument[i]);
    json_end_array(&j);
    json_text(&j, "output", s->output);
    if (all->profile)
        profile_json(&j, all->profile);
    else
        stats_json(&j, all->stats);
    json_end_object(&j);
    json_finish(&j);
}

static int report(const settings *s, const sum *all)
{
    output out;
    int64_t rows = all->profile ? rls2_profile_rows(all->profile) : rls2_stats_rows(all->stats);
    int code = output_open(s, NULL, &out);
    if (code != EXIT_OK) return code;
    if (s->json)
        report_json(s, out.file, all);
    else
        print_names(out.file, "%s in %s%s%s\n", count_of(rows, "row").text,
                    count_of(s->argument_count, "file").text, s->output ? ", written to " : "",
                    s->output ? s->output : "");
    return output_close(s, &out, 1);
}

/* The file is the library's, and is whole or not there: nothing is stopped in between. */
static int save(const settings *s, const sum *all)
{
    rls2_error err;
    if (!s->output) return EXIT_OK;
    interrupt_catch();
    interrupt_at_once(0);
    rls2_status status = all->profile ? rls2_profile_save(all->profile, s->output, &err)
                                      : rls2_stats_save(all->stats, s->output, &err);
    interrupt_at_once(1);
    return status == RLS2_OK ? EXIT_OK : fail(s, &err);
}

static int run_merge(const settings *s)
{
    sum all = {0};
    int code = merge_files(s, &all);
    if (code == EXIT_OK) code = save(s, &all);
    if (code == EXIT_OK) code = report(s, &all);
    sum_free(&all);
    return code;
}

const command command_merge = {
    .name = "merge",
    .bit = FOR_MERGE,
    .summary = "add up statistics of rows that were counted apart, or profiles",
    .arguments = "FILE...",
    .least = 1,
    .most = MOST_ARGUMENTS,
    .description =
        "Adds up files of statistics, or of profiles ('rls2 stats --profile'). Sums are integers: "
        "rows that were counted in pieces, on "
        "any machines and in any order, give the file that all of them would give at once, to "
        "the bit.\n\n"
        "The files must have been made alike: the same columns, categories, preprocessing, "
        "points, kernels, parts and seed, and the same sample of rows; profiles with the same "
        "columns and "
        "settings. Where they were not, a "
        "sentence says which file, and in what it differs. Nothing tells whether the same rows "
        "are in two files.",
    .examples = "$ rls2 merge january.stats february.stats -o winter.stats\n"
                "  The rows of both.\n\n"
                "$ rls2 merge part-*.stats --json\n"
                "  Can these be merged, and how many rows are they?\n",
    .run = run_merge};
