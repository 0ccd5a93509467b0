/* The first pass: profiles all rows of a file and completes the plan on a sample of them. */
#include "plan/plan_source.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/control.h"
#include "base/crew.h"
#include "base/machine.h"
#include "plan/plan_interval.h"
#include "plan/plan_stability.h"
#include "plan/plan_method.h"
#include "select/tall.h"
#include "table/table.h"

#define NAME(setting) rls2__plan_name(plan, setting).text

void rls2__source_free(rls2__plan_source *source)
{
    if (!source) return;
    if (source->owns_profile) rls2__profile_free(source->profile);
    if (source->owns_rows) rls2_source_close(source->rows);
    rls2__free(source);
}

/* ---- what can be said before rows are read ---- */

static const char PIECES[] = "a file that is read in pieces";

static rls2_status refuse_rows(rls2_plan *plan, const char *setting, const char *instead,
                               rls2_error *err)
{
    return rls2__plan_refuse(plan, setting, err, RLS2_ERR_ARGUMENT,
                             "%s does not go together with %s: %s", NAME(setting), PIECES, instead);
}

/* Rows are counted as they come: none is sent another way. */
static rls2_status check_wishes(rls2_plan *plan, rls2_error *err)
{
    static const char FILE_OF_ITS_OWN[] = "write the test rows to a file of their own";
    const rls2__wishes *a = &plan->asked;
    rls2_status status = rls2__plan_read_loss(plan, err);
    if (status == RLS2_OK) status = rls2__plan_check_tall(plan, PIECES, err);
    if (status != RLS2_OK) return status;
    if (!isnan(a->test_share)) return refuse_rows(plan, "test-share", FILE_OF_ITS_OWN, err);
    if (a->test_rows && strcmp(a->test_rows, "none") != 0)
        return refuse_rows(plan, "test-rows", FILE_OF_ITS_OWN, err);
    if (a->fold_column) return refuse_rows(plan, "fold-column", "folds are drawn", err);
    return RLS2_OK;
}

static rls2_status check_passes(const rls2_source *rows, rls2_error *err)
{
    const char *name = rls2__rows_first(rows)->name;
    if (rls2__rows_have_passes(rows)) return RLS2_OK;
    return rls2__fail(err, RLS2_ERR_ARGUMENT,
                      "%s can be read once, and what is read in pieces is read twice: write it to "
                      "a file",
                      strcmp(name, "-") == 0 ? "the standard input" : name);
}

static rls2_status check_first(rls2_plan *plan, const rls2_table *first, rls2_error *err)
{
    if (rls2_table_marker(first) && !plan->asked.test_rows)
        return rls2__plan_refuse(plan, "test-rows", err, RLS2_ERR_ARGUMENT,
                                 "column '%.100s' marks test rows, which %s does not have: %s none "
                                 "learns from them too",
                                 rls2_table_marker(first), PIECES, NAME("test-rows"));
    return rls2__plan_check_columns(plan, first, err);
}

/* ---- when ---- */

/* Bytes of a file, unpacked; 0 where that is not known. */
static double size_of(const char *path)
{
    enum { TIMES_PACKED = 4 };
    struct stat about;
    size_t length = strlen(path);
    if (strcmp(path, "-") == 0 || stat(path, &about) != 0 || !S_ISREG(about.st_mode)) return 0.0;
    int packed = length > 3 && strcmp(path + length - 3, ".gz") == 0;
    packed |= length > 8 && strcmp(path + length - 8, ".parquet") == 0;
    return (double)about.st_size * (packed ? TIMES_PACKED : 1);
}

/* A table takes about three times what its file does. */
static int is_large(const rls2_plan *plan, double bytes)
{
    static const double LARGE = 268435456.0, TIMES = 3.0;
    double most = LARGE, limit = rls2__memory_limit();
    if (limit > 0.0) most = fmin(most, limit / TIMES);
    if (plan->asked.memory && plan->asked.method == RLS2__METHOD_TALL)
        most = fmin(most, (double)rls2_plan_memory(plan) / TIMES);
    return bytes > most;
}

