/* How a browser is told where the page is. Everybody can read its command line, so the address with
 * the ticket is in a file that only our user can read, and the command line has the name of that
 * file. */
#ifndef RLS2_GUI_TICKET_H
#define RLS2_GUI_TICKET_H

enum { TICKET_BYTES = 16, TICKET_SECONDS = 60 };

typedef struct ticket_file {
    int folder;       /* -1: there is no such file */
    char name[64];    /* in that folder */
    char place[2048]; /* "file:///..." */
} ticket_file;

/* Makes the file that leads to 127.0.0.1:port with the ticket; 0 if it cannot be made. It is made
 * in the home folder, or where that will not do in `folder`. */
int ticket_write(ticket_file *t, int port, const char *ticket, const char *folder);
/* Deletes it, where it is there. */
void ticket_remove(ticket_file *t);

#endif
