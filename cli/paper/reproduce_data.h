/* rls2 reproduce data. */
#ifndef RLS2_CLI_PAPER_REPRODUCE_DATA_H
#define RLS2_CLI_PAPER_REPRODUCE_DATA_H

#include "cli/paper/reproduce_command.h"

/* rls2 reproduce data: fetches what is missing, and lists the files on stdout if `lists`. An exit
 * code. */
int reproduce_data(const settings *s, int lists);

#endif
