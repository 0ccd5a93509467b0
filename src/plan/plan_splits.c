/* Splits of the rows that lambda is chosen on, and whether baselines are computed on them. */
#include <inttypes.h>

#include "base/machine.h"
#include "plan/plan.h"
#include "plan/plan_source.h"
#include "table/values.h"

/* ---- folds that are given ---- */

/* One split: the validation rows, which stand below the others, are predicted from those. */
rls2_status rls2__plan_split_validation(const rls2_plan *plan, rls2_splits **splits,
                                        rls2_error *err)
{
    int64_t n = rls2_dataset_rows(plan->choosing_data), above = rls2_table_rows(plan->train.table);
    int64_t *fold = rls2__alloc(n, sizeof *fold);
    if (!fold) return rls2__fail_memory(err, "the splits");
    for (int64_t i = 0; i < n; i++)
        fold[i] = rls2_dataset_source_row(plan->choosing_data, i) < above ? -1 : 0;
    rls2_status status = rls2_splits_given(n, fold, splits, err);
    rls2__free(fold);
    return status;
}

/* The values of the fold column, numbered as they occur; rows where it is empty are always learned
 * from. */
rls2_status rls2__plan_split_by_column(const rls2_plan *plan, rls2_splits **splits, rls2_error *err)
{
    const rls2_dataset *data = plan->train.data;
    const rls2_table *table = plan->train.table;
    int64_t n = rls2_dataset_rows(data), column = rls2_table_find(table, plan->fold_column);
    int64_t *rows = rls2__alloc(n, sizeof *rows), *fold = rls2__alloc(n, sizeof *fold);
    for (int64_t i = 0; rows && i < n; i++) rows[i] = rls2_dataset_source_row(data, i);
    rls2_status status = rows && fold ? rls2__number_values(table, column, n, rows, fold, err)
                                      : rls2__fail_memory(err, "the splits");
    if (status == RLS2_OK) status = rls2_splits_given(n, fold, splits, err);
    rls2__free(rows);
    rls2__free(fold);
    return status;
}

/* ---- folds that are drawn ---- */

/* A class of fewer rows than folds is missing from some of them. */
static void note_rare(rls2_plan *plan, int64_t folds)
{
    const rls2_dataset *data = plan->train.data;
    const int64_t *classes = rls2_dataset_classes(data);
    int64_t count = rls2_dataset_class_count(data), rare = 0, smallest = 0, least = folds;
    int64_t *found = count > 0 ? rls2__alloc_zero(count, sizeof *found) : NULL;
    if (!found) return;
    for (int64_t i = 0; i < rls2_dataset_rows(data); i++) found[classes[i]]++;
    for (int64_t k = 0; k < count; k++) {
        rare += found[k] < folds;
        if (found[k] >= least) continue;
        smallest = k;
        least = found[k];
    }
    rls2__free(found);
    const char *label = rls2_dataset_class_label(data, smallest);
    if (rare == 1)
        rls2__plan_say(plan, "class '%.100s' has %s, fewer than there are folds", label,
                       rls2__count_of(least, "row").text);
    if (rare > 1)
        rls2__plan_say(plan,
                       "%" PRId64
                       " classes have fewer rows than there are folds; the smallest, '%.100s', has "
                       "%s",
                       rare, label, rls2__count_of(least, "row").text);
}

/* Each split lists all rows. Where memory is promised before it is there, asking for too much ends
 * the process. */
static rls2_status check_memory(rls2_plan *plan, int64_t folds, rls2_error *err)
{
    const rls2__wishes *a = &plan->asked;
    int64_t rows = rls2_dataset_rows(plan->train.data);
    double count = a->splits > 0 ? (double)a->splits : (double)folds * (double)a->repeats;
    double bytes = (double)rows * count * sizeof(int64_t);
    double most = rls2__memory_limit() / 2.0;
    if (most == 0.0 || bytes <= most) return RLS2_OK;
    return rls2__plan_refuse(plan, a->splits > 0 ? "splits" : "folds", err, RLS2_ERR_MEMORY,
                             "%.0f splits of %" PRId64 " rows need %.1f GB of memory", count, rows,
                             bytes / 1e9);
}

