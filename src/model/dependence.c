/* Terms of a prediction, and their means over a sample of the training rows. */
#include "model/dependence.h"

#include <math.h>
#include <string.h>

#include "base/clones.h"
#include "base/invariant.h"
#include "base/lanes.h"
#include "base/memory.h"
#include "kernel/kernel.h"
#include "kernel/maps.h"
#include "kernel/sums.h"
#include "model/blocks.h"
#include "model/expand.h"
#include "model/model_stack.h"

enum { MOST_SAMPLE = 200, FEWEST_SAMPLE = 20 };
/* Kernel values that explaining all inputs and the pairs may take: about a second of one core. */
static const double WORTH_WAITING = 2.5e8;
/* Columns of a kernel up to which sums over the rest are made anew for every input; of more they
 * are differences, so that a thousand inputs do not cost a million sums. */
enum { FEW_COLUMNS = 64 };

static const rls2__kernel *kernel_of(const rls2__dependence *it, const rls2__summand *term)
{
    return &it->parts[term->part]->kernels[term->k];
}

/* The input of a column of a kernel of a part. */
static int64_t input_at(const rls2__dependence *it, const rls2_model *part, int64_t column)
{
    return rls2_model_input_of(it->model, part->used[column]);
}

/* Is it u(a) v(b) for a sum a + b? */
static int is_product(const rls2__kernel *kernel)
{
    return kernel->kind == RLS2__KERNEL_RBF || kernel->kind == RLS2__KERNEL_LAPLACE ||
           kernel->kind == RLS2__KERNEL_DELTA;
}

/* Is it a constant and a sum over columns? */
static int is_linear(const rls2__kernel *kernel)
{
    return kernel->kind == RLS2__KERNEL_LINEAR ||
           (kernel->kind == RLS2__KERNEL_POLY && kernel->param[0] < 1.5 &&
            kernel->column_count > 1);
}

static int is_power(const rls2__kernel *kernel)
{
    return kernel->kind == RLS2__KERNEL_POLY && kernel->param[0] <= RLS2__MOST_DEGREE;
}

/* ---- terms ---- */

static void find_parts(rls2__dependence *it)
{
    it->parts[0] = it->model;
    for (int64_t m = 1; m < it->part_count; m++) it->parts[m] = rls2_model_member(it->model, m - 1);
    for (int64_t m = 0; m < it->part_count; m++)
        if (it->parts[m]->used_count > it->widest) it->widest = it->parts[m]->used_count;
}

/* Columns of a kernel from `first` on that are of one input. */
static int64_t run_of(const rls2__dependence *it, const rls2_model *part,
                      const rls2__kernel *kernel, int64_t first)
{
    int64_t at = first + 1, input = input_at(it, part, kernel->columns[first]);
    while (at < kernel->column_count && input_at(it, part, kernel->columns[at]) == input) at++;
    return at - first;
}

/* A poly(1) is scale times a linear kernel, and a constant. */
static double factor_of(const rls2__kernel *kernel)
{
    return is_linear(kernel) && kernel->kind == RLS2__KERNEL_POLY ? kernel->param[2] : 1.0;
}

/* Terms that a kernel is: as many as inputs of a linear one, else one. */
static int64_t terms_of(const rls2__dependence *it, const rls2_model *part,
                        const rls2__kernel *kernel)
{
    int64_t count = 0;
    if (!is_linear(kernel)) return 1;
    for (int64_t t = 0; t < kernel->column_count; t += run_of(it, part, kernel, t)) count++;
    return count;
}

/* Where a term belongs: to an input, to several (inputs), or to none (inputs + 1). */
static int64_t shelf_of(const rls2__dependence *it, const rls2__summand *term)
{
    const rls2_model *part = it->parts[term->part];
    const rls2__kernel *kernel = &part->kernels[term->k];
    if (term->count == 0) return it->inputs + 1;
    if (run_of(it, part, kernel, term->first) < term->count) return it->inputs;
    return input_at(it, part, kernel->columns[term->first]);
}

