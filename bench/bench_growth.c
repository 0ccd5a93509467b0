/* How time and memory grow with the rows n and the kernels m.
 *
 *   rls2_bench_growth FOLDER [SERIES ...]        SERIES: n, m, large, unstored, draw; default: n m
 *
 * Made data: standard normal columns, a response made of the first few, noise. The dictionary is
 * the paper's, 13 kernels for all columns together and 13 for each alone; 30 lambdas from 1e6 to
 * 1e-6, gap 1e-6, one thread, and at most 4 GiB for the stored kernels. Seconds are of processor
 * time. Each measurement is a process of its own, so that its peak memory is its own.
 *
 *   n         250 to 4,000 rows, 104 kernels
 *   m         10 to 9,997 kernels, 500 rows
 *   large     8,000 rows, 104 kernels: the last point of n
 *   unstored  8,000 rows, 100 Gaussian kernels of 5 times 4 columns, none of low rank: 25.6 GB if
 *             all were stored; 10 lambdas
 *   draw      nothing is measured
 *
 * What is measured is kept in FOLDER/growth.txt, one line for each point, and a line measured anew
 * replaces the old one; table, JSON (FOLDER/growth.json) and picture (FOLDER/growth.svg,
 * growth.png, where there is gnuplot) are made of all that is there. Exponents are those of a
 * straight line through the logarithms of the upper half of the points. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "bench/bench.h"
#include "base/random.h"
#include "rls2/rls2.h"

enum { MOST_LAMBDAS = 30, MOST_POINTS = 64 };
static const int64_t KERNEL_MEMORY = (int64_t)4 << 30;

typedef struct point {
    char series; /* 'n', 'm' or 'u' */
    long long n, m, lambdas;
    double basis_s, path_s; /* processor time */
    double wall_s;          /* of both, by the clock on the wall */
    double peak_mb, stored_mb;
    long long recomputed, factorizations;
    double priced; /* share of the kernels offered that were priced */
    double worst_gap;
    double certified; /* the gap at the last lambda recomputed from the rows; NaN where that was not
                         asked for */
} point;

typedef struct plan {
    char series;
    int64_t n, columns, lambdas;
    const char *spec;
    int certify;
} plan;

static const char PAPER[] = "paper";
static const char TEN[] = "poly(1..3)@each; rbf(1e-3:1e3:7)@each";
static const char HUNDRED_DENSE[] =
    "rbf(0.3:30:20)@x1..x4,x5..x8,x9..x12,x13..x16,x17..x20"; /* neighbours are far apart in four
                                                                 dimensions */

static const plan ROWS[] = {{'n', 250, 7, 30, PAPER, 0},  {'n', 500, 7, 30, PAPER, 0},
                            {'n', 1000, 7, 30, PAPER, 0}, {'n', 2000, 7, 30, PAPER, 0},
                            {'n', 4000, 7, 30, PAPER, 0}, {0}};
static const plan KERNELS[] = {{'m', 500, 1, 30, TEN, 0},     {'m', 500, 1, 30, PAPER, 0},
                               {'m', 500, 7, 30, PAPER, 0},   {'m', 500, 22, 30, PAPER, 0},
                               {'m', 500, 76, 30, PAPER, 0},  {'m', 500, 230, 30, PAPER, 0},
                               {'m', 500, 768, 30, PAPER, 0}, {0}};
static const plan LARGE[] = {{'n', 8000, 7, 30, PAPER, 1}, {0}};
static const plan NOTHING[] = {{0}};
static const plan UNSTORED[] = {{'u', 8000, 20, 10, HUNDRED_DENSE, 1}, {0}};
static const struct {
    const char *name;
    const plan *plans;
} SERIES[] = {
    {"n", ROWS}, {"m", KERNELS}, {"large", LARGE}, {"unstored", UNSTORED}, {"draw", NOTHING}};

/* ---- one measurement ---- */

