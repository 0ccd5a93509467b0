#include "gui/server/run_settings.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gui/server/store.h"
#include "rls2/path.h"

enum { MOST_LAMBDAS = 10000, MOST_NAMES = 100000, MOST_REPEATS = 1000 };

/* ---- one table for all simple fields ---- */

typedef enum kind {
    TEXT,   /* const char *; null and, of a column, "" mean none */
    CHOICE, /* const char *, one of those listed */
    TRUTH,  /* int */
    NUMBER, /* double between `least` and `most`, both not included */
    COUNT,  /* int64_t from `least` to `most` */
    NAMES,  /* texts: a list, or a single one */
    ID      /* const char * */
} kind;

typedef struct field {
    const char *name;
    kind kind;
    size_t member;
    const char *choices; /* of a CHOICE, separated by '|', the default first */
    double least, most, fallback;
} field;

#define AT(member) offsetof(asked, member)

static const field FIELDS[] = {
    {"data", ID, AT(data), NULL, 0, 0, 0},
    {"target", NAMES, AT(target), NULL, 0, 0, 0},
    {"drop", NAMES, AT(drop), NULL, 0, 0, 0},
    {"categorical", NAMES, AT(categorical), NULL, 0, 0, 0},
    {"task", CHOICE, AT(task), "auto|regression|classification", 0, 0, 0},
    {"weights", TEXT, AT(weights), NULL, 0, 0, 0},
    {"class_weights", TEXT, AT(class_weights), NULL, 0, 0, 0},
    {"reference", TRUTH, AT(reference), NULL, 0, 0, 0},
    {"missing", CHOICE, AT(missing), "drop|error", 0, 0, 0},
    {"features", CHOICE, AT(features), "none|center|standardize|unit", 0, 0, 0},
    {"examples", CHOICE, AT(examples), "none|center|standardize|unit", 0, 0, 0},
    {"shuffle", TRUTH, AT(shuffle), NULL, 0, 0, 0},
    {"transductive", TRUTH, AT(transductive), NULL, 0, 0, 0},
    {"transductive_features", TRUTH, AT(transductive_features), NULL, 0, 0, 0},
    {"kernels", TEXT, AT(kernels), NULL, 0, 0, 0},
    {"scaling", CHOICE, AT(scaling), "trace|none|fisher|fisher-sqrt", 0, 0, 0},
    {"center", TRUTH, AT(center), NULL, 0, 0, 0},
    {"max_iter", COUNT, AT(max_iter), NULL, 1, 1e9, 200},
    {"gap_tol", NUMBER, AT(gap_tol), NULL, 0, HUGE_VAL, 1e-6},
    {"delta", NUMBER, AT(delta), NULL, 0, HUGE_VAL, 1e-2},
    {"solver", CHOICE, AT(solver), "newton|alternate", 0, 0, 0},
    {"intercept", CHOICE, AT(intercept), "auto|mean|none", 0, 0, 0},
    {"measure", CHOICE, AT(measure), "auto|rmse|mse|mae|r2|accuracy|balanced-accuracy|auc|errors",
     0, 0, 0},
    {"rule", CHOICE, AT(rule), "min|1se", 0, 0, 0},
    {"select", CHOICE, AT(select), "cv|gcv|cp|aic|bic|loo", 0, 0, 0},
    {"baselines", TRUTH, AT(baselines), NULL, 0, 0, 1},
    {"seed", COUNT, AT(seed), NULL, 0, 9e15, 0},
};

static const field TEST_FIELDS[] = {
    {"kind", CHOICE, AT(test.kind), "none|marker|column|share|data", 0, 0, 0},
    {"column", TEXT, AT(test.column), NULL, 0, 0, 0},
    {"value", TEXT, AT(test.value), NULL, 0, 0, 0},
    {"data", ID, AT(test.data), NULL, 0, 0, 0},
    {"share", NUMBER, AT(test.share), NULL, 0, 1, 0.3},
};

static const field SPLIT_FIELDS[] = {
    {"kind", CHOICE, AT(splits.kind), "folds|none|random|column|validation", 0, 0, 0},
    {"folds", COUNT, AT(splits.folds), NULL, 2, 1e9, 10},
    {"repeats", COUNT, AT(splits.repeats), NULL, 1, MOST_REPEATS, 1},
    {"count", COUNT, AT(splits.count), NULL, 1, 100000, 20},
    {"share", NUMBER, AT(splits.share), NULL, 0, 1, 0.7},
    {"column", TEXT, AT(splits.column), NULL, 0, 0, 0},
    {"value", TEXT, AT(splits.value), NULL, 0, 0, 0},
    {"data", ID, AT(splits.data), NULL, 0, 0, 0},
};

#define LENGTH(array) (sizeof(array) / sizeof *(array))

/* ---- values ---- */

