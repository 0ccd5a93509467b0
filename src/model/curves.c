/* Partial dependence of the whole prediction, and the curves of single rows.  [MATH.md, G9] */
#include "model/curves.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/effort.h"
#include "base/memory.h"
#include "model/blocks.h"
#include "model/dependence.h"

/* Of the rows of the sample, by weight: what may lie below the band, and above it. */
static const double TAIL = 0.1;

typedef struct ranked {
    double value, weight;
} ranked;

typedef struct work {
    rls2__dependence it;
    rls2__effort effort;
    const rls2__values *values, *other; /* other: of two inputs, the second */
    rls2__points points;                /* of one input, */
    rls2__points *lines;                /* of two: those of each thread */
    rls2__dependence_room *rooms;       /* of each thread */
    int64_t term_count;
    int64_t *terms; /* those of several inputs that look at the input, or at one of the two */
    double *each;   /* points x sample, of each of them */
    double *own;    /* of two inputs: what terms of the second alone say */
    ranked *order;  /* sample */
    double *grid;
} work;

/* ---- both ---- */

static rls2_status find_terms(work *w)
{
    const rls2__dependence *it = &w->it;
    int64_t first = it->first_own[it->inputs];
    w->terms = rls2__alloc(it->first_none - first, sizeof *w->terms);
    if (!w->terms) return RLS2_ERR_MEMORY;
    for (int64_t i = first; i < it->first_none; i++)
        if (rls2__summand_looks_at(it, &it->terms[i], w->values->input) ||
            (w->other && rls2__summand_looks_at(it, &it->terms[i], w->other->input)))
            w->terms[w->term_count++] = i;
    return RLS2_OK;
}

static rls2_status make_rooms(work *w)
{
    rls2_status status = RLS2_OK;
    w->rooms = rls2__alloc_zero(w->effort.threads, sizeof *w->rooms);
    w->lines = rls2__alloc_zero(w->effort.threads, sizeof *w->lines);
    if (!w->rooms || !w->lines) return RLS2_ERR_MEMORY;
    for (int t = 0; t < w->effort.threads && status == RLS2_OK; t++) {
        status = rls2__dependence_room_create(&w->it, w->values->count, &w->rooms[t]);
        if (status == RLS2_OK && w->other)
            status = rls2__points_create(&w->it, w->values->count, &w->lines[t]);
    }
    return status;
}

static rls2_status start(work *w, const rls2_model *model, const rls2_control *control)
{
    rls2__effort_begin(control, "inputs", 1, &w->effort);
    const rls2_progress begun = w->effort.at;
    if (rls2__effort_tell(&w->effort, &begun)) return RLS2_ERR_CANCELLED;
    rls2_status status = rls2__dependence_create(model, &w->effort, &w->it);
    if (status == RLS2_OK) status = find_terms(w);
    if (status == RLS2_OK) status = make_rooms(w);
    if (status == RLS2_OK) status = rls2__points_create(&w->it, w->values->count, &w->points);
    if (status == RLS2_OK) rls2__points_take(&w->it, w->values->rows, -1, 0, &w->points);
    return status;
}

static void finish(work *w)
{
    for (int t = 0; w->rooms && w->lines && t < w->effort.threads; t++) {
        rls2__dependence_room_release(&w->rooms[t]);
        rls2__points_release(&w->it, &w->lines[t]);
    }
    rls2__free(w->rooms);
    rls2__free(w->lines);
    rls2__points_release(&w->it, &w->points);
    rls2__dependence_release(&w->it);
    rls2__free(w->terms);
    rls2__free(w->each);
    rls2__free(w->own);
    rls2__free(w->order);
}

/* ---- one input ---- */

static void mix_term(void *user, int64_t task, int thread)
{
    work *w = user;
    const int64_t pair[2] = {w->values->input, -1};
    rls2__mixture out = {.each = w->each + task * w->values->count * w->it.sample};
    rls2__summand_mix(&w->effort, &w->it.terms[w->terms[task]], pair, &w->points, &w->rooms[thread],
                      &out);
}

/* Each row's curve less its mean by mass; 0 where one is not finite. */
static int centre_curves(const work *w)
{
    int64_t count = w->values->count;
    double rows = 0.0;
    for (int64_t i = 0; i < count; i++) rows += w->values->mass[i];
    for (int64_t l = 0; l < w->it.sample; l++) {
        double *curve = w->each + l * count, sum = 0.0;
        for (int64_t i = 0; i < count; i++) sum += w->values->mass[i] * curve[i];
        if (!isfinite(sum)) return 0;
        for (int64_t i = 0; i < count; i++) curve[i] -= sum / rows;
    }
    return 1;
}

static int by_value(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    return (x->value > y->value) - (x->value < y->value);
}

/* The least value that a share of the rows does not exceed. */
static double quantile(const work *w, double share)
{
    double sum = 0.0;
    int64_t at = 0, last = w->it.sample - 1;
    /* weights that should sum to the share may be a rounding below it */
    while (at < last && (sum += w->order[at].weight) < share - 1e-12) at++;
    return w->order[at].value;
}

