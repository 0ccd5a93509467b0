/* Sorts rows by what they hold. */
#include "widths/different_rows.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

typedef struct entry {
    const rls2__width_set *set;
    const rls2__width_lesson *lesson;
    int64_t row;
} entry;

static int order(const double *column, int64_t a, int64_t b)
{
    return (column[a] > column[b]) - (column[a] < column[b]);
}

static int compare(const entry *a, const entry *b)
{
    const rls2_rows *rows = a->lesson->rows;
    int64_t ldx = rows->ldx ? rows->ldx : rows->n;
    int found = 0;
    for (int64_t o = 0; o < a->lesson->outputs && found == 0; o++)
        found = order(a->lesson->y + o * rows->n, a->row, b->row);
    for (int64_t t = 0; t < a->set->count && found == 0; t++)
        found = order(rows->x + a->set->columns[t] * ldx, a->row, b->row);
    return found;
}

/* The first of equal rows comes first. */
static int compare_entries(const void *a, const void *b)
{
    const entry *u = a, *v = b;
    int found = compare(u, v);
    return found != 0 ? found : (u->row > v->row) - (u->row < v->row);
}

rls2_status rls2__different_rows(const rls2__width_set *set, const rls2__width_lesson *lesson,
                                 int64_t *numbers, double *weights, int64_t *count)
{
    int64_t n = lesson->rows->n, head = 0;
    entry *entries = rls2__alloc(n, sizeof *entries);
    if (!entries) return RLS2_ERR_MEMORY;
    for (int64_t i = 0; i < n; i++) entries[i] = (entry){set, lesson, i};
    qsort(entries, (size_t)n, sizeof *entries, compare_entries);
    memset(weights, 0, (size_t)n * sizeof *weights);
    for (int64_t i = 0; i < n; i++) {
        int64_t row = entries[i].row;
        if (i == 0 || compare(&entries[i - 1], &entries[i]) != 0) head = row;
        weights[head] += lesson->weights ? lesson->weights[row] : 1.0;
    }
    *count = 0;
    for (int64_t i = 0; i < n; i++)
        if (weights[i] > 0.0) numbers[(*count)++] = i;
    rls2__free(entries);
    return RLS2_OK;
}
