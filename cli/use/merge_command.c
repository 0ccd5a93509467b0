/* rls2 merge: statistics of rows that were counted apart, added up. */
#include <inttypes.h>

#include "cli/output.h"
#include "cli/stats_report.h"

/* The first file, with all others added to it, one at a time. EXIT_OK, or the exit code after a
 * message that names the file. */
static int merge_files(const settings *s, rls2_stats **sum)
{
    rls2_error err;
    if (rls2_stats_load(s->argument[0], sum, &err) != RLS2_OK) return fail(s, &err);
    for (int i = 1; i < s->argument_count; i++) {
        rls2_stats *more = NULL;
        if (rls2_stats_load(s->argument[i], &more, &err) != RLS2_OK) return fail(s, &err);
        rls2_status status = rls2_stats_merge(*sum, more, &err);
        rls2_stats_free(more);
        if (status == RLS2_OK) continue;
        say_error(s, "%s and %s cannot be merged: %s", s->argument[0], s->argument[i], err.message);
        return EXIT_FAILED;
    }
    return EXIT_OK;
}

static void report_json(const settings *s, FILE *file, const rls2_stats *sum)
{
    json j = json_start(file);
    json_object(&j, NULL);
    json_array(&j, "merged");
    for (int i = 0; i < s->argument_count; i++) json_text(&j, NULL, s->argument[i]);
    json_end_array(&j);
    json_text(&j, "output", s->output);
    stats_json(&j, sum);
    json_end_object(&j);
    json_finish(&j);
}

static int report(const settings *s, const rls2_stats *sum)
{
    output out;
    int code = output_open(s, NULL, &out);
    if (code != EXIT_OK) return code;
    if (s->json)
        report_json(s, out.file, sum);
    else
        print_names(out.file, "%s in %s%s%s\n", count_of(rls2_stats_rows(sum), "row").text,
                    count_of(s->argument_count, "file").text, s->output ? ", written to " : "",
                    s->output ? s->output : "");
    return output_close(s, &out, 1);
}

static int run_merge(const settings *s)
{
    rls2_error err;
    rls2_stats *sum = NULL;
    int code = merge_files(s, &sum);
    if (code == EXIT_OK && s->output && rls2_stats_save(sum, s->output, &err) != RLS2_OK)
        code = fail(s, &err);
    if (code == EXIT_OK) code = report(s, sum);
    rls2_stats_free(sum);
    return code;
}

const command command_merge = {
    .name = "merge",
    .bit = FOR_MERGE,
    .summary = "add up statistics of rows that were counted apart",
    .arguments = "STATS...",
    .least = 1,
    .most = MOST_ARGUMENTS,
    .description =
        "Adds up files of statistics. Sums are integers: rows that were counted in pieces, on "
        "any machines and in any order, give the file that all of them would give at once, to "
        "the bit.\n\n"
        "The files must have been made alike: the same columns, categories, preprocessing, "
        "points, kernels, parts and seed, and the same sample of rows. Where they were not, a "
        "sentence says which file, and in what it differs. Nothing tells whether the same rows "
        "are in two files.",
    .examples = "$ rls2 merge january.stats february.stats -o winter.stats\n"
                "  The rows of both.\n\n"
                "$ rls2 merge part-*.stats --json\n"
                "  Can these be merged, and how many rows are they?\n",
    .run = run_merge};
