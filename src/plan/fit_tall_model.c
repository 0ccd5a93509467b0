/* Models of tall fits: functions on the points of axes. */
#include <math.h>
#include <string.h>

#include "la/la.h"
#include "model/compact.h"
#include "plan/fit_tall.h"

/* What a model is made of, while it is. */
typedef struct draft {
    const rls2_fit *fit;
    const rls2__tall_fit *whole;
    const rls2__axes *axes;
    int64_t i;      /* point of the paths */
    int64_t points; /* made rows: those of axes, landmarks, then unit vectors for linear kernels of
                       several columns */
    double *x;
    const rls2__features *features; /* NULL: none */
    int64_t blocks;
    rls2_model_block *block;
    int64_t *block_of; /* kernels */
    int64_t *all;      /* columns: 0, 1, 2, ... */
    int64_t values;    /* of c */
    double *c;         /* values x outputs */
    double *mass;      /* values */
    double *alpha;     /* points of axes */
    double *shares;    /* kernels x outputs */
    rls2__compact_output *outputs;
} draft;

static void draft_release(draft *d)
{
    rls2__free(d->x);
    rls2__free(d->block);
    rls2__free(d->block_of);
    rls2__free(d->all);
    rls2__free(d->c);
    rls2__free(d->mass);
    rls2__free(d->alpha);
    rls2__free(d->shares);
    rls2__free(d->outputs);
}

static int is_linear_of_several(const draft *d, int64_t k)
{
    const rls2__kernel *kernel = &d->whole->basis->kernels[k];
    return kernel->kind == RLS2__KERNEL_LINEAR && rls2__kernel_axis(d->axes, kernel) < 0;
}

static int64_t feature_blocks(const draft *d)
{
    return d->features ? d->features->count : 0;
}

static int64_t landmarks(const draft *d)
{
    return d->features ? d->features->total : 0;
}

/* Blocks 0 .. axes - 1 are those of the axes; then those of features, and one more for each linear
 * kernel of several columns. */
static rls2_status lay_out(draft *d)
{
    int64_t m = d->whole->basis->m, p = d->axes->columns;
    int64_t several = 0;
    for (int64_t k = 0; k < m; k++) several += is_linear_of_several(d, k);
    d->blocks = d->axes->count + feature_blocks(d) + several;
    d->points = d->whole->rows->height + landmarks(d) + (several > 0 ? p : 0);
    d->block = rls2__alloc_zero(d->blocks, sizeof *d->block);
    d->block_of = rls2__alloc(m, sizeof *d->block_of);
    d->all = rls2__alloc(p, sizeof *d->all);
    d->x = rls2__alloc_zero(rls2__mul(d->points, p), sizeof(double));
    d->values = d->whole->moments.points + several * p;
    d->c = rls2__alloc_zero(rls2__mul(d->values, d->whole->outputs), sizeof(double));
    d->mass = rls2__alloc_zero(d->values, sizeof(double));
    d->alpha = rls2__alloc(d->whole->moments.points, sizeof(double));
    d->shares = rls2__alloc(rls2__mul(m, d->whole->outputs), sizeof(double));
    d->outputs = rls2__alloc_zero(d->whole->outputs, sizeof *d->outputs);
    return d->block && d->block_of && d->all && d->x && d->c && d->mass && d->alpha && d->shares &&
                   d->outputs
               ? RLS2_OK
               : RLS2_ERR_MEMORY;
}

static void fill_rows(draft *d)
{
    int64_t height = d->whole->rows->height, marks = landmarks(d), unit = height + marks;
    for (int64_t j = 0; j < d->axes->columns; j++) {
        double *column = d->x + j * d->points;
        d->all[j] = j;
        memcpy(column, d->whole->rows->x + j * height, (size_t)height * sizeof(double));
        if (marks > 0)
            memcpy(column + height, d->features->x + j * marks, (size_t)marks * sizeof(double));
        if (d->points > unit) column[unit + j] = 1.0;
    }
}

