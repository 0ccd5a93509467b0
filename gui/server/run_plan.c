/* Makes the plan from the JSON of a run, completes it, and answers what is asked of it. */
#include "gui/server/run_plan.h"

#include <string.h>

#include "gui/server/table_columns.h"

void run_plan_release(run_plan *p)
{
    rls2_plan_free(p->plan);
    if (p->state) {
        cache_return(p->state->tables, p->file);
        cache_return(p->state->tables, p->test_file);
        cache_return(p->state->tables, p->validation_file);
    }
    *p = (run_plan){0};
}

/* The table of an id that may be left out; *table is NULL then. */
static int take_table(state *s, const json_t *asked, const char *name, cached **table, fault *f)
{
    const json_t *id = json_object_get(asked, name);
    if (!id || json_is_null(id)) return 0;
    if (!json_is_string(id) || json_string_length(id) != strlen(json_string_value(id)) ||
        !store_is_id(json_string_value(id)))
        return fault_say(f, HTTP_BAD, name, "%s should be the id of data", name);
    return state_table(s, name, json_string_value(id), table, f);
}

static int check_names(const json_t *asked, fault *f)
{
    static const char *const NAMES[] = {"data", "test_data", "validation_data", "settings"};
    const char *key;
    json_t *value;
    if (!json_is_object(asked))
        return fault_say(f, HTTP_BAD, NULL, "a run should be a JSON object");
    json_object_foreach((json_t *)(uintptr_t)asked, key, value)
    {
        int known = 0;
        for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++)
            known |= strcmp(key, NAMES[i]) == 0;
        if (!known) return fault_say(f, HTTP_BAD, NULL, "a run has no field '%.60s'", key);
    }
    value = json_object_get(asked, "settings");
    if (!value || json_is_object(value)) return 0;
    return fault_say(f, HTTP_BAD, "settings", "settings should be a JSON object");
}

static int take_tables(state *s, const json_t *asked, run_plan *p, fault *f)
{
    int code = take_table(s, asked, "data", &p->file, f);
    if (!code && !p->file)
        code = fault_say(f, HTTP_BAD, "data", "data is missing: the id of the training table");
    if (!code && rls2_table_is_precomputed(run_plan_file(p)))
        code = fault_say(f, HTTP_BAD, "data",
                         "this file holds a kernel matrix, which only 'rls2 train' can use");
    if (!code) code = take_table(s, asked, "test_data", &p->test_file, f);
    if (!code) code = take_table(s, asked, "validation_data", &p->validation_file, f);
    return code;
}

int run_plan_make(state *s, const json_t *asked, rls2_goal goal, run_plan *p, fault *f)
{
    rls2_error err;
    *p = (run_plan){.state = s};
    int code = check_names(asked, f);
    if (!code) code = take_tables(s, asked, p, f);
    if (!code && rls2_plan_create(goal, RLS2_VOICE_PLAIN, &p->plan, &err) != RLS2_OK)
        code = fault_of(f, NULL, &err);
    if (!code) code = plan_set_json(p->plan, json_object_get(asked, "settings"), f);
    if (!code && p->test_file && rls2_plan_set_test(p->plan, p->test_file->value, &err) != RLS2_OK)
        code = fault_of(f, "test_data", &err);
    if (!code && p->validation_file &&
        rls2_plan_set_validation(p->plan, p->validation_file->value, &err) != RLS2_OK)
        code = fault_of(f, "validation_data", &err);
    return code;
}

int run_plan_complete(state *s, const json_t *asked, run_plan *p, fault *f)
{
    rls2_error err;
    int code = run_plan_make(s, asked, RLS2_GOAL_ALL, p, f);
    if (!code && rls2_plan_complete(p->plan, run_plan_file(p), &err) != RLS2_OK)
        code = plan_fault(p->plan, &err, f);
    return code;
}

const rls2_table *run_plan_file(const run_plan *p)
{
    return p->file->value;
}

int run_plan_is_classification(const run_plan *p)
{
    return rls2_dataset_is_classification(rls2_plan_data(p->plan, RLS2_PART_TRAINING));
}

const char *run_plan_task(const run_plan *p)
{
    return run_plan_is_classification(p) ? "classification" : "regression";
}

int64_t run_plan_outputs(const run_plan *p)
{
    return rls2_dataset_outputs(rls2_plan_data(p->plan, RLS2_PART_TRAINING));
}

int run_plan_is(const run_plan *p, const char *name, const char *word)
{
    const char *value = rls2_plan_get(p->plan, name, 0);
    return value && strcmp(value, word) == 0;
}

int run_plan_leaves_rows_out(const run_plan *p)
{
    return run_plan_is(p, "select", "cv");
}

json_t *run_plan_loss(const run_plan *p)
{
    char text[40];
    const char *asked = rls2_plan_get(p->plan, "loss", 0);
    if (asked && strchr(asked, ',')) return json_words(asked);
    return json_string(rls2_loss_text(rls2_plan_loss(p->plan), text, sizeof text));
}

json_t *run_plan_classes(const run_plan *p)
{
    const rls2_dataset *data = rls2_plan_data(p->plan, RLS2_PART_TRAINING);
    json_t *list = json_array();
    for (int64_t k = 0; k < rls2_dataset_class_count(data); k++)
        json_array_append_new(list, json_words(rls2_dataset_class_label(data, k)));
    return list;
}

json_t *run_plan_notes(const run_plan *p)
{
    json_t *list = json_array();
    for (int64_t i = 0; i < rls2_plan_note_count(p->plan); i++)
        json_array_append_new(list, json_words(rls2_plan_note(p->plan, i)));
    return list;
}
