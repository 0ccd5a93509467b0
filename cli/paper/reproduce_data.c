/* rls2 reproduce data: files from their public source, by curl as a child process. No shell is
 * involved. A file is written beside its place, checked, and only then renamed; a file that was
 * there and is another is kept. */
#include "cli/paper/reproduce_data.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cli/interrupt.h"
#include "cli/json.h"
#include "cli/paper/reproduce_command.h"
#include "cli/progress.h"
#include "experiments/checksum.h"
#include "experiments/child.h"
#include "experiments/files.h"
#include "experiments/sources.h"

typedef enum state { THERE, FETCHED, FAILED } state;
static const char *const STATES[] = {"there", "fetched", "failed"};

static const char *program(void)
{
    const char *chosen = getenv("RLS2_CURL");
    return chosen && chosen[0] ? chosen : "curl";
}

/* ---- curl ---- */

/* Where the size is not known. The largest file on the list has some 20 MB. */
static const int64_t MOST_BYTES = INT64_C(512) << 20;
enum {
    CURL_TOO_LARGE = 63
}; /* its exit code where the server announces more than --max-filesize */

static int64_t most_bytes(const source *from)
{
    return from->size >= 0 ? from->size : MOST_BYTES;
}

/* An errno, 0 if it runs. What it fetches goes to `out`; redirects stay on the web. A server that
 * says nothing for a minute is given up. --disable, which counts only in the first place, keeps the
 * user's .curlrc out: it could send the bytes elsewhere. */
static int start(pid_t *child, const source *from, FILE *out, FILE *messages)
{
    char *url = strdup(from->address);
    char most[32]; /* curl takes 0 for no limit: then there is ours alone */
    snprintf(most, sizeof most, "%" PRId64, most_bytes(from));
    char name[] = "curl", plain[] = "--disable", largest[] = "--max-filesize",
         silent[] = "--silent", errors[] = "--show-error", fails[] = "--fail",
         follow[] = "--location", protocols[] = "--proto", web[] = "=http,https",
         connect[] = "--connect-timeout", seconds[] = "30", slow[] = "--speed-time",
         minute[] = "60", least[] = "--speed-limit", one[] = "1", literal[] = "--globoff",
         dashes[] = "--url";
    char *const arguments[] = {name,  plain,   silent,  errors,  fails, follow, protocols,
                               web,   connect, seconds, largest, most,  slow,   minute,
                               least, one,     literal, dashes,  url,   NULL};
    if (!url) return ENOMEM;
    int error = child_start(program(), arguments, -1, fileno(out), fileno(messages), child);
    free(url);
    return error;
}

/* Bytes so far. */
static int64_t size_of(FILE *out)
{
    struct stat about;
    return fstat(fileno(out), &about) == 0 ? (int64_t)about.st_size : 0;
}

static void show_progress(progress *p, const source *from, int64_t bytes)
{
    char what[160];
    long long kilobytes = (long long)bytes / 1000;
    if (from->size > 0)
        snprintf(what, sizeof what, "of %lld kB of %s", (long long)from->size / 1000, from->file);
    else
        snprintf(what, sizeof what, "kB of %s", from->file);
    progress_count(p, kilobytes, what);
}

static void end_child(pid_t child, int *status)
{
    kill(child, SIGKILL);
    while (waitpid(child, status, 0) < 0 && errno == EINTR) continue;
}

/* Looks every few milliseconds, since a signal that comes just before a blocking wait would be
 * slept through; and a server that does not say how much it sends is stopped by what has come. */
static int wait_for(pid_t child, int *status, progress *p, const source *from, FILE *out)
{
    const struct timespec pause = {.tv_nsec = 10000000};
    for (;;) {
        pid_t ended = waitpid(child, status, WNOHANG);
        if (ended == child) return EXIT_OK;
        if (ended < 0 && errno != EINTR) return EXIT_FAILED;
        int64_t bytes = size_of(out);
        if (interrupted() || bytes > most_bytes(from)) {
            end_child(child, status);
            return interrupted() ? EXIT_INTERRUPTED : EXIT_OK;
        }
        show_progress(p, from, bytes);
        nanosleep(&pause, NULL);
    }
}

static int explain_start(const settings *s, const source *from, int error)
{
    if (error == ENOENT)
        say_error(s,
                  "curl is not installed; it fetches the data (Debian, Ubuntu: apt-get install "
                  "curl). By hand: %s",
                  from->address);
    else
        say_error(s, "%s cannot be started: %s", program(), strerror(error));
    return EXIT_FAILED;
}

