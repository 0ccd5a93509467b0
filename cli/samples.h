/* The example tables that come along with the command. */
#ifndef RLS2_CLI_SAMPLES_H
#define RLS2_CLI_SAMPLES_H

#include "cli/settings.h"

enum { SAMPLES_PATH = 2000 };

/* Their folder: --data or $RLS2_DATA where given, else ./data, else beside the sources the command
 * was built from, or where it was installed. NULL if they are not there. `path` may hold it. */
const char *samples_find(const settings *s, char path[SAMPLES_PATH]);

#endif
