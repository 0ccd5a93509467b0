/* Paths of every loss, timed, and all that another program needs to repeat them.
 *
 *   rls2_bench_loss_peers FOLDER [SET[/LOSS] ...]
 *
 * For each case: 30 lambdas, from the default maximum to a thousandth of it, on one thread; the
 * processor time of the fastest of ROUNDS paths at gap 1e-6, and a path at 1e-10, which is what
 * solutions are judged by. Of linear kernels of single columns, which are l1-penalised regressions,
 * the time includes the basis (others begin with X too); of other kernels it does not (others are
 * given the matrices). FOLDER gets problems.json and raw doubles: N.x (by columns), N.y.
 *
 * Sets are those of data/, and "wide" (200 rows, 5,000 columns, 20 of which matter) and "tall"
 * (4,000 rows, 40 columns), which are made. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "bench/bench.h"
#include "bench/problems.h"
#include "experiments/paper_sets.h"
#include "rls2/rls2.h"

enum { LAMBDAS = 30, ROUNDS = 7, PATH_LENGTH = 1024 };
static const double A_WHILE = 5.0; /* seconds that are enough for all rounds */
static const double RATIO = 1e-3, GAP = 1e-6, TIGHT_GAP = 1e-10;

typedef struct peer_case {
    const char *set, *kernels, *loss;
    rls2_intercept intercept;
} peer_case;

static const peer_case CASES[] = {
    {"heart", "linear@each", "logistic", RLS2_INTERCEPT_FREE},
    {"sonar", "linear@each", "logistic", RLS2_INTERCEPT_FREE},
    {"wide", "linear@each", "logistic", RLS2_INTERCEPT_FREE},
    {"tall", "linear@each", "logistic", RLS2_INTERCEPT_FREE},
    {"sonar", "linear@each", "logistic", RLS2_INTERCEPT_NONE},
    {"wide", "linear@each", "logistic", RLS2_INTERCEPT_NONE},
    {"cpu", "linear@each", "poisson", RLS2_INTERCEPT_FREE},
    {"housing", "linear@each", "poisson", RLS2_INTERCEPT_FREE},
    {"wide", "linear@each", "poisson", RLS2_INTERCEPT_FREE},
    {"tall", "linear@each", "poisson", RLS2_INTERCEPT_FREE},
    {"housing", "linear@each", "huber(0.5)", RLS2_INTERCEPT_FREE},
    {"wide", "linear@each", "huber(0.5)", RLS2_INTERCEPT_FREE},
    {"cpu", "linear@each", "quantile(0.9)", RLS2_INTERCEPT_FREE},
    {"housing", "linear@each", "quantile(0.5)", RLS2_INTERCEPT_FREE},
    {"housing", "linear@each", "absolute", RLS2_INTERCEPT_FREE},
    {"wide", "linear@each", "quantile(0.5)", RLS2_INTERCEPT_FREE},
    {"heart", "rbf(0.1)@all", "hinge", RLS2_INTERCEPT_FREE},
    {"pima", "rbf(0.1)@all", "hinge", RLS2_INTERCEPT_FREE},
    {"heart", "rbf(0.1)@all", "squared-hinge", RLS2_INTERCEPT_NONE},
    {"pima", "rbf(0.1)@all", "squared-hinge", RLS2_INTERCEPT_NONE},
    {"cpu", "rbf(0.1)@all", "epsilon(0.1)", RLS2_INTERCEPT_FREE},
    {"housing", "rbf(0.1)@all", "epsilon(0.1)", RLS2_INTERCEPT_FREE},
    {"heart", "paper", "hinge", RLS2_INTERCEPT_FREE},
    {"liver", "paper", "hinge", RLS2_INTERCEPT_FREE},
    {"sonar", "paper", "hinge", RLS2_INTERCEPT_FREE},
};

typedef struct table {
    int64_t n, p;
    double *x, *y;
} table;

typedef struct fit {
    rls2_dictionary *dictionary;
    rls2_basis *basis;
    rls2_path *path;
} fit;

static table room_for(int64_t n, int64_t p)
{
    return (table){n, p, must(malloc((size_t)(n * p) * sizeof(double))),
                   must(malloc((size_t)n * sizeof(double)))};
}

