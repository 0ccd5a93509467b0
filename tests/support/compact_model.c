/* Makes compact models from parts, and evaluates them by definition. */
#include "support/compact_model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- an ordinary model in other clothes ---- */

/* All data columns, zeros where the model keeps none. */
static double *rows_of(const rls2_model *model)
{
    int64_t n = rls2_model_points(model), p = rls2_model_columns(model);
    double *x = numbers(n * p);
    for (int64_t j = 0; j < p; j++) {
        const double *kept = rls2_model_training_column(model, j);
        for (int64_t i = 0; i < n; i++) x[j * n + i] = kept ? kept[i] : 0.0;
    }
    return x;
}

static void copy_output(const rls2_model *one, int64_t m, double *c, int64_t *ks, double *d,
                        rls2__compact_output *out)
{
    int64_t n = rls2_model_points(one), size = rls2_model_kernel_count(one);
    for (int64_t k = 0; k < m; k++) memcpy(c + k * n, rls2_model_c(one), (size_t)n * sizeof *c);
    for (int64_t k = 0; k < size; k++) {
        ks[k] = rls2_model_kernel_index(one, k);
        d[k] = rls2_model_kernel_weight(one, k);
    }
    *out = (rls2__compact_output){.count = size,
                                  .ks = ks,
                                  .d = d,
                                  .scales = rls2_model_scales(one),
                                  .c = c,
                                  .point = *rls2_model_point(one),
                                  .intercept = rls2_model_intercept(one),
                                  .represented = {0.0, (double)NAN, (double)NAN}};
}

rls2_model *compact_copy(const rls2_model *model, int64_t rows)
{
    enum { MOST_OUTPUTS = 8 };
    const rls2_dictionary *dictionary = rls2_model_dictionary(model);
    int64_t n = rls2_model_points(model), m = rls2_dictionary_count(dictionary),
            outputs = rls2_model_outputs(model);
    rls2__compact_output out[MOST_OUTPUTS];
    rls2_model_block *blocks = calloc((size_t)m, sizeof *blocks);
    int64_t *block_of = calloc((size_t)m, sizeof *block_of),
            *ks = calloc((size_t)(m * outputs), sizeof *ks);
    double *x = rows_of(model), *c = numbers(m * n * outputs), *d = numbers(m * outputs),
           *mass = numbers(m * n);
    rls2_model *made = NULL;
    rls2_error err;
    assert_true(blocks && block_of && ks && outputs <= MOST_OUTPUTS);
    for (int64_t k = 0; k < m; k++) {
        blocks[k] = (rls2_model_block){.count = n, .exact = 1};
        blocks[k].column_count = rls2_dictionary_kernel_columns(dictionary, k, &blocks[k].columns);
        block_of[k] = k;
    }
    for (int64_t i = 0; i < m * n; i++) mass[i] = 1.0;
    for (int64_t o = 0; o < outputs; o++)
        copy_output(rls2_model_output(model, o), m, c + o * m * n, ks + o * m, d + o * m, &out[o]);
    const rls2__compact_parts parts = {.dictionary = dictionary,
                                       .scaling = *rls2_model_scaling_rule(model),
                                       .solver = rls2_model_solver(model),
                                       .rows = rows,
                                       .points = n,
                                       .x = x,
                                       .blocks = m,
                                       .block = blocks,
                                       .mass = mass,
                                       .block_of = block_of,
                                       .outputs = outputs,
                                       .output = out};
    assert_ok(rls2__compact_create(&parts, &made, &err), &err);
    free(blocks);
    free(block_of);
    free(ks);
    free(x);
    free(c);
    free(d);
    free(mass);
    return made;
}

/* ---- one that is made up ---- */

static const int64_t COLUMNS[] = {0, 1};

/* Rows and columns of each block: two grids in the same rows, the rest below. */
static const struct {
    int64_t first, count, column, columns;
} LAYOUT[MADE_BLOCKS] = {{0, 6, 0, 1}, {1, 4, 1, 1}, {6, 2, 0, 2}, {8, 5, 0, 2}, {13, 1, 1, 1}};

