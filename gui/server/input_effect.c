/* GET /api/runs/ID/effect/I/J: what input J does to predictions, along its values or for each of
 * its levels. */
#include "gui/server/detail.h"
#include "gui/server/model_source.h"
#include "gui/server/routes.h"
#include "gui/server/table_columns.h"

static const char *direction_name(rls2_direction direction)
{
    static const char *const NAMES[] = {"none", "up", "down", "both"};
    return NAMES[direction];
}

static json_t *point_list(const rls2_effect *effect)
{
    json_t *list = json_array();
    for (int64_t i = 0; i < rls2_effect_count(effect); i++) {
        const rls2_effect_point *at = rls2_effect_at(effect, i);
        json_array_append_new(
            list, json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "value", json_finite(at->value),
                            "level", json_words(at->level), "rows", json_finite(at->rows), "effect",
                            json_finite(at->effect), "lower", json_finite(at->lower), "upper",
                            json_finite(at->upper)));
    }
    return list;
}

static int look(const rls2_model *model, int64_t input, json_t **json, fault *f)
{
    rls2_error err;
    rls2_effect *effect = NULL;
    if (input >= rls2_model_input_count(model))
        return fault_say(f, HTTP_NONE, NULL, "the model has no input number %lld",
                         (long long)input);
    if (rls2_model_effect(model, input, &effect, &err) != RLS2_OK) return fault_of(f, NULL, &err);
    *json =
        json_pack("{s:o, s:s, s:s, s:o}", "name", json_words(rls2_model_input_name(model, input)),
                  "kind", columns_kind(rls2_model_input_kind(model, input)), "direction",
                  direction_name(rls2_effect_direction(effect)), "points", point_list(effect));
    rls2_effect_free(effect);
    return *json ? 0 : fault_memory(f);
}

int run_effect(request *r, reply *answer, fault *f)
{
    model_source from;
    const rls2_model *one = NULL;
    int code = model_borrow(r, &from, f);
    if (!code) code = detail_output(r, from.model, &one, f);
    if (!code) code = look(one, request_index(r, from.next), &answer->json, f);
    model_release(r, &from);
    return code;
}
