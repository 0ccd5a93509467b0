#include "cli/learn/fit.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/memory_limit.h"
#include "cli/option.h"
#include "cli/score.h"

enum { DEFAULT_LAMBDAS = 30 };
static const double DEFAULT_RATIO = 1e-6; /* of the smallest lambda to the largest */

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Is every kernel of it linear? */
static int is_linear(const rls2_dictionary *dictionary)
{
    for (int64_t k = 0; k < rls2_dictionary_size(dictionary); k++)
        if (strncmp(rls2_dictionary_name(dictionary, k), "linear@", 7) != 0) return 0;
    return 1;
}

/* ---- lambda ---- */

/* Two classes that are made to count alike: the mean of -1 and +1 is 0, but for rounding. */
static int is_balanced(const settings *s, const rls2_dataset *data)
{
    return rls2_dataset_outputs(data) == 1 && s->class_weights &&
           strcmp(s->class_weights, "balanced") == 0;
}

/* The paper has none for classes; but linear kernels have no constant part of their own, and where
 * classes differ in size something must say so. */
static rls2_intercept intercept_of(const settings *s, const rls2_dataset *data,
                                   const rls2_dictionary *dictionary)
{
    if (strcmp(s->intercept, "mean") == 0) return RLS2_INTERCEPT_MEAN;
    if (strcmp(s->intercept, "none") == 0) return RLS2_INTERCEPT_NONE;
    if (!rls2_dataset_is_classification(data)) return RLS2_INTERCEPT_MEAN;
    return is_linear(dictionary) && !is_balanced(s, data) ? RLS2_INTERCEPT_MEAN
                                                          : RLS2_INTERCEPT_NONE;
}

static int default_lambdas(const settings *s, const problem *p, const fit *f, int64_t *count,
                           double **lambdas)
{
    rls2_error err;
    rls2_intercept intercept = intercept_of(s, p->train.data, f->dictionary);
    *count = DEFAULT_LAMBDAS;
    *lambdas = calloc(DEFAULT_LAMBDAS, sizeof **lambdas);
    if (!*lambdas) return out_of_memory(s);
    if (rls2_lambda_default_outputs(f->outputs, (const rls2_basis *const *)f->bases,
                                    rls2_dataset_y(p->train.data), intercept, DEFAULT_RATIO, *count,
                                    *lambdas, &err) == RLS2_OK)
        return EXIT_OK;
    return fail(s, &err);
}

/* ---- options ---- */

static rls2_scaling scaling_of(const char *name)
{
    if (strcmp(name, "none") == 0) return RLS2_SCALING_NONE;
    if (strcmp(name, "fisher") == 0) return RLS2_SCALING_FISHER;
    if (strcmp(name, "fisher-sqrt") == 0) return RLS2_SCALING_FISHER_SQRT;
    return RLS2_SCALING_TRACE;
}

static int uses_labels(rls2_scaling rule)
{
    return rule == RLS2_SCALING_FISHER || rule == RLS2_SCALING_FISHER_SQRT;
}

static int thread_setting(const settings *s)
{
    return s->threads < 10000 ? (int)s->threads : 10000;
}

int set_basis_options(const settings *s, const problem *p, rls2_basis_options *options)
{
    *options = rls2_basis_options_default();
    options->scaling = scaling_of(s->scaling);
    options->weights = p->weights;
    options->center = s->center;
    options->transductive = s->transductive ? &p->test.rows : NULL;
    options->skip_degenerate = 1;
    options->threads = thread_setting(s);
    if (uses_labels(options->scaling)) {
        if (!rls2_dataset_is_classification(p->train.data)) {
            say_error(s, "--scaling %s needs classes, and the task is regression", s->scaling);
            return EXIT_USAGE;
        }
        options->labels = rls2_dataset_y(p->train.data);
    }
    options->memory = kernel_memory(s);
    return EXIT_OK;
}

rls2_path_options plain_path_options(const settings *s, const rls2_dataset *data,
                                     const rls2_dictionary *dictionary)
{
    rls2_path_options options = rls2_path_options_default();
    options.solver =
        strcmp(s->solver, "alternate") == 0 ? RLS2_SOLVER_ALTERNATE : RLS2_SOLVER_NEWTON;
    options.intercept = intercept_of(s, data, dictionary);
    options.gap_tol = s->gap_tol;
    options.delta = s->delta;
    options.max_iter = s->max_iter;
    if (s->memory && bytes_of(s->memory) < options.memory) options.memory = bytes_of(s->memory);
    return options;
}

