/* Models of several outputs: what the whole says, what each output says, and decisions. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/problem.h"
#include "support/one_output.h"
#include "support/control.h"

enum { ROWS = 30, COLUMNS = 4, OUTPUTS = 3, NEW = 11 };
static const double LAMBDAS[] = {0.5, 0.02};
enum { POINTS = 2, POINT = 1 };

/* Responses that depend on different columns, so that the outputs select different kernels. */
typedef struct several {
    plain_problem problem;
    double y[OUTPUTS * ROWS];
    double x[NEW * COLUMNS];
    rls2_rows rows;
    rls2_dictionary *dictionary;
    rls2_basis *basis;
    rls2_path *paths[OUTPUTS];
    rls2_model *model;
} several;

static rls2_path *fit_path(const several *it, const rls2_basis *basis, int64_t o,
                           const rls2_path_options *options)
{
    rls2_error err;
    rls2_path *path = NULL;
    assert_ok(fit_one(basis, it->y + o * ROWS, POINTS, LAMBDAS, options, &path, &err), &err);
    return path;
}

static rls2_basis *make_basis(const several *it, double shift)
{
    rls2_error err;
    rls2_basis *basis = NULL;
    rls2_rows rows = problem_rows(&it->problem);
    double *x = numbers(ROWS * COLUMNS);
    for (int i = 0; i < ROWS * COLUMNS; i++) x[i] = rows.x[i] + shift;
    rows.x = x;
    assert_ok(rls2_basis_create(it->dictionary, &rows, NULL, NULL, &basis, &err), &err);
    free(x);
    return basis;
}

static int setup(void **state)
{
    rls2__random random;
    rls2_error err;
    char spec[SPEC_ROOM];
    static const char *const names[COLUMNS] = {"x1", "x2", "x3", "x4"};
    several *it = calloc(1, sizeof *it);
    assert_non_null(it);
    rls2__random_seed(&random, 11);
    it->problem = problem_create(&random, ROWS, COLUMNS);
    problem_add(&it->problem, LINEAR, 0.0, 0.0, 0);
    problem_add(&it->problem, LINEAR, 0.0, 0.0, 1);
    problem_add(&it->problem, LINEAR, 0.0, 0.0, 3);
    problem_add(&it->problem, RBF, 0.5, 0.0, 0);
    problem_add(&it->problem, SPLINE, 0.0, 0.0, 1);
    problem_add(&it->problem, MATERN, 1.5, 2.0, 3);
    problem_add(&it->problem, RBF, 0.1, 0.0, -1);
    problem_spec(&it->problem, spec);
    const double *x = it->problem.x;
    for (int i = 0; i < ROWS; i++) {
        it->y[i] = 1.0 + 2.0 * x[i] + 0.1 * rls2__random_normal(&random);
        it->y[ROWS + i] = sin(2.0 * x[ROWS + i]) + 0.1 * rls2__random_normal(&random);
        it->y[2 * ROWS + i] = x[i] - x[3 * ROWS + i] + 0.1 * rls2__random_normal(&random);
    }
    for (int i = 0; i < NEW * COLUMNS; i++) it->x[i] = 2.0 * rls2__random_normal(&random);
    it->rows = (rls2_rows){.n = NEW, .p = COLUMNS, .x = it->x};
    rls2_columns columns = {.count = COLUMNS, .names = names};
    assert_ok(rls2_dictionary_create(spec, &columns, &it->dictionary, &err), &err);
    it->basis = make_basis(it, 0.0);
    for (int o = 0; o < OUTPUTS; o++) it->paths[o] = fit_path(it, it->basis, o, NULL);
    assert_ok(
        rls2_model_create(OUTPUTS, (const rls2_path *const *)it->paths, POINT, &it->model, &err),
        &err);
    *state = it;
    return 0;
}

static int teardown(void **state)
{
    several *it = *state;
    rls2_model_free(it->model);
    for (int o = 0; o < OUTPUTS; o++) rls2_path_free(it->paths[o]);
    rls2_basis_free(it->basis);
    rls2_dictionary_free(it->dictionary);
    problem_free(&it->problem);
    free(it);
    return 0;
}

