/* Grows groups of inputs out of pairs, as long as other rows are predicted better by it.
 *
 * Of a sample some rows are learned from and the others score. The inputs one by one are broken
 * lines (or steps, of categories), fitted by least squares. A group is tried as a Gaussian kernel
 * on a few landmarks; what the inputs say one by one is taken off the response and off its
 * features, so that both are fitted together, and a group has to say what they cannot.
 * [MATH.md, L7] */
#include "plan/plan_groups.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "kernel/kernel.h"
#include "la/la.h"
#include "la/threads.h"
#include "stats/landmarks.h"
#include "table/dataset.h"

enum {
    LEARN = 6000, /* rows of the sample that are learned from, */
    CHECK = 3000, /* and that score: every third */
    AMONG = 1500, /* of those learned from, evenly, the ones among which landmarks are found */
    LANDMARKS = 128,
    KNOTS = 24,      /* of a column of numbers */
    CATEGORIES = 64, /* of an input; those that come later are one */
    MOST_STARTS = 8,
    MOST_MEMBERS = 2 * MOST_STARTS, /* inputs that may be in a group, those of the starts, */
    CANDIDATES = 10,                /* and of them the ones that are tried for it to grow by */
    MOST_CURVES = 150,
    LEAST_VALUES = 4,  /* of a curve, where there are many inputs */
    MOST_WIDTH = 1500, /* values of all curves, which are taken off the response, */
    NEAR_WIDTH = 640   /* and of those that are taken off features too */
};
/* What a group, or an input more, must take of the mean square that is left. */
static const double LEAST_GAIN = 0.01;
static const double FIRST_GAMMA = 0.1;
static const double GAMMAS[] = {0.01, 0.03, 0.3, 1.0};
static const double RIDGES[] = {1e-3, 1e-2, 1e-1, 1.0, 10.0}; /* K(x, x) being 1 */
enum {
    GAMMA_COUNT = sizeof GAMMAS / sizeof GAMMAS[0],
    RIDGE_COUNT = sizeof RIDGES / sizeof(double)
};

/* A function of one input: a column of numbers, or all columns of a category. */
typedef struct curve {
    int64_t first, count; /* its values among those of all */
    int32_t *at;          /* rows: between this value and the next */
    double *share;        /* rows: of the next one */
} curve;

typedef struct search {
    const rls2_dataset *data;
    int64_t n, rows; /* learned from, which come first; all */
    int64_t members, member[MOST_MEMBERS], start[MOST_MEMBERS]; /* inputs; the first column in x */
    int64_t columns, among_rows;
    double *x;                                      /* rows x columns: those of members */
    double *among;                                  /* among_rows x columns */
    double *rest;                                   /* rows: of the response */
    int64_t curves, width, near_curves, near_width; /* members' come first, near ones before all */
    int64_t most_values;                            /* of the curves that are made now */
    curve *curve;
    double *G;     /* width x width: the factor of their squares */
    double *coef;  /* width x LANDMARKS */
    double *phi;   /* rows x LANDMARKS: features of the group that is tried */
    double *C;     /* LANDMARKS x LANDMARKS */
    double *M, *a; /* likewise; LANDMARKS */
    double *f;     /* rows: of the best ridge */
    double *best;  /* rows: of the best group so far */
    int64_t *kernel_columns;
    rls2__arena *arena;
} search;

/* ---- the sample ---- */

static int64_t row_of(const search *s, int64_t t)
{
    /* t-th of the sample, of which every third scores; the others stand in front */
    int64_t place = t < s->n ? t + t / 2 : 3 * (t - s->n) + 2;
    return (int64_t)((double)place * (double)s->data->rows / (double)s->rows);
}

static double mean_of(int64_t n, const double *x)
{
    double sum = 0.0;
    for (int64_t i = 0; i < n; i++) sum += x[i];
    return sum / (double)n;
}

