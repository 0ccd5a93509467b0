/* Words, numbers and signs of the text; errors with a caret below their place. */
#ifndef RLS2_DICTIONARY_DICTIONARY_TEXT_H
#define RLS2_DICTIONARY_DICTIONARY_TEXT_H

#include "dictionary/dictionary_parse.h"

/* A word of the text. Quotes are taken off; `at` is where it began, quote included. */
typedef struct rls2__span {
    const char *text;
    int64_t length;
    int64_t at;
    bool quoted;
} rls2__span;

/* A word cut to a length fit for a message. */
typedef struct rls2__clipped {
    char text[52];
} rls2__clipped;
rls2__clipped rls2__clip(const char *text, int64_t length);

/* "kernels: ...", the neighbourhood of `at` and a caret below it. */
rls2_status rls2__parser_fail(const rls2__parser *p, rls2_status status, int64_t at,
                              const char *format, ...) RLS2__PRINTF(4, 5);
rls2_status rls2__parser_memory(const rls2__parser *p);

/* The offset and value of the next character that is not white space; '\0' at the end. */
int64_t rls2__parser_here(rls2__parser *p);
char rls2__parser_peek(rls2__parser *p);
/* Steps over `sign` or ".." if it comes next. */
bool rls2__parser_accept(rls2__parser *p, char sign);
bool rls2__parser_accept_dots(rls2__parser *p);
/* A bare or quoted word; `what` says in a message what was expected. */
rls2_status rls2__parser_word(rls2__parser *p, const char *what, rls2__span *word);
/* Whether a bare word equals `keyword`. */
bool rls2__span_is(const rls2__span *word, const char *keyword);
/* A number or a fraction of two, finite; *at is its offset. */
rls2_status rls2__parser_number(rls2__parser *p, double *value, int64_t *at);

/* Whether a name must be quoted to be read back as itself. */
bool rls2__name_needs_quotes(const char *text, int64_t length);
/* Writes the name, quoted if need be, NUL-terminated: at most 2 length + 3 bytes.
 * Returns the length. */
int64_t rls2__name_write(const char *text, int64_t length, char *out);

/* The word's text, NUL-terminated, until the next call. */
const char *rls2__parser_text(rls2__parser *p, const rls2__span *word);

enum { RLS2__NUMBER_ROOM = 32 };
/* Four significant digits, or as many as it takes to read the same number back;
 * with a point whatever the locale. */
void rls2__number_write(const rls2__parser *p, double value, bool exact,
                        char out[RLS2__NUMBER_ROOM]);
/* value rounded to 15 significant digits. */
double rls2__number_round(const rls2__parser *p, double value);

#endif