static void assert_message(const rls2_error *err, const char *part)
{
    if (!strstr(err->message, part)) fail_msg("'%s' is not in '%s'", part, err->message);
}

static void assert_same_bits(int64_t count, const double *a, const double *b)
{
    assert_memory_equal(a, b, (size_t)count * sizeof *a);
}

/* ---- the whole ---- */

/* d_k of every kernel of the dictionary, by what the paths say. */
static void mean_weights(const several *it, double *mean)
{
    for (int64_t k = 0; k < it->problem.m; k++) mean[k] = 0.0;
    for (int o = 0; o < OUTPUTS; o++) {
        const int64_t *kernels;
        const double *d;
        int64_t count = rls2_path_kernel_weights(it->paths[o], POINT, &kernels, &d);
        for (int64_t t = 0; t < count; t++) mean[kernels[t]] += d[t] / OUTPUTS;
    }
}

static void model__of_several_outputs__has_the_kernels_any_selects(void **state)
{
    const several *it = *state;
    double mean[MAX_KERNELS];
    int64_t next = 0, most = 0;
    mean_weights(it, mean);
    for (int64_t k = 0; k < it->problem.m; k++) {
        if (mean[k] == 0.0) continue;
        assert_int_equal(rls2_model_kernel_index(it->model, next), k);
        assert_string_equal(rls2_model_kernel_name(it->model, next),
                            rls2_dictionary_name(it->dictionary, k));
        assert_true(fabs(rls2_model_kernel_weight(it->model, next) - mean[k]) < 1e-15);
        assert_true(isnan(rls2_model_scale(it->model, next)));
        assert_true(isnan(rls2_model_w(it->model, next)));
        next++;
    }
    assert_int_equal(rls2_model_kernel_count(it->model), next);
    assert_int_equal(rls2_model_point(it->model)->selected, next);
    for (int o = 0; o < OUTPUTS; o++) {
        int64_t size = rls2_model_kernel_count(rls2_model_output(it->model, o));
        assert_int_equal(size, rls2_path_at(it->paths[o], POINT)->selected);
        if (size > most) most = size;
    }
    assert_true(most < next); /* else they would all select the same */
    assert_null(rls2_model_kernel_name(it->model, next));
}

static void model__of_several_outputs__leaves_out_what_one_alone_can_say(void **state)
{
    const several *it = *state;
    assert_int_equal(rls2_model_outputs(it->model), OUTPUTS);
    assert_int_equal(rls2_model_rows(it->model), ROWS);
    assert_int_equal(rls2_model_columns(it->model), COLUMNS);
    assert_true(rls2_model_lambda(it->model) == LAMBDAS[POINT]);
    assert_true(isnan(rls2_model_intercept(it->model)));
    assert_null(rls2_model_c(it->model));
    assert_null(rls2_model_scales(it->model));
    assert_null(rls2_model_row_weights(it->model));
    assert_null(rls2_model_output_name(it->model, 0));
    assert_null(rls2_model_output(it->model, -1));
    assert_null(rls2_model_output(it->model, OUTPUTS));
    assert_int_equal(rls2_model_outputs(NULL), 0);
    assert_null(rls2_model_output(NULL, 0));
    assert_null(rls2_model_output_name(NULL, 0));
    assert_null(rls2_model_row_weights(NULL));
    const rls2_model *output = rls2_model_output(it->model, 1);
    assert_int_equal(rls2_model_outputs(output), 1);
    assert_ptr_equal(rls2_model_output(output, 0), output);
    assert_null(rls2_model_output(output, 1));
}

