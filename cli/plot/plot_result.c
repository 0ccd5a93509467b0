/* A path as `rls2 path --json` prints it, read with suspicion: the file may come from anywhere.
 * Keys that no picture needs are not looked at. */
#include "cli/plot/plot_result.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/console.h"
#include "cli/plot/plot.h"
#include "cli/plot/plot_picture.h"

/* Where a message is to point. */
typedef struct place {
    const settings *settings;
    const char *file;
    int64_t point; /* -1: outside of the path */
} place;

/* "FILE: path[3]: KEY must be WANTED" */
static int complain(const place *at, const char *key, const char *wanted)
{
    if (at->point < 0)
        say_error(at->settings, "%s: '%s' %s", at->file, key, wanted);
    else
        say_error(at->settings, "%s: path[%lld]: '%s' %s", at->file, (long long)at->point, key,
                  wanted);
    return EXIT_FAILED;
}

/* Beyond these nothing can be read off a picture, and within them no sum or product of a few
 * overflows. */
static const double LARGEST = 1e100, SMALLEST_LAMBDA = 1e-100;

static int is_number(const json_t *value)
{
    return json_is_number(value) && fabs(json_number_value(value)) <= LARGEST;
}

/* A number that is the same as absent where it is null. */
static int optional_number(const place *at, const json_t *object, const char *key,
                           const char *shown, double *value, int *present)
{
    const json_t *found = json_object_get(object, key);
    *present = found && !json_is_null(found);
    if (!*present) return EXIT_OK;
    if (!is_number(found)) return complain(at, shown, "must be a number (of at most 1e100)");
    *value = json_number_value(found);
    return EXIT_OK;
}

/* ---- the columns of a sparse table ---- */

/* Grows with the points; `numbers` finds a column by its name. */
typedef struct builder {
    sparse *table;
    json_t *numbers;
    int64_t used, room, name_room;
} builder;

static int grow(void **array, int64_t *room, int64_t used, size_t size)
{
    if (used < *room) return 1;
    int64_t wanted = *room < 64 ? 64 : 2 * *room;
    void *more = reallocarray(*array, (size_t)wanted, size);
    if (!more) return 0;
    *array = more;
    *room = wanted;
    return 1;
}

/* -1 if memory is out. The name is borrowed. */
static int64_t column_of(builder *b, const char *name)
{
    const json_t *known = json_object_get(b->numbers, name);
    if (known) return (int64_t)json_integer_value(known);
    sparse *t = b->table;
    if (!grow((void **)&t->name, &b->name_room, t->columns, sizeof *t->name)) return -1;
    if (json_object_set_new(b->numbers, name, json_integer((json_int_t)t->columns)) != 0) return -1;
    t->name[t->columns] = name;
    return t->columns++;
}

static int add(const place *at, builder *b, const char *name, double value)
{
    sparse *t = b->table;
    int64_t column = column_of(b, name), room = b->room;
    if (column < 0 || !grow((void **)&t->column, &room, b->used, sizeof *t->column) ||
        !grow((void **)&t->value, &b->room, b->used, sizeof *t->value))
        return out_of_memory(at->settings);
    t->column[b->used] = column;
    t->value[b->used++] = value;
    return EXIT_OK;
}

static void sparse_free(sparse *t)
{
    free(t->name);
    free(t->start);
    free(t->column);
    free(t->value);
    *t = (sparse){0};
}

/* ---- one point ---- */

static int add_selected(const place *at, builder *b, const json_t *point)
{
    const json_t *selected = json_object_get(point, "selected");
    if (!selected) return complain(at, "selected", "is missing");
    if (!json_is_array(selected)) return complain(at, "selected", "must be a list");
    for (size_t k = 0; k < json_array_size(selected); k++) {
        const json_t *entry = json_array_get(selected, k);
        const json_t *name = json_object_get(entry, "kernel"),
                     *weight = json_object_get(entry, "weight");
        if (!json_is_string(name))
            return complain(at, "selected", "needs a text 'kernel' in each entry");
        if (!is_number(weight))
            return complain(at, "selected",
                            "needs a number 'weight' (of at most 1e100) in each entry");
        int code = add(at, b, json_string_value(name), json_number_value(weight));
        if (code != EXIT_OK) return code;
    }
    return EXIT_OK;
}

static int add_coefficients(const place *at, builder *b, json_t *point)
{
    json_t *all = json_object_get(point, "coefficients"), *value;
    const char *name;
    if (!all || json_is_null(all)) return EXIT_OK;
    if (!json_is_object(all)) return complain(at, "coefficients", "must be an object");
    json_object_foreach(all, name, value)
    {
        if (!is_number(value))
            return complain(at, "coefficients", "must hold numbers (of at most 1e100)");
        int code = add(at, b, name, json_number_value(value));
        if (code != EXIT_OK) return code;
    }
    return EXIT_OK;
}

