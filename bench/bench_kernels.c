/* Kernel matrices against their floor.
 *
 *   rls2_bench_kernels [JSON]
 *
 * The lower triangle of each kernel on n rows, by the function that the basis uses, on one column
 * and on all p of them. The floor of a kernel of one column is one pass over the n(n+1)/2 numbers:
 * the library's own exp where the kernel has one, else writing them. To that of a kernel of all
 * columns comes the product of the data with their transpose (dsyrk), which gives inner products
 * and squared distances; `bare` is the ratio to the floor without it. The library's exp is itself
 * compared with glibc's libmvec. At the end, what a column of few different values saves in making
 * a basis. All of a row is measured in turns on one thread, in processor time, and the least of
 * several rounds is kept. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/random.h"
#include "dictionary/dictionary.h"
#include "kernel/maps.h"
#include "kernel/triangle.h"
#include "la/la.h"
#include "la/threads.h"
#include "rls2/rls2.h"

enum { MOST_COLUMNS = 60, ROUNDS = 12, NAME_ROOM = 8 };

typedef struct spec {
    const char *text; /* %g: 1 / columns */
    int has_exp;
    int one_only; /* no kernel of several columns */
} spec;

static const spec specs[] = {
    {"rbf(%g)", 1, 0},     {"laplace(%g)", 1, 0}, {"matern(0.5)", 1, 0}, {"matern(1.5)", 1, 0},
    {"matern(2.5)", 1, 0}, {"poly(1)", 0, 0},     {"poly(2)", 0, 0},     {"poly(3)", 0, 0},
    {"spline", 0, 1},      {"delta", 0, 0},       {"linear", 0, 0},
};

typedef struct measured {
    double matrix, pass, product; /* ms */
} measured;

typedef struct workplace {
    int64_t n, p, count; /* of the triangle */
    double *x, *packed, *exponents, *square;
} workplace;

static double cpu_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

static void *must(void *pointer)
{
    if (pointer) return pointer;
    fputs("bench: out of memory\n", stderr);
    exit(1);
}

static double *room(int64_t count)
{
    return must(malloc((size_t)count * sizeof(double)));
}

static workplace workplace_create(int64_t n, int64_t p)
{
    rls2__random random;
    workplace w = {.n = n, .p = p, .count = n * (n + 1) / 2};
    w.x = room(n * p);
    w.packed = room(w.count);
    w.exponents = room(w.count);
    w.square = room(n * n);
    rls2__random_seed(&random, 1);
    for (int64_t i = 0; i < n * p; i++) w.x[i] = rls2__random_normal(&random);
    for (int64_t i = 0; i < w.count; i++) w.exponents[i] = -3.0 * rls2__random_uniform(&random);
    for (int64_t i = 0; i < n * n; i++) w.square[i] = 0.0;
    return w;
}

static void workplace_free(workplace *w)
{
    free(w->x), free(w->packed), free(w->exponents), free(w->square);
}

/* Small matrices several times, so that the clock does not matter. */
static int repeats(const workplace *w)
{
    return w->n < 1000 ? 8 : 1;
}

typedef void (*pass_fn)(int64_t n, double *x);

/* A Gaussian kernel is exp(-gamma times the sum). */
static void library_exp(int64_t n, double *x)
{
    const rls2__kernel kernel = {.kind = RLS2__KERNEL_RBF, .param = {-1.0}};
    rls2__kernel_map(&kernel, n, x, 1.0, x);
}

static void write_numbers(int64_t n, double *x)
{
    for (int64_t i = 0; i < n; i++) x[i] = 0.5;
}

/* The room of the triangle is in the same state, filled a moment ago, whatever is to be timed. */
static void prepare(const workplace *w)
{
    memcpy(w->packed, w->exponents, (size_t)w->count * sizeof(double));
}

static double time_matrix(const workplace *w, const rls2__kernel *kernel, const rls2_rows *rows)
{
    double total = 0.0;
    for (int r = 0; r < repeats(w); r++) {
        prepare(w);
        double start = cpu_ms();
        rls2__kernel_triangle(kernel, rows, 0.5, NULL, w->packed);
        total += cpu_ms() - start;
    }
    return total / repeats(w);
}

static double time_pass(const workplace *w, pass_fn pass)
{
    double total = 0.0;
    for (int r = 0; r < repeats(w); r++) {
        prepare(w);
        double start = cpu_ms();
        pass(w->count, w->packed);
        total += cpu_ms() - start;
    }
    return total / repeats(w);
}