static void model_point__of_several_outputs__sums_up(void **state)
{
    const several *it = *state;
    rls2_path_point sum = {0};
    for (int o = 0; o < OUTPUTS; o++) {
        const rls2_path_point *point = rls2_path_at(it->paths[o], POINT);
        sum.objective += point->objective;
        sum.gap = fmax(sum.gap, point->gap);
        sum.residual = fmax(sum.residual, point->residual);
        sum.iterations += point->iterations;
        sum.factorizations += point->factorizations;
        sum.priced += point->priced;
        sum.offered += point->offered;
    }
    const rls2_path_point *point = rls2_model_point(it->model);
    assert_true(point->objective == sum.objective && point->gap == sum.gap &&
                point->residual == sum.residual);
    assert_true(isnan(point->df));
    assert_int_equal(point->outcome, RLS2_OUTCOME_CONVERGED);
    assert_int_equal(point->iterations, sum.iterations);
    assert_int_equal(point->factorizations, sum.factorizations);
    assert_int_equal(point->priced, sum.priced);
    assert_int_equal(point->offered, sum.offered);
}

/* One of the paths stops early, and knows its degrees of freedom, as the others do. */
static void model_point__one_output_not_converged__says_the_worst(void **state)
{
    const several *it = *state;
    rls2_path_options options;
    rls2_path_options_init(&options, sizeof options);
    rls2_path *paths[OUTPUTS];
    rls2_model *model = NULL;
    rls2_error err;
    double df = 0.0, gap = 0.0;
    options.degrees_of_freedom = RLS2_DF_EACH;
    for (int o = 0; o < OUTPUTS; o++) {
        options.max_iter = o == 1 ? 1 : 200;
        paths[o] = fit_path(it, it->basis, o, &options);
        df += rls2_path_at(paths[o], POINT)->df;
        gap = fmax(gap, rls2_path_at(paths[o], POINT)->gap);
    }
    assert_int_equal(rls2_path_at(paths[1], POINT)->outcome, RLS2_OUTCOME_MAX_ITER);
    assert_ok(rls2_model_create(OUTPUTS, (const rls2_path *const *)paths, POINT, &model, &err),
              &err);
    assert_int_equal(rls2_model_point(model)->outcome, RLS2_OUTCOME_MAX_ITER);
    assert_true(rls2_model_point(model)->gap == gap);
    assert_true(rls2_model_point(model)->df == df);
    rls2_model_free(model);
    for (int o = 0; o < OUTPUTS; o++) rls2_path_free(paths[o]);
}

static void model_training_column__of_head_and_outputs__is_that_of_the_union(void **state)
{
    const several *it = *state;
    for (int64_t j = 0; j < COLUMNS; j++) {
        const double *column = rls2_model_training_column(it->model, j);
        if (column) assert_same_bits(ROWS, column, it->problem.x + j * ROWS);
        for (int o = 0; o < OUTPUTS; o++)
            assert_ptr_equal(rls2_model_training_column(rls2_model_output(it->model, o), j),
                             column);
    }
    assert_non_null(rls2_model_training_column(it->model, 0));
}

/* ---- each output ---- */

static void assert_same_words(const several *it, const rls2_model *a, const rls2_model *b)
{
    int64_t size = rls2_model_kernel_count(a);
    double *u = numbers(ROWS * ROWS), *v = numbers(ROWS * ROWS);
    rls2_error err;
    assert_ok(rls2_model_predict(a, &it->rows, NULL, u, &err), &err);
    assert_ok(rls2_model_predict(b, &it->rows, NULL, v, &err), &err);
    assert_same_bits(NEW, u, v);
    assert_ok(rls2_model_contributions(a, &it->rows, NULL, u, &err), &err);
    assert_ok(rls2_model_contributions(b, &it->rows, NULL, v, &err), &err);
    assert_same_bits(NEW * size, u, v);
    assert_ok(rls2_model_layer1(a, &it->rows, NULL, u, &err), &err);
    assert_ok(rls2_model_layer1(b, &it->rows, NULL, v, &err), &err);
    assert_same_bits(NEW * size, u, v);
    assert_ok(rls2_model_variance(a, &it->rows, u, &err), &err);
    assert_ok(rls2_model_variance(b, &it->rows, v, &err), &err);
    assert_same_bits(NEW, u, v);
    assert_ok(rls2_model_learned_kernel(a, &it->rows, &it->rows, NULL, u, &err), &err);
    assert_ok(rls2_model_learned_kernel(b, &it->rows, &it->rows, NULL, v, &err), &err);
    assert_same_bits(NEW * NEW, u, v);
    assert_ok(rls2_model_shares(a, NULL, u, u + size, &err), &err);
    assert_ok(rls2_model_shares(b, NULL, v, v + size, &err), &err);
    assert_same_bits(size + ROWS, u, v);
    assert_ok(rls2_model_degrees_of_freedom(a, u, &err), &err);
    assert_ok(rls2_model_degrees_of_freedom(b, v, &err), &err);
    assert_same_bits(1, u, v);
    free(u);
    free(v);
}

