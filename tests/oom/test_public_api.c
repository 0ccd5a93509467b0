/* Every allocation of every public function fails once: alone, and with those that
 * come after it. The call then reports it and writes nothing. That nothing leaks either is
 * for the sanitised build to see. */
#include "failing_allocator.h"

#include <math.h>
#include <stdio.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include "experiments/paper_sets.h"

/* ---- tables ---- */

static void add_table(result *r, const rls2_table *table)
{
    int64_t rows = rls2_table_rows(table), columns = rls2_table_columns(table);
    add_value(r, (double)rows);
    for (int64_t j = 0; j < columns; j++) {
        add_text(r, rls2_table_column_name(table, j));
        add_value(r, rls2_table_is_numeric(table, j));
        for (int64_t i = 0; i < rows && i < 50; i++) add_text(r, rls2_table_cell(table, i, j));
    }
}

static rls2_status finish_table(rls2_status status, rls2_table *table, result *r)
{
    if (status != RLS2_OK) {
        assert_ptr_equal(table, UNTOUCHED);
        return status;
    }
    add_table(r, table);
    rls2_table_free(table);
    return status;
}

static rls2_status read_file(result *r, rls2_error *err)
{
    rls2_table *table = UNTOUCHED;
    rls2_status status;
    int before = dup(0);
    ARMED(status = rls2_table_read_csv("data/servo.csv", &table, err));
    int after = dup(0);
    assert_int_equal(after, before + 1); /* the file is closed */
    close(before);
    close(after);
    return finish_table(status, table, r);
}

/* More text than the first buffer for a file of unknown size holds. */
static void write_long_text(int file)
{
    static char text[100000];
    size_t used = (size_t)snprintf(text, sizeof text, "a,b\n");
    while (used + 11 < sizeof text)
        used += (size_t)snprintf(text + used, sizeof text - used, "1,%08zu\n", used);
    for (size_t at = 0; at < used;) {
        ssize_t done = write(file, text + at, used - at);
        if (done <= 0) break;
        at += (size_t)done;
    }
}

static rls2_status read_pipe(result *r, rls2_error *err)
{
    rls2_table *table = UNTOUCHED;
    rls2_status status;
    int ends[2];
    char path[32];
    assert_int_equal(pipe(ends), 0);
    pid_t writer = fork();
    assert_true(writer >= 0);
    if (writer == 0) {
        close(ends[0]);
        write_long_text(ends[1]);
        _exit(0);
    }
    close(ends[1]);
    snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
    ARMED(status = rls2_table_read_csv(path, &table, err));
    close(ends[0]);
    waitpid(writer, NULL, 0);
    return finish_table(status, table, r);
}

/* Numbers, a text column of many values, one of two, and missing cells. */
static const char *shop_text(void)
{
    static char text[8192];
    size_t used = (size_t)snprintf(text, sizeof text, "size,\"colour \"\"c\"\"\",sold,grade,price\n");
    for (int i = 0; i < 120; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%d,\"shade %d\",%s,%d,%s\n", i * 7 % 11,
                                 i % 40, i % 3 ? "yes" : "no", i % 2, i % 17 ? "2.5e1" : "");
    return text;
}

static rls2_status parse_text(result *r, rls2_error *err)
{
    rls2_table *table = UNTOUCHED;
    rls2_status status;
    const char *text = shop_text();
    ARMED(status = rls2_table_parse_csv("shop.csv", text, (int64_t)strlen(text), &table, err));
    return finish_table(status, table, r);
}

/* ---- data sets ---- */

static void add_dataset(result *r, const rls2_dataset *dataset)
{
    int64_t n = rls2_dataset_rows(dataset), p = rls2_dataset_columns(dataset);
    for (int64_t j = 0; j < p; j++) add_text(r, rls2_dataset_names(dataset)[j]);
    add_values(r, n * p, rls2_dataset_x(dataset));
    add_values(r, n, rls2_dataset_y(dataset));
    for (int64_t i = 0; i < n; i++) add_value(r, (double)rls2_dataset_source_row(dataset, i));
    if (!rls2_dataset_is_classification(dataset)) return;
    add_text(r, rls2_dataset_label(dataset, -1));
    add_text(r, rls2_dataset_label(dataset, +1));
}

