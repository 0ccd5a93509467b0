/* Topics of the help that belong to no single command: `rls2 help dictionary`. */
#ifndef RLS2_CLI_HELP_TOPICS_H
#define RLS2_CLI_HELP_TOPICS_H

typedef struct topic {
    const char *name;
    const char *summary;
    const char *
        text; /* as command.description; a paragraph that begins with a blank is printed as it is */
} topic;

/* Ends with a name of NULL. */
extern const topic TOPICS[];
/* NULL if there is none of that name. */
const topic *topic_find(const char *name);

#endif
