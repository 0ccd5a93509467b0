/* JSON values as words for a plan, and its complaints as faults. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gui/server/run_plan.h"
#include "gui/server/table_columns.h"

const char *plan_json_name(const rls2_setting *setting, char name[64])
{
    rls2_setting_tell(setting, RLS2_SETTING_NAME, RLS2_VOICE_PLAIN, name, 64);
    return name;
}

int plan_fault(const rls2_plan *plan, const rls2_error *err, fault *f)
{
    char name[64] = "";
    const char *about = rls2_plan_fault(plan);
    const rls2_setting *setting = about ? rls2_setting_find(about) : NULL;
    if (setting) plan_json_name(setting, name);
    int code = fault_of(f, name, err);
    /* a setting that asks for too much can be changed */
    return setting && code == HTTP_FULL ? (f->code = HTTP_BAD) : code;
}

/* The value in words; NULL for one that has none. `text` is room for a number. */
static const char *words_of(const json_t *value, char text[32])
{
    if (json_is_boolean(value)) return json_is_true(value) ? "true" : "false";
    if (json_is_real(value)) return columns_number(json_real_value(value), text);
    if (json_is_integer(value)) {
        snprintf(text, 32, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
        return text;
    }
    return json_string_value(value);
}

static int set_words(rls2_plan *plan, const char *name, const char *words, fault *f)
{
    rls2_error err;
    return rls2_plan_set(plan, name, words, &err) == RLS2_OK ? 0 : plan_fault(plan, &err, f);
}

static int set_one(rls2_plan *plan, const char *name, const json_t *value, fault *f)
{
    char text[32];
    const char *words = words_of(value, text);
    if (!words && !json_is_null(value))
        return fault_say(f, HTTP_BAD, name, "%.60s should be a text, a number, true or false",
                         name);
    if (words && strlen(words) != json_string_length(value) && json_is_string(value))
        return fault_say(f, HTTP_BAD, name, "%.60s has a zero character in it", name);
    return set_words(plan, name, words, f);
}

static int set_list(rls2_plan *plan, const char *name, const json_t *list, fault *f)
{
    int code = 0;
    for (size_t i = 0; !code && i < json_array_size(list); i++)
        code = set_one(plan, name, json_array_get(list, i), f);
    return code;
}

static int set_value(rls2_plan *plan, const char *name, const json_t *value, fault *f)
{
    const rls2_setting *known = rls2_setting_find(name);
    if (!known) return set_words(plan, name, NULL, f); /* refuses the name, whatever its value */
    int is_list = rls2_setting_kind_of(known) == RLS2_SETTING_LIST;
    return is_list && json_is_array(value) ? set_list(plan, name, value, f)
                                           : set_one(plan, name, value, f);
}

int plan_set_json(rls2_plan *plan, const json_t *settings, fault *f)
{
    const char *name;
    json_t *value;
    int code = 0;
    json_object_foreach((json_t *)(uintptr_t)settings, name, value)
    {
        code = set_value(plan, name, value, f);
        if (code) break;
    }
    return code;
}
