/* Triangles of rows, made of blocks that lie in the cache. */
#include "select/row_triangle.h"

#include <math.h>
#include <string.h>

#include "base/invariant.h"
#include "base/memory.h"
#include "la/qr.h"
#include "table/dataset.h"

/* Values of a block, and its rows at least; rows of a task, and how many to a column at least, so
 * that merging costs little beside it. */
enum { BLOCK_VALUES = 1 << 16, LEAST_HEIGHT = 256, TASK_ROWS = 4096, ROWS_PER_COLUMN = 4 };

static void lay_out(rls2__layout *layout, void *owner)
{
    rls2__row_triangle *moments = owner;
    int64_t squares = rls2__mul(moments->order, moments->order);
    moments->T = rls2__layout_take(layout, squares, sizeof(double));
    moments->low = rls2__layout_take(layout, moments->p, sizeof(double));
    moments->high = rls2__layout_take(layout, moments->p, sizeof(double));
}

rls2_status rls2__row_triangle_create(int64_t p, int64_t outputs, rls2__row_triangle *moments)
{
    *moments = (rls2__row_triangle){.p = p, .outputs = outputs, .order = 1 + p + outputs};
    moments->block = rls2__layout_alloc(lay_out, moments);
    if (!moments->block) return RLS2_ERR_MEMORY;
    memset(moments->T, 0, (size_t)(moments->order * moments->order) * sizeof(double));
    for (int64_t j = 0; j < p; j++) {
        moments->low[j] = INFINITY;
        moments->high[j] = -INFINITY;
    }
    return RLS2_OK;
}

void rls2__row_triangle_release(rls2__row_triangle *moments)
{
    rls2__free(moments->block);
    *moments = (rls2__row_triangle){0};
}

void rls2__row_triangle_copy(const rls2__row_triangle *from, rls2__row_triangle *to)
{
    rls2__invariant(from->p == to->p && from->outputs == to->outputs);
    memcpy(to->T, from->T, (size_t)(from->order * from->order) * sizeof(double));
    memcpy(to->low, from->low, (size_t)from->p * sizeof(double));
    memcpy(to->high, from->high, (size_t)from->p * sizeof(double));
}

int rls2__row_triangle_are_finite(const rls2__row_triangle *moments)
{
    for (int64_t i = 0; i < moments->order * moments->order; i++)
        if (!isfinite(moments->T[i])) return 0;
    return 1;
}

/* ---- merging ---- */

static void widen(const rls2__row_triangle *other, rls2__row_triangle *moments)
{
    for (int64_t j = 0; j < moments->p; j++) {
        moments->low[j] = other->low[j] < moments->low[j] ? other->low[j] : moments->low[j];
        moments->high[j] = other->high[j] > moments->high[j] ? other->high[j] : moments->high[j];
    }
}

rls2_status rls2__row_triangle_merge(const rls2__row_triangle *other, rls2__row_triangle *moments)
{
    int64_t k = moments->order;
    double *copy = rls2__alloc(rls2__mul(k, k), sizeof(double));
    double *work = rls2__alloc(rls2__triangle_work(k), sizeof(double));
    rls2__invariant(other->order == k);
    int made = copy && work;
    if (made) {
        memcpy(copy, other->T, (size_t)(k * k) * sizeof(double));
        rls2__triangle_merge(k, moments->T, copy, work);
        widen(other, moments);
    }
    rls2__free(copy);
    rls2__free(work);
    return made ? RLS2_OK : RLS2_ERR_MEMORY;
}

/* ---- rows ---- */

/* Some rows, cut into tasks, each of which has a triangle of its own. */
typedef struct adding {
    rls2__effort *effort;
    const rls2_dataset *data;
    const double *offsets;
    int64_t count;
    const int64_t *numbers;
    int64_t task_rows, height;
    rls2__row_triangle *parts; /* of each task */
    double **blocks;           /* of each thread: height x order, and work */
} adding;

static double root_of(const adding *it, int64_t row)
{
    return it->data->weights ? sqrt(it->data->weights[row]) : 1.0;
}

static void spread_over(double x, double *low, double *high)
{
    if (x < *low) *low = x;
    if (x > *high) *high = x;
}

