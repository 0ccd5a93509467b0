/* Finds the points of axes from rows. */
#include "stats/axis.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/invariant.h"
#include "stats/quantiles.h"

enum {
    MOST_POINTS = RLS2__MOST_KNOTS, /* of an axis; beyond, all values are too many to keep */
    LEAST_POINTS = 16,              /* of an axis of numbers, however many axes there are */
    ALL_POINTS = 640,               /* a path takes the cube of it in time */
    FRACTIONS = 1 << 20,            /* of the largest weight, where weights are not whole */
    ROWS_UNTIL_ASKED = 1 << 12      /* whether to stop */
};

rls2__fineness rls2__fineness_default(void)
{
    return (rls2__fineness){.most = 0, .all_most = ALL_POINTS};
}

int64_t rls2__axes_points(const rls2__axes *axes)
{
    return axes->first[axes->count];
}

void rls2__axes_free(rls2__axes *axes)
{
    if (!axes) return;
    rls2__arena_free(axes->arena);
    rls2__free(axes);
}

/* ---- which axes there are ---- */

/* The columns of an input that are one axis: all of a category; of numbers and dates the value and
 * the indicator of missing cells, or one part of a date. */
static int64_t count_axes_of(const rls2__input *input)
{
    return rls2__input_kind(input) == RLS2_COLUMN_TEXT ? 1 : input->own;
}

static int64_t *list(rls2__arena *arena, int64_t count)
{
    return rls2__arena_alloc(arena, rls2__mul(count, (int64_t)sizeof(int64_t)));
}

static rls2_status list_columns(const rls2__input *input, int64_t part, rls2__arena *arena,
                                rls2__axis *axis)
{
    int is_text = rls2__input_kind(input) == RLS2_COLUMN_TEXT;
    axis->width = is_text ? input->width : 1 + (part == 0 && input->has_missing);
    axis->columns = list(arena, axis->width);
    if (!axis->columns) return RLS2_ERR_MEMORY;
    for (int64_t v = 0; v < axis->width; v++) axis->columns[v] = input->first + v;
    if (!is_text) {
        axis->columns[0] = input->first + part;
        if (axis->width > 1) axis->columns[1] = input->first + input->width - 1;
    }
    return RLS2_OK;
}

static rls2_status list_axes(const rls2__encoder *encoder, rls2__axes *axes)
{
    int64_t at = 0;
    for (int64_t i = 0; i < encoder->count; i++) axes->count += count_axes_of(&encoder->inputs[i]);
    axes->columns = encoder->columns;
    axes->all = rls2__arena_alloc(axes->arena, rls2__mul(axes->count, sizeof *axes->all));
    axes->first = list(axes->arena, axes->count + 1);
    axes->of = list(axes->arena, encoder->columns);
    if (!axes->all || !axes->first || !axes->of) return RLS2_ERR_MEMORY;
    for (int64_t i = 0; i < encoder->count; i++)
        for (int64_t part = 0; part < count_axes_of(&encoder->inputs[i]); part++, at++) {
            axes->all[at].input = i;
            rls2_status status =
                list_columns(&encoder->inputs[i], part, axes->arena, &axes->all[at]);
            if (status != RLS2_OK) return status;
            for (int64_t v = 0; v < axes->all[at].width; v++)
                axes->of[axes->all[at].columns[v]] = at;
        }
    return RLS2_OK;
}

static int is_numbers(const rls2__encoder *encoder, const rls2__axis *axis)
{
    return rls2__input_kind(&encoder->inputs[axis->input]) != RLS2_COLUMN_TEXT;
}

/* ---- the points of categories ---- */

/* Every pattern of an axis is made of whole indicators: those of all rows, each once. */
static int same_point(const rls2__axis *axis, int64_t g, const double *x, int64_t ldx, int64_t row)
{
    for (int64_t v = 0; v < axis->width; v++) {
        double value = x[axis->columns[v] * ldx + row];
        if (value < axis->points[g * axis->width + v] || value > axis->points[g * axis->width + v])
            return 0;
    }
    return 1;
}

/* `guess` is looked at before the others. */
static int64_t find_pattern(const rls2__axis *axis, const double *x, int64_t ldx, int64_t row,
                            int64_t guess)
{
    if (guess < axis->count && same_point(axis, guess, x, ldx, row)) return guess;
    for (int64_t g = 0; g < axis->count; g++)
        if (same_point(axis, g, x, ldx, row)) return g;
    return -1;
}

/* The first column in which a row is not like the first point; the width where there is none. Of
 * indicators that are on in one column at most it tells nearly all points apart. */
static int64_t first_difference(const rls2__axis *axis, const double *x, int64_t ldx, int64_t row)
{
    int64_t v = 0;
    while (v < axis->width && x[axis->columns[v] * ldx + row] <= axis->points[v] &&
           x[axis->columns[v] * ldx + row] >= axis->points[v])
        v++;
    return v;
}

