/* Paths of every loss beside that of the square loss.
 *
 *   rls2_bench_loss [JSON [SET ...]]
 *
 * For each data set and each loss that its responses allow: all rows, the paper's dictionary with
 * trace scaling, the default grid of 30 lambdas of that loss, gap 1e-6, on one thread, and each
 * intercept. fact is the number of factorisations of the path, times those of the square loss under
 * the same intercept; open counts lambdas that did not reach the gap. Responses of a regression are
 * standardised, of counts they are rounded. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench/bench.h"
#include "experiments/paper_sets.h"
#include "rls2/rls2.h"

enum { LAMBDAS = 30 };
static const double RATIO = 1e-6;

static const char *const LABELS[] = {"square", "logistic", "hinge", "squared-hinge", NULL};
static const char *const NUMBERS[] = {"square",        "huber(0.5)",    "quantile(0.1)",
                                      "quantile(0.5)", "quantile(0.9)", "epsilon(0.1)",
                                      "absolute",      "poisson",       NULL};

typedef struct table {
    int64_t n, p;
    const double *x;
    double *y, *counts;
    const rls2_basis *basis;
} table;

typedef struct result {
    double ms, worst_gap;
    int64_t factorizations, open, selected;
} result;

static double now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

/* y with mean 0 and variance 1, and counts of mean about 3. */
static void prepare_numbers(table *at)
{
    double mean = 0.0, square = 0.0, low = HUGE_VAL;
    for (int64_t i = 0; i < at->n; i++) mean += at->y[i] / (double)at->n;
    for (int64_t i = 0; i < at->n; i++)
        square += (at->y[i] - mean) * (at->y[i] - mean) / (double)at->n;
    for (int64_t i = 0; i < at->n; i++) low = fmin(low, at->y[i]);
    for (int64_t i = 0; i < at->n; i++) {
        at->counts[i] = floor(3.0 * (at->y[i] - low) / (mean - low) + 0.5);
        at->y[i] = (at->y[i] - mean) / sqrt(square);
    }
}

static result measure(const table *at, const char *word, rls2_intercept intercept)
{
    rls2_error err;
    rls2_path *path;
    double lambdas[LAMBDAS];
    rls2_path_options options;
    rls2_control control;
    result r = {0};
    rls2_control_init(&control, sizeof control);
    control.threads = 1;
    rls2_path_options_init(&options, sizeof options);
    options.intercept = intercept;
    must_be_ok(rls2_loss_parse(word, &options.loss, &err), &err);
    const double *y = rls2_loss_takes_counts(options.loss) ? at->counts : at->y;
    must_be_ok(rls2_lambda_default_for(1, &at->basis, y, &options, RATIO, LAMBDAS, lambdas, &err),
               &err);
    double start = now_ms();
    must_be_ok(rls2_path_fit(1, &at->basis, y, LAMBDAS, lambdas, &options, &control, &path, &err),
               &err);
    r.ms = now_ms() - start;
    for (int64_t i = 0; i < rls2_path_count(path); i++) {
        const rls2_path_point *point = rls2_path_at(path, i);
        r.factorizations += point->factorizations;
        r.open += !(point->gap <= options.gap_tol);
        r.worst_gap = fmax(r.worst_gap, point->gap);
        r.selected = point->selected;
        if (getenv("RLS2_BENCH_POINTS"))
            printf("  %2lld lambda %9.2e objective %.9g gap %8.1e iterations %lld fact %lld "
                   "selected %lld outcome %d\n",
                   (long long)i, point->lambda, point->objective, point->gap,
                   (long long)point->iterations, (long long)point->factorizations,
                   (long long)point->selected, (int)point->outcome);
    }
    rls2_path_free(path);
    return r;
}

static void bench_set(const paper_set *set, FILE *json, int *first)
{
    static const char *const RULES[] = {"none", "mean", "free"};
    rls2_error err;
    rls2_dataset *data;
    rls2_dictionary *dictionary;
    rls2_basis *basis;
    must_be_ok(paper_set_load(set, "data", &data, &err), &err);
    table at = {
        .n = rls2_dataset_rows(data), .p = rls2_dataset_columns(data), .x = rls2_dataset_x(data)};
    rls2_columns columns = {.count = at.p, .names = rls2_dataset_names(data)};
    must_be_ok(rls2_dictionary_create("paper", &columns, &dictionary, &err), &err);
    rls2_rows rows = {.n = at.n, .p = at.p, .x = at.x};
    must_be_ok(rls2_basis_create(dictionary, &rows, NULL, NULL, &basis, &err), &err);
    at.basis = basis;
    at.y = must(malloc((size_t)at.n * sizeof *at.y));
    at.counts = must(malloc((size_t)at.n * sizeof *at.counts));
    memcpy(at.y, rls2_dataset_y(data), (size_t)at.n * sizeof *at.y);
    if (!set->classify) prepare_numbers(&at);
    for (int rule = RLS2_INTERCEPT_NONE; rule <= RLS2_INTERCEPT_FREE; rule++) {
        int64_t base = 0;
        for (const char *const *word = set->classify ? LABELS : NUMBERS; *word; word++) {
            result r = measure(&at, *word, (rls2_intercept)rule);
            if (strcmp(*word, "square") == 0) base = r.factorizations;
            double times = (double)r.factorizations / (double)base;
            printf("%-11s %4lld %-5s %-14s %9.1f %5lld %6.2f %9.1e %5lld %5lld\n", set->name,
                   (long long)at.n, RULES[rule], *word, r.ms, (long long)r.factorizations, times,
                   r.worst_gap, (long long)r.open, (long long)r.selected);
            fflush(stdout);
            if (!json) continue;
            fprintf(json,
                    "%s\n  {\"data\": \"%s\", \"intercept\": \"%s\", \"loss\": \"%s\", \"ms\": "
                    "%.1f, \"factorizations\": %lld, \"times\": %.3f, \"worst_gap\": %.3e, "
                    "\"open\": %lld}",
                    *first ? "" : ",", set->name, RULES[rule], *word, r.ms,
                    (long long)r.factorizations, times, r.worst_gap, (long long)r.open);
            *first = 0;
        }
    }
    free(at.y);
    free(at.counts);
    rls2_basis_free(basis);
    rls2_dictionary_free(dictionary);
    rls2_dataset_free(data);
}

int main(int argc, char **argv)
{
    rls2_blas_tune();
    static const char *standard[] = {"heart",    "pima", "ionosphere", "sonar", "liver",   "wpbc",
                                     "auto-mpg", "cpu",  "housing",    "servo", "prostate"};
    const char *const *names = argc > 2 ? (const char *const *)argv + 2 : standard;
    int count = argc > 2 ? argc - 2 : (int)(sizeof standard / sizeof standard[0]), first = 1;
    FILE *json = argc > 1 ? fopen(argv[1], "w") : NULL;
    if (argc > 1 && !json) {
        perror(argv[1]);
        return 1;
    }
    printf("%-11s %4s %-5s %-14s %9s %5s %6s %9s %5s %5s\n", "data", "n", "b", "loss", "path_ms",
           "fact", "times", "worst_gap", "open", "last");
    if (json) fputs("[", json);
    for (int i = 0; i < count; i++) {
        const paper_set *set = paper_set_find(names[i]);
        if (!set) {
            fprintf(stderr, "bench: no set is called %s\n", names[i]);
            return 1;
        }
        bench_set(set, json, &first);
    }
    if (json) fputs("\n]\n", json);
    return json && fclose(json) != 0;
}
