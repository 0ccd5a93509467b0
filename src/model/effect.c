/* What an input does to predictions: their mean over training rows as it takes one value after
 * another, all else being as it is in these rows (partial dependence).
 *
 * A point is a training row, of which all columns of the input are taken, so that an indicator of
 * missing cells, or the month of a date, fits the value. curves.c finds what is predicted there, of
 * models that keep their rows.
 *
 * Of a compact model the rows are the points of the smallest block that has the input, which count
 * by their mass. A kernel that looks at this input alone is evaluated at the points; one that looks
 * at others too at every point for each row of a sample, which is drawn from the block of the
 * kernel, in the order of what else it looks at. Other kernels do not change. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/control.h"
#include "base/crew.h"
#include "base/memory.h"
#include "base/status.h"
#include "kernel/kernel.h"
#include "model/blocks.h"
#include "model/compact.h"
#include "model/curves.h"
#include "model/knots.h"
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

typedef struct ranked {
    double value;
    int64_t row;
} ranked;

typedef struct study {
    const rls2_model *model;
    int64_t begin, end;          /* the rows of the model that are looked at, */
    const double *mass;          /* and how many each of them stands for; NULL: by their weights */
    int64_t input, first, width; /* its data columns */
    int64_t lead;                /* the first of them in use that is none of missing cells */
    int64_t missing;             /* of those in use that of missing cells, -1: none */
    rls2_effect *effect;
    double largest;  /* of all parts, in size */
    double *x;       /* room x used columns: the rows at hand */
    double *column;  /* room */
    double *part;    /* room */
    double *sum;     /* room */
    int64_t room;    /* rows */
    int64_t sample;  /* rows of training that are looked at for kernels of several inputs, */
    int64_t *rows;   /* which they are, */
    double *weights; /* and how much they count */
    ranked *order;   /* room for the points of a block */
    unsigned char *own, *mixed; /* size: kernels that look at it alone, and at others too, */
    unsigned char *at_hand;     /* and those of the latter that are looked at */
    rls2_status status;         /* of what was summed up */
    void *block;
} study;

/* ---- columns ---- */

