/* How memory and time grow with rows, kernels, lambdas and splits.
 *
 * The kernels are made; then for each lambda M = R(d) + lambda I is factorised about so many times
 * (n^3 / 3 multiplications), or a low-rank part of it, and what is stored is read about so many
 * times for pricing. A split does the same on fewer rows, less precisely, and starts near the
 * answer. Numbers of times depend on the data; those below are typical, measured on tables of 300
 * to 20,000 rows, and good for a factor of two. */
#include "plan/cost.h"

#include <math.h>

static const double DOUBLE = sizeof(double);

/* ---- what was measured ---- */

static const struct {
    double matrices;         /* of n x n that the solver holds, */
    double triangles;        /* that it makes of factors, at most, */
    double cache;            /* and the bytes these may take */
    double iterated;         /* rows from which on a system is factorised once for a lambda, */
    double once;             /* which so many lambdas in one need, */
    double turns;            /* and is then multiplied with so often */
    double factorisations;   /* of fewer rows, for each lambda of a path */
    double split_factorised; /* for each lambda of a split */
    double df;               /* the same, for degrees of freedom at each lambda */
    double readings;         /* of all that is stored, for each lambda */
    double split_readings;   /* of fewer rows */
    double per_kernel;       /* seconds for each lambda and kernel, beside its values */
    double per_factor;       /* pivoted Cholesky: multiplications for n r^2 */
    double per_cell;         /* readings of the data for each split */
    double cell_bytes;       /* of the table and its copies, for each row and column of data */
    double with_baselines;   /* so many times the work of a split */
    double evaluations;      /* of the evidence that widths are learned by */
    double per_evaluation;   /* multiplications of each for n^3, */
    double per_distance;     /* and for n^2 and each input */
    double per_member;       /* factorisations for all lambdas of what may be stacked */
    double pilots;           /* splits that go first */
    double shared;           /* of the work on a path that threads share */
} MEASURED = {.matrices = 3.0,
              .triangles = 10.0,
              .cache = 1073741824.0,
              .iterated = 1200.0,
              .once = 0.7,
              .turns = 60.0,
              .factorisations = 4.5,
              .split_factorised = 3.0,
              .df = 1.6,
              .readings = 2.5,
              .split_readings = 1.5,
              .per_kernel = 1e-5,
              .per_factor = 4.0,
              .per_cell = 20.0,
              .cell_bytes = 140.0,
              .with_baselines = 3.0,
              .evaluations = 20.0,
              .per_evaluation = 1.5,
              .per_distance = 2.0,
              .per_member = 12.0,
              .pilots = 2.0,
              .shared = 0.85};

/* ---- sizes ---- */

static double columns_in_all(const rls2__outline *o)
{
    return o->ranks + o->ones;
}

static int is_low_rank(const rls2__outline *o)
{
    return o->triangles == 0.0 && o->given == 0.0;
}

double rls2__virtual_rows(const rls2__outline *o)
{
    double few = floor(o->n / 3.0);
    if (o->general) return o->n;
    if (o->different <= few) return o->different + 1.0;
    if (is_low_rank(o) && columns_in_all(o) <= few) return columns_in_all(o) + 1.0;
    return o->n;
}

/* Linear kernels of single columns, which have a method of their own. */
static int is_linear(const rls2__outline *o)
{
    return o->ones == o->kernels && !o->general;
}

double rls2__system_order(const rls2__outline *o)
{
    double rows = rls2__virtual_rows(o), columns = columns_in_all(o);
    if (o->general) return is_low_rank(o) && columns <= floor(rows / 3.0) ? columns : rows;
    return is_linear(o) ? fmin(rows, o->ones) : rows;
}

static double stored(const rls2__outline *o, double memory)
{
    double bytes = rls2__outline_bytes(o);
    return memory > 0.0 ? fmin(bytes, memory) : bytes;
}

