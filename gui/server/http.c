/* Finds the route of a request, takes its body in within limits, and sends the reply. */
#include "gui/server/http.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gui/server/clock.h"
#include "gui/server/routes.h"
#include "gui/server/table_columns.h"

enum { JSON_SECONDS = 30, UPLOAD_SECONDS = 1800 };
/* Who sends a body sends, after a while to begin with, at least so many bytes a second. */
enum { BODY_GRACE_SECONDS = 10, LEAST_RATE = 1024 };

/* ---- what handlers ask ---- */

const char *request_query(const request *r, const char *key)
{
    return MHD_lookup_connection_value(r->connection, MHD_GET_ARGUMENT_KIND, key);
}

static int64_t read_number(const char *text, int64_t most)
{
    size_t digits = strspn(text, "0123456789");
    if (digits == 0 || digits > 15 || text[digits]) return -1;
    int64_t value = strtoll(text, NULL, 10);
    return value <= most ? value : -1;
}

int64_t request_number(const request *r, const char *key, int64_t fallback, int64_t most)
{
    const char *text = request_query(r, key);
    return text ? read_number(text, most) : fallback;
}

int64_t request_index(const request *r, int i)
{
    return read_number(r->parameter[i], INT64_MAX);
}

int request_json(const request *r, json_t **json, fault *f)
{
    json_error_t err;
    *json = json_loadb(r->body ? r->body : "", (size_t)r->length, JSON_REJECT_DUPLICATES, &err);
    if (*json) return 0;
    if (json_error_code(&err) == json_error_out_of_memory) return fault_memory(f);
    fault_say(f, HTTP_BAD, NULL, "the body is not JSON: line %d, column %d: %s", err.line,
              err.column, err.text);
    f->position = err.position;
    return HTTP_BAD;
}

/* ---- replies ---- */

static void add_headers(struct MHD_Response *response)
{
    MHD_add_response_header(response, "X-Content-Type-Options", "nosniff");
    MHD_add_response_header(response, "Referrer-Policy", "no-referrer");
    MHD_add_response_header(response, "Cache-Control", "no-store");
    MHD_add_response_header(response, "Cross-Origin-Resource-Policy", "same-origin");
    MHD_add_response_header(response, "X-Frame-Options", "DENY");
}

static enum MHD_Result send_response(struct MHD_Connection *connection, int status,
                                     struct MHD_Response *response)
{
    if (!response) return MHD_NO;
    add_headers(response);
    enum MHD_Result result = MHD_queue_response(connection, (unsigned)status, response);
    MHD_destroy_response(response);
    return result;
}

static struct MHD_Response *json_response(const json_t *json)
{
    char *text = json ? json_dumps(json, JSON_COMPACT) : NULL;
    if (!text) return NULL;
    struct MHD_Response *response =
        MHD_create_response_from_buffer(strlen(text), text, MHD_RESPMEM_MUST_FREE);
    if (!response) free(text);
    if (response) MHD_add_response_header(response, "Content-Type", "application/json");
    return response;
}

static enum MHD_Result send_fault(struct MHD_Connection *connection, const fault *f)
{
    json_t *position = f->position >= 0 ? json_integer(f->position) : json_null();
    json_t *field = f->field[0] ? json_words(f->field) : json_null();
    json_t *json = json_pack("{s:{s:o, s:o, s:o}}", "error", "message", json_words(f->message),
                             "field", field, "position", position);
    struct MHD_Response *response = json_response(json);
    json_decref(json);
    if (response && (f->code == HTTP_BUSY || f->code == HTTP_FORBIDDEN)) /* its place is wanted */
        MHD_add_response_header(response, "Connection", "close");
    return send_response(connection, f->code, response);
}

/* A name that a header can hold: what a browser would not keep is an underscore. */
static void add_attachment(struct MHD_Response *response, const char *name)
{
    char value[400];
    int used = snprintf(value, sizeof value, "attachment; filename=\"");
    for (const char *c = name; *c && used < 350; c++) {
        int plain = (*c >= '0' && *c <= '9') || (*c >= 'a' && *c <= 'z') ||
                    (*c >= 'A' && *c <= 'Z') || strchr("-._ ()", *c);
        value[used++] = plain ? *c : '_';
    }
    snprintf(value + used, sizeof value - (size_t)used, "\"");
    MHD_add_response_header(response, "Content-Disposition", value);
}

static struct MHD_Response *bytes_response(const reply *answer)
{
    struct MHD_Response *response =
        MHD_create_response_from_buffer(answer->length, answer->bytes, MHD_RESPMEM_MUST_FREE);
    if (!response) free(answer->bytes);
    if (response && answer->type) MHD_add_response_header(response, "Content-Type", answer->type);
    if (response && answer->file_name[0]) add_attachment(response, answer->file_name);
    if (response && answer->summary[0])
        MHD_add_response_header(response, "X-RLS2-Summary", answer->summary);
    return response;
}