/* df: 1 for each lambda, 2 for the last alone. */
static rls2_path_options path_options(const settings *s, const problem *p, const fit *f, int df,
                                      progress *bar)
{
    rls2_path_options options = plain_path_options(s, p->train.data, f->dictionary);
    options.degrees_of_freedom = df;
    options.progress = progress_callback;
    options.progress_user = bar;
    return options;
}

/* ---- fitting ---- */

const char *output_name(const problem *p, int64_t o)
{
    return rls2_dataset_output_name(p->train.data, o);
}

static void note_degenerate(const settings *s, const fit *f)
{
    const double *scales = rls2_basis_scales(f->bases[0]);
    int64_t zero = 0, first = -1;
    for (int64_t k = 0; k < rls2_basis_size(f->bases[0]); k++)
        if (scales[k] == 0.0 && zero++ == 0) first = k;
    if (zero > 0)
        say(s, "  note: %s cannot be scaled (a constant input?) and will not be selected: %s%s",
            count_of(zero, "kernel").text, rls2_dictionary_name(f->dictionary, first),
            zero > 1 ? ", ..." : "");
}

/* The first basis serves every output, scaled anew where the scaling goes by the classes. */
static int make_other_bases(const settings *s, const problem *p, rls2_scaling rule, fit *f)
{
    rls2_error err;
    int64_t n = p->train.rows.n;
    for (int64_t o = 1; o < f->outputs; o++) {
        if (!uses_labels(rule))
            f->bases[o] = f->bases[0];
        else if (rls2_basis_rescale(f->bases[0], rls2_dataset_y(p->train.data) + o * n,
                                    &f->bases[o], &err) != RLS2_OK)
            return fail(s, &err);
    }
    return EXIT_OK;
}

static int make_bases(const settings *s, const problem *p, fit *f, progress *bar)
{
    rls2_error err;
    rls2_basis_options options;
    int code = set_basis_options(s, p, &options);
    if (code != EXIT_OK) return code;
    options.progress = progress_callback;
    options.progress_user = bar;
    rls2_status status =
        rls2_basis_create(f->dictionary, &p->train.rows, &options, &f->bases[0], &err);
    progress_end(bar);
    if (status != RLS2_OK) return fail(s, &err);
    note_degenerate(s, f);
    note_recomputed(s, f->bases[0]);
    return make_other_bases(s, p, options.scaling, f);
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
    if (s->center && strcmp(s->scaling, "trace") != 0) wrong = "--center goes with --scaling trace";
    if (!wrong) return check_memory(s);
    say_error(s, "%s", wrong);
    return EXIT_USAGE;
}

static int fit_lambdas(const settings *s, const problem *p, int64_t count, const double *lambdas,
                       int df, fit *f, progress *bar)
{
    rls2_error err;
    int code = EXIT_OK;
    rls2_path_options options = path_options(s, p, f, df, bar);
    rls2_status status = rls2_path_fit_outputs(f->outputs, (const rls2_basis *const *)f->bases,
                                               rls2_dataset_y(p->train.data), count, lambdas,
                                               &options, thread_setting(s), f->paths, &err);
    progress_end(bar);
    if (status != RLS2_OK) code = fail(s, &err);
    if (status == RLS2_ERR_ARGUMENT) code = EXIT_USAGE;
    if (code != EXIT_OK) return code;
    f->count = count;
    for (int64_t o = 0; o < f->outputs; o++)
        if (rls2_path_count(f->paths[o]) < f->count) f->count = rls2_path_count(f->paths[o]);
    if (f->count == count) return EXIT_OK;
    say_error(s, "stopped after %" PRId64 " of %" PRId64 " values of lambda", f->count, count);
    return EXIT_INTERRUPTED;
}

/* ---- all outputs together ---- */

/* Kernels that any output selects at point i. `seen` is room for all kernels, zero before and
 * after. */
static int64_t count_selected(const fit *f, int64_t i, unsigned char *seen)
{
    const int64_t *kernels;
    int64_t distinct = 0;
    for (int64_t o = 0; o < f->outputs; o++) {
        int64_t count = rls2_path_weights(f->paths[o], i, &kernels, NULL);
        for (int64_t t = 0; t < count; t++) {
            distinct += !seen[kernels[t]];
            seen[kernels[t]] = 1;
        }
    }
    memset(seen, 0, (size_t)rls2_dictionary_size(f->dictionary));
    return distinct;
}

