#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gui/server/table_columns.h"
#include "gui/server/commands.h"

static int is(const char *text, const char *other)
{
    return text && strcmp(text, other) == 0;
}

/* With a backslash before quotes and backslashes; NULL when out of memory. */
static char *slashed(const char *text)
{
    char *copy = malloc(2 * strlen(text) + 1), *end = copy;
    if (!copy) return NULL;
    for (; *text; *end++ = *text++)
        if (*text == '"' || *text == '\\') *end++ = '\\';
    *end = '\0';
    return copy;
}

/* Names are UTF-8, and what rls2_text_escape makes of a character is what Python reads as that
 * character. */
static void put_python_text(FILE *out, const char *text)
{
    char *copy = slashed(text);
    int64_t size = rls2_text_escape(copy, NULL, 0) + 1;
    char *shown = malloc((size_t)size);
    if (shown) rls2_text_escape(copy, shown, size);
    fprintf(out, "\"%s\"", shown ? shown : "");
    free(copy);
    free(shown);
}

static void put_python_list(FILE *out, const char *const *items, int64_t count)
{
    fputc('[', out);
    for (int64_t i = 0; i < count; i++) {
        if (i > 0) fputs(", ", out);
        put_python_text(out, items[i]);
    }
    fputc(']', out);
}

static void put_argument(FILE *out, int *first, const char *name)
{
    fprintf(out, "%s%s=", *first ? "" : ", ", name);
    *first = 0;
}

static void put_text_argument(FILE *out, int *first, const char *name, const char *value,
                              const char *fallback)
{
    if (!value || (fallback && strcmp(value, fallback) == 0)) return;
    put_argument(out, first, name);
    put_python_text(out, value);
}

static void put_number_argument(FILE *out, int *first, const char *name, double value,
                                double fallback)
{
    char text[32];
    if (value == fallback) return;
    put_argument(out, first, name);
    fputs(columns_number(value, text), out);
}

static void put_class_weights(FILE *out, int *first, const char *weights)
{
    if (!weights) return;
    if (strcmp(weights, "balanced") == 0) {
        put_text_argument(out, first, "class_weight", weights, NULL);
        return;
    }
    put_argument(out, first, "class_weight");
    fputs("dict(item.rsplit(\"=\", 1) for item in ", out);
    put_python_text(out, weights);
    fputs(".split(\",\"))", out);
}

static void put_list_argument(FILE *out, int *first, const char *name, const texts *list)
{
    if (list->count == 0) return;
    put_argument(out, first, name);
    put_python_list(out, list->items, list->count);
}

static void put_groups(FILE *out, int *first, const asked *a)
{
    if (a->group_names.count == 0) return;
    put_argument(out, first, "groups");
    for (int64_t g = 0; g < a->group_names.count; g++) {
        fputs(g > 0 ? ", " : "{", out);
        put_python_text(out, a->group_names.items[g]);
        fputs(": ", out);
        put_python_text(out, a->group_columns.items[g]);
    }
    fputc('}', out);
}

static void put_fit_arguments(FILE *out, int *first, const asked *a)
{
    put_text_argument(out, first, "kernels", a->kernels, NULL);
    put_groups(out, first, a);
    put_text_argument(out, first, "scaling", a->scaling, "trace");
    if (a->center) {
        put_argument(out, first, "center");
        fputs("True", out);
    }
    put_text_argument(out, first, "features", a->features, "none");
    put_text_argument(out, first, "examples", a->examples, "none");
    put_list_argument(out, first, "categorical", &a->categorical);
    put_text_argument(out, first, "solver", a->solver, "newton");
    put_text_argument(out, first, "intercept", a->intercept, "auto");
    put_number_argument(out, first, "gap_tol", a->gap_tol, 1e-6);
    put_number_argument(out, first, "delta", a->delta, 1e-2);
    put_number_argument(out, first, "max_iter", (double)a->max_iter, 200.0);
}

