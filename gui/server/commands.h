/* A run in words that can be run elsewhere. */
#ifndef RLS2_GUI_COMMANDS_H
#define RLS2_GUI_COMMANDS_H

#include "gui/server/problem.h"

/* What they are to say. */
typedef struct wish {
    const problem *problem;
    int point;      /* 1: for that lambda alone */
    double lambda;  /* which */
    char file[256]; /* the table */
    char part[64];  /* of a table that was divided by the server: the column that tells the parts; else "" */
    int no_validation;               /* the validation rows are left out of that table */
    char test[256], validation[256]; /* other tables, as they are called; "" where there are none */
} wish;

/* commands_shell.c: one line for a shell; `reading` says how the table is read, NULL: as by default. The caller frees it; NULL when
 * out of memory. */
char *commands_shell(const wish *w, const json_t *reading);
/* commands_python.c: lines of Python, likewise. */
char *commands_python(const wish *w);

#endif
