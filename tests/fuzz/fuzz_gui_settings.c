/* Any bytes as the settings a page sends: as JSON where they are, else as choices among fields and
 * values. They are either refused, with a sentence and the field it is about, or make a problem
 * whose rows exist and whose recipe is complete. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common.h"
#include "gui/server/problem.h"

static const char TABLE[] =
    "a,b,kind,train,w,y,y2\n"
    "1,2.5,u,T,1,0.5,1\n2,0.5,v,T,2,1.5,2\n3,1.5,u,F,1,2.5,3\n4,-1,v,T,0,1,4\n"
    "5,7,w,F,1,0,5\n6,,u,T,1,3,6\n7,2,v,T,1,4,7\n8,1,w,T,3,2,8\n";

/* ---- settings that bytes choose: of bytes that are no JSON most would be refused at the first
 * character ---- */

static const char *const FIELDS[] = {
    "target",       "drop",          "categorical",   "task",
    "weights",      "class_weights", "missing",       "features",
    "examples",     "shuffle",       "transductive",  "transductive_features",
    "kernels",      "scaling",       "center",        "lambdas",
    "select",       "measure",       "groups",        "seed",
    "test.kind",    "test.column",   "test.value",    "test.share",
    "test.data",    "splits.kind",   "splits.folds",  "splits.repeats",
    "splits.count", "splits.share",  "splits.column", "splits.value",
    "splits.data",  "reference",     "intercept"};

static const char *const VALUES[] = {"\"y\"",
                                     "\"a\"",
                                     "\"b\"",
                                     "\"kind\"",
                                     "\"train\"",
                                     "\"w\"",
                                     "\"y2\"",
                                     "\"nothing\"",
                                     "\"\"",
                                     "[\"y\",\"y2\"]",
                                     "[\"kind\"]",
                                     "[]",
                                     "null",
                                     "true",
                                     "false",
                                     "0",
                                     "1",
                                     "2",
                                     "3",
                                     "100",
                                     "0.5",
                                     "0.999",
                                     "1e-300",
                                     "1e300",
                                     "-1",
                                     "\"none\"",
                                     "\"auto\"",
                                     "\"column\"",
                                     "\"share\"",
                                     "\"data\"",
                                     "\"marker\"",
                                     "\"folds\"",
                                     "\"random\"",
                                     "\"validation\"",
                                     "\"classification\"",
                                     "\"regression\"",
                                     "\"balanced\"",
                                     "\"u=2\"",
                                     "\"error\"",
                                     "\"standardize\"",
                                     "\"unit\"",
                                     "\"center\"",
                                     "\"fisher\"",
                                     "\"linear\"",
                                     "\"rbf(1)@each; linear\"",
                                     "\"paper\"",
                                     "\"rbf(1)@group:g\"",
                                     "{\"g\":\"a,b\"}",
                                     "{\"lo\":1,\"hi\":2,\"count\":3}",
                                     "{\"values\":[1,2]}",
                                     "\"T\"",
                                     "\"F\"",
                                     "\"u\"",
                                     "\"v\"",
                                     "\"gcv\"",
                                     "\"auc\"",
                                     "\"rmse\"",
                                     "\"aaaaaaaaaaaa\"",
                                     "\"mean\""};

static void set_field(json_t *settings, const char *name, const char *text)
{
    char object[16];
    const char *dot = strchr(name, '.');
    json_t *value = json_loads(text, JSON_DECODE_ANY, NULL), *inner = settings;
    if (dot) {
        snprintf(object, sizeof object, "%.*s", (int)(dot - name), name);
        if (!json_object_get(settings, object))
            json_object_set_new(settings, object, json_object());
        inner = json_object_get(settings, object);
    }
    require(value && json_object_set_new(inner, dot ? dot + 1 : name, value) == 0);
}

static json_t *choose(const uint8_t *data, size_t size)
{
    json_t *settings =
        json_pack("{s:s, s:s, s:s}", "data", "aaaaaaaaaaaa", "target", "y", "kernels", "linear");
    for (size_t i = 0; i + 1 < size && i < 40; i += 2)
        set_field(settings, FIELDS[data[i] % (sizeof FIELDS / sizeof *FIELDS)],
                  VALUES[data[i + 1] % (sizeof VALUES / sizeof *VALUES)]);
    return settings;
}

/* ---- what is done with them ---- */

static int is_slow(const json_t *settings)
{
    const json_t *text = json_object_get(settings, "kernels");
    return has_long_number(json_string_value(text), json_string_length(text), 3);
}

static void destroy(void *table)
{
    rls2_table_free(table);
}

static void open_state(state *s, data_entry *entry)
{
    rls2_table *table = NULL;
    memcpy(entry->id, "aaaaaaaaaaaa", sizeof entry->id);
    s->data = entry;
    pthread_mutex_init(&s->lock, NULL);
    s->tables = cache_create(4, destroy);
    require(s->tables &&
            rls2_table_parse("t.csv", TABLE, sizeof TABLE - 1, NULL, &table, NULL) == RLS2_OK);
    cached *item = cache_add(s->tables, entry->id, table);
    require(item != NULL);
    cache_return(s->tables, item);
}

static void check_refusal(int code, const fault *f)
{
    require(code >= 400 && code < 600 && f->code == code);
    require(f->message[0] && memchr(f->message, '\0', sizeof f->message) != NULL);
    require(memchr(f->field, '\0', sizeof f->field) != NULL);
}

static void check_problem(const problem *p)
{
    int64_t rows = rls2_table_rows(p->file->value);
    require(p->kept_count + p->marked_count + p->validating_count == rows);
    require(rls2_dataset_rows(p->data) > 0 && rls2_dictionary_size(p->dictionary) > 0);
    require(problem_outputs(p) >= 1 && p->recipe.lambda_count >= 1);
    require(rls2_measure_is_for_classes(p->measure) == problem_is_classification(p));
    unsigned char seen[8] = {0};
    for (int64_t i = 0; i < p->kept_count; i++) seen[p->kept[i]]++;
    for (int64_t i = 0; i < p->marked_count; i++) seen[p->marked[i]]++;
    for (int64_t i = 0; i < p->validating_count; i++) seen[p->validating[i]]++;
    for (int64_t i = 0; i < rows; i++) require(seen[i] == 1);
}

static void check_splits(const problem *p)
{
    fault f = {0}, quick = {0};
    rls2_splits *splits = NULL;
    int expected = problem_check_splits(p, &quick);
    if (p->asked.splits.count > 1000 || p->asked.splits.repeats > 1000)
        return; /* right, and slow */
    int code = problem_splits(p, &splits, &f);
    require(code == expected); /* what is checked while one types is what a run does */
    if (code) check_refusal(code, &f);
    rls2_splits_free(splits);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    state s = {0};
    data_entry entry = {0};
    fault f = {0};
    problem p = {0};
    json_t *settings = json_loadb((const char *)data, size, JSON_REJECT_DUPLICATES, NULL);
    if (!settings) settings = choose(data, size);
    if (!settings || is_slow(settings)) {
        json_decref(settings);
        return 0;
    }
    open_state(&s, &entry);
    int code = problem_make(&s, settings, &p, &f);
    if (code)
        check_refusal(code, &f);
    else {
        check_problem(&p);
        check_splits(&p);
    }
    problem_release(&p);
    cache_free(s.tables);
    pthread_mutex_destroy(&s.lock);
    return 0;
}