static void add_kernels(made_compact *made)
{
    static const int64_t BLOCK_OF[MADE_KERNELS] = {0, 1, 0, 1, 0, 1, 2, 3, 4};
    problem_add(&made->problem, LINEAR, 0.0, 0.0, 0);
    problem_add(&made->problem, LINEAR, 0.0, 0.0, 1);
    problem_add(&made->problem, RBF, 0.5, 0.0, 0);
    problem_add(&made->problem, SPLINE, 0.0, 0.0, 1);
    problem_add(&made->problem, MATERN, 1.5, 2.0, 0);
    problem_add(&made->problem, POLY, 2.0, 1.0, 1);
    problem_add(&made->problem, LINEAR, 0.0, 0.0, -1);
    problem_add(&made->problem, RBF, 0.25, 0.0, -1);
    problem_add(&made->problem, DELTA, 0.0, 0.0, 1);
    memcpy(made->block_of, BLOCK_OF, sizeof BLOCK_OF);
}

static void add_points(made_compact *made, rls2__random *random)
{
    for (int i = 0; i < MADE_POINTS * MADE_COLUMNS; i++) made->x[i] = rls2__random_normal(random);
    for (int b = 0; b < MADE_BLOCKS; b++) {
        made->blocks[b] = (rls2_model_block){.first = LAYOUT[b].first,
                                             .count = LAYOUT[b].count,
                                             .columns = COLUMNS + LAYOUT[b].column,
                                             .column_count = LAYOUT[b].columns,
                                             .exact = b % 2};
        made->offsets[b + 1] = made->offsets[b] + LAYOUT[b].count;
    }
    double *units = made->x + LAYOUT[2].first; /* (1, 0) and (0, 1) */
    units[0] = units[MADE_POINTS + 1] = 1.0;
    units[1] = units[MADE_POINTS] = 0.0;
    for (int64_t i = 0; i < made->offsets[MADE_BLOCKS]; i++)
        made->mass[i] = (double)(1 + i) * 1000.0;
    made->mass[made->offsets[2]] = made->mass[made->offsets[2] + 1] = 0.0; /* no rows are there */
}

/* All kernels but the last; the second output does without the first two. */
static void add_output(made_compact *made, int64_t o, rls2__random *random)
{
    int64_t first = o == 0 ? 0 : 2, count = MADE_KERNELS - 1 - first;
    for (int64_t k = 0; k < MADE_KERNELS; k++)
        made->scales[o][k] = 0.5 + rls2__random_uniform(random);
    for (int64_t t = 0; t < count; t++) {
        made->ks[o][t] = first + t;
        made->d[o][t] = 1.0 / (double)count;
        made->shares[o][t] = 0.125 * (double)(t - 1);
    }
    for (int64_t i = 0; i < made->offsets[MADE_BLOCKS]; i++)
        made->c[o][i] = rls2__random_normal(random);
    made->outputs[o] = (rls2__compact_output){
        .count = count,
        .ks = made->ks[o],
        .d = made->d[o],
        .scales = made->scales[o],
        .c = made->c[o],
        .shares = made->shares[o],
        .point = {.lambda = 0.25, .objective = 3.0, .gap = 1e-7, .df = 5.5, .selected = count},
        .intercept = 1.5 - (double)o,
        .represented = {1e-3 * (double)(1 + o), 0.04, 1.25, 0.375, 0.01}};
}

made_compact *made_compact_create(int64_t outputs)
{
    static const char *const names[] = {"x1", "x2"};
    char spec[SPEC_ROOM];
    rls2__random random;
    rls2_error err;
    made_compact *made = calloc(1, sizeof *made);
    assert_non_null(made);
    rls2__random_seed(&random, 5);
    made->problem.p = MADE_COLUMNS;
    add_kernels(made);
    problem_spec(&made->problem, spec);
    rls2_columns columns = {.count = MADE_COLUMNS, .names = names};
    assert_ok(rls2_dictionary_create(spec, &columns, &made->dictionary, &err), &err);
    add_points(made, &random);
    for (int64_t o = 0; o < outputs; o++) add_output(made, o, &random);
    made->parts = (rls2__compact_parts){.dictionary = made->dictionary,
                                        .scaling = {.rule = RLS2_SCALING_TRACE},
                                        .rows = MADE_ROWS,
                                        .points = MADE_POINTS,
                                        .x = made->x,
                                        .blocks = MADE_BLOCKS,
                                        .block = made->blocks,
                                        .mass = made->mass,
                                        .block_of = made->block_of,
                                        .outputs = outputs,
                                        .output = made->outputs};
    return made;
}

