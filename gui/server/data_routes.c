/* Tables: uploaded, or those that come along. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gui/server/clock.h"
#include "gui/server/routes.h"
#include "gui/server/table_columns.h"

/* ---- those that come along ---- */

typedef struct sample {
    const char *name, *title, *target, *task, *note;
    int rows, columns;
} sample;

static const sample SAMPLES[] = {
    {"prostate", "Prostate cancer", "lpsa", "regression",
     "97 patients: the level of an antigen from eight measurements; the column train marks the "
     "textbook's "
     "test rows (F).",
     97, 10},
    {"housing", "Boston housing", "MEDV", "regression",
     "Median values of homes in 506 areas from 13 numbers.", 506, 14},
    {"auto-mpg", "Auto MPG", "mpg", "regression",
     "Miles per gallon of 398 cars; six rows have an empty cell.", 398, 9},
    {"cpu", "CPU performance", "ERP", "regression",
     "Relative performance of 209 computers as estimated by the article; PRP is the one published.",
     209, 10},
    {"servo", "Servo", "rise_time", "regression",
     "Rise time of a servomechanism from four settings, two of them text.", 167, 5},
    {"pima", "Pima diabetes", "diabetes", "classification",
     "768 women: diabetes or not from eight measurements.", 768, 9},
    {"heart", "Heart disease", "class", "classification",
     "270 patients: disease absent (1) or present (2).", 270, 14},
    {"liver", "Liver disorders", "selector", "classification",
     "345 men: two groups from blood tests.", 345, 7},
    {"ionosphere", "Ionosphere", "class", "classification",
     "351 radar returns, good or bad, from 34 numbers.", 351, 35},
    {"wpbc", "Breast cancer prognosis", "outcome", "classification",
     "198 patients: recurrence or not; four rows have an empty cell.", 198, 34},
    {"sonar", "Sonar", "class", "classification",
     "208 echoes, of mines or rocks, in 60 frequency bands.", 208, 61},
};

enum { SAMPLE_COUNT = sizeof SAMPLES / sizeof *SAMPLES };

/* A setting that suits a sample, beside its target. */
typedef struct wants {
    const char *name, *setting, *value;
} wants;

static const wants WANTS[] = {
    {"prostate", "test_rows", "train=F"},
    {"auto-mpg", "drop", "car_name"},
    {"cpu", "drop", "model"},
    {"ionosphere", "drop", "V2"}, /* constant */
};

static void add_wants(const char *name, json_t *about)
{
    for (size_t i = 0; i < sizeof WANTS / sizeof *WANTS; i++) {
        const wants *it = &WANTS[i];
        if (strcmp(it->name, name) == 0)
            json_object_set_new(about, "settings", json_pack("{s:s}", it->setting, it->value));
    }
}

json_t *data_samples(const state *s)
{
    json_t *list = json_array();
    for (int i = 0; s->samples[0] && i < SAMPLE_COUNT; i++) {
        const sample *it = &SAMPLES[i];
        json_t *about = json_pack("{s:s, s:s, s:i, s:i, s:s, s:s, s:s}", "name", it->name, "title",
                                  it->title, "rows", it->rows, "columns", it->columns, "target",
                                  it->target, "task", it->task, "note", it->note);
        if (about) add_wants(it->name, about);
        json_array_append_new(list, about);
    }
    return list;
}

static const sample *find_sample(const char *name)
{
    for (int i = 0; name && i < SAMPLE_COUNT; i++)
        if (strcmp(SAMPLES[i].name, name) == 0) return &SAMPLES[i];
    return NULL;
}

const char *data_sample_target(const char *name)
{
    const sample *found = find_sample(name);
    return found ? found->target : NULL;
}

/* ---- keeping a table ---- */

/* A table being taken in: read before it is kept, so that nothing unreadable is. */
typedef struct arrival {
    char id[ID_LENGTH + 1];
    char name[200];
    json_t *reading;  /* borrowed; NULL: as the command reads by default */
    const char *path; /* of the bytes now; they are moved */
    int64_t bytes;
    const sample *sample;
} arrival;

static json_t *arrival_about(const arrival *a, const rls2_table *table)
{
    json_t *about = columns_about(table);
    if (!about) return NULL;
    int bad = json_object_set_new(about, "id", json_string(a->id));
    bad |= json_object_set_new(about, "name", json_words(a->name));
    bad |= json_object_set_new(about, "bytes", json_integer(a->bytes));
    bad |= json_object_set_new(about, "created", json_string(clock_date().text));
    if (a->reading) bad |= json_object_set(about, "reading", a->reading);
    if (a->sample) {
        bad |= json_object_set_new(about, "target", json_string(a->sample->target));
        bad |= json_object_set_new(about, "targets", json_pack("[s]", a->sample->target));
        bad |= json_object_set_new(about, "task_guess", json_string(a->sample->task));
        bad |= json_object_set_new(about, "sample", json_true());
    }
    if (!bad) return about;
    json_decref(about);
    return NULL;
}

