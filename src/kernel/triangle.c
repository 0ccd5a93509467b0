/* The matrix of a kernel on rows, as a packed lower triangle.
 *
 * A column at a time where the kernel has one column of data. Otherwise sums over columns are
 * computed in blocks of rows by a few columns, which stay in the first cache until they are mapped
 * to where they belong; the rows of a panel stay in the second for all columns. Each number is
 * written to memory once, and no faster than it can be computed. */
#include "kernel/triangle.h"

#include "base/clones.h"
#include "kernel/kernel.h"
#include "kernel/maps.h"
#include "kernel/spline.h"

enum { BLOCK_ROWS = 256, BLOCK_COLUMNS = 4 };

static double *diagonal_of(int64_t n, int64_t j, double *packed)
{
    return packed + j * n - j * (j - 1) / 2;
}

/* Rows of which all columns of data fit into the second cache with room to spare: a multiple of
 * BLOCK_ROWS. */
static int64_t panel_rows(const rls2__kernel *kernel)
{
    enum { PANEL_VALUES = 1 << 15 };
    int64_t blocks = PANEL_VALUES / kernel->column_count / BLOCK_ROWS;
    return BLOCK_ROWS * (blocks > 1 ? blocks : 1);
}

typedef struct span {
    int64_t first, end;
} span;

/* The part of some columns that lies in some rows, on or below the diagonal. */
static void panel_columns(const rls2__kernel *kernel, const rls2_rows *rows, span columns,
                          span panel, double s, double *packed)
{
    double sums[BLOCK_ROWS * BLOCK_COLUMNS];
    for (int64_t row = panel.first; row < panel.end; row += BLOCK_ROWS) {
        int64_t count = panel.end - row < BLOCK_ROWS ? panel.end - row : BLOCK_ROWS;
        rls2__kernel_sums(kernel, rows, row, count, rows, columns.first,
                          columns.end - columns.first, sums);
        for (int64_t j = columns.first; j < columns.end; j++) {
            int64_t above = j > row ? j - row : 0;
            if (above < count)
                rls2__kernel_map(kernel, count - above, sums + (j - columns.first) * count + above,
                                 s, diagonal_of(rows->n, j, packed) + row + above - j);
        }
    }
}

static void part_of_sums(const rls2__kernel *kernel, const rls2_rows *rows, double s, span part,
                         double *packed)
{
    int64_t n = rows->n, length = panel_rows(kernel);
    for (int64_t from = part.first; from < n; from += length) {
        int64_t end = from + length < n ? from + length : n, last = end < part.end ? end : part.end;
        for (int64_t j = part.first; j < last; j += BLOCK_COLUMNS) {
            const span columns = {j, last - j < BLOCK_COLUMNS ? last : j + BLOCK_COLUMNS};
            panel_columns(kernel, rows, columns, (span){j > from ? j : from, end}, s, packed);
        }
    }
}

RLS2__CLONES
static void multiply_roots(int64_t n, double root, const double *restrict roots,
                           double *restrict to)
{
    for (int64_t i = 0; i < n; i++) to[i] *= roots[i] * root;
}

void rls2__kernel_triangle_part(const rls2__kernel *kernel, const rls2_rows *rows, double s,
                                const double *roots, int64_t from, int64_t end, double *packed)
{
    int64_t n = rows->n;
    if (kernel->kind == RLS2__KERNEL_SPLINE)
        rls2__spline_triangle(kernel->param[0], kernel->param[1], n,
                              rows->x + kernel->columns[0] * (rows->ldx ? rows->ldx : n), s, from,
                              end, packed);
    else if (kernel->kind != RLS2__KERNEL_GIVEN && kernel->column_count > 1)
        part_of_sums(kernel, rows, s, (span){from, end}, packed);
    else
        for (int64_t j = from; j < end; j++)
            rls2__kernel_column_scaled(kernel, rows, j, n - j, rows, j, s,
                                       diagonal_of(n, j, packed));
    for (int64_t j = from; roots && j < end; j++)
        multiply_roots(n - j, roots[j], roots + j, diagonal_of(n, j, packed));
}

void rls2__kernel_triangle(const rls2__kernel *kernel, const rls2_rows *rows, double s,
                           const double *roots, double *packed)
{
    rls2__kernel_triangle_part(kernel, rows, s, roots, 0, rows->n, packed);
}
