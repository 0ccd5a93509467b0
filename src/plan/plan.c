/* A plan: what is asked for, in words, and what is said about it. */
#include "plan/plan.h"
#include "plan/fit_stack.h"
#include "plan/plan_source.h"
#include "plan/plan_interval.h"
#include "plan/plan_stability.h"
#include "plan/plan_method.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- messages ---- */

rls2__named rls2__plan_name(const rls2_plan *plan, const char *setting)
{
    rls2__named made;
    rls2__setting_name(rls2_setting_find(setting), plan->voice, made.text, sizeof made.text);
    return made;
}

rls2_status rls2__plan_blame(rls2_plan *plan, const char *setting, rls2_status status)
{
    plan->fault = status == RLS2_OK || status == RLS2_ERR_MEMORY ? NULL : setting;
    return status;
}

rls2_status rls2__plan_refuse(rls2_plan *plan, const char *setting, rls2_error *err,
                              rls2_status status, const char *format, ...)
{
    char message[sizeof err->message];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    plan->fault = setting;
    return rls2__fail(err, status, "%s", message);
}

rls2_status rls2__plan_memory_out(rls2_plan *plan, rls2_error *err)
{
    plan->fault = NULL;
    return rls2__fail_memory(err, "the plan");
}

/* Room for one more pointer in a list that grows by doubling. */
static int make_room(const char ***items, int64_t count, int64_t *room)
{
    if (count < *room) return 1;
    int64_t more = *room > 0 ? 2 * *room : 8;
    const char **grown = rls2__alloc(more, sizeof *grown);
    if (!grown) return 0;
    if (count > 0) memcpy(grown, *items, (size_t)count * sizeof *grown);
    rls2__free(*items);
    *items = grown;
    *room = more;
    return 1;
}

/* Once: kernels that are made again have the same to say. */
void rls2__plan_say(rls2_plan *plan, const char *format, ...)
{
    char sentence[512];
    va_list args;
    va_start(args, format);
    vsnprintf(sentence, sizeof sentence, format, args);
    va_end(args);
    if (rls2__is_among(sentence, plan->notes, plan->note_count) ||
        !make_room(&plan->notes, plan->note_count, &plan->note_room))
        return;
    char *kept = rls2__arena_text(plan->arena, sentence, (int64_t)strlen(sentence));
    if (kept) plan->notes[plan->note_count++] = kept;
}

int64_t rls2_plan_note_count(const rls2_plan *plan)
{
    return plan ? plan->note_count : 0;
}

const char *rls2_plan_note(const rls2_plan *plan, int64_t i)
{
    return plan && i >= 0 && i < plan->note_count ? plan->notes[i] : NULL;
}

const char *rls2_plan_fault(const rls2_plan *plan)
{
    return plan ? plan->fault : NULL;
}

rls2__counted rls2__count_of(int64_t count, const char *noun)
{
    rls2__counted made;
    snprintf(made.text, sizeof made.text, "%" PRId64 " %s%s", count, noun, count == 1 ? "" : "s");
    return made;
}

rls2__listed rls2__column_list(const rls2_table *table)
{
    enum { MOST_SHOWN = 8 };
    rls2__listed made = {.text = ""};
    size_t used = 0, room = sizeof made.text;
    int64_t columns = rls2_table_columns(table), shown = 0;
    for (; shown < columns && shown < MOST_SHOWN; shown++) {
        const char *name = rls2_table_column_name(table, shown);
        if (used + strlen(name) + 32 > room) break;
        used +=
            (size_t)snprintf(made.text + used, room - used, "%s%s", shown > 0 ? ", " : "", name);
    }
    if (shown < columns)
        snprintf(made.text + used, room - used, ", ... (%" PRId64 " in all)", columns);
    return made;
}

int rls2__is_among(const char *name, const char *const *names, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0) return 1;
    return 0;
}

/* ---- life ---- */

static void *member_of(rls2_plan *plan, const rls2_setting *setting)
{
    return (char *)&plan->asked + setting->member;
}

