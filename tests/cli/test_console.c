/* Messages, the progress bar and Ctrl-C, seen from the other end of a pseudo terminal. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#undef fail /* ours is another */

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/interrupt.h"
#include "cli/output.h"
#include "cli/progress.h"

/* stderr becomes a terminal, of which this is the other end. */
typedef struct screen {
    int master;
    int saved;
    char text[4096];
} screen;

static void screen_open(screen *s, unsigned short columns)
{
    struct winsize size = {.ws_row = 24, .ws_col = columns};
    s->master = posix_openpt(O_RDWR | O_NOCTTY);
    if (s->master < 0) print_message("no pseudo terminal can be had here\n");
    if (s->master < 0) skip();
    assert_true(s->master >= 0 && grantpt(s->master) == 0 && unlockpt(s->master) == 0);
    int slave = open(ptsname(s->master), O_RDWR | O_NOCTTY);
    assert_true(slave >= 0);
    assert_int_equal(ioctl(slave, TIOCSWINSZ, &size), 0);
    fflush(stderr);
    s->saved = dup(STDERR_FILENO);
    assert_true(dup2(slave, STDERR_FILENO) >= 0);
    close(slave);
}

/* What has come since the last time. */
static const char *screen_text(screen *s)
{
    size_t used = 0;
    struct pollfd ready = {s->master, POLLIN, 0};
    fflush(stderr);
    while (used < sizeof s->text - 1 && poll(&ready, 1, 0) == 1) {
        ssize_t got = read(s->master, s->text + used, sizeof s->text - 1 - used);
        if (got <= 0) break;
        used += (size_t)got;
    }
    s->text[used] = '\0';
    return s->text;
}

static void screen_close(screen *s)
{
    fflush(stderr);
    dup2(s->saved, STDERR_FILENO);
    close(s->saved);
    close(s->master);
}

/* As if the last drawing were long ago. */
static int step(progress *p, const char *stage, int64_t done, int64_t total, double lambda,
                double gap)
{
    rls2_progress at = {.stage = stage, .done = done, .total = total, .lambda = lambda, .gap = gap};
    p->drawn = 0.0;
    return progress_callback(p, &at);
}

/* ---- the bar ---- */

static void progress_callback__on_a_terminal__draws_bar_and_details(void **state)
{
    (void)state;
    settings none = {.command = "path"};
    screen s;
    screen_open(&s, 80);
    progress p = progress_start(&none);
    assert_true(p.draws);
    assert_int_equal(step(&p, "fitting", 0, 30, 0.0, 0.0), 0);
    char *first = strdup(screen_text(&s));
    step(&p, "fitting", 15, 30, 0.03, 3e-7);
    char *second = strdup(screen_text(&s));
    progress_end(&p);
    char *end = strdup(screen_text(&s));
    screen_close(&s);
    assert_non_null(strstr(first, "\rfitting  [...."));
    assert_non_null(strstr(first, "]  0/30"));
    assert_null(strstr(first, "ETA"));
    assert_non_null(strstr(second, "[####"));
    assert_non_null(strstr(second, "]  15/30  lambda 0.03  gap 3e-07  ETA "));
    assert_true(strlen(second) <= 80); /* the carriage return and 79 columns */
    assert_true(end[0] == '\r' && end[strlen(end) - 1] == '\r');
    assert_int_equal(strspn(end + 1, " "), strlen(second) - 1);
    free(first);
    free(second);
    free(end);
}

static void progress_callback__at_the_end_of_a_stage__fills_the_bar(void **state)
{
    (void)state;
    settings none = {.command = "path"};
    screen s;
    screen_open(&s, 80);
    progress p = progress_start(&none);
    step(&p, "kernels", 0, 7, 0.0, 0.0);
    screen_text(&s);
    step(&p, "kernels", 7, 7, 0.0, 0.0);
    char *text = strdup(screen_text(&s));
    progress_end(&p);
    screen_close(&s);
    assert_null(strchr(text, '.'));
    assert_null(strstr(text, "ETA"));
    assert_non_null(strstr(text, "#]  7/7"));
    free(text);
}