/* Is the text one of "a|b|c"? */
static int is_choice(const char *choices, const char *text)
{
    size_t length = strlen(text);
    if (strchr(text, '|')) return 0;
    for (const char *at = choices; at; at = strchr(at, '|') ? strchr(at, '|') + 1 : NULL)
        if (strncmp(at, text, length) == 0 && (at[length] == '|' || at[length] == '\0'))
            return length > 0;
    return 0;
}

static int read_choice(const field *x, const char *name, const json_t *value, const char **at,
                       fault *f)
{
    const char *text = json_string_value(value);
    if (!text || !is_choice(x->choices, text))
        return fault_say(f, HTTP_BAD, name, "%s should be one of %s", name, x->choices);
    *at = text;
    return 0;
}

static int read_number(const field *x, const char *name, const json_t *value, double *at, fault *f)
{
    double number = json_number_value(value);
    if (!json_is_number(value)) return fault_say(f, HTTP_BAD, name, "%s should be a number", name);
    if (!(number > x->least && number < x->most) && isinf(x->most))
        return fault_say(f, HTTP_BAD, name, "%s is %g; it must be above %g", name, number,
                         x->least);
    if (!(number > x->least && number < x->most))
        return fault_say(f, HTTP_BAD, name, "%s is %g; it must lie between %g and %g", name, number,
                         x->least, x->most);
    *at = number;
    return 0;
}

/* A whole number, also where JavaScript wrote it as 1e2. */
static int read_count(const field *x, const char *name, const json_t *value, int64_t *at, fault *f)
{
    double number = json_number_value(value);
    if (!json_is_number(value) || number != floor(number))
        return fault_say(f, HTTP_BAD, name, "%s should be a whole number", name);
    if (!(number >= x->least && number <= x->most))
        return x->most < 1e9 || number > x->most
                   ? fault_say(f, HTTP_BAD, name, "%s is %.0f; it must be from %.0f to %.0f", name,
                               number, x->least, x->most)
                   : fault_say(f, HTTP_BAD, name, "%s is %.0f; it must be at least %.0f", name,
                               number, x->least);
    *at = (int64_t)number;
    return 0;
}

static int read_names(const char *name, const json_t *value, texts *at, fault *f)
{
    size_t count = json_is_array(value) ? json_array_size(value) : 1;
    if (json_is_null(value)) return 0;
    if (count > MOST_NAMES)
        return fault_say(f, HTTP_BAD, name, "%s names more columns than there can be", name);
    at->items = calloc(count + 1, sizeof *at->items);
    if (!at->items) return fault_memory(f);
    for (size_t i = 0; i < count; i++) {
        const char *text =
            json_string_value(json_is_array(value) ? json_array_get(value, i) : value);
        if (!text)
            return fault_say(f, HTTP_BAD, name, "%s should be a list of names of columns", name);
        at->items[at->count++] = text;
    }
    return 0;
}

static int read_text(const char *name, const json_t *value, const char **at, fault *f)
{
    const char *text = json_string_value(value);
    if (!text && !json_is_null(value))
        return fault_say(f, HTTP_BAD, name, "%s should be a text, or null", name);
    *at = text && text[0] ? text : NULL;
    return 0;
}

static int read_id(const char *name, const json_t *value, const char **at, fault *f)
{
    const char *text = json_string_value(value);
    if (json_is_null(value)) return 0;
    if (!text || !store_is_id(text))
        return fault_say(f, HTTP_BAD, name, "%s should be the id of data", name);
    *at = text;
    return 0;
}

static int read_value(const field *x, const char *name, const json_t *value, asked *a, fault *f)
{
    char *at = (char *)a + x->member;
    switch (x->kind) {
    case TEXT: return read_text(name, value, (const char **)(void *)at, f);
    case CHOICE: return read_choice(x, name, value, (const char **)(void *)at, f);
    case NUMBER: return read_number(x, name, value, (double *)(void *)at, f);
    case COUNT: return read_count(x, name, value, (int64_t *)(void *)at, f);
    case NAMES: return read_names(name, value, (texts *)(void *)at, f);
    case ID: return read_id(name, value, (const char **)(void *)at, f);
    case TRUTH: break;
    }
    if (!json_is_boolean(value))
        return fault_say(f, HTTP_BAD, name, "%s should be true or false", name);
    *(int *)(void *)at = json_is_true(value);
    return 0;
}

/* ---- objects ---- */

static void set_default(const field *x, asked *a)
{
    char *at = (char *)a + x->member;
    if (x->kind == TRUTH) *(int *)(void *)at = x->fallback != 0.0;
    if (x->kind == NUMBER) *(double *)(void *)at = x->fallback;
    if (x->kind == COUNT) *(int64_t *)(void *)at = (int64_t)x->fallback;
}