static void set_default(rls2_plan *plan, const rls2_setting *setting)
{
    if (setting->fallback)
        rls2__setting_read(setting, setting->fallback, member_of(plan, setting));
    else if (setting->kind == RLS2_SETTING_NUMBER)
        *(double *)member_of(plan, setting) = (double)NAN;
    else if (setting->kind == RLS2_SETTING_LIST)
        *(rls2__texts *)member_of(plan, setting) = (rls2__texts){0};
    else
        *(const char **)member_of(plan, setting) = NULL;
}

rls2_status rls2_plan_create(rls2_goal goal, rls2_voice voice, rls2_plan **plan, rls2_error *err)
{
    if (!plan) return rls2__fail_null(err, "plan");
    if (goal < RLS2_GOAL_KERNELS || goal > RLS2_GOAL_ALL)
        return rls2__fail(err, RLS2_ERR_ARGUMENT, "unknown goal %d", (int)goal);
    if (voice < RLS2_VOICE_PLAIN || voice > RLS2_VOICE_PYTHON)
        return rls2__fail(err, RLS2_ERR_ARGUMENT, "unknown voice %d", (int)voice);
    rls2_plan *made = rls2__alloc_zero(1, sizeof *made);
    if (made) {
        made->goal = goal;
        made->voice = voice;
        made->arena = rls2__arena_create();
        made->values = rls2__alloc_zero(rls2__setting_count, sizeof *made->values);
    }
    if (!made || !made->arena || !made->values) {
        rls2_plan_free(made);
        return rls2__fail_memory(err, "the plan");
    }
    for (int64_t i = 0; i < rls2__setting_count; i++) set_default(made, &rls2__settings[i]);
    *plan = made;
    return RLS2_OK;
}

static void part_release(rls2__part *part)
{
    rls2__free(part->rows);
    rls2_dataset_free(part->data);
    rls2_table_free(part->own);
}

static void matrices_release(rls2_plan *plan)
{
    for (int64_t g = 0; g < plan->matrix_count; g++) {
        rls2__free(plan->matrices[g].train);
        rls2__free(plan->matrices[g].test);
        rls2__free(plan->matrices[g].test_diagonal);
        rls2__free(plan->matrices[g].choosing);
    }
    rls2__free(plan->matrices);
    rls2__free(plan->precomputed);
    rls2__free(plan->given_names);
    rls2__free(plan->given);
    rls2__free(plan->choosing_given);
    rls2__free(plan->test_given);
    rls2__free(plan->test_diagonals);
}

void rls2_plan_free(rls2_plan *plan)
{
    if (!plan) return;
    rls2_splits_free(plan->splits);
    rls2__ingredients_release(&plan->ingredients);
    matrices_release(plan);
    rls2__free(plan->group_names);
    rls2__free(plan->group_columns);
    rls2__free(plan->dropped);
    rls2__free(plan->left_out);
    rls2__free(plan->suspects);
    rls2__free(plan->empty);
    rls2__free(plan->categorical);
    rls2_dataset_free(plan->choosing_data);
    rls2_table_free(plan->choosing_table);
    part_release(&plan->validation);
    part_release(&plan->test);
    part_release(&plan->train);
    rls2__source_free(plan->source);
    rls2__free(plan->numbers);
    rls2__free(plan->lambdas);
    rls2__free(plan->notes);
    for (int64_t i = 0; plan->values && i < rls2__setting_count; i++)
        rls2__free(plan->values[i].items);
    rls2__free(plan->values);
    rls2__arena_free(plan->arena);
    rls2__free(plan);
}

/* ---- asking ---- */

static rls2_status check_open(rls2_plan *plan, rls2_error *err)
{
    if (!plan) return rls2__fail_null(err, "plan");
    plan->fault = NULL;
    if (plan->state == RLS2__PLAN_ASKED) return RLS2_OK;
    return rls2__fail(err, RLS2_ERR_ARGUMENT, "the plan %s: make another one",
                      plan->state == RLS2__PLAN_COMPLETE  ? "is complete"
                      : plan->state == RLS2__PLAN_DIVIDED ? "is divided"
                                                          : "could not be completed");
}

