/* Model files that were opened: kept, described, deleted. What is asked of their rows is in
 * model_rows.c. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gui/server/clock.h"
#include "gui/server/model_description.h"
#include "gui/server/model_source.h"
#include "gui/server/routes.h"
#include "gui/server/table_columns.h"

/* ---- opening one ---- */

typedef struct arrival {
    char id[ID_LENGTH + 1];
    char name[200];
    const char *path; /* of the bytes now; they are moved */
    int64_t bytes;
} arrival;

static json_t *listed(const arrival *a, const rls2_model *model)
{
    json_t *about = model_brief(model);
    if (!about) return NULL;
    int bad = json_object_set_new(about, "id", json_string(a->id));
    bad |= json_object_set_new(about, "name", json_words(a->name));
    bad |= json_object_set_new(about, "bytes", json_integer(a->bytes));
    bad |= json_object_set_new(about, "created", json_string(clock_date().text));
    if (!bad) return about;
    json_decref(about);
    return NULL;
}

static int move_in(state *s, const arrival *a, const json_t *about, fault *f)
{
    char path[STORE_PATH];
    int code = store_begin(&s->store, "models", a->id, f);
    if (code) return code;
    store_new_path(path, "models", a->id, "about.json");
    code = store_write_json(&s->store, path, about, f);
    store_new_path(path, "models", a->id, "bytes");
    if (!code) code = store_move(&s->store, a->path, path, f);
    if (!code) code = store_complete(&s->store, "models", a->id, f);
    if (code) store_remove(&s->store, "models", a->id);
    return code;
}

static int keep(state *s, const arrival *a, json_t *about, fault *f)
{
    data_entry *made = calloc(1, sizeof *made);
    int code = made && about ? move_in(s, a, about, f) : fault_memory(f);
    if (code) {
        free(made);
        return code;
    }
    memcpy(made->id, a->id, sizeof made->id);
    made->about = json_incref(about);
    pthread_mutex_lock(&s->lock);
    made->next = s->opened;
    s->opened = made;
    state_changed(s);
    pthread_mutex_unlock(&s->lock);
    return 0;
}

/* It is checked before it is kept, so that nothing unreadable is. */
int model_upload(request *r, reply *answer, fault *f)
{
    size_t length = 0;
    rls2_model *model = NULL;
    const char *name = request_query(r, "name");
    arrival a = {.path = r->file_path, .bytes = r->length};
    store_clean_name(name ? name : "", "opened.model", a.name, sizeof a.name);
    if (!store_new_id(a.id)) return fault_say(f, HTTP_FAILED, NULL, "no random numbers");
    char *bytes = store_read(&r->state->store, r->file_path, &length);
    if (!bytes) return fault_say(f, HTTP_FAILED, "model", "what was sent cannot be read");
    int code = model_unpack(a.name, bytes, length, &model, f);
    free(bytes);
    if (code) return code;
    json_t *about = listed(&a, model);
    rls2_model_free(model);
    code = keep(r->state, &a, about, f);
    if (!code) answer->json = json_deep_copy(about);
    if (!code) r->file_path[0] = '\0';
    json_decref(about);
    return code;
}

/* ---- asking ---- */

static void add_listed(state *s, const char *id, json_t *about)
{
    pthread_mutex_lock(&s->lock);
    const data_entry *m = s->opened;
    while (m && strcmp(m->id, id) != 0) m = m->next;
    if (m) json_object_update_missing(about, m->about);
    pthread_mutex_unlock(&s->lock);
}

/* Of a run's model: the name of the run, and its table. */
static void add_run(state *s, const run *found, json_t *about)
{
    pthread_mutex_lock(&s->lock);
    json_object_set_new(about, "run", json_string(found->id));
    json_object_set(about, "name", json_object_get(found->about, "name"));
    json_object_set(about, "data", json_object_get(found->about, "data"));
    pthread_mutex_unlock(&s->lock);
}

int model_get(request *r, reply *answer, fault *f)
{
    model_source from;
    int code = model_borrow(r, &from, f);
    json_t *about = code ? NULL : model_about(from.model);
    if (!code && !about) code = fault_memory(f);
    if (about && from.run) add_run(r->state, from.run, about);
    if (about && !from.run) add_listed(r->state, r->parameter[0], about);
    answer->json = about;
    model_release(r, &from);
    return code;
}

json_t *model_list(const state *s)
{
    json_t *list = json_array();
    for (const data_entry *m = s->opened; m; m = m->next)
        json_array_append_new(list, json_deep_copy(m->about));
    return list;
}

int model_delete(request *r, reply *answer, fault *f)
{
    char start[ID_LENGTH + 2];
    state *s = r->state;
    pthread_mutex_lock(&s->lock);
    data_entry **link = &s->opened, *found;
    while (*link && strcmp((*link)->id, r->parameter[0]) != 0) link = &(*link)->next;
    found = *link;
    if (found) {
        *link = found->next;
        state_changed(s);
    }
    pthread_mutex_unlock(&s->lock);
    if (!found)
        return fault_say(f, HTTP_NONE, NULL, "there is no model with the id %s", r->parameter[0]);
    snprintf(start, sizeof start, "%s/", found->id);
    cache_forget(s->models, start);
    store_retire(&s->store, "models", found->id);
    store_remove(&s->store, "models", found->id);
    json_decref(found->about);
    free(found);
    answer->json = json_pack("{s:b}", "ok", 1);
    return 0;
}
