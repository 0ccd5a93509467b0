/* The list of the sub-commands, in the order of the help. */
#include <string.h>

#include "cli/command.h"

const command *const COMMANDS[] = {&command_train,   &command_cv,
                                   &command_path,    &command_predict,
                                   &command_show,    &command_verify,
                                   &command_stats,   &command_merge,
                                   &command_kernels, &command_plot,
                                   &command_demo,    &command_reproduce,
                                   &command_gui,     NULL};

const command *command_find(const char *name)
{
    for (int i = 0; COMMANDS[i]; i++)
        if (strcmp(COMMANDS[i]->name, name) == 0) return COMMANDS[i];
    return NULL;
}
