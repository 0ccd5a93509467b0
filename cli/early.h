/* What the command sees to before the libraries it is linked to start. */
#ifndef CLI_EARLY_H
#define CLI_EARLY_H

/* Puts the environment back as the command was given it: the first thing of main. */
void early_end(void);

#endif