/* All terms of all parts that count, in order; returns how many. list may be NULL. */
static int64_t list_terms(const rls2__dependence *it, rls2__summand *list)
{
    int64_t count = 0;
    for (int64_t m = 0; m < it->part_count; m++) {
        const rls2_model *part = it->parts[m];
        double weight = rls2_model_member_weight(it->model, m - 1);
        for (int64_t k = 0; k < part->size && weight > 0.0; k++) {
            const rls2__kernel *kernel = &part->kernels[k];
            int64_t terms = terms_of(it, part, kernel);
            for (int64_t i = 0, first = 0; list && i < terms; i++) {
                int64_t columns =
                    is_linear(kernel) ? run_of(it, part, kernel, first) : kernel->column_count;
                double factor = weight * part->d[k] * part->s[k] * factor_of(kernel);
                list[count + i] = (rls2__summand){
                    .part = m, .k = k, .factor = factor, .first = first, .count = columns};
                first += columns;
            }
            count += terms;
        }
    }
    return count;
}

/* By the inputs they look at, else in their order. */
static rls2_status find_terms(rls2__dependence *it)
{
    it->term_count = list_terms(it, NULL);
    it->terms = rls2__alloc(it->term_count, sizeof *it->terms);
    rls2__summand *list = rls2__alloc(it->term_count, sizeof *list);
    int64_t *begin = rls2__alloc_zero(rls2__add(it->inputs, 3), sizeof *begin);
    rls2_status status = it->terms && list && begin ? RLS2_OK : RLS2_ERR_MEMORY;
    if (status == RLS2_OK) {
        list_terms(it, list);
        for (int64_t i = 0; i < it->term_count; i++) begin[shelf_of(it, &list[i]) + 1]++;
        for (int64_t j = 0; j < it->inputs + 2; j++) begin[j + 1] += begin[j];
        memcpy(it->first_own, begin, (size_t)(it->inputs + 1) * sizeof *begin);
        it->first_none = begin[it->inputs + 1];
        for (int64_t i = 0; i < it->term_count; i++)
            it->terms[begin[shelf_of(it, &list[i])]++] = list[i];
    }
    rls2__free(list);
    rls2__free(begin);
    return status;
}

static int64_t first_mixed(const rls2__dependence *it)
{
    return it->first_own[it->inputs];
}

/* Where among the columns of a kernel those of an input begin, which ascend; returns how many they
 * are. */
static int64_t find_run(const rls2__dependence *it, const rls2__summand *term, int64_t input,
                        int64_t *first)
{
    const rls2_model *part = it->parts[term->part];
    const rls2__kernel *kernel = &part->kernels[term->k];
    int64_t column, width = rls2_model_input_columns(it->model, input, &column);
    int64_t low = term->first, high = term->first + term->count;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (part->used[kernel->columns[middle]] < column)
            low = middle + 1;
        else
            high = middle;
    }
    *first = low;
    while (high < term->first + term->count && part->used[kernel->columns[high]] < column + width)
        high++;
    return high - low;
}

int rls2__summand_looks_at(const rls2__dependence *it, const rls2__summand *term, int64_t input)
{
    int64_t first;
    return find_run(it, term, input, &first) > 0;
}

int rls2__dependence_has(const rls2__dependence *it, int64_t input)
{
    int has = it->first_own[input + 1] > it->first_own[input];
    for (int64_t i = first_mixed(it); i < it->first_none && !has; i++)
        has = rls2__summand_looks_at(it, &it->terms[i], input);
    return has;
}

/* ---- the sample ---- */

static int64_t inputs_of(const rls2__dependence *it, const rls2__summand *term)
{
    const rls2__kernel *kernel = kernel_of(it, term);
    int64_t count = 0;
    for (int64_t t = 0; t < kernel->column_count; t += run_of(it, it->parts[term->part], kernel, t))
        count++;
    return count;
}

/* Kernel values on a sample of that many rows: means for each input, partner and pair. */
static double cost_of(const rls2__dependence *it, double rows)
{
    double sum = 0.0, most = RLS2__MOST_PARTNERS;
    for (int64_t i = first_mixed(it); i < it->first_none; i++) {
        double inputs = (double)inputs_of(it, &it->terms[i]), partners = fmin(inputs, most);
        double times = inputs + 0.5 * partners * (partners + 1.0);
        const rls2__kernel *kernel = kernel_of(it, &it->terms[i]);
        sum += times * (is_product(kernel) || is_power(kernel) ? 2.0 * rows : rows * rows);
    }
    return (double)it->model->n * (sum + rows * (double)it->term_count);
}