static enum MHD_Result send_reply(struct MHD_Connection *connection, reply *answer)
{
    struct MHD_Response *response = answer->response;
    if (!response && answer->bytes) response = bytes_response(answer);
    if (!response && answer->json) response = json_response(answer->json);
    json_decref(answer->json);
    if (response) return send_response(connection, answer->status, response);
    fault f;
    fault_memory(&f);
    return send_fault(connection, &f);
}

/* ---- routes ---- */

static int part_fits(const char *pattern, const char *part)
{
    size_t digits = strspn(part, "0123456789");
    if (strcmp(pattern, ":id") == 0) return store_is_id(part);
    if (strcmp(pattern, ":n") == 0) return digits > 0 && digits <= 9 && !part[digits];
    return strcmp(pattern, part) == 0;
}

/* Cuts the path of the request up where it fits the pattern. */
static int path_fits(request *r, const char *pattern, const char *url)
{
    char wanted[64];
    int count = 0;
    snprintf(wanted, sizeof wanted, "%s", pattern);
    snprintf(r->path, sizeof r->path, "%s", url);
    char *a = wanted, *b = r->path;
    while (a && b) {
        char *part = strsep(&a, "/"), *given = strsep(&b, "/");
        if (!part_fits(part, given)) return 0;
        if (part[0] == ':' && count < MOST_PARAMETERS) r->parameter[count++] = given;
    }
    return !a && !b;
}

static int find_route(request *r, const char *method, const char *url, fault *f)
{
    int other = 0;
    if (strlen(url) < sizeof r->path)
        for (const route *at = ROUTES; at->method; at++) {
            if (!path_fits(r, at->path, url)) continue;
            r->route = at;
            if (strcmp(at->method, method) == 0) return 0;
            other = 1;
        }
    if (other) return fault_say(f, HTTP_METHOD, NULL, "%.10s is not what can be done here", method);
    return fault_say(f, HTTP_NONE, NULL, "there is nothing at this address");
}

/* ---- bodies ---- */

static int64_t most_bytes(const request *r)
{
    static const int64_t MOST[] = {[BODY_NONE] = 0,
                                   [BODY_JSON] = MOST_JSON,
                                   [BODY_UPLOAD] = MOST_UPLOAD,
                                   [BODY_MODEL] = MOST_MODEL};
    return MOST[r->route->body];
}

/* Is its body a file? */
static int is_upload(const request *r)
{
    return r->route->body == BODY_UPLOAD || r->route->body == BODY_MODEL;
}

static const char *body_field(const request *r)
{
    if (!is_upload(r)) return NULL;
    return r->route->body == BODY_MODEL ? "model" : "data";
}

static int too_large(const request *r, fault *f)
{
    if (r->route->body == BODY_UPLOAD)
        return fault_say(f, HTTP_LARGE, "data",
                         "a table may have %lld MiB at most here; 'rls2 train' has no limit",
                         (long long)(MOST_UPLOAD >> 20));
    if (r->route->body == BODY_MODEL)
        return fault_say(f, HTTP_LARGE, "model",
                         "a model may have %lld MiB at most here; 'rls2 predict' has no limit",
                         (long long)(MOST_MODEL >> 20));
    return fault_say(f, HTTP_LARGE, NULL, "the body is larger than %lld bytes",
                     (long long)most_bytes(r));
}

/* What the client says of its body is looked at before any of it is read. */
static int check_length(const request *r, fault *f)
{
    const char *text =
        MHD_lookup_connection_value(r->connection, MHD_HEADER_KIND, "Content-Length");
    if (!text) return 0;
    int64_t length = read_number(text, INT64_MAX);
    if (length < 0 || length > most_bytes(r)) return too_large(r, f);
    if (!is_upload(r)) return 0;
    if (!store_take_room(&r->state->store, length)) return store_say_full(&r->state->store, f);
    store_give_room(&r->state->store, length); /* it is taken as it comes */
    return 0;
}

static int open_upload(request *r, fault *f)
{
    if (!is_upload(r)) return 0;
    r->file = store_new_upload(&r->state->store, r->file_path);
    return r->file >= 0 ? 0 : store_say_errno("uploads", errno, body_field(r), f);
}

static int write_piece(request *r, const char *bytes, size_t size)
{
    r->over = !store_take_room(&r->state->store, (int64_t)size);
    if (r->over) return 0;
    r->kept += (int64_t)size;
    while (size > 0) {
        ssize_t written = write(r->file, bytes, size);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return 0;
        bytes += written;
        size -= (size_t)written;
    }
    return 1;
}