static void set_defaults(const field *fields, size_t count, asked *a)
{
    for (size_t i = 0; i < count; i++) set_default(&fields[i], a);
}

static const field *find_field(const field *fields, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(fields[i].name, name) == 0) return &fields[i];
    return NULL;
}

/* The fields of an object inside the settings, reported as "object.field". */
static int read_object(const char *object, const field *fields, size_t count, const json_t *value,
                       asked *a, fault *f)
{
    const char *key;
    json_t *item;
    int code = 0;
    if (!json_is_object(value))
        return fault_say(f, HTTP_BAD, object, "%s should be an object", object);
    json_object_foreach((json_t *)value, key, item)
    {
        char name[64];
        const field *x = find_field(fields, count, key);
        if (!x) return fault_say(f, HTTP_BAD, object, "%s has no field '%.60s'", object, key);
        snprintf(name, sizeof name, "%s.%s", object, x->name);
        code = read_value(x, name, item, a, f);
        if (code) return code;
    }
    return 0;
}

static int read_groups(const json_t *value, asked *a, fault *f)
{
    const char *key;
    json_t *item;
    size_t room = json_object_size(value) + 1;
    if (!json_is_object(value))
        return fault_say(f, HTTP_BAD, "groups", "groups should be an object of names and columns");
    a->group_names.items = calloc(room, sizeof(char *));
    a->group_columns.items = calloc(room, sizeof(char *));
    if (!a->group_names.items || !a->group_columns.items) return fault_memory(f);
    json_object_foreach((json_t *)value, key, item)
    {
        const char *columns = json_string_value(item);
        if (!columns || !columns[0] || !key[0] || strchr(key, '='))
            return fault_say(f, HTTP_BAD, "groups",
                             "groups: '%.60s' should be a text of columns with commas between",
                             key);
        a->group_names.items[a->group_names.count++] = key;
        a->group_columns.items[a->group_columns.count++] = columns;
    }
    return 0;
}

/* ---- lambdas ---- */

static int reserve_lambdas(size_t count, asked *a, fault *f)
{
    if (count < 1 || count > MOST_LAMBDAS)
        return fault_say(f, HTTP_BAD, "lambdas", "lambdas: there should be from 1 to %d values",
                         MOST_LAMBDAS);
    a->lambdas = calloc(count, sizeof *a->lambdas);
    a->lambda_count = (int64_t)count;
    return a->lambdas ? 0 : fault_memory(f);
}

static int read_lambda_list(const json_t *values, asked *a, fault *f)
{
    int code = reserve_lambdas(json_array_size(values), a, f);
    for (int64_t i = 0; !code && i < a->lambda_count; i++) {
        const json_t *value = json_array_get(values, (size_t)i);
        a->lambdas[i] = json_number_value(value);
        if (!json_is_number(value) || !(a->lambdas[i] > 0.0))
            code = fault_say(f, HTTP_BAD, "lambdas",
                             "lambdas: value %lld should be a number above 0", (long long)i + 1);
    }
    return code;
}

static int read_lambda_range(const json_t *range, asked *a, fault *f)
{
    rls2_error err;
    const json_t *lo = json_object_get(range, "lo"), *hi = json_object_get(range, "hi"),
                 *count = json_object_get(range, "count");
    double number = json_number_value(count);
    if (!json_is_number(lo) || !json_is_number(hi) || !json_is_number(count) ||
        json_object_size(range) != 3)
        return fault_say(f, HTTP_BAD, "lambdas", "lambdas should have lo, hi and count, or values");
    if (number != floor(number) || !(number >= 1.0 && number <= MOST_LAMBDAS))
        return fault_say(f, HTTP_BAD, "lambdas.count",
                         "lambdas.count should be a whole number from 1 to %d", MOST_LAMBDAS);
    if (!(json_number_value(lo) > 0.0))
        return fault_say(f, HTTP_BAD, "lambdas.lo", "lambdas.lo is %g; it must be above 0",
                         json_number_value(lo));
    int code = reserve_lambdas((size_t)number, a, f);
    if (code) return code;
    a->lambda_lo = json_number_value(lo);
    a->lambda_hi = json_number_value(hi);
    if (rls2_lambda_grid(a->lambda_lo, a->lambda_hi, a->lambda_count, a->lambdas, &err) == RLS2_OK)
        return 0;
    return fault_of(f, "lambdas.hi", &err);
}

static int read_lambdas(const json_t *value, asked *a, fault *f)
{
    const json_t *values = json_object_get(value, "values");
    if (json_is_null(value)) return 0;
    if (!json_is_object(value))
        return fault_say(f, HTTP_BAD, "lambdas", "lambdas should be an object, or null");
    if (json_is_array(values) && json_object_size(value) == 1)
        return read_lambda_list(values, a, f);
    return read_lambda_range(value, a, f);
}

/* ---- all of it ---- */

