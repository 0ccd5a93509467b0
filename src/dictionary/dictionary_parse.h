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

#endif