static int append_piece(request *r, const char *bytes, size_t size)
{
    char *body = realloc(r->body, (size_t)r->length + size + 1);
    if (!body) return 0;
    memcpy(body + r->length, bytes, size);
    body[(size_t)r->length + size] = '\0';
    r->body = body;
    return 1;
}

/* There is no room: the rest is read and thrown away, and the client told then. What was kept so
 * far makes room. */
static void give_up(request *r, int why)
{
    r->failed = why ? why : EIO;
    if (r->file < 0) return;
    if (ftruncate(r->file, 0) != 0) r->failed = errno;
    store_give_room(&r->state->store, r->kept);
    r->kept = 0;
}

static int is_too_slow(const request *r)
{
    double limit = is_upload(r) ? UPLOAD_SECONDS : JSON_SECONDS;
    double seconds = clock_seconds() - r->started;
    return seconds > limit || (double)r->length < (seconds - BODY_GRACE_SECONDS) * LEAST_RATE;
}

/* 0 where the connection is to be cut: too much, or too slow. */
static int take_piece(request *r, const char *bytes, size_t size)
{
    if (r->length + (int64_t)size > most_bytes(r) || is_too_slow(r)) return 0;
    int taken =
        r->failed || (r->file >= 0 ? write_piece(r, bytes, size) : append_piece(r, bytes, size));
    if (!taken) give_up(r, r->over ? EDQUOT : errno);
    r->length += (int64_t)size;
    return 1;
}

/* On the disk, not only on its way there. */
static int check_body(request *r, fault *f)
{
    if (!r->failed && r->file >= 0 && fsync(r->file) != 0) r->failed = errno;
    if (!r->failed) return 0;
    if (r->over) return store_say_full(&r->state->store, f);
    int full = r->failed == ENOSPC || r->failed == EDQUOT || r->failed == ENOMEM;
    return fault_say(f, full ? HTTP_FULL : HTTP_FAILED, body_field(r),
                     "what was sent cannot be kept: %s%s", strerror(r->failed),
                     r->failed == ENOSPC ? ": delete runs or tables that are not needed any more"
                                         : "");
}

/* ---- streams ---- */

/* They stay open; enough connections are left for a page to stop a run. */
static int check_stream(request *r, fault *f)
{
    if (r->route->handle != run_events && r->route->handle != state_events) return 0;
    r->streaming = server_add_stream(r->server);
    return r->streaming ? 0
                        : fault_say(f, HTTP_BUSY, NULL,
                                    "too many pages are open: close those not looked at");
}

/* ---- the life of a request ---- */

/* A handler that keeps the file has moved it away, and its name is empty. */
static void drop_upload(request *r)
{
    if (r->file < 0) return;
    close(r->file);
    if (r->file_path[0]) store_drop(&r->state->store, r->file_path);
    r->file = -1;
}

static void free_request(request *r)
{
    if (!r) return;
    drop_upload(r);
    if (r->streaming) server_remove_stream(r->server);
    free(r->body);
    free(r);
}

static enum MHD_Result begin(gui_server *server, struct MHD_Connection *connection, const char *url,
                             const char *method, void **memory)
{
    fault f = {0};
    request *r = calloc(1, sizeof *r);
    if (!r) return MHD_NO;
    *r = (request){.server = server,
                   .state = server_state(server),
                   .connection = connection,
                   .file = -1,
                   .started = clock_seconds()};
    *memory = r;
    int code = http_check(r, url, server_token(server), server_port(server), &f);
    if (!code) code = find_route(r, method, url, &f);
    if (!code) code = check_length(r, &f);
    if (!code) code = open_upload(r, &f);
    return code ? send_fault(connection, &f) : MHD_YES;
}

enum MHD_Result http_answer(void *user, struct MHD_Connection *connection, const char *url,
                            const char *method, const char *version, const char *bytes,
                            size_t *size, void **memory)
{
    request *r = *memory;
    fault f = {0};
    reply answer = {.status = HTTP_OK};
    (void)version;
    if (!r) return begin(user, connection, url, method, memory);
    if (*size > 0) {
        int taken = take_piece(r, bytes, *size);
        *size = 0;
        return taken ? MHD_YES : MHD_NO;
    }
    int code = check_body(r, &f);
    if (!code) code = check_stream(r, &f);
    if (!code) code = r->route->handle(r, &answer, &f);
    drop_upload(r); /* before the client hears of it */
    return code ? send_fault(connection, &f) : send_reply(connection, &answer);
}

void http_done(void *user, struct MHD_Connection *connection, void **memory,
               enum MHD_RequestTerminationCode why)
{
    (void)user;
    (void)connection;
    (void)why;
    free_request(*memory);
    *memory = NULL;
}