static int read_field(const char *name, const json_t *value, asked *a, fault *f)
{
    const field *x = find_field(FIELDS, LENGTH(FIELDS), name);
    if (x) return read_value(x, x->name, value, a, f);
    if (strcmp(name, "test") == 0)
        return read_object("test", TEST_FIELDS, LENGTH(TEST_FIELDS), value, a, f);
    if (strcmp(name, "splits") == 0)
        return read_object("splits", SPLIT_FIELDS, LENGTH(SPLIT_FIELDS), value, a, f);
    if (strcmp(name, "groups") == 0) return read_groups(value, a, f);
    if (strcmp(name, "lambdas") == 0) return read_lambdas(value, a, f);
    return fault_say(f, HTTP_BAD, NULL, "the settings have no field '%.60s'", name);
}

static void set_all_defaults(asked *a)
{
    set_defaults(FIELDS, LENGTH(FIELDS), a);
    set_defaults(TEST_FIELDS, LENGTH(TEST_FIELDS), a);
    set_defaults(SPLIT_FIELDS, LENGTH(SPLIT_FIELDS), a);
    a->task = a->intercept = "auto";
    a->missing = "drop";
    a->features = a->examples = "none";
    a->scaling = "trace";
    a->solver = "newton";
    a->rule = "min";
    a->select = "cv";
    a->splits.kind = "folds";
}

static int is(const char *text, const char *other)
{
    return text && strcmp(text, other) == 0;
}

/* Fields that need others. */
static int check_parts(const asked *a, fault *f)
{
    if (!a->data) return fault_say(f, HTTP_BAD, "data", "data: which table is to be learned from?");
    if (is(a->test.kind, "column") && !a->test.column)
        return fault_say(f, HTTP_BAD, "test.column",
                         "test.column: which column marks the test rows?");
    if (is(a->test.kind, "column") && !a->test.value)
        return fault_say(f, HTTP_BAD, "test.value",
                         "test.value: which value of '%s' marks the test rows?", a->test.column);
    if (is(a->test.kind, "data") && !a->test.data)
        return fault_say(f, HTTP_BAD, "test.data", "test.data: which table holds the test rows?");
    if (is(a->splits.kind, "column") && !a->splits.column)
        return fault_say(f, HTTP_BAD, "splits.column",
                         "splits.column: which column holds the folds?");
    if (is(a->splits.kind, "validation") && !a->splits.data && !a->splits.column)
        return fault_say(f, HTTP_BAD, "splits.column",
                         "splits.column: which column marks the validation rows?");
    if (is(a->splits.kind, "validation") && !a->splits.data && !a->splits.value)
        return fault_say(f, HTTP_BAD, "splits.value",
                         "splits.value: which value of '%s' marks the validation rows?",
                         a->splits.column);
    return 0;
}

/* What the command refuses, in its words. */
static int check_together(const asked *a, fault *f)
{
    int by_cv = strcmp(a->splits.kind, "none") != 0;
    if (a->center && strcmp(a->scaling, "trace") != 0)
        return fault_say(f, HTTP_BAD, "center", "center goes with scaling trace");
    if ((a->transductive || a->transductive_features) && by_cv)
        return fault_say(f, HTTP_BAD, a->transductive ? "transductive" : "transductive_features",
                         "cross-validation never uses the rows it tests on: transductive needs "
                         "splits of kind none");
    if (a->transductive && a->weights)
        return fault_say(
            f, HTTP_BAD, "transductive",
            "transductive counts the test rows once each: with weights use transductive_features");
    if (strcmp(a->splits.kind, "validation") == 0 && strcmp(a->select, "cv") != 0)
        return fault_say(
            f, HTTP_BAD, "select",
            "a validation set and select %s are two ways to choose lambda: leave out one of them",
            a->select);
    if (strcmp(a->splits.kind, "validation") == 0 && a->splits.repeats > 1)
        return fault_say(f, HTTP_BAD, "splits.repeats",
                         "a validation set takes the place of repeats");
    return 0;
}

int asked_read(json_t *json, asked *a, fault *f)
{
    const char *key;
    json_t *value;
    int code = 0;
    *a = (asked){.json = json};
    if (!json_is_object(json))
        return fault_say(f, HTTP_BAD, NULL, "the settings should be a JSON object");
    set_all_defaults(a);
    json_object_foreach(json, key, value)
    {
        code = read_field(key, value, a, f);
        if (code) return code;
    }
    if (is(a->measure, "auto")) a->measure = NULL;
    code = check_parts(a, f);
    return code ? code : check_together(a, f);
}

void asked_free(asked *a)
{
    free(a->target.items);
    free(a->drop.items);
    free(a->categorical.items);
    free(a->group_names.items);
    free(a->group_columns.items);
    free(a->lambdas);
    json_decref(a->json);
    *a = (asked){0};
}
