/* OpenBLAS starts a thread for each processor as soon as it is loaded, before main. Each takes
 * 128 MB of address space and asks for ever where there is none, so that even --version would
 * not end under 'ulimit -v'. The command has no use for these threads (src/la/threads.c), and
 * OPENBLAS_NUM_THREADS=1 keeps them away if it is there in time: before the constructors of
 * shared libraries, which is where .preinit_array stands. The C library takes the environment
 * afresh from the kernel's list when it starts, and that list cannot grow: so the setting stands
 * in the place of another variable until main begins. */
#include "cli/early.h"

#include <stdlib.h> /* says whether the C library is glibc */

#if defined(__linux__) && defined(__GLIBC__) && defined(__GNUC__)

#include <sys/resource.h>
#include <unistd.h>

/* Sanitizers and the C library are not there yet: nothing that they watch, no function that may
 * be theirs. */
#define BEFORE_ALL __attribute__((no_sanitize("address", "undefined", "thread")))

static char one_thread[] = "OPENBLAS_NUM_THREADS=1";
static char **place;
static char *displaced;

/* Does `entry` begin with NAME=? */
BEFORE_ALL static int is_named(const char *entry, const char *name)
{
    while (*name && *entry == *name) {
        entry++;
        name++;
    }
    return !*name && *entry == '=';
}

/* Is the variable one that a library may read before main? */
BEFORE_ALL static int is_read_early(const char *entry)
{
    static const char *const STARTS[] = {"OMP_",    "GOMP_",  "OPENBLAS_", "GOTO_",
                                         "MALLOC_", "GLIBC_", "LD_"};
    for (unsigned i = 0; i < sizeof STARTS / sizeof *STARTS; i++) {
        const char *a = entry, *b = STARTS[i];
        while (*b && *a == *b) a++, b++;
        if (!*b) return 1;
    }
    return 0;
}

/* Its own place where it has one; else that of PATH, which no library reads before main; else
 * that of any other they do not read. */
BEFORE_ALL static char **choose_place(char **environment)
{
    char **chosen = 0;
    for (char **at = environment; *at; at++) {
        if (is_named(*at, "OPENBLAS_NUM_THREADS")) return at;
        if (is_named(*at, "PATH") || (!chosen && !is_read_early(*at))) chosen = at;
    }
    return chosen;
}

/* An empty environment has no place to take: under a limit the command starts once more, with
 * this one variable. */
BEFORE_ALL static void start_again(char **argv)
{
    char *environment[] = {one_thread, NULL};
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
        execve("/proc/self/exe", argv, environment);
}

BEFORE_ALL static void early_begin(int argc, char **argv, char **environment)
{
    (void)argc;
    place = choose_place(environment);
    if (!place) {
        start_again(argv);
        return;
    }
    displaced = *place;
    *place = one_thread;
}

typedef void early_fn(int argc, char **argv, char **environment);
__attribute__((section(".preinit_array"), used)) static early_fn *const first = early_begin;

void early_end(void)
{
    if (place) *place = displaced;
    place = NULL;
}

#else

void early_end(void)
{
}

#endif
