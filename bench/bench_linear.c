/* Linear RLS2, one kernel for each column, beside a Lasso that is given the same sequence of
 * solutions.
 *
 *   rls2_bench_linear path FOLDER SHAPE [SEED [COLUMNS [ROWS [ROUNDS]]]]
 *   rls2_bench_linear compare FOLDER METHOD ...
 *
 * `path` makes data (SHAPE dense: standard normal values; sparse: one value in a hundred is not
 * zero), a response of 50 of the columns and noise, fits 100 lambdas at a gap of 1e-6 on one
 * thread, ROUNDS times (the fastest counts), and leaves in FOLDER what another program needs to
 * repeat it: the data, the weights 1 / sqrt s_k of the Lasso and the penalty t = lambda sum_k |a_k|
 * / sqrt s_k of every solution [MATH.md, G6]. The grid runs from the default top down to where t is
 * a hundredth of its largest, which is how far glmnet goes by itself.
 *
 * `compare` reads what each METHOD left (METHOD.coefficients, METHOD.time) and prints a table, and
 * JSON in FOLDER/results.json. Every method's coefficients a are judged by one rule, from a alone:
 * with lambda = t / sum |a_k| / sqrt s_k and the residual r = y - Xa
 *
 *   primal = 1/2 |r|^2 + lambda/2 (sum_k |a_k| / sqrt s_k)^2
 *   dual   = max over u of u y'r - u^2/2 (|r|^2 + max_k s_k (x_k'r)^2 / lambda)
 *            (G2 with c = u r / lambda)
 *
 * Files of numbers are raw and little-endian: doubles, or 32-bit integers. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/random.h"
#include "bench/bench.h"
#include "la/la.h"
#include "la/threads.h"
#include "rls2/rls2.h"

enum { LAMBDAS = 100, SIGNALS = 50, PATH_LENGTH = 512, MAX_METHODS = 16 };
static const double NONZERO_SHARE = 0.01; /* of the values of a sparse table */
static const double NOISE_SHARE = 0.25;   /* of the response's variance */
static const double PENALTY_RATIO = 0.01; /* smallest t / largest t, as glmnet's lambda.min.ratio */
static const double WIDE_RATIO = 1e-6; /* lambdas among which the end of the grid is looked for */

static void fail(const char *what, const char *name)
{
    fprintf(stderr, "bench: %s %s\n", what, name);
    exit(1);
}

static void *room_for(int64_t count, size_t size)
{
    void *room = calloc((size_t)(count > 0 ? count : 1), size);
    if (!room) fail("out of memory for", "the benchmark");
    return room;
}

/* ---- files ---- */

static FILE *open_in(const char *folder, const char *name, const char *mode)
{
    char path[2 * PATH_LENGTH];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, mode);
    if (!file) fail("cannot open", path);
    return file;
}

static void write_numbers(const char *folder, const char *name, size_t size, int64_t count,
                          const void *from)
{
    FILE *file = open_in(folder, name, "wb");
    int written = fwrite(from, size, (size_t)count, file) == (size_t)count;
    if (fclose(file) != 0 || !written) fail("cannot write", name);
}

static void read_numbers(FILE *file, const char *name, size_t size, int64_t count, void *to)
{
    if (fread(to, size, (size_t)count, file) != (size_t)count) fail("too short:", name);
}

static void read_file(const char *folder, const char *name, size_t size, int64_t count, void *to)
{
    FILE *file = open_in(folder, name, "rb");
    read_numbers(file, name, size, count, to);
    fclose(file);
}

/* ---- data ---- */

typedef struct table {
    int sparse;
    uint64_t seed;
    int64_t n, m;
    double *x; /* n x m */
    double *y; /* centred */
} table;

static void fill_dense(rls2__random *random, table *t)
{
    for (int64_t i = 0; i < t->n * t->m; i++) t->x[i] = rls2__random_normal(random);
}

