/* Starts a child process with its standard files redirected and its signals restored. */
#include "experiments/child.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <unistd.h>

extern char **environ;

static int redirect(posix_spawn_file_actions_t *actions, int in, int out, int messages)
{
    int error = in >= 0 ? posix_spawn_file_actions_adddup2(actions, in, STDIN_FILENO) : 0;
    if (!error) error = posix_spawn_file_actions_adddup2(actions, out, STDOUT_FILENO);
    if (error) return error;
    if (messages >= 0) return posix_spawn_file_actions_adddup2(actions, messages, STDERR_FILENO);
    return posix_spawn_file_actions_addopen(actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
}

/* What is ignored stays so in a child, unless it is told. */
static int restore_signals(posix_spawnattr_t *how)
{
    sigset_t usual;
    sigemptyset(&usual);
    sigaddset(&usual, SIGXFSZ);
    sigaddset(&usual, SIGPIPE);
    int error = posix_spawnattr_setsigdefault(how, &usual);
    return error ? error : posix_spawnattr_setflags(how, POSIX_SPAWN_SETSIGDEF);
}

int child_start(const char *program, char *const arguments[], int in, int out, int messages,
                pid_t *child)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t how;
    int error = posix_spawn_file_actions_init(&actions);
    if (error) return error;
    error = posix_spawnattr_init(&how);
    if (!error) {
        error = redirect(&actions, in, out, messages);
        if (!error) error = restore_signals(&how);
        if (!error) error = posix_spawnp(child, program, &actions, &how, arguments, environ);
        posix_spawnattr_destroy(&how);
    }
    posix_spawn_file_actions_destroy(&actions);
    return error;
}