static void fill_blocks(draft *d)
{
    int64_t m = d->whole->basis->m, p = d->axes->columns, height = d->whole->rows->height;
    int64_t next = d->axes->count + feature_blocks(d);
    for (int64_t a = 0; a < d->axes->count; a++) {
        const rls2__axis *axis = &d->axes->all[a];
        int exact = rls2__counts_is_exact(d->fit->tall->counts, a);
        d->block[a] = (rls2_model_block){.column_count = axis->width,
                                         .columns = axis->columns,
                                         .count = axis->count,
                                         .exact = exact,
                                         .knots = exact ? 0 : axis->knots};
    }
    memcpy(d->mass, d->whole->moments.mass, (size_t)rls2__axes_points(d->axes) * sizeof(double));
    for (int64_t k = 0; k < m; k++) {
        d->block_of[k] = rls2__kernel_axis(d->axes, &d->whole->basis->kernels[k]);
        if (!is_linear_of_several(d, k)) continue;
        d->block[next] = (rls2_model_block){.column_count = p,
                                            .columns = d->all,
                                            .first = height + landmarks(d),
                                            .count = p,
                                            .exact = 1};
        d->block_of[k] = next++;
    }
    for (int64_t b = 0; b < feature_blocks(d); b++) {
        const rls2__feature_block *from = &d->features->all[b];
        d->block[d->axes->count + b] = (rls2_model_block){.column_count = from->kernel.column_count,
                                                          .columns = from->kernel.columns,
                                                          .first = height + from->first,
                                                          .count = from->count};
        d->block_of[from->index] = d->axes->count + b;
    }
}

/* The coefficients of the columns of a linear kernel: sums of alpha times their values. */
static void fill_linear(const draft *d, int64_t k, double *c)
{
    const rls2__kernel *kernel = &d->whole->basis->kernels[k];
    const rls2__virtual *rows = d->whole->rows;
    for (int64_t t = 0; t < kernel->column_count; t++) {
        int64_t j = kernel->columns[t], a = d->axes->of[j];
        c[j] = rls2__la_dot(d->axes->all[a].count, d->alpha + d->axes->first[a],
                            rows->x + j * rows->height);
    }
}

/* The mean of the response less the intercept on the rows, zero where there is one. */
static double response_mean(const rls2__tall_fit *fit, int64_t o)
{
    const rls2__moments *moments = &fit->moments;
    const double *b = moments->b + o * moments->points;
    double mean = 0.0; /* every row lies on the first axis */
    for (int64_t g = 0; g < fit->rows->axes->all[0].count; g++) mean += b[g] / moments->weight;
    return mean;
}

static double response_variance(const rls2__tall_fit *fit, int64_t o)
{
    double mean = response_mean(fit, o);
    return fmax(fit->moments.square[o] / fit->moments.weight - mean * mean, 0.0);
}

/* What the representation changes: nothing, a bound, or not known where counts do not tell what
 * rows there are. */
static rls2_status find_change(const draft *d, int64_t o, rls2__tall_change *change)
{
    const rls2__counts *counts = d->fit->tall->counts;
    int beyond = d->whole->moments.is_rounded;
    *change = (rls2__tall_change){0.0, 0.0};
    if (rls2__tall_is_exact(d->whole)) return RLS2_OK;
    *change = (rls2__tall_change){(double)NAN, (double)NAN};
    unsigned char *is_exact = rls2__alloc(d->axes->count, 1);
    if (!is_exact) return RLS2_ERR_MEMORY;
    for (int64_t a = 0; a < d->axes->count; a++) {
        is_exact[a] = (unsigned char)rls2__counts_is_exact(counts, a);
        beyond |= counts->beyond[a] > 0;
    }
    rls2_status status =
        beyond ? RLS2_OK : rls2__tall_change_at(d->whole, is_exact, o, d->i, change);
    rls2__free(is_exact);
    return status;
}

static rls2_status fill_output(draft *d, int64_t o)
{
    rls2__tall_change change;
    if (find_change(d, o, &change) != RLS2_OK) return RLS2_ERR_MEMORY;
    const rls2__tall_fit *whole = d->whole;
    const rls2__path_entry *entry = &whole->paths[o]->entries[d->i];
    int64_t axis_points = rls2__axes_points(d->axes), p = d->axes->columns;
    double *c = d->c + o * d->values, *rest = c + whole->moments.points;
    double lambda = entry->point.lambda, norm = rls2__la_norm(whole->basis->n, entry->c);
    rls2__virtual_coefficients(whole->rows, entry->c, d->alpha);
    memcpy(c, d->alpha, (size_t)axis_points * sizeof *c);
    for (int64_t b = 0; b < feature_blocks(d); b++) {
        int64_t at = axis_points + d->features->all[b].first;
        rls2__feature_coefficients(&d->features->all[b], d->alpha + at, c + at);
    }
    for (int64_t k = 0; k < whole->basis->m; k++)
        if (is_linear_of_several(d, k)) {
            fill_linear(d, k, rest);
            rest += p;
        }
    d->outputs[o] = (rls2__compact_output){
        .count = entry->count,
        .ks = entry->ks,
        .d = entry->d,
        .scales = whole->basis->s,
        .c = c,
        .shares = d->shares + o * whole->basis->m,
        .point = entry->point,
        .intercept = rls2__tall_intercept(whole, o),
        .represented = {.bound = change.bound,
                        .mean_square = lambda * lambda * norm * norm / whole->moments.weight,
                        .variance = response_variance(whole, o),
                        .mean = rls2__tall_intercept(whole, o) + response_mean(whole, o),
                        .estimate = change.estimate}};
    return rls2__tall_shares(whole, o, d->i, d->shares + o * whole->basis->m);
}