static void put_alphas(FILE *out, int *first, const wish *w)
{
    const asked *a = &w->problem->asked;
    char text[32], grid[GRID_TEXT];
    if (commands_grid(w, grid)[0]) {
        put_text_argument(out, first, "alphas", grid, NULL);
        return;
    }
    if (!a->lambdas) return;
    put_argument(out, first, "alphas");
    for (int64_t i = 0; i < a->lambda_count; i++)
        fprintf(out, "%s%s", i > 0 ? ", " : "[", columns_number(a->lambdas[i], text));
    fputc(']', out);
}

static void put_split_arguments(FILE *out, int *first, const asked *a)
{
    if (is(a->splits.kind, "folds")) {
        put_number_argument(out, first, "cv", (double)a->splits.folds, 10.0);
        put_number_argument(out, first, "repeats", (double)a->splits.repeats, 1.0);
    }
    if (is(a->splits.kind, "column")) {
        put_argument(out, first, "cv");
        fputs("table[", out);
        put_python_text(out, a->splits.column);
        fputc(']', out);
    }
    put_text_argument(out, first, "rule", a->rule, "min");
    put_text_argument(out, first, "scoring", a->measure, NULL);
    put_number_argument(out, first, "random_state", (double)a->seed, 0.0);
}

static void put_arguments(FILE *out, const wish *w)
{
    const asked *a = &w->problem->asked;
    int first = 1, alone = strcmp(a->splits.kind, "none") == 0;
    put_fit_arguments(out, &first, a);
    if (problem_is_classification(w->problem)) put_class_weights(out, &first, a->class_weights);
    put_alphas(out, &first, w);
    if (w->point) {
        put_number_argument(out, &first, "alpha", w->lambda, -1.0);
        return;
    }
    if (!alone || strcmp(a->select, "cv") != 0)
        put_text_argument(out, &first, "select", a->select, alone ? "gcv" : "cv");
    if (!alone && strcmp(a->select, "cv") == 0) put_split_arguments(out, &first, a);
}

/* The column of the folds where there is one and it is wanted; else NULL. */
static const char *fold_column(const wish *w)
{
    const asked *a = &w->problem->asked;
    int wanted = !w->point && is(a->splits.kind, "column") && strcmp(a->select, "cv") == 0;
    return wanted ? a->splits.column : NULL;
}

/* Rows that are not learned from go; what remains is the table. */
static void put_python_rows(FILE *out, const wish *w)
{
    const asked *a = &w->problem->asked;
    const char *column = w->part[0] ? w->part : is(a->test.kind, "column") ? a->test.column : NULL;
    if (!column || w->problem->marked_count == 0) return;
    fputs("table = table[table[", out);
    put_python_text(out, column);
    fputs("].astype(str) != ", out);
    put_python_text(out, w->part[0] ? "test" : a->test.value);
    fputs("]\n", out);
}

/* Columns that are no inputs and not needed otherwise. */
static void put_python_drop(FILE *out, const wish *w)
{
    const rls2_dataset_options *options = &w->problem->recipe.data;
    const char *fold = fold_column(w);
    int64_t count = 0;
    for (int64_t i = 0; i < options->drop_count; i++) {
        if (is(fold, options->drop[i])) continue;
        fputs(count++ > 0 ? ", " : "table = table.drop(columns=[", out);
        put_python_text(out, options->drop[i]);
    }
    if (w->part[0]) {
        fputs(count++ > 0 ? ", " : "table = table.drop(columns=[", out);
        put_python_text(out, w->part);
    }
    if (count > 0) fputs("])\n", out);
}

/* The package takes no rows with missing values; the command leaves them out. */
static void put_python_missing(FILE *out, const wish *w)
{
    const char *fold = fold_column(w);
    if (rls2_dataset_dropped(w->problem->data) == 0) return;
    fputs("table = table.dropna(", out);
    if (fold) {
        fputs("subset=table.columns.drop(", out);
        put_python_text(out, fold);
        fputc(')', out);
    }
    fputs(")\n", out);
}

