/* Gathers the sizes of a plan, asks what they cost, and says so in words. */
#include "plan/plan_forecast.h"

#include "plan/fit_stack.h"
#include "select/members.h"
#include "widths/widths.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/crew.h"
#include "base/machine.h"
#include "base/option_struct.h"
#include "plan/fit_grid.h"
#include "plan/fit_steps.h"
#include "plan/plan_df.h"
#include "plan/plan_stability.h"
#include "plan/speeds.h"
#include "plan/tall_cost.h"

#define NAME(setting) rls2__plan_name(plan, setting).text

/* Of a grid that nobody asked for, and of what is left of it where splits show which lambda is
 * best: it ends soon after. */
enum { LAMBDAS_OF_PATH = 34, LAMBDAS_OF_SPLITS = 25, LAMBDAS_OF_HALVES = 20 };

/* ---- the work ---- */

/* To list kernels is to prepare for a model. */
static int chooses_on_splits(const rls2_plan *plan)
{
    return plan->goal == RLS2_GOAL_KERNELS || rls2__plan_leaves_rows_out(plan);
}

/* As they are, or as they will be drawn. */
static void count_splits(const rls2_plan *plan, rls2__workload *work)
{
    const rls2__wishes *a = &plan->asked;
    const int64_t *rows;
    double n = work->outline.n;
    if (plan->splits) {
        work->splits = (double)rls2_splits_count(plan->splits);
        work->split_rows = (double)rls2_splits_training(plan->splits, 0, &rows);
    } else if (a->splits > 0) {
        work->splits = (double)a->splits;
        work->split_rows = a->share * n;
    } else {
        double folds = fmin((double)a->folds, n);
        work->splits = folds * (double)a->repeats;
        work->split_rows = n - n / fmax(folds, 1.0);
    }
}

/* Most triangles of most splits: some lambda may be too small for that. */
static int are_halved(const rls2_plan *plan)
{
    rls2_scaling rule = plan->ingredients.recipe->basis.scaling;
    return rls2__fit_takes_rows(plan) && rule != RLS2_SCALING_FISHER &&
           rule != RLS2_SCALING_FISHER_SQRT;
}

static void count_lambdas(const rls2_plan *plan, rls2__workload *work)
{
    work->lambdas = (double)plan->ingredients.recipe->lambda_count;
    if (rls2__plan_finds_lambdas(plan))
        work->lambdas = chooses_on_splits(plan) ? LAMBDAS_OF_SPLITS : LAMBDAS_OF_PATH;
}

/* Counts do not ask for the ranks of kernels, which take all columns in order to know: a second for
 * each million rows and four columns. */
static rls2_status outline_of(const rls2_plan *plan, const rls2_rows *rows, rls2__outline *outline,
                              rls2_error *err)
{
    const rls2_dictionary *dictionary = plan->ingredients.dictionary;
    rls2_forecast unused;
    if (plan->is_tall) {
        *outline = (rls2__outline){
            .n = (double)rows->n, .kernels = (double)dictionary->m, .different = (double)rows->n};
        return RLS2_OK;
    }
    return rls2__forecast(dictionary, rows, &unused, outline) == RLS2_OK
               ? RLS2_OK
               : rls2__fail_memory(err, "the forecast");
}

rls2_status rls2__plan_workload(const rls2_plan *plan, int threads, rls2__workload *work,
                                rls2_error *err)
{
    const rls2_dataset *data = plan->train.data;
    const rls2_rows rows = {
        .n = rls2_dataset_rows(data), .p = rls2_dataset_columns(data), .x = rls2_dataset_x(data)};
    *work = (rls2__workload){.inputs = (double)rows.p, .threads = threads};
    rls2_status status = outline_of(plan, &rows, &work->outline, err);
    if (status != RLS2_OK) return status;
    work->outline.general = rls2__plan_is_general(plan);
    work->harder = rls2__plan_hardness(plan);
    work->outputs = fmax((double)rls2_dataset_outputs(data), 1.0);
    work->memory = (double)rls2_plan_memory(plan);
    work->follows_path = plan->goal != RLS2_GOAL_CURVE;
    work->df = plan->goal != RLS2_GOAL_MODEL &&
               rls2__plan_df_of_path(plan, &work->outline) == RLS2_DF_EACH;
    work->by_steps = chooses_on_splits(plan) && rls2__fit_takes_rows(plan);
    work->baselines = plan->baselines;
    if (rls2__plan_stacks(plan))
        work->members = (double)rls2__members_count(plan->ingredients.dictionary);
    work->width_sets = (double)plan->ingredients.dictionary->set_count;
    work->width_rows = RLS2__WIDTHS_ROWS;
    count_lambdas(plan, work);
    if (chooses_on_splits(plan)) count_splits(plan, work);
    if (rls2__plan_wants_stability(plan)) {
        work->halves = 2.0 * (double)plan->asked.stability;
        work->half_lambdas = LAMBDAS_OF_HALVES;
    }
    work->halved = work->follows_path && are_halved(plan);
    return RLS2_OK;
}

/* ---- words ---- */

typedef struct words {
    char text[48];
} words;

/* "1.2 GB", "340 MB" */
static words bytes_in_words(double bytes)
{
    static const char *const UNITS[] = {"bytes", "kB", "MB", "GB", "TB", "PB"};
    words made;
    int unit = 0;
    for (; bytes >= 999.5 && unit < 5; unit++) bytes /= 1000.0;
    snprintf(made.text, sizeof made.text, bytes < 9.95 && unit > 0 ? "%.1f %s" : "%.0f %s", bytes,
             UNITS[unit]);
    return made;
}