static int move_in(state *s, const arrival *a, const json_t *about, fault *f)
{
    char path[STORE_PATH];
    int code = store_begin(&s->store, "data", a->id, f);
    if (code) return code;
    store_new_path(path, "data", a->id, "about.json");
    code = store_write_json(&s->store, path, about, f);
    store_new_path(path, "data", a->id, "bytes");
    if (!code) code = store_move(&s->store, a->path, path, f);
    if (!code) code = store_complete(&s->store, "data", a->id, f);
    if (code) store_remove(&s->store, "data", a->id);
    return code;
}

static int keep(state *s, const arrival *a, rls2_table *table, json_t *about, fault *f)
{
    data_entry *made = calloc(1, sizeof *made);
    int code = made && about ? move_in(s, a, about, f) : fault_memory(f);
    if (code) {
        free(made);
        rls2_table_free(table);
        return code;
    }
    memcpy(made->id, a->id, sizeof made->id);
    made->about = json_incref(about);
    cache_return(s->tables, cache_add(s->tables, a->id, table));
    pthread_mutex_lock(&s->lock);
    made->next = s->data;
    s->data = made;
    state_changed(s);
    pthread_mutex_unlock(&s->lock);
    return 0;
}

static int take_in(state *s, arrival *a, reply *answer, fault *f)
{
    rls2_table *table = NULL;
    if (!store_new_id(a->id)) return fault_say(f, HTTP_FAILED, NULL, "no random numbers");
    int code = columns_read(&s->store, a->path, a->name, a->reading, &table, f);
    if (code) return code;
    json_t *about = arrival_about(a, table);
    code = keep(s, a, table, about, f);
    if (!code) answer->json = json_deep_copy(about);
    json_decref(about);
    return code;
}

/* ---- upload ---- */

/* Texts that stand for missing values: the key may be there several times. */
static enum MHD_Result add_missing(void *user, enum MHD_ValueKind kind, const char *key,
                                   const char *value)
{
    (void)kind;
    if (strcmp(key, "na") == 0 && value && value[0]) json_array_append_new(user, json_words(value));
    return MHD_YES;
}

json_t *request_reading(const request *r)
{
    static const char *const KEYS[] = {"delimiter", "decimal", "header"};
    json_t *reading = json_object(), *missing = json_array();
    for (size_t i = 0; i < sizeof KEYS / sizeof *KEYS; i++)
        if (request_query(r, KEYS[i]) && request_query(r, KEYS[i])[0])
            json_object_set_new(reading, KEYS[i], json_words(request_query(r, KEYS[i])));
    MHD_get_connection_values(r->connection, MHD_GET_ARGUMENT_KIND, add_missing, missing);
    if (json_array_size(missing) > 0) json_object_set(reading, "na", missing);
    json_decref(missing);
    if (json_object_size(reading) > 0) return reading;
    json_decref(reading);
    return NULL;
}

int data_upload(request *r, reply *answer, fault *f)
{
    const char *name = request_query(r, "name");
    arrival a = {.path = r->file_path, .bytes = r->length};
    if (r->length == 0) return fault_say(f, HTTP_BAD, "data", "the file is empty");
    store_clean_name(name ? name : "", "data.csv", a.name, sizeof a.name);
    a.reading = request_reading(r);
    int code = take_in(r->state, &a, answer, f);
    json_decref(a.reading);
    if (!code) r->file_path[0] = '\0';
    return code;
}

/* A copy among the uploads, as if it had been sent. Takes the bytes over. */
static int copy_in(request *r, char *bytes, size_t length, arrival *a, fault *f)
{
    store_path(r->file_path, "uploads/.rls2-new-%s", a->id);
    int code = store_write(&r->state->store, r->file_path, bytes, length, f);
    free(bytes);
    a->path = r->file_path;
    a->bytes = (int64_t)length;
    return code;
}

static int copy_sample(request *r, const sample *wanted, arrival *a, fault *f)
{
    char path[STORE_PATH];
    size_t length = 0;
    snprintf(path, sizeof path, "%s/%s.csv", r->state->samples, wanted->name);
    char *bytes = r->state->samples[0] ? store_read_foreign(path, &length) : NULL;
    if (bytes) return copy_in(r, bytes, length, a, f);
    return fault_say(f, HTTP_NONE, "name", "%s.csv is not among the files of this installation",
                     wanted->name);
}

int data_builtin(request *r, reply *answer, fault *f)
{
    json_t *json = NULL;
    arrival a = {0};
    int code = request_json(r, &json, f);
    if (code) return code;
    const sample *wanted = find_sample(json_string_value(json_object_get(json, "name")));
    json_decref(json);
    if (!wanted) return fault_say(f, HTTP_BAD, "name", "there is no table of that name");
    a.sample = wanted;
    snprintf(a.name, sizeof a.name, "%s.csv", wanted->name);
    if (!store_new_id(a.id)) return fault_say(f, HTTP_FAILED, NULL, "no random numbers");
    code = copy_sample(r, wanted, &a, f);
    if (!code) code = take_in(r->state, &a, answer, f);
    if (code && a.path) store_drop(&r->state->store, a.path);
    return code;
}

