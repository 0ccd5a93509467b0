/* Who may ask. The page runs in a browser that also shows other people's pages; those must not
 * reach the server, neither directly, nor by a name that resolves to 127.0.0.1, nor with a token
 * they guessed. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "gui/server/http.h"
#include "gui/server/routes.h"

static const char *header(const request *r, const char *name)
{
    return MHD_lookup_connection_value(r->connection, MHD_HEADER_KIND, name);
}

int same_secret(const char *given, const char *secret)
{
    size_t length = strlen(secret);
    if (!given || strlen(given) != length) return 0;
    unsigned char difference = 0;
    for (size_t i = 0; i < length; i++) difference |= (unsigned char)(given[i] ^ secret[i]);
    return difference == 0;
}

static int is_ours(const char *text, const char *start, int port)
{
    static const char *const NAMES[] = {"127.0.0.1", "localhost"};
    for (int i = 0; i < 2; i++) {
        char ours[64];
        snprintf(ours, sizeof ours, "%s%s:%d", start, NAMES[i], port);
        if (strcmp(text, ours) == 0) return 1;
        snprintf(ours, sizeof ours, "%s%s", start, NAMES[i]);
        if (port == 80 && strcmp(text, ours) == 0) return 1; /* browsers leave it out */
    }
    return 0;
}

/* ---- the page ---- */

/* The page itself has no secrets, so that it can be loaded again without one in its address. A
 * browser comes to it from a file, too, which is another site. */
static int check_page(const request *r, fault *f)
{
    const char *ticket = request_query(r, "ticket");
    if (!ticket || server_use_ticket(r->server, ticket)) return 0;
    return fault_say(
        f, HTTP_FORBIDDEN, NULL,
        "this way to the page was used before: use the address that 'rls2 gui' printed");
}

int http_check(const request *r, const char *url, const char *token, int port, fault *f)
{
    const char *host = header(r, "Host"), *origin = header(r, "Origin"),
               *site = header(r, "Sec-Fetch-Site");
    const char *given = strncmp(url, "/api/", 5) == 0 ? header(r, "X-RLS2-Token") : NULL;
    if (!host || !is_ours(host, "", port))
        return fault_say(f, HTTP_FORBIDDEN, NULL, "this server answers to 127.0.0.1 only");
    if (origin && !is_ours(origin, "http://", port))
        return fault_say(f, HTTP_FORBIDDEN, NULL, "requests of other pages are not answered");
    if (!given) given = request_query(r, "token");
    if (!given && strcmp(url, "/") == 0) return check_page(r, f);
    if (site && strcmp(site, "same-origin") != 0 && strcmp(site, "none") != 0)
        return fault_say(f, HTTP_FORBIDDEN, NULL, "requests of other pages are not answered");
    if (strcmp(url, PROOF_PATH) == 0) return 0;
    if (!same_secret(given, token))
        return fault_say(f, HTTP_FORBIDDEN, NULL,
                         "the token is wrong or missing: use the address that 'rls2 gui' printed");
    return 0;
}

/* ---- the head of a request, before it is taken apart ---- */

/* Does the secret follow the key anywhere? */
static int follows(const char *head, size_t length, const char *key, const char *secret)
{
    char given[2 * TOKEN_BYTES + 1];
    size_t start = strlen(key), size = strlen(secret);
    for (size_t at = 0; at + start + size <= length; at++) {
        if (strncasecmp(head + at, key, start) != 0) continue;
        size_t value = at + start;
        while (value + size < length && head[value] == ' ') value++;
        if (value + size > length) return 0;
        memcpy(given, head + value, size);
        given[size] = '\0';
        if (same_secret(given, secret)) return 1;
    }
    return 0;
}

int http_bears(const char *head, size_t length, const char *token, const char *ticket)
{
    return follows(head, length, "X-RLS2-Token:", token) ||
           follows(head, length, "token=", token) || follows(head, length, "ticket=", ticket);
}
