/* Which columns of x an input has, their names, and what a date writes to them. */
#include "table/input.h"

#include <stdio.h>
#include <string.h>

#include "base/invariant.h"

const char *const rls2__date_part_names[] = {"year", "month", "weekday", "hour", NULL};

rls2_column_kind rls2__input_kind(const rls2__input *input)
{
    if (input->values) return RLS2_COLUMN_TEXT;
    return input->style.kind == RLS2__STYLE_DATE ? RLS2_COLUMN_DATES : RLS2_COLUMN_NUMBERS;
}

/* Categories that are not pooled. */
static int64_t level_count(const rls2__input *input)
{
    return rls2__lookup_count(input->values) - input->pooled;
}

static int64_t indicator_count(const rls2__input *input)
{
    int64_t levels = level_count(input);
    return input->is_reduced && levels > 0 ? levels - 1 : levels;
}

static int64_t count_parts(unsigned parts)
{
    int64_t count = 0;
    for (int p = 0; p < RLS2__DATE_PARTS; p++) count += parts >> p & 1;
    return count;
}

void rls2__input_measure(rls2__input *input)
{
    input->own = input->values ? indicator_count(input) + (input->pooled > 0)
                               : 1 + count_parts(input->parts);
    input->width = input->own + input->has_missing;
    rls2__invariant(input->own >= 0 && (!input->parts || !input->values));
}

/* The name, a sign and a text. */
static const char *compose(rls2__arena *arena, const char *name, char sign, const char *text)
{
    int64_t size = (int64_t)(strlen(name) + strlen(text) + 2);
    char *made = rls2__arena_alloc(arena, size);
    if (made) snprintf(made, (size_t)size, "%s%c%s", name, sign, text);
    return made;
}

/* The v-th of the parts that there are. */
static const char *part_name(unsigned parts, int64_t v)
{
    int p = 0;
    while (!(parts >> p & 1) || v-- > 0) p++;
    rls2__invariant(p < RLS2__DATE_PARTS);
    return rls2__date_part_names[p];
}

const char *rls2__input_column_name(const rls2__input *input, int64_t v, rls2__arena *arena)
{
    rls2__invariant(v >= 0 && v < input->width);
    if (v >= input->own) return compose(arena, input->name, '=', "missing");
    if (!input->values && v == 0) return input->name;
    if (!input->values) return compose(arena, input->name, '.', part_name(input->parts, v - 1));
    return compose(arena, input->name, '=',
                   v < indicator_count(input) ? rls2__lookup_text(input->values, v) : "other");
}

int64_t rls2__input_indicator(const rls2__input *input, int64_t value)
{
    if (value < 0 || value >= level_count(input)) return input->pooled > 0 ? input->own - 1 : -1;
    return value < indicator_count(input) ? value : -1;
}

void rls2__input_write_date(const rls2__input *input, double days, double *x, int64_t stride)
{
    rls2__date_parts parts = rls2__date_parts_of(days);
    const double values[RLS2__DATE_PARTS] = {parts.year, parts.month, parts.weekday, parts.hour};
    *x = days;
    for (int p = 0; p < RLS2__DATE_PARTS; p++)
        if (input->parts >> p & 1) *(x += stride) = values[p];
}