/* A column that chance left empty gets one value. */
static void fill_sparse(rls2__random *random, table *t)
{
    for (int64_t k = 0; k < t->m; k++) {
        double *column = t->x + k * t->n;
        int64_t filled = 0;
        for (int64_t i = 0; i < t->n; i++) {
            if (rls2__random_uniform(random) >= NONZERO_SHARE) continue;
            column[i] = rls2__random_normal(random);
            filled++;
        }
        if (filled == 0) column[rls2__random_below(random, t->n)] = 1.0;
    }
}

static void centre(int64_t n, double *y)
{
    double mean = 0.0;
    for (int64_t i = 0; i < n; i++) mean += y[i] / (double)n;
    for (int64_t i = 0; i < n; i++) y[i] -= mean;
}

/* The sum of the first columns, all of them standardised in length, with either sign, and noise. */
static void make_response(rls2__random *random, table *t)
{
    for (int64_t k = 0; k < SIGNALS && k < t->m; k++) {
        const double *column = t->x + k * t->n;
        double length = rls2__la_norm(t->n, column);
        rls2__la_axpy(t->n, (k % 2 ? 1.0 : -1.0) / length, column, t->y);
    }
    double deviation =
        rls2__la_norm(t->n, t->y) / sqrt((double)t->n) * sqrt(NOISE_SHARE / (1.0 - NOISE_SHARE));
    for (int64_t i = 0; i < t->n; i++) t->y[i] += deviation * rls2__random_normal(random);
    centre(t->n, t->y);
}

static table make_table(int sparse, uint64_t seed, int64_t n, int64_t m)
{
    rls2__random random;
    table t = {sparse, seed, n, m, room_for(n * m, sizeof(double)), room_for(n, sizeof(double))};
    rls2__random_seed(&random, seed);
    if (sparse)
        fill_sparse(&random, &t);
    else
        fill_dense(&random, &t);
    make_response(&random, &t);
    return t;
}

static void table_free(table *t)
{
    free(t->x);
    free(t->y);
}

/* Compressed columns, as R's dgCMatrix has them. */
static void write_sparse(const char *folder, const table *t)
{
    int64_t count = 0, at = 0;
    for (int64_t i = 0; i < t->n * t->m; i++) count += t->x[i] != 0.0;
    int32_t *starts = room_for(t->m + 1, sizeof *starts), *rows = room_for(count, sizeof *rows);
    double *values = room_for(count, sizeof *values);
    for (int64_t k = 0; k < t->m; k++) {
        for (int64_t i = 0; i < t->n; i++) {
            if (t->x[k * t->n + i] == 0.0) continue;
            rows[at] = (int32_t)i;
            values[at++] = t->x[k * t->n + i];
        }
        starts[k + 1] = (int32_t)at;
    }
    write_numbers(folder, "starts", sizeof *starts, t->m + 1, starts);
    write_numbers(folder, "rows", sizeof *rows, count, rows);
    write_numbers(folder, "values", sizeof *values, count, values);
    free(starts);
    free(rows);
    free(values);
}

static void write_table(const char *folder, const table *t)
{
    const double shape[] = {(double)t->n, (double)t->m, (double)t->sparse, (double)t->seed};
    write_numbers(folder, "shape", sizeof *shape, 4, shape);
    write_numbers(folder, "y", sizeof *t->y, t->n, t->y);
    if (t->sparse)
        write_sparse(folder, t);
    else
        write_numbers(folder, "x", sizeof *t->x, t->n * t->m, t->x);
}

static table read_table(const char *folder)
{
    double shape[4];
    read_file(folder, "shape", sizeof *shape, 4, shape);
    return make_table(shape[2] != 0.0, (uint64_t)shape[3], (int64_t)shape[0], (int64_t)shape[1]);
}

/* ---- a path, as coefficients ---- */

typedef struct solutions {
    int32_t counts[LAMBDAS]; /* of coefficients, a solution after the other: */
    int32_t *ks;
    double *a;
} solutions;

static int64_t total_count(const solutions *s)
{
    int64_t total = 0;
    for (int i = 0; i < LAMBDAS; i++) total += s->counts[i];
    return total;
}

static void solutions_free(solutions *s)
{
    free(s->ks);
    free(s->a);
}

