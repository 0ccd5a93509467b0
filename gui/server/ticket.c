/* The file lies in the home folder itself while it is wanted: browsers that are shut in (snap) can
 * read no hidden folders, which the user's data directory is, nor /tmp, nor the run-time directory.
 */
#include "gui/server/ticket.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "gui/server/store_folder.h"

#define FIRST_LINE "<!doctype html><!-- rls2 gui: leads a browser to the page, once -->\n"
#define NAME_START "rls2-gui-"

/* ---- what others left ---- */

/* rls2-gui-PORT.html */
static int is_name(const char *name)
{
    if (!starts_with(name, NAME_START)) return 0;
    const char *number = name + strlen(NAME_START);
    size_t digits = strspn(number, "0123456789");
    return digits > 0 && strcmp(number + digits, ".html") == 0;
}

/* A file of ours by its first line; `old`: one whose ticket is worth nothing any more. */
static int is_ticket(int folder, const char *name, int old)
{
    char line[sizeof FIRST_LINE] = "";
    struct stat about;
    int file = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0) return 0;
    int ours = fstat(file, &about) == 0 && S_ISREG(about.st_mode) && about.st_uid == geteuid() &&
               read(file, line, sizeof line - 1) == (ssize_t)sizeof line - 1 &&
               strcmp(line, FIRST_LINE) == 0;
    close(file);
    return ours && (!old || about.st_mtime < time(NULL) - TICKET_SECONDS);
}

/* Of a server that was killed before it could. */
static void drop_old(void *user, int folder, const char *name)
{
    (void)user;
    if (is_name(name) && is_ticket(folder, name, 1)) unlinkat(folder, name, 0);
}

/* ---- the file ---- */

static int write_page(int file, int port, const char *ticket)
{
    char text[1024];
    int length = snprintf(
        text, sizeof text,
        FIRST_LINE "<html lang=\"en\"><head><meta charset=\"utf-8\"><title>rls2</title>\n"
                   "<meta name=\"referrer\" content=\"no-referrer\">\n"
                   "<meta http-equiv=\"refresh\" content=\"0; "
                   "url=http://127.0.0.1:%d/?ticket=%s\"></head>\n"
                   "<body><a href=\"http://127.0.0.1:%d/?ticket=%s\">rls2</a></body></html>\n",
        port, ticket, port, ticket);
    return write(file, text, (size_t)length) == length;
}

/* Nothing of the path but plain letters, digits and "/-_.~" stands in an address as it is. */
static int set_place(ticket_file *t, const char *path)
{
    size_t used = (size_t)snprintf(t->place, sizeof t->place, "file://");
    char whole[STORE_PATH];
    if ((size_t)snprintf(whole, sizeof whole, "%s/%s", path, t->name) >= sizeof whole) return 0;
    for (const unsigned char *c = (const unsigned char *)whole; *c; c++) {
        int plain = (*c >= '0' && *c <= '9') || (*c >= 'a' && *c <= 'z') ||
                    (*c >= 'A' && *c <= 'Z') || strchr("/-_.~", *c);
        if (used + 4 > sizeof t->place) return 0;
        used += (size_t)snprintf(t->place + used, 4, plain ? "%c" : "%%%02X", *c);
    }
    return 1;
}

static int write_in(ticket_file *t, const char *folder, int port, const char *ticket)
{
    char *path = folder && folder[0] ? realpath(folder, NULL) : NULL;
    fault ignored;
    int file = -1, written = 0;
    t->folder = path ? folder_open(AT_FDCWD, path, path, &ignored) : -1;
    if (t->folder >= 0 && set_place(t, path)) {
        folder_each(t->folder, drop_old, NULL);
        if (is_ticket(t->folder, t->name, 0))
            unlinkat(t->folder, t->name, 0); /* the port is ours now */
        file =
            openat(t->folder, t->name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    }
    if (file >= 0) {
        written = write_page(file, port, ticket);
        close(file);
        if (!written) unlinkat(t->folder, t->name, 0);
    }
    free(path);
    if (!written && t->folder >= 0) close(t->folder);
    if (!written) t->folder = -1;
    return written;
}

int ticket_write(ticket_file *t, int port, const char *ticket, const char *folder)
{
    snprintf(t->name, sizeof t->name, NAME_START "%d.html", port);
    return write_in(t, getenv("HOME"), port, ticket) || write_in(t, folder, port, ticket);
}

void ticket_remove(ticket_file *t)
{
    if (t->folder < 0) return;
    unlinkat(t->folder, t->name, 0);
    close(t->folder);
    t->folder = -1;
}
