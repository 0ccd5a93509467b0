/* The certified path against its floor.
 *
 *   rls2_bench_path [JSON [SET ...]]
 *
 * For each data set: a 70/30 split, the paper's dictionary with transductive trace
 * scaling, 30 lambdas from 1e6 to 1e-6, gap 1e-6, on one thread. path_ms is the time
 * of the path on a basis already made, basis_ms that of making it; the floor is the
 * time of 80 Cholesky factorisations (LAPACK dpotrf) of the same n, measured in the
 * same run; ratio = path_ms / floor_ms and total_ratio = (basis_ms + path_ms) /
 * floor_ms. test is the best score along the path on the other 30 %: root mean squared
 * error, or accuracy in per cent. The machine is shared: path and floor are measured in
 * turns, the best of several of each is kept. Each set runs in a process of its own, so
 * that its peak memory is its own. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/random.h"
#include "bench/bench.h"
#include "experiments/paper_sets.h"
#include "la/la.h"
#include "la/threads.h"
#include "rls2/rls2.h"

enum { LAMBDAS = 30, FLOOR_CALLS = 80, ROUNDS = 5 };

typedef struct split {
    int64_t n, n_test, p;
    double *x, *y, *x_test, *y_test;
} split;

typedef struct result {
    int64_t n, m;
    double path_ms, basis_ms, floor_ms;
    int64_t factorizations, priced, offered, selected;
    double worst_gap, score;
    double peak_mb;
} result;

static double now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

static void copy_rows(const rls2_dataset *data, const int64_t *order, int64_t count, double *x,
                      double *y)
{
    int64_t n = rls2_dataset_rows(data), p = rls2_dataset_columns(data);
    for (int64_t i = 0; i < count; i++) {
        y[i] = rls2_dataset_y(data)[order[i]];
        for (int64_t j = 0; j < p; j++) x[j * count + i] = rls2_dataset_x(data)[j * n + order[i]];
    }
}

static split split_rows(const rls2_dataset *data, double share, uint64_t seed)
{
    split s;
    rls2__random random;
    int64_t all = rls2_dataset_rows(data);
    int64_t *order = must(malloc((size_t)all * sizeof *order));
    s.p = rls2_dataset_columns(data);
    s.n = (int64_t)floor(share * (double)all);
    s.n_test = all - s.n;
    s.x = must(malloc((size_t)(s.n * s.p) * sizeof(double)));
    s.y = must(malloc((size_t)s.n * sizeof(double)));
    s.x_test = must(malloc((size_t)(s.n_test * s.p) * sizeof(double)));
    s.y_test = must(malloc((size_t)s.n_test * sizeof(double)));
    rls2__random_seed(&random, seed);
    rls2__random_permutation(&random, all, order);
    copy_rows(data, order, s.n, s.x, s.y);
    copy_rows(data, order + s.n, s.n_test, s.x_test, s.y_test);
    free(order);
    return s;
}

static double time_floor(int64_t n)
{
    double *A = must(malloc((size_t)(n * n) * sizeof *A));
    double *L = must(malloc((size_t)(n * n) * sizeof *L));
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++)
            A[j * n + i] = i == j ? 2.0 : 1.0 / (1.0 + (double)((i - j) * (i - j)));
    double total = 0.0;
    if (rls2__la_enter(NULL) != RLS2_OK) exit(1); /* one thread, as inside the library */
    for (int call = 0; call < FLOOR_CALLS; call++) {
        memcpy(L, A, (size_t)(n * n) * sizeof *L);
        double start = now_ms();
        if (rls2__la_cholesky(n, L, n) != 0) exit(1);
        total += now_ms() - start;
    }
    rls2__la_leave();
    free(A);
    free(L);
    return total;
}

