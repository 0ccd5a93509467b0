/* A path as JSON and as lines to read. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "cli/learn/fit.h"
#include "cli/score.h"

/* Beyond so many inputs only coefficients that are not zero are written. */
enum { ALL_COEFFICIENTS = 1000 };

static void json_selected(json *j, const fit *f, int64_t o, int64_t i)
{
    const int64_t *kernels;
    const double *weights;
    int64_t count = rls2_path_weights(f->paths[o], f->first + i, &kernels, &weights);
    json_array(j, "selected");
    for (int64_t k = 0; k < count; k++) {
        json_object(j, NULL);
        json_text(j, "kernel", rls2_dictionary_name(f->dictionary, kernels[k]));
        json_number(j, "weight", weights[k]);
        json_end_object(j);
    }
    json_end_array(j);
}

static void json_coefficients(json *j, const problem *p, const fit *f, int64_t o, int64_t i)
{
    rls2_model *model = NULL;
    int64_t columns = p->columns.count;
    double *a = calloc((size_t)columns + 1, sizeof *a);
    if (!a || rls2_model_create(f->paths[o], f->first + i, &model, NULL) != RLS2_OK ||
        rls2_model_coefficients(model, a, NULL) != RLS2_OK)
        goto cleanup;
    json_object(j, "coefficients");
    for (int64_t t = 0; t < columns; t++)
        if (a[t] != 0.0 || columns <= ALL_COEFFICIENTS) json_number(j, p->columns.names[t], a[t]);
    json_end_object(j);
cleanup:
    rls2_model_free(model);
    free(a);
}

static void json_score(json *j, const char *key, const fit *f, const double *scores, int64_t i)
{
    json_object(j, key);
    json_number(j, score_name(f->classification, f->outputs), scores[i]);
    json_end_object(j);
}

static void json_numbers(json *j, const rls2_path_point *point)
{
    json_number(j, "objective", point->objective);
    json_number(j, "gap", point->gap);
    json_integer(j, "iterations", point->iterations);
    json_number(j, "df", point->df);
}

/* What one output has selected at a point. */
static void json_output(json *j, const problem *p, const fit *f, int64_t o, int64_t i)
{
    json_number(j, "intercept", rls2_path_intercept(f->paths[o]));
    json_selected(j, f, o, i);
    if (f->linear) json_coefficients(j, p, f, o, i);
}

static void json_outputs(json *j, const problem *p, const fit *f, int64_t i)
{
    json_integer(j, "kernels", f->points[i].selected);
    json_array(j, "outputs");
    for (int64_t o = 0; o < f->outputs; o++) {
        json_object(j, NULL);
        json_text(j, "name", output_name(p, o));
        json_numbers(j, rls2_path_at(f->paths[o], f->first + i));
        json_output(j, p, f, o, i);
        json_end_object(j);
    }
    json_end_array(j);
}

static void json_point(json *j, const problem *p, const fit *f, int64_t i)
{
    json_object(j, NULL);
    json_number(j, "lambda", f->points[i].lambda);
    json_numbers(j, &f->points[i]);
    if (f->outputs > 1)
        json_outputs(j, p, f, i);
    else
        json_output(j, p, f, 0, i);
    json_score(j, "train", f, f->train, i);
    if (f->test) json_score(j, "test", f, f->test, i);
    json_end_object(j);
}

static void json_names(json *j, const problem *p, const fit *f)
{
    json_array(j, "outputs");
    for (int64_t o = 0; o < f->outputs; o++) json_text(j, NULL, output_name(p, o));
    json_end_array(j);
}

void fit_json(json *j, const problem *p, const fit *f)
{
    json_object(j, NULL);
    json_integer(j, "n", p->train.rows.n);
    json_integer(j, "m", rls2_dictionary_size(f->dictionary));
    json_text(j, "task", f->classification ? "classification" : "regression");
    if (f->outputs > 1) json_names(j, p, f);
    json_text(j, "solver", f->alternate ? "alternate" : "newton");
    json_number(j, "seconds", f->seconds);
    json_integer(j, "factorizations", f->factorizations);
    json_array(j, "path");
    for (int64_t i = 0; i < f->count; i++) json_point(j, p, f, i);
    json_end_array(j);
}

static const char *outcome_note(rls2_outcome outcome)
{
    if (outcome == RLS2_OUTCOME_STALLED) return "  rounding stops here";
    if (outcome == RLS2_OUTCOME_MAX_ITER) return "  --max-iter reached";
    return "";
}

/* The point with the best test score; -1 without test rows. */
static int64_t best_point(const fit *f)
{
    int64_t best = -1;
    rls2_measure measure = score_measure(f->classification, f->outputs);
    for (int64_t i = 0; f->test && i < f->count; i++) {
        if (isnan(f->test[i])) continue;
        if (best < 0 || score_is_better(measure, f->test[i], f->test[best])) best = i;
    }
    return best;
}

void fit_table(FILE *file, const fit *f)
{
    const char *name = score_name(f->classification, f->outputs);
    int64_t best = best_point(f);
    fprintf(file, "%10s %8s %7s %12s %8s %5s  train %s%s%s\n", "lambda", "df", "kernels",
            "objective", "gap", "iter", name, f->test ? "  test " : "", f->test ? name : "");
    for (int64_t i = 0; i < f->count; i++) {
        const rls2_path_point *point = &f->points[i];
        int width = f->classification ? 14 : 10;
        fprintf(file, "%10.4g %8.2f %7" PRId64 " %12.6g %8.1e %5" PRId64 "  %*.4g", point->lambda,
                point->df, point->selected, point->objective, point->gap, point->iterations, width,
                f->train[i]);
        if (f->test) fprintf(file, "  %*.4g%s", width - 1, f->test[i], i == best ? " *" : "");
        fprintf(file, "%s\n", outcome_note(point->outcome));
    }
    if (best >= 0) fprintf(file, "* best on the test rows\n");
    if (f->classification)
        fprintf(file, "accuracy of naming the %s class: %.4g%s\n",
                f->outputs > 1 ? "largest" : "larger", f->majority, f->test ? " (test rows)" : "");
}
