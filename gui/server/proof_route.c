/* GET /api/proof?of=TEXT: that this is the server whose token the asker has. The port is part of
 * what is signed: who listens at another one cannot have it signed here. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gui/server/routes.h"
#include "gui/server/secret.h"

/* As many digits as a tab draws: nobody can have a longer text signed. */
enum { CHALLENGE_LENGTH = 64 };

int proof_get(request *r, reply *answer, fault *f)
{
    char proof[PROOF_LENGTH + 1], signed_text[CHALLENGE_LENGTH + 16], body[PROOF_LENGTH + 16];
    const char *text = request_query(r, "of");
    if (!text || strlen(text) != CHALLENGE_LENGTH ||
        strspn(text, "0123456789abcdef") != CHALLENGE_LENGTH)
        return fault_say(f, HTTP_BAD, "of", "of should have %d hexadecimal digits",
                         CHALLENGE_LENGTH);
    snprintf(signed_text, sizeof signed_text, "%d %s", server_port(r->server), text);
    secret_prove(server_token(r->server), signed_text, proof);
    int length = snprintf(body, sizeof body, "{\"proof\":\"%s\"}", proof);
    answer->response = MHD_create_response_from_buffer((size_t)length, body, MHD_RESPMEM_MUST_COPY);
    if (!answer->response) return fault_memory(f);
    MHD_add_response_header(answer->response, "Content-Type", "application/json");
    /* anybody may ask for it, but not keep the place */
    MHD_add_response_header(answer->response, "Connection", "close");
    return 0;
}
