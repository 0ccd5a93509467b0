/* The door: connections are taken in here, and libmicrohttpd gets those that have said who they
 * are.
 *
 * Anybody on the machine can connect, and say nothing, or a byte now and then. Such strangers wait
 * at the door, where they cost a descriptor and no thread, until the head of their first request is
 * complete; not for long, and where there are too many the oldest is sent away. A head that bears
 * the token opens one of the places that are kept for those; of the others a few are let in at a
 * time, for an answer that tells them that they lack it, and for the page, which has no secrets.
 * Those are sent away after a while too, whatever they are doing. */
#ifndef RLS2_GUI_DOOR_H
#define RLS2_GUI_DOOR_H

#include <microhttpd.h>

#include "gui/server/fault.h"

typedef struct door door;

/* Does the head of a request, `length` bytes of it, bear what only our page knows? */
typedef int (*door_knows)(void *user, const char *head, size_t length);

/* Listens at 127.0.0.1:port (0: a free one), `places` connections being for those that are known.
 */
int door_open(door **made, int port, int places, door_knows knows, void *user, fault *f);
int door_port(const door *d);
/* How many connections there are at most: what libmicrohttpd must have room for. */
int door_most(const door *d);
/* From now on connections are handed to the daemon, whose option MHD_OPTION_NOTIFY_CONNECTION is
 * door_notice, with the door. 0 if there is no thread for it. */
int door_start(door *d, struct MHD_Daemon *daemon);
void door_notice(void *door, struct MHD_Connection *connection, void **context,
                 enum MHD_ConnectionNotificationCode what);
/* Takes no more in. Before the daemon is stopped. */
void door_shut(door *d);
/* After it was. Accepts NULL. */
void door_free(door *d);

#endif