/* B = W^1/2 [1 X Y] of `height` rows */
static void gather(const adding *it, const int64_t *rows, int64_t height, double *B,
                   rls2__row_triangle *part)
{
    const rls2_dataset *data = it->data;
    double *ones = B;
    for (int64_t i = 0; i < height; i++) ones[i] = root_of(it, rows[i]);
    for (int64_t j = 0; j < part->p; j++) {
        const double *x = data->x + j * data->rows;
        double low = part->low[j], high = part->high[j];
        B += height;
        for (int64_t i = 0; i < height; i++) {
            spread_over(x[rows[i]], &low, &high);
            B[i] = ones[i] * x[rows[i]];
        }
        part->low[j] = low;
        part->high[j] = high;
    }
    for (int64_t o = 0; o < part->outputs; o++) {
        const double *y = data->y + o * data->rows;
        B += height;
        for (int64_t i = 0; i < height; i++) B[i] = ones[i] * (y[rows[i]] - it->offsets[o]);
    }
}

static void add_part(void *user, int64_t task, int thread)
{
    const adding *it = user;
    rls2__row_triangle *part = &it->parts[task];
    int64_t k = part->order, first = task * it->task_rows, end = first + it->task_rows;
    double *B = it->blocks[thread], *work = B + it->height * k;
    if (end > it->count) end = it->count;
    for (int64_t at = first; at < end && !rls2__effort_stopped(it->effort); at += it->height) {
        int64_t height = end - at < it->height ? end - at : it->height;
        gather(it, it->numbers + at, height, B, part);
        rls2__triangle_add(k, part->T, height, B, work);
    }
}

static void free_parts(adding *it, int64_t tasks, int threads)
{
    for (int64_t t = 0; it->parts && t < tasks; t++) rls2__row_triangle_release(&it->parts[t]);
    for (int t = 0; it->blocks && t < threads; t++) rls2__free(it->blocks[t]);
    rls2__free(it->parts);
    rls2__free(it->blocks);
}

static rls2_status reserve_parts(const rls2__row_triangle *like, int64_t tasks, int threads,
                                 adding *it)
{
    int64_t k = like->order, values = rls2__add(rls2__mul(it->height, k), rls2__triangle_work(k));
    rls2_status status = RLS2_OK;
    it->parts = rls2__alloc_zero(tasks, sizeof *it->parts);
    it->blocks = rls2__alloc_zero(threads, sizeof *it->blocks);
    if (!it->parts || !it->blocks) return RLS2_ERR_MEMORY;
    for (int64_t t = 0; t < tasks && status == RLS2_OK; t++)
        status = rls2__row_triangle_create(like->p, like->outputs, &it->parts[t]);
    for (int t = 0; t < threads && status == RLS2_OK; t++) {
        it->blocks[t] = rls2__alloc(values, sizeof(double));
        if (!it->blocks[t]) status = RLS2_ERR_MEMORY;
    }
    return status;
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

rls2_status rls2__row_triangle_add(rls2__effort *effort, const rls2_dataset *data,
                                   const double *offsets, int64_t count, const int64_t *numbers,
                                   rls2__row_triangle *moments)
{
    int64_t k = moments->order;
    adding it = {
        .effort = effort, .data = data, .offsets = offsets, .count = count, .numbers = numbers};
    it.task_rows = larger(TASK_ROWS, rls2__mul(ROWS_PER_COLUMN, k));
    it.height = larger(BLOCK_VALUES / k, LEAST_HEIGHT);
    if (it.height > it.task_rows) it.height = it.task_rows;
    int64_t tasks = (count + it.task_rows - 1) / it.task_rows;
    rls2_status status = reserve_parts(moments, tasks, effort->threads, &it);
    if (status == RLS2_OK) status = rls2__effort_each(effort, tasks, add_part, &it);
    if (status == RLS2_OK) status = rls2__effort_status(effort); /* in the middle of a task */
    for (int64_t t = 0; t < tasks && status == RLS2_OK; t++)
        status = rls2__row_triangle_merge(&it.parts[t], moments);
    free_parts(&it, tasks, effort->threads);
    return status;
}
