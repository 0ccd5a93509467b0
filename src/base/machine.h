/* What the machine has to give. */
#ifndef RLS2_BASE_MACHINE_H
#define RLS2_BASE_MACHINE_H

/* Bytes this process may take in all: the memory of the machine, or less where a control group (of
 * a container, a batch system) or a limit of its own (ulimit -v, -d) allows less. 0 where nothing
 * is known. */
double rls2__memory_limit(void);

/* The least that the control groups of a process allow, of both versions; INFINITY where none
 * limits it. `groups` is the file that names them (/proc/self/cgroup), `mount` the folder they are
 * mounted below (/sys/fs/cgroup). */
double rls2__cgroup_limit(const char *groups, const char *mount);

#endif