static rls2_status refuse_name(rls2_plan *plan, const char *name, rls2_error *err)
{
    rls2__suggestion near = rls2__suggestion_start(name, (int64_t)strlen(name));
    for (int64_t i = 0; i < rls2__setting_count; i++)
        rls2__suggestion_try(&near, rls2__settings[i].name);
    if (near.best)
        return rls2__fail(err, RLS2_ERR_NAME, "there is no setting '%.60s'; did you mean '%s'?",
                          name, rls2__plan_name(plan, near.best).text);
    return rls2__fail(err, RLS2_ERR_NAME, "there is no setting '%.60s'", name);
}

static int keep_value(rls2_plan *plan, const rls2_setting *setting, const char *value)
{
    rls2__value *kept = &plan->values[setting - rls2__settings];
    int64_t place = setting->kind == RLS2_SETTING_LIST ? kept->count : 0;
    char *copy = rls2__arena_copy(plan->arena, rls2__setting_word(setting, value));
    if (!copy || !make_room(&kept->items, place, &kept->room) ||
        !rls2__setting_read(setting, copy, member_of(plan, setting)))
        return 0;
    kept->items[place] = copy;
    kept->count = place + 1;
    kept->is_set = 1;
    if (setting->kind == RLS2_SETTING_LIST)
        *(rls2__texts *)member_of(plan, setting) = (rls2__texts){kept->items, kept->count};
    else if (setting->kind == RLS2_SETTING_TEXT || setting->kind == RLS2_SETTING_COLUMN)
        *(const char **)member_of(plan, setting) = copy;
    return 1;
}

rls2_status rls2_plan_set(rls2_plan *plan, const char *name, const char *value, rls2_error *err)
{
    rls2_status status = check_open(plan, err);
    if (status != RLS2_OK) return status;
    if (!name) return rls2__fail_null(err, "name");
    const rls2_setting *setting = rls2_setting_find(name);
    if (!setting) return refuse_name(plan, name, err);
    if (!value) {
        plan->values[setting - rls2__settings].count = 0;
        plan->values[setting - rls2__settings].is_set = 0;
        set_default(plan, setting);
        return RLS2_OK;
    }
    status = rls2_setting_check(setting, rls2__plan_name(plan, setting->name).text, value, err);
    if (status != RLS2_OK) return rls2__plan_blame(plan, setting->name, status);
    return keep_value(plan, setting, value) ? RLS2_OK : rls2__plan_memory_out(plan, err);
}

const char *rls2_plan_get(const rls2_plan *plan, const char *name, int64_t i)
{
    const rls2_setting *setting = plan ? rls2_setting_find(name) : NULL;
    if (!setting) return NULL;
    const rls2__value *kept = &plan->values[setting - rls2__settings];
    if (i >= 0 && i < kept->count) return kept->items[i];
    if (i != 0 || setting->kind == RLS2_SETTING_LIST) return NULL;
    return setting->fallback ? setting->fallback : "";
}

int rls2_plan_is_set(const rls2_plan *plan, const char *name)
{
    const rls2_setting *setting = plan ? rls2_setting_find(name) : NULL;
    return setting && plan->values[setting - rls2__settings].is_set;
}

rls2_status rls2_plan_set_lambdas(rls2_plan *plan, int64_t count, const double *lambdas,
                                  rls2_error *err)
{
    rls2_status status = check_open(plan, err);
    if (status != RLS2_OK) return status;
    if (count < 1 || !lambdas)
        return rls2__plan_refuse(plan, "lambdas", err, RLS2_ERR_ARGUMENT,
                                 "%s should be one or more positive numbers",
                                 rls2__plan_name(plan, "lambdas").text);
    for (int64_t i = 0; i < count; i++)
        if (!(lambdas[i] > 0.0 && isfinite(lambdas[i])))
            return rls2__plan_refuse(plan, "lambdas", err, RLS2_ERR_VALUE,
                                     "%s[%" PRId64 "] is %g; it must be a positive finite number",
                                     rls2__plan_name(plan, "lambdas").text, i, lambdas[i]);
    double *copy = rls2__alloc(count, sizeof *copy);
    if (!copy) return rls2__plan_memory_out(plan, err);
    memcpy(copy, lambdas, (size_t)count * sizeof *copy);
    rls2__free(plan->numbers);
    plan->numbers = copy;
    plan->number_count = count;
    return RLS2_OK;
}