/* ---- asking ---- */

static int no_data(const request *r, fault *f)
{
    return fault_say(f, HTTP_NONE, NULL, "there are no data with the id %s", r->parameter[0]);
}

/* The same bytes under other reading options: another table, as runs may still be of the first. */
int data_reread(request *r, reply *answer, fault *f)
{
    char path[STORE_PATH];
    size_t length = 0;
    arrival a = {0};
    if (!store_new_id(a.id)) return fault_say(f, HTTP_FAILED, NULL, "no random numbers");
    if (!state_data_name(r->state, r->parameter[0], a.name, sizeof a.name)) return no_data(r, f);
    a.reading = request_reading(r);
    store_path(path, "data/%s/bytes", r->parameter[0]);
    char *bytes = store_read(&r->state->store, path, &length);
    int code = bytes ? copy_in(r, bytes, length, &a, f) : no_data(r, f);
    if (!code) code = take_in(r->state, &a, answer, f);
    json_decref(a.reading);
    if (code && a.path) store_drop(&r->state->store, a.path);
    return code;
}

/* What is known of it; NULL if there are no such data, or memory is out. */
static json_t *about_of(state *s, const char *id)
{
    pthread_mutex_lock(&s->lock);
    data_entry *d = s->data;
    while (d && strcmp(d->id, id) != 0) d = d->next;
    json_t *about = d ? json_deep_copy(d->about) : NULL;
    pthread_mutex_unlock(&s->lock);
    return about;
}

/* A table that an earlier version described: its columns are taken for other things now. */
static int describe_again(request *r, json_t *about, fault *f)
{
    cached *table = NULL;
    int code = state_table(r->state, "", r->parameter[0], &table, f);
    if (code) return code;
    json_t *fresh = columns_about(table->value);
    cache_return(r->state->tables, table);
    if (!fresh) return fault_memory(f);
    json_object_set(about, "rows", json_object_get(fresh, "rows"));
    json_object_set(about, "column_count", json_object_get(fresh, "column_count"));
    json_object_update_missing(about, fresh); /* the target of a sample stays */
    json_decref(fresh);
    return 0;
}

int data_get(request *r, reply *answer, fault *f)
{
    json_t *about = about_of(r->state, r->parameter[0]);
    int code = about ? 0 : no_data(r, f);
    if (!code && !json_object_get(about, "columns")) code = describe_again(r, about, f);
    if (code)
        json_decref(about);
    else
        answer->json = about;
    return code;
}

int data_rows(request *r, reply *answer, fault *f)
{
    enum { MOST_ROWS = 1000, SOME_ROWS = 50, MOST_CELLS = 1000000 };
    cached *table = NULL;
    int64_t from = request_number(r, "from", 0, INT64_MAX),
            count = request_number(r, "count", SOME_ROWS, MOST_ROWS);
    if (from < 0)
        return fault_say(f, HTTP_BAD, "from", "from should be the number of a row, counted from 0");
    if (count < 0)
        return fault_say(f, HTTP_BAD, "count", "count should be a number up to %d", MOST_ROWS);
    int code = state_table(r->state, "", r->parameter[0], &table, f);
    if (code) return code;
    int64_t columns = rls2_table_columns(table->value);
    if (columns > 0 && count > MOST_CELLS / columns + 1) count = MOST_CELLS / columns + 1;
    answer->json = json_pack("{s:I, s:o}", "from", (json_int_t)from, "rows",
                             columns_rows(table->value, from, count));
    cache_return(r->state->tables, table);
    return 0;
}

/* Is a run that is not finished going to need it? The lock is held. */
static int is_wanted(const state *s, const char *id)
{
    for (const run *r = s->runs; r; r = r->next) {
        if (r->status != RUN_QUEUED && r->status != RUN_RUNNING) continue;
        const char *uses[] = {json_string_value(json_object_get(r->asked, "data")),
                              json_string_value(json_object_get(r->asked, "test_data")),
                              json_string_value(json_object_get(r->asked, "validation_data"))};
        for (int i = 0; i < 3; i++)
            if (uses[i] && strcmp(uses[i], id) == 0) return 1;
    }
    return 0;
}

int data_delete(request *r, reply *answer, fault *f)
{
    state *s = r->state;
    pthread_mutex_lock(&s->lock);
    int wanted = is_wanted(s, r->parameter[0]);
    data_entry **link = &s->data, *found;
    while (*link && strcmp((*link)->id, r->parameter[0]) != 0) link = &(*link)->next;
    found = *link;
    if (found && !wanted) {
        *link = found->next;
        state_changed(s);
    }
    pthread_mutex_unlock(&s->lock);
    if (!found) return no_data(r, f);
    if (wanted)
        return fault_say(f, HTTP_CONFLICT, NULL,
                         "a run that is not finished needs these data: stop it first");
    cache_forget(s->tables, found->id);
    store_retire(&s->store, "data", found->id);
    store_remove(&s->store, "data", found->id);
    json_decref(found->about);
    free(found);
    answer->json = json_pack("{s:b}", "ok", 1);
    return 0;
}
