/* rls2 stats: counts the rows of a table, and saves the counts. */
#include <string.h>

#include "cli/interrupt.h"
#include "cli/learn/learning.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/stats_report.h"

/* Settings that the file of --like has decided on. */
static int check_like(const settings *s)
{
    for (int64_t i = 0; i < rls2_setting_count(); i++) {
        const rls2_setting *setting = rls2_setting_at(i);
        const char *name = rls2_setting_about(setting, RLS2_SETTING_NAME);
        if (rls2_setting_scope_of(setting) == RLS2_SCOPE_READING) continue;
        if (!rls2_plan_is_set(s->plan, name) || strcmp(name, "memory") == 0) continue;
        say_error(s, "--%s and --like exclude each other: it is decided by %s", name, s->like);
        return EXIT_USAGE;
    }
    return EXIT_OK;
}

/* What is made of the rows: statistics, or a profile. */
typedef struct result {
    rls2_stats *stats;
    rls2_profile *profile;
} result;

static void result_free(result *r)
{
    rls2_stats_free(r->stats);
    rls2_profile_free(r->profile);
}

static rls2_control control_of(const settings *s, progress *bar)
{
    rls2_control control;
    interrupt_at_once(1);
    rls2_control_init(&control, sizeof control);
    control.threads = learn_threads(s);
    control.progress = progress_callback;
    control.user = bar;
    return control;
}

/* ---- profiles ---- */

static int profile_rows(const settings *s, result *r)
{
    rls2_error err;
    rls2_source *rows = NULL;
    progress bar = progress_start(s);
    rls2_control control = control_of(s, &bar);
    rls2_status status = learn_open(s, &rows, &err);
    if (status == RLS2_OK) status = rls2_plan_profile(s->plan, rows, &control, &r->profile, &err);
    progress_end(&bar);
    rls2_source_close(rows);
    return status == RLS2_OK ? EXIT_OK : fail_plan(s, &err);
}

/* Statistics of no rows; the profile lives as long as the plan is used. */
static int count_none(const settings *s, const char *path, rls2_profile **profile,
                      rls2_stats **stats)
{
    rls2_error err;
    if (rls2_profile_load(path, profile, &err) != RLS2_OK) return fail(s, &err);
    progress bar = progress_start(s);
    rls2_control control = control_of(s, &bar);
    rls2_status status = rls2_plan_complete_profile(s->plan, *profile, &control, &err);
    if (status == RLS2_OK) status = rls2_plan_count(s->plan, &control, stats, &err);
    progress_end(&bar);
    return status == RLS2_OK ? EXIT_OK : fail_plan(s, &err);
}

/* ---- counts ---- */

/* In a way of its own. */
static int count_rows(const settings *s, result *r)
{
    rls2_error err;
    learning l = {0};
    int code = learn_profile(s, &l);
    if (code == EXIT_OK) {
        progress bar = progress_start(s);
        rls2_control control = control_of(s, &bar);
        rls2_status status = rls2_plan_count(s->plan, &control, &r->stats, &err);
        progress_end(&bar);
        if (status != RLS2_OK) code = fail_plan(s, &err);
    }
    if (code == EXIT_OK) learn_say_notes(s, &l);
    learn_free(&l);
    return code;
}

static int add_rows(const settings *s, rls2_stats *stats)
{
    rls2_error err;
    rls2_source *rows = NULL;
    progress bar = progress_start(s);
    rls2_control control = control_of(s, &bar);
    rls2_status status = learn_open(s, &rows, &err);
    if (status == RLS2_OK) status = rls2_stats_add_rows(stats, rows, &control, &err);
    progress_end(&bar);
    rls2_source_close(rows);
    return status == RLS2_OK ? EXIT_OK : fail_plan(s, &err);
}

/* In the way of another file. */
static int count_like(const settings *s, result *r)
{
    rls2_error err;
    int code = EXIT_OK;
    if (is_profile_file(s->like))
        code = count_none(s, s->like, &r->profile, &r->stats);
    else if (rls2_stats_load(s->like, &r->stats, &err) != RLS2_OK)
        code = fail(s, &err);
    else
        code = check_like(s);
    if (code != EXIT_OK) return code;
    rls2_stats_clear(r->stats);
    return add_rows(s, r->stats);
}

