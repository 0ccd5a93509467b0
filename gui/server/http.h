/* Requests and replies, above libmicrohttpd. */
#ifndef RLS2_GUI_HTTP_H
#define RLS2_GUI_HTTP_H

#include <jansson.h>
#include <microhttpd.h>
#include <stddef.h>
#include <stdint.h>

#include "gui/server/state.h"

enum { MOST_PARAMETERS = 3, TOKEN_BYTES = 32 };
/* What a client may send: settings, tables, and models. */
#define MOST_JSON ((int64_t)1 << 20)
#define MOST_UPLOAD ((int64_t)512 << 20)
#define MOST_MODEL ((int64_t)256 << 20)

typedef struct gui_server gui_server;

typedef struct request {
    gui_server *server;
    state *state;
    struct MHD_Connection *connection;
    const struct route *route;
    const char *parameter[MOST_PARAMETERS]; /* ids and numbers of the path, checked */
    char path[256];                         /* which they point into */
    double started;
    char *body; /* of JSON, with a zero behind it */
    int64_t length;
    int file;                   /* of an upload: a temporary one, or -1 */
    char file_path[STORE_PATH]; /* "" once it was moved away */
    int64_t kept;               /* bytes of it that count among those of the store */
    int over;                   /* the store may take no more */
    int failed;                 /* errno of what kept the body from being taken, or 0 */
    int streaming;              /* counted among the streams of events */
} request;

/* What is answered: JSON, bytes, or a stream of its own making. */
typedef struct reply {
    int status;
    json_t *json;
    char *bytes; /* freed by libmicrohttpd */
    size_t length;
    const char *type;              /* of the bytes */
    char file_name[300];           /* where not "": an attachment */
    char summary[200];             /* where not "": JSON about the bytes, as a header */
    struct MHD_Response *response; /* where not NULL, it */
} reply;

/* Tables and model files go to a file of their own. */
typedef enum body_kind { BODY_NONE, BODY_JSON, BODY_UPLOAD, BODY_MODEL } body_kind;

/* Fills the reply; 0, or the HTTP status with the fault filled. */
typedef int (*handler)(request *r, reply *answer, fault *f);

/* The path's parts, with ":id" for an id and ":n" for a number. */
typedef struct route {
    const char *method;
    const char *path;
    body_kind body;
    handler handle;
    const char *answer; /* its type in the page; "csv", "file", "stream", "page" or "ok" */
    const char *about;  /* in words, for gui/README.md */
} route;

extern const route ROUTES[]; /* ends with one whose method is NULL */

/* A value of the query; NULL where it is not there. */
const char *request_query(const request *r, const char *key);
/* A whole number of the query, within limits; `fallback` where it is not there. -1 if it is wrong.
 */
int64_t request_number(const request *r, const char *key, int64_t fallback, int64_t most);
/* Parameter i as a number. */
int64_t request_index(const request *r, int i);
/* The body as JSON. */
int request_json(const request *r, json_t **json, fault *f);

/* http_check.c: does it come from our page? */
int http_check(const request *r, const char *url, const char *token, int port, fault *f);
/* The callbacks of libmicrohttpd; `user` is the server. */
enum MHD_Result http_answer(void *user, struct MHD_Connection *connection, const char *url,
                            const char *method, const char *version, const char *bytes,
                            size_t *size, void **memory);
void http_done(void *user, struct MHD_Connection *connection, void **memory,
               enum MHD_RequestTerminationCode why);

/* server.c */
state *server_state(gui_server *server);
const char *server_token(const gui_server *server);
int server_port(const gui_server *server);
/* Takes a place among the streams of events; 0 if there is none left. */
int server_add_stream(gui_server *server);
void server_remove_stream(gui_server *server);
/* Is it the ticket that the browser was led here with? It is good once, and not for long. */
int server_use_ticket(gui_server *server, const char *given);
/* http_check.c: is one of the secrets where a request has it, in the head of one? */
int http_bears(const char *head, size_t length, const char *token, const char *ticket);
/* http_check.c: compares in a time that does not tell how much of it is right. */
int same_secret(const char *given, const char *secret);

/* page.c: GET / */
int page_get(request *r, reply *answer, fault *f);

#endif