static double solving(const rls2__outline *o)
{
    double rows = rls2__virtual_rows(o), square = DOUBLE * rows * rows;
    if (is_linear(o)) square = DOUBLE * fmin(rows * rows, o->ones * o->ones);
    double rotated = rows < o->n ? DOUBLE * o->n * columns_in_all(o) : 0.0;
    double triangles = fmin(MEASURED.cache, fmin(MEASURED.triangles, o->factors) * square / 2.0);
    return rotated + (is_linear(o) ? square : MEASURED.matrices * square + triangles);
}

/* Triangles in 32 bits are like half as many. */
static rls2__outline split_outline(const rls2__workload *work)
{
    rls2__outline split = rls2__outline_on(&work->outline, work->split_rows);
    if (work->halved) split.triangles *= 0.5;
    return split;
}

/* ---- memory ---- */

double rls2__workload_kernel_bytes(const rls2__workload *work)
{
    return stored(&work->outline, work->memory);
}

/* Outputs are fitted one after another, except where path and splits go down the grid together:
 * their paths are then open all the time. */
static double kept_open(const rls2__workload *work)
{
    return work->by_steps ? work->outputs : 1.0;
}

/* Of splits that go first, what their paths hold beside those that are solved for. */
static double open_pilots(const rls2__workload *work, const rls2__outline *split)
{
    double pilots = work->by_steps ? fmin(MEASURED.pilots, work->splits) : 0.0;
    return pilots * (work->outputs - 1.0) * solving(split);
}

/* Where rows are left out besides, that needs more. */
static double halves_bytes(const rls2__workload *work, int at_once)
{
    const rls2__outline half = rls2__outline_on(&work->outline, work->outline.n / 2.0);
    double together = at_once ? fmin(work->threads, work->halves) : 1.0;
    return together * (stored(&half, work->memory / fmax(together, 1.0)) + solving(&half));
}

/* One split after another needs not even the kernels of all rows. */
double rls2__workload_bytes(const rls2__workload *work, int at_once)
{
    const rls2__outline split = split_outline(work);
    double kernels = rls2__workload_kernel_bytes(work);
    double path = solving(&work->outline) * kept_open(work) + open_pilots(work, &split);
    double together = at_once ? fmin(work->threads, work->splits) : 1.0;
    double each = stored(&split, work->memory / fmax(together, 1.0)) + solving(&split);
    double data = MEASURED.cell_bytes * work->outline.n * work->inputs;
    if (work->splits < 1.0 && work->halves > 0.0)
        return data + kernels + path + halves_bytes(work, at_once);
    if (work->splits < 1.0) return data + kernels + path;
    return data + (at_once ? kernels + path + together * each : fmax(kernels + path, each));
}

rls2__workload rls2__workload_on(const rls2__workload *work, double rows)
{
    rls2__workload other = *work;
    other.outline = rls2__outline_on(&work->outline, rows);
    other.split_rows = work->split_rows * rows / work->outline.n;
    return other;
}

/* Two digits: it is a guess. */
static double round_down(double rows)
{
    double unit = pow(10.0, floor(log10(fmax(rows, 1.0))) - 1.0);
    return floor(rows / unit) * unit;
}

double rls2__rows_that_fit(const rls2__workload *work, double bytes)
{
    double low = 0.0, high = work->outline.n;
    if (rls2__workload_bytes(work, 0) <= bytes) return high;
    while (high - low > 1.0) {
        double middle = floor((low + high) / 2.0);
        const rls2__workload part = rls2__workload_on(work, middle);
        if (rls2__workload_bytes(&part, 0) <= bytes)
            low = middle;
        else
            high = middle;
    }
    return low >= 100.0 ? round_down(low) : 0.0;
}

/* ---- time ---- */

static double making_kernels(const rls2__outline *o, const rls2__speeds *speeds)
{
    double rank = o->factors > 0.0 ? o->ranks / o->factors : 0.0;
    return o->triangles * o->n * o->n / 2.0 / speeds->pairs +
           MEASURED.per_factor * o->ranks * rank * o->n / speeds->flops;
}

