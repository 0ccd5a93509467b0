/* Makes runs from settings, queues them, and does one after another. */
#include "gui/server/work.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gui/server/clock.h"
#include "gui/server/job.h"
#include "gui/server/table_columns.h"

/* ---- the queue ---- */

/* A text, or the first of a list of them; NULL where there is none. */
static const char *first_text(const json_t *value)
{
    return json_string_value(json_is_array(value) ? json_array_get(value, 0) : value);
}

/* "logistic" where it was asked for; NULL of the square loss. */
static const char *loss_text(const json_t *settings)
{
    const char *loss = first_text(json_object_get(settings, "loss"));
    if (loss && strcmp(loss, "square") != 0) return loss;
    return json_is_true(json_object_get(settings, "probability")) ? "logistic" : NULL;
}

/* "lpsa from prostate.csv, linear": runs on one table should not all be called alike. */
static void name_run(const char *table, const json_t *asked, char *name, size_t size)
{
    const json_t *settings = json_object_get(asked, "settings");
    const char *target = first_text(json_object_get(settings, "target")),
               *kernels = first_text(json_object_get(settings, "kernels")),
               *loss = loss_text(settings);
    snprintf(name, size, "%.60s%s%.120s%s%.40s%s%.40s", target ? target : "",
             target ? " from " : "", table, kernels ? ", " : "", kernels ? kernels : "",
             loss ? ", " : "", loss ? loss : "");
}

static int is_taken(state *s, const char *name)
{
    int taken = 0;
    pthread_mutex_lock(&s->lock);
    for (const run *r = s->runs; r && !taken; r = r->next) {
        const char *other = json_string_value(json_object_get(r->about, "name"));
        taken = other && strcmp(other, name) == 0;
    }
    pthread_mutex_unlock(&s->lock);
    return taken;
}

/* "NAME (2)" where there is a NAME. */
static void tell_apart(state *s, char *name, size_t size)
{
    size_t length = strlen(name);
    for (int i = 2; i < 10000 && is_taken(s, name); i++)
        snprintf(name + length, size - length, " (%d)", i);
}

static json_t *new_about(state *s, const char *id, const json_t *asked)
{
    char name[256], title[300];
    const char *data = json_string_value(json_object_get(asked, "data"));
    state_data_name(s, data ? data : "", name, sizeof name);
    name_run(name, asked, title, sizeof title);
    tell_apart(s, title, sizeof title);
    return json_pack("{s:s, s:o, s:s, s:{s:s, s:o}, s:n}", "id", id, "name", json_words(title),
                     "created", clock_date().text, "data", "id", data ? data : "", "name",
                     json_words(name), "summary");
}

static int make_run(state *s, json_t *asked, run **made, fault *f)
{
    run *r = calloc(1, sizeof *r);
    if (!r || !store_new_id(r->id)) {
        free(r);
        json_decref(asked);
        return fault_memory(f);
    }
    r->users = 2; /* the list's, and that of the caller */
    r->asked = asked;
    r->about = new_about(s, r->id, asked);
    *made = r;
    if (!r->about) return fault_memory(f);
    return run_begin(s, r, f);
}

int work_add(state *s, json_t *asked, char id[ID_LENGTH + 1], fault *f)
{
    run *r = NULL;
    int code = make_run(s, asked, &r, f);
    if (!r) return code;
    if (code) {
        r->removed = 1;
        r->users = 1;
        run_release(s, r);
        return code;
    }
    memcpy(id, r->id, sizeof r->id);
    pthread_mutex_lock(&s->lock);
    r->next = s->runs;
    s->runs = r;
    state_changed(s);
    run_changed(s, r);
    pthread_mutex_unlock(&s->lock);
    run_release(s, r);
    return 0;
}

/* The run that has waited longest, now running and in use; NULL if none waits. The lock is held. */
static run *next_run(state *s)
{
    run *oldest = NULL;
    for (run *r = s->runs; r; r = r->next)
        if (r->status == RUN_QUEUED) oldest = r;
    if (!oldest) return NULL;
    oldest->status = RUN_RUNNING;
    oldest->users++;
    run_changed(s, oldest);
    return oldest;
}

/* ---- runs ---- */

static void finish(job *j, int code, const fault *f)
{
    fault unsaved;
    run *r = j->run;
    pthread_mutex_lock(&j->state->lock);
    int stopped = !j->complete && job_is_stopped(j);
    r->seconds = clock_seconds() - j->begun;
    r->status = stopped ? RUN_STOPPED : !code ? RUN_DONE : RUN_FAILED;
    if (code && !stopped) json_object_set_new(r->about, "error", json_words(f->message));
    if (code && !stopped && f->field[0])
        json_object_set_new(r->about, "field", json_words(f->field));
    pthread_mutex_unlock(&j->state->lock);
    run_save(j->state, r, &unsaved); /* before it is told: who asks next finds it on the disk */
    pthread_mutex_lock(&j->state->lock);
    run_changed(j->state, r);
    pthread_mutex_unlock(&j->state->lock);
}

static void do_run(state *s, run *r)
{
    fault f = {0}, unsaved;
    job *j = calloc(1, sizeof *j);
    if (!j) {
        pthread_mutex_lock(&s->lock);
        r->status = RUN_FAILED;
        run_changed(s, r);
        pthread_mutex_unlock(&s->lock);
        return;
    }
    j->state = s;
    j->run = r;
    j->begun = clock_seconds();
    run_save(s, r, &unsaved);
    finish(j, job_work(j, &f), &f);
    free(j);
}

void *work_forever(void *user)
{
    state *s = user;
    pthread_mutex_lock(&s->lock);
    while (!atomic_load(&s->closing)) {
        run *r = next_run(s);
        if (!r) {
            pthread_cond_wait(&s->changed, &s->lock);
            continue;
        }
        pthread_mutex_unlock(&s->lock);
        do_run(s, r);
        run_release(s, r);
        pthread_mutex_lock(&s->lock);
    }
    pthread_mutex_unlock(&s->lock);
    return NULL;
}