/* Missing numbers lie at the mean. */
static void copy_column(const search *s, int64_t column, int standardized, double *to)
{
    const double *from = s->data->x + column * s->data->rows;
    double sum = 0.0, square = 0.0;
    int64_t known = 0;
    for (int64_t t = 0; t < s->rows; t++) {
        to[t] = from[row_of(s, t)];
        if (isnan(to[t])) continue;
        sum += to[t];
        known++;
    }
    double mean = known > 0 ? sum / (double)known : 0.0;
    for (int64_t t = 0; t < s->rows; t++) {
        if (isnan(to[t])) to[t] = mean;
        square += (to[t] - mean) * (to[t] - mean);
    }
    double deviation = sqrt(square / (double)s->rows);
    for (int64_t t = 0; t < s->rows && standardized; t++)
        to[t] = deviation > 0.0 ? (to[t] - mean) / deviation : 0.0;
}

static void *take(search *s, int64_t count, size_t size)
{
    int64_t bytes = rls2__mul(count, (int64_t)size);
    return bytes < 0 ? NULL : rls2__arena_alloc(s->arena, bytes);
}

/* Of the rows learned from, the t-th among which landmarks are found. */
static int64_t among_of(const search *s, int64_t t)
{
    return t * s->n / s->among_rows;
}

static void copy_members(search *s, int standardized)
{
    for (int64_t k = 0; k < s->members; k++) {
        int64_t first, width = rls2_dataset_input_columns(s->data, s->member[k], &first);
        for (int64_t j = 0; j < width; j++) {
            double *x = s->x + (s->start[k] + j) * s->rows;
            double *among = s->among + (s->start[k] + j) * s->among_rows;
            copy_column(s, first + j, standardized, x);
            for (int64_t t = 0; t < s->among_rows; t++) among[t] = x[among_of(s, t)];
        }
    }
}

static rls2_status reserve_sample(search *s, int standardized)
{
    int64_t all = s->data->rows < LEARN + CHECK ? s->data->rows : LEARN + CHECK, first;
    s->rows = all / 3 * 3;
    s->n = s->rows / 3 * 2;
    s->among_rows = s->n < AMONG ? s->n : AMONG;
    for (int64_t k = 0; k < s->members; k++) {
        s->start[k] = s->columns;
        s->columns += rls2_dataset_input_columns(s->data, s->member[k], &first);
    }
    s->x = take(s, rls2__mul(s->rows, s->columns), sizeof(double));
    s->among = take(s, rls2__mul(s->among_rows, s->columns), sizeof(double));
    s->rest = take(s, s->rows, sizeof(double));
    s->curve = take(s, MOST_CURVES, sizeof *s->curve);
    s->kernel_columns = take(s, s->columns, sizeof *s->kernel_columns);
    if (!s->x || !s->among || !s->rest || !s->curve || !s->kernel_columns) return RLS2_ERR_MEMORY;
    copy_members(s, standardized);
    for (int64_t t = 0; t < s->rows; t++) s->rest[t] = s->data->y[row_of(s, t)];
    double mean = mean_of(s->n, s->rest);
    for (int64_t t = 0; t < s->rows; t++) s->rest[t] -= mean;
    return RLS2_OK;
}

/* ---- inputs one by one ---- */

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void find_knots(const search *s, const double *x, double *sorted, double *knots,
                       int64_t *count)
{
    memcpy(sorted, x, (size_t)s->n * sizeof *sorted);
    qsort(sorted, (size_t)s->n, sizeof *sorted, ascending);
    int64_t most = s->most_values < KNOTS ? s->most_values : KNOTS;
    *count = 0;
    for (int64_t g = 0; g < most; g++) {
        double knot = sorted[g * (s->n - 1) / (most - 1)];
        if (*count == 0 || knot > knots[*count - 1]) knots[(*count)++] = knot;
    }
}

static void place_numbers(const search *s, const double *x, int64_t count, const double *knots,
                          curve *c)
{
    for (int64_t t = 0; t < s->rows; t++) {
        int32_t at = 0;
        while (at + 2 < count && x[t] >= knots[at + 1]) at++;
        double gap = count > 1 ? knots[at + 1] - knots[at] : 1.0;
        c->at[t] = at;
        c->share[t] = count > 1 ? fmin(fmax((x[t] - knots[at]) / gap, 0.0), 1.0) : 0.0;
    }
}

