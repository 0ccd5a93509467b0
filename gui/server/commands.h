/* A run in words that can be run elsewhere. */
#ifndef RLS2_GUI_COMMANDS_H
#define RLS2_GUI_COMMANDS_H

#include <stdio.h>

#include "gui/server/run_plan.h"

/* What they are to say. */
typedef struct wish {
    run_plan plan;   /* as the run was asked for, completed: rows and columns */
    rls2_plan *told; /* what is retold; with one lambda where it is that of a point */
    int point;       /* 1: one lambda is given */
    int divided;     /* 1: `table` is not the file as it was opened */
    json_t *reading; /* settings by which the table is read; NULL: none */
    char file[256];  /* the table as it was opened */
    char table[256]; /* what Python reads: that, or the training rows the server writes */
    char test[256], validation[256]; /* other tables as they were opened; "" where there are none */
} wish;

/* Writes the settings of w->told, but for those that are idle and one more by name (NULL: none). 0
 * if that failed. */
int commands_retell(const wish *w, rls2_voice voice, const char *but, FILE *out);
/* Is lambda chosen on rows left out? */
int commands_by_splits(const wish *w);

/* commands_python.c: lines of Python. The caller frees them; NULL when out of memory. */
char *commands_python(const wish *w);

#endif
