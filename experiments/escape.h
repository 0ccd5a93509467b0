/* Texts as HTML, XML, JSON, Markdown, CSV and a terminal must have them. What is not UTF-8 becomes
 * U+FFFD: a name from a file in another encoding must not make the whole text unreadable. So do,
 * where nothing can stand for them, characters that a reader cannot see. */
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

/* As a terminal may show it, on one line: rls2_text_escape. */
void escape_text(FILE *file, const char *text);
/* The same as a text that the caller frees; NULL when out of memory. */
char *escape_copy(const char *text);
/* The columns it takes there: characters, none of them wide or combining. */
int escape_width(const char *text);

#endif
