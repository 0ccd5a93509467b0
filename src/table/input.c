/* Which columns of x an input has, and their names. */
#include "table/input.h"

#include <stdio.h>
#include <string.h>

#include "base/invariant.h"

rls2_column_kind rls2__input_kind(const rls2__input *input)
{
    return input->values ? RLS2_COLUMN_TEXT : RLS2_COLUMN_NUMBERS;
}

void rls2__input_measure(rls2__input *input)
{
    int64_t count = input->values ? rls2__lookup_count(input->values) : 1;
    input->own = count > 0 ? count - (input->is_reduced ? 1 : 0) : 0;
    input->width = input->own + input->has_missing;
    rls2__invariant(input->own >= 0);
}

/* The name, a sign and a text. */
static const char *compose(rls2__arena *arena, const char *name, char sign, const char *text)
{
    int64_t size = (int64_t)(strlen(name) + strlen(text) + 2);
    char *made = rls2__arena_alloc(arena, size);
    if (made) snprintf(made, (size_t)size, "%s%c%s", name, sign, text);
    return made;
}

const char *rls2__input_column_name(const rls2__input *input, int64_t v, rls2__arena *arena)
{
    rls2__invariant(v >= 0 && v < input->width);
    if (v >= input->own) return compose(arena, input->name, '=', "missing");
    if (!input->values) return input->name;
    return compose(arena, input->name, '=', rls2__lookup_text(input->values, v));
}