/* To list kernels a sample of the rows will do, which is had in a fraction of the time. */
int rls2_plan_prefers_pieces(rls2_plan *plan, double bytes)
{
    static const double WORTH_IT = 33554432.0;
    if (!plan || check_wishes(plan, NULL) != RLS2_OK || rls2__plan_scores_intervals(plan) ||
        rls2__plan_wants_stability(plan))
        return 0;
    return is_large(plan, bytes) || (plan->goal == RLS2_GOAL_KERNELS && bytes > WORTH_IT);
}

int rls2_plan_reads_in_pieces(rls2_plan *plan, const char *path)
{
    return plan && path && rls2_plan_prefers_pieces(plan, size_of(path));
}

/* ---- the pass ---- */

/* Columns without which a row is left out; NULL when out of memory. */
static const char **list_needed(const rls2_plan *plan, const rls2_table *first, int64_t *count)
{
    const char *const *targets, *weights = plan->asked.row_weights;
    int64_t outputs = rls2__plan_targets(plan, first, &targets), columns = first->columns;
    const char **needed = rls2__alloc(rls2__add(outputs + 1, columns), sizeof *needed);
    *count = 0;
    for (int64_t t = 0; needed && t < outputs; t++) needed[(*count)++] = targets[t];
    if (needed && weights) needed[(*count)++] = weights;
    for (int64_t j = 0; needed && plan->asked.missing == RLS2__MISSING_DROP && j < columns; j++)
        if (!rls2__is_among(first->names[j], needed, *count) &&
            !rls2__is_among(first->names[j], plan->asked.drop.items, plan->asked.drop.count))
            needed[(*count)++] = first->names[j];
    return needed;
}

static rls2_status find_options(rls2_plan *plan, const rls2_table *first, const char ***needed,
                                rls2__profile_options *options, rls2_error *err)
{
    *options = rls2__profile_defaults();
    *needed = list_needed(plan, first, &options->needed_count);
    options->needed = *needed;
    options->weight = plan->asked.row_weights;
    return *needed ? RLS2_OK : rls2__plan_memory_out(plan, err);
}

/* A pass over the rows, written as `first` is. */
static rls2_status profile_rows(rls2_plan *plan, rls2_source *rows, const rls2_table *first,
                                rls2__effort *effort, rls2__profile **profile, rls2_error *err)
{
    rls2__profile_options options;
    rls2__profile_team *team = NULL;
    const char **needed = NULL;
    rls2_status status = find_options(plan, first, &needed, &options, err);
    if (status == RLS2_OK)
        status = rls2__profile_team_create(first, &options, effort->threads, &team, err);
    if (status == RLS2_OK)
        status = rls2__rows_each(rows, effort, rls2__profile_team_work, team, NULL, err);
    if (status == RLS2_OK)
        status = rls2__profile_team_finish(team, profile, err);
    else
        rls2__profile_team_free(team);
    if (status == RLS2_OK) status = rls2__profile_finish(*profile, err);
    rls2__free(needed);
    return status;
}

/* Where the first rows do not tell how a column is written, the sample does. *profile may be there
 * after a failure. */
static rls2_status profile_all(rls2_plan *plan, rls2_source *rows, rls2__effort *effort,
                               rls2__profile **profile, rls2_error *err)
{
    rls2__profile *again = NULL;
    rls2__effort_expect(effort, rls2__rows_expected(rows));
    rls2_status status = profile_rows(plan, rows, rls2__rows_first(rows), effort, profile, err);
    if (status != RLS2_OK || rls2__profile_rows(*profile) == 0 ||
        rls2__profile_is_of_style(*profile) || !rls2__rows_can_begin_again(rows))
        return status;
    status = profile_rows(plan, rows, rls2__profile_sample(*profile), effort, &again, err);
    rls2__profile_free(status == RLS2_OK ? *profile : again);
    if (status == RLS2_OK) *profile = again;
    return status;
}

