/* POST /api/savings: settings with which a run may take less, and what it would take with each. */
#include <string.h>

#include "gui/server/routes.h"
#include "gui/server/run_plan.h"

/* The same request with one more setting; a new object, or NULL when out of memory. */
static json_t *asked_with(const json_t *asked, const char *setting, const char *value)
{
    char name[64];
    json_t *made = json_deep_copy(asked), *settings = json_object_get(made, "settings");
    if (!made) return NULL;
    if (!settings) {
        settings = json_object();
        json_object_set_new(made, "settings", settings);
    }
    plan_json_name(rls2_setting_find(setting), name);
    json_object_set_new(settings, name, json_string(value));
    return made;
}

static json_t *describe(const run_plan *p, const char *setting, const char *value)
{
    rls2_error err;
    rls2_cost cost;
    char text[128], name[64];
    if (rls2_plan_forecast(p->plan, 0, &cost, sizeof cost, &err) != RLS2_OK) return NULL;
    rls2_cost_text(&cost, text, sizeof text);
    return json_pack("{s:s, s:s, s:I, s:I, s:s, s:f, s:f, s:b}", "setting",
                     plan_json_name(rls2_setting_find(setting), name), "value", value, "rows",
                     (json_int_t)rls2_plan_row_count(p->plan), "kernels",
                     (json_int_t)rls2_dictionary_count(rls2_plan_dictionary(p->plan)), "forecast",
                     text, "forecast_seconds", cost.seconds, "forecast_bytes", cost.bytes,
                     "too_much", cost.limit > 0.0 && cost.least_bytes > cost.limit);
}

/* NULL where it does not go together with the other settings. */
static json_t *try_saving(state *s, const json_t *asked, const char *setting, const char *value)
{
    run_plan p;
    fault ignored;
    json_t *with = asked_with(asked, setting, value), *made = NULL;
    if (!with) return NULL;
    if (run_plan_complete(s, with, &p, &ignored) == 0) made = describe(&p, setting, value);
    run_plan_release(&p);
    json_decref(with);
    return made;
}

static int takes_less(const json_t *saving, const rls2_cost *cost)
{
    return json_number_value(json_object_get(saving, "forecast_seconds")) < cost->seconds ||
           json_number_value(json_object_get(saving, "forecast_bytes")) < cost->bytes;
}

int settings_savings(request *r, reply *answer, fault *f)
{
    json_t *asked = NULL, *list = json_array();
    const char *setting;
    char value[128];
    rls2_error err;
    rls2_cost cost;
    run_plan p = {0};
    int code = request_json(r, &asked, f);
    if (!code) code = run_plan_complete(r->state, asked, &p, f);
    if (!code && rls2_plan_forecast(p.plan, 0, &cost, sizeof cost, &err) != RLS2_OK)
        code = fault_of(f, "kernels", &err);
    for (int64_t i = 0; !code && (setting = rls2_plan_saving(p.plan, i, value, sizeof value));
         i++) {
        json_t *saving = try_saving(r->state, asked, setting, value);
        if (saving && takes_less(saving, &cost)) json_array_append(list, saving);
        json_decref(saving);
    }
    run_plan_release(&p);
    json_decref(asked);
    if (code)
        json_decref(list);
    else
        answer->json = json_pack("{s:o}", "savings", list);
    return code;
}