/* y = sin 2a + b^2/2 + |c| + d e/2 + noise of the first five columns, or of those there are. */
static void make_data(const plan *it, double *x, double *y)
{
    rls2__random random;
    int64_t n = it->n, p = it->columns;
    rls2__random_seed(&random, 1);
    for (int64_t i = 0; i < n * p; i++) x[i] = rls2__random_normal(&random);
    for (int64_t i = 0; i < n; i++) {
        double v[5] = {0.0};
        for (int64_t j = 0; j < p && j < 5; j++) v[j] = x[j * n + i];
        y[i] = sin(2.0 * v[0]) + 0.5 * v[1] * v[1] + fabs(v[2]) + 0.5 * v[3] * v[4] +
               0.3 * rls2__random_normal(&random);
    }
}

static void describe_basis(const rls2_basis *basis, point *r)
{
    r->stored_mb = (double)rls2_basis_bytes(basis) / 1e6;
    for (int64_t k = 0; k < rls2_basis_count(basis); k++)
        r->recomputed += strcmp(rls2_basis_shape(basis, k), "recomputed") == 0;
}

static void describe_path(const rls2_path *path, point *r)
{
    double priced = 0.0, offered = 0.0;
    for (int64_t i = 0; i < rls2_path_count(path); i++) {
        const rls2_path_point *at = rls2_path_at(path, i);
        r->factorizations += at->factorizations;
        priced += (double)at->priced;
        offered += (double)at->offered;
        r->worst_gap = fmax(r->worst_gap, at->gap);
    }
    r->priced = priced / offered;
}

static double peak_mb(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_maxrss * 1024.0 / 1e6;
}

static point measure(const plan *it)
{
    rls2_error err;
    rls2_dictionary *dictionary;
    rls2_basis *basis;
    rls2_path *path;
    double lambdas[MOST_LAMBDAS];
    point r = {.series = it->series, .n = it->n, .lambdas = it->lambdas, .certified = (double)NAN};
    double *x = must(malloc((size_t)(it->n * it->columns) * sizeof *x));
    double *y = must(malloc((size_t)it->n * sizeof *y));
    make_data(it, x, y);
    rls2_columns columns = {.count = it->columns};
    rls2_rows rows = {.n = it->n, .p = it->columns, .x = x};
    must_be_ok(rls2_dictionary_create(it->spec, &columns, &dictionary, &err), &err);
    must_be_ok(rls2_lambda_grid(1e-6, 1e6, it->lambdas, lambdas, &err), &err);
    r.m = rls2_dictionary_count(dictionary);
    rls2_basis_options options;
    rls2_basis_options_init(&options, sizeof options);
    rls2_control control;
    rls2_control_init(&control, sizeof control);
    control.threads = 1;
    options.memory = KERNEL_MEMORY;
    double clock = seconds(CLOCK_MONOTONIC), start = seconds(CLOCK_PROCESS_CPUTIME_ID);
    must_be_ok(rls2_basis_create(dictionary, &rows, &options, &control, &basis, &err), &err);
    double middle = seconds(CLOCK_PROCESS_CPUTIME_ID);
    must_be_ok(rls2_path_fit(1, (const rls2_basis *const *)&basis, y, it->lambdas, lambdas, NULL,
                             &control, &path, &err),
               &err);
    r.path_s = seconds(CLOCK_PROCESS_CPUTIME_ID) - middle;
    r.basis_s = middle - start;
    r.wall_s = seconds(CLOCK_MONOTONIC) - clock;
    r.peak_mb = peak_mb();
    describe_basis(basis, &r);
    describe_path(path, &r);
    if (it->certify) {
        rls2_certificate certificate;
        must_be_ok(rls2_path_certify(path, it->lambdas - 1, &certificate, sizeof certificate, &err),
                   &err);
        r.certified = certificate.relative_gap;
    }
    rls2_path_free(path);
    rls2_basis_free(basis);
    rls2_dictionary_free(dictionary);
    free(x);
    free(y);
    return r;
}