static rls2_status finish_dataset(rls2_status status, rls2_dataset *dataset, result *r)
{
    if (status != RLS2_OK) {
        assert_ptr_equal(dataset, UNTOUCHED);
        return status;
    }
    add_dataset(r, dataset);
    rls2_dataset_free(dataset);
    return status;
}

static rls2_status make_dataset(rls2_dataset_options options, result *r, rls2_error *err)
{
    rls2_table *table = NULL;
    rls2_dataset *dataset = UNTOUCHED;
    rls2_status status;
    const char *text = shop_text();
    assert_int_equal(rls2_table_parse_csv("shop.csv", text, (int64_t)strlen(text), &table, NULL), RLS2_OK);
    ARMED(status = rls2_dataset_create(table, &options, &dataset, err));
    rls2_table_free(table);
    return finish_dataset(status, dataset, r);
}

static rls2_status regression_dataset(result *r, rls2_error *err)
{
    const char *const drop[] = {"colour \"c\"", "sold"};
    rls2_dataset_options options = rls2_dataset_options_default();
    options.target = "price";
    options.drop = drop;
    options.drop_count = 2;
    return make_dataset(options, r, err);
}

static rls2_status indicator_dataset(result *r, rls2_error *err)
{
    const char *const categorical[] = {"grade"};
    rls2_dataset_options options = rls2_dataset_options_default();
    options.target = "price";
    options.reference = 1;
    options.categorical = categorical;
    options.categorical_count = 1;
    return make_dataset(options, r, err);
}

static rls2_status text_classes(result *r, rls2_error *err)
{
    rls2_dataset_options options = rls2_dataset_options_default();
    options.target = "sold";
    return make_dataset(options, r, err);
}

static rls2_status number_classes(result *r, rls2_error *err)
{
    rls2_dataset_options options = rls2_dataset_options_default();
    options.target = "grade";
    options.classify = 1;
    return make_dataset(options, r, err);
}

static rls2_status load_paper_set(result *r, rls2_error *err)
{
    rls2_dataset *dataset = UNTOUCHED;
    rls2_status status;
    ARMED(status = paper_set_load(paper_set_find("prostate"), "data", &dataset, err));
    return finish_dataset(status, dataset, r);
}

/* ---- dictionaries ---- */

static rls2_status make_dictionary(const char *spec, const rls2_columns *columns, result *r, rls2_error *err)
{
    rls2_dictionary *dictionary = UNTOUCHED;
    rls2_status status;
    ARMED(status = rls2_dictionary_create(spec, columns, &dictionary, err));
    if (status != RLS2_OK) {
        assert_ptr_equal(dictionary, UNTOUCHED);
        return status;
    }
    add_value(r, (double)rls2_dictionary_size(dictionary));
    add_value(r, (double)rls2_dictionary_columns(dictionary));
    for (int64_t k = 0; k < rls2_dictionary_size(dictionary); k++)
        add_text(r, rls2_dictionary_name(dictionary, k));
    rls2_dictionary_free(dictionary);
    return status;
}

static const char *const gene_names[] = {"gene_1", "gene_2", "age", "x y", "q\"t", "gene_10"};
static const int64_t gene_columns[] = {5, 0, 1};
static const rls2_group gene_groups[] = {{"genes", 3, gene_columns}, {"two words", 2, gene_columns}};
static const char *const gene_given[] = {"K1", "my kernel.csv"};
static const rls2_columns genes = {.count = 6,
                                   .names = gene_names,
                                   .group_count = 2,
                                   .groups = gene_groups,
                                   .given_count = 2,
                                   .given_names = gene_given};

/* Enough names to need a second block of memory. */
static rls2_status paper_dictionary(result *r, rls2_error *err)
{
    const rls2_columns many = {.count = 200};
    return make_dictionary("paper", &many, r, err);
}

static rls2_status group_dictionary(result *r, rls2_error *err)
{
    return make_dictionary("rbf(1)@group:genes; poly(1..3)@each:group:genes,group:\"two words\"", &genes, r,
                           err);
}

