/* GET /api/settings: the library's table of settings, from which the page makes its fields. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gui/server/routes.h"
#include "gui/server/run_plan.h"

static const char *kind_name(rls2_setting_kind kind)
{
    static const char *const NAMES[] = {"flag",   "switch", "choice", "text",
                                        "column", "number", "count",  "list"};
    return NAMES[kind];
}

/* Only how a file is read and one lambda are kept apart: the page asks for them elsewhere. */
static const char *scope_name(rls2_setting_scope scope)
{
    if (scope == RLS2_SCOPE_READING) return "reading";
    return scope == RLS2_SCOPE_LAMBDA ? "lambda" : "run";
}

/* The setting that {NAME} at the beginning of the text means, and its length; NULL if none. */
static const rls2_setting *braced(const char *text, size_t *length)
{
    char name[64];
    *length = strcspn(text, "}") + 1;
    if (text[0] != '{' || text[*length - 1] != '}' || *length > sizeof name) return NULL;
    snprintf(name, sizeof name, "%.*s", (int)*length - 2, text + 1);
    return rls2_setting_find(name);
}

/* A text in which other settings are called by their labels, as people see them; NULL when out of
 * memory. */
static json_t *told(const rls2_setting *setting, rls2_setting_text which)
{
    char *text = NULL;
    size_t size, length;
    FILE *out = open_memstream(&text, &size);
    if (!out) return NULL;
    for (const char *from = rls2_setting_about(setting, which); *from;) {
        const rls2_setting *meant = braced(from, &length);
        if (meant)
            fprintf(out, "'%s'", rls2_setting_about(meant, RLS2_SETTING_LABEL));
        else
            fputc(*from, out);
        from += meant ? length : 1;
    }
    json_t *made = fclose(out) == 0 ? json_string(text) : NULL;
    free(text);
    return made;
}

static json_t *choices_of(const rls2_setting *setting)
{
    json_t *list = json_array();
    const char *at = rls2_setting_about(setting, RLS2_SETTING_CHOICES);
    while (*at) {
        size_t length = strcspn(at, "|");
        json_array_append_new(list, json_stringn(at, length));
        at += length + (at[length] == '|');
    }
    return list;
}

static json_t *limit(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t *describe(const rls2_setting *setting)
{
    char name[64];
    return json_pack(
        "{s:s, s:s, s:s, s:o, s:s, s:s, s:s, s:s, s:o, s:o, s:o, s:o}", "name",
        plan_json_name(setting, name), "kind", kind_name(rls2_setting_kind_of(setting)), "scope",
        scope_name(rls2_setting_scope_of(setting)), "choices", choices_of(setting), "default",
        rls2_setting_about(setting, RLS2_SETTING_DEFAULT), "value",
        rls2_setting_about(setting, RLS2_SETTING_VALUE), "section",
        rls2_setting_about(setting, RLS2_SETTING_SECTION), "label",
        rls2_setting_about(setting, RLS2_SETTING_LABEL), "sentence",
        told(setting, RLS2_SETTING_SENTENCE), "help", told(setting, RLS2_SETTING_HELP), "least",
        limit(rls2_setting_least(setting)), "most", limit(rls2_setting_most(setting)));
}

int settings_get(request *r, reply *answer, fault *f)
{
    json_t *list = json_array();
    (void)r;
    (void)f;
    for (int64_t i = 0; i < rls2_setting_count(); i++)
        json_array_append_new(list, describe(rls2_setting_at(i)));
    answer->json = json_pack("{s:o}", "settings", list);
    return 0;
}
