/* Which rows of a table are learned from, which test, and which choose lambda. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "plan/plan.h"
#include "table/values.h"

#define NAME(setting) rls2__plan_name(plan, setting).text

static rls2_status no_such_column(rls2_plan *plan, const char *setting, const char *name,
                                  size_t length, rls2_error *err)
{
    return rls2__plan_refuse(plan, setting, err, RLS2_ERR_NAME,
                             "%s: there is no column '%.*s'; the columns are %s", NAME(setting),
                             (int)(length < 100 ? length : 100), name,
                             rls2__column_list(plan->file).text);
}

static rls2_status refuse_target(rls2_plan *plan, const char *setting, const char *name,
                                 rls2_error *err)
{
    return rls2__plan_refuse(plan, setting, err, RLS2_ERR_ARGUMENT,
                             "%s: column '%.100s' is the target", NAME(setting), name);
}

/* ---- rules ---- */

/* COLUMN and VALUE of "COLUMN=VALUE"; a column's name may itself contain '='. */
static rls2_status read_rule(rls2_plan *plan, const char *setting, const char *rule,
                             const char **column, const char **value, rls2_error *err)
{
    for (const char *equals = strchr(rule, '='); equals; equals = strchr(equals + 1, '=')) {
        char *name = rls2__arena_text(plan->arena, rule, equals - rule);
        if (!name) return rls2__plan_memory_out(plan, err);
        int64_t number = rls2_table_find(plan->file, name);
        if (number < 0) continue;
        *column = rls2_table_column_name(plan->file, number);
        *value = equals + 1;
        return rls2__plan_is_target(plan, name) ? refuse_target(plan, setting, name, err) : RLS2_OK;
    }
    if (!strchr(rule, '='))
        return rls2__plan_refuse(plan, setting, err, RLS2_ERR_ARGUMENT,
                                 "%s '%.100s' should be COLUMN=VALUE", NAME(setting), rule);
    return no_such_column(plan, setting, rule, strcspn(rule, "="), err);
}

/* Moves those of the training rows that hold the value to `to`; some must be, and some must stay.
 */
static rls2_status move_rows(rls2_plan *plan, const char *setting, const char *column,
                             const char *value, rls2__part *to, rls2_error *err)
{
    rls2__part *from = &plan->train;
    int64_t before = from->count, stay = 0, number = rls2_table_find(plan->file, column);
    for (int64_t i = 0; i < before; i++) {
        if (rls2_table_holds(plan->file, from->rows[i], number, value))
            to->rows[to->count++] = from->rows[i];
        else
            from->rows[stay++] = from->rows[i];
    }
    from->count = stay;
    if (to->count > 0 && stay > 0) return RLS2_OK;
    return rls2__plan_refuse(plan, setting, err, RLS2_ERR_VALUE,
                             "%s: %s of the %" PRId64 " rows %s '%.100s' in column '%.100s'",
                             NAME(setting), to->count == 0 ? "none" : "all", before,
                             to->count == 0 ? "has" : "have", value, column);
}

/* ---- test rows drawn at random ---- */

/* The column that is going to be classes; -1 where there are none. */
static int64_t class_column(const rls2_plan *plan, int64_t most)
{
    const rls2__wishes *a = &plan->asked;
    const char *name = a->target.count == 1 ? a->target.items[0] : rls2_table_target(plan->file);
    int64_t column = name ? rls2_table_find(plan->file, name) : -1;
    if (column < 0 || a->target.count > 1 || a->task == RLS2__TASK_REGRESSION) return -1;
    int64_t distinct = rls2_table_distinct(plan->file, column, most + 1);
    int classes = a->task == RLS2__TASK_CLASSIFICATION ||
                  !rls2_table_is_numeric(plan->file, column) || distinct == 2;
    return classes && distinct <= most ? column : -1;
}

static void move_drawn(rls2_plan *plan, const rls2_splits *drawn)
{
    const int64_t *training, *validation;
    int64_t *rows = plan->train.rows, stay = rls2_splits_training(drawn, 0, &training),
            go = rls2_splits_validation(drawn, 0, &validation);
    for (int64_t i = 0; i < go; i++) plan->test.rows[i] = rows[validation[i]];
    for (int64_t i = 0; i < stay; i++)
        rows[i] = rows[training[i]]; /* ascending: nothing is overwritten early */
    plan->test.count = go;
    plan->train.count = stay;
}

/* Numbers of the classes of the training rows, for stratifying; NULL where there are none. */
static rls2_status make_strata(rls2_plan *plan, double **strata, rls2_error *err)
{
    enum { MOST_CLASSES = 100 };
    int64_t column = class_column(plan, MOST_CLASSES), n = plan->train.count;
    *strata = NULL;
    if (column < 0) return RLS2_OK;
    int64_t *numbers = rls2__alloc(n, sizeof *numbers);
    *strata = rls2__alloc(n, sizeof **strata);
    rls2_status status = numbers && *strata ? rls2__number_values(plan->file, column, n,
                                                                  plan->train.rows, numbers, err)
                                            : rls2__plan_memory_out(plan, err);
    for (int64_t i = 0; status == RLS2_OK && i < n; i++) (*strata)[i] = (double)numbers[i];
    rls2__free(numbers);
    return status;
}

static rls2_status draw_test(rls2_plan *plan, rls2_error *err)
{
    rls2_splits *drawn = NULL;
    double *strata;
    rls2_status status = make_strata(plan, &strata, err);
    if (status == RLS2_OK)
        status = rls2_splits_random(plan->train.count, strata, 1, 1.0 - plan->asked.test_share,
                                    (uint64_t)plan->asked.seed, &drawn, err);
    if (status == RLS2_OK) move_drawn(plan, drawn);
    rls2_splits_free(drawn);
    rls2__free(strata);
    return rls2__plan_blame(plan, "test-share", status);
}