static rls2_status read_rows(rls2_plan *plan, rls2_source *rows, const rls2_control *control,
                             rls2__profile **profile, rls2_error *err)
{
    rls2__effort effort;
    rls2_control own = rls2__control_of(control);
    own.threads = rls2__thread_count(own.threads);
    rls2__effort_begin(&own, "rows", 1, &effort);
    const rls2_progress at = {.stage = "rows", .total = 1};
    if (rls2__effort_tell(&effort, &at)) /* a short file may be read before anybody is asked */
        return rls2__fail(err, RLS2_ERR_CANCELLED, "stopped before the rows were read");
    return profile_all(plan, rows, &effort, profile, err);
}

/* ---- the steps ---- */

int rls2__source_has_two(const rls2_plan *plan, int64_t column)
{
    rls2__profile_column found;
    return rls2__profile_look(plan->source->profile, column, &found, NULL) == RLS2_OK &&
           found.distinct == 2;
}

static int is_used(const rls2_plan *plan, const char *name)
{
    const char *weights = plan->asked.row_weights;
    return !rls2__is_among(name, plan->recipe.data.drop, plan->recipe.data.drop_count) &&
           !rls2__plan_is_target(plan, name) && !(weights && strcmp(weights, name) == 0);
}

/* "a 7, b 2, ..." */
static rls2_status list_missing(const rls2_plan *plan, char *text, size_t size, int64_t *columns,
                                rls2_error *err)
{
    enum { MOST_SHOWN = 4 };
    const rls2__profile *profile = plan->source->profile;
    rls2__profile_column found;
    size_t used = 0;
    text[0] = '\0';
    *columns = 0;
    for (int64_t j = 0; j < rls2__profile_columns(profile); j++) {
        rls2_status status = rls2__profile_look(profile, j, &found, err);
        if (status != RLS2_OK) return status;
        if (found.missing == 0 || !is_used(plan, found.name)) continue;
        if (++*columns <= MOST_SHOWN)
            used += (size_t)snprintf(text + used, size - used, "%s%s %" PRId64,
                                     *columns > 1 ? ", " : "", rls2__show(found.name).text,
                                     found.missing);
        else if (*columns == MOST_SHOWN + 1)
            snprintf(text + used, size - used, ", ...");
    }
    return RLS2_OK;
}

static void say_left_out(rls2_plan *plan)
{
    const rls2__plan_source *source = plan->source;
    int64_t all = source->count + source->left_out;
    if (source->left_out == 0) return;
    rls2__plan_say(plan, "%" PRId64 " of %" PRId64 " rows %s %s: left out; %" PRId64 " remain",
                   source->left_out, all, source->left_out == 1 ? "has" : "have",
                   plan->asked.missing == RLS2__MISSING_DROP ? "an empty cell"
                   : plan->asked.row_weights                 ? "no target, or no weight"
                                                             : "no target",
                   source->count);
}

/* Whether few rows would be lost nobody knows before they are read: cells are filled unless rows
 * are to be dropped. */
rls2_status rls2__source_settle_missing(rls2_plan *plan, rls2_error *err)
{
    char list[400];
    int64_t columns = 0;
    int asked = plan->asked.missing;
    plan->recipe.data.missing = asked == RLS2__MISSING_DROP    ? RLS2_MISSING_DROP
                                : asked == RLS2__MISSING_ERROR ? RLS2_MISSING_ERROR
                                                               : RLS2_MISSING_IMPUTE;
    rls2_status status = list_missing(plan, list, sizeof list, &columns, err);
    if (status != RLS2_OK) return status;
    say_left_out(plan);
    if (columns == 0) return RLS2_OK;
    if (asked == RLS2__MISSING_ERROR)
        return rls2__plan_refuse(plan, "missing", err, RLS2_ERR_VALUE,
                                 "%s: %s with empty cells (%s)", plan->file->name,
                                 rls2__count_of(columns, "column").text, list);
    rls2__plan_say(plan,
                   "%s with empty cells (%s): filled with the median or the most frequent value; "
                   "%s drop leaves their rows out",
                   rls2__count_of(columns, "column").text, list, NAME("missing"));
    return RLS2_OK;
}

