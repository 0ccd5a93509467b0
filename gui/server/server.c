/* Starts the daemon and the threads, counts streams, and stops them in order. */
#include "gui/server/server.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "gui/server/clock.h"
#include "gui/server/door.h"
#include "gui/server/http.h"
#include "gui/server/secret.h"
#include "gui/server/ticket.h"
#include "gui/server/work.h"

enum { MOST_CONNECTIONS = 64, MOST_STREAMS = 56, IDLE_SECONDS = 30, STACK = 1 << 20 };
/* How long it is waited for when the server ends; the work writes down what is finished. */
enum { REQUEST_SECONDS = 2, WORK_SECONDS = 5 };

struct gui_server {
    state state;
    char token[2 * TOKEN_BYTES + 1];
    char ticket[2 * TICKET_BYTES + 1];
    atomic_int ticket_used;
    double started;
    atomic_int streams;
    pthread_mutex_t ticket_lock;
    ticket_file ticket_file; /* for the browser */
    char address[160];
    door *door;
    struct MHD_Daemon *daemon;
    pthread_t worker;
    int working; /* the thread was started */
};

state *server_state(gui_server *server)
{
    return &server->state;
}

const char *server_token(const gui_server *server)
{
    return server->token;
}

int server_port(const gui_server *server)
{
    return door_port(server->door);
}

int server_add_stream(gui_server *server)
{
    if (atomic_fetch_add(&server->streams, 1) < MOST_STREAMS) return 1;
    server_remove_stream(server);
    return 0;
}

void server_remove_stream(gui_server *server)
{
    atomic_fetch_sub(&server->streams, 1);
}

/* ---- the ticket ---- */

static void drop_ticket_file(gui_server *server)
{
    pthread_mutex_lock(&server->ticket_lock);
    ticket_remove(&server->ticket_file);
    pthread_mutex_unlock(&server->ticket_lock);
}

const char *gui_ticket_place(gui_server *server)
{
    pthread_mutex_lock(&server->ticket_lock);
    int made = ticket_write(&server->ticket_file, server_port(server), server->ticket,
                            server->state.store.path);
    pthread_mutex_unlock(&server->ticket_lock);
    return made ? server->ticket_file.place : NULL;
}

void gui_tidy(gui_server *server)
{
    if (clock_seconds() - server->started > TICKET_SECONDS) drop_ticket_file(server);
}

int server_use_ticket(gui_server *server, const char *given)
{
    if (clock_seconds() - server->started > TICKET_SECONDS || !same_secret(given, server->ticket))
        return 0;
    if (atomic_exchange(&server->ticket_used, 1) != 0) return 0;
    drop_ticket_file(server);
    return 1;
}

/* ---- listening ---- */

static int knows(void *user, const char *head, size_t length)
{
    const gui_server *server = user;
    return http_bears(head, length, server->token, server->ticket);
}

/* At the port of the folder's last server where none is asked for: its tabs look there. */
static int open_door(gui_server *server, int port, int former, fault *f)
{
    int code = 1;
    if (port == 0 && former > 0)
        code = door_open(&server->door, former, MOST_CONNECTIONS, knows, server, f);
    if (!code) return 0;
    door_free(server->door);
    server->door = NULL;
    return door_open(&server->door, port, MOST_CONNECTIONS, knows, server, f);
}

/* A thread for each connection: a table that takes long to read, or a stream of events, holds up
 * nobody. There are few of them, and waiting costs nothing. */
static int start_daemon(gui_server *server, fault *f)
{
    server->daemon = MHD_start_daemon(
        MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_THREAD_PER_CONNECTION | MHD_USE_POLL |
            MHD_USE_ITC | MHD_USE_NO_LISTEN_SOCKET,
        0, NULL, NULL, http_answer, server, MHD_OPTION_NOTIFY_COMPLETED, http_done, NULL,
        MHD_OPTION_NOTIFY_CONNECTION, door_notice, server->door, MHD_OPTION_CONNECTION_LIMIT,
        (unsigned)door_most(server->door), MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)IDLE_SECONDS,
        MHD_OPTION_THREAD_STACK_SIZE, (size_t)STACK, MHD_OPTION_STRICT_FOR_CLIENT, 1,
        MHD_OPTION_END);
    if (server->daemon && door_start(server->door, server->daemon)) return 0;
    if (errno == EAGAIN || errno == ENOMEM) /* EAGAIN is what a thread without a stack gets */
        return fault_say(f, HTTP_FAILED, NULL,
                         "out of memory, or of threads: those of the page cannot be started");
    return fault_say(f, HTTP_FAILED, NULL, "cannot listen at 127.0.0.1:%d: %s", server_port(server),
                     strerror(errno));
}

