/* The certificate of kernel weights that some other program found.
 *
 *   rls2_bench_certify DATA TARGET regression|classification SPEC LAMBDA [DROP ...] < WEIGHTS
 *
 * WEIGHTS has lines NAME TAB WEIGHT with names of kernels of the dictionary SPEC; kernels not named
 * have weight 0, and the weights are divided by their sum. Columns are standardised and kernels
 * scaled by their trace over the rows of DATA, regression has the mean as its intercept and
 * classification none, as `rls2 train --standardize` does for the dictionary `paper`. c = (R(d) +
 * lambda I)^-1 y is computed here; rls2_certify then takes nothing but the rows, the scalings, d
 * and c. Prints one line of JSON. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rls2/rls2.h"
#include "solver/fixed.h"

typedef struct question {
    rls2_dataset *data;
    rls2_dictionary *dictionary;
    rls2_rows rows;
    double *y; /* less the intercept */
    double *d; /* one for each kernel, of sum 1 */
    double lambda;
} question;

static void stop(const char *what, const char *which)
{
    fprintf(stderr, "rls2_bench_certify: %s%s\n", what, which);
    exit(1);
}

static void *must(void *pointer)
{
    if (!pointer) stop("out of memory", "");
    return pointer;
}

static void must_be_ok(rls2_status status, const rls2_error *err)
{
    if (status != RLS2_OK) stop(err->message, "");
}

static double positive_number(const char *text)
{
    char *end;
    errno = 0;
    double value = strtod(text, &end);
    if (end == text || (*end && *end != '\n') || errno || !(value > 0.0) || !isfinite(value))
        stop("not a positive number: ", text);
    return value;
}

static int is_classification(const char *task)
{
    int classes = strcmp(task, "classification") == 0;
    if (!classes && strcmp(task, "regression") != 0)
        stop("the task is regression or classification, not ", task);
    return classes;
}

static void read_data(const char *path, const char *target, int classes, int drop_count,
                      const char *const *drop, question *q)
{
    rls2_error err;
    rls2_table *table;
    rls2_dataset_options options;
    rls2_dataset_options_init(&options, sizeof options);
    options.target = target;
    options.classify = classes;
    options.drop = drop;
    options.drop_count = drop_count;
    must_be_ok(rls2_table_read_csv(path, &table, &err), &err);
    must_be_ok(rls2_dataset_create(table, &options, &q->data, &err), &err);
    rls2_table_free(table);
    if (rls2_dataset_outputs(q->data) != 1)
        stop("one response or two classes are needed in ", target);
    must_be_ok(rls2_dataset_preprocess(q->data, RLS2_NORMALIZE_NONE, RLS2_NORMALIZE_STANDARDIZE,
                                       NULL, &err),
               &err);
    q->rows = (rls2_rows){.n = rls2_dataset_rows(q->data),
                          .p = rls2_dataset_columns(q->data),
                          .x = rls2_dataset_x(q->data)};
}

static void set_response(int classes, question *q)
{
    double mean = 0.0;
    int64_t n = q->rows.n;
    const double *y = rls2_dataset_y(q->data);
    q->y = must(malloc((size_t)n * sizeof *q->y));
    for (int64_t i = 0; i < n && !classes; i++) mean += y[i] / (double)n;
    for (int64_t i = 0; i < n; i++) q->y[i] = y[i] - mean;
}

static int64_t kernel_called(const rls2_dictionary *dictionary, const char *name)
{
    for (int64_t k = 0; k < rls2_dictionary_count(dictionary); k++)
        if (strcmp(rls2_dictionary_name(dictionary, k), name) == 0) return k;
    stop("no kernel of the dictionary is called ", name);
    return -1;
}

static void read_weights(FILE *file, question *q)
{
    char *line = NULL;
    size_t room = 0;
    double sum = 0.0;
    int64_t m = rls2_dictionary_count(q->dictionary);
    q->d = must(calloc((size_t)m, sizeof *q->d));
    while (getline(&line, &room, file) > 0) {
        char *tab = strchr(line, '\t');
        if (!tab) stop("not NAME TAB WEIGHT: ", line);
        *tab = '\0';
        double weight = positive_number(tab + 1);
        q->d[kernel_called(q->dictionary, line)] += weight;
        sum += weight;
    }
    free(line);
    if (!(sum > 0.0)) stop("no weights were given", "");
    for (int64_t k = 0; k < m; k++) q->d[k] /= sum;
}

/* (R(d) + lambda I)^-1 y, by the library's path of given weights; it owns the answer. */
static rls2_path *solve(const question *q, const rls2_basis *basis)
{
    rls2_error err;
    rls2_path *path;
    rls2_path_options options;
    rls2_path_options_init(&options, sizeof options);
    int64_t m = rls2_dictionary_count(q->dictionary), count = 0;
    int64_t *ks = must(malloc((size_t)m * sizeof *ks));
    double *weights = must(malloc((size_t)m * sizeof *weights));
    options.intercept = RLS2_INTERCEPT_NONE; /* y is without it */
    rls2_control control;
    rls2_control_init(&control, sizeof control);
    control.threads = 1; /* as many as have entered BLAS */
    for (int64_t k = 0; k < m; k++) {
        if (q->d[k] == 0.0) continue;
        ks[count] = k;
        weights[count++] = q->d[k];
    }
    must_be_ok(rls2__path_fixed(basis, q->y, count, ks, weights, 1, &q->lambda, &options, &control,
                                &path, &err),
               &err);
    free(ks);
    free(weights);
    return path;
}

static rls2_certificate certify(const question *q)
{
    rls2_error err;
    rls2_basis *basis;
    rls2_certificate certificate;
    rls2_basis_options options;
    rls2_basis_options_init(&options, sizeof options);
    options.skip_degenerate = 1;
    rls2_control control;
    rls2_control_init(&control, sizeof control);
    control.threads = 1;
    must_be_ok(rls2_basis_create(q->dictionary, &q->rows, &options, &control, &basis, &err), &err);
    rls2_path *path = solve(q, basis);
    must_be_ok(rls2_certify(q->dictionary, &q->rows, rls2_basis_scales(basis), NULL, q->y,
                            q->lambda, q->d, rls2_path_c(path, 0), &certificate, sizeof certificate,
                            &err),
               &err);
    rls2_path_free(path);
    rls2_basis_free(basis);
    return certificate;
}

int main(int argc, char **argv)
{
    rls2_blas_tune();
    enum { PATH = 1, TARGET, TASK, SPEC, LAMBDA, DROP };
    rls2_error err;
    question q;
    if (argc < DROP)
        stop("give DATA TARGET regression|classification SPEC LAMBDA [DROP ...], and weights on "
             "the standard "
             "input",
             "");
    int classes = is_classification(argv[TASK]);
    q.lambda = positive_number(argv[LAMBDA]);
    read_data(argv[PATH], argv[TARGET], classes, argc - DROP, (const char *const *)argv + DROP, &q);
    set_response(classes, &q);
    rls2_columns columns = {.count = q.rows.p, .names = rls2_dataset_names(q.data)};
    must_be_ok(rls2_dictionary_create(argv[SPEC], &columns, &q.dictionary, &err), &err);
    read_weights(stdin, &q);
    rls2_certificate found = certify(&q);
    printf("{\"lambda\": %.17g, \"objective\": %.17g, \"bound\": %.17g, \"gap\": %.17g, "
           "\"residual\": %.17g}\n",
           q.lambda, found.primal, found.dual, found.relative_gap, found.residual);
    rls2_dictionary_free(q.dictionary);
    rls2_dataset_free(q.data);
    free(q.y);
    free(q.d);
    return 0;
}