static void sort(int64_t count, double *x)
{
    for (int64_t i = 1; i < count; i++)
        for (int64_t j = i; j > 0 && x[j] < x[j - 1]; j--) {
            double other = x[j];
            x[j] = x[j - 1];
            x[j - 1] = other;
        }
}

void made_compact_add_knots(made_compact *made)
{
    static const struct {
        int64_t block, knots;
    } OF[] = {{0, 6}, {1, 4}, {3, 4}};
    for (size_t i = 0; i < sizeof OF / sizeof OF[0]; i++) {
        rls2_model_block *block = &made->blocks[OF[i].block];
        block->knots = OF[i].knots;
        block->exact = 0;
        sort(block->knots, made->x + block->columns[0] * MADE_POINTS + block->first);
    }
    double *flags = made->x + MADE_POINTS + LAYOUT[3].first;
    for (int g = 0; g < 5; g++) flags[g] = g == 4;
}

void made_compact_free(made_compact *made)
{
    rls2_dictionary_free(made->dictionary);
    free(made);
}

rls2_model *made_compact_model(const made_compact *made)
{
    rls2_model *model = NULL;
    rls2_error err;
    assert_ok(rls2__compact_create(&made->parts, &model, &err), &err);
    return model;
}

double made_compact_part(const made_compact *made, int64_t o, int64_t t, const double x[2])
{
    int64_t k = made->ks[o][t], b = made->block_of[k], count = made->blocks[b].count;
    double points[MADE_POINTS * MADE_COLUMNS];
    long double sum = 0.0L;
    for (int64_t j = 0; j < MADE_COLUMNS; j++)
        memcpy(points + j * count, made->x + j * MADE_POINTS + made->blocks[b].first,
               (size_t)count * sizeof *points);
    plain_problem block = made->problem; /* whose rows are the points: a spline has their range */
    block.n = count;
    block.x = points;
    for (int64_t g = 0; g < count; g++)
        sum += made->c[o][made->offsets[b] + g] *
               plain_value(&block, &made->problem.kernels[k], 1, x, 0, count, points, g);
    return (double)(sum * made->d[o][t] * made->scales[o][k]);
}

double made_compact_linear_part(const made_compact *made, int64_t o, int64_t t, const double x[2])
{
    int64_t k = made->ks[o][t];
    const rls2_model_block *block = &made->blocks[made->block_of[k]];
    const double *points = made->x + block->first,
                 *number = points + block->columns[0] * MADE_POINTS;
    if (block->knots == 0 || made->problem.kernels[k].kind == LINEAR)
        return made_compact_part(made, o, t, x);
    if (block->count > block->knots && x[1] > 0.5) {
        const double missing[] = {points[block->knots], points[MADE_POINTS + block->knots]};
        return made_compact_part(made, o, t, missing);
    }
    for (int64_t g = 0; g + 1 < block->knots; g++) {
        double value = x[block->columns[0]];
        if (value < number[g] || value > number[g + 1]) continue;
        double share = (value - number[g]) / (number[g + 1] - number[g]);
        const double low[] = {points[g], points[MADE_POINTS + g]},
                     high[] = {points[g + 1], points[MADE_POINTS + g + 1]};
        return (1.0 - share) * made_compact_part(made, o, t, low) +
               share * made_compact_part(made, o, t, high);
    }
    int64_t end = x[block->columns[0]] < number[0] ? 0 : block->knots - 1;
    const double at_end[] = {points[end], points[MADE_POINTS + end]};
    return made_compact_part(made, o, t, at_end);
}
