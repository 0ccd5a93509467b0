/* Statistics of the rows of a plan, and plans that have nothing but statistics. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/control.h"
#include "base/crew.h"
#include "la/threads.h"
#include "plan/plan_interval.h"
#include "plan/plan_stability.h"
#include "plan/plan_method.h"
#include "plan/plan_source.h"
#include "stats/counts_check.h"
#include "table/dataset.h"
#include "table/table.h"

#define NAME(setting) rls2__plan_name(plan, setting).text

/* ---- counting ---- */

/* 0, 1, ..., n - 1; NULL when out of memory. */
static int64_t *numbers_of(int64_t n)
{
    int64_t *numbers = rls2__alloc(n, sizeof *numbers);
    for (int64_t i = 0; numbers && i < n; i++) numbers[i] = i;
    return numbers;
}

/* The sample as cells and as numbers, which outlive the plan. */
static rls2_status keep_sample(const rls2_plan *plan, rls2_stats *stats, rls2_error *err)
{
    const rls2_dataset *data = plan->train.data;
    int64_t *all = numbers_of(data->rows);
    if (!all) return rls2__fail_memory(err, "the sample of the rows");
    rls2_status status =
        rls2_table_take(plan->train.table, data->rows, data->source, &stats->table, err);
    if (status == RLS2_OK) status = rls2__dataset_take(data, data->rows, all, &stats->sample, err);
    for (int64_t i = 0; i < data->rows && status == RLS2_OK; i++) stats->sample->source[i] = i;
    rls2__free(all);
    return status;
}

static rls2_status check_counting(rls2_plan *plan, rls2_stats **stats, rls2_error *err)
{
    if (!plan) return rls2__fail_null(err, "plan");
    if (!stats) return rls2__fail_null(err, "stats");
    if (plan->state != RLS2__PLAN_COMPLETE || !plan->source || !plan->source->profile)
        return rls2__fail(err, RLS2_ERR_ARGUMENT,
                          "the plan was not completed on a source of rows or a profile");
    return RLS2_OK;
}

rls2_status rls2_plan_count(rls2_plan *plan, const rls2_control *control, rls2_stats **stats,
                            rls2_error *err)
{
    rls2__effort effort;
    rls2_stats *made = NULL;
    rls2_status status = check_counting(plan, stats, err);
    if (status == RLS2_OK) status = rls2__control_check(control, err);
    if (status != RLS2_OK) return status;
    rls2_control own = rls2__control_of(control);
    own.threads = rls2__thread_count(own.threads);
    status = rls2__la_enter_team(&own.threads, err);
    if (status != RLS2_OK) return status;
    rls2__effort_begin(&own, "rows", 1, &effort);
    status = rls2__source_count(plan, &effort, 1, &made, err);
    rls2__la_leave();
    if (status == RLS2_OK) status = keep_sample(plan, made, err);
    if (status == RLS2_OK)
        *stats = made;
    else
        rls2__stats_free(made);
    return status;
}

/* ---- other rows, counted alike ---- */

/* Into `made`, which has axes and features of the statistics. */
static rls2_status count_more(const rls2_stats *stats, rls2_source *rows, int64_t first_number,
                              const rls2_control *control, rls2_stats *made, rls2_error *err)
{
    rls2__effort effort;
    rls2_control own = rls2__control_of(control);
    own.threads = rls2__thread_count(own.threads);
    rls2_status status = rls2__la_enter_team(&own.threads, err);
    if (status != RLS2_OK) return status;
    *made = (rls2_stats){.axes = stats->axes, .features = stats->features};
    rls2__effort_begin(&own, "rows", 1, &effort);
    status = rls2__count_more(stats, rows, first_number, &effort, made, err);
    rls2__la_leave();
    return status;
}

