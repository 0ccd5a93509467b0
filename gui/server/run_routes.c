/* Runs: checked, queued, looked at, stopped, renamed, deleted. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gui/server/table_columns.h"
#include "gui/server/routes.h"
#include "gui/server/run_plan.h"
#include "gui/server/work.h"

/* ---- everything at once ---- */

/* Of tables with very many columns the list is left out: /api/data/ID has it. */
static json_t *brief_about(const json_t *about)
{
    enum { MOST_LISTED = 200 };
    if (json_array_size(json_object_get(about, "columns")) <= MOST_LISTED)
        return json_deep_copy(about);
    json_t *copy = json_copy((json_t *)about), *brief;
    json_object_del(copy, "columns");
    brief = json_deep_copy(copy);
    json_decref(copy);
    return brief;
}

int state_get(request *r, reply *answer, fault *f)
{
    state *s = r->state;
    json_t *data = json_array(), *runs = json_array();
    (void)f;
    pthread_mutex_lock(&s->lock);
    for (const data_entry *d = s->data; d; d = d->next)
        json_array_append_new(data, brief_about(d->about));
    for (const run *at = s->runs; at; at = at->next) json_array_append_new(runs, run_about(at));
    json_t *models = model_list(s);
    pthread_mutex_unlock(&s->lock);
    answer->json = json_pack("{s:s, s:i, s:o, s:o, s:o, s:o}", "version", rls2_version(), "threads",
                             s->threads, "data", data, "models", models, "runs", runs, "builtin",
                             data_samples(s));
    return 0;
}

/* ---- asking for a run ---- */

static json_t *kernel_names(const rls2_dictionary *dictionary)
{
    enum { MOST_NAMES = 200 };
    json_t *list = json_array();
    int64_t m = rls2_dictionary_count(dictionary);
    for (int64_t k = 0; k < m && k < MOST_NAMES; k++)
        json_array_append_new(list, json_words(rls2_dictionary_name(dictionary, k)));
    return list;
}

/* What each column that is learned from was taken for; `columns` is how many it becomes. */
static json_t *input_list(const rls2_dataset *data)
{
    enum { MOST_INPUTS = 1000 };
    json_t *list = json_array();
    int64_t count = rls2_dataset_input_count(data);
    for (int64_t i = 0; i < count && i < MOST_INPUTS; i++)
        json_array_append_new(
            list, json_pack("{s:o, s:s, s:I}", "name", json_words(rls2_dataset_input_name(data, i)),
                            "kind", columns_kind(rls2_dataset_input_kind(data, i)), "columns",
                            (json_int_t)rls2_dataset_input_columns(data, i, NULL)));
    return list;
}

static json_t *left_out_list(const rls2_plan *plan)
{
    const char *name, *why;
    json_t *list = json_array();
    for (int64_t i = 0; (name = rls2_plan_left_out(plan, i, &why)); i++)
        json_array_append_new(
            list, json_pack("{s:o, s:o}", "name", json_words(name), "why", json_words(why)));
    return list;
}

static json_t *suspect_list(const rls2_plan *plan)
{
    const char *name, *why;
    json_t *list = json_array();
    for (int64_t i = 0; (name = rls2_plan_suspect(plan, i, &why)); i++)
        json_array_append_new(
            list, json_pack("{s:o, s:o}", "name", json_words(name), "why", json_words(why)));
    return list;
}

/* What becomes of rows with an empty cell, and which columns have them. */
static json_t *missing_about(const run_plan *p)
{
    static const char *const RULES[] = {[RLS2_MISSING_ERROR] = "error",
                                        [RLS2_MISSING_DROP] = "drop",
                                        [RLS2_MISSING_IMPUTE] = "impute"};
    const char *name;
    int64_t rows, alone;
    json_t *list = json_array();
    for (int64_t i = 0; (name = rls2_plan_empty_input(p->plan, i, &rows, &alone)); i++)
        json_array_append_new(list, json_pack("{s:o, s:I, s:I}", "name", json_words(name), "rows",
                                              (json_int_t)rows, "alone", (json_int_t)alone));
    return json_pack("{s:s, s:I, s:o}", "rule", RULES[rls2_plan_dataset_options(p->plan)->missing],
                     "dropped",
                     (json_int_t)rls2_dataset_dropped(rls2_plan_data(p->plan, RLS2_PART_TRAINING)),
                     "columns", list);
}

