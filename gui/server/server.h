/* The server of the page: start it, tell its address, stop it. */
#ifndef RLS2_GUI_SERVER_H
#define RLS2_GUI_SERVER_H

#include <stddef.h>
#include <stdint.h>

typedef struct gui_server gui_server;

typedef struct gui_options {
    int port;            /* of 127.0.0.1; 0: a free one */
    const char *folder;  /* where tables and runs are kept; made where it is not there */
    const char *samples; /* folder of the tables that come along; NULL: none */
    int threads;         /* of the library; 0: one per core */
    int64_t quota;       /* bytes that the folder may take; 0: as many as there is room for */
} gui_options;

/* 1, or 0 with a sentence in `message`. */
int gui_start(const gui_options *options, gui_server **server, char *message, size_t size);
/* "http://127.0.0.1:PORT/?token=..." */
const char *gui_address(const gui_server *server);
/* The same place for the command line of a browser, which everybody on the machine can read:
 * "file:///...", a file that nobody else can, with a ticket that is good once, for a minute. NULL
 * if it cannot be made. */
const char *gui_ticket_place(gui_server *server);
/* To be called now and then: deletes that file when its minute is over. */
void gui_tidy(gui_server *server);
/* Ends the work under way, writes down where it stands, and closes all connections. 1, or 0 where
 * the library is in the middle of something that cannot be interrupted, for a run or for a request:
 * everything is on the disk then, but the process must end by _exit. */
int gui_stop(gui_server *server);

#endif
