/* Ctrl-C and SIGTERM. */
#ifndef RLS2_CLI_INTERRUPT_H
#define RLS2_CLI_INTERRUPT_H

/* From now on Ctrl-C (SIGINT) and SIGTERM only set a flag; a second one ends the process at once.
 */
void interrupt_catch(void);
int interrupted(void);
/* While on, the first one ends the process at once, temporary files removed: for waiting on input,
 * which may never come. */
void interrupt_at_once(int on);

/* Files that must not stay behind when a second Ctrl-C ends the process on the spot. `path` is
 * borrowed until it is forgotten. A few at a time; more than that are not kept track of. */
void interrupt_remember(const char *path);
void interrupt_forget(const char *path);

#endif