/* Files of version 1 did not keep the weights of classes. */
static rls2_status check_more(const rls2_stats *stats, rls2_error *err)
{
    if (!stats->counts->is_weighted || stats->factors || stats->sample->encoder->weight)
        return RLS2_OK;
    return rls2__fail(err, RLS2_ERR_ARGUMENT,
                      "the statistics have class weights, which a file of version 0.10 does not "
                      "tell: other rows cannot be counted like them");
}

static rls2_status check_sum(const rls2_stats *stats, const rls2_stats *more, rls2_error *err)
{
    if (!rls2__counts_check_merge(more->counts, stats->counts).what &&
        rls2__add(stats->rows, more->rows) >= 0 && rls2__add(stats->left_out, more->left_out) >= 0)
        return RLS2_OK;
    return rls2__fail(err, RLS2_ERR_VALUE, "there are too many rows to be added up");
}

rls2_status rls2_stats_add_rows(rls2_stats *stats, rls2_source *rows, const rls2_control *control,
                                rls2_error *err)
{
    rls2_stats made = {0};
    if (!stats) return rls2__fail_null(err, "stats");
    if (!rows) return rls2__fail_null(err, "rows");
    rls2_status status = check_more(stats, err);
    if (status == RLS2_OK) status = rls2__control_check(control, err);
    if (status == RLS2_OK)
        status = count_more(stats, rows, stats->rows + stats->left_out, control, &made, err);
    if (status == RLS2_OK) status = check_sum(stats, &made, err);
    if (status == RLS2_OK) {
        rls2__counts_merge(made.counts, stats->counts);
        stats->rows += made.rows;
        stats->left_out += made.left_out;
        stats->fingerprint += made.fingerprint;
    }
    rls2__counts_free(made.counts);
    return status;
}

static rls2_status recount(rls2_stats *stats, rls2_source *rows, const rls2_control *control,
                           rls2_error *err)
{
    rls2_stats made = {0};
    rls2_status status = count_more(stats, rows, 0, control, &made, err);
    if (status != RLS2_OK) {
        rls2__counts_free(made.counts);
        return status;
    }
    rls2__counts_free(stats->counts);
    stats->counts = made.counts;
    stats->rows = made.rows;
    stats->left_out = made.left_out;
    stats->fingerprint = made.fingerprint;
    return RLS2_OK;
}

rls2_status rls2_plan_recount(rls2_plan *plan, rls2_stats *stats, const char *path,
                              const rls2_control *control, rls2_error *err)
{
    rls2_read_options options;
    rls2_source *rows = NULL;
    if (!plan) return rls2__fail_null(err, "plan");
    if (!stats) return rls2__fail_null(err, "stats");
    if (!path) return rls2__fail_null(err, "path");
    rls2_status status = check_more(stats, err);
    if (status == RLS2_OK) status = rls2__control_check(control, err);
    if (status == RLS2_OK) status = rls2_plan_read_options(plan, &options, sizeof options, err);
    if (status == RLS2_OK) status = rls2_source_open(1, &path, &options, &rows, err);
    if (status == RLS2_OK) status = recount(stats, rows, control, err);
    rls2_source_close(rows);
    return status;
}

/* ---- statistics alone ---- */

static const char STATISTICS[] = "statistics of rows";

/* Is it about rows or columns? Files of test rows may be read in their own way. */
static int is_about_rows(const rls2_setting *setting)
{
    static const char *const FREE[] = {"kernels", "group", "memory", "seed"}, *const FIXED[] = {
                                                                                  "row-weights",
                                                                                  "class-weights"};
    if (rls2__is_among(setting->name, FREE, 4)) return 0;
    return setting->scope == RLS2_SCOPE_DATA || rls2__is_among(setting->name, FIXED, 2);
}

/* The target may be said once more. */
static int says_target(const rls2_plan *plan, const rls2_setting *setting, const rls2_stats *stats)
{
    const rls2__encoder *encoder = stats->sample->encoder;
    int same =
        strcmp(setting->name, "target") == 0 && plan->asked.target.count == encoder->target_count;
    for (int64_t t = 0; same && t < encoder->target_count; t++)
        same = strcmp(plan->asked.target.items[t], encoder->targets[t]) == 0;
    return same;
}

