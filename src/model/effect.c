/* What an input does to predictions: their mean over training rows as it takes one value after
 * another, all else being as it is in these rows (partial dependence).
 *
 * A point is a training row, of which all columns of the input are taken, so that an indicator of
 * missing cells, or the month of a date, fits the value. A kernel that looks at this input alone is
 * evaluated at the points; one that looks at others too at every point for each row of a sample,
 * evenly spaced in the order of the rows. Other kernels do not change. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "kernel/kernel.h"
#include "model/blocks.h"
#include "model/compact.h"
#include "model/model.h"

enum { QUANTILES = 21, MOST_SAMPLE = 50, FEWEST_SAMPLE = 5 };
/* Kernel values of an input: beyond them the sample is smaller. */
static const double WORTH_WAITING = 2e7;
/* Of all that a curve rises and falls: what may go the other way without being told. */
static const double NEGLIGIBLE = 0.2;
/* Values that fewer of the rows have, the least and the largest of many among them, do not count
 * for that: a model is free to say of them what it likes. */
static const double RARE = 0.04;
/* A curve that varies less than this, of the size of its parts, is rounding. */
static const double ROUNDING = 1e-12;

typedef struct point {
    int64_t row; /* of training, whose value it is */
    rls2_effect_point about;
} point;

struct rls2_effect {
    int64_t count;
    rls2_direction direction;
    point points[]; /* count */
};

typedef struct study {
    const rls2_model *model;
    int64_t input, first, width; /* its data columns */
    int64_t lead;                /* the first of them in use that is none of missing cells */
    int64_t missing;             /* of those in use that of missing cells, -1: none */
    rls2_effect *effect;
    double largest; /* of all parts, in size */
    double *x;      /* room x used columns: the rows at hand */
    double *column; /* room */
    double *sum;    /* room */
    int64_t room;   /* rows */
    int64_t sample; /* rows of training that are looked at for kernels of several inputs */
    unsigned char *own, *mixed; /* size: kernels that look at it alone, and at others too */
    void *block;
} study;

/* ---- columns ---- */

/* Of a data column in use. */
static const double *values_of(const study *s, int64_t column)
{
    return rls2_model_training_column(s->model, column);
}

/* A training value in the units of the table. */
static double original(const study *s, int64_t column, double value)
{
    const rls2__preparation *how = &rls2__model_origin(s->model)->preparation;
    int plain = !rls2__model_origin(s->model)->encoder || how->how.features == RLS2_NORMALIZE_NONE;
    return plain ? value : value * how->deviations[column] + how->means[column];
}

static int is_set(const study *s, int64_t column, int64_t row)
{
    return original(s, column, values_of(s, column)[row]) > 0.5;
}

static const rls2__input *input_of(const study *s)
{
    const rls2__encoder *encoder = rls2__model_origin(s->model)->encoder;
    return encoder ? &encoder->inputs[s->input] : NULL;
}

/* 0 where no kernel looks at the input. */
static int find_columns(study *s)
{
    const rls2__input *input = input_of(s);
    int64_t own = input ? input->own : s->width;
    s->lead = s->missing = -1;
    for (int64_t j = 0; j < s->width; j++) {
        if (!values_of(s, s->first + j)) continue;
        if (j >= own)
            s->missing = s->first + j;
        else if (s->lead < 0)
            s->lead = s->first + j;
    }
    return s->lead >= 0 || s->missing >= 0;
}

/* ---- points ---- */

static double weight_of(const study *s, int64_t row)
{
    return s->model->weights ? s->model->weights[row] : 1.0;
}

static void add_point(study *s, int64_t row, double value, const char *level, double rows)
{
    s->effect->points[s->effect->count++] =
        (point){row, {.value = value, .level = level, .rows = rows}};
}

typedef struct ranked {
    double value;
    int64_t row;
} ranked;

static int by_value(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    if (x->value < y->value || x->value > y->value) return x->value < y->value ? -1 : 1;
    return x->row < y->row ? -1 : 1;
}

static int64_t count_distinct(int64_t count, const ranked *list)
{
    int64_t distinct = count > 0;
    for (int64_t i = 1; i < count; i++) distinct += list[i].value > list[i - 1].value;
    return distinct;
}

