/* gnuplot as a child process: it reads the script as its standard input and writes the picture to
 * its standard output. Its messages are kept aside and shown if it fails. */
#include "cli/plot/plot_gnuplot.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cli/console.h"
#include "cli/interrupt.h"
#include "cli/plot/plot.h"
#include "experiments/child.h"

static const char *program(void)
{
    const char *chosen = getenv("RLS2_GNUPLOT");
    return chosen && chosen[0] ? chosen : "gnuplot";
}

/* An errno, 0 if it runs. -d: the user's own settings of gnuplot are not read. */
static int start(pid_t *child, FILE *script, FILE *out, FILE *messages)
{
    char name[] = "gnuplot", defaults[] = "-d";
    char *const arguments[] = {name, defaults, NULL};
    return child_start(program(), arguments, fileno(script), fileno(out), fileno(messages), child);
}

/* Looks every few milliseconds whether the child has ended or Ctrl-C was pressed, since a signal
 * that comes just before a blocking wait would be slept through. */
static int wait_for(pid_t child, int *status)
{
    const struct timespec pause = {.tv_nsec = 5000000};
    for (;;) {
        pid_t ended = waitpid(child, status, WNOHANG);
        if (ended == child) return EXIT_OK;
        if (ended < 0 && errno != EINTR) return EXIT_FAILED;
        if (interrupted()) {
            kill(child, SIGKILL);
            while (waitpid(child, status, 0) < 0 && errno == EINTR) {
            }
            return EXIT_INTERRUPTED;
        }
        nanosleep(&pause, NULL);
    }
}

static void show_failure(const settings *s, int status, FILE *messages)
{
    char text[4096];
    rewind(messages);
    size_t length = fread(text, 1, sizeof text - 1, messages);
    while (length > 0 && (text[length - 1] == '\n' || text[length - 1] == ' ')) length--;
    text[length] = '\0';
    if (WIFSIGNALED(status))
        say_error(s, "gnuplot was ended by signal %d (%s)", WTERMSIG(status),
                  strsignal(WTERMSIG(status)));
    else
        say_error(s, "gnuplot failed (exit code %d)%s", WEXITSTATUS(status), length ? ":" : "");
    if (!WIFSIGNALED(status)) say_more(text);
}

static int explain_start(const settings *s, int error)
{
    const char *chosen = getenv("RLS2_GNUPLOT");
    if (error != ENOENT)
        say_error(s, "%s cannot be started: %s", program(), strerror(error));
    else
        say_error(s, "gnuplot is not installed; it draws the pictures (Debian, Ubuntu: apt-get "
                     "install gnuplot-nox)");
    if (chosen && chosen[0]) say(s, "RLS2_GNUPLOT is '%s'", chosen);
    return EXIT_FAILED;
}

int gnuplot_run(const settings *s, FILE *script, FILE *out)
{
    pid_t child;
    int status = 0, code;
    FILE *messages = tmpfile();
    if (!messages || fflush(script) != 0 || ferror(script) ||
        lseek(fileno(script), 0, SEEK_SET) != 0) {
        say_error(s, "temporary file: %s", strerror(errno));
        if (messages) fclose(messages);
        return EXIT_FAILED;
    }
    int error = start(&child, script, out, messages);
    if (error) {
        code = explain_start(s, error);
    } else {
        code = wait_for(child, &status);
        if (code == EXIT_OK && status != 0) {
            show_failure(s, status, messages);
            code = EXIT_FAILED;
        }
    }
    fclose(messages);
    return code;
}
