/* GET /api/runs/ID/events: progress as it comes. The thread of the connection waits for news of the run; that it
 * does so costs nothing, and a client that has gone is noticed within a second. */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "gui/server/columns.h"
#include "gui/server/routes.h"

enum { HEARTBEAT_SECONDS = 10, BLOCK = 4096 };

typedef struct stream {
    state *state;
    run *run;
    int socket;
    int64_t version; /* told last */
    int ended;
    struct timespec beat; /* when something was last sent */
    char text[BLOCK / 2];
    size_t length, sent;
} stream;

static int is_over(const run *r)
{
    return r->status != RUN_QUEUED && r->status != RUN_RUNNING;
}

static void write_progress(stream *s, const run_progress *at)
{
    json_t *eta = at->eta >= 0.0 ? json_finite(at->eta) : json_null();
    json_t *json = json_pack("{s:s, s:I, s:I, s:o, s:o, s:o}", "stage", at->stage, "done",
                             (json_int_t)at->done, "total", (json_int_t)at->total, "eta_s", eta, "lambda",
                             json_finite(at->lambda), "gap", json_finite(at->gap));
    char *text = json ? json_dumps(json, JSON_COMPACT) : NULL;
    if (text)
        s->length += (size_t)snprintf(s->text + s->length, sizeof s->text - s->length,
                                      "event: progress\ndata: %s\n\n", text);
    free(text);
    json_decref(json);
}

static void write_status(stream *s, run_status status)
{
    s->length += (size_t)snprintf(s->text + s->length, sizeof s->text - s->length,
                                  "event: status\ndata: {\"status\":\"%s\"}\n\n", run_status_name(status));
}

/* What is new of the run. The lock is held. */
static void write_news(stream *s)
{
    const run *r = s->run;
    s->length = s->sent = 0;
    if (r->status == RUN_RUNNING && r->progress.total > 0)
        write_progress(s, &r->progress);
    else
        write_status(s, r->status);
    s->version = r->version;
    s->ended = is_over(r);
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
    pthread_mutex_lock(&s->state->lock);
    while (!gone && !silent && s->run->version == s->version && !atomic_load(&s->state->closing)) {
        wait_a_second(s->state);
        gone = has_gone(s);
        silent = is_silent(s);
    }
    gone |= atomic_load(&s->state->closing);
    if (!gone && s->run->version != s->version) write_news(s);
    pthread_mutex_unlock(&s->state->lock);
    if (gone) return 0;
    if (s->sent == s->length) {
        s->sent = 0;
        s->length = (size_t)snprintf(s->text, sizeof s->text, ": still here\n\n");
    }
    clock_gettime(CLOCK_MONOTONIC, &s->beat);
    return 1;
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
    free(s);
}

int run_events(request *r, reply *answer, fault *f)
{
    run *found = state_run(r->state, r->parameter[0]);
    if (!found) return fault_say(f, HTTP_NONE, NULL, "there is no run with the id %s", r->parameter[0]);
    stream *s = calloc(1, sizeof *s);
    if (!s) {
        run_release(r->state, found);
        return fault_memory(f);
    }
    s->state = r->state;
    s->run = found;
    s->version = -1;
    s->socket = MHD_get_connection_info(r->connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
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
