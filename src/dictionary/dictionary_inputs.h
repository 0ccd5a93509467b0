/* Which inputs a kernel stands for. */
#ifndef RLS2_DICTIONARY_DICTIONARY_INPUTS_H
#define RLS2_DICTIONARY_DICTIONARY_INPUTS_H

#include "dictionary/dictionary.h"

/* A kernel on more inputs than that, or on all there are, does not tell which of them matters. */
enum { RLS2__FEW_INPUTS = 3 };

/* The inputs that kernel k looks at, if they are few: found[RLS2__FEW_INPUTS]; returns how many, 0
 * where they are too many, and of a given matrix. input_of[columns]: the input of each column;
 * `inputs` of them there are. */
int rls2__kernel_inputs(const rls2_dictionary *dictionary, int64_t k, const int64_t *input_of,
                        int64_t inputs, int64_t *found);

#endif
