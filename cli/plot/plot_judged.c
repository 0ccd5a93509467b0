/* Classes and predictions of rows, from the JSON of a cross-validation or from a model and a table.
 */
#include "cli/plot/plot_judged.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/console.h"
#include "cli/reading.h"

void judged_free(judged *rows)
{
    for (int64_t k = 0; rows->labels && k < rows->classes; k++) free(rows->labels[k]);
    free(rows->labels);
    free(rows->is);
    free(rows->weights);
    free(rows->scores);
    free(rows->p);
    *rows = (judged){0};
}

static int reserve(const settings *s, int with_p, judged *rows)
{
    size_t n = (size_t)rows->n, classes = (size_t)rows->classes;
    rows->labels = calloc(classes + 1, sizeof *rows->labels);
    rows->is = calloc(n + 1, sizeof *rows->is);
    rows->scores = calloc(n * classes + 1, sizeof *rows->scores);
    if (with_p) rows->p = calloc(n * classes + 1, sizeof *rows->p);
    int whole = rows->labels && rows->is && rows->scores && (!with_p || rows->p);
    return whole ? EXIT_OK : out_of_memory(s);
}

/* Of two classes there is one score, that of the second: that of the first is its opposite. */
static void oppose(judged *rows, int64_t outputs)
{
    if (outputs != 1) return;
    memcpy(rows->scores + rows->n, rows->scores, (size_t)rows->n * sizeof *rows->scores);
    for (int64_t i = 0; i < rows->n; i++) rows->scores[i] = -rows->scores[i];
}

/* ---- a cross-validation ---- */

static int complain(const settings *s, const char *key, const char *what)
{
    say_error(s, "%s: left_out: '%s' %s", s->argument[0], key, what);
    return EXIT_FAILED;
}

/* A list of n finite numbers. */
static int read_numbers(const settings *s, const json_t *list, const char *key, int64_t n,
                        double *out)
{
    if (!json_is_array(list) || (int64_t)json_array_size(list) != n)
        return complain(s, key, "must be a list of as many numbers as 'class'");
    for (int64_t i = 0; i < n; i++) {
        const json_t *value = json_array_get(list, (size_t)i);
        out[i] = json_number_value(value);
        if (!json_is_number(value) || !isfinite(out[i]))
            return complain(s, key, "must hold numbers");
    }
    return EXIT_OK;
}

/* So many such lists, one below the other. */
static int read_lists(const settings *s, const json_t *root, const char *key, int64_t count,
                      int64_t n, double *out)
{
    const json_t *lists = json_object_get(root, key);
    int code = EXIT_OK;
    if (!json_is_array(lists) || (int64_t)json_array_size(lists) != count)
        return complain(s, key, "must have a list for each output or class");
    for (int64_t k = 0; k < count && code == EXIT_OK; k++)
        code = read_numbers(s, json_array_get(lists, (size_t)k), key, n, out + k * n);
    return code;
}

static int read_classes(const settings *s, const json_t *root, judged *rows)
{
    const json_t *labels = json_object_get(root, "classes"), *is = json_object_get(root, "class");
    for (int64_t k = 0; k < rows->classes; k++) {
        const char *label = json_string_value(json_array_get(labels, (size_t)k));
        if (!label) return complain(s, "classes", "must hold texts");
        if (!(rows->labels[k] = strdup(label))) return out_of_memory(s);
    }
    for (int64_t i = 0; i < rows->n; i++) {
        const json_t *value = json_array_get(is, (size_t)i);
        rows->is[i] = json_integer_value(value);
        if (!json_is_integer(value) || rows->is[i] < 0 || rows->is[i] >= rows->classes)
            return complain(s, "class", "must hold numbers of classes, from 0 on");
    }
    return EXIT_OK;
}

static int read_weights(const settings *s, const json_t *root, judged *rows)
{
    const json_t *list = json_object_get(root, "weights");
    if (!list) return EXIT_OK;
    rows->weights = calloc((size_t)rows->n + 1, sizeof *rows->weights);
    if (!rows->weights) return out_of_memory(s);
    int code = read_numbers(s, list, "weights", rows->n, rows->weights);
    for (int64_t i = 0; i < rows->n && code == EXIT_OK; i++)
        if (!(rows->weights[i] > 0.0)) code = complain(s, "weights", "must be positive");
    return code;
}

static int check_probabilities(const settings *s, const judged *rows)
{
    for (int64_t i = 0; rows->p && i < rows->n * rows->classes; i++)
        if (!(rows->p[i] >= 0.0 && rows->p[i] <= 1.0))
            return complain(s, "probabilities", "must be from 0 to 1");
    return EXIT_OK;
}

static int read_left_out(const settings *s, const json_t *root, judged *rows)
{
    int64_t outputs = (int64_t)json_array_size(json_object_get(root, "scores"));
    int with_p = json_object_get(root, "probabilities") != NULL;
    rows->n = (int64_t)json_array_size(json_object_get(root, "class"));
    rows->classes = (int64_t)json_array_size(json_object_get(root, "classes"));
    if (rows->n < 1) return complain(s, "class", "must be a list of numbers");
    if (rows->classes < 2) return complain(s, "classes", "must be a list of two labels or more");
    if (outputs != (rows->classes == 2 ? 1 : rows->classes))
        return complain(s, "scores", "must have a list for each output or class");
    int code = reserve(s, with_p, rows);
    if (code == EXIT_OK) code = read_classes(s, root, rows);
    if (code == EXIT_OK) code = read_weights(s, root, rows);
    if (code == EXIT_OK) code = read_lists(s, root, "scores", outputs, rows->n, rows->scores);
    if (code == EXIT_OK && with_p)
        code = read_lists(s, root, "probabilities", rows->classes, rows->n, rows->p);
    if (code == EXIT_OK) code = check_probabilities(s, rows);
    if (code == EXIT_OK) oppose(rows, outputs);
    return code;
}