/* A curve more, unless there are enough: *c is then NULL. */
static rls2_status add_curve(search *s, curve **c)
{
    *c = NULL;
    if (s->curves == MOST_CURVES || s->width + s->most_values > MOST_WIDTH) return RLS2_OK;
    curve *added = &s->curve[s->curves];
    *added = (curve){.first = s->width,
                     .at = take(s, s->rows, sizeof *added->at),
                     .share = take(s, s->rows, sizeof *added->share)};
    if (!added->at || !added->share) return RLS2_ERR_MEMORY;
    s->curves++;
    *c = added;
    return RLS2_OK;
}

static void end_curve(search *s, const curve *c)
{
    s->width += c->count;
    if (s->width > NEAR_WIDTH || s->near_curves + 1 < s->curves) return;
    s->near_curves = s->curves;
    s->near_width = s->width;
}

/* x, sorted: room for rows */
static rls2_status add_numbers(search *s, int64_t column, double *x, double *sorted)
{
    curve *c;
    double knots[KNOTS];
    rls2_status status = add_curve(s, &c);
    if (!c) return status;
    copy_column(s, column, 1, x);
    find_knots(s, x, sorted, knots, &c->count);
    place_numbers(s, x, c->count, knots, c);
    end_curve(s, c);
    return RLS2_OK;
}

static rls2_status add_categories(search *s, int64_t first, int64_t width, double *x)
{
    curve *c;
    int64_t shown = width < s->most_values - 1 ? width : s->most_values - 1;
    rls2_status status = add_curve(s, &c);
    if (!c) return status;
    c->count = shown + 1;
    memset(c->at, 0, (size_t)s->rows * sizeof *c->at);
    memset(c->share, 0, (size_t)s->rows * sizeof *c->share);
    for (int64_t v = 0; v < shown; v++) {
        double least = INFINITY, most = -INFINITY;
        copy_column(s, first + v, 0, x);
        for (int64_t t = 0; t < s->rows; t++) {
            least = fmin(least, x[t]);
            most = fmax(most, x[t]);
        }
        for (int64_t t = 0; t < s->rows; t++)
            if (most > least && x[t] > 0.5 * (least + most)) c->at[t] = (int32_t)(v + 1);
    }
    end_curve(s, c);
    return RLS2_OK;
}

static int64_t find_member(const search *s, int64_t input)
{
    int64_t k = 0;
    while (k < s->members && s->member[k] != input) k++;
    return k;
}

static rls2_status add_input(search *s, int64_t input, double *x, double *sorted)
{
    rls2_status status = RLS2_OK;
    int64_t first, width = rls2_dataset_input_columns(s->data, input, &first);
    int is_text = rls2_dataset_input_kind(s->data, input) == RLS2_COLUMN_TEXT;
    if (is_text && width > 0) status = add_categories(s, first, width, x);
    for (int64_t j = first; j < first + width && !is_text && status == RLS2_OK; j++)
        status = add_numbers(s, j, x, sorted);
    return status;
}

/* What the curves of the other inputs may have, so that there is room for all. */
static int64_t most_of_others(const search *s)
{
    int64_t others = 0, first, room = MOST_WIDTH - s->width;
    for (int64_t k = 0; k < rls2_dataset_input_count(s->data); k++) {
        int is_text = rls2_dataset_input_kind(s->data, k) == RLS2_COLUMN_TEXT;
        int64_t width = rls2_dataset_input_columns(s->data, k, &first);
        if (find_member(s, k) == s->members) others += is_text ? 1 : width;
    }
    if (others > MOST_CURVES - s->curves) others = MOST_CURVES - s->curves;
    int64_t most = others > 0 ? room / others : CATEGORIES;
    return most < LEAST_VALUES ? LEAST_VALUES : most < CATEGORIES ? most : CATEGORIES;
}

/* Of members, then of the other inputs as long as there is room. */
static rls2_status make_curves(search *s)
{
    rls2_status status = RLS2_OK;
    double *x = take(s, s->rows, sizeof *x), *sorted = take(s, s->rows, sizeof *sorted);
    if (!x || !sorted) return RLS2_ERR_MEMORY;
    s->most_values = CATEGORIES;
    for (int64_t k = 0; k < s->members && status == RLS2_OK; k++)
        status = add_input(s, s->member[k], x, sorted);
    s->most_values = most_of_others(s);
    for (int64_t k = 0; k < rls2_dataset_input_count(s->data) && status == RLS2_OK; k++)
        if (find_member(s, k) == s->members) status = add_input(s, k, x, sorted);
    return status;
}

