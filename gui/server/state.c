/* Takes up the tables and runs of the folder, finds them by id, and saves what changes. */
#include "gui/server/state.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gui/server/run_plan.h"
#include "gui/server/store_open.h"
#include "gui/server/table_columns.h"

enum { TABLES_KEPT = 4, MODELS_KEPT = 16 };

static const char *const STATUS_NAMES[] = {"queued", "running", "done", "stopped", "failed"};

const char *run_status_name(run_status status)
{
    return STATUS_NAMES[status];
}

/* ---- reading the folder ---- */

static const char *created_of(const json_t *about)
{
    const char *text = json_string_value(json_object_get(about, "created"));
    return text ? text : "";
}

static void insert_entry(data_entry **link, data_entry *made)
{
    while (*link && strcmp(created_of((*link)->about), created_of(made->about)) > 0)
        link = &(*link)->next;
    made->next = *link;
    *link = made;
}

static void insert_run(state *s, run *made)
{
    run **link = &s->runs;
    while (*link && strcmp(created_of((*link)->about), created_of(made->about)) > 0)
        link = &(*link)->next;
    made->next = *link;
    *link = made;
}

/* Versions up to 0.7 understood less of a table: it is described anew when it is looked at. */
static void forget_description(json_t *about)
{
    json_t *reading = json_object_get(about, "reading"),
           *header = json_object_get(reading, "header");
    if (json_object_get(about, "notes")) return;
    json_object_del(about, "columns");
    if (json_is_boolean(header))
        json_object_set_new(reading, "header", json_string(json_is_true(header) ? "yes" : "no"));
}

/* What cannot be read, or is not there, is left alone: it may be of a later version. */
static data_entry *read_entry(const state *s, const char *kind, const char *id)
{
    char path[STORE_PATH];
    store_path(path, "%s/%s/about.json", kind, id);
    json_t *about = store_read_json(&s->store, path);
    data_entry *made = json_is_object(about) ? calloc(1, sizeof *made) : NULL;
    if (!made) {
        json_decref(about);
        return NULL;
    }
    memcpy(made->id, id, sizeof made->id);
    made->about = about;
    json_object_set_new(about, "id", json_string(id)); /* whatever the file says */
    return made;
}

static void found_data(void *user, const char *id)
{
    state *s = user;
    data_entry *made = read_entry(s, "data", id);
    if (!made) return;
    forget_description(made->about);
    insert_entry(&s->data, made);
}

static void found_model(void *user, const char *id)
{
    state *s = user;
    data_entry *made = read_entry(s, "models", id);
    if (made) insert_entry(&s->opened, made);
}

static run_status read_status(const json_t *about)
{
    const char *text = json_string_value(json_object_get(about, "status"));
    for (int i = 0; text && i < 5; i++)
        if (strcmp(text, STATUS_NAMES[i]) == 0) return (run_status)i;
    return RUN_FAILED;
}

static int has_result(const state *s, const char *id)
{
    char path[STORE_PATH];
    store_path(path, "runs/%s/result.json", id);
    return store_has(&s->store, path);
}

static int adopt_run(state *s, run *made, json_t *file)
{
    json_t *asked = json_object_get(file, "asked"), *former = json_object_get(file, "settings");
    made->asked = json_is_object(asked)    ? json_incref(asked)
                  : json_is_object(former) ? former_settings(former)
                                           : NULL;
    made->about = json_incref(json_object_get(file, "about"));
    if (!json_is_object(made->asked) || !json_is_object(made->about)) return 0;
    if (!json_object_get(file, "version"))
        former_defaults(made->asked, json_object_get(made->about, "summary"));
    json_object_set_new(made->about, "id", json_string(made->id)); /* whatever the file says */
    made->status = read_status(file);
    made->seconds = json_number_value(json_object_get(file, "seconds"));
    made->has_result = has_result(s, made->id);
    if (made->status == RUN_QUEUED || made->status == RUN_RUNNING) {
        fault ignored;
        made->status = RUN_STOPPED;
        json_object_set_new(made->about, "error",
                            json_string("interrupted: the server ended before the run did"));
        run_save(s, made, &ignored);
    }
    made->told = made->status;
    return 1;
}

static void free_run(run *r)
{
    json_decref(r->about);
    json_decref(r->asked);
    free(r->points);
    free(r);
}

static void found_run(void *user, const char *id)
{
    state *s = user;
    char path[STORE_PATH];
    store_path(path, "runs/%s/about.json", id);
    json_t *file = store_read_json(&s->store, path);
    run *made = file ? calloc(1, sizeof *made) : NULL;
    if (made) {
        memcpy(made->id, id, sizeof made->id);
        made->users = 1;
        if (adopt_run(s, made, file))
            insert_run(s, made);
        else
            free_run(made);
    }
    json_decref(file);
}

/* Each thread's arena would keep what it was given: with a thread for each connection that is many
 * times a table. */
static void destroy_table(void *table)
{
    rls2_table_free(table);
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

static void destroy_model(void *model)
{
    rls2_model_free(model);
}

int state_open(state *s, const char *folder, int64_t quota, fault *f)
{
    pthread_mutex_init(&s->lock, NULL);
    pthread_mutex_init(&s->saving, NULL);
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&s->changed, &monotonic);
    pthread_condattr_destroy(&monotonic);
    s->tables = cache_create(TABLES_KEPT, destroy_table);
    s->models = cache_create(MODELS_KEPT, destroy_model);
    if (!s->tables || !s->models) return fault_memory(f);
    int code = store_open(&s->store, folder, quota, f);
    if (!code) code = store_each(&s->store, "data", found_data, s, f);
    if (!code) code = store_each(&s->store, "models", found_model, s, f);
    if (!code) code = store_each(&s->store, "runs", found_run, s, f);
    return code;
}

