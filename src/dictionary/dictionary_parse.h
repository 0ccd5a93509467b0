/* The inside of the dictionary parser, shared by src/dictionary.
 *
 *   dictionary.c          the public functions
 *   dictionary_parse.c    terms, presets, the product of parameters and columns
 *   dictionary_values.c   what stands between the parentheses
 *   dictionary_columns.c  what stands behind the '@', and the names it may use
 *   dictionary_names.c    the kernels' names
 *   dictionary_text.c     reading words, numbers and signs; error text with a caret
 *
 * One parser object lives for the length of one rls2_dictionary_create. Nothing
 * here recurses, and everything a text can make grow is bounded by a limit. */
#ifndef RLS2_DICTIONARY_DICTIONARY_PARSE_H
#define RLS2_DICTIONARY_DICTIONARY_PARSE_H

#include <stdbool.h>

#include "base/lookup.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/status.h"
#include "base/suggest.h"
#include "dictionary/dictionary.h"

/* What one text may ask for. */
typedef struct rls2__dictionary_limits {
    int64_t kernels;    /* kernels in all */
    int64_t values;     /* values of one range */
    int64_t references; /* columns of all sets that have to be stored, in all */
    int64_t name_bytes; /* bytes of all kernel names */
} rls2__dictionary_limits;

extern const rls2__dictionary_limits rls2__dictionary_limits_default;

/* rls2_dictionary_create under other limits. */
rls2_status rls2__dictionary_build(const char *spec, const rls2_columns *columns,
                                   const rls2__dictionary_limits *limits,
                                   rls2_dictionary **dictionary, rls2_error *err);

/* ---- the parser ---- */

/* One argument as written: which parameter, and its values in order. */
typedef struct rls2__argument {
    int parameter;
    int64_t count;
    int64_t capacity;
    double *values;
} rls2__argument;

/* One item behind the '@'. `columns` ascends. */
typedef struct rls2__item {
    bool each; /* one kernel per column rather than one on all of them */
    int64_t at;
    int64_t count;
    const int64_t *columns;
    const char *label;
} rls2__item;

enum { RLS2__PARAMETERS = 3 };

typedef struct rls2__parser {
    const char *text;  /* what is being read: the spec, or what a preset stands for */
    int64_t at;        /* offset of the next character in text */
    const char *spec;  /* what the user wrote, for messages */
    int64_t preset_at; /* while a preset is read, its offset in spec; else -1 */
    rls2_error *err;

    const rls2_columns *world;
    const rls2__dictionary_limits *limits;
    rls2_dictionary *dictionary; /* under construction */
    int64_t kernel_capacity;
    int64_t references;
    int64_t name_bytes;

    rls2__number_reader *reader;
    rls2__lookup *column_names, *group_names, *given_names;
    const char **labels; /* p column names, quoted where the grammar asks for it */
    int64_t *identity;   /* 0 .. p-1, in the arena: contiguous sets are slices of it */

    char *word; /* a terminated copy of one word; room for the longest of the spec */

    /* the set being read */
    unsigned char *marks; /* p flags, all 0 between two sets */
    int64_t marked, lowest, highest;
    char *label; /* its text; room for any set of the spec */
    int64_t label_length;

    /* the term being read */
    rls2__argument arguments[RLS2__PARAMETERS];
    int argument_count;
    rls2__item *items;
    int64_t item_count, item_capacity;
} rls2__parser;

/* ---- dictionary_text.c ---- */

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

/* ---- dictionary_columns.c ---- */

/* Checks and copies the names the text may use. */
rls2_status rls2__parser_take_columns(rls2__parser *p);
/* Reads one item into p->items. */
rls2_status rls2__parser_item(rls2__parser *p);
/* Adds the item of a term without '@': all columns, in one kernel or in one each. */
rls2_status rls2__parser_default_item(rls2__parser *p, bool each, int64_t at);

/* ---- dictionary_values.c ---- */

/* What a kernel's parameter may be. */
typedef enum rls2__domain {
    RLS2__DOMAIN_DEGREE,       /* whole, 1 .. 20 */
    RLS2__DOMAIN_NON_NEGATIVE, /* >= 0 */
    RLS2__DOMAIN_POSITIVE,     /* > 0 */
    RLS2__DOMAIN_NU,           /* 0.5, 1.5, 2.5 */
    RLS2__DOMAIN_GIVEN         /* the name of a given matrix; its index is the value */
} rls2__domain;

typedef struct rls2__parameter {
    const char *key;
    rls2__domain domain;
    bool required;
    double preset; /* where it is not required */
} rls2__parameter;

/* How a kernel is written. */
typedef struct rls2__form {
    const char *name;
    rls2__kernel_kind kind;
    bool bare_each; /* without '@': one kernel per column */
    int parameter_count;
    rls2__parameter parameters[RLS2__PARAMETERS];
} rls2__form;

/* The form of a kernel, and the one with that name or NULL. */
const rls2__form *rls2__form_of(rls2__kernel_kind kind);
const rls2__form *rls2__form_find(const rls2__span *name);
/* Offers every kernel's name. */
void rls2__form_suggest(rls2__suggestion *suggestion);
/* Reads "(...)", if any, into p->arguments. */
rls2_status rls2__parser_arguments(rls2__parser *p, const rls2__form *form);

/* ---- dictionary_names.c ---- */

/* Turns each kernel's name from the label of its columns into "rbf(0.1)@label". */
rls2_status rls2__parser_name_kernels(rls2__parser *p);

#endif