static void progress_callback__shorter_line__erases_the_longer_one(void **state)
{
    (void)state;
    settings none = {.command = "path"};
    screen s;
    screen_open(&s, 60);
    progress p = progress_start(&none);
    step(&p, "fitting", 3, 30, 0.12, 1e-5);
    step(&p, "fitting", 9, 30, 0.12, 1e-5);
    size_t longest = strlen(strrchr(screen_text(&s), '\r'));
    step(&p, "x", 30, 30, 0.0, 0.0);
    size_t shorter = strlen(strrchr(screen_text(&s), '\r'));
    screen_close(&s);
    assert_true(longest <= 60);
    assert_true(shorter >= longest);
}

static void progress_callback__narrow_terminal__leaves_the_bar_out_and_fits(void **state)
{
    (void)state;
    settings none = {.command = "path"};
    screen s;
    screen_open(&s, 20);
    progress p = progress_start(&none);
    step(&p, "fitting", 3, 30, 0.12, 1e-5);
    char *text = strdup(screen_text(&s));
    screen_close(&s);
    assert_null(strchr(text, '['));
    assert_true(strlen(text) <= 20);
    free(text);
}

static void progress_callback__calls_in_a_row__are_not_all_drawn(void **state)
{
    (void)state;
    settings none = {.command = "path"};
    screen s;
    screen_open(&s, 80);
    progress p = progress_start(&none);
    rls2_progress at = {.stage = "fitting", .total = 1000};
    progress_callback(&p, &at);
    screen_text(&s);
    p.drawn += 3600.0; /* an hour before the next drawing is due */
    for (at.done = 1; at.done < 1000; at.done++) progress_callback(&p, &at);
    size_t more = strlen(screen_text(&s));
    screen_close(&s);
    assert_int_equal(more, 0);
}

static void progress_callback__quiet_or_no_terminal__draws_nothing(void **state)
{
    (void)state;
    settings quiet = {.command = "path", .quiet = 1}, loud = {.command = "path"};
    screen s;
    screen_open(&s, 80);
    progress p = progress_start(&quiet);
    step(&p, "fitting", 3, 30, 0.12, 1e-5);
    progress_end(&p);
    say(&quiet, "nothing");
    size_t drawn = strlen(screen_text(&s));
    screen_close(&s);
    assert_int_equal(drawn, 0);
    int saved = dup(STDERR_FILENO), null = open("/dev/null", O_WRONLY);
    dup2(null, STDERR_FILENO);
    p = progress_start(&loud);
    dup2(saved, STDERR_FILENO);
    close(saved);
    close(null);
    assert_false(p.draws);
}

/* Steps that become longer: the estimate follows the late ones, not the mean of all. */
static void progress_callback__steps_become_longer__estimate_follows(void **state)
{
    (void)state;
    settings none = {.command = "path"};
    progress p = {.settings = &none, .draws = 1};
    screen s;
    screen_open(&s, 80);
    step(&p, "fitting", 0, 30, 0.0, 0.0);
    for (int i = 1; i <= 20; i++) {
        p.stepped -= i <= 10 ? 1.0 : 10.0; /* seconds that this step took */
        step(&p, "fitting", i, 30, 0.0, 0.0);
    }
    screen_close(&s);
    assert_true(p.step > 7.0 && p.step < 10.5); /* the plain mean is 5.5 */
}

/* One step that takes long, of which the library knows how much is done. */
static void progress_callback__share_of_a_step__moves_the_bar_and_tells_the_rest(void **state)
{
    (void)state;
    settings none = {.command = "path"};
    progress p = {.settings = &none, .draws = 1};
    rls2_progress at = {.stage = "kernels", .total = 1};
    screen s;
    screen_open(&s, 80);
    progress_callback(&p, &at);
    screen_text(&s);
    p.started -= 30.0; /* seconds */
    p.drawn = 0.0;
    at.share = 0.75;
    progress_callback(&p, &at);
    char *text = strdup(screen_text(&s));
    screen_close(&s);
    size_t filled = strspn(strchr(text, '[') + 1, "#"), empty = strspn(strchr(text, '.'), ".");
    assert_non_null(strstr(text, "]  0/1  ETA 1")); /* 10 s, and the moment until it was drawn */
    assert_true(filled > 2 * empty && filled < 4 * empty);
    free(text);
}

