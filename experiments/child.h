/* Other programs as child processes. No shell is involved: a file name is never part of a command.
 */
#ifndef RLS2_EXPERIMENTS_CHILD_H
#define RLS2_EXPERIMENTS_CHILD_H

#include <sys/types.h>

/* An errno, 0 if it runs. The program is looked for in PATH; -1 for `in` leaves the standard input
 * as it is, for `messages` it sends what the program says to nowhere. Signals that this process
 * ignores (a full disk, a closed pipe) do to it what they do to any program. */
int child_start(const char *program, char *const arguments[], int in, int out, int messages,
                pid_t *child);

#endif