/* That of the loss stands before others. The name is the library's; NULL where there is none. */
static const char *first_measure(json_t *object)
{
    const char *key;
    json_t *value;
    rls2_measure measure;
    json_object_foreach(object, key, value) if (rls2_measure_find(key, &measure, NULL) ==
                                                RLS2_OK) return rls2_measure_name(measure);
    return NULL;
}

/* The score of one point, of which the whole path must have the same; *score stays where there is
 * none. */
static int read_score(const place *at, const json_t *point, const char *of, result *r,
                      double *score, int *present)
{
    json_t *object = json_object_get(point, of);
    *present = 0;
    if (!object || json_is_null(object)) return EXIT_OK;
    if (!json_is_object(object)) return complain(at, of, "must be an object");
    const char *measure = r->measure ? r->measure : first_measure(object);
    if (measure) {
        int code = optional_number(at, object, measure, of, score, present);
        if (code != EXIT_OK) return code;
    }
    if (*present) r->measure = measure;
    if (*present || json_object_size(object) == 0) return EXIT_OK;
    return complain(at, of,
                    r->measure ? "has another score than the points before"
                               : "must hold a measure, such as 'rmse' or 'accuracy'");
}

/* What every point so far has. */
typedef struct presence {
    int df, of_df, train, test, coefficients;
} presence;

/* Of several outputs, what the point says about the one that is drawn. */
static int find_entry(const place *at, const json_t *point, const result *r, json_t **entry)
{
    const json_t *list = json_object_get(point, "outputs");
    if (!list) return complain(at, "outputs", "is missing");
    if (!json_is_array(list)) return complain(at, "outputs", "must be a list");
    for (size_t o = 0; o < json_array_size(list); o++) {
        const char *name = json_string_value(json_object_get(json_array_get(list, o), "name"));
        if (!name) return complain(at, "outputs", "needs a text 'name' in each entry");
        if (strcmp(name, r->of) != 0) continue;
        *entry = json_array_get(list, o);
        return EXIT_OK;
    }
    return complain(at, "outputs", "has no entry for the output that is to be drawn");
}

/* Weights and coefficients: of the point itself, or of its entry for one output. */
static int read_selection(const place *at, json_t *from, result *r, builder *weights,
                          builder *coefficients, presence *all)
{
    int64_t i = at->point;
    int has;
    weights->table->start[i] = weights->used;
    coefficients->table->start[i] = coefficients->used;
    int code = add_selected(at, weights, from);
    if (code == EXIT_OK) code = add_coefficients(at, coefficients, from);
    if (code == EXIT_OK) code = optional_number(at, from, "df", "df", &r->of_df[i], &has);
    if (code != EXIT_OK) return code;
    all->of_df &= has;
    all->coefficients &= json_is_object(json_object_get(from, "coefficients"));
    r->of_selected[i] = (double)(weights->used - weights->table->start[i]);
    return EXIT_OK;
}

/* How many kernels any output selects. */
static int read_count(const place *at, const json_t *point, result *r)
{
    int has;
    if (!r->of) {
        r->selected[at->point] = r->of_selected[at->point];
        return EXIT_OK;
    }
    int code = optional_number(at, point, "kernels", "kernels", &r->selected[at->point], &has);
    if (code != EXIT_OK) return code;
    if (!has) return complain(at, "kernels", "is missing");
    return r->selected[at->point] >= 0 ? EXIT_OK : complain(at, "kernels", "must not be negative");
}

static int read_point(place *at, json_t *point, result *r, builder *weights, builder *coefficients,
                      presence *all)
{
    int64_t i = at->point;
    json_t *from = point;
    int has = 0, code;
    if (!json_is_object(point)) {
        say_error(at->settings, "%s: path[%lld] must be an object", at->file, (long long)i);
        return EXIT_FAILED;
    }
    code = optional_number(at, point, "lambda", "lambda", &r->lambda[i], &has);
    if (code != EXIT_OK) return code;
    if (!has) return complain(at, "lambda", "is missing");
    if (!(r->lambda[i] >= SMALLEST_LAMBDA))
        return complain(at, "lambda", "must be positive (at least 1e-100)");
    code = optional_number(at, point, "df", "df", &r->df[i], &has);
    all->df &= has;
    if (code == EXIT_OK) code = read_score(at, point, "train", r, &r->train[i], &has);
    all->train &= has;
    if (code == EXIT_OK) code = read_score(at, point, "test", r, &r->test[i], &has);
    all->test &= has;
    if (code == EXIT_OK && r->of) code = find_entry(at, point, r, &from);
    if (code == EXIT_OK) code = read_selection(at, from, r, weights, coefficients, all);
    return code == EXIT_OK ? read_count(at, point, r) : code;
}

/* ---- the whole ---- */