/* measure() in a child process. */
static int measure_apart(const plan *it, point *r)
{
    int ends[2], status;
    if (pipe(ends) != 0) return -1;
    fflush(NULL);
    pid_t child = fork();
    if (child < 0) return -1;
    if (child == 0) {
        point mine = measure(it);
        _exit(write(ends[1], &mine, sizeof mine) == (ssize_t)sizeof mine ? 0 : 1);
    }
    close(ends[1]);
    ssize_t got = read(ends[0], r, sizeof *r);
    close(ends[0]);
    waitpid(child, &status, 0);
    return got == (ssize_t)sizeof *r && status == 0 ? 0 : -1;
}

/* ---- what is kept ---- */

typedef struct store {
    char text[4096], json[4096], svg[4096], png[4096];
    int count;
    point points[MOST_POINTS];
} store;

static const char LINE_OUT[] =
    "%c %lld %lld %lld %.4f %.4f %.4f %.2f %.2f %lld %lld %.4f %.3e %.3e\n";
static const char LINE_IN[] = " %c %lld %lld %lld %lf %lf %lf %lf %lf %lld %lld %lf %lf %lf";

static int read_point(FILE *file, point *r)
{
    return fscanf(file, LINE_IN, &r->series, &r->n, &r->m, &r->lambdas, &r->basis_s, &r->path_s,
                  &r->wall_s, &r->peak_mb, &r->stored_mb, &r->recomputed, &r->factorizations,
                  &r->priced, &r->worst_gap, &r->certified) == 14;
}

static void load(store *s)
{
    FILE *file = fopen(s->text, "r");
    if (!file) return;
    while (s->count < MOST_POINTS && read_point(file, &s->points[s->count])) s->count++;
    fclose(file);
}

static int in_order(const void *a, const void *b)
{
    const point *p = a, *q = b;
    if (p->series != q->series) return p->series < q->series ? -1 : 1;
    if (p->n != q->n) return p->n < q->n ? -1 : 1;
    return (p->m > q->m) - (p->m < q->m);
}

static int save(const store *s)
{
    FILE *file = fopen(s->text, "w");
    if (!file) return -1;
    for (int i = 0; i < s->count; i++) {
        const point *r = &s->points[i];
        fprintf(file, LINE_OUT, r->series, r->n, r->m, r->lambdas, r->basis_s, r->path_s, r->wall_s,
                r->peak_mb, r->stored_mb, r->recomputed, r->factorizations, r->priced, r->worst_gap,
                r->certified);
    }
    return fclose(file);
}

static void put(store *s, const point *r)
{
    int at = 0;
    while (at < s->count && in_order(&s->points[at], r) != 0) at++;
    if (at == MOST_POINTS) return;
    if (at == s->count) s->count++;
    s->points[at] = *r;
    qsort(s->points, (size_t)s->count, sizeof *s->points, in_order);
}

/* ---- exponents ---- */

typedef double (*value_fn)(const point *r);

static double basis_seconds(const point *r)
{
    return r->basis_s;
}
static double path_seconds(const point *r)
{
    return r->path_s;
}
static double megabytes(const point *r)
{
    return r->peak_mb;
}

/* value = factor size^exponent */
typedef struct law {
    double exponent, factor, from;
} law;

static double size_of(const point *r)
{
    return (double)(r->series == 'n' ? r->n : r->m);
}

static law fit(const store *s, char series, value_fn value)
{
    int first = -1, end = 0;
    for (int i = 0; i < s->count; i++) {
        if (s->points[i].series != series) continue;
        if (first < 0) first = i;
        end = i + 1;
    }
    law found = {(double)NAN, (double)NAN, (double)NAN};
    if (first < 0 || end - first < 2) return found;
    int half = first + (end - first) / 2;
    if (end - half < 2) half = end - 2;
    double count = (double)(end - half), sx = 0.0, sy = 0.0, sxx = 0.0, sxy = 0.0;
    for (int i = half; i < end; i++) {
        double u = log(size_of(&s->points[i])), v = log(value(&s->points[i]));
        sx += u;
        sy += v;
        sxx += u * u;
        sxy += u * v;
    }
    found.exponent = (count * sxy - sx * sy) / (count * sxx - sx * sx);
    found.factor = exp((sy - found.exponent * sx) / count);
    found.from = size_of(&s->points[half]);
    return found;
}

