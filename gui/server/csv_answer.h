/* A CSV text that grows in memory. */
#ifndef RLS2_GUI_CSV_ANSWER_H
#define RLS2_GUI_CSV_ANSWER_H

#include <stdio.h>

#include "gui/server/fault.h"
#include "gui/server/http.h"

typedef struct csv {
    FILE *file;
    char *text;
    size_t length;
    int in_line; /* cells of the line so far */
} csv;

int csv_begin(csv *c, fault *f);
void csv_words(csv *c, const char *text); /* quoted where needed */
void csv_number(csv *c, double value);    /* "NA" where it is none */
void csv_integer(csv *c, int64_t value);
void csv_nothing(csv *c); /* "NA" */
void csv_line(csv *c);    /* ends it */
/* Makes it the answer, an attachment of that name; or frees it, with `code` not 0. Returns `code`.
 */
int csv_send(csv *c, int code, const char *name, reply *answer, fault *f);

#endif