static int before(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static int pattern_before(int64_t width, const double *one, const double *other)
{
    int64_t v = 0;
    while (v < width && before(&one[v], &other[v]) == 0) v++;
    return v < width && before(&one[v], &other[v]) < 0;
}

/* In the order of their values, whatever that of the rows. */
static void sort_patterns(rls2__axis *axis)
{
    int64_t width = axis->width;
    for (int64_t g = 1; g < axis->count; g++)
        for (int64_t h = g; h > 0; h--) {
            double *left = axis->points + (h - 1) * width, *right = left + width;
            if (!pattern_before(width, right, left)) break;
            for (int64_t v = 0; v < width; v++) {
                double other = left[v];
                left[v] = right[v];
                right[v] = other;
            }
        }
}

/* guesses: width + 1, the last point found by its first difference. Stops early with the effort. */
static void add_patterns(rls2__effort *effort, const rls2_dataset *data, int64_t room,
                         int64_t *guesses, rls2__axis *axis)
{
    for (int64_t i = 0; i < data->rows; i++) {
        if (i % ROWS_UNTIL_ASKED == 0 && rls2__effort_stopped(effort)) return;
        int64_t *guess = &guesses[first_difference(axis, data->x, data->rows, i)];
        int64_t g = find_pattern(axis, data->x, data->rows, i, *guess);
        if (g < 0 && axis->count < room) {
            g = axis->count++;
            for (int64_t v = 0; v < axis->width; v++)
                axis->points[g * axis->width + v] = data->x[axis->columns[v] * data->rows + i];
        }
        if (g >= 0) *guess = g;
    }
}

/* Points that have one column on at most: there are few more than columns. */
static rls2_status find_patterns(rls2__effort *effort, const rls2__axes_from *from,
                                 rls2__axis *axis, rls2__arena *arena)
{
    int64_t room = 2 * (axis->width + 1);
    int64_t *guesses = rls2__alloc_zero(axis->width + 1, sizeof *guesses);
    axis->points =
        rls2__arena_alloc(arena, rls2__mul(rls2__mul(room, axis->width), sizeof(double)));
    if (!axis->points || !guesses) {
        rls2__free(guesses);
        return RLS2_ERR_MEMORY;
    }
    memset(axis->points, 0, (size_t)(room * axis->width) * sizeof(double));
    axis->is_exact = 1;
    add_patterns(effort, from->rows, room, guesses, axis);
    if (from->ends) add_patterns(effort, from->ends, room, guesses, axis);
    rls2__free(guesses);
    if (rls2__effort_stopped(effort)) return RLS2_ERR_CANCELLED;
    sort_patterns(axis);
    return RLS2_OK;
}

/* ---- the points of numbers ---- */

typedef struct values {
    double *few;   /* ascending, MOST_POINTS + 1 at most; quantiles where these are too many: */
    int64_t count; /* different values */
    int64_t knots; /* of the axis */
    double least, most;
    double fill;    /* number of rows that miss it */
    double off, on; /* of the indicator */
    int any_missing;
} values;

/* Inserts into the ascending list unless it is there or the list is full. */
static void insert(values *found, double x)
{
    int64_t low = 0, high = found->count;
    while (low < high) {
        int64_t middle = (low + high) / 2;
        if (found->few[middle] < x)
            low = middle + 1;
        else
            high = middle;
    }
    if ((low < found->count && found->few[low] <= x) || found->count > MOST_POINTS) return;
    memmove(found->few + low + 1, found->few + low, (size_t)(found->count - low) * sizeof x);
    found->few[low] = x;
    found->count++;
}

/* An indicator that is never on has one value. */
static void find_indicator(const rls2_dataset *data, const rls2__axis *axis, values *found)
{
    const double *flag = data->x + axis->columns[1] * data->rows;
    for (int64_t i = 0; i < data->rows; i++) {
        found->off = fmin(found->off, flag[i]);
        found->on = fmax(found->on, flag[i]);
    }
    found->any_missing = found->on > found->off;
}

static int is_missing(const rls2_dataset *data, const rls2__axis *axis, const values *found,
                      int64_t row)
{
    return found->any_missing &&
           data->x[axis->columns[1] * data->rows + row] > 0.5 * (found->off + found->on);
}

static void add_values(const rls2_dataset *data, const rls2__axis *axis, values *found)
{
    const double *x = data->x + axis->columns[0] * data->rows;
    double last = NAN;
    for (int64_t i = 0; i < data->rows; i++) {
        if (is_missing(data, axis, found, i)) {
            found->fill = x[i];
            continue;
        }
        found->least = fmin(found->least, x[i]);
        found->most = fmax(found->most, x[i]);
        if (found->count <= MOST_POINTS && !(x[i] >= last && x[i] <= last)) insert(found, x[i]);
        last = x[i];
    }
}

static void look_at_values(const rls2__axes_from *from, const rls2__axis *axis, values *found)
{
    found->least = found->off = INFINITY;
    found->most = found->on = -INFINITY;
    if (axis->width > 1) find_indicator(from->rows, axis, found);
    if (axis->width > 1 && from->ends) find_indicator(from->ends, axis, found);
    add_values(from->rows, axis, found);
    if (from->ends) add_values(from->ends, axis, found);
    if (found->count == 0) insert(found, found->least = found->most = found->fill);
}

/* Weights as whole numbers, so that ranks do not depend on the order of the rows: as they are
 * where they are whole, so that a row of weight 2 counts as two. */
typedef struct whole_weights {
    const double *weights; /* NULL: all are 1 */
    double unit;
} whole_weights;

static whole_weights find_whole(const rls2_dataset *data)
{
    static const double MOST_WHOLE = 4294967296.0;
    double most = 0.0;
    int are_whole = 1;
    for (int64_t i = 0; data->weights && i < data->rows; i++) {
        double w = data->weights[i];
        are_whole = are_whole && w >= 1.0 && w <= MOST_WHOLE && floor(w) >= w;
        most = fmax(most, w);
    }
    return (whole_weights){data->weights, are_whole ? 1.0 : most / FRACTIONS};
}

static int64_t whole_of(const whole_weights *whole, int64_t row)
{
    double w = whole->weights[row] / whole->unit;
    return w < 1.0 ? 1 : (int64_t)(w + 0.5);
}

/* Rows that do not miss the number; weights may be NULL. */
static int64_t gather(const rls2_dataset *data, const rls2__axis *axis, const values *found,
                      const whole_weights *whole, double *numbers, int64_t *weights, int64_t *total)
{
    const double *x = data->x + axis->columns[0] * data->rows;
    int64_t taken = 0;
    *total = 0;
    for (int64_t i = 0; i < data->rows; i++) {
        if (is_missing(data, axis, found, i)) continue;
        int64_t w = weights ? whole_of(whole, i) : 1;
        if (weights) weights[taken] = w;
        *total += w;
        numbers[taken++] = x[i];
    }
    return taken;
}

/* Quantiles of all rows, between the ends: found->knots of them are different. */
static rls2_status take_quantiles(const rls2_dataset *data, const rls2__axis *axis,
                                  const whole_weights *whole, int64_t wanted, values *found)
{
    int64_t rank[MOST_POINTS], total, ranks = wanted - 2;
    double at[MOST_POINTS], *numbers = rls2__alloc(data->rows, sizeof *numbers);
    int64_t *weights = whole->weights ? rls2__alloc(data->rows, sizeof *weights) : NULL;
    rls2_status status = numbers && (weights || !whole->weights) ? RLS2_OK : RLS2_ERR_MEMORY;
    if (status == RLS2_OK) {
        int64_t taken = gather(data, axis, found, whole, numbers, weights, &total);
        for (int64_t g = 0; g < ranks; g++)
            rank[g] = (int64_t)((double)(g + 1) * (double)(total - 1) / (double)(wanted - 1));
        if (taken == 0) ranks = 0;
        rls2__quantiles(taken, numbers, weights, ranks, rank, at);
        found->few[0] = found->least;
        found->knots = 1;
        for (int64_t g = 0; g <= ranks; g++) {
            double next = g < ranks ? at[g] : found->most;
            if (next > found->few[found->knots - 1]) found->few[found->knots++] = next;
        }
    }
    rls2__free(weights);
    rls2__free(numbers);
    return status;
}

static rls2_status set_points(const values *found, int64_t most, rls2__axis *axis,
                              rls2__arena *arena)
{
    int64_t room = found->knots + found->any_missing;
    axis->points =
        rls2__arena_alloc(arena, rls2__mul(rls2__mul(room, axis->width), sizeof(double)));
    if (!axis->points) return RLS2_ERR_MEMORY;
    axis->is_exact = found->count <= most;
    axis->knots = axis->count = found->knots;
    for (int64_t g = 0; g < axis->knots; g++) {
        axis->points[g * axis->width] = found->few[g];
        if (axis->width > 1) axis->points[g * axis->width + 1] = found->off;
    }
    axis->missing_above = INFINITY;
    if (found->any_missing) {
        axis->missing_above = 0.5 * (found->off + found->on);
        axis->points[axis->count * axis->width] = found->fill;
        axis->points[axis->count * axis->width + 1] = found->on;
        axis->count++;
    }
    return RLS2_OK;
}

/* ---- all of them ---- */

typedef struct search {
    const rls2__axes_from *from;
    const rls2__encoder *encoder;
    rls2__axes *axes;
    values *found; /* of numbers */
    int64_t most;  /* points of an axis of numbers */
    whole_weights whole;
    atomic_int has_failed; /* memory was out */
} search;

static void look(void *user, int64_t task, int thread)
{
    search *it = user;
    (void)thread;
    if (is_numbers(it->encoder, &it->axes->all[task]))
        look_at_values(it->from, &it->axes->all[task], &it->found[task]);
}

/* An axis that has few values has all of them. */
static void choose_knots(void *user, int64_t task, int thread)
{
    search *it = user;
    const rls2__axis *axis = &it->axes->all[task];
    values *found = &it->found[task];
    (void)thread;
    found->knots = found->count;
    if (!is_numbers(it->encoder, axis) || found->count <= it->most) return;
    if (take_quantiles(it->from->rows, axis, &it->whole, it->most, found) != RLS2_OK)
        atomic_store(&it->has_failed, 1);
}

/* The most points of an axis of numbers with which all have about `all_most`. */
static int64_t find_most(const search *it, rls2__fineness fineness)
{
    static const int64_t sizes[] = {512, 384, 256, 192, 128, 96, 64, 48, 32, 24, LEAST_POINTS};
    int64_t most = LEAST_POINTS;
    if (fineness.most > 0) return fineness.most < MOST_POINTS ? fineness.most : MOST_POINTS;
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        int64_t all = 0;
        for (int64_t a = 0; a < it->axes->count; a++) {
            const rls2__axis *axis = &it->axes->all[a];
            int64_t own = it->found[a].count;
            if (!is_numbers(it->encoder, axis)) own = axis->width;
            all += own < sizes[s] ? own : sizes[s];
        }
        most = sizes[s];
        if (all <= fineness.all_most) break;
    }
    return most;
}

