/* Real fits in a pseudo terminal: the bar, Ctrl-C, SIGTERM, and what is left behind.
 *
 * Nothing here looks at a clock: a signal is sent when the bar, or the other end of a pipe, shows
 * that the work is under way. The work is so long that it is never finished by then. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <regex.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "support/command.h"

#define LONG_PATH "path data/heart.csv -t class --standardize --lambdas 1e-9:1e3:90000 "
#define MANY_KERNELS "--drop train -k 'rbf(1e-3:1e3:20000)@each' --memory 2G "

/* ---- a command at a terminal ---- */

enum { SCREEN_ROOM = 1 << 20, PATIENCE_MS = 120000 };

typedef struct terminal {
    pid_t child;
    int screen;
    char *text; /* all it has shown */
    size_t used;
} terminal;

/* stdin and stderr are the terminal, stdout the file $T/shown. */
static terminal start(const char *line)
{
    struct winsize size = {.ws_row = 24, .ws_col = 80};
    terminal t = {.text = calloc(1, SCREEN_ROOM)};
    char whole[1024];
    snprintf(whole, sizeof whole, "exec \"$RLS2\" %s >$T/shown", line);
    assert_non_null(t.text);
    t.child = forkpty(&t.screen, NULL, NULL, &size);
    if (t.child == 0) {
        setenv("TERM", "xterm", 1);
        execl("/bin/sh", "sh", "-c", whole, (char *)NULL);
        _exit(127);
    }
    if (t.child < 0) {
        free(t.text);
        print_message("no pseudo terminal can be had here\n");
        skip();
    }
    return t;
}

/* Reads what comes next; 0 when the terminal is closed. */
static int look(terminal *t)
{
    struct pollfd ready = {t->screen, POLLIN, 0};
    assert_int_equal(poll(&ready, 1, PATIENCE_MS), 1);
    assert_true(t->used < SCREEN_ROOM - 4096);
    ssize_t got = read(t->screen, t->text + t->used, 4096);
    if (got <= 0) return 0;
    t->used += (size_t)got;
    t->text[t->used] = '\0';
    return 1;
}

static int shows(const char *text, const char *pattern)
{
    regex_t compiled;
    assert_int_equal(regcomp(&compiled, pattern, REG_EXTENDED | REG_NOSUB), 0);
    int found = regexec(&compiled, text, 0, NULL, 0) == 0;
    regfree(&compiled);
    return found;
}

static void wait_for(terminal *t, const char *pattern)
{
    while (!shows(t->text, pattern))
        if (!look(t)) fail_msg("'%s' was never shown, but: %s", pattern, t->text);
}