/* What was decided when they were made. */
static rls2_status check_settings(rls2_plan *plan, const rls2_stats *stats, rls2_error *err)
{
    for (int64_t i = 0; i < rls2__setting_count; i++) {
        const rls2_setting *setting = &rls2__settings[i];
        if (!is_about_rows(setting) || !plan->values[i].is_set) continue;
        if (says_target(plan, setting, stats)) continue;
        return rls2__plan_refuse(plan, setting->name, err, RLS2_ERR_ARGUMENT,
                                 "%s does not go together with %s: it was decided when they were "
                                 "made",
                                 NAME(setting->name), STATISTICS);
    }
    if (rls2_plan_is_set(plan, "folds") && plan->asked.folds != stats->parts)
        return rls2__plan_refuse(plan, "folds", err, RLS2_ERR_ARGUMENT,
                                 "%s: the statistics have %" PRId64 " folds", NAME("folds"),
                                 stats->parts);
    if (rls2_plan_is_set(plan, "seed") && (uint64_t)plan->asked.seed != stats->seed)
        return rls2__plan_refuse(plan, "seed", err, RLS2_ERR_ARGUMENT,
                                 "%s: the rows have been divided with the seed %" PRIu64,
                                 NAME("seed"), stats->seed);
    return rls2__plan_check_tall(plan, STATISTICS, err);
}

static int is_column_of(const rls2__encoder *encoder, const char *name)
{
    for (int64_t k = 0; k < encoder->count; k++)
        if (strcmp(encoder->inputs[k].name, name) == 0) return 1;
    return rls2__is_among(name, encoder->targets, encoder->target_count) ||
           (encoder->weight && strcmp(encoder->weight, name) == 0);
}

/* The options that the data set would have been made with. */
static rls2_status retell_data(rls2_plan *plan, const rls2__encoder *encoder, rls2_error *err)
{
    rls2_dataset_options *options = &plan->recipe.data;
    int64_t columns = plan->file->columns;
    plan->recipe = rls2__recipe_default();
    plan->dropped = rls2__alloc(columns, sizeof *plan->dropped);
    if (!plan->dropped) return rls2__plan_memory_out(plan, err);
    for (int64_t j = 0; j < columns; j++)
        if (!is_column_of(encoder, plan->file->names[j]))
            plan->dropped[options->drop_count++] = plan->file->names[j];
    options->drop = plan->dropped;
    options->missing = encoder->missing;
    options->reference = encoder->reference;
    options->row_weights = encoder->weight;
    options->classify = encoder->has_classes;
    if (encoder->target_count == 1) {
        options->target = encoder->targets[0];
    } else {
        options->targets = encoder->targets;
        options->target_count = encoder->target_count;
    }
    return RLS2_OK;
}

static rls2_status take_data(rls2_plan *plan, const rls2_stats *stats, rls2_error *err)
{
    int64_t *all = numbers_of(stats->sample->rows);
    if (!all) return rls2__plan_memory_out(plan, err);
    rls2_status status =
        rls2__dataset_take(stats->sample, stats->sample->rows, all, &plan->train.data, err);
    rls2__free(all);
    plan->recipe.preprocessing.features = stats->sample->preparation.how.features;
    return status;
}

/* Kernels that rows were counted for have other numbers in this dictionary. */
static rls2_status number_features(rls2_plan *plan, rls2_stats *stats, rls2_error *err)
{
    const rls2_dictionary *dictionary = plan->ingredients.dictionary;
    for (int64_t b = 0; stats->features && b < stats->features->count; b++) {
        rls2__feature_block *block = &stats->features->all[b];
        int64_t k = 0;
        while (k < dictionary->m && strcmp(dictionary->kernels[k].name, block->kernel.name) != 0)
            k++;
        if (k == dictionary->m)
            return rls2__plan_refuse(plan, "kernels", err, RLS2_ERR_ARGUMENT,
                                     "%s: rows were counted for the kernel %.100s, which is not "
                                     "among them",
                                     NAME("kernels"), block->kernel.name);
        block->index = k;
    }
    return RLS2_OK;
}