rls2_status rls2__plan_strata(rls2_plan *plan, double **strata, rls2_error *err)
{
    const int64_t *classes = rls2_dataset_classes(plan->train.data);
    int64_t n = rls2_dataset_rows(plan->train.data);
    *strata = NULL;
    if (!classes) return RLS2_OK;
    *strata = rls2__alloc(n, sizeof **strata);
    for (int64_t i = 0; *strata && i < n; i++) (*strata)[i] = (double)classes[i];
    return *strata ? RLS2_OK : rls2__plan_memory_out(plan, err);
}

static int64_t fold_count(const rls2_plan *plan)
{
    int64_t n = rls2_dataset_rows(plan->train.data);
    return plan->asked.folds < n ? plan->asked.folds : n;
}

static rls2_status check_drawing(rls2_plan *plan, rls2_error *err)
{
    int64_t folds = fold_count(plan);
    rls2_status status = check_memory(plan, folds, err);
    if (status != RLS2_OK || plan->asked.splits > 0) return status;
    if (folds < plan->asked.folds)
        rls2__plan_say(plan, "%s: there are no more rows", rls2__count_of(folds, "fold").text);
    else
        note_rare(plan, folds);
    return RLS2_OK;
}

/* Not before they are needed: there may be very many. */
rls2_status rls2__plan_draw_splits(rls2_plan *plan, rls2_error *err)
{
    const rls2__wishes *a = &plan->asked;
    int64_t n = rls2_dataset_rows(plan->train.data), folds = fold_count(plan);
    double *strata = NULL;
    if (plan->splits || plan->source || !rls2__plan_leaves_rows_out(plan)) return RLS2_OK;
    rls2_status status = rls2__plan_strata(plan, &strata, err);
    if (status != RLS2_OK) return status;
    if (a->splits > 0)
        status = rls2_splits_random(n, strata, a->splits, a->share, (uint64_t)a->seed,
                                    &plan->splits, err);
    else
        status =
            rls2_splits_folds(n, strata, folds, a->repeats, (uint64_t)a->seed, &plan->splits, err);
    rls2__free(strata);
    return rls2__plan_blame(plan, a->splits > 0 ? "splits" : "folds", status);
}

int64_t rls2__plan_split_count(const rls2_plan *plan)
{
    return plan->source ? plan->source->folds : plan->splits ? rls2_splits_count(plan->splits) : 0;
}

/* ---- baselines ---- */

/* A baseline takes a factorisation of all rows for each lambda and split, however few the kernels:
 * with many rows that is longer than all the rest. */
static void decide_baselines(rls2_plan *plan)
{
    enum { MOST_ROWS = 1000 };
    int64_t n = rls2_dataset_rows(rls2_plan_split_data(plan));
    plan->baselines = plan->asked.baselines;
    if (plan->baselines >= 0) return;
    plan->baselines = n <= MOST_ROWS;
    if (!plan->baselines)
        rls2__plan_say(plan, "baselines are left out above %d rows; %s computes them", MOST_ROWS,
                       rls2__plan_name(plan, "baselines").text);
}

rls2_status rls2__plan_make_splits(rls2_plan *plan, rls2_error *err)
{
    if (!rls2__plan_leaves_rows_out(plan)) return RLS2_OK;
    if (plan->source) return rls2__source_make_splits(plan, err);
    decide_baselines(plan);
    if (plan->choosing_data)
        return rls2__plan_blame(plan, "validation-rows",
                                rls2__plan_split_validation(plan, &plan->splits, err));
    if (rls2_dataset_rows(plan->train.data) < 2)
        return rls2__plan_refuse(plan, "folds", err, RLS2_ERR_VALUE,
                                 "cross-validation needs more than one row: give %s",
                                 rls2__plan_name(plan, "lambda").text);
    if (!plan->fold_column) return check_drawing(plan, err);
    return rls2__plan_blame(plan, "fold-column",
                            rls2__plan_split_by_column(plan, &plan->splits, err));
}