static void assert_same_certificate(const several *it, int o, const rls2_model *a,
                                    const rls2_model *b)
{
    rls2_rows train = problem_rows(&it->problem);
    rls2_certificate u = {0}, v = {0};
    rls2_error err;
    assert_ok(rls2_model_certify(a, &train, it->y + o * ROWS, &u, sizeof u, &err), &err);
    assert_ok(rls2_model_certify(b, &train, it->y + o * ROWS, &v, sizeof v, &err), &err);
    assert_true(u.primal == v.primal && u.dual == v.dual && u.relative_gap < 1e-5);
}

static void model_output__each__is_the_model_of_its_path_alone(void **state)
{
    const several *it = *state;
    rls2_error err;
    for (int o = 0; o < OUTPUTS; o++) {
        rls2_model *alone = NULL;
        const rls2_model *output = rls2_model_output(it->model, o);
        assert_ok(model_of_one(it->paths[o], POINT, &alone, &err), &err);
        assert_int_equal(rls2_model_kernel_count(output), rls2_model_kernel_count(alone));
        assert_same_bits(ROWS, rls2_model_c(output), rls2_model_c(alone));
        assert_same_bits(it->problem.m, rls2_model_scales(output), rls2_model_scales(alone));
        assert_true(rls2_model_intercept(output) == rls2_model_intercept(alone));
        assert_true(rls2_model_point(output)->objective == rls2_model_point(alone)->objective);
        assert_int_equal(rls2_model_solver(output), rls2_model_solver(alone));
        assert_int_equal(rls2_model_scaling_rule(output)->rule,
                         rls2_model_scaling_rule(alone)->rule);
        assert_string_equal(rls2_model_spec(output), rls2_model_spec(alone));
        for (int64_t k = 0; k < rls2_model_kernel_count(alone); k++) {
            assert_string_equal(rls2_model_kernel_name(output, k),
                                rls2_model_kernel_name(alone, k));
            assert_true(rls2_model_kernel_weight(output, k) == rls2_model_kernel_weight(alone, k));
            assert_true(rls2_model_scale(output, k) == rls2_model_scale(alone, k));
        }
        assert_same_words(it, output, alone);
        assert_same_certificate(it, o, output, alone);
        rls2_model_free(alone);
    }
}

static void model_predict__several_outputs__has_the_bits_of_each_alone(void **state)
{
    const several *it = *state;
    double all[NEW * OUTPUTS], one[NEW];
    rls2_error err;
    assert_ok(rls2_model_predict(it->model, &it->rows, NULL, all, &err), &err);
    for (int o = 0; o < OUTPUTS; o++) {
        assert_ok(rls2_model_predict(rls2_model_output(it->model, o), &it->rows, NULL, one, &err),
                  &err);
        assert_same_bits(NEW, all + o * NEW, one);
    }
}

