/* Reads the files, completes and carries out the plan, and says its notes. */
#include "cli/learn/learning.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/interrupt.h"
#include "cli/learn/describe.h"
#include "cli/progress.h"
#include "cli/reading.h"
#include "cli/stats_report.h"

/* ---- matrices ---- */

/* Columns that the plan borrows: rows x rows of the table. */
static int copy_matrix(const settings *s, const rls2_table *matrix, const char *name, int64_t rows,
                       double **copy)
{
    int64_t columns = rls2_table_columns(matrix);
    if (rls2_table_rows(matrix) != rows || columns != rows) {
        say_error(s,
                  "matrix '%s' is %" PRId64 " x %" PRId64 "; it must be %" PRId64 " x %" PRId64
                  ": one row and one column for each row of the data file",
                  name, rls2_table_rows(matrix), columns, rows, rows);
        return EXIT_FAILED;
    }
    *copy = malloc(((size_t)rows * (size_t)rows + 1) * sizeof **copy);
    if (!*copy) return out_of_memory(s);
    for (int64_t j = 0; j < rows; j++)
        for (int64_t i = 0; i < rows; i++) (*copy)[j * rows + i] = rls2_table_value(matrix, i, j);
    return EXIT_OK;
}

/* NAME=FILE */
static int add_given(const settings *s, learning *l, const char *item)
{
    rls2_error err;
    rls2_table *matrix = NULL;
    double **place = &l->given[l->given_count++];
    int64_t rows = rls2_table_rows(l->table);
    const char *equals = strchr(item, '=');
    if (!equals || equals == item || equals[1] == '\0') {
        say_error(s, "--given '%s' should be NAME=FILE", item);
        return EXIT_USAGE;
    }
    char *name = strndup(item, (size_t)(equals - item));
    int code = name ? read_matrix(s, equals + 1, &matrix) : out_of_memory(s);
    if (code == EXIT_OK) code = copy_matrix(s, matrix, name, rows, place);
    if (code == EXIT_OK && rls2_plan_add_given(s->plan, name, rows, *place, &err) != RLS2_OK)
        code = fail_plan(s, &err);
    rls2_table_free(matrix);
    free(name);
    return code;
}

static int add_matrices(const settings *s, learning *l)
{
    int code = EXIT_OK;
    l->given = calloc((size_t)s->given.count + 1, sizeof *l->given);
    if (!l->given) return out_of_memory(s);
    for (int64_t i = 0; i < s->given.count && code == EXIT_OK; i++)
        code = add_given(s, l, s->given.items[i]);
    return code;
}

/* ---- tables ---- */

rls2_status learn_open(const settings *s, rls2_source **rows, rls2_error *err)
{
    rls2_read_options options;
    rls2_status status = rls2_plan_read_options(s->plan, &options, sizeof options, err);
    if (status != RLS2_OK) return status;
    return rls2_source_open(s->argument_count, s->argument, &options, rows, err);
}

/* One of them is large, or all are together. */
static int reads_in_pieces(const settings *s)
{
    double bytes = 0.0;
    int large = 0;
    for (int i = 0; i < s->argument_count; i++) {
        struct stat about;
        large |= rls2_plan_reads_in_pieces(s->plan, s->argument[i]);
        if (stat(s->argument[i], &about) == 0) bytes += (double)about.st_size;
    }
    large |= s->argument_count > 1 && rls2_plan_prefers_pieces(s->plan, bytes);
    return large && s->given.count == 0;
}

/* One below the other. */
static int stack_tables(const settings *s, learning *l)
{
    int code = read_table(s, NULL, s->argument[0], &l->table);
    for (int i = 1; i < s->argument_count && code == EXIT_OK; i++) {
        rls2_error err;
        rls2_table *next = NULL, *both = NULL;
        code = read_table(s, NULL, s->argument[i], &next);
        if (code == EXIT_OK && rls2_table_stack(l->table, next, &both, &err) != RLS2_OK)
            code = fail(s, &err);
        rls2_table_free(next);
        if (code != EXIT_OK) return code;
        rls2_table_free(l->table);
        l->table = both;
    }
    return code;
}

