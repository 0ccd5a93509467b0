/* Texts as HTML, XML, JSON, Markdown and CSV must have them. What is not UTF-8 becomes U+FFFD: a name from
 * a file in another encoding must not make the whole text unreadable. */
#ifndef RLS2_EXPERIMENTS_ESCAPE_H
#define RLS2_EXPERIMENTS_ESCAPE_H

#include <stdio.h>

/* Within an element or an attribute in quotes. */
void escape_xml(FILE *file, const char *text);
/* With its quotes. */
void escape_json(FILE *file, const char *text);
/* On one line; a cell of a table too. */
void escape_markdown(FILE *file, const char *text);
/* A cell, quoted where it must be. */
void escape_csv(FILE *file, const char *text);
/* Shortest text that reads back the same, null where there is none. */
void escape_json_number(FILE *file, double value);

/* Characters, not bytes: the width in a terminal of a text without wide or combining ones. */
int escape_width(const char *text);

#endif
