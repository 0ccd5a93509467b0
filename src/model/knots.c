/* Look-up of what lies between knots. */
#include <math.h>

#include "model/knots.h"

#include <string.h>

#include "base/invariant.h"
#include "base/memory.h"
#include "model/compact.h"

/* ---- places ---- */

static const double BEYOND = -1.0;

/* Where a data column is among those in use; -1: nowhere. */
static int64_t find_column(const rls2_model *model, int64_t column)
{
    int64_t low = 0, high = model->used_count;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (model->used[middle] < column)
            low = middle + 1;
        else
            high = middle;
    }
    return low < model->used_count && model->used[low] == column ? low : -1;
}

int rls2__ruler_make(const rls2_model *model, int64_t block, rls2__ruler *ruler)
{
    const rls2_model_block *from = &model->compact->blocks[block].about;
    int with_missing = from->count > from->knots;
    if (from->knots < 1) return 0;
    *ruler = (rls2__ruler){.block = block,
                           .count = from->count,
                           .knots = from->knots,
                           .number = find_column(model, from->columns[0]),
                           .flag = with_missing ? find_column(model, from->columns[1]) : -1};
    if (ruler->number < 0 || (with_missing && ruler->flag < 0)) return 0;
    ruler->at = model->x + ruler->number * model->n + from->first;
    if (with_missing) {
        const double *flags = model->x + ruler->flag * model->n + from->first;
        ruler->above = 0.5 * flags[0] + 0.5 * flags[from->count - 1];
    }
    return 1;
}

/* The last knot that is not above x, which lies between the ends. */
static int64_t find_knot(const double *at, int64_t knots, double x)
{
    int64_t low = 0;
    for (int64_t size = knots; size > 1;) {
        int64_t half = size / 2;
        low += at[low + half] <= x ? half : 0;
        size -= half;
    }
    return low;
}

static double place_number(const rls2__ruler *r, double x)
{
    const double *at = r->at;
    if (x < at[0]) return 0.0;
    if (x > at[r->knots - 1]) return (double)(r->knots - 1);
    if (isnan(x)) return BEYOND;
    int64_t low = find_knot(at, r->knots, x);
    if (low == r->knots - 1) return (double)low;
    double share = (x - at[low]) / (at[low + 1] - at[low]);
    return (double)low + (share > 0.0 ? share < 1.0 ? share : 1.0 : 0.0); /* NaN of Inf / Inf: 0 */
}

void rls2__ruler_place(const rls2__ruler *ruler, int64_t count, const double *numbers,
                       const double *flags, double *place)
{
    for (int64_t i = 0; i < count; i++) place[i] = place_number(ruler, numbers[i]);
    for (int64_t i = 0; ruler->flag >= 0 && i < count; i++)
        if (flags[i] > ruler->above) place[i] = (double)(ruler->count - 1);
}

/* ---- making ---- */

/* The block of a kernel that is looked up, else -1. Linear kernels are linear anyway. */
static int64_t block_of(const rls2_model *model, int64_t k)
{
    return model->compact && model->kernels[k].kind != RLS2__KERNEL_LINEAR
               ? model->compact->block_of[model->index[k]]
               : -1;
}

/* ruler_of[k]; ruler_at[block] is the number of its ruler + 1, 0: it has none yet. */
static void give_ruler(rls2__knots *made, int64_t k, int64_t *ruler_at)
{
    int64_t block = block_of(made->model, k);
    made->ruler_of[k] = -1;
    if (block < 0) return;
    if (ruler_at[block] == 0) {
        if (!rls2__ruler_make(made->model, block, &made->rulers[made->count])) return;
        ruler_at[block] = ++made->count;
    }
    made->ruler_of[k] = ruler_at[block] - 1;
}

rls2_status rls2__knots_create(const rls2_model *model, const unsigned char *which,
                               rls2__knots *lookup)
{
    int64_t blocks = model->compact ? model->compact->count : 0, values = 0;
    *lookup = (rls2__knots){.model = model};
    if (blocks == 0) return RLS2_OK;
    int64_t *ruler_at = rls2__alloc_zero(blocks, sizeof *ruler_at);
    lookup->rulers = rls2__alloc(blocks, sizeof *lookup->rulers);
    lookup->ruler_of = rls2__alloc(model->size, sizeof *lookup->ruler_of);
    lookup->offset = rls2__alloc(model->size, sizeof *lookup->offset);
    int fits = ruler_at && lookup->rulers && lookup->ruler_of && lookup->offset;
    for (int64_t k = 0; fits && k < model->size; k++) {
        lookup->ruler_of[k] = -1;
        lookup->offset[k] = values;
        if (!which || which[k]) give_ruler(lookup, k, ruler_at);
        if (lookup->ruler_of[k] >= 0)
            values = rls2__add(values, rls2__mul(lookup->rulers[lookup->ruler_of[k]].count,
                                                 rls2__taker_count(model, k)));
    }
    rls2__free(ruler_at);
    if (fits && values > 0) {
        lookup->values = rls2__alloc(values, sizeof(double));
        fits = lookup->values != NULL;
    }
    return fits ? RLS2_OK : RLS2_ERR_MEMORY;
}