/* Returns the exit code, 128 + the signal's number if one ended it. */
static int finish(terminal *t)
{
    int status;
    while (look(t)) continue;
    assert_int_equal(waitpid(t->child, &status, 0), t->child);
    close(t->screen);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static void press_ctrl_c(const terminal *t)
{
    assert_int_equal(write(t->screen, "\003", 1), 1);
}

static void terminal_free(terminal *t)
{
    free(t->text);
}

/* Files in the folder whose names begin so. */
static void assert_no_file(const char *name)
{
    printed it = shell("ls -A $T | grep -F -e '%s'", name);
    assert_string_equal(it.out, "");
    printed_free(&it);
}

/* ---- the bar ---- */

static void path__at_a_terminal__draws_and_removes_a_bar_with_eta(void **state)
{
    (void)state;
    terminal t = start(LONG_PATH);
    wait_for(&t, "\rpath  \\[#*\\.+\\]  [0-9]+/90000  lambda [0-9.e+-]+  gap [0-9]e[-+][0-9]+  ETA "
                 "[0-9]+ (s|min|h)");
    press_ctrl_c(&t);
    finish(&t);
    assert_true(shows(t.text, "\rkernels  \\[[#.]+\\]  [0-9]+/148"));
    assert_true(
        shows(t.text, "\r +\rrls2 path: stopped after ")); /* the line was made blank before */
    for (const char *at = strchr(t.text, '\r'); at; at = strchr(at + 1, '\r'))
        assert_true(strcspn(at + 1, "\r\n^") < 80); /* the terminal itself adds ^C */
    char *shown = read_text(in_folder("shown"), NULL);
    assert_null(strchr(shown, '\r'));
    free(shown);
    terminal_free(&t);
}

static void path__quiet_or_not_at_a_terminal__draws_none(void **state)
{
    (void)state;
    static const char *const LINES[] = {
        "path data/sonar.csv -t class --lambdas 1e-3:1:10 -q",
        "path data/sonar.csv -t class --lambdas 1e-3:1:10 2>$T/err"};
    for (int i = 0; i < 2; i++) {
        terminal t = start(LINES[i]);
        assert_int_equal(finish(&t), 0);
        assert_string_equal(t.text, "");
        terminal_free(&t);
    }
    char *err = read_text(in_folder("err"), NULL);
    assert_null(strchr(err, '\r'));
    assert_null(strstr(err, "ETA"));
    free(err);
}

/* ---- Ctrl-C and SIGTERM ---- */

/* $T/NAME is JSON with as many points as stderr says. */
static void assert_stopped(const terminal *t, const char *name)
{
    long said = 0, of = 0;
    const char *text = strstr(t->text, "rls2 path: stopped after ");
    assert_non_null(text);
    assert_int_equal(sscanf(text, "rls2 path: stopped after %ld of %ld values", &said, &of), 2);
    assert_int_equal(of, 90000);
    assert_true(said >= 3 && said < of);
    json_error_t error;
    json_t *root = json_load_file(in_folder(name), 0, &error);
    if (!root) fail_msg("%s: %s", name, error.text);
    assert_int_equal(json_array_size(at(root, "path")), said);
    for (long i = 0; i < said; i++)
        assert_true(number_at(json_array_get(at(root, "path"), (size_t)i), "gap") <= 1e-6);
    json_decref(root);
}

/* Half a path must not replace a whole one. */
static void path__ctrl_c_with_a_file__writes_nothing(void **state)
{
    (void)state;
    terminal t = start(LONG_PATH "--json -o $T/path.json");
    wait_for(&t, "path .*  [3-9][0-9]*/90000");
    assert_no_file("path.json");
    press_ctrl_c(&t);
    assert_int_equal(finish(&t), 130);
    assert_non_null(strstr(t.text, "path.json is not written"));
    assert_no_file("path.json");
    terminal_free(&t);
}

static void path__sigterm__prints_what_is_finished(void **state)
{
    (void)state;
    terminal t = start(LONG_PATH "--json");
    wait_for(&t, "path .*  [3-9][0-9]*/90000");
    kill(t.child, SIGTERM);
    assert_int_equal(finish(&t), 130);
    assert_stopped(&t, "shown");
    terminal_free(&t);
}

static void path__ctrl_c_while_kernels_are_computed__writes_nothing(void **state)
{
    (void)state;
    terminal t = start("path data/prostate.csv -t lpsa " MANY_KERNELS "-o $T/none.json");
    wait_for(&t, "kernels .*/160000");
    press_ctrl_c(&t);
    assert_int_equal(finish(&t), 130);
    assert_non_null(strstr(t.text, "rls2 path: "));
    assert_no_file("none");
    terminal_free(&t);
}

static void train__ctrl_c__saves_nothing(void **state)
{
    (void)state;
    terminal t = start("train data/prostate.csv -t lpsa " MANY_KERNELS "--lambda 1 -o $T/none");
    wait_for(&t, "kernels .*/160000");
    press_ctrl_c(&t);
    assert_int_equal(finish(&t), 130);
    assert_no_file("none");
    char *shown = read_text(in_folder("shown"), NULL);
    assert_string_equal(shown, "");
    free(shown);
    terminal_free(&t);
}

/* Kernels of many rows: whatever the library is at, a command that keeps nothing does not wait for
 * it. */
static void train__sigterm_in_a_large_kernel__ends_at_once(void **state)
{
    (void)state;
    static const char *const COMMANDS[] = {"train", "cv", "path"};
    printed made = shell("awk 'BEGIN {print \"a,b,y\"; for (i = 0; i < 6000; i++) print "
                         "i %% 997 / 1000 \",\" i * i %% 991 / 1000 \",\" i %% 13}' >$T/many.csv");
    printed_free(&made);
    for (int i = 0; i < 3; i++) {
        char line[200];
        snprintf(line, sizeof line, "%s $T/many.csv -t y -k 'rbf(1e-2);rbf(1e-3)' -o $T/none",
                 COMMANDS[i]);
        terminal t = start(line);
        wait_for(&t, "2 kernels on 6000 rows");
        kill(t.child, SIGTERM);
        assert_int_equal(finish(&t), 130);
        snprintf(line, sizeof line, "rls2 %s: stopped\r\n", COMMANDS[i]);
        assert_non_null(strstr(t.text, line));
        assert_no_file("none");
        terminal_free(&t);
    }
}

/* ---- predictions of a stream that does not end ---- */

enum { PIECE_LINES = 5000 };

/* predict on the lines this process writes, -o $T/NAME; the end of the pipe to write to in *to. */
static pid_t start_predicting(const char *name, int *to)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[0], STDIN_FILENO);
        int errors = open(in_folder("errors"), O_WRONLY | O_CREAT | O_TRUNC, 0666);
        dup2(errors, STDERR_FILENO);
        execl(getenv("RLS2"), "rls2", "predict", in_folder("servo.model"), "-", "-o",
              in_folder(name), (char *)NULL);
        _exit(127);
    }
    assert_true(child > 0);
    close(ends[0]);
    *to = ends[1];
    return child;
}

