/* The kernels' forms, and what stands between the parentheses. */
#ifndef RLS2_DICTIONARY_DICTIONARY_VALUES_H
#define RLS2_DICTIONARY_DICTIONARY_VALUES_H

#include "dictionary/dictionary_parse.h"
#include "dictionary/dictionary_text.h"

/* What a kernel's parameter may be. */
typedef enum rls2__domain {
    RLS2__DOMAIN_DEGREE,       /* whole, 1 .. 20 */
    RLS2__DOMAIN_NON_NEGATIVE, /* >= 0 */
    RLS2__DOMAIN_POSITIVE,     /* > 0 */
    RLS2__DOMAIN_WIDTH,        /* > 0, or learned: minus the multiple of what is learned */
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

#endif