/* Rows that are nearest to quantile q. */
static double share_of(int64_t q)
{
    return (q == 0 || q == QUANTILES - 1 ? 0.5 : 1.0) / (QUANTILES - 1);
}

/* All values of a few, else the quantiles; `list` ascends. */
static void add_numbers(study *s, int64_t count, const ranked *list)
{
    int all = count_distinct(count, list) <= QUANTILES;
    double total = 0.0;
    for (int64_t i = 0; i < count; i++) total += weight_of(s, list[i].row);
    for (int64_t q = 0; q < (all ? count : QUANTILES); q++) {
        const ranked *at = &list[all ? q : (q * (count - 1) + QUANTILES / 2) / (QUANTILES - 1)];
        double value = original(s, s->lead, at->value),
               rows = all ? weight_of(s, at->row) : total * share_of(q);
        point *last = s->effect->count > 0 ? &s->effect->points[s->effect->count - 1] : NULL;
        if (last && !(value > last->about.value))
            last->about.rows += rows;
        else
            add_point(s, at->row, value, NULL, rows);
    }
}

/* Rows whose cell was empty are a category of their own. */
static rls2_status find_numbers(study *s)
{
    const rls2_model *model = s->model;
    ranked *list = rls2__alloc(model->n, sizeof *list);
    int64_t count = 0, empty = -1;
    double empty_rows = 0.0;
    if (!list) return RLS2_ERR_MEMORY;
    for (int64_t i = 0; i < model->n; i++) {
        int missing = s->missing >= 0 && is_set(s, s->missing, i);
        if (missing && empty < 0) empty = i;
        if (missing)
            empty_rows += weight_of(s, i);
        else
            list[count++] = (ranked){s->lead >= 0 ? values_of(s, s->lead)[i] : 0.0, i};
    }
    qsort(list, (size_t)count, sizeof *list, by_value);
    if (s->lead >= 0) add_numbers(s, count, list);
    if (s->lead < 0 && count > 0) add_point(s, list[0].row, (double)NAN, "present", (double)count);
    if (empty >= 0) add_point(s, empty, (double)NAN, "missing", empty_rows);
    rls2__free(list);
    return RLS2_OK;
}

/* What no indicator in use is set for. */
static const char *name_unset(const study *s)
{
    const rls2__input *input = input_of(s);
    for (int64_t j = 0; j < input->own; j++)
        if (!values_of(s, s->first + j)) return "others";
    if (!input->is_reduced) return "unknown";
    return rls2__lookup_text(input->values, rls2__lookup_count(input->values) - input->pooled - 1);
}

/* One point for each category, in the order of the columns. */
static rls2_status find_levels(study *s)
{
    const rls2__input *input = input_of(s);
    int64_t levels = s->width + 1;
    int64_t *row = rls2__alloc(levels, sizeof *row);
    double *rows = rls2__alloc_zero(levels, sizeof *rows);
    for (int64_t v = 0; row && v < levels; v++) row[v] = -1;
    for (int64_t i = 0; row && rows && i < s->model->n; i++) {
        int64_t at = 0;
        while (at < s->width && !(values_of(s, s->first + at) && is_set(s, s->first + at, i))) at++;
        if (row[at] < 0) row[at] = i;
        rows[at] += weight_of(s, i);
    }
    for (int64_t v = 0; row && rows && v < levels; v++)
        if (row[v] >= 0)
            add_point(s, row[v], (double)NAN,
                      v < s->width ? s->model->dictionary->column_names[s->first + v] +
                                         strlen(input->name) + 1
                                   : name_unset(s),
                      rows[v]);
    rls2_status status = row && rows ? RLS2_OK : RLS2_ERR_MEMORY;
    rls2__free(row);
    rls2__free(rows);
    return status;
}

/* ---- kernels ---- */

static int is_of_input(const study *s, int64_t used)
{
    int64_t column = s->model->used[used];
    return column >= s->first && column < s->first + s->width;
}

