/* Columns of few different values make many rows equal: of a kernel on them only a small matrix,
 * between values, need be computed. Numbers are compared, not bits: 0.0 and -0.0 are one value, as
 * they are to every kernel. */
#include "kernel/distinct.h"

#include <string.h>

#include "base/invariant.h"
#include "base/memory.h"

static const int64_t OWN_COLUMNS[RLS2__DISTINCT_COLUMNS] = {0, 1, 2, 3, 4, 5, 6, 7};

/* With more groups than this there would be little to gain. */
static int64_t most_groups(int64_t n)
{
    return n / 2;
}

static int64_t slots_for(int64_t n)
{
    int64_t slots = 8;
    while (slots < n) slots *= 2; /* there are at most n / 2 groups */
    return slots;
}

static void lay_out(rls2__layout *layout, void *owner)
{
    rls2__distinct *d = owner;
    int64_t n = d->room;
    d->group = rls2__layout_take(layout, n, sizeof *d->group);
    d->next = rls2__layout_take(layout, n, sizeof *d->next);
    d->head = rls2__layout_take(layout, n, sizeof *d->head);
    d->stands = rls2__layout_take(layout, n, sizeof *d->stands);
    d->table = rls2__layout_take(layout, d->slots, sizeof *d->table);
    d->mass = rls2__layout_take(layout, n, sizeof(double));
    d->roots_room = rls2__layout_take(layout, n, sizeof(double));
    d->ratios_room = rls2__layout_take(layout, n, sizeof(double));
    d->x = rls2__layout_take(layout, rls2__mul(most_groups(n), RLS2__DISTINCT_COLUMNS),
                             sizeof(double));
}

rls2_status rls2__distinct_create(int64_t n, rls2__distinct *d)
{
    memset(d, 0, sizeof *d);
    d->room = n;
    d->slots = slots_for(n);
    d->block = rls2__layout_alloc(lay_out, d);
    return d->block ? RLS2_OK : RLS2_ERR_MEMORY;
}

void rls2__distinct_free(rls2__distinct *d)
{
    rls2__free(d->block);
    memset(d, 0, sizeof *d);
}

static const double *column_of(const rls2_rows *rows, int64_t column)
{
    return rows->x + column * (rows->ldx ? rows->ldx : rows->n);
}

/* Of a value and the group its row was in by the columns before. */
static uint64_t hash(double value, int32_t before)
{
    double number = value + 0.0; /* no -0.0 */
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    bits ^= (uint64_t)before * UINT64_C(0x9e3779b97f4a7c15);
    bits *= UINT64_C(0xff51afd7ed558ccd);
    bits ^= bits >> 32;
    bits *= UINT64_C(0xc4ceb9fe1a85ec53);
    return bits ^ (bits >> 29);
}

/* Splits the groups by one more column; numbered as their first rows are, which are left in
 * `stands`. 0 where they become too many. */
static int split_groups(int64_t n, const double *x, rls2__distinct *d)
{
    int32_t *before = d->next;
    memcpy(before, d->group, (size_t)n * sizeof *before);
    memset(d->table, -1, (size_t)d->slots * sizeof *d->table);
    d->count = 0;
    for (int64_t i = 0; i < n; i++) {
        int64_t slot = (int64_t)(hash(x[i], before[i]) & (uint64_t)(d->slots - 1));
        int32_t g = d->table[slot];
        while (g >= 0 && !(x[d->stands[g]] == x[i] && before[d->stands[g]] == before[i])) {
            slot = (slot + 1) & (d->slots - 1);
            g = d->table[slot];
        }
        if (g < 0) {
            if (d->count == most_groups(n)) return 0;
            g = d->table[slot] = (int32_t)d->count++;
            d->stands[g] = (int32_t)i;
        }
        d->group[i] = g;
    }
    return 1;
}

/* The heaviest row of each group stands for it: the largest of its diagonal entries, which a pivot
 * is. */
static void choose_heaviest(int64_t n, const double *roots, rls2__distinct *d)
{
    int32_t *number = d->head, count = 0;
    for (int64_t i = 0; i < n; i++)
        if (roots[i] > roots[d->stands[d->group[i]]]) d->stands[d->group[i]] = (int32_t)i;
    for (int64_t i = 0; i < n; i++)
        if (d->stands[d->group[i]] == i) number[d->group[i]] = count++;
    for (int64_t i = 0; i < n; i++) d->group[i] = number[d->group[i]];
    int32_t *stands = d->next;
    for (int64_t g = 0; g < d->count; g++) stands[number[g]] = d->stands[g];
    memcpy(d->stands, stands, (size_t)d->count * sizeof *stands);
}