static void explain_failure(const settings *s, const source *from, int status, int too_large,
                            FILE *messages)
{
    char text[1024];
    rewind(messages);
    size_t length = fread(text, 1, sizeof text - 1, messages);
    while (length > 0 && (text[length - 1] == '\n' || text[length - 1] == ' ')) length--;
    text[length] = '\0';
    size_t first = strcspn(text, "\n");
    if (too_large)
        say_error(
            s, "%s: what comes is larger than %" PRId64 " bytes, %s; it is stopped and thrown away",
            from->address, most_bytes(from),
            from->size >= 0 ? "the size of the file it should be" : "the most that is fetched");
    else if (WIFSIGNALED(status))
        say_error(s, "%s: curl was ended by signal %d (%s)", from->address, WTERMSIG(status),
                  strsignal(WTERMSIG(status)));
    else if (length > 0)
        say_error(s, "%s: %.*s", from->address, (int)first, text);
    else
        say_error(s, "%s: curl failed (exit code %d)", from->address, WEXITSTATUS(status));
    if (!too_large && !WIFSIGNALED(status)) say_more(text + first);
}

/* The bytes of the address, into `out`. */
static int fetch(const settings *s, const source *from, FILE *out)
{
    pid_t child;
    int status = 0, code;
    FILE *messages = tmpfile();
    if (!messages) {
        say_error(s, "temporary file: %s", strerror(errno));
        return EXIT_FAILED;
    }
    int error = start(&child, from, out, messages);
    if (error) {
        code = explain_start(s, from, error);
    } else {
        progress p = progress_start(s);
        code = wait_for(child, &status, &p, from, out);
        progress_end(&p);
        int too_large = size_of(out) > most_bytes(from) ||
                        (WIFEXITED(status) && WEXITSTATUS(status) == CURL_TOO_LARGE);
        if (code == EXIT_OK && (status != 0 || too_large)) {
            explain_failure(s, from, status, too_large, messages);
            code = EXIT_FAILED;
        }
    }
    fclose(messages);
    return code;
}

/* ---- a file ---- */

/* 1 if the file is what it should be; otherwise `found` says what it is. */
static int is_right(const source *from, const char *path, char *found, size_t size)
{
    struct stat about;
    char sum[CHECKSUM_TEXT];
    if (stat(path, &about) != 0 || checksum_file(path, from->checksum, sum) != 0) {
        snprintf(found, size, "%s", strerror(errno));
        return 0;
    }
    snprintf(found, size, "%lld bytes, %s", (long long)about.st_size, sum);
    return strcmp(sum, from->checksum) == 0 &&
           (from->size < 0 || from->size == (int64_t)about.st_size);
}

/* 1 if nothing is there, or a file that may be replaced: not a pipe or a device, which would be
 * written into, nor a link, which would lead elsewhere. */
static int may_be_written(const settings *s, const char *path)
{
    struct stat about;
    if (lstat(path, &about) != 0 || S_ISREG(about.st_mode)) return 1;
    say_error(s, "%s is there and is %s, not a file: nothing is fetched into it; move it away",
              path,
              S_ISLNK(about.st_mode)    ? "a symbolic link"
              : S_ISDIR(about.st_mode)  ? "a folder"
              : S_ISFIFO(about.st_mode) ? "a pipe"
                                        : "a device or socket");
    return 0;
}

/* Gives the file the name as well, or instead where the disk knows no second names; never that of
 * another. An errno. */
static int give_name(const char *path, const char *name)
{
    struct stat about;
    if (link(path, name) == 0) return 0;
    if (errno == EEXIST) return EEXIST;
    if (lstat(name, &about) == 0) return EEXIST;
    return rename(path, name) == 0 ? 0 : errno;
}

/* A file of the user's own, before another takes its name: it stays as NAME.old, or .old2, .old3,
 * ... */
static int keep_old(const settings *s, const char *path)
{
    enum { MOST = 99 };
    struct stat about;
    char old[FILES_PATH + 24];
    int error = EEXIST;
    if (lstat(path, &about) != 0) return EXIT_OK;
    snprintf(old, sizeof old, "%s.old", path);
    for (int i = 2; (error = give_name(path, old)) == EEXIST && i <= MOST; i++)
        snprintf(old, sizeof old, "%s.old%d", path, i);
    if (error) {
        say_error(s, "%s cannot be kept as %s, so it is not replaced: %s", path, old,
                  strerror(error));
        return EXIT_FAILED;
    }
    say(s, "the file that was there is kept as %s", old);
    return EXIT_OK;
}

