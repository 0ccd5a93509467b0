/* Accepts connections on a thread of its own and hands over those that have sent a request head. */
#include "gui/server/door.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "gui/server/clock.h"

enum {
    MOST_VISITORS = 768,   /* at the door; they take no thread */
    STRANGER_PLACES = 8,   /* within, for those that are not known */
    SPARE_PLACES = 8,      /* of the daemon: it counts a connection a little longer than we do */
    STRANGER_SECONDS = 10, /* at the door, and again within */
    KNOWN_SECONDS = 60,    /* at the door, where all places are taken */
    HEAD_ROOM = 32 << 10,  /* as much as libmicrohttpd has for one */
    MOST_FILES = 4096,     /* the highest descriptor, plus one */
    MOST_EVENTS = 64
};

/* What an event is about, where it is not the number of a visitor. */
enum { ABOUT_LISTENING = MOST_VISITORS, ABOUT_WAKE };

typedef enum standing { ABSENT, WAITING, STRANGER, KNOWN } standing;

typedef struct visitor {
    int socket;
    standing is; /* WAITING: the head of its request is not complete */
    double since;
} visitor;

struct door {
    int listening, events, wake;
    int port, places;
    door_knows knows;
    void *user;
    struct MHD_Daemon *daemon;
    pthread_t thread;
    int started;
    atomic_int closing;
    visitor visitors[MOST_VISITORS];
    char head[HEAD_ROOM];
    /* those that were let in, by descriptor: the daemon's threads tell when they leave */
    pthread_mutex_t lock;
    unsigned char within[MOST_FILES]; /* a standing */
    double entered[MOST_FILES];
    int known, strangers;
};

/* ---- opening ---- */

static int watch(const door *d, int file, uint32_t what, uint32_t about)
{
    struct epoll_event event = {.events = what, .data.u32 = about};
    return epoll_ctl(d->events, EPOLL_CTL_ADD, file, &event) == 0;
}