/* 0 when nobody reads any more. */
static int feed(int to, int lines)
{
    static const char LINE[] = "A,B,5,4,0.5\n";
    for (int i = 0; i < lines; i++)
        if (write(to, LINE, sizeof LINE - 1) < 0) return 0;
    return 1;
}

static void predict__interrupted__leaves_no_file(void **state)
{
    (void)state;
    static const int SIGNALS[] = {SIGINT, SIGTERM};
    signal(SIGPIPE, SIG_IGN);
    free(rls2_out("train data/servo.csv -t rise_time -k 'rbf(1)' --lambda 1 -q -o $T/servo.model"));
    for (int i = 0; i < 2; i++) {
        int to, status;
        pid_t child = start_predicting("predicted", &to);
        assert_true(write(to, "motor,screw,pgain,vgain,rise_time\n", 34) == 34);
        assert_true(feed(to, 4 * PIECE_LINES)); /* some pieces are done by then */
        assert_no_file("predicted ");
        kill(child, SIGNALS[i]);
        while (feed(to, PIECE_LINES)) continue;
        close(to);
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), 130);
        assert_no_file("predicted");
        char *errors = read_text(in_folder("errors"), NULL);
        assert_non_null(strstr(errors, "stopped"));
        free(errors);
    }
    signal(SIGPIPE, SIG_DFL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(path__at_a_terminal__draws_and_removes_a_bar_with_eta),
        cmocka_unit_test(path__quiet_or_not_at_a_terminal__draws_none),
        cmocka_unit_test(path__ctrl_c_with_a_file__writes_nothing),
        cmocka_unit_test(path__sigterm__prints_what_is_finished),
        cmocka_unit_test(path__ctrl_c_while_kernels_are_computed__writes_nothing),
        cmocka_unit_test(train__ctrl_c__saves_nothing),
        cmocka_unit_test(train__sigterm_in_a_large_kernel__ends_at_once),
        cmocka_unit_test(predict__interrupted__leaves_no_file),
    };
    return cmocka_run_group_tests_name("cli.interrupt", tests, folder_make, folder_remove);
}
