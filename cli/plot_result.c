/* A path as `rls2 path --json` prints it, read with suspicion: the file may come from anywhere. Keys that
 * no picture needs are not looked at. */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/console.h"
#include "cli/plot.h"

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
        say_error(at->settings, "%s: path[%lld]: '%s' %s", at->file, (long long)at->point, key, wanted);
    return EXIT_FAILED;
}

/* Beyond these nothing can be read off a picture, and within them no sum or product of a few overflows. */
static const double LARGEST = 1e100, SMALLEST_LAMBDA = 1e-100;

static int is_number(const json_t *value)
{
    return json_is_number(value) && fabs(json_number_value(value)) <= LARGEST;
}

/* A number that is the same as absent where it is null. */
static int optional_number(const place *at, const json_t *object, const char *key, const char *shown,
                           double *value, int *present)
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
        const json_t *name = json_object_get(entry, "kernel"), *weight = json_object_get(entry, "weight");
        if (!json_is_string(name)) return complain(at, "selected", "needs a text 'kernel' in each entry");
        if (!is_number(weight))
            return complain(at, "selected", "needs a number 'weight' (of at most 1e100) in each entry");
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
        if (!is_number(value)) return complain(at, "coefficients", "must hold numbers (of at most 1e100)");
        int code = add(at, b, name, json_number_value(value));
        if (code != EXIT_OK) return code;
    }
    return EXIT_OK;
}

/* The score of one point, of which the whole path must have the same; *score stays where there is none. */
static int read_score(const place *at, const json_t *point, const char *of, result *r, double *score,
                      int *present)
{
    static const char *const MEASURES[] = {"rmse", "accuracy"};
    const json_t *object = json_object_get(point, of);
    *present = 0;
    if (!object || json_is_null(object)) return EXIT_OK;
    if (!json_is_object(object)) return complain(at, of, "must be an object");
    for (int i = 0; i < 2 && !*present; i++) {
        if (r->measure && strcmp(r->measure, MEASURES[i]) != 0) continue;
        int code = optional_number(at, object, MEASURES[i], of, score, present);
        if (code != EXIT_OK) return code;
        if (*present) r->measure = MEASURES[i];
    }
    if (*present || json_object_size(object) == 0) return EXIT_OK;
    return complain(
        at, of, r->measure ? "has another score than the points before" : "must hold 'rmse' or 'accuracy'");
}

/* What every point so far has. */
typedef struct presence {
    int df, train, test, coefficients;
} presence;

static int read_point(place *at, json_t *point, result *r, builder *weights, builder *coefficients,
                      presence *all)
{
    int64_t i = at->point;
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
    weights->table->start[i] = weights->used;
    coefficients->table->start[i] = coefficients->used;
    if (code == EXIT_OK) code = add_selected(at, weights, point);
    if (code == EXIT_OK) code = add_coefficients(at, coefficients, point);
    all->coefficients &= json_is_object(json_object_get(point, "coefficients"));
    r->selected[i] = (double)(weights->used - weights->table->start[i]);
    return code;
}

/* ---- the whole ---- */

static int result_allocate(const settings *s, result *r)
{
    double **columns[] = {&r->lambda, &r->df, &r->train, &r->test, &r->selected};
    int64_t **starts[] = {&r->weights.start, &r->coefficients.start};
    size_t n = (size_t)r->points;
    for (int i = 0; i < 5; i++)
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
    presence all = {1, 1, 1, 1};
    int code = weights.numbers && coefficients.numbers ? EXIT_OK : out_of_memory(at->settings);
    for (at->point = 0; at->point < r->points && code == EXIT_OK; at->point++)
        code = read_point(at, json_array_get(path, (size_t)at->point), r, &weights, &coefficients, &all);
    json_decref(weights.numbers);
    json_decref(coefficients.numbers);
    if (code != EXIT_OK) return code;
    r->weights.start[r->points] = weights.used;
    r->coefficients.start[r->points] = coefficients.used;
    if (!all.df) drop(&r->df);
    if (!all.train) drop(&r->train);
    if (!all.test) drop(&r->test);
    if (!all.coefficients) sparse_free(&r->coefficients);
    return EXIT_OK;
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
    if (json_array_size(path) == 0) return complain(&at, "path", "is empty: there is nothing to draw");
    r->points = (int64_t)json_array_size(path);
    int code = result_allocate(s, r);
    return code == EXIT_OK ? read_points(&at, path, r) : code;
}

void result_free(result *r)
{
    double **columns[] = {&r->lambda, &r->df, &r->train, &r->test, &r->selected};
    for (int i = 0; i < 5; i++) drop(columns[i]);
    sparse_free(&r->weights);
    sparse_free(&r->coefficients);
    json_decref(r->root);
    *r = (result){0};
}
