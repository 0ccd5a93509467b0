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

/* Counts in the way of another file, or in a way of its own. */
static rls2_status count(const settings *s, rls2_stats **stats, rls2_error *err)
{
    rls2_control control;
    progress bar = progress_start(s);
    interrupt_at_once(1);
    rls2_control_init(&control, sizeof control);
    control.threads = learn_threads(s);
    control.progress = progress_callback;
    control.user = &bar;
    rls2_status status =
        s->like ? rls2_plan_recount(s->plan, *stats, s->argument[0], &control, err)
                : rls2_plan_count(s->plan, &control, stats, err);
    progress_end(&bar);
    return status;
}

static int count_rows(const settings *s, rls2_stats **stats)
{
    rls2_error err;
    learning l = {0};
    int code = EXIT_OK;
    if (s->like)
        code = rls2_stats_load(s->like, stats, &err) == RLS2_OK ? check_like(s) : fail(s, &err);
    else
        code = learn_profile(s, &l);
    if (code == EXIT_OK && count(s, stats, &err) != RLS2_OK) code = fail_plan(s, &err);
    if (!s->like && code == EXIT_OK) learn_say_notes(s, &l);
    learn_free(&l);
    return code;
}

static int save(const settings *s, const rls2_stats *stats)
{
    rls2_error err;
    interrupt_at_once(0);
    rls2_status status = rls2_stats_save(stats, s->output, &err);
    interrupt_at_once(1);
    return status == RLS2_OK ? EXIT_OK : fail(s, &err);
}

static int report(const settings *s, const rls2_stats *stats)
{
    output out;
    int code = output_open(s, NULL, &out);
    if (code != EXIT_OK) return code;
    if (s->json) {
        json j = json_start(out.file);
        json_object(&j, NULL);
        json_text(&j, "output", s->output);
        stats_json(&j, stats);
        json_end_object(&j);
        json_finish(&j);
    } else {
        print_names(out.file, "%s, written to %s\n", count_of(rls2_stats_rows(stats), "row").text,
                    s->output);
    }
    return output_close(s, &out, 1);
}

static int run_stats(const settings *s)
{
    rls2_stats *stats = NULL;
    if (!s->output) {
        say_error(s, "-o STATS is needed: the file for the statistics");
        return EXIT_USAGE;
    }
    int code = count_rows(s, &stats);
    if (code == EXIT_OK) code = save(s, stats);
    if (code == EXIT_OK) code = report(s, stats);
    rls2_stats_free(stats);
    return code;
}

const command command_stats = {
    .name = "stats",
    .bit = FOR_STATS,
    .summary = "count the rows of a table, to learn from the counts later",
    .arguments = "DATA",
    .least = 1,
    .most = 1,
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
        "first file does not know count as other ones; numbers beyond its range as its ends.",
    .examples = "$ rls2 stats january.csv -t price -o january.stats\n"
                "  Count the rows of a table.\n\n"
                "$ rls2 stats february.csv --like january.stats -o february.stats\n"
                "$ rls2 merge january.stats february.stats -o winter.stats\n"
                "$ rls2 train winter.stats -o price.model\n"
                "  Count another one in the same way, and learn from both.\n",
    .goal = RLS2_GOAL_MODEL,
    .run = run_stats};