static int listen_at(door *d, int port)
{
    const int on = 1;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    socklen_t size = sizeof address;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    d->listening = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (d->listening < 0) return 0;
    setsockopt(d->listening, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (bind(d->listening, (struct sockaddr *)&address, size) != 0 ||
        listen(d->listening, SOMAXCONN) != 0 ||
        getsockname(d->listening, (struct sockaddr *)&address, &size) != 0)
        return 0;
    d->port = ntohs(address.sin_port);
    return 1;
}

int door_open(door **made, int port, int places, door_knows knows, void *user, fault *f)
{
    door *d = calloc(1, sizeof *d);
    if (!d) return fault_memory(f);
    *made = d;
    d->places = places;
    d->knows = knows;
    d->user = user;
    d->listening = -1;
    pthread_mutex_init(&d->lock, NULL);
    d->events = epoll_create1(EPOLL_CLOEXEC);
    d->wake = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    if (d->events >= 0 && d->wake >= 0 && listen_at(d, port) &&
        watch(d, d->listening, EPOLLIN, ABOUT_LISTENING) && watch(d, d->wake, EPOLLIN, ABOUT_WAKE))
        return 0;
    return fault_say(f, HTTP_FAILED, NULL, "cannot listen at 127.0.0.1:%d: %s", port,
                     strerror(errno));
}

int door_port(const door *d)
{
    return d->port;
}

int door_most(const door *d)
{
    return d->places + STRANGER_PLACES + SPARE_PLACES;
}

/* ---- at the door ---- */

static void look_at(door *d, visitor *v, uint32_t what);

static void send_away(visitor *v)
{
    close(v->socket); /* which ends its events, too */
    *v = (visitor){.is = ABSENT};
}

/* Whoever has waited longest without being known; NULL if nobody has. */
static visitor *oldest_stranger(door *d)
{
    visitor *oldest = NULL;
    for (visitor *v = d->visitors; v < d->visitors + MOST_VISITORS; v++)
        if ((v->is == WAITING || v->is == STRANGER) && (!oldest || v->since < oldest->since))
            oldest = v;
    return oldest;
}

/* A free place at the door, made free where there is none; NULL if all who wait are known. */
static visitor *make_place(door *d)
{
    for (visitor *v = d->visitors; v < d->visitors + MOST_VISITORS; v++)
        if (v->is == ABSENT) return v;
    for (visitor *oldest; (oldest = oldest_stranger(d));) {
        look_at(d, oldest, 0); /* it may have spoken meanwhile */
        if (oldest->is == KNOWN) continue;
        if (oldest->is != ABSENT) send_away(oldest);
        return oldest;
    }
    return NULL;
}

static void welcome(door *d, int file)
{
    visitor *v = file < MOST_FILES ? make_place(d) : NULL;
    /* told of every byte that comes, once: those that came stay to be read by the daemon */
    if (!v || !watch(d, file, EPOLLIN | EPOLLRDHUP | EPOLLET, (uint32_t)(v - d->visitors))) {
        close(file);
        return;
    }
    *v = (visitor){.socket = file, .is = WAITING, .since = clock_seconds()};
}

/* No descriptor is left: somebody has to go, and where nobody can it is waited a moment. */
static void make_room(door *d)
{
    const struct timespec moment = {.tv_nsec = 20000000};
    visitor *oldest = oldest_stranger(d);
    if (oldest)
        send_away(oldest);
    else
        nanosleep(&moment, NULL);
}

/* As many as may wait: who was let in before is heard in between. */
static void take_in(door *d)
{
    for (int i = 0; i < MOST_VISITORS; i++) {
        int file = accept4(d->listening, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (file >= 0)
            welcome(d, file);
        else if (errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == ENOBUFS)
            make_room(d);
        else if (errno != EINTR && errno != ECONNABORTED)
            return;
    }
}

/* Bytes of the head, or 0 where it is not complete. */
static size_t head_length(const char *text, size_t length)
{
    const char *end = memmem(text, length, "\r\n\r\n", 4), *plain = memmem(text, length, "\n\n", 2);
    if (end && (!plain || end < plain)) return (size_t)(end - text) + 4;
    if (plain) return (size_t)(plain - text) + 2;
    return length == HEAD_ROOM ? length : 0; /* the daemon says that it is too long */
}

/* Looks at what has come so far, without taking it. */
static void look_at(door *d, visitor *v, uint32_t what)
{
    if (v->is != WAITING) return;
    ssize_t got = recv(v->socket, d->head, sizeof d->head, MSG_PEEK | MSG_DONTWAIT);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
    size_t length = got > 0 ? head_length(d->head, (size_t)got) : 0;
    if (length > 0)
        v->is = d->knows(d->user, d->head, length) ? KNOWN : STRANGER;
    else if (got <= 0 || (what & (EPOLLRDHUP | EPOLLHUP | EPOLLERR)))
        send_away(v); /* nothing more will come */
}

/* ---- letting in ---- */

static int enter(door *d, int file, standing is)
{
    pthread_mutex_lock(&d->lock);
    int *count = is == KNOWN ? &d->known : &d->strangers;
    int room = *count < (is == KNOWN ? d->places : STRANGER_PLACES);
    if (room) {
        ++*count;
        d->within[file] = (unsigned char)is;
        d->entered[file] = clock_seconds();
    }
    pthread_mutex_unlock(&d->lock);
    return room;
}

/* The lock is held. */
static void leave(door *d, int file)
{
    if (d->within[file] == KNOWN) d->known--;
    if (d->within[file] == STRANGER) d->strangers--;
    d->within[file] = ABSENT;
}

static void hand_over(door *d, visitor *v)
{
    int file = v->socket;
    struct sockaddr_in address = {.sin_family = AF_INET};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (!enter(d, file, v->is)) return;
    epoll_ctl(d->events, EPOLL_CTL_DEL, file, NULL);
    *v = (visitor){.is = ABSENT};
    if (MHD_add_connection(d->daemon, file, (struct sockaddr *)&address, sizeof address) == MHD_YES)
        return;
    pthread_mutex_lock(&d->lock); /* it is closed already */
    leave(d, file);
    pthread_mutex_unlock(&d->lock);
}

void door_notice(void *user, struct MHD_Connection *connection, void **context,
                 enum MHD_ConnectionNotificationCode what)
{
    door *d = user;
    const uint64_t one = 1;
    (void)context;
    if (what != MHD_CONNECTION_NOTIFY_CLOSED) return;
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    if (!info || info->connect_fd < 0 || info->connect_fd >= MOST_FILES) return;
    pthread_mutex_lock(&d->lock);
    leave(d, info->connect_fd);
    pthread_mutex_unlock(&d->lock);
    if (write(d->wake, &one, sizeof one) < 0) return; /* it is awake then */
}

/* ---- time ---- */

/* A stranger that does not take its answer: the daemon finds the connection closed. Until it has
 * told us so, which is before it closes the descriptor, that is still the same connection. */
static void hurry_strangers(door *d, double now)
{
    pthread_mutex_lock(&d->lock);
    for (int file = 0; d->strangers > 0 && file < MOST_FILES; file++)
        if (d->within[file] == STRANGER && now - d->entered[file] > STRANGER_SECONDS)
            shutdown(file, SHUT_RDWR);
    pthread_mutex_unlock(&d->lock);
}

static void look_round(door *d)
{
    double now = clock_seconds();
    for (visitor *v = d->visitors; v < d->visitors + MOST_VISITORS; v++) {
        if (v->is == KNOWN || v->is == STRANGER) hand_over(d, v);
        if (v->is != ABSENT && now - v->since > (v->is == KNOWN ? KNOWN_SECONDS : STRANGER_SECONDS))
            send_away(v);
    }
    hurry_strangers(d, now);
}

/* ---- the thread ---- */

static void attend(door *d, const struct epoll_event *event)
{
    uint64_t count;
    uint32_t about = event->data.u32;
    if (about == ABOUT_LISTENING)
        take_in(d);
    else if (about == ABOUT_WAKE)
        while (read(d->wake, &count, sizeof count) > 0) {
        }
    else
        look_at(d, &d->visitors[about], event->events);
}

static void *keep(void *user)
{
    door *d = user;
    struct epoll_event found[MOST_EVENTS];
    while (!atomic_load(&d->closing)) {
        int count = epoll_wait(d->events, found, MOST_EVENTS, 1000);
        for (int i = 0; i < count; i++) attend(d, &found[i]);
        look_round(d);
    }
    return NULL;
}

int door_start(door *d, struct MHD_Daemon *daemon)
{
    d->daemon = daemon;
    d->started = pthread_create(&d->thread, NULL, keep, d) == 0;
    return d->started;
}

void door_shut(door *d)
{
    const uint64_t one = 1;
    if (!d || !d->started) return;
    atomic_store(&d->closing, 1);
    ssize_t told = write(d->wake, &one, sizeof one);
    (void)told; /* it is awake where it cannot be told; and it looks every second */
    pthread_join(d->thread, NULL);
    d->started = 0;
    close(d->listening);
    d->listening = -1;
    for (visitor *v = d->visitors; v < d->visitors + MOST_VISITORS; v++)
        if (v->is != ABSENT) send_away(v);
}

void door_free(door *d)
{
    if (!d) return;
    if (d->listening >= 0) close(d->listening);
    if (d->events >= 0) close(d->events);
    if (d->wake >= 0) close(d->wake);
    pthread_mutex_destroy(&d->lock);
    free(d);
}