static rls2_status pattern_dictionary(result *r, rls2_error *err)
{
    return make_dictionary("rbf(1|2)@gene_*,each:gene_?,gene_1+gene_10; laplace(1:2:40)@gene_2..\"x y\"",
                           &genes, r, err);
}

static rls2_status given_dictionary(result *r, rls2_error *err)
{
    return make_dictionary("given(K1); given(\"my kernel.csv\"); rbf(0.10001|0.10002)@age,\"q\"\"t\"; linear",
                           &genes, r, err);
}

/* ---- the problem the learning functions work on ---- */

enum { N = 60, P = 4, N_NEW = 7, LAMBDAS = 3, KERNEL_ROOM = 32 };

static struct {
    double x[N * P], y[N], labels[N], given[N * N];
    double new_x[N_NEW * P], new_given[N_NEW * N], new_diagonal[N_NEW];
    const double *given_list[1], *new_given_list[1], *new_diagonal_list[1];
    rls2_rows train, fresh;
    rls2_dictionary *dictionary;
    rls2_basis *basis;
    rls2_path *path;
    rls2_model *model;
    double s[KERNEL_ROOM], d[KERNEL_ROOM];
} problem;

static const double lambdas[LAMBDAS] = {1e-3, 1.0, 3e-2};

/* Without order, within -1 .. 1. */
static double noise(int i, int j)
{
    double v = 43758.5453 * sin(1.0 + 12.9898 * i + 78.233 * j);
    return 2.0 * (v - floor(v)) - 1.0;
}

static void fill_rows(int64_t n, double *x, double shift)
{
    for (int i = 0; i < (int)n; i++) {
        x[i] = ((double)i + shift) / (double)n;
        x[n + i] = noise(i, 1) + shift;
        x[2 * n + i] = noise(i, 2);
        x[3 * n + i] = i % 3;
    }
}

/* The given matrix is a kernel on something that is not among the columns. */
static double hidden(int i)
{
    return noise(i, 7);
}

static void fill_given(int n, int first, double *K)
{
    for (int j = 0; j < N; j++)
        for (int i = 0; i < n; i++) K[j * n + i] = exp(-pow(hidden(first + i) - hidden(j), 2.0));
}