static rls2_status find_points(rls2__effort *effort, const search *it)
{
    rls2__axes *axes = it->axes;
    for (int64_t a = 0; a < axes->count; a++) {
        rls2__axis *axis = &axes->all[a];
        rls2_status status = is_numbers(it->encoder, axis)
                                 ? set_points(&it->found[a], it->most, axis, axes->arena)
                                 : find_patterns(effort, it->from, axis, axes->arena);
        if (status != RLS2_OK) return status;
        rls2__invariant(axis->count >= 1);
        axes->first[a + 1] = axes->first[a] + axis->count;
    }
    return RLS2_OK;
}

rls2_status rls2__axes_start(const rls2__encoder *encoder, rls2__axes **axes)
{
    rls2__axes *made = rls2__alloc_zero(1, sizeof *made);
    if (!made) return RLS2_ERR_MEMORY;
    made->arena = rls2__arena_create();
    rls2_status status = made->arena ? list_axes(encoder, made) : RLS2_ERR_MEMORY;
    if (status == RLS2_OK)
        *axes = made;
    else
        rls2__axes_free(made);
    return status;
}

const char *rls2__axis_name(const rls2__encoder *encoder, const rls2__axis *axis)
{
    return is_numbers(encoder, axis) ? encoder->names[axis->columns[0]]
                                     : encoder->inputs[axis->input].name;
}

