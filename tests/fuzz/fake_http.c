/* Keeps requests and replies of the pretended daemon in memory. */
#include "fake_http.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "gui/server/http.h"

struct MHD_Response {
    char *bytes;
    size_t length;
    int is_json, is_stream;
    void *stream;
    MHD_ContentReaderFreeCallback free_stream;
};

static MHD_AccessHandlerCallback answer;
static void *answer_user;

/* ---- the daemon ---- */

struct MHD_Daemon *MHD_start_daemon(unsigned flags, uint16_t port, MHD_AcceptPolicyCallback policy,
                                    void *policy_user, MHD_AccessHandlerCallback access,
                                    void *access_user, ...)
{
    static char daemon;
    (void)flags;
    (void)port;
    (void)policy;
    (void)policy_user;
    answer = access;
    answer_user = access_user;
    return (struct MHD_Daemon *)(void *)&daemon;
}

void MHD_stop_daemon(struct MHD_Daemon *daemon)
{
    (void)daemon;
}

const union MHD_DaemonInfo *MHD_get_daemon_info(struct MHD_Daemon *daemon,
                                                enum MHD_DaemonInfoType kind, ...)
{
    static const union MHD_DaemonInfo about = {.port = FAKE_PORT};
    (void)daemon;
    (void)kind;
    return &about;
}

/* ---- requests ---- */

void fake_add(struct MHD_Connection *c, enum MHD_ValueKind kind, const char *key, const char *value)
{
    if (c->count < FAKE_MOST_VALUES) c->values[c->count++] = (fake_value){kind, key, value};
}

const char *fake_find(const struct MHD_Connection *c, enum MHD_ValueKind kind, const char *key)
{
    for (int i = 0; i < c->count; i++)
        if (c->values[i].kind == kind &&
            (kind == MHD_HEADER_KIND ? strcasecmp : strcmp)(c->values[i].key, key) == 0)
            return c->values[i].value;
    return NULL;
}

const char *MHD_lookup_connection_value(struct MHD_Connection *c, enum MHD_ValueKind kind,
                                        const char *key)
{
    return fake_find(c, kind, key);
}

int MHD_get_connection_values(struct MHD_Connection *c, enum MHD_ValueKind kind,
                              MHD_KeyValueIterator visit, void *user)
{
    int count = 0;
    for (int i = 0; i < c->count; i++)
        if (c->values[i].kind == kind) {
            count++;
            if (visit && visit(user, kind, c->values[i].key, c->values[i].value) == MHD_NO) break;
        }
    return count;
}

const union MHD_ConnectionInfo *MHD_get_connection_info(struct MHD_Connection *c,
                                                        enum MHD_ConnectionInfoType kind, ...)
{
    static const union MHD_ConnectionInfo about = {.connect_fd = -1};
    (void)c;
    (void)kind;
    return &about;
}

/* ---- answers ---- */

struct MHD_Response *MHD_create_response_from_buffer(size_t size, void *buffer,
                                                     enum MHD_ResponseMemoryMode mode)
{
    struct MHD_Response *r = calloc(1, sizeof *r);
    char *bytes = malloc(size + 1);
    if (!r || !bytes) abort();
    if (size > 0) memcpy(bytes, buffer, size);
    bytes[size] = '\0';
    if (mode == MHD_RESPMEM_MUST_FREE) free(buffer);
    r->bytes = bytes;
    r->length = size;
    return r;
}

/* A stream is begun and ended at once: its reader would wait for news. */
struct MHD_Response *MHD_create_response_from_callback(uint64_t size, size_t block,
                                                       MHD_ContentReaderCallback reader, void *user,
                                                       MHD_ContentReaderFreeCallback done)
{
    struct MHD_Response *r = calloc(1, sizeof *r);
    if (!r) abort();
    (void)size;
    (void)block;
    (void)reader;
    r->is_stream = 1;
    r->stream = user;
    r->free_stream = done;
    return r;
}

/* A line end in a header would be an answer of the client's making. */
enum MHD_Result MHD_add_response_header(struct MHD_Response *r, const char *header,
                                        const char *content)
{
    for (const char *c = content; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 127) abort();
    if (strcmp(header, "Content-Type") == 0) r->is_json = strcmp(content, "application/json") == 0;
    return MHD_YES;
}

enum MHD_Result MHD_queue_response(struct MHD_Connection *c, unsigned code, struct MHD_Response *r)
{
    if (c->code) abort(); /* one answer for each request */
    c->code = code;
    c->is_json = r->is_json;
    c->length = r->length;
    c->answer = r->bytes;
    r->bytes = NULL;
    return MHD_YES;
}

void MHD_destroy_response(struct MHD_Response *r)
{
    if (r->is_stream && r->free_stream) r->free_stream(r->stream);
    free(r->bytes);
    free(r);
}

/* ---- one request ---- */

static void hand_over(struct MHD_Connection *c, void **memory)
{
    size_t none = 0, half = c->size / 2, rest = c->size - half;
    if (answer(answer_user, c, c->url, c->method, "HTTP/1.1", NULL, &none, memory) == MHD_NO ||
        c->code)
        return;
    if (half > 0 &&
        answer(answer_user, c, c->url, c->method, "HTTP/1.1", c->body, &half, memory) == MHD_NO)
        return;
    if (rest > 0 && answer(answer_user, c, c->url, c->method, "HTTP/1.1", c->body + c->size / 2,
                           &rest, memory) == MHD_NO)
        return;
    none = 0;
    answer(answer_user, c, c->url, c->method, "HTTP/1.1", NULL, &none, memory);
}

void fake_ask(struct MHD_Connection *c)
{
    void *memory = NULL;
    hand_over(c, &memory);
    http_done(answer_user, c, &memory, MHD_REQUEST_TERMINATED_COMPLETED_OK);
}

void fake_forget(struct MHD_Connection *c)
{
    free(c->answer);
    c->answer = NULL;
    c->code = 0;
}
