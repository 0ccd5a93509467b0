/* The names of the kernels. */
#ifndef RLS2_DICTIONARY_DICTIONARY_NAMES_H
#define RLS2_DICTIONARY_DICTIONARY_NAMES_H

#include "dictionary/dictionary_parse.h"

/* Turns each kernel's name from the label of its columns into "rbf(0.1)@label". */
rls2_status rls2__parser_name_kernels(rls2__parser *p);

#endif
