/* How time and memory of tall fits grow with knots, kernels, lambdas, splits and classes.
 *
 * A lambda of a fit takes the time of a few factorisations of order D, the knots of all axes and
 * the Nystroem points, and of a pricing of all kernels there. How many Nystroem points there will
 * be only the pilot knows, and operators of these are dense; the guess is good for a factor of two
 * on most tables, of twenty where kernels of all columns together turn out to be worth many.
 * The constants were measured on twelve tables of 4,000 to 1,000,000 rows, 3 to 100 columns and up
 * to 6 classes, on one thread of a machine of 65e9 operations a second. */
#include "plan/tall_cost.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "plan/plan_source.h"

/* Points of all axes and of one, as src/stats/axis.c has them; Nystroem points of all kernels. */
enum { ALL_POINTS = 640, MOST_POINTS = 512, LEAST_POINTS = 16, MOST_FEATURES = 480 };
/* Rows that are looked at for different values. */
enum { SAMPLE = 2000 };

static const struct {
    double cubes;    /* operations for a lambda and D^3, */
    double dense;    /* so many times more where all Nystroem points are in use, */
    double kernels;  /* for a kernel and D^2 */
    double classes;  /* exponent: outputs share a path's steps */
    double of_pair;  /* Nystroem points for each pair of inputs, */
    double of_input; /* and for each input, of at most so many, where kernels look at all */
    double inputs;
    double pilot;       /* seconds with kernels of several inputs, */
    double start;       /* and without */
    double pair;        /* seconds for a row and a pair of axes, */
    double cell;        /* a cell, */
    double row;         /* a row, */
    double read;        /* a cell that is read once more */
    double open;        /* fits at a time, besides one of each thread, */
    double rank;        /* and columns of the factor of a kernel there, at most */
    double base_bytes;  /* of the process */
    double axis_bytes;  /* of a row and an axis: as text and as cells, */
    double cell_bytes;  /* and for each column of numbers made of it */
    double pilot_bytes; /* of a kernel of several inputs */
} MEASURED = {.cubes = 1.3,
              .dense = 3.0,
              .kernels = 2.0,
              .classes = 0.6,
              .of_pair = 48.0,
              .of_input = 4.0,
              .inputs = 20.0,
              .pilot = 1.0,
              .start = 0.3,
              .pair = 2.5e-9,
              .cell = 4e-8,
              .row = 4e-6,
              .read = 1.2e-7,
              .open = 7.0,
              .rank = 30.0,
              .base_bytes = 8e7,
              .axis_bytes = 33.0,
              .cell_bytes = 12.0,
              .pilot_bytes = 4e6};

/* ---- sizes ---- */

typedef struct sizes {
    double axes, points; /* how many, and points of all */
    double several;      /* kernels of several inputs */
    double features;     /* Nystroem points, about */
} sizes;