static int64_t sample_size(const rls2__dependence *it)
{
    int64_t rows = MOST_SAMPLE;
    while (rows > FEWEST_SAMPLE && cost_of(it, (double)rows) > WORTH_WAITING) rows -= 5;
    return rows < it->model->n ? rows : it->model->n;
}

static void draw_sample(rls2__dependence *it)
{
    const double *weights = it->model->weights;
    double total = 0.0;
    for (int64_t i = 0; i < it->sample; i++) {
        it->rows[i] = i * it->model->n / it->sample;
        it->weights[i] = weights ? weights[it->rows[i]] : 1.0;
        total += it->weights[i];
    }
    for (int64_t i = 0; i < it->sample; i++) it->weights[i] /= total;
}

/* ---- points ---- */

static void free_each(int64_t count, double **list)
{
    for (int64_t m = 0; list && m < count; m++) rls2__free(list[m]);
    rls2__free(list);
}

rls2_status rls2__points_create(const rls2__dependence *it, int64_t count, rls2__points *points)
{
    *points = (rls2__points){count, rls2__alloc_zero(it->part_count, sizeof *points->x)};
    for (int64_t m = 0; points->x && m < it->part_count; m++) {
        points->x[m] = rls2__alloc(rls2__mul(count, it->parts[m]->used_count), sizeof(double));
        if (!points->x[m]) return RLS2_ERR_MEMORY;
    }
    return points->x ? RLS2_OK : RLS2_ERR_MEMORY;
}

void rls2__points_take(const rls2__dependence *it, const int64_t *rows, int64_t other,
                       int64_t other_row, rls2__points *points)
{
    for (int64_t m = 0; m < it->part_count; m++) {
        const rls2_model *part = it->parts[m];
        for (int64_t t = 0; t < part->used_count; t++) {
            const double *column = part->x + t * part->n;
            double *x = points->x[m] + t * points->count;
            int fixed = other >= 0 && input_at(it, part, t) == other;
            for (int64_t i = 0; i < points->count; i++) x[i] = column[fixed ? other_row : rows[i]];
        }
    }
}

void rls2__points_release(const rls2__dependence *it, rls2__points *points)
{
    free_each(it->part_count, points->x);
}

static rls2_rows rows_of(const rls2_model *part, int64_t count, const double *x)
{
    return (rls2_rows){.n = count, .p = part->used_count, .x = x, .ldx = count};
}

/* ---- sums over columns ---- */

/* out[w n + t] of a kernel of some columns: its sums for training row t and row w of b. */
static void sum_columns(const rls2_model *part, const rls2__kernel *some, const rls2_rows *b,
                        int64_t first, int64_t width, double *out)
{
    rls2__kernel_sums(some, &part->rows, 0, part->n, b, first, width, out);
}

static rls2_status add_total(rls2__dependence *it, rls2__effort *effort, rls2__summand *term)
{
    const rls2__kernel *kernel = kernel_of(it, term);
    int64_t n = it->model->n;
    double *total = rls2__alloc(rls2__mul(n, it->sample), sizeof *total);
    if (!total) return RLS2_ERR_MEMORY;
    it->totals[it->total_count++] = total;
    rls2_rows rows = rows_of(it->parts[term->part], it->sample, it->points.x[term->part]);
    for (int64_t l = 0; l < it->sample && !rls2__effort_stopped(effort); l++)
        sum_columns(it->parts[term->part], kernel, &rows, l, 1, total + l * n);
    term->total = total;
    return rls2__effort_status(effort);
}

/* Of a term that is like one before it the same. */
static rls2_status find_totals(rls2__dependence *it, rls2__effort *effort)
{
    rls2_status status = RLS2_OK;
    it->totals = rls2__alloc_zero(it->first_none - first_mixed(it), sizeof *it->totals);
    if (!it->totals) return RLS2_ERR_MEMORY;
    for (int64_t i = first_mixed(it); i < it->first_none && status == RLS2_OK; i++) {
        rls2__summand *term = &it->terms[i];
        if (term->count <= FEW_COLUMNS || kernel_of(it, term)->kind == RLS2__KERNEL_DELTA) continue;
        for (int64_t k = first_mixed(it); k < i && !term->total; k++)
            if (it->terms[k].part == term->part &&
                rls2__kernel_alike(kernel_of(it, &it->terms[k]), kernel_of(it, term)))
                term->total = it->terms[k].total;
        if (!term->total) status = add_total(it, effort, term);
    }
    return status;
}

