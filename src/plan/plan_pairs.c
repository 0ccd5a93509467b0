/* Finds pairs of inputs that say more together than apart.
 *
 * Rows of a sample are put into a few cells for each input; a constant for each cell of each input
 * is fitted by least squares (with a little shrinkage), and what is left is summed over the cells
 * of each pair. Were there nothing but noise, the sums of squares of a pair would be about the
 * number of its cells times the variance of the noise. [MATH.md, L5] */
#include "plan/plan_pairs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "la/la.h"
#include "la/threads.h"
#include "table/dataset.h"

enum {
    SAMPLE = 50000,   /* rows */
    CELLS = 12,       /* of an input, */
    MOST_INPUTS = 60, /* and inputs that are looked at */
    LEAST_ROWS = 20   /* of a cell of two that counts */
};
/* How far beyond chance a pair is, in standard deviations, and what it explains at least. */
static const double BEYOND_CHANCE = 8.0, LEAST_SHARE = 0.004;

typedef struct cells {
    const rls2_dataset *data;
    int64_t n, inputs, width; /* width: inputs x CELLS */
    int64_t *rows;            /* n: of the sample */
    uint8_t *at;              /* inputs x n */
    double *rest;             /* n: of the response */
    double *G, *b;            /* width x width, width: counts and sums, then the fit */
} cells;

static void cells_release(cells *c)
{
    rls2__free(c->rows);
    rls2__free(c->at);
    rls2__free(c->rest);
    rls2__free(c->G);
    rls2__free(c->b);
}

static rls2_status reserve(cells *c)
{
    c->n = c->data->rows < SAMPLE ? c->data->rows : SAMPLE;
    c->inputs = rls2_dataset_input_count(c->data);
    if (c->inputs > MOST_INPUTS) c->inputs = MOST_INPUTS;
    c->width = c->inputs * CELLS;
    c->rows = rls2__alloc(c->n, sizeof *c->rows);
    c->at = rls2__alloc_zero(rls2__mul(c->inputs, c->n), 1);
    c->rest = rls2__alloc(c->n, sizeof(double));
    c->G = rls2__alloc(rls2__mul(c->width, c->width), sizeof(double));
    c->b = rls2__alloc(c->width, sizeof(double));
    if (!c->rows || !c->at || !c->rest || !c->G || !c->b) return RLS2_ERR_MEMORY;
    for (int64_t i = 0; i < c->n; i++)
        c->rows[i] = (int64_t)((double)i * (double)c->data->rows / (double)c->n);
    return RLS2_OK;
}

/* ---- cells ---- */

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Of numbers by quantiles; missing ones are in the first. */
static rls2_status cut_numbers(cells *c, int64_t input, int64_t column)
{
    const double *x = c->data->x + column * c->data->rows;
    double *sorted = rls2__alloc(c->n, sizeof *sorted), edges[CELLS - 1];
    int64_t known = 0, edge_count = 0;
    uint8_t *at = c->at + input * c->n;
    if (!sorted) return RLS2_ERR_MEMORY;
    for (int64_t i = 0; i < c->n; i++)
        if (!isnan(x[c->rows[i]])) sorted[known++] = x[c->rows[i]];
    qsort(sorted, (size_t)known, sizeof *sorted, ascending);
    for (int64_t e = 1; e < CELLS && known > 0; e++) {
        double edge = sorted[e * (known - 1) / CELLS];
        if (edge < sorted[known - 1] && (edge_count == 0 || edge > edges[edge_count - 1]))
            edges[edge_count++] = edge;
    }
    for (int64_t i = 0; i < c->n; i++) {
        uint8_t cell = 0;
        while (cell < edge_count && x[c->rows[i]] > edges[cell]) cell++;
        at[i] = cell;
    }
    rls2__free(sorted);
    return RLS2_OK;
}

/* Of categories by the indicator that is on, the last cell for all that come late. */
static void cut_categories(cells *c, int64_t input, int64_t first, int64_t width)
{
    uint8_t *at = c->at + input * c->n;
    int64_t shown = width < CELLS - 1 ? width : CELLS - 1;
    for (int64_t v = 0; v < shown; v++) {
        const double *x = c->data->x + (first + v) * c->data->rows;
        double least = INFINITY, most = -INFINITY;
        for (int64_t i = 0; i < c->n; i++) {
            least = fmin(least, x[c->rows[i]]);
            most = fmax(most, x[c->rows[i]]);
        }
        for (int64_t i = 0; i < c->n; i++)
            if (most > least && x[c->rows[i]] > 0.5 * (least + most)) at[i] = (uint8_t)(v + 1);
    }
}

static rls2_status cut_inputs(cells *c)
{
    rls2_status status = RLS2_OK;
    for (int64_t k = 0; k < c->inputs && status == RLS2_OK; k++) {
        int64_t first, width = rls2_dataset_input_columns(c->data, k, &first);
        if (rls2_dataset_input_kind(c->data, k) == RLS2_COLUMN_TEXT)
            cut_categories(c, k, first, width);
        else if (width > 0)
            status = cut_numbers(c, k, first);
    }
    return status;
}

