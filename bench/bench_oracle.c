/* Problems that other programs solve too, with our answers, for tools/oracles.py.
 *
 *   rls2_bench_oracle JSON
 *
 * Two kinds: linear kernels of single columns, which are l1-penalised regressions, and a Gaussian
 * kernel of all columns, which is a support vector machine or a penalised regression on features.
 * Paths of a few lambdas, gap 1e-9, the intercept free unless the other program cannot. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"
#include "bench/problems.h"
#include "experiments/paper_sets.h"
#include "rls2/rls2.h"

enum { LAMBDAS = 4 };

typedef struct oracle_case {
    const char *set, *kernels, *loss;
    rls2_intercept intercept;
} oracle_case;

static const oracle_case CASES[] = {
    {"heart", "linear@each", "logistic", RLS2_INTERCEPT_FREE},
    {"liver", "linear@each", "logistic", RLS2_INTERCEPT_FREE},
    {"servo", "linear@each", "poisson", RLS2_INTERCEPT_FREE},
    {"cpu", "linear@each", "poisson", RLS2_INTERCEPT_FREE},
    {"cpu", "linear@each", "quantile(0.9)", RLS2_INTERCEPT_FREE},
    {"servo", "linear@each", "quantile(0.5)", RLS2_INTERCEPT_FREE},
    {"heart", "rbf(0.1)@all", "logistic", RLS2_INTERCEPT_FREE},
    {"heart", "rbf(0.1)@all", "hinge", RLS2_INTERCEPT_FREE},
    {"wpbc", "rbf(0.1)@all", "hinge", RLS2_INTERCEPT_FREE},
    {"heart", "rbf(0.1)@all", "squared-hinge", RLS2_INTERCEPT_NONE},
    {"servo", "rbf(0.1)@all", "epsilon(0.1)", RLS2_INTERCEPT_FREE},
    {"cpu", "rbf(0.1)@all", "epsilon(0.1)", RLS2_INTERCEPT_FREE},
    {"servo", "rbf(0.1)@all", "poisson", RLS2_INTERCEPT_FREE},
};

static void write_values(FILE *out, const char *name, int64_t count, const double *values)
{
    fprintf(out, ", \"%s\": [", name);
    for (int64_t i = 0; i < count; i++) fprintf(out, "%s%.17g", i ? ", " : "", values[i]);
    fputs("]", out);
}

/* sum_k d_k sqrt q_k of linear kernels of one column each, by which lambda is the penalty of the
 * l1-penalised regression. */
static double norm_at(const rls2_path *path, int64_t i, int64_t n, const double *x, const double *s)
{
    const int64_t *kernels;
    const double *weights, *c = rls2_path_c(path, i);
    int64_t count = rls2_path_kernel_weights(path, i, &kernels, &weights);
    double norm = 0.0;
    for (int64_t k = 0; k < count; k++)
        norm += fabs(scaled_coefficient(n, x, s, kernels[k], weights[k], c));
    return norm;
}

static void write_path(FILE *out, const rls2_path *path, int linear, int64_t n, const double *x,
                       const double *s)
{
    fputs(", \"points\": [", out);
    for (int64_t i = 0; i < rls2_path_count(path); i++) {
        const rls2_path_point *point = rls2_path_at(path, i);
        fprintf(out,
                "%s\n   {\"lambda\": %.17g, \"objective\": %.17g, \"gap\": %.3g, \"tau\": %.17g}",
                i ? "," : "", point->lambda, point->objective, point->gap,
                linear ? norm_at(path, i, n, x, s) : 0.0);
    }
    fputs("]", out);
}

static void write_case(FILE *out, const oracle_case *it)
{
    rls2_error err;
    rls2_dataset *data;
    rls2_dictionary *dictionary;
    rls2_basis *basis;
    rls2_path *path;
    rls2_path_options options;
    double lambdas[LAMBDAS];
    rls2_path_options_init(&options, sizeof options);
    options.intercept = it->intercept;
    options.gap_tol = 1e-9;
    must_be_ok(rls2_loss_parse(it->loss, &options.loss, &err), &err);
    must_be_ok(paper_set_load(paper_set_find(it->set), "data", &data, &err), &err);
    int64_t n = rls2_dataset_rows(data), p = rls2_dataset_columns(data);
    double *x = must(malloc((size_t)(n * p) * sizeof *x)), *y = must(malloc((size_t)n * sizeof *y));
    memcpy(x, rls2_dataset_x(data), (size_t)(n * p) * sizeof *x);
    memcpy(y, rls2_dataset_y(data), (size_t)n * sizeof *y);
    for (int64_t j = 0; j < p; j++) standardize(n, x + j * n);
    prepare_response(options.loss, n, y);
    const rls2_columns columns = {.count = p};
    const rls2_rows rows = {.n = n, .p = p, .x = x};
    must_be_ok(rls2_dictionary_create(it->kernels, &columns, &dictionary, &err), &err);
    must_be_ok(rls2_basis_create(dictionary, &rows, NULL, NULL, &basis, &err), &err);
    const rls2_basis *one = basis;
    must_be_ok(rls2_lambda_default_for(1, &one, y, &options, 1e-3, LAMBDAS, lambdas, &err), &err);
    must_be_ok(rls2_path_fit(1, &one, y, LAMBDAS, lambdas, &options, NULL, &path, &err), &err);
    fprintf(out, "\n {\"set\": \"%s\", \"kernels\": \"%s\", \"loss\": \"%s\", \"free\": %s, ",
            it->set, it->kernels, it->loss,
            it->intercept == RLS2_INTERCEPT_FREE ? "true" : "false");
    fprintf(out, "\"n\": %lld, \"p\": %lld", (long long)n, (long long)p);
    write_values(out, "x", n * p, x);
    write_values(out, "y", n, y);
    write_values(out, "s", rls2_dictionary_count(dictionary), rls2_basis_scales(basis));
    write_path(out, path, strncmp(it->kernels, "linear", 6) == 0, n, x, rls2_basis_scales(basis));
    fputs("}", out);
    rls2_path_free(path);
    rls2_basis_free(basis);
    rls2_dictionary_free(dictionary);
    rls2_dataset_free(data);
    free(x);
    free(y);
}

int main(int argc, char **argv)
{
    rls2_blas_tune();
    FILE *out = argc == 2 ? fopen(argv[1], "w") : NULL;
    if (!out) {
        fputs("usage: rls2_bench_oracle JSON\n", stderr);
        return 1;
    }
    fputs("[", out);
    for (size_t k = 0; k < sizeof CASES / sizeof *CASES; k++) {
        if (k > 0) fputs(",", out);
        write_case(out, &CASES[k]);
    }
    fputs("\n]\n", out);
    return fclose(out) != 0;
}