/* ---- making ---- */

static rls2_status reserve(rls2__dependence *it)
{
    it->parts = rls2__alloc_zero(it->part_count, sizeof(rls2_model *));
    it->first_own = rls2__alloc_zero(rls2__add(it->inputs, 1), sizeof *it->first_own);
    it->rows = rls2__alloc(MOST_SAMPLE, sizeof *it->rows);
    it->weights = rls2__alloc(MOST_SAMPLE, sizeof *it->weights);
    return it->parts && it->first_own && it->rows && it->weights ? RLS2_OK : RLS2_ERR_MEMORY;
}

/* Parts and terms, and how many rows to look at. */
static rls2_status begin(const rls2_model *model, rls2__dependence *it)
{
    rls2__invariant(!model->outputs && !model->compact);
    *it = (rls2__dependence){.model = model,
                             .inputs = rls2_model_input_count(model),
                             .part_count = 1 + rls2_model_member_count(model)};
    rls2_status status = reserve(it);
    if (status != RLS2_OK) return status;
    find_parts(it);
    status = find_terms(it);
    if (status == RLS2_OK) it->sample = sample_size(it);
    return status;
}

rls2_status rls2__dependence_create(const rls2_model *model, rls2__effort *effort,
                                    rls2__dependence *it)
{
    rls2_status status = begin(model, it);
    if (status != RLS2_OK) return status;
    draw_sample(it);
    status = rls2__points_create(it, it->sample, &it->points);
    if (status != RLS2_OK) return status;
    rls2__points_take(it, it->rows, -1, 0, &it->points);
    return find_totals(it, effort);
}

double rls2__dependence_cost(const rls2_model *model)
{
    rls2__dependence it;
    double cost = begin(model, &it) == RLS2_OK ? cost_of(&it, (double)it.sample) : (double)NAN;
    rls2__dependence_release(&it);
    return cost;
}

void rls2__dependence_release(rls2__dependence *it)
{
    free_each(it->total_count, it->totals);
    rls2__points_release(it, &it->points);
    rls2__free(it->terms);
    rls2__free(it->first_own);
    rls2__free(it->rows);
    rls2__free(it->weights);
    rls2__free(it->parts);
}

/* ---- room ---- */

static void take_columns(rls2__layout *layout, int64_t count, rls2__some_columns *some)
{
    some->columns = rls2__layout_take(layout, count, sizeof *some->columns);
    some->widths = rls2__layout_take(layout, count, sizeof *some->widths);
}

static void lay_out(rls2__layout *layout, void *owner)
{
    rls2__dependence_room *room = owner;
    const rls2__dependence *it = room->it;
    int64_t n = it->model->n, rows = room->points > it->sample ? room->points : it->sample;
    take_columns(layout, it->widest, &room->inside);
    take_columns(layout, it->widest, &room->outside);
    room->b = rls2__layout_take(layout, rls2__mul(n, it->sample), sizeof(double));
    room->a = rls2__layout_take(layout, n, sizeof(double));
    room->means = rls2__layout_take(layout, n, sizeof(double));
    room->mass = rls2__layout_take(layout, n, sizeof(double));
    room->moments = rls2__layout_take(layout, rls2__mul(n, RLS2__MOST_DEGREE + 1), sizeof(double));
    room->column = rls2__layout_take(layout, rows, sizeof(double));
    room->sums = rls2__layout_take(layout, rows, sizeof(double));
}

rls2_status rls2__dependence_room_create(const rls2__dependence *it, int64_t points,
                                         rls2__dependence_room *room)
{
    *room = (rls2__dependence_room){.it = it, .points = points};
    room->block = rls2__layout_alloc(lay_out, room);
    return room->block ? RLS2_OK : RLS2_ERR_MEMORY;
}

void rls2__dependence_room_release(rls2__dependence_room *room)
{
    rls2__free(room->block);
}

/* ---- terms of one input, and terms as they are ---- */