static double time_product(const workplace *w)
{
    double start = cpu_ms();
    for (int r = 0; r < repeats(w); r++)
        rls2__la_syrk(w->n, w->p, 1.0, w->x, w->n, 0.0, w->square, w->n);
    return (cpu_ms() - start) / repeats(w);
}

static rls2_dictionary *dictionary_of(const spec *s, int64_t p, int all)
{
    static char names[MOST_COLUMNS][NAME_ROOM];
    const char *pointers[MOST_COLUMNS];
    char kernel[64], text[80];
    rls2_dictionary *dictionary;
    rls2_error err;
    for (int64_t j = 0; j < p; j++) {
        snprintf(names[j], sizeof names[j], "x%d", (int)j + 1);
        pointers[j] = names[j];
    }
    rls2_columns columns = {.count = p, .names = pointers};
    if (strstr(s->text, "%g"))
        snprintf(kernel, sizeof kernel, "%.*s%g)", (int)(strchr(s->text, '(') - s->text) + 1,
                 s->text, all ? 1.0 / (double)p : 1.0);
    else
        snprintf(kernel, sizeof kernel, "%s", s->text);
    if (strcmp(kernel, "paper") == 0)
        snprintf(text, sizeof text, "poly(1..3)@x1; rbf(1e-3:1e3:10)@x1");
    else
        snprintf(text, sizeof text, "%s@%s", kernel, all ? "all" : "x1");
    if (rls2_dictionary_create(text, &columns, &dictionary, &err) == RLS2_OK) return dictionary;
    fprintf(stderr, "bench: %s\n", err.message);
    exit(1);
}

static measured measure(const workplace *w, const spec *s, int all)
{
    measured m = {HUGE_VAL, HUGE_VAL, all ? HUGE_VAL : 0.0};
    rls2_rows rows = {.n = w->n, .p = w->p, .x = w->x};
    rls2_dictionary *dictionary = dictionary_of(s, w->p, all);
    rls2__kernel kernel = dictionary->kernels[0];
    rls2__kernel_fit(&kernel, &rows);
    for (int round = 0; round < ROUNDS; round++) {
        m.matrix = fmin(m.matrix, time_matrix(w, &kernel, &rows));
        m.pass = fmin(m.pass, time_pass(w, s->has_exp ? library_exp : write_numbers));
        if (all) m.product = fmin(m.product, time_product(w));
    }
    rls2_dictionary_free(dictionary);
    return m;
}

static void report(const spec *s, const workplace *w, int all, measured m, FILE *json)
{
    static int rows;
    double floor_ms = m.pass + m.product;
    char name[32];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(s->text, "%"), s->text);
    if (strchr(s->text, '%')) strcat(name, "g)");
    printf("%-12s %-4s %5lld %3lld %9.4f %9.4f %9.4f %6.2f %6.2f\n", name, all ? "all" : "one",
           (long long)w->n, all ? (long long)w->p : 1LL, m.matrix, m.pass, m.product,
           m.matrix / floor_ms, m.matrix / m.pass);
    fflush(stdout);
    if (!json) return;
    fprintf(json,
            "%s\n  {\"kernel\": \"%s\", \"columns\": %lld, \"n\": %lld, \"matrix_ms\": %.5f, "
            "\"pass\": \"%s\", "
            "\"pass_ms\": %.5f, \"dsyrk_ms\": %.5f, \"ratio\": %.4f, \"bare_ratio\": %.4f}",
            rows++ ? "," : "", name, all ? (long long)w->p : 1LL, (long long)w->n, m.matrix,
            s->has_exp ? "exp" : "write", m.pass, m.product, m.matrix / floor_ms,
            m.matrix / m.pass);
}

static void run_size(int64_t n, int64_t p, int with_one, FILE *json)
{
    workplace w = workplace_create(n, p);
    for (size_t k = 0; k < sizeof specs / sizeof specs[0]; k++) {
        if (with_one) report(&specs[k], &w, 0, measure(&w, &specs[k], 0), json);
        if (!specs[k].one_only) report(&specs[k], &w, 1, measure(&w, &specs[k], 1), json);
    }
    workplace_free(&w);
}