/* Standard normal columns; y is a sum of 20 of them and noise, or its sign. */
static table make_table(int64_t n, int64_t p, int labels)
{
    enum { SIGNALS = 20 };
    rls2__random rng;
    table at = room_for(n, p);
    rls2__random_seed(&rng, 1);
    for (int64_t i = 0; i < n * p; i++) at.x[i] = rls2__random_normal(&rng);
    for (int64_t i = 0; i < n; i++) {
        at.y[i] = 2.0 * rls2__random_normal(&rng);
        for (int64_t k = 0; k < SIGNALS; k++)
            at.y[i] += at.x[p / SIGNALS * k * n + i] * (k % 2 ? 1.0 : -1.0);
        if (labels) at.y[i] = at.y[i] > 0.0 ? 1.0 : -1.0;
    }
    return at;
}

static table load_table(const char *set, int labels)
{
    rls2_error err;
    rls2_dataset *data;
    if (strcmp(set, "wide") == 0) return make_table(200, 5000, labels);
    if (strcmp(set, "tall") == 0) return make_table(4000, 40, labels);
    must_be_ok(paper_set_load(paper_set_find(set), "data", &data, &err), &err);
    table at = room_for(rls2_dataset_rows(data), rls2_dataset_columns(data));
    memcpy(at.x, rls2_dataset_x(data), (size_t)(at.n * at.p) * sizeof(double));
    memcpy(at.y, rls2_dataset_y(data), (size_t)at.n * sizeof(double));
    rls2_dataset_free(data);
    return at;
}

static void free_fit(fit *it)
{
    rls2_path_free(it->path);
    rls2_basis_free(it->basis);
    rls2_dictionary_free(it->dictionary);
    *it = (fit){0};
}

/* Fits, and says how long the basis and the path took. */
static fit fit_case(const table *at, const char *kernels, const rls2_path_options *options,
                    double basis_and_path[2])
{
    rls2_error err;
    rls2_control control;
    fit it = {0};
    double lambdas[LAMBDAS], start = seconds(CLOCK_PROCESS_CPUTIME_ID);
    const rls2_columns columns = {.count = at->p};
    const rls2_rows rows = {.n = at->n, .p = at->p, .x = at->x};
    rls2_control_init(&control, sizeof control);
    control.threads = 1;
    must_be_ok(rls2_dictionary_create(kernels, &columns, &it.dictionary, &err), &err);
    must_be_ok(rls2_basis_create(it.dictionary, &rows, NULL, &control, &it.basis, &err), &err);
    const rls2_basis *one = it.basis;
    must_be_ok(rls2_lambda_default_for(1, &one, at->y, options, RATIO, LAMBDAS, lambdas, &err),
               &err);
    basis_and_path[0] = seconds(CLOCK_PROCESS_CPUTIME_ID) - start;
    start = seconds(CLOCK_PROCESS_CPUTIME_ID);
    must_be_ok(rls2_path_fit(1, &one, at->y, LAMBDAS, lambdas, options, &control, &it.path, &err),
               &err);
    basis_and_path[1] = seconds(CLOCK_PROCESS_CPUTIME_ID) - start;
    return it;
}

/* Coefficients of scaled columns of linear kernels; of others weights and c. */
static void write_point(FILE *out, const fit *it, int64_t i, const table *at, int linear)
{
    const int64_t *kernels;
    const double *weights, *c = rls2_path_c(it->path, i), *s = rls2_basis_scales(it->basis);
    const rls2_path_point *point = rls2_path_at(it->path, i);
    int64_t count = rls2_path_kernel_weights(it->path, i, &kernels, &weights);
    fprintf(out, "{\"lambda\": %.17g, \"gap\": %.3g, \"b\": %.17g, \"kernels\": [", point->lambda,
            point->gap, rls2_path_intercept_at(it->path, i));
    for (int64_t k = 0; k < count; k++)
        fprintf(out, "%s%lld", k ? ", " : "", (long long)kernels[k]);
    fputs("], \"values\": [", out);
    for (int64_t k = 0; k < count; k++)
        fprintf(out, "%s%.17g", k ? ", " : "",
                linear ? scaled_coefficient(at->n, at->x, s, kernels[k], weights[k], c)
                       : weights[k]);
    fputs("], \"c\": [", out);
    for (int64_t j = 0; !linear && j < at->n; j++) fprintf(out, "%s%.17g", j ? ", " : "", c[j]);
    fputs("]}", out);
}

