/* The problem that the learning functions work on while their allocations fail. */
#ifndef RLS2_TESTS_OOM_LEARNING_PROBLEM_H
#define RLS2_TESTS_OOM_LEARNING_PROBLEM_H

#include <math.h>

#include "failing_allocator.h"
#include "support/one_output.h"
#include "support/control.h"

enum { N = 60, P = 4, N_NEW = 7, LAMBDAS = 3, KERNEL_ROOM = 32 };

static struct {
    double x[N * P], y[N], labels[N], given[N * N];
    double new_x[N_NEW * P], new_given[N_NEW * N], new_diagonal[N_NEW];
    const double *given_list[1], *new_given_list[1], *new_diagonal_list[1];
    rls2_rows train, fresh;
    rls2_dictionary *dictionary;
    rls2_basis *basis;
    rls2_path *path, *second; /* of y, and of the labels */
    rls2_model *model, *several;
    double s[KERNEL_ROOM], d[KERNEL_ROOM];
} problem;

static const double lambdas[LAMBDAS] = {1e-3, 1.0, 3e-2};

/* Without order, within -1 .. 1. */
static inline double noise(int i, int j)
{
    double v = 43758.5453 * sin(1.0 + 12.9898 * i + 78.233 * j);
    return 2.0 * (v - floor(v)) - 1.0;
}

static inline void fill_rows(int64_t n, double *x, double shift)
{
    for (int i = 0; i < (int)n; i++) {
        x[i] = ((double)i + shift) / (double)n;
        x[n + i] = noise(i, 1) + shift;
        x[2 * n + i] = noise(i, 2);
        x[3 * n + i] = i % 3;
    }
}

/* The given matrix is a kernel on something that is not among the columns. */
static inline double hidden(int i)
{
    return noise(i, 7);
}

static inline void fill_given(int n, int first, double *K)
{
    for (int j = 0; j < N; j++)
        for (int i = 0; i < n; i++) K[j * n + i] = exp(-pow(hidden(first + i) - hidden(j), 2.0));
}

static inline void fill_problem(void)
{
    fill_rows(N, problem.x, 0.0);
    fill_rows(N_NEW, problem.new_x, 0.25);
    fill_given(N, 0, problem.given);
    fill_given(N_NEW, N, problem.new_given);
    for (int i = 0; i < N_NEW; i++) problem.new_diagonal[i] = 1.0;
    for (int i = 0; i < N; i++) {
        problem.y[i] = 2.0 + sin(3.0 * hidden(i)) + 0.4 * (i % 3) + sin(9.0 * problem.x[i]) +
                       0.3 * noise(i, 5);
        problem.labels[i] = i % 3 == 1 ? -1.0 : 1.0;
    }
    problem.given_list[0] = problem.given;
    problem.new_given_list[0] = problem.new_given;
    problem.new_diagonal_list[0] = problem.new_diagonal;
    problem.train =
        (rls2_rows){.n = N, .p = P, .x = problem.x, .given_count = 1, .given = problem.given_list};
    problem.fresh = (rls2_rows){.n = N_NEW,
                                .p = P,
                                .x = problem.new_x,
                                .given_count = 1,
                                .given = problem.new_given_list,
                                .given_diagonal = problem.new_diagonal_list};
}

static inline rls2_basis_options basis_options(rls2_scaling scaling)
{
    rls2_basis_options options;
    rls2_basis_options_init(&options, sizeof options);
    options.scaling = scaling;
    options.labels = problem.labels;
    return options;
}

/* Kernels of the last point with this shape and at least this rank. */
static inline int selected(const char *shape, int64_t rank)
{
    const int64_t *kernels;
    int found = 0;
    int64_t count = rls2_path_kernel_weights(problem.path, LAMBDAS - 1, &kernels, NULL);
    for (int64_t i = 0; i < count; i++)
        found += strcmp(rls2_basis_shape(problem.basis, kernels[i]), shape) == 0 &&
                 rls2_basis_rank(problem.basis, kernels[i]) >= rank;
    return found;
}

/* The solver meets every shape, and factors of a rank that is worth a triangle; the
 * model has a given matrix to copy. */
static inline int is_varied(void)
{
    int given = 0;
    for (int64_t k = 0; k < rls2_model_kernel_count(problem.model); k++)
        given += strcmp(rls2_model_kernel_name(problem.model, k), "given(K)") == 0;
    return given && selected("dense", N) && selected("factor", 8) && selected("rank-one", 1);
}

static inline rls2_status make_several(rls2_error *err)
{
    const rls2_path *paths[] = {problem.path, problem.second, problem.path};
    return rls2_model_create(3, paths, LAMBDAS - 1, &problem.several, err);
}

static inline int set_up(void **state)
{
    (void)state;
    const char *const names[P] = {"t", "u", "v", "group"};
    const char *const given_names[] = {"K"};
    const rls2_columns columns = {
        .count = P, .names = names, .given_count = 1, .given_names = given_names};
    rls2_basis_options options = basis_options(RLS2_SCALING_TRACE);
    rls2_path_options path_options;
    rls2_path_options_init(&path_options, sizeof path_options);
    rls2_error err = {.message = ""};
    fill_problem();
    path_options.gap_tol = 1e-9;
    if (rls2_dictionary_create("linear@each,all; poly(2)@u+v; rbf(0.1|3|10)@t; rbf(0.1|10)@all; "
                               "laplace(1)@u; spline@t; "
                               "matern(1.5)@t+u; delta@\"group\"; given(K)",
                               &columns, &problem.dictionary, &err) ||
        rls2_basis_create(problem.dictionary, &problem.train, &options, ON_THREADS(1),
                          &problem.basis, &err) ||
        fit_one(problem.basis, problem.y, LAMBDAS, lambdas, &path_options, &problem.path, &err) ||
        fit_one(problem.basis, problem.labels, LAMBDAS, lambdas, &path_options, &problem.second,
                &err) ||
        model_of_one(problem.path, LAMBDAS - 1, &problem.model, &err) || make_several(&err)) {
        print_error("%s\n", err.message);
        return -1;
    }
    int64_t m = rls2_dictionary_count(problem.dictionary);
    if (m > KERNEL_ROOM) return -1;
    for (int64_t k = 0; k < m; k++) {
        problem.s[k] = rls2_basis_scales(problem.basis)[k];
        problem.d[k] = 1.0 / (double)m;
    }
    return is_varied() ? 0 : -1;
}

static inline int tear_down(void **state)
{
    (void)state;
    rls2_model_free(problem.several);
    rls2_model_free(problem.model);
    rls2_path_free(problem.second);
    rls2_path_free(problem.path);
    rls2_basis_free(problem.basis);
    rls2_dictionary_free(problem.dictionary);
    return 0;
}

/* What a call has written into `values`, or not. */
static inline rls2_status finish_values(rls2_status status, int64_t count, const double *values,
                                        result *r)
{
    if (status == RLS2_OK)
        add_values(r, count, values);
    else
        assert_unwritten(count, values);
    return status;
}

#endif