/* Rows for several blocks and threads. */
static void model_predict__any_number_of_threads__has_the_same_bits(void **state)
{
    const several *it = *state;
    enum { MANY = 20000 }; /* so that there is work for several threads */
    double *x = numbers(MANY * COLUMNS), *first = numbers(MANY * OUTPUTS),
           *f = numbers(MANY * OUTPUTS);
    rls2_rows rows = {.n = MANY, .p = COLUMNS, .x = x};
    rls2_error err;
    for (int i = 0; i < MANY * COLUMNS; i++) x[i] = sin(1.0 + i);
    assert_ok(rls2_model_predict(it->model, &rows, ON_THREADS(1), first, &err), &err);
    for (int threads = 0; threads <= 4; threads++) {
        assert_ok(rls2_model_predict(it->model, &rows, ON_THREADS(threads), f, &err), &err);
        assert_same_bits(MANY * OUTPUTS, first, f);
        for (int o = 0; o < OUTPUTS; o++) {
            assert_ok(rls2_model_predict(rls2_model_output(it->model, o), &rows,
                                         ON_THREADS(threads), f, &err),
                      &err);
            assert_same_bits(MANY, first + o * MANY, f);
        }
    }
    free(x);
    free(first);
    free(f);
}

static void model_factorize__several_outputs__changes_no_variance(void **state)
{
    const several *it = *state;
    double before[NEW], after[NEW];
    rls2_error err;
    for (int o = 0; o < OUTPUTS; o++) {
        const rls2_model *output = rls2_model_output(it->model, o);
        assert_ok(rls2_model_variance(output, &it->rows, before, &err), &err);
        assert_ok(rls2_model_factorize(it->model, &err), &err);
        assert_ok(rls2_model_variance(output, &it->rows, after, &err), &err);
        assert_same_bits(NEW, before, after);
    }
}

/* ---- what is refused ---- */

static void model_functions__for_one_output__refuse_several(void **state)
{
    const several *it = *state;
    const char *const words = "the model has 3 outputs: ask one of them (rls2_model_output)";
    double out[ROWS * ROWS];
    rls2_rows train = problem_rows(&it->problem);
    rls2_certificate certificate;
    typedef rls2_status (*row_function)(const rls2_model *, const rls2_rows *, const rls2_control *,
                                        double *, rls2_error *);
    static const row_function functions[] = {rls2_model_contributions, rls2_model_layer1};
    rls2_error err;
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
        assert_int_equal(functions[i](it->model, &it->rows, NULL, out, &err), RLS2_ERR_ARGUMENT);
        assert_string_equal(err.message, words);
    }
    assert_int_equal(rls2_model_variance(it->model, &it->rows, out, &err), RLS2_ERR_ARGUMENT);
    assert_string_equal(err.message, words);
    assert_int_equal(rls2_model_coefficients(it->model, out, &err), RLS2_ERR_ARGUMENT);
    assert_string_equal(err.message, words);
    assert_int_equal(rls2_model_layer2(it->model, 1, it->x, out, &err), RLS2_ERR_ARGUMENT);
    assert_string_equal(err.message, words);
    assert_int_equal(rls2_model_learned_kernel(it->model, &it->rows, &it->rows, NULL, out, &err),
                     RLS2_ERR_ARGUMENT);
    assert_string_equal(err.message, words);
    assert_int_equal(rls2_model_shares(it->model, NULL, out, NULL, &err), RLS2_ERR_ARGUMENT);
    assert_string_equal(err.message, words);
    assert_int_equal(rls2_model_degrees_of_freedom(it->model, out, &err), RLS2_ERR_ARGUMENT);
    assert_string_equal(err.message, words);
    assert_int_equal(
        rls2_model_certify(it->model, &train, it->y, &certificate, sizeof certificate, &err),
        RLS2_ERR_ARGUMENT);
    assert_string_equal(err.message, words);
}

static void assert_not_made(const several *it, rls2_path *second, const char *words)
{
    const rls2_path *paths[] = {it->paths[0], second};
    rls2_model *model = NULL;
    rls2_error err;
    assert_int_equal(rls2_model_create(2, paths, POINT, &model, &err), RLS2_ERR_ARGUMENT);
    assert_null(model);
    assert_message(&err, words);
    rls2_path_free(second);
}