rls2_status rls2__source_encode(const rls2_plan *plan, rls2_normalize features, rls2_dataset **data,
                                rls2_error *err)
{
    const rls2_table *rows = plan->train.table == plan->file ? NULL : plan->train.table;
    return rls2__profile_dataset(plan->source->profile, rows, &plan->recipe.data, features, data,
                                 err);
}

rls2_status rls2__source_prepare(rls2_plan *plan, rls2_error *err)
{
    rls2_dataset *prepared = NULL;
    rls2_status status =
        rls2__source_encode(plan, plan->ingredients.recipe->preprocessing.features, &prepared, err);
    if (status != RLS2_OK) return status;
    rls2_dataset_free(plan->train.data);
    plan->train.data = prepared;
    plan->ingredients.whole = prepared;
    return RLS2_OK;
}

/* Only sums of squares can be had from counts. */
static void choose_measure(rls2_plan *plan)
{
    if (rls2__measure_is_of_squares(plan->measure)) return;
    rls2__plan_say(plan,
                   "lambda is chosen by squared errors (rmse): %s would need the rows themselves",
                   rls2_measure_name(plan->measure));
    plan->measure = RLS2_MEASURE_RMSE;
}

rls2_status rls2__source_make_splits(rls2_plan *plan, rls2_error *err)
{
    plan->baselines = 0;
    plan->source->folds = plan->asked.folds;
    if (plan->source->count < plan->asked.folds)
        return rls2__plan_refuse(plan, "folds", err, RLS2_ERR_VALUE,
                                 "%s: there are %" PRId64 " rows", NAME("folds"),
                                 plan->source->count);
    choose_measure(plan);
    return RLS2_OK;
}

/* ---- completing ---- */

static rls2_status open_file(rls2_plan *plan, const char *path, rls2_error *err)
{
    rls2_read_options options;
    rls2_status status = rls2_plan_read_options(plan, &options, sizeof options, err);
    if (status == RLS2_OK) status = rls2_source_open(1, &path, &options, &plan->source->rows, err);
    plan->source->owns_rows = 1;
    return status;
}

static void say_sample(rls2_plan *plan)
{
    int64_t rows = rls2_table_rows(plan->file);
    if (rows == plan->source->count) return;
    rls2__plan_say(plan,
                   "%" PRId64 " rows, read in pieces: columns, kernels and features are decided on "
                   "a sample of %" PRId64,
                   plan->source->count, rows);
}

/* There is a profile. */
static rls2_status complete_on(rls2_plan *plan, rls2_error *err)
{
    rls2__plan_source *source = plan->source;
    rls2_status status = rls2__profile_settle(source->profile, err);
    if (status != RLS2_OK) return status;
    source->count = rls2__profile_rows(source->profile);
    source->left_out = rls2__profile_left_out(source->profile);
    plan->state = RLS2__PLAN_ASKED;
    plan->file = rls2__profile_sample(source->profile);
    say_sample(plan);
    return rls2_plan_complete(plan, plan->file, err);
}

/* From now on the plan has a source; what fails leaves it broken. */
static rls2_status begin(rls2_plan *plan, const rls2_control *control, rls2_error *err)
{
    rls2_status status = rls2__control_check(control, err);
    if (status == RLS2_OK) status = check_wishes(plan, err);
    if (status != RLS2_OK) return status;
    plan->state = RLS2__PLAN_BROKEN;
    plan->source = rls2__alloc_zero(1, sizeof *plan->source);
    return plan->source ? RLS2_OK : rls2__plan_memory_out(plan, err);
}

/* Of a file, or of rows that are there. */
static rls2_status complete(rls2_plan *plan, const char *path, rls2_source *rows,
                            const rls2_control *control, rls2_error *err)
{
    rls2_status status = begin(plan, control, err);
    if (status != RLS2_OK) return status;
    rls2__plan_source *source = plan->source;
    source->rows = rows;
    source->owns_profile = 1;
    if (path) status = open_file(plan, path, err);
    if (status == RLS2_OK) status = check_passes(source->rows, err);
    if (status == RLS2_OK) status = check_first(plan, rls2__rows_first(source->rows), err);
    if (status == RLS2_OK) status = read_rows(plan, source->rows, control, &source->profile, err);
    return status == RLS2_OK ? complete_on(plan, err) : status;
}