static void find_band(work *w, int64_t i, double *lower, double *upper)
{
    for (int64_t l = 0; l < w->it.sample; l++)
        w->order[l] = (ranked){w->each[l * w->values->count + i], w->it.weights[l]};
    qsort(w->order, (size_t)w->it.sample, sizeof *w->order, by_value);
    *lower = quantile(w, TAIL);
    *upper = quantile(w, 1.0 - TAIL);
}

/* What terms of this input alone say is the same for all rows, and moves the band along. */
static void add_band(work *w, rls2__curve *curve)
{
    int finite = centre_curves(w);
    int64_t count = w->values->count;
    for (int64_t i = 0; i < count; i++) {
        double sum = 0.0, lower = (double)NAN, upper = (double)NAN;
        for (int64_t l = 0; l < w->it.sample; l++) sum += w->it.weights[l] * w->each[l * count + i];
        if (finite) find_band(w, i, &lower, &upper);
        curve->largest = fmax(curve->largest, fabs(sum));
        curve->lower[i] = curve->effect[i] + lower;
        curve->upper[i] = curve->effect[i] + upper;
        curve->effect[i] += sum;
    }
}

/* The terms' curves, added up in their order. */
static rls2_status find_curves(work *w)
{
    int64_t size = rls2__mul(w->values->count, w->it.sample);
    int64_t all = rls2__mul(size, w->term_count > 0 ? w->term_count : 1);
    w->each = rls2__alloc_zero(all, sizeof *w->each);
    w->order = rls2__alloc(w->it.sample, sizeof *w->order);
    if (!w->each || !w->order) return RLS2_ERR_MEMORY;
    rls2_status status = rls2__effort_each(&w->effort, w->term_count, mix_term, w);
    if (status == RLS2_OK) status = rls2__effort_status(&w->effort);
    for (int64_t t = 1; t < w->term_count && status == RLS2_OK; t++)
        rls2__add_scaled(size, 1.0, w->each + t * size, w->each);
    return status;
}

static void centre_own(const work *w, rls2__curve *curve)
{
    double sum = 0.0, rows = 0.0;
    for (int64_t i = 0; i < w->values->count; i++) {
        curve->largest = fmax(curve->largest, fabs(curve->effect[i]));
        sum += w->values->mass[i] * curve->effect[i];
        rows += w->values->mass[i];
    }
    for (int64_t i = 0; i < w->values->count; i++) curve->effect[i] -= sum / rows;
}

rls2_status rls2__curve_find(const rls2_model *model, const rls2__values *values,
                             const rls2_control *control, rls2__curve *curve)
{
    work w = {.values = values};
    rls2_status status = start(&w, model, control);
    if (status == RLS2_OK) status = find_curves(&w);
    if (status == RLS2_OK) {
        memset(curve->effect, 0, (size_t)values->count * sizeof *curve->effect);
        rls2__dependence_own(&w.effort, values->input, &w.points, &w.rooms[0], curve->effect);
        centre_own(&w, curve);
        add_band(&w, curve);
        status = rls2__effort_status(&w.effort);
    }
    finish(&w);
    return status;
}

/* ---- two inputs ---- */

/* All values of the first at one of the second. */
static void find_line(void *user, int64_t task, int thread)
{
    work *w = user;
    const int64_t pair[2] = {w->values->input, w->other->input};
    int64_t count = w->values->count;
    double *line = w->grid + task * count;
    rls2__mixture out = {.at_points = line};
    for (int64_t i = 0; i < count; i++) line[i] = w->own[task];
    rls2__points_take(&w->it, w->values->rows, w->other->input, w->other->rows[task],
                      &w->lines[thread]);
    rls2__dependence_own(&w->effort, w->values->input, &w->lines[thread], &w->rooms[thread], line);
    for (int64_t t = 0; t < w->term_count; t++)
        rls2__summand_mix(&w->effort, &w->it.terms[w->terms[t]], pair, &w->lines[thread],
                          &w->rooms[thread], &out);
}

/* What the second does alone. */
static rls2_status find_own(work *w)
{
    rls2__points points = {0};
    rls2__dependence_room room = {0};
    w->own = rls2__alloc_zero(w->other->count, sizeof *w->own);
    rls2_status status = w->own ? RLS2_OK : RLS2_ERR_MEMORY;
    if (status == RLS2_OK) status = rls2__points_create(&w->it, w->other->count, &points);
    if (status == RLS2_OK) status = rls2__dependence_room_create(&w->it, w->other->count, &room);
    if (status == RLS2_OK) {
        rls2__points_take(&w->it, w->other->rows, -1, 0, &points);
        rls2__dependence_own(&w->effort, w->other->input, &points, &room, w->own);
    }
    rls2__points_release(&w->it, &points);
    rls2__dependence_room_release(&room);
    return status;
}

rls2_status rls2__curve_grid(const rls2_model *model, const rls2__values *first,
                             const rls2__values *second, const rls2_control *control, double *grid)
{
    work w = {.values = first, .other = second, .grid = grid};
    rls2_status status = start(&w, model, control);
    if (status == RLS2_OK) status = find_own(&w);
    if (status == RLS2_OK) status = rls2__effort_each(&w.effort, second->count, find_line, &w);
    if (status == RLS2_OK) status = rls2__effort_status(&w.effort);
    finish(&w);
    return status;
}
