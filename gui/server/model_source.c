/* Finds and loads models. Files are checked whenever they are loaded. */
#include "gui/server/model_source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gui/server/detail.h"

int model_unpack(const char *name, const void *bytes, size_t length, rls2_model **model, fault *f)
{
    rls2_error err;
    rls2_model *made = NULL;
    if (rls2_model_unpack(name, bytes, (int64_t)length, &made, &err) != RLS2_OK)
        return fault_of(f, "model", &err);
    int code = 0;
    if (!rls2_model_output_name(made, 0))
        code = fault_say(f, HTTP_BAD, "model",
                         "%s: the model was made without a table and does not know how to read one",
                         name);
    else if (rls2_model_given_count(made) > 0)
        code = fault_say(f, HTTP_BAD, "model",
                         "%s: the model needs precomputed kernel matrices, which the page does not "
                         "take; use 'rls2 predict'",
                         name);
    if (!code)
        *model = made;
    else
        rls2_model_free(made);
    return code;
}

static int no_model(const request *r, fault *f)
{
    return fault_say(f, HTTP_NONE, NULL, "there is no model with the id %s", r->parameter[0]);
}

/* Its name as it was opened; 0 if there is none of that id. */
static int find_name(state *s, const char *id, char name[256])
{
    pthread_mutex_lock(&s->lock);
    const data_entry *m = s->opened;
    while (m && strcmp(m->id, id) != 0) m = m->next;
    const char *text = m ? json_string_value(json_object_get(m->about, "name")) : NULL;
    snprintf(name, 256, "%s", text ? text : "model");
    pthread_mutex_unlock(&s->lock);
    return m != NULL;
}

static int borrow_opened(request *r, model_source *from, fault *f)
{
    char path[STORE_PATH], key[64], name[256];
    size_t length = 0;
    rls2_model *made = NULL;
    if (!find_name(r->state, r->parameter[0], name)) return no_model(r, f);
    snprintf(key, sizeof key, "%s/", r->parameter[0]);
    from->item = cache_borrow(r->state->models, key);
    if (from->item) return 0;
    store_path(path, "models/%s/bytes", r->parameter[0]);
    char *bytes = store_read(&r->state->store, path, &length);
    if (!bytes) return fault_say(f, HTTP_FAILED, NULL, "%s cannot be read", name);
    int code = model_unpack(name, bytes, length, &made, f);
    free(bytes);
    if (code) return code;
    from->item = cache_add(r->state->models, key, made);
    return from->item ? 0 : fault_memory(f);
}

int model_borrow(request *r, model_source *from, fault *f)
{
    int opened = strncmp(r->route->path, "/api/models/", strlen("/api/models/")) == 0, code;
    *from = (model_source){.next = opened ? 1 : 2};
    if (opened) {
        code = borrow_opened(r, from, f);
    } else {
        code = detail_run(r, &from->run, f);
        if (!code) code = detail_model(r->state, from->run, request_index(r, 1), &from->item, f);
    }
    if (!code) from->model = from->item->value;
    return code;
}

void model_release(request *r, model_source *from)
{
    cache_return(r->state->models, from->item);
    run_release(r->state, from->run);
    *from = (model_source){0};
}