rls2_status rls2__tall_model(const rls2_fit *fit, int64_t i, rls2_model **model, rls2_error *err)
{
    const rls2__tall_fit *whole = &fit->tall->whole;
    draft d = {.fit = fit,
               .whole = whole,
               .axes = fit->tall->axes,
               .features = fit->tall->features,
               .i = i};
    rls2_status status = lay_out(&d);
    if (status == RLS2_OK) fill_rows(&d);
    if (status == RLS2_OK) fill_blocks(&d);
    for (int64_t o = 0; o < whole->outputs && status == RLS2_OK; o++) status = fill_output(&d, o);
    if (status != RLS2_OK) {
        draft_release(&d);
        return rls2__fail_memory(err, "the model");
    }
    const rls2_basis *basis = whole->basis;
    const rls2__compact_parts parts = {.dictionary = basis->dictionary,
                                       .scaling = {.rule = basis->rule,
                                                   .center = basis->center,
                                                   .skip_degenerate = basis->skip_degenerate},
                                       .solver = whole->paths[0]->solver,
                                       .rows = rls2_plan_row_count(fit->plan),
                                       .points = d.points,
                                       .x = d.x,
                                       .blocks = d.blocks,
                                       .block = d.block,
                                       .mass = d.mass,
                                       .block_of = d.block_of,
                                       .outputs = whole->outputs,
                                       .output = d.outputs};
    status = rls2__compact_create(&parts, model, err);
    draft_release(&d);
    return status;
}

/* ---- the training rows ---- */

enum { ROWS_AT_ONCE = 4096 };

static void add_axis(const rls2__axes *axes, int64_t a, const rls2_dataset *data, int64_t first,
                     int64_t count, const int64_t *order, const double *f, double *out)
{
    uint16_t at[ROWS_AT_ONCE];
    uint8_t share[ROWS_AT_ONCE];
    f += axes->first[a];
    rls2__axis_place(&axes->all[a], data->x, data->rows, count, order, at, share);
    rls2__axis_add(count, at, share, f, out + first);
}

rls2_status rls2__tall_fitted(const rls2_fit *fit, int64_t i, double *f, rls2_error *err)
{
    const rls2__tall_fit *whole = &fit->tall->whole;
    const rls2_dataset *data = fit->made.data;
    int64_t order[ROWS_AT_ONCE];
    double *values = rls2__alloc(whole->moments.points, sizeof *values);
    rls2_status status = values ? RLS2_OK : RLS2_ERR_MEMORY;
    for (int64_t o = 0; o < whole->outputs && status == RLS2_OK; o++) {
        double *out = f + o * data->rows;
        status = rls2__tall_values(whole, o, i, values, NULL);
        for (int64_t t = 0; t < data->rows; t++) out[t] = rls2__tall_intercept(whole, o);
        for (int64_t first = 0; first < data->rows && status == RLS2_OK; first += ROWS_AT_ONCE) {
            int64_t left = data->rows - first, count = left < ROWS_AT_ONCE ? left : ROWS_AT_ONCE;
            for (int64_t t = 0; t < count; t++) order[t] = first + t;
            for (int64_t a = 0; a < fit->tall->axes->count; a++)
                add_axis(fit->tall->axes, a, data, first, count, order, values, out);
            if (fit->tall->features)
                status =
                    rls2__features_expand(fit->tall->features, data->x, data->rows, count, order,
                                          values + rls2__axes_points(fit->tall->axes), out + first);
        }
    }
    rls2__free(values);
    return status == RLS2_OK ? status : rls2__fail_memory(err, "the predictions");
}