/* The value of the next one may not exist where the share is 0: it is then the same. */
static int64_t next_of(const curve *c, int64_t t)
{
    int64_t at = c->first + c->at[t];
    return c->at[t] + 1 < c->count ? at + 1 : at;
}

static void add_squares(search *s, const curve *u, const curve *v)
{
    for (int64_t t = 0; t < s->n; t++) {
        int64_t g[2] = {u->first + u->at[t], next_of(u, t)};
        int64_t h[2] = {v->first + v->at[t], next_of(v, t)};
        double a[2] = {1.0 - u->share[t], u->share[t]}, b[2] = {1.0 - v->share[t], v->share[t]};
        for (int k = 0; k < 2; k++)
            for (int l = 0; l < 2; l++) s->G[g[k] * s->width + h[l]] += a[k] * b[l];
    }
}

/* With a ridge of one row; 0 where that cannot be. */
static int factorize_curves(search *s)
{
    memset(s->G, 0, (size_t)(s->width * s->width) * sizeof *s->G);
    for (int64_t c = 0; c < s->curves; c++)
        for (int64_t d = c; d < s->curves; d++) add_squares(s, &s->curve[c], &s->curve[d]);
    for (int64_t g = 0; g < s->width; g++) s->G[g * s->width + g] += 1.0;
    return rls2__la_cholesky(s->width, s->G, s->width) == 0;
}

/* Takes off `count` columns of V (rows x count) what the first curves say one by one: `width`
 * values, whose factor is the first part of that of all. */
static void take_off(const search *s, int64_t curves, int64_t width, int64_t count, double *V)
{
    memset(s->coef, 0, (size_t)(width * count) * sizeof *s->coef);
    for (int64_t l = 0; l < count; l++)
        for (int64_t k = 0; k < curves; k++) {
            const curve *c = &s->curve[k];
            const double *v = V + l * s->rows;
            double *sums = s->coef + l * width;
            for (int64_t t = 0; t < s->n; t++) {
                sums[c->first + c->at[t]] += (1.0 - c->share[t]) * v[t];
                sums[next_of(c, t)] += c->share[t] * v[t];
            }
        }
    rls2__la_cholesky_solve(width, count, s->G, s->width, s->coef, width);
    for (int64_t l = 0; l < count; l++)
        for (int64_t k = 0; k < curves; k++) {
            const curve *c = &s->curve[k];
            const double *values = s->coef + l * width;
            double *v = V + l * s->rows;
            for (int64_t t = 0; t < s->rows; t++)
                v[t] -= (1.0 - c->share[t]) * values[c->first + c->at[t]] +
                        c->share[t] * values[next_of(c, t)];
        }
}

static rls2_status reserve_room(search *s)
{
    s->G = take(s, rls2__mul(s->width, s->width), sizeof(double));
    s->coef = take(s, s->width + s->near_width * LANDMARKS, sizeof(double));
    s->phi = take(s, rls2__mul(s->rows, LANDMARKS), sizeof(double));
    s->C = take(s, (int64_t)LANDMARKS * LANDMARKS, sizeof(double));
    s->M = take(s, 2 * (int64_t)LANDMARKS * LANDMARKS, sizeof(double));
    s->a = take(s, 2 * (int64_t)LANDMARKS, sizeof(double));
    s->f = take(s, s->rows, sizeof(double));
    s->best = take(s, s->rows, sizeof(double));
    return s->G && s->coef && s->phi && s->C && s->M && s->a && s->f && s->best ? RLS2_OK
                                                                                : RLS2_ERR_MEMORY;
}

/* ---- one group ---- */

static rls2__kernel kernel_of(const search *s, const rls2__input_group *group)
{
    rls2__kernel kernel = {.kind = RLS2__KERNEL_RBF,
                           .param = {group->gamma},
                           .columns = s->kernel_columns,
                           .given = -1,
                           .name = ""};
    for (int64_t k = 0; k < group->count; k++) {
        int64_t first, width = rls2_dataset_input_columns(s->data, group->inputs[k], &first);
        int64_t start = s->start[find_member(s, group->inputs[k])];
        for (int64_t j = 0; j < width; j++) s->kernel_columns[kernel.column_count++] = start + j;
    }
    return kernel;
}

