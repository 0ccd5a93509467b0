#include "cli/fit.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/option.h"
#include "cli/score.h"

enum { DEFAULT_LAMBDAS = 30, MOST_LAMBDAS = 100000, MANY_COLUMNS = 200 };
static const double DEFAULT_RATIO = 1e-6; /* of the smallest lambda to the largest */

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- dictionary ---- */

/* Several --kernels are terms of one dictionary. */
static char *join_terms(const text_list *terms)
{
    size_t size = 1;
    for (int64_t i = 0; i < terms->count; i++) size += strlen(terms->items[i]) + 2;
    char *text = calloc(size, 1);
    for (int64_t i = 0; text && i < terms->count; i++) {
        if (i > 0) strcat(text, "; ");
        strcat(text, terms->items[i]);
    }
    return text;
}

/* The text, and a term for each matrix given. */
static char *with_given(const char *spec, const problem *p)
{
    size_t size = strlen(spec) + 1, used;
    for (int64_t g = 0; g < p->columns.given_count; g++) size += 2 * strlen(p->columns.given_names[g]) + 16;
    char *text = malloc(size);
    if (!text) return NULL;
    used = (size_t)snprintf(text, size, "%s", spec);
    for (int64_t g = 0; g < p->columns.given_count; g++)
        used += (size_t)snprintf(text + used, size - used, "%sgiven(\"%s\")", used > 0 ? "; " : "",
                                 p->columns.given_names[g]);
    return text;
}

/* A matrix that no kernel uses was meant to be used. */
static int check_given(const settings *s, const problem *p, const rls2_dictionary *dictionary)
{
    for (int64_t g = 0; g < p->columns.given_count; g++) {
        int used = 0;
        const char *name = p->columns.given_names[g];
        for (int64_t k = 0; k < rls2_dictionary_size(dictionary) && !used; k++) {
            const char *kernel = rls2_dictionary_name(dictionary, k);
            used = strncmp(kernel, "given(", 6) == 0 && strstr(kernel, name) != NULL;
        }
        if (used) continue;
        say_error(s, "the matrix '%s' is not used: add given(%s) to --kernels", name, name);
        return EXIT_USAGE;
    }
    return EXIT_OK;
}

/* The paper's dictionary has 13 kernels for each column: too many where there are thousands. */
static char *default_spec(const settings *s, const problem *p)
{
    const char *spec = p->columns.count > MANY_COLUMNS ? "linear" : p->columns.count > 0 ? "paper" : "";
    if (p->columns.count == 0)
        say(s, "  kernels: %s", "the matrix given");
    else if (p->columns.count > MANY_COLUMNS)
        say(s, "  kernels: %s, the default for %" PRId64 " inputs", spec, p->columns.count);
    else
        say(s, "  kernels: %s, the default", spec);
    return with_given(spec, p);
}

char *dictionary_text(const settings *s, const problem *p)
{
    return s->kernels.count > 0 ? join_terms(&s->kernels) : default_spec(s, p);
}

int make_dictionary(const settings *s, const problem *p, rls2_dictionary **dictionary)
{
    rls2_error err;
    rls2_status status = rls2_dictionary_create(p->spec, &p->columns, dictionary, &err);
    if (status == RLS2_OK) return check_given(s, p, *dictionary);
    int code = fail(s, &err);
    return status == RLS2_ERR_MEMORY ? code : EXIT_USAGE;
}

static int is_linear(const rls2_dictionary *dictionary)
{
    for (int64_t k = 0; k < rls2_dictionary_size(dictionary); k++)
        if (strncmp(rls2_dictionary_name(dictionary, k), "linear@", 7) != 0) return 0;
    return 1;
}

/* ---- lambda ---- */

static int bad_lambdas(const settings *s)
{
    say_error(s, "--lambdas '%s' should be LO:HI:N, for instance 1e-6:1e2:30, or values with commas between",
              s->lambdas);
    return EXIT_USAGE;
}

