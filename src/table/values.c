/* The values of a column, numbered: the first step to folds and strata. */
#include "table/values.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/lookup.h"
#include "base/status.h"
#include "table/table.h"

/* Numbers are the same by value, however they are written; no text is the key of a number. */
static const char *key_of(const rls2_table *table, int64_t row, int64_t column,
                          char buffer[RLS2__NUMBER_TEXT])
{
    double number = rls2__table_number(table, row, column);
    if (isnan(number)) return rls2__table_text(table, row, column, buffer);
    snprintf(buffer, RLS2__NUMBER_TEXT, "\x01%.17g", number + 0.0); /* -0 + 0 = 0 */
    return buffer;
}

static int64_t number_of(rls2__lookup *seen, rls2__arena *arena, const char *key)
{
    int64_t number = rls2__lookup_find(seen, key);
    if (number >= 0) return number;
    char *kept = rls2__arena_text(arena, key, (int64_t)strlen(key));
    return kept ? rls2__lookup_add(seen, kept) : -1;
}

rls2_status rls2__number_values(const rls2_table *table, int64_t column, int64_t count,
                                const int64_t *rows, int64_t *numbers, rls2_error *err)
{
    rls2__lookup *seen = rls2__lookup_create();
    rls2__arena *arena = rls2__arena_create();
    int failed = !seen || !arena;
    for (int64_t i = 0; i < count && !failed; i++) {
        char buffer[RLS2__NUMBER_TEXT];
        const char *key = key_of(table, rows[i], column, buffer);
        numbers[i] = *key ? number_of(seen, arena, key) : -1;
        failed = *key && numbers[i] < 0;
    }
    rls2__lookup_free(seen);
    rls2__arena_free(arena);
    return failed ? rls2__fail_memory(err, "the values of a column") : RLS2_OK;
}