static void write_solutions(const char *folder, const char *name, const solutions *s)
{
    int64_t total = total_count(s);
    FILE *file = open_in(folder, name, "wb");
    size_t written = fwrite(s->counts, sizeof *s->counts, LAMBDAS, file);
    written += fwrite(s->ks, sizeof *s->ks, (size_t)total, file);
    written += fwrite(s->a, sizeof *s->a, (size_t)total, file);
    if (fclose(file) != 0 || written != (size_t)(LAMBDAS + 2 * total)) fail("cannot write", name);
}

static solutions read_solutions(const char *folder, const char *name)
{
    solutions s;
    FILE *file = open_in(folder, name, "rb");
    read_numbers(file, name, sizeof *s.counts, LAMBDAS, s.counts);
    int64_t total = total_count(&s);
    s.ks = room_for(total, sizeof *s.ks);
    s.a = room_for(total, sizeof *s.a);
    read_numbers(file, name, sizeof *s.ks, total, s.ks);
    read_numbers(file, name, sizeof *s.a, total, s.a);
    fclose(file);
    return s;
}

/* a_k = d_k s_k x_k'c  [E17] */
static solutions coefficients_of(const table *t, const double *scales, const rls2_path *path)
{
    solutions s = {.ks = NULL};
    int64_t at = 0;
    for (int i = 0; i < LAMBDAS; i++)
        s.counts[i] = (int32_t)rls2_path_kernel_weights(path, i, NULL, NULL);
    s.ks = room_for(total_count(&s), sizeof *s.ks);
    s.a = room_for(total_count(&s), sizeof *s.a);
    for (int i = 0; i < LAMBDAS; i++) {
        const int64_t *ks;
        const double *d, *c = rls2_path_c(path, i);
        int64_t count = rls2_path_kernel_weights(path, i, &ks, &d);
        for (int64_t j = 0; j < count; j++, at++) {
            s.ks[at] = (int32_t)ks[j];
            s.a[at] = d[j] * scales[ks[j]] * rls2__la_dot(t->n, t->x + ks[j] * t->n, c);
        }
    }
    return s;
}

/* sum_k |a_k| / sqrt s_k of one solution. */
static double weighted_size(int64_t count, const int32_t *ks, const double *a, const double *scales)
{
    double size = 0.0;
    for (int64_t j = 0; j < count; j++) size += fabs(a[j]) / sqrt(scales[ks[j]]);
    return size;
}

static void find_penalties(const solutions *s, const double *scales, const double *lambdas,
                           double *t)
{
    int64_t at = 0;
    for (int i = 0; i < LAMBDAS; at += s->counts[i++])
        t[i] = lambdas[i] * weighted_size(s->counts[i], s->ks + at, s->a + at, scales);
}

/* ---- path ---- */

static clocks since(clocks start)
{
    clocks end = now();
    return (clocks){end.wall - start.wall, end.processor - start.processor};
}

static void keep_fastest(clocks *best, clocks took)
{
    if (took.processor < best->processor) best->processor = took.processor;
    if (took.wall < best->wall) best->wall = took.wall;
}

static void write_time(const char *folder, const char *name, clocks prepare, clocks fit)
{
    FILE *file = open_in(folder, name, "w");
    fprintf(file, "%.4f %.4f %.4f %.4f\n", prepare.processor, prepare.wall, fit.processor,
            fit.wall);
    if (fclose(file) != 0) fail("cannot write", name);
}

static rls2_basis *make_basis(const table *t, rls2_dictionary **dictionary)
{
    rls2_error err;
    rls2_basis *basis;
    rls2_columns columns = {.count = t->m};
    rls2_rows rows = {.n = t->n, .p = t->m, .x = t->x};
    rls2_basis_options options;
    rls2_basis_options_init(&options, sizeof options);
    rls2_control control;
    rls2_control_init(&control, sizeof control);
    control.threads = 1;
    must_be_ok(rls2_dictionary_create("linear", &columns, dictionary, &err), &err);
    must_be_ok(rls2_basis_create(*dictionary, &rows, &options, &control, &basis, &err), &err);
    return basis;
}