/* LO:HI:N, in a copy that may be cut up. */
static int parse_range(const settings *s, char *text, int64_t *count, double **lambdas)
{
    rls2_error err;
    double lo, hi;
    char *rest = text, *first = strsep(&rest, ":"), *second = strsep(&rest, ":");
    if (!second || !rest || !read_number(first, &lo) || !read_number(second, &hi) ||
        !read_count(rest, count) || *count < 1 || *count > MOST_LAMBDAS)
        return bad_lambdas(s);
    *lambdas = calloc((size_t)*count, sizeof **lambdas);
    if (!*lambdas) return out_of_memory(s);
    if (rls2_lambda_grid(lo, hi, *count, *lambdas, &err) == RLS2_OK) return EXIT_OK;
    say_error(s, "--lambdas: %s", err.message);
    return EXIT_USAGE;
}

static int parse_list(const settings *s, char *text, int64_t *count, double **lambdas)
{
    size_t room = 1;
    for (const char *c = text; *c; c++) room += *c == ',';
    *lambdas = calloc(room, sizeof **lambdas);
    if (!*lambdas) return out_of_memory(s);
    *count = 0;
    for (char *rest = text, *item = strsep(&rest, ","); item; item = strsep(&rest, ",")) {
        double value;
        if (!read_number(item, &value) || !(value > 0.0)) return bad_lambdas(s);
        (*lambdas)[(*count)++] = value;
    }
    return EXIT_OK;
}

static int parse_lambdas(const settings *s, int64_t *count, double **lambdas)
{
    char *copy = strdup(s->lambdas);
    if (!copy) return out_of_memory(s);
    int code = strchr(copy, ':') ? parse_range(s, copy, count, lambdas) : parse_list(s, copy, count, lambdas);
    free(copy);
    return code;
}

rls2_intercept intercept_of(const settings *s, int classification)
{
    if (strcmp(s->intercept, "mean") == 0) return RLS2_INTERCEPT_MEAN;
    if (strcmp(s->intercept, "none") == 0) return RLS2_INTERCEPT_NONE;
    return classification ? RLS2_INTERCEPT_NONE : RLS2_INTERCEPT_MEAN;
}

static int default_lambdas(const settings *s, const problem *p, const rls2_basis *basis, int64_t *count,
                           double **lambdas)
{
    rls2_error err;
    rls2_intercept intercept = intercept_of(s, rls2_dataset_is_classification(p->train.data));
    *count = DEFAULT_LAMBDAS;
    *lambdas = calloc(DEFAULT_LAMBDAS, sizeof **lambdas);
    if (!*lambdas) return out_of_memory(s);
    if (rls2_lambda_default(basis, rls2_dataset_y(p->train.data), intercept, DEFAULT_RATIO, *count, *lambdas,
                            &err) == RLS2_OK)
        return EXIT_OK;
    return fail(s, &err);
}

int given_lambdas(const settings *s, int64_t *count, double **lambdas)
{
    *lambdas = NULL;
    *count = 0;
    if (isnan(s->lambda) && !s->lambdas) return EXIT_OK;
    if (s->lambdas && !isnan(s->lambda)) {
        say_error(s, "--lambda and --lambdas exclude each other");
        return EXIT_USAGE;
    }
    if (s->lambdas) return parse_lambdas(s, count, lambdas);
    if (!(s->lambda > 0.0)) {
        say_error(s, "--lambda is %g; it must be positive", s->lambda);
        return EXIT_USAGE;
    }
    *lambdas = calloc(1, sizeof **lambdas);
    if (!*lambdas) return out_of_memory(s);
    (*lambdas)[0] = s->lambda;
    *count = 1;
    return EXIT_OK;
}

/* ---- options ---- */

static rls2_scaling scaling_of(const char *name)
{
    if (strcmp(name, "none") == 0) return RLS2_SCALING_NONE;
    if (strcmp(name, "fisher") == 0) return RLS2_SCALING_FISHER;
    if (strcmp(name, "fisher-sqrt") == 0) return RLS2_SCALING_FISHER_SQRT;
    return RLS2_SCALING_TRACE;
}

/* "500M", "2G", "1.5T": bytes; -1 if it is none. */
static int64_t bytes_of(const char *text)
{
    static const char UNITS[] = "KMGT";
    char *end;
    double value = strtod(text, &end);
    const char *unit = *end ? strchr(UNITS, *end >= 'a' ? *end - 32 : *end) : NULL;
    if (end == text || !(value > 0.0) || (*end && !unit)) return -1;
    if (unit) {
        value *= pow(1024.0, (double)(unit - UNITS + 1));
        end++;
        if (*end == 'B' || *end == 'b') end++;
    }
    return *end == '\0' && value < 9e18 ? (int64_t)value : -1;
}