static int64_t sort_kernels(study *s)
{
    int64_t mixed = 0;
    for (int64_t k = 0; k < s->model->size; k++) {
        const rls2__kernel *kernel = &s->model->kernels[k];
        int64_t inside = 0;
        for (int64_t t = 0; t < kernel->column_count; t++)
            inside += is_of_input(s, kernel->columns[t]);
        s->own[k] = inside > 0 && inside == kernel->column_count;
        s->mixed[k] = inside > 0 && inside < kernel->column_count;
        mixed += s->mixed[k];
    }
    return mixed;
}

static void choose_sample(study *s, int64_t mixed)
{
    double each = (double)s->model->n * (double)s->effect->count * (double)mixed;
    double most = each > 0.0 ? WORTH_WAITING / each : MOST_SAMPLE;
    s->sample = most > MOST_SAMPLE     ? MOST_SAMPLE
                : most < FEWEST_SAMPLE ? FEWEST_SAMPLE
                                       : (int64_t)most;
    if (s->sample > s->model->n) s->sample = s->model->n;
}

/* The rows at hand, x[count x used columns]. */
static rls2_rows rows_at_hand(const study *s, int64_t count)
{
    return (rls2_rows){.n = count, .p = s->model->used_count, .x = s->x, .ldx = count};
}

/* s->sum[count] = d_k s_k sum_j c_j K_k(x_j, x), summed over some kernels. */
static void sum_kernels(study *s, int64_t count, const unsigned char *which)
{
    const rls2_model *model = s->model;
    rls2_rows rows = rows_at_hand(s, count);
    memset(s->sum, 0, (size_t)count * sizeof *s->sum);
    for (int64_t k = 0; k < model->size; k++) {
        if (!which[k]) continue;
        rls2__expansion at = rls2__model_expansion(model, k, model);
        for (int64_t j = 0; j < at.rows.n; j++) {
            rls2__kernel_column(&model->kernels[k], &rows, &at.rows, j, s->column);
            rls2__add_scaled(count, at.c[j] * model->d[k] * model->s[k], s->column, s->sum);
        }
    }
    for (int64_t i = 0; i < count; i++) s->largest = fmax(s->largest, fabs(s->sum[i]));
}

/* Kernels of this input alone, at all points. */
static void add_own(study *s)
{
    int64_t count = s->effect->count;
    for (int64_t t = 0; t < s->model->used_count; t++)
        for (int64_t p = 0; p < count; p++)
            s->x[t * count + p] = s->model->x[t * s->model->n + s->effect->points[p].row];
    sum_kernels(s, count, s->own);
    for (int64_t p = 0; p < count; p++) s->effect->points[p].about.effect += s->sum[p];
}

static int64_t sample_row(const study *s, int64_t i)
{
    return i * s->model->n / s->sample;
}

/* Kernels of several inputs, at one point: the mean over the sample. */
static void add_mixed(study *s, point *at)
{
    double total = 0.0, sum = 0.0;
    for (int64_t t = 0; t < s->model->used_count; t++)
        for (int64_t i = 0; i < s->sample; i++)
            s->x[t * s->sample + i] =
                s->model->x[t * s->model->n + (is_of_input(s, t) ? at->row : sample_row(s, i))];
    sum_kernels(s, s->sample, s->mixed);
    for (int64_t i = 0; i < s->sample; i++) {
        sum += weight_of(s, sample_row(s, i)) * s->sum[i];
        total += weight_of(s, sample_row(s, i));
    }
    at->about.effect += sum / total;
}

/* ---- what it says ---- */

/* The mean over the points, by their rows, becomes 0. */
static void centre(rls2_effect *effect)
{
    double sum = 0.0, rows = 0.0;
    for (int64_t p = 0; p < effect->count; p++) {
        sum += effect->points[p].about.rows * effect->points[p].about.effect;
        rows += effect->points[p].about.rows;
    }
    for (int64_t p = 0; p < effect->count; p++) effect->points[p].about.effect -= sum / rows;
}

/* How far the curve rises and falls over values that at least so many rows have; categories have no
 * order. */
static void sum_steps(const rls2_effect *effect, double rows, double *rises, double *falls)
{
    const rls2_effect_point *before = NULL;
    for (int64_t p = 0; p < effect->count; p++) {
        const rls2_effect_point *at = &effect->points[p].about;
        if (at->level || at->rows < rows) continue;
        double step = before ? at->effect - before->effect : 0.0;
        *rises += fmax(step, 0.0);
        *falls += fmax(-step, 0.0);
        before = at;
    }
}

