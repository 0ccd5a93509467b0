/* Scores the points of a path and writes them as JSON and as a table. */
#include "cli/learn/fit_report.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/interrupt.h"
#include "cli/json.h"

/* Beyond so many inputs only coefficients that are not zero are written. */
enum { ALL_COEFFICIENTS = 1000 };

const char *output_name(const rls2_fit *fit, int64_t o)
{
    return rls2_dataset_output_name(rls2_fit_data(fit), o);
}

/* ---- scores ---- */

static void score_rows(const fit_scores *of, const rls2_dataset *data, const double *f,
                       double *scores)
{
    for (int k = 0; k < of->by.count; k++)
        scores[k] = scoring_value(&of->by, k, rls2_dataset_rows(data), f, rls2_dataset_y(data),
                                  rls2_dataset_row_weights(data));
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Who pressed Ctrl-C waits for the scores of what is finished, but not for long; `user` is when
 * they were begun. */
static int out_of_patience(void *user, const rls2_progress *at)
{
    static const double PATIENCE = 0.3; /* seconds */
    const double *begun = user;
    (void)at;
    return interrupted() && now() - *begun > PATIENCE;
}

/* Scores that cannot be had in time are not numbers. */
static int predict_all(const settings *s, const fit_scores *of, rls2_part part, size_t count,
                       double *f)
{
    rls2_error err;
    rls2_control control;
    double begun = now();
    rls2_control_init(&control, sizeof control);
    control.threads = s->threads < 10000 ? (int)s->threads : 10000;
    control.progress = out_of_patience;
    control.user = &begun;
    rls2_status status = rls2_fit_predict_path_watched(of->fit, part, &control, f, &err);
    if (status == RLS2_OK) return EXIT_OK;
    if (status != RLS2_ERR_CANCELLED) return fail(s, &err);
    for (size_t i = 0; i < count; i++) f[i] = (double)NAN;
    return EXIT_OK;
}

/* Predictions of the points are for rows x outputs each. A single point is predicted alone: of many
 * rows all points would take that many times the memory. */
static int score_part(const settings *s, const fit_scores *of, const rls2_dataset *data,
                      rls2_part part, double **scores)
{
    rls2_error err;
    size_t size = (size_t)rls2_dataset_rows(data) * (size_t)of->outputs;
    int whole = of->count == rls2_fit_count(of->fit);
    double *f = calloc(size * (size_t)(whole ? of->count : 1) + 1, sizeof *f);
    *scores = calloc((size_t)(of->count * of->by.count) + 1, sizeof **scores);
    int code = f && *scores ? EXIT_OK : out_of_memory(s);
    if (code == EXIT_OK && whole) code = predict_all(s, of, part, size * (size_t)of->count, f);
    for (int64_t i = 0; i < of->count && code == EXIT_OK; i++) {
        if (!whole && rls2_fit_predict(of->fit, of->first + i, part, f, &err) != RLS2_OK)
            code = fail(s, &err);
        else
            score_rows(of, data, whole ? f + size * (size_t)i : f, *scores + i * of->by.count);
    }
    free(f);
    return code;
}

/* Sum of the weights of the rows of each class. */
static void count_classes(const rls2_dataset *data, double *counts)
{
    const int64_t *classes = rls2_dataset_classes(data);
    const double *w = rls2_dataset_row_weights(data);
    for (int64_t i = 0; i < rls2_dataset_rows(data); i++) counts[classes[i]] += w ? w[i] : 1.0;
}

/* Accuracy of always naming the class that is the largest among the training rows, the last of
 * equals. */
static int score_majority(const settings *s, const rls2_dataset *train, const rls2_dataset *on,
                          double *majority)
{
    int64_t classes = rls2_dataset_class_count(train), most = 0;
    double *learned = calloc((size_t)classes + 1, sizeof *learned),
           *found = calloc((size_t)classes + 1, sizeof *found);
    double total = 0.0;
    if (learned && found) {
        count_classes(train, learned);
        count_classes(on, found);
        for (int64_t k = 0; k < classes; k++) {
            if (learned[k] >= learned[most]) most = k;
            total += found[k];
        }
        *majority = found[most] / total;
    }
    int code = learned && found ? EXIT_OK : out_of_memory(s);
    free(learned);
    free(found);
    return code;
}

int score_fit(const settings *s, const rls2_fit *fit, int64_t first, int64_t count,
              fit_scores *scores)
{
    const rls2_dataset *train = rls2_fit_data(fit), *test = rls2_fit_test(fit);
    *scores = (fit_scores){.fit = fit,
                           .first = first,
                           .count = count > 0 ? count : rls2_fit_count(fit) - first,
                           .classification = rls2_dataset_is_classification(train),
                           .outputs = rls2_fit_outputs(fit)};
    int code = scoring_of_fit(s, fit, &scores->by);
    if (code == EXIT_OK) code = score_part(s, scores, train, RLS2_PART_TRAINING, &scores->train);
    if (code == EXIT_OK && scores->classification)
        code = score_majority(s, train, test ? test : train, &scores->majority);
    if (code == EXIT_OK && test) code = score_part(s, scores, test, RLS2_PART_TEST, &scores->test);
    return code;
}

void fit_scores_free(fit_scores *scores)
{
    scoring_free(&scores->by);
    free(scores->train);
    free(scores->test);
    *scores = (fit_scores){0};
}

/* ---- JSON ---- */

static void json_selected(json *j, const rls2_fit *fit, int64_t o, int64_t i)
{
    const int64_t *kernels;
    const double *weights;
    int64_t count = rls2_path_kernel_weights(rls2_fit_path(fit, o), i, &kernels, &weights);
    json_array(j, "selected");
    for (int64_t k = 0; k < count; k++) {
        json_object(j, NULL);
        json_text(j, "kernel", rls2_dictionary_name(rls2_fit_dictionary(fit), kernels[k]));
        json_number(j, "weight", weights[k]);
        json_end_object(j);
    }
    json_end_array(j);
}

static void json_coefficients(json *j, const rls2_fit *fit, const rls2_model *model)
{
    int64_t columns = rls2_dataset_columns(rls2_fit_data(fit));
    const char *const *names = rls2_dataset_names(rls2_fit_data(fit));
    double *a = calloc((size_t)columns + 1, sizeof *a);
    if (a && rls2_model_coefficients(model, a, NULL) == RLS2_OK) {
        json_object(j, "coefficients");
        for (int64_t t = 0; t < columns; t++)
            if (a[t] != 0.0 || columns <= ALL_COEFFICIENTS) json_number(j, names[t], a[t]);
        json_end_object(j);
    }
    free(a);
}

static void json_scores(json *j, const char *key, const fit_scores *of, const double *values)
{
    json_object(j, key);
    for (int k = 0; k < of->by.count; k++) json_number(j, scoring_name(&of->by, k), values[k]);
    json_end_object(j);
}

static void json_numbers(json *j, const rls2_path_point *point)
{
    json_number(j, "objective", point->objective);
    json_number(j, "gap", point->gap);
    json_integer(j, "iterations", point->iterations);
    json_number(j, "df", point->df);
}

/* What one output has selected at point i; `model` is that of all outputs where kernels are
 * linear, else NULL. */
static void json_output(json *j, const rls2_fit *fit, int64_t o, int64_t i, const rls2_model *model)
{
    json_number(j, "intercept", rls2_path_intercept_at(rls2_fit_path(fit, o), i));
    json_selected(j, fit, o, i);
    if (model) json_coefficients(j, fit, rls2_model_output(model, o));
}

static void json_outputs(json *j, const rls2_fit *fit, int64_t i, const rls2_model *model)
{
    json_integer(j, "kernels", rls2_fit_at(fit, i)->selected);
    json_array(j, "outputs");
    for (int64_t o = 0; o < rls2_fit_outputs(fit); o++) {
        json_object(j, NULL);
        json_text(j, "name", output_name(fit, o));
        json_numbers(j, rls2_path_at(rls2_fit_path(fit, o), i));
        json_output(j, fit, o, i, model);
        json_end_object(j);
    }
    json_end_array(j);
}

static void json_point(json *j, const fit_scores *of, int64_t place, int linear)
{
    int64_t i = of->first + place;
    const rls2_path_point *point = rls2_fit_at(of->fit, i);
    rls2_model *model = NULL;
    if (linear && rls2_fit_model(of->fit, i, &model, NULL) != RLS2_OK) model = NULL;
    json_object(j, NULL);
    json_number(j, "lambda", point->lambda);
    json_numbers(j, point);
    if (of->outputs > 1)
        json_outputs(j, of->fit, i, model);
    else
        json_output(j, of->fit, 0, i, model);
    json_scores(j, "train", of, of->train + place * of->by.count);
    if (of->test) json_scores(j, "test", of, of->test + place * of->by.count);
    json_end_object(j);
    rls2_model_free(model);
}

static void json_names(json *j, const rls2_fit *fit)
{
    json_array(j, "outputs");
    for (int64_t o = 0; o < rls2_fit_outputs(fit); o++) json_text(j, NULL, output_name(fit, o));
    json_end_array(j);
}

static int64_t count_factorizations(const rls2_fit *fit)
{
    int64_t sum = 0;
    for (int64_t i = 0; i < rls2_fit_count(fit); i++) sum += rls2_fit_at(fit, i)->factorizations;
    return sum;
}

void json_loss(json *j, const settings *s)
{
    json_text(j, "loss", loss_name_of_plan(s).text);
    json_text(j, "intercept_rule", intercept_name(rls2_plan_intercept(s->plan)));
}

void fit_json(json *j, const settings *s, const fit_scores *of)
{
    const rls2_dictionary *dictionary = rls2_fit_dictionary(of->fit);
    int linear = rls2_dictionary_is_linear(dictionary);
    json_object(j, NULL);
    json_integer(j, "n", rls2_plan_row_count(s->plan));
    json_integer(j, "m", rls2_dictionary_count(dictionary));
    json_text(j, "task", of->classification ? "classification" : "regression");
    if (of->outputs > 1) json_names(j, of->fit);
    json_loss(j, s);
    json_text(j, "solver", asked(s, "solver"));
    if (rls2_plan_is_tall(s->plan)) json_text(j, "method", "tall");
    json_number(j, "seconds", rls2_fit_seconds(of->fit));
    json_integer(j, "factorizations", count_factorizations(of->fit));
    json_array(j, "path");
    for (int64_t i = 0; i < of->count; i++) json_point(j, of, i, linear);
    json_end_array(j);
}

/* ---- lines ---- */

static const char *outcome_note(rls2_outcome outcome)
{
    if (outcome == RLS2_OUTCOME_STALLED) return "  limited by rounding";
    if (outcome == RLS2_OUTCOME_MAX_ITER) return "  --max-iter reached";
    return "";
}

static double score_at(const fit_scores *of, const double *scores, int64_t i, int k)
{
    return scores[i * of->by.count + k];
}

/* The point with the best test score; -1 without test rows. */
static int64_t best_point(const fit_scores *of)
{
    int64_t best = -1;
    for (int64_t i = 0; of->test && i < of->count; i++) {
        double here = score_at(of, of->test, i, 0);
        if (isnan(here)) continue;
        if (best < 0 || score_is_better(of->by.of[0], here, score_at(of, of->test, best, 0)))
            best = i;
    }
    return best;
}

df_text df_in_words(double df)
{
    df_text made = {"-"};
    if (!isnan(df)) snprintf(made.text, sizeof made.text, "%.2f", df);
    return made;
}

/* A column of scores is as wide as its heading. */
static void print_heading(FILE *file, const char *rows, const fit_scores *of, int k)
{
    fprintf(file, "  %s %s", rows, scoring_name(&of->by, k));
}

static void print_score(FILE *file, const char *rows, const fit_scores *of, const double *scores,
                        int64_t i, int k)
{
    int width = (int)(strlen(rows) + strlen(scoring_name(&of->by, k))) + 1;
    fprintf(file, "  %*.4g", width, score_at(of, scores, i, k));
}

/* The measure of the loss on all rows; what stands beside it on test rows, or without these on
 * those of the fit. */
static void print_line_of_scores(FILE *file, const fit_scores *of, int64_t i, int64_t best)
{
    print_score(file, "train", of, of->train, i, 0);
    if (of->test) print_score(file, "test", of, of->test, i, 0);
    for (int k = 1; k < of->by.count; k++)
        print_score(file, of->test ? "test" : "train", of, of->test ? of->test : of->train, i, k);
    if (of->test && i == best) fputs(" *", file);
}

static void print_headings(FILE *file, const fit_scores *of)
{
    fprintf(file, "%10s %8s %7s %12s %8s %5s", "lambda", "df", "kernels", "objective", "gap",
            "iter");
    print_heading(file, "train", of, 0);
    if (of->test) print_heading(file, "test", of, 0);
    for (int k = 1; k < of->by.count; k++) print_heading(file, of->test ? "test" : "train", of, k);
    fputc('\n', file);
}

void fit_table(FILE *file, const settings *s, const fit_scores *of)
{
    int64_t best = best_point(of);
    loss_words loss = loss_of_plan(s);
    print_headings(file, of);
    for (int64_t i = 0; i < of->count; i++) {
        const rls2_path_point *point = rls2_fit_at(of->fit, of->first + i);
        fprintf(file, "%10.4g %8s %7" PRId64 " %12.6g %8.1e %5" PRId64, point->lambda,
                df_in_words(point->df).text, point->selected, point->objective, point->gap,
                point->iterations);
        print_line_of_scores(file, of, i, best);
        fprintf(file, "%s\n", outcome_note(point->outcome));
    }
    if (best >= 0) fprintf(file, "* best on the test rows\n");
    if (*loss.text) fprintf(file, "loss: %s\n", loss.text);
    if (of->classification)
        fprintf(file, "accuracy of always predicting the %s class: %.4g%s\n",
                of->outputs > 1 ? "largest" : "larger", of->majority,
                of->test ? " (test rows)" : "");
}
