/* A child process whose output is read. Its words for what went wrong go to a file without a name,
 * so that nobody has to read them meanwhile. */
#include "formats/converter.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/status.h"

extern char **environ;

struct rls2__converter {
    const char *name;
    const char *program;
    pid_t process; /* 0: it has ended */
    FILE *said;
};

int rls2__converter_is_for(const char *bytes, int64_t length)
{
    static const struct {
        const char *magic;
        int64_t size;
    } known[] = {{"PAR1", 4}, {"ARROW1\0\0", 8}, {"FEA1", 4}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        int64_t size = known[i].size;
        if (length < size || memcmp(bytes, known[i].magic, (size_t)size) != 0) continue;
        /* a table may have a column that is called so */
        if (length == size || !strchr(",;|\t\r\n ", bytes[size])) return 1;
    }
    return 0;
}

/* ---- starting ---- */

/* argv, the path and NULL; NULL when out of memory. */
static char **arguments_of(const char *const *argv, const char *path)
{
    int64_t count = 0;
    while (argv[count]) count++;
    char **all = rls2__alloc_zero(count + 2, sizeof *all);
    for (int64_t i = 0; all && i < count; i++) all[i] = (char *)argv[i];
    if (all) all[count] = (char *)path;
    return all;
}

/* An error number. Signals that the caller has blocked or ignored are the program's again. */
static int spawn(char **arguments, int to, int said, pid_t *process)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, to, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, said, STDERR_FILENO);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    int code = posix_spawnp(process, arguments[0], &actions, &attributes, arguments, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return code;
}

static rls2_status start(rls2__converter *c, char **arguments, int *output, rls2_error *err)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return rls2__fail(err, RLS2_ERR_IO, "%s: %s", c->name, strerror(errno));
    int code = spawn(arguments, ends[1], fileno(c->said), &c->process);
    close(ends[1]);
    if (code == 0) {
        *output = ends[0];
        return RLS2_OK;
    }
    c->process = 0;
    close(ends[0]);
    return rls2__fail(err, RLS2_ERR_IO,
                      "%s: %.100s, which is to write it as CSV, cannot be run: %s", c->name,
                      c->program, strerror(code));
}

rls2_status rls2__converter_start(const char *const *argv, const char *path, const char *name,
                                  rls2__converter **converter, int *output, rls2_error *err)
{
    rls2__converter *made = rls2__alloc_zero(1, sizeof *made);
    char **arguments = made ? arguments_of(argv, path) : NULL;
    rls2_status status = arguments ? RLS2_OK : rls2__fail_memory(err, name);
    if (status == RLS2_OK) {
        *made = (rls2__converter){.name = name, .program = argv[0], .said = tmpfile()};
        /* the program gets it as its standard error, and not a second time */
        if (made->said) fcntl(fileno(made->said), F_SETFD, FD_CLOEXEC);
        status = made->said ? start(made, arguments, output, err)
                            : rls2__fail(err, RLS2_ERR_IO, "%s: no temporary file: %s", name,
                                         strerror(errno));
    }
    rls2__free((void *)arguments);
    if (status == RLS2_OK)
        *converter = made;
    else
        rls2__converter_free(made);
    return status;
}

/* ---- ending ---- */

/* Its exit status; -1 where a signal ended it. Where the host ignores the ends of its children
 * nobody knows: what it said tells. */
static int wait_for(rls2__converter *c)
{
    int status = -1;
    pid_t ended;
    do ended = waitpid(c->process, &status, 0);
    while (ended < 0 && errno == EINTR);
    c->process = 0;
    if (ended < 0) return fseek(c->said, 0, SEEK_END) != 0 || ftell(c->said) > 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* The last line that is not empty. */
static void read_last_line(FILE *said, char *line, size_t room)
{
    char next[400];
    *line = '\0';
    rewind(said);
    while (fgets(next, sizeof next, said)) {
        next[strcspn(next, "\r\n")] = '\0';
        if (*next) snprintf(line, room, "%.300s", next);
    }
}

rls2_status rls2__converter_end(rls2__converter *converter, rls2_error *err)
{
    char line[400];
    if (converter->process == 0) return RLS2_OK;
    int code = wait_for(converter);
    if (code == 0) return RLS2_OK;
    read_last_line(converter->said, line, sizeof line);
    if (*line) return rls2__fail(err, RLS2_ERR_VALUE, "%s: %s", converter->name, line);
    return rls2__fail(err, RLS2_ERR_VALUE, "%s: %.100s, which was to write it as CSV, ended early",
                      converter->name, converter->program);
}

void rls2__converter_free(rls2__converter *converter)
{
    if (!converter) return;
    if (converter->process > 0) {
        kill(converter->process, SIGKILL);
        wait_for(converter);
    }
    if (converter->said) fclose(converter->said);
    rls2__free(converter);
}