static int by_number(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Different values of a column, about: all where they repeat, else as many as an axis may have. */
static int64_t count_values(int64_t rows, const double *x, double *room)
{
    int64_t count = rows < SAMPLE ? rows : SAMPLE, values = count > 0;
    for (int64_t i = 0; i < count; i++) room[i] = x[i * rows / count];
    qsort(room, (size_t)count, sizeof *room, by_number);
    for (int64_t i = 1; i < count; i++) values += room[i] > room[i - 1];
    return 4 * values > count || values > MOST_POINTS ? MOST_POINTS : values;
}

/* As find_most in src/stats/axis.c. */
static void count_points(int64_t count, const int64_t *values, double categories, sizes *made)
{
    static const int64_t AT_MOST[] = {512, 384, 256, 192, 128, 96, 64, 48, 32, 24, LEAST_POINTS};
    for (size_t s = 0; s < sizeof AT_MOST / sizeof AT_MOST[0]; s++) {
        made->points = categories;
        for (int64_t a = 0; a < count; a++)
            made->points += (double)(values[a] < AT_MOST[s] ? values[a] : AT_MOST[s]);
        if (made->points <= ALL_POINTS) return;
    }
}

/* Of numbers each column is an axis, an indicator of missing cells being one of two points. */
static rls2_status find_points(const rls2_dataset *data, sizes *made)
{
    int64_t rows = rls2_dataset_rows(data), columns = rls2_dataset_columns(data), count = 0;
    int64_t *values = rls2__alloc(columns, sizeof *values);
    double *room = rls2__alloc(SAMPLE, sizeof *room), categories = 0.0;
    for (int64_t k = 0; values && room && k < rls2_dataset_input_count(data); k++) {
        int64_t first, width = rls2_dataset_input_columns(data, k, &first);
        int text = rls2_dataset_input_kind(data, k) == RLS2_COLUMN_TEXT;
        if (text) categories += (double)width + 1.0;
        for (int64_t j = first; j < first + width && !text; j++)
            values[count++] = count_values(rows, rls2_dataset_x(data) + j * rows, room);
        made->axes += text ? 1.0 : (double)width;
    }
    rls2_status status = values && room ? RLS2_OK : RLS2_ERR_MEMORY;
    if (status == RLS2_OK) count_points(count, values, categories, made);
    rls2__free(values);
    rls2__free(room);
    return status;
}

/* Inputs that a kernel looks at: 1, 2, or 3 where there are more. */
static int count_inputs(const rls2_dataset *data, const rls2_dictionary *dictionary, int64_t k)
{
    const int64_t *columns;
    int64_t count = rls2_dictionary_kernel_columns(dictionary, k, &columns), last = -1;
    int inputs = 0;
    for (int64_t t = 0, input = 0; t < count && inputs < 3; t++) { /* columns ascend */
        int64_t first, width = rls2_dataset_input_columns(data, input, &first);
        while (columns[t] >= first + width && input + 1 < rls2_dataset_input_count(data))
            width = rls2_dataset_input_columns(data, ++input, &first);
        inputs += input != last;
        last = input;
    }
    return inputs;
}

static void find_features(const rls2_dataset *data, const rls2_dictionary *dictionary, sizes *made)
{
    enum { WIDTHS = 2 }; /* kernels for each pair */
    double pairs = 0.0, whole = 0.0;
    for (int64_t k = 0; k < rls2_dictionary_count(dictionary); k++) {
        int inputs = count_inputs(data, dictionary, k);
        pairs += inputs == 2;
        whole += inputs > 2;
    }
    made->several = pairs + whole;
    made->features = MEASURED.of_pair * pairs / WIDTHS;
    if (whole > 0.0) made->features += MEASURED.of_input * fmin(made->axes, MEASURED.inputs);
    made->features = fmin(made->features, MOST_FEATURES);
}

/* ---- costs ---- */

/* Of one lambda of one fit. */
static double operations(const sizes *found, double kernels)
{
    double D = found->points + found->features;
    double cubes = MEASURED.cubes * (1.0 + MEASURED.dense * found->features / MOST_FEATURES);
    return cubes * D * D * D + MEASURED.kernels * kernels * D * D;
}

static double seconds_of_rows(const rls2_plan *plan, const sizes *found)
{
    double n = (double)rls2_plan_row_count(plan);
    int is_read = plan->source && plan->source->rows, is_counted = plan->source && !is_read;
    double each = found->axes * found->axes / 2.0 * MEASURED.pair + found->axes * MEASURED.cell +
                  MEASURED.row + (is_read ? found->axes * MEASURED.read : 0.0);
    return is_counted ? 0.0 : n * each;
}

static double row_bytes(const sizes *found, const rls2__workload *work)
{
    return MEASURED.axis_bytes * found->axes + MEASURED.cell_bytes * work->inputs;
}

/* To list kernels a sample is read even where a fit will have all rows in memory. */
static double rows_in_memory(const rls2_plan *plan, const rls2__workload *work)
{
    static const double LARGE = 268435456.0, OF_CELL = 8.0; /* bytes of a file */
    double all = (double)rls2_plan_row_count(plan);
    int is_listed = plan->goal == RLS2_GOAL_KERNELS && plan->source && plan->source->rows;
    return is_listed && OF_CELL * all * work->inputs < LARGE ? all : work->outline.n;
}

rls2_status rls2__tall_cost(const rls2_plan *plan, const rls2__workload *work,
                            const rls2__speeds *speeds, double limit, rls2_cost *cost)
{
    sizes found = {0};
    const rls2_dataset *data = plan->train.data;
    rls2_status status = find_points(data, &found);
    if (status != RLS2_OK) return status;
    find_features(data, plan->ingredients.dictionary, &found);
    double D = found.points + found.features, kernels = work->outline.kernels,
           threads = fmax(work->threads, 1.0), fits = 1.0 + work->splits;
    double lambdas = work->lambdas * fits * pow(work->outputs, MEASURED.classes);
    double seconds = (found.several > 0.0 ? MEASURED.pilot : MEASURED.start) +
                     lambdas * operations(&found, kernels) / speeds->flops +
                     seconds_of_rows(plan, &found);
    double counts = 8.0 * fits * D * D;
    double bases = 8.0 * fmin(fits, MEASURED.open + threads) * kernels * D *
                   fmin(MEASURED.rank, found.points / found.axes);
    double bytes = MEASURED.base_bytes + rows_in_memory(plan, work) * row_bytes(&found, work) +
                   counts + bases + MEASURED.pilot_bytes * found.several + 40.0 * threads * D * D;
    *cost = (rls2_cost){.seconds = seconds / threads,
                        .bytes = bytes,
                        .kernel_bytes = counts,
                        .least_bytes = bytes,
                        .limit = limit};
    return RLS2_OK;
}
