/* GET /api/runs/ID/events: progress as it comes, with ?lists=1 also that the lists of tables and
 * runs have changed; GET /api/events: that alone. The thread of the connection waits for news; that
 * it does so costs nothing, and a client that has gone is noticed within a second. */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "gui/server/routes.h"
#include "gui/server/table_columns.h"

enum { HEARTBEAT_SECONDS = 10, BLOCK = 4096 };

typedef struct stream {
    state *state;
    run *run;        /* NULL: the stream is about the lists alone */
    int lists;       /* is it about them too? */
    int64_t edition; /* of them, told last */
    int socket;
    int64_t version; /* told last */
    int64_t points;  /* of the path told so far */
    int64_t before;  /* runs before it, as told last; -1: not told */
    int ended;
    struct timespec beat; /* when something was last sent */
    char *text;           /* being sent, NULL where nothing is */
    size_t length, sent;
} stream;

static int is_over(const run *r)
{
    return r->told != RUN_QUEUED && r->told != RUN_RUNNING;
}

/* Takes the JSON over. */
static void write_event(FILE *out, const char *name, json_t *json)
{
    char *text = json ? json_dumps(json, JSON_COMPACT) : NULL;
    if (text) fprintf(out, "event: %s\ndata: %s\n\n", name, text);
    free(text);
    json_decref(json);
}

static json_t *describe_progress(const run *r)
{
    const run_progress *at = &r->progress;
    return json_pack("{s:s, s:i, s:i, s:I, s:I, s:o, s:o, s:o, s:o, s:o, s:b}", "stage", at->stage,
                     "stage_number", at->number, "stage_count", at->count, "done",
                     (json_int_t)at->done, "total", (json_int_t)at->total, "eta_s",
                     at->eta >= 0.0 ? json_finite(at->eta) : json_null(), "elapsed_s",
                     json_finite(at->elapsed), "share", json_finite(at->share), "lambda",
                     json_finite(at->lambda), "gap", json_finite(at->gap), "result", r->has_result);
}

/* Points that were finished since, as {"points": [...]}; to a client that comes late all so far. */
static void write_points(FILE *out, stream *s)
{
    const run *r = s->run;
    if (s->points == r->point_count) return;
    json_t *list = json_array();
    for (; s->points < r->point_count; s->points++) {
        const live_point *at = &r->points[s->points];
        json_array_append_new(
            list, json_pack("{s:I, s:o, s:o, s:I, s:o, s:o}", "index", (json_int_t)s->points,
                            "lambda", json_finite(at->lambda), "df", json_finite(at->df),
                            "selected", (json_int_t)at->selected, "gap", json_finite(at->gap),
                            "seconds", json_finite(at->seconds)));
    }
    write_event(out, "points", json_pack("{s:o}", "points", list));
}

static void write_status(FILE *out, stream *s)
{
    const run *r = s->run;
    json_t *json =
        json_pack("{s:s, s:b}", "status", run_status_name(r->told), "result", r->has_result != 0);
    s->before = r->told == RUN_QUEUED ? run_before(r) : -1;
    if (s->before >= 0) json_object_set_new(json, "before", json_integer(s->before));
    write_event(out, "status", json);
}

static int have_lists_changed(const stream *s)
{
    return s->lists && s->state->edition != s->edition;
}

static int has_run_changed(const stream *s)
{
    const run *r = s->run;
    if (!r) return 0;
    return r->version != s->version || (r->told == RUN_QUEUED && run_before(r) != s->before);
}

static int has_news(const stream *s)
{
    return have_lists_changed(s) || has_run_changed(s);
}

static void write_run(FILE *out, stream *s)
{
    const run *r = s->run;
    write_points(out, s);
    if (r->told == RUN_RUNNING && r->progress.total > 0)
        write_event(out, "progress", describe_progress(r));
    else
        write_status(out, s);
    s->version = r->version;
    s->ended = is_over(r);
}

/* What is new; 0 when out of memory. The lock is held. */
static int write_news(stream *s)
{
    FILE *out = open_memstream(&s->text, &s->length);
    if (!out) return 0;
    if (have_lists_changed(s)) {
        s->edition = s->state->edition;
        write_event(out, "changed", json_pack("{s:I}", "edition", (json_int_t)s->edition));
    }
    if (has_run_changed(s)) write_run(out, s);
    fclose(out);
    return s->text != NULL;
}

static int has_gone(const stream *s)
{
    struct pollfd one = {.fd = s->socket, .events = POLLRDHUP};
    return poll(&one, 1, 0) > 0 && (one.revents & (POLLRDHUP | POLLHUP | POLLERR));
}

static int is_silent(stream *s)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec - s->beat.tv_sec >= HEARTBEAT_SECONDS;
}

static void wait_a_second(state *s)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec++;
    pthread_cond_timedwait(&s->changed, &s->lock, &until);
}

/* Waits until there is something to send; 0 when the client or the server has gone. */
static int wait_for_news(stream *s)
{
    int gone = 0, silent = 0;
    free(s->text);
    s->text = NULL;
    s->length = s->sent = 0;
    pthread_mutex_lock(&s->state->lock);
    while (!gone && !silent && !has_news(s) && !atomic_load(&s->state->closing)) {
        wait_a_second(s->state);
        gone = has_gone(s);
        silent = is_silent(s);
    }
    gone |= atomic_load(&s->state->closing);
    if (!gone && has_news(s)) gone = !write_news(s);
    pthread_mutex_unlock(&s->state->lock);
    if (!gone && !s->text) {
        s->text = strdup(": still here\n\n");
        s->length = s->text ? strlen(s->text) : 0;
    }
    clock_gettime(CLOCK_MONOTONIC, &s->beat);
    return !gone && s->length > 0;
}

static ssize_t read_stream(void *user, uint64_t position, char *buffer, size_t size)
{
    stream *s = user;
    (void)position;
    if (s->sent == s->length) {
        if (s->ended || !wait_for_news(s)) return MHD_CONTENT_READER_END_OF_STREAM;
    }
    size_t count = s->length - s->sent < size ? s->length - s->sent : size;
    memcpy(buffer, s->text + s->sent, count);
    s->sent += count;
    return (ssize_t)count;
}

static void free_stream(void *user)
{
    stream *s = user;
    run_release(s->state, s->run);
    free(s->text);
    free(s);
}

/* Takes the run over. */
static int answer_stream(const request *r, run *about, int lists, reply *answer, fault *f)
{
    stream *s = calloc(1, sizeof *s);
    if (!s) {
        run_release(r->state, about);
        return fault_memory(f);
    }
    s->state = r->state;
    s->run = about;
    s->lists = lists;
    s->version = s->edition = s->before = -1;
    s->socket =
        MHD_get_connection_info(r->connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
    clock_gettime(CLOCK_MONOTONIC, &s->beat);
    answer->response =
        MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, BLOCK, read_stream, s, free_stream);
    if (!answer->response) {
        free_stream(s);
        return fault_memory(f);
    }
    MHD_add_response_header(answer->response, "Content-Type", "text/event-stream");
    return 0;
}

int run_events(request *r, reply *answer, fault *f)
{
    run *found = state_run(r->state, r->parameter[0]);
    if (found) return answer_stream(r, found, request_number(r, "lists", 0, 1) == 1, answer, f);
    return fault_say(f, HTTP_NONE, NULL, "there is no run with the id %s", r->parameter[0]);
}

int state_events(request *r, reply *answer, fault *f)
{
    return answer_stream(r, NULL, 1, answer, f);
}
