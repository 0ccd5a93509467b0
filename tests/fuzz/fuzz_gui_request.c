/* Any bytes as a request to the server of the page, written as HTTP has it: method and address,
 * headers, an empty line, body.
 *
 * The server is the real one, with a table and a run that is done, behind a libmicrohttpd
 * without a network. In addresses and bodies DDDDDDDDDDDD and RRRRRRRRRRRR stand for their ids,
 * in headers and queries TOKEN for the token. Every request is answered once; without the token
 * it is refused; what says it is JSON is JSON, and a refusal has a sentence. */
#include <jansson.h>
#include <stdio.h>
#include <unistd.h>

#include "common.h"
#include "fake_http.h"
#include "folder.h"
#include "gui/server/http.h"
#include "gui/server/server.h"

static const char TABLE[] =
    "a,b,kind,train,y\n1,2.5,u,T,0.5\n2,0.5,v,T,1.5\n3,1.5,u,F,2.5\n4,-1,v,T,1\n"
    "5,7,w,F,0\n6,2,u,T,3\n7,2,v,T,4\n8,1,w,T,2\n";
static const char RUN[] =
    "{\"data\":\"DDDDDDDDDDDD\",\"settings\":{\"target\":[\"y\"],"
    "\"kernels\":\"linear@each; rbf(1)@all\",\"lambdas\":\"1,0.1\",\"folds\":3,"
    "\"test_rows\":\"train=F\"}}";
static char host[32]; /* with the port that the server listens at, though nobody comes there */

static gui_server *server;
static char data_id[ID_LENGTH + 1], run_id[ID_LENGTH + 1];

/* ---- the server ---- */

static void put_id(char *text, size_t size, char letter, const char *id)
{
    char sign[ID_LENGTH];
    memset(sign, letter, sizeof sign);
    for (char *at = text; (at = memmem(at, size - (size_t)(at - text), sign, sizeof sign));
         at += sizeof sign)
        memcpy(at, id, sizeof sign);
}

/* The field of what is answered to a request with the token. */
static void ask_for(const char *method, const char *url, const char *body, const char *field,
                    char *text, size_t size)
{
    struct MHD_Connection c = {.method = method, .url = url, .body = body, .size = strlen(body)};
    fake_add(&c, MHD_HEADER_KIND, "Host", host);
    fake_add(&c, MHD_HEADER_KIND, "X-RLS2-Token", server_token(server));
    fake_add(&c, MHD_GET_ARGUMENT_KIND, "name", "t.csv");
    fake_ask(&c);
    json_t *json = c.answer ? json_loadb(c.answer, c.length, 0, NULL) : NULL;
    const char *value = json_string_value(json_object_get(json, field));
    snprintf(text, size, "%s", value ? value : "");
    json_decref(json);
    fake_forget(&c);
}

static void start_server(void)
{
    char message[300], folder[100], url[64], status[16] = "", body[sizeof RUN];
    snprintf(folder, sizeof folder, "%s/page", fuzz_folder());
    gui_options options = {.folder = folder, .threads = 1};
    require(gui_start(&options, &server, message, sizeof message));
    snprintf(host, sizeof host, "127.0.0.1:%d", server_port(server));
    ask_for("POST", "/api/data", TABLE, "id", data_id, sizeof data_id);
    memcpy(body, RUN, sizeof RUN);
    put_id(body, sizeof body, 'D', data_id);
    ask_for("POST", "/api/runs", body, "id", run_id, sizeof run_id);
    require(data_id[0] && run_id[0]);
    snprintf(url, sizeof url, "/api/runs/%s", run_id);
    while (strcmp(status, "done") != 0) {
        require(strcmp(status, "failed") != 0);
        usleep(1000);
        ask_for("GET", url, "", "status", status, sizeof status);
    }
}