static rls2_status fill_axes(rls2__effort *effort, const rls2__axes_from *from,
                             rls2__fineness fineness, rls2__axes *axes)
{
    search it = {.from = from,
                 .encoder = from->rows->encoder,
                 .axes = axes,
                 .whole = find_whole(from->rows)};
    double *few = NULL;
    rls2_status status = RLS2_OK;
    it.found = rls2__alloc_zero(axes->count, sizeof *it.found);
    few = rls2__alloc(rls2__mul(axes->count, MOST_POINTS + 1), sizeof *few);
    status = it.found && few ? RLS2_OK : RLS2_ERR_MEMORY;
    for (int64_t a = 0; a < axes->count && status == RLS2_OK; a++)
        it.found[a].few = few + a * (MOST_POINTS + 1);
    if (status == RLS2_OK) status = rls2__effort_each(effort, axes->count, look, &it);
    if (status == RLS2_OK) {
        it.most = find_most(&it, fineness);
        status = rls2__effort_each(effort, axes->count, choose_knots, &it);
    }
    if (status == RLS2_OK && atomic_load(&it.has_failed)) status = RLS2_ERR_MEMORY;
    if (status == RLS2_OK) status = find_points(effort, &it);
    rls2__free(it.found);
    rls2__free(few);
    return status;
}

rls2_status rls2__axes_create(rls2__effort *effort, const rls2__axes_from *from,
                              rls2__fineness fineness, rls2__axes **axes)
{
    rls2__axes *made = NULL;
    rls2_status status = rls2__axes_start(from->rows->encoder, &made);
    if (status == RLS2_OK) status = fill_axes(effort, from, fineness, made);
    if (status == RLS2_OK)
        *axes = made;
    else
        rls2__axes_free(made);
    return status;
}
