/* What stands behind the '@', and the names it may use. */
#ifndef RLS2_DICTIONARY_DICTIONARY_COLUMNS_H
#define RLS2_DICTIONARY_DICTIONARY_COLUMNS_H

#include "dictionary/dictionary_parse.h"

/* Checks and copies the names the text may use. */
rls2_status rls2__parser_take_columns(rls2__parser *p);
/* Reads one item into p->items. */
rls2_status rls2__parser_item(rls2__parser *p);
/* Adds the item of a term without '@': all columns, in one kernel or in one each. */
rls2_status rls2__parser_default_item(rls2__parser *p, bool each, int64_t at);

#endif
