/* rls2 gui: the page, served to a browser on this machine. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cli/output.h"

#ifdef RLS2_GUI
#include "cli/interrupt.h"
#include "cli/json.h"
#include "cli/samples.h"
#include "gui/server/server.h"

enum { MOST_PATH = 2000, HIGHEST_PORT = 65535 };

/* ---- folders ---- */

/* Where tables and runs are kept, by the rules of the desktop. 0 if no rule tells. */
static int find_folder(const settings *s, char path[MOST_PATH])
{
    const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
    int length = 0;
    if (s->folder)
        length = snprintf(path, MOST_PATH, "%s", s->folder);
    else if (data && data[0] == '/')
        length = snprintf(path, MOST_PATH, "%s/rls2", data);
    else if (home && home[0])
        length = snprintf(path, MOST_PATH, "%s/.local/share/rls2", home);
    return length > 0 && length < MOST_PATH;
}

/* "500M", "2G", "1.5T": bytes; -1 if it is none. */
static int64_t bytes_of(const char *text)
{
    static const char UNITS[] = "KMGT";
    char *end;
    double value = strtod(text, &end);
    const char *unit = *end ? strchr(UNITS, *end >= 'a' ? *end - 32 : *end) : NULL;
    if (end == text || !(value > 0.0) || (*end && !unit)) return -1;
    if (unit) {
        value *= pow(1024.0, (double)(unit - UNITS + 1));
        end++;
        if (*end == 'B' || *end == 'b') end++;
    }
    return *end == '\0' && value < 9e18 ? (int64_t)value : -1;
}

/* Bytes; 0 for none, -1 for what is no size. */
static int64_t find_quota(const settings *s)
{
    return strcmp(s->quota, "none") == 0 ? 0 : bytes_of(s->quota);
}

/* ---- the browser ---- */

/* In a process of its own that nobody waits for; whether it works is not our business. */
static void start_browser(const char *place)
{
    int nothing = open("/dev/null", O_RDWR);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_DFL);
    setsid();
    if (nothing >= 0) {
        dup2(nothing, STDIN_FILENO);
        dup2(nothing, STDOUT_FILENO);
        dup2(nothing, STDERR_FILENO);
    }
    if (fork() == 0) execlp("xdg-open", "xdg-open", place, (char *)NULL);
    _exit(0);
}

/* What it is given can be read by everybody on the machine: the name of a file that nobody else can
 * read. */
static void open_browser(const settings *s, gui_server *server)
{
    const char *place = gui_ticket_place(server);
    if (!place) {
        say(s, "cannot open a browser: its start file cannot be written");
        return;
    }
    pid_t child = fork();
    if (child == 0) start_browser(place);
    if (child > 0) waitpid(child, NULL, 0);
}

/* ---- running ---- */

/* Where standard files are closed, those of the server would take their place, and what is printed
 * would go there. */
static void keep_standard_files_free(void)
{
    int file;
    do file = open("/dev/null", O_RDONLY);
    while (file >= 0 && file <= STDERR_FILENO);
    if (file >= 0) close(file);
}

static int print_address(const settings *s, const char *address)
{
    output out;
    int code = output_open(s, NULL, &out);
    if (code != EXIT_OK) return code;
    if (s->json) {
        json j = json_start(out.file);
        json_object(&j, NULL);
        json_text(&j, "address", address);
        json_end_object(&j);
        json_finish(&j);
    } else {
        fprintf(out.file, "%s\n", address);
    }
    return output_close(s, &out, 1);
}

static void wait_for_signal(gui_server *server)
{
    const struct timespec moment = {.tv_nsec = 50000000};
    while (!interrupted()) {
        nanosleep(&moment, NULL);
        gui_tidy(server);
    }
}

static int serve(const settings *s, gui_server *server)
{
    int code = print_address(s, gui_address(server));
    if (code != EXIT_OK) return code;
    say(s, "open this address in a browser on this machine; Ctrl-C ends the server");
    if (!s->no_browser) open_browser(s, server);
    wait_for_signal(server);
    say(s, "stopping");
    return EXIT_OK;
}

static int run_gui(const settings *s)
{
    char folder[MOST_PATH], samples[SAMPLES_PATH], message[800];
    gui_server *server = NULL;
    if (s->port > HIGHEST_PORT) {
        say_error(s, "--port should be a number up to %d", HIGHEST_PORT);
        return EXIT_USAGE;
    }
    if (find_quota(s) < 0) {
        say_error(s, "--quota should be a size, for instance 500M or 20G, or 'none'");
        return EXIT_USAGE;
    }
    if (!find_folder(s, folder)) {
        say_error(s, "no folder for tables and runs: give --folder FOLDER");
        return EXIT_USAGE;
    }
    keep_standard_files_free();
    interrupt_catch();
    /* who reads our words may have ended by the same Ctrl-C: the run is saved all the same */
    signal(SIGPIPE, SIG_IGN);
    gui_options options = {.port = (int)s->port,
                           .folder = folder,
                           .quota = find_quota(s),
                           .samples = samples_find(s, samples),
                           .threads = s->threads < 10000 ? (int)s->threads : 10000};
    if (!gui_start(&options, &server, message, sizeof message)) {
        say_error(s, "%s", message);
        return EXIT_FAILED;
    }
    int code = serve(s, server);
    if (gui_stop(server)) return code;
    fflush(NULL);
    _exit(code); /* threads of the library are at work still */
}

#else

static int run_gui(const settings *s)
{
    say_error(s,
              "this build has no page; 'make gui' in the folder of the sources makes one that has");
    return EXIT_FAILED;
}

#endif

const command command_gui = {
    .name = "gui",
    .bit = FOR_GUI,
    .summary = "train and look at models in a browser",
    .arguments = "",
    .description =
        "Starts a small server on this machine and opens its page in a browser: choose a table, "
        "set what is to be learned, watch the fit, look at every lambda, compare runs, keep "
        "models.\n\n"
        "The address is printed on the standard output. The server listens on 127.0.0.1 only, "
        "and requests need the token in the address. Nothing is sent anywhere else.\n\n"
        "Tables, runs and models stay in --folder until they are deleted on the page. It must be "
        "a folder of your own that nobody else can write to, and not a link. Models are byte for "
        "byte those that 'rls2 train' writes; the page shows the equivalent command and Python "
        "code. Ctrl-C ends the server; a run in progress is stopped and keeps what is finished.",
    .examples = "$ rls2 gui\n\n"
                "$ rls2 gui --port 8080 --no-browser --folder ~/trial\n"
                "  At an address of your choice, for a browser you open yourself.\n",
    .run = run_gui};
