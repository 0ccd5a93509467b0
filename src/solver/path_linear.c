/* All columns and points in one matrix product, some training rows at a time. */
#include "solver/path_linear.h"

#include <string.h>

#include "base/invariant.h"
#include "base/memory.h"
#include "la/la.h"

enum { ROWS_AT_A_TIME = 2048 };

static void lay_out(rls2__layout *layout, void *owner)
{
    rls2__path_linear *linear = owner;
    int64_t sums = rls2__mul(linear->columns, linear->count);
    linear->kept = rls2__layout_take(layout, linear->columns, sizeof(int64_t));
    linear->sums = rls2__layout_take(layout, sums, sizeof(double));
    linear->part = rls2__layout_take(layout, sums, sizeof(double));
    linear->x =
        rls2__layout_take(layout, rls2__mul(ROWS_AT_A_TIME, linear->columns), sizeof(double));
    linear->c = rls2__layout_take(layout, rls2__mul(ROWS_AT_A_TIME, linear->count), sizeof(double));
}

static int64_t mark_columns(const rls2_path *path, int64_t *place)
{
    int64_t columns = 0;
    for (int64_t i = 0; i < path->count; i++)
        for (int64_t t = 0; t < path->entries[i].count; t++) {
            const rls2__kernel *kernel = &path->basis->kernels[path->entries[i].ks[t]];
            if (kernel->kind != RLS2__KERNEL_LINEAR) continue;
            for (int64_t j = 0; j < kernel->column_count; j++) {
                columns += place[kernel->columns[j]] < 0;
                place[kernel->columns[j]] = 0;
            }
        }
    return columns;
}

/* The product of rows first .. first + n - 1. */
static void add_rows(const rls2_path *path, int64_t first, int64_t n, rls2__path_linear *linear)
{
    const rls2_rows *rows = &path->basis->rows;
    int64_t ldx = rows->ldx ? rows->ldx : rows->n, columns = linear->columns;
    for (int64_t j = 0; j < columns; j++)
        memcpy(linear->x + j * n, rows->x + linear->kept[j] * ldx + first,
               (size_t)n * sizeof(double));
    for (int64_t i = 0; i < linear->count; i++)
        memcpy(linear->c + i * n, path->entries[i].c + first, (size_t)n * sizeof(double));
    rls2__la_gemm_tn(n, columns, linear->count, linear->x, n, linear->c, n, linear->part, columns);
    rls2__la_axpy(columns * linear->count, 1.0, linear->part, linear->sums);
}

rls2_status rls2__path_linear_create(rls2__effort *effort, const rls2_path *path,
                                     rls2__path_linear *linear)
{
    int64_t n = path->basis->n, at = 0;
    *linear = (rls2__path_linear){.p = path->basis->rows.p, .count = path->count};
    linear->place = rls2__alloc(linear->p, sizeof(int64_t));
    if (!linear->place) return RLS2_ERR_MEMORY;
    for (int64_t j = 0; j < linear->p; j++) linear->place[j] = -1;
    linear->columns = mark_columns(path, linear->place);
    if (linear->columns == 0) return RLS2_OK;
    linear->block = rls2__layout_alloc(lay_out, linear);
    if (!linear->block) return RLS2_ERR_MEMORY;
    for (int64_t j = 0; j < linear->p; j++)
        if (linear->place[j] == 0) {
            linear->kept[at] = j;
            linear->place[j] = at++;
        }
    rls2__invariant(at == linear->columns);
    memset(linear->sums, 0, (size_t)(linear->columns * linear->count) * sizeof(double));
    rls2_status status = RLS2_OK;
    for (int64_t first = 0; first < n && status == RLS2_OK; first += ROWS_AT_A_TIME) {
        int64_t left = n - first;
        add_rows(path, first, left < ROWS_AT_A_TIME ? left : ROWS_AT_A_TIME, linear);
        status = rls2__effort_status(effort);
    }
    return status;
}

void rls2__path_linear_free(rls2__path_linear *linear)
{
    rls2__free(linear->block);
    rls2__free(linear->place);
    *linear = (rls2__path_linear){0};
}

void rls2__path_linear_expand(const rls2__path_linear *linear, const rls2__kernel *kernel,
                              int64_t i, const rls2_rows *rows, int64_t first, int64_t n,
                              double *sum)
{
    int64_t ldx = rows->ldx ? rows->ldx : rows->n;
    memset(sum, 0, (size_t)n * sizeof *sum);
    for (int64_t t = 0; t < kernel->column_count; t++) {
        const double *x = rows->x + kernel->columns[t] * ldx + first;
        double coefficient = linear->sums[i * linear->columns + linear->place[kernel->columns[t]]];
        for (int64_t a = 0; a < n; a++) sum[a] += coefficient * x[a];
    }
}
