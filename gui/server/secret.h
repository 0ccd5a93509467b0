/* The token: kept in the folder, so that open tabs find a server that was started again, and proved
 * to them before they send it. */
#ifndef RLS2_GUI_SECRET_H
#define RLS2_GUI_SECRET_H

#include "gui/server/store.h"

enum { PROOF_LENGTH = 64 };

/* The token of the folder's last server and the port it had, or a new token and port 0. A file that
 * is not ours alone to read counts as none. `token` has room for 2 `bytes` digits and a zero. */
int secret_take(const store *s, char *token, size_t bytes, int *port, fault *f);
/* Writes them down for the next one. */
int secret_keep(store *s, const char *token, int port, fault *f);
/* HMAC-SHA-256 of a text under the token, in hexadecimal digits (RFC 2104, FIPS 180-4). */
void secret_prove(const char *token, const char *text, char proof[PROOF_LENGTH + 1]);

#endif