/* room->sums[points] = sum_j c_j K(x_j, x), K as far as the term goes. */
static void expand(rls2__effort *effort, const rls2__summand *term, const rls2__points *points,
                   rls2__dependence_room *room)
{
    const rls2_model *part = room->it->parts[term->part];
    rls2__kernel some = part->kernels[term->k];
    rls2__block b = {.count = points->count,
                     .own = rows_of(part, points->count, points->x[term->part])};
    rls2__expand_room own = {.column = room->column, .sums = room->sums};
    if (!is_linear(&some)) {
        rls2__expand(effort, part, term->k, &b, &own);
        return;
    }
    some.kind = RLS2__KERNEL_LINEAR;
    some.columns += term->first;
    some.column_count = term->count;
    rls2__kernel_expand_linear(&some, &b.own, 0, b.count, &part->rows, part->c, room->sums);
}

void rls2__dependence_own(rls2__effort *effort, int64_t input, const rls2__points *points,
                          rls2__dependence_room *room, double *sum)
{
    const rls2__dependence *it = room->it;
    for (int64_t i = it->first_own[input]; i < it->first_own[input + 1]; i++) {
        if (rls2__effort_stopped(effort)) return;
        expand(effort, &it->terms[i], points, room);
        rls2__add_scaled(points->count, it->terms[i].factor, room->sums, sum);
    }
}

RLS2__CLONES
static double dot(int64_t n, const double *x, const double *y)
{
    return rls2__lanes_dot(n, x, y);
}

/* As predictions of the training rows: a given matrix is symmetric to a tolerance only. */
static double expand_given(const rls2_model *part, const double *matrix, int64_t row)
{
    double sum = 0.0;
    for (int64_t t = 0; t < part->n; t++) sum += part->c[t] * matrix[t * part->n + row];
    return sum;
}

void rls2__summand_values(rls2__effort *effort, const rls2__summand *term,
                          rls2__dependence_room *room, double *sum)
{
    const rls2__dependence *it = room->it;
    const rls2_model *part = it->parts[term->part];
    const rls2__kernel *kernel = &part->kernels[term->k];
    if (kernel->kind == RLS2__KERNEL_GIVEN)
        for (int64_t i = 0; i < it->sample; i++)
            room->sums[i] = expand_given(part, part->rows.given[kernel->given], it->rows[i]);
    else
        expand(effort, term, &it->points, room);
    rls2__add_scaled(it->sample, term->factor, room->sums, sum);
}

/* ---- terms of several inputs ---- */

/* What is at hand while a term is mixed. */
typedef struct mixing {
    rls2__effort *effort;
    const rls2__summand *term;
    const rls2__kernel *kernel;
    const rls2_model *part;
    rls2__dependence_room *room;
    rls2_rows points, rows;
    int64_t inside, outside; /* columns */
    rls2__kernel in, rest;   /* the kernel as far as these go */
    const rls2__mixture *out;
} mixing;

/* The kernel on none of its columns yet. */
static rls2__kernel of_no_column(const rls2__kernel *kernel, const rls2__some_columns *room)
{
    rls2__kernel some = *kernel;
    some.column_count = 0;
    some.columns = room->columns;
    some.widths = kernel->widths ? room->widths : NULL;
    return some;
}

static void append_column(const rls2__kernel *kernel, int64_t t, rls2__some_columns *room,
                          rls2__kernel *some)
{
    room->columns[some->column_count] = kernel->columns[t];
    if (kernel->widths) room->widths[some->column_count] = kernel->widths[t];
    some->column_count++;
}

/* The columns of the one or two inputs, and all others. */
static void divide_columns(mixing *m, const int64_t *pair)
{
    int64_t first[2] = {0, 0}, count[2] = {0, 0};
    m->in = of_no_column(m->kernel, &m->room->inside);
    m->rest = of_no_column(m->kernel, &m->room->outside);
    for (int i = 0; i < 2 && pair[i] >= 0; i++) {
        count[i] = find_run(m->room->it, m->term, pair[i], &first[i]);
        for (int64_t t = first[i]; t < first[i] + count[i]; t++)
            append_column(m->kernel, t, &m->room->inside, &m->in);
    }
    m->inside = m->in.column_count;
    m->outside = m->kernel->column_count - m->inside;
    if (m->term->total) return;
    for (int64_t t = 0; t < m->kernel->column_count; t++) {
        int is_inside = 0;
        for (int i = 0; i < 2; i++) is_inside |= t >= first[i] && t < first[i] + count[i];
        if (!is_inside) append_column(m->kernel, t, &m->room->outside, &m->rest);
    }
}