static int make(const settings *s, result *r)
{
    if (s->profile) return profile_rows(s, r);
    if (s->like) return count_like(s, r);
    if (s->argument_count == 1 && is_profile_file(s->argument[0]))
        return count_none(s, s->argument[0], &r->profile, &r->stats);
    return count_rows(s, r);
}

/* ---- the result ---- */

static int save(const settings *s, const result *r)
{
    rls2_error err;
    interrupt_at_once(0);
    rls2_status status = r->stats ? rls2_stats_save(r->stats, s->output, &err)
                                  : rls2_profile_save(r->profile, s->output, &err);
    interrupt_at_once(1);
    return status == RLS2_OK ? EXIT_OK : fail(s, &err);
}

static int report(const settings *s, const result *r)
{
    output out;
    int code = output_open(s, NULL, &out);
    if (code != EXIT_OK) return code;
    if (s->json) {
        json j = json_start(out.file);
        json_object(&j, NULL);
        json_text(&j, "output", s->output);
        if (r->stats)
            stats_json(&j, r->stats);
        else
            profile_json(&j, r->profile);
        json_end_object(&j);
        json_finish(&j);
    } else {
        int64_t rows = r->stats ? rls2_stats_rows(r->stats) : rls2_profile_rows(r->profile);
        print_names(out.file, "%s%s, written to %s\n", r->stats ? "" : "profile of ",
                    count_of(rows, "row").text, s->output);
    }
    return output_close(s, &out, 1);
}

static int run_stats(const settings *s)
{
    result r = {0};
    if (!s->output) {
        say_error(s, "-o STATS is needed: the file for the statistics");
        return EXIT_USAGE;
    }
    if (s->profile && s->like) {
        say_error(s, "--profile and --like exclude each other");
        return EXIT_USAGE;
    }
    int code = make(s, &r);
    if (code == EXIT_OK) code = save(s, &r);
    if (code == EXIT_OK) code = report(s, &r);
    result_free(&r);
    return code;
}

const command command_stats = {
    .name = "stats",
    .bit = FOR_STATS,
    .summary = "count the rows of a table, to learn from the counts later",
    .arguments = "DATA...",
    .least = 1,
    .most = MOST_ARGUMENTS,
    .description =
        "Counts the rows of a table, however many, and writes all that 'rls2 train', 'path' and "
        "'cv' need to learn from them: the counts, and a sample of 20,000 rows, on which columns, "
        "kernels and points are decided. The table is read twice, in pieces, in memory that does "
        "not grow with it.\n\n"
        "What rows and columns become is decided here: target, classes, columns left out, "
        "preprocessing, missing cells, weights, folds and their seed; and the kernels of several "
        "columns that rows are counted for (--kernels). How a path is fitted and a lambda chosen "
        "is decided when models are learned from the file.\n\n"
        "With --like another file is counted in the same way, in one pass: 'rls2 merge' adds up "
        "what was counted in pieces, on several machines, or day by day. Categories that the "
        "first file does not know count as other ones; numbers beyond its range as its ends.\n\n"
        "Of shards of one table all can be known before any is counted: profiles of them "
        "(--profile), which 'rls2 merge' adds up, are what --like needs, with the same settings. "
        "The sum of the counts is then that of the table in one piece, to the byte, however it "
        "was divided (see 'rls2 help tall').",
    .examples = "$ rls2 stats january.csv -t price -o january.stats\n"
                "  Count the rows of a table.\n\n"
                "$ rls2 stats february.csv --like january.stats -o february.stats\n"
                "$ rls2 merge january.stats february.stats -o winter.stats\n"
                "$ rls2 train winter.stats -o price.model\n"
                "  Count another one in the same way, and learn from both.\n\n"
                "$ rls2 stats shard1.csv -t price --profile -o 1.profile\n"
                "$ rls2 merge *.profile -o all.profile\n"
                "$ rls2 stats shard1.csv -t price --like all.profile -o 1.stats\n"
                "$ rls2 merge *.stats -o all.stats\n"
                "  Shards of one table, the first and the third line for each of them.\n",
    .goal = RLS2_GOAL_MODEL,
    .run = run_stats};
