/* Between interrupt.c and output.c: files that must not stay behind when a second Ctrl-C ends the
 * process on the spot. */
#ifndef RLS2_CLI_INTERRUPT_H
#define RLS2_CLI_INTERRUPT_H

/* `path` is borrowed until it is forgotten. A few at a time; more than that are not kept track of.
 */
void interrupt_remember(const char *path);
void interrupt_forget(const char *path);

#endif