static void fill_problem(void)
{
    fill_rows(N, problem.x, 0.0);
    fill_rows(N_NEW, problem.new_x, 0.25);
    fill_given(N, 0, problem.given);
    fill_given(N_NEW, N, problem.new_given);
    for (int i = 0; i < N_NEW; i++) problem.new_diagonal[i] = 1.0;
    for (int i = 0; i < N; i++) {
        problem.y[i] =
            2.0 + sin(3.0 * hidden(i)) + 0.4 * (i % 3) + sin(9.0 * problem.x[i]) + 0.3 * noise(i, 5);
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

/* One thread, so that allocations come in one order. */
static rls2_basis_options basis_options(rls2_scaling scaling)
{
    rls2_basis_options options = rls2_basis_options_default();
    options.scaling = scaling;
    options.labels = problem.labels;
    options.threads = 1;
    return options;
}

/* Kernels of the last point with this shape and at least this rank. */
static int selected(const char *shape, int64_t rank)
{
    const int64_t *kernels;
    int found = 0;
    int64_t count = rls2_path_weights(problem.path, LAMBDAS - 1, &kernels, NULL);
    for (int64_t i = 0; i < count; i++)
        found += strcmp(rls2_basis_shape(problem.basis, kernels[i]), shape) == 0 &&
                 rls2_basis_rank(problem.basis, kernels[i]) >= rank;
    return found;
}

/* The solver meets every shape, and factors of a rank that is worth a triangle; the
 * model has a given matrix to copy. */
static int is_varied(void)
{
    int given = 0;
    for (int64_t k = 0; k < rls2_model_size(problem.model); k++)
        given += strcmp(rls2_model_kernel_name(problem.model, k), "given(K)") == 0;
    return given && selected("dense", N) && selected("factor", 8) && selected("rank-one", 1);
}

static int set_up(void **state)
{
    (void)state;
    const char *const names[P] = {"t", "u", "v", "group"};
    const char *const given_names[] = {"K"};
    const rls2_columns columns = {.count = P, .names = names, .given_count = 1, .given_names = given_names};
    rls2_basis_options options = basis_options(RLS2_SCALING_TRACE);
    rls2_path_options path_options = rls2_path_options_default();
    rls2_error err = {.message = ""};
    fill_problem();
    path_options.gap_tol = 1e-9;
    if (rls2_dictionary_create(
            "linear@each,all; poly(2)@u+v; rbf(0.1|10|100)@t; rbf(0.1|10)@all; laplace(1)@u; spline@t; "
            "matern(1.5)@t+u; delta@\"group\"; given(K)",
            &columns, &problem.dictionary, &err) ||
        rls2_basis_create(problem.dictionary, &problem.train, &options, &problem.basis, &err) ||
        rls2_path_fit(problem.basis, problem.y, LAMBDAS, lambdas, &path_options, &problem.path, &err) ||
        rls2_model_create(problem.path, LAMBDAS - 1, &problem.model, &err)) {
        print_error("%s\n", err.message);
        return -1;
    }
    int64_t m = rls2_dictionary_size(problem.dictionary);
    if (m > KERNEL_ROOM) return -1;
    for (int64_t k = 0; k < m; k++) {
        problem.s[k] = rls2_basis_scales(problem.basis)[k];
        problem.d[k] = 1.0 / (double)m;
    }
    return is_varied() ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    rls2_model_free(problem.model);
    rls2_path_free(problem.path);
    rls2_basis_free(problem.basis);
    rls2_dictionary_free(problem.dictionary);
    return 0;
}

/* ---- bases ---- */

static rls2_status make_basis(rls2_basis_options options, result *r, rls2_error *err)
{
    rls2_basis *basis = UNTOUCHED;
    rls2_status status;
    ARMED(status = rls2_basis_create(problem.dictionary, &problem.train, &options, &basis, err));
    if (status != RLS2_OK) {
        assert_ptr_equal(basis, UNTOUCHED);
        return status;
    }
    add_values(r, rls2_basis_size(basis), rls2_basis_scales(basis));
    add_value(r, (double)rls2_basis_bytes(basis));
    for (int64_t k = 0; k < rls2_basis_size(basis); k++) {
        add_value(r, (double)rls2_basis_rank(basis, k));
        add_text(r, rls2_basis_shape(basis, k));
    }
    rls2_basis_free(basis);
    return status;
}

static rls2_status trace_basis(result *r, rls2_error *err)
{
    return make_basis(basis_options(RLS2_SCALING_TRACE), r, err);
}

static rls2_status plain_basis(result *r, rls2_error *err)
{
    return make_basis(basis_options(RLS2_SCALING_NONE), r, err);
}

static rls2_status fisher_basis(result *r, rls2_error *err)
{
    rls2_basis_options options = basis_options(RLS2_SCALING_FISHER);
    options.skip_degenerate = 1;
    return make_basis(options, r, err);
}

static rls2_status fisher_sqrt_basis(result *r, rls2_error *err)
{
    rls2_basis_options options = basis_options(RLS2_SCALING_FISHER_SQRT);
    options.skip_degenerate = 1;
    return make_basis(options, r, err);
}

static rls2_status centred_basis(result *r, rls2_error *err)
{
    rls2_basis_options options = basis_options(RLS2_SCALING_TRACE);
    options.center = 1;
    return make_basis(options, r, err);
}

static rls2_status transductive_basis(result *r, rls2_error *err)
{
    rls2_basis_options options = basis_options(RLS2_SCALING_TRACE);
    options.transductive = &problem.fresh;
    return make_basis(options, r, err);
}

static rls2_status dense_basis(result *r, rls2_error *err)
{
    rls2_basis_options options = basis_options(RLS2_SCALING_TRACE);
    options.rank_tol = 0.0;
    return make_basis(options, r, err);
}

static rls2_status finish_values(rls2_status status, int64_t count, const double *values, result *r)
{
    if (status == RLS2_OK)
        add_values(r, count, values);
    else
        assert_unwritten(count, values);
    return status;
}

static rls2_status compute_scalings(rls2_basis_options options, result *r, rls2_error *err)
{
    double s[KERNEL_ROOM];
    rls2_status status;
    fill_unwritten(KERNEL_ROOM, s);
    ARMED(status = rls2_scaling_compute(problem.dictionary, &problem.train, &options, s, err));
    return finish_values(status, rls2_dictionary_size(problem.dictionary), s, r);
}

static rls2_status trace_scalings(result *r, rls2_error *err)
{
    return compute_scalings(basis_options(RLS2_SCALING_TRACE), r, err);
}

static rls2_status fisher_scalings(result *r, rls2_error *err)
{
    rls2_basis_options options = basis_options(RLS2_SCALING_FISHER);
    options.skip_degenerate = 1;
    return compute_scalings(options, r, err);
}

/* ---- paths ---- */

static void add_point(result *r, const rls2_path *path, int64_t i)
{
    const rls2_path_point *point = rls2_path_at(path, i);
    const int64_t *kernels;
    const double *weights;
    int64_t count = rls2_path_weights(path, i, &kernels, &weights);
    add_value(r, point->lambda);
    add_value(r, point->objective);
    add_value(r, point->df);
    add_value(r, (double)point->outcome);
    add_value(r, (double)count);
    for (int64_t k = 0; k < count; k++) add_value(r, (double)kernels[k]);
    add_values(r, count, weights);
    add_values(r, N, rls2_path_c(path, i));
}

static rls2_status fit_path(rls2_solver solver, int df, int64_t memory, result *r, rls2_error *err)
{
    rls2_path *path = UNTOUCHED;
    rls2_status status;
    rls2_path_options options = rls2_path_options_default();
    options.solver = solver;
    options.degrees_of_freedom = df;
    options.gap_tol = 1e-9;
    options.delta = 1e-3;
    if (memory >= 0) options.memory = memory;
    ARMED(status = rls2_path_fit(problem.basis, problem.y, LAMBDAS, lambdas, &options, &path, err));
    if (status != RLS2_OK) {
        assert_ptr_equal(path, UNTOUCHED);
        return status;
    }
    assert_int_equal(rls2_path_count(path), LAMBDAS);
    for (int64_t i = 0; i < LAMBDAS; i++) add_point(r, path, i);
    rls2_path_free(path);
    return status;
}

static rls2_status newton(result *r, rls2_error *err)
{
    return fit_path(RLS2_SOLVER_NEWTON, 0, -1, r, err);
}

static rls2_status newton_df(result *r, rls2_error *err)
{
    return fit_path(RLS2_SOLVER_NEWTON, 1, -1, r, err);
}

static rls2_status newton_lean(result *r, rls2_error *err)
{
    return fit_path(RLS2_SOLVER_NEWTON, 0, 0, r, err);
}

static rls2_status newton_lean_df(result *r, rls2_error *err)
{
    return fit_path(RLS2_SOLVER_NEWTON, 1, 0, r, err);
}

static rls2_status alternate(result *r, rls2_error *err)
{
    return fit_path(RLS2_SOLVER_ALTERNATE, 0, -1, r, err);
}

static rls2_status alternate_df(result *r, rls2_error *err)
{
    return fit_path(RLS2_SOLVER_ALTERNATE, 1, -1, r, err);
}

static rls2_status alternate_lean(result *r, rls2_error *err)
{
    return fit_path(RLS2_SOLVER_ALTERNATE, 0, 0, r, err);
}

static rls2_status alternate_lean_df(result *r, rls2_error *err)
{
    return fit_path(RLS2_SOLVER_ALTERNATE, 1, 0, r, err);
}

static rls2_status default_lambdas(result *r, rls2_error *err)
{
    double grid[5];
    rls2_status status;
    fill_unwritten(5, grid);
    ARMED(status = rls2_lambda_default(problem.basis, problem.y, RLS2_INTERCEPT_MEAN, 1e-4, 5, grid, err));
    return finish_values(status, 5, grid, r);
}

static rls2_status finish_certificate(rls2_status status, const rls2_certificate *got, result *r)
{
    rls2_certificate blank;
    memset(&blank, 0x5a, sizeof blank);
    if (status != RLS2_OK) {
        assert_memory_equal(got, &blank, sizeof blank);
        return status;
    }
    add_value(r, got->primal);
    add_value(r, got->dual);
    add_value(r, got->gap);
    add_value(r, (double)got->max_kernel);
    return status;
}

static rls2_status certify(result *r, rls2_error *err)
{
    rls2_certificate got;
    rls2_status status;
    const double *c = rls2_path_c(problem.path, 0);
    memset(&got, 0x5a, sizeof got);
    ARMED(status = rls2_certify(problem.dictionary, &problem.train, problem.s, problem.y, 0.1, problem.d, c,
                                &got, err));
    return finish_certificate(status, &got, r);
}

static rls2_status certify_path(result *r, rls2_error *err)
{
    rls2_certificate got;
    rls2_status status;
    memset(&got, 0x5a, sizeof got);
    ARMED(status = rls2_path_certify(problem.path, 1, &got, err));
    return finish_certificate(status, &got, r);
}

/* ---- models ---- */

static rls2_status make_model(result *r, rls2_error *err)
{
    rls2_model *model = UNTOUCHED;
    rls2_status status;
    ARMED(status = rls2_model_create(problem.path, LAMBDAS - 1, &model, err));
    if (status != RLS2_OK) {
        assert_ptr_equal(model, UNTOUCHED);
        return status;
    }
    for (int64_t k = 0; k < rls2_model_size(model); k++) {
        add_text(r, rls2_model_kernel_name(model, k));
        add_value(r, rls2_model_weight(model, k));
        add_value(r, rls2_model_scale(model, k));
    }
    add_values(r, N, rls2_model_c(model));
    rls2_model_free(model);
    return status;
}

typedef rls2_status (*row_function)(const rls2_model *, const rls2_rows *, double *, rls2_error *);

static rls2_status apply_to_rows(row_function function, int64_t width, result *r, rls2_error *err)
{
    double values[N_NEW * KERNEL_ROOM];
    rls2_status status;
    fill_unwritten(N_NEW * width, values);
    ARMED(status = function(problem.model, &problem.fresh, values, err));
    return finish_values(status, N_NEW * width, values, r);
}

static rls2_status predict(result *r, rls2_error *err)
{
    return apply_to_rows(rls2_model_predict, 1, r, err);
}

static rls2_status contributions(result *r, rls2_error *err)
{
    return apply_to_rows(rls2_model_contributions, rls2_model_size(problem.model), r, err);
}

static rls2_status layer1(result *r, rls2_error *err)
{
    return apply_to_rows(rls2_model_layer1, rls2_model_size(problem.model), r, err);
}

static rls2_status variance(result *r, rls2_error *err)
{
    return apply_to_rows(rls2_model_variance, 1, r, err);
}

static rls2_status learned_kernel(result *r, rls2_error *err)
{
    double values[N_NEW * N];
    rls2_status status;
    fill_unwritten(N_NEW * N, values);
    ARMED(status = rls2_model_learned_kernel(problem.model, &problem.fresh, &problem.train, values, err));
    return finish_values(status, N_NEW * N, values, r);
}

static rls2_status model_df(result *r, rls2_error *err)
{
    double df = UNWRITTEN;
    rls2_status status;
    ARMED(status = rls2_model_degrees_of_freedom(problem.model, &df, err));
    return finish_values(status, 1, &df, r);
}

/* ---- a call that fails anyway ---- */

/* A matrix with a negative eigenvalue: short of memory or not, it is refused in words
 * that can be read. */
static void basis_create__indefinite_given_matrix_and_each_allocation_fails__is_refused(void **state)
{
    (void)state;
    static double K[N * N];
    const double *list[] = {K};
    rls2_rows train = problem.train;
    rls2_basis_options options = basis_options(RLS2_SCALING_TRACE);
    for (int64_t i = 0; i < N; i++) K[i * N + i] = 1.0;
    K[1] = K[N] = 2.0;
    train.given = list;
    for (int64_t fail_at = 1, failed = 1; failed; fail_at++) {
        rls2_basis *basis = UNTOUCHED;
        rls2_error err = {.message = ""};
        rls2_status status;
        reset_allocator(fail_at, 1);
        ARMED(status = rls2_basis_create(problem.dictionary, &train, &options, &basis, &err));
        failed = allocator.failed;
        if (!failed) assert_int_equal(status, RLS2_ERR_VALUE);
        assert_true(status == RLS2_ERR_VALUE || status == RLS2_ERR_MEMORY);
        assert_null(strstr(err.message, "nan"));
        assert_ptr_equal(basis, UNTOUCHED);
    }
    reset_allocator(0, 0);
}

/* ---- all ---- */

typedef struct sweep {
    const char *name;
    attempt call;
    manner how;
} sweep;

static void each_allocation_fails(void **state)
{
    const sweep *one = *state;
    fail_each_allocation(one->call, one->how);
}

/* A solver may do without the triangles it would like to keep; no other call does
 * without anything. */
static const sweep sweeps[] = {
    {"table_read_csv__file", read_file, STRICT},
    {"table_read_csv__pipe", read_pipe, STRICT},
    {"table_parse_csv", parse_text, STRICT},
    {"dataset_create__regression", regression_dataset, STRICT},
    {"dataset_create__indicators", indicator_dataset, STRICT},
    {"dataset_create__text_classes", text_classes, STRICT},
    {"dataset_create__number_classes", number_classes, STRICT},
    {"paper_set_load", load_paper_set, STRICT},
    {"dictionary_create__paper", paper_dictionary, STRICT},
    {"dictionary_create__groups", group_dictionary, STRICT},
    {"dictionary_create__patterns", pattern_dictionary, STRICT},
    {"dictionary_create__given", given_dictionary, STRICT},
    {"basis_create__trace", trace_basis, STRICT},
    {"basis_create__none", plain_basis, STRICT},
    {"basis_create__fisher", fisher_basis, STRICT},
    {"basis_create__fisher_sqrt", fisher_sqrt_basis, STRICT},
    {"basis_create__center", centred_basis, STRICT},
    {"basis_create__transductive", transductive_basis, STRICT},
    {"basis_create__dense", dense_basis, STRICT},
    {"scaling_compute__trace", trace_scalings, STRICT},
    {"scaling_compute__fisher", fisher_scalings, STRICT},
    {"path_fit__newton", newton, TOLERANT},
    {"path_fit__newton_df", newton_df, TOLERANT},
    {"path_fit__newton_memory_0", newton_lean, STRICT},
    {"path_fit__newton_memory_0_df", newton_lean_df, STRICT},
    {"path_fit__alternate", alternate, TOLERANT},
    {"path_fit__alternate_df", alternate_df, TOLERANT},
    {"path_fit__alternate_memory_0", alternate_lean, STRICT},
    {"path_fit__alternate_memory_0_df", alternate_lean_df, STRICT},
    {"lambda_default", default_lambdas, STRICT},
    {"certify", certify, STRICT},
    {"path_certify", certify_path, STRICT},
    {"model_create", make_model, STRICT},
    {"model_predict", predict, STRICT},
    {"model_contributions", contributions, STRICT},
    {"model_variance", variance, STRICT},
    {"model_learned_kernel", learned_kernel, STRICT},
    {"model_layer1", layer1, STRICT},
    {"model_degrees_of_freedom", model_df, STRICT},
};
enum { SWEEPS = sizeof sweeps / sizeof sweeps[0] };

int main(void)
{
    struct CMUnitTest tests[SWEEPS + 1] = {
        cmocka_unit_test(basis_create__indefinite_given_matrix_and_each_allocation_fails__is_refused)};
    for (int i = 0; i < SWEEPS; i++)
        tests[i + 1] = (struct CMUnitTest){.name = sweeps[i].name,
                                           .test_func = each_allocation_fails,
                                           .initial_state = (void *)(uintptr_t)&sweeps[i]};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