static int start(const gui_options *options, gui_server *server, fault *f)
{
    int former = 0;
    server->started = clock_seconds();
    if (!store_random_text(server->ticket, TICKET_BYTES))
        return fault_say(f, HTTP_FAILED, NULL, "no random numbers");
    int code = state_open(&server->state, options->folder, options->quota, f);
    if (!code) code = secret_take(&server->state.store, server->token, TOKEN_BYTES, &former, f);
    if (code) return code;
    server->state.threads =
        options->threads > 0 ? options->threads : (int)sysconf(_SC_NPROCESSORS_ONLN);
    snprintf(server->state.samples, sizeof server->state.samples, "%s",
             options->samples ? options->samples : "");
    server->working = pthread_create(&server->worker, NULL, work_forever, &server->state) == 0;
    if (!server->working) return fault_memory(f);
    code = open_door(server, options->port, former, f);
    if (!code) code = start_daemon(server, f);
    if (!code) code = secret_keep(&server->state.store, server->token, server_port(server), f);
    if (code) return code;
    snprintf(server->address, sizeof server->address, "http://127.0.0.1:%d/?token=%s",
             server_port(server), server->token);
    return 0;
}

/* Signals are for the thread that waits for them, not for those made here. */
static int start_deaf(const gui_options *options, gui_server *server, fault *f)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int code = start(options, server, f);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return code;
}

int gui_start(const gui_options *options, gui_server **server, char *message, size_t size)
{
    fault f = {0};
    gui_server *made = calloc(1, sizeof *made);
    if (!made) {
        snprintf(message, size, "out of memory");
        return 0;
    }
    made->state.store.root = made->state.store.locked = -1;
    made->ticket_file.folder = -1;
    pthread_mutex_init(&made->ticket_lock, NULL);
    if (start_deaf(options, made, &f) == 0) {
        *server = made;
        return 1;
    }
    snprintf(message, size, "%s", f.message);
    gui_stop(made);
    return 0;
}

const char *gui_address(const gui_server *server)
{
    return server->address;
}

/* Waits for the thread, but not for long; 0 if it does not end. */
static int join_within(pthread_t thread, int seconds)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += seconds;
    return pthread_timedjoin_np(thread, NULL, &until) == 0;
}

static void *close_connections(void *daemon)
{
    MHD_stop_daemon(daemon);
    return NULL;
}

/* It waits for the requests under way: a table that is being read may take long. 0 if it does not
 * end. */
static int stop_listening(gui_server *server)
{
    pthread_t closing;
    if (!server->daemon) return 1;
    if (pthread_create(&closing, NULL, close_connections, server->daemon) == 0)
        return join_within(closing, REQUEST_SECONDS);
    MHD_stop_daemon(server->daemon);
    return 1;
}

static void save_unfinished(state *s)
{
    fault unsaved;
    for (run *r = s->runs; r; r = r->next) {
        pthread_mutex_lock(&s->lock);
        int going = r->status == RUN_QUEUED || r->status == RUN_RUNNING;
        if (going) r->status = RUN_STOPPED;
        pthread_mutex_unlock(&s->lock);
        if (going) run_save(s, r, &unsaved);
    }
}

int gui_stop(gui_server *server)
{
    atomic_store(&server->state.closing, 1);
    pthread_mutex_lock(&server->state.lock);
    pthread_cond_broadcast(&server->state.changed);
    pthread_mutex_unlock(&server->state.lock);
    drop_ticket_file(server);
    door_shut(server->door);
    int closed = stop_listening(server);
    int ended = !server->working || join_within(server->worker, WORK_SECONDS);
    save_unfinished(&server->state);
    if (!closed || !ended) return 0;
    door_free(server->door);
    state_close(&server->state);
    pthread_mutex_destroy(&server->ticket_lock);
    free(server);
    return 1;
}
