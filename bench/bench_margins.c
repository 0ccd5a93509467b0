/* Margins: multiple kernel learning with the hinge loss on the paper's six classification sets.
 *
 *   rls2_bench_margins FOLDER [SPLITS]
 *
 * The problem of SILP and SimpleMKL: hinge loss, free intercept, the paper's kernels scaled by
 * their trace, inputs standardised. For each set SPLITS (20) random splits, 70/30, stratified. Each
 * loss has the paper's grid of 30 lambdas; `best` is the mean accuracy in per cent at the lambda
 * with the best mean, as the paper reports it, with the deviation over splits and the kernels
 * there; `C = 100` is the hinge loss at lambda = 1/C, as SimpleMKL was measured. open counts
 * solutions above the gap of 1e-6. FOLDER gets what margins_svc.py needs: the sum of all kernels,
 * labels and splits. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "basis/basis.h"
#include "bench/bench.h"
#include "experiments/paper_sets.h"
#include "rls2/rls2.h"

enum { GRID = 30, LAMBDAS = GRID + 1, LOSSES = 4 };
static const double SIMPLE_C = 100.0;
static const char *const SETS[] = {"heart", "liver", "pima", "ionosphere", "wpbc", "sonar"};
static const char *const WORDS[LOSSES] = {"square", "logistic", "hinge", "squared-hinge"};

typedef struct table {
    const char *name;
    rls2_dataset *data;
    rls2_dictionary *dictionary;
    rls2_basis *basis;
    rls2_splits *splits;
    int64_t n, m;
} table;

/* Over splits, at each lambda. */
typedef struct sums {
    double score[LAMBDAS], square[LAMBDAS], kernels[LAMBDAS];
    int64_t open;
} sums;

static table load(const char *name, int64_t splits)
{
    rls2_error err;
    table t = {.name = name};
    must_be_ok(paper_set_load(paper_set_find(name), "data", &t.data, &err), &err);
    t.n = rls2_dataset_rows(t.data);
    rls2_columns columns = {.count = rls2_dataset_columns(t.data),
                            .names = rls2_dataset_names(t.data)};
    rls2_rows rows = {.n = t.n, .p = columns.count, .x = rls2_dataset_x(t.data)};
    must_be_ok(rls2_dictionary_create("paper", &columns, &t.dictionary, &err), &err);
    must_be_ok(rls2_basis_create(t.dictionary, &rows, NULL, NULL, &t.basis, &err), &err);
    must_be_ok(rls2_splits_random(t.n, rls2_dataset_y(t.data), splits, 0.7, 1, &t.splits, &err),
               &err);
    t.m = rls2_dictionary_count(t.dictionary);
    return t;
}

static void release(table *t)
{
    rls2_splits_free(t->splits);
    rls2_basis_free(t->basis);
    rls2_dictionary_free(t->dictionary);
    rls2_dataset_free(t->data);
}

/* Rows of the data, column-major, and their labels. */
static double *take(const table *t, int64_t count, const int64_t *rows, double *y)
{
    int64_t p = rls2_dataset_columns(t->data);
    double *x = must(malloc((size_t)(count * p) * sizeof *x));
    for (int64_t i = 0; i < count; i++) {
        y[i] = rls2_dataset_y(t->data)[rows[i]];
        for (int64_t j = 0; j < p; j++)
            x[j * count + i] = rls2_dataset_x(t->data)[j * t->n + rows[i]];
    }
    return x;
}

static void add_path(const rls2_path *path, int64_t n, const double *f, const double *y, sums *s)
{
    for (int64_t i = 0; i < rls2_path_count(path); i++) {
        const rls2_path_point *point = rls2_path_at(path, i);
        double score = 100.0 * rls2_measure_value(RLS2_MEASURE_ACCURACY, 1, n, f + i * n, y, NULL);
        s->score[i] += score;
        s->square[i] += score * score;
        s->kernels[i] += (double)point->selected;
        s->open += !(point->gap <= 1e-6);
    }
}

static void fit_split(const table *t, int64_t split, const double *lambdas, const char *word,
                      sums *s)
{
    rls2_error err;
    const int64_t *train, *test;
    int64_t n = rls2_splits_training(t->splits, split, &train);
    int64_t n_test = rls2_splits_validation(t->splits, split, &test);
    double *y = must(malloc((size_t)n * sizeof *y)), *y_test = must(malloc((size_t)n_test * 8));
    double *x = take(t, n, train, y), *x_test = take(t, n_test, test, y_test);
    double *f = must(malloc((size_t)(n_test * LAMBDAS) * sizeof *f));
    rls2_basis *basis;
    rls2_path *path;
    rls2_path_options options;
    rls2_path_options_init(&options, sizeof options);
    must_be_ok(rls2_loss_parse(word, &options.loss, &err), &err);
    options.intercept =
        options.loss.kind == RLS2_LOSS_SQUARE ? RLS2_INTERCEPT_NONE : RLS2_INTERCEPT_FREE;
    must_be_ok(rls2_basis_take(t->basis, n, train, NULL, NULL, &basis, &err), &err);
    must_be_ok(rls2_path_fit(1, (const rls2_basis *const *)&basis, y, LAMBDAS, lambdas, &options,
                             NULL, &path, &err),
               &err);
    const rls2_rows rows = {.n = n_test, .p = rls2_dataset_columns(t->data), .x = x_test};
    must_be_ok(rls2_path_predict(path, &rows, f, &err), &err);
    add_path(path, n_test, f, y_test, s);
    rls2_path_free(path);
    rls2_basis_free(basis);
    free(f);
    free(x);
    free(x_test);
    free(y);
    free(y_test);
}