static double learning_widths(const rls2__workload *work, double rows, const rls2__speeds *speeds)
{
    double n = fmin(rows, work->width_rows);
    double each =
        MEASURED.per_evaluation * n * n * n + MEASURED.per_distance * n * n * work->inputs;
    return work->width_sets * MEASURED.evaluations * each / speeds->flops;
}

/* The rotation into fewer rows, once. */
static double rotating(const rls2__outline *o, const rls2__speeds *speeds)
{
    double columns = fmin(columns_in_all(o), rls2__virtual_rows(o));
    return rls2__virtual_rows(o) < o->n ? 2.0 * o->n * columns * columns / speeds->flops : 0.0;
}

static double factorising(double order, const rls2__speeds *speeds)
{
    return order * order * order / 3.0 / speeds->flops;
}

/* Beside degrees of freedom. `few`: of a system that is factorised at each point. */
typedef struct times {
    double factorisations, readings;
} times;

static double one_lambda(const rls2__outline *o, times few, const rls2__speeds *speeds)
{
    double rows = rls2__virtual_rows(o), order = rls2__system_order(o);
    const rls2__outline seen = rls2__outline_on(o, rows);
    double values = rls2__outline_bytes(&seen) + DOUBLE * rows * (o->ones + order), turns = 0.0;
    if (order >= MEASURED.iterated && !o->general) {
        few = (times){MEASURED.once, MEASURED.readings};
        turns = MEASURED.turns * DOUBLE * order * order;
    }
    return few.factorisations * factorising(order, speeds) +
           (few.readings * values + turns) / speeds->bytes + MEASURED.per_kernel * o->kernels;
}

/* Each iteration of another loss factorises, and reads what is stored. */
static times of_loss(const rls2__workload *work, double factorisations, double readings)
{
    return (times){work->harder * factorisations, work->harder * readings};
}

static double one_path(const rls2__workload *work, const rls2__speeds *speeds)
{
    const rls2__outline *o = &work->outline;
    double each = one_lambda(o, of_loss(work, MEASURED.factorisations, MEASURED.readings), speeds) +
                  (work->df ? MEASURED.df * factorising(rls2__system_order(o), speeds) : 0.0);
    return rotating(o, speeds) + work->outputs * work->lambdas * each;
}

static double one_split(const rls2__workload *work, const rls2__speeds *speeds)
{
    const rls2__outline o = split_outline(work);
    double each =
        one_lambda(&o, of_loss(work, MEASURED.split_factorised, MEASURED.split_readings), speeds);
    double cells = MEASURED.per_cell * DOUBLE * work->outline.n * work->inputs / speeds->bytes;
    double taken = rls2__outline_bytes(&o) / speeds->bytes;
    double members = work->members * work->outputs * MEASURED.per_member * factorising(o.n, speeds);
    double widths = learning_widths(work, o.n, speeds);
    return cells + taken + members + widths + rotating(&o, speeds) +
           work->outputs * work->lambdas * each * (work->baselines ? MEASURED.with_baselines : 1.0);
}

/* A half is a split of half the rows, without baselines and members. */
static double all_halves(const rls2__workload *work, const rls2__speeds *speeds)
{
    rls2__workload half = *work;
    half.split_rows = work->outline.n / 2.0;
    half.halved = half.baselines = 0;
    half.members = 0.0;
    half.lambdas = work->half_lambdas;
    double threads = fmax(work->threads, 1.0);
    if (work->halves < 1.0) return 0.0;
    return ceil(work->halves / fmin(threads, work->halves)) * one_split(&half, speeds);
}

double rls2__workload_seconds(const rls2__workload *work, const rls2__speeds *speeds)
{
    double threads = fmax(work->threads, 1.0);
    double alone = making_kernels(&work->outline, speeds);
    double rounds = ceil(work->splits / fmin(threads, fmax(work->splits, 1.0)));
    if (work->follows_path) alone += one_path(work, speeds);
    return alone * (1.0 - MEASURED.shared + MEASURED.shared / threads) +
           learning_widths(work, work->outline.n, speeds) +
           (work->splits > 0.0 ? rounds * one_split(work, speeds) : 0.0) + all_halves(work, speeds);
}