static void add_point(rls2_path_point *total, const rls2_path_point *one)
{
    total->objective += one->objective;
    total->gap = fmax(total->gap, one->gap);
    total->residual = fmax(total->residual, one->residual);
    total->df += one->df;
    total->iterations += one->iterations;
    total->factorizations += one->factorizations;
    total->priced += one->priced;
    total->offered += one->offered;
    if (one->outcome > total->outcome)
        total->outcome = one->outcome; /* they ascend from good to bad */
}

static int sum_up(const settings *s, fit *f)
{
    unsigned char *seen = calloc((size_t)rls2_dictionary_size(f->dictionary) + 1, 1);
    f->points = calloc((size_t)f->count + 1, sizeof *f->points);
    int code = seen && f->points ? EXIT_OK : out_of_memory(s);
    for (int64_t i = 0; i < f->count && code == EXIT_OK; i++) {
        f->points[i] = *rls2_path_at(f->paths[0], i);
        for (int64_t o = 1; o < f->outputs; o++)
            add_point(&f->points[i], rls2_path_at(f->paths[o], i));
        f->points[i].selected = count_selected(f, i, seen);
        f->factorizations += f->points[i].factorizations;
    }
    free(seen);
    return code;
}

/* ---- scores ---- */

/* Predictions of every output: n values for each of its points, those of output o from o * n *
 * points on. */
static int predict_outputs(const settings *s, const fit *f, const part *on, int64_t points,
                           double *predicted)
{
    rls2_error err;
    int64_t n = on->rows.n;
    for (int64_t o = 0; o < f->outputs; o++)
        if (rls2_path_predict(f->paths[o], &on->rows, predicted + o * n * points, &err) != RLS2_OK)
            return fail(s, &err);
    return EXIT_OK;
}

static int score_part(const settings *s, const fit *f, const part *on, double **scores)
{
    int64_t n = on->rows.n, points = 0, q = f->outputs;
    for (int64_t o = 0; o < q; o++)
        if (rls2_path_count(f->paths[o]) > points) points = rls2_path_count(f->paths[o]);
    double *predicted = calloc((size_t)n * (size_t)points * (size_t)q + 1, sizeof *predicted);
    double *at = calloc((size_t)n * (size_t)q + 1, sizeof *at); /* of one point, n x outputs */
    *scores = calloc((size_t)f->count + 1, sizeof **scores);
    int code = predicted && at && *scores ? predict_outputs(s, f, on, points, predicted)
                                          : out_of_memory(s);
    for (int64_t i = 0; i < f->count && code == EXIT_OK; i++) {
        for (int64_t o = 0; o < q; o++)
            memcpy(at + o * n, predicted + (o * points + i) * n, (size_t)n * sizeof *at);
        (*scores)[i] = score(f->classification, q, n, at, rls2_dataset_y(on->data),
                             rls2_dataset_weights(on->data));
    }
    free(predicted);
    free(at);
    return code;
}

/* Sum of the weights of the rows of each class. */
static void count_classes(const rls2_dataset *data, double *counts)
{
    const int64_t *classes = rls2_dataset_classes(data);
    const double *w = rls2_dataset_weights(data);
    for (int64_t i = 0; i < rls2_dataset_rows(data); i++) counts[classes[i]] += w ? w[i] : 1.0;
}

/* Accuracy of always naming the class that is the largest among the training rows, the last of
 * equals. */
static int score_majority(const settings *s, const problem *p, fit *f)
{
    int64_t classes = rls2_dataset_class_count(p->train.data), most = 0;
    double *learned = calloc((size_t)classes + 1, sizeof *learned),
           *found = calloc((size_t)classes + 1, sizeof *found);
    double total = 0.0;
    if (learned && found) {
        count_classes(p->train.data, learned);
        count_classes(p->test.data ? p->test.data : p->train.data, found);
        for (int64_t k = 0; k < classes; k++) {
            if (learned[k] >= learned[most]) most = k;
            total += found[k];
        }
        f->majority = found[most] / total;
    }
    int code = learned && found ? EXIT_OK : out_of_memory(s);
    free(learned);
    free(found);
    return code;
}

