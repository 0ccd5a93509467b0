/* One seed and size of the binary strings: a path by each method, and its smallest test RMSE. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/binary_strings.h"

const char *const string_method_names[STRING_METHODS] = {
    "ideal kernel", "ridge", "Gaussian", "RLS2", "Lasso", "Lasso, centred",
};

typedef struct method {
    const char *kernels;
    rls2_scaling scaling;
} method;

/* A single kernel needs no scaling but for the range of lambda, which is then the same for all.
 * exp(-0.01 |x - z|^2 / 2) is rbf(0.005). */
static const method METHODS[STRING_METHODS] = {
    {"linear@b1+b2+b3", RLS2_SCALING_TRACE}, {"linear@all", RLS2_SCALING_TRACE},
    {"rbf(0.005)@all", RLS2_SCALING_TRACE},  {"linear", RLS2_SCALING_TRACE},
    {"linear", RLS2_SCALING_NONE},           {"linear", RLS2_SCALING_NONE},
};

/* lambdas[STRING_LAMBDAS], descending: from a fit of nothing to one of the noise. A single kernel
 * of trace 1 is fitted down to where its smallest eigenvalues count. With a kernel for each bit the
 * trace of each is 1, and for the Lasso as it is about a hundred. */
static rls2_status lambdas_of(string_method which, double *lambdas, rls2_error *err)
{
    if (which < STRING_RLS2) return rls2_lambda_grid(1e-9, 1e2, STRING_LAMBDAS, lambdas, err);
    double shift = which == STRING_LASSO ? 1e2 : 1.0;
    return rls2_lambda_grid(1e-6 * shift, 1e1 * shift, STRING_LAMBDAS, lambdas, err);
}

/* ---- a path ---- */

/* Columns less their mean over the training rows, and over their norm there; a constant column
 * becomes zero. */
static double *centre(const string_data *data, int64_t size)
{
    double *x = malloc(sizeof data->x);
    if (!x) return NULL;
    for (int64_t j = 0; j < STRING_BITS; j++) {
        const double *from = data->x + j * STRING_ROWS;
        double sum = 0.0, squares = 0.0;
        for (int64_t i = 0; i < size; i++) sum += from[i];
        double mean = sum / (double)size;
        for (int64_t i = 0; i < size; i++) squares += (from[i] - mean) * (from[i] - mean);
        int constant = sum == 0.0 || sum == (double)size;
        for (int64_t i = 0; i < STRING_ROWS; i++)
            x[j * STRING_ROWS + i] = constant ? 0.0 : (from[i] - mean) / sqrt(squares);
    }
    return x;
}

void string_fit_free(string_fit *fit)
{
    rls2_path_free(fit->path);
    rls2_basis_free(fit->basis);
    rls2_dictionary_free(fit->dictionary);
    free(fit->centred);
}

static rls2_status make_basis(const double *x, const char *const *names, int64_t size,
                              string_method which, string_fit *fit, rls2_error *err)
{
    const rls2_columns columns = {.count = STRING_BITS, .names = names};
    const rls2_rows train = {.n = size, .p = STRING_BITS, .x = x, .ldx = STRING_ROWS};
    rls2_basis_options options;
    rls2_basis_options_init(&options, sizeof options);
    options.scaling = METHODS[which].scaling;
    options.skip_degenerate = 1; /* bits that are zero in all of a few rows */
    rls2_control control;
    rls2_control_init(&control, sizeof control);
    control.threads = 1;
    rls2_status status =
        rls2_dictionary_create(METHODS[which].kernels, &columns, &fit->dictionary, err);
    if (status == RLS2_OK)
        status = rls2_basis_create(fit->dictionary, &train, &options, &control, &fit->basis, err);
    return status;
}

rls2_status string_fit_make(const string_data *data, int64_t size, string_method which,
                            double gap_tol, units_watcher *watch, string_fit *fit, rls2_error *err)
{
    double lambdas[STRING_LAMBDAS];
    rls2_path_options options;
    rls2_path_options_init(&options, sizeof options);
    *fit = (string_fit){0};
    if (which == STRING_CENTRED && !(fit->centred = centre(data, size)))
        return experiment_fail(err, RLS2_ERR_MEMORY, "out of memory: binary strings");
    const double *x = fit->centred ? fit->centred : data->x;
    fit->test =
        (rls2_rows){.n = STRING_TEST, .p = STRING_BITS, .x = x + STRING_TRAIN, .ldx = STRING_ROWS};
    options.intercept = which == STRING_CENTRED ? RLS2_INTERCEPT_MEAN : RLS2_INTERCEPT_NONE;
    options.gap_tol = gap_tol;
    rls2_control control;
    rls2_control_init(&control, sizeof control);
    control.progress = watch ? units_watch : NULL;
    control.user = watch;
    rls2_status status = lambdas_of(which, lambdas, err);
    if (status == RLS2_OK) status = make_basis(x, data->name_list, size, which, fit, err);
    if (status == RLS2_OK)
        status = rls2_path_fit(1, (const rls2_basis *const *)&fit->basis, data->y, STRING_LAMBDAS,
                               lambdas, &options, &control, &fit->path, err);
    if (status == RLS2_OK && rls2_path_cancelled(fit->path))
        status = experiment_fail(err, RLS2_ERR_CANCELLED, "the experiment was stopped");
    return status;
}

/* ---- what is kept of it ---- */

