/* Any bytes as the settings a page sends: as JSON where they are, else as choices among settings
 * and values. They are either refused, with a sentence and the setting it is about, or make a plan
 * whose rows exist and whose kernels do. What versions up to 0.6 wrote down is translated first. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common.h"
#include "gui/server/run_plan.h"

static const char TABLE[] =
    "a,b,kind,train,w,y,y2\n"
    "1,2.5,u,T,1,0.5,1\n2,0.5,v,T,2,1.5,2\n3,1.5,u,F,1,2.5,3\n4,-1,v,T,0,1,4\n"
    "5,7,w,F,1,0,5\n6,,u,T,1,3,6\n7,2,v,T,1,4,7\n8,1,w,T,3,2,8\n";

/* ---- settings that bytes choose: of bytes that are no JSON most would be refused at the first
 * character ---- */

/* Beside every setting of the table: other data, and names of 0.6. */
static const char *const FORMER[] = {
    "test.kind",    "test.column",    "test.value",   "test.share",   "splits.kind",
    "splits.folds", "splits.repeats", "splits.count", "splits.share", "splits.column",
    "splits.value", "groups",         "weights"};

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

/* Of today: settings of the table by their numbers, then other data. */
static void choose_setting(json_t *asked, uint8_t which, const char *value)
{
    static const char *const DATA[] = {"test_data", "validation_data"};
    char name[64];
    int64_t count = rls2_setting_count(), place = which % (count + 2);
    if (place >= count)
        set_field(asked, DATA[place - count], value);
    else
        set_field(json_object_get(asked, "settings"), plan_json_name(rls2_setting_at(place), name),
                  value);
}

static json_t *choose(const uint8_t *data, size_t size)
{
    int former = size > 0 && data[0] % 4 == 0;
    json_t *asked = former ? json_pack("{s:s, s:s, s:s}", "data", "aaaaaaaaaaaa", "target", "y",
                                       "kernels", "linear")
                           : json_pack("{s:s, s:{s:s, s:s}}", "data", "aaaaaaaaaaaa", "settings",
                                       "target", "y", "kernels", "linear");
    for (size_t i = 1; i + 1 < size && i < 40; i += 2) {
        const char *value = VALUES[data[i + 1] % (sizeof VALUES / sizeof *VALUES)];
        if (former)
            set_field(asked, FORMER[data[i] % (sizeof FORMER / sizeof *FORMER)], value);
        else
            choose_setting(asked, data[i], value);
    }
    return asked;
}

/* ---- what is done with them ---- */

static int is_slow(const json_t *settings)
{
    const json_t *inner = json_object_get(settings, "settings");
    const json_t *text = json_object_get(inner ? inner : settings, "kernels");
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

static void count_rows(const rls2_plan *plan, rls2_part part, unsigned char *seen)
{
    const int64_t *rows;
    int64_t count = rls2_plan_rows(plan, part, &rows);
    for (int64_t i = 0; i < count; i++) seen[rows[i]]++;
}

static void check_plan(const run_plan *p)
{
    const rls2_dataset *data = rls2_plan_data(p->plan, RLS2_PART_TRAINING);
    int64_t rows = rls2_table_rows(run_plan_file(p));
    unsigned char seen[8] = {0};
    require(rls2_dataset_rows(data) > 0 && rls2_dataset_outputs(data) >= 1);
    require(rls2_dictionary_count(rls2_plan_dictionary(p->plan)) > 0);
    require(rls2_measure_is_for_classes(rls2_plan_measure(p->plan)) ==
            rls2_dataset_is_classification(data));
    count_rows(p->plan, RLS2_PART_TRAINING, seen);
    if (!p->test_file) count_rows(p->plan, RLS2_PART_TEST, seen);
    if (!p->validation_file) count_rows(p->plan, RLS2_PART_VALIDATION, seen);
    for (int64_t i = 0; i < rows; i++) require(seen[i] <= 1 && (seen[i] == 1 || p->test_file));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    state s = {0};
    data_entry entry = {0};
    fault f = {0};
    run_plan p = {0};
    json_t *asked = json_loadb((const char *)data, size, JSON_REJECT_DUPLICATES, NULL);
    if (!asked) asked = choose(data, size);
    if (!asked || is_slow(asked)) {
        json_decref(asked);
        return 0;
    }
    if (!json_object_get(asked, "settings")) {
        json_t *today = former_settings(asked);
        require(today != NULL);
        json_decref(asked);
        asked = today;
    }
    open_state(&s, &entry);
    int code = run_plan_complete(&s, asked, &p, &f);
    if (code)
        check_refusal(code, &f);
    else
        check_plan(&p);
    run_plan_release(&p);
    json_decref(asked);
    cache_free(s.tables);
    pthread_mutex_destroy(&s.lock);
    return 0;
}