void rls2__knots_release(rls2__knots *lookup)
{
    rls2__free(lookup->rulers);
    rls2__free(lookup->ruler_of);
    rls2__free(lookup->offset);
    rls2__free(lookup->values);
}

/* ---- values at points ---- */

typedef struct filling {
    rls2__effort *effort;
    const rls2__knots *lookup;
    int64_t most;   /* points of a block that are wanted, at most */
    int64_t *count; /* of each ruler: points that are wanted, */
    int64_t *which; /* and their numbers, most of each ruler; NULL: all */
    double *rooms;  /* of each thread, `each` values */
    int64_t each;
} filling;

/* The points that are wanted of the block of a kernel, in the columns it looks at. */
static rls2__block take_points(const filling *f, int64_t k, double *x)
{
    const rls2_model *model = f->lookup->model;
    const rls2__kernel *kernel = &model->kernels[k];
    int64_t ruler = f->lookup->ruler_of[k], count = f->count[ruler];
    int64_t block = f->lookup->rulers[ruler].block;
    const double *points = model->x + model->compact->blocks[block].about.first;
    rls2__block b = {.count = count, .own = {.n = count, .p = model->used_count, .x = x}};
    b.own.ldx = f->which ? count : model->n;
    if (!f->which) {
        b.own.x = points;
        return b;
    }
    for (int64_t t = 0; t < kernel->column_count; t++)
        for (int64_t i = 0; i < count; i++)
            x[kernel->columns[t] * count + i] =
                points[kernel->columns[t] * model->n + f->which[ruler * f->most + i]];
    return b;
}

static void fill_kernel(void *user, int64_t k, int thread)
{
    const filling *f = user;
    const rls2_model *model = f->lookup->model;
    int64_t ruler = f->lookup->ruler_of[k];
    if (ruler < 0 || f->count[ruler] == 0) return;
    double *room = f->rooms + f->each * thread, *values = f->lookup->values + f->lookup->offset[k];
    rls2__expand_room own = {.column = room, .sums = room + f->most};
    int64_t points = f->lookup->rulers[ruler].count, takers = rls2__taker_count(model, k);
    rls2__block b = take_points(f, k, own.sums + f->most * takers);
    rls2__expand(f->effort, model, k, &b, &own);
    for (int64_t t = 0; t < takers; t++)
        for (int64_t i = 0; i < b.count; i++)
            values[t * points + (f->which ? f->which[ruler * f->most + i] : i)] =
                own.sums[t * b.count + i];
}

/* The points that rows lie at or between, ascending. `place`: room for them. */
static void want_points(filling *f, int64_t ruler, const rls2_rows *rows, int in_use, double *place,
                        unsigned char *wanted)
{
    const rls2_model *model = f->lookup->model;
    const rls2__ruler *r = &f->lookup->rulers[ruler];
    int64_t ldx = rows->ldx ? rows->ldx : rows->n;
    int64_t number = in_use ? r->number : model->used[r->number];
    int64_t flag = r->flag < 0 || in_use ? r->flag : model->used[r->flag];
    memset(wanted, 0, (size_t)r->count);
    rls2__ruler_place(r, rows->n, rows->x + number * ldx, flag < 0 ? NULL : rows->x + flag * ldx,
                      place);
    for (int64_t i = 0; i < rows->n; i++) {
        if (place[i] < 0.0) continue;
        int64_t g = (int64_t)place[i];
        wanted[g] = 1;
        if (place[i] > (double)g) wanted[g + 1] = 1;
    }
    f->count[ruler] = 0;
    for (int64_t g = 0; g < r->count; g++)
        if (wanted[g]) f->which[ruler * f->most + f->count[ruler]++] = g;
}

