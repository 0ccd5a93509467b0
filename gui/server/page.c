/* GET /: the page, with a word of its own in each copy that alone lets its scripts run. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "gui/server/http.h"
#include "gui/server/page.h"

static const char MARK[] = "{{nonce}}";
enum { NONCE_BYTES = 16, MARK_LENGTH = sizeof MARK - 1 };

/* The page with every mark replaced. NULL when out of memory. */
static char *fill(const char *nonce, size_t *length)
{
    const char *page = (const char *)gui_page, *end = page + gui_page_length;
    size_t extra = 0, word = strlen(nonce);
    for (const char *at = page; (at = memmem(at, (size_t)(end - at), MARK, MARK_LENGTH)); at += MARK_LENGTH)
        extra += word;
    char *made = malloc(gui_page_length + extra + 1), *to = made;
    while (made && page < end) {
        const char *mark = memmem(page, (size_t)(end - page), MARK, MARK_LENGTH);
        size_t plain = (size_t)((mark ? mark : end) - page);
        memcpy(to, page, plain);
        to += plain;
        page += plain;
        if (!mark) continue;
        memcpy(to, nonce, word);
        to += word;
        page += MARK_LENGTH;
    }
    *length = (size_t)(to - made);
    return made;
}

/* The bytes compressed by gzip; NULL when out of memory. */
static char *squeeze(const char *bytes, size_t length, size_t *squeezed)
{
    z_stream stream = {0};
    enum { GZIP_WINDOW = 15 + 16, MEMORY = 8 };
    if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP_WINDOW, MEMORY, Z_DEFAULT_STRATEGY) !=
        Z_OK)
        return NULL;
    size_t room = deflateBound(&stream, (uLong)length);
    char *made = malloc(room);
    stream.next_in = (Bytef *)(uintptr_t)bytes;
    stream.avail_in = (uInt)length;
    stream.next_out = (Bytef *)made;
    stream.avail_out = (uInt)room;
    int done = made && deflate(&stream, Z_FINISH) == Z_STREAM_END;
    *squeezed = stream.total_out;
    deflateEnd(&stream);
    if (done) return made;
    free(made);
    return NULL;
}

static void add_policy(struct MHD_Response *response, const char *nonce)
{
    char policy[400];
    snprintf(policy, sizeof policy,
             "default-src 'none'; script-src 'nonce-%s'; style-src 'nonce-%s'; img-src data: blob:; font-src "
             "data:; "
             "connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
             nonce, nonce);
    MHD_add_response_header(response, "Content-Security-Policy", policy);
    MHD_add_response_header(response, "Content-Type", "text/html; charset=utf-8");
    MHD_add_response_header(response, "Vary", "Accept-Encoding");
}

static int takes_gzip(const request *r)
{
    const char *encodings = MHD_lookup_connection_value(r->connection, MHD_HEADER_KIND, "Accept-Encoding");
    return encodings && strstr(encodings, "gzip");
}

/* What came with a ticket goes on with the token. */
static int send_on(request *r, reply *answer, fault *f)
{
    char place[2 * TOKEN_BYTES + 16];
    snprintf(place, sizeof place, "/?token=%s", server_token(r->server));
    answer->status = HTTP_ELSEWHERE;
    answer->response = MHD_create_response_from_buffer(0, NULL, MHD_RESPMEM_PERSISTENT);
    if (!answer->response) return fault_memory(f);
    if (MHD_add_response_header(answer->response, "Location", place) == MHD_YES) return 0;
    MHD_destroy_response(answer->response);
    return fault_memory(f);
}

int page_get(request *r, reply *answer, fault *f)
{
    if (request_query(r, "ticket")) return send_on(r, answer, f);
    char nonce[2 * NONCE_BYTES + 1];
    size_t length = 0, squeezed = 0;
    if (!store_random_text(nonce, NONCE_BYTES)) return fault_say(f, HTTP_FAILED, NULL, "no random numbers");
    char *bytes = fill(nonce, &length);
    if (!bytes) return fault_memory(f);
    char *small = takes_gzip(r) ? squeeze(bytes, length, &squeezed) : NULL;
    if (small) {
        free(bytes);
        bytes = small;
        length = squeezed;
    }
    answer->response = MHD_create_response_from_buffer(length, bytes, MHD_RESPMEM_MUST_FREE);
    if (!answer->response) {
        free(bytes);
        return fault_memory(f);
    }
    if (small) MHD_add_response_header(answer->response, "Content-Encoding", "gzip");
    add_policy(answer->response, nonce);
    return 0;
}