static rls2_path *fit(const rls2_basis *basis, const table *t, const double *lambdas)
{
    rls2_error err;
    rls2_path *path;
    rls2_path_options options;
    rls2_path_options_init(&options, sizeof options);
    options.intercept = RLS2_INTERCEPT_NONE; /* y is centred */
    must_be_ok(rls2_path_fit(1, &basis, t->y, LAMBDAS, lambdas, &options, NULL, &path, &err), &err);
    return path;
}

/* From the default top to the lambda at which t has fallen to PENALTY_RATIO of its largest. */
static void choose_grid(const rls2_basis *basis, const table *t, double *lambdas)
{
    rls2_error err;
    double penalties[LAMBDAS];
    const double *scales = rls2_basis_scales(basis);
    must_be_ok(rls2_lambda_default(1, &basis, t->y, RLS2_INTERCEPT_NONE, WIDE_RATIO, LAMBDAS,
                                   lambdas, &err),
               &err);
    rls2_path *path = fit(basis, t, lambdas);
    solutions s = coefficients_of(t, scales, path);
    find_penalties(&s, scales, lambdas, penalties);
    int last = 1;
    while (last < LAMBDAS - 1 && penalties[last] > PENALTY_RATIO * penalties[0]) last++;
    must_be_ok(rls2_lambda_grid(lambdas[last], lambdas[0], LAMBDAS, lambdas, &err), &err);
    solutions_free(&s);
    rls2_path_free(path);
}

static void tell_counts(const rls2_path *path)
{
    int64_t iterations = 0, factorizations = 0, priced = 0, offered = 0, unfinished = 0;
    for (int64_t i = 0; i < LAMBDAS; i++) {
        const rls2_path_point *point = rls2_path_at(path, i);
        iterations += point->iterations;
        factorizations += point->factorizations;
        priced += point->priced;
        offered += point->offered;
        unfinished += point->outcome != RLS2_OUTCOME_CONVERGED;
    }
    printf(
        "rls2: %lld iterations, %lld factorisations, %lld of %lld kernels priced, %lld lambdas not "
        "converged, "
        "%lld selected at the last\n",
        (long long)iterations, (long long)factorizations, (long long)priced, (long long)offered,
        (long long)unfinished, (long long)rls2_path_at(path, LAMBDAS - 1)->selected);
}

static void leave_problem(const char *folder, const table *t, const double *scales,
                          const solutions *s, const double *lambdas)
{
    double penalties[LAMBDAS], *weights = room_for(t->m, sizeof *weights);
    for (int64_t k = 0; k < t->m; k++) weights[k] = 1.0 / sqrt(scales[k]);
    find_penalties(s, scales, lambdas, penalties);
    write_table(folder, t);
    write_numbers(folder, "weights", sizeof *weights, t->m, weights);
    write_numbers(folder, "penalties", sizeof *penalties, LAMBDAS, penalties);
    write_solutions(folder, "rls2.coefficients", s);
    free(weights);
}

static void run_path(const char *folder, const table *t, int rounds)
{
    clocks prepare = {HUGE_VAL, HUGE_VAL}, fitting = {HUGE_VAL, HUGE_VAL};
    double lambdas[LAMBDAS];
    for (int round = 0; round < rounds; round++) {
        rls2_dictionary *dictionary;
        clocks start = now();
        rls2_basis *basis = make_basis(t, &dictionary);
        keep_fastest(&prepare, since(start));
        if (round == 0) choose_grid(basis, t, lambdas);
        start = now();
        rls2_path *path = fit(basis, t, lambdas);
        keep_fastest(&fitting, since(start));
        if (round == rounds - 1) {
            solutions s = coefficients_of(t, rls2_basis_scales(basis), path);
            leave_problem(folder, t, rls2_basis_scales(basis), &s, lambdas);
            tell_counts(path);
            solutions_free(&s);
        }
        rls2_path_free(path);
        rls2_basis_free(basis);
        rls2_dictionary_free(dictionary);
    }
    write_time(folder, "rls2.time", prepare, fitting);
    printf("rls2: basis %.3f s, path %.3f s of processor time\n", prepare.processor,
           fitting.processor);
}