/* One digit below ten units, two above: more would not be true. */
static words time_in_words(double seconds)
{
    words made = {"a few seconds at most"};
    if (seconds < 5.0) return made;
    if (seconds < 90.0)
        snprintf(made.text, sizeof made.text, "about %.0f s",
                 seconds < 20.0 ? seconds : 5.0 * round(seconds / 5.0));
    else if (seconds < 5400.0)
        snprintf(made.text, sizeof made.text, "about %.0f min", round(seconds / 60.0));
    else if (seconds < 172800.0)
        snprintf(made.text, sizeof made.text, "about %.0f hours", round(seconds / 3600.0));
    else
        snprintf(made.text, sizeof made.text, "about %.0f days", round(seconds / 86400.0));
    return made;
}

size_t rls2_cost_text(const rls2_cost *cost, char *text, size_t size)
{
    if (!cost || (!text && size > 0)) return 0;
    int too_much = cost->limit > 0.0 && cost->least_bytes > cost->limit;
    double bytes = too_much ? cost->least_bytes : cost->bytes; /* as the refusal will say */
    int length =
        snprintf(text, size, "%s, about %s of memory%s%s%s", time_in_words(cost->seconds).text,
                 bytes_in_words(bytes).text, too_much ? ", more than the " : "",
                 too_much ? bytes_in_words(cost->limit).text : "", too_much ? " there is" : "");
    return length > 0 ? (size_t)length : 0;
}

/* ---- too much ---- */

static int is_linear(const rls2__workload *work)
{
    return work->outline.ones == work->outline.kernels;
}

/* Bytes for stored kernels that leave room for solving; 0 where nothing does. */
static double memory_that_fits(const rls2__workload *work, double limit)
{
    rls2__workload least = *work;
    least.memory = 1.0;
    double left = limit - rls2__workload_bytes(&least, 0);
    return left > limit / 20.0 ? left : 0.0;
}

static const char *join(int *count)
{
    return (*count)++ == 0 ? ": " : ", or ";
}

rls2_status rls2__workload_check(rls2_plan *plan, const rls2__workload *work, double limit,
                                 rls2_error *err)
{
    double needed = rls2__workload_bytes(work, 0);
    if (limit <= 0.0 || needed <= limit) return RLS2_OK;
    double rows = rls2__rows_that_fit(work, limit), memory = memory_that_fits(work, limit);
    char advice[256] = "";
    int used = 0, count = 0;
    if (rows > 0.0)
        used += snprintf(advice, sizeof advice, "%sabout %.0f rows would fit", join(&count), rows);
    if (memory > 0.0)
        used += snprintf(advice + used, sizeof advice - (size_t)used, "%s%s %.0fM", join(&count),
                         NAME("memory"), floor(memory / 1048576.0));
    if (!is_linear(work))
        snprintf(advice + used, sizeof advice - (size_t)used, "%s%s linear", join(&count),
                 NAME("kernels"));
    return rls2__plan_refuse(plan, "kernels", err, RLS2_ERR_MEMORY,
                             "%.0f rows with %s need about %s of memory, and %s is all there is%s",
                             work->outline.n,
                             rls2__count_of((int64_t)work->outline.kernels, "kernel").text,
                             bytes_in_words(needed).text, bytes_in_words(limit).text, advice);
}

rls2_status rls2__plan_check_room(rls2_plan *plan, rls2__workload *work, rls2_error *err)
{
    rls2_status status = rls2__plan_workload(plan, 1, work, err);
    if (status != RLS2_OK || plan->is_tall) return status; /* counts take little */
    return rls2__workload_check(plan, work, rls2__memory_limit(), err);
}

/* ---- asked from outside ---- */

static rls2_status check(const rls2_plan *plan, const rls2_cost *cost, size_t size, rls2_error *err)
{
    if (!plan) return rls2__fail_null(err, "plan");
    if (!cost) return rls2__fail_null(err, "cost");
    if (plan->state != RLS2__PLAN_COMPLETE)
        return rls2__fail(err, RLS2_ERR_ARGUMENT, "the plan is not complete");
    return rls2__result_check("cost", size, sizeof *cost, err);
}

rls2_status rls2_plan_forecast(const rls2_plan *plan, int threads, rls2_cost *cost, size_t size,
                               rls2_error *err)
{
    rls2__workload work;
    rls2__speeds speeds;
    rls2_status status = check(plan, cost, size, err);
    if (status == RLS2_OK)
        status = rls2__plan_workload(plan, rls2__thread_count(threads), &work, err);
    if (status != RLS2_OK) return status;
    const rls2_dataset *data = plan->train.data;
    const rls2_rows rows = {
        .n = rls2_dataset_rows(data), .p = rls2_dataset_columns(data), .x = rls2_dataset_x(data)};
    status = rls2__speeds_measure(plan->ingredients.dictionary, &rows, &speeds, err);
    if (status != RLS2_OK) return status;
    if (plan->is_tall) {
        rls2_cost tall;
        status = rls2__tall_cost(plan, &work, &speeds, rls2__memory_limit(), &tall);
        if (status != RLS2_OK) return rls2__fail_memory(err, "the forecast");
        rls2__result_write(&tall, sizeof tall, 1, cost, size);
        return RLS2_OK;
    }
    const rls2_cost made = {.seconds = rls2__workload_seconds(&work, &speeds),
                            .bytes = rls2__workload_bytes(&work, 1),
                            .kernel_bytes = rls2__workload_kernel_bytes(&work),
                            .least_bytes = rls2__workload_bytes(&work, 0),
                            .limit = rls2__memory_limit()};
    rls2__result_write(&made, sizeof made, 1, cost, size);
    return RLS2_OK;
}
