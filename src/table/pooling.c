/* Which categories are pooled: those of fewer rows than asked for; or, where nothing was, in a
 * column of more than 20, those of fewer than 3 rows or one in 200, and all but the 100 most
 * frequent. */
#include "table/pooling.h"

#include <stdlib.h>
#include <string.h>

#include "base/invariant.h"
#include "base/status.h"
#include "table/view.h"

enum { FEW = 20, MOST = 100, LEAST_ROWS = 3, LEAST_SHARE = 200 };

typedef struct level {
    int64_t number; /* in order of first appearance */
    int64_t rows;
    int pooled;
} level;

/* The most frequent first, then in order of appearance. */
static int by_rows(const void *a, const void *b)
{
    const level *u = a, *v = b;
    if (u->rows != v->rows) return u->rows > v->rows ? -1 : 1;
    return (u->number > v->number) - (u->number < v->number);
}

static int by_number(const void *a, const void *b)
{
    const level *u = a, *v = b;
    return (u->number > v->number) - (u->number < v->number);
}

static void count_rows(const rls2__view *view, int64_t k, int64_t *of_value)
{
    char buffer[RLS2__NUMBER_TEXT];
    const rls2__lookup *values = view->encoder->inputs[k].values;
    for (int64_t i = 0; i < view->rows; i++)
        if (!rls2__view_is_missing(view, i, k))
            of_value[rls2__lookup_find(values, rls2__view_text(view, i, k, buffer))]++;
}

/* Of a category that is not pooled. Where all are rare, none is rare among them. */
static int64_t fewest_rows(int64_t rows, int64_t of_the_most_frequent)
{
    int64_t share = rows / LEAST_SHARE;
    return share > LEAST_ROWS && share <= of_the_most_frequent ? share : LEAST_ROWS;
}

static int may_pool(const rls2__encoder *encoder, int64_t count)
{
    return encoder->rare < 0 ? count > FEW : encoder->rare > 1;
}

/* How many are pooled. A category called "other" is one of them, as the column has its name; a
 * single one keeps its own. */
static int64_t choose(const rls2__encoder *encoder, const rls2__lookup *values, int64_t rows,
                      int64_t count, level *levels)
{
    int by_itself = encoder->rare < 0;
    qsort(levels, (size_t)count, sizeof *levels, by_rows);
    int64_t least = by_itself ? fewest_rows(rows, levels[0].rows) : encoder->rare, pooled = 0;
    for (int64_t v = 0; v < count; v++) {
        levels[v].pooled = levels[v].rows < least || (by_itself && v >= MOST);
        pooled += levels[v].pooled;
    }
    for (int64_t v = 0; v < count && pooled > 0; v++) {
        if (levels[v].pooled || strcmp(rls2__lookup_text(values, levels[v].number), "other") != 0)
            continue;
        levels[v].pooled = 1;
        pooled++;
    }
    qsort(levels, (size_t)count, sizeof *levels, by_number);
    return pooled > 1 ? pooled : 0;
}

/* The same texts, in their new order; NULL when out of memory. */
static rls2__lookup *reorder(const rls2__lookup *values, int64_t count, const level *levels)
{
    rls2__lookup *made = rls2__lookup_create();
    for (int pooled = 0; pooled <= 1 && made; pooled++)
        for (int64_t v = 0; v < count; v++) {
            if (levels[v].pooled != pooled) continue;
            if (rls2__lookup_add(made, rls2__lookup_text(values, v)) >= 0) continue;
            rls2__lookup_free(made);
            return NULL;
        }
    return made;
}

rls2_status rls2__pool_counted(const rls2__encoder *encoder, int64_t k, int64_t rows,
                               const int64_t *of_value, rls2_error *err)
{
    rls2__input *input = &encoder->inputs[k];
    int64_t count = rls2__lookup_count(input->values);
    if (!may_pool(encoder, count)) return RLS2_OK;
    rls2__lookup *made = NULL;
    level *levels = rls2__alloc_zero(count, sizeof *levels);
    if (!levels) return rls2__fail_memory(err, "the values of a text column");
    for (int64_t v = 0; v < count; v++) levels[v] = (level){.number = v, .rows = of_value[v]};
    int64_t pooled = choose(encoder, input->values, rows, count, levels);
    if (pooled > 0) made = reorder(input->values, count, levels);
    rls2__free(levels);
    if (pooled == 0) return RLS2_OK;
    if (!made) return rls2__fail_memory(err, "the values of a text column");
    rls2__lookup_free(input->values);
    input->values = made;
    input->pooled = pooled;
    return RLS2_OK;
}

rls2_status rls2__pool_values(const rls2__encoder *encoder, const rls2__view *view, int64_t k,
                              rls2_error *err)
{
    int64_t count = rls2__lookup_count(encoder->inputs[k].values);
    if (!may_pool(encoder, count)) return RLS2_OK;
    int64_t *of_value = rls2__alloc_zero(count, sizeof *of_value);
    if (!of_value) return rls2__fail_memory(err, "the values of a text column");
    count_rows(view, k, of_value);
    rls2_status status = rls2__pool_counted(encoder, k, view->rows, of_value, err);
    rls2__free(of_value);
    return status;
}