static void print_at(const table *t, const char *word, const char *where, const sums *s, int64_t i)
{
    double count = (double)rls2_splits_count(t->splits), mean = s->score[i] / count;
    double variance = fmax(s->square[i] / count - mean * mean, 0.0);
    printf("%-11s %4" PRId64 " %4" PRId64 " %-14s %-8s %6.1f (%.1f) %8.1f %5" PRId64 "\n", t->name,
           t->n, t->m, word, where, mean, sqrt(variance), s->kernels[i] / count, s->open);
    fflush(stdout);
}

static void bench_loss(const table *t, const double *lambdas, const char *word)
{
    sums s = {0};
    int64_t best = 0, simple = 0;
    for (int64_t k = 0; k < rls2_splits_count(t->splits); k++) fit_split(t, k, lambdas, word, &s);
    for (int64_t i = 0; i < LAMBDAS; i++) {
        if (lambdas[i] == 1.0 / SIMPLE_C)
            simple = i;
        else if (s.score[i] > s.score[best])
            best = i;
    }
    print_at(t, word, "best", &s, best);
    if (strcmp(word, "hinge") == 0) print_at(t, word, "C = 100", &s, simple);
}

/* ---- for others ---- */

static void write_numbers(const char *folder, const char *name, const char *what, int64_t count,
                          const double *values)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s.%s", folder, name, what);
    FILE *out = must(fopen(path, "wb"));
    if (fwrite(values, sizeof *values, (size_t)count, out) != (size_t)count || fclose(out) != 0)
        exit(1);
}

/* The sum of all scaled kernels, as columns of the operators. */
static void write_kernel(const table *t, const char *folder)
{
    double *K = must(calloc((size_t)(t->n * t->n), sizeof *K)),
           *one = must(calloc((size_t)t->n, 8)), *v = must(malloc((size_t)t->n * 8)),
           *work = must(malloc((size_t)t->n * 8));
    rls2__effort effort;
    rls2__effort_begin_alone(&effort);
    for (int64_t j = 0; j < t->n; j++) {
        one[j] = 1.0;
        for (int64_t k = 0; k < t->m; k++) {
            if (rls2__basis_apply(&effort, t->basis, k, one, v, work) != RLS2_OK) exit(1);
            for (int64_t i = 0; i < t->n; i++) K[j * t->n + i] += v[i];
        }
        one[j] = 0.0;
    }
    write_numbers(folder, t->name, "kernel", t->n * t->n, K);
    write_numbers(folder, t->name, "labels", t->n, rls2_dataset_y(t->data));
    free(K);
    free(one);
    free(v);
    free(work);
}

/* A row for each split: 1 where a row of the data is learned from. */
static void write_splits(const table *t, const char *folder)
{
    int64_t count = rls2_splits_count(t->splits);
    double *flags = must(calloc((size_t)(count * t->n), sizeof *flags));
    for (int64_t k = 0; k < count; k++) {
        const int64_t *rows;
        int64_t n = rls2_splits_training(t->splits, k, &rows);
        for (int64_t i = 0; i < n; i++) flags[k * t->n + rows[i]] = 1.0;
    }
    write_numbers(folder, t->name, "splits", count * t->n, flags);
    free(flags);
}

static int descending(const void *a, const void *b)
{
    double u = *(const double *)a, v = *(const double *)b;
    return (u < v) - (u > v);
}

int main(int argc, char **argv)
{
    rls2_blas_tune();
    rls2_error err;
    double lambdas[LAMBDAS];
    int64_t splits = argc > 2 ? strtoll(argv[2], NULL, 10) : 20;
    if (argc < 2 || splits < 1) {
        fprintf(stderr, "usage: rls2_bench_margins FOLDER [SPLITS]\n");
        return 2;
    }
    must_be_ok(rls2_lambda_grid(1e-6, 1e6, GRID, lambdas, &err), &err);
    lambdas[GRID] = 1.0 / SIMPLE_C;
    qsort(lambdas, LAMBDAS, sizeof *lambdas, descending);
    printf("%-11s %4s %4s %-14s %-8s %6s %5s %8s %5s\n", "data", "n", "m", "loss", "at", "%", "sd",
           "kernels", "open");
    for (size_t i = 0; i < sizeof SETS / sizeof *SETS; i++) {
        table t = load(SETS[i], splits);
        for (int k = 0; k < LOSSES; k++) bench_loss(&t, lambdas, WORDS[k]);
        write_kernel(&t, argv[1]);
        write_splits(&t, argv[1]);
        release(&t);
    }
    return 0;
}