/* ---- table, JSON, picture ---- */

static void print_table(const store *s)
{
    printf("%-8s %5s %5s %8s %9s %9s %9s %8s %8s %6s %5s %7s %9s %9s\n", "series", "n", "m",
           "lambdas", "basis_s", "path_s", "wall_s", "peak_MB", "kept_MB", "unkept", "fact",
           "priced", "worst_gap", "certified");
    for (int i = 0; i < s->count; i++) {
        const point *r = &s->points[i];
        printf("%-8s %5lld %5lld %8lld %9.2f %9.2f %9.2f %8.0f %8.1f %6lld %5lld %6.1f%% %9.1e "
               "%9.1e\n",
               r->series == 'u' ? "unstored" : (char[2]){r->series, 0}, r->n, r->m, r->lambdas,
               r->basis_s, r->path_s, r->wall_s, r->peak_mb, r->stored_mb, r->recomputed,
               r->factorizations, 100.0 * r->priced, r->worst_gap, r->certified);
    }
    printf("exponents in n: basis %.2f, path %.2f, memory %.2f; in m: basis %.2f, path %.2f, "
           "memory %.2f\n",
           fit(s, 'n', basis_seconds).exponent, fit(s, 'n', path_seconds).exponent,
           fit(s, 'n', megabytes).exponent, fit(s, 'm', basis_seconds).exponent,
           fit(s, 'm', path_seconds).exponent, fit(s, 'm', megabytes).exponent);
}

/* NaN is no number of JSON's. */
static void write_number(FILE *out, const char *key, double value)
{
    if (isfinite(value))
        fprintf(out, "\"%s\": %.6g", key, value);
    else
        fprintf(out, "\"%s\": null", key);
}

static void write_exponents(FILE *out, const store *s, char series)
{
    fprintf(out, "\"%c\": {", series);
    write_number(out, "basis", fit(s, series, basis_seconds).exponent);
    fputs(", ", out);
    write_number(out, "path", fit(s, series, path_seconds).exponent);
    fputs(", ", out);
    write_number(out, "memory", fit(s, series, megabytes).exponent);
    fputs("}", out);
}

static int write_json(const store *s)
{
    FILE *out = fopen(s->json, "w");
    if (!out) return -1;
    fputs("{\"points\": [", out);
    for (int i = 0; i < s->count; i++) {
        const point *r = &s->points[i];
        fprintf(out,
                "%s\n  {\"series\": \"%c\", \"n\": %lld, \"m\": %lld, \"lambdas\": %lld, "
                "\"basis_s\": %.4f, "
                "\"path_s\": %.4f, \"wall_s\": %.4f, \"peak_mb\": %.2f, \"stored_mb\": %.2f, "
                "\"recomputed\": "
                "%lld, \"factorizations\": %lld, \"priced\": %.4f, \"worst_gap\": %.3e, ",
                i ? "," : "", r->series, r->n, r->m, r->lambdas, r->basis_s, r->path_s, r->wall_s,
                r->peak_mb, r->stored_mb, r->recomputed, r->factorizations, r->priced,
                r->worst_gap);
        write_number(out, "certified", r->certified);
        fputs("}", out);
    }
    fputs("\n],\n\"exponents\": {", out);
    write_exponents(out, s, 'n');
    fputs(", ", out);
    write_exponents(out, s, 'm');
    fputs("}}\n", out);
    return fclose(out);
}

/* Column 5 is basis_s, 6 path_s, 8 peak_mb of growth.txt; n is column 2, m column 3. */
static void plot_curve(FILE *to, const store *s, char series, int column, const char *name,
                       const char *color, value_fn value, const char *before)
{
    law it = fit(s, series, value);
    int x = series == 'n' ? 2 : 3;
    fprintf(to,
            "%s '%s' using (strcol(1) eq '%c' ? $%d : 1/0):%d with points pt 7 ps 0.7 lc rgb '%s' "
            "notitle, \\\n"
            "  (x >= %g ? %g*x**%g : 1/0) with lines lw 2 lc rgb '%s' title '%s  %s^{%.2f}'",
            before, s->text, series, x, column, color, it.from, it.factor, it.exponent, color, name,
            series == 'n' ? "n" : "m", it.exponent);
}