/* ---- inputs one by one ---- */

static void count_cells(cells *c, const double *y)
{
    memset(c->G, 0, (size_t)(c->width * c->width) * sizeof *c->G);
    memset(c->b, 0, (size_t)c->width * sizeof *c->b);
    for (int64_t k = 0; k < c->inputs; k++) {
        const uint8_t *u = c->at + k * c->n;
        for (int64_t i = 0; i < c->n; i++) c->b[k * CELLS + u[i]] += y[i];
        for (int64_t l = k; l < c->inputs; l++) {
            const uint8_t *v = c->at + l * c->n;
            for (int64_t i = 0; i < c->n; i++)
                c->G[(k * CELLS + u[i]) * c->width + l * CELLS + v[i]] += 1.0;
        }
    }
    for (int64_t g = 0; g < c->width; g++) c->G[g * c->width + g] += 1.0; /* shrinkage */
}

/* Takes off what the inputs say one by one; 0 where that cannot be. */
static int take_off(cells *c)
{
    double mean = 0.0;
    for (int64_t i = 0; i < c->n; i++) mean += c->rest[i] / (double)c->n;
    for (int64_t i = 0; i < c->n; i++) c->rest[i] -= mean;
    count_cells(c, c->rest);
    if (rls2__la_cholesky(c->width, c->G, c->width) != 0) return 0;
    rls2__la_cholesky_solve(c->width, 1, c->G, c->width, c->b, c->width);
    for (int64_t k = 0; k < c->inputs; k++)
        for (int64_t i = 0; i < c->n; i++) c->rest[i] -= c->b[k * CELLS + c->at[k * c->n + i]];
    return 1;
}

/* ---- pairs ---- */

/* The sums of what is left over the cells of two inputs: what they explain beyond what chance
 * does, as a share of the variance; 0 where chance may. */
static double share_of_pair(const cells *c, int64_t k, int64_t l, double variance)
{
    double sums[CELLS * CELLS] = {0}, explained = 0.0;
    int64_t counts[CELLS * CELLS] = {0}, used = 0;
    const uint8_t *u = c->at + k * c->n, *v = c->at + l * c->n;
    for (int64_t i = 0; i < c->n; i++) {
        sums[u[i] * CELLS + v[i]] += c->rest[i];
        counts[u[i] * CELLS + v[i]]++;
    }
    for (int64_t g = 0; g < (int64_t)CELLS * CELLS; g++) {
        if (counts[g] < LEAST_ROWS) continue;
        explained += sums[g] * sums[g] / (double)counts[g];
        used++;
    }
    double beyond = explained / variance - (double)used;
    double share = beyond / (double)c->n;
    return beyond > BEYOND_CHANCE * sqrt(2.0 * (double)used) && share > LEAST_SHARE ? share : 0.0;
}

static void keep(rls2__input_pair pair, int64_t most, rls2__input_pair *pairs, int64_t *count)
{
    int64_t at = *count;
    if (*count == most && !(pair.share > pairs[most - 1].share)) return;
    if (*count < most)
        ++*count;
    else
        at = most - 1;
    for (; at > 0 && pairs[at - 1].share < pair.share; at--) pairs[at] = pairs[at - 1];
    pairs[at] = pair;
}

static void find_strongest(const cells *c, int64_t most, rls2__input_pair *pairs, int64_t *count)
{
    double variance = 0.0;
    for (int64_t i = 0; i < c->n; i++) variance += c->rest[i] * c->rest[i] / (double)c->n;
    for (int64_t k = 0; k < c->inputs && variance > 0.0; k++)
        for (int64_t l = k + 1; l < c->inputs; l++) {
            double share = share_of_pair(c, k, l, variance);
            if (share > 0.0) keep((rls2__input_pair){k, l, share}, most, pairs, count);
        }
}

rls2_status rls2__find_pairs(const rls2_dataset *data, int64_t most, rls2__input_pair *pairs,
                             int64_t *count)
{
    cells c = {.data = data};
    *count = 0;
    rls2_status status = data->y ? reserve(&c) : RLS2_OK;
    if (status == RLS2_OK && c.inputs > 1) status = cut_inputs(&c);
    /* of several responses the first speaks for all */
    for (int64_t i = 0; i < c.n && status == RLS2_OK; i++) c.rest[i] = data->y[c.rows[i]];
    int has_pairs = status == RLS2_OK && c.inputs > 1;
    if (has_pairs) status = rls2__la_enter(NULL);
    if (has_pairs && status == RLS2_OK) {
        if (take_off(&c)) find_strongest(&c, most, pairs, count);
        rls2__la_leave();
    }
    cells_release(&c);
    return status;
}