static void model_create_outputs__paths_that_do_not_fit__are_refused(void **state)
{
    several *it = *state;
    rls2_path_options options;
    rls2_path_options_init(&options, sizeof options);
    rls2_basis_options other_rule;
    rls2_basis_options_init(&other_rule, sizeof other_rule);
    rls2_rows rows = problem_rows(&it->problem);
    rls2_basis *moved = make_basis(it, 0.5), *unscaled = NULL, *other = NULL;
    rls2_dictionary *linear = NULL;
    rls2_error err;
    other_rule.scaling = RLS2_SCALING_NONE;
    assert_ok(rls2_basis_create(it->dictionary, &rows, &other_rule, NULL, &unscaled, &err), &err);
    rls2_columns columns = {.count = COLUMNS, .names = rls2_model_column_names(it->model)};
    assert_ok(rls2_dictionary_create("linear", &columns, &linear, &err), &err);
    assert_ok(rls2_basis_create(linear, &rows, NULL, NULL, &other, &err), &err);
    assert_not_made(it, fit_path(it, moved, 1, NULL), "output 2 has other rows");
    assert_not_made(it, fit_path(it, unscaled, 1, NULL), "another rule of scaling");
    assert_not_made(it, fit_path(it, other, 1, NULL), "another dictionary");
    options.solver = RLS2_SOLVER_ALTERNATE;
    assert_not_made(it, fit_path(it, it->basis, 1, &options), "another solver");
    rls2_path *path = NULL;
    const double lambdas[] = {0.5, 0.03};
    assert_ok(fit_one(it->basis, it->y, POINTS, lambdas, NULL, &path, &err), &err);
    assert_not_made(it, path, "for output 2 and 0.02");
    assert_ok(fit_one(it->basis, it->y, 1, lambdas, NULL, &path, &err), &err);
    assert_not_made(it, path, "no point 1 on a path of 1");
    assert_not_made(it, NULL, "the path is NULL");
    rls2_basis_free(moved);
    rls2_basis_free(unscaled);
    rls2_basis_free(other);
    rls2_dictionary_free(linear);
}

static void model_create_outputs__other_weights_of_rows__are_refused(void **state)
{
    several *it = *state;
    rls2_basis_options options;
    rls2_basis_options_init(&options, sizeof options);
    rls2_rows rows = problem_rows(&it->problem);
    rls2_basis *weighted = NULL;
    double w[ROWS];
    rls2_error err;
    for (int i = 0; i < ROWS; i++) w[i] = 1 + i % 2;
    options.row_weights = w;
    assert_ok(rls2_basis_create(it->dictionary, &rows, &options, NULL, &weighted, &err), &err);
    assert_not_made(it, fit_path(it, weighted, 1, NULL), "weights of rows");
    rls2_basis_free(weighted);
}