static void plot_panels(FILE *to, const store *s, char series)
{
    const char *size = series == 'n' ? "rows n (104 kernels)" : "kernels m (500 rows)";
    fprintf(to, "set xrange [%s]\nset xlabel '%s'\nset ylabel 'seconds of processor time'\n",
            series == 'n' ? "200:10000" : "7:14000", size);
    plot_curve(to, s, series, 6, "path", "#1f5fa8", path_seconds, "plot");
    plot_curve(to, s, series, 5, "basis", "#d0662a", basis_seconds, ",");
    fputs("\nset ylabel 'peak memory, MB'\n", to);
    plot_curve(to, s, series, 8, "memory", "#3a7d44", megabytes, "plot");
    /* what a triangle for each kernel would take: 4 m n^2 bytes */
    fprintf(to, ", %s with lines lw 1.5 dt 2 lc rgb '#777777' title 'every kernel a triangle'\n",
            series == 'n' ? "104*4e-6*x**2" : "x*4e-6*500**2");
}

static int draw(const store *s, const char *terminal, const char *path)
{
    if (isnan(fit(s, 'n', path_seconds).exponent) || isnan(fit(s, 'm', path_seconds).exponent))
        return 0;
    FILE *to = popen("gnuplot", "w");
    if (!to) return -1;
    fprintf(
        to,
        "set terminal %s\nset output '%s'\nset multiplot layout 2,2 columnsfirst\nset logscale xy\n"
        "set key top left reverse Left samplen 1.5\nset grid lc rgb '#dddddd'\nset border 3\n"
        "set tics nomirror\nset format y '%%g'\nset samples 60\n",
        terminal, path);
    plot_panels(to, s, 'n');
    plot_panels(to, s, 'm');
    fputs("unset multiplot\n", to);
    return pclose(to);
}

static int run_series(const plan *plans, store *s)
{
    for (const plan *it = plans; it->series; it++) {
        point r;
        fprintf(stderr, "n = %lld, %s of %lld columns ...\n", (long long)it->n, it->spec,
                (long long)it->columns);
        if (measure_apart(it, &r) != 0) return -1;
        put(s, &r);
        if (save(s) != 0) return -1;
    }
    return 0;
}

static const plan *find_series(const char *name)
{
    for (size_t i = 0; i < sizeof SERIES / sizeof SERIES[0]; i++)
        if (strcmp(name, SERIES[i].name) == 0) return SERIES[i].plans;
    return NULL;
}

int main(int argc, char **argv)
{
    rls2_blas_tune();
    static const char *standard[] = {"n", "m"};
    const char *const *names = argc > 2 ? (const char *const *)argv + 2 : standard;
    int count = argc > 2 ? argc - 2 : 2;
    static store s;
    if (argc < 2) {
        fputs("usage: rls2_bench_growth FOLDER [n] [m] [large] [unstored] [draw]\n", stderr);
        return 2;
    }
    snprintf(s.text, sizeof s.text, "%s/growth.txt", argv[1]);
    snprintf(s.json, sizeof s.json, "%s/growth.json", argv[1]);
    snprintf(s.svg, sizeof s.svg, "%s/growth.svg", argv[1]);
    snprintf(s.png, sizeof s.png, "%s/growth.png", argv[1]);
    load(&s);
    for (int i = 0; i < count; i++) {
        const plan *plans = find_series(names[i]);
        if (!plans || run_series(plans, &s) != 0) {
            fprintf(stderr, "bench: %s %s\n", names[i], plans ? "failed" : "is no series");
            return 1;
        }
    }
    print_table(&s);
    if (write_json(&s) != 0) return 1;
    int drawn = draw(&s, "svg size 900,680 font 'sans,12' background '#ffffff'", s.svg);
    if (drawn == 0) drawn = draw(&s, "pngcairo size 900,680 font 'sans,10'", s.png);
    if (drawn != 0) fputs("bench: no picture, gnuplot failed\n", stderr);
    return 0;
}
