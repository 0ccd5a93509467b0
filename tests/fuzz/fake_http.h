/* libmicrohttpd without a network: its functions, as far as the server uses them, on a request
 * that lies in memory. */
#ifndef RLS2_TESTS_FUZZ_FAKE_HTTP_H
#define RLS2_TESTS_FUZZ_FAKE_HTTP_H

#include <microhttpd.h>
#include <stddef.h>

enum { FAKE_PORT = 8080, FAKE_MOST_VALUES = 32 };

/* A header or a part of the query. */
typedef struct fake_value {
    enum MHD_ValueKind kind;
    const char *key, *value;
} fake_value;

/* A request and what was answered. */
struct MHD_Connection {
    const char *method, *url;
    fake_value values[FAKE_MOST_VALUES];
    int count;
    const char *body;
    size_t size;
    unsigned code; /* 0: nothing yet */
    char *answer;  /* with a zero behind it; NULL where it is a stream */
    size_t length;
    int is_json;
};

void fake_add(struct MHD_Connection *c, enum MHD_ValueKind kind, const char *key,
              const char *value);
const char *fake_find(const struct MHD_Connection *c, enum MHD_ValueKind kind, const char *key);
/* Hands the request to the server that was started last. */
void fake_ask(struct MHD_Connection *c);
/* Frees the answer. */
void fake_forget(struct MHD_Connection *c);

#endif