/* ---- parts ---- */

/* SplitMix64: the next of a sequence that the seed determines. */
static uint64_t next_random(uint64_t *at)
{
    uint64_t z = *at += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static void shuffle(uint64_t seed, int64_t count, int64_t *rows)
{
    for (int64_t i = count - 1; i > 0; i--) {
        int64_t j = (int64_t)(next_random(&seed) % (uint64_t)(i + 1)), kept = rows[i];
        rows[i] = rows[j];
        rows[j] = kept;
    }
}

static rls2_status keep_all(rls2_plan *plan, rls2_error *err)
{
    int64_t rows = rls2_table_rows(plan->file);
    plan->train.rows = rls2__alloc(rows, sizeof(int64_t));
    plan->test.rows = rls2__alloc(rows, sizeof(int64_t));
    plan->validation.rows = rls2__alloc(rows, sizeof(int64_t));
    if (!plan->train.rows || !plan->test.rows || !plan->validation.rows)
        return rls2__plan_memory_out(plan, err);
    for (int64_t i = 0; i < rows; i++) plan->train.rows[i] = i;
    plan->train.count = rows;
    if (plan->asked.shuffle) shuffle((uint64_t)plan->asked.seed, rows, plan->train.rows);
    return RLS2_OK;
}

/* By a rule, by chance, or by the file's own marker; "none" leaves the marked rows where they are.
 */
static rls2_status split_test(rls2_plan *plan, rls2_error *err)
{
    const char *rule = plan->asked.test_rows, *value = "1";
    plan->test_column = rls2_table_marker(plan->file);
    if (!isnan(plan->asked.test_share)) return draw_test(plan, err);
    if (rule && strcmp(rule, "none") == 0) return RLS2_OK;
    if (rule) {
        rls2_status status = read_rule(plan, "test-rows", rule, &plan->test_column, &value, err);
        if (status != RLS2_OK) return status;
    }
    if (!plan->test_column) return RLS2_OK;
    if (!rule && !plan->test_table)
        rls2__plan_say(plan, "test rows: those that column '%.100s' marks", plan->test_column);
    return move_rows(plan, "test-rows", plan->test_column, value, &plan->test, err);
}

static rls2_status split_validation(rls2_plan *plan, rls2_error *err)
{
    const char *value;
    const char *rule = plan->asked.validation_rows;
    if (!rule) return RLS2_OK;
    rls2_status status =
        read_rule(plan, "validation-rows", rule, &plan->validation_column, &value, err);
    if (status != RLS2_OK) return status;
    return move_rows(plan, "validation-rows", plan->validation_column, value, &plan->validation,
                     err);
}

static rls2_status find_fold_column(rls2_plan *plan, rls2_error *err)
{
    const char *name = plan->asked.fold_column;
    if (!name) return RLS2_OK;
    int64_t column = rls2_table_find(plan->file, name);
    if (column < 0) return no_such_column(plan, "fold-column", name, strlen(name), err);
    if (rls2__plan_is_target(plan, name)) return refuse_target(plan, "fold-column", name, err);
    plan->fold_column = rls2_table_column_name(plan->file, column);
    return RLS2_OK;
}

/* ---- tables ---- */

/* The rows of a part as a table; of no rows there is none. */
static rls2_status take_part(rls2_plan *plan, rls2__part *part, rls2_error *err)
{
    if (part->count == 0) return RLS2_OK;
    rls2_status status = rls2_table_take(plan->file, part->count, part->rows, &part->own, err);
    if (status == RLS2_OK) part->table = part->own;
    return status;
}

static rls2_status take_train(rls2_plan *plan, rls2_error *err)
{
    if (plan->train.count < rls2_table_rows(plan->file) || plan->asked.shuffle)
        return take_part(plan, &plan->train, err);
    plan->train.table = plan->file;
    return RLS2_OK;
}

/* A table of its own takes the place of rows of the file. */
static void use_table(rls2__part *part, const rls2_table *table)
{
    rls2__free(part->rows);
    *part = (rls2__part){.table = table};
}

static rls2_status take_test(rls2_plan *plan, rls2_error *err)
{
    if (!plan->test_table) return take_part(plan, &plan->test, err);
    if (plan->test.count > 0)
        rls2__plan_say(plan, "the %s that column '%s' marks are left out",
                       rls2__count_of(plan->test.count, "test row").text, plan->test_column);
    use_table(&plan->test, plan->test_table);
    return RLS2_OK;
}

/* Training rows and, below them, validation rows: what splits are made of. */
static rls2_status stack_validation(rls2_plan *plan, rls2_error *err)
{
    rls2_status status = RLS2_OK;
    if (plan->validation_table)
        use_table(&plan->validation, plan->validation_table);
    else
        status = take_part(plan, &plan->validation, err);
    if (status != RLS2_OK || !plan->validation.table) return status;
    status =
        rls2_table_stack(plan->train.table, plan->validation.table, &plan->choosing_table, err);
    return rls2__plan_blame(plan, "validation-rows", status);
}

rls2_status rls2__plan_divide_rows(rls2_plan *plan, rls2_error *err)
{
    rls2_status status = keep_all(plan, err);
    if (status == RLS2_OK) status = split_test(plan, err);
    if (status == RLS2_OK) status = split_validation(plan, err);
    if (status == RLS2_OK) status = find_fold_column(plan, err);
    if (status == RLS2_OK) status = take_train(plan, err);
    if (status == RLS2_OK) status = take_test(plan, err);
    if (status == RLS2_OK) status = stack_validation(plan, err);
    return status;
}