/* ---- Ctrl-C: in a child, as it cannot be taken back ---- */

/* Exit status of the child that ran `play`, as a shell would say it. */
static int status_of(void (*play)(const char *), const char *argument)
{
    int status = 0;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        play(argument);
        _exit(99);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

static void interrupt_once(const char *unused)
{
    (void)unused;
    settings none = {.command = "path", .quiet = 1};
    progress p = progress_start(&none);
    rls2_progress at = {.stage = "fitting", .done = 1, .total = 30};
    if (progress_callback(&p, &at) != 0 || interrupted()) _exit(1);
    raise(SIGINT);
    _exit(progress_callback(&p, &at) != 0 && interrupted() ? EXIT_INTERRUPTED : 2);
}

static void interrupt__once__sets_the_flag_that_stops_the_library(void **state)
{
    (void)state;
    assert_int_equal(status_of(interrupt_once, NULL), EXIT_INTERRUPTED);
}

static void interrupt_twice(const char *path)
{
    settings none = {.command = "path", .quiet = 1};
    output out;
    interrupt_catch();
    if (output_open(&none, path, &out) != EXIT_OK) _exit(1);
    fputs("half", out.file);
    fflush(out.file);
    raise(SIGTERM);
    raise(SIGTERM);
}

static void interrupt__twice__ends_at_once_and_leaves_no_file(void **state)
{
    (void)state;
    char folder[] = "/tmp/rls2-console-XXXXXX", path[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/result", folder);
    assert_int_equal(status_of(interrupt_twice, path), 128 + SIGTERM);
    assert_int_equal(rmdir(folder), 0); /* only an empty folder can be removed */
}

static void ignore_then_catch(const char *unused)
{
    (void)unused;
    signal(SIGINT, SIG_IGN);
    interrupt_catch();
    raise(SIGINT);
    _exit(interrupted() ? 1 : 0);
}

static void interrupt__ignored_by_the_parent__stays_ignored(void **state)
{
    (void)state;
    assert_int_equal(status_of(ignore_then_catch, NULL), 0);
}

/* ---- messages ---- */

static void fail__cancelled_or_not__gives_the_exit_code(void **state)
{
    (void)state;
    settings none = {.command = "path"};
    rls2_error cancelled = {RLS2_ERR_CANCELLED, -1, ""},
               other = {RLS2_ERR_IO, -1, "x.csv: no such file"};
    screen s;
    screen_open(&s, 80);
    int first = fail(&none, &cancelled), second = fail(&none, &other);
    char *text = strdup(screen_text(&s));
    screen_close(&s);
    assert_int_equal(first, EXIT_INTERRUPTED);
    assert_int_equal(second, EXIT_FAILED);
    assert_non_null(strstr(text, "rls2 path: x.csv: no such file\r\n"));
    assert_true(strncmp(text, "rls2 path: ", 11) == 0 && text[11] != '\r');
    free(text);
}

int main(void)
{
    setenv("TERM", "xterm", 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(progress_callback__on_a_terminal__draws_bar_and_details),
        cmocka_unit_test(progress_callback__at_the_end_of_a_stage__fills_the_bar),
        cmocka_unit_test(progress_callback__shorter_line__erases_the_longer_one),
        cmocka_unit_test(progress_callback__narrow_terminal__leaves_the_bar_out_and_fits),
        cmocka_unit_test(progress_callback__calls_in_a_row__are_not_all_drawn),
        cmocka_unit_test(progress_callback__quiet_or_no_terminal__draws_nothing),
        cmocka_unit_test(progress_callback__steps_become_longer__estimate_follows),
        cmocka_unit_test(progress_callback__share_of_a_step__moves_the_bar_and_tells_the_rest),
        cmocka_unit_test(interrupt__once__sets_the_flag_that_stops_the_library),
        cmocka_unit_test(interrupt__twice__ends_at_once_and_leaves_no_file),
        cmocka_unit_test(interrupt__ignored_by_the_parent__stays_ignored),
        cmocka_unit_test(fail__cancelled_or_not__gives_the_exit_code),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