static rls2_direction direction_of(const rls2_effect *effect, double largest)
{
    double rises = 0.0, falls = 0.0, rows = 0.0;
    for (int64_t p = 0; p < effect->count; p++) rows += effect->points[p].about.rows;
    sum_steps(effect, RARE * rows, &rises, &falls);
    if (!(rises + falls > 0.0)) sum_steps(effect, 0.0, &rises, &falls); /* all are rare */
    if (!(rises + falls > ROUNDING * largest)) return RLS2_DIRECTION_NONE;
    if (falls <= NEGLIGIBLE * (rises + falls)) return RLS2_DIRECTION_UP;
    return rises <= NEGLIGIBLE * (rises + falls) ? RLS2_DIRECTION_DOWN : RLS2_DIRECTION_BOTH;
}

static void lay_out(rls2__layout *layout, void *owner)
{
    study *s = owner;
    s->x = rls2__layout_take(layout, rls2__mul(s->room, s->model->used_count), sizeof(double));
    s->column = rls2__layout_take(layout, s->room, sizeof(double));
    s->sum = rls2__layout_take(layout, s->room, sizeof(double));
    s->own = rls2__layout_take(layout, s->model->size, 1);
    s->mixed = rls2__layout_take(layout, s->model->size, 1);
}

static rls2_status measure(study *s)
{
    rls2_effect *effect = s->effect;
    s->room = effect->count > MOST_SAMPLE ? effect->count : MOST_SAMPLE;
    s->block = rls2__layout_alloc(lay_out, s);
    if (!s->block) return RLS2_ERR_MEMORY;
    int64_t mixed = sort_kernels(s);
    choose_sample(s, mixed);
    add_own(s);
    for (int64_t p = 0; p < effect->count && mixed > 0; p++) add_mixed(s, &effect->points[p]);
    if (effect->count > 0) centre(effect);
    effect->direction = direction_of(effect, s->largest);
    rls2__free(s->block);
    return RLS2_OK;
}

static rls2_status study_input(study *s)
{
    int levels = rls2_model_input_kind(s->model, s->input) == RLS2_COLUMN_TEXT;
    int64_t room = levels ? s->width + 1 : QUANTILES + 1;
    int64_t bytes = rls2__add((int64_t)sizeof *s->effect, rls2__mul(room, (int64_t)sizeof(point)));
    s->effect = rls2__alloc_zero(bytes, 1);
    if (!s->effect) return RLS2_ERR_MEMORY;
    if (!find_columns(s)) return RLS2_OK;
    rls2_status status = levels ? find_levels(s) : find_numbers(s);
    return status == RLS2_OK ? measure(s) : status;
}

rls2_status rls2_model_effect(const rls2_model *model, int64_t input, rls2_effect **effect,
                              rls2_error *err)
{
    if (!model) return rls2__fail_null(err, "model");
    if (!effect) return rls2__fail_null(err, "effect");
    if (model->outputs)
        return rls2__fail(err, RLS2_ERR_ARGUMENT, "an input has an effect on each output");
    if (input < 0 || input >= rls2_model_input_count(model))
        return rls2__fail(err, RLS2_ERR_ARGUMENT, "there is no input %lld: the model has %lld",
                          (long long)input, (long long)rls2_model_input_count(model));
    study s = {.model = model, .input = input};
    s.width = rls2_model_input_columns(model, input, &s.first);
    if (study_input(&s) != RLS2_OK) {
        rls2_effect_free(s.effect);
        return rls2__fail_memory(err, "the effect of an input");
    }
    *effect = s.effect;
    return RLS2_OK;
}

void rls2_effect_free(rls2_effect *effect)
{
    rls2__free(effect);
}

int64_t rls2_effect_count(const rls2_effect *effect)
{
    return effect ? effect->count : 0;
}

const rls2_effect_point *rls2_effect_at(const rls2_effect *effect, int64_t i)
{
    return i >= 0 && i < rls2_effect_count(effect) ? &effect->points[i].about : NULL;
}

rls2_direction rls2_effect_direction(const rls2_effect *effect)
{
    return effect ? effect->direction : RLS2_DIRECTION_NONE;
}