/* b = total - a, where distances that rounding makes negative are 0. */
RLS2__CLONES
static void subtract(int64_t n, const double *total, const double *a, int is_distance, double *b)
{
    for (int64_t t = 0; t < n; t++) {
        double rest = total[t] - a[t];
        b[t] = is_distance && rest < 0.0 ? 0.0 : rest;
    }
}

/* The sums over all else, n x sample. Of no column: 0, but 1 of an indicator. */
static void sum_outside(mixing *m)
{
    const rls2__dependence *it = m->room->it;
    int64_t n = m->part->n;
    double nothing = m->kernel->kind == RLS2__KERNEL_DELTA ? 1.0 : 0.0;
    for (int64_t l = 0; l < it->sample && !rls2__effort_stopped(m->effort); l++) {
        double *b = m->room->b + l * n;
        if (m->outside == 0) {
            for (int64_t t = 0; t < n; t++) b[t] = nothing;
        } else if (m->term->total) {
            sum_columns(m->part, &m->in, &m->rows, l, 1, m->room->a);
            subtract(n, m->term->total + l * n, m->room->a, m->kernel->kind != RLS2__KERNEL_POLY,
                     b);
        } else {
            sum_columns(m->part, &m->rest, &m->rows, l, 1, b);
        }
    }
}

RLS2__CLONES
static void multiply(int64_t n, double factor, const double *restrict x, double *restrict y)
{
    for (int64_t i = 0; i < n; i++) y[i] *= factor * x[i];
}

/* means = factor c times the mean of v(b) over the rows. */
static void average_rows(mixing *m)
{
    const rls2__dependence *it = m->room->it;
    int64_t n = m->part->n;
    memset(m->room->means, 0, (size_t)n * sizeof(double));
    for (int64_t l = 0; l < it->sample; l++)
        rls2__add_scaled(n, it->weights[l], m->room->b + l * n, m->room->means);
    multiply(n, m->term->factor, m->part->c, m->room->means);
}

static void mix_product(mixing *m)
{
    const rls2__dependence *it = m->room->it;
    int64_t n = m->part->n;
    double *a = m->room->a, *mass = m->room->mass;
    rls2__kernel_map(m->kernel, n * it->sample, m->room->b, 1.0, m->room->b);
    average_rows(m);
    memset(mass, 0, (size_t)n * sizeof *mass);
    for (int64_t i = 0; i < m->points.n && !rls2__effort_stopped(m->effort); i++) {
        sum_columns(m->part, &m->in, &m->points, i, 1, a);
        rls2__kernel_map(m->kernel, n, a, 1.0, a);
        if (m->out->at_points) m->out->at_points[i] += dot(n, a, m->room->means);
        if (m->out->at_rows) rls2__add_scaled(n, it->weights[i], a, mass);
        if (!m->out->each) continue;
        multiply(n, m->term->factor, m->part->c, a);
        for (int64_t l = 0; l < it->sample; l++)
            m->out->each[l * m->points.n + i] += dot(n, a, m->room->b + l * n);
    }
    if (!m->out->at_rows) return;
    multiply(n, m->term->factor, m->part->c, mass);
    for (int64_t l = 0; l < it->sample; l++) m->out->at_rows[l] += dot(n, mass, m->room->b + l * n);
}

/* moment_e += weight x^e, e = 0 .. degree. */
RLS2__CLONES
static void add_powers(int64_t n, int degree, double weight, const double *x, double *moments)
{
    for (int64_t t = 0; t < n; t++) {
        double power = weight;
        for (int e = 0; e <= degree; e++, power *= x[t]) moments[e * n + t] += power;
    }
}

/* x = offset + scale x */
RLS2__CLONES
static void map_base(int64_t n, double offset, double scale, double *x)
{
    for (int64_t t = 0; t < n; t++) x[t] = offset + scale * x[t];
}