/* Best test score along the path: RMSE, or accuracy in per cent. */
static double best_score(const rls2_path *path, const split *s, int classify)
{
    rls2_error err;
    double best = classify ? 0.0 : HUGE_VAL;
    double *f = must(malloc((size_t)s->n_test * sizeof *f));
    rls2_rows rows = {.n = s->n_test, .p = s->p, .x = s->x_test};
    for (int64_t i = 0; i < rls2_path_count(path); i++) {
        rls2_model *model;
        must_be_ok(rls2_model_create(1, &path, i, &model, &err), &err);
        must_be_ok(rls2_model_predict(model, &rows, NULL, f, &err), &err);
        double right = 0.0, squares = 0.0;
        for (int64_t j = 0; j < s->n_test; j++) {
            right += (f[j] > 0.0) == (s->y_test[j] > 0.0);
            squares += (f[j] - s->y_test[j]) * (f[j] - s->y_test[j]);
        }
        double score =
            classify ? 100.0 * right / (double)s->n_test : sqrt(squares / (double)s->n_test);
        best = classify ? fmax(best, score) : fmin(best, score);
        rls2_model_free(model);
    }
    free(f);
    return best;
}

static void sum_up(const rls2_path *path, result *r)
{
    r->factorizations = r->priced = r->offered = 0;
    r->worst_gap = 0.0;
    for (int64_t i = 0; i < rls2_path_count(path); i++) {
        const rls2_path_point *point = rls2_path_at(path, i);
        r->factorizations += point->factorizations;
        r->priced += point->priced;
        r->offered += point->offered;
        r->worst_gap = fmax(r->worst_gap, point->gap);
        r->selected = point->selected;
    }
}

static result measure(const paper_set *set, const char *folder)
{
    rls2_error err;
    rls2_dataset *data;
    rls2_dictionary *dictionary;
    double lambdas[LAMBDAS];
    result r = {.path_ms = HUGE_VAL, .basis_ms = HUGE_VAL, .floor_ms = HUGE_VAL};
    must_be_ok(paper_set_load(set, folder, &data, &err), &err);
    split s = split_rows(data, 0.7, 1);
    rls2_columns columns = {.count = s.p, .names = rls2_dataset_names(data)};
    must_be_ok(rls2_dictionary_create("paper", &columns, &dictionary, &err), &err);
    must_be_ok(rls2_lambda_grid(1e-6, 1e6, LAMBDAS, lambdas, &err), &err);
    rls2_rows train = {.n = s.n, .p = s.p, .x = s.x},
              test = {.n = s.n_test, .p = s.p, .x = s.x_test};
    rls2_basis_options basis_options;
    rls2_basis_options_init(&basis_options, sizeof basis_options);
    basis_options.transductive = &test;
    rls2_control control;
    rls2_control_init(&control, sizeof control);
    control.threads = 1;
    rls2_path_options path_options;
    rls2_path_options_init(&path_options, sizeof path_options);
    path_options.intercept = set->classify ? RLS2_INTERCEPT_NONE : RLS2_INTERCEPT_MEAN;
    r.n = s.n;
    r.m = rls2_dictionary_count(dictionary);
    struct rusage usage;
    for (int round = 0; round < ROUNDS; round++) {
        rls2_basis *basis;
        rls2_path *path;
        double start = now_ms();
        must_be_ok(rls2_basis_create(dictionary, &train, &basis_options, &control, &basis, &err),
                   &err);
        double middle = now_ms();
        must_be_ok(rls2_path_fit(1, (const rls2_basis *const *)&basis, s.y, LAMBDAS, lambdas,
                                 &path_options, &control, &path, &err),
                   &err);
        double end = now_ms();
        if (round == 0) {
            getrusage(RUSAGE_SELF, &usage);
            r.peak_mb = (double)usage.ru_maxrss / 1024.0;
            sum_up(path, &r);
            r.score = best_score(path, &s, set->classify);
        }
        r.basis_ms = fmin(r.basis_ms, middle - start);
        r.path_ms = fmin(r.path_ms, end - middle);
        rls2_path_free(path);
        rls2_basis_free(basis);
        r.floor_ms = fmin(r.floor_ms, time_floor(s.n));
    }
    rls2_dictionary_free(dictionary);
    rls2_dataset_free(data);
    free(s.x);
    free(s.y);
    free(s.x_test);
    free(s.y_test);
    return r;
}