static int fetch_checked(const settings *s, const source *from, const char *path)
{
    output out;
    char found[160];
    if (!may_be_written(s, path)) return EXIT_FAILED;
    int code = output_open(s, path, &out);
    if (code != EXIT_OK) return code;
    code = fetch(s, from, out.file);
    if (code == EXIT_OK && !(out.temporary && is_right(from, out.temporary, found, sizeof found))) {
        say_error(s,
                  "%s: what came from %s is not the file it should be, and is thrown away: %s "
                  "instead of %s",
                  from->file, from->address, out.temporary ? found : "no file", from->checksum);
        code = EXIT_FAILED;
    }
    if (code == EXIT_OK) code = keep_old(s, path);
    int closed = output_close(s, &out, code == EXIT_OK);
    return code == EXIT_OK ? closed : code;
}

/* An exit code; *path is where the file is to be, or is. */
static int provide(const settings *s, const reproduction *where, const source *from, char *path,
                   size_t size, state *result)
{
    char found[160];
    *result = THERE;
    if (experiment_find(where, from->file, path, size)) {
        if (is_right(from, path, found, sizeof found)) return EXIT_OK;
        say(s, "%s is not the file it should be (%s): it is fetched anew", path, found);
    }
    *result = FAILED;
    int length = snprintf(path, size, "%s/%s", where->folders[0], from->file);
    if (length < 0 || (size_t)length >= size) {
        say_error(s, "%s: the name of the folder that --data names is too long for a file in it",
                  from->file);
        return EXIT_FAILED;
    }
    int code = fetch_checked(s, from, path);
    *result = code == EXIT_OK ? FETCHED : FAILED;
    return code;
}

/* ---- all of them ---- */

/* What became of each file. */
typedef struct outcome {
    state state;
    char path[FILES_PATH];
} outcome;

static void list_as_json(FILE *file, const sources *list, const outcome *done, int count)
{
    json j = json_start(file);
    json_object(&j, NULL);
    json_array(&j, "files");
    for (int i = 0; i < count; i++) {
        json_object(&j, NULL);
        json_text(&j, "file", list->items[i].file);
        json_text(&j, "state", STATES[done[i].state]);
        json_text(&j, "path", done[i].state == FAILED ? NULL : done[i].path);
        json_text(&j, "address", list->items[i].address);
        json_end_object(&j);
    }
    json_end_array(&j);
    json_end_object(&j);
    json_finish(&j);
}

static int print_list(const settings *s, const sources *list, const outcome *done, int count)
{
    output out;
    int code = output_open(s, NULL, &out);
    if (code != EXIT_OK) return code;
    if (s->json) list_as_json(out.file, list, done, count);
    for (int i = 0; i < count && !s->json; i++)
        print_names(out.file, "%-18s %-8s %s\n", list->items[i].file, STATES[done[i].state],
                    done[i].state == FAILED ? list->items[i].address : done[i].path);
    return output_close(s, &out, 1);
}

static int provide_all(const settings *s, const reproduction *where, const sources *list, int lists)
{
    int worst = EXIT_OK, count = 0;
    outcome *done = calloc((size_t)list->count + 1, sizeof *done);
    if (!done) return out_of_memory(s);
    while (count < list->count && worst != EXIT_INTERRUPTED) {
        outcome *o = &done[count];
        int code = provide(s, where, &list->items[count], o->path, sizeof o->path, &o->state);
        if (code != EXIT_OK) worst = code;
        if (code != EXIT_INTERRUPTED) count++;
    }
    if (lists) {
        int printed = print_list(s, list, done, count);
        worst = worst == EXIT_OK ? printed : worst;
    }
    free(done);
    return worst;
}

int reproduce_data(const settings *s, int lists)
{
    const char *folders[DATA_FOLDERS], *named = getenv("RLS2_SOURCES");
    reproduction where = {.folders = folders, .folder_count = data_folders(s, folders)};
    sources list;
    rls2_error err = {0};
    if (strlen(folders[0]) >= FILES_PATH) {
        say_error(s, "--data: the name of the folder is too long (%zu bytes)", strlen(folders[0]));
        return EXIT_FAILED;
    }
    const char *path = s->sources ? s->sources : named && named[0] ? named : NULL;
    rls2_status status = sources_read(path, &list, &err);
    if (status == RLS2_OK) status = files_make_folder(folders[0], &err);
    int code = status == RLS2_OK ? provide_all(s, &where, &list, lists) : fail(s, &err);
    if (code == EXIT_INTERRUPTED)
        say_error(s, "stopped; what is fetched is kept: run it again to go on");
    sources_free(&list);
    return code;
}