/* Tables that the last input brought: a server that is asked for long would fill up. */
static void remove_arrivals(void)
{
    for (const data_entry *d = server_state(server)->data; d;) {
        char url[64], ok[8];
        snprintf(url, sizeof url, "/api/data/%s", d->id);
        int ours = strcmp(d->id, data_id) == 0;
        d = d->next;
        if (!ours) ask_for("DELETE", url, "", "ok", ok, sizeof ok);
    }
}

/* ---- requests of bytes ---- */

static const char *token_for(const char *value)
{
    return strcmp(value, "TOKEN") == 0 ? server_token(server) : value;
}

static void take_query(struct MHD_Connection *c, char *query)
{
    for (char *rest = query, *part; (part = strsep(&rest, "&"));) {
        char *value = strchr(part, '=');
        if (value) *value++ = '\0';
        fake_add(c, MHD_GET_ARGUMENT_KIND, part, value ? token_for(value) : NULL);
    }
}

static void take_headers(struct MHD_Connection *c, char **rest)
{
    for (char *line; (line = strsep(rest, "\n")) && *line;) {
        char *colon = strchr(line, ':');
        if (!colon) continue;
        *colon = '\0';
        fake_add(c, MHD_HEADER_KIND, line, token_for(colon + 1 + strspn(colon + 1, " ")));
    }
    if (!fake_find(c, MHD_HEADER_KIND, "Host")) fake_add(c, MHD_HEADER_KIND, "Host", host);
}

static void take_request(struct MHD_Connection *c, char *text, size_t size)
{
    char *rest = text, *first = strsep(&rest, "\n");
    c->method = strsep(&first, " ");
    c->url = first ? first : "/";
    char *query = first ? strchr(first, '?') : NULL;
    if (query) *query++ = '\0';
    if (query) take_query(c, query);
    take_headers(c, &rest);
    c->body = rest ? rest : "";
    c->size = rest ? size - (size_t)(rest - text) : 0;
}

/* What would change what later inputs find, or start work that goes on behind them. */
static int is_lasting(const struct MHD_Connection *c)
{
    if (strcmp(c->method, "DELETE") == 0) return strstr(c->url, data_id) || strstr(c->url, run_id);
    return strcmp(c->method, "POST") == 0 && strcmp(c->url, "/api/runs") == 0;
}

static int has_token(const struct MHD_Connection *c)
{
    const char *token = server_token(server),
               *header = fake_find(c, MHD_HEADER_KIND, "X-RLS2-Token"),
               *query = fake_find(c, MHD_GET_ARGUMENT_KIND, "token");
    return (header && strcmp(header, token) == 0) || (query && strcmp(query, token) == 0);
}

/* The page itself has no secrets and is anybody's; other methods than GET are told that there is
 * none. */
static int is_page(const struct MHD_Connection *c)
{
    return strcmp(c->url, "/") == 0 && (c->code == 200 || c->code == 404 || c->code == 405);
}

static void check_answer(const struct MHD_Connection *c)
{
    if (c->code == 0) return; /* cut: the body is too large */
    require(c->code >= 200 && c->code < 600 && c->code != 500);
    require(has_token(c) || c->code == 403 || is_page(c));
    require(c->code < 400 || c->is_json);
    json_t *json = c->is_json ? json_loadb(c->answer, c->length, 0, NULL) : NULL;
    require(!c->is_json || json);
    if (c->code >= 400)
        require(json_string_length(json_object_get(json_object_get(json, "error"), "message")) > 0);
    json_decref(json);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct MHD_Connection c = {.code = 0};
    if (!server) start_server();
    char *text = text_of(data, size);
    put_id(text, size, 'D', data_id);
    put_id(text, size, 'R', run_id);
    take_request(&c, text, size);
    if (!is_lasting(&c) && !has_long_number(c.body, c.size, 4)) {
        fake_ask(&c);
        check_answer(&c);
        fake_forget(&c);
        remove_arrivals();
    }
    free(text);
    return 0;
}