static void write_path(FILE *out, const char *name, const fit *it, const table *at, int linear)
{
    fprintf(out, ",\n  \"%s\": [", name);
    for (int64_t i = 0; i < rls2_path_count(it->path); i++) {
        fputs(i ? ",\n   " : "\n   ", out);
        write_point(out, it, i, at, linear);
    }
    fputs("]", out);
}

static void write_raw(const char *folder, int64_t number, const char *end, int64_t count,
                      const double *values)
{
    char path[PATH_LENGTH];
    snprintf(path, sizeof path, "%s/%lld.%s", folder, (long long)number, end);
    FILE *out = must(fopen(path, "wb"));
    size_t written = fwrite(values, sizeof *values, (size_t)count, out);
    if (fclose(out) != 0 || written != (size_t)count) {
        fprintf(stderr, "bench: cannot write %s\n", path);
        exit(1);
    }
}

static void run_case(FILE *out, const char *folder, int64_t number, const peer_case *it)
{
    rls2_error err;
    rls2_path_options options;
    int linear = strncmp(it->kernels, "linear", 6) == 0;
    double took[2], best = HUGE_VAL, total = 0.0;
    rls2_path_options_init(&options, sizeof options);
    options.intercept = it->intercept;
    options.degrees_of_freedom = RLS2_DF_NONE;
    must_be_ok(rls2_loss_parse(it->loss, &options.loss, &err), &err);
    table at = load_table(it->set, rls2_loss_takes_labels(options.loss));
    for (int64_t j = 0; j < at.p; j++) standardize(at.n, at.x + j * at.n);
    prepare_response(options.loss, at.n, at.y);
    options.gap_tol = TIGHT_GAP;
    fit tight = fit_case(&at, it->kernels, &options, took), ours = {0};
    options.gap_tol = GAP;
    for (int round = 0; round < ROUNDS && total < A_WHILE; round++) {
        free_fit(&ours);
        ours = fit_case(&at, it->kernels, &options, took);
        best = fmin(best, linear ? took[0] + took[1] : took[1]);
        total += took[0] + took[1];
    }
    write_raw(folder, number, "x", at.n * at.p, at.x);
    write_raw(folder, number, "y", at.n, at.y);
    fprintf(out, "\n {\"number\": %lld, \"set\": \"%s\", \"kernels\": \"%s\", \"loss\": \"%s\",",
            (long long)number, it->set, it->kernels, it->loss);
    fprintf(out, " \"free\": %s, \"n\": %lld, \"p\": %lld, \"seconds\": %.6f, \"s\": [",
            it->intercept == RLS2_INTERCEPT_FREE ? "true" : "false", (long long)at.n,
            (long long)at.p, best);
    for (int64_t k = 0; k < rls2_dictionary_count(ours.dictionary); k++)
        fprintf(out, "%s%.17g", k ? ", " : "", rls2_basis_scales(ours.basis)[k]);
    fputs("]", out);
    write_path(out, "tight", &tight, &at, linear);
    write_path(out, "ours", &ours, &at, linear);
    fputs("}", out);
    printf("%-8s %-13s %-14s %8.4f s\n", it->set, it->kernels, it->loss, best);
    fflush(stdout);
    free_fit(&tight);
    free_fit(&ours);
    free(at.x);
    free(at.y);
}

static int is_asked(int argc, char **argv, const peer_case *it)
{
    char both[64];
    snprintf(both, sizeof both, "%s/%s", it->set, it->loss);
    for (int i = 2; i < argc; i++)
        if (strcmp(argv[i], it->set) == 0 || strcmp(argv[i], both) == 0) return 1;
    return argc == 2;
}

int main(int argc, char **argv)
{
    char path[PATH_LENGTH];
    int64_t written = 0;
    rls2_blas_tune();
    if (argc < 2) {
        fputs("usage: rls2_bench_loss_peers FOLDER [SET[/LOSS] ...]\n", stderr);
        return 1;
    }
    snprintf(path, sizeof path, "%s/problems.json", argv[1]);
    FILE *out = fopen(path, "w");
    if (!out) {
        perror(path);
        return 1;
    }
    fputs("[", out);
    for (size_t k = 0; k < sizeof CASES / sizeof *CASES; k++) {
        if (!is_asked(argc, argv, &CASES[k])) continue;
        if (written > 0) fputs(",", out);
        run_case(out, argv[1], written++, &CASES[k]);
    }
    fputs("\n]\n", out);
    return fclose(out) != 0;
}