rls2_status rls2_plan_complete_file(rls2_plan *plan, const char *path, const rls2_control *control,
                                    rls2_error *err)
{
    rls2_status status = rls2_plan_check(plan, err);
    if (status == RLS2_OK && !path) status = rls2__fail_null(err, "path");
    return status == RLS2_OK ? complete(plan, path, NULL, control, err) : status;
}

rls2_status rls2_plan_complete_rows(rls2_plan *plan, rls2_source *rows, const rls2_control *control,
                                    rls2_error *err)
{
    rls2_status status = rls2_plan_check(plan, err);
    if (status == RLS2_OK && !rows) status = rls2__fail_null(err, "rows");
    return status == RLS2_OK ? complete(plan, NULL, rows, control, err) : status;
}

/* ---- profiles ---- */

rls2_status rls2_plan_profile(rls2_plan *plan, rls2_source *rows, const rls2_control *control,
                              rls2_profile **profile, rls2_error *err)
{
    rls2__profile *made = NULL;
    rls2_status status = rls2_plan_check(plan, err);
    if (status == RLS2_OK && !rows) status = rls2__fail_null(err, "rows");
    if (status == RLS2_OK && !profile) status = rls2__fail_null(err, "profile");
    if (status == RLS2_OK) status = rls2__control_check(control, err);
    if (status == RLS2_OK) status = check_wishes(plan, err);
    if (status == RLS2_OK) status = check_first(plan, rls2__rows_first(rows), err);
    if (status == RLS2_OK) status = read_rows(plan, rows, control, &made, err);
    if (status == RLS2_OK)
        *profile = made;
    else
        rls2__profile_free(made);
    return status;
}

static rls2_status check_made_with(rls2_plan *plan, const rls2__profile *profile,
                                   const rls2_table *sample, rls2_error *err)
{
    rls2__profile_options options;
    const char **needed = NULL;
    rls2_status status = find_options(plan, sample, &needed, &options, err);
    int same = status == RLS2_OK && rls2__profile_is_made_with(profile, &options);
    rls2__free(needed);
    if (status != RLS2_OK || same) return status;
    return rls2__fail(err, RLS2_ERR_ARGUMENT,
                      "%s: the profile was made with other targets, other row weights (%s) or "
                      "another rule for missing cells (%s)",
                      sample->name, NAME("row-weights"), NAME("missing"));
}

static rls2_status check_style(const rls2__profile *profile, rls2_error *err)
{
    if (rls2__profile_is_of_style(profile)) return RLS2_OK;
    return rls2__fail(err, RLS2_ERR_VALUE,
                      "%s: a column of many different cells is not written alike in all rows, "
                      "which would have to be read again",
                      rls2__profile_sample(profile)->name);
}

rls2_status rls2_plan_complete_profile(rls2_plan *plan, rls2_profile *profile,
                                       const rls2_control *control, rls2_error *err)
{
    rls2_status status = rls2_plan_check(plan, err);
    if (status == RLS2_OK && !profile) status = rls2__fail_null(err, "profile");
    if (status == RLS2_OK) status = rls2__profile_settle(profile, err);
    if (status == RLS2_OK) status = check_style(profile, err);
    if (status != RLS2_OK) return status;
    const rls2_table *sample = rls2__profile_sample(profile);
    status = check_made_with(plan, profile, sample, err);
    if (status == RLS2_OK) status = check_first(plan, sample, err);
    if (status == RLS2_OK) status = begin(plan, control, err);
    if (status != RLS2_OK) return status;
    plan->source->profile = profile;
    return complete_on(plan, err);
}

int64_t rls2_plan_row_count(const rls2_plan *plan)
{
    if (!plan || plan->state != RLS2__PLAN_COMPLETE) return 0;
    return plan->source ? plan->source->count : rls2_dataset_rows(plan->train.data);
}