static int result_allocate(const settings *s, result *r)
{
    double **columns[] = {&r->lambda,   &r->df,    &r->train,      &r->test,
                          &r->selected, &r->of_df, &r->of_selected};
    int64_t **starts[] = {&r->weights.start, &r->coefficients.start};
    size_t n = (size_t)r->points;
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++)
        if (!(*columns[i] = calloc(n, sizeof(double)))) return out_of_memory(s);
    for (int i = 0; i < 2; i++)
        if (!(*starts[i] = calloc(n + 1, sizeof(int64_t)))) return out_of_memory(s);
    return EXIT_OK;
}

static void drop(double **column)
{
    free(*column);
    *column = NULL;
}

static int read_points(place *at, json_t *path, result *r)
{
    builder weights = {.table = &r->weights, .numbers = json_object()};
    builder coefficients = {.table = &r->coefficients, .numbers = json_object()};
    presence all = {1, 1, 1, 1, 1};
    int code = weights.numbers && coefficients.numbers ? EXIT_OK : out_of_memory(at->settings);
    for (at->point = 0; at->point < r->points && code == EXIT_OK; at->point++)
        code = read_point(at, json_array_get(path, (size_t)at->point), r, &weights, &coefficients,
                          &all);
    json_decref(weights.numbers);
    json_decref(coefficients.numbers);
    if (code != EXIT_OK) return code;
    r->weights.start[r->points] = weights.used;
    r->coefficients.start[r->points] = coefficients.used;
    if (!all.df) drop(&r->df);
    if (!all.of_df) drop(&r->of_df);
    if (!all.train) drop(&r->train);
    if (!all.test) drop(&r->test);
    if (!all.coefficients) sparse_free(&r->coefficients);
    return EXIT_OK;
}

/* "'BL', 'EWS', 'NB'"; NULL when out of memory. */
static char *name_list(const json_t *names)
{
    char *text = NULL;
    size_t length = 0;
    FILE *list = open_memstream(&text, &length);
    if (!list) return NULL;
    for (size_t o = 0; o < json_array_size(names); o++) {
        char *shown = shown_text(json_string_value(json_array_get(names, o)), 40);
        fprintf(list, "%s'%s'", o > 0 ? ", " : "", shown ? shown : "");
        free(shown);
    }
    fclose(list);
    return text;
}

static int no_such_output(const place *at, const json_t *names)
{
    char *list = name_list(names);
    if (!list) return out_of_memory(at->settings);
    say_error(at->settings, "--of '%s': %s is a path of %s", at->settings->of, at->file,
              names ? list : "one output, which needs no name");
    free(list);
    return EXIT_USAGE;
}

static const char *word_for_outputs(const json_t *root)
{
    const char *task = json_string_value(json_object_get(root, "task"));
    if (task && strcmp(task, "classification") == 0) return "classes";
    return task && strcmp(task, "regression") == 0 ? "targets" : "outputs";
}

/* The output that is drawn: that of --of, or the first. */
static int find_output_name(const place *at, result *r)
{
    const json_t *names = json_object_get(r->root, "outputs");
    const char *wanted = at->settings->of;
    if (!names && wanted) return no_such_output(at, NULL);
    if (!names) return EXIT_OK;
    if (!json_is_array(names)) return complain(at, "outputs", "must be a list");
    r->outputs = (int64_t)json_array_size(names);
    r->output_word = word_for_outputs(r->root);
    for (size_t o = 0; o < json_array_size(names); o++) {
        const char *name = json_string_value(json_array_get(names, o));
        if (!name) return complain(at, "outputs", "must hold texts");
        if (!r->of && (!wanted || strcmp(name, wanted) == 0)) r->of = name;
    }
    if (r->of) return EXIT_OK;
    return wanted && json_array_size(names) > 0 ? no_such_output(at, names)
                                                : complain(at, "outputs", "is empty");
}

int result_parse(const settings *s, const char *name, const char *text, size_t length, result *r)
{
    json_error_t error;
    place at = {s, name, -1};
    *r = (result){0};
    r->root = json_loadb(text, length, JSON_REJECT_DUPLICATES, &error);
    if (!r->root) {
        say_error(s, "%s:%d:%d: not JSON: %s", name, error.line, error.column, error.text);
        return EXIT_FAILED;
    }
    json_t *path = json_object_get(r->root, "path");
    if (!path) return complain(&at, "path", "is missing: not what 'rls2 path --json' prints");
    if (!json_is_array(path)) return complain(&at, "path", "must be a list");
    if (json_array_size(path) == 0)
        return complain(&at, "path", "is empty: there is nothing to draw");
    r->points = (int64_t)json_array_size(path);
    int code = find_output_name(&at, r);
    if (code == EXIT_OK) code = result_allocate(s, r);
    return code == EXIT_OK ? read_points(&at, path, r) : code;
}

void result_free(result *r)
{
    double **columns[] = {&r->lambda,   &r->df,    &r->train,      &r->test,
                          &r->selected, &r->of_df, &r->of_selected};
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) drop(columns[i]);
    sparse_free(&r->weights);
    sparse_free(&r->coefficients);
    json_decref(r->root);
    *r = (result){0};
}
