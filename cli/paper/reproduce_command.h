/* Between the files of rls2 reproduce. */
#ifndef RLS2_CLI_PAPER_REPRODUCE_COMMAND_H
#define RLS2_CLI_PAPER_REPRODUCE_COMMAND_H

#include "cli/output.h"
#include "experiments/experiment.h"

enum { DATA_FOLDERS = 4 };

/* Folders where data may be, in the order they are looked through: the number of them. */
int data_folders(const settings *s, const char *folders[DATA_FOLDERS]);

#endif