/* Counts, or rows. */
static int read_data(const settings *s, learning *l)
{
    rls2_error err;
    l->in_pieces = reads_in_pieces(s);
    for (int i = 0; i < s->argument_count; i++) {
        const char *path = s->argument[i];
        if (is_profile_file(path)) {
            say_error(s, "%s is a profile, which has no rows: 'rls2 stats' counts them", path);
            return EXIT_FAILED;
        }
        if (!is_stats_file(path)) continue;
        if (s->argument_count > 1) {
            say_error(s, "%s is a file of statistics: 'rls2 merge' adds several up", path);
            return EXIT_USAGE;
        }
        return rls2_stats_load(path, &l->stats, &err) == RLS2_OK ? EXIT_OK : fail(s, &err);
    }
    return l->in_pieces ? EXIT_OK : stack_tables(s, l);
}

static int read_tables(const settings *s, learning *l)
{
    rls2_error err;
    int code = read_data(s, l);
    if (code == EXIT_OK && s->test) code = read_table(s, "test", s->test, &l->test);
    if (code == EXIT_OK && s->validation)
        code = read_table(s, "validation", s->validation, &l->validation);
    if (code == EXIT_OK && (rls2_plan_set_test(s->plan, l->test, &err) != RLS2_OK ||
                            rls2_plan_set_validation(s->plan, l->validation, &err) != RLS2_OK))
        code = fail_plan(s, &err);
    return code;
}

/* What can be said before anything is read. */
static int check(const settings *s)
{
    rls2_error err;
    const char *twice = s->test && rls2_plan_is_set(s->plan, "test-rows") ? "test" : NULL;
    if (s->validation && rls2_plan_is_set(s->plan, "validation-rows")) twice = "validation";
    if (twice) {
        say_error(s, "--%s and --%s-rows exclude each other", twice, twice);
        return EXIT_USAGE;
    }
    return rls2_plan_check(s->plan, &err) == RLS2_OK ? EXIT_OK : fail_plan(s, &err);
}

/* ---- the plan ---- */

void learn_say_notes(const settings *s, learning *l)
{
    for (; l->said < rls2_plan_note_count(s->plan); l->said++)
        say(s, "  %s", rls2_plan_note(s->plan, l->said));
}

int learn_threads(const settings *s)
{
    return s->threads < 10000 ? (int)s->threads : 10000;
}

/* ": about 20 s, about 340 MB of memory" where that is worth a word; else "". */
static const char *forecast_of(const settings *s, char *text, size_t size)
{
    static const double LONG = 5.0, LARGE = 1e9;
    rls2_cost cost;
    rls2_error err;                          /* a forecast that fails is none */
    int counts = rls2_plan_is_tall(s->plan); /* which is always told */
    if (rls2_plan_forecast(s->plan, learn_threads(s), &cost, sizeof cost, &err) != RLS2_OK ||
        (cost.seconds < LONG && cost.bytes < LARGE && !counts) || size < 3)
        return "";
    memcpy(text, ": ", 3);
    rls2_cost_text(&cost, text + 2, size - 2);
    return text;
}

static void say_size(const settings *s, const learning *l)
{
    int64_t kernels = rls2_dictionary_count(rls2_plan_dictionary(s->plan));
    char forecast[128];
    int counts = rls2_plan_is_tall(s->plan), exact = counts && !l->in_pieces && !l->stats;
    say(s, "  %s on %s%s%s%s", count_of(kernels, "kernel").text,
        count_of(rls2_plan_row_count(s->plan), "row").text,
        counts ? ", which are binned first" : "", forecast_of(s, forecast, sizeof forecast),
        exact ? "; --exact computes with the rows" : "");
}