/* Runs measure() in a child process. */
static int measure_apart(const paper_set *set, const char *folder, result *r)
{
    int ends[2], status;
    if (pipe(ends) != 0) return -1;
    fflush(NULL);
    pid_t child = fork();
    if (child < 0) return -1;
    if (child == 0) {
        result mine = measure(set, folder);
        _exit(write(ends[1], &mine, sizeof mine) == (ssize_t)sizeof mine ? 0 : 1);
    }
    close(ends[1]);
    ssize_t got = read(ends[0], r, sizeof *r);
    close(ends[0]);
    waitpid(child, &status, 0);
    return got == (ssize_t)sizeof *r && status == 0 ? 0 : -1;
}

static void print_row(const paper_set *set, const result *r)
{
    printf("%-11s %4lld %4lld %9.1f %9.1f %9.1f %6.2f %6.2f %5lld %7lld %8lld %5.1f%% %7.1f %9.1e "
           "%8.2f\n",
           set->name, (long long)r->n, (long long)r->m, r->path_ms, r->basis_ms, r->floor_ms,
           r->path_ms / r->floor_ms, (r->path_ms + r->basis_ms) / r->floor_ms,
           (long long)r->factorizations, (long long)r->priced, (long long)r->offered,
           100.0 * (double)r->priced / (double)r->offered, r->peak_mb, r->worst_gap, r->score);
    fflush(stdout);
}

static void print_json(FILE *out, const paper_set *set, const result *r, int first)
{
    fprintf(
        out,
        "%s\n  {\"data\": \"%s\", \"n\": %lld, \"m\": %lld, \"path_ms\": %.3f, \"floor_ms\": %.3f, "
        "\"ratio\": %.4f, "
        "\"basis_ms\": %.3f, \"total_ratio\": %.4f, \"factorizations\": %lld, \"priced\": %lld, "
        "\"offered\": %lld, "
        "\"peak_mb\": %.1f, \"worst_gap\": %.3e}",
        first ? "" : ",", set->name, (long long)r->n, (long long)r->m, r->path_ms, r->floor_ms,
        r->path_ms / r->floor_ms, r->basis_ms, (r->path_ms + r->basis_ms) / r->floor_ms,
        (long long)r->factorizations, (long long)r->priced, (long long)r->offered, r->peak_mb,
        r->worst_gap);
}

int main(int argc, char **argv)
{
    rls2_blas_tune();
    static const char *standard[] = {"housing", "pima",  "auto-mpg", "ionosphere",
                                     "sonar",   "heart", "wpbc"};
    const char *const *names = argc > 2 ? (const char *const *)argv + 2 : standard;
    int count = argc > 2 ? argc - 2 : (int)(sizeof standard / sizeof standard[0]);
    FILE *json = argc > 1 ? fopen(argv[1], "w") : NULL;
    if (argc > 1 && !json) {
        perror(argv[1]);
        return 1;
    }
    puts("ratio: path / floor; total: (basis + path) / floor; share: priced of offered; test: RMSE "
         "or % "
         "correct");
    printf("%-11s %4s %4s %9s %9s %9s %6s %6s %5s %7s %8s %6s %7s %9s %8s\n", "data", "n", "m",
           "path_ms", "basis_ms", "floor_ms", "ratio", "total", "fact", "priced", "offered",
           "share", "peak_mb", "worst_gap", "test");
    if (json) fputs("[", json);
    for (int i = 0; i < count; i++) {
        const paper_set *set = paper_set_find(names[i]);
        result r;
        if (!set || measure_apart(set, "data", &r) != 0) {
            fprintf(stderr, "bench: %s failed\n", names[i]);
            return 1;
        }
        print_row(set, &r);
        if (json) print_json(json, set, &r, i == 0);
    }
    if (json) {
        fputs("\n]\n", json);
        if (fclose(json) != 0) return 1;
    }
    return 0;
}