/* A basis scaled for each class: every output has scalings of its own, in the file too. */
static void model_create_outputs__rescaled_bases__have_their_own_scalings(void **state)
{
    several *it = *state;
    rls2_basis_options options;
    rls2_basis_options_init(&options, sizeof options);
    rls2_rows rows = problem_rows(&it->problem);
    rls2_basis *bases[OUTPUTS] = {NULL};
    rls2_path *paths[OUTPUTS];
    rls2_model *model = NULL, *loaded = NULL, *alone = NULL;
    double f[NEW * OUTPUTS], g[NEW * OUTPUTS];
    void *bytes;
    int64_t length;
    rls2_error err;
    for (int i = 0; i < OUTPUTS * ROWS; i++) it->y[i] = it->y[i] > 0.2 ? 1.0 : -1.0;
    options.scaling = RLS2_SCALING_FISHER;
    options.labels = it->y;
    assert_ok(rls2_basis_create(it->dictionary, &rows, &options, NULL, &bases[0], &err), &err);
    for (int o = 1; o < OUTPUTS; o++)
        assert_ok(rls2_basis_rescale(bases[0], it->y + o * ROWS, NULL, &bases[o], &err), &err);
    for (int o = 0; o < OUTPUTS; o++) paths[o] = fit_path(it, bases[o], o, NULL);
    assert_ok(rls2_model_create(OUTPUTS, (const rls2_path *const *)paths, POINT, &model, &err),
              &err);
    assert_ok(rls2_model_predict(model, &it->rows, NULL, f, &err), &err);
    for (int o = 0; o < OUTPUTS; o++) {
        const double *scales = rls2_model_scales(rls2_model_output(model, o));
        assert_same_bits(it->problem.m, scales, rls2_basis_scales(bases[o]));
        if (o > 0) assert_true(scales[0] != rls2_model_scales(rls2_model_output(model, 0))[0]);
        assert_ok(model_of_one(paths[o], POINT, &alone, &err), &err);
        assert_ok(rls2_model_predict(alone, &it->rows, NULL, g, &err), &err);
        assert_same_bits(NEW, f + o * NEW, g);
        rls2_model_free(alone);
    }
    assert_ok(rls2_model_pack(model, &bytes, &length, &err), &err);
    assert_ok(rls2_model_unpack("m", bytes, length, &loaded, &err), &err);
    assert_ok(rls2_model_predict(loaded, &it->rows, NULL, g, &err), &err);
    assert_same_bits(NEW * OUTPUTS, f, g);
    rls2_bytes_free(bytes);
    rls2_model_free(loaded);
    rls2_model_free(model);
    for (int o = 0; o < OUTPUTS; o++) rls2_path_free(paths[o]);
    for (int o = OUTPUTS - 1; o >= 0; o--) rls2_basis_free(bases[o]);
}

static void model_create_outputs__wrong_arguments__are_refused(void **state)
{
    several *it = *state;
    rls2_model *model = NULL;
    rls2_error err;
    const rls2_path *const *paths = (const rls2_path *const *)it->paths;
    assert_int_equal(rls2_model_create(0, paths, 0, &model, &err), RLS2_ERR_ARGUMENT);
    assert_int_equal(rls2_model_create(-1, paths, 0, &model, &err), RLS2_ERR_ARGUMENT);
    assert_int_equal(rls2_model_create(2, NULL, 0, &model, &err), RLS2_ERR_ARGUMENT);
    assert_int_equal(rls2_model_create(2, paths, 0, NULL, &err), RLS2_ERR_ARGUMENT);
    assert_int_equal(rls2_model_create(2, paths, POINTS, &model, NULL), RLS2_ERR_ARGUMENT);
    assert_null(model);
}

/* Another basis of the same rows will do. */
static void model_create_outputs__bases_of_the_same_rows__fit(void **state)
{
    several *it = *state;
    rls2_basis *again = make_basis(it, 0.0);
    rls2_path *second = fit_path(it, again, 1, NULL);
    const rls2_path *paths[] = {it->paths[0], second};
    rls2_model *model = NULL;
    rls2_error err;
    assert_ok(rls2_model_create(2, paths, POINT, &model, &err), &err);
    assert_int_equal(rls2_model_outputs(model), 2);
    rls2_model_free(model);
    rls2_path_free(second);
    rls2_basis_free(again);
}

static void model_create_outputs__one_path__is_the_model_of_that_path(void **state)
{
    several *it = *state;
    rls2_model *one = NULL, *same = NULL;
    void *bytes[2];
    int64_t length[2];
    rls2_error err;
    assert_ok(rls2_model_create(1, (const rls2_path *const *)it->paths, POINT, &one, &err), &err);
    assert_ok(model_of_one(it->paths[0], POINT, &same, &err), &err);
    assert_int_equal(rls2_model_outputs(one), 1);
    assert_ptr_equal(rls2_model_output(one, 0), one);
    assert_ok(rls2_model_pack(one, &bytes[0], &length[0], &err), &err);
    assert_ok(rls2_model_pack(same, &bytes[1], &length[1], &err), &err);
    assert_int_equal(length[0], length[1]);
    assert_memory_equal(bytes[0], bytes[1], (size_t)length[0]);
    for (int i = 0; i < 2; i++) rls2_bytes_free(bytes[i]);
    rls2_model_free(one);
    rls2_model_free(same);
}