/* The smallest RMSE on the test rows, and where. */
static rls2_status find_best(const string_data *data, const string_fit *fit, string_method which,
                             string_unit *unit, int64_t *best, rls2_error *err)
{
    double *f = malloc((size_t)STRING_TEST * STRING_LAMBDAS * sizeof *f);
    if (!f) return experiment_fail(err, RLS2_ERR_MEMORY, "out of memory: binary strings");
    rls2_status status = rls2_path_predict(fit->path, &fit->test, f, err);
    unit->rmse[which] = unit->coarse[which] = HUGE_VAL;
    for (int64_t i = 0; i < STRING_LAMBDAS && status == RLS2_OK; i++) {
        double value = rls2_measure_value(RLS2_MEASURE_RMSE, 1, STRING_TEST, f + i * STRING_TEST,
                                          data->y + STRING_TRAIN, NULL);
        if (i % STRING_COARSE == 0) unit->coarse[which] = fmin(unit->coarse[which], value);
        if (!(value < unit->rmse[which])) continue;
        unit->rmse[which] = value;
        *best = i;
    }
    free(f);
    return status;
}

static double share_of_ones(const string_data *data, int64_t column, int64_t size)
{
    double sum = 0.0;
    for (int64_t i = 0; i < size; i++) sum += data->x[column * STRING_ROWS + i];
    return sum / (double)size;
}

static void describe_selection(const string_data *data, int64_t size, const string_fit *fit,
                               string_method which, int64_t best, string_unit *unit)
{
    const int64_t *kernels;
    const double *d;
    int64_t count = rls2_path_kernel_weights(fit->path, best, &kernels, &d);
    for (int64_t k = 0; k < count; k++) { /* linear@each: kernel k is column k */
        int bit = data->bit[kernels[k]];
        if (bit < STRING_TRUE) {
            if (which == STRING_RLS2) unit->d[bit] = d[k];
            continue;
        }
        unit->wrong[which] += 1.0;
        if (which == STRING_RLS2) unit->noticeable += d[k] > STRING_NOTICEABLE;
        unit->ones[which] += share_of_ones(data, kernels[k], size);
    }
}

static int selects_the_true_bits(const string_data *data, const rls2_path *path, int64_t i)
{
    const int64_t *kernels;
    int64_t count = rls2_path_kernel_weights(path, i, &kernels, NULL), right = 0;
    for (int64_t k = 0; k < count; k++) right += data->bit[kernels[k]] < STRING_TRUE;
    return count == STRING_TRUE && right == STRING_TRUE;
}

static int is_twin(const string_data *data, int64_t size, int64_t a, int64_t b)
{
    const double *x = data->x + a * STRING_ROWS, *z = data->x + b * STRING_ROWS;
    return memcmp(x, z, (size_t)size * sizeof *x) == 0;
}

static void describe_columns(const string_data *data, int64_t size, string_unit *unit)
{
    for (int64_t a = 0; a < STRING_BITS; a++) {
        unit->zeros += share_of_ones(data, a, size) == 0.0;
        int twin = 0;
        for (int64_t b = 0; b < STRING_BITS; b++)
            twin = twin || (data->bit[b] < STRING_TRUE && is_twin(data, size, a, b));
        unit->twins += twin && data->bit[a] >= STRING_TRUE;
    }
}

/* The three true bits may be zero in all of a few rows: the ideal kernel is then zero, and so is
 * what it says. */
static int has_ideal_kernel(const string_data *data, int64_t size)
{
    for (int64_t j = 0; j < STRING_BITS; j++)
        if (data->bit[j] < STRING_TRUE && share_of_ones(data, j, size) > 0.0) return 1;
    return 0;
}

static void predict_nothing(const string_data *data, string_method which, string_unit *unit)
{
    static const double nothing[STRING_TEST];
    unit->rmse[which] = unit->coarse[which] = rls2_measure_value(
        RLS2_MEASURE_RMSE, 1, STRING_TEST, nothing, data->y + STRING_TRAIN, NULL);
}

rls2_status string_unit_compute(const string_data *data, int64_t size, units_watcher *watch,
                                string_unit *unit, rls2_error *err)
{
    rls2_status status = RLS2_OK;
    describe_columns(data, size, unit);
    for (int which = 0; which < STRING_METHODS && status == RLS2_OK; which++) {
        string_fit fit;
        int64_t best = 0;
        if (which == STRING_CENTRED && size > STRING_SMALL) {
            unit->rmse[which] = unit->coarse[which] = (double)NAN;
            continue;
        }
        if (which == STRING_IDEAL && !has_ideal_kernel(data, size)) {
            predict_nothing(data, which, unit);
            continue;
        }
        status = string_fit_make(data, size, which, 1e-6, watch, &fit, err);
        if (status == RLS2_OK) status = find_best(data, &fit, which, unit, &best, err);
        if (status == RLS2_OK) {
            unit->lambda[which] = rls2_path_at(fit.path, best)->lambda;
            if (which >= STRING_RLS2) describe_selection(data, size, &fit, which, best, unit);
            for (int64_t i = 0; i < STRING_LAMBDAS; i++) {
                unit->worst_gap = fmax(unit->worst_gap, rls2_path_at(fit.path, i)->gap);
                if (which == STRING_RLS2 && selects_the_true_bits(data, fit.path, i))
                    unit->exact = 1.0;
            }
        }
        string_fit_free(&fit);
    }
    return status;
}