/* Linear kernels alone need columns that are centred. */
static rls2_status check_prepared(rls2_plan *plan, const rls2_stats *stats, rls2_error *err)
{
    if (plan->ingredients.recipe->preprocessing.features == stats->sample->preparation.how.features)
        return RLS2_OK;
    return rls2__plan_refuse(plan, "kernels", err, RLS2_ERR_ARGUMENT,
                             "linear kernels alone, with an intercept, need columns that were "
                             "centred when the statistics were made");
}

static rls2_status take_parts(rls2_plan *plan, const rls2_stats *stats, rls2_error *err)
{
    if (!rls2__plan_leaves_rows_out(plan)) return RLS2_OK;
    if (stats->parts < 2)
        return rls2__plan_refuse(plan, "folds", err, RLS2_ERR_ARGUMENT,
                                 "the statistics have no folds: lambda can be chosen by %s gcv, or "
                                 "given by %s",
                                 NAME("select"), NAME("lambda"));
    plan->asked.folds = stats->parts;
    return rls2__source_make_splits(plan, err);
}

/* In every part. */
static rls2_status check_rows(const rls2_stats *stats, rls2_error *err)
{
    const rls2__counts *counts = stats->counts;
    for (int64_t p = 0; p < counts->parts; p++)
        if (counts->totals[p].rows == 0)
            return rls2__fail(err, RLS2_ERR_VALUE,
                              stats->rows == 0 ? "%s: no rows have been counted"
                                               : "%s: too few rows for its folds",
                              stats->table->name);
    return RLS2_OK;
}

static rls2_status complete(rls2_plan *plan, rls2_stats *stats, rls2_error *err)
{
    rls2_status status = rls2_plan_divide(plan, stats->table, err);
    if (status != RLS2_OK) return status;
    plan->state = RLS2__PLAN_BROKEN;
    status = retell_data(plan, stats->sample->encoder, err);
    if (status == RLS2_OK) status = take_data(plan, stats, err);
    if (status == RLS2_OK) status = rls2__plan_make_kernels(plan, err);
    if (status == RLS2_OK) status = number_features(plan, stats, err);
    if (status == RLS2_OK) status = check_prepared(plan, stats, err);
    if (status == RLS2_OK) status = rls2__plan_settle_method(plan, err);
    if (status == RLS2_OK) status = rls2__plan_settle_intervals(plan, err);
    if (status == RLS2_OK) status = rls2__plan_settle_stability(plan, err);
    if (status == RLS2_OK) status = rls2__source_make_test(plan, err);
    if (status == RLS2_OK) status = take_parts(plan, stats, err);
    if (status == RLS2_OK) plan->state = RLS2__PLAN_COMPLETE;
    return status;
}

rls2_status rls2_plan_complete_stats(rls2_plan *plan, rls2_stats *stats, rls2_error *err)
{
    rls2_status status = rls2_plan_check(plan, err);
    if (status == RLS2_OK && !stats) status = rls2__fail_null(err, "stats");
    if (status == RLS2_OK) status = check_settings(plan, stats, err);
    if (status == RLS2_OK) status = check_rows(stats, err);
    if (status != RLS2_OK) return status;
    plan->source = rls2__alloc_zero(1, sizeof *plan->source);
    if (!plan->source) return rls2__plan_memory_out(plan, err);
    plan->source->stats = stats;
    plan->source->count = stats->rows;
    plan->source->left_out = stats->left_out;
    return complete(plan, stats, err);
}