int set_basis_options(const settings *s, const problem *p, rls2_basis_options *options)
{
    *options = rls2_basis_options_default();
    options->scaling = scaling_of(s->scaling);
    options->center = s->center;
    options->transductive = s->transductive ? &p->test.rows : NULL;
    options->skip_degenerate = 1;
    options->threads = s->threads < 10000 ? (int)s->threads : 10000;
    if (options->scaling == RLS2_SCALING_FISHER || options->scaling == RLS2_SCALING_FISHER_SQRT) {
        if (!rls2_dataset_is_classification(p->train.data)) {
            say_error(s, "--scaling %s needs two classes, and the task is regression", s->scaling);
            return EXIT_USAGE;
        }
        options->labels = rls2_dataset_y(p->train.data);
    }
    if (s->memory) options->memory = bytes_of(s->memory);
    return EXIT_OK;
}

rls2_path_options plain_path_options(const settings *s, int classification)
{
    rls2_path_options options = rls2_path_options_default();
    options.solver = strcmp(s->solver, "alternate") == 0 ? RLS2_SOLVER_ALTERNATE : RLS2_SOLVER_NEWTON;
    options.intercept = intercept_of(s, classification);
    options.gap_tol = s->gap_tol;
    options.delta = s->delta;
    options.max_iter = s->max_iter;
    if (s->memory) options.memory = bytes_of(s->memory);
    return options;
}

static rls2_path_options path_options(const settings *s, const fit *f, progress *bar)
{
    rls2_path_options options = plain_path_options(s, f->classification);
    options.degrees_of_freedom = 1;
    options.progress = progress_callback;
    options.progress_user = bar;
    return options;
}

/* ---- fitting ---- */

static void note_degenerate(const settings *s, const fit *f)
{
    const double *scales = rls2_basis_scales(f->basis);
    int64_t zero = 0, first = -1;
    for (int64_t k = 0; k < rls2_basis_size(f->basis); k++)
        if (scales[k] == 0.0 && zero++ == 0) first = k;
    if (zero > 0)
        say(s, "  note: %s cannot be scaled (a constant input?) and will not be selected: %s%s",
            count_of(zero, "kernel").text, rls2_dictionary_name(f->dictionary, first),
            zero > 1 ? ", ..." : "");
}

static int make_basis(const settings *s, const problem *p, fit *f, progress *bar)
{
    rls2_error err;
    rls2_basis_options options;
    int code = set_basis_options(s, p, &options);
    if (code != EXIT_OK) return code;
    options.progress = progress_callback;
    options.progress_user = bar;
    rls2_status status = rls2_basis_create(f->dictionary, &p->train.rows, &options, &f->basis, &err);
    progress_end(bar);
    if (status != RLS2_OK) return fail(s, &err);
    note_degenerate(s, f);
    return EXIT_OK;
}

int check_fitting(const settings *s)
{
    int64_t count;
    double *lambdas;
    int code = given_lambdas(s, &count, &lambdas);
    free(lambdas);
    if (code != EXIT_OK) return code;
    const char *wrong = NULL;
    if (!(s->gap_tol > 0.0)) wrong = "--gap-tol must be positive";
    if (!(s->delta > 0.0)) wrong = "--delta must be positive";
    if (s->max_iter < 1) wrong = "--max-iter must be at least 1";
    if (s->memory && bytes_of(s->memory) <= 0) wrong = "--memory should be a size, for instance 500M or 2G";
    if (s->center && strcmp(s->scaling, "trace") != 0) wrong = "--center goes with --scaling trace";
    if (!wrong) return EXIT_OK;
    say_error(s, "%s", wrong);
    return EXIT_USAGE;
}

