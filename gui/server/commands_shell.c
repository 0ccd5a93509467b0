#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gui/server/table_columns.h"
#include "gui/server/commands.h"

static int is(const char *text, const char *other)
{
    return text && strcmp(text, other) == 0;
}

/* Byte by byte: what is copied into a terminal must not be obeyed by it, as control characters are
 * even between quotes (one that ends the copied text, and then a line break, would run what
 * follows). */
static void put_bytes(FILE *out, const char *text)
{
    fputs("$'", out);
    for (const char *c = text; *c; c++) {
        int plain = *c >= ' ' && *c < 127 && *c != '\'' && *c != '\\';
        fprintf(out, plain ? "%c" : "\\%03o", (unsigned char)*c);
    }
    fputc('\'', out);
}

/* In single quotes where the shell would see something in it. */
static void put_quoted(FILE *out, const char *text)
{
    static const char PLAIN[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=,:+%";
    if (text[0] && text[strspn(text, PLAIN)] == '\0') {
        fputs(text, out);
        return;
    }
    if (rls2_text_escape(text, NULL, 0) != (int64_t)strlen(text)) {
        put_bytes(out, text);
        return;
    }
    fputc('\'', out);
    for (const char *c = text; *c; c++) {
        if (*c == '\'')
            fputs("'\\''", out);
        else
            fputc(*c, out);
    }
    fputc('\'', out);
}

/* " --NAME=VALUE", which also works where the value begins with a dash. */
static void put(FILE *out, const char *name, const char *value)
{
    fprintf(out, " --%s=", name);
    put_quoted(out, value);
}

static void put_unless(FILE *out, const char *name, const char *value, const char *fallback)
{
    if (value && strcmp(value, fallback) != 0) put(out, name, value);
}

static void put_list(FILE *out, const char *name, const texts *list)
{
    for (int64_t i = 0; i < list->count; i++) put(out, name, list->items[i]);
}

static void put_pair(FILE *out, const char *name, const char *column, const char *value)
{
    char *text = NULL;
    if (asprintf(&text, "%s=%s", column, value) < 0) return;
    put(out, name, text);
    free(text);
}

static void put_number(FILE *out, const char *name, double value)
{
    char text[32];
    put(out, name, columns_number(value, text));
}

static void put_count(FILE *out, const char *name, int64_t value)
{
    fprintf(out, " --%s=%lld", name, (long long)value);
}

static void put_reading(FILE *out, const json_t *reading)
{
    static const char *const KEYS[] = {"delimiter", "decimal"};
    const json_t *missing = json_object_get(reading, "na");
    for (int i = 0; i < 2; i++) {
        const char *value = json_string_value(json_object_get(reading, KEYS[i]));
        if (value) put(out, KEYS[i], value);
    }
    for (size_t i = 0; i < json_array_size(missing); i++) {
        const char *value = json_string_value(json_array_get(missing, i));
        if (value) put(out, "na", value);
    }
    if (json_is_false(json_object_get(reading, "header"))) fputs(" --no-header", out);
}

/* Which column is predicted, by name: a table that was divided has no convention. */
static void put_targets(FILE *out, const problem *p)
{
    const rls2_dataset_options *options = &p->recipe.data;
    if (options->target) put(out, "target", options->target);
    for (int64_t t = 0; t < options->target_count; t++) put(out, "target", options->targets[t]);
}

static void put_test(FILE *out, const wish *w)
{
    const asked *a = &w->problem->asked;
    if (w->test[0]) put(out, "test", w->test);
    if (w->part[0] && w->problem->marked_count > 0)
        put_pair(out, "test-rows", w->part, "test");
    else if (is(a->test.kind, "column"))
        put_pair(out, "test-rows", a->test.column, a->test.value);
}

/* Of a table that was divided: columns that only say how are no inputs. */
static void put_divided_drop(FILE *out, const wish *w)
{
    const asked *a = &w->problem->asked;
    const char *marker = rls2_table_marker(w->problem->file->value);
    if (!w->part[0]) return;
    if (w->problem->marked_count == 0) put(out, "drop", w->part);
    if (is(a->test.kind, "column")) put(out, "drop", a->test.column);
    if (w->no_validation) put(out, "drop", a->splits.column);
    if (marker) put(out, "drop", marker);
}

static void put_data(FILE *out, const wish *w)
{
    const asked *a = &w->problem->asked;
    put_targets(out, w->problem);
    put_unless(out, "task", a->task, "auto");
    put_test(out, w);
    put_list(out, "drop", &a->drop);
    put_divided_drop(out, w);
    put_list(out, "categorical", &a->categorical);
    if (a->reference) fputs(" --reference", out);
    put_unless(out, "missing", a->missing, "drop");
    if (a->weights) put(out, "weights", a->weights);
    if (a->class_weights) put(out, "class-weights", a->class_weights);
    put_unless(out, "features", a->features, "none");
    put_unless(out, "examples", a->examples, "none");
    if (a->transductive) fputs(" --transductive", out);
    if (a->transductive_features) fputs(" --transductive-features", out);
}

/* The grid, and which of its points. */
static void put_lambdas(FILE *out, const wish *w)
{
    const asked *a = &w->problem->asked;
    char grid[GRID_TEXT], one[32];
    if (commands_grid(w, grid)[0]) {
        put(out, "lambdas", grid);
    } else if (a->lambdas) {
        fputs(" --lambdas=", out);
        for (int64_t i = 0; i < a->lambda_count; i++)
            fprintf(out, "%s%s", i > 0 ? "," : "", columns_number(a->lambdas[i], one));
    }
    if (w->point) put_number(out, "lambda", w->lambda);
}

static void put_fit(FILE *out, const wish *w)
{
    const asked *a = &w->problem->asked;
    if (a->kernels) put(out, "kernels", a->kernels);
    for (int64_t g = 0; g < a->group_names.count; g++)
        put_pair(out, "group", a->group_names.items[g], a->group_columns.items[g]);
    put_unless(out, "scaling", a->scaling, "trace");
    if (a->center) fputs(" --center", out);
    put_lambdas(out, w);
    put_unless(out, "intercept", a->intercept, "auto");
    put_unless(out, "solver", a->solver, "newton");
    if (a->gap_tol != 1e-6) put_number(out, "gap-tol", a->gap_tol);
    if (a->delta != 1e-2) put_number(out, "delta", a->delta);
    if (a->max_iter != 200) put_count(out, "max-iter", a->max_iter);
}

static void put_splits(FILE *out, const wish *w)
{
    const asked *a = &w->problem->asked;
    if (is(a->splits.kind, "folds") && a->splits.folds != 10)
        put_count(out, "folds", a->splits.folds);
    if (is(a->splits.kind, "folds") && a->splits.repeats != 1)
        put_count(out, "repeats", a->splits.repeats);
    if (is(a->splits.kind, "random")) {
        put_count(out, "splits", a->splits.count);
        put_number(out, "share", a->splits.share);
    }
    if (w->validation[0])
        put(out, "validation", w->validation);
    else if (is(a->splits.kind, "validation"))
        put_pair(out, "validation-rows", a->splits.column, a->splits.value);
    if (a->measure) put(out, "measure", a->measure);
    put_unless(out, "rule", a->rule, "min");
    if (!a->baselines) fputs(" --no-baselines", out);
    if (a->seed != 0) put_count(out, "seed", a->seed);
}

/* With nothing to choose lambda by it is the whole path. */
static int chooses(const wish *w)
{
    const asked *a = &w->problem->asked;
    return w->point || strcmp(a->select, "cv") != 0 || strcmp(a->splits.kind, "none") != 0;
}

static void put_choice(FILE *out, const wish *w)
{
    const asked *a = &w->problem->asked;
    /* its values are folds, no inputs, also where lambda is given */
    if (is(a->splits.kind, "column")) put(out, "fold-column", a->splits.column);
    if (w->point || !chooses(w)) return;
    put_unless(out, "select", a->select, "cv");
    if (strcmp(a->select, "cv") == 0) put_splits(out, w);
}

char *commands_shell(const wish *w, const json_t *reading)
{
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    if (!out) return NULL;
    fprintf(out, "rls2 %s ", chooses(w) ? "train" : "path");
    if (w->file[0] == '-') fputs("./", out); /* no option */
    put_quoted(out, w->file);
    if (!w->part[0]) put_reading(out, reading);
    put_data(out, w);
    put_fit(out, w);
    put_choice(out, w);
    fputs(chooses(w) ? " -o model.rls2" : " --json", out);
    if (fclose(out) == 0) return text;
    free(text); /* not all of it */
    return NULL;
}