/* Making the basis of 13 kernels of one column that has so many different values. */
static void few_values(FILE *json)
{
    enum { ROWS = 2000 };
    static const int64_t values[] = {2, 10, 50, 200, 600, 1000, ROWS};
    static const spec paper = {"paper", 1, 1};
    double *x = room(ROWS);
    rls2_dictionary *dictionary = dictionary_of(&paper, 1, 0);
    rls2_basis_options options;
    rls2_basis_options_init(&options, sizeof options);
    rls2_control control;
    rls2_control_init(&control, sizeof control);
    control.threads = 1;
    puts("\nmaking the basis of rbf(1e-3:1e3:10) and poly(1..3) on one column of 2000 rows");
    printf("%8s %9s %9s\n", "values", "ms", "MB");
    for (size_t v = 0; v < sizeof values / sizeof values[0]; v++) {
        rls2_rows rows = {.n = ROWS, .p = 1, .x = x};
        double best = HUGE_VAL, bytes = 0.0;
        for (int64_t i = 0; i < ROWS; i++)
            x[i] = sin((double)(i * 7919 % ROWS % values[v] + 1)) +
                   1e-3 * (double)(i * 7919 % ROWS % values[v]);
        for (int round = 0; round < 4; round++) {
            rls2_basis *basis;
            rls2_error err;
            double start = cpu_ms();
            if (rls2_basis_create(dictionary, &rows, &options, &control, &basis, &err) != RLS2_OK)
                exit(1);
            best = fmin(best, cpu_ms() - start);
            bytes = (double)rls2_basis_bytes(basis);
            rls2_basis_free(basis);
        }
        printf("%8lld %9.2f %9.2f\n", (long long)values[v], best, 1e-6 * bytes);
        if (json)
            fprintf(json, ",\n  {\"values\": %lld, \"n\": %d, \"basis_ms\": %.3f, \"bytes\": %.0f}",
                    (long long)values[v], (int)ROWS, best, bytes);
    }
    rls2_dictionary_free(dictionary);
    free(x);
}

#if defined(HAVE_LIBMVEC)
void exp_libmvec_avx2(int64_t n, double *x);
void exp_libmvec_avx512(int64_t n, double *x);
#endif

/* Nanoseconds for each number, of arrays that fit the first cache and of the largest triangle. */
static void compare_exp(void)
{
    static const char *const names[] = {"library", "libmvec AVX2", "libmvec AVX-512"};
    pass_fn passes[] = {library_exp, NULL, NULL};
    static const int64_t sizes[] = {63, 300, 2000}; /* rows */
#if defined(HAVE_LIBMVEC)
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        passes[1] = exp_libmvec_avx2;
    if (__builtin_cpu_supports("avx512f")) passes[2] = exp_libmvec_avx512;
#endif
    puts("exp, ns for each of n(n+1)/2 numbers");
    for (int f = 0; f < 3; f++) {
        if (!passes[f]) continue;
        printf("%-16s", names[f]);
        for (int i = 0; i < 3; i++) {
            workplace w = workplace_create(sizes[i], 1);
            double best = HUGE_VAL;
            for (int round = 0; round < 4 * ROUNDS; round++)
                best = fmin(best, time_pass(&w, passes[f]));
            printf("  n = %lld: %.3f", (long long)sizes[i], 1e6 * best / (double)w.count);
            workplace_free(&w);
        }
        puts("");
    }
}

int main(int argc, char **argv)
{
    rls2_blas_tune();
    static const int64_t rows[] = {300, 2000}, columns[] = {13, 60};
    FILE *json = argc > 1 ? fopen(argv[1], "w") : NULL;
    if (argc > 1 && !json) {
        perror(argv[1]);
        return 1;
    }
    if (rls2__la_enter(NULL) != RLS2_OK) return 1; /* one thread, as inside the library */
    compare_exp();
    puts("\nms; pass: exp, or writing where the kernel has none; ratio: matrix / (pass + dsyrk); "
         "bare: "
         "matrix / pass");
    printf("%-12s %-4s %5s %3s %9s %9s %9s %6s %6s\n", "kernel", "cols", "n", "p", "matrix", "pass",
           "dsyrk", "ratio", "bare");
    if (json) fputs("[", json);
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) run_size(rows[i], columns[j], j == 0, json);
    few_values(json);
    rls2__la_leave();
    if (!json) return 0;
    fputs("\n]\n", json);
    return fclose(json) == 0 ? 0 : 1;
}