static int fit_lambdas(const settings *s, const problem *p, int64_t count, const double *lambdas, fit *f,
                       progress *bar)
{
    rls2_error err;
    int code = EXIT_OK;
    rls2_path_options options = path_options(s, f, bar);
    rls2_status status =
        rls2_path_fit(f->basis, rls2_dataset_y(p->train.data), count, lambdas, &options, &f->path, &err);
    progress_end(bar);
    if (status != RLS2_OK) code = fail(s, &err);
    if (status == RLS2_ERR_ARGUMENT) code = EXIT_USAGE;
    if (code == EXIT_OK && rls2_path_cancelled(f->path)) {
        say_error(s, "stopped after %" PRId64 " of %" PRId64 " values of lambda", rls2_path_count(f->path),
                  count);
        code = EXIT_INTERRUPTED;
    }
    return code;
}

static int score_part(const settings *s, const fit *f, const part *on, double **scores)
{
    rls2_error err;
    int64_t count = rls2_path_count(f->path), n = on->rows.n;
    double *predicted = calloc((size_t)n * (size_t)count + 1, sizeof *predicted);
    *scores = calloc((size_t)count + 1, sizeof **scores);
    int code = EXIT_OK;
    if (!predicted || !*scores)
        code = out_of_memory(s);
    else if (rls2_path_predict(f->path, &on->rows, predicted, &err) != RLS2_OK)
        code = fail(s, &err);
    for (int64_t i = 0; i < count && code == EXIT_OK; i++)
        (*scores)[i] = score(f->classification, n, predicted + i * n, rls2_dataset_y(on->data));
    free(predicted);
    return code;
}

static double majority(const problem *p)
{
    const part *on = p->test.data ? &p->test : &p->train;
    const double *learned = rls2_dataset_y(p->train.data), *y = rls2_dataset_y(on->data);
    double sum = 0.0;
    int64_t right = 0;
    for (int64_t i = 0; i < p->train.rows.n; i++) sum += learned[i];
    for (int64_t i = 0; i < on->rows.n; i++) right += score_sign(sum) == score_sign(y[i]);
    return (double)right / (double)on->rows.n;
}

static int score_all(const settings *s, const problem *p, fit *f)
{
    int code = score_part(s, f, &p->train, &f->train);
    if (f->classification) f->majority = majority(p);
    if (code == EXIT_OK && p->test.data) code = score_part(s, f, &p->test, &f->test);
    return code;
}

/* The values asked for, or those that suit the data. */
static int make_path(const settings *s, const problem *p, fit *f, progress *bar)
{
    int64_t count;
    double *lambdas;
    int code = given_lambdas(s, &count, &lambdas);
    if (code == EXIT_OK && !lambdas) code = default_lambdas(s, p, f->basis, &count, &lambdas);
    if (code == EXIT_OK) code = fit_lambdas(s, p, count, lambdas, f, bar);
    free(lambdas);
    return code;
}

int fit_run(const settings *s, const problem *p, fit *f)
{
    return fit_run_at(s, p, 0, NULL, f);
}

int fit_run_at(const settings *s, const problem *p, int64_t count, const double *lambdas, fit *f)
{
    *f = (fit){0};
    f->classification = rls2_dataset_is_classification(p->train.data);
    int code = make_dictionary(s, p, &f->dictionary);
    if (code != EXIT_OK) return code;
    f->linear = is_linear(f->dictionary);
    f->alternate = strcmp(s->solver, "alternate") == 0;
    say(s, "  %s on %s", count_of(rls2_dictionary_size(f->dictionary), "kernel").text,
        count_of(p->train.rows.n, "row").text);

    double started = now();
    progress bar = progress_start(s);
    code = make_basis(s, p, f, &bar);
    if (code == EXIT_OK)
        code = lambdas ? fit_lambdas(s, p, count, lambdas, f, &bar) : make_path(s, p, f, &bar);
    f->seconds = now() - started;
    if ((code != EXIT_OK && code != EXIT_INTERRUPTED) || !f->path) return code;
    for (int64_t i = 0; i < rls2_path_count(f->path); i++)
        f->factorizations += rls2_path_at(f->path, i)->factorizations;
    int scored = score_all(s, p, f);
    return scored == EXIT_OK ? code : scored;
}

void fit_free(fit *f)
{
    rls2_path_free(f->path);
    rls2_basis_free(f->basis);
    rls2_dictionary_free(f->dictionary);
    free(f->train);
    free(f->test);
}