/* Of points[0] alone: of many rows all points would take that many times the memory. */
static int score_kept(const settings *s, const fit *f, const part *on, double **scores)
{
    rls2_error err;
    int code = EXIT_OK;
    int64_t n = on->rows.n, q = f->outputs;
    rls2_model *model = NULL;
    double *at = calloc((size_t)n * (size_t)q + 1, sizeof *at);
    *scores = calloc(1, sizeof **scores);
    if (!at || !*scores)
        code = out_of_memory(s);
    else if (rls2_model_create_outputs(q, (const rls2_path *const *)f->paths, f->first, &model,
                                       &err) != RLS2_OK ||
             rls2_model_predict(model, &on->rows, at, &err) != RLS2_OK)
        code = fail(s, &err);
    else
        **scores = score(f->classification, q, n, at, rls2_dataset_y(on->data),
                         rls2_dataset_weights(on->data));
    rls2_model_free(model);
    free(at);
    return code;
}

typedef int scoring(const settings *s, const fit *f, const part *on, double **scores);

static int score_by(scoring *each, const settings *s, const problem *p, fit *f)
{
    int code = each(s, f, &p->train, &f->train);
    if (code == EXIT_OK && f->classification) code = score_majority(s, p, f);
    if (code == EXIT_OK && p->test.data) code = each(s, f, &p->test, &f->test);
    return code;
}

/* ---- all of it ---- */

/* The values asked for, or those that suit the data. */
static int make_path(const settings *s, const problem *p, fit *f, progress *bar)
{
    int64_t count;
    double *lambdas;
    int code = given_lambdas(s, &count, &lambdas);
    if (code == EXIT_OK && !lambdas) code = default_lambdas(s, p, f, &count, &lambdas);
    if (code == EXIT_OK) code = fit_lambdas(s, p, count, lambdas, 1, f, bar);
    free(lambdas);
    return code;
}

static int fit_reserve(const settings *s, const problem *p, fit *f)
{
    *f = (fit){0};
    f->classification = rls2_dataset_is_classification(p->train.data);
    f->outputs = rls2_dataset_outputs(p->train.data);
    f->alternate = strcmp(s->solver, "alternate") == 0;
    f->bases = calloc((size_t)f->outputs + 1, sizeof *f->bases);
    f->paths = calloc((size_t)f->outputs + 1, sizeof *f->paths);
    return f->bases && f->paths ? EXIT_OK : out_of_memory(s);
}

/* lambdas NULL: as the options say. Else df is only for the last of them. */
static int run(const settings *s, const problem *p, int64_t count, const double *lambdas, fit *f)
{
    int code = fit_reserve(s, p, f);
    if (code == EXIT_OK) code = make_dictionary(s, p, &f->dictionary);
    if (code != EXIT_OK) return code;
    f->linear = is_linear(f->dictionary);
    say(s, "  %s on %s", count_of(rls2_dictionary_size(f->dictionary), "kernel").text,
        count_of(p->train.rows.n, "row").text);

    double started = now();
    progress bar = progress_start(s);
    code = make_bases(s, p, f, &bar);
    if (code == EXIT_OK)
        code = lambdas ? fit_lambdas(s, p, count, lambdas, 2, f, &bar) : make_path(s, p, f, &bar);
    f->seconds = now() - started;
    if ((code != EXIT_OK && code != EXIT_INTERRUPTED) || !f->paths[0]) return code;
    int summed = sum_up(s, f);
    return summed == EXIT_OK ? code : summed;
}

int fit_run(const settings *s, const problem *p, fit *f)
{
    int code = run(s, p, 0, NULL, f);
    if ((code != EXIT_OK && code != EXIT_INTERRUPTED) || !f->points) return code;
    int scored = score_by(score_part, s, p, f);
    return scored == EXIT_OK ? code : scored;
}

int fit_run_unscored(const settings *s, const problem *p, fit *f)
{
    return run(s, p, 0, NULL, f);
}

int fit_run_to(const settings *s, const problem *p, int64_t count, const double *lambdas, fit *f)
{
    int code = run(s, p, count, lambdas, f);
    return code == EXIT_OK ? fit_keep(s, p, f, count - 1) : code;
}

int fit_keep(const settings *s, const problem *p, fit *f, int64_t i)
{
    f->points[0] = f->points[i];
    f->first = i;
    f->count = 1;
    return score_by(score_kept, s, p, f);
}

void fit_free(fit *f)
{
    for (int64_t o = 0; o < f->outputs; o++) {
        if (f->paths) rls2_path_free(f->paths[o]);
        if (f->bases && o > 0 && f->bases[o] != f->bases[0]) rls2_basis_free(f->bases[o]);
    }
    if (f->bases) rls2_basis_free(f->bases[0]);
    free(f->paths);
    free(f->bases);
    rls2_dictionary_free(f->dictionary);
    free(f->points);
    free(f->train);
    free(f->test);
}