/* ---- compare ---- */

typedef struct verdict {
    const char *method;
    clocks prepare, fit;
    double worst_gap, median_gap;
    double difference; /* of coefficients from those of the first method, by length, the largest
                          over the path */
    double selected;   /* at the last point */
} verdict;

/* One solution spread over all columns, and its residual. */
static void expand(const table *t, int64_t count, const int32_t *ks, const double *a, double *all,
                   double *r)
{
    memset(all, 0, (size_t)t->m * sizeof *all);
    memcpy(r, t->y, (size_t)t->n * sizeof *r);
    for (int64_t j = 0; j < count; j++) {
        all[ks[j]] = a[j];
        rls2__la_axpy(t->n, -a[j], t->x + (int64_t)ks[j] * t->n, r);
    }
}

static double relative_gap(const table *t, const double *weights, double size, double penalty,
                           const double *r, double *products)
{
    double lambda = penalty / size, largest = 0.0, rr = rls2__la_dot(t->n, r, r),
           yr = rls2__la_dot(t->n, t->y, r);
    rls2__la_gemv_t(t->n, t->m, t->x, t->n, r, products);
    for (int64_t k = 0; k < t->m; k++) largest = fmax(largest, fabs(products[k]) / weights[k]);
    double primal = 0.5 * rr + 0.5 * lambda * size * size;
    double dual = 0.5 * yr * yr / (rr + largest * largest / lambda);
    return (primal - dual) / primal;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double distance(int64_t m, const double *a, const double *b)
{
    double squares = 0.0, size = 0.0;
    for (int64_t k = 0; k < m; k++) {
        squares += (a[k] - b[k]) * (a[k] - b[k]);
        size += b[k] * b[k];
    }
    return sqrt(squares / size);
}

static void read_time(const char *folder, const char *name, verdict *v)
{
    FILE *file = open_in(folder, name, "r");
    if (fscanf(file, "%lf %lf %lf %lf", &v->prepare.processor, &v->prepare.wall, &v->fit.processor,
               &v->fit.wall) != 4)
        fail("four times are missing in", name);
    fclose(file);
}

static verdict judge(const char *folder, const table *t, const double *weights,
                     const double *penalties, const char *method, const solutions *reference)
{
    char name[PATH_LENGTH];
    verdict v = {.method = method};
    double gaps[LAMBDAS], *r = room_for(t->n, sizeof *r),
                          *products = room_for(t->m, sizeof *products);
    double *a = room_for(t->m, sizeof *a), *b = room_for(t->m, sizeof *b);
    snprintf(name, sizeof name, "%s.time", method);
    read_time(folder, name, &v);
    snprintf(name, sizeof name, "%s.coefficients", method);
    solutions s = read_solutions(folder, name);
    int64_t at = 0, reference_at = 0;
    for (int i = 0; i < LAMBDAS; i++) {
        double size = 0.0;
        expand(t, reference->counts[i], reference->ks + reference_at, reference->a + reference_at,
               b, r);
        expand(t, s.counts[i], s.ks + at, s.a + at, a, r);
        for (int64_t j = 0; j < s.counts[i]; j++) size += fabs(s.a[at + j]) * weights[s.ks[at + j]];
        gaps[i] = relative_gap(t, weights, size, penalties[i], r, products);
        v.difference = fmax(v.difference, distance(t->m, a, b));
        at += s.counts[i];
        reference_at += reference->counts[i];
    }
    qsort(gaps, LAMBDAS, sizeof *gaps, ascending);
    v.worst_gap = gaps[LAMBDAS - 1];
    v.median_gap = gaps[LAMBDAS / 2];
    v.selected = s.counts[LAMBDAS - 1];
    solutions_free(&s);
    free(r);
    free(products);
    free(a);
    free(b);
    return v;
}

static void print_table(int count, const verdict *v)
{
    double own = v[0].prepare.processor + v[0].fit.processor;
    printf(
        "| method | prepare s | fit s | both s | both, clock s | rls2 / it | worst gap | median "
        "gap | "
        "coefficients "
        "differ by | selected at the last |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n");
    for (int i = 0; i < count; i++) {
        double both = v[i].prepare.processor + v[i].fit.processor;
        printf("| %s | %.3f | %.3f | %.3f | %.3f | %.2f | %.1e | %.1e | %.1e | %.0f |\n",
               v[i].method, v[i].prepare.processor, v[i].fit.processor, both,
               v[i].prepare.wall + v[i].fit.wall, own / both, v[i].worst_gap, v[i].median_gap,
               v[i].difference, v[i].selected);
    }
}

static void write_json(const char *folder, const table *t, int count, const verdict *v)
{
    FILE *file = open_in(folder, "results.json", "w");
    fprintf(file,
            "{\"shape\": \"%s\", \"n\": %lld, \"m\": %lld, \"seed\": %llu, \"lambdas\": %d, "
            "\"methods\": [",
            t->sparse ? "sparse" : "dense", (long long)t->n, (long long)t->m,
            (unsigned long long)t->seed, LAMBDAS);
    for (int i = 0; i < count; i++)
        fprintf(file,
                "%s\n  {\"method\": \"%s\", \"prepare_processor\": %.4f, \"prepare_clock\": %.4f, "
                "\"fit_processor\": "
                "%.4f, \"fit_clock\": %.4f, \"worst_gap\": %.3e, \"median_gap\": %.3e, "
                "\"difference\": %.3e, "
                "\"selected\": %.0f}",
                i ? "," : "", v[i].method, v[i].prepare.processor, v[i].prepare.wall,
                v[i].fit.processor, v[i].fit.wall, v[i].worst_gap, v[i].median_gap, v[i].difference,
                v[i].selected);
    fprintf(file, "\n]}\n");
    if (fclose(file) != 0) fail("cannot write", "results.json");
}

static void run_compare(const char *folder, int count, char **methods)
{
    verdict verdicts[MAX_METHODS];
    double penalties[LAMBDAS];
    table t = read_table(folder);
    double *weights = room_for(t.m, sizeof *weights);
    read_file(folder, "weights", sizeof *weights, t.m, weights);
    read_file(folder, "penalties", sizeof *penalties, LAMBDAS, penalties);
    solutions own = read_solutions(folder, "rls2.coefficients");
    verdicts[0] = judge(folder, &t, weights, penalties, "rls2", &own);
    for (int i = 0; i < count; i++)
        verdicts[i + 1] = judge(folder, &t, weights, penalties, methods[i], &own);
    print_table(count + 1, verdicts);
    write_json(folder, &t, count + 1, verdicts);
    solutions_free(&own);
    free(weights);
    table_free(&t);
}

static int64_t number_or(int argc, char **argv, int at, int64_t otherwise)
{
    return argc > at ? strtoll(argv[at], NULL, 10) : otherwise;
}

int main(int argc, char **argv)
{
    rls2_blas_tune();
    int path = argc >= 4 && strcmp(argv[1], "path") == 0;
    int compare = argc >= 3 && strcmp(argv[1], "compare") == 0;
    if (!path && !compare)
        fail("usage:", "rls2_bench_linear path FOLDER SHAPE ... | compare FOLDER METHOD ...");
    if (compare && argc - 3 >= MAX_METHODS) fail("too many", "methods");
    if (rls2__la_enter(NULL) != RLS2_OK) return 1; /* one thread, as inside the library */
    if (compare) {
        run_compare(argv[2], argc - 3, argv + 3);
    } else {
        table t = make_table(strcmp(argv[3], "sparse") == 0, (uint64_t)number_or(argc, argv, 4, 1),
                             number_or(argc, argv, 6, 500), number_or(argc, argv, 5, 100000));
        run_path(argv[2], &t, (int)number_or(argc, argv, 7, 3));
        table_free(&t);
    }
    rls2__la_leave();
    return 0;
}