rls2_status rls2_plan_set_test(rls2_plan *plan, const rls2_table *table, rls2_error *err)
{
    rls2_status status = check_open(plan, err);
    if (status == RLS2_OK) plan->test_table = table;
    return status;
}

rls2_status rls2_plan_set_converter(rls2_plan *plan, const char *const *converter, rls2_error *err)
{
    rls2_status status = check_open(plan, err);
    if (status == RLS2_OK) plan->converter = converter;
    return status;
}

rls2_status rls2_plan_set_validation(rls2_plan *plan, const rls2_table *table, rls2_error *err)
{
    rls2_status status = check_open(plan, err);
    if (status == RLS2_OK) plan->validation_table = table;
    return status;
}

rls2_status rls2__plan_add_matrix(rls2_plan *plan, const char *name, int64_t rows,
                                  const double *matrix, rls2_error *err)
{
    rls2__plan_matrix *more = rls2__alloc_zero(plan->matrix_count + 1, sizeof *more);
    char *copy = rls2__arena_text(plan->arena, name, (int64_t)strlen(name));
    if (!more || !copy) {
        rls2__free(more);
        return rls2__plan_memory_out(plan, err);
    }
    if (plan->matrix_count > 0)
        memcpy(more, plan->matrices, (size_t)plan->matrix_count * sizeof *more);
    more[plan->matrix_count++] = (rls2__plan_matrix){.name = copy, .rows = rows, .whole = matrix};
    rls2__free(plan->matrices);
    plan->matrices = more;
    return RLS2_OK;
}

rls2_status rls2_plan_add_given(rls2_plan *plan, const char *name, int64_t rows,
                                const double *matrix, rls2_error *err)
{
    rls2_status status = check_open(plan, err);
    if (status != RLS2_OK) return status;
    if (!name || !*name || !matrix)
        return rls2__fail(err, RLS2_ERR_ARGUMENT, "a given matrix needs a name and values");
    if (strchr(name, '"')) /* which no dictionary could write */
        return rls2__fail(err, RLS2_ERR_ARGUMENT,
                          "the name of a matrix cannot contain '\"', as '%.100s' does", name);
    for (int64_t g = 0; g < plan->matrix_count; g++)
        if (strcmp(plan->matrices[g].name, name) == 0)
            return rls2__fail(err, RLS2_ERR_ARGUMENT, "the matrix '%.100s' is given twice", name);
    return rls2__plan_add_matrix(plan, name, rows, matrix, err);
}

/* ---- completing ---- */

rls2_status rls2_plan_check(rls2_plan *plan, rls2_error *err)
{
    rls2_status status = check_open(plan, err);
    return status == RLS2_OK ? rls2__plan_check_settings(plan, err) : status;
}

rls2_status rls2_plan_divide(rls2_plan *plan, const rls2_table *table, rls2_error *err)
{
    rls2_status status = check_open(plan, err);
    if (status != RLS2_OK) return status;
    if (!table) return rls2__fail_null(err, "table");
    plan->file = table;
    plan->state = RLS2__PLAN_BROKEN;
    for (int64_t k = 0; k < rls2_table_note_count(table); k++)
        rls2__plan_say(plan, "%s", rls2_table_note(table, k));
    status = rls2__plan_divide_rows(plan, err);
    if (status == RLS2_OK) plan->state = RLS2__PLAN_DIVIDED;
    return status;
}

rls2_status rls2_plan_complete(rls2_plan *plan, const rls2_table *table, rls2_error *err)
{
    rls2_status status = rls2_plan_check(plan, err);
    if (status == RLS2_OK) status = rls2_plan_divide(plan, table, err);
    if (status == RLS2_OK) plan->state = RLS2__PLAN_BROKEN;
    if (status == RLS2_OK) status = rls2__plan_make_data(plan, err);
    if (status == RLS2_OK) status = rls2__plan_take_matrices(plan, err);
    if (status == RLS2_OK) status = rls2__plan_make_kernels(plan, err);
    if (status == RLS2_OK) status = rls2__plan_settle_method(plan, err);
    if (status == RLS2_OK) status = rls2__plan_settle_intervals(plan, err);
    if (status == RLS2_OK) status = rls2__plan_settle_stability(plan, err);
    if (status == RLS2_OK) status = rls2__plan_prepare_rows(plan, err);
    if (status == RLS2_OK) status = rls2__plan_take_test_matrices(plan, err);
    if (status == RLS2_OK) status = rls2__plan_make_splits(plan, err);
    if (status != RLS2_OK) return status;
    rls2__plan_note_stack(plan);
    rls2__plan_note_unused(plan);
    plan->state = RLS2__PLAN_COMPLETE;
    return RLS2_OK;
}