static void weigh_groups(int64_t n, const double *roots, rls2__distinct *d)
{
    d->roots = roots ? d->roots_room : NULL;
    d->ratios = roots ? d->ratios_room : NULL;
    for (int64_t g = 0; g < d->count; g++) {
        d->mass[g] = 0.0;
        if (roots) d->roots[g] = roots[d->stands[g]];
    }
    for (int64_t i = 0; i < n; i++) {
        double ratio = roots ? roots[i] / d->roots[d->group[i]] : 1.0;
        if (roots) d->ratios[i] = ratio;
        d->mass[d->group[i]] += ratio * ratio;
    }
}

static void list_rows(int64_t n, rls2__distinct *d)
{
    for (int64_t g = 0; g < d->count; g++) d->head[g] = -1;
    for (int64_t i = n - 1; i >= 0; i--) {
        d->next[i] = d->head[d->group[i]];
        d->head[d->group[i]] = (int32_t)i;
    }
}

static void copy_rows(const rls2__kernel *kernel, const rls2_rows *rows, rls2__distinct *d)
{
    d->kernel = *kernel;
    d->kernel.columns = OWN_COLUMNS;
    d->rows = (rls2_rows){.n = d->count, .p = kernel->column_count, .x = d->x};
    for (int64_t t = 0; t < kernel->column_count; t++) {
        const double *x = column_of(rows, kernel->columns[t]);
        for (int64_t g = 0; g < d->count; g++) d->x[t * d->count + g] = x[d->stands[g]];
    }
}

/* Every row is in one list, that of its group, and each group has a row that stands for it. */
RLS2__CHECK int is_partition(int64_t n, const rls2__distinct *d)
{
    int64_t listed = 0;
    for (int64_t g = 0; g < d->count; g++) {
        int64_t before = -1;
        if (d->stands[g] < 0 || d->stands[g] >= n || d->group[d->stands[g]] != g) return 0;
        if (g > 0 && d->stands[g] <= d->stands[g - 1]) return 0;
        for (int64_t i = d->head[g]; i >= 0; before = i, i = d->next[i], listed++)
            if (i <= before || i >= n || d->group[i] != g) return 0;
    }
    return listed == n;
}

int rls2__distinct_group(int64_t count, const int64_t *columns, const rls2_rows *rows,
                         const double *roots, rls2__distinct *d)
{
    int64_t n = rows->n;
    if (count < 1) return 0;
    memset(d->group, 0, (size_t)n * sizeof *d->group);
    for (int64_t t = 0; t < count; t++)
        if (!split_groups(n, column_of(rows, columns[t]), d)) return 0;
    if (roots) choose_heaviest(n, roots, d);
    weigh_groups(n, roots, d);
    list_rows(n, d);
    rls2__invariant(d->count >= 1 && d->count <= most_groups(n) && is_partition(n, d));
    rls2__invariant(rls2__is_positive(d->count, d->mass));
    return 1;
}

int rls2__distinct_find(const rls2__kernel *kernel, const rls2_rows *rows, const double *roots,
                        rls2__distinct *d)
{
    if (kernel->kind == RLS2__KERNEL_GIVEN || kernel->column_count > RLS2__DISTINCT_COLUMNS)
        return 0;
    if (!rls2__distinct_group(kernel->column_count, kernel->columns, rows, roots, d)) return 0;
    copy_rows(kernel, rows, d);
    return 1;
}

/* Column j of the triangle, from its diagonal on. */
static void spread_column(const rls2__distinct *d, int64_t n, int64_t j, const double *values,
                          const double *roots, double *out)
{
    for (int64_t i = j; i < n; i++) out[i - j] = values[d->group[i]];
    for (int64_t i = j; roots && i < n; i++) out[i - j] *= roots[i] * roots[j];
}

void rls2__distinct_triangle(const rls2__distinct *d, int64_t n, double s, const double *roots,
                             int64_t from, int64_t end, double *column, double *packed)
{
    for (int64_t g = from; g < end; g++) {
        rls2__kernel_column_scaled(&d->kernel, &d->rows, 0, d->count, &d->rows, g, s, column);
        for (int64_t j = d->head[g]; j >= 0; j = d->next[j])
            spread_column(d, n, j, column, roots, packed + j * n - j * (j - 1) / 2);
    }
}

void rls2__distinct_expand(const rls2__distinct *d, int64_t n, int64_t rank, const double *G,
                           double *F)
{
    for (int64_t t = 0; t < rank; t++, G += d->count, F += n) {
        for (int64_t i = 0; i < n; i++) F[i] = G[d->group[i]];
        for (int64_t i = 0; d->ratios && i < n; i++) F[i] *= d->ratios[i];
    }
}