/* Of a data column in use, be it by a member of a stack. */
static const double *values_of(const study *s, int64_t column)
{
    const double *values = rls2_model_training_column(s->model, column);
    for (int64_t m = 0; m < rls2_model_member_count(s->model) && !values; m++)
        if (rls2_model_member_weight(s->model, m) > 0.0)
            values = rls2_model_training_column(rls2_model_member(s->model, m), column);
    return values;
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

/* The rows that stand for those of training in this input. */
static void find_rows(study *s)
{
    const rls2__compact *compact = s->model->compact;
    s->begin = 0;
    s->end = s->model->n;
    if (!compact) return;
    int64_t number = rls2__compact_observer(compact, s->lead >= 0 ? s->lead : s->missing);
    if (number < 0) return;
    const rls2_model_block *block = &compact->blocks[number].about;
    s->begin = block->first;
    s->end = block->first + block->count;
    s->mass = block->mass;
}

/* ---- points ---- */

static double weight_of(const study *s, int64_t row)
{
    if (s->mass) return s->mass[row - s->begin];
    return s->model->weights ? s->model->weights[row] : 1.0;
}

static void add_point(study *s, int64_t row, double value, const char *level, double rows)
{
    s->effect->points[s->effect->count++] =
        (point){row, {.value = value, .level = level, .rows = rows}};
}

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

/* The place of quantile q in a list that ascends: of rows by their number, of points by mass. */
static int64_t quantile(const study *s, int64_t count, const ranked *list, double total, int64_t q)
{
    double wanted = total * (double)q / (QUANTILES - 1), sum = 0.0;
    int64_t at = 0;
    if (!s->mass) return (q * (count - 1) + QUANTILES / 2) / (QUANTILES - 1);
    while (at < count - 1 && (sum += weight_of(s, list[at].row)) < wanted) at++;
    return q == QUANTILES - 1 ? count - 1 : at;
}

/* All values of a few, else the quantiles; `list` ascends. */
static void add_numbers(study *s, int64_t count, const ranked *list)
{
    int all = count_distinct(count, list) <= QUANTILES;
    double total = 0.0;
    for (int64_t i = 0; i < count; i++) total += weight_of(s, list[i].row);
    for (int64_t q = 0; q < (all ? count : QUANTILES); q++) {
        const ranked *at = &list[all ? q : quantile(s, count, list, total, q)];
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
    ranked *list = rls2__alloc(s->end - s->begin, sizeof *list);
    int64_t count = 0, empty = -1;
    double empty_rows = 0.0, present_rows = 0.0;
    if (!list) return RLS2_ERR_MEMORY;
    for (int64_t i = s->begin; i < s->end; i++) {
        if (s->mass && weight_of(s, i) == 0.0) continue;
        int missing = s->missing >= 0 && is_set(s, s->missing, i);
        if (missing && empty < 0) empty = i;
        if (missing)
            empty_rows += weight_of(s, i);
        else
            list[count++] = (ranked){s->lead >= 0 ? values_of(s, s->lead)[i] : 0.0, i};
        if (!missing) present_rows += s->mass ? weight_of(s, i) : 1.0;
    }
    qsort(list, (size_t)count, sizeof *list, by_value);
    if (s->lead >= 0) add_numbers(s, count, list);
    if (s->lead < 0 && count > 0) add_point(s, list[0].row, (double)NAN, "present", present_rows);
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

/* Of the data columns of an input the one that tells a row's category; their number where none
 * does. An empty cell is filled: its row has the indicator of a category too. */
static int64_t level_of(const study *s, int64_t row)
{
    int64_t at = 0;
    if (s->missing >= 0 && is_set(s, s->missing, row)) return s->missing - s->first;
    while (at < s->width && !(values_of(s, s->first + at) && is_set(s, s->first + at, row))) at++;
    return at;
}

/* One point for each category, in the order of the columns. */
static rls2_status find_levels(study *s)
{
    const rls2__input *input = input_of(s);
    int64_t levels = s->width + 1;
    int64_t *row = rls2__alloc(levels, sizeof *row);
    double *rows = rls2__alloc_zero(levels, sizeof *rows);
    for (int64_t v = 0; row && v < levels; v++) row[v] = -1;
    for (int64_t i = s->begin; row && rows && i < s->end; i++) {
        if (s->mass && weight_of(s, i) == 0.0) continue;
        int64_t at = level_of(s, i);
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

/* s->sum[count] = d_k s_k F_k(x), summed over some kernels of which some are looked up. */
static rls2_status add_kernels(study *s, int64_t count, const unsigned char *which,
                               rls2__effort *effort, rls2__knots *lookup)
{
    const rls2_model *model = s->model;
    rls2__block b = {.count = count, .own = rows_at_hand(s, count)};
    rls2__expand_room own = {.column = s->column, .sums = s->part};
    int64_t rulers = lookup->count;
    double *places = rls2__alloc(rls2__mul(count, rulers), sizeof *places);
    double *aside =
        rls2__alloc(rulers > 0 ? rls2__mul(count, model->used_count) : 0, sizeof *aside);
    rls2_status status =
        places && aside ? rls2__knots_fill(effort, lookup, &b.own, 1) : RLS2_ERR_MEMORY;
    if (status == RLS2_OK) rls2__knots_place(lookup, &b, count, places);
    for (int64_t k = 0; k < model->size && status == RLS2_OK; k++) {
        if (!which[k]) continue;
        int64_t ruler = rulers > 0 ? lookup->ruler_of[k] : -1;
        if (ruler < 0)
            rls2__expand(effort, model, k, &b, &own);
        else
            rls2__look_up(effort, lookup, k, &b, places + ruler * count, &own, aside);
        rls2__add_scaled(count, model->d[k] * model->s[k], s->part, s->sum);
    }
    rls2__free(places);
    rls2__free(aside);
    return status;
}

static void sum_kernels(study *s, int64_t count, const unsigned char *which)
{
    rls2__knots lookup;
    rls2__effort effort;
    rls2__effort_begin_alone(&effort);
    memset(s->sum, 0, (size_t)count * sizeof *s->sum);
    rls2_status status = rls2__knots_create(s->model, which, &lookup);
    if (status == RLS2_OK) status = add_kernels(s, count, which, &effort, &lookup);
    rls2__knots_release(&lookup);
    if (status != RLS2_OK) s->status = status;
    for (int64_t i = 0; i < count; i++) s->largest = fmax(s->largest, fabs(s->sum[i]));
}

/* What a cell becomes in a data column. */
static double prepared(const study *s, int64_t column, double value)
{
    const rls2__preparation *how = &rls2__model_origin(s->model)->preparation;
    if (how->how.features == RLS2_NORMALIZE_NONE) return value;
    double divisor = how->deviations[column];
    return divisor > 0.0 ? (value - how->means[column]) / divisor : 0.0;
}

/* Parts of a date have blocks of their own in a compact model: they are those of the day at a
 * point, to the second, or what an empty cell has. */
static double part_of_date(const study *s, int64_t column, int64_t row)
{
    const rls2__preparation *how = &rls2__model_origin(s->model)->preparation;
    double all[1 + RLS2__DATE_PARTS];
    const double seconds = 86400.0;
    if (s->missing >= 0 && how->has_fills && is_set(s, s->missing, row))
        return prepared(s, column, how->fills[column]);
    double days = original(s, s->lead, values_of(s, s->lead)[row]);
    rls2__input_write_date(input_of(s), round(days * seconds) / seconds, all, 1);
    return prepared(s, column, all[column - s->first]);
}

/* Column t of those in use, at a point, which is a row of the model. */
static double value_at(const study *s, int64_t t, int64_t row)
{
    const rls2__input *input = input_of(s);
    int64_t column = s->model->used[t], part = column - s->first;
    if (s->model->compact && s->lead == s->first && input && !input->values && part > 0 &&
        part < input->own)
        return part_of_date(s, column, row);
    return s->model->x[t * s->model->n + row];
}

/* Kernels of this input alone, at all points. */
static void add_own(study *s)
{
    int64_t count = s->effect->count;
    for (int64_t t = 0; t < s->model->used_count; t++)
        for (int64_t p = 0; p < count; p++)
            s->x[t * count + p] = value_at(s, t, s->effect->points[p].row);
    sum_kernels(s, count, s->own);
    for (int64_t p = 0; p < count; p++) s->effect->points[p].about.effect += s->sum[p];
}

/* Kernels of several inputs, at one point: the mean over the sample. */
static void add_mixed(study *s, point *at)
{
    double total = 0.0, sum = 0.0;
    for (int64_t t = 0; t < s->model->used_count; t++)
        for (int64_t i = 0; i < s->sample; i++)
            s->x[t * s->sample + i] = is_of_input(s, t) ? value_at(s, t, at->row)
                                                        : s->model->x[t * s->model->n + s->rows[i]];
    sum_kernels(s, s->sample, s->at_hand);
    for (int64_t i = 0; i < s->sample; i++) {
        sum += s->weights[i] * s->sum[i];
        total += s->weights[i];
    }
    at->about.effect += sum / total;
}

static void add_mixed_to_all(study *s)
{
    for (int64_t p = 0; p < s->effect->count; p++) add_mixed(s, &s->effect->points[p]);
}

/* Values of the first column in use of the block that is not of the input: none, all are alike. */
static const double *other_column(const study *s, const rls2_model_block *block)
{
    for (int64_t t = 0; t < block->column_count; t++) {
        int64_t column = block->columns[t];
        int outside = column < s->first || column >= s->first + s->width;
        if (outside && values_of(s, column)) return values_of(s, column);
    }
    return NULL;
}

/* Rows that a row of a block stands for. */
static double mass_of(const rls2_model_block *block, int64_t row)
{
    return block->mass ? block->mass[row - block->first] : 1.0;
}

/* The points of a block in the order of what it looks at besides the input; returns their mass. */
static double rank_points(study *s, const rls2_model_block *block)
{
    const double *other = other_column(s, block);
    double total = 0.0;
    for (int64_t i = 0; i < block->count; i++) {
        int64_t row = block->first + i;
        s->order[i] = (ranked){other ? other[row] : 0.0, row};
        total += mass_of(block, row);
    }
    qsort(s->order, (size_t)block->count, sizeof *s->order, by_value);
    return total;
}

/* All points of a block that has few, by their mass; else some, evenly spaced in mass. Of points
 * without any, the unit vectors of a linear kernel, one is as good as another. */
static void draw_points(study *s, const rls2_model_block *block, int64_t most)
{
    double total = rank_points(s, block), sum = 0.0;
    int64_t at = 0;
    int all = total > 0.0 && block->count <= most;
    s->sample = all ? block->count : total > 0.0 ? most : 1;
    for (int64_t i = 0; i < s->sample; i++) {
        double wanted = total * ((double)i + 0.5) / (double)s->sample;
        while (!all && at < block->count - 1 && sum + mass_of(block, s->order[at].row) <= wanted)
            sum += mass_of(block, s->order[at++].row);
        s->rows[i] = s->order[all ? i : at].row;
        s->weights[i] = all ? mass_of(block, s->rows[i]) : 1.0;
    }
}

/* Kernels of several inputs: those of each block with a sample of its own. */
static void add_all_mixed(study *s)
{
    const rls2__compact *compact = s->model->compact;
    int64_t most = s->sample;
    for (int64_t b = 0; b < compact->count; b++) {
        int any = 0;
        for (int64_t k = 0; k < s->model->size; k++) {
            s->at_hand[k] = s->mixed[k] && compact->block_of[s->model->index[k]] == b;
            any |= s->at_hand[k];
        }
        if (!any) continue;
        draw_points(s, &compact->blocks[b].about, most);
        add_mixed_to_all(s);
    }
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
    s->part = rls2__layout_take(layout, s->room, sizeof(double));
    s->sum = rls2__layout_take(layout, s->room, sizeof(double));
    s->own = rls2__layout_take(layout, s->model->size, 1);
    s->mixed = rls2__layout_take(layout, s->model->size, 1);
    s->at_hand = rls2__layout_take(layout, s->model->size, 1);
    s->rows = rls2__layout_take(layout, MOST_SAMPLE, sizeof *s->rows);
    s->weights = rls2__layout_take(layout, MOST_SAMPLE, sizeof *s->weights);
    s->order = rls2__layout_take(layout, s->model->compact ? s->model->n : 0, sizeof *s->order);
}

/* Of points of a compact model: curves of single rows are not known. */
static rls2_status measure_compact(study *s)
{
    rls2_effect *effect = s->effect;
    s->room = effect->count > MOST_SAMPLE ? effect->count : MOST_SAMPLE;
    s->block = rls2__layout_alloc(lay_out, s);
    if (!s->block) return RLS2_ERR_MEMORY;
    int64_t mixed = sort_kernels(s);
    choose_sample(s, mixed);
    add_own(s);
    if (mixed > 0) add_all_mixed(s);
    centre(effect);
    for (int64_t p = 0; p < effect->count; p++)
        effect->points[p].about.lower = effect->points[p].about.upper =
            mixed > 0 ? (double)NAN : effect->points[p].about.effect;
    rls2__free(s->block);
    return s->status;
}

/* Rows and masses of the points, and as many values again as there are. */
typedef struct listed {
    rls2__values values;
    double *room; /* `times` count */
    int64_t *rows;
    double *mass;
} listed;

static rls2_status list_points(const study *s, int64_t times, listed *list)
{
    int64_t count = s->effect->count;
    list->rows = rls2__alloc(count, sizeof *list->rows);
    list->mass = rls2__alloc(count, sizeof *list->mass);
    list->room = rls2__alloc(times * count, sizeof *list->room);
    if (!list->rows || !list->mass || !list->room) return RLS2_ERR_MEMORY;
    for (int64_t p = 0; p < count; p++) {
        list->rows[p] = s->effect->points[p].row;
        list->mass[p] = s->effect->points[p].about.rows;
    }
    list->values = (rls2__values){s->input, count, list->rows, list->mass};
    return RLS2_OK;
}

static void listed_free(listed *list)
{
    rls2__free(list->rows);
    rls2__free(list->mass);
    rls2__free(list->room);
}

static rls2_status measure_whole(study *s, const rls2_control *control)
{
    listed list = {0};
    int64_t count = s->effect->count;
    rls2_status status = list_points(s, 3, &list);
    rls2__curve curve = {list.room, list.room + count, list.room + 2 * count, 0.0};
    if (status == RLS2_OK) status = rls2__curve_find(s->model, &list.values, control, &curve);
    for (int64_t p = 0; p < count && status == RLS2_OK; p++) {
        rls2_effect_point *about = &s->effect->points[p].about;
        about->effect = curve.effect[p];
        about->lower = curve.lower[p];
        about->upper = curve.upper[p];
    }
    s->largest = curve.largest;
    listed_free(&list);
    return status;
}

static rls2_status measure(study *s, const rls2_control *control)
{
    if (s->effect->count == 0) return RLS2_OK;
    rls2_status status = s->model->compact ? measure_compact(s) : measure_whole(s, control);
    if (status == RLS2_OK) s->effect->direction = direction_of(s->effect, s->largest);
    return status;
}

/* The values that it takes; none where no kernel looks at it. */
static rls2_status find_points(study *s)
{
    int levels = rls2_model_input_kind(s->model, s->input) == RLS2_COLUMN_TEXT;
    int64_t room = levels ? s->width + 1 : QUANTILES + 1;
    int64_t bytes = rls2__add((int64_t)sizeof *s->effect, rls2__mul(room, (int64_t)sizeof(point)));
    s->effect = rls2__alloc_zero(bytes, 1);
    if (!s->effect) return RLS2_ERR_MEMORY;
    if (!find_columns(s)) return RLS2_OK;
    find_rows(s);
    return levels ? find_levels(s) : find_numbers(s);
}

static rls2_status check_input(const rls2_model *model, int64_t input, rls2_error *err)
{
    if (!model) return rls2__fail_null(err, "model");
    if (model->outputs)
        return rls2__fail(err, RLS2_ERR_ARGUMENT, "an input has an effect on each output");
    if (input >= 0 && input < rls2_model_input_count(model)) return RLS2_OK;
    return rls2__fail(err, RLS2_ERR_ARGUMENT, "there is no input %lld: the model has %lld",
                      (long long)input, (long long)rls2_model_input_count(model));
}

static study study_of(const rls2_model *model, int64_t input)
{
    study s = {.model = model, .input = input};
    s.width = rls2_model_input_columns(model, input, &s.first);
    return s;
}

static rls2_status find_effect(const rls2_model *model, int64_t input, const rls2_control *control,
                               rls2_effect **effect, rls2_error *err)
{
    if (!effect) return rls2__fail_null(err, "effect");
    rls2_status status = check_input(model, input, err);
    if (status != RLS2_OK) return status;
    study s = study_of(model, input);
    status = find_points(&s);
    if (status == RLS2_OK) status = measure(&s, control);
    if (status != RLS2_OK) {
        rls2_effect_free(s.effect);
        return rls2__explain(status, "the effect of an input", err);
    }
    *effect = s.effect;
    return RLS2_OK;
}

rls2_status rls2_model_effect(const rls2_model *model, int64_t input, rls2_effect **effect,
                              rls2_error *err)
{
    return find_effect(model, input, &rls2__control_alone, effect, err);
}

rls2_status rls2_model_effect_watched(const rls2_model *model, int64_t input,
                                      const rls2_control *control, rls2_effect **effect,
                                      rls2_error *err)
{
    rls2_status status = rls2__control_check(control, err);
    if (status != RLS2_OK) return status;
    rls2_control own = rls2__control_of(control);
    own.threads = rls2__thread_count(own.threads);
    return find_effect(model, input, &own, effect, err);
}

/* ---- two inputs ---- */

/* Kernels of one of the two, or of both, and of no other. */
static void find_kernels_of_two(study *a, const study *b)
{
    for (int64_t k = 0; k < a->model->size; k++) {
        const rls2__kernel *kernel = &a->model->kernels[k];
        int64_t inside = 0;
        for (int64_t t = 0; t < kernel->column_count; t++)
            inside += is_of_input(a, kernel->columns[t]) || is_of_input(b, kernel->columns[t]);
        a->own[k] = inside > 0 && inside == kernel->column_count;
    }
}

/* All values of a at one value of b; what other inputs have there nobody looks at. */
static void take_line(study *a, const study *b, int64_t other, double *line)
{
    int64_t count = a->effect->count;
    for (int64_t t = 0; t < a->model->used_count; t++)
        for (int64_t p = 0; p < count; p++)
            a->x[t * count + p] = is_of_input(b, t) ? value_at(b, t, b->effect->points[other].row)
                                                    : value_at(a, t, a->effect->points[p].row);
    sum_kernels(a, count, a->own);
    memcpy(line, a->sum, (size_t)count * sizeof *line);
}

/* The mean over the grid, by the rows of its values, becomes 0. */
static void centre_grid(const rls2_effect *a, const rls2_effect *b, double *grid)
{
    double sum = 0.0, rows = 0.0;
    for (int64_t q = 0; q < b->count; q++)
        for (int64_t p = 0; p < a->count; p++) {
            double weight = a->points[p].about.rows * b->points[q].about.rows;
            sum += weight * grid[q * a->count + p];
            rows += weight;
        }
    for (int64_t i = 0; i < a->count * b->count; i++) grid[i] -= sum / rows;
}

/* Of a compact model: kernels of the two alone. */
static rls2_status fill_compact(study *a, study *b, double *grid)
{
    a->room = a->effect->count > MOST_SAMPLE ? a->effect->count : MOST_SAMPLE;
    a->block = rls2__layout_alloc(lay_out, a);
    if (!a->block) return RLS2_ERR_MEMORY;
    find_kernels_of_two(a, b);
    for (int64_t q = 0; q < b->effect->count; q++) take_line(a, b, q, grid + q * a->effect->count);
    rls2__free(a->block);
    return a->status;
}

static rls2_status fill_whole(const study *a, const study *b, double *grid)
{
    listed first = {0}, second = {0};
    rls2_status status = list_points(a, 0, &first);
    if (status == RLS2_OK) status = list_points(b, 0, &second);
    if (status == RLS2_OK)
        status =
            rls2__curve_grid(a->model, &first.values, &second.values, &rls2__control_alone, grid);
    listed_free(&first);
    listed_free(&second);
    return status;
}

static rls2_status fill_grid(study *a, study *b, double *grid)
{
    rls2_status status = find_points(a);
    if (status == RLS2_OK) status = find_points(b);
    if (status != RLS2_OK || a->effect->count == 0 || b->effect->count == 0) return status;
    status = a->model->compact ? fill_compact(a, b, grid) : fill_whole(a, b, grid);
    if (status == RLS2_OK) centre_grid(a->effect, b->effect, grid);
    return status;
}

rls2_status rls2_model_joint_effect(const rls2_model *model, int64_t first, int64_t second,
                                    double *effects, rls2_error *err)
{
    if (!effects) return rls2__fail_null(err, "effects");
    rls2_status status = check_input(model, first, err);
    if (status == RLS2_OK) status = check_input(model, second, err);
    if (status == RLS2_OK && first == second)
        status = rls2__fail(err, RLS2_ERR_ARGUMENT, "a joint effect is that of two inputs");
    if (status != RLS2_OK) return status;
    study a = study_of(model, first), b = study_of(model, second);
    status = fill_grid(&a, &b, effects);
    rls2_effect_free(a.effect);
    rls2_effect_free(b.effect);
    return status == RLS2_OK ? status : rls2__fail_memory(err, "the effect of two inputs");
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
