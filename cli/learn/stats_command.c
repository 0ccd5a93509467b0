/* rls2 stats: counts the rows of a table, and saves the counts. */
#include <string.h>

#include "cli/interrupt.h"
#include "cli/learn/learning.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/stats_report.h"
#include "cli/team.h"

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
static int decide_by(const settings *s, rls2_profile *profile, rls2_stats **stats)
{
    rls2_error err;
    progress bar = progress_start(s);
    rls2_control control = control_of(s, &bar);
    rls2_status status = rls2_plan_complete_profile(s->plan, profile, &control, &err);
    if (status == RLS2_OK) status = rls2_plan_count(s->plan, &control, stats, &err);
    progress_end(&bar);
    return status == RLS2_OK ? EXIT_OK : fail_plan(s, &err);
}

static int count_none(const settings *s, const char *path, rls2_profile **profile,
                      rls2_stats **stats)
{
    rls2_error err;
    if (rls2_profile_load(path, profile, &err) != RLS2_OK) return fail(s, &err);
    return decide_by(s, *profile, stats);
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

/* Numbers and categories that the other file has not seen are no error, but worth a word. */
static void say_beyond(const settings *s, const rls2_stats *stats)
{
    for (int64_t a = 0; a < rls2_stats_axis_count(stats); a++) {
        int64_t beyond = rls2_stats_axis_beyond(stats, a);
        if (beyond > 0)
            say(s, "  column '%s': %s beyond the knots of %s, or in a category that is new to it",
                rls2_stats_axis_name(stats, a), count_of(beyond, "row").text, s->like);
    }
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
    code = add_rows(s, r->stats);
    if (code == EXIT_OK) say_beyond(s, r->stats);
    return code;
}

/* ---- several processes ---- */

static rls2_status pack_profile(const void *object, void **bytes, int64_t *length, rls2_error *err)
{
    return rls2_profile_pack(object, bytes, length, err);
}

static rls2_status unpack_profile(const void *bytes, int64_t length, void **object, rls2_error *err)
{
    return rls2_profile_unpack("another process", bytes, length, (rls2_profile **)object, err);
}

static rls2_status merge_profile(void *into, const void *from, rls2_error *err)
{
    return rls2_profile_merge(into, from, err);
}

static void free_profile(void *object)
{
    rls2_profile_free(object);
}

static rls2_status pack_stats(const void *object, void **bytes, int64_t *length, rls2_error *err)
{
    return rls2_stats_pack(object, bytes, length, err);
}

static rls2_status unpack_stats(const void *bytes, int64_t length, void **object, rls2_error *err)
{
    return rls2_stats_unpack("another process", bytes, length, (rls2_stats **)object, err);
}

static rls2_status merge_stats(void *into, const void *from, rls2_error *err)
{
    return rls2_stats_merge(into, from, err);
}

static void free_stats(void *object)
{
    rls2_stats_free(object);
}

static const team_sum PROFILES = {pack_profile, unpack_profile, merge_profile, free_profile},
                      STATISTICS = {pack_stats, unpack_stats, merge_stats, free_stats};

/* The settings with the files of one process: every size-th of them. */
static settings share_of(const settings *s, const team *t)
{
    settings own = *s;
    own.argument_count = 0;
    for (int i = t->rank; i < s->argument_count; i += t->size)
        own.argument[own.argument_count++] = s->argument[i];
    if (t->rank > 0) own.quiet = 1;
    return own;
}

/* Does a message name a row of one of these files? */
static int is_about(const settings *s, const char *message)
{
    for (int i = 0; i < s->argument_count; i++) {
        size_t length = strlen(s->argument[i]);
        if (strncmp(message, s->argument[i], length) == 0 && message[length] == ':') return 1;
    }
    return 0;
}

/* The first process knows a wrong cell, but its place only where it has read it itself: the others
 * look for it in their own files, which are read once more. */
static void find_fault(const settings *s)
{
    rls2_error err;
    result own = {0};
    rls2_control control;
    rls2_control_init(&control, sizeof control);
    if (profile_rows(s, &own) == EXIT_OK &&
        rls2_plan_complete_profile(s->plan, own.profile, &control, &err) == RLS2_ERR_VALUE &&
        is_about(s, err.message))
        say_error(s, "%s", err.message);
    result_free(&own);
}

/* The first process decides for all how rows are counted. */
static int decide(const settings *s, const team *t, result *r)
{
    int code = EXIT_OK;
    if (t->rank == 0) code = decide_by(s, r->profile, &r->stats);
    code = team_agree(t, code);
    if (code == EXIT_FAILED) { /* the first waits for the others, which its end would end */
        if (t->rank > 0 && s->argument_count > 0) find_fault(s);
        team_agree(t, code);
    }
    return code == EXIT_OK ? team_share(t, s, &STATISTICS, (void **)&r->stats) : code;
}

/* What all processes count is what one would, to the byte. */
static int count_together(const settings *s, const team *t, result *r)
{
    settings own = share_of(s, t);
    int has_files = own.argument_count > 0;
    int code = team_agree(t, has_files ? profile_rows(&own, r) : EXIT_OK);
    if (code == EXIT_OK) code = team_add_up(t, &own, &PROFILES, (void **)&r->profile);
    if (code == EXIT_OK && s->profile) return code;
    if (code == EXIT_OK) code = decide(&own, t, r);
    if (code == EXIT_OK) code = team_agree(t, has_files ? add_rows(&own, r->stats) : EXIT_OK);
    return code == EXIT_OK ? team_add_up(t, &own, &STATISTICS, (void **)&r->stats) : code;
}

static int make_alone(const settings *s, result *r)
{
    if (s->profile) return profile_rows(s, r);
    if (s->like) return count_like(s, r);
    if (s->argument_count == 1 && is_profile_file(s->argument[0]))
        return count_none(s, s->argument[0], &r->profile, &r->stats);
    return count_rows(s, r);
}

/* --like: what was decided before needs no word between the processes but the sum. */
static int make_together(const settings *s, const team *t, result *r)
{
    settings own = share_of(s, t);
    int is_profile = s->argument_count == 1 && is_profile_file(s->argument[0]);
    if (!s->like && !is_profile) return count_together(s, t, r);
    int code = own.argument_count > 0 || s->like ? make_alone(&own, r) : EXIT_OK;
    code = team_agree(t, code);
    return code == EXIT_OK ? team_add_up(t, &own, &STATISTICS, (void **)&r->stats) : code;
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

static int finish(const settings *s, const team *t, const result *r)
{
    int code = EXIT_OK;
    if (t->rank == 0) code = save(s, r);
    if (t->rank == 0 && code == EXIT_OK) code = report(s, r);
    return team_agree(t, code);
}

static int run_stats(const settings *s)
{
    result r = {0};
    team t;
    if (!s->output) {
        say_error(s, "-o STATS is needed: the file for the statistics");
        return EXIT_USAGE;
    }
    if (s->profile && s->like) {
        say_error(s, "--profile and --like exclude each other");
        return EXIT_USAGE;
    }
    int code = team_join(&t);
    if (code != EXIT_OK) return code;
    code = t.size > 1 ? make_together(s, &t, &r) : make_alone(s, &r);
    if (code == EXIT_OK) code = finish(s, &t, &r);
    team_leave(&t);
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
        "was divided, unless fewer than half of its rows are different (see 'rls2 help tall').\n\n"
        "Where rls2 was built with MPI (cmake -DRLS2_MPI=ON), 'mpirun -n N rls2 stats FILE ...' "
        "does all of it in N processes, each of which reads its share of the files.",
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