static void put_python_columns(FILE *out, const wish *w)
{
    const rls2_dataset_options *options = &w->problem->recipe.data;
    const char *others[2] = {options->weight, fold_column(w)};
    fputs("y = table[", out);
    if (options->target)
        put_python_text(out, options->target);
    else
        put_python_list(out, options->targets, options->target_count);
    fputs("]\nX = table.drop(columns=[", out);
    for (int64_t t = 0; t < (options->target ? 1 : options->target_count); t++) {
        if (t > 0) fputs(", ", out);
        put_python_text(out, options->target ? options->target : options->targets[t]);
    }
    for (int i = 0; i < 2; i++) {
        if (!others[i]) continue;
        fputs(", ", out);
        put_python_text(out, others[i]);
    }
    fputs("])\n", out);
}

/* What the page can do and the package cannot is said, not passed over. */
static void put_python_remarks(FILE *out, const wish *w)
{
    const asked *a = &w->problem->asked;
    if (a->transductive || a->transductive_features)
        fputs("# The package does not measure columns or kernels over test rows (transductive): "
              "results "
              "differ.\n",
              out);
    if (!w->point && (is(a->splits.kind, "random") || is(a->splits.kind, "validation")))
        fputs("# lambda was chosen on other splits than these: give them as cv=[(train, test), "
              "...].\n",
              out);
}

/* pandas takes many words for missing, and its quick reader of numbers is off by the last digit:
 * neither is so here. */
static void put_python_read(FILE *out, const wish *w, const json_t *reading)
{
    const rls2_table *table = w->problem->file->value;
    const char *decimal = json_string_value(json_object_get(reading, "decimal"));
    const json_t *missing = json_object_get(reading, "na");
    char delimiter[2] = {rls2_table_delimiter(table), '\0'};
    int as_sent = !w->part[0],
        headless = as_sent && json_is_false(json_object_get(reading, "header"));
    if (as_sent && !delimiter[0])
        fprintf(out, "# a %s file: its columns have to become a table first\n",
                rls2_table_format(table));
    fputs("table = pandas.read_csv(", out);
    put_python_text(out, w->file);
    if (as_sent && delimiter[0] && delimiter[0] != ',') {
        fputs(", sep=", out);
        put_python_text(out, delimiter);
    }
    if (as_sent && is(decimal, ",")) fputs(", decimal=\",\"", out);
    if (headless) fputs(", header=None", out);
    fputs(", float_precision=\"round_trip\", keep_default_na=False, na_values=[\"\"", out);
    for (size_t i = 0; as_sent && i < json_array_size(missing); i++) {
        const char *text = json_string_value(json_array_get(missing, i));
        if (!text) continue; /* the folder's files are not all ours */
        fputs(", ", out);
        put_python_text(out, text);
    }
    fputs("])\n", out);
    if (headless) fputs("table.columns = [f\"x{i + 1}\" for i in range(table.shape[1])]\n", out);
}

char *commands_python(const wish *w, const json_t *reading)
{
    char *text = NULL;
    size_t length;
    const asked *a = &w->problem->asked;
    FILE *out = open_memstream(&text, &length);
    if (!out) return NULL;
    int by_cv = !w->point && strcmp(a->splits.kind, "none") != 0;
    fputs("import pandas\nimport rls2\n\n", out);
    put_python_read(out, w, reading);
    put_python_rows(out, w);
    put_python_drop(out, w);
    put_python_missing(out, w);
    put_python_columns(out, w);
    put_python_remarks(out, w);
    fprintf(out, "model = rls2.RLS2%s%s(",
            problem_is_classification(w->problem) ? "Classifier" : "Regressor", by_cv ? "CV" : "");
    put_arguments(out, w);
    fputs(").fit(X, y", out);
    if (a->weights) {
        fputs(", sample_weight=table[", out);
        put_python_text(out, a->weights);
        fputc(']', out);
    }
    fputs(")\nmodel.save(\"model.rls2\")\n", out);
    if (fclose(out) == 0) return text;
    free(text); /* not all of it */
    return NULL;
}
