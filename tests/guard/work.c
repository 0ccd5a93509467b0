/* Work that must not grow: fits one of the cases below on one thread and prints what it took,
 * counted.
 *
 *   guard_work CASE
 *   guard_work --made-with     the compiler and the BLAS
 *
 *   paper   Auto-mpg, seven rows of ten, the paper's dictionary, 30 lambdas from 1e6 to 1e-6
 *   narrow  Wpbc, seven rows of ten, likewise: many kernels on few rows
 *   linear  made data, 100 rows of 5,000 columns, a linear kernel each, 50 lambdas
 *
 * run.sh compares the counts with the bounds beside it, and those of instructions too. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "experiments/paper_sets.h"
#include "rls2/rls2.h"
#include "support/one_output.h"

#if defined(__GNUC__)
extern char *openblas_get_config(void) __attribute__((weak));
#endif

typedef struct task {
    int64_t n, p, lambdas;
    double *x, *y;
    const char *kernels;
    double lo, hi; /* both 0: the default grid */
    rls2_intercept intercept;
} task;

static void stop(const char *why)
{
    fprintf(stderr, "guard_work: %s\n", why);
    exit(1);
}

static void check(rls2_status status, const rls2_error *err)
{
    if (status != RLS2_OK) stop(err->message);
}

static void reserve(task *t, int64_t n, int64_t p)
{
    t->n = n;
    t->p = p;
    t->x = malloc((size_t)(n * p) * sizeof *t->x);
    t->y = malloc((size_t)n * sizeof *t->y);
    if (!t->x || !t->y) stop("out of memory");
}

/* Seven rows of ten, always the same. */
static task paper_task(const char *name)
{
    rls2_error err;
    rls2_dataset *data;
    const paper_set *set = paper_set_find(name);
    check(paper_set_load(set, "data", &data, &err), &err);
    int64_t all = rls2_dataset_rows(data), kept = 0;
    task t = {.kernels = "paper", .lambdas = 30, .lo = 1e-6, .hi = 1e6};
    t.intercept = set->classify ? RLS2_INTERCEPT_NONE : RLS2_INTERCEPT_MEAN;
    reserve(&t, all / 10 * 7, rls2_dataset_columns(data));
    for (int64_t i = 0; i < all && kept < t.n; i++) {
        if (i % 10 >= 7) continue;
        for (int64_t j = 0; j < t.p; j++) t.x[j * t.n + kept] = rls2_dataset_x(data)[j * all + i];
        t.y[kept++] = rls2_dataset_y(data)[i];
    }
    rls2_dataset_free(data);
    return t;
}

/* Twenty columns count, the rest is noise. */
static task linear_task(void)
{
    rls2__random random;
    task t = {.kernels = "linear", .lambdas = 50, .intercept = RLS2_INTERCEPT_MEAN};
    reserve(&t, 100, 5000);
    rls2__random_seed(&random, 1);
    for (int64_t i = 0; i < t.n * t.p; i++) t.x[i] = rls2__random_normal(&random);
    for (int64_t i = 0; i < t.n; i++) {
        t.y[i] = rls2__random_normal(&random);
        for (int64_t j = 0; j < 20; j++) t.y[i] += t.x[j * 250 * t.n + i];
    }
    return t;
}

static task find_task(const char *name)
{
    if (strcmp(name, "paper") == 0) return paper_task("auto-mpg");
    if (strcmp(name, "narrow") == 0) return paper_task("wpbc");
    if (strcmp(name, "linear") != 0) stop("the cases are paper, narrow and linear");
    return linear_task();
}

static void print_counts(const rls2_path *path)
{
    int64_t factorizations = 0, priced = 0;
    for (int64_t i = 0; i < rls2_path_count(path); i++) {
        const rls2_path_point *point = rls2_path_at(path, i);
        if (point->outcome != RLS2_OUTCOME_CONVERGED) stop("a lambda did not converge");
        factorizations += point->factorizations;
        priced += point->priced;
    }
    printf("factorizations %lld\npriced %lld\n", (long long)factorizations, (long long)priced);
}

/* Called by name: callgrind parts what it counted where this begins. */
#if defined(__GNUC__)
__attribute__((noinline))
#endif
static void
fit_path(const task *t, const rls2_basis *basis)
{
    rls2_error err;
    rls2_path *path;
    double lambdas[64];
    rls2_path_options options;
    rls2_path_options_init(&options, sizeof options);
    options.intercept = t->intercept;
    if (t->hi > 0.0)
        check(rls2_lambda_grid(t->lo, t->hi, t->lambdas, lambdas, &err), &err);
    else
        check(grid_of_one(basis, t->y, t->intercept, 1e-4, t->lambdas, lambdas, &err), &err);
    check(fit_one(basis, t->y, t->lambdas, lambdas, &options, &path, &err), &err);
    print_counts(path);
    rls2_path_free(path);
}

static void solve(const task *t)
{
    rls2_error err;
    rls2_dictionary *dictionary;
    rls2_basis *basis;
    rls2_rows rows = {.n = t->n, .p = t->p, .x = t->x};
    rls2_columns columns = {.count = t->p};
    rls2_basis_options options;
    rls2_basis_options_init(&options, sizeof options);
    rls2_control control;
    rls2_control_init(&control, sizeof control);
    control.threads = 1;
    check(rls2_dictionary_create(t->kernels, &columns, &dictionary, &err), &err);
    check(rls2_basis_create(dictionary, &rows, &options, &control, &basis, &err), &err);
    fit_path(t, basis);
    rls2_basis_free(basis);
    rls2_dictionary_free(dictionary);
}

/* Bounds hold for one compiler and one BLAS. */
static void print_made_with(void)
{
#if defined(__GNUC__) && !defined(__clang__)
    printf("gcc %d, ", __GNUC__);
#else
    printf("another compiler, ");
#endif
    char version[64] = "another BLAS";
    if (openblas_get_config) sscanf(openblas_get_config(), "%*s %63s", version);
    printf("OpenBLAS %s\n", version);
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "--made-with") == 0) {
        print_made_with();
        return 0;
    }
    if (argc != 2) stop("usage: guard_work paper|narrow|linear");
    task t = find_task(argv[1]);
    solve(&t);
    free(t.x);
    free(t.y);
    return 0;
}
