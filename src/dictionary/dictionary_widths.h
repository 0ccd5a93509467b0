/* Kernels with a width for each column: which columns, and a dictionary that knows the widths. */
#ifndef RLS2_DICTIONARY_DICTIONARY_WIDTHS_H
#define RLS2_DICTIONARY_DICTIONARY_WIDTHS_H

#include "dictionary/dictionary.h"

/* Each takes a search of its own. */
enum { RLS2__MOST_WIDTH_SETS = 100 };

/* Finds the sets of columns of its kernels that learn. RLS2_ERR_VALUE where they are too many, or
 * RLS2_ERR_MEMORY. */
rls2_status rls2__dictionary_find_sets(rls2_dictionary *dictionary);
/* Widths of all sets together. */
int64_t rls2__dictionary_width_count(const rls2_dictionary *dictionary);
/* The same kernels with these widths, those of the sets one after another; shares everything else.
 * RLS2_ERR_MEMORY only. */
rls2_status rls2__dictionary_with_widths(const rls2_dictionary *dictionary, const double *widths,
                                         rls2_dictionary **learned);
/* The first kernel whose widths are yet to be learned, or -1. */
int64_t rls2__dictionary_unlearned(const rls2_dictionary *dictionary);

#endif