/* Features phi = K(., Z) C^-T, less what the inputs say one by one; how many into *count. */
static rls2_status make_features(search *s, const rls2__kernel *kernel, int64_t *count)
{
    const rls2_rows rows = {.n = s->rows, .p = s->columns, .x = s->x};
    const rls2_rows among = {.n = s->among_rows, .p = s->columns, .x = s->among};
    int64_t landmark[LANDMARKS];
    rls2_status status = rls2__landmarks_pick(&among, kernel, LANDMARKS, landmark, count);
    if (status != RLS2_OK) return status;
    for (int64_t l = 0; l < *count; l++) landmark[l] = among_of(s, landmark[l]);
    for (int64_t l = 0; l < *count; l++) {
        double *column = s->phi + l * s->rows;
        rls2__kernel_column(kernel, &rows, &rows, landmark[l], column);
        for (int64_t k = 0; k < *count; k++) s->C[l * *count + k] = column[landmark[k]];
        s->C[l * *count + l] += 1e-8;
    }
    if (rls2__la_cholesky(*count, s->C, *count) != 0) *count = 0;
    if (*count == 0) return RLS2_OK;
    rls2__la_lower_solve_right(s->rows, *count, s->C, *count, s->phi, s->rows);
    take_off(s, s->near_curves, s->near_width, *count, s->phi);
    return RLS2_OK;
}

static double mean_square(const search *s, const double *f)
{
    double sum = 0.0;
    for (int64_t t = s->n; t < s->rows; t++) {
        double e = s->rest[t] - (f ? f[t] : 0.0);
        sum += e * e;
    }
    return sum / (double)(s->rows - s->n);
}

/* The least mean square of the rows that score; what is predicted by it into s->f. */
static double fit_features(search *s, int64_t count)
{
    double *A = s->M + LANDMARKS * LANDMARKS, *b = s->a + LANDMARKS, least = INFINITY, ridge = 0.0;
    rls2__la_gram(s->n, count, s->phi, s->rows, s->M, count);
    rls2__la_gemv_t(s->n, count, s->phi, s->rows, s->rest, b);
    for (int64_t r = 0; r <= RIDGE_COUNT; r++) { /* the last time with the best */
        double now = r < RIDGE_COUNT ? RIDGES[r] : ridge;
        memcpy(A, s->M, (size_t)(count * count) * sizeof *A);
        memcpy(s->a, b, (size_t)count * sizeof *b);
        for (int64_t l = 0; l < count; l++) A[l * count + l] += now;
        if (rls2__la_cholesky(count, A, count) != 0) continue;
        rls2__la_cholesky_solve(count, 1, A, count, s->a, count);
        memset(s->f, 0, (size_t)s->rows * sizeof *s->f);
        rls2__la_gemv_n(s->rows, count, 1.0, s->phi, s->rows, s->a, 1.0, s->f);
        double square = mean_square(s, s->f);
        if (square < least) {
            least = square;
            ridge = now;
        }
    }
    return least;
}

/* Tries a group: where it is better than *best it becomes it. */
static rls2_status try_group(search *s, const rls2__input_group *group, rls2__input_group *best)
{
    int64_t count = 0;
    const rls2__kernel kernel = kernel_of(s, group);
    rls2_status status = make_features(s, &kernel, &count);
    if (status != RLS2_OK || count == 0) return status;
    double gain = 1.0 - fit_features(s, count) / mean_square(s, NULL);
    if (!(gain > best->gain)) return RLS2_OK;
    *best = *group;
    best->gain = gain;
    memcpy(s->best, s->f, (size_t)s->rows * sizeof *s->f);
    return RLS2_OK;
}

/* ---- growth ---- */

static int has_input(const rls2__input_group *group, int64_t input)
{
    for (int64_t k = 0; k < group->count; k++)
        if (group->inputs[k] == input) return 1;
    return 0;
}