/* The first pass over a file that is read in pieces. */
static rls2_status complete_rows(const settings *s, learning *l, rls2_error *err)
{
    rls2_control control;
    progress bar = progress_start(s);
    interrupt_at_once(1);
    say(s, "%s%s: read in pieces%s", s->argument[0], s->argument_count > 1 ? ", ..." : "",
        strcmp(s->command, "kernels") == 0 ? "" : ", twice");
    rls2_control_init(&control, sizeof control);
    control.threads = learn_threads(s);
    control.progress = progress_callback;
    control.user = &bar;
    rls2_status status = learn_open(s, &l->rows, err);
    if (status == RLS2_OK) status = rls2_plan_complete_rows(s->plan, l->rows, &control, err);
    progress_end(&bar);
    return status;
}

/* Of a plan that has a sample of the rows. */
static int say_sample(const settings *s, learning *l)
{
    describe_plan(s, rls2_plan_table(s->plan, RLS2_PART_TRAINING));
    learn_say_notes(s, l);
    return EXIT_OK;
}

int learn_profile(const settings *s, learning *l)
{
    rls2_error err;
    return complete_rows(s, l, &err) == RLS2_OK ? say_sample(s, l) : fail_plan(s, &err);
}

static int complete(const settings *s, learning *l)
{
    rls2_error err;
    if (l->in_pieces) return learn_profile(s, l);
    if (l->stats)
        return rls2_plan_complete_stats(s->plan, l->stats, &err) == RLS2_OK ? say_sample(s, l)
                                                                            : fail_plan(s, &err);
    if (rls2_plan_complete(s->plan, l->table, &err) == RLS2_OK) {
        describe_plan(s, l->table);
        learn_say_notes(s, l);
        return EXIT_OK;
    }
    int code = fail_plan(s, &err);
    hint_data(s, l->table, &err);
    return code;
}

int learn_prepare(const settings *s, learning *l)
{
    *l = (learning){0};
    stage_clock_start(&l->clock);
    int code = check(s);
    if (code == EXIT_OK) code = read_tables(s, l);
    if (code == EXIT_OK) code = add_matrices(s, l);
    if (code == EXIT_OK) code = complete(s, l);
    stage_clock_end(&l->clock, "rows");
    return code;
}

static int note_stage(void *user, const char *stage, rls2_fit *so_far)
{
    const progress *bar = user;
    (void)so_far;
    stage_clock_end(bar->clock, stage);
    return 0;
}

int learn_fit(const settings *s, learning *l)
{
    rls2_error err;
    rls2_control control;
    progress bar = progress_start(s);
    bar.keeps = l->keeps;
    bar.clock = &l->clock;
    interrupt_at_once(1);
    say_size(s, l);
    rls2_control_init(&control, sizeof control);
    control.threads = learn_threads(s);
    control.progress = progress_callback;
    control.stage_done = note_stage;
    control.user = &bar;
    rls2_status status = rls2_plan_fit(s->plan, &control, &l->fit, &err);
    if (!interrupted()) interrupt_at_once(1);
    progress_end(&bar);
    learn_say_notes(s, l);
    if (status != RLS2_OK) return fail_plan(s, &err);
    int64_t count = rls2_fit_count(l->fit), asked = rls2_fit_asked(l->fit);
    if (count == asked) return EXIT_OK;
    say_error(s, "stopped after %" PRId64 " of %" PRId64 " values of lambda", count, asked);
    return EXIT_INTERRUPTED;
}

void learn_free(learning *l)
{
    rls2_fit_free(l->fit);
    for (int64_t g = 0; g < l->given_count; g++) free(l->given[g]);
    free(l->given);
    rls2_stats_free(l->stats);
    rls2_source_close(l->rows);
    rls2_table_free(l->validation);
    rls2_table_free(l->test);
    rls2_table_free(l->table);
    *l = (learning){0};
}