int judged_from_curve(const settings *s, const char *text, size_t length, judged *rows)
{
    json_t *root = json_loadb(text, length, 0, NULL), *left_out = json_object_get(root, "left_out");
    int code = EXIT_FAILED;
    *rows = (judged){0};
    if (json_is_object(left_out))
        code = read_left_out(s, left_out, rows);
    else
        say_error(s,
                  "%s: no predictions of left-out rows ('left_out'), which 'rls2 cv --json' has of "
                  "classes, up to 100000 rows",
                  s->argument[0]);
    json_decref(root);
    return code;
}

/* ---- a model and a table ---- */

/* The class of a row of the table, -1 where it is none of the model's. */
static int64_t observed(const rls2_model *model, const rls2_table *table, int64_t row,
                        int64_t column)
{
    for (int64_t k = 0; k < rls2_model_class_count(model); k++)
        if (rls2_table_holds(table, row, column, rls2_model_class_label(model, k))) return k;
    return -1;
}

static int check_model(const settings *s, const rls2_model *model)
{
    if (!rls2_model_is_classification(model)) {
        say_error(s, "%s: the model predicts numbers; such pictures are of classes",
                  s->argument[0]);
        return EXIT_USAGE;
    }
    if (rls2_model_given_count(model) > 0) {
        say_error(s, "%s: the model has precomputed kernels, whose values for %s are not known",
                  s->argument[0], s->argument[1]);
        return EXIT_FAILED;
    }
    return EXIT_OK;
}

/* Predictions of all rows of the data set; f is n x outputs. */
static int predict(const settings *s, const rls2_model *model, const rls2_dataset *data, double **f)
{
    rls2_error err;
    int64_t n = rls2_dataset_rows(data);
    rls2_rows rows = {.n = n, .p = rls2_dataset_columns(data), .x = rls2_dataset_x(data)};
    *f = calloc((size_t)(n * rls2_model_outputs(model)) + 1, sizeof **f);
    if (!*f) return out_of_memory(s);
    if (n == 0 || rls2_model_predict(model, &rows, NULL, *f, &err) == RLS2_OK) return EXIT_OK;
    return fail(s, &err);
}

/* Keeps the rows whose class is known. */
static void take_rows(const rls2_model *model, const rls2_table *table, const rls2_dataset *data,
                      int64_t column, const double *f, judged *rows)
{
    int64_t outputs = rls2_model_outputs(model), n = rls2_dataset_rows(data), at = 0;
    for (int64_t i = 0; i < n; i++) {
        int64_t is = observed(model, table, rls2_dataset_source_row(data, i), column);
        if (is < 0) continue;
        rows->is[at] = is;
        for (int64_t o = 0; o < outputs; o++) rows->scores[o * rows->n + at] = f[o * n + i];
        at++;
    }
}

static int64_t count_known(const rls2_model *model, const rls2_table *table,
                           const rls2_dataset *data, int64_t column)
{
    int64_t known = 0;
    for (int64_t i = 0; i < rls2_dataset_rows(data); i++)
        known += observed(model, table, rls2_dataset_source_row(data, i), column) >= 0;
    return known;
}

static int judge_rows(const settings *s, const rls2_model *model, const rls2_table *table,
                      const rls2_dataset *data, judged *rows)
{
    rls2_error err;
    double *f = NULL;
    int64_t column = rls2_table_find(table, rls2_model_target(model));
    rows->classes = rls2_model_class_count(model);
    rows->n = column >= 0 ? count_known(model, table, data, column) : 0;
    if (rows->n == 0) {
        say_error(s, "%s: no row whose '%s' is one of the classes of the model", s->argument[1],
                  rls2_model_target(model));
        return EXIT_FAILED;
    }
    int code = reserve(s, rls2_loss_has_probabilities(rls2_model_loss(model)), rows);
    for (int64_t k = 0; k < rows->classes && code == EXIT_OK; k++)
        if (!(rows->labels[k] = strdup(rls2_model_class_label(model, k)))) code = out_of_memory(s);
    if (code == EXIT_OK) code = predict(s, model, data, &f);
    if (code == EXIT_OK) take_rows(model, table, data, column, f, rows);
    if (code == EXIT_OK && rows->p &&
        rls2_model_probabilities(model, rows->n, rows->scores, rows->p, &err) != RLS2_OK)
        code = fail(s, &err);
    if (code == EXIT_OK) oppose(rows, rls2_model_outputs(model));
    free(f);
    return code;
}

int judged_from_table(const settings *s, const rls2_model *model, judged *rows)
{
    rls2_error err;
    rls2_table *table = NULL;
    rls2_dataset *data = NULL;
    *rows = (judged){0};
    int code = check_model(s, model);
    if (code == EXIT_OK) code = read_table(s, NULL, s->argument[1], &table);
    if (code == EXIT_OK && rls2_model_encode(model, table, RLS2_MISSING_IMPUTE,
                                             RLS2_RESPONSE_IGNORED, &data, &err) != RLS2_OK)
        code = fail(s, &err);
    if (code == EXIT_OK) code = judge_rows(s, model, table, data, rows);
    rls2_dataset_free(data);
    rls2_table_free(table);
    return code;
}