static int describe(const run_plan *p, json_t **json, fault *f)
{
    rls2_error err;
    rls2_cost cost;
    char text[128];
    const rls2_dictionary *dictionary = rls2_plan_dictionary(p->plan);
    const rls2_dataset *data = rls2_plan_data(p->plan, RLS2_PART_TRAINING),
                       *test = rls2_plan_data(p->plan, RLS2_PART_TEST);
    if (rls2_plan_forecast(p->plan, 0, &cost, sizeof cost, &err) != RLS2_OK)
        return fault_of(f, "kernels", &err);
    rls2_cost_text(&cost, text, sizeof text);
    *json = json_pack(
        "{s:b, s:I, s:I, s:s, s:o, s:I, s:o, s:o, s:I, s:o, s:f, s:f, s:s, s:s, s:o, s:o}", "ok", 1,
        "rows", (json_int_t)rls2_dataset_rows(data), "test_rows",
        (json_int_t)(test ? rls2_dataset_rows(test) : 0), "task", run_plan_task(p), "classes",
        run_plan_classes(p), "outputs", (json_int_t)run_plan_outputs(p), "inputs", input_list(data),
        "left_out", left_out_list(p->plan), "kernels",
        (json_int_t)rls2_dictionary_count(dictionary), "kernel_names", kernel_names(dictionary),
        "forecast_bytes", cost.bytes, "forecast_seconds", cost.seconds, "forecast", text, "measure",
        rls2_measure_name(rls2_plan_measure(p->plan)), "loss", run_plan_loss(p), "notes",
        run_plan_notes(p));
    if (!*json) return fault_memory(f);
    json_object_set_new(*json, "suspects", suspect_list(p->plan));
    json_object_set_new(*json, "missing", missing_about(p));
    json_object_set_new(*json, "dictionary", json_words(rls2_plan_kernels(p->plan)));
    json_object_set_new(*json, "tall", json_boolean(rls2_plan_is_tall(p->plan)));
    json_object_set_new(*json, "too_much",
                        json_boolean(cost.limit > 0.0 && cost.least_bytes > cost.limit));
    return 0;
}

int settings_check(request *r, reply *answer, fault *f)
{
    json_t *asked = NULL;
    run_plan p;
    int code = request_json(r, &asked, f);
    if (code) return code;
    code = run_plan_complete(r->state, asked, &p, f);
    if (!code) code = describe(&p, &answer->json, f);
    run_plan_release(&p);
    json_decref(asked);
    return code;
}

int run_add(request *r, reply *answer, fault *f)
{
    json_t *asked = NULL;
    char id[ID_LENGTH + 1];
    run_plan p;
    int code = request_json(r, &asked, f);
    if (code) return code;
    code = run_plan_complete(r->state, asked, &p, f);
    run_plan_release(&p);
    if (code) {
        json_decref(asked);
        return code;
    }
    code = work_add(r->state, asked, id, f);
    if (!code) answer->json = json_pack("{s:s}", "id", id);
    return code;
}

/* ---- one run ---- */

static int no_run(const request *r, fault *f)
{
    return fault_say(f, HTTP_NONE, NULL, "there is no run with the id %s", r->parameter[0]);
}

int run_get(request *r, reply *answer, fault *f)
{
    char path[STORE_PATH];
    run *found = state_run(r->state, r->parameter[0]);
    if (!found) return no_run(r, f);
    pthread_mutex_lock(&r->state->lock);
    answer->json = run_about(found);
    json_object_set_new(answer->json, "asked", json_deep_copy(found->asked));
    int has_result = found->has_result;
    pthread_mutex_unlock(&r->state->lock);
    store_path(path, "runs/%s/result.json", found->id);
    json_t *result = has_result ? store_read_json(&r->state->store, path) : NULL;
    if (result) json_object_set_new(answer->json, "result", result);
    run_release(r->state, found);
    return 0;
}

/* One that waits is stopped at once; one that runs as soon as the worker has written down what is
 * finished. */
static int stop(state *s, run *r)
{
    pthread_mutex_lock(&s->lock);
    int waits = r->status == RUN_QUEUED, going = waits || r->status == RUN_RUNNING;
    atomic_store(&r->stop, 1);
    if (waits) r->status = RUN_STOPPED;
    if (going) run_changed(s, r);
    pthread_mutex_unlock(&s->lock);
    return going;
}

int run_stop(request *r, reply *answer, fault *f)
{
    run *found = state_run(r->state, r->parameter[0]);
    if (!found) return no_run(r, f);
    int stopped = stop(r->state, found);
    int code = stopped ? run_save(r->state, found, f) : 0;
    if (!stopped) code = fault_say(f, HTTP_CONFLICT, NULL, "the run has ended already");
    run_release(r->state, found);
    if (!code) answer->json = json_pack("{s:b}", "ok", 1);
    return code;
}

