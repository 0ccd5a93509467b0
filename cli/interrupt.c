/* Catches Ctrl-C and SIGTERM: the first sets a flag or, at once, removes temporary files and ends;
 * the second ends in any case. */
#include "cli/interrupt.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/console.h"

enum { MOST_FILES = 4 };

/* Handlers see nothing but globals. */
static volatile sig_atomic_t caught;
static volatile sig_atomic_t at_once;
static volatile sig_atomic_t drawn;
static char last_words[64] = "rls2: stopped\n";
static _Atomic(const char *) files[MOST_FILES];

/* Only what a handler may call: unlink, write, _exit, signal, raise. */

static void say_last(const char *text, size_t length)
{
    if (write(STDERR_FILENO, text, length) < 0) _exit(EXIT_INTERRUPTED); /* said or not */
}

static void erase_line(void)
{
    int left = drawn;
    if (left == 0) return;
    say_last("\r", 1);
    for (; left > 0; left--) say_last(" ", 1);
    say_last("\r", 1);
}

static void on_signal(int number)
{
    if (!caught && !at_once) {
        caught = 1;
        return;
    }
    for (int i = 0; i < MOST_FILES; i++) {
        const char *path = atomic_load(&files[i]);
        if (path) unlink(path);
    }
    erase_line();
    if (!caught) {
        say_last(last_words, strlen(last_words));
        _exit(EXIT_INTERRUPTED);
    }
    signal(number, SIG_DFL);
    raise(number);
}

void interrupt_catch(void)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    for (int i = 0; i < 3; i++) {
        struct sigaction old, now;
        memset(&now, 0, sizeof now);
        now.sa_handler = on_signal;
        now.sa_flags =
            SA_RESTART; /* half-done reads and writes go on: only the flag ends the work */
        sigemptyset(&now.sa_mask);
        /* what was to be ignored, as of a background job of a script, stays ignored */
        if (sigaction(signals[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
            sigaction(signals[i], &now, NULL);
    }
}

void interrupt_at_once(int on)
{
    at_once = on;
}

int interrupted(void)
{
    return caught != 0;
}

void interrupt_name(const char *name)
{
    snprintf(last_words, sizeof last_words, "rls2 %.40s: stopped\n", name);
}

void interrupt_drawn(int width)
{
    drawn = width;
}

void interrupt_remember(const char *path)
{
    for (int i = 0; i < MOST_FILES; i++) {
        const char *none = NULL;
        if (atomic_compare_exchange_strong(&files[i], &none, path)) return;
    }
}

void interrupt_forget(const char *path)
{
    for (int i = 0; i < MOST_FILES; i++)
        if (atomic_load(&files[i]) == path) atomic_store(&files[i], NULL);
}
