/* GET /: the page, with a word of its own in each copy that alone lets its scripts run, and the
 * token where it was asked for with a ticket. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "gui/server/http.h"
#include "gui/server/page.h"

enum { NONCE_BYTES = 16 };

/* What stands for a word in the page as it was built. */
typedef struct mark {
    const char *text, *word;
} mark;

/* The first of the marks from there on; NULL if there is none. */
static const char *find_mark(const char *at, const char *end, const mark marks[2],
                             const mark **found)
{
    const char *first = NULL;
    for (int i = 0; i < 2; i++) {
        const char *place = memmem(at, (size_t)(end - at), marks[i].text, strlen(marks[i].text));
        if (!place || (first && first < place)) continue;
        first = place;
        *found = &marks[i];
    }
    return first;
}

/* The page with its marks replaced, as far as `to` is not NULL; its length. */
static size_t replace_marks(const mark marks[2], char *to)
{
    const char *page = (const char *)gui_page, *end = page + gui_page_length;
    size_t length = 0;
    while (page < end) {
        const mark *found = NULL;
        const char *place = find_mark(page, end, marks, &found);
        size_t plain = (size_t)((place ? place : end) - page),
               word = found ? strlen(found->word) : 0;
        if (to) memcpy(to + length, page, plain);
        if (to && found) memcpy(to + length + plain, found->word, word);
        length += plain + word;
        page += plain + (found ? strlen(found->text) : 0);
    }
    return length;
}

/* NULL when out of memory. */
static char *fill(const char *nonce, const char *token, size_t *length)
{
    const mark marks[2] = {{"{{nonce}}", nonce}, {"{{token}}", token}};
    char *made = malloc(replace_marks(marks, NULL) + 1);
    if (made) *length = replace_marks(marks, made);
    return made;
}

/* The bytes compressed by gzip; NULL when out of memory. */
static char *squeeze(const char *bytes, size_t length, size_t *squeezed)
{
    z_stream stream = {0};
    enum { GZIP_WINDOW = 15 + 16, MEMORY = 8 };
    if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP_WINDOW, MEMORY,
                     Z_DEFAULT_STRATEGY) != Z_OK)
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
             "default-src 'none'; script-src 'nonce-%s'; style-src 'nonce-%s'; img-src data: "
             "blob:; font-src "
             "data:; "
             "connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
             nonce, nonce);
    MHD_add_response_header(response, "Content-Security-Policy", policy);
    MHD_add_response_header(response, "Content-Type", "text/html; charset=utf-8");
    MHD_add_response_header(response, "Vary", "Accept-Encoding");
}

static int takes_gzip(const request *r)
{
    const char *encodings =
        MHD_lookup_connection_value(r->connection, MHD_HEADER_KIND, "Accept-Encoding");
    return encodings && strstr(encodings, "gzip");
}

int page_get(request *r, reply *answer, fault *f)
{
    /* a ticket, which was good, is exchanged for the token: in the page, not in an address */
    const char *token = request_query(r, "ticket") ? server_token(r->server) : "";
    char nonce[2 * NONCE_BYTES + 1];
    size_t length = 0, squeezed = 0;
    if (!store_random_text(nonce, NONCE_BYTES))
        return fault_say(f, HTTP_FAILED, NULL, "no random numbers");
    char *bytes = fill(nonce, token, &length);
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
    if (!request_query(r, "token")) /* anybody may ask for it, but not keep the place */
        MHD_add_response_header(answer->response, "Connection", "close");
    return 0;
}
