/* A run in words that can be run elsewhere. */
#ifndef RLS2_GUI_COMMANDS_H
#define RLS2_GUI_COMMANDS_H

#include "gui/server/problem.h"

/* What they are to say. */
typedef struct wish {
    const problem *problem;
    int point;      /* 1: that point of the path */
    double lambda;  /* which */
    double top;     /* the largest of the grid; 0 without a point */
    char file[256]; /* the table */
    char part[64];  /* of a table that was divided by the server: the column that tells the parts;
                       else "" */
    int no_validation;               /* the validation rows are left out of that table */
    char test[256], validation[256]; /* other tables, as they are called; "" where there are none */
} wish;

/* The grid of the run: LO:HI:N, into `text`, or "" where its values are listed one by one. Where
 * they come from the data their ends are said, as `top` is known; else as they were asked for. */
enum { GRID_TEXT = 80 };
const char *commands_grid(const wish *w, char text[GRID_TEXT]);

/* commands_shell.c: one line for a shell; `reading` says how the table is read, NULL: as by
 * default. The caller frees it; NULL when out of memory. */
char *commands_shell(const wish *w, const json_t *reading);
/* commands_python.c: lines of Python, likewise. */
char *commands_python(const wish *w, const json_t *reading);

#endif
