/* A path as JSON and as lines to read. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "cli/fit.h"
#include "cli/score.h"

/* Beyond so many inputs only coefficients that are not zero are written. */
enum { ALL_COEFFICIENTS = 1000 };

static void json_selected(json *j, const fit *f, int64_t i)
{
    const int64_t *kernels;
    const double *weights;
    int64_t count = rls2_path_weights(f->path, i, &kernels, &weights);
    json_array(j, "selected");
    for (int64_t k = 0; k < count; k++) {
        json_object(j, NULL);
        json_text(j, "kernel", rls2_dictionary_name(f->dictionary, kernels[k]));
        json_number(j, "weight", weights[k]);
        json_end_object(j);
    }
    json_end_array(j);
}

static void json_coefficients(json *j, const problem *p, const fit *f, int64_t i)
{
    rls2_model *model = NULL;
    int64_t columns = p->columns.count;
    double *a = calloc((size_t)columns + 1, sizeof *a);
    if (!a || rls2_model_create(f->path, i, &model, NULL) != RLS2_OK ||
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
    json_number(j, score_name(f->classification), scores[i]);
    json_end_object(j);
}

static void json_point(json *j, const problem *p, const fit *f, int64_t i)
{
    const rls2_path_point *point = rls2_path_at(f->path, i);
    json_object(j, NULL);
    json_number(j, "lambda", point->lambda);
    json_number(j, "objective", point->objective);
    json_number(j, "gap", point->gap);
    json_integer(j, "iterations", point->iterations);
    json_number(j, "df", point->df);
    json_number(j, "intercept", rls2_path_intercept(f->path));
    json_selected(j, f, i);
    if (f->linear) json_coefficients(j, p, f, i);
    json_score(j, "train", f, f->train, i);
    if (f->test) json_score(j, "test", f, f->test, i);
    json_end_object(j);
}

void fit_json(json *j, const problem *p, const fit *f)
{
    json_object(j, NULL);
    json_integer(j, "n", p->train.rows.n);
    json_integer(j, "m", rls2_dictionary_size(f->dictionary));
    json_text(j, "task", f->classification ? "classification" : "regression");
    json_text(j, "solver", f->alternate ? "alternate" : "newton");
    json_number(j, "seconds", f->seconds);
    json_integer(j, "factorizations", f->factorizations);
    json_array(j, "path");
    for (int64_t i = 0; i < rls2_path_count(f->path); i++) json_point(j, p, f, i);
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
    for (int64_t i = 0; f->test && i < rls2_path_count(f->path); i++) {
        if (isnan(f->test[i])) continue;
        if (best < 0 || score_is_better(f->classification, f->test[i], f->test[best])) best = i;
    }
    return best;
}

void fit_table(FILE *file, const fit *f)
{
    const char *name = score_name(f->classification);
    int64_t best = best_point(f);
    fprintf(file, "%10s %8s %7s %12s %8s %5s  train %s%s%s\n", "lambda", "df", "kernels", "objective", "gap",
            "iter", name, f->test ? "  test " : "", f->test ? name : "");
    for (int64_t i = 0; i < rls2_path_count(f->path); i++) {
        const rls2_path_point *point = rls2_path_at(f->path, i);
        int width = f->classification ? 14 : 10;
        fprintf(file, "%10.4g %8.2f %7" PRId64 " %12.6g %8.1e %5" PRId64 "  %*.4g", point->lambda, point->df,
                point->selected, point->objective, point->gap, point->iterations, width, f->train[i]);
        if (f->test) fprintf(file, "  %*.4g%s", width - 1, f->test[i], i == best ? " *" : "");
        fprintf(file, "%s\n", outcome_note(point->outcome));
    }
    if (best >= 0) fprintf(file, "* best on the test rows\n");
    if (f->classification)
        fprintf(file, "accuracy of naming the larger class: %.4g%s\n", f->majority,
                f->test ? " (test rows)" : "");
}