/* ---- what was found ---- */

static const rls2__part *part_of(const rls2_plan *plan, rls2_part part)
{
    if (!plan) return NULL;
    return part == RLS2_PART_TRAINING     ? &plan->train
           : part == RLS2_PART_TEST       ? &plan->test
           : part == RLS2_PART_VALIDATION ? &plan->validation
                                          : NULL;
}

int64_t rls2_plan_rows(const rls2_plan *plan, rls2_part part, const int64_t **rows)
{
    const rls2__part *found = part_of(plan, part);
    if (rows) *rows = found ? found->rows : NULL;
    return found ? found->count : 0;
}

const rls2_table *rls2_plan_table(const rls2_plan *plan, rls2_part part)
{
    const rls2__part *found = part_of(plan, part);
    return found ? found->table : NULL;
}

const rls2_dataset *rls2_plan_data(const rls2_plan *plan, rls2_part part)
{
    const rls2__part *found = part_of(plan, part);
    return found ? found->data : NULL;
}

const rls2_dataset *rls2_plan_split_data(const rls2_plan *plan)
{
    if (!plan) return NULL;
    return plan->choosing_data ? plan->choosing_data : plan->train.data;
}

const rls2_dataset_options *rls2_plan_dataset_options(const rls2_plan *plan)
{
    return plan ? &plan->recipe.data : NULL;
}

const rls2_dictionary *rls2_plan_dictionary(const rls2_plan *plan)
{
    return plan ? plan->ingredients.dictionary : NULL;
}

const char *rls2_plan_kernels(const rls2_plan *plan)
{
    return plan ? plan->recipe.kernels : NULL;
}

rls2_measure rls2_plan_measure(const rls2_plan *plan)
{
    return plan ? plan->measure : RLS2_MEASURE_AUTO;
}

rls2_loss rls2_plan_loss(const rls2_plan *plan)
{
    return plan ? plan->loss : (rls2_loss){RLS2_LOSS_SQUARE, 0.0};
}

rls2_intercept rls2_plan_intercept(const rls2_plan *plan)
{
    const rls2__recipe *resolved = plan ? plan->ingredients.recipe : NULL;
    return resolved ? resolved->path.intercept : RLS2_INTERCEPT_AUTO;
}

int rls2_plan_is_tall(const rls2_plan *plan)
{
    return plan && plan->is_tall;
}

const rls2_splits *rls2_plan_splits(const rls2_plan *plan)
{
    return plan ? plan->splits : NULL;
}

rls2_status rls2_plan_take_splits(rls2_plan *plan, rls2_splits *splits, rls2_error *err)
{
    if (!plan || plan->state != RLS2__PLAN_COMPLETE) {
        rls2_splits_free(splits);
        return rls2__fail(err, RLS2_ERR_ARGUMENT, "the plan is not complete");
    }
    if (!splits) return rls2__fail_null(err, "splits");
    if (!rls2__plan_leaves_rows_out(plan)) {
        rls2_splits_free(splits);
        return rls2__fail(err, RLS2_ERR_ARGUMENT, "the plan does not choose lambda on splits");
    }
    int64_t rows = rls2_dataset_rows(rls2_plan_split_data(plan));
    if (rls2_splits_rows(splits) != rows) {
        int64_t found = rls2_splits_rows(splits);
        rls2_splits_free(splits);
        return rls2__fail(err, RLS2_ERR_ARGUMENT,
                          "the splits are of %" PRId64 " rows, the data have %" PRId64, found,
                          rows);
    }
    rls2_status status = rls2__plan_settle_splits(plan, splits, err);
    if (status != RLS2_OK) {
        rls2_splits_free(splits);
        return status;
    }
    rls2_splits_free(plan->splits);
    plan->splits = splits;
    return RLS2_OK;
}
