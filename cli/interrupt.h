/* Ctrl-C and SIGTERM. */
#ifndef RLS2_CLI_INTERRUPT_H
#define RLS2_CLI_INTERRUPT_H

/* From now on Ctrl-C (SIGINT) and SIGTERM only set a flag; a second one ends the process at once.
 */
void interrupt_catch(void);
int interrupted(void);
/* While on, the first one ends the process at once, temporary files removed: wherever nothing is
 * finished that would be lost, whether it is input that may never come or work that may be long. */
void interrupt_at_once(int on);
/* Who says then that it was stopped; before the first signal is caught. */
void interrupt_name(const char *name);
/* So many characters stand on the terminal's last line, which are erased then. */
void interrupt_drawn(int width);

/* Files that must not stay behind when a second Ctrl-C ends the process on the spot. `path` is
 * borrowed until it is forgotten. A few at a time; more than that are not kept track of. */
void interrupt_remember(const char *path);
void interrupt_forget(const char *path);

#endif