/* sum_t c_t times the mean of (x_t + z_t)^degree over z, of which the moments are known. */
RLS2__CLONES
static double sum_powers(int64_t n, int degree, const double *c, const double *x,
                         const double *moments, double *room)
{
    double choose[RLS2__MOST_DEGREE + 1] = {1.0};
    for (int e = 1; e <= degree; e++) choose[e] = choose[e - 1] * (degree - e + 1) / e;
    for (int64_t t = 0; t < n; t++) {
        double power = 1.0, sum = 0.0;
        for (int e = 0; e <= degree; e++, power *= x[t])
            sum += choose[e] * power * moments[(degree - e) * n + t];
        room[t] = sum;
    }
    return rls2__lanes_dot(n, room, c);
}

/* a = scale times the sums of a point. */
static void take_point(mixing *m, int64_t i)
{
    sum_columns(m->part, &m->in, &m->points, i, 1, m->room->a);
    map_base(m->part->n, 0.0, m->kernel->param[2], m->room->a);
}

/* (offset + scale (a + b))^degree: at points by the moments of offset + scale b over the rows, and
 * at rows by those of scale a over the points. */
static void mix_power(mixing *m)
{
    const rls2__dependence *it = m->room->it;
    int64_t n = m->part->n, count = m->points.n;
    int degree = (int)m->kernel->param[0];
    double *a = m->room->a, *b = m->room->b, *moments = m->room->moments;
    size_t size = (size_t)(n * (degree + 1)) * sizeof *moments;
    map_base(n * it->sample, m->kernel->param[1], m->kernel->param[2], b);
    memset(moments, 0, size);
    for (int64_t l = 0; l < it->sample; l++)
        add_powers(n, degree, it->weights[l], b + l * n, moments);
    for (int64_t i = 0; m->out->at_points && i < count && !rls2__effort_stopped(m->effort); i++) {
        take_point(m, i);
        m->out->at_points[i] +=
            m->term->factor * sum_powers(n, degree, m->part->c, a, moments, m->room->mass);
    }
    if (!m->out->at_rows) return;
    memset(moments, 0, size);
    for (int64_t i = 0; i < count && !rls2__effort_stopped(m->effort); i++) {
        take_point(m, i);
        add_powers(n, degree, it->weights[i], a, moments);
    }
    for (int64_t l = 0; l < it->sample; l++)
        m->out->at_rows[l] +=
            m->term->factor * sum_powers(n, degree, m->part->c, b + l * n, moments, m->room->mass);
}

RLS2__CLONES
static void add(int64_t n, const double *x, const double *y, double *restrict sum)
{
    for (int64_t i = 0; i < n; i++) sum[i] = x[i] + y[i];
}

static void mix_any(mixing *m)
{
    const rls2__dependence *it = m->room->it;
    int64_t n = m->part->n;
    double *a = m->room->a, *sum = m->room->mass;
    for (int64_t i = 0; i < m->points.n; i++) {
        sum_columns(m->part, &m->in, &m->points, i, 1, a);
        for (int64_t l = 0; l < it->sample && !rls2__effort_stopped(m->effort); l++) {
            add(n, a, m->room->b + l * n, sum);
            rls2__kernel_map(m->kernel, n, sum, 1.0, sum);
            double value = m->term->factor * dot(n, sum, m->part->c);
            if (m->out->at_points) m->out->at_points[i] += it->weights[l] * value;
            if (m->out->at_rows) m->out->at_rows[l] += it->weights[i] * value;
            if (m->out->each) m->out->each[l * m->points.n + i] += value;
        }
    }
}

void rls2__summand_mix(rls2__effort *effort, const rls2__summand *term, const int64_t *pair,
                       const rls2__points *points, rls2__dependence_room *room,
                       const rls2__mixture *out)
{
    const rls2__dependence *it = room->it;
    const rls2_model *part = it->parts[term->part];
    mixing m = {.effort = effort,
                .term = term,
                .kernel = kernel_of(it, term),
                .part = part,
                .room = room,
                .points = rows_of(part, points->count, points->x[term->part]),
                .rows = rows_of(part, it->sample, it->points.x[term->part]),
                .out = out};
    rls2__invariant(points->count <= room->points && (!out->at_rows || points->x == it->points.x));
    divide_columns(&m, pair);
    rls2__invariant(m.inside > 0);
    sum_outside(&m);
    if (is_product(m.kernel))
        mix_product(&m);
    else if (is_power(m.kernel) && !out->each)
        mix_power(&m);
    else
        mix_any(&m);
}