static rls2_status want(filling *f, const rls2_rows *rows, int in_use)
{
    const rls2__knots *lookup = f->lookup;
    int64_t largest = 0;
    for (int64_t r = 0; r < lookup->count; r++) {
        f->count[r] = lookup->rulers[r].count;
        if (f->count[r] > largest) largest = f->count[r];
    }
    f->most = largest;
    if (rows->n >= largest / 2) return RLS2_OK;
    double *place = rls2__alloc(rows->n, sizeof *place);
    unsigned char *wanted = rls2__alloc(largest, 1);
    f->most = 2 * rows->n;
    f->which = rls2__alloc(rls2__mul(f->most, lookup->count), sizeof *f->which);
    int fits = place && wanted && f->which;
    for (int64_t r = 0; fits && r < lookup->count; r++)
        want_points(f, r, rows, in_use, place, wanted);
    rls2__free(place);
    rls2__free(wanted);
    return fits ? RLS2_OK : RLS2_ERR_MEMORY;
}

rls2_status rls2__knots_fill(rls2__effort *effort, rls2__knots *lookup, const rls2_rows *rows,
                             int in_use)
{
    const rls2_model *model = lookup->model;
    if (lookup->count == 0 || rows->n == 0) return RLS2_OK;
    filling f = {.effort = effort, .lookup = lookup};
    f.count = rls2__alloc(lookup->count, sizeof *f.count);
    rls2_status status = f.count ? want(&f, rows, in_use) : RLS2_ERR_MEMORY;
    if (status == RLS2_OK) {
        int64_t takers = model->outputs ? model->most_takers : 1;
        f.each = rls2__mul(f.most, 1 + takers + (f.which ? model->used_count : 0));
        f.rooms = rls2__alloc(rls2__mul(f.each, effort->threads), sizeof(double));
        if (!f.rooms) status = RLS2_ERR_MEMORY;
    }
    if (status == RLS2_OK) status = rls2__effort_each(effort, model->size, fill_kernel, &f);
    if (status == RLS2_OK) status = rls2__effort_status(effort);
    rls2__free(f.count);
    rls2__free(f.which);
    rls2__free(f.rooms);
    return status;
}

/* ---- looking up ---- */

void rls2__knots_place(const rls2__knots *lookup, const rls2__block *b, int64_t height,
                       double *places)
{
    for (int64_t r = 0; r < lookup->count; r++) {
        const rls2__ruler *ruler = &lookup->rulers[r];
        rls2__ruler_place(ruler, b->count, b->own.x + ruler->number * b->own.ldx,
                          ruler->flag < 0 ? NULL : b->own.x + ruler->flag * b->own.ldx,
                          places + r * height);
    }
}

/* The rows without a place, in the columns that the kernel looks at. */
static rls2__block take_beyond(const rls2__kernel *kernel, const rls2__block *b,
                               const double *places, double *x)
{
    int64_t count = 0;
    for (int64_t i = 0; i < b->count; i++) count += places[i] < 0.0;
    for (int64_t t = 0; t < kernel->column_count; t++) {
        int64_t column = kernel->columns[t], next = column * count;
        const double *from = b->own.x + column * b->own.ldx;
        for (int64_t i = 0; i < b->count; i++)
            if (places[i] < 0.0) x[next++] = from[i];
    }
    return (rls2__block){.count = count, .own = {.n = count, .p = b->own.p, .x = x, .ldx = count}};
}

/* Sums of `count` rows, for each taker, go to their places among all: from the last on, as none
 * moves to the left. */
static void spread_beyond(const rls2__block *b, const double *places, int64_t takers, int64_t count,
                          double *sums)
{
    int64_t next = takers * count;
    for (int64_t t = takers - 1; t >= 0; t--)
        for (int64_t i = b->count - 1; i >= 0; i--)
            if (places[i] < 0.0) sums[t * b->count + i] = sums[--next];
    rls2__invariant(next == 0);
}

static void interpolate(int64_t count, const double *places, const double *values, double *sum)
{
    for (int64_t i = 0; i < count; i++) {
        if (places[i] < 0.0) continue;
        int64_t g = (int64_t)places[i];
        double share = places[i] - (double)g;
        sum[i] = share > 0.0 ? (1.0 - share) * values[g] + share * values[g + 1] : values[g];
    }
}

void rls2__look_up(rls2__effort *effort, const rls2__knots *lookup, int64_t k, const rls2__block *b,
                   const double *places, const rls2__expand_room *own, double *aside)
{
    const rls2_model *model = lookup->model;
    int64_t ruler = lookup->ruler_of[k], takers = rls2__taker_count(model, k);
    int64_t points = lookup->rulers[ruler].count;
    rls2__block beyond = take_beyond(&model->kernels[k], b, places, aside);
    if (beyond.count > 0) {
        rls2__expand(effort, model, k, &beyond, own);
        spread_beyond(b, places, takers, beyond.count, own->sums);
    }
    for (int64_t t = 0; t < takers; t++)
        interpolate(b->count, places, lookup->values + lookup->offset[k] + t * points,
                    own->sums + t * b->count);
}