static void free_entries(data_entry *first)
{
    while (first) {
        data_entry *next = first->next;
        json_decref(first->about);
        free(first);
        first = next;
    }
}

void state_close(state *s)
{
    free_entries(s->data);
    free_entries(s->opened);
    for (run *r = s->runs; r;) {
        run *next = r->next;
        free_run(r);
        r = next;
    }
    cache_free(s->tables);
    cache_free(s->models);
    store_close(&s->store);
    pthread_cond_destroy(&s->changed);
    pthread_mutex_destroy(&s->lock);
    pthread_mutex_destroy(&s->saving);
}

/* ---- data ---- */

static data_entry *find_data(const state *s, const char *id)
{
    data_entry *d = s->data;
    while (d && strcmp(d->id, id) != 0) d = d->next;
    return d;
}

int state_data_name(state *s, const char *id, char *name, size_t size)
{
    pthread_mutex_lock(&s->lock);
    data_entry *d = find_data(s, id);
    const char *text = d ? json_string_value(json_object_get(d->about, "name")) : NULL;
    snprintf(name, size, "%s", text ? text : "data.csv");
    pthread_mutex_unlock(&s->lock);
    return d != NULL;
}

json_t *state_reading(state *s, const char *id)
{
    pthread_mutex_lock(&s->lock);
    data_entry *d = find_data(s, id);
    json_t *reading = d ? json_deep_copy(json_object_get(d->about, "reading")) : NULL;
    pthread_mutex_unlock(&s->lock);
    return reading;
}

int state_table(state *s, const char *field, const char *id, cached **table, fault *f)
{
    char path[STORE_PATH], name[256];
    rls2_table *made = NULL;
    /* first of all: who was reading them while they were deleted put them into the cache afterwards
     */
    if (!state_data_name(s, id, name, sizeof name))
        return fault_say(f, strcmp(field, "") == 0 ? HTTP_NONE : HTTP_BAD, field,
                         "there are no data with the id %s", id);
    *table = cache_borrow(s->tables, id);
    if (*table) return 0;
    store_path(path, "data/%s/bytes", id);
    json_t *reading = state_reading(s, id);
    int code = columns_read(&s->store, path, name, reading, &made, f);
    json_decref(reading);
    if (code) return code;
    *table = cache_add(s->tables, id, made);
    return *table ? 0 : fault_memory(f);
}

/* ---- runs ---- */

run *state_run(state *s, const char *id)
{
    pthread_mutex_lock(&s->lock);
    run *r = s->runs;
    while (r && strcmp(r->id, id) != 0) r = r->next;
    if (r) r->users++;
    pthread_mutex_unlock(&s->lock);
    return r;
}

void run_release(state *s, run *r)
{
    if (!r) return;
    pthread_mutex_lock(&s->lock);
    int last = --r->users == 0;
    pthread_mutex_unlock(&s->lock);
    if (!last) return;
    if (r->removed) store_remove(&s->store, "runs", r->id);
    free_run(r);
}

int64_t run_before(const run *r)
{
    int64_t count = 0;
    for (const run *older = r->next; older; older = older->next)
        count += older->status == RUN_QUEUED || older->status == RUN_RUNNING;
    return count;
}

json_t *run_about(const run *r)
{
    json_t *about = json_deep_copy(r->about);
    if (!about) return NULL;
    int bad = json_object_set_new(about, "status", json_string(run_status_name(r->told)));
    bad |= json_object_set_new(about, "seconds", json_real(r->seconds));
    json_t *settings = json_object_get(r->asked, "settings");
    if (settings) bad |= json_object_set_new(about, "settings", json_deep_copy(settings));
    if (r->status == RUN_QUEUED)
        bad |= json_object_set_new(about, "before", json_integer(run_before(r)));
    if (!bad) return about;
    json_decref(about);
    return NULL;
}

/* What is written down of it; NULL when out of memory. The lock is held. */
static json_t *run_file(const run *r)
{
    return json_pack("{s:s, s:s, s:f, s:o*, s:o*}", "version", rls2_version(), "status",
                     run_status_name(r->status), "seconds", r->seconds, "about",
                     json_deep_copy(r->about), "asked", json_deep_copy(r->asked));
}

int run_begin(state *s, run *r, fault *f)
{
    char path[STORE_PATH];
    int code = store_begin(&s->store, "runs", r->id, f);
    if (code) return code;
    json_t *file = run_file(r);
    store_new_path(path, "runs", r->id, "about.json");
    code = store_write_json(&s->store, path, file, f);
    json_decref(file);
    return code ? code : store_complete(&s->store, "runs", r->id, f);
}

int run_save(state *s, run *r, fault *f)
{
    char path[STORE_PATH];
    pthread_mutex_lock(&s->saving);
    pthread_mutex_lock(&s->lock);
    int removed = r->removed;
    json_t *file = run_file(r);
    pthread_mutex_unlock(&s->lock);
    store_path(path, "runs/%s/about.json", r->id);
    int code = removed ? 0 : store_note_json(&s->store, path, file, f);
    pthread_mutex_unlock(&s->saving);
    json_decref(file);
    return code;
}

void state_changed(state *s)
{
    s->edition++;
    pthread_cond_broadcast(&s->changed);
}

void run_changed(state *s, run *r)
{
    if (r->told != r->status) state_changed(s);
    r->told = r->status;
    r->version++;
    pthread_cond_broadcast(&s->changed);
}