static void unlist(state *s, run *gone)
{
    pthread_mutex_lock(&s->lock);
    run **link = &s->runs;
    while (*link && *link != gone) link = &(*link)->next;
    int listed = *link != NULL;
    if (listed) *link = gone->next;
    gone->removed = 1;
    state_changed(s);
    pthread_mutex_unlock(&s->lock);
    if (listed) run_release(s, gone);
}

int run_delete(request *r, reply *answer, fault *f)
{
    char start[ID_LENGTH + 2];
    run *found = state_run(r->state, r->parameter[0]);
    if (!found) return no_run(r, f);
    stop(r->state, found);
    pthread_mutex_lock(&r->state->saving);
    unlist(r->state, found);
    store_retire(&r->state->store, "runs",
                 found->id); /* gone, also if the server is killed before the files are */
    pthread_mutex_unlock(&r->state->saving);
    snprintf(start, sizeof start, "%s/", found->id);
    cache_forget(r->state->models, start);
    run_release(r->state, found); /* the files go with the last user */
    answer->json = json_pack("{s:b}", "ok", 1);
    return 0;
}

/* ---- what people say of a run ---- */

/* The members of `change` as they were. The lock is held. */
static void undo(run *found, json_t *change, const json_t *before)
{
    const char *key;
    json_t *ignored;
    json_object_foreach(change, key, ignored)
    {
        json_t *was = json_object_get(before, key);
        if (was)
            json_object_set(found->about, key, was);
        else
            json_object_del(found->about, key);
    }
}

/* Sets members of what is told of it; what is shown is what is kept. Takes the object over. */
static int change_about(request *r, run *found, json_t *change, fault *f)
{
    if (!change) return fault_memory(f);
    pthread_mutex_lock(&r->state->lock);
    json_t *before = json_copy(found->about);
    int bad = !before || json_object_update(found->about, change) != 0;
    pthread_mutex_unlock(&r->state->lock);
    int code = bad ? fault_memory(f) : run_save(r->state, found, f);
    pthread_mutex_lock(&r->state->lock);
    if (code && before) undo(found, change, before);
    state_changed(r->state);
    pthread_mutex_unlock(&r->state->lock);
    json_decref(before);
    json_decref(change);
    return code;
}

/* By what the body asks to change: `read` makes the members of it. */
static int change_run(request *r, reply *answer, int (*read)(const json_t *, json_t **, fault *),
                      fault *f)
{
    json_t *json = NULL, *change = NULL;
    run *found = state_run(r->state, r->parameter[0]);
    if (!found) return no_run(r, f);
    int code = request_json(r, &json, f);
    if (!code) code = read(json, &change, f);
    if (!code) code = change_about(r, found, change, f);
    json_decref(json);
    run_release(r->state, found);
    if (!code) answer->json = json_pack("{s:b}", "ok", 1);
    return code;
}

static int read_name(const json_t *json, json_t **change, fault *f)
{
    enum { MOST_NAME = 200 };
    json_t *name = json_object_get(json, "name");
    size_t length = json_string_length(name);
    if (!json_is_string(name) || length == 0 || length > MOST_NAME)
        return fault_say(f, HTTP_BAD, "name", "name should be a text of up to %d bytes", MOST_NAME);
    *change = json_pack("{s:O}", "name", name);
    return 0;
}

int run_rename(request *r, reply *answer, fault *f)
{
    return change_run(r, answer, read_name, f);
}

enum { MOST_TAGS = 20, MOST_TAG = 60, MOST_NOTE = 4000 };

static int are_tags(const json_t *tags)
{
    size_t i;
    json_t *tag;
    if (!json_is_array(tags) || json_array_size(tags) > MOST_TAGS) return 0;
    json_array_foreach(tags, i, tag)
    {
        size_t length = json_string_length(tag);
        if (!json_is_string(tag) || length == 0 || length > MOST_TAG) return 0;
    }
    return 1;
}

/* Either may be left out, and stays as it is. */
static int read_notes(const json_t *json, json_t **change, fault *f)
{
    json_t *tags = json_object_get(json, "tags"), *note = json_object_get(json, "note");
    if (!tags && !note)
        return fault_say(f, HTTP_BAD, NULL, "there should be tags, or a note, or both");
    if (tags && !are_tags(tags))
        return fault_say(f, HTTP_BAD, "tags",
                         "tags should be a list of up to %d texts of up to %d bytes", MOST_TAGS,
                         MOST_TAG);
    if (note && (!json_is_string(note) || json_string_length(note) > MOST_NOTE))
        return fault_say(f, HTTP_BAD, "note", "note should be a text of up to %d bytes", MOST_NOTE);
    *change = json_pack("{s:O*, s:O*}", "tags", tags, "note", note);
    return 0;
}

int run_note(request *r, reply *answer, fault *f)
{
    return change_run(r, answer, read_notes, f);
}
