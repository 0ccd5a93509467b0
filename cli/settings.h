/* What the command line asked for. Texts point into argv. */
#ifndef RLS2_CLI_SETTINGS_H
#define RLS2_CLI_SETTINGS_H

#include <stdint.h>

#include "rls2/plan.h"

enum { MOST_ARGUMENTS = 4096 };

typedef struct text_list {
    const char **items;
    int64_t count;
} text_list;

/* The plan has the settings of rls2/settings.h; the other members are the options of cli/options.c,
 * each under its name. A command reads those it has. */
typedef struct settings {
    const char *command;
    const char *argument[MOST_ARGUMENTS];
    int argument_count;
    rls2_plan *plan;

    /* everywhere */
    int json;
    int quiet;
    int64_t threads; /* 0: one per core */
    int64_t seed;    /* of reproduce */

    /* files */
    const char *test;
    const char *validation;
    text_list given;     /* NAME=FILE */
    const char *like;    /* of stats: others to be counted like */
    int profile;         /* of stats: what is known before rows are counted */
    const char *missing; /* of predict and verify; NULL: as the model says */
    int strict;          /* of predict: --missing error */

    /* results */
    const char *output; /* NULL: none, or stdout */
    int confusion;
    int std;
    int contributions;
    int probability; /* of predict */
    int interval;    /* likewise */
    text_list keep;  /* of predict: columns of the table */
    int64_t top;
    double gap_tol;   /* of verify */
    double threshold; /* of predict: the score from which on the second class is predicted */

    /* pictures */
    const char *kind;
    const char *against;
    const char *title;
    const char *of; /* one output: a class or a target */
    int64_t width, height;

    /* demo, reproduce and gui */
    const char *data;
    const char *folder;  /* --output of reproduce; --folder of gui */
    const char *quota;   /* of that folder of gui: "10G"; "none" */
    const char *sources; /* NULL: those built in */
    const char *solver;
    int64_t splits; /* 0: as many as the experiment has */
    int64_t port;   /* 0: a free one */
    int no_browser;
} settings;

/* What was asked for, in words; NULL where nothing was and there is no default. */
const char *asked(const settings *s, const char *setting);
/* Item i of a list; NULL beyond the last. */
const char *asked_item(const settings *s, const char *setting, int64_t i);

#endif