static void model_pack__one_output_of_several__is_refused(void **state)
{
    const several *it = *state;
    void *bytes = NULL;
    int64_t length;
    rls2_error err;
    const rls2_model *output = rls2_model_output(it->model, 1);
    assert_int_equal(rls2_model_pack(output, &bytes, &length, &err), RLS2_ERR_ARGUMENT);
    assert_message(&err, "output 2 is kept with the model of 3 outputs");
    assert_int_equal(rls2_model_save(output, "/nowhere/m.rls2", &err), RLS2_ERR_ARGUMENT);
    assert_null(bytes);
}

/* ---- decisions ---- */

static void decide__two_classes__goes_by_the_sign(void **state)
{
    (void)state;
    const double f[] = {-0.5, 0.0, -0.0, 3.0, (double)NAN, (double)INFINITY, -(double)INFINITY};
    const int64_t expected[] = {0, 1, 1, 1, -1, 1, 0};
    int64_t classes[7];
    rls2_decide(1, 7, f, classes);
    assert_memory_equal(classes, expected, sizeof expected);
}

static void decide__more_classes__takes_the_first_of_the_largest(void **state)
{
    (void)state;
    enum { N = 8 };
    const double nan = (double)NAN, inf = (double)INFINITY;
    const double f[3 * N] = {1, 1, 0, -3, 2, nan, 0,   -inf, /* */
                             0, 1, 2, -1, 2, 5,   1,   -inf, /* */
                             0, 1, 2, -2, 1, 0,   nan, -inf};
    const int64_t expected[N] = {0, 0, 1, 1, 0, -1, -1, 0};
    int64_t classes[N];
    rls2_decide(3, N, f, classes);
    assert_memory_equal(classes, expected, sizeof expected);
}

static void decide__nothing_to_decide__writes_nothing(void **state)
{
    (void)state;
    const double f = 1.0;
    int64_t class = 7;
    rls2_decide(1, 0, &f, &class);
    rls2_decide(0, 1, &f, &class);
    rls2_decide(1, 1, NULL, &class);
    assert_int_equal(class, 7);
    rls2_decide(1, 1, &f, NULL);
}

#define WITH_MODEL(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_MODEL(model__of_several_outputs__has_the_kernels_any_selects),
        WITH_MODEL(model__of_several_outputs__leaves_out_what_one_alone_can_say),
        WITH_MODEL(model_point__of_several_outputs__sums_up),
        WITH_MODEL(model_point__one_output_not_converged__says_the_worst),
        WITH_MODEL(model_training_column__of_head_and_outputs__is_that_of_the_union),
        WITH_MODEL(model_output__each__is_the_model_of_its_path_alone),
        WITH_MODEL(model_predict__several_outputs__has_the_bits_of_each_alone),
        WITH_MODEL(model_predict__any_number_of_threads__has_the_same_bits),
        WITH_MODEL(model_factorize__several_outputs__changes_no_variance),
        WITH_MODEL(model_functions__for_one_output__refuse_several),
        WITH_MODEL(model_create_outputs__paths_that_do_not_fit__are_refused),
        WITH_MODEL(model_create_outputs__other_weights_of_rows__are_refused),
        WITH_MODEL(model_create_outputs__rescaled_bases__have_their_own_scalings),
        WITH_MODEL(model_create_outputs__wrong_arguments__are_refused),
        WITH_MODEL(model_create_outputs__bases_of_the_same_rows__fit),
        WITH_MODEL(model_create_outputs__one_path__is_the_model_of_that_path),
        WITH_MODEL(model_pack__one_output_of_several__is_refused),
        cmocka_unit_test(decide__two_classes__goes_by_the_sign),
        cmocka_unit_test(decide__more_classes__takes_the_first_of_the_largest),
        cmocka_unit_test(decide__nothing_to_decide__writes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