static int is_among(const rls2__input_group *group, int64_t found, const rls2__input_group *before)
{
    for (int64_t g = 0; g < found; g++) {
        int64_t same = 0;
        for (int64_t k = 0; k < group->count; k++) same += has_input(&before[g], group->inputs[k]);
        if (same == group->count && same == before[g].count) return 1;
    }
    return 0;
}

/* By the input that helps most; 1: it grew. The groups found before stand in front of it. */
static rls2_status grow(search *s, int64_t found, rls2__input_group *group, int *grew)
{
    rls2__input_group best = *group;
    rls2_status status = RLS2_OK;
    best.gain += LEAST_GAIN * (1.0 - group->gain);
    for (int64_t c = 0; c < s->members && c < CANDIDATES && status == RLS2_OK; c++) {
        rls2__input_group more = *group;
        if (has_input(group, s->member[c])) continue;
        more.inputs[more.count++] = s->member[c];
        if (!is_among(&more, found, group - found)) status = try_group(s, &more, &best);
    }
    *grew = best.count > group->count;
    if (*grew) *group = best;
    return status;
}

static rls2_status find_group(search *s, int64_t pair_count, const rls2__input_pair *pairs,
                              int64_t found, rls2__input_group *group)
{
    rls2_status status = RLS2_OK;
    int grew = 1;
    *group = (rls2__input_group){.gain = LEAST_GAIN};
    for (int64_t t = 0; t < pair_count && t < MOST_STARTS && status == RLS2_OK; t++) {
        const rls2__input_group start = {
            .count = 2, .inputs = {pairs[t].first, pairs[t].second}, .gamma = FIRST_GAMMA};
        if (!is_among(&start, found, group - found)) status = try_group(s, &start, group);
    }
    while (status == RLS2_OK && grew && group->count > 0 && group->count < RLS2__GROUP_INPUTS)
        status = grow(s, found, group, &grew);
    for (int64_t g = 0; g < GAMMA_COUNT && group->count > 0 && status == RLS2_OK; g++) {
        rls2__input_group other = *group;
        other.gamma = GAMMAS[g];
        status = try_group(s, &other, group);
    }
    return status;
}

static rls2_status find_all(search *s, int64_t pair_count, const rls2__input_pair *pairs,
                            rls2__input_group *groups, int64_t *count)
{
    rls2_status status = RLS2_OK;
    take_off(s, s->curves, s->width, 1, s->rest);
    while (status == RLS2_OK && *count < RLS2__MOST_GROUPS && mean_square(s, NULL) > 0.0) {
        status = find_group(s, pair_count, pairs, *count, &groups[*count]);
        if (status != RLS2_OK || groups[*count].count == 0) break;
        ++*count;
        for (int64_t t = 0; t < s->rows; t++) s->rest[t] -= s->best[t];
    }
    return status;
}

/* The inputs of the pairs, the strongest first. */
static void find_members(search *s, int64_t pair_count, const rls2__input_pair *pairs)
{
    for (int64_t t = 0; t < 2 * pair_count && s->members < MOST_MEMBERS; t++) {
        int64_t input = t % 2 == 0 ? pairs[t / 2].first : pairs[t / 2].second;
        if (find_member(s, input) == s->members) s->member[s->members++] = input;
    }
}

rls2_status rls2__find_groups(const rls2_dataset *data, int standardized, int64_t pair_count,
                              const rls2__input_pair *pairs, rls2__input_group *groups,
                              int64_t *count)
{
    search s = {.data = data};
    *count = 0;
    if (pair_count == 0 || !data->y) return RLS2_OK;
    find_members(&s, pair_count, pairs);
    s.arena = rls2__arena_create();
    rls2_status status = s.arena ? reserve_sample(&s, standardized) : RLS2_ERR_MEMORY;
    if (status == RLS2_OK) status = make_curves(&s);
    if (status == RLS2_OK) status = reserve_room(&s);
    if (status == RLS2_OK) status = rls2__la_enter(NULL);
    if (status == RLS2_OK) {
        if (factorize_curves(&s)) status = find_all(&s, pair_count, pairs, groups, count);
        rls2__la_leave();
    }
    rls2__arena_free(s.arena);
    return status;
}
